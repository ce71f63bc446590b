/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The status of a call. Where it is only asserted, the assertion goes, since
/// the call itself leaves the function on an error. Anywhere else, through
/// blocks, regions and functions of the program, it is an i1: true for success.
/// It never leaves the program.
#include "jit/rt.h"

#include "jit/plan.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/// True when every use of the value is of operation `name`.
static bool is_only_for(MlirValue value, MlirIdentifier name) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  while (!mlirOpOperandIsNull(use) && jr_is(mlirOpOperandGetOwner(use), name))
    use = mlirOpOperandGetNextUse(use);
  return mlirOpOperandIsNull(use);
}

/// True for the status of a call that nothing but assertions look at.
static bool is_asserted(const struct jr_unit *unit, MlirValue status) {
  if (!mlirValueIsAOpResult(status) ||
      jr_rt_kind_of(unit, mlirOpResultGetOwner(status)) != JR_RT_CALL ||
      !is_only_for(status, unit->names.rt_is_ok))
    return false;
  MlirOpOperand use = mlirValueGetFirstUse(status);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirValue ok = mlirOperationGetResult(mlirOpOperandGetOwner(use), 0);
    if (!is_only_for(ok, unit->names.cf_assert))
      return false;
  }
  return true;
}

/// A status is no operand and no other result of a custom call.
static jitrun_error_t *check_call(const struct jr_unit *unit,
                                  MlirOperation call) {
  bool is_passed = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(call); i++)
    is_passed =
        is_passed ||
        jr_rt_is_status(mlirValueGetType(mlirOperationGetOperand(call, i)));
  for (intptr_t i = 1; i < mlirOperationGetNumResults(call); i++)
    is_passed =
        is_passed ||
        jr_rt_is_status(mlirValueGetType(mlirOperationGetResult(call, i)));
  if (!is_passed)
    return NULL;
  return jr_error_op(unit, call, JITRUN_UNIMPLEMENTED,
                     "a custom call cannot take or return a status; pass the "
                     "result of rt.is_ok");
}

jitrun_error_t *jr_rt_tests(struct jr_rt *rt) {
  const struct jr_ops *calls = &rt->ops[JR_RT_CALL];
  const struct jr_ops *tests = &rt->ops[JR_RT_IS_OK];
  for (size_t i = 0; i < calls->count; i++)
    JITRUN_TRY(check_call(rt->unit, calls->items[i]));
  // All are judged before the first goes, which changes the uses.
  bool *asserted = jr_arena_zalloc(&rt->unit->arena, tests->count + 1, 1);
  if (!asserted)
    return jr_error_no_memory();
  for (size_t i = 0; i < tests->count; i++)
    asserted[i] =
        is_asserted(rt->unit, mlirOperationGetOperand(tests->items[i], 0));
  for (size_t i = 0; i < tests->count; i++) {
    MlirOperation test = tests->items[i];
    MlirValue ok = mlirOperationGetResult(test, 0);
    MlirOpOperand use;
    while (asserted[i] &&
           (use = mlirValueGetFirstUse(ok), !mlirOpOperandIsNull(use)))
      mlirOperationDestroy(mlirOpOperandGetOwner(use));
    mlirValueReplaceAllUsesOfWith(ok, mlirOperationGetOperand(test, 0));
    mlirOperationDestroy(test);
  }
  return NULL;
}

/// The walk over the program that changes types.
struct changer {
  struct jr_unit *unit;
  MlirType i1;
  bool any_marked;
  jitrun_error_t *error;
};

static MlirType change_type(const struct changer *changer, MlirType type,
                            bool *changed) {
  if (!jr_rt_is_status(type))
    return type;
  *changed = true;
  return changer->i1;
}

/// The type of a function. One that is exported or declared is the boundary of
/// the program.
static jitrun_error_t *change_function(const struct changer *changer,
                                       MlirOperation function) {
  struct jr_unit *unit = changer->unit;
  MlirType old = mlirTypeAttrGetValue(mlirOperationGetInherentAttributeByName(
      function, jr_ref("function_type")));
  intptr_t inputs = mlirFunctionTypeGetNumInputs(old);
  intptr_t results = mlirFunctionTypeGetNumResults(old);
  bool changed = false;
  MlirType *types = jr_arena_alloc(
      &unit->arena, (size_t)(inputs + results + 1) * sizeof *types);
  if (!types)
    return jr_error_no_memory();
  for (intptr_t i = 0; i < inputs; i++)
    types[i] = change_type(changer, mlirFunctionTypeGetInput(old, i), &changed);
  for (intptr_t i = 0; i < results; i++)
    types[inputs + i] =
        change_type(changer, mlirFunctionTypeGetResult(old, i), &changed);
  if (!changed)
    return NULL;
  if (!jr_has_body(function) || jr_is_exported(function, changer->any_marked))
    return jr_error_op(unit, function, JITRUN_UNIMPLEMENTED,
                       "function '%.*s' takes or returns a status, which does "
                       "not leave the program; return the result of rt.is_ok",
                       (int)jr_symbol_name(function).length,
                       jr_symbol_name(function).data);
  mlirOperationSetInherentAttributeByName(
      function, jr_ref("function_type"),
      mlirTypeAttrGet(mlirFunctionTypeGet(unit->context, inputs, types, results,
                                          types + inputs)));
  return NULL;
}

static void change_blocks(const struct changer *changer, MlirRegion region) {
  for (MlirBlock block = mlirRegionGetFirstBlock(region);
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++) {
      MlirValue argument = mlirBlockGetArgument(block, i);
      if (jr_rt_is_status(mlirValueGetType(argument)))
        mlirBlockArgumentSetType(argument, changer->i1);
    }
  }
}

static MlirWalkResult change_op(MlirOperation op, void *context) {
  struct changer *changer = context;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    MlirValue result = mlirOperationGetResult(op, i);
    if (jr_rt_is_status(mlirValueGetType(result)))
      mlirValueSetType(result, changer->i1);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); i++)
    change_blocks(changer, mlirOperationGetRegion(op, i));
  if (jr_is(op, changer->unit->names.func_func))
    changer->error = change_function(changer, op);
  return changer->error ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

jitrun_error_t *jr_rt_statuses(struct jr_rt *rt) {
  struct changer changer = {.unit = rt->unit,
                            .i1 = mlirIntegerTypeGet(rt->unit->context, 1),
                            .any_marked = jr_any_marked(rt->unit)};
  mlirOperationWalk(mlirModuleGetOperation(rt->unit->module), change_op,
                    &changer, MlirWalkPreOrder);
  return changer.error;
}
