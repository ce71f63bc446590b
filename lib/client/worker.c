/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See worker.h. Owner and thread have a reference each, since the owner may be
/// given up by a task, on the thread itself.
#include "client/worker.h"

#include "base/alloc.h"
#include "base/threads.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct jr_worker {
  size_t reference_count; ///< atomic
  pthread_mutex_t lock;   ///< of all that follows
  pthread_cond_t changed;
  struct jr_task *first, **last;
  bool has_thread, is_ending;
  pthread_t thread;
};

jitrun_error_t *jr_worker_create(struct jr_worker **out_worker) {
  struct jr_worker *worker = jr_calloc(1, sizeof *worker);
  *out_worker = worker;
  if (!worker)
    return jr_error_no_memory();
  worker->reference_count = 1;
  worker->last = &worker->first;
  (void)pthread_mutex_init(&worker->lock, NULL);
  (void)pthread_cond_init(&worker->changed, NULL);
  return NULL;
}

static void release_worker(struct jr_worker *worker) {
  if (__atomic_sub_fetch(&worker->reference_count, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  (void)pthread_cond_destroy(&worker->changed);
  (void)pthread_mutex_destroy(&worker->lock);
  free(worker);
}

/// The next task, waited for; NULL when there will be none.
static struct jr_task *take_task(struct jr_worker *worker) {
  (void)pthread_mutex_lock(&worker->lock);
  while (!worker->first && !worker->is_ending)
    (void)pthread_cond_wait(&worker->changed, &worker->lock);
  struct jr_task *task = worker->first;
  if (task) {
    worker->first = task->next;
    if (!worker->first)
      worker->last = &worker->first;
  }
  (void)pthread_mutex_unlock(&worker->lock);
  return task;
}

static void *run_thread(void *context) {
  struct jr_worker *worker = context;
  void *stack = malloc(JR_SIGNAL_STACK_BYTES);
  struct jr_task *task;
  if (stack)
    jr_thread_signal_stack(stack);
  while ((task = take_task(worker)))
    task->run(task);
  jr_thread_signal_stack(NULL);
  free(stack);
  release_worker(worker);
  return NULL;
}

jitrun_error_t *jr_worker_start(struct jr_worker *worker) {
  int cause = 0;
  (void)pthread_mutex_lock(&worker->lock);
  if (!worker->has_thread) {
    (void)__atomic_fetch_add(&worker->reference_count, 1, __ATOMIC_RELAXED);
    cause = pthread_create(&worker->thread, NULL, run_thread, worker);
    worker->has_thread = cause == 0;
    if (cause != 0)
      (void)__atomic_fetch_sub(&worker->reference_count, 1, __ATOMIC_RELAXED);
  }
  (void)pthread_mutex_unlock(&worker->lock);
  char text[128];
  return cause == 0 ? NULL
                    : jr_error(JITRUN_RESOURCE_EXHAUSTED,
                               "cannot start the thread of a device: %s",
                               strerror_r(cause, text, sizeof text));
}

bool jr_worker_is_own(struct jr_worker *worker) {
  (void)pthread_mutex_lock(&worker->lock);
  bool is_own =
      worker->has_thread && pthread_equal(worker->thread, pthread_self());
  (void)pthread_mutex_unlock(&worker->lock);
  return is_own;
}

void jr_worker_put(struct jr_worker *worker, struct jr_task *task) {
  (void)pthread_mutex_lock(&worker->lock);
  task->next = NULL;
  *worker->last = task;
  worker->last = &task->next;
  (void)pthread_cond_signal(&worker->changed);
  (void)pthread_mutex_unlock(&worker->lock);
}

void jr_worker_destroy(struct jr_worker *worker) {
  if (!worker)
    return;
  (void)pthread_mutex_lock(&worker->lock);
  worker->is_ending = true;
  bool has_thread = worker->has_thread;
  pthread_t thread = worker->thread;
  (void)pthread_cond_signal(&worker->changed);
  (void)pthread_mutex_unlock(&worker->lock);
  if (has_thread && pthread_equal(thread, pthread_self()))
    (void)pthread_detach(thread);
  else if (has_thread)
    (void)pthread_join(thread, NULL);
  release_worker(worker);
}
