/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Keeps functions small: see outline.c.
#ifndef JR_JIT_OUTLINE_H
#define JR_JIT_OUTLINE_H

#include "jit/unit.h"

/// Splits the blocks of large native functions into functions of their own,
/// which join the unit's list. Control flow must still be structured.
jitrun_error_t *jr_outline(struct jr_unit *unit) JITRUN_MUST_USE;

#endif
