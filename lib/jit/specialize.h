/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What a program asks to know of its arguments.
#ifndef JR_JIT_SPECIALIZE_H
#define JR_JIT_SPECIALIZE_H

#include "jit/unit.h"

/// The flags of a parameter's record for the rt.constraint of an argument.
uint32_t jr_constraint_flag(MlirOperation function, intptr_t number);

#endif
