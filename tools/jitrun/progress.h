/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// A line on a terminal that says what takes so long. It appears when the work
/// has taken a while, and is gone when the work ends.
///
/// Life: start -> stage, hide, any number of times -> stop. A zero-initialised
/// one that was not started does nothing. Writing is a thread's, so that the
/// line moves while a stage is busy.
#ifndef JR_TOOLS_PROGRESS_H
#define JR_TOOLS_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { JR_PROGRESS_BYTES = 80 }; ///< the line fits a terminal of that width

struct jr_progress {
  bool is_running;
  int descriptor;
  uint64_t start_ns, delay_ns;
  pthread_t thread;
  pthread_mutex_t lock; ///< of what follows
  pthread_cond_t changed;
  bool is_over, is_shown;
  const char *stage;         ///< static
  char what[48];             ///< "compiling 'x.mlir'"
  volatile bool *is_visible; ///< follows `is_shown`, for other processes
};

/// Starts to watch over `what`; the line appears on `descriptor` after
/// `delay_ns`. `is_visible` may be NULL.
void jr_progress_start(struct jr_progress *progress, const char *what,
                       int descriptor, uint64_t delay_ns,
                       volatile bool *is_visible);

/// What is done from now on; the text is not copied.
void jr_progress_stage(struct jr_progress *progress, const char *stage);

/// Takes the line away, for something else to be written there; it comes back.
void jr_progress_hide(struct jr_progress *progress);

void jr_progress_stop(struct jr_progress *progress);

#endif
