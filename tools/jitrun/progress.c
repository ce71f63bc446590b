/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See progress.h. The thread allocates nothing and takes no signal: crashes
/// and questions about the work are the working thread's.
#include "progress.h"

#include "base/clock.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { STACK_BYTES = 1 << 18 };

#define REFRESH_NS (JR_NS_PER_S / 5)

static const char erase_line[] = "\r\033[K";

static void set_shown(struct jr_progress *progress, bool is_shown) {
  progress->is_shown = is_shown;
  if (progress->is_visible)
    *progress->is_visible = is_shown;
}

static void write_text(const struct jr_progress *progress, const char *text,
                       size_t size) {
  ssize_t written = write(progress->descriptor, text, size);
  (void)written; // nobody is there to be told
}

static void show(struct jr_progress *progress) {
  char text[JR_PROGRESS_BYTES + sizeof erase_line];
  uint64_t seconds = (jr_clock_ns() - progress->start_ns) / JR_NS_PER_S;
  int size = snprintf(text, sizeof text, "%sjitrun: %s: %s (%" PRIu64 " s)",
                      erase_line, progress->what,
                      progress->stage ? progress->stage : "starting", seconds);
  if (size < 0)
    return;
  set_shown(progress, true);
  write_text(progress, text,
             (size_t)size < sizeof text ? (size_t)size : sizeof text - 1);
}

static void hide(struct jr_progress *progress) {
  if (progress->is_shown)
    write_text(progress, erase_line, sizeof erase_line - 1);
  set_shown(progress, false);
}

static void *run_thread(void *context) {
  struct jr_progress *progress = context;
  uint64_t next_ns = progress->start_ns + progress->delay_ns;
  (void)pthread_mutex_lock(&progress->lock);
  while (!progress->is_over) {
    const struct timespec until = {.tv_sec = (time_t)(next_ns / JR_NS_PER_S),
                                   .tv_nsec = (long)(next_ns % JR_NS_PER_S)};
    (void)pthread_cond_timedwait(&progress->changed, &progress->lock, &until);
    if (progress->is_over || jr_clock_ns() < next_ns)
      continue;
    show(progress);
    next_ns += REFRESH_NS;
  }
  hide(progress);
  (void)pthread_mutex_unlock(&progress->lock);
  return NULL;
}

/// Starts the thread with all signals blocked.
static bool start_thread(struct jr_progress *progress) {
  pthread_attr_t attributes;
  sigset_t all;
  sigset_t former;
  if (pthread_attr_init(&attributes) != 0)
    return false;
  (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
  (void)sigfillset(&all);
  (void)pthread_sigmask(SIG_BLOCK, &all, &former);
  int cause =
      pthread_create(&progress->thread, &attributes, run_thread, progress);
  (void)pthread_sigmask(SIG_SETMASK, &former, NULL);
  (void)pthread_attr_destroy(&attributes);
  return cause == 0;
}

void jr_progress_start(struct jr_progress *progress, const char *what,
                       int descriptor, uint64_t delay_ns,
                       volatile bool *is_visible) {
  pthread_condattr_t attributes;
  *progress = (struct jr_progress){.descriptor = descriptor,
                                   .start_ns = jr_clock_ns(),
                                   .delay_ns = delay_ns,
                                   .is_visible = is_visible};
  (void)snprintf(progress->what, sizeof progress->what, "%s", what);
  (void)pthread_mutex_init(&progress->lock, NULL);
  (void)pthread_condattr_init(&attributes);
  (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  (void)pthread_cond_init(&progress->changed, &attributes);
  (void)pthread_condattr_destroy(&attributes);
  progress->is_running = start_thread(progress);
}

void jr_progress_stage(struct jr_progress *progress, const char *stage) {
  if (!progress->is_running)
    return;
  (void)pthread_mutex_lock(&progress->lock);
  progress->stage = stage;
  if (progress->is_shown)
    show(progress);
  (void)pthread_mutex_unlock(&progress->lock);
}

void jr_progress_hide(struct jr_progress *progress) {
  if (!progress->is_running)
    return;
  (void)pthread_mutex_lock(&progress->lock);
  hide(progress);
  (void)pthread_mutex_unlock(&progress->lock);
}

void jr_progress_stop(struct jr_progress *progress) {
  if (!progress->is_running)
    return;
  (void)pthread_mutex_lock(&progress->lock);
  progress->is_over = true;
  (void)pthread_cond_signal(&progress->changed);
  (void)pthread_mutex_unlock(&progress->lock);
  (void)pthread_join(progress->thread, NULL);
  (void)pthread_cond_destroy(&progress->changed);
  (void)pthread_mutex_destroy(&progress->lock);
  progress->is_running = false;
}
