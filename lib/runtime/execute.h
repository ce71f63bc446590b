/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Running an entry, for those who give memory for its results and for those
/// who take what there is.
#ifndef JR_RUNTIME_EXECUTE_H
#define JR_RUNTIME_EXECUTE_H

#include "runtime/arguments.h"
#include "runtime/context.h"

/// UNIMPLEMENTED when there is no code and thunks cannot run the entry.
jitrun_error_t *jr_executor_check(const jitrun_program_t *program,
                                  uint32_t index) JITRUN_MUST_USE;

/// Runs an entry; see jitrun_program_run().
jitrun_error_t *jr_execute(jitrun_program_t *program,
                           const jitrun_entry_t *entry,
                           const struct jr_arguments *given,
                           const jitrun_run_options_t *options) JITRUN_MUST_USE;

/// Starts an entry; see jitrun_program_start(). Results are not given.
jitrun_error_t *
jr_execution_start(jitrun_program_t *program, const jitrun_entry_t *entry,
                   const struct jr_arguments *given,
                   const jitrun_run_options_t *options,
                   jitrun_execution_t **out_execution) JITRUN_MUST_USE;

/// Runs an entry from inside of another execution of the program, with its
/// options. RESOURCE_EXHAUSTED when that is too deep inside others.
jitrun_error_t *
jr_execute_inside(struct jr_context *outer, uint32_t entry,
                  const struct jr_arguments *given) JITRUN_MUST_USE;

/// The index of an entry of this program; NULL asks for the default.
jitrun_error_t *jr_entry_index(const jitrun_program_t *program,
                               const jitrun_entry_t *entry,
                               uint32_t *out_index) JITRUN_MUST_USE;

/// Writes the results that are not in the caller's memory yet.
jitrun_error_t *
jr_results_store(const struct jr_context *context, uint32_t entry,
                 const struct jr_arguments *given) JITRUN_MUST_USE;

/// Releases handles among the results of an execution that failed later on.
void jr_results_drop(const jitrun_entry_t *entry,
                     const struct jr_arguments *given);

/// Before async work of an execution goes on without its caller, in `context`;
/// when the last of it is done, while the context still is the execution's; and
/// when it is not any more, with the error of that work or NULL.
void jr_execution_attach(jitrun_execution_t *execution,
                         struct jr_context *context);
void jr_execution_detach(jitrun_execution_t *execution);
void jr_execution_finish(jitrun_execution_t *execution,
                         /*own*/ jitrun_error_t *error);

/// Memory for result `index` of an execution that owns its results, whose sizes
/// are known now.
jitrun_error_t *jr_execution_make(jitrun_execution_t *execution, size_t index,
                                  const int64_t *dims) JITRUN_MUST_USE;

#endif
