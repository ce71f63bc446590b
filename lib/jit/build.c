/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See build.h.
#include "jit/build.h"

#include "base/dtype.h"
#include "jit/names.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/LLVM.h"

void jr_builder_init(struct jr_builder *builder, MlirContext context) {
  *builder = (struct jr_builder){
      .context = context,
      .location = mlirLocationUnknownGet(context),
      .ptr = mlirLLVMPointerTypeGet(context, 0),
      .i1 = mlirIntegerTypeGet(context, 1),
      .i8 = mlirIntegerTypeGet(context, 8),
      .i32 = mlirIntegerTypeGet(context, 32),
      .i64 = mlirIntegerTypeGet(context, 64),
      .index = mlirIndexTypeGet(context),
  };
}

MlirOperation jr_build(struct jr_builder *builder, const char *name,
                       const struct jr_op_parts *parts) {
  MlirOperationState state =
      mlirOperationStateGet(jr_ref(name), builder->location);
  mlirOperationStateAddOperands(&state, (intptr_t)parts->operand_count,
                                parts->operands);
  mlirOperationStateAddResults(&state, (intptr_t)parts->result_count,
                               parts->results);
  mlirOperationStateAddAttributes(&state, (intptr_t)parts->attribute_count,
                                  parts->attributes);
  mlirOperationStateAddSuccessors(&state, (intptr_t)parts->successor_count,
                                  parts->successors);
  MlirOperation op = mlirOperationCreate(&state);
  mlirBlockAppendOwnedOperation(builder->block, op);
  return op;
}

MlirValue jr_build_unary(struct jr_builder *builder, const char *name,
                         MlirValue operand, MlirType result) {
  MlirOperation op = jr_build(builder, name,
                              &(struct jr_op_parts){.operands = &operand,
                                                    .operand_count = 1,
                                                    .results = &result,
                                                    .result_count = 1});
  return mlirOperationGetResult(op, 0);
}

MlirValue jr_build_binary(struct jr_builder *builder, const char *name,
                          MlirValue a, MlirValue b) {
  MlirType type = mlirValueGetType(a);
  MlirOperation op =
      jr_build(builder, name,
               &(struct jr_op_parts){.operands = (MlirValue[]){a, b},
                                     .operand_count = 2,
                                     .results = &type,
                                     .result_count = 1});
  return mlirOperationGetResult(op, 0);
}

MlirValue jr_build_s64(struct jr_builder *builder, int64_t value) {
  MlirNamedAttribute attribute = jr_named(
      builder->context, "value", mlirIntegerAttrGet(builder->i64, value));
  MlirOperation op = jr_build(builder, "llvm.mlir.constant",
                              &(struct jr_op_parts){.results = &builder->i64,
                                                    .result_count = 1,
                                                    .attributes = &attribute,
                                                    .attribute_count = 1});
  return mlirOperationGetResult(op, 0);
}

MlirValue jr_build_null(struct jr_builder *builder) {
  MlirOperation op = jr_build(
      builder, "llvm.mlir.zero",
      &(struct jr_op_parts){.results = &builder->ptr, .result_count = 1});
  return mlirOperationGetResult(op, 0);
}

/// `address`, moved by `bytes`, or by `known` where that is null.
static MlirValue build_gep(struct jr_builder *builder, MlirValue address,
                           MlirValue bytes, int32_t known) {
  MlirValue operands[] = {address, bytes};
  const MlirNamedAttribute attributes[] = {
      jr_named(builder->context, "rawConstantIndices",
               mlirDenseI32ArrayGet(builder->context, 1, &known)),
      jr_named(builder->context, "elem_type", mlirTypeAttrGet(builder->i8))};
  MlirOperation op = jr_build(
      builder, "llvm.getelementptr",
      &(struct jr_op_parts){.operands = operands,
                            .operand_count = mlirValueIsNull(bytes) ? 1 : 2,
                            .results = &builder->ptr,
                            .result_count = 1,
                            .attributes = attributes,
                            .attribute_count = 2});
  return mlirOperationGetResult(op, 0);
}

MlirValue jr_build_moved(struct jr_builder *builder, MlirValue address,
                         MlirValue bytes) {
  return build_gep(builder, address, bytes, INT32_MIN);
}

MlirValue jr_build_offset(struct jr_builder *builder, MlirValue address,
                          int64_t bytes) {
  if (bytes == 0)
    return address;
  if (bytes > INT32_MIN && bytes <= INT32_MAX)
    return build_gep(builder, address, (MlirValue){0}, (int32_t)bytes);
  return jr_build_moved(builder, address, jr_build_s64(builder, bytes));
}

MlirValue jr_build_load(struct jr_builder *builder, MlirType type,
                        MlirValue address, int64_t offset) {
  return jr_build_unary(builder, "llvm.load",
                        jr_build_offset(builder, address, offset), type);
}

void jr_build_store(struct jr_builder *builder, MlirValue value,
                    MlirValue address, int64_t offset) {
  MlirValue operands[] = {value, jr_build_offset(builder, address, offset)};
  jr_build(builder, "llvm.store",
           &(struct jr_op_parts){.operands = operands, .operand_count = 2});
}

MlirValue jr_build_call_pointer(struct jr_builder *builder, MlirValue function,
                                const MlirValue *operands, size_t count,
                                MlirType result) {
  MlirValue all[8] = {function};
  for (size_t i = 0; i < count && i < 7; i++)
    all[i + 1] = operands[i];
  const MlirNamedAttribute attributes[] = {
      jr_named(builder->context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(builder->context, 2,
                                    (const int32_t[]){(int32_t)count + 1, 0})),
      jr_named(builder->context, "op_bundle_sizes",
               mlirDenseI32ArrayGet(builder->context, 0, NULL))};
  MlirOperation op =
      jr_build(builder, "llvm.call",
               &(struct jr_op_parts){.operands = all,
                                     .operand_count = count + 1,
                                     .results = &result,
                                     .result_count = !mlirTypeIsNull(result),
                                     .attributes = attributes,
                                     .attribute_count = 2});
  return mlirTypeIsNull(result) ? (MlirValue){0}
                                : mlirOperationGetResult(op, 0);
}

static void build_cond_br(struct jr_builder *builder, const MlirValue *operands,
                          const int32_t segments[3],
                          const MlirBlock successors[2]) {
  MlirNamedAttribute attribute =
      jr_named(builder->context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(builder->context, 3, segments));
  jr_build(
      builder, "cf.cond_br",
      &(struct jr_op_parts){
          .operands = operands,
          .operand_count = (size_t)(segments[0] + segments[1] + segments[2]),
          .attributes = &attribute,
          .attribute_count = 1,
          .successors = successors,
          .successor_count = 2});
}

void jr_build_branch(struct jr_builder *builder, MlirValue condition,
                     MlirBlock if_true, MlirBlock if_false) {
  build_cond_br(builder, &condition, (const int32_t[]){1, 0, 0},
                (const MlirBlock[]){if_true, if_false});
}

static MlirValue compare_pointers(struct jr_builder *builder, int64_t predicate,
                                  MlirValue a, MlirValue b) {
  MlirNamedAttribute attribute =
      jr_named(builder->context, "predicate",
               mlirIntegerAttrGet(builder->i64, predicate));
  MlirOperation compare =
      jr_build(builder, "llvm.icmp",
               &(struct jr_op_parts){.operands = (MlirValue[]){a, b},
                                     .operand_count = 2,
                                     .results = &builder->i1,
                                     .result_count = 1,
                                     .attributes = &attribute,
                                     .attribute_count = 1});
  return mlirOperationGetResult(compare, 0);
}

MlirValue jr_build_is_null(struct jr_builder *builder, MlirValue pointer,
                           MlirValue null) {
  return compare_pointers(builder, 0, pointer, null);
}

void jr_build_check(struct jr_builder *builder, MlirValue error, MlirValue null,
                    MlirBlock on_error) {
  MlirValue failed = compare_pointers(builder, 1, error, null);
  MlirBlock next = mlirBlockCreate(0, NULL, NULL);
  mlirRegionInsertOwnedBlockAfter(mlirBlockGetParentRegion(builder->block),
                                  builder->block, next);
  MlirValue operands[] = {failed, error};
  build_cond_br(builder, operands, (const int32_t[]){1, 1, 0},
                (const MlirBlock[]){on_error, next});
  builder->block = next;
}

/// True for integers that take a byte in a frame but not in a register.
static bool is_narrow(MlirType type) {
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) < 8;
}

/// True for floats that arithmetic is done for as f32.
static bool is_half(MlirType type) {
  return mlirTypeIsAF16(type) || mlirTypeIsABF16(type);
}

/// What a type is in a frame that LLVM has none for, and which the conversions
/// replace: a pointer for async values, a byte for 8-bit floats, an integer
/// without sign. Halves are there as their bits: code that only hands them on
/// would go through f32, which changes signalling NaNs. Null for all others.
static MlirType stand_in(const struct jr_builder *builder, MlirType type) {
  struct jr_mlir_type unpacked;
  if (mlirTypeIsAInteger(type) && !mlirIntegerTypeIsSignless(type))
    return mlirIntegerTypeGet(builder->context, mlirIntegerTypeGetWidth(type));
  if (mlirTypeIsAInteger(type) || mlirTypeIsAIndex(type) ||
      mlirTypeIsALLVMPointerType(type) || !jr_type_unpack(type, &unpacked))
    return (MlirType){0};
  if (unpacked.kind != JITRUN_KIND_SCALAR)
    return builder->ptr;
  if (is_half(type))
    return mlirIntegerTypeGet(builder->context, 16);
  bool is_small = jr_dtype_size(unpacked.dtype) == 1;
  return is_small ? builder->i8 : (MlirType){0};
}

/// What a bitcast has made of a value of `type`, which it then need not be made
/// again; null when it is no such thing.
static MlirValue undo_bitcast(MlirValue value, MlirType type) {
  MlirValue none = {0};
  if (!mlirValueIsAOpResult(value))
    return none;
  MlirOperation op = mlirOpResultGetOwner(value);
  if (!mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                          jr_ref("arith.bitcast")))
    return none;
  MlirValue operand = mlirOperationGetOperand(op, 0);
  return mlirTypeEqual(mlirValueGetType(operand), type) ? operand : none;
}

static MlirValue build_cast(struct jr_builder *builder, MlirValue value,
                            MlirType type) {
  if (!is_half(type) && !is_half(mlirValueGetType(value)))
    return jr_build_unary(builder, "builtin.unrealized_conversion_cast", value,
                          type);
  MlirValue bits = undo_bitcast(value, type);
  return mlirValueIsNull(bits)
             ? jr_build_unary(builder, "arith.bitcast", value, type)
             : bits;
}

/// How a narrow integer becomes a byte.
static const char *widening(MlirType type) {
  bool has_sign =
      mlirIntegerTypeGetWidth(type) > 1 && !mlirIntegerTypeIsUnsigned(type);
  return has_sign ? "arith.extsi" : "arith.extui";
}

MlirValue jr_build_to_frame(struct jr_builder *builder, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  MlirType other = stand_in(builder, type);
  if (!mlirTypeIsNull(other))
    value = build_cast(builder, value, other);
  if (mlirTypeIsAIndex(type))
    return jr_build_unary(builder, "arith.index_cast", value, builder->i64);
  if (is_narrow(type))
    return jr_build_unary(builder, widening(type), value, builder->i8);
  return value;
}

MlirValue jr_build_from_frame(struct jr_builder *builder, MlirType type,
                              MlirValue address, int64_t offset) {
  MlirType other = stand_in(builder, type);
  MlirType plain = mlirTypeIsNull(other) ? type : other;
  if (mlirTypeIsAIndex(type))
    return jr_build_unary(builder, "arith.index_cast",
                          jr_build_load(builder, builder->i64, address, offset),
                          type);
  MlirValue value = jr_build_load(
      builder, is_narrow(type) ? builder->i8 : plain, address, offset);
  if (is_narrow(type))
    value = jr_build_unary(builder, "arith.trunci", value, plain);
  return mlirTypeIsNull(other) ? value : build_cast(builder, value, type);
}

static MlirValue insert_field(struct jr_builder *builder, MlirValue aggregate,
                              MlirValue value, const int64_t *position,
                              size_t depth) {
  MlirNamedAttribute attribute = jr_named(
      builder->context, "position",
      mlirDenseI64ArrayGet(builder->context, (intptr_t)depth, position));
  MlirType type = mlirValueGetType(aggregate);
  MlirOperation op = jr_build(
      builder, "llvm.insertvalue",
      &(struct jr_op_parts){.operands = (MlirValue[]){aggregate, value},
                            .operand_count = 2,
                            .results = &type,
                            .result_count = 1,
                            .attributes = &attribute,
                            .attribute_count = 1});
  return mlirOperationGetResult(op, 0);
}

MlirValue jr_build_field(struct jr_builder *builder, MlirValue aggregate,
                         const int64_t *position, size_t depth, MlirType type) {
  MlirNamedAttribute attribute = jr_named(
      builder->context, "position",
      mlirDenseI64ArrayGet(builder->context, (intptr_t)depth, position));
  MlirOperation op = jr_build(builder, "llvm.extractvalue",
                              &(struct jr_op_parts){.operands = &aggregate,
                                                    .operand_count = 1,
                                                    .results = &type,
                                                    .result_count = 1,
                                                    .attributes = &attribute,
                                                    .attribute_count = 1});
  return mlirOperationGetResult(op, 0);
}

MlirType jr_build_descriptor_type(const struct jr_builder *builder,
                                  uint16_t rank) {
  MlirType fields[5] = {builder->ptr, builder->ptr, builder->i64};
  size_t count = 3;
  if (rank > 0) {
    fields[3] = fields[4] = mlirLLVMArrayTypeGet(builder->i64, rank);
    count = 5;
  }
  return mlirLLVMStructTypeLiteralGet(builder->context, (intptr_t)count, fields,
                                      false);
}

MlirValue jr_build_memref(struct jr_builder *builder, MlirType type,
                          MlirValue data, const MlirValue *words) {
  struct jr_mlir_type unpacked;
  (void)jr_type_unpack(type, &unpacked);
  MlirType struct_type = jr_build_descriptor_type(builder, unpacked.rank);
  int64_t offset = unpacked.offset == JITRUN_DYNAMIC ? 0 : unpacked.offset;
  MlirValue base = jr_build_offset(
      builder, data, -offset * (int64_t)jr_dtype_size(unpacked.dtype));
  MlirOperation undefined = jr_build(
      builder, "llvm.mlir.undef",
      &(struct jr_op_parts){.results = &struct_type, .result_count = 1});
  MlirValue value = mlirOperationGetResult(undefined, 0);
  value = insert_field(builder, value, base, (const int64_t[]){0}, 1);
  value = insert_field(builder, value, base, (const int64_t[]){1}, 1);
  value = insert_field(builder, value, jr_build_s64(builder, offset),
                       (const int64_t[]){2}, 1);
  for (int i = 0; i < 2 * unpacked.rank; i++) {
    int64_t position[] = {i < unpacked.rank ? 3 : 4, i % unpacked.rank};
    bool dynamic = unpacked.extents[i] == JITRUN_DYNAMIC;
    MlirValue extent =
        dynamic ? *words++ : jr_build_s64(builder, unpacked.extents[i]);
    value = insert_field(builder, value, extent, position, 2);
  }
  return jr_build_unary(builder, "builtin.unrealized_conversion_cast", value,
                        type);
}
