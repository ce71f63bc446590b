/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Entries written in the LLVM dialect.
#ifndef JR_JIT_LLVM_ENTRIES_H
#define JR_JIT_LLVM_ENTRIES_H

#include "jit/unit.h"

/// Where no func.func is an entry, those llvm.func operations are that have a
/// body and that other modules see: each gets a func.func around it. What
/// cannot be one is listed in the table with the reason. After jr_check().
jitrun_error_t *jr_llvm_entries(struct jr_unit *unit) JITRUN_MUST_USE;

#endif
