/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See emit.c.
#ifndef JR_JIT_EMIT_H
#define JR_JIT_EMIT_H

#include "jit/target.h"

/// Completes the LLVM module of the unit, whose image is finished.
jitrun_error_t *jr_emit(struct jr_unit *unit,
                        const struct jr_target *target) JITRUN_MUST_USE;

#endif
