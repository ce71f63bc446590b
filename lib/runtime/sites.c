/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The immutable view of a program: its table's records as the public structs
/// that callers and handlers see, with plain pointers instead of indices; and
/// the instantiate stage, which hands them to handlers for the first time.
#include "base/alloc.h"
#include "runtime/context.h"
#include "runtime/table_write.h"

#include <stdlib.h>
#include <string.h>

static void convert_attr(const jitrun_program_t *program,
                         const struct jr_attr *from, jitrun_attr_t *to) {
  const struct jr_table *table = &program->table;
  *to = (jitrun_attr_t){.name = jr_table_string(table, from->name),
                        .kind = from->kind,
                        .dtype = from->dtype,
                        .rank = from->rank,
                        .count = from->count};
  switch (from->kind) {
  case JITRUN_ATTR_SCALAR:
    to->value.u64 = from->value;
    break;
  case JITRUN_ATTR_STRING:
    to->value.string = (const char *)table->data + from->value;
    break;
  case JITRUN_ATTR_DICT:
    to->value.items = from->count > 0 ? &program->attrs[from->value] : NULL;
    break;
  case JITRUN_ATTR_UNIT:
    break;
  case JITRUN_ATTR_FUNCTION:
    to->value.entry = (uint32_t)from->value;
    break;
  default:
    to->value.data = table->data + from->value;
    break;
  }
  if (from->type != 0)
    to->type_name = jr_table_string(table, from->type);
  if (from->kind == JITRUN_ATTR_TENSOR)
    to->dims = (const int64_t *)(const void *)(table->data + from->dims);
}

static bool build_attrs(jitrun_program_t *program) {
  const struct jr_table *table = &program->table;
  program->attrs = jr_arena_zalloc(&program->arena, table->attr_count,
                                   sizeof *program->attrs);
  if (!program->attrs)
    return false;
  for (uint32_t i = 0; i < table->attr_count; i++)
    convert_attr(program, &table->attrs[i], &program->attrs[i]);
  return true;
}

/// Memory for the views of entries, which are made when somebody asks for them,
/// and for the interfaces of those that are plain.
static bool reserve_entries(jitrun_program_t *program) {
  const struct jr_table *table = &program->table;
  struct jr_arena *arena = &program->arena;
  size_t count = table->entry_count;
  program->values =
      jr_arena_alloc(arena, table->param_count * sizeof *program->values);
  program->entries = jr_arena_alloc(arena, count * sizeof *program->entries);
  program->details = jr_arena_alloc(arena, count * sizeof *program->details);
  program->is_entry_made =
      jr_arena_zalloc(arena, count, sizeof *program->is_entry_made);
  return program->values && program->entries && program->details &&
         program->is_entry_made &&
         jr_arena_reserve(&program->interfaces, jr_interfaces_bytes(table));
}

/// Makes the view of an entry.
static void make_entry(const jitrun_program_t *program, uint32_t index) {
  const struct jr_table *table = &program->table;
  const struct jr_entry *entry = &table->entries[index];
  jitrun_value_info_t *values = program->values + entry->first_param;
  for (uint32_t i = 0; i < entry->param_count + entry->result_count; i++) {
    const struct jr_param *param = &table->params[entry->first_param + i];
    values[i] = (jitrun_value_info_t){
        .type = jr_table_type(table, param->type),
        .alignment = param->alloc == JR_NONE ? 1 : param->alignment,
        .is_output = (param->flags & JR_PARAM_OUTPUT) != 0,
        .constraint =
            (jitrun_constraint_t)((param->flags & JR_PARAM_CONSTRAINT) >>
                                  JR_PARAM_CONSTRAINT_SHIFT)};
  }
  program->details[index] = (struct jr_details){.program = program};
  program->entries[index] =
      (jitrun_entry_t){.name = jr_table_string(table, entry->name),
                       .params = values,
                       .param_count = entry->param_count,
                       .results = values + entry->param_count,
                       .result_count = entry->result_count,
                       .details = &program->details[index]};
}

const jitrun_entry_t *jr_program_entry(const jitrun_program_t *program,
                                       uint32_t index) {
  static pthread_mutex_t make_lock = PTHREAD_MUTEX_INITIALIZER;
  bool *is_made = &program->is_entry_made[index];
  if (!__atomic_load_n(is_made, __ATOMIC_ACQUIRE)) {
    (void)pthread_mutex_lock(&make_lock);
    if (!*is_made)
      make_entry(program, index);
    __atomic_store_n(is_made, true, __ATOMIC_RELEASE);
    (void)pthread_mutex_unlock(&make_lock);
  }
  return &program->entries[index];
}

static void convert_site(jitrun_program_t *program, const struct jr_site *from,
                         const jitrun_type_t *const *types, jitrun_site_t *to) {
  const struct jr_table *table = &program->table;
  *to = (jitrun_site_t){
      .size = sizeof *to,
      .api = &jr_call_api,
      .target = jr_table_string(table, from->target),
      .file = jr_table_string(table, from->file),
      .line = from->line,
      .column = from->column,
      .arg_count = from->arg_count,
      .result_count = from->result_count,
      .attr_count = from->attr_count,
      .types = types + from->first_arg,
      .attrs = program->attrs,
      .program = program,
      .index = (uint64_t)(from - table->sites),
  };
  if (from->attr_count > 0)
    to->attrs += from->first_attr;
}

static bool build_sites(jitrun_program_t *program) {
  const struct jr_table *table = &program->table;
  const jitrun_type_t **types = jr_arena_zalloc(
      &program->arena, table->arg_count, sizeof(const jitrun_type_t *));
  program->sites = jr_arena_zalloc(&program->arena, table->site_count,
                                   sizeof *program->sites);
  if (!types || !program->sites)
    return false;
  for (uint32_t i = 0; i < table->arg_count; i++)
    types[i] = jr_table_type(table, table->args[i].type);
  for (uint64_t i = 0; i < table->site_count; i++)
    convert_site(program, &table->sites[i], types, &program->sites[i]);
  return true;
}

/// Reads the interfaces of entries that are not plain: they can be refused.
static jitrun_error_t *build_interfaces(jitrun_program_t *program) {
  const struct jr_table *table = &program->table;
  for (uint32_t i = 0; table->has_described && i < table->entry_count; i++) {
    if (jr_entry_is_plain(table, &table->entries[i]))
      continue;
    (void)jr_program_entry(program, i);
    struct jr_interface *interface =
        jr_arena_alloc(&program->arena, sizeof *interface);
    if (!interface)
      return jr_error_no_memory();
    program->details[i].interface = interface;
    JITRUN_TRY(jr_interface_read(table, i, &program->arena, interface));
  }
  return NULL;
}

jitrun_error_t *jr_program_build(jitrun_program_t *program) {
  if (!build_attrs(program) || !reserve_entries(program) ||
      !build_sites(program))
    return jr_error_no_memory();
  return build_interfaces(program);
}

jitrun_error_t *jr_error_in_site(jitrun_error_t *error,
                                 const jitrun_site_t *site, const char *doing) {
  error = jr_error_at(error, site->file, site->line, site->column);
  return jr_error_note(error, "%s custom call '%s'", doing, site->target);
}

/// The room for a frame of any site that has an instantiate stage; 0 when none
/// has.
static size_t measure_frames(const jitrun_program_t *program) {
  size_t largest = 0;
  for (uint64_t i = 0; i < program->table.site_count; i++) {
    const jitrun_site_t *site = &program->sites[i];
    size_t size = jr_frame_header_bytes(site->arg_count, site->result_count);
    if (program->handlers[i]->instantiate && size > largest)
      largest = size;
  }
  return largest;
}

/// Runs the stage in a frame without values, of which the state is kept.
static jitrun_error_t *instantiate_site(jitrun_program_t *program,
                                        uint64_t index, jitrun_call_t *frame) {
  const jitrun_site_t *site = &program->sites[index];
  uint32_t count = site->arg_count + site->result_count;
  *frame = (jitrun_call_t){.site = site, .attrs = program->site_attrs[index]};
  jitrun_arg_t *args = (jitrun_arg_t *)(void *)(frame + 1);
  for (uint32_t i = 0; i < count; i++)
    args[i] = (jitrun_arg_t){.type = site->types[i]};
  jitrun_error_t *err = program->handlers[index]->instantiate(frame);
  if (err)
    return jr_error_in_site(err, site, "while instantiating");
  program->states[index] = frame->state;
  return NULL;
}

jitrun_error_t *jr_program_instantiate(jitrun_program_t *program) {
  size_t frame_bytes = measure_frames(program);
  if (frame_bytes == 0)
    return NULL;
  jitrun_call_t *frame = jr_malloc(frame_bytes);
  if (!frame)
    return jr_error_no_memory();
  jitrun_error_t *err = NULL;
  for (uint64_t i = 0; !err && i < program->table.site_count; i++) {
    if (program->handlers[i]->instantiate)
      err = instantiate_site(program, i, frame);
  }
  free(frame);
  err = jr_diagnostics_join(&program->diagnostics, err);
  jr_diagnostics_clear(&program->diagnostics);
  return err;
}

void jr_program_drop_states(jitrun_program_t *program) {
  if (!program->states)
    return;
  for (uint64_t i = program->table.site_count; i-- > 0;) {
    if (program->states[i] && program->handlers[i]->destroy_state)
      program->handlers[i]->destroy_state(program->states[i]);
  }
}
