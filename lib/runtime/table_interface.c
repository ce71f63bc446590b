/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See table_interface.h. Each argument by itself; table_index.c has what they
/// are to each other.
#include "runtime/table_interface.h"

#include "base/dtype.h"
#include "runtime/table_query.h"

#include <inttypes.h>

/// What the attributes of an argument say, one after the other.
struct argument {
  const struct jr_table *table;
  const struct jr_param *param;
  uint32_t number; ///< in the entry
};

static jitrun_error_t *refuse(const struct argument *argument,
                              const char *cause) {
  return jr_error(JITRUN_INVALID_ARGUMENT, "argument %" PRIu32 " %s",
                  argument->number, cause);
}

/// The numbers of an index in the data.
static jitrun_error_t *read_index(const struct argument *argument,
                                  uint64_t offset, uint32_t count,
                                  const int64_t **out_index) {
  const struct jr_table *table = argument->table;
  *out_index = NULL;
  if (count == 0)
    return NULL;
  if (count > JR_INDEX_MAX_COUNT)
    return refuse(argument, "has an index of over 32 numbers");
  if (offset % sizeof(int64_t) != 0 || offset > table->data_size ||
      count * sizeof(int64_t) > table->data_size - offset)
    return refuse(argument, "has an index outside of the data");
  *out_index = (const int64_t *)(const void *)(table->data + offset);
  for (uint32_t i = 0; i < count; i++) {
    if ((*out_index)[i] < 0 || (*out_index)[i] >= INT32_MAX)
      return refuse(argument, "has an index with numbers below 0 or above "
                              "2^31 - 2");
  }
  return NULL;
}

/// What cannot stand together on one argument.
static jitrun_error_t *check_roles(const struct argument *argument) {
  const struct jr_param *param = argument->param;
  bool is_output = (param->flags & JR_PARAM_OUTPUT) != 0;
  if (param->number > INT32_MAX)
    return refuse(argument, "is of a parameter whose number is over 2^31");
  if (param->index_count > 0 && param->number == 0)
    return refuse(argument, "is part of a parameter, and does not say of which "
                            "one");
  if ((param->flags & JR_PARAM_CONSTANT) && param->number > 0)
    return refuse(argument, "is a parameter and a constant");
  if ((param->flags & JR_PARAM_CONSTANT) && is_output)
    return refuse(argument, "is an output and a constant");
  if ((param->flags & JR_PARAM_CONSTANT) &&
      *jr_table_string(argument->table, param->name) == '\0')
    return refuse(argument, "is a constant without a name");
  if ((param->flags & JR_PARAM_PLACED) && !is_output)
    return refuse(argument, "has an output's index and is no output");
  if ((param->flags & JR_PARAM_MUST_ALIAS) && !is_output)
    return refuse(argument, "must alias an output and is none");
  if ((param->flags & JR_PARAM_MUST_ALIAS) && param->number == 0)
    return refuse(argument, "must alias an output and is no parameter");
  return NULL;
}

/// The memory of the arguments of a described entry is the executable's to
/// choose: all are memrefs of known size.
static jitrun_error_t *check_memory(const struct argument *argument) {
  const struct jr_param *param = argument->param;
  bool is_buffer =
      jr_table_type(argument->table, param->type)->kind == JITRUN_KIND_BUFFER;
  if (!is_buffer || param->alloc == JR_NONE ||
      !jr_type_is_static(jr_table_type(argument->table, param->type)))
    return refuse(argument, "is no memref of static shape, as all are in an "
                            "entry whose arguments are allocations");
  if ((param->flags & JR_PARAM_OUTPUT) && !(param->flags & JR_PARAM_PLACED))
    return refuse(argument, "is an output and does not say which one, as all "
                            "do in an entry whose arguments are allocations");
  return NULL;
}

static jitrun_allocation_kind_t find_kind(const struct jr_param *param,
                                          bool is_described) {
  if (param->number > 0 || !is_described)
    return JITRUN_ALLOCATION_PARAMETER;
  if (param->flags & JR_PARAM_CONSTANT)
    return JITRUN_ALLOCATION_CONSTANT;
  return param->flags & JR_PARAM_OUTPUT ? JITRUN_ALLOCATION_LIVE_OUT
                                        : JITRUN_ALLOCATION_TEMP;
}

static jitrun_alias_t find_alias(const struct jr_param *param,
                                 jitrun_allocation_kind_t kind) {
  if (kind != JITRUN_ALLOCATION_PARAMETER || !(param->flags & JR_PARAM_OUTPUT))
    return JITRUN_ALIAS_NONE;
  return param->flags & JR_PARAM_MUST_ALIAS ? JITRUN_ALIAS_MUST
                                            : JITRUN_ALIAS_MAY;
}

static jitrun_error_t *read_allocation(const struct argument *argument,
                                       bool is_described,
                                       jitrun_allocation_t *out) {
  const struct jr_table *table = argument->table;
  const struct jr_param *param = argument->param;
  bool is_placed = (param->flags & JR_PARAM_PLACED) != 0;
  JITRUN_TRY(check_roles(argument));
  *out = (jitrun_allocation_t){
      .kind = find_kind(param, is_described),
      .number = param->number > 0 ? param->number - 1 : argument->number,
      .index_count = param->index_count,
      .alignment = param->alloc == JR_NONE ? 1 : param->alignment,
      .output_index_count = is_placed ? param->output_index_count : 0,
      .is_output = (param->flags & JR_PARAM_OUTPUT) != 0,
      .is_unused = (param->flags & JR_PARAM_UNUSED) != 0,
      .is_thread_local = (param->flags & JR_PARAM_LOCAL) != 0};
  out->alias = find_alias(param, out->kind);
  if (param->flags & JR_PARAM_CONSTANT)
    out->name = jr_table_string(table, param->name);
  (void)jr_type_size_bytes(jr_table_type(table, param->type), &out->size_bytes);
  JITRUN_TRY(
      read_index(argument, param->index, param->index_count, &out->index));
  JITRUN_TRY(read_index(argument, param->output_index, out->output_index_count,
                        &out->output_index));
  return is_described ? check_memory(argument) : NULL;
}

/// True when the caller does not give the entry's arguments as they are.
static bool is_described(const struct jr_table *table,
                         const struct jr_entry *entry) {
  for (uint32_t i = 0; i < entry->param_count; i++) {
    const struct jr_param *param = &table->params[entry->first_param + i];
    if (param->number > 0 || (param->flags & JR_PARAM_CONSTANT))
      return true;
  }
  return entry->result_shape != 0 && entry->result_count == 0;
}

size_t jr_interfaces_bytes(const struct jr_table *table) {
  // The interface itself and four arrays, each rounded up.
  const size_t entry_bytes = sizeof(struct jr_interface) + (size_t)5 * 16;
  const size_t param_bytes = sizeof(jitrun_allocation_t) + sizeof(uint32_t) +
                             sizeof(jitrun_output_t) + sizeof(int64_t);
  return table->entry_count * entry_bytes + table->param_count * param_bytes;
}

jitrun_error_t *jr_interface_read(const struct jr_table *table, uint32_t entry,
                                  struct jr_arena *arena,
                                  struct jr_interface *out_interface) {
  const struct jr_entry *record = &table->entries[entry];
  uint32_t count = record->param_count;
  *out_interface = (struct jr_interface){
      .allocation_count = count,
      .is_described = is_described(table, record),
      .allocations = jr_arena_zalloc(arena, count, sizeof(jitrun_allocation_t)),
      .result_shape = record->result_shape == 0
                          ? NULL
                          : jr_table_string(table, record->result_shape)};
  if (!out_interface->allocations)
    return jr_error_no_memory();
  if (out_interface->is_described && record->result_count > 0)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the entry returns %" PRIu32
                    " results, and arguments of it are allocations: its "
                    "outputs have to be arguments too",
                    record->result_count);
  for (uint32_t i = 0; i < count; i++) {
    const struct argument argument = {
        .table = table,
        .param = &table->params[record->first_param + i],
        .number = i};
    JITRUN_TRY(read_allocation(&argument, out_interface->is_described,
                               &out_interface->allocations[i]));
  }
  return jr_interface_order(out_interface, table, record, arena);
}
