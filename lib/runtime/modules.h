/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Modules: what the calls of one plug-in share in a program and in each of its
/// executions; see jitrun_module_t.
#ifndef JR_RUNTIME_MODULES_H
#define JR_RUNTIME_MODULES_H

#include "runtime/program.h"

/// A module with calls in a program.
struct jr_module {
  const jitrun_module_t *record;
  void *state;
  bool is_created;
  bool *reached; ///< by entry: it may run a call of the module
};

/// Finds the modules of a resolved program and creates their states.
jitrun_error_t *jr_modules_create(jitrun_program_t *program) JITRUN_MUST_USE;

/// Destroys what was created, the last first.
void jr_modules_destroy(jitrun_program_t *program);

/// Room for the modules' states in a new context; false without memory.
bool jr_modules_alloc(struct jr_context *context);

/// Begins an execution for the modules that an entry may call.
jitrun_error_t *jr_modules_begin(struct jr_context *context,
                                 uint32_t entry) JITRUN_MUST_USE;

/// Ends it for those for which it began, the last first.
void jr_modules_end(struct jr_context *context);

/// What the module of a call made; NULL when it has none.
void *jr_modules_find(const jitrun_call_t *call, jitrun_scope_t scope);

#endif
