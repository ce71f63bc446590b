/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// MLIR types as jitrun types.
#ifndef JR_JIT_TYPES_H
#define JR_JIT_TYPES_H

#include "jitrun/types.h"

#include "mlir-c/IR.h"

enum { JR_MAX_RANK = 64 };

/// A type, unpacked: kind, dtype and so on as in jitrun_type_t. The name of an
/// opaque type stands in `extents`. Unpacking a layout is slow in MLIR
/// (affine expressions), so the planner goes through jr_type_find().
struct jr_mlir_type {
  uint8_t kind; ///< jitrun_kind_t
  uint8_t dtype;
  uint16_t rank;
  bool is_static;   ///< all sizes and strides are known
  bool has_bytes;   ///< jr_type_find(): is_static, and jr_mlir_type_bytes()
  uint64_t bytes;   ///< knows its bytes, which are these
  uint32_t written; ///< jr_type_find(): its jr_type_ref_t in the table
  int64_t extents[2 * JR_MAX_RANK]; ///< dims, then strides, in elements
  int64_t offset; ///< of the memref type, in elements; may be JITRUN_DYNAMIC
};

/// The dtype of an element type; JITRUN_DTYPE_INVALID when we have none.
jitrun_dtype_t jr_type_dtype(MlirType type);

/// Unpacks `type`; false for anything but a scalar of a known dtype, a ranked
/// strided memref of such in the default memory space, a token, an async value
/// of those, and the types of dialects that MLIR does not know (and
/// `!llvm.ptr`), which are opaque.
bool jr_type_unpack(MlirType type, struct jr_mlir_type *out_type);

/// True for values that are one word in a frame.
static inline bool jr_mlir_type_is_word(const struct jr_mlir_type *type) {
  return type->kind != JITRUN_KIND_BUFFER;
}

/// Appends the type as MLIR writes it.
struct jr_bytes;
void jr_mlir_type_print(MlirType type, struct jr_bytes *text);

/// Bytes from element [0, ..., 0] past the last one; false on overflow.
bool jr_mlir_type_bytes(const struct jr_mlir_type *type, uint64_t *out_bytes);

/// Number of elements of a static type; false on overflow.
bool jr_mlir_type_count(const struct jr_mlir_type *type, uint64_t *out_count);

#endif
