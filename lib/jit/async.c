/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See async.h: everything but the outlining of async.execute.
#include "jit/async.h"

#include "jit/pipeline.h"
#include "jit/plan.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/// What upstream writes behind an await in a function that is no coroutine.
#define AWAIT_MESSAGE "Awaited async operand is in error state"

bool jr_is_async_type(MlirType type) {
  return mlirStringRefEqual(mlirDialectGetNamespace(mlirTypeGetDialect(type)),
                            jr_ref("async"));
}

/// True when the signature of a function has a token or value.
static bool has_async_type(MlirOperation function) {
  MlirAttribute attribute = mlirOperationGetInherentAttributeByName(
      function, jr_ref("function_type"));
  if (mlirAttributeIsNull(attribute))
    return false;
  MlirType type = mlirTypeAttrGetValue(attribute);
  bool found = false;
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); i++)
    found = found || jr_is_async_type(mlirFunctionTypeGetInput(type, i));
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumResults(type); i++)
    found = found || jr_is_async_type(mlirFunctionTypeGetResult(type, i));
  return found;
}

static MlirWalkResult find_async(MlirOperation op, void *context) {
  struct jr_unit *unit = context;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  unit->has_async = jr_ref_begins(name, "async.") ||
                    (jr_is(op, unit->names.func_func) && has_async_type(op));
  return unit->has_async ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static void set_private(const struct jr_unit *unit, MlirOperation function) {
  mlirOperationSetInherentAttributeByName(
      function, mlirSymbolTableGetVisibilityAttributeName(),
      mlirStringAttrGet(unit->context, jr_ref("private")));
}

/// The plain function, with all attributes of the async.func, its body empty.
static MlirOperation create_wrapper(struct jr_unit *unit,
                                    MlirOperation function) {
  MlirOperationState state = mlirOperationStateGet(
      jr_ref("func.func"), mlirOperationGetLocation(function));
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(function); i++) {
    MlirNamedAttribute attribute = mlirOperationGetAttribute(function, i);
    mlirOperationStateAddAttributes(&state, 1, &attribute);
  }
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, mlirBlockCreate(0, NULL, NULL));
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  (void)unit;
  return mlirOperationCreate(&state);
}

/// Calls the coroutine and returns its handles.
static void fill_wrapper(struct jr_unit *unit, MlirOperation wrapper,
                         MlirStringRef callee) {
  MlirLocation location = mlirOperationGetLocation(wrapper);
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(wrapper, 0));
  MlirType type = mlirTypeAttrGetValue(mlirOperationGetInherentAttributeByName(
      wrapper, jr_ref("function_type")));
  MlirOperationState call =
      mlirOperationStateGet(jr_ref("async.call"), location);
  MlirOperationState end =
      mlirOperationStateGet(jr_ref("func.return"), location);
  MlirNamedAttribute attribute = jr_named(
      unit->context, "callee", mlirFlatSymbolRefAttrGet(unit->context, callee));
  mlirOperationStateAddAttributes(&call, 1, &attribute);
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); i++) {
    MlirValue argument = mlirBlockAddArgument(
        block, mlirFunctionTypeGetInput(type, i), location);
    mlirOperationStateAddOperands(&call, 1, &argument);
  }
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumResults(type); i++) {
    MlirType result = mlirFunctionTypeGetResult(type, i);
    mlirOperationStateAddResults(&call, 1, &result);
  }
  MlirOperation op = mlirOperationCreate(&call);
  mlirBlockAppendOwnedOperation(block, op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    MlirValue result = mlirOperationGetResult(op, i);
    mlirOperationStateAddOperands(&end, 1, &result);
  }
  mlirBlockAppendOwnedOperation(block, mlirOperationCreate(&end));
}

/// Which function is called under a new name.
struct renaming {
  const struct jr_unit *unit;
  MlirStringRef old;
  MlirAttribute now;
};

static MlirWalkResult retarget(MlirOperation op, void *context) {
  const struct renaming *renaming = context;
  if (!jr_is(op, renaming->unit->names.async_call))
    return MlirWalkResultAdvance;
  MlirAttribute callee =
      mlirOperationGetInherentAttributeByName(op, jr_ref("callee"));
  if (mlirStringRefEqual(mlirFlatSymbolRefAttrGetValue(callee), renaming->old))
    mlirOperationSetInherentAttributeByName(op, jr_ref("callee"),
                                            renaming->now);
  return MlirWalkResultAdvance;
}

static void wrap_function(struct jr_unit *unit, MlirSymbolTable symbols,
                          MlirOperation function) {
  MlirOperation module = mlirModuleGetOperation(unit->module);
  MlirOperation body = mlirOperationClone(function);
  set_private(unit, body);
  while (mlirOperationGetNumDiscardableAttributes(body) > 0)
    (void)mlirOperationRemoveDiscardableAttributeByName(
        body,
        mlirIdentifierStr(mlirOperationGetDiscardableAttribute(body, 0).name));
  (void)mlirOperationRemoveAttributeByName(body, jr_ref("arg_attrs"));
  (void)mlirOperationRemoveAttributeByName(body, jr_ref("res_attrs"));
  MlirStringRef name =
      mlirStringAttrGetValue(mlirSymbolTableInsert(symbols, body));
  struct renaming renaming = {
      .unit = unit,
      .old = jr_symbol_name(function),
      .now = mlirFlatSymbolRefAttrGet(unit->context, name)};
  mlirOperationWalk(module, retarget, &renaming, MlirWalkPreOrder);
  MlirOperation wrapper = create_wrapper(unit, function);
  fill_wrapper(unit, wrapper, name);
  mlirBlockInsertOwnedOperationBefore(mlirModuleGetBody(unit->module), function,
                                      wrapper);
  mlirSymbolTableErase(symbols, function);
}

jitrun_error_t *jr_async_entries(struct jr_unit *unit) {
  MlirOperation module = mlirModuleGetOperation(unit->module);
  mlirOperationWalk(module, find_async, unit, MlirWalkPreOrder);
  if (!unit->has_async)
    return NULL;
  (void)mlirContextGetOrLoadDialect(unit->context, jr_ref("func"));
  (void)mlirContextGetOrLoadDialect(unit->context, jr_ref("cf"));
  (void)mlirContextGetOrLoadDialect(unit->context, jr_ref("async"));
  MlirSymbolTable symbols = mlirSymbolTableCreate(module);
  MlirIdentifier name = unit->names.async_func;
  MlirOperation op = jr_first_of(unit, name);
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = jr_next_of(mlirOperationGetNextInBlock(op), name);
    if (jr_is_exported(op, false))
      wrap_function(unit, symbols, op);
    op = next;
  }
  mlirSymbolTableDestroy(symbols);
  return NULL;
}

MlirStringRef jr_async_declare(struct jr_unit *unit, const char *name,
                               MlirType type) {
  MlirRegion region = mlirRegionCreate();
  MlirOperationState state = mlirOperationStateGet(
      jr_ref("func.func"), mlirLocationUnknownGet(unit->context));
  const MlirNamedAttribute attributes[] = {
      jr_named(unit->context, "sym_name",
               mlirStringAttrGet(unit->context, jr_ref(name))),
      jr_named(unit->context, "sym_visibility",
               mlirStringAttrGet(unit->context, jr_ref("private"))),
      jr_named(unit->context, "function_type", mlirTypeAttrGet(type))};
  mlirOperationStateAddAttributes(&state, 3, attributes);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  return mlirStringAttrGetValue(
      mlirSymbolTableInsert(unit->symbols, mlirOperationCreate(&state)));
}

MlirOperation jr_async_call(struct jr_unit *unit, MlirStringRef callee,
                            const char *what, const MlirValue *operand,
                            MlirType result, MlirLocation location) {
  MlirOperationState state =
      mlirOperationStateGet(jr_ref("func.call"), location);
  const MlirNamedAttribute attributes[] = {
      jr_named(unit->context, "callee",
               mlirFlatSymbolRefAttrGet(unit->context, callee)),
      jr_named(unit->context, JR_ATTR_ASYNC,
               mlirStringAttrGet(unit->context, jr_ref(what)))};
  mlirOperationStateAddAttributes(&state, 2, attributes);
  if (operand)
    mlirOperationStateAddOperands(&state, 1, operand);
  if (!mlirTypeIsNull(result))
    mlirOperationStateAddResults(&state, 1, &result);
  return mlirOperationCreate(&state);
}

/// What coroutines call to find out about failures.
struct tests {
  struct jr_unit *unit;
  MlirStringRef ok, check;
  MlirType i1;
};

static bool has_attr(MlirOperation op, const char *name) {
  return !mlirAttributeIsNull(
      mlirOperationGetDiscardableAttributeByName(op, jr_ref(name)));
}

static void insert_after(MlirOperation op, MlirOperation added) {
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(op), op, added);
}

/// An assertion that the operation succeeded. Its message is never seen: the
/// error itself is kept.
static void test_operation(const struct tests *tests, MlirOperation op) {
  struct jr_unit *unit = tests->unit;
  MlirLocation location = mlirOperationGetLocation(op);
  MlirOperation ok =
      jr_async_call(unit, tests->ok, "ok", NULL, tests->i1, location);
  insert_after(op, ok);
  MlirValue status = mlirOperationGetResult(ok, 0);
  MlirNamedAttribute message =
      jr_named(unit->context, "msg",
               mlirStringAttrGet(unit->context, jr_ref("call failed")));
  MlirOperationState state =
      mlirOperationStateGet(jr_ref("cf.assert"), location);
  mlirOperationStateAddOperands(&state, 1, &status);
  mlirOperationStateAddAttributes(&state, 1, &message);
  insert_after(ok, mlirOperationCreate(&state));
}

/// Has the program's own assertion say its message.
static void test_assertion(const struct tests *tests, MlirOperation op) {
  struct jr_unit *unit = tests->unit;
  MlirValue condition = mlirOperationGetOperand(op, 0);
  MlirOperation check =
      jr_async_call(unit, tests->check, "check", &condition, (MlirType){0},
                    mlirOperationGetLocation(op));
  mlirOperationSetDiscardableAttributeByName(
      check, jr_ref(JR_ATTR_TASK_MESSAGE),
      mlirOperationGetInherentAttributeByName(op, jr_ref("msg")));
  if (has_attr(op, JR_ATTR_ERROR))
    mlirOperationSetDiscardableAttributeByName(check, jr_ref(JR_ATTR_ERROR),
                                               mlirUnitAttrGet(unit->context));
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op, check);
}

static void test_block(const struct tests *tests, MlirBlock block) {
  const struct jr_names *names = &tests->unit->names;
  MlirOperation op = mlirBlockGetFirstOperation(block);
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    bool is_call = jr_is(op, names->func_call) && !has_attr(op, JR_ATTR_ASYNC);
    if (jr_is(op, names->cf_assert))
      test_assertion(tests, op);
    else if (jr_is(op, names->memref_alloc) ||
             (is_call && !has_attr(op, JR_ATTR_STATUS)))
      test_operation(tests, op);
    op = next;
  }
}

/// Tests whatever can fail in coroutines.
static void add_tests(struct jr_unit *unit) {
  struct tests tests = {.unit = unit,
                        .i1 = mlirIntegerTypeGet(unit->context, 1)};
  MlirType ok = mlirFunctionTypeGet(unit->context, 0, NULL, 1, &tests.i1);
  MlirType check = mlirFunctionTypeGet(unit->context, 1, &tests.i1, 0, NULL);
  MlirIdentifier name = unit->names.async_func;
  MlirOperation op = jr_first_of(unit, name);
  if (mlirOperationIsNull(op))
    return;
  tests.ok = jr_async_declare(unit, "jitrun.ok", ok);
  tests.check = jr_async_declare(unit, "jitrun.check", check);
  for (; !mlirOperationIsNull(op);
       op = jr_next_of(mlirOperationGetNextInBlock(op), name)) {
    MlirRegion body = mlirOperationGetRegion(op, 0);
    for (MlirBlock block = mlirRegionGetFirstBlock(body);
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      test_block(&tests, block);
  }
}

static MlirWalkResult note_coroutine(MlirOperation op, void *context) {
  bool *found = context;
  *found = mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                              jr_ref("async.coro.begin"));
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// Erases the blocks that nothing branches to: upstream's conversion leaves
/// their operations, whose operands it has replaced.
static void erase_unreached(MlirOperation function) {
  MlirRegion body = mlirOperationGetRegion(function, 0);
  MlirBlock block = mlirBlockGetNextInRegion(mlirRegionGetFirstBlock(body));
  while (!mlirBlockIsNull(block)) {
    MlirBlock next = mlirBlockGetNextInRegion(block);
    if (mlirBlockGetNumPredecessors(block) == 0) {
      mlirBlockDetach(block);
      mlirBlockDestroy(block);
    }
    block = next;
  }
}

/// What is kept of an awaited error is all that its assertion says.
static MlirWalkResult mark_await(MlirOperation op, void *context) {
  const struct jr_unit *unit = context;
  if (jr_is(op, unit->names.cf_assert) &&
      mlirStringRefEqual(
          mlirStringAttrGetValue(
              mlirOperationGetInherentAttributeByName(op, jr_ref("msg"))),
          jr_ref(AWAIT_MESSAGE)))
    mlirOperationSetDiscardableAttributeByName(op, jr_ref(JR_ATTR_ERROR),
                                               mlirUnitAttrGet(unit->context));
  return MlirWalkResultAdvance;
}

static void tidy_functions(struct jr_unit *unit) {
  MlirIdentifier name = unit->names.func_func;
  for (MlirOperation op = jr_first_of(unit, name); !mlirOperationIsNull(op);
       op = jr_next_of(mlirOperationGetNextInBlock(op), name)) {
    bool is_coroutine = false;
    mlirOperationWalk(op, note_coroutine, &is_coroutine, MlirWalkPreOrder);
    if (!is_coroutine) {
      mlirOperationWalk(op, mark_await, unit, MlirWalkPreOrder);
      continue;
    }
    set_private(unit, op);
    erase_unreached(op);
    mlirOperationSetDiscardableAttributeByName(op, jr_ref(JR_ATTR_COROUTINE),
                                               mlirUnitAttrGet(unit->context));
  }
}

jitrun_error_t *jr_async(struct jr_unit *unit) {
  if (!unit->has_async)
    return NULL;
  JITRUN_TRY(jr_async_outline(unit));
  /* Upstream's conversion crashes on a jitrun.check in a loop. */
  JITRUN_TRY(unit->options->check ? jr_pipeline_to_blocks(unit)
                                  : jr_pipeline_async_blocks(unit));
  add_tests(unit);
  JITRUN_TRY(jr_pipeline_async(unit));
  tidy_functions(unit);
  mlirSymbolTableDestroy(unit->symbols); /* it knows functions that are gone */
  unit->symbols = mlirSymbolTableCreate(mlirModuleGetOperation(unit->module));
  return NULL;
}

bool jr_is_coroutine(MlirOperation function) {
  return has_attr(function, JR_ATTR_COROUTINE);
}

/// The function of the program that an operation calls, or NULL.
static struct jr_function *called_function(struct jr_unit *unit,
                                           MlirOperation op) {
  if (!jr_is(op, unit->names.func_call))
    return NULL;
  MlirAttribute index = mlirOperationGetDiscardableAttributeByName(
      jr_callee_of(unit, op), jr_ref(JR_ATTR_FUNCTION));
  return mlirAttributeIsNull(index)
             ? NULL
             : &unit->functions[mlirIntegerAttrGetValueInt(index)];
}

/// Functions found to be shared whose calls are to be looked at.
struct marking {
  struct jr_unit *unit;
  bool changed;
};

static MlirWalkResult mark_callee(MlirOperation op, void *context) {
  struct marking *marking = context;
  struct jr_function *callee = called_function(marking->unit, op);
  if (callee && !callee->is_shared)
    callee->is_shared = marking->changed = true;
  return MlirWalkResultAdvance;
}

void jr_async_mark(struct jr_unit *unit) {
  struct marking marking = {.unit = unit, .changed = unit->has_async};
  for (size_t i = 0; i < unit->function_count && unit->has_async; i++) {
    struct jr_function *function = &unit->functions[i];
    function->is_coroutine = function->native && function->is_reached &&
                             jr_is_coroutine(function->op);
    function->is_shared = function->is_coroutine;
  }
  while (marking.changed) {
    marking.changed = false;
    for (size_t i = 0; i < unit->function_count; i++) {
      if (unit->functions[i].is_shared)
        mlirOperationWalk(unit->functions[i].op, mark_callee, &marking,
                          MlirWalkPreOrder);
    }
  }
}
