/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Which stages a program needs.
#ifndef JR_JIT_SURVEY_H
#define JR_JIT_SURVEY_H

#include "jit/unit.h"

/// Finds out whether the program is plain: nothing but functions, calls,
/// constants, and memory and views of it, of scalars, memrefs and opaque types.
/// Then there is nothing for the stages that lower other operations, or that
/// check what may be in a program; those of rt may change the program's types,
/// not what it is made of.
void jr_survey(struct jr_unit *unit);

#endif
