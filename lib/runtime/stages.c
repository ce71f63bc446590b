/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See jitrun/stages.h.
#include "jitrun/stages.h"

#include "base/stages.h"

const char *jitrun_stage_name(size_t index) {
  return index < JR_STAGE_COUNT ? jr_stage_table[index].name : NULL;
}
