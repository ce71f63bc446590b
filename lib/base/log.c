/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Log. The sink is called with the lock held: lines do not mix, and once
/// jr_log_set_sink() has returned the old sink and its context are not used any
/// more. The lock is recursive, so that a sink may log itself.
#include "base/log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

enum { LINE_BYTES = 1024, DROP_ALL = -1 };

static pthread_mutex_t sink_lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static jr_log_sink_t current_sink; ///< under sink_lock
static void *current_context;      ///< under sink_lock

/// The highest level wanted; read before the lock, so that a line nobody wants
/// costs one load.
static atomic_int wanted_level = DROP_ALL;

void jr_log_set_sink(jr_log_sink_t sink, void *context,
                     enum jr_log_level level) {
  (void)pthread_mutex_lock(&sink_lock);
  current_sink = sink;
  current_context = context;
  atomic_store(&wanted_level, sink ? (int)level : DROP_ALL);
  (void)pthread_mutex_unlock(&sink_lock);
}

static bool is_wanted(enum jr_log_level level) {
  return (int)level <=
         atomic_load_explicit(&wanted_level, memory_order_relaxed);
}

void jr_log(enum jr_log_level level, const char *format, ...) {
  if (!is_wanted(level))
    return;
  char line[LINE_BYTES] = "";
  va_list args;
  va_start(args, format);
  (void)vsnprintf(line, sizeof line, format, args);
  va_end(args);
  (void)pthread_mutex_lock(&sink_lock);
  if (is_wanted(level) && current_sink)
    current_sink(current_context, level, line);
  (void)pthread_mutex_unlock(&sink_lock);
}
