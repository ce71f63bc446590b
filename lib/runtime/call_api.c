/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What handlers can ask of the runtime: see jitrun_call_api_t.
#include "base/threads.h"
#include "customcalls/registry.h"
#include "runtime/current.h"
#include "runtime/execute.h"
#include "runtime/modules.h"

#include <string.h>

enum { SCRATCH_ALIGNMENT = 64 };

/// The context of a call; NULL in the instantiate stage, and where a module has
/// no call.
static struct jr_context *context_of(const jitrun_call_t *call) {
  return call ? (struct jr_context *)(void *)call->exec : NULL;
}

/// True between the beginning and the end of an execution: not in the prepare
/// stage, whose context is yet to get one.
static bool is_executing(const struct jr_context *context) {
  return context && context->run_id != 0;
}

static jitrun_error_t *make_error(const jitrun_call_t *call, jitrun_code_t code,
                                  const char *text, size_t text_size) {
  (void)call;
  if (text && text_size == SIZE_MAX)
    text_size = strlen(text);
  if (!text || text_size == 0)
    return jr_error(code, "failed without a message");
  return jr_error_text(code, text, text_size);
}

static void print_text(const jitrun_call_t *call, const char *text,
                       size_t text_size) {
  struct jr_context *context = context_of(call);
  if (context)
    jr_context_print(context, text, text_size);
}

static void *take_scratch(const jitrun_call_t *call, size_t size_bytes) {
  struct jr_context *context = context_of(call);
  if (!context)
    return NULL;
  return jr_blocks_scratch(&context->blocks, size_bytes, SCRATCH_ALIGNMENT);
}

static void run_parallel(const jitrun_call_t *call, size_t count, size_t grain,
                         jitrun_task_fn_t body, void *body_context) {
  (void)call;
  jr_pool_for(jr_pool_default(), count, grain, body, body_context);
}

static uint64_t get_run_id(const jitrun_call_t *call) {
  const struct jr_context *context = context_of(call);
  return context ? context->run_id : 0;
}

static bool is_cancelled(const jitrun_call_t *call) {
  const struct jr_context *context = context_of(call);
  return context && jr_exec_is_cancelled(&context->exec);
}

static void *find_user_data(const jitrun_call_t *call, const char *name) {
  const struct jr_context *context = context_of(call);
  if (!context || !name)
    return NULL;
  const jitrun_user_data_t *items = context->options.user_data;
  for (size_t i = 0; i < context->options.user_data_count; i++) {
    if (items[i].name && strcmp(items[i].name, name) == 0)
      return items[i].data;
  }
  return NULL;
}

static jitrun_error_t *get_state(const jitrun_call_t *call,
                                 const jitrun_state_key_t *key,
                                 void **out_state) {
  struct jr_context *context = context_of(call);
  jitrun_program_t *program = call->site->program;
  *out_state = NULL;
  JITRUN_TRY(jr_state_key_check(key));
  if (key->scope == JITRUN_SCOPE_PROGRAM)
    return jr_states_get(&program->shared, &program->state_sync, call, key,
                         out_state);
  if (!is_executing(context))
    return jr_error(JITRUN_FAILED_PRECONDITION,
                    "state '%s' lives as long as an execution, and there is "
                    "none before the initialize stage",
                    key->name);
  return jr_states_get(&context->states, &program->state_sync, call, key,
                       out_state);
}

static void take_diagnostic(const jitrun_call_t *call, const char *text,
                            size_t text_size) {
  struct jr_context *context = context_of(call);
  if (!text)
    return;
  if (text_size == SIZE_MAX)
    text_size = strlen(text);
  if (!context) {
    jr_diagnostics_add(&call->site->program->diagnostics, text, text_size);
    return;
  }
  const jitrun_run_options_t *options = &context->options;
  if (!options->diagnostic) {
    jr_diagnostics_add(&context->diagnostics, text, text_size);
    return;
  }
  struct jr_context *outermost = context->outermost;
  (void)pthread_mutex_lock(&outermost->output_lock);
  options->diagnostic(options->diagnostic_context, text, text_size);
  (void)pthread_mutex_unlock(&outermost->output_lock);
}

static jitrun_error_t *
run_other_entry(const jitrun_call_t *call, uint32_t entry,
                const jitrun_tensor_t *args, size_t arg_count,
                const jitrun_tensor_t *results, size_t result_count) {
  struct jr_context *context = context_of(call);
  if (!is_executing(context))
    return jr_error(JITRUN_FAILED_PRECONDITION,
                    "custom call '%s' runs entry %u before the initialize "
                    "stage, when there is no execution",
                    call->site->target, entry);
  uint32_t entry_count = context->program->table.entry_count;
  if (entry >= entry_count)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "custom call '%s' runs entry %u, the program has %u",
                    call->site->target, entry, entry_count);
  if ((arg_count > 0 && !args) || (result_count > 0 && !results))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "custom call '%s' runs entry %u with arguments or results "
                    "that are counted, but NULL",
                    call->site->target, entry);
  const struct jr_arguments given = {.args = args,
                                     .arg_count = arg_count,
                                     .results = results,
                                     .result_count = result_count};
  return jr_execute_inside(context, entry, &given);
}

/// Which device this is; without a world the one there is.
static uint32_t get_replica_id(const jitrun_call_t *call) {
  const struct jr_context *context = context_of(call);
  return context && context->options.world ? context->options.replica_id : 0;
}

static uint32_t get_partition_id(const jitrun_call_t *call) {
  const struct jr_context *context = context_of(call);
  return context && context->options.world ? context->options.partition_id : 0;
}

static jitrun_world_t *get_world(const jitrun_call_t *call) {
  const struct jr_context *context = context_of(call);
  return context ? context->options.world : NULL;
}

static jitrun_classic_fn_t find_classic(const jitrun_call_t *call,
                                        const char *name,
                                        const char *platform) {
  return jr_registry_classic(call->site->program->registry, name, platform);
}

static void *get_stream(const jitrun_call_t *call) {
  const struct jr_context *context = context_of(call);
  return context ? context->options.stream : NULL;
}

const jitrun_call_api_t jr_call_api = {
    .size = sizeof(jitrun_call_api_t),
    .error = make_error,
    .print = print_text,
    .scratch = take_scratch,
    .parallel_for = run_parallel,
    .run_id = get_run_id,
    .cancelled = is_cancelled,
    .result_alloc = jr_result_alloc,
    .result_set = jr_result_set,
    .user_data = find_user_data,
    .state = get_state,
    .module_state = jr_modules_find,
    .diagnose = take_diagnostic,
    .run_entry = run_other_entry,
    .async = &jr_async_api,
    .replica_id = get_replica_id,
    .partition_id = get_partition_id,
    .world = get_world,
    .classic = find_classic,
    .stream = get_stream,
    .place = jr_place_fill,
    .workspace = jr_call_workspace,
};
