/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// From the LLVM module to bytes: optimised, then as object, assembly or text.
#ifndef JR_JIT_CODEGEN_H
#define JR_JIT_CODEGEN_H

#include "jit/target.h"

/// Both are stages; they have ended, and may have stopped the compile.
jitrun_error_t *jr_optimise(struct jr_unit *unit,
                            const struct jr_target *target) JITRUN_MUST_USE;
jitrun_error_t *jr_codegen(struct jr_unit *unit, const struct jr_target *target,
                           struct jr_compile_output *output) JITRUN_MUST_USE;

#endif
