/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What --profile, --profile-json, --trace and --stats want to know of runs.
///
/// Life: open -> run with `profile` -> finish, once -> close. Before a deadline
/// ends the process, a thread writes the trace as far as it goes.
#ifndef JR_TOOLS_PROFILE_H
#define JR_TOOLS_PROFILE_H

#include "jitrun/profile.h"
#include "options.h"

#include <pthread.h>
#include <stdbool.h>

struct jr_profiler {
  const struct jr_options *options;
  jitrun_profile_t *profile; ///< NULL: nothing asks for one
  pthread_t thread;
  bool has_thread;
};

/// Sees that the files can be written, as far as that can be known.
jitrun_error_t *jr_profiler_open(const struct jr_options *options,
                                 struct jr_profiler *out_profiler)
    __attribute__((warn_unused_result));

/// Writes the files and prints what was asked for, whether or not the run has
/// failed. The first error: that of the run, or of a file.
jitrun_error_t *jr_profiler_finish(struct jr_profiler *profiler,
                                   /*own*/ jitrun_error_t *error)
    __attribute__((warn_unused_result));

/// Prints what executions took, for --stats.
void jr_profiler_stats(const struct jr_profiler *profiler);

void jr_profiler_close(struct jr_profiler *profiler);

#endif
