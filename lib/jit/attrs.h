/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Attributes of custom calls, from MLIR to the table.
#ifndef JR_JIT_ATTRS_H
#define JR_JIT_ATTRS_H

#include "jit/unit.h"

/// Encodes the attributes of `call` (a func.call) over those of what it calls
/// and sets first_attr and attr_count of site `site`. What cannot be encoded is
/// refused by attribute name at the call's location.
jitrun_error_t *jr_attrs_encode(struct jr_unit *unit, MlirOperation call,
                                const struct jr_callee *callee,
                                uint32_t site) JITRUN_MUST_USE;

/// True for an operation with attributes that custom calls are given.
bool jr_attrs_any(MlirOperation op);

#endif
