/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Values. Their memory comes cleared from the system, so that the untouched
/// part of a huge one costs nothing.
#include "value.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/dtype.h"
#include "base/strings.h"
#include "base/values.h"

#include <stdlib.h>
#include <string.h>

enum { HOST_ALIGNMENT = 64 };

/// Sizes, and strides where the declared ones are dynamic, innermost first:
/// each as if what is inside it were dense.
static bool fill_layout(jitrun_type_t *type, const int64_t *dims,
                        const int64_t *strides) {
  int64_t *out_dims = (int64_t *)(void *)(type + 1);
  int64_t *out_strides = out_dims + type->rank;
  int64_t next = 1;
  for (size_t i = type->rank; i-- > 0;) {
    bool is_given = strides && strides[i] != JITRUN_DYNAMIC;
    out_dims[i] = dims[i];
    out_strides[i] = is_given ? strides[i] : next;
    if (__builtin_mul_overflow(out_strides[i], dims[i], &next))
      return false;
  }
  return true;
}

static jitrun_error_t *refuse_size(const jitrun_type_t *type) {
  struct jr_bytes text = {0};
  jr_type_format(&text, type);
  const char *name = jr_bytes_text(&text);
  jitrun_error_t *error =
      jr_error(JITRUN_INVALID_ARGUMENT,
               "%s has no place in memory: its size is out of range",
               name ? name : "the value");
  jr_bytes_deinit(&text);
  return error;
}

/// Makes a type record and checks that it has a size in memory.
static jitrun_error_t *make_type(const jitrun_type_t *declared,
                                 const int64_t *dims, const int64_t *strides,
                                 jitrun_type_t **out_type) {
  *out_type = NULL;
  jitrun_type_t *type = jr_calloc(1, jr_type_record_size(declared->rank));
  if (!type)
    return jr_error_no_memory();
  *type = *declared;
  uint64_t size;
  if (!fill_layout(type, dims, strides) || !jr_type_size_bytes(type, &size)) {
    jitrun_error_t *error = refuse_size(type);
    free(type);
    return error;
  }
  *out_type = type;
  return NULL;
}

jitrun_error_t *jr_type_make(jitrun_dtype_t dtype, size_t rank,
                             const int64_t *dims, jitrun_type_t **out_type) {
  jitrun_type_t type = {.kind = JITRUN_KIND_BUFFER,
                        .dtype = (uint8_t)dtype,
                        .rank = (uint16_t)rank};
  return make_type(&type, dims, NULL, out_type);
}

/// Gives a value that has its type the memory for it.
static jitrun_error_t *allocate_block(struct jr_value *value,
                                      uint64_t alignment) {
  uint64_t size;
  uint64_t block_size;
  if (alignment < HOST_ALIGNMENT)
    alignment = HOST_ALIGNMENT;
  if (!jr_type_size_bytes(value->type, &size) ||
      !jr_add_u64(size, alignment, &block_size))
    return refuse_size(value->type);
  value->block = jr_calloc(1, block_size);
  if (!value->block)
    return jr_error(JITRUN_RESOURCE_EXHAUSTED,
                    "out of memory: %llu bytes for one value",
                    (unsigned long long)size);
  uintptr_t address = (uintptr_t)value->block;
  value->data = (char *)value->block + (alignment - address % alignment);
  return NULL;
}

jitrun_error_t *jr_value_init_as(const jitrun_type_t *declared,
                                 const int64_t *dims, uint64_t alignment,
                                 struct jr_value *out_value) {
  *out_value = (struct jr_value){0};
  JITRUN_TRY(make_type(declared, dims, jitrun_type_strides(declared),
                       &out_value->type));
  jitrun_error_t *error = allocate_block(out_value, alignment);
  if (error)
    jr_value_deinit(out_value);
  return error;
}

jitrun_error_t *jr_value_init(jitrun_dtype_t dtype, size_t rank,
                              const int64_t *dims, struct jr_value *out_value) {
  *out_value = (struct jr_value){0};
  JITRUN_TRY(jr_type_make(dtype, rank, dims, &out_value->type));
  jitrun_error_t *error = allocate_block(out_value, 0);
  if (error)
    jr_value_deinit(out_value);
  return error;
}

void jr_value_clear(struct jr_value *value) {
  uint64_t size;
  if (jr_type_size_bytes(value->type, &size))
    memset(value->data, 0, size);
}

void jr_value_copy(const struct jr_value *from, struct jr_value *to) {
  uint64_t size;
  if (jr_type_is_dense(from->type) && jr_type_is_dense(to->type) &&
      jr_type_size_bytes(from->type, &size)) {
    if (size > 0)
      memcpy(to->data, from->data, size);
    return;
  }
  size_t element = jr_dtype_size((jitrun_dtype_t)from->type->dtype);
  uint64_t count = jr_value_count(from);
  for (uint64_t i = 0; i < count; i++)
    memcpy((void *)(uintptr_t)jr_value_element(to->type, to->data, i),
           jr_value_element(from->type, from->data, i), element);
}

uint64_t jr_value_count(const struct jr_value *value) {
  const int64_t *dims = jitrun_type_dims(value->type);
  uint64_t count = 1;
  for (size_t i = 0; i < value->type->rank; i++) {
    // A later size of 0 may follow sizes whose product has no number.
    if (!jr_mul_u64(count, (uint64_t)dims[i], &count))
      return 0;
  }
  return count;
}

bool jr_value_same_shape(const struct jr_value *a, const struct jr_value *b) {
  return a->type->dtype == b->type->dtype && a->type->rank == b->type->rank &&
         memcmp(jitrun_type_dims(a->type), jitrun_type_dims(b->type),
                a->type->rank * sizeof(int64_t)) == 0;
}

jitrun_tensor_t jr_value_view(const struct jr_value *value) {
  return (jitrun_tensor_t){.dtype = (jitrun_dtype_t)value->type->dtype,
                           .rank = value->type->rank,
                           .dims = jitrun_type_dims(value->type),
                           .strides = jitrun_type_strides(value->type),
                           .data = value->data};
}

void jr_value_deinit(struct jr_value *value) {
  free(value->type);
  free(value->block);
  *value = (struct jr_value){0};
}
