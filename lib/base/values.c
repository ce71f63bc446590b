/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Values as text. Elements are numbered in row-major order and written without
/// recursion: the brackets before and after one follow from its number, because
/// a row of dimension d opens where the number is a multiple of the elements
/// behind d. That makes eliding a jump, whatever the sizes are.
#include "base/values.h"

#include "base/dtype.h"
#include "base/strings.h"

#include <inttypes.h>

/// A value being written. From the first dimension of size 0 on there is only
/// "[]", which then stands for an element.
struct writer {
  struct jr_bytes *out;
  const jitrun_type_t *type;
  const void *data;
  uint32_t rank;
  bool is_empty;
};

/// Product of the first `rank` dimensions; false where that has no meaning.
static bool count_elements(const int64_t *dims, uint32_t rank,
                           uint64_t *out_count) {
  uint64_t count = 1;
  for (uint32_t i = 0; i < rank; i++) {
    if (dims[i] < 0 || !jr_mul_u64(count, (uint64_t)dims[i], &count))
      return false;
  }
  *out_count = count;
  return true;
}

const void *jr_value_element(const jitrun_type_t *type, const void *data,
                             uint64_t index) {
  const int64_t *dims = jitrun_type_dims(type);
  const int64_t *strides = jitrun_type_strides(type);
  int64_t offset = 0;
  for (uint32_t i = type->rank; i-- > 0;) {
    offset += (int64_t)(index % (uint64_t)dims[i]) * strides[i];
    index /= (uint64_t)dims[i];
  }
  int64_t size = (int64_t)jr_dtype_size((jitrun_dtype_t)type->dtype);
  return (const char *)data + offset * size;
}

static void append_element(const struct writer *writer, uint64_t index) {
  if (writer->is_empty)
    jr_bytes_append_text(writer->out, "[]");
  else
    jr_element_format(writer->out, (jitrun_dtype_t)writer->type->dtype,
                      jr_value_element(writer->type, writer->data, index));
}

/// Writes what stands between the elements `left` and `right`: the brackets of
/// every row that ends or begins, and "..." wherever something is left out.
static void append_gap(const struct writer *writer, uint64_t left,
                       uint64_t right) {
  const int64_t *dims = jitrun_type_dims(writer->type);
  struct jr_bytes *out = writer->out;
  bool is_cut = right - left > 1;
  uint64_t below = 1; // elements in one step of `level`
  uint32_t level = writer->rank - 1;
  while (level > 0 && left / (below * (uint64_t)dims[level]) !=
                          right / (below * (uint64_t)dims[level])) {
    uint64_t size = (uint64_t)dims[level];
    if (is_cut && left / below % size + 1 < size)
      jr_bytes_append_text(out, " ...");
    jr_bytes_append_text(out, "]");
    below *= size;
    level--;
  }
  if (right / below - left / below > 1)
    jr_bytes_append_text(out, " ... ");
  else if (level == writer->rank - 1)
    jr_bytes_append_text(out, " ");
  while (++level < writer->rank) {
    uint64_t size = (uint64_t)dims[level];
    below /= size;
    jr_bytes_append_text(out, "[");
    if (right / below % size != 0)
      jr_bytes_append_text(out, "... ");
  }
}

static void append_brackets(struct jr_bytes *out, const char *bracket,
                            uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    jr_bytes_append_text(out, bracket);
}

void jr_elements_format(struct jr_bytes *out, const jitrun_type_t *type,
                        const void *data, size_t max_elements) {
  const int64_t *dims = jitrun_type_dims(type);
  struct writer writer = {.out = out, .type = type, .data = data};
  while (writer.rank < type->rank && dims[writer.rank] != 0)
    writer.rank++;
  writer.is_empty = writer.rank < type->rank;
  uint64_t count;
  if (!count_elements(dims, writer.rank, &count)) {
    jr_bytes_append_text(out, "?");
    return;
  }
  uint64_t shown = max_elements < 2 ? 2 : max_elements;
  uint64_t head = count <= shown ? count : shown - shown / 2;
  append_brackets(out, "[", writer.rank);
  for (uint64_t i = 0; i < count && !out->failed;) {
    append_element(&writer, i);
    uint64_t next = i + 1 == head ? count - (shown - head) : i + 1;
    if (count <= shown)
      next = i + 1;
    if (next < count)
      append_gap(&writer, i, next);
    i = next;
  }
  append_brackets(out, "]", writer.rank);
}

void jr_value_format(struct jr_bytes *out, const jitrun_type_t *type,
                     const void *data, size_t max_elements) {
  const int64_t *dims = jitrun_type_dims(type);
  for (uint32_t i = 0; i < type->rank; i++)
    jr_bytes_appendf(out, "%" PRId64 "x", dims[i]);
  const char *name = jr_dtype_name((jitrun_dtype_t)type->dtype);
  jr_bytes_append_text(out, name ? name : "?");
  jr_bytes_append_text(out, "=");
  jr_elements_format(out, type, data, max_elements);
}
