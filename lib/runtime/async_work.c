/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Coroutines between their suspension and what makes them go on. Each is
/// counted as active until it has run to its next suspension or its end, which
/// is counted before; the execution is done when the count is 0. The lock is
/// held for lists only; a handle's lock may be taken inside it, never the other
/// way round.
#include "runtime/async_work.h"

#include "base/alloc.h"
#include "base/threads.h"
#include "customcalls/world.h"
#include "runtime/context.h"
#include "runtime/current.h"
#include "runtime/execute.h"
#include "runtime/profile.h"

#include <stdlib.h>

enum { POLL_NS = 50000000 };

struct jr_resumption {
  struct jr_resumption *next, **link; ///< in `waiting`; next: in `ready` too
  struct jr_waiter waiter;
  struct jr_context *context;
  jitrun_async_t *async; ///< what it waits for; NULL: a task
  void *coroutine;
  void (*resume)(void *coroutine);
  struct jr_span *span; ///< from now to its end, or while it waits; or NULL
};

void jr_async_work_init(struct jr_async_work *work) {
  (void)pthread_mutex_init(&work->lock, NULL);
  atomic_init(&work->active, 0);
}

void jr_async_work_deinit(struct jr_async_work *work) {
  free(work->owned);
  (void)pthread_mutex_destroy(&work->lock);
}

/// The innermost frame of this thread, or NULL. Lock held.
static struct jr_async_frame *find_frame(const struct jr_async_work *work) {
  struct jr_async_frame *frame = work->frames;
  while (frame && !pthread_equal(frame->thread, pthread_self()))
    frame = frame->next;
  return frame;
}

struct jr_async_error **jr_async_held(struct jr_context *context) {
  struct jr_async_work *work = &context->async;
  if (!work->is_used)
    return &context->held;
  (void)pthread_mutex_lock(&work->lock);
  struct jr_async_frame *frame = find_frame(work);
  (void)pthread_mutex_unlock(&work->lock);
  return frame ? &frame->held : &context->held;
}

static void push_frame(struct jr_async_work *work,
                       struct jr_async_frame *frame) {
  *frame = (struct jr_async_frame){.thread = pthread_self()};
  frame->ready_end = &frame->ready;
  (void)pthread_mutex_lock(&work->lock);
  frame->next = work->frames;
  work->frames = frame;
  (void)pthread_mutex_unlock(&work->lock);
}

static void pop_frame(struct jr_async_work *work,
                      struct jr_async_frame *frame) {
  (void)pthread_mutex_lock(&work->lock);
  struct jr_async_frame **link = &work->frames;
  while (*link != frame)
    link = &(*link)->next;
  *link = frame->next;
  (void)pthread_mutex_unlock(&work->lock);
  jr_async_error_release(frame->held);
}

/// What is done once all work is: the context may be another's right after.
static jitrun_error_t *end_execution(struct jr_context *context,
                                     /*own*/ jitrun_error_t *error) {
  jitrun_error_t *unseen = jr_async_work_end(context);
  if (error)
    jitrun_error_free(unseen);
  else
    error = unseen;
  error = jr_diagnostics_join(&context->diagnostics, error);
  const jitrun_run_options_t *options = &context->options;
  if (context->depth == 0) {
    jr_world_leave(options->world, options->replica_id, options->partition_id,
                   error);
    jr_globals_leave(&context->program->globals);
  }
  jr_context_give_back(context);
  return error;
}

/// Counts `count` pieces of work as done. Where the entry's thread waits for
/// them, its own is the last, and the context may go right after.
static void end_active(struct jr_context *context, size_t count) {
  struct jr_async_work *work = &context->async;
  size_t left = atomic_fetch_sub(&work->active, count) - count;
  if (left == 1)
    jr_pool_notify(jr_pool_default());
  if (left != 0)
    return;
  jitrun_execution_t *owner = work->owner;
  work->owner = NULL;
  jr_execution_detach(owner);
  jr_execution_finish(owner, end_execution(context, NULL));
}

void jr_async_work_begin(struct jr_context *context) {
  atomic_store(&context->async.active, 1);
}

void jr_async_work_detach(struct jr_context *context,
                          jitrun_execution_t *owner) {
  context->async.owner = owner;
  if (context->options.profile)
    jr_profile_detach(context);
  end_active(context, 1);
}

bool jr_async_work_enter(struct jr_context *context) {
  size_t active = atomic_load(&context->async.active);
  while (active > 0 && !atomic_compare_exchange_weak(&context->async.active,
                                                     &active, active + 1))
    ;
  return active > 0;
}

void jr_async_work_leave(struct jr_context *context) {
  end_active(context, 1);
}

/// Runs a coroutine to its next suspension, or its end.
static void resume_coroutine(const struct jr_resumption *resumption) {
  bool has_waited = resumption->async;
  if (has_waited)
    jr_profile_close(resumption->span);
  struct jr_span *span =
      jr_profile_try(resumption->context, JR_SPAN_TASK,
                     has_waited ? "async.execute, resumed" : "async.execute");
  resumption->resume(resumption->coroutine);
  jr_profile_close(span);
  if (!has_waited)
    jr_profile_close(resumption->span);
}

/// Runs a coroutine, and what it makes ready, until there is no more.
static void run_resumption(void *argument) {
  struct jr_resumption *resumption = argument;
  struct jr_context *context = resumption->context;
  struct jr_async_work *work = &context->async;
  struct jr_async_frame frame;
  size_t count = 0;
  struct jr_context *before = jr_current_set(context);
  push_frame(work, &frame);
  while (resumption) {
    resume_coroutine(resumption);
    free(resumption);
    count++;
    jr_async_error_release(frame.held);
    frame.held = NULL;
    resumption = frame.ready;
    if (resumption)
      frame.ready = resumption->next;
    if (!frame.ready)
      frame.ready_end = &frame.ready;
  }
  pop_frame(work, &frame);
  (void)jr_current_set(before);
  end_active(context, count);
}

static void submit(struct jr_resumption *resumption) {
  const jitrun_run_options_t *options = &resumption->context->options;
  if (options->runner) {
    options->runner(options->runner_context, run_resumption, resumption);
    return;
  }
  jitrun_error_t *error =
      jr_pool_submit(jr_pool_default(), run_resumption, resumption);
  if (error) {
    jitrun_error_free(error);
    run_resumption(resumption);
  }
}

/// Has a coroutine that needs to wait no more run: behind the one that this
/// thread runs, or by the runner.
static void schedule(struct jr_resumption *resumption) {
  struct jr_async_work *work = &resumption->context->async;
  (void)pthread_mutex_lock(&work->lock);
  struct jr_async_frame *frame = find_frame(work);
  (void)pthread_mutex_unlock(&work->lock);
  if (!frame) {
    submit(resumption);
    return;
  }
  resumption->next = NULL;
  *frame->ready_end = resumption;
  frame->ready_end = &resumption->next;
}

void jr_async_flush(struct jr_context *context) {
  struct jr_async_work *work = &context->async;
  (void)pthread_mutex_lock(&work->lock);
  struct jr_async_frame *frame = find_frame(work);
  (void)pthread_mutex_unlock(&work->lock);
  if (!frame)
    return;
  struct jr_resumption *ready = frame->ready;
  frame->ready = NULL;
  frame->ready_end = &frame->ready;
  while (ready) {
    struct jr_resumption *next = ready->next;
    submit(ready);
    ready = next;
  }
}

static void link_waiting(struct jr_async_work *work,
                         struct jr_resumption *resumption) {
  resumption->next = work->waiting;
  resumption->link = &work->waiting;
  if (work->waiting)
    work->waiting->link = &resumption->next;
  work->waiting = resumption;
}

static void unlink_waiting(struct jr_resumption *resumption) {
  *resumption->link = resumption->next;
  if (resumption->next)
    resumption->next->link = resumption->link;
}

/// The handle is set.
static void go_on(void *context) {
  struct jr_resumption *resumption = context;
  struct jr_async_work *work = &resumption->context->async;
  (void)pthread_mutex_lock(&work->lock);
  unlink_waiting(resumption);
  (void)pthread_mutex_unlock(&work->lock);
  schedule(resumption);
}

/// Puts a coroutine on the list of those that wait, unless the handle is set or
/// the execution cancelled. A thread that cancels finds it under the lock.
static bool wait_for(struct jr_context *context,
                     struct jr_resumption *resumption) {
  struct jr_async_work *work = &context->async;
  (void)pthread_mutex_lock(&work->lock);
  link_waiting(work, resumption);
  bool waits = !jr_exec_is_cancelled(&context->exec) &&
               jr_async_await(resumption->async, &resumption->waiter);
  if (!waits)
    unlink_waiting(resumption);
  (void)pthread_mutex_unlock(&work->lock);
  return waits;
}

void jr_async_resume_on(struct jr_context *context, jitrun_async_t *async,
                        void *coroutine, void (*resume)(void *coroutine)) {
  struct jr_async_work *work = &context->async;
  struct jr_resumption *resumption = jr_malloc(sizeof *resumption);
  if (!work->is_used)
    work->is_used = true;
  if (!resumption) { /* what is left is to wait here */
    if (async)
      jr_async_block(async, false, -1, context->exec.cancel);
    resume(coroutine);
    return;
  }
  *resumption = (struct jr_resumption){
      .waiter = {.run = go_on},
      .context = context,
      .async = async,
      .coroutine = coroutine,
      .resume = resume,
      .span = jr_profile_try(context, JR_SPAN_ASYNC,
                             async ? "async.await" : "async.execute")};
  resumption->waiter.context = resumption;
  (void)atomic_fetch_add(&work->active, 1);
  if (!async)
    submit(resumption);
  else if (!wait_for(context, resumption))
    schedule(resumption);
}

/// Has everything that waits go on: it finds its handle pending, which is an
/// error in a cancelled execution.
void jr_async_work_cancel(struct jr_context *context) {
  struct jr_async_work *work = &context->async;
  struct jr_resumption *cancelled = NULL;
  (void)pthread_mutex_lock(&work->lock);
  struct jr_resumption *resumption = work->waiting;
  while (resumption) {
    struct jr_resumption *next = resumption->next;
    if (jr_async_forget(resumption->async, &resumption->waiter)) {
      unlink_waiting(resumption);
      resumption->next = cancelled;
      cancelled = resumption;
    }
    resumption = next;
  }
  (void)pthread_mutex_unlock(&work->lock);
  while (cancelled) {
    struct jr_resumption *next = cancelled->next;
    run_resumption(cancelled);
    cancelled = next;
  }
}

/// Only the entry's own is left.
static bool is_idle(void *context) {
  struct jr_async_work *work = context;
  return atomic_load(&work->active) == 1;
}

jitrun_error_t *jr_async_work_finish(struct jr_context *context,
                                     jitrun_error_t *error) {
  struct jr_async_work *work = &context->async;
  struct jr_span *span =
      is_idle(work)
          ? NULL
          : jr_profile_try(context, JR_SPAN_WAIT, "waiting for async work");
  while (!is_idle(work)) {
    if (jr_exec_is_cancelled(&context->exec))
      jr_async_work_cancel(context);
    jr_pool_wait(jr_pool_default(), !context->options.runner, POLL_NS, is_idle,
                 work);
  }
  atomic_store(&work->active, 0);
  jr_profile_close(span);
  return end_execution(context, error);
}
