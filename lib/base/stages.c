/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See stages.h.
#include "base/stages.h"

#include "base/bytes.h"
#include "base/strings.h"

#include <string.h>

const struct jr_stage_row jr_stage_table[JR_STAGE_COUNT] = {
#define X(constant, name, suffix) {name, suffix},
    JR_STAGES(X)
#undef X
};

static jitrun_error_t *refuse_name(const char *name) {
  struct jr_near_names near_names = {.wanted = name};
  struct jr_bytes list = {0};
  for (size_t i = 0; i < JR_STAGE_COUNT; i++) {
    jr_near_names_offer(&near_names, jr_stage_table[i].name);
    jr_bytes_appendf(&list, "%s%s",
                     i == 0                    ? ""
                     : i == JR_STAGE_COUNT - 1 ? " and "
                                               : ", ",
                     jr_stage_table[i].name);
  }
  jr_near_names_append(&near_names, &list);
  const char *names = jr_bytes_text(&list);
  jitrun_error_t *error = jr_error(JITRUN_INVALID_ARGUMENT,
                                   "there is no stage '%s'; the stages are %s",
                                   name, names ? names : "");
  jr_bytes_deinit(&list);
  return error;
}

jitrun_error_t *jr_stage_find(const char *name, enum jr_stage *out_stage) {
  for (size_t i = 0; i < JR_STAGE_COUNT; i++) {
    if (strcmp(jr_stage_table[i].name, name) == 0) {
      *out_stage = (enum jr_stage)i;
      return NULL;
    }
  }
  *out_stage = JR_STAGE_COUNT;
  return refuse_name(name);
}

jitrun_error_t *jr_stage_add(const char *name, uint32_t *set) {
  enum jr_stage stage;
  if (strcmp(name, "all") == 0) {
    *set = (UINT32_C(1) << JR_STAGE_COUNT) - 1;
    return NULL;
  }
  JITRUN_TRY(jr_stage_find(name, &stage));
  *set |= UINT32_C(1) << stage;
  return NULL;
}
