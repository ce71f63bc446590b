/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Tensors in programs with async work. Upstream's bufferization knows nothing
/// of the dialect, and tasks run while later operations write to memory that
/// they were given. So bodies of async.execute are outlined first; then a task
/// is given buffers with copies, and what it gives is a buffer as well, of
/// which whoever awaits it makes a tensor again.
#include "jit/async.h"

#include "jit/rt.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

static void append_text(MlirStringRef text, void *bytes) {
  jr_bytes_append(bytes, text.data, text.length);
}

/// !async.value of a memref for one of a tensor; any other type as it is. The
/// C API has no such types, so it goes by their text.
static MlirType value_type(const struct jr_unit *unit, MlirType type) {
  static const char old[] = "!async.value<tensor<";
  struct jr_bytes text = {0};
  struct jr_bytes made = {0};
  if (!jr_is_async_type(type))
    return type;
  mlirTypePrint(type, append_text, &text);
  const char *found = jr_bytes_text(&text);
  if (found && strncmp(found, old, sizeof old - 1) == 0) {
    jr_bytes_append_text(&made, "!async.value<memref<");
    jr_bytes_append_text(&made, found + sizeof old - 1);
    const char *new = jr_bytes_text(&made);
    MlirType parsed =
        new ? mlirTypeParseGet(unit->context, jr_ref(new)) : (MlirType){0};
    type = mlirTypeIsNull(parsed) ? type : parsed;
  }
  jr_bytes_deinit(&text);
  jr_bytes_deinit(&made);
  return type;
}

/// The dense memref of a tensor; any other type as it is.
static MlirType buffer_type(MlirType type) {
  int64_t shape[64];
  if (!mlirTypeIsARankedTensor(type) || mlirShapedTypeGetRank(type) > 64)
    return type;
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t i = 0; i < rank; i++)
    shape[i] = mlirShapedTypeGetDimSize(type, i);
  return mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type), rank,
                                     shape, mlirAttributeGetNull());
}

static bool is_buffered(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return !mlirTypeEqual(type, buffer_type(type));
}

/// An operation of one operand and one result.
static MlirValue insert(MlirOperationState *state, MlirValue operand,
                        MlirType type, MlirOperation before) {
  mlirOperationStateAddOperands(state, 1, &operand);
  mlirOperationStateAddResults(state, 1, &type);
  MlirOperation op = mlirOperationCreate(state);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(before), before,
                                      op);
  return mlirOperationGetResult(op, 0);
}

/// Gives a value the type of a buffer, and its users a tensor, made in front of
/// `before`. Nobody else has a buffer that is writable.
static void make_buffer(MlirValue value, MlirOperation before,
                        bool is_writable) {
  MlirType tensor = mlirValueGetType(value);
  MlirContext context = mlirTypeGetContext(tensor);
  MlirOperationState state = mlirOperationStateGet(
      jr_ref("bufferization.to_tensor"), mlirOperationGetLocation(before));
  const MlirNamedAttribute attributes[] = {
      jr_named(context, "restrict", mlirUnitAttrGet(context)),
      jr_named(context, "writable", mlirUnitAttrGet(context))};
  mlirOperationStateAddAttributes(&state, 1 + is_writable, attributes);
  mlirValueSetType(value, buffer_type(tensor));
  MlirValue made = insert(&state, value, tensor, before);
  MlirOperation op = mlirOpResultGetOwner(made);
  mlirValueReplaceAllUsesExcept(value, made, 1, &op);
}

/// A tensor of its own with the same elements.
static MlirValue copy(MlirValue tensor, MlirOperation before) {
  static const int32_t segments[] = {0, 1, 0};
  MlirType type = mlirValueGetType(tensor);
  MlirContext context = mlirTypeGetContext(type);
  MlirOperationState state = mlirOperationStateGet(
      jr_ref("bufferization.alloc_tensor"), mlirOperationGetLocation(before));
  MlirNamedAttribute attribute =
      jr_named(context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(context, 3, segments));
  mlirOperationStateAddAttributes(&state, 1, &attribute);
  return insert(&state, tensor, type, before);
}

/// Hands an operation buffers for its operands that are tensors.
static void buffer_operands(MlirOperation op, bool is_copied) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!is_buffered(operand))
      continue;
    MlirOperationState state = mlirOperationStateGet(
        jr_ref("bufferization.to_buffer"), mlirOperationGetLocation(op));
    MlirType type = buffer_type(mlirValueGetType(operand));
    if (is_copied)
      operand = copy(operand, op);
    mlirOperationSetOperand(op, i, insert(&state, operand, type, op));
  }
}

/// The type of a function, with buffers where `is_task` has tensors.
static void set_function_type(const struct jr_unit *unit, MlirOperation op,
                              bool is_task) {
  MlirType type = mlirTypeAttrGetValue(
      mlirOperationGetInherentAttributeByName(op, jr_ref("function_type")));
  intptr_t inputs = mlirFunctionTypeGetNumInputs(type);
  intptr_t results = mlirFunctionTypeGetNumResults(type);
  MlirType *types = malloc((size_t)(inputs + results + 1) * sizeof *types);
  if (!types)
    return;
  for (intptr_t i = 0; i < inputs; i++) {
    types[i] = value_type(unit, mlirFunctionTypeGetInput(type, i));
    types[i] = is_task ? buffer_type(types[i]) : types[i];
  }
  for (intptr_t i = 0; i < results; i++)
    types[inputs + i] = value_type(unit, mlirFunctionTypeGetResult(type, i));
  mlirOperationSetInherentAttributeByName(
      op, jr_ref("function_type"),
      mlirTypeAttrGet(mlirFunctionTypeGet(unit->context, inputs, types, results,
                                          types + inputs)));
  free(types);
}

static void set_value_type(const struct jr_unit *unit, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  MlirType now = value_type(unit, type);
  if (!mlirTypeEqual(type, now))
    mlirValueSetType(value, now);
}

/// Types of handles.
static void set_types(const struct jr_unit *unit, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    set_value_type(unit, mlirOperationGetResult(op, i));
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); i++) {
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
      for (intptr_t k = 0; k < mlirBlockGetNumArguments(block); k++)
        set_value_type(unit, mlirBlockGetArgument(block, k));
    }
  }
}

static void buffer_arguments(MlirOperation function) {
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  for (intptr_t i = 0;
       !mlirBlockIsNull(block) && i < mlirBlockGetNumArguments(block); i++) {
    MlirValue argument = mlirBlockGetArgument(block, i);
    if (is_buffered(argument))
      make_buffer(argument, mlirBlockGetFirstOperation(block), true);
  }
}

static bool is_op(MlirOperation op, const char *name) {
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                            jr_ref(name));
}

static void visit(const struct jr_unit *unit, MlirOperation op) {
  bool is_task = jr_is(op, unit->names.async_func);
  set_types(unit, op);
  if (is_task || jr_is(op, unit->names.func_func))
    set_function_type(unit, op, is_task);
  if (is_task)
    buffer_arguments(op);
  else if (jr_is(op, unit->names.async_call))
    buffer_operands(op, true);
  else if (is_op(op, "async.return"))
    buffer_operands(op, false);
  else if (is_op(op, "async.await") && mlirOperationGetNumResults(op) == 1 &&
           is_buffered(mlirOperationGetResult(op, 0)))
    make_buffer(mlirOperationGetResult(op, 0), mlirOperationGetNextInBlock(op),
                false);
}

static MlirWalkResult collect(MlirOperation op, void *context) {
  return jr_ops_push(context, op) ? MlirWalkResultAdvance
                                  : MlirWalkResultInterrupt;
}

jitrun_error_t *jr_async_tensors(struct jr_unit *unit) {
  struct jr_ops all = {0};
  if (!unit->has_async)
    return NULL;
  JITRUN_TRY(jr_async_outline(unit));
  mlirOperationWalk(mlirModuleGetOperation(unit->module), collect, &all,
                    MlirWalkPreOrder);
  for (size_t i = 0; i < all.count; i++)
    visit(unit, all.items[i]);
  jr_ops_deinit(&all);
  return NULL;
}
