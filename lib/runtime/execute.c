/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Running a program: check what the caller gave, take a context, point it at
/// the caller's memory, run the entry's code or thunks, hand out the results.
#include "runtime/execute.h"

#include "base/dtype.h"
#include "base/options.h"
#include "customcalls/world.h"
#include "runtime/context.h"
#include "runtime/current.h"

#include <string.h>

/// One execution.
struct execution {
  jitrun_program_t *program;
  uint32_t entry;
  const struct jr_entry *record;
  struct jr_arguments given;
  jitrun_run_options_t options;
  struct jr_context *outer; ///< the execution that this one is inside of, or
                            ///< NULL
  bool has_begun;           ///< its end is that of its work
};

jitrun_error_t *jr_entry_index(const jitrun_program_t *program,
                               const jitrun_entry_t *entry,
                               uint32_t *out_index) {
  if (!entry)
    entry = jitrun_program_entry_find(program, NULL);
  if (!entry)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the program has %u entries and none is named 'main'; say "
                    "which to run",
                    program->table.entry_count);
  uintptr_t offset = (uintptr_t)entry - (uintptr_t)program->entries;
  if (offset / sizeof *entry >= program->table.entry_count ||
      offset % sizeof *entry != 0)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the entry at %p is not one of this program",
                    (const void *)entry);
  *out_index = (uint32_t)(offset / sizeof *entry);
  return NULL;
}

jitrun_error_t *jr_executor_check(const jitrun_program_t *program,
                                  uint32_t index) {
  const struct jr_table *table = &program->table;
  const struct jr_entry *entry = &table->entries[index];
  if (program->native || entry->thunks_refused == 0)
    return NULL;
  jitrun_error_t *err =
      jr_error(JITRUN_UNIMPLEMENTED,
               "thunks cannot run entry '%s': %s; run it as native code",
               jr_table_string(table, entry->name),
               jr_table_string(table, entry->thunks_refused));
  return jr_error_at(err, jr_table_string(table, entry->file), entry->line,
                     entry->column);
}

static jitrun_error_t *read_options(const jitrun_run_options_t *options,
                                    jitrun_run_options_t *out_options) {
  *out_options = (jitrun_run_options_t){0};
  JITRUN_TRY(jr_options_read(options, "for running", out_options,
                             sizeof *out_options));
  if (out_options->user_data_count > 0 && !out_options->user_data)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "options for running count %zu user data, but the array of "
                    "them is NULL",
                    out_options->user_data_count);
  return NULL;
}

/// Run-time sizes and strides: into the words that native code reads, and into
/// the type record that handlers see.
static void bind_extents(struct jr_context *context,
                         const struct jr_param *param,
                         const jitrun_tensor_t *tensor) {
  jitrun_type_t *view = context->views[param->alloc];
  if (!view)
    return;
  const int64_t *declared =
      jitrun_type_dims(jr_table_type(&context->program->table, param->type));
  int64_t extents[2 * JR_TABLE_MAX_RANK];
  size_t rank = view->rank;
  memcpy(extents, tensor->dims, rank * sizeof *extents);
  jr_tensor_strides(tensor, extents + rank);
  memcpy(view + 1, extents, 2 * rank * sizeof *extents);
  uint64_t *word = context->scalars + param->first_word;
  for (size_t i = 0; i < 2 * rank; i++) {
    if (declared[i] == JITRUN_DYNAMIC)
      *word++ = (uint64_t)extents[i];
  }
}

static void bind_argument(struct jr_context *context,
                          const struct jr_param *param,
                          const jitrun_tensor_t *tensor) {
  if (param->alloc != JR_NONE) {
    jr_context_rebase(context, param->alloc, tensor->data);
    bind_extents(context, param, tensor);
    return;
  }
  uint64_t word = 0;
  const jitrun_type_t *type =
      jr_table_type(&context->program->table, param->type);
  memcpy(&word, tensor->data, jr_type_word_bytes(type));
  if (tensor->dtype == JITRUN_DTYPE_PRED)
    word = word != 0;
  context->scalars[param->first_word] = word;
}

/// Points the context at the caller's memory.
static void bind_values(struct jr_context *context,
                        const struct execution *execution) {
  const struct jr_param *params =
      context->program->table.params + execution->record->first_param;
  const struct jr_arguments *given = &execution->given;
  for (size_t i = 0; i < given->arg_count; i++)
    bind_argument(context, &params[i], &given->args[i]);
  const struct jr_param *results = params + given->arg_count;
  for (size_t i = 0; i < given->result_count; i++) {
    if (results[i].alloc != JR_NONE && !(results[i].flags & JR_RESULT_COPY))
      jr_context_rebase(context, results[i].alloc, given->results[i].data);
  }
}

/// What the prepare stage said goes where all else of this execution does.
static void bind_diagnostic(struct jr_context *context) {
  struct jr_context *outermost = context->outermost;
  const jitrun_run_options_t *options = &context->options;
  if (!options->diagnostic || context->diagnostics.count == 0)
    return;
  (void)pthread_mutex_lock(&outermost->output_lock);
  jr_diagnostics_send(&context->diagnostics, options->diagnostic,
                      options->diagnostic_context);
  (void)pthread_mutex_unlock(&outermost->output_lock);
}

static void bind_options(struct jr_context *context,
                         const struct execution *execution) {
  const jitrun_run_options_t *options = &execution->options;
  struct jr_context *outer = execution->outer;
  context->options = *options;
  context->outermost = outer ? outer->outermost : context;
  context->depth = outer ? outer->depth + 1 : 0;
  bind_diagnostic(context);
  if (options->cancel)
    context->exec.cancel = options->cancel;
  if (options->current_site)
    context->exec.current_site = options->current_site;
  jr_exec_set_site(&context->exec, JITRUN_NO_SITE);
}

static jitrun_error_t *run_entry(struct jr_context *context,
                                 const struct execution *execution) {
  const jitrun_program_t *program = execution->program;
  const struct jr_table *table = &program->table;
  if (!program->native)
    return jr_thunks_run(context, execution->entry);
  uintptr_t code =
      (uintptr_t)table->code + (uintptr_t)table->code_offsets[execution->entry];
  if (table->import_count == 0)
    return ((jr_entry_fn_t)code)(&context->exec);
  struct jr_context *before = jr_current_set(context);
  jitrun_error_t *error = ((jr_entry_fn_t)code)(&context->exec);
  (void)jr_current_set(before);
  return error;
}

/// The handler that was running has its name and place put on the error. Where
/// there is async work, calls do that themselves.
static jitrun_error_t *locate_error(const struct jr_context *context,
                                    /*own*/ jitrun_error_t *error) {
  if (context->async.is_used)
    return error;
  const jitrun_site_t *site =
      jitrun_program_site_get(context->program, *context->exec.current_site);
  return site ? jr_error_in_site(error, site, "in") : error;
}

/// Everything that needs the context.
static jitrun_error_t *run_in_context(struct jr_context *context,
                                      const struct execution *execution) {
  bind_options(context, execution);
  bind_values(context, execution);
  context->given_temp = execution->given.temp;
  context->blocks.meter = execution->given.meter;
  jitrun_error_t *err = jr_exec_is_cancelled(&context->exec)
                            ? jr_error_cancelled()
                            : jr_context_start(context, execution->entry);
  if (!err) {
    err = run_entry(context, execution);
    if (err)
      err = locate_error(context, err);
    else
      err = jr_results_store(context, execution->entry, &execution->given);
    if (!err && !context->async.is_used)
      jr_check_leaks(context, execution->entry);
  }
  jr_exec_set_site(&context->exec, JITRUN_NO_SITE);
  return err;
}

/// Runs the entry, and ends the execution unless its async work goes on.
static jitrun_error_t *run_to_end(struct jr_context *context,
                                  struct execution *execution) {
  execution->has_begun = true;
  jitrun_execution_t *owner = execution->given.owner;
  jr_async_work_begin(context);
  jitrun_error_t *err = run_in_context(context, execution);
  if (owner && !err && context->async.is_used) {
    jr_execution_attach(owner, context);
    jr_async_work_detach(context, owner);
    return NULL;
  }
  bool had_results = !err && !owner;
  err = jr_async_work_finish(context, err);
  if (err && had_results)
    jr_results_drop(jr_program_entry(execution->program, execution->entry),
                    &execution->given);
  return err;
}

/// Executions of a program that changes its globals wait for each other, so
/// they cannot meet in collective calls; nor do devices share memory.
static jitrun_error_t *check_devices(const struct execution *execution) {
  const jitrun_world_t *world = execution->options.world;
  if (!world || world->device_count == 1 ||
      !execution->program->globals.is_there)
    return NULL;
  return jr_error(JITRUN_UNIMPLEMENTED,
                  "the program changes its globals, which several devices "
                  "cannot share: run it on one, or keep what changes in "
                  "arguments");
}

/// Everything once it is known which entry to run.
static jitrun_error_t *run_execution(struct execution *execution) {
  jitrun_program_t *program = execution->program;
  struct jr_context *context = NULL;
  execution->record = &program->table.entries[execution->entry];
  if (program->inspect_only)
    return jr_error(JITRUN_FAILED_PRECONDITION,
                    "the program was opened only to look at; open it without "
                    "inspect_only to run it");
  if (!execution->given.is_checked)
    JITRUN_TRY(
        jr_arguments_check(program, execution->entry, &execution->given));
  JITRUN_TRY(jr_executor_check(program, execution->entry));
  JITRUN_TRY(check_devices(execution));
  if (!execution->outer)
    JITRUN_TRY(jr_globals_enter(&program->globals, execution->options.cancel));
  jitrun_error_t *err = jr_context_acquire(program, &context);
  if (!err)
    err = run_to_end(context, execution);
  else if (!execution->outer)
    jr_globals_leave(&program->globals);
  return jr_error_note(
      err, "while running entry '%s'",
      jr_table_string(&program->table, execution->record->name));
}

jitrun_error_t *jr_execute_inside(struct jr_context *outer, uint32_t entry,
                                  const struct jr_arguments *given) {
  struct execution execution = {.program = outer->program,
                                .entry = entry,
                                .given = *given,
                                .options = outer->options,
                                .outer = outer};
  execution.given.meter = outer->blocks.meter;
  // The call that runs the entry is what the caller sees running.
  execution.options.current_site = NULL;
  if (outer->depth >= JR_MAX_DEPTH)
    return jr_error(JITRUN_RESOURCE_EXHAUSTED,
                    "entry '%s' is run inside of %d executions that run each "
                    "other, which is the limit; does a call run the entry that "
                    "it is in?",
                    jr_program_entry(outer->program, entry)->name,
                    JR_MAX_DEPTH);
  return run_execution(&execution);
}

jitrun_error_t *jr_execute(jitrun_program_t *program,
                           const jitrun_entry_t *entry,
                           const struct jr_arguments *given,
                           const jitrun_run_options_t *options) {
  struct execution execution = {.program = program, .given = *given};
  JITRUN_TRY(read_options(options, &execution.options));
  jitrun_world_t *world = execution.options.world;
  uint32_t replica = execution.options.replica_id;
  uint32_t partition = execution.options.partition_id;
  JITRUN_TRY(jr_world_enter(world, replica, partition));
  jitrun_error_t *err = jr_entry_index(program, entry, &execution.entry);
  if (!err)
    err = run_execution(&execution);
  if (!execution.has_begun)
    jr_world_leave(world, replica, partition, err);
  return err;
}

// NOLINTBEGIN(readability-function-size): a run has seven parameters
jitrun_error_t *
jitrun_program_run(jitrun_program_t *program, const jitrun_entry_t *entry,
                   const jitrun_tensor_t *args, size_t arg_count,
                   const jitrun_tensor_t *results, size_t result_count,
                   const jitrun_run_options_t *options) {
  if (!program || (arg_count > 0 && !args) || (result_count > 0 && !results))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "running needs a program, and arrays of the arguments and "
                    "results that are counted; one of them is NULL");
  const struct jr_arguments given = {.args = args,
                                     .arg_count = arg_count,
                                     .results = results,
                                     .result_count = result_count};
  return jr_execute(program, entry, &given, options);
}
// NOLINTEND(readability-function-size)
