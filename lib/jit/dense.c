/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See dense.h. MLIR keeps elements as they are in memory, except splats (one
/// element) and i1, which is read one by one.
#include "jit/dense.h"

#include "base/dtype.h"
#include "base/strings.h"
#include "jit/types.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

/// A splat of more than this is taken for a mistake rather than filled in.
static const uint64_t MAX_SPLAT_BYTES = UINT64_C(1) << 29;
static const uint64_t MAX_BYTES = UINT64_C(1) << 32;

static void copy_elements(unsigned char *data, MlirAttribute elements,
                          jitrun_dtype_t dtype, size_t size, uint64_t count) {
  bool splat = mlirDenseElementsAttrIsSplat(elements);
  if (dtype == JITRUN_DTYPE_PRED) {
    for (uint64_t i = 0; i < count; i++)
      data[i] = (splat ? mlirDenseElementsAttrGetBoolSplatValue(elements)
                       : mlirDenseElementsAttrGetBoolValue(elements,
                                                           (intptr_t)i)) != 0;
    return;
  }
  const void *raw = mlirDenseElementsAttrGetRawData(elements);
  if (!splat) {
    memcpy(data, raw, size * (size_t)count);
    return;
  }
  for (uint64_t i = 0; i < count; i++)
    memcpy(data + size * i, raw, size);
}

/// MLIR keeps i4 in the low half of a byte; ours is the number that it is.
static void extend_s4(unsigned char *data, uint64_t count) {
  for (uint64_t i = 0; i < count; i++)
    data[i] = (unsigned char)((data[i] & 0x0f) | (data[i] & 0x08 ? 0xf0 : 0));
}

const char *jr_dense_add(struct jr_table_writer *table, MlirAttribute elements,
                         size_t alignment, jitrun_dtype_t *out_dtype,
                         uint64_t *out_count, uint64_t *out_offset) {
  MlirType type = mlirAttributeGetType(elements);
  *out_dtype = jr_type_dtype(mlirShapedTypeGetElementType(type));
  *out_count = 1;
  *out_offset = 0;
  size_t size = jr_dtype_size(*out_dtype);
  uint64_t bytes;
  if (size == 0)
    return "its element type is not supported";
  for (int64_t i = 0; i < mlirShapedTypeGetRank(type); i++) {
    if (!jr_mul_u64(*out_count, (uint64_t)mlirShapedTypeGetDimSize(type, i),
                    out_count))
      return "it has too many elements";
  }
  if (!jr_mul_u64(*out_count, size, &bytes) || bytes > MAX_BYTES)
    return "it is larger than 4 GiB";
  if (bytes > MAX_SPLAT_BYTES && mlirAttributeIsADenseElements(elements) &&
      mlirDenseElementsAttrIsSplat(elements))
    return "it is one value over more than 512 MiB; allocate and fill it "
           "instead";
  *out_offset = jr_table_add_data(table, NULL, (size_t)bytes, alignment);
  unsigned char *data = jr_table_data_at(table, *out_offset);
  if (data && *out_count)
    copy_elements(data, elements, *out_dtype, size, *out_count);
  if (data && *out_dtype == JITRUN_DTYPE_S4)
    extend_s4(data, *out_count);
  return NULL;
}
