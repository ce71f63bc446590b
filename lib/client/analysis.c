/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What an executable takes: memory of an execution on one device, and what it
/// is known by.
#include "client/executable.h" // IWYU pragma: keep

#include "base/bytes.h"
#include "base/dtype.h"
#include "runtime/program.h" // IWYU pragma: keep

#include <string.h>

/// Bytes of a value; 0 where only the execution knows its sizes.
static uint64_t value_bytes(const jitrun_type_t *type) {
  uint64_t bytes = 0;
  if (type->kind == JITRUN_KIND_SCALAR)
    return jr_dtype_size((jitrun_dtype_t)type->dtype);
  return jr_type_size_bytes(type, &bytes) ? bytes : 0;
}

/// Parameters of the entry: what is given, what the executable brings.
static void add_params(const jitrun_entry_t *entry,
                       jitrun_executable_memory_t *memory) {
  for (size_t i = 0; i < entry->param_count; i++) {
    const jitrun_allocation_t *allocation = jitrun_entry_allocation(entry, i);
    uint64_t bytes = value_bytes(entry->params[i].type);
    if (allocation->kind == JITRUN_ALLOCATION_PARAMETER)
      memory->argument_bytes += bytes;
    else if (allocation->kind == JITRUN_ALLOCATION_CONSTANT)
      memory->constant_bytes += bytes;
    else if (allocation->kind != JITRUN_ALLOCATION_LIVE_OUT)
      memory->temp_bytes += bytes;
  }
}

static void add_outputs(const jitrun_entry_t *entry,
                        jitrun_executable_memory_t *memory) {
  for (size_t i = 0; i < jitrun_entry_output_count(entry); i++) {
    const jitrun_output_t *output = jitrun_entry_output(entry, i);
    uint64_t bytes = value_bytes(output->type);
    memory->output_bytes += bytes;
    if (!output->is_result &&
        jitrun_entry_allocation(entry, output->index)->kind ==
            JITRUN_ALLOCATION_PARAMETER)
      memory->alias_bytes += bytes;
  }
}

/// Constants of the program, wherever they are.
static void add_constants(const jitrun_program_t *program,
                          jitrun_executable_memory_t *memory) {
  jitrun_memory_t one = {.size = sizeof one, .kind = JITRUN_MEMORY_TEMP};
  for (size_t i = 0; jitrun_program_memory_get(program, i, &one); i++) {
    if (one.kind == JITRUN_MEMORY_CONSTANT ||
        one.kind == JITRUN_MEMORY_CONSTANT_FILE)
      memory->constant_bytes += one.size_bytes;
  }
}

jitrun_error_t *
jitrun_executable_memory(const jitrun_executable_t *executable,
                         jitrun_executable_memory_t *out_memory) {
  if (!executable || !out_memory || out_memory->size < sizeof(size_t))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the memory of an executable needs an executable, and a "
                    "structure whose size is set");
  jitrun_program_info_t info = {.size = sizeof info};
  jitrun_program_info(executable->program, &info);
  size_t size = out_memory->size;
  jitrun_executable_memory_t memory = {.size = size,
                                       .temp_bytes = info.temp_bytes,
                                       .code_bytes = info.loaded_bytes};
  add_params(executable->entry, &memory);
  add_outputs(executable->entry, &memory);
  add_constants(executable->program, &memory);
  memcpy(out_memory, &memory, size < sizeof memory ? size : sizeof memory);
  return NULL;
}

jitrun_error_t *
jitrun_executable_fingerprint(const jitrun_executable_t *executable,
                              char out_text[JITRUN_FINGERPRINT_BYTES]) {
  struct jr_bytes text = {0};
  if (!executable || !out_text)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "a fingerprint needs an executable and room; one of them "
                    "is NULL");
  out_text[0] = '\0';
  jr_program_identity(executable->program, &text);
  jr_bytes_appendf(&text, "%s %u %u %d", executable->entry->name,
                   executable->replica_count, executable->partition_count,
                   jitrun_program_is_native(executable->program));
  jitrun_error_t *error = jr_bytes_check(&text);
  if (!error)
    jr_fingerprint_text(text.data, text.size, out_text);
  jr_bytes_deinit(&text);
  return error;
}
