/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Operations that upstream lowers nowhere, as calls of small functions that
/// are made for the types at hand: classes of floats, and conversions of floats
/// of 8 bits.
#ifndef JR_JIT_EXPAND_H
#define JR_JIT_EXPAND_H

#include "jit/unit.h"

/// Replaces them in the whole module.
jitrun_error_t *jr_expand(struct jr_unit *unit) JITRUN_MUST_USE;

/// Adds a function to the module, from its text.
jitrun_error_t *jr_add_function(struct jr_unit *unit,
                                struct jr_bytes *text) JITRUN_MUST_USE;

/// Replaces an operation by a call of the function `symbol` with its operands.
void jr_replace_by_call(const struct jr_unit *unit, MlirOperation op,
                        MlirAttribute symbol);

/// True when floats of 8 bits or less occur, other than in memory alone.
bool jr_has_small_floats(const struct jr_unit *unit);

#endif
