/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Whether the code of an image can run in this process. Found out from the
/// table, before any of the code is mapped executable.
#ifndef JR_RUNTIME_FIT_H
#define JR_RUNTIME_FIT_H

#include "runtime/problems.h"
#include "runtime/table.h"

/// Adds all that keeps the code from running here: there is none
/// (UNIMPLEMENTED), or it is for another machine, another version of the native
/// interface, another layout of data, or a CPU with more features than this one
/// (FAILED_PRECONDITION).
void jr_code_check(const struct jr_table *table, struct jr_problems *problems);

#endif
