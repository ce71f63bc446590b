/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See jitrun/allocation.h: the public view of what table_interface.c reads.
#include "jitrun/allocation.h"

#include "runtime/program.h" // IWYU pragma: keep

#include <string.h>

/// Under which interfaces are read.
static pthread_mutex_t read_lock = PTHREAD_MUTEX_INITIALIZER;

/// Reads the interface of a plain entry, the first time that somebody asks. Its
/// memory was reserved, and nothing in it can be refused.
static const struct jr_interface *read_interface(struct jr_details *details) {
  jitrun_program_t *program = (jitrun_program_t *)(uintptr_t)details->program;
  uint32_t index = (uint32_t)(details - program->details);
  (void)pthread_mutex_lock(&read_lock);
  struct jr_interface *interface = details->interface;
  if (!interface) {
    interface = jr_arena_alloc(&program->interfaces, sizeof *interface);
    jitrun_error_free(jr_interface_read(&program->table, index,
                                        &program->interfaces, interface));
    __atomic_store_n(&details->interface, interface, __ATOMIC_RELEASE);
  }
  (void)pthread_mutex_unlock(&read_lock);
  return interface;
}

static const struct jr_interface *get_interface(const jitrun_entry_t *entry) {
  static const struct jr_interface none;
  if (!entry || !entry->details)
    return &none;
  struct jr_details *details = (struct jr_details *)(uintptr_t)entry->details;
  const struct jr_interface *interface =
      __atomic_load_n(&details->interface, __ATOMIC_ACQUIRE);
  return interface ? interface : read_interface(details);
}

const jitrun_allocation_t *jitrun_entry_allocation(const jitrun_entry_t *entry,
                                                   size_t index) {
  const struct jr_interface *interface = get_interface(entry);
  return index < interface->allocation_count ? &interface->allocations[index]
                                             : NULL;
}

bool jitrun_entry_is_described(const jitrun_entry_t *entry) {
  return get_interface(entry)->is_described;
}

size_t jitrun_entry_input_count(const jitrun_entry_t *entry) {
  return get_interface(entry)->input_count;
}

uint32_t jitrun_entry_input(const jitrun_entry_t *entry, size_t index) {
  const struct jr_interface *interface = get_interface(entry);
  return index < interface->input_count ? interface->inputs[index] : UINT32_MAX;
}

size_t jitrun_entry_output_count(const jitrun_entry_t *entry) {
  return get_interface(entry)->output_count;
}

const jitrun_output_t *jitrun_entry_output(const jitrun_entry_t *entry,
                                           size_t index) {
  const struct jr_interface *interface = get_interface(entry);
  return index < interface->output_count ? &interface->outputs[index] : NULL;
}

const char *jitrun_entry_result_shape(const jitrun_entry_t *entry) {
  return get_interface(entry)->result_shape;
}

bool jitrun_program_memory_get(const jitrun_program_t *program, size_t index,
                               jitrun_memory_t *out_memory) {
  static const uint8_t kinds[] = {[JR_ALLOC_PARAM] = JITRUN_MEMORY_PARAMETER,
                                  [JR_ALLOC_CONSTANT] = JITRUN_MEMORY_CONSTANT,
                                  [JR_ALLOC_TEMP] = JITRUN_MEMORY_TEMP,
                                  [JR_ALLOC_LIVE_OUT] = JITRUN_MEMORY_RESULT,
                                  [JR_ALLOC_GLOBAL] = JITRUN_MEMORY_VARIABLE,
                                  [JR_ALLOC_FILE] =
                                      JITRUN_MEMORY_CONSTANT_FILE};
  if (!program || !out_memory || index >= program->table.alloc_count)
    return false;
  const struct jr_table *table = &program->table;
  const struct jr_alloc *alloc = &table->allocs[index];
  size_t size = out_memory->size;
  const jitrun_memory_t memory = {.size = size,
                                  .kind =
                                      (jitrun_memory_kind_t)kinds[alloc->kind],
                                  .name = jr_table_string(table, alloc->name),
                                  .type = jr_table_type(table, alloc->type),
                                  .size_bytes = alloc->size_bytes,
                                  .offset_bytes = alloc->offset,
                                  .alignment = alloc->alignment};
  memcpy(out_memory, &memory, size < sizeof memory ? size : sizeof memory);
  return true;
}
