/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Telling debuggers and profilers of code that was loaded from an object in
/// memory, whoever loaded it.
///
/// GDB finds such code in a list that stands in the process's memory, under
/// names that it knows (__jit_debug_descriptor); the list is the one piece of
/// state here that belongs to the process.
#ifndef JR_RUNTIME_ANNOUNCE_H
#define JR_RUNTIME_ANNOUNCE_H

#include "jitrun/program.h"
#include "runtime/table.h"

/// An object in GDB's list.
struct jr_announced;

/// Announces the code of a program as the options ask: `object` is what it was
/// loaded from, `table` its image where it was loaded. `out_announced` is NULL
/// when there is nothing to withdraw.
jitrun_error_t *
jr_code_announce(const struct jr_table *table, const void *object, size_t size,
                 const jitrun_open_options_t *options,
                 struct jr_announced **out_announced) JITRUN_MUST_USE;

/// Before the code is unloaded. NULL is a no-op.
void jr_code_withdraw(/*own*/ struct jr_announced *announced);

#endif
