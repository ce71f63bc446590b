/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Handles: reference counts, states, and who waits. A handle's lock is held
/// for its own fields only, never while a waiter runs.
#include "runtime/async.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/threads.h"

#include <stdlib.h>
#include <string.h>

enum { STORAGE_ALIGNMENT = 64, POLL_NS = 50000000 };

struct jr_async_error *jr_async_error_create(jitrun_error_t *error) {
  if (!error)
    return NULL;
  struct jr_async_error *shared = jr_malloc(sizeof *shared);
  if (!shared) {
    jitrun_error_free(error);
    return NULL;
  }
  atomic_init(&shared->references, 1);
  atomic_init(&shared->is_seen, false);
  shared->error = error;
  return shared;
}

void jr_async_error_retain(struct jr_async_error *shared) {
  if (shared)
    (void)atomic_fetch_add(&shared->references, 1);
}

void jr_async_error_release(struct jr_async_error *shared) {
  if (!shared || atomic_fetch_sub(&shared->references, 1) != 1)
    return;
  jitrun_error_free(shared->error);
  free(shared);
}

void jr_async_memory_release(struct jr_async_memory *memory) {
  if (!memory || atomic_fetch_sub(&memory->references, 1) != 1)
    return;
  if (memory->is_mapped)
    jr_unmap(memory->data, memory->size_bytes);
  else
    free(memory->start);
  free(memory);
}

jitrun_async_t *jr_async_create(enum jr_async_kind kind, size_t storage_bytes) {
  size_t head = (sizeof(jitrun_async_t) + STORAGE_ALIGNMENT - 1) &
                ~(size_t)(STORAGE_ALIGNMENT - 1);
  if (storage_bytes > SIZE_MAX / 4)
    return NULL;
  jitrun_async_t *async =
      jr_malloc_aligned(STORAGE_ALIGNMENT, head + storage_bytes);
  if (!async)
    return NULL;
  memset(async, 0, head + storage_bytes);
  atomic_init(&async->references, 1);
  async->kind = (uint8_t)kind;
  async->storage_bytes = storage_bytes;
  async->storage = (unsigned char *)async + head;
  (void)pthread_mutex_init(&async->lock, NULL);
  return async;
}

void jitrun_async_retain(jitrun_async_t *async) {
  if (async)
    (void)atomic_fetch_add(&async->references, 1);
}

void jitrun_async_release(jitrun_async_t *async) {
  if (!async || atomic_fetch_sub(&async->references, 1) != 1)
    return;
  jr_async_error_release(async->error);
  jr_async_memory_release(async->memory);
  (void)pthread_mutex_destroy(&async->lock);
  free(async->type);
  free(async);
}

/// What waits for it, first come first. Lock held.
static struct jr_waiter *take_waiters(jitrun_async_t *async) {
  struct jr_waiter *list = NULL;
  while (async->waiters) {
    struct jr_waiter *waiter = async->waiters;
    async->waiters = waiter->next;
    waiter->next = list;
    list = waiter;
  }
  return list;
}

static void run_waiters(struct jr_waiter *waiter) {
  while (waiter) {
    struct jr_waiter *next = waiter->next;
    waiter->run(waiter->context);
    waiter = next;
  }
}

bool jr_async_complete(jitrun_async_t *async, jitrun_async_state_t state,
                       struct jr_async_error *error) {
  (void)pthread_mutex_lock(&async->lock);
  bool is_first = atomic_load(&async->state) == JITRUN_ASYNC_PENDING;
  struct jr_waiter *waiters = NULL;
  if (is_first) {
    async->error = error;
    atomic_store(&async->state, (int)state);
    waiters = take_waiters(async);
  }
  (void)pthread_mutex_unlock(&async->lock);
  if (!is_first)
    jr_async_error_release(error);
  run_waiters(waiters);
  return is_first;
}

bool jr_async_await(jitrun_async_t *async, struct jr_waiter *waiter) {
  (void)pthread_mutex_lock(&async->lock);
  bool waits = atomic_load(&async->state) == JITRUN_ASYNC_PENDING;
  if (waits) {
    waiter->next = async->waiters;
    async->waiters = waiter;
  }
  (void)pthread_mutex_unlock(&async->lock);
  return waits;
}

bool jr_async_forget(jitrun_async_t *async, struct jr_waiter *waiter) {
  (void)pthread_mutex_lock(&async->lock);
  struct jr_waiter **link = &async->waiters;
  while (*link && *link != waiter)
    link = &(*link)->next;
  bool found = *link != NULL;
  if (found)
    *link = waiter->next;
  (void)pthread_mutex_unlock(&async->lock);
  return found;
}

/// A group is complete when all tokens that were added are set, and there are
/// as many as it was made for.
struct member {
  struct jr_waiter waiter;
  jitrun_async_t *group, *token; ///< retained
};

/// Counts a token that is set; the first error becomes the group's.
static void count_member(void *context) {
  struct member *member = context;
  jitrun_async_t *group = member->group;
  struct jr_async_error *error = jr_async_get_error(member->token);
  struct jr_waiter *waiters = NULL;
  bool failed = atomic_load(&member->token->state) == JITRUN_ASYNC_ERROR;
  (void)pthread_mutex_lock(&group->lock);
  group->done++;
  if (failed && !group->error) {
    group->error = error;
    error = NULL;
  }
  if (group->done == group->added && group->added >= group->wanted) {
    atomic_store(&group->state, group->error || failed
                                    ? JITRUN_ASYNC_ERROR
                                    : JITRUN_ASYNC_AVAILABLE);
    waiters = take_waiters(group);
  }
  (void)pthread_mutex_unlock(&group->lock);
  run_waiters(waiters);
  jr_async_error_release(error);
  jitrun_async_release(member->token);
  jitrun_async_release(group);
  free(member);
}

bool jr_async_add(jitrun_async_t *group, jitrun_async_t *token,
                  int64_t *out_rank) {
  struct member *member = jr_malloc(sizeof *member);
  if (!member)
    return false;
  jitrun_async_retain(group);
  jitrun_async_retain(token);
  *member = (struct member){
      .waiter = {.run = count_member}, .group = group, .token = token};
  member->waiter.context = member;
  (void)pthread_mutex_lock(&group->lock);
  *out_rank = (int64_t)group->added++;
  atomic_store(&group->state, JITRUN_ASYNC_PENDING);
  (void)pthread_mutex_unlock(&group->lock);
  if (!jr_async_await(token, &member->waiter))
    count_member(member);
  return true;
}

struct jr_async_error *jr_async_get_error(const jitrun_async_t *async) {
  jitrun_async_t *handle = (jitrun_async_t *)(uintptr_t)async;
  (void)pthread_mutex_lock(&handle->lock);
  struct jr_async_error *error = handle->error;
  jr_async_error_retain(error);
  (void)pthread_mutex_unlock(&handle->lock);
  return error;
}

/// A thread that waits. Its last use by whoever wakes it is the store.
struct blocked {
  struct jr_waiter waiter;
  atomic_bool is_done;
};

static void wake(void *context) {
  struct blocked *blocked = context;
  atomic_store(&blocked->is_done, true);
  jr_pool_notify(jr_pool_default());
}

static bool is_awake(void *context) {
  struct blocked *blocked = context;
  return atomic_load(&blocked->is_done);
}

static bool is_set(const volatile int32_t *cancel) {
  return cancel && __atomic_load_n(cancel, __ATOMIC_RELAXED) != 0;
}

/// The flag of a cancelled execution wakes nobody, so it is polled.
void jr_async_block(jitrun_async_t *async, bool helps, int64_t timeout_ns,
                    const volatile int32_t *cancel) {
  struct blocked blocked = {.waiter = {.run = wake}};
  blocked.waiter.context = &blocked;
  uint64_t start = jr_clock_ns();
  if (!jr_async_await(async, &blocked.waiter))
    return;
  for (;;) {
    int64_t left = -1;
    if (timeout_ns >= 0)
      left = timeout_ns - (int64_t)(jr_clock_ns() - start);
    if ((timeout_ns >= 0 && left <= 0) || is_set(cancel))
      break;
    if (cancel && (left < 0 || left > POLL_NS))
      left = POLL_NS;
    jr_pool_wait(jr_pool_default(), helps, left, is_awake, &blocked);
    if (is_awake(&blocked))
      return;
  }
  if (!jr_async_forget(async, &blocked.waiter))
    jr_pool_wait(jr_pool_default(), false, -1, is_awake, &blocked);
}
