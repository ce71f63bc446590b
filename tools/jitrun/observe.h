/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What the options want to know of a compile: programs after stages, in files
/// and on standard error, costs, progress, and where loaded code is.
///
/// Life: open -> fill, settle after each compile -> close.
#ifndef JR_TOOLS_OBSERVE_H
#define JR_TOOLS_OBSERVE_H

#include "base/error.h"
#include "base/stages.h"
#include "jitrun/program.h"
#include "jitrun/stages.h"
#include "options.h"
#include "progress.h"
#include "watch.h"

#include <stdbool.h>
#include <stdio.h>

struct jr_observe {
  const struct jr_options *options;
  struct jr_watch *watch;
  jitrun_observer_t observer;
  const char **texts;                        ///< names for the observer
  uint32_t printed;                          ///< set of 1 << enum jr_stage
  jitrun_stage_cost_t costs[JR_STAGE_COUNT]; ///< by stage; NULL name: not run
  bool has_run;                              ///< some stage has
  bool has_noted;                            ///< which were skipped
  FILE *perf_map;
  struct jr_progress progress;
  jitrun_profile_t *profile; ///< that stages are put in; NULL: none
  uint64_t since_ns;         ///< when the stage began
  jitrun_error_t *error;     ///< the first of what could not be written
};

/// Makes the folder that programs are written to and the map for perf, as far
/// as the options ask for them.
jitrun_error_t *jr_observe_open(const struct jr_options *options,
                                struct jr_watch *watch,
                                struct jr_observe *out_observe)
    __attribute__((warn_unused_result));

/// Sets what observes a program that is opened.
void jr_observe_fill(struct jr_observe *observe,
                     jitrun_open_options_t *open_options);

/// The observer for a compile, or NULL when there is nothing to observe.
const jitrun_observer_t *jr_observe_get(const struct jr_observe *observe);

/// A compile is over, with `error` or without: takes the line of progress away
/// and returns that error, or what could not be written, or that nothing was.
jitrun_error_t *jr_observe_settle(struct jr_observe *observe,
                                  /*own*/ jitrun_error_t *error)
    __attribute__((warn_unused_result));

void jr_observe_close(struct jr_observe *observe);

#endif
