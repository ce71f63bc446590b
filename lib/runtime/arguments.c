/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Checking arguments and results before an execution: after this, neither
/// native code nor a handler can meet memory that is too small, misaligned or
/// shared with a result.
#include "runtime/arguments.h"
#include "runtime/async.h"

#include "base/alloc.h"
#include "base/dtype.h"
#include "base/strings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// One argument or result, with what its place in the signature asks.
struct value {
  bool is_result;
  size_t index;
  const jitrun_entry_t *entry;
  const jitrun_value_info_t *wanted;
  const jitrun_tensor_t *tensor;
};

/// A type record of any rank that is accepted, on the stack.
struct type_buffer {
  jitrun_type_t type;
  int64_t extents[2 * JR_TABLE_MAX_RANK];
};

static const char *role_name(bool is_result) {
  return is_result ? "result" : "argument";
}

void jr_tensor_strides(const jitrun_tensor_t *tensor,
                       int64_t out_strides[JR_TABLE_MAX_RANK]) {
  if (!tensor->strides)
    jr_dense_strides(tensor->dims, tensor->rank, out_strides);
  else if (tensor->rank > 0)
    memcpy(out_strides, tensor->strides, tensor->rank * sizeof(int64_t));
}

/// The type that a tensor of an accepted rank has.
static void fill_type(struct type_buffer *buffer,
                      const jitrun_tensor_t *tensor) {
  buffer->type = (jitrun_type_t){.kind = JITRUN_KIND_BUFFER,
                                 .dtype = (uint8_t)tensor->dtype,
                                 .rank = (uint16_t)tensor->rank};
  if (tensor->rank > 0)
    memcpy(buffer->extents, tensor->dims, tensor->rank * sizeof(int64_t));
  jr_tensor_strides(tensor, buffer->extents + tensor->rank);
}

/// "argument 1 of entry 'main' is 2x4xi32, 2x3xi32 is needed: <cause>".
static jitrun_error_t *refuse_value(const struct value *value,
                                    const struct type_buffer *found,
                                    const char *cause) {
  struct jr_bytes text = {0};
  jr_bytes_appendf(&text, "%s %zu of entry '%s' is ",
                   role_name(value->is_result), value->index,
                   value->entry->name);
  if (found)
    jr_type_format(&text, &found->type);
  else
    jr_bytes_appendf(&text, "of rank %u", value->tensor->rank);
  jr_bytes_append_text(&text, ", ");
  jr_type_format(&text, value->wanted->type);
  jr_bytes_appendf(&text, " is needed: %s", cause);
  const char *message = jr_bytes_text(&text);
  jitrun_error_t *err = message
                            ? jr_error(JITRUN_INVALID_ARGUMENT, "%s", message)
                            : jr_error_no_memory();
  jr_bytes_deinit(&text);
  return err;
}

static bool fits_extent(int64_t wanted, int64_t found) {
  return found >= 0 && (wanted == JITRUN_DYNAMIC || wanted == found);
}

static bool is_empty(const struct type_buffer *type) {
  for (uint32_t i = 0; i < type->type.rank; i++) {
    if (type->extents[i] == 0)
      return true;
  }
  return false;
}

/// Describes the first size or stride that differs; true when there is one.
/// Strides count only where there is more than one element along them.
static bool find_difference(const struct value *value,
                            const struct type_buffer *found, char *cause,
                            size_t cause_size) {
  const int64_t *wanted = jitrun_type_dims(value->wanted->type);
  const int64_t *extents = found->extents;
  uint32_t rank = found->type.rank;
  for (uint32_t i = 0; i < rank; i++) {
    if (!fits_extent(wanted[i], extents[i])) {
      (void)snprintf(cause, cause_size, "size %u is %lld", i,
                     (long long)extents[i]);
      return true;
    }
  }
  for (uint32_t i = 0; !is_empty(found) && i < rank; i++) {
    if (extents[i] > 1 && !fits_extent(wanted[rank + i], extents[rank + i])) {
      (void)snprintf(cause, cause_size, "stride %u is %lld", i,
                     (long long)extents[rank + i]);
      return true;
    }
  }
  return false;
}

/// Bytes from the first to past the last element; false when they are more
/// than an address space has. Strides of sizes up to one do not count.
static bool measure_type(const struct type_buffer *type, uint64_t *out_bytes) {
  uint64_t count = is_empty(type) ? 0 : 1;
  uint32_t rank = type->type.rank;
  for (uint32_t i = 0; count > 0 && i < rank; i++) {
    uint64_t reach = 0;
    if (type->extents[i] > 1 &&
        (!jr_mul_u64((uint64_t)type->extents[i] - 1,
                     (uint64_t)type->extents[rank + i], &reach) ||
         !jr_add_u64(count, reach, &count)))
      return false;
  }
  size_t element_bytes = jr_dtype_size((jitrun_dtype_t)type->type.dtype);
  return jr_mul_u64(count, element_bytes, out_bytes) && *out_bytes <= INT64_MAX;
}

static jitrun_error_t *check_memory(const struct value *value,
                                    const struct type_buffer *found,
                                    uint64_t size_bytes) {
  uintptr_t address = (uintptr_t)value->tensor->data;
  uint64_t alignment = value->wanted->alignment;
  if (size_bytes == 0)
    return NULL;
  if (address == 0)
    return refuse_value(value, found, "its data is NULL");
  if (address % alignment == 0)
    return NULL;
  return jr_error(JITRUN_INVALID_ARGUMENT,
                  "%s %zu of entry '%s' is at %p, which is aligned to %llu "
                  "bytes; %llu are needed",
                  role_name(value->is_result), value->index, value->entry->name,
                  value->tensor->data,
                  (unsigned long long)(address & (~address + 1)),
                  (unsigned long long)alignment);
}

/// True for values that are pointers of the program.
static bool is_pointer(const jitrun_type_t *type) {
  return type->kind != JITRUN_KIND_SCALAR && type->kind != JITRUN_KIND_BUFFER;
}

/// A handle that is given must be one for what the program wants.
static jitrun_error_t *check_handle(const struct value *value) {
  const jitrun_async_t *async;
  if (value->is_result || value->wanted->type->kind == JITRUN_KIND_OPAQUE)
    return NULL;
  memcpy(&async, value->tensor->data, sizeof(void *));
  if (!async)
    return refuse_value(value, NULL, "the async handle is NULL");
  return jr_async_fits(async, value->wanted->type)
             ? NULL
             : refuse_value(value, NULL, "the async handle is of another type");
}

/// A place for a pointer: opaque ones as such, all others as async handles.
static jitrun_error_t *check_pointer(const struct value *value,
                                     uint64_t *out_bytes) {
  const jitrun_tensor_t *tensor = value->tensor;
  jitrun_dtype_t dtype = value->wanted->type->kind == JITRUN_KIND_OPAQUE
                             ? JITRUN_DTYPE_OPAQUE
                             : JITRUN_DTYPE_TOKEN;
  *out_bytes = sizeof(void *);
  if (tensor->rank != 0)
    return refuse_value(value, NULL, "the rank differs");
  struct type_buffer found;
  fill_type(&found, tensor);
  if (tensor->dtype != dtype)
    return refuse_value(value, &found, "the element type differs");
  JITRUN_TRY(check_memory(value, &found, *out_bytes));
  return check_handle(value);
}

/// Integers with and without a sign fit each other, as they do in JitRt, and so
/// does a truth value a byte. A byte is no truth value: it can be 2.
static bool fits_dtype(const struct value *value) {
  static const jitrun_dtype_t pairs[][2] = {
      {JITRUN_DTYPE_S8, JITRUN_DTYPE_U8},
      {JITRUN_DTYPE_S16, JITRUN_DTYPE_U16},
      {JITRUN_DTYPE_S32, JITRUN_DTYPE_U32},
      {JITRUN_DTYPE_S64, JITRUN_DTYPE_U64}};
  jitrun_dtype_t found = value->tensor->dtype;
  jitrun_dtype_t wanted = (jitrun_dtype_t)value->wanted->type->dtype;
  if (found == wanted)
    return true;
  if (value->is_result)
    return false;
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
    if ((found == pairs[i][0] && wanted == pairs[i][1]) ||
        (found == pairs[i][1] && wanted == pairs[i][0]))
      return true;
  }
  return found == JITRUN_DTYPE_PRED && wanted == JITRUN_DTYPE_S8;
}

/// Everything about one value; `out_bytes` is what it covers in memory.
static jitrun_error_t *check_value(const struct value *value,
                                   uint64_t *out_bytes) {
  const jitrun_tensor_t *tensor = value->tensor;
  const jitrun_type_t *wanted = value->wanted->type;
  struct type_buffer found;
  char cause[80];
  if (is_pointer(wanted))
    return check_pointer(value, out_bytes);
  if (tensor->rank > JR_TABLE_MAX_RANK)
    return refuse_value(value, NULL, "the rank differs");
  if (tensor->rank > 0 && !tensor->dims)
    return refuse_value(value, NULL, "its sizes are NULL");
  fill_type(&found, tensor);
  if (tensor->rank != wanted->rank)
    return refuse_value(value, &found, "the rank differs");
  if (!fits_dtype(value))
    return refuse_value(value, &found, "the element type differs");
  if (find_difference(value, &found, cause, sizeof cause))
    return refuse_value(value, &found, cause);
  if (!measure_type(&found, out_bytes))
    return refuse_value(value, &found, "it has over 2^63 bytes");
  return check_memory(value, &found, *out_bytes);
}

static jitrun_error_t *check_counts(const jitrun_entry_t *entry,
                                    const struct jr_arguments *given) {
  if (given->arg_count == entry->param_count &&
      (given->result_count == entry->result_count || given->is_args_only))
    return NULL;
  bool is_arg = given->arg_count != entry->param_count;
  size_t wanted = is_arg ? entry->param_count : entry->result_count;
  size_t found = is_arg ? given->arg_count : given->result_count;
  struct jr_bytes text = {0};
  jr_entry_format(&text, entry);
  const char *signature = jr_bytes_text(&text);
  jitrun_error_t *err = jr_error(
      JITRUN_INVALID_ARGUMENT, "entry '%s' %s %zu %s%s: %s; %zu %s given",
      entry->name, is_arg ? "takes" : "returns", wanted,
      is_arg ? "argument" : "result", wanted == 1 ? "" : "s",
      signature ? signature : "", found, found == 1 ? "was" : "were");
  jr_bytes_deinit(&text);
  return err;
}

/// Memory of a buffer, or of any result.
struct range {
  uintptr_t start, end;
  bool is_result;
  size_t index;
};

static int compare_ranges(const void *a, const void *b) {
  const struct range *left = a;
  const struct range *right = b;
  return (left->start > right->start) - (left->start < right->start);
}

static jitrun_error_t *refuse_overlap(const jitrun_entry_t *entry,
                                      const struct range *a,
                                      const struct range *b) {
  const struct range *result = a->is_result ? a : b;
  const struct range *other = a->is_result ? b : a;
  return jr_error(JITRUN_INVALID_ARGUMENT,
                  "result %zu of entry '%s' overlaps %s %zu in memory; give it "
                  "memory of its own",
                  result->index, entry->name, role_name(other->is_result),
                  other->index);
}

/// Refuses results that overlap anything. In order of addresses it is enough to
/// know, of all ranges and of the results, which has reached furthest so far.
static jitrun_error_t *check_overlap(const jitrun_entry_t *entry,
                                     struct range *ranges, size_t count) {
  const struct range *furthest = NULL;
  const struct range *furthest_result = NULL;
  qsort(ranges, count, sizeof *ranges, compare_ranges);
  for (size_t i = 0; i < count; i++) {
    const struct range *range = &ranges[i];
    const struct range *before = range->is_result ? furthest : furthest_result;
    if (before && before->end > range->start)
      return refuse_overlap(entry, before, range);
    if (!furthest || range->end > furthest->end)
      furthest = range;
    if (range->is_result &&
        (!furthest_result || range->end > furthest_result->end))
      furthest_result = range;
  }
  return NULL;
}

/// Checks each value, and lists its memory in `ranges`.
static jitrun_error_t *check_values(const jitrun_entry_t *entry,
                                    const struct jr_arguments *given,
                                    struct range *ranges,
                                    size_t *out_range_count) {
  size_t count = 0;
  bool is_args_only = given->owner || given->is_args_only;
  size_t given_results = is_args_only ? 0 : given->result_count;
  for (size_t i = 0; i < given->arg_count + given_results; i++) {
    bool is_result = i >= given->arg_count;
    size_t index = is_result ? i - given->arg_count : i;
    struct value value = {
        .is_result = is_result,
        .index = index,
        .entry = entry,
        .wanted = is_result ? &entry->results[index] : &entry->params[index],
        .tensor = is_result ? &given->results[index] : &given->args[index]};
    uint64_t size_bytes = 0;
    if (!is_result && given->is_later && given->is_later[index])
      continue;
    JITRUN_TRY(check_value(&value, &size_bytes));
    uintptr_t start = (uintptr_t)value.tensor->data;
    bool is_buffer = value.wanted->type->kind == JITRUN_KIND_BUFFER;
    if (size_bytes > 0 && (is_buffer || is_result))
      ranges[count++] =
          (struct range){start, start + size_bytes, is_result, index};
  }
  *out_range_count = count;
  return NULL;
}

jitrun_error_t *jr_arguments_check(const jitrun_program_t *program,
                                   uint32_t entry,
                                   const struct jr_arguments *given) {
  enum { FEW_RANGES = 32 };
  const jitrun_entry_t *info = jr_program_entry(program, entry);
  struct range few[FEW_RANGES];
  struct range *ranges = few;
  size_t count = given->arg_count + given->result_count;
  JITRUN_TRY(check_counts(info, given));
  if (count > FEW_RANGES)
    ranges = jr_calloc(count, sizeof *ranges);
  if (!ranges)
    return jr_error_no_memory();
  jitrun_error_t *err = check_values(info, given, ranges, &count);
  if (!err && given->result_count > 0 && !given->owner)
    err = check_overlap(info, ranges, count);
  if (ranges != few)
    free(ranges);
  return err;
}
