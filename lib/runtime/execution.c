/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Executions that own their results: memory is made for each before the entry
/// runs, or behind it where only the entry knows the sizes.
#include "runtime/execute.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/dtype.h"
#include "base/threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { RESULT_ALIGNMENT = 64, POLL_NS = 50000000 };

/// While async work goes on, it has the context and a reference.
struct jitrun_execution {
  atomic_size_t references;
  pthread_mutex_t lock;
  struct jr_context *context; ///< NULL once the work is done
  jitrun_error_t *error;      ///< of async work, until somebody asks
  atomic_bool is_done;
  jitrun_program_t *program; ///< retained: sizes stand in its image
  size_t result_count;
  jitrun_tensor_t *results;
  int64_t **dims;  ///< one a result: those that only the entry knew, or NULL
  uint64_t *words; ///< one a result: where its data points to if it is a word
  void **memory;   ///< one a result: that of a buffer
};

static void free_execution(jitrun_execution_t *execution) {
  if (atomic_fetch_sub(&execution->references, 1) != 1)
    return;
  for (size_t i = 0; execution->words && i < execution->result_count; i++) {
    if (execution->results && execution->words[i] != 0 &&
        execution->results[i].dtype == JITRUN_DTYPE_TOKEN)
      jitrun_async_release((jitrun_async_t *)(uintptr_t)execution->words[i]);
  }
  jitrun_error_free(execution->error);
  (void)pthread_mutex_destroy(&execution->lock);
  for (size_t i = 0; execution->memory && i < execution->result_count; i++)
    free(execution->memory[i]);
  for (size_t i = 0; execution->dims && i < execution->result_count; i++)
    free(execution->dims[i]);
  free(execution->memory);
  free(execution->dims);
  free(execution->words);
  free(execution->results);
  jitrun_program_release(execution->program);
  free(execution);
}

static jitrun_error_t *create_execution(jitrun_program_t *program, size_t count,
                                        jitrun_execution_t **out_execution) {
  jitrun_execution_t *execution = jr_calloc(1, sizeof *execution);
  if (!execution)
    return jr_error_no_memory();
  jitrun_program_retain(program);
  atomic_init(&execution->references, 1);
  atomic_init(&execution->is_done, true);
  (void)pthread_mutex_init(&execution->lock, NULL);
  execution->program = program;
  execution->result_count = count;
  execution->results = jr_calloc(count + 1, sizeof *execution->results);
  execution->dims = jr_calloc(count + 1, sizeof *execution->dims);
  execution->words = jr_calloc(count + 1, sizeof *execution->words);
  execution->memory = jr_calloc(count + 1, sizeof *execution->memory);
  if (!execution->results || !execution->dims || !execution->words ||
      !execution->memory) {
    free_execution(execution);
    return jr_error_no_memory();
  }
  *out_execution = execution;
  return NULL;
}

/// Dense memory of these sizes for a result.
static jitrun_error_t *make_memory(jitrun_execution_t *execution, size_t index,
                                   const int64_t *dims, uint64_t alignment) {
  jitrun_tensor_t *tensor = &execution->results[index];
  uint64_t bytes = 0;
  bool fits = jr_elements_bytes(jr_dtype_size(tensor->dtype), dims,
                                tensor->rank, &bytes);
  if (fits && bytes > 0)
    execution->memory[index] = jr_malloc_aligned(
        alignment > RESULT_ALIGNMENT ? alignment : RESULT_ALIGNMENT, bytes);
  tensor->data = execution->memory[index];
  if (tensor->data || (fits && bytes == 0))
    return NULL;
  return jr_error(JITRUN_RESOURCE_EXHAUSTED, "no memory for result %zu", index);
}

jitrun_error_t *jr_execution_make(jitrun_execution_t *execution, size_t index,
                                  const int64_t *dims) {
  jitrun_tensor_t *tensor = &execution->results[index];
  if (tensor->dims || tensor->rank == 0)
    return NULL; /* its sizes were known before */
  int64_t *copy = jr_calloc(tensor->rank, sizeof *copy);
  if (!copy)
    return jr_error_no_memory();
  memcpy(copy, dims, tensor->rank * sizeof *copy);
  execution->dims[index] = copy;
  tensor->dims = copy;
  return make_memory(execution, index, copy, RESULT_ALIGNMENT);
}

/// Makes the place of a result, as far as its type tells.
static jitrun_error_t *make_result(jitrun_execution_t *execution,
                                   const jitrun_value_info_t *info,
                                   size_t index) {
  jitrun_tensor_t *tensor = &execution->results[index];
  tensor->dtype = (jitrun_dtype_t)info->type->dtype;
  if (jr_type_is_word(info->type)) {
    if (info->type->kind != JITRUN_KIND_SCALAR &&
        info->type->kind != JITRUN_KIND_OPAQUE)
      tensor->dtype = JITRUN_DTYPE_TOKEN;
    tensor->data = &execution->words[index];
    return NULL;
  }
  tensor->rank = info->type->rank;
  const int64_t *dims = jitrun_type_dims(info->type);
  for (uint32_t i = 0; i < tensor->rank; i++) {
    if (dims[i] == JITRUN_DYNAMIC)
      return NULL;
  }
  tensor->dims = dims;
  return make_memory(execution, index, dims, info->alignment);
}

static jitrun_error_t *start_execution(jitrun_execution_t *execution,
                                       const jitrun_entry_t *entry,
                                       const struct jr_arguments *given,
                                       const jitrun_run_options_t *options) {
  for (size_t i = 0; i < entry->result_count; i++)
    JITRUN_TRY(make_result(execution, &entry->results[i], i));
  struct jr_arguments all = *given;
  all.results = execution->results;
  all.result_count = execution->result_count;
  all.owner = execution;
  return jr_execute(execution->program, entry, &all, options);
}

jitrun_error_t *jr_execution_start(jitrun_program_t *program,
                                   const jitrun_entry_t *entry,
                                   const struct jr_arguments *given,
                                   const jitrun_run_options_t *options,
                                   jitrun_execution_t **out_execution) {
  *out_execution = NULL;
  uint32_t index = 0;
  jitrun_execution_t *execution = NULL;
  JITRUN_TRY(jr_entry_index(program, entry, &index));
  entry = jr_program_entry(program, index);
  JITRUN_TRY(create_execution(program, entry->result_count, &execution));
  jitrun_error_t *err = start_execution(execution, entry, given, options);
  if (err) {
    free_execution(execution);
    return err;
  }
  *out_execution = execution;
  return NULL;
}

jitrun_error_t *jitrun_program_start(jitrun_program_t *program,
                                     const jitrun_entry_t *entry,
                                     const jitrun_tensor_t *args,
                                     size_t arg_count,
                                     const jitrun_run_options_t *options,
                                     jitrun_execution_t **out_execution) {
  JR_NEED(out_execution);
  *out_execution = NULL;
  JR_NEED(program);
  if (arg_count > 0)
    JR_NEED(args);
  const struct jr_arguments given = {.args = args, .arg_count = arg_count};
  return jr_execution_start(program, entry, &given, options, out_execution);
}

void jr_execution_attach(jitrun_execution_t *execution,
                         struct jr_context *context) {
  (void)atomic_fetch_add(&execution->references, 1);
  atomic_store(&execution->is_done, false);
  execution->context = context;
}

void jr_execution_detach(jitrun_execution_t *execution) {
  (void)pthread_mutex_lock(&execution->lock);
  execution->context = NULL;
  (void)pthread_mutex_unlock(&execution->lock);
}

void jr_execution_finish(jitrun_execution_t *execution, jitrun_error_t *error) {
  execution->error = error;
  atomic_store(&execution->is_done, true);
  jr_pool_notify(jr_pool_default());
  free_execution(execution);
}

static bool is_done(void *context) {
  jitrun_execution_t *execution = context;
  return atomic_load(&execution->is_done);
}

/// Has what waits go on if the execution was asked to stop; true when this
/// thread may run tasks of the pool meanwhile.
static bool look_after(jitrun_execution_t *execution) {
  (void)pthread_mutex_lock(&execution->lock);
  struct jr_context *context = execution->context;
  bool is_active = context && jr_async_work_enter(context);
  (void)pthread_mutex_unlock(&execution->lock);
  if (!is_active)
    return false;
  bool helps = !context->options.runner;
  if (jr_exec_is_cancelled(&context->exec))
    jr_async_work_cancel(context);
  jr_async_work_leave(context);
  return helps;
}

jitrun_error_t *jitrun_execution_wait(jitrun_execution_t *execution,
                                      int64_t timeout_ns) {
  uint64_t start = jr_clock_ns();
  if (!execution)
    return NULL;
  while (!is_done(execution)) {
    int64_t left = POLL_NS;
    if (timeout_ns >= 0)
      left = timeout_ns - (int64_t)(jr_clock_ns() - start);
    if (left <= 0)
      return jr_error(JITRUN_DEADLINE_EXCEEDED,
                      "the async work of the execution is not done after %lld "
                      "ns",
                      (long long)timeout_ns);
    bool helps = look_after(execution);
    jr_pool_wait(jr_pool_default(), helps, left < POLL_NS ? left : POLL_NS,
                 is_done, execution);
  }
  (void)pthread_mutex_lock(&execution->lock);
  jitrun_error_t *error = execution->error;
  execution->error = NULL;
  (void)pthread_mutex_unlock(&execution->lock);
  return error;
}

size_t jitrun_execution_result_count(const jitrun_execution_t *execution) {
  return execution ? execution->result_count : 0;
}

const jitrun_tensor_t *
jitrun_execution_result(const jitrun_execution_t *execution, size_t index) {
  if (!execution || index >= execution->result_count)
    return NULL;
  return &execution->results[index];
}

void jitrun_execution_release(jitrun_execution_t *execution) {
  if (!execution)
    return;
  (void)look_after(execution);
  free_execution(execution);
}
