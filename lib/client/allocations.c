/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What the arguments of an entry need of an executable when they are described
/// (jitrun/allocation.h): all of it is found out when it is loaded.
#include "client/executable.h"
#include "client/shared.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "runtime/program.h" // IWYU pragma: keep

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void append_index(struct jr_bytes *text, const int64_t *index,
                         uint32_t count) {
  jr_bytes_append_text(text, "{");
  for (uint32_t i = 0; i < count; i++)
    jr_bytes_appendf(text, i > 0 ? ",%" PRId64 : "%" PRId64, index[i]);
  jr_bytes_append_text(text, "}");
}

void jr_place_format(const jitrun_allocation_t *allocation,
                     char text[JR_PLACE_BYTES]) {
  struct jr_bytes bytes = {0};
  if (allocation->kind == JITRUN_ALLOCATION_PARAMETER) {
    jr_bytes_append_text(&bytes, "index ");
    append_index(&bytes, allocation->index, allocation->index_count);
    jr_bytes_appendf(&bytes, " of parameter %" PRIu32, allocation->number);
  } else if (allocation->kind == JITRUN_ALLOCATION_CONSTANT) {
    jr_bytes_appendf(&bytes, "constant '%.80s'", allocation->name);
  } else if (allocation->kind == JITRUN_ALLOCATION_LIVE_OUT) {
    jr_bytes_append_text(&bytes, "output ");
    append_index(&bytes, allocation->output_index,
                 allocation->output_index_count);
  } else {
    jr_bytes_append_text(&bytes, "temporary memory");
  }
  const char *whole = jr_bytes_text(&bytes);
  (void)snprintf(text, JR_PLACE_BYTES, "%s", whole ? whole : "?");
  jr_bytes_deinit(&bytes);
}

/// A buffer is row-major, and its sizes are known before the run.
static jitrun_error_t *check_output(const jitrun_entry_t *entry, size_t index) {
  const jitrun_output_t *output = jitrun_entry_output(entry, index);
  if (output->is_bounded)
    return jr_error(JITRUN_UNIMPLEMENTED,
                    "output %zu of entry '%s' has sizes that only the run "
                    "tells: %s",
                    index, entry->name, jitrun_entry_result_shape(entry));
  if (!output->is_row_major)
    return jr_error(JITRUN_UNIMPLEMENTED,
                    "output %zu of entry '%s' has a layout that is not "
                    "row-major, and buffers have no other: %s",
                    index, entry->name, jitrun_entry_result_shape(entry));
  if (output->type->rank > JR_BUFFER_MAX_RANK)
    return jr_error(JITRUN_UNIMPLEMENTED,
                    "output %zu of entry '%s' has rank %d, and buffers at most "
                    "%d",
                    index, entry->name, output->type->rank, JR_BUFFER_MAX_RANK);
  return NULL;
}

static const jitrun_constant_t *
find_given(const jitrun_executable_options_t *options, const char *name) {
  for (size_t i = 0; i < options->constant_count; i++) {
    if (strcmp(options->constants[i].name, name) == 0)
      return &options->constants[i];
  }
  return NULL;
}

/// The constant of that name in the program; NULL when it has none.
static const void *find_own(const jitrun_program_t *program, const char *name,
                            uint64_t *out_size_bytes) {
  const struct jr_table *table = &program->table;
  const unsigned char *file = program->constants.map.data;
  for (uint32_t i = 0; i < table->alloc_count; i++) {
    const struct jr_alloc *alloc = &table->allocs[i];
    bool is_constant = alloc->kind == JR_ALLOC_CONSTANT ||
                       (alloc->kind == JR_ALLOC_FILE && file);
    *out_size_bytes = alloc->size_bytes;
    if (is_constant && strcmp(jr_table_string(table, alloc->name), name) == 0)
      return (alloc->kind == JR_ALLOC_FILE ? file : table->data) +
             alloc->offset;
  }
  return NULL;
}

/// Brings what a caller gave to every device, and to devices apart from the
/// host what the program has.
static jitrun_error_t *share_constant(jitrun_executable_t *executable,
                                      size_t index, const void *data,
                                      uint64_t size_bytes, bool is_given) {
  size_t params = executable->entry->param_count;
  for (size_t i = 0; i < jitrun_executable_device_count(executable); i++) {
    jitrun_device_t *device = executable->devices[i];
    if (is_given || jr_device_apart(device))
      JITRUN_TRY(
          jr_error_note(jr_shared_take(device, data, size_bytes,
                                       &executable->shared[i * params + index]),
                        "while copying constants to device %s", device->name));
  }
  return NULL;
}

static jitrun_error_t *find_constant(jitrun_executable_t *executable,
                                     const jitrun_executable_options_t *options,
                                     size_t index) {
  const jitrun_entry_t *entry = executable->entry;
  const jitrun_allocation_t *wanted = jitrun_entry_allocation(entry, index);
  const jitrun_constant_t *given = find_given(options, wanted->name);
  const void **data = &executable->constants[index];
  uint64_t size_bytes = 0;
  if (given) {
    size_bytes = given->size_bytes;
    *data = given->data ? given->data : "";
  } else {
    *data = find_own(executable->program, wanted->name, &size_bytes);
  }
  if (!*data)
    return jr_error(JITRUN_NOT_FOUND,
                    "nobody has constant '%s', argument %zu of entry '%s': "
                    "neither the program nor the options",
                    wanted->name, index, entry->name);
  if (size_bytes != wanted->size_bytes)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "constant '%s' has %" PRIu64
                    " bytes, and argument %zu of entry '%s' takes %" PRIu64,
                    wanted->name, size_bytes, index, entry->name,
                    wanted->size_bytes);
  jitrun_error_t *error =
      share_constant(executable, index, *data, size_bytes, given != NULL);
  if (given)
    *data = NULL; // the caller's
  return error;
}

static jitrun_error_t *
describe_param(jitrun_executable_t *executable,
               const jitrun_executable_options_t *options, size_t index) {
  const jitrun_entry_t *entry = executable->entry;
  const jitrun_allocation_t *one = jitrun_entry_allocation(entry, index);
  executable->is_later[index] = one->kind != JITRUN_ALLOCATION_PARAMETER;
  return one->kind == JITRUN_ALLOCATION_CONSTANT
             ? find_constant(executable, options, index)
             : NULL;
}

/// Everything that is given is asked for.
static jitrun_error_t *check_given(const jitrun_entry_t *entry,
                                   const jitrun_executable_options_t *options) {
  if (options->constant_count > 0 && !options->constants)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "%zu constants are given, and their list is NULL",
                    options->constant_count);
  for (size_t i = 0; i < options->constant_count; i++) {
    const jitrun_constant_t *given = &options->constants[i];
    bool is_wanted = false;
    if (!given->name || (given->size_bytes > 0 && !given->data))
      return jr_error(JITRUN_INVALID_ARGUMENT,
                      "constant %zu has no name, or no data", i);
    if (find_given(options, given->name) != given)
      return jr_error(JITRUN_INVALID_ARGUMENT,
                      "constant '%s' is given more than once", given->name);
    for (size_t k = 0; k < entry->param_count && !is_wanted; k++) {
      const char *name = jitrun_entry_allocation(entry, k)->name;
      is_wanted = name && strcmp(name, given->name) == 0;
    }
    if (!is_wanted)
      return jr_error(JITRUN_INVALID_ARGUMENT,
                      "constant '%s' is given, and no argument of entry '%s' "
                      "has that name",
                      given->name, entry->name);
  }
  return NULL;
}

static jitrun_error_t *check_local(const jitrun_entry_t *entry) {
  for (size_t i = 0; i < entry->param_count; i++) {
    if (jitrun_entry_allocation(entry, i)->is_thread_local)
      return jr_error(JITRUN_UNIMPLEMENTED,
                      "argument %zu of entry '%s' is memory of one thread "
                      "alone, which executables do not have",
                      i, entry->name);
  }
  return NULL;
}

/// Whether all that the entry gets is what a launch is given, or a copy of it
/// that is aligned as well as it has to be.
static bool is_all_given(const jitrun_entry_t *entry) {
  bool is_all = entry->result_count == 0 && !jitrun_entry_is_described(entry);
  for (size_t i = 0; i < entry->param_count; i++)
    is_all = is_all && entry->params[i].alignment <= JR_MEMORY_ALIGNMENT;
  return is_all;
}

jitrun_error_t *
jr_executable_describe(jitrun_executable_t *executable,
                       const jitrun_executable_options_t *options) {
  const jitrun_entry_t *entry = executable->entry;
  JITRUN_TRY(check_local(entry));
  JITRUN_TRY(check_given(entry, options));
  for (size_t i = 0; i < executable->output_count; i++)
    JITRUN_TRY(check_output(entry, i));
  executable->is_checked_once = is_all_given(entry);
  if (!jitrun_entry_is_described(entry))
    return NULL;
  executable->is_later =
      jr_calloc(entry->param_count, sizeof *executable->is_later);
  executable->constants = jr_calloc(entry->param_count, sizeof(void *));
  executable->shared =
      jr_calloc(jitrun_executable_device_count(executable) * entry->param_count,
                sizeof(void *));
  if (!executable->is_later || !executable->constants || !executable->shared)
    return jr_error_no_memory();
  for (size_t i = 0; i < entry->param_count; i++)
    JITRUN_TRY(describe_param(executable, options, i));
  return NULL;
}

void jr_executable_forget(jitrun_executable_t *executable) {
  size_t count = 0;
  if (executable->shared)
    count = jitrun_executable_device_count(executable) *
            executable->entry->param_count;
  for (size_t i = 0; i < count; i++)
    jr_shared_release(executable->shared[i]);
  free(executable->is_later);
  free((void *)executable->constants);
  free(executable->shared);
}
