/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The stages of one compile: their costs, who watches them, and where the
/// compile is to stop.
#ifndef JR_JIT_STAGES_H
#define JR_JIT_STAGES_H

#include "base/bytes.h"
#include "base/stages.h"
#include "runtime/compiler.h"

#include <stdbool.h>
#include <stdint.h>

struct jr_unit;

struct jr_stages {
  const jitrun_observer_t *observer; ///< NULL: none
  uint32_t texts;     ///< set of 1 << enum jr_stage that the observer wants
  enum jr_stage last; ///< where the compile stops; COUNT: nowhere
  bool stopped;       ///< it has; the program is in the unit's `image`
  uint64_t since_ns, peak_bytes; ///< when the last stage ended
  struct jr_stage_cost costs[JR_STAGE_COUNT];
  struct jr_bytes assembly; ///< of what codegen made, when it is wanted
};

/// Starts the clock. INVALID_ARGUMENT for a stage that is none.
jitrun_error_t *jr_stages_start(struct jr_unit *unit) JITRUN_MUST_USE;

/// A stage begins. They follow one another, so its cost is what there was since
/// the end of the last one.
void jr_stage_begin(struct jr_unit *unit, enum jr_stage stage);

/// A stage has ended well: counts its cost, tells the observer. When the
/// compile is to stop here, prints the program into the unit and sets
/// `stopped`.
jitrun_error_t *jr_stage_end(struct jr_unit *unit,
                             enum jr_stage stage) JITRUN_MUST_USE;

/// What was done since the last stage ended counts for none.
void jr_stages_restart(struct jr_unit *unit);

/// True when someone will read the program as it is after `stage`.
bool jr_stage_is_read(const struct jr_unit *unit, enum jr_stage stage);

#endif
