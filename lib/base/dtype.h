/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Element types: names, sizes, and text of whole types.
#ifndef JR_BASE_DTYPE_H
#define JR_BASE_DTYPE_H

#include "base/bytes.h"
#include "jitrun/types.h"

/// MLIR-like name, "f32", "i32" (S32), "ui8" (U8), "i1" (PRED), "bf16",
/// "f8E5M2", "complex<f32>"; NULL for an unknown number.
const char *jr_dtype_name(jitrun_dtype_t dtype);

/// The second name that is read: XLA's "pred", "s32", "c64"; where there is
/// none, the same as above.
const char *jr_dtype_second_name(jitrun_dtype_t dtype);

/// The dtype of either name, and of "index" (S64). INVALID when unknown.
jitrun_dtype_t jr_dtype_parse(const char *name, size_t size);

/// Bytes of one element in host memory; 0 for an unknown dtype.
size_t jr_dtype_size(jitrun_dtype_t dtype);

/// Appends "2x?xf32", "f32" for rank 0 buffers and scalars; a layout that is
/// not dense row-major follows as ", strides [4, 1]". Opaque and async types as
/// MLIR writes them.
void jr_type_format(struct jr_bytes *text, const jitrun_type_t *type);

/// Bytes from the first to past the last element of a static type; false when
/// dynamic, or on overflow of 63 bits or negative strides. 0 when it has no
/// elements.
bool jr_type_size_bytes(const jitrun_type_t *type, uint64_t *out_bytes);

/// True for values of one word in a frame: all but buffers.
static inline bool jr_type_is_word(const jitrun_type_t *type) {
  return type->kind != JITRUN_KIND_BUFFER;
}

/// Bytes of a value that is a word: those of a scalar, or of a pointer.
static inline size_t jr_type_word_bytes(const jitrun_type_t *type) {
  return type->kind == JITRUN_KIND_SCALAR
             ? jr_dtype_size((jitrun_dtype_t)type->dtype)
             : sizeof(void *);
}

/// Size in bytes of the type record with its dims and strides.
size_t jr_type_record_size(uint32_t rank);

/// Row-major strides of `rank` sizes. Those that overflow are of no use to
/// anybody: such a buffer has no elements, or is refused for its size.
void jr_dense_strides(const int64_t *dims, uint32_t rank, int64_t *out_strides);

/// Bytes of dims[0] * ... * dims[rank - 1] elements; false for a negative size,
/// and on overflow of 63 bits.
bool jr_elements_bytes(uint64_t element_bytes, const int64_t *dims,
                       uint64_t rank, uint64_t *out_bytes);

/// True when strides are those of a dense row-major buffer (dynamic sizes: of
/// as much as is known).
bool jr_type_is_dense(const jitrun_type_t *type);

#endif
