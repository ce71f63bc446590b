/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// rt.call becomes func.call of a private declaration that carries the target,
/// one for each target and type: what calls that were never lowered to rt look
/// like. A call leaves its function on an error; a program that looks at the
/// status gets it as a last result: see rt_status.c.
#include "jit/rt.h"

#include "jit/plan.h"
#include "jit/types.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdio.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/// A call that is replaced.
struct call {
  MlirOperation op;
  MlirStringRef target;
  MlirType type;  ///< of the function that is called
  bool is_tested; ///< the program looks at its status
};

/// The type of the function that stands for the target.
static jitrun_error_t *make_type(struct jr_unit *unit, struct call *call) {
  size_t inputs = (size_t)mlirOperationGetNumOperands(call->op) - 1;
  size_t results = (size_t)mlirOperationGetNumResults(call->op) - 1;
  MlirType *types =
      jr_arena_alloc(&unit->arena, (inputs + results + 1) * sizeof *types);
  if (!types)
    return jr_error_no_memory();
  for (size_t i = 0; i < inputs; i++)
    types[i] =
        mlirValueGetType(mlirOperationGetOperand(call->op, (intptr_t)i + 1));
  for (size_t i = 0; i < results; i++)
    types[inputs + i] =
        mlirValueGetType(mlirOperationGetResult(call->op, (intptr_t)i + 1));
  types[inputs + results] = mlirIntegerTypeGet(unit->context, 1);
  call->type = mlirFunctionTypeGet(unit->context, (intptr_t)inputs, types,
                                   (intptr_t)(results + call->is_tested),
                                   types + inputs);
  return NULL;
}

/// What a declaration declares.
struct declared {
  MlirStringRef target;
  MlirType type;
};

/// True when a symbol of the module is the declaration.
static bool is_declaration(const struct jr_unit *unit, MlirOperation op,
                           const struct declared *declared) {
  if (!jr_is(op, unit->names.func_func) || jr_has_body(op) ||
      mlirOperationGetNumDiscardableAttributes(op) != 1)
    return false;
  MlirAttribute target =
      mlirOperationGetDiscardableAttributeByName(op, jr_ref("rt.custom_call"));
  MlirAttribute type =
      mlirOperationGetInherentAttributeByName(op, jr_ref("function_type"));
  return !mlirAttributeIsNull(target) &&
         mlirStringRefEqual(mlirStringAttrGetValue(target), declared->target) &&
         mlirTypeEqual(mlirTypeAttrGetValue(type), declared->type);
}

static MlirOperation build_declaration(const struct jr_unit *unit,
                                       const struct declared *declared,
                                       const char *name) {
  MlirContext context = unit->context;
  const MlirNamedAttribute attributes[] = {
      jr_named(context, "sym_name", mlirStringAttrGet(context, jr_ref(name))),
      jr_named(context, "sym_visibility",
               mlirStringAttrGet(context, jr_ref("private"))),
      jr_named(context, "function_type", mlirTypeAttrGet(declared->type)),
      jr_named(context, "rt.custom_call",
               mlirStringAttrGet(context, declared->target))};
  MlirRegion region = mlirRegionCreate();
  MlirOperationState state = mlirOperationStateGet(
      jr_ref("func.func"), mlirLocationUnknownGet(context));
  mlirOperationStateAddAttributes(
      &state, sizeof attributes / sizeof attributes[0], attributes);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  return mlirOperationCreate(&state);
}

/// What a declaration is made of, as a number.
static uint64_t hash_declared(const struct declared *declared) {
  struct jr_bytes text = {0};
  jr_mlir_type_print(declared->type, &text);
  uint64_t seed = XXH3_64bits(text.data, text.size);
  jr_bytes_deinit(&text);
  return XXH3_64bits_withSeed(declared->target.data, declared->target.length,
                              seed);
}

MlirAttribute jr_rt_declare(const struct jr_unit *unit, MlirSymbolTable symbols,
                            MlirStringRef target, MlirType type) {
  const struct declared declared = {target, type};
  unsigned long long hash = hash_declared(&declared);
  for (unsigned attempt = 0;; attempt++) {
    char name[64];
    (void)snprintf(name, sizeof name, "rt.call.%016llx.%u", hash, attempt);
    MlirOperation op = mlirSymbolTableLookup(symbols, jr_ref(name));
    bool is_free = mlirOperationIsNull(op);
    if (is_free)
      (void)mlirSymbolTableInsert(symbols,
                                  build_declaration(unit, &declared, name));
    if (is_free || is_declaration(unit, op, &declared))
      return mlirFlatSymbolRefAttrGet(unit->context, jr_ref(name));
  }
}

/// Adds an attribute; one of the names that func.call has itself is carried
/// under another.
static void add_attr(const struct jr_unit *unit, MlirNamedAttribute attribute,
                     MlirOperationState *state) {
  static const char *const taken[] = {"no_inline", "arg_attrs", "res_attrs"};
  MlirStringRef name = mlirIdentifierStr(attribute.name);
  char carrier[64];
  if (jr_ref_is_one_of(name, taken, sizeof taken / sizeof taken[0])) {
    (void)snprintf(carrier, sizeof carrier, JR_ATTR_CARRIED "%.*s",
                   (int)name.length, name.data);
    attribute = jr_named(unit->context, carrier, attribute.attribute);
  }
  mlirOperationStateAddAttributes(state, 1, &attribute);
}

/// Attributes of the new call: those of the program, and whom it calls.
static void add_attrs(const struct jr_unit *unit, const struct call *call,
                      MlirOperationState *state) {
  static const char *const own[] = {"callee", "dynamic", "direct"};
  intptr_t count = mlirOperationGetNumAttributes(call->op);
  for (intptr_t i = 0; i < count; i++) {
    MlirNamedAttribute one = mlirOperationGetAttribute(call->op, i);
    if (!jr_ref_is_one_of(mlirIdentifierStr(one.name), own,
                          sizeof own / sizeof own[0]))
      add_attr(unit, one, state);
  }
  MlirNamedAttribute callee =
      jr_named(unit->context, "callee",
               jr_rt_declare(unit, unit->symbols, call->target, call->type));
  mlirOperationStateAddAttributes(state, 1, &callee);
  MlirNamedAttribute status =
      jr_named(unit->context, JR_ATTR_STATUS, mlirUnitAttrGet(unit->context));
  if (call->is_tested)
    mlirOperationStateAddAttributes(state, 1, &status);
}

static MlirOperation build_call(struct jr_unit *unit, const struct call *call) {
  MlirOperationState state = mlirOperationStateGet(
      jr_ref("func.call"), mlirOperationGetLocation(call->op));
  add_attrs(unit, call, &state);
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(call->op); i++) {
    MlirValue operand = mlirOperationGetOperand(call->op, i);
    mlirOperationStateAddOperands(&state, 1, &operand);
  }
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumResults(call->type); i++) {
    MlirType result = mlirFunctionTypeGetResult(call->type, i);
    mlirOperationStateAddResults(&state, 1, &result);
  }
  MlirOperation op = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(call->op), call->op,
                                      op);
  return op;
}

static jitrun_error_t *replace_call(struct jr_unit *unit, MlirOperation op) {
  MlirValue status = mlirOperationGetResult(op, 0);
  struct call call = {
      .op = op,
      .target = mlirStringAttrGetValue(
          mlirOperationGetAttributeByName(op, jr_ref("callee"))),
      .is_tested = !mlirOpOperandIsNull(mlirValueGetFirstUse(status))};
  JITRUN_TRY(make_type(unit, &call));
  MlirOperation replacement = build_call(unit, &call);
  intptr_t results = mlirOperationGetNumResults(op);
  if (call.is_tested)
    mlirValueReplaceAllUsesOfWith(
        status, mlirOperationGetResult(replacement, results - 1));
  for (intptr_t i = 1; i < results; i++)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i),
                                  mlirOperationGetResult(replacement, i - 1));
  mlirOperationDestroy(op);
  return NULL;
}

jitrun_error_t *jr_rt_calls(struct jr_rt *rt) {
  const struct jr_ops *calls = &rt->ops[JR_RT_CALL];
  for (size_t i = 0; i < calls->count; i++)
    JITRUN_TRY(replace_call(rt->unit, calls->items[i]));
  return NULL;
}
