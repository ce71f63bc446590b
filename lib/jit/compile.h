/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The compiler's one way through; see compile.c.
#ifndef JR_JIT_COMPILE_H
#define JR_JIT_COMPILE_H

#include "runtime/compiler.h"

#include "llvm/Config/llvm-config.h"

/// What this library calls itself in images and messages.
#define JR_PRODUCER "jitrun " JITRUN_VERSION " LLVM " LLVM_VERSION_STRING

jitrun_error_t *
jr_compile(const struct jr_compile_input *input,
           const struct jr_compile_options *options,
           struct jr_compile_output *out_output) JITRUN_MUST_USE;

#endif
