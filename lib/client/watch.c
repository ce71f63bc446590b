/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See watch.h. The lock is held to look at what is listed, never while
/// somebody else's function runs. Client and thread have a reference each,
/// since the client may be given up on the thread.
#include "client/watch.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/threads.h"
#include "client/executable.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_WARN_S = 10, MOST_LISTED = 3 };

struct jr_watch {
  size_t reference_count; ///< atomic
  jitrun_warning_fn_t warning;
  void *warning_context;
  int64_t warn_after_ns; ///< below 0: never
  pthread_mutex_t lock;  ///< of all that follows
  pthread_cond_t changed;
  struct jr_batch *first;
  uint64_t wake_ns; ///< when the thread looks again
  bool has_thread, is_ending;
  pthread_t thread;
};

jitrun_error_t *jr_watch_create(const jitrun_client_options_t *options,
                                struct jr_watch **out_watch) {
  struct jr_watch *watch = jr_calloc(1, sizeof *watch);
  pthread_condattr_t attributes;
  *out_watch = watch;
  if (!watch)
    return jr_error_no_memory();
  watch->reference_count = 1;
  watch->warning = options->warning;
  watch->warning_context = options->warning_context;
  watch->warn_after_ns = options->warn_after_ns;
  if (options->warn_after_ns == 0)
    watch->warn_after_ns = DEFAULT_WARN_S * (int64_t)JR_NS_PER_S;
  if (!options->warning)
    watch->warn_after_ns = -1;
  watch->wake_ns = UINT64_MAX;
  (void)pthread_condattr_init(&attributes);
  (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  (void)pthread_cond_init(&watch->changed, &attributes);
  (void)pthread_condattr_destroy(&attributes);
  (void)pthread_mutex_init(&watch->lock, NULL);
  return NULL;
}

static void release_watch(struct jr_watch *watch) {
  if (__atomic_sub_fetch(&watch->reference_count, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  (void)pthread_cond_destroy(&watch->changed);
  (void)pthread_mutex_destroy(&watch->lock);
  free(watch);
}

void jr_watch_destroy(struct jr_watch *watch) {
  if (!watch)
    return;
  (void)pthread_mutex_lock(&watch->lock);
  watch->is_ending = true;
  bool has_thread = watch->has_thread;
  pthread_t thread = watch->thread;
  (void)pthread_cond_signal(&watch->changed);
  (void)pthread_mutex_unlock(&watch->lock);
  if (has_thread && pthread_equal(thread, pthread_self()))
    (void)pthread_detach(thread);
  else if (has_thread)
    (void)pthread_join(thread, NULL);
  release_watch(watch);
}

bool jr_watch_warns(const struct jr_watch *watch) {
  return watch->warn_after_ns >= 0;
}

void jr_watch_warn(const struct jr_watch *watch, struct jr_bytes *text) {
  const char *words = jr_bytes_text(text);
  if (words && jr_watch_warns(watch))
    watch->warning(watch->warning_context, words, text->size);
}

static double seconds_since(uint64_t start_ns) {
  return (double)(jr_clock_ns() - start_ns) / (double)JR_NS_PER_S;
}

/// What is to be done for a batch now. Lock held, and released meanwhile where
/// true is returned: the list may be another then.
static bool serve_batch(struct jr_watch *watch, struct jr_batch *batch,
                        uint64_t now) {
  struct jr_watched *watched = &batch->watched;
  if (now >= watched->deadline_ns) {
    watched->deadline_ns = UINT64_MAX;
    jr_batch_retain(batch);
    jitrun_error_t *error = jr_batch_late(batch, watched->timeout_ns);
    (void)pthread_mutex_unlock(&watch->lock);
    jr_batch_stop(batch, error);
    jr_batch_release(batch);
    (void)pthread_mutex_lock(&watch->lock);
    return true;
  }
  if (now < watched->warn_ns)
    return false;
  struct jr_bytes text = {0};
  watched->gap_ns *= 2;
  watched->warn_ns = now + watched->gap_ns;
  jr_bytes_appendf(&text, "still executing after %.3g s: ",
                   seconds_since(watched->start_ns));
  jr_batch_describe(batch, &text);
  (void)pthread_mutex_unlock(&watch->lock);
  jr_watch_warn(watch, &text);
  jr_bytes_deinit(&text);
  (void)pthread_mutex_lock(&watch->lock);
  return true;
}

static uint64_t next_time(const struct jr_batch *batch) {
  const struct jr_watched *watched = &batch->watched;
  return watched->warn_ns < watched->deadline_ns ? watched->warn_ns
                                                 : watched->deadline_ns;
}

/// Does what is due; returns when something will be. Lock held, and released
/// meanwhile.
static uint64_t serve_all(struct jr_watch *watch) {
  uint64_t now = jr_clock_ns();
  uint64_t next_ns = UINT64_MAX;
  struct jr_batch *batch = watch->first;
  while (batch) {
    if (next_time(batch) <= now && serve_batch(watch, batch, now)) {
      next_ns = UINT64_MAX;
      batch = watch->first;
      continue;
    }
    if (next_time(batch) < next_ns)
      next_ns = next_time(batch);
    batch = batch->watched.next;
  }
  return next_ns;
}

static void sleep_until(struct jr_watch *watch, uint64_t time_ns) {
  if (time_ns == UINT64_MAX) {
    (void)pthread_cond_wait(&watch->changed, &watch->lock);
    return;
  }
  const struct timespec time = {.tv_sec = (time_t)(time_ns / JR_NS_PER_S),
                                .tv_nsec = (long)(time_ns % JR_NS_PER_S)};
  (void)pthread_cond_timedwait(&watch->changed, &watch->lock, &time);
}

static void *run_thread(void *context) {
  struct jr_watch *watch = context;
  void *stack = malloc(JR_SIGNAL_STACK_BYTES);
  if (stack)
    jr_thread_signal_stack(stack);
  (void)pthread_mutex_lock(&watch->lock);
  while (!watch->is_ending) {
    watch->wake_ns = serve_all(watch);
    if (!watch->is_ending)
      sleep_until(watch, watch->wake_ns);
  }
  (void)pthread_mutex_unlock(&watch->lock);
  jr_thread_signal_stack(NULL);
  free(stack);
  release_watch(watch);
  return NULL;
}

jitrun_error_t *jr_watch_prepare(struct jr_watch *watch,
                                 const struct jr_batch *batch) {
  int cause = 0;
  if (!jr_watch_warns(watch) && batch->watched.timeout_ns < 0)
    return NULL;
  (void)pthread_mutex_lock(&watch->lock);
  if (!watch->has_thread) {
    (void)__atomic_fetch_add(&watch->reference_count, 1, __ATOMIC_RELAXED);
    cause = pthread_create(&watch->thread, NULL, run_thread, watch);
    watch->has_thread = cause == 0;
    if (cause != 0)
      (void)__atomic_fetch_sub(&watch->reference_count, 1, __ATOMIC_RELAXED);
  }
  (void)pthread_mutex_unlock(&watch->lock);
  char text[128];
  return cause == 0 ? NULL
                    : jr_error(JITRUN_RESOURCE_EXHAUSTED,
                               "cannot start the thread that looks at "
                               "deadlines: %s",
                               strerror_r(cause, text, sizeof text));
}

/// `start` and so much more; UINT64_MAX where that is below 0, or for ever.
static uint64_t time_after(uint64_t start_ns, int64_t more_ns) {
  return more_ns < 0 || (uint64_t)more_ns >= UINT64_MAX - start_ns
             ? UINT64_MAX
             : start_ns + (uint64_t)more_ns;
}

void jr_watch_add(struct jr_watch *watch, struct jr_batch *batch) {
  struct jr_watched *watched = &batch->watched;
  uint64_t now = jr_clock_ns();
  watched->start_ns = now;
  watched->gap_ns =
      jr_watch_warns(watch) ? (uint64_t)watch->warn_after_ns : UINT64_MAX / 2;
  watched->warn_ns = time_after(now, watch->warn_after_ns);
  watched->deadline_ns = time_after(now, watched->timeout_ns);
  (void)pthread_mutex_lock(&watch->lock);
  watched->link = &watch->first;
  watched->next = watch->first;
  if (watched->next)
    watched->next->watched.link = &watched->next;
  watch->first = batch;
  if (next_time(batch) < watch->wake_ns)
    (void)pthread_cond_signal(&watch->changed);
  (void)pthread_mutex_unlock(&watch->lock);
}

void jr_watch_remove(struct jr_watch *watch, struct jr_batch *batch) {
  struct jr_watched *watched = &batch->watched;
  (void)pthread_mutex_lock(&watch->lock);
  *watched->link = watched->next;
  if (watched->next)
    watched->next->watched.link = watched->link;
  watched->link = NULL;
  (void)pthread_mutex_unlock(&watch->lock);
}

jitrun_error_t *jr_watch_late(struct jr_watch *watch,
                              const struct jr_batch *batch,
                              int64_t timeout_ns) {
  jitrun_error_t *error = NULL;
  (void)pthread_mutex_lock(&watch->lock);
  if (batch->watched.link)
    error = jr_batch_late(batch, timeout_ns);
  (void)pthread_mutex_unlock(&watch->lock);
  return error;
}

/// The launch that sets a token; NULL: none that is listed. Lock held.
static const struct jr_launch *find_launch(const struct jr_watch *watch,
                                           const jitrun_async_t *token) {
  const struct jr_batch *batch = watch->first;
  for (; batch; batch = batch->watched.next) {
    for (size_t i = 0; i < batch->launch_count; i++) {
      if (batch->launches[i]->done == token)
        return batch->launches[i];
    }
  }
  return NULL;
}

jitrun_error_t *jr_watch_refuse(struct jr_watch *watch,
                                const jitrun_async_t *token) {
  jitrun_error_t *error = NULL;
  if (jitrun_async_state(token) != JITRUN_ASYNC_PENDING)
    return NULL;
  (void)pthread_mutex_lock(&watch->lock);
  const struct jr_launch *launch = find_launch(watch, token);
  if (launch && jr_worker_is_own(launch->device->worker))
    error = jr_error(JITRUN_FAILED_PRECONDITION,
                     "the thread of device %s would wait for itself: it makes "
                     "that buffer after what it does now",
                     launch->device->name);
  (void)pthread_mutex_unlock(&watch->lock);
  return error;
}

/// What sets a token, or else all that is outstanding. False: a launch does.
static bool describe_token(struct jr_watch *watch, const jitrun_async_t *token,
                           struct jr_bytes *text) {
  size_t count = 0;
  (void)pthread_mutex_lock(&watch->lock);
  const struct jr_launch *launch = find_launch(watch, token);
  if (launch) {
    jr_batch_describe(launch->batch, text);
  } else {
    const struct jr_batch *batch = watch->first;
    for (; batch; batch = batch->watched.next) {
      if (count++ >= MOST_LISTED)
        continue;
      jr_bytes_append_text(text, count == 1 ? "" : "; ");
      jr_batch_describe(batch, text);
    }
  }
  (void)pthread_mutex_unlock(&watch->lock);
  if (count > MOST_LISTED)
    jr_bytes_appendf(text, "; and %zu more", count - MOST_LISTED);
  if (!launch && count == 0)
    jr_bytes_append_text(text, "nothing executes; it waits for a copy, or a "
                               "token that its maker has not set");
  return !launch;
}

struct jr_patience jr_patience_begin(const struct jr_watch *watch,
                                     int64_t timeout_ns) {
  uint64_t now = jr_clock_ns();
  return (struct jr_patience){
      .watch = watch,
      .start_ns = now,
      .deadline_ns = time_after(now, timeout_ns),
      .warn_ns = time_after(now, watch->warn_after_ns),
      .gap_ns = jr_watch_warns(watch) ? (uint64_t)watch->warn_after_ns : 0};
}

int64_t jr_patience_next(const struct jr_patience *patience) {
  uint64_t now = jr_clock_ns();
  uint64_t until = patience->warn_ns < patience->deadline_ns
                       ? patience->warn_ns
                       : patience->deadline_ns;
  if (until == UINT64_MAX)
    return -1;
  if (now >= patience->deadline_ns)
    return 0;
  return until > now ? (int64_t)(until - now) : 1;
}

bool jr_patience_is_due(struct jr_patience *patience) {
  uint64_t now = jr_clock_ns();
  if (now < patience->warn_ns || now >= patience->deadline_ns)
    return false;
  patience->gap_ns *= 2;
  patience->warn_ns = now + patience->gap_ns;
  return true;
}

/// Warns of a wait, unless the execution that it is for is warned of.
static void warn_of_wait(struct jr_watch *watch, const jitrun_async_t *token,
                         uint64_t start_ns, const char *what) {
  struct jr_bytes text = {0};
  jr_bytes_appendf(&text, "still waiting after %.3g s for %s: ",
                   seconds_since(start_ns), what);
  if (describe_token(watch, token, &text))
    jr_watch_warn(watch, &text);
  jr_bytes_deinit(&text);
}

static jitrun_error_t *refuse_late(struct jr_watch *watch,
                                   const jitrun_async_t *token,
                                   uint64_t start_ns, const char *what) {
  struct jr_bytes text = {0};
  jr_bytes_appendf(&text, "%s is not ready after %.3g s: ", what,
                   seconds_since(start_ns));
  (void)describe_token(watch, token, &text);
  const char *words = jr_bytes_text(&text);
  jitrun_error_t *error =
      words ? jr_error_text(JITRUN_DEADLINE_EXCEEDED, words, text.size)
            : jr_error_no_memory();
  jr_bytes_deinit(&text);
  return error;
}

jitrun_error_t *jr_watch_wait(jitrun_client_t *client,
                              const jitrun_async_t *token, int64_t timeout_ns,
                              const char *what) {
  struct jr_watch *watch = client->watch;
  if (jitrun_async_state(token) != JITRUN_ASYNC_PENDING)
    return jitrun_async_error(token);
  JITRUN_TRY(jr_watch_refuse(watch, token));
  struct jr_patience patience =
      jr_patience_begin(watch, jr_client_timeout(client, timeout_ns));
  int64_t wait_ns = jr_patience_next(&patience);
  while (wait_ns != 0) {
    jitrun_error_t *error = jitrun_async_wait(token, wait_ns);
    jitrun_error_free(error);
    if (jitrun_async_state(token) != JITRUN_ASYNC_PENDING)
      return jitrun_async_error(token);
    if (jr_patience_is_due(&patience))
      warn_of_wait(watch, token, patience.start_ns, what);
    wait_ns = jr_patience_next(&patience);
  }
  return refuse_late(watch, token, patience.start_ns, what);
}
