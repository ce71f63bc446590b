/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Opening a program from MLIR that is in memory and known to be MLIR.
#ifndef JR_RUNTIME_OPEN_H
#define JR_RUNTIME_OPEN_H

#include "runtime/compiler.h"
#include "runtime/program.h"

/// Compiles and loads. `options` were read; `specialization` may be NULL.
/// Thread-safe.
jitrun_error_t *
jr_program_compile(const struct jr_compile_input *input,
                   const jitrun_open_options_t *options,
                   const struct jr_specialization *specialization,
                   jitrun_program_t **out_program) JITRUN_MUST_USE;

#endif
