/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Element types, as one table, and the arithmetic of strided types.
#include "base/dtype.h"

#include "base/strings.h"

#include <string.h>

struct dtype_row {
  const char *name;
  const char *xla_name; ///< a second spelling that is accepted
  size_t size_bytes;
};

static const struct dtype_row dtype_rows[] = {
    [JITRUN_DTYPE_PRED] = {"i1", "pred", 1},
    [JITRUN_DTYPE_S8] = {"i8", "s8", 1},
    [JITRUN_DTYPE_S16] = {"i16", "s16", 2},
    [JITRUN_DTYPE_S32] = {"i32", "s32", 4},
    [JITRUN_DTYPE_S64] = {"i64", "s64", 8},
    [JITRUN_DTYPE_U8] = {"ui8", "u8", 1},
    [JITRUN_DTYPE_U16] = {"ui16", "u16", 2},
    [JITRUN_DTYPE_U32] = {"ui32", "u32", 4},
    [JITRUN_DTYPE_U64] = {"ui64", "u64", 8},
    [JITRUN_DTYPE_F16] = {"f16", "f16", 2},
    [JITRUN_DTYPE_F32] = {"f32", "f32", 4},
    [JITRUN_DTYPE_F64] = {"f64", "f64", 8},
    [JITRUN_DTYPE_OPAQUE] = {"opaque", "!rt.opaque", sizeof(void *)},
    [JITRUN_DTYPE_C64] = {"complex<f32>", "c64", 8},
    [JITRUN_DTYPE_BF16] = {"bf16", "bf16", 2},
    [JITRUN_DTYPE_TOKEN] = {"token", "!async.token", sizeof(void *)},
    [JITRUN_DTYPE_C128] = {"complex<f64>", "c128", 16},
    [JITRUN_DTYPE_F8E5M2] = {"f8E5M2", "f8e5m2", 1},
    [JITRUN_DTYPE_F8E4M3FN] = {"f8E4M3FN", "f8e4m3fn", 1},
    [JITRUN_DTYPE_S4] = {"i4", "s4", 1},
    [JITRUN_DTYPE_U4] = {"ui4", "u4", 1},
    [JITRUN_DTYPE_F8E4M3B11FNUZ] = {"f8E4M3B11FNUZ", "f8e4m3b11fnuz", 1},
    [JITRUN_DTYPE_F8E5M2FNUZ] = {"f8E5M2FNUZ", "f8e5m2fnuz", 1},
    [JITRUN_DTYPE_F8E4M3FNUZ] = {"f8E4M3FNUZ", "f8e4m3fnuz", 1},
};

enum { ROW_COUNT = sizeof dtype_rows / sizeof dtype_rows[0] };

/// The row of a dtype, or NULL for a number that is none.
static const struct dtype_row *find_row(jitrun_dtype_t dtype) {
  size_t index = (size_t)dtype;
  if (index >= ROW_COUNT || !dtype_rows[index].name)
    return NULL;
  return &dtype_rows[index];
}

static bool is_text(const char *text, const char *name, size_t size) {
  return strlen(text) == size && memcmp(text, name, size) == 0;
}

const char *jr_dtype_name(jitrun_dtype_t dtype) {
  const struct dtype_row *row = find_row(dtype);
  return row ? row->name : NULL;
}

const char *jr_dtype_second_name(jitrun_dtype_t dtype) {
  const struct dtype_row *row = find_row(dtype);
  return row ? row->xla_name : NULL;
}

jitrun_dtype_t jr_dtype_parse(const char *name, size_t size) {
  if (is_text("index", name, size))
    return JITRUN_DTYPE_S64;
  for (size_t i = 0; i < ROW_COUNT; i++) {
    const struct dtype_row *row = find_row((jitrun_dtype_t)i);
    if (row &&
        (is_text(row->name, name, size) || is_text(row->xla_name, name, size)))
      return (jitrun_dtype_t)i;
  }
  return JITRUN_DTYPE_INVALID;
}

size_t jr_dtype_size(jitrun_dtype_t dtype) {
  const struct dtype_row *row = find_row(dtype);
  return row ? row->size_bytes : 0;
}

static void format_size(struct jr_bytes *text, int64_t size) {
  if (size == JITRUN_DYNAMIC)
    jr_bytes_append_text(text, "?");
  else
    jr_bytes_appendf(text, "%lld", (long long)size);
}

static void format_tensor(struct jr_bytes *text, const jitrun_type_t *type) {
  const int64_t *dims = jitrun_type_dims(type);
  const int64_t *strides = jitrun_type_strides(type);
  for (uint32_t i = 0; i < type->rank; i++) {
    format_size(text, dims[i]);
    jr_bytes_append_text(text, "x");
  }
  const char *name = jr_dtype_name((jitrun_dtype_t)type->dtype);
  if (name)
    jr_bytes_append_text(text, name);
  else
    jr_bytes_appendf(text, "dtype<%u>", (unsigned)type->dtype);
  if (jr_type_is_dense(type))
    return;
  jr_bytes_append_text(text, ", strides [");
  for (uint32_t i = 0; i < type->rank; i++) {
    if (i > 0)
      jr_bytes_append_text(text, ", ");
    format_size(text, strides[i]);
  }
  jr_bytes_append_text(text, "]");
}

void jr_type_format(struct jr_bytes *text, const jitrun_type_t *type) {
  bool is_async = type->kind == JITRUN_KIND_ASYNC_SCALAR ||
                  type->kind == JITRUN_KIND_ASYNC_BUFFER;
  if (type->kind == JITRUN_KIND_OPAQUE) {
    jr_bytes_append_text(text, jitrun_type_name(type));
    return;
  }
  if (type->kind == JITRUN_KIND_TOKEN) {
    jr_bytes_append_text(text, "!async.token");
    return;
  }
  if (is_async)
    jr_bytes_append_text(text, "!async.value<");
  format_tensor(text, type);
  if (is_async)
    jr_bytes_append_text(text, ">");
}

bool jr_type_size_bytes(const jitrun_type_t *type, uint64_t *out_bytes) {
  const int64_t *dims = jitrun_type_dims(type);
  const int64_t *strides = jitrun_type_strides(type);
  size_t element_bytes = jr_dtype_size((jitrun_dtype_t)type->dtype);
  if (element_bytes == 0)
    return false;
  bool is_empty = false;
  for (uint32_t i = 0; i < type->rank; i++) {
    if (dims[i] < 0 || strides[i] < 0) // JITRUN_DYNAMIC is negative as well
      return false;
    is_empty = is_empty || dims[i] == 0;
  }
  uint64_t element_count = is_empty ? 0 : 1;
  for (uint32_t i = 0; !is_empty && i < type->rank; i++) {
    uint64_t reach = 0;
    if (!jr_mul_u64((uint64_t)dims[i] - 1, (uint64_t)strides[i], &reach) ||
        !jr_add_u64(element_count, reach, &element_count))
      return false;
  }
  uint64_t size_bytes = 0;
  if (!jr_mul_u64(element_count, element_bytes, &size_bytes) ||
      size_bytes > INT64_MAX)
    return false;
  *out_bytes = size_bytes;
  return true;
}

size_t jr_type_record_size(uint32_t rank) {
  return sizeof(jitrun_type_t) + (size_t)rank * 2 * sizeof(int64_t);
}

bool jr_type_is_dense(const jitrun_type_t *type) {
  const int64_t *dims = jitrun_type_dims(type);
  const int64_t *strides = jitrun_type_strides(type);
  // Left of a dynamic size every stride is unknown, as in MLIR's identity
  // layout.
  int64_t expected = 1;
  for (uint32_t i = type->rank; i-- > 0;) {
    if (strides[i] != expected)
      return false;
    bool is_known = expected != JITRUN_DYNAMIC && dims[i] != JITRUN_DYNAMIC;
    if (!is_known)
      expected = JITRUN_DYNAMIC;
    else if (__builtin_mul_overflow(expected, dims[i], &expected))
      return i == 0; // no stride is left that could be compared
  }
  return true;
}

void jr_dense_strides(const int64_t *dims, uint32_t rank,
                      int64_t *out_strides) {
  int64_t stride = 1;
  for (uint32_t i = rank; i-- > 0;) {
    out_strides[i] = stride;
    (void)__builtin_mul_overflow(stride, dims[i], &stride);
  }
}

bool jr_elements_bytes(uint64_t element_bytes, const int64_t *dims,
                       uint64_t rank, uint64_t *out_bytes) {
  bool is_empty = false;
  bool fits = true;
  uint64_t size_bytes = element_bytes;
  for (uint64_t i = 0; i < rank; i++) {
    if (dims[i] < 0)
      return false;
    is_empty = is_empty || dims[i] == 0;
    fits = fits && jr_mul_u64(size_bytes, (uint64_t)dims[i], &size_bytes);
  }
  *out_bytes = is_empty ? 0 : size_bytes;
  return is_empty || (fits && size_bytes <= INT64_MAX);
}
