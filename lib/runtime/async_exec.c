/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The functions of the async dialect that native code calls; see
/// jr_async_functions. None can fail: where memory is short, a handle is one
/// that is in error state from the beginning.
#include "runtime/async_work.h"

#include "base/alloc.h"
#include "base/dtype.h"
#include "base/threads.h"
#include "runtime/context.h"
#include "runtime/profile.h"

#include <stdlib.h>
#include <string.h>

enum { SPARE_BYTES = sizeof(struct jr_descriptor) + 128 * sizeof(int64_t) };

/// What is never set: waiting for it is asking for a task.
static const struct jitrun_async start_handle = {.kind = JR_ASYNC_TOKEN};

/// Stands for a handle for which there is no memory. What is stored in it is
/// never read; it has a large count, so that nobody frees it.
static _Alignas(64) unsigned char spare_storage[SPARE_BYTES];
static struct jitrun_async no_handle = {.references = SIZE_MAX / 2,
                                        .state = JITRUN_ASYNC_ERROR,
                                        .kind = JR_ASYNC_VALUE,
                                        .lock = PTHREAD_MUTEX_INITIALIZER,
                                        .storage_bytes = SPARE_BYTES,
                                        .storage = spare_storage};

void jr_async_own(struct jr_context *context, jitrun_async_t *async) {
  struct jr_async_work *work = &context->async;
  if (!work->is_used) /* only before other threads know of the execution */
    work->is_used = true;
  (void)pthread_mutex_lock(&work->lock);
  jitrun_async_t **owned = jr_grow(work->owned, &work->owned_capacity,
                                   work->owned_count, sizeof(jitrun_async_t *));
  if (owned) {
    work->owned = owned;
    work->owned[work->owned_count++] = async;
  } /* else it is never freed, which is safe */
  (void)pthread_mutex_unlock(&work->lock);
}

static jitrun_async_t *create_handle(struct jr_exec *exec,
                                     enum jr_async_kind kind,
                                     size_t size_bytes) {
  jitrun_async_t *async = jr_async_create(kind, size_bytes);
  if (!async)
    return &no_handle;
  if (kind != JR_ASYNC_GROUP)
    jitrun_async_retain(async); /* whoever sets it */
  jr_async_own(jr_context_of(exec), async);
  return async;
}

static jitrun_async_t *get_start(struct jr_exec *exec) {
  (void)exec;
  return (jitrun_async_t *)(uintptr_t)&start_handle;
}

static jitrun_async_t *create_token(struct jr_exec *exec) {
  return create_handle(exec, JR_ASYNC_TOKEN, 0);
}

static jitrun_async_t *create_value(struct jr_exec *exec, int64_t size_bytes) {
  return create_handle(exec, JR_ASYNC_VALUE, (size_t)size_bytes);
}

static jitrun_async_t *create_group(struct jr_exec *exec, int64_t token_count) {
  jitrun_async_t *group = create_handle(exec, JR_ASYNC_GROUP, 0);
  if (group == &no_handle)
    return group;
  group->wanted = token_count > 0 ? (size_t)token_count : 0;
  if (group->wanted == 0)
    atomic_store(&group->state, JITRUN_ASYNC_AVAILABLE);
  return group;
}

static void set_available(struct jr_exec *exec, jitrun_async_t *async) {
  (void)exec;
  if (jr_async_complete(async, JITRUN_ASYNC_AVAILABLE, NULL))
    jitrun_async_release(async);
}

static void set_error(struct jr_exec *exec, jitrun_async_t *async) {
  struct jr_async_error *held = *jr_async_held(jr_context_of(exec));
  jr_async_error_retain(held);
  if (jr_async_complete(async, JITRUN_ASYNC_ERROR, held))
    jitrun_async_release(async);
}

static void hold(struct jr_context *context, struct jr_async_error *error) {
  struct jr_async_error **place = jr_async_held(context);
  jr_async_error_release(*place);
  *place = error;
}

static void keep_error(struct jr_exec *exec, jitrun_error_t *error) {
  if (error)
    hold(jr_context_of(exec), jr_async_error_create(error));
}

static bool is_error(struct jr_exec *exec, jitrun_async_t *async) {
  if (async == &start_handle)
    return false;
  jitrun_async_state_t state = jitrun_async_state(async);
  if (state == JITRUN_ASYNC_AVAILABLE)
    return false;
  if (state == JITRUN_ASYNC_PENDING) {
    keep_error(exec, jr_error_cancelled());
    return true;
  }
  struct jr_async_error *error = jr_async_get_error(async);
  if (error)
    hold(jr_context_of(exec), error);
  else
    keep_error(exec, jr_error_no_memory());
  return true;
}

static void await_handle(struct jr_exec *exec, jitrun_async_t *async) {
  struct jr_context *context = jr_context_of(exec);
  if (jitrun_async_state(async) != JITRUN_ASYNC_PENDING)
    return;
  struct jr_span *span = jr_profile_try(context, JR_SPAN_WAIT, "async.await");
  jr_async_flush(context);
  jr_async_block(async, !context->options.runner, -1, exec->cancel);
  jr_profile_close(span);
}

static void await_then(struct jr_exec *exec, jitrun_async_t *async,
                       void *coroutine, void (*resume)(void *coroutine)) {
  jr_async_resume_on(jr_context_of(exec), async == &start_handle ? NULL : async,
                     coroutine, resume);
}

static void *get_storage(struct jr_exec *exec, jitrun_async_t *async) {
  (void)exec;
  return async->storage;
}

static int64_t add_to_group(struct jr_exec *exec, jitrun_async_t *token,
                            jitrun_async_t *group) {
  (void)exec;
  int64_t rank = 0;
  if (group != &no_handle && !jr_async_add(group, token, &rank))
    (void)jr_async_complete(group, JITRUN_ASYNC_ERROR, NULL);
  return rank;
}

static void execute(struct jr_exec *exec, void *coroutine,
                    void (*resume)(void *coroutine)) {
  jr_async_resume_on(jr_context_of(exec), NULL, coroutine, resume);
}

static void change_count(struct jr_exec *exec, jitrun_async_t *async,
                         int64_t count) {
  (void)exec;
  (void)async;
  (void)count;
}

static int64_t get_thread_count(struct jr_exec *exec) {
  (void)exec;
  return (int64_t)jr_pool_thread_count(jr_pool_default());
}

static void check_assertion(struct jr_exec *exec, int64_t ok, uint64_t index) {
  if (!ok)
    keep_error(exec, exec->functions->fail(exec, index));
}

const struct jr_async_functions jr_async_functions = {
    .size = sizeof(struct jr_async_functions),
    .start = get_start,
    .create_token = create_token,
    .create_value = create_value,
    .create_group = create_group,
    .set_available = set_available,
    .set_error = set_error,
    .is_error = is_error,
    .await = await_handle,
    .await_then = await_then,
    .storage = get_storage,
    .add_to_group = add_to_group,
    .execute = execute,
    .change_count = change_count,
    .thread_count = get_thread_count,
    .keep = keep_error,
    .check = check_assertion,
};

void jr_async_work_result(jitrun_async_t *async, const jitrun_type_t *type) {
  (void)jr_async_set_type(async, type);
  atomic_store(&async->is_result, true);
  jitrun_async_retain(async);
}

/// Has a value keep the memory of the execution that it is in; `kept` lists
/// what others of the same execution have. Where there is no memory for that,
/// it stays the execution's.
static void keep_memory(struct jr_context *context, jitrun_async_t *async,
                        struct jr_async_memory **kept) {
  const struct jr_descriptor *from =
      (const struct jr_descriptor *)(const void *)async->storage;
  uintptr_t address =
      (uintptr_t)from->aligned +
      (uint64_t)from->offset * jr_dtype_size(async->type->dtype);
  struct jr_async_memory *memory = *kept;
  while (memory && address - (uintptr_t)memory->data >= memory->size_bytes)
    memory = memory->next;
  if (!memory) {
    memory = jr_context_take_memory(context, (const void *)address);
    if (!memory)
      return; /* it is none of the execution's */
    memory->next = *kept;
    *kept = memory;
  }
  (void)atomic_fetch_add(&memory->references, 1);
  async->memory = memory;
}

static void keep_memories(struct jr_context *context) {
  struct jr_async_work *work = &context->async;
  struct jr_async_memory *kept = NULL;
  for (size_t i = 0; i < work->owned_count; i++) {
    jitrun_async_t *async = work->owned[i];
    if (atomic_load(&async->is_result) && !async->memory && async->type &&
        async->type->kind == JITRUN_KIND_ASYNC_BUFFER &&
        jitrun_async_state(async) == JITRUN_ASYNC_AVAILABLE)
      keep_memory(context, async, &kept);
  }
  while (kept) {
    struct jr_async_memory *next = kept->next;
    jr_async_memory_release(kept);
    kept = next;
  }
}

/// The first of the errors that no result and nobody else has.
static jitrun_error_t *find_unseen(struct jr_async_work *work) {
  for (size_t i = 0; i < work->owned_count; i++) {
    jitrun_async_t *async = work->owned[i];
    if (async->error && atomic_load(&async->is_result))
      atomic_store(&async->error->is_seen, true);
  }
  for (size_t i = 0; i < work->owned_count; i++) {
    const struct jr_async_error *error = work->owned[i]->error;
    if (error && !atomic_load(&error->is_seen))
      return jr_error_note(jr_error_copy(error->error),
                           "in async work that nothing waited for");
  }
  return NULL;
}

jitrun_error_t *jr_async_work_end(struct jr_context *context) {
  struct jr_async_work *work = &context->async;
  if (!work->is_used)
    return NULL;
  jitrun_error_t *unseen = find_unseen(work);
  keep_memories(context);
  for (size_t i = 0; i < work->owned_count; i++)
    jitrun_async_release(work->owned[i]);
  work->owned_count = 0;
  work->is_used = false;
  return unseen;
}
