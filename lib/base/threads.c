/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Thread pool. A parallel loop lives on its caller's stack and is listed in
/// the pool while it has pieces left; workers join a listed loop, take pieces
/// from its counter, and leave. The caller takes pieces like everybody else, so
/// a loop always ends even when no worker is free: nesting cannot deadlock.
///
/// Tasks may wait for each other (collective calls do), so there must never be
/// a task that nobody can run: when all threads wait, spare ones are made,
/// which end when there is no task left.
///
/// Everything but the piece counter and the numbers read while spinning is
/// under one lock. A worker's last access to a loop is the decrement of
/// `helpers`; when the caller has seen it, and the loop is off the list, the
/// loop may go.
#include "base/threads.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

enum {
  PIECES_PER_THREAD = 8, ///< of a loop, so that uneven ones even out
  MOST_SPARES = 4096,
  SPIN_ROUNDS = 2000 ///< a few tens of microseconds
};

struct loop {
  struct loop *next;
  void (*body)(void *context, size_t first, size_t last);
  void *context;
  size_t count;
  size_t piece_size;
  size_t piece_count;
  atomic_size_t next_piece;
  atomic_size_t helpers; ///< workers inside; changed under the lock
};

struct task {
  struct task *next;
  void (*run)(void *context);
  void *context;
};

struct jr_pool {
  size_t thread_count; ///< the caller included
  pthread_mutex_t lock;
  pthread_cond_t work_added;
  pthread_cond_t helper_left;
  pthread_cond_t waiter_wake; ///< by the monotonic clock
  size_t waiter_count;        ///< in jr_pool_wait(), asleep
  struct loop *loops; ///< newest first: an inner loop before its outer one
  struct task *first_task;
  struct task *last_task;
  size_t sleeper_count;
  atomic_uint work_epoch; ///< changes with each new work; changed under lock
  size_t blocked_count;   ///< workers and spares between block and unblock
  size_t spare_count;
  bool is_started;
  bool is_stopping;
  size_t worker_count;
  pthread_t workers[];
};

/// The pool of which this thread is a worker or a spare; NULL: of none.
static _Thread_local struct jr_pool *own_pool;

static void pause_briefly(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

static bool has_pieces(struct loop *loop) {
  return atomic_load_explicit(&loop->next_piece, memory_order_relaxed) <
         loop->piece_count;
}

/// Takes pieces until there are none.
static void run_pieces(struct loop *loop) {
  while (has_pieces(loop)) {
    size_t piece =
        atomic_fetch_add_explicit(&loop->next_piece, 1, memory_order_relaxed);
    if (piece >= loop->piece_count)
      return;
    size_t first = piece * loop->piece_size;
    size_t left = loop->count - first;
    size_t size = left < loop->piece_size ? left : loop->piece_size;
    loop->body(loop->context, first, first + size);
  }
}

/// A listed loop with pieces left, or NULL. Lock held.
static struct loop *find_loop(struct jr_pool *pool) {
  struct loop *loop = pool->loops;
  while (loop && !has_pieces(loop))
    loop = loop->next;
  return loop;
}

/// Joins a loop. Lock held, released meanwhile.
static void help_loop(struct jr_pool *pool, struct loop *loop) {
  (void)atomic_fetch_add(&loop->helpers, 1);
  (void)pthread_mutex_unlock(&pool->lock);
  run_pieces(loop);
  (void)pthread_mutex_lock(&pool->lock);
  if (atomic_fetch_sub(&loop->helpers, 1) == 1)
    (void)pthread_cond_broadcast(&pool->helper_left);
}

/// Runs the oldest task. Lock held, released meanwhile.
static void run_task(struct jr_pool *pool) {
  struct task *task = pool->first_task;
  pool->first_task = task->next;
  if (!task->next)
    pool->last_task = NULL;
  (void)pthread_mutex_unlock(&pool->lock);
  task->run(task->context);
  free(task);
  (void)pthread_mutex_lock(&pool->lock);
}

/// Spins, then sleeps, until there may be new work. Lock held, released
/// meanwhile.
static void wait_for_work(struct jr_pool *pool) {
  unsigned epoch = atomic_load(&pool->work_epoch);
  (void)pthread_mutex_unlock(&pool->lock);
  for (int i = 0; i < SPIN_ROUNDS; i++) {
    if (atomic_load_explicit(&pool->work_epoch, memory_order_relaxed) != epoch)
      break;
    pause_briefly();
  }
  (void)pthread_mutex_lock(&pool->lock);
  while (atomic_load(&pool->work_epoch) == epoch) {
    pool->sleeper_count++;
    (void)pthread_cond_wait(&pool->work_added, &pool->lock);
    pool->sleeper_count--;
  }
}

void jr_thread_signal_stack(void *memory) {
  stack_t old;
  stack_t stack = {.ss_sp = memory,
                   .ss_size = JR_SIGNAL_STACK_BYTES,
                   .ss_flags = memory ? 0 : SS_DISABLE};
  bool has_own = sigaltstack(NULL, &old) == 0 && !(old.ss_flags & SS_DISABLE) &&
                 (memory || old.ss_size != JR_SIGNAL_STACK_BYTES);
  if (!has_own)
    (void)sigaltstack(&stack, NULL);
}

static void *run_worker(void *argument) {
  struct jr_pool *pool = argument;
  char signal_stack[JR_SIGNAL_STACK_BYTES];
  jr_thread_signal_stack(signal_stack);
  own_pool = pool;
  (void)pthread_mutex_lock(&pool->lock);
  for (;;) {
    struct loop *loop = find_loop(pool);
    if (loop)
      help_loop(pool, loop);
    else if (pool->first_task)
      run_task(pool);
    else if (pool->is_stopping)
      break;
    else
      wait_for_work(pool);
  }
  (void)pthread_mutex_unlock(&pool->lock);
  jr_thread_signal_stack(NULL);
  return NULL;
}

/// Tells workers of new work, enough for `wanted` of them. Lock held.
static void announce_work(struct jr_pool *pool, size_t wanted) {
  (void)atomic_fetch_add(&pool->work_epoch, 1);
  if (pool->waiter_count > 0)
    (void)pthread_cond_broadcast(&pool->waiter_wake);
  if (pool->sleeper_count == 0)
    return;
  if (wanted == 1)
    (void)pthread_cond_signal(&pool->work_added);
  else
    (void)pthread_cond_broadcast(&pool->work_added);
}

/// Starts a thread. Signals stay with the program's own threads, except those
/// that a fault of the thread itself raises.
static bool start_thread(void *(*run)(void *argument), struct jr_pool *pool,
                         pthread_t *out_thread) {
  static const int faults[] = {SIGSEGV, SIGBUS,  SIGFPE,
                               SIGILL,  SIGTRAP, SIGABRT};
  sigset_t blocked;
  sigset_t saved;
  (void)sigfillset(&blocked);
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
    (void)sigdelset(&blocked, faults[i]);
  (void)pthread_sigmask(SIG_SETMASK, &blocked, &saved);
  bool is_started = pthread_create(out_thread, NULL, run, pool) == 0;
  (void)pthread_sigmask(SIG_SETMASK, &saved, NULL);
  return is_started;
}

/// Starts the workers if they are not yet; those that cannot be had are done
/// without. Lock held.
static void start_workers(struct jr_pool *pool) {
  if (pool->is_started)
    return;
  pool->is_started = true;
  while (pool->worker_count + 1 < pool->thread_count) {
    if (!start_thread(run_worker, pool, &pool->workers[pool->worker_count]))
      break;
    pool->worker_count++;
  }
}

/// Runs tasks until there are none.
static void *run_spare(void *argument) {
  struct jr_pool *pool = argument;
  char signal_stack[JR_SIGNAL_STACK_BYTES];
  jr_thread_signal_stack(signal_stack);
  own_pool = pool;
  (void)pthread_mutex_lock(&pool->lock);
  while (pool->first_task)
    run_task(pool);
  jr_thread_signal_stack(NULL);
  if (--pool->spare_count == 0)
    (void)pthread_cond_broadcast(&pool->helper_left);
  (void)pthread_mutex_unlock(&pool->lock);
  return NULL;
}

/// Makes a spare thread where there is a task and all others wait. Without one
/// the task waits as well. Lock held.
static void add_spare(struct jr_pool *pool) {
  pthread_t thread;
  if (!pool->first_task || pool->spare_count == MOST_SPARES ||
      pool->blocked_count < pool->worker_count + pool->spare_count ||
      !start_thread(run_spare, pool, &thread))
    return;
  (void)pthread_detach(thread);
  pool->spare_count++;
}

void jr_pool_block(void) {
  if (!own_pool)
    return;
  (void)pthread_mutex_lock(&own_pool->lock);
  own_pool->blocked_count++;
  add_spare(own_pool);
  (void)pthread_mutex_unlock(&own_pool->lock);
}

void jr_pool_unblock(void) {
  if (!own_pool)
    return;
  (void)pthread_mutex_lock(&own_pool->lock);
  own_pool->blocked_count--;
  (void)pthread_mutex_unlock(&own_pool->lock);
}

static void list_loop(struct jr_pool *pool, struct loop *loop) {
  (void)pthread_mutex_lock(&pool->lock);
  start_workers(pool);
  loop->next = pool->loops;
  pool->loops = loop;
  announce_work(pool, loop->piece_count - 1);
  (void)pthread_mutex_unlock(&pool->lock);
}

/// Takes a finished loop off the list and waits for the workers still in it.
static void finish_loop(struct jr_pool *pool, struct loop *loop) {
  (void)pthread_mutex_lock(&pool->lock);
  struct loop **link = &pool->loops;
  while (*link != loop)
    link = &(*link)->next;
  *link = loop->next;
  (void)pthread_mutex_unlock(&pool->lock);
  for (int i = 0; i < SPIN_ROUNDS; i++) {
    if (atomic_load(&loop->helpers) == 0)
      return;
    pause_briefly();
  }
  (void)pthread_mutex_lock(&pool->lock);
  while (atomic_load(&loop->helpers) != 0)
    (void)pthread_cond_wait(&pool->helper_left, &pool->lock);
  (void)pthread_mutex_unlock(&pool->lock);
}

void jr_pool_for(struct jr_pool *pool, size_t count, size_t grain,
                 void (*body)(void *context, size_t first, size_t last),
                 void *context) {
  if (count == 0)
    return;
  size_t piece_size = count / (pool->thread_count * PIECES_PER_THREAD);
  if (piece_size < grain)
    piece_size = grain;
  if (piece_size == 0)
    piece_size = 1;
  if (pool->thread_count == 1 || piece_size >= count) {
    body(context, 0, count);
    return;
  }
  struct loop loop = {
      .body = body,
      .context = context,
      .count = count,
      .piece_size = piece_size,
      .piece_count = count / piece_size + (count % piece_size != 0),
  };
  list_loop(pool, &loop);
  run_pieces(&loop);
  finish_loop(pool, &loop);
}

jitrun_error_t *jr_pool_submit(struct jr_pool *pool, void (*task)(void *),
                               void *context) {
  (void)pthread_mutex_lock(&pool->lock);
  start_workers(pool);
  bool has_workers = pool->worker_count > 0;
  (void)pthread_mutex_unlock(&pool->lock);
  if (!has_workers) {
    task(context);
    return NULL;
  }
  struct task *entry = jr_malloc(sizeof *entry);
  if (!entry)
    return jr_error_no_memory();
  *entry = (struct task){.run = task, .context = context};
  (void)pthread_mutex_lock(&pool->lock);
  if (pool->last_task)
    pool->last_task->next = entry;
  else
    pool->first_task = entry;
  pool->last_task = entry;
  announce_work(pool, 1);
  add_spare(pool);
  (void)pthread_mutex_unlock(&pool->lock);
  return NULL;
}

/// Sleeps until something is announced; false once `deadline` has passed. Lock
/// held, released meanwhile.
static bool sleep_until(struct jr_pool *pool, uint64_t deadline) {
  if (deadline != UINT64_MAX && jr_clock_ns() >= deadline)
    return false;
  pool->waiter_count++;
  if (deadline == UINT64_MAX) {
    (void)pthread_cond_wait(&pool->waiter_wake, &pool->lock);
  } else {
    struct timespec at = {.tv_sec = (time_t)(deadline / JR_NS_PER_S),
                          .tv_nsec = (long)(deadline % JR_NS_PER_S)};
    (void)pthread_cond_timedwait(&pool->waiter_wake, &pool->lock, &at);
  }
  pool->waiter_count--;
  return true;
}

void jr_pool_wait(struct jr_pool *pool, bool helps, int64_t timeout_ns,
                  bool (*is_done)(void *context), void *context) {
  uint64_t now = jr_clock_ns();
  uint64_t deadline = timeout_ns < 0 ? UINT64_MAX : now + (uint64_t)timeout_ns;
  (void)pthread_mutex_lock(&pool->lock);
  while (!is_done(context)) {
    if (helps && pool->first_task)
      run_task(pool);
    else if (!sleep_until(pool, deadline))
      break;
  }
  (void)pthread_mutex_unlock(&pool->lock);
}

void jr_pool_notify(struct jr_pool *pool) {
  (void)pthread_mutex_lock(&pool->lock);
  if (pool->waiter_count > 0)
    (void)pthread_cond_broadcast(&pool->waiter_wake);
  (void)pthread_mutex_unlock(&pool->lock);
}

static void init_waiter_wake(struct jr_pool *pool) {
  pthread_condattr_t attributes;
  (void)pthread_condattr_init(&attributes);
  (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  (void)pthread_cond_init(&pool->waiter_wake, &attributes);
  (void)pthread_condattr_destroy(&attributes);
}

jitrun_error_t *jr_pool_create(size_t thread_count, struct jr_pool **out_pool) {
  *out_pool = NULL;
  if (thread_count == 0 || thread_count > UINT16_MAX)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "a thread pool needs 1 to %d threads; %zu were asked for",
                    UINT16_MAX, thread_count);
  size_t worker_bytes = (thread_count - 1) * sizeof(pthread_t);
  struct jr_pool *pool = jr_calloc(1, sizeof *pool + worker_bytes);
  if (!pool)
    return jr_error_no_memory();
  pool->thread_count = thread_count;
  (void)pthread_mutex_init(&pool->lock, NULL);
  (void)pthread_cond_init(&pool->work_added, NULL);
  (void)pthread_cond_init(&pool->helper_left, NULL);
  init_waiter_wake(pool);
  *out_pool = pool;
  return NULL;
}

void jr_pool_destroy(struct jr_pool *pool) {
  if (!pool)
    return;
  (void)pthread_mutex_lock(&pool->lock);
  pool->is_stopping = true;
  announce_work(pool, pool->worker_count);
  (void)pthread_mutex_unlock(&pool->lock);
  for (size_t i = 0; i < pool->worker_count; i++)
    (void)pthread_join(pool->workers[i], NULL);
  (void)pthread_mutex_lock(&pool->lock);
  while (pool->spare_count > 0)
    (void)pthread_cond_wait(&pool->helper_left, &pool->lock);
  (void)pthread_mutex_unlock(&pool->lock);
  (void)pthread_cond_destroy(&pool->waiter_wake);
  (void)pthread_cond_destroy(&pool->helper_left);
  (void)pthread_cond_destroy(&pool->work_added);
  (void)pthread_mutex_destroy(&pool->lock);
  free(pool);
}

size_t jr_pool_thread_count(const struct jr_pool *pool) {
  return pool->thread_count;
}

/// Processors that this process may use, at least 1.
static size_t count_processors(void) {
  cpu_set_t set;
  long count = 0;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    count = CPU_COUNT(&set);
  else // more processors than a cpu_set_t has
    count = sysconf(_SC_NPROCESSORS_ONLN);
  return count < 1 ? 1 : (size_t)count;
}

/// What jr_pool_default() returns when a real pool cannot be had.
static struct jr_pool inline_pool = {
    .thread_count = 1,
    .lock = PTHREAD_MUTEX_INITIALIZER,
};
static struct jr_pool *default_pool = &inline_pool; ///< set once
static pthread_once_t default_once = PTHREAD_ONCE_INIT;

static void create_default(void) {
  struct jr_pool *pool = NULL;
  init_waiter_wake(&inline_pool);
  jitrun_error_t *err = jr_pool_create(count_processors(), &pool);
  if (!err)
    default_pool = pool;
  jitrun_error_free(err);
}

struct jr_pool *jr_pool_default(void) {
  (void)pthread_once(&default_once, create_default);
  return default_pool;
}
