/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What checks are built of: amounts that may be known now, conditions, and the
/// messages of those that do not hold.
#include "jit/checks.h"

#include "jit/plan.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <inttypes.h>
#include <stdarg.h>

void jr_check_begin(struct jr_checker *checker, const char *format, ...) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(checker->op));
  va_list arguments;
  checker->message.size = 0;
  checker->value_count = 0;
  jr_bytes_append(&checker->message, name.data, name.length);
  jr_bytes_append_text(&checker->message, ": ");
  va_start(arguments, format);
  jr_bytes_appendv(&checker->message, format, arguments);
  va_end(arguments);
}

void jr_check_say(struct jr_checker *checker, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  jr_bytes_appendv(&checker->message, format, arguments);
  va_end(arguments);
}

void jr_check_say_amount(struct jr_checker *checker, struct jr_amount amount) {
  if (amount.is_known) {
    jr_check_say(checker, "%" PRId64, amount.number);
  } else if (checker->is_async || checker->value_count == JR_CHECK_VALUES) {
    jr_check_say(checker, "?");
  } else {
    jr_check_say(checker, "{%zu}", checker->value_count);
    checker->values[checker->value_count++] = amount.value;
  }
}

void jr_check_say_type(struct jr_checker *checker, MlirType type) {
  jr_mlir_type_print(type, &checker->message);
}

/// The message as an attribute.
static MlirAttribute message_of(const struct jr_checker *checker) {
  const struct jr_bytes *message = &checker->message;
  return mlirStringAttrGet(
      checker->builder.context,
      mlirStringRefCreate((const char *)message->data, message->size));
}

void jr_check_require_value(struct jr_checker *checker, MlirValue condition) {
  MlirValue operands[1 + JR_CHECK_VALUES] = {condition};
  for (size_t i = 0; i < checker->value_count; i++)
    operands[1 + i] = checker->values[i];
  MlirNamedAttribute attribute = jr_named(
      checker->builder.context, checker->is_async ? "msg" : JR_ATTR_MESSAGE,
      message_of(checker));
  MlirOperation op = jr_build(
      &checker->builder, checker->is_async ? "cf.assert" : "jitrun.check",
      &(struct jr_op_parts){.operands = operands,
                            .operand_count = 1 + checker->value_count,
                            .attributes = &attribute,
                            .attribute_count = 1});
  mlirOperationSetDiscardableAttributeByName(
      op, jr_ref(JR_ATTR_ERROR), mlirUnitAttrGet(checker->builder.context));
}

/// What a comparison of two numbers gives.
static bool holds(int64_t a, enum jr_compare compare, int64_t b) {
  switch (compare) {
  case JR_EQUAL:
    return a == b;
  case JR_NOT_EQUAL:
    return a != b;
  case JR_LESS_OR_EQUAL:
    return a <= b;
  case JR_UNSIGNED_LESS:
    return (uint64_t)a < (uint64_t)b;
  case JR_UNSIGNED_LESS_OR_EQUAL:
    return (uint64_t)a <= (uint64_t)b;
  }
  return false;
}

void jr_check_require(struct jr_checker *checker, struct jr_amount a,
                      enum jr_compare compare, struct jr_amount b) {
  MlirValue condition;
  if (a.is_known && b.is_known) {
    if (holds(a.number, compare, b.number))
      return;
    condition = jr_check_constant(checker, checker->builder.i1, 0);
  } else {
    condition = jr_check_compare(checker, compare, jr_amount_build(checker, a),
                                 jr_amount_build(checker, b));
  }
  jr_check_require_value(checker, condition);
}

struct jr_amount jr_amount_of(int64_t number) {
  return (struct jr_amount){.is_known = true, .number = number};
}

/// The integer that an attribute is, or is full of.
static bool read_integer(MlirAttribute attribute, int64_t *out_number) {
  if (mlirAttributeIsADenseElements(attribute) &&
      mlirDenseElementsAttrIsSplat(attribute))
    attribute = mlirDenseElementsAttrGetSplatValue(attribute);
  if (!mlirAttributeIsAInteger(attribute))
    return false;
  MlirType type = mlirAttributeGetType(attribute);
  bool fits = mlirTypeIsAIndex(type) ||
              (mlirTypeIsAInteger(type) && mlirIntegerTypeIsSignless(type) &&
               mlirIntegerTypeGetWidth(type) <= 64);
  if (fits)
    *out_number = mlirIntegerAttrGetValueInt(attribute);
  return fits;
}

bool jr_constant_read(MlirValue value, int64_t *out_number) {
  if (!mlirValueIsAOpResult(value))
    return false;
  MlirOperation op = mlirOpResultGetOwner(value);
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (!mlirStringRefEqual(name, jr_ref("arith.constant")) &&
      !mlirStringRefEqual(name, jr_ref("index.constant")))
    return false;
  MlirAttribute attribute =
      mlirOperationGetInherentAttributeByName(op, jr_ref("value"));
  return !mlirAttributeIsNull(attribute) && read_integer(attribute, out_number);
}

struct jr_amount jr_amount_read(MlirValue value) {
  struct jr_amount amount = {.value = value};
  amount.is_known = jr_constant_read(value, &amount.number);
  return amount;
}

MlirValue jr_check_constant(struct jr_checker *checker, MlirType type,
                            int64_t number) {
  bool is_vector = mlirTypeIsAVector(type);
  MlirType element = is_vector ? mlirShapedTypeGetElementType(type) : type;
  MlirAttribute value = mlirIntegerAttrGet(element, number);
  if (is_vector)
    value = mlirDenseElementsAttrSplatGet(type, value);
  MlirNamedAttribute attribute =
      jr_named(checker->builder.context, "value", value);
  MlirOperation op = jr_build(&checker->builder, "arith.constant",
                              &(struct jr_op_parts){.results = &type,
                                                    .result_count = 1,
                                                    .attributes = &attribute,
                                                    .attribute_count = 1});
  return mlirOperationGetResult(op, 0);
}

MlirValue jr_amount_build(struct jr_checker *checker, struct jr_amount amount) {
  if (!amount.is_known)
    return amount.value;
  return jr_check_constant(checker, checker->builder.index, amount.number);
}

struct jr_amount jr_amount_add(struct jr_checker *checker, struct jr_amount a,
                               struct jr_amount b) {
  struct jr_amount sum = {0};
  sum.is_known = a.is_known && b.is_known &&
                 !__builtin_add_overflow(a.number, b.number, &sum.number);
  if (sum.is_known)
    return sum;
  sum.value =
      jr_build_binary(&checker->builder, "arith.addi",
                      jr_amount_build(checker, a), jr_amount_build(checker, b));
  return sum;
}

struct jr_amount jr_amount_multiply(struct jr_checker *checker,
                                    struct jr_amount a, struct jr_amount b) {
  struct jr_amount product = {0};
  product.is_known =
      a.is_known && b.is_known &&
      !__builtin_mul_overflow(a.number, b.number, &product.number);
  if (product.is_known)
    return product;
  product.value =
      jr_build_binary(&checker->builder, "arith.muli",
                      jr_amount_build(checker, a), jr_amount_build(checker, b));
  return product;
}

struct jr_amount jr_amount_dim(struct jr_checker *checker, MlirValue memref,
                               intptr_t number) {
  MlirType type = mlirValueGetType(memref);
  if (!mlirShapedTypeIsDynamicDim(type, number))
    return jr_amount_of(mlirShapedTypeGetDimSize(type, number));
  MlirValue operands[] = {
      memref, jr_check_constant(checker, checker->builder.index, number)};
  MlirOperation op =
      jr_build(&checker->builder, "memref.dim",
               &(struct jr_op_parts){.operands = operands,
                                     .operand_count = 2,
                                     .results = &checker->builder.index,
                                     .result_count = 1});
  return (struct jr_amount){.value = mlirOperationGetResult(op, 0)};
}

/// The type of what comparing values of `type` gives.
static MlirType lanes_type(const struct jr_checker *checker, MlirType type) {
  if (!mlirTypeIsAVector(type))
    return checker->builder.i1;
  int64_t dims[JR_MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t i = 0; i < rank; i++)
    dims[i] = mlirShapedTypeGetDimSize(type, i);
  return mlirVectorTypeGet(rank, dims, checker->builder.i1);
}

MlirValue jr_check_compare(struct jr_checker *checker, enum jr_compare compare,
                           MlirValue a, MlirValue b) {
  MlirType type = lanes_type(checker, mlirValueGetType(a));
  MlirNamedAttribute attribute =
      jr_named(checker->builder.context, "predicate",
               mlirIntegerAttrGet(checker->builder.i64, (int64_t)compare));
  MlirOperation op =
      jr_build(&checker->builder, "arith.cmpi",
               &(struct jr_op_parts){.operands = (MlirValue[]){a, b},
                                     .operand_count = 2,
                                     .results = &type,
                                     .result_count = 1,
                                     .attributes = &attribute,
                                     .attribute_count = 1});
  return jr_check_all(checker, mlirOperationGetResult(op, 0));
}

/// A vector of one dimension with the lanes of any other.
static MlirValue flatten(struct jr_checker *checker, MlirValue lanes) {
  MlirType type = mlirValueGetType(lanes);
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t count = 1;
  if (rank == 1)
    return lanes;
  for (intptr_t i = 0; i < rank; i++)
    count *= mlirShapedTypeGetDimSize(type, i);
  return jr_build_unary(&checker->builder, "vector.shape_cast", lanes,
                        mlirVectorTypeGet(1, &count, checker->builder.i1));
}

MlirValue jr_check_all(struct jr_checker *checker, MlirValue lanes) {
  if (!mlirTypeIsAVector(mlirValueGetType(lanes)))
    return lanes;
  MlirValue flat = flatten(checker, lanes);
  MlirNamedAttribute attribute =
      jr_named(checker->builder.context, "kind",
               mlirAttributeParseGet(checker->builder.context,
                                     jr_ref("#vector.kind<and>")));
  MlirOperation op =
      jr_build(&checker->builder, "vector.reduction",
               &(struct jr_op_parts){.operands = &flat,
                                     .operand_count = 1,
                                     .results = &checker->builder.i1,
                                     .result_count = 1,
                                     .attributes = &attribute,
                                     .attribute_count = 1});
  return mlirOperationGetResult(op, 0);
}

void jr_check_by_name(struct jr_checker *checker,
                      const struct jr_check_row *rows, size_t count) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(checker->op));
  for (size_t i = 0; i < count; i++) {
    if (!mlirStringRefEqual(name, jr_ref(rows[i].name)))
      continue;
    rows[i].check(checker);
    return;
  }
}
