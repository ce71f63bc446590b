/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See attrs_numbers.h. Of dense arrays MLIR's C API reads those of a few
/// types; the others are read through a tensor of the same elements.
#include "jit/attrs_numbers.h"

#include "base/dtype.h"
#include "base/numbers.h"
#include "jit/dense.h"
#include "jit/types.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Support.h"

#include <string.h>

/// Integers of the widths between are kept in the next larger type that has a
/// number.
static jitrun_dtype_t integer_dtype(MlirType type) {
  static const jitrun_dtype_t types[][2] = {
      {JITRUN_DTYPE_S8, JITRUN_DTYPE_U8},
      {JITRUN_DTYPE_S16, JITRUN_DTYPE_U16},
      {JITRUN_DTYPE_S32, JITRUN_DTYPE_U32},
      {JITRUN_DTYPE_S64, JITRUN_DTYPE_U64}};
  jitrun_dtype_t dtype = jr_type_dtype(type);
  if (dtype != JITRUN_DTYPE_INVALID || !mlirTypeIsAInteger(type))
    return dtype;
  for (unsigned i = 0; i < 4; i++) {
    if (mlirIntegerTypeGetWidth(type) <= 8u << i)
      return types[i][mlirIntegerTypeIsUnsigned(type)];
  }
  return JITRUN_DTYPE_INVALID;
}

static uint64_t integer_bits(MlirAttribute attribute, MlirType type,
                             jitrun_dtype_t dtype) {
  bool is_integer = mlirTypeIsAInteger(type);
  size_t size = jr_dtype_size(dtype);
  uint64_t bits;
  if (is_integer && mlirIntegerTypeIsUnsigned(type))
    bits = mlirIntegerAttrGetValueUInt(attribute);
  else if (is_integer && mlirIntegerTypeIsSigned(type))
    bits = (uint64_t)mlirIntegerAttrGetValueSInt(attribute);
  else
    bits = (uint64_t)mlirIntegerAttrGetValueInt(attribute);
  return size < 8 ? bits & ((UINT64_C(1) << (8 * size)) - 1) : bits;
}

bool jr_scalar_bits(MlirAttribute attribute, jitrun_dtype_t *out_dtype,
                    uint64_t *out_bits) {
  MlirType type = mlirAttributeGetType(attribute);
  *out_dtype = JITRUN_DTYPE_INVALID;
  *out_bits = 0;
  if (mlirAttributeIsABool(attribute)) {
    *out_dtype = JITRUN_DTYPE_PRED;
    *out_bits = mlirBoolAttrGetValue(attribute);
  } else if (mlirAttributeIsAInteger(attribute)) {
    *out_dtype = integer_dtype(type);
    if (*out_dtype != JITRUN_DTYPE_INVALID)
      *out_bits = integer_bits(attribute, type, *out_dtype);
  } else if (mlirAttributeIsAFloat(attribute)) {
    *out_dtype = jr_type_dtype(type);
    *out_bits =
        jr_float_encode(*out_dtype, mlirFloatAttrGetValueDouble(attribute));
  }
  return *out_dtype != JITRUN_DTYPE_INVALID;
}

/// Room for `count` elements; NULL without memory, which the table reports when
/// it is finished.
static unsigned char *add_room(struct jr_table_writer *table,
                               struct jr_attr *attr, jitrun_dtype_t dtype,
                               uint64_t count) {
  size_t size = jr_dtype_size(dtype) * (size_t)count;
  attr->dtype = (uint8_t)dtype;
  attr->count = count;
  attr->value = jr_table_add_data(table, NULL, size, 8);
  return jr_table_data_at(table, attr->value);
}

static const char *add_list(struct jr_table_writer *table, MlirAttribute array,
                            struct jr_attr *attr) {
  intptr_t count = mlirArrayAttrGetNumElements(array);
  unsigned char *data = NULL;
  MlirType type = {0};
  for (intptr_t i = 0; i < count; i++) {
    MlirAttribute element = mlirArrayAttrGetElement(array, i);
    jitrun_dtype_t dtype;
    uint64_t bits;
    if (!jr_scalar_bits(element, &dtype, &bits))
      return "it is an array of other things than numbers";
    if (i == 0) {
      type = mlirAttributeGetType(element);
      data = add_room(table, attr, dtype, (uint64_t)count);
    }
    if (!mlirTypeEqual(type, mlirAttributeGetType(element)))
      return "it is an array of several element types";
    size_t size = jr_dtype_size(dtype);
    if (data)
      memcpy(data + size * (size_t)i, &bits, size);
  }
  return NULL;
}

/// Those that the C API reads.
static jitrun_dtype_t dense_array_dtype(MlirAttribute array) {
  return mlirAttributeIsADenseBoolArray(array)  ? JITRUN_DTYPE_PRED
         : mlirAttributeIsADenseI8Array(array)  ? JITRUN_DTYPE_S8
         : mlirAttributeIsADenseI16Array(array) ? JITRUN_DTYPE_S16
         : mlirAttributeIsADenseI32Array(array) ? JITRUN_DTYPE_S32
         : mlirAttributeIsADenseI64Array(array) ? JITRUN_DTYPE_S64
         : mlirAttributeIsADenseF32Array(array) ? JITRUN_DTYPE_F32
         : mlirAttributeIsADenseF64Array(array) ? JITRUN_DTYPE_F64
                                                : JITRUN_DTYPE_INVALID;
}

static uint64_t dense_array_bits(MlirAttribute array, jitrun_dtype_t dtype,
                                 intptr_t index) {
  switch (dtype) {
  case JITRUN_DTYPE_PRED:
    return mlirDenseBoolArrayGetElement(array, index);
  case JITRUN_DTYPE_S8:
    return (uint8_t)mlirDenseI8ArrayGetElement(array, index);
  case JITRUN_DTYPE_S16:
    return (uint16_t)mlirDenseI16ArrayGetElement(array, index);
  case JITRUN_DTYPE_S32:
    return (uint32_t)mlirDenseI32ArrayGetElement(array, index);
  case JITRUN_DTYPE_S64:
    return (uint64_t)mlirDenseI64ArrayGetElement(array, index);
  case JITRUN_DTYPE_F32:
    return jr_float_encode(dtype,
                           (double)mlirDenseF32ArrayGetElement(array, index));
  default:
    return jr_float_encode(dtype, mlirDenseF64ArrayGetElement(array, index));
  }
}

static void append_text(MlirStringRef text, void *bytes) {
  jr_bytes_append(bytes, text.data, text.length);
}

/// The text of a tensor with the elements of "array<type: 1, 2>"; failed when
/// the array is not printed like that.
static void append_tensor(struct jr_bytes *tensor, MlirAttribute array) {
  struct jr_bytes printed = {0};
  mlirAttributePrint(array, append_text, &printed);
  const char *text = jr_bytes_text(&printed);
  const char *type = text ? strchr(text, '<') : NULL;
  const char *colon = type ? strchr(type, ':') : NULL;
  const char *end = type ? strrchr(type, '>') : NULL;
  if (!end) {
    tensor->failed = true;
    goto done;
  }
  int type_size = (int)((colon ? colon : end) - type) - 1;
  jr_bytes_append_text(tensor, colon ? "dense<[" : "dense<");
  if (colon)
    jr_bytes_append(tensor, colon + 1, (size_t)(end - colon) - 1);
  jr_bytes_appendf(tensor, "%s> : tensor<%lldx%.*s>", colon ? "]" : "",
                   (long long)mlirDenseArrayGetNumElements(array), type_size,
                   type + 1);
done:
  jr_bytes_deinit(&printed);
}

static const char *add_through_tensor(struct jr_table_writer *table,
                                      MlirAttribute array,
                                      struct jr_attr *attr) {
  struct jr_bytes text = {0};
  append_tensor(&text, array);
  const char *source = jr_bytes_text(&text);
  MlirAttribute tensor = {0};
  if (source)
    tensor = mlirAttributeParseGet(mlirAttributeGetContext(array),
                                   mlirStringRefCreateFromCString(source));
  jr_bytes_deinit(&text);
  if (mlirAttributeIsNull(tensor) || !mlirAttributeIsADenseElements(tensor))
    return "its element type is not supported";
  jitrun_dtype_t dtype;
  const char *cause =
      jr_dense_add(table, tensor, 8, &dtype, &attr->count, &attr->value);
  attr->dtype = (uint8_t)dtype;
  return cause;
}

bool jr_is_dense_array(MlirAttribute attribute) {
  return mlirTypeIDEqual(mlirAttributeGetTypeID(attribute),
                         mlirDenseArrayAttrGetTypeID());
}

const char *jr_array_add(struct jr_table_writer *table, MlirAttribute array,
                         struct jr_attr *attr) {
  attr->kind = JITRUN_ATTR_ARRAY;
  if (mlirAttributeIsAArray(array))
    return add_list(table, array, attr);
  jitrun_dtype_t dtype = dense_array_dtype(array);
  if (dtype == JITRUN_DTYPE_INVALID)
    return add_through_tensor(table, array, attr);
  intptr_t count = mlirDenseArrayGetNumElements(array);
  size_t size = jr_dtype_size(dtype);
  unsigned char *data = add_room(table, attr, dtype, (uint64_t)count);
  for (intptr_t i = 0; data && i < count; i++) {
    uint64_t bits = dense_array_bits(array, dtype, i);
    memcpy(data + size * (size_t)i, &bits, size);
  }
  return NULL;
}
