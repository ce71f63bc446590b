/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What attributes say of the arguments of an entry that are allocations of a
/// program with other parameters and results; see jitrun/allocation.h.
#ifndef JR_JIT_ALLOCATIONS_H
#define JR_JIT_ALLOCATIONS_H

#include "jit/unit.h"

/// Adds what the attributes of argument `number` say to its record, whose other
/// fields are filled in.
jitrun_error_t *jr_plan_role(struct jr_unit *unit, MlirOperation function,
                             uint32_t number,
                             struct jr_param *param) JITRUN_MUST_USE;

/// Adds what those of the function itself say, and compares it all; the entry's
/// parameters are written, and those that are constants of the module are
/// placed.
jitrun_error_t *jr_plan_interface(struct jr_unit *unit, MlirOperation function,
                                  struct jr_entry *entry) JITRUN_MUST_USE;

/// Makes an allocation of a constant memref.global that an argument names.
jitrun_error_t *jr_plan_named(struct jr_unit *unit, MlirOperation function,
                              MlirStringRef name) JITRUN_MUST_USE;

#endif
