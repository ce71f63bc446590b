/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Execution contexts leave the program: they are no arguments of its caller,
/// and code has the execution anyway.
#include "jit/rt.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static MlirType function_type(MlirOperation function) {
  return mlirTypeAttrGetValue(mlirOperationGetInherentAttributeByName(
      function, jr_ref("function_type")));
}

static bool has_context(MlirOperation function) {
  MlirType type = function_type(function);
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); i++) {
    if (jr_rt_is_context(mlirFunctionTypeGetInput(type, i)))
      return true;
  }
  return false;
}

/// A call of one of these functions, without the contexts among its operands.
static void rebuild_call(MlirOperation call) {
  MlirOperationState state =
      mlirOperationStateGet(mlirIdentifierStr(mlirOperationGetName(call)),
                            mlirOperationGetLocation(call));
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(call); i++) {
    MlirNamedAttribute attribute = mlirOperationGetAttribute(call, i);
    mlirOperationStateAddAttributes(&state, 1, &attribute);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(call); i++) {
    MlirValue operand = mlirOperationGetOperand(call, i);
    if (!jr_rt_is_context(mlirValueGetType(operand)))
      mlirOperationStateAddOperands(&state, 1, &operand);
  }
  intptr_t results = mlirOperationGetNumResults(call);
  for (intptr_t i = 0; i < results; i++) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(call, i));
    mlirOperationStateAddResults(&state, 1, &type);
  }
  MlirOperation op = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(call), call, op);
  for (intptr_t i = 0; i < results; i++)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(call, i),
                                  mlirOperationGetResult(op, i));
  mlirOperationDestroy(call);
}

struct calls {
  const struct jr_unit *unit;
  struct jr_ops ops; ///< with a context among their operands
  bool failed;
};

static MlirWalkResult collect_call(MlirOperation op, void *context) {
  struct calls *calls = context;
  const struct jr_names *names = &calls->unit->names;
  if (!jr_is(op, names->func_call) && !jr_is(op, names->async_call))
    return MlirWalkResultAdvance;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    if (!jr_rt_is_context(mlirValueGetType(mlirOperationGetOperand(op, i))))
      continue;
    calls->failed = !jr_ops_push(&calls->ops, op);
    return calls->failed ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
  }
  return MlirWalkResultAdvance;
}

/// Refuses what else the program does with a context.
static jitrun_error_t *check_unused(const struct jr_unit *unit,
                                    MlirValue context) {
  MlirOpOperand use = mlirValueGetFirstUse(context);
  if (mlirOpOperandIsNull(use))
    return NULL;
  MlirOperation op = mlirOpOperandGetOwner(use);
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  return jr_error_op(unit, op, JITRUN_UNIMPLEMENTED,
                     "operation '%.*s' takes an execution context, which only "
                     "operations of rt and calls can in this version",
                     (int)name.length, name.data);
}

/// Takes the dictionaries of the contexts out of `arg_attrs`.
static jitrun_error_t *drop_arg_attrs(struct jr_unit *unit,
                                      MlirOperation function, MlirType type) {
  MlirAttribute all =
      mlirOperationGetInherentAttributeByName(function, jr_ref("arg_attrs"));
  if (mlirAttributeIsNull(all) || !mlirAttributeIsAArray(all))
    return NULL;
  intptr_t count = mlirArrayAttrGetNumElements(all);
  intptr_t kept = 0;
  MlirAttribute *left =
      jr_arena_alloc(&unit->arena, ((size_t)count + 1) * sizeof *left);
  if (!left)
    return jr_error_no_memory();
  for (intptr_t i = 0; i < count; i++) {
    if (!jr_rt_is_context(mlirFunctionTypeGetInput(type, i)))
      left[kept++] = mlirArrayAttrGetElement(all, i);
  }
  mlirOperationSetInherentAttributeByName(
      function, jr_ref("arg_attrs"),
      mlirArrayAttrGet(unit->context, kept, left));
  return NULL;
}

/// Takes the contexts out of what the body of a function is given.
static jitrun_error_t *drop_block_args(const struct jr_unit *unit,
                                       MlirOperation function) {
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  if (mlirBlockIsNull(entry))
    return NULL;
  for (intptr_t i = mlirBlockGetNumArguments(entry); i-- > 0;) {
    MlirValue argument = mlirBlockGetArgument(entry, i);
    if (!jr_rt_is_context(mlirValueGetType(argument)))
      continue;
    JITRUN_TRY(check_unused(unit, argument));
    mlirBlockEraseArgument(entry, (unsigned)i);
  }
  return NULL;
}

/// Takes the contexts out of a function's arguments.
static jitrun_error_t *drop_contexts(struct jr_unit *unit,
                                     MlirOperation function) {
  MlirType type = function_type(function);
  intptr_t inputs = mlirFunctionTypeGetNumInputs(type);
  intptr_t results = mlirFunctionTypeGetNumResults(type);
  intptr_t kept = 0;
  MlirType *types = jr_arena_alloc(
      &unit->arena, ((size_t)inputs + (size_t)results + 1) * sizeof *types);
  if (!types)
    return jr_error_no_memory();
  JITRUN_TRY(drop_arg_attrs(unit, function, type));
  JITRUN_TRY(drop_block_args(unit, function));
  for (intptr_t i = 0; i < inputs; i++) {
    if (!jr_rt_is_context(mlirFunctionTypeGetInput(type, i)))
      types[kept++] = mlirFunctionTypeGetInput(type, i);
  }
  for (intptr_t i = 0; i < results; i++)
    types[kept + i] = mlirFunctionTypeGetResult(type, i);
  mlirOperationSetInherentAttributeByName(
      function, jr_ref("function_type"),
      mlirTypeAttrGet(mlirFunctionTypeGet(unit->context, kept, types, results,
                                          types + kept)));
  return NULL;
}

/// This operation or the first behind it that is a function with a context.
static MlirOperation find_function(const struct jr_unit *unit,
                                   MlirOperation op) {
  const struct jr_names *names = &unit->names;
  while (!mlirOperationIsNull(op) &&
         !((jr_is(op, names->func_func) || jr_is(op, names->async_func)) &&
           has_context(op)))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

jitrun_error_t *jr_rt_contexts(struct jr_rt *rt) {
  struct jr_unit *unit = rt->unit;
  MlirOperation function = find_function(
      unit, mlirBlockGetFirstOperation(mlirModuleGetBody(unit->module)));
  if (mlirOperationIsNull(function))
    return NULL;
  rt->changed = true;
  struct calls calls = {.unit = unit};
  mlirOperationWalk(mlirModuleGetOperation(unit->module), collect_call, &calls,
                    MlirWalkPreOrder);
  for (size_t i = 0; !calls.failed && i < calls.ops.count; i++)
    rebuild_call(calls.ops.items[i]);
  jr_ops_deinit(&calls.ops);
  if (calls.failed)
    return jr_error_no_memory();
  for (; !mlirOperationIsNull(function);
       function = find_function(unit, mlirOperationGetNextInBlock(function)))
    JITRUN_TRY(drop_contexts(unit, function));
  return NULL;
}
