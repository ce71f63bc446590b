/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Scalars and constants of executions on devices whose memory the host cannot
/// use. Buffers hold scalars there as they hold anything; calls take and give
/// them by value.
#include "client/executable.h"
#include "client/move.h"

#include "base/alloc.h"
#include "base/dtype.h"
#include "jitrun/allocation.h"

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

/// Those of one device.
static jitrun_error_t *upload_constants(const jitrun_executable_t *executable,
                                        size_t place) {
  const jitrun_entry_t *entry = executable->entry;
  jitrun_device_t *device = executable->devices[place];
  for (size_t i = 0; i < entry->param_count; i++) {
    struct jr_memory **upload =
        &executable->uploads[place * entry->param_count + i];
    uint64_t size_bytes = jitrun_entry_allocation(entry, i)->size_bytes;
    if (!executable->constants[i])
      continue;
    JITRUN_TRY(jr_memory_allocate(&device->heap, size_bytes, upload));
    JITRUN_TRY(jr_move_bytes((*upload)->data, executable->constants[i],
                             size_bytes, device, NULL));
  }
  return NULL;
}

jitrun_error_t *jr_executable_upload(jitrun_executable_t *executable) {
  size_t devices = jitrun_executable_device_count(executable);
  if (!executable->constants || !jr_device_apart(executable->devices[0]))
    return NULL;
  executable->uploads = jr_calloc(devices * executable->entry->param_count,
                                  sizeof(struct jr_memory *));
  if (!executable->uploads)
    return jr_error_no_memory();
  for (size_t i = 0; i < devices; i++)
    JITRUN_TRY(jr_error_note(upload_constants(executable, i),
                             "while copying constants to device %s",
                             executable->devices[i]->name));
  return NULL;
}

void jr_executable_unload(jitrun_executable_t *executable) {
  size_t count = executable->uploads
                     ? jitrun_executable_device_count(executable) *
                           executable->entry->param_count
                     : 0;
  for (size_t i = 0; i < count; i++)
    jr_memory_release(executable->uploads[i]);
  free((void *)executable->uploads);
}
