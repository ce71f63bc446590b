/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See types.h.
#include "jit/types.h"

#include "base/dtype.h"
#include "base/strings.h"

#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/LLVM.h"

#include <string.h>

static jitrun_dtype_t integer_dtype(MlirType type) {
  bool is_unsigned = mlirIntegerTypeIsUnsigned(type);
  switch (mlirIntegerTypeGetWidth(type)) {
  case 1:
    return is_unsigned ? JITRUN_DTYPE_INVALID : JITRUN_DTYPE_PRED;
  case 4:
    return is_unsigned ? JITRUN_DTYPE_U4 : JITRUN_DTYPE_S4;
  case 8:
    return is_unsigned ? JITRUN_DTYPE_U8 : JITRUN_DTYPE_S8;
  case 16:
    return is_unsigned ? JITRUN_DTYPE_U16 : JITRUN_DTYPE_S16;
  case 32:
    return is_unsigned ? JITRUN_DTYPE_U32 : JITRUN_DTYPE_S32;
  case 64:
    return is_unsigned ? JITRUN_DTYPE_U64 : JITRUN_DTYPE_S64;
  default:
    return JITRUN_DTYPE_INVALID;
  }
}

static jitrun_dtype_t float_dtype(MlirType type) {
  if (mlirTypeIsAF32(type))
    return JITRUN_DTYPE_F32;
  if (mlirTypeIsAF64(type))
    return JITRUN_DTYPE_F64;
  if (mlirTypeIsAF16(type))
    return JITRUN_DTYPE_F16;
  if (mlirTypeIsABF16(type))
    return JITRUN_DTYPE_BF16;
  if (mlirTypeIsAFloat8E5M2(type))
    return JITRUN_DTYPE_F8E5M2;
  if (mlirTypeIsAFloat8E4M3FN(type))
    return JITRUN_DTYPE_F8E4M3FN;
  if (mlirTypeIsAFloat8E4M3B11FNUZ(type))
    return JITRUN_DTYPE_F8E4M3B11FNUZ;
  if (mlirTypeIsAFloat8E5M2FNUZ(type))
    return JITRUN_DTYPE_F8E5M2FNUZ;
  if (mlirTypeIsAFloat8E4M3FNUZ(type))
    return JITRUN_DTYPE_F8E4M3FNUZ;
  return JITRUN_DTYPE_INVALID;
}

jitrun_dtype_t jr_type_dtype(MlirType type) {
  if (mlirTypeIsAIndex(type))
    return JITRUN_DTYPE_S64;
  if (mlirTypeIsAInteger(type))
    return integer_dtype(type);
  if (mlirTypeIsAComplex(type)) {
    MlirType element = mlirComplexTypeGetElementType(type);
    return mlirTypeIsAF32(element)   ? JITRUN_DTYPE_C64
           : mlirTypeIsAF64(element) ? JITRUN_DTYPE_C128
                                     : JITRUN_DTYPE_INVALID;
  }
  return float_dtype(type);
}

/// MLIR does not know the row-major strides of dimensions before one of size 0;
/// they are 0, as any product with it.
static void close_empty(MlirType type, struct jr_mlir_type *out_type) {
  if (!mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)))
    return;
  bool empty = false;
  for (int i = out_type->rank - 1; i >= 0; i--) {
    if (empty)
      out_type->extents[out_type->rank + i] = 0;
    empty = empty || out_type->extents[i] == 0;
  }
}

static bool unpack_memref(MlirType type, struct jr_mlir_type *out_type) {
  int64_t rank = mlirShapedTypeGetRank(type);
  if (rank > JR_MAX_RANK ||
      !mlirAttributeIsNull(mlirMemRefTypeGetMemorySpace(type)))
    return false;
  out_type->kind = JITRUN_KIND_BUFFER;
  out_type->dtype = (uint8_t)jr_type_dtype(mlirShapedTypeGetElementType(type));
  out_type->rank = (uint16_t)rank;
  for (int64_t i = 0; i < rank; i++)
    out_type->extents[i] = mlirShapedTypeIsDynamicDim(type, i)
                               ? JITRUN_DYNAMIC
                               : mlirShapedTypeGetDimSize(type, i);
  if (out_type->dtype == JITRUN_DTYPE_INVALID ||
      mlirLogicalResultIsFailure(mlirMemRefTypeGetStridesAndOffset(
          type, out_type->extents + rank, &out_type->offset)))
    return false;
  close_empty(type, out_type);
  return true;
}

static void append_text(MlirStringRef text, void *bytes) {
  jr_bytes_append(bytes, text.data, text.length);
}

void jr_mlir_type_print(MlirType type, struct jr_bytes *text) {
  mlirTypePrint(type, append_text, text);
}

static bool is_in_dialect(MlirType type, const char *name) {
  return mlirStringRefEqual(mlirDialectGetNamespace(mlirTypeGetDialect(type)),
                            mlirStringRefCreateFromCString(name));
}

/// A type of which only the name is known. That of `!rt.opaque` goes without
/// saying; other types of `rt` are no values.
static bool unpack_opaque(MlirType type, struct jr_mlir_type *out_type) {
  out_type->kind = JITRUN_KIND_OPAQUE;
  out_type->dtype = JITRUN_DTYPE_OPAQUE;
  struct jr_bytes name = {0};
  jr_mlir_type_print(type, &name);
  const char *text = jr_bytes_text(&name);
  bool is_rt = text && strncmp(text, "!rt.", 4) == 0;
  bool fits = text && name.size < sizeof out_type->extents;
  if (fits && !is_rt) {
    out_type->rank = (uint16_t)(name.size / 16 + 1);
    memcpy(out_type->extents, text, name.size);
  }
  fits = fits && (!is_rt || strcmp(text, "!rt.opaque") == 0);
  jr_bytes_deinit(&name);
  return fits;
}

/// Whoever gives or reads a buffer knows its element [0, ..., 0], from which no
/// fixed offset leads to the descriptor that native code reads in the handle.
static bool is_async_value(const struct jr_mlir_type *type) {
  return type->kind <= JITRUN_KIND_BUFFER &&
         (type->offset == 0 || type->offset == JITRUN_DYNAMIC);
}

/// Types of the async dialect have no accessors in C: their text is read.
static bool unpack_async(MlirType type, struct jr_mlir_type *out_type) {
  static const char prefix[] = "!async.value<";
  struct jr_bytes text = {0};
  bool known = false;
  jr_mlir_type_print(type, &text);
  const char *name = jr_bytes_text(&text);
  if (name && strcmp(name, "!async.token") == 0) {
    out_type->kind = JITRUN_KIND_TOKEN;
    out_type->dtype = JITRUN_DTYPE_TOKEN;
    known = true;
  } else if (name && strncmp(name, prefix, sizeof prefix - 1) == 0) {
    MlirStringRef inner = {name + sizeof prefix - 1, text.size - sizeof prefix};
    MlirType value = mlirTypeParseGet(mlirTypeGetContext(type), inner);
    known = !mlirTypeIsNull(value) && jr_type_unpack(value, out_type) &&
            is_async_value(out_type);
    out_type->kind = out_type->kind == JITRUN_KIND_SCALAR
                         ? JITRUN_KIND_ASYNC_SCALAR
                         : JITRUN_KIND_ASYNC_BUFFER;
    out_type->is_static = true;
  }
  jr_bytes_deinit(&text);
  return known;
}

static bool is_static(const struct jr_mlir_type *type) {
  for (int i = 0; i < 2 * type->rank; i++) {
    if (type->extents[i] == JITRUN_DYNAMIC)
      return false;
  }
  return true;
}

bool jr_type_unpack(MlirType type, struct jr_mlir_type *out_type) {
  *out_type = (struct jr_mlir_type){.is_static = true};
  if (mlirTypeIsAMemRef(type)) {
    bool known = unpack_memref(type, out_type);
    out_type->is_static = known && is_static(out_type);
    return known;
  }
  if (is_in_dialect(type, "async"))
    return unpack_async(type, out_type);
  if (mlirTypeIsAOpaque(type) || mlirTypeIsALLVMPointerType(type))
    return unpack_opaque(type, out_type);
  if (mlirTypeIsAComplex(type))
    return false; /* only as elements */
  out_type->kind = JITRUN_KIND_SCALAR;
  out_type->dtype = (uint8_t)jr_type_dtype(type);
  return out_type->dtype != JITRUN_DTYPE_INVALID;
}

bool jr_mlir_type_count(const struct jr_mlir_type *type, uint64_t *out_count) {
  uint64_t count = 1;
  for (int i = 0; i < type->rank; i++) {
    if (type->extents[i] == 0) {
      *out_count = 0;
      return true;
    }
    if (!jr_mul_u64(count, (uint64_t)type->extents[i], &count))
      return false;
  }
  *out_count = count;
  return count <= INT64_MAX;
}

bool jr_mlir_type_bytes(const struct jr_mlir_type *type, uint64_t *out_bytes) {
  uint64_t last = 0;
  uint64_t count;
  *out_bytes = 0;
  if (!jr_mlir_type_count(type, &count))
    return false;
  if (count == 0)
    return true;
  for (int i = 0; i < type->rank; i++) {
    uint64_t step;
    if (type->extents[type->rank + i] < 0 ||
        !jr_mul_u64((uint64_t)type->extents[i] - 1,
                    (uint64_t)type->extents[type->rank + i], &step) ||
        !jr_add_u64(last, step, &last))
      return false;
  }
  return jr_add_u64(last, 1, &last) &&
         jr_mul_u64(last, jr_dtype_size(type->dtype), out_bytes) &&
         *out_bytes <= INT64_MAX;
}
