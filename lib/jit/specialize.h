/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What a program asks to know of its arguments, and compiling it with that
/// known.
#ifndef JR_JIT_SPECIALIZE_H
#define JR_JIT_SPECIALIZE_H

#include "jit/unit.h"

/// The flags of a parameter's record for the rt.constraint of an argument.
uint32_t jr_constraint_flag(MlirOperation function, intptr_t number);

/// When the options have a specialisation: gives the entry's arguments the
/// types that are known and their uses the values, and folds what follows from
/// that. INVALID_ARGUMENT for a value of a type that has no constants.
jitrun_error_t *jr_specialize(struct jr_unit *unit) JITRUN_MUST_USE;

#endif
