/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The body of an async.execute becomes an async.func, and the operation a call
/// of it. Upstream's own pass for that cannot take loops and branches in the
/// body once they hold what must be split, like an await.
///
/// The function awaits, in order: a token that makes the rest a task, the
/// dependencies, the values that the body is given. Inner operations come
/// first, so that what they use of an outer body is seen there.
#include "jit/async.h"

#include "jit/capture.h"
#include "jit/plan.h"
#include "jit/rt.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

/// One async.execute.
struct outlining {
  struct jr_unit *unit;
  MlirOperation execute;
  struct jr_capture capture; ///< the function
  MlirOperation anchor;      ///< awaits stand in front of it
};

/// The async.func, of a type that is not known yet, with the operation's body.
static void create_function(struct outlining *outlining) {
  struct jr_unit *unit = outlining->unit;
  MlirContext context = unit->context;
  MlirOperationState state = mlirOperationStateGet(
      jr_ref("async.func"), mlirOperationGetLocation(outlining->execute));
  const MlirNamedAttribute attributes[] = {
      jr_named(unit->context, "sym_name",
               mlirStringAttrGet(context, jr_ref("async_execute"))),
      jr_named(unit->context, "sym_visibility",
               mlirStringAttrGet(context, jr_ref("private"))),
      jr_named(
          unit->context, "function_type",
          mlirTypeAttrGet(mlirFunctionTypeGet(context, 0, NULL, 0, NULL)))};
  MlirRegion region = mlirRegionCreate();
  mlirRegionTakeBody(region, mlirOperationGetRegion(outlining->execute, 0));
  mlirOperationStateAddAttributes(&state, 3, attributes);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  outlining->capture.function = mlirOperationCreate(&state);
  (void)mlirSymbolTableInsert(unit->symbols, outlining->capture.function);
  outlining->capture.body = mlirRegionGetFirstBlock(
      mlirOperationGetRegion(outlining->capture.function, 0));
  outlining->anchor = mlirBlockGetFirstOperation(outlining->capture.body);
}

/// Awaits a handle; the value in it, if `type` is not null.
static MlirValue add_await(const struct outlining *outlining, MlirValue handle,
                           MlirType type) {
  MlirOperationState state = mlirOperationStateGet(
      jr_ref("async.await"), mlirOperationGetLocation(outlining->execute));
  mlirOperationStateAddOperands(&state, 1, &handle);
  if (!mlirTypeIsNull(type))
    mlirOperationStateAddResults(&state, 1, &type);
  MlirOperation op = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(outlining->capture.body,
                                      outlining->anchor, op);
  return mlirTypeIsNull(type) ? (MlirValue){0} : mlirOperationGetResult(op, 0);
}

static void add_start(const struct outlining *outlining, MlirStringRef start) {
  MlirOperation op = jr_async_call(
      outlining->unit, start, "start", NULL,
      mlirTypeParseGet(outlining->unit->context, jr_ref("!async.token")),
      mlirOperationGetLocation(outlining->execute));
  mlirBlockInsertOwnedOperationBefore(outlining->capture.body,
                                      outlining->anchor, op);
  (void)add_await(outlining, mlirOperationGetResult(op, 0), (MlirType){0});
}

/// Dependencies and values become arguments that are awaited.
static void add_operands(struct outlining *outlining) {
  MlirOperation execute = outlining->execute;
  intptr_t given = mlirBlockGetNumArguments(outlining->capture.body);
  intptr_t count = mlirOperationGetNumOperands(execute);
  intptr_t tokens = count - given;
  for (intptr_t i = 0; i < count; i++) {
    MlirValue argument = jr_capture_argument(
        &outlining->capture, mlirOperationGetOperand(execute, i));
    if (i < tokens) {
      (void)add_await(outlining, argument, (MlirType){0});
      continue;
    }
    MlirValue old = mlirBlockGetArgument(outlining->capture.body, i - tokens);
    mlirValueReplaceAllUsesOfWith(
        old, add_await(outlining, argument, mlirValueGetType(old)));
  }
  while (given-- > 0)
    mlirBlockEraseArgument(outlining->capture.body, 0);
}

/// async.yield becomes async.return.
static void replace_yield(const struct outlining *outlining) {
  MlirOperation yield = mlirBlockGetTerminator(outlining->capture.body);
  MlirOperationState state = mlirOperationStateGet(
      jr_ref("async.return"), mlirOperationGetLocation(yield));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); i++) {
    MlirValue value = mlirOperationGetOperand(yield, i);
    mlirOperationStateAddOperands(&state, 1, &value);
  }
  mlirOperationDestroy(yield);
  mlirBlockAppendOwnedOperation(outlining->capture.body,
                                mlirOperationCreate(&state));
}

static jitrun_error_t *set_type(const struct outlining *outlining) {
  size_t inputs = (size_t)mlirBlockGetNumArguments(outlining->capture.body);
  size_t results = (size_t)mlirOperationGetNumResults(outlining->execute);
  MlirType *types = jr_arena_alloc(&outlining->unit->arena,
                                   (inputs + results) * sizeof *types);
  if (!types)
    return jr_error_no_memory();
  for (size_t i = 0; i < inputs; i++)
    types[i] = mlirValueGetType(
        mlirBlockGetArgument(outlining->capture.body, (intptr_t)i));
  for (size_t i = 0; i < results; i++)
    types[inputs + i] = mlirValueGetType(
        mlirOperationGetResult(outlining->execute, (intptr_t)i));
  mlirOperationSetInherentAttributeByName(
      outlining->capture.function, jr_ref("function_type"),
      mlirTypeAttrGet(mlirFunctionTypeGet(outlining->unit->context,
                                          (intptr_t)inputs, types,
                                          (intptr_t)results, types + inputs)));
  return NULL;
}

/// Calls the function where the operation was.
static void replace_execute(const struct outlining *outlining) {
  struct jr_unit *unit = outlining->unit;
  MlirOperation execute = outlining->execute;
  MlirOperationState state = mlirOperationStateGet(
      jr_ref("async.call"), mlirOperationGetLocation(execute));
  MlirNamedAttribute callee =
      jr_named(unit->context, "callee",
               mlirFlatSymbolRefAttrGet(
                   unit->context, jr_symbol_name(outlining->capture.function)));
  mlirOperationStateAddAttributes(&state, 1, &callee);
  jr_capture_pass(&outlining->capture, &state);
  intptr_t results = mlirOperationGetNumResults(execute);
  for (intptr_t i = 0; i < results; i++) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(execute, i));
    mlirOperationStateAddResults(&state, 1, &type);
  }
  MlirOperation call = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(execute), execute,
                                      call);
  for (intptr_t i = 0; i < results; i++)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(execute, i),
                                  mlirOperationGetResult(call, i));
  mlirOperationDestroy(execute);
}

static jitrun_error_t *outline(struct jr_unit *unit, MlirOperation execute,
                               MlirStringRef start) {
  struct outlining outlining = {
      .unit = unit, .execute = execute, .capture = {.unit = unit}};
  create_function(&outlining);
  add_start(&outlining, start);
  add_operands(&outlining);
  jr_capture_operands(&outlining.capture);
  replace_yield(&outlining);
  jitrun_error_t *error =
      outlining.capture.failed ? jr_error_no_memory() : set_type(&outlining);
  if (!error)
    replace_execute(&outlining);
  jr_capture_deinit(&outlining.capture);
  return error;
}

/// All async.execute, inner ones first.
struct executes {
  const struct jr_unit *unit;
  struct jr_ops ops;
  bool failed;
};

static MlirWalkResult collect(MlirOperation op, void *context) {
  struct executes *executes = context;
  if (jr_is(op, executes->unit->names.async_execute) &&
      !jr_ops_push(&executes->ops, op))
    executes->failed = true;
  return MlirWalkResultAdvance;
}

jitrun_error_t *jr_async_outline(struct jr_unit *unit) {
  struct executes executes = {.unit = unit};
  mlirOperationWalk(mlirModuleGetOperation(unit->module), collect, &executes,
                    MlirWalkPostOrder);
  jitrun_error_t *error = executes.failed ? jr_error_no_memory() : NULL;
  MlirType token = mlirTypeParseGet(unit->context, jr_ref("!async.token"));
  MlirStringRef start = {0};
  if (executes.ops.count > 0)
    start = jr_async_declare(
        unit, "jitrun.start",
        mlirFunctionTypeGet(unit->context, 0, NULL, 1, &token));
  for (size_t i = 0; i < executes.ops.count && !error; i++)
    error = outline(unit, executes.ops.items[i], start);
  jr_ops_deinit(&executes.ops);
  return error;
}
