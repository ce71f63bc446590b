/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Names that the program takes from outside, and those that it defines.
#ifndef JR_JIT_IMPORTS_H
#define JR_JIT_IMPORTS_H

#include "jit/unit.h"

/// Lists the imports in the table and gives them bodies; hides what the program
/// defines. NOT_FOUND lists all functions that nobody knows, UNIMPLEMENTED says
/// what cannot be taken or had. After the translation to LLVM IR, before the
/// table is finished.
jitrun_error_t *jr_imports(struct jr_unit *unit) JITRUN_MUST_USE;

#endif
