/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See rt.h. Also the operations that are simply in the way: rt.trace, whose
/// body takes its place, and rt.unsigned_cast.
#include "jit/rt.h"

#include "base/alloc.h"
#include "jit/check.h"

#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

bool jr_ops_push(struct jr_ops *ops, MlirOperation op) {
  MlirOperation *items =
      jr_grow(ops->items, &ops->capacity, ops->count, sizeof *items);
  if (!items)
    return false;
  ops->items = items;
  ops->items[ops->count++] = op;
  return true;
}

void jr_ops_deinit(struct jr_ops *ops) {
  free(ops->items);
  *ops = (struct jr_ops){0};
}

enum jr_rt_kind jr_rt_kind_of(const struct jr_unit *unit, MlirOperation op) {
  const struct jr_names *names = &unit->names;
  const MlirIdentifier kinds[] = {
      [JR_RT_EXPORT] = names->rt_export,
      [JR_RT_TRACE] = names->rt_trace,
      [JR_RT_CALL] = names->rt_call,
      [JR_RT_IS_OK] = names->rt_is_ok,
      [JR_RT_SET_OUTPUT] = names->rt_set_output,
      [JR_RT_SET_ERROR] = names->rt_set_error,
      [JR_RT_CAST] = names->rt_unsigned_cast,
  };
  for (size_t i = 0; i < JR_RT_KINDS; i++) {
    if (jr_is(op, kinds[i]))
      return (enum jr_rt_kind)i;
  }
  return jr_is(op, names->rt_custom_call) ? JR_RT_CALL : JR_RT_KINDS;
}

static bool is_rt_type(MlirType type, const char *name) {
  return mlirTypeIsAOpaque(type) &&
         mlirStringRefEqual(mlirOpaqueTypeGetDialectNamespace(type),
                            jr_ref("rt")) &&
         mlirStringRefEqual(mlirOpaqueTypeGetData(type), jr_ref(name));
}

bool jr_rt_is_context(MlirType type) {
  return is_rt_type(type, "execution_context") ||
         is_rt_type(type, "kernel_context");
}

bool jr_rt_is_status(MlirType type) {
  return is_rt_type(type, "status");
}

MlirOperation jr_rt_function(const struct jr_unit *unit, MlirOperation op) {
  while (!mlirOperationIsNull(op) && !jr_is(op, unit->names.func_func))
    op = mlirOperationGetParentOperation(op);
  return op;
}

/// Names without a dialect's prefix have no rules.
static jitrun_error_t *verify_attrs(struct jr_rt *rt, MlirOperation op) {
  intptr_t count = mlirOperationGetNumDiscardableAttributes(op);
  for (intptr_t i = 0; i < count; i++) {
    MlirNamedAttribute one = mlirOperationGetDiscardableAttribute(op, i);
    MlirStringRef name = mlirIdentifierStr(one.name);
    if (jr_memo_has(&rt->plain_attrs, one.name.ptr))
      continue;
    JITRUN_TRY(jr_check_attr_name(rt->unit, op, name));
    JITRUN_TRY(jr_rt_verify_attr(rt->unit, op, one));
    if (!memchr(name.data, '.', name.length))
      jr_memo_set(&rt->plain_attrs, one.name.ptr, 0);
    else if (!jr_is(op, rt->unit->names.func_func))
      rt->unit->has_marks = true;
  }
  return NULL;
}

static jitrun_error_t *verify_op(struct jr_rt *rt, MlirOperation op) {
  const void *name = mlirOperationGetName(op).ptr;
  const struct jr_names *names = &rt->unit->names;
  JITRUN_TRY(verify_attrs(rt, op));
  if (jr_memo_has(&rt->plain_ops, name))
    return NULL;
  bool has_symbol = jr_has_symbol(names, op);
  if (has_symbol)
    JITRUN_TRY(jr_check_symbol(rt->unit, op));
  JITRUN_TRY(jr_rt_verify(rt->unit, op));
  enum jr_rt_kind kind = jr_rt_kind_of(rt->unit, op);
  if (kind != JR_RT_KINDS)
    return jr_ops_push(&rt->ops[kind], op) ? NULL : jr_error_no_memory();
  if (!has_symbol && !jr_is(op, names->rt_yield))
    jr_memo_set(&rt->plain_ops, name, 0);
  return NULL;
}

static MlirWalkResult collect(MlirOperation op, void *context) {
  struct jr_rt *rt = context;
  rt->error = verify_op(rt, op);
  return rt->error ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// Puts the body of an rt.trace in its place.
static jitrun_error_t *inline_trace(const struct jr_unit *unit,
                                    MlirOperation trace) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(trace, 0));
  intptr_t results = mlirOperationGetNumResults(trace);
  intptr_t yielded = 0;
  MlirOperation op = mlirBlockIsNull(body) ? (MlirOperation){0}
                                           : mlirBlockGetFirstOperation(body);
  while (!mlirOperationIsNull(op) && !jr_is(op, unit->names.rt_yield)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    mlirOperationMoveBefore(op, trace);
    op = next;
  }
  if (!mlirOperationIsNull(op))
    yielded = mlirOperationGetNumOperands(op);
  if (yielded != results)
    return jr_rt_error(unit, trace, "has %d results, and its body yields %d",
                       (int)results, (int)yielded);
  for (intptr_t i = 0; i < results; i++) {
    MlirValue value = mlirOperationGetOperand(op, i);
    MlirValue result = mlirOperationGetResult(trace, i);
    if (!mlirTypeEqual(mlirValueGetType(value), mlirValueGetType(result)))
      return jr_rt_error(unit, trace,
                         "yields another type than that of result %d", (int)i);
    mlirValueReplaceAllUsesOfWith(result, value);
  }
  mlirOperationDestroy(trace);
  return NULL;
}

static jitrun_error_t *inline_traces(struct jr_rt *rt) {
  const struct jr_ops *traces = &rt->ops[JR_RT_TRACE];
  for (size_t i = 0; i < traces->count; i++)
    JITRUN_TRY(inline_trace(rt->unit, traces->items[i]));
  return NULL;
}

/// The same cast under the name that MLIR has for it.
static void replace_casts(struct jr_rt *rt) {
  const struct jr_ops *casts = &rt->ops[JR_RT_CAST];
  for (size_t i = 0; i < casts->count; i++) {
    MlirOperation cast = casts->items[i];
    MlirValue operand = mlirOperationGetOperand(cast, 0);
    MlirValue old = mlirOperationGetResult(cast, 0);
    MlirType type = mlirValueGetType(old);
    MlirOperationState state =
        mlirOperationStateGet(jr_ref("builtin.unrealized_conversion_cast"),
                              mlirOperationGetLocation(cast));
    mlirOperationStateAddOperands(&state, 1, &operand);
    mlirOperationStateAddResults(&state, 1, &type);
    MlirOperation op = mlirOperationCreate(&state);
    mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(cast), cast, op);
    mlirValueReplaceAllUsesOfWith(old, mlirOperationGetResult(op, 0));
    mlirOperationDestroy(cast);
  }
}

/// The replacements are operations of these dialects.
static void load_dialects(MlirContext context) {
  static const char *const names[] = {"arith", "cf", "func", "llvm", "memref"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    (void)mlirContextGetOrLoadDialect(context, jr_ref(names[i]));
}

static jitrun_error_t *replace_ops(struct jr_rt *rt) {
  size_t count = 0;
  for (size_t i = 0; i < JR_RT_KINDS; i++)
    count += i == JR_RT_EXPORT ? 0 : rt->ops[i].count;
  if (count == 0)
    return NULL;
  rt->changed = true;
  rt->unit->has_marks = true;
  load_dialects(rt->unit->context);
  jr_rt_regions(rt);
  JITRUN_TRY(inline_traces(rt));
  replace_casts(rt);
  JITRUN_TRY(jr_rt_tests(rt));
  JITRUN_TRY(jr_rt_calls(rt));
  JITRUN_TRY(jr_rt_statuses(rt));
  JITRUN_TRY(jr_rt_outputs(rt));
  jr_rt_errors(rt);
  return NULL;
}

/// The rest of the compiler relies on a module that verifies.
static jitrun_error_t *verify_again(struct jr_rt *rt) {
  if (!rt->changed ||
      mlirOperationVerify(mlirModuleGetOperation(rt->unit->module)))
    return NULL;
  return jr_error_note(jr_diagnostics_take(&rt->unit->diagnostics,
                                           "the program does not verify"),
                       "once its rt operations are replaced");
}

jitrun_error_t *jr_rt(struct jr_unit *unit) {
  MlirOperation module = mlirModuleGetOperation(unit->module);
  struct jr_rt rt = {.unit = unit};
  unit->symbols = mlirSymbolTableCreate(module);
  mlirOperationWalk(module, collect, &rt, MlirWalkPostOrder);
  jitrun_error_t *error = rt.error;
  if (!error)
    error = jr_rt_exports(&rt);
  if (!error)
    error = replace_ops(&rt);
  if (!error)
    error = jr_rt_contexts(&rt);
  if (!error)
    error = verify_again(&rt);
  for (size_t i = 0; i < JR_RT_KINDS; i++)
    jr_ops_deinit(&rt.ops[i]);
  return error;
}
