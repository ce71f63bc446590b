/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Results of an entry that are not in the memory given for them when it is
/// done: words, and elements that are copied from where the program has them.
#include "runtime/execute.h"

#include "base/dtype.h"

#include <string.h>

/// A copy of strided elements; sizes are those of both sides.
struct copy {
  const int64_t *dims;
  const int64_t *to_strides, *from_strides;
  uint32_t rank;
  size_t element_bytes;
};

/// Bytes between elements; may wrap around where there is one element only, as
/// such a stride can be anything.
static ptrdiff_t step_bytes(int64_t stride, size_t element_bytes) {
  return (ptrdiff_t)((uint64_t)stride * element_bytes);
}

/// Copies the dimensions from `first` on; rows at once where they are dense.
static void copy_elements(const struct copy *copy, uint32_t first, char *to,
                          const char *from) {
  size_t bytes = copy->element_bytes;
  if (first == copy->rank) {
    memcpy(to, from, bytes);
    return;
  }
  int64_t count = copy->dims[first];
  ptrdiff_t to_step = step_bytes(copy->to_strides[first], bytes);
  ptrdiff_t from_step = step_bytes(copy->from_strides[first], bytes);
  if (first + 1 == copy->rank && to_step == (ptrdiff_t)bytes &&
      from_step == (ptrdiff_t)bytes) {
    memcpy(to, from, (size_t)count * bytes);
    return;
  }
  for (int64_t i = 0; i < count; i++)
    copy_elements(copy, first + 1, to + i * to_step, from + i * from_step);
}

/// Elements where the program has them.
struct source {
  uint32_t rank;
  const char *data;
  int64_t extents[2 * JR_TABLE_MAX_RANK]; ///< sizes, then strides
};

/// A returned argument or constant.
static void read_alloc(const struct jr_context *context,
                       const struct jr_param *param, struct source *source) {
  const struct jr_table *table = &context->program->table;
  const jitrun_type_t *type = context->views[param->alloc];
  if (!type)
    type = jr_table_type(table, table->allocs[param->alloc].type);
  source->rank = type->rank;
  source->data = context->exec.bases[param->alloc];
  if (type->rank > 0)
    memcpy(source->extents, type + 1, 2 * sizeof(int64_t) * type->rank);
}

/// What the entry stored: an address, and what its type leaves open.
static void read_words(const struct jr_context *context,
                       const struct jr_param *param, struct source *source) {
  const jitrun_type_t *type =
      jr_table_type(&context->program->table, param->type);
  const uint64_t *word = context->results + param->first_word;
  source->rank = type->rank;
  source->data = (const char *)(uintptr_t)*word++;
  for (uint32_t i = 0; i < 2u * type->rank; i++) {
    int64_t declared = jitrun_type_dims(type)[i];
    source->extents[i] =
        declared == JITRUN_DYNAMIC ? (int64_t)*word++ : declared;
  }
}

/// The memory given for a result has other sizes than the result.
static jitrun_error_t *refuse_sizes(size_t index, const struct source *source,
                                    const jitrun_tensor_t *tensor) {
  struct jr_bytes text = {0};
  jr_bytes_appendf(&text, "result %zu has the sizes [", index);
  for (uint32_t i = 0; i < source->rank; i++)
    jr_bytes_appendf(&text, "%s%lld", i ? ", " : "",
                     (long long)source->extents[i]);
  jr_bytes_append_text(&text, "], the memory given for it [");
  for (uint32_t i = 0; i < source->rank; i++)
    jr_bytes_appendf(&text, "%s%lld", i ? ", " : "",
                     (long long)tensor->dims[i]);
  jr_bytes_append_text(&text, "]");
  const char *message = jr_bytes_text(&text);
  jitrun_error_t *err = message
                            ? jr_error(JITRUN_INVALID_ARGUMENT, "%s", message)
                            : jr_error_no_memory();
  jr_bytes_deinit(&text);
  return err;
}

static jitrun_error_t *copy_result(const struct source *source, size_t index,
                                   const jitrun_tensor_t *tensor) {
  size_t dims_bytes = source->rank * sizeof(int64_t);
  if (dims_bytes > 0 && memcmp(source->extents, tensor->dims, dims_bytes) != 0)
    return refuse_sizes(index, source, tensor);
  for (uint32_t i = 0; i < source->rank; i++) {
    if (tensor->dims[i] == 0)
      return NULL;
  }
  int64_t to_strides[JR_TABLE_MAX_RANK];
  jr_tensor_strides(tensor, to_strides);
  struct copy copy = {.dims = tensor->dims,
                      .to_strides = to_strides,
                      .from_strides = source->extents + source->rank,
                      .rank = source->rank,
                      .element_bytes = jr_dtype_size(tensor->dtype)};
  copy_elements(&copy, 0, tensor->data, source->data);
  return NULL;
}

static jitrun_error_t *store_buffer(const struct jr_context *context,
                                    const struct jr_param *param, size_t index,
                                    const struct jr_arguments *given) {
  struct source source = {0};
  if (param->flags & JR_RESULT_COPY)
    read_alloc(context, param, &source);
  else if (param->flags & JR_RESULT_STORED)
    read_words(context, param, &source);
  else
    return NULL;
  if (given->owner)
    JITRUN_TRY(jr_execution_make(given->owner, index, source.extents));
  return copy_result(&source, index, &given->results[index]);
}

static void store_word(const struct jr_context *context,
                       const struct jr_param *param,
                       const jitrun_tensor_t *tensor) {
  const jitrun_type_t *type =
      jr_table_type(&context->program->table, param->type);
  uint64_t word = context->results[param->first_word];
  if (type->dtype == JITRUN_DTYPE_PRED)
    word &= 1;
  if (type->kind >= JITRUN_KIND_TOKEN)
    jr_async_work_result((jitrun_async_t *)(uintptr_t)word, type);
  memcpy(tensor->data, &word, jr_type_word_bytes(type));
}

jitrun_error_t *jr_results_store(const struct jr_context *context,
                                 uint32_t entry,
                                 const struct jr_arguments *given) {
  const struct jr_table *table = &context->program->table;
  const struct jr_entry *record = &table->entries[entry];
  const struct jr_param *results =
      table->params + record->first_param + record->param_count;
  for (uint32_t i = 0; i < record->result_count; i++) {
    if (!jr_type_is_word(jr_table_type(table, results[i].type)))
      JITRUN_TRY(store_buffer(context, &results[i], i, given));
  }
  /* Handles are retained for the caller, so nothing fails behind them. */
  for (uint32_t i = 0; i < record->result_count; i++) {
    if (jr_type_is_word(jr_table_type(table, results[i].type)))
      store_word(context, &results[i], &given->results[i]);
  }
  return NULL;
}

void jr_results_drop(const jitrun_entry_t *entry,
                     const struct jr_arguments *given) {
  jitrun_async_t *const none = NULL;
  enum { HANDLE_BYTES = sizeof none }; // NOLINT(bugprone-sizeof-expression)
  for (size_t i = 0; i < entry->result_count; i++) {
    if (entry->results[i].type->kind < JITRUN_KIND_TOKEN)
      continue;
    jitrun_async_t *async;
    memcpy(&async, given->results[i].data, HANDLE_BYTES);
    memcpy(given->results[i].data, &none, HANDLE_BYTES);
    jitrun_async_release(async);
  }
}
