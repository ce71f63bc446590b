/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Scalars of executions on devices whose memory the host cannot use. Buffers
/// hold scalars there as they hold anything; calls take and give them by value.
#include "client/executable.h"
#include "client/move.h"

#include "base/alloc.h"
#include "base/dtype.h"

#include <stdlib.h>

static bool is_scalar(const jitrun_value_info_t *value) {
  return value->type->kind == JITRUN_KIND_SCALAR;
}

static uint64_t scalar_bytes(const jitrun_value_info_t *value) {
  return jr_dtype_size((jitrun_dtype_t)value->type->dtype);
}

jitrun_error_t *jr_launch_fetch(struct jr_launch *launch) {
  const jitrun_entry_t *entry = launch->executable->entry;
  size_t params = entry->param_count;
  launch->words =
      jr_calloc(params + entry->result_count + 1, sizeof *launch->words);
  if (!launch->words)
    return jr_error_no_memory();
  for (size_t i = 0; i < params; i++) {
    jitrun_tensor_t *arg = &launch->args[i];
    void *word = launch->words[i].bytes;
    if (!is_scalar(&entry->params[i]))
      continue;
    JITRUN_TRY(jr_move_bytes(word, arg->data, scalar_bytes(&entry->params[i]),
                             NULL, launch->device));
    arg->data = word;
  }
  for (size_t i = 0; i < entry->result_count; i++) {
    if (is_scalar(&entry->results[i]))
      launch->results[i].data = launch->words[params + i].bytes;
  }
  return NULL;
}

jitrun_error_t *jr_launch_store(struct jr_launch *launch) {
  const jitrun_entry_t *entry = launch->executable->entry;
  for (size_t i = 0; i < entry->result_count; i++) {
    if (is_scalar(&entry->results[i]))
      JITRUN_TRY(jr_move_bytes(
          launch->result_memories[i]->data, launch->results[i].data,
          scalar_bytes(&entry->results[i]), launch->device, NULL));
  }
  return NULL;
}
