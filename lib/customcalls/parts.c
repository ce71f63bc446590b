/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See parts.h. This file alone refers to parts weakly; parts_all.c names them.
#include "customcalls/parts.h"

#include <string.h>

#define X(part)                                                                \
  extern const jitrun_part_t jitrun_part_##part __attribute__((weak));
JR_PARTS(X)
#undef X

const struct jitrun_part *jr_part_get(size_t index) {
  static const struct jitrun_part *const parts[] = {
#define X(part) &jitrun_part_##part,
      JR_PARTS(X)
#undef X
  };
  return index < JR_PART_COUNT ? parts[index] : NULL;
}

bool jr_parts_complete(void) {
  for (size_t i = 0; i < JR_PART_COUNT; i++)
    if (!jr_part_get(i))
      return false;
  return true;
}

static bool has_call(const struct jitrun_part *part, const char *name) {
  for (size_t i = 0; i < part->call_count; i++)
    if (strcmp(part->calls[i].name, name) == 0)
      return true;
  return false;
}

const struct jitrun_part *jr_part_of_call(const char *name) {
  for (size_t i = 0; i < JR_PART_COUNT; i++) {
    const struct jitrun_part *part = jr_part_get(i);
    if (part && has_call(part, name))
      return part;
  }
  return NULL;
}
