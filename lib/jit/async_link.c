/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Upstream's lowering of the async dialect calls functions of its own runtime
/// library. Generated code has no symbols of ours: each such call becomes one
/// through the table that the execution has, which is the first argument of
/// every function.
#include "jit/async.h"

#include "jit/build.h"
#include "jit/rt.h"
#include "runtime/exec.h"

#include "mlir-c/BuiltinAttributes.h"

/// The place in jr_async_functions of upstream's function, without its prefix.
struct place {
  const char *name;
  int64_t offset;
};

static const struct place places[] = {
    {"eAddRef", JR_ASYNC_CHANGE_COUNT},
    {"eAddTokenToGroup", JR_ASYNC_ADD_TO_GROUP},
    {"eAwaitAllInGroup", JR_ASYNC_AWAIT},
    {"eAwaitAllInGroupAndExecute", JR_ASYNC_AWAIT_THEN},
    {"eAwaitToken", JR_ASYNC_AWAIT},
    {"eAwaitTokenAndExecute", JR_ASYNC_AWAIT_THEN},
    {"eAwaitValue", JR_ASYNC_AWAIT},
    {"eAwaitValueAndExecute", JR_ASYNC_AWAIT_THEN},
    {"eCreateGroup", JR_ASYNC_CREATE_GROUP},
    {"eCreateToken", JR_ASYNC_CREATE_TOKEN},
    {"eCreateValue", JR_ASYNC_CREATE_VALUE},
    {"eDropRef", JR_ASYNC_CHANGE_COUNT},
    {"eEmplaceToken", JR_ASYNC_SET_AVAILABLE},
    {"eEmplaceValue", JR_ASYNC_SET_AVAILABLE},
    {"eExecute", JR_ASYNC_EXECUTE},
    {"GetNumWorkerThreads", JR_ASYNC_THREAD_COUNT},
    {"eGetValueStorage", JR_ASYNC_STORAGE},
    {"eIsGroupError", JR_ASYNC_IS_ERROR},
    {"eIsTokenError", JR_ASYNC_IS_ERROR},
    {"eIsValueError", JR_ASYNC_IS_ERROR},
    {"eSetTokenError", JR_ASYNC_SET_ERROR},
    {"eSetValueError", JR_ASYNC_SET_ERROR},
};

/// Upstream's runtime lacks an e in one name.
#define PREFIX "mlirAsyncRuntim"

/// Calls of upstream's runtime, and its declarations.
struct found {
  struct jr_ops calls, declarations;
};

static MlirWalkResult find_uses(MlirOperation op, void *context) {
  struct found *found = context;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  bool is_call = mlirStringRefEqual(name, jr_ref("llvm.call"));
  if (!is_call && !mlirStringRefEqual(name, jr_ref("llvm.func")))
    return MlirWalkResultAdvance;
  MlirAttribute symbol = mlirOperationGetInherentAttributeByName(
      op, jr_ref(is_call ? "callee" : "sym_name"));
  if (mlirAttributeIsNull(symbol))
    return MlirWalkResultAdvance;
  MlirStringRef text = is_call ? mlirFlatSymbolRefAttrGetValue(symbol)
                               : mlirStringAttrGetValue(symbol);
  if (jr_ref_begins(text, PREFIX))
    (void)jr_ops_push(is_call ? &found->calls : &found->declarations, op);
  return MlirWalkResultAdvance;
}

/// -1 for what there is no place for.
static int64_t find_place(MlirOperation call) {
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(
      mlirOperationGetInherentAttributeByName(call, jr_ref("callee")));
  MlirStringRef rest = mlirStringRefCreate(name.data + sizeof PREFIX - 1,
                                           name.length - sizeof PREFIX + 1);
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
    if (mlirStringRefEqual(rest, jr_ref(places[i].name)))
      return places[i].offset;
  }
  return -1;
}

/// The execution of the function that an operation is in.
static MlirValue find_exec(MlirOperation op) {
  while (!mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                             jr_ref("llvm.func")))
    op = mlirOperationGetParentOperation(op);
  return mlirBlockGetArgument(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)), 0);
}

static void link_call(struct jr_builder *b, MlirOperation call,
                      int64_t offset) {
  MlirBlock holder = mlirBlockCreate(0, NULL, NULL);
  MlirValue exec = find_exec(call);
  MlirValue operands[4] = {exec};
  size_t count = (size_t)mlirOperationGetNumOperands(call);
  b->block = holder;
  b->location = mlirOperationGetLocation(call);
  for (size_t i = 0; i < count && i < 3; i++)
    operands[i + 1] = mlirOperationGetOperand(call, (intptr_t)i);
  MlirValue functions = jr_build_load(b, b->ptr, exec, JR_EXEC_FUNCTIONS);
  MlirValue table = jr_build_load(b, b->ptr, functions, JR_FUNCTIONS_ASYNC);
  MlirValue function = jr_build_load(b, b->ptr, table, offset);
  bool has_result = mlirOperationGetNumResults(call) > 0;
  MlirType type = {0};
  if (has_result)
    type = mlirValueGetType(mlirOperationGetResult(call, 0));
  MlirValue result =
      jr_build_call_pointer(b, function, operands, count + 1, type);
  if (has_result)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(call, 0), result);
  for (MlirOperation op = mlirBlockGetFirstOperation(holder);
       !mlirOperationIsNull(op); op = mlirBlockGetFirstOperation(holder))
    mlirOperationMoveBefore(op, call);
  mlirBlockDestroy(holder);
  mlirOperationDestroy(call);
}

void jr_async_link(struct jr_unit *unit) {
  struct found found = {0};
  struct jr_builder builder;
  jr_builder_init(&builder, unit->context);
  mlirOperationWalk(mlirModuleGetOperation(unit->module), find_uses, &found,
                    MlirWalkPostOrder);
  size_t linked = 0;
  for (size_t i = 0; i < found.calls.count; i++) {
    int64_t offset = find_place(found.calls.items[i]);
    if (offset < 0)
      continue; /* its symbol will be refused */
    link_call(&builder, found.calls.items[i], offset);
    linked++;
  }
  for (size_t i = 0;
       i < found.declarations.count && linked == found.calls.count; i++)
    mlirOperationDestroy(found.declarations.items[i]);
  jr_ops_deinit(&found.calls);
  jr_ops_deinit(&found.declarations);
}

static MlirValue cast(struct jr_builder *b, MlirValue value, MlirType type) {
  return jr_build_unary(b, "builtin.unrealized_conversion_cast", value, type);
}

/// Gives a branch pointers.
static MlirWalkResult cast_operands(MlirOperation op, void *context) {
  struct jr_builder *b = context;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  for (intptr_t i = 0;
       jr_ref_begins(name, "cf.") && i < mlirOperationGetNumOperands(op); i++) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!jr_is_async_type(mlirValueGetType(operand)))
      continue;
    b->block = mlirOperationGetBlock(op);
    b->location = mlirOperationGetLocation(op);
    MlirValue pointer = cast(b, operand, b->ptr);
    mlirOperationMoveBefore(mlirOpResultGetOwner(pointer), op);
    mlirOperationSetOperand(op, i, pointer);
  }
  return MlirWalkResultAdvance;
}

/// Has a block take pointers.
static void cast_arguments(struct jr_builder *b, MlirBlock block) {
  b->block = block;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++) {
    MlirValue old = mlirBlockGetArgument(block, i);
    MlirType type = mlirValueGetType(old);
    if (!jr_is_async_type(type))
      continue;
    b->location = mlirValueGetLocation(old);
    MlirValue argument =
        mlirBlockInsertArgument(block, i + 1, b->ptr, b->location);
    MlirValue handle = cast(b, argument, type);
    MlirOperation first = mlirBlockGetFirstOperation(block);
    mlirOperationMoveBefore(mlirOpResultGetOwner(handle), first);
    mlirValueReplaceAllUsesOfWith(old, handle);
    mlirBlockEraseArgument(block, (unsigned)i);
  }
}

void jr_async_branches(struct jr_unit *unit) {
  struct jr_builder builder;
  jr_builder_init(&builder, unit->context);
  MlirOperation op =
      mlirBlockGetFirstOperation(mlirModuleGetBody(unit->module));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!jr_is(op, unit->names.func_func))
      continue;
    mlirOperationWalk(op, cast_operands, &builder, MlirWalkPostOrder);
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
    while (!mlirBlockIsNull(block) &&
           (block = mlirBlockGetNextInRegion(block), !mlirBlockIsNull(block)))
      cast_arguments(&builder, block);
  }
}
