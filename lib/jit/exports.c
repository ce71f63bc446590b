/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Which functions of a module are entries: all spellings of JitRt's history,
/// or every public function when nothing is marked.
#include "jit/attrs.h"
#include "jit/memo.h"
#include "jit/plan.h"

#include "mlir-c/BuiltinAttributes.h"

#include <string.h>

/// Of places that a callee is looked for.
enum { MAX_PROBES = 8 };

/// Marks on function operations while entries are split.
#define ATTR_CALLED "jitrun.called"
#define ATTR_BODY "jitrun.body"

static bool has_attr(MlirOperation op, const char *name) {
  return !mlirAttributeIsNull(
      mlirOperationGetDiscardableAttributeByName(op, jr_ref(name)));
}

MlirStringRef jr_symbol_name(MlirOperation op) {
  return mlirStringAttrGetValue(mlirOperationGetInherentAttributeByName(
      op, mlirSymbolTableGetSymbolAttributeName()));
}

MlirAttribute jr_argument_attrs(MlirOperation function, intptr_t number) {
  MlirAttribute all =
      mlirOperationGetInherentAttributeByName(function, jr_ref("arg_attrs"));
  if (mlirAttributeIsNull(all) || !mlirAttributeIsAArray(all) ||
      number >= mlirArrayAttrGetNumElements(all))
    return mlirAttributeGetNull();
  return mlirArrayAttrGetElement(all, number);
}

bool jr_has_body(MlirOperation function) {
  return !mlirBlockIsNull(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)));
}

bool jr_is_marked(MlirOperation function) {
  return has_attr(function, "rt.exported") ||
         has_attr(function, "rt.entrypoint") ||
         has_attr(function, "jitrt.entrypoint");
}

MlirStringRef jr_entry_name(MlirOperation function) {
  MlirAttribute name = mlirOperationGetDiscardableAttributeByName(
      function, jr_ref(JR_ATTR_ENTRY_NAME));
  return mlirAttributeIsNull(name) ? jr_symbol_name(function)
                                   : mlirStringAttrGetValue(name);
}

bool jr_is_private(MlirOperation op) {
  MlirAttribute visibility = mlirOperationGetInherentAttributeByName(
      op, mlirSymbolTableGetVisibilityAttributeName());
  return !mlirAttributeIsNull(visibility) &&
         mlirStringRefEqual(mlirStringAttrGetValue(visibility),
                            jr_ref("private"));
}

bool jr_is_exported(MlirOperation function, bool any_marked) {
  return jr_has_body(function) &&
         (any_marked ? jr_is_marked(function) : !jr_is_private(function));
}

MlirOperation jr_next_of(MlirOperation op, MlirIdentifier name) {
  while (!mlirOperationIsNull(op) && !jr_is(op, name))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

MlirOperation jr_first_of(const struct jr_unit *unit, MlirIdentifier name) {
  return jr_next_of(mlirBlockGetFirstOperation(mlirModuleGetBody(unit->module)),
                    name);
}

bool jr_any_marked(const struct jr_unit *unit) {
  MlirIdentifier name = unit->names.func_func;
  for (MlirOperation op = jr_first_of(unit, name); !mlirOperationIsNull(op);
       op = jr_next_of(mlirOperationGetNextInBlock(op), name)) {
    if (jr_is_marked(op))
      return true;
  }
  return false;
}

MlirOperation jr_callee_of(const struct jr_unit *unit, MlirOperation call) {
  return mlirSymbolTableLookup(
      unit->symbols,
      mlirFlatSymbolRefAttrGetValue(
          mlirOperationGetInherentAttributeByName(call, jr_ref("callee"))));
}

static struct jr_callee look_up(const struct jr_unit *unit, MlirOperation call,
                                const void *symbol) {
  MlirOperation op = jr_callee_of(unit, call);
  return (struct jr_callee){.symbol = symbol,
                            .op = op,
                            .target = jr_call_target(op),
                            .has_body = jr_has_body(op),
                            .is_optional = jr_says(op, "jitrun.optional"),
                            .has_attrs = jr_attrs_any(op)};
}

const struct jr_callee *jr_callee_find(struct jr_unit *unit,
                                       MlirOperation call) {
  const void *symbol =
      mlirOperationGetInherentAttributeByName(call, jr_ref("callee")).ptr;
  size_t home = jr_memo_place(symbol);
  struct jr_callee *callee = &unit->callees[home];
  for (size_t i = 0; callee->symbol && callee->symbol != symbol; i++) {
    if (i == MAX_PROBES) {
      callee = &unit->callees[home]; // makes room
      callee->symbol = NULL;
      break;
    }
    callee = &unit->callees[(home + i + 1) % JR_MEMO_PLACES];
  }
  if (!callee->symbol)
    *callee = look_up(unit, call, symbol);
  return callee;
}

static void forget_callees(struct jr_unit *unit) {
  memset(unit->callees, 0, sizeof unit->callees);
}

static MlirWalkResult mark_callee(MlirOperation op, void *context) {
  struct jr_unit *unit = context;
  if (!jr_is(op, unit->names.func_call))
    return MlirWalkResultAdvance;
  const struct jr_callee *callee = jr_callee_find(unit, op);
  if (callee->has_body)
    mlirOperationSetDiscardableAttributeByName(callee->op, jr_ref(ATTR_CALLED),
                                               mlirUnitAttrGet(unit->context));
  return MlirWalkResultAdvance;
}

static MlirWalkResult retarget_call(MlirOperation op, void *context) {
  struct jr_unit *unit = context;
  if (!jr_is(op, unit->names.func_call))
    return MlirWalkResultAdvance;
  MlirAttribute body = mlirOperationGetDiscardableAttributeByName(
      jr_callee_of(unit, op), jr_ref(ATTR_BODY));
  if (!mlirAttributeIsNull(body))
    mlirOperationSetInherentAttributeByName(op, jr_ref("callee"), body);
  return MlirWalkResultAdvance;
}

static void remove_marks(MlirOperation function) {
  static const char *const marks[] = {"rt.exported", "rt.entrypoint",
                                      "jitrt.entrypoint", ATTR_CALLED};
  for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
    (void)mlirOperationRemoveDiscardableAttributeByName(function,
                                                        jr_ref(marks[i]));
}

static void split_entry(struct jr_unit *unit, MlirOperation function) {
  (void)mlirOperationRemoveDiscardableAttributeByName(function,
                                                      jr_ref(ATTR_CALLED));
  MlirOperation body = mlirOperationClone(function);
  remove_marks(body);
  mlirOperationSetInherentAttributeByName(
      body, mlirSymbolTableGetVisibilityAttributeName(),
      mlirStringAttrGet(unit->context, jr_ref("private")));
  MlirStringRef name = mlirStringAttrGetValue(
      mlirSymbolTableInsert(unit->symbols, body)); /* makes it unique */
  mlirOperationSetDiscardableAttributeByName(
      function, jr_ref(ATTR_BODY),
      mlirFlatSymbolRefAttrGet(unit->context, name));
}

jitrun_error_t *jr_split_called_entries(struct jr_unit *unit) {
  MlirOperation module = mlirModuleGetOperation(unit->module);
  MlirIdentifier name = unit->names.func_func;
  bool any_marked = jr_any_marked(unit);
  bool any_split = false;
  forget_callees(unit);
  mlirOperationWalk(module, mark_callee, unit, MlirWalkPreOrder);
  MlirOperation op = jr_first_of(unit, name);
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = jr_next_of(mlirOperationGetNextInBlock(op), name);
    if (has_attr(op, ATTR_CALLED) && jr_is_exported(op, any_marked)) {
      split_entry(unit, op);
      any_split = true;
    }
    op = next;
  }
  if (any_split) {
    mlirOperationWalk(module, retarget_call, unit, MlirWalkPreOrder);
    forget_callees(unit);
  }
  return NULL;
}
