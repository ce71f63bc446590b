/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Checking images: entries, their parameters and results, and allocations.
/// See table_check.c.
#include "runtime/table_check.h"
#include "runtime/table_interface.h"

#include "base/dtype.h"

#include <string.h>

uint32_t jr_type_dynamic_count(const jitrun_type_t *type) {
  const int64_t *extents = jitrun_type_dims(type);
  uint32_t count = 0;
  if (jr_type_is_word(type))
    return 0;
  for (uint32_t i = 0; i < 2u * type->rank; i++)
    count += extents[i] == JITRUN_DYNAMIC;
  return count;
}

uint32_t jr_type_word_bits(const jitrun_type_t *type) {
  if (type->kind == JITRUN_KIND_SCALAR && type->dtype == JITRUN_DTYPE_PRED)
    return 1;
  return 8 * (uint32_t)jr_type_word_bytes(type);
}

bool jr_type_is_static(const jitrun_type_t *type) {
  return jr_type_dynamic_count(type) == 0;
}

uint32_t jr_table_param_entry(const struct jr_table *table, uint32_t param) {
  uint32_t low = 0;
  uint32_t high = table->entry_count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (table->entries[middle].first_param <= param)
      low = middle;
    else
      high = middle;
  }
  return low;
}

bool jr_table_is_result(const struct jr_table *table, uint32_t param) {
  const struct jr_entry *entry =
      &table->entries[jr_table_param_entry(table, param)];
  return param - entry->first_param >= entry->param_count;
}

uint32_t jr_table_param_words(const struct jr_table *table, uint32_t param) {
  const struct jr_param *record = &table->params[param];
  const jitrun_type_t *type = jr_table_type(table, record->type);
  if (jr_type_is_word(type))
    return 1;
  uint32_t address_words = record->flags & JR_RESULT_STORED ? 1 : 0;
  return address_words + jr_type_dynamic_count(type);
}

/// The entry's ranges begin at the cursors, which are moved past them.
static jitrun_error_t *check_entry(const struct jr_table *table, uint32_t index,
                                   uint64_t *param_cursor,
                                   uint64_t *thunk_cursor) {
  const struct jr_entry *entry = &table->entries[index];
  JITRUN_TRY(jr_check_string(table, entry->name, "entry", index));
  JITRUN_TRY(jr_check_string(table, entry->file, "entry", index));
  JITRUN_TRY(jr_check_string(table, entry->thunks_refused, "entry", index));
  if (*jr_table_string(table, entry->name) == '\0')
    return jr_error(JITRUN_DATA_LOSS, "damaged image: entry %u has no name",
                    index);
  if (entry->first_param != *param_cursor ||
      (entry->thunk_count > 0 && entry->first_thunk != *thunk_cursor))
    return jr_error(JITRUN_DATA_LOSS,
                    "damaged image: parameters and thunks of entry %u begin at "
                    "%u and %u instead of %llu and %llu",
                    index, entry->first_param, entry->first_thunk,
                    (unsigned long long)*param_cursor,
                    (unsigned long long)*thunk_cursor);
  *param_cursor += (uint64_t)entry->param_count + entry->result_count;
  *thunk_cursor += entry->thunk_count;
  return NULL;
}

/// The thunks of computations stand behind those of entries.
static jitrun_error_t *check_computation(const struct jr_table *table,
                                         uint32_t index,
                                         uint64_t *thunk_cursor) {
  const struct jr_computation *record = &table->computations[index];
  JITRUN_TRY(jr_check_string(table, record->name, "computation", index));
  JITRUN_TRY(jr_check_string(table, record->file, "computation", index));
  if (record->first_thunk != *thunk_cursor)
    return jr_error(JITRUN_DATA_LOSS,
                    "damaged image: thunks of computation %u begin at %u "
                    "instead of %llu",
                    index, record->first_thunk,
                    (unsigned long long)*thunk_cursor);
  *thunk_cursor += record->thunk_count;
  return NULL;
}

jitrun_error_t *jr_check_entries(const struct jr_table *table) {
  uint64_t params = 0;
  uint64_t thunks = 0;
  for (uint32_t i = 0; i < table->entry_count; i++)
    JITRUN_TRY(check_entry(table, i, &params, &thunks));
  for (uint32_t i = 0; i < table->computation_count; i++)
    JITRUN_TRY(check_computation(table, i, &thunks));
  if (params != table->param_count || thunks != table->thunk_count)
    return jr_error(JITRUN_DATA_LOSS,
                    "damaged image: entries have %llu parameters and, with "
                    "computations, %llu thunks, the image %u and %u",
                    (unsigned long long)params, (unsigned long long)thunks,
                    table->param_count, table->thunk_count);
  return NULL;
}

/// The type that was met last: most entries have few.
struct known_type {
  jr_type_ref_t ref;
  const jitrun_type_t *type; ///< NULL: none yet
  uint32_t dynamic_count;
  bool is_word, has_size;
  uint64_t size_bytes;
};

static jitrun_error_t *know_type(const struct jr_table *table,
                                 jr_type_ref_t ref, const char *owner,
                                 uint32_t index, struct known_type *known) {
  if (known->type && known->ref == ref)
    return NULL;
  JITRUN_TRY(jr_check_type(table, ref, owner, index));
  known->ref = ref;
  known->type = jr_table_type(table, ref);
  known->dynamic_count = jr_type_dynamic_count(known->type);
  known->is_word = jr_type_is_word(known->type);
  known->has_size = jr_type_size_bytes(known->type, &known->size_bytes);
  return NULL;
}

/// [offset, offset + size) of the allocation lies in `room` bytes, aligned.
static bool is_placed(const struct jr_alloc *alloc, uint64_t room,
                      uint64_t max_alignment) {
  return jr_is_power_of_two(alloc->alignment) &&
         alloc->alignment <= max_alignment && alloc->offset <= room &&
         alloc->size_bytes <= room - alloc->offset &&
         alloc->offset % alloc->alignment == 0;
}

/// What the caller gives is as large as its type says: no more may be used.
/// Whether it is a parameter or a result is checked with these.
static bool is_given(const struct jr_table *table, uint32_t index,
                     const struct known_type *known) {
  const struct jr_alloc *alloc = &table->allocs[index];
  if (alloc->param >= table->param_count ||
      table->params[alloc->param].alloc != index ||
      table->params[alloc->param].type != alloc->type)
    return false;
  if (known->dynamic_count > 0)
    return alloc->kind == JR_ALLOC_PARAM && alloc->size_bytes == 0;
  return known->has_size && alloc->size_bytes == known->size_bytes;
}

static bool is_good_alloc(const struct jr_table *table, uint32_t index,
                          const struct known_type *known) {
  const struct jr_alloc *alloc = &table->allocs[index];
  if (alloc->kind == JR_ALLOC_PARAM || alloc->kind == JR_ALLOC_LIVE_OUT)
    return is_given(table, index, known);
  if (alloc->param != JR_NONE || !known->has_size ||
      known->size_bytes > alloc->size_bytes)
    return false;
  const struct jr_table_header *header = table->header;
  if (alloc->kind == JR_ALLOC_CONSTANT || alloc->kind == JR_ALLOC_GLOBAL)
    return is_placed(alloc, table->data_size, JR_TABLE_ALIGNMENT);
  if (alloc->kind == JR_ALLOC_FILE)
    return is_placed(alloc, header->constants_bytes, JR_TABLE_ALIGNMENT);
  uint64_t temp_alignment =
      header->temp_bytes > 0 ? header->temp_alignment : JR_TABLE_MAX_ALIGNMENT;
  return alloc->kind == JR_ALLOC_TEMP &&
         is_placed(alloc, header->temp_bytes, temp_alignment);
}

static jitrun_error_t *check_alloc(const struct jr_table *table, uint32_t index,
                                   struct known_type *known) {
  const struct jr_alloc *alloc = &table->allocs[index];
  JITRUN_TRY(know_type(table, alloc->type, "allocation", index, known));
  JITRUN_TRY(jr_check_string(table, alloc->name, "allocation", index));
  if (known->type->kind == JITRUN_KIND_BUFFER &&
      is_good_alloc(table, index, known))
    return NULL;
  return jr_error(
      JITRUN_DATA_LOSS,
      "damaged image: allocation %u (kind %u, parameter %u, %llu "
      "bytes at %llu aligned to %llu) does not fit",
      index, alloc->kind, alloc->param, (unsigned long long)alloc->size_bytes,
      (unsigned long long)alloc->offset, (unsigned long long)alloc->alignment);
}

jitrun_error_t *jr_check_allocs(const struct jr_table *table) {
  struct known_type known = {0};
  for (uint32_t i = 0; i < table->alloc_count; i++)
    JITRUN_TRY(check_alloc(table, i, &known));
  return NULL;
}

/// A copied result: from what its own entry has, of the same shape.
static bool is_copy_source(const struct jr_table *table, uint32_t index) {
  const struct jr_param *param = &table->params[index];
  const struct jr_alloc *alloc = &table->allocs[param->alloc];
  const jitrun_type_t *to = jr_table_type(table, param->type);
  const jitrun_type_t *from = jr_table_type(table, alloc->type);
  if (to->dtype != from->dtype || to->rank != from->rank ||
      memcmp(jitrun_type_dims(to), jitrun_type_dims(from),
             to->rank * sizeof(int64_t)) != 0)
    return false;
  return alloc->param == JR_NONE || jr_table_param_entry(table, alloc->param) ==
                                        jr_table_param_entry(table, index);
}

/// A parameter, or a result that is not copied, and its allocation name each
/// other; of allocations that is known already, but for what they are of.
static bool has_good_alloc(const struct jr_table *table, uint32_t index,
                           bool is_result, const struct known_type *known) {
  const struct jr_param *param = &table->params[index];
  bool is_stored = (param->flags & JR_RESULT_STORED) != 0;
  if (known->is_word)
    return param->alloc == JR_NONE && !is_stored;
  if (!jr_is_power_of_two(param->alignment))
    return false;
  if (is_stored)
    return param->alloc == JR_NONE && !(param->flags & JR_RESULT_COPY) &&
           is_result;
  if (param->alloc >= table->alloc_count)
    return false;
  const struct jr_alloc *alloc = &table->allocs[param->alloc];
  if (alloc->param == index && is_result != (alloc->kind == JR_ALLOC_LIVE_OUT))
    return false;
  if (param->flags & JR_RESULT_COPY)
    return is_result && is_copy_source(table, index);
  return alloc->param == index;
}

/// What parameters alone say of the program that they come from.
static bool has_role(const struct jr_param *param) {
  const uint32_t flags = JR_PARAM_OUTPUT | JR_PARAM_PLACED |
                         JR_PARAM_MUST_ALIAS | JR_PARAM_CONSTANT |
                         JR_PARAM_LOCAL | JR_PARAM_UNUSED;
  return param->number > 0 || param->index_count > 0 ||
         param->output_index_count > 0 || (param->flags & flags);
}

static jitrun_error_t *check_param(const struct jr_table *table, uint32_t index,
                                   bool is_result, struct known_type *known) {
  const struct jr_param *param = &table->params[index];
  JITRUN_TRY(know_type(table, param->type, "parameter", index, known));
  JITRUN_TRY(jr_check_string(table, param->name, "parameter", index));
  if ((param->flags & JR_PARAM_CONSTRAINT) && is_result)
    return jr_error(JITRUN_DATA_LOSS,
                    "damaged image: result %u has a constraint, as only "
                    "parameters do",
                    index);
  if (is_result && has_role(param))
    return jr_error(JITRUN_DATA_LOSS,
                    "damaged image: result %u is an allocation, as only "
                    "parameters are",
                    index);
  if (has_good_alloc(table, index, is_result, known))
    return NULL;
  return jr_error(JITRUN_DATA_LOSS,
                  "damaged image: parameter %u (alignment %llu) and allocation "
                  "%u do not belong together",
                  index, (unsigned long long)param->alignment, param->alloc);
}

/// As jr_table_param_words(), of a type that is known.
static uint32_t word_count_of(const struct jr_param *param,
                              const struct known_type *known) {
  uint32_t address_words = param->flags & JR_RESULT_STORED ? 1 : 0;
  return known->is_word ? 1 : address_words + known->dynamic_count;
}

/// Checks parameters, or results, of an entry; their run-time words stand one
/// behind the other, `word_count` in all.
static jitrun_error_t *check_params(const struct jr_table *table,
                                    const struct jr_entry *entry,
                                    bool are_results,
                                    struct known_type *known) {
  uint32_t first = entry->first_param + (are_results ? entry->param_count : 0);
  uint32_t count = are_results ? entry->result_count : entry->param_count;
  uint32_t word_count = are_results ? entry->result_words : entry->scalar_words;
  uint64_t cursor = 0;
  for (uint32_t i = first; i < first + count; i++) {
    JITRUN_TRY(check_param(table, i, are_results, known));
    uint32_t words = word_count_of(&table->params[i], known);
    uint32_t first_word = table->params[i].first_word;
    if (words > 0 && first_word != cursor)
      return jr_error(
          JITRUN_DATA_LOSS,
          "damaged image: words of parameter %u begin at %u instead "
          "of %llu",
          i, first_word, (unsigned long long)cursor);
    cursor += words;
  }
  if (cursor != word_count)
    return jr_error(JITRUN_DATA_LOSS,
                    "damaged image: parameters from %u on need %llu run-time "
                    "words, their entry has %u",
                    first, (unsigned long long)cursor, word_count);
  return NULL;
}

bool jr_entry_is_plain(const struct jr_table *table,
                       const struct jr_entry *entry) {
  if (entry->result_shape != 0)
    return false;
  for (uint32_t i = 0; i < entry->param_count; i++) {
    if (has_role(&table->params[entry->first_param + i]))
      return false;
  }
  return true;
}

/// What an entry says of its allocations and outputs agrees.
static jitrun_error_t *check_interface(const struct jr_table *table,
                                       uint32_t index) {
  const struct jr_entry *entry = &table->entries[index];
  struct jr_arena arena = {0};
  struct jr_interface interface;
  JITRUN_TRY(jr_check_string(table, entry->result_shape, "entry", index));
  jitrun_error_t *error = jr_interface_read(table, index, &arena, &interface);
  jr_arena_deinit(&arena);
  if (!error || jitrun_error_code(error) == JITRUN_RESOURCE_EXHAUSTED)
    return error;
  jitrun_error_t *damage =
      jr_error(JITRUN_DATA_LOSS, "damaged image: entry %u: %s", index,
               jitrun_error_message(error));
  jitrun_error_free(error);
  return damage;
}

jitrun_error_t *jr_check_params(struct jr_table *table) {
  struct known_type known = {0};
  for (uint32_t i = 0; i < table->entry_count; i++) {
    const struct jr_entry *entry = &table->entries[i];
    JITRUN_TRY(check_params(table, entry, false, &known));
    JITRUN_TRY(check_params(table, entry, true, &known));
    if (jr_entry_is_plain(table, entry))
      continue;
    table->has_described = true;
    JITRUN_TRY(check_interface(table, i));
  }
  return NULL;
}
