/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What handlers can ask of the runtime: see jitrun_call_api_t.
#include "base/threads.h"
#include "runtime/context.h"

#include <string.h>

enum { SCRATCH_ALIGNMENT = 64 };

/// The context of a call; NULL in the instantiate stage.
static struct jr_context *context_of(const jitrun_call_t *call) {
  return (struct jr_context *)(void *)call->exec;
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
  if (!context || !context->print)
    return;
  (void)pthread_mutex_lock(&context->print_lock);
  context->print(context->print_context, text, text_size);
  (void)pthread_mutex_unlock(&context->print_lock);
}

static void *take_scratch(const jitrun_call_t *call, size_t size_bytes) {
  struct jr_context *context = context_of(call);
  if (!context)
    return NULL;
  return jr_blocks_alloc(&context->blocks, size_bytes, SCRATCH_ALIGNMENT);
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
};
