/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What upstream (LLVM 22) makes wrong of switches.
///
/// - scf.index_switch is lowered by the low 32 bits of its operand, so others
///   than the one that is meant may be taken. What has more bits becomes a
///   number that no case has; cases that have more are refused. Remove when
///   mlir-opt --convert-scf-to-cf makes a cf.switch of i64.
/// - An llvm.switch without cases whose successor takes values crashes the
///   translation. It becomes an llvm.br. Remove when mlir-translate takes one.
#include "jit/upstream.h"

#include "jit/rt.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { SIGNED_GREATER_EQUAL = 5, SIGNED_LESS_EQUAL = 3 }; ///< of arith.cmpi

static bool has_name(MlirOperation op, const char *name) {
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                            jr_ref(name));
}

static MlirWalkResult find_index_switch(MlirOperation op, void *context) {
  if (has_name(op, "scf.index_switch"))
    (void)jr_ops_push(context, op);
  return MlirWalkResultAdvance;
}

static MlirWalkResult find_empty_switch(MlirOperation op, void *context) {
  if (has_name(op, "llvm.switch") && mlirOperationGetNumSuccessors(op) == 1)
    (void)jr_ops_push(context, op);
  return MlirWalkResultAdvance;
}

static MlirAttribute cases_of(MlirOperation op) {
  return mlirOperationGetInherentAttributeByName(op, jr_ref("cases"));
}

static jitrun_error_t *check_cases(const struct jr_unit *unit,
                                   MlirOperation op) {
  MlirAttribute cases = cases_of(op);
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(cases); i++) {
    int64_t value = mlirDenseI64ArrayGetElement(cases, i);
    if (value < INT32_MIN || value > INT32_MAX)
      return jr_error_op(unit, op, JITRUN_UNIMPLEMENTED,
                         "scf.index_switch has the case %lld, and MLIR has "
                         "only those of 32 bits; subtract something before",
                         (long long)value);
  }
  return NULL;
}

/// The least number from 0 on that no case has.
static int64_t unused_case(MlirAttribute cases) {
  intptr_t count = mlirDenseArrayGetNumElements(cases);
  for (int64_t value = 0;; value++) {
    intptr_t i = 0;
    while (i < count && mlirDenseI64ArrayGetElement(cases, i) != value)
      i++;
    if (i == count)
      return value;
  }
}

/// Puts an operation with one result before another.
static MlirValue put_before(MlirOperation before, const char *name,
                            MlirType type, const MlirValue *operands,
                            intptr_t count, const MlirNamedAttribute *attr) {
  MlirOperationState state =
      mlirOperationStateGet(jr_ref(name), mlirOperationGetLocation(before));
  mlirOperationStateAddOperands(&state, count, operands);
  mlirOperationStateAddResults(&state, 1, &type);
  if (attr)
    mlirOperationStateAddAttributes(&state, 1, attr);
  MlirOperation op = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(before), before,
                                      op);
  return mlirOperationGetResult(op, 0);
}

static MlirNamedAttribute integer(MlirContext context, const char *name,
                                  MlirType type, int64_t value) {
  return jr_named(context, name, mlirIntegerAttrGet(type, value));
}

static MlirValue put_constant(MlirOperation before, int64_t value) {
  MlirContext context = mlirOperationGetContext(before);
  MlirType type = mlirIndexTypeGet(context);
  MlirNamedAttribute attr = integer(context, "value", type, value);
  return put_before(before, "arith.constant", type, NULL, 0, &attr);
}

static MlirValue put_compare(MlirOperation before, int64_t predicate,
                             MlirValue value, int64_t limit) {
  MlirContext context = mlirOperationGetContext(before);
  MlirValue operands[] = {value, put_constant(before, limit)};
  MlirNamedAttribute attr =
      integer(context, "predicate", mlirIntegerTypeGet(context, 64), predicate);
  return put_before(before, "arith.cmpi", mlirIntegerTypeGet(context, 1),
                    operands, 2, &attr);
}

/// True where the operand has 32 bits for certain.
static bool is_narrow(MlirValue value) {
  if (!mlirValueIsAOpResult(value))
    return false;
  MlirOperation op = mlirOpResultGetOwner(value);
  if (!has_name(op, "arith.index_cast"))
    return false;
  MlirType from = mlirValueGetType(mlirOperationGetOperand(op, 0));
  return mlirTypeIsAInteger(from) && mlirIntegerTypeGetWidth(from) <= 32;
}

static void narrow_operand(MlirOperation op) {
  MlirValue value = mlirOperationGetOperand(op, 0);
  if (is_narrow(value))
    return;
  MlirContext context = mlirOperationGetContext(op);
  MlirValue both[] = {put_compare(op, SIGNED_GREATER_EQUAL, value, INT32_MIN),
                      put_compare(op, SIGNED_LESS_EQUAL, value, INT32_MAX)};
  MlirValue fits = put_before(op, "arith.andi", mlirIntegerTypeGet(context, 1),
                              both, 2, NULL);
  MlirValue choice[] = {fits, value,
                        put_constant(op, unused_case(cases_of(op)))};
  mlirOperationSetOperand(op, 0,
                          put_before(op, "arith.select",
                                     mlirIndexTypeGet(context), choice, 3,
                                     NULL));
}

jitrun_error_t *jr_narrow_switches(struct jr_unit *unit) {
  struct jr_ops found = {0};
  jitrun_error_t *error = NULL;
  if (unit->is_plain)
    return NULL;
  mlirOperationWalk(mlirModuleGetOperation(unit->module), find_index_switch,
                    &found, MlirWalkPreOrder);
  for (size_t i = 0; i < found.count && !error; i++) {
    error = check_cases(unit, found.items[i]);
    if (!error)
      narrow_operand(found.items[i]);
  }
  jr_ops_deinit(&found);
  return error;
}

static void branch_instead(MlirOperation op) {
  MlirBlock successor = mlirOperationGetSuccessor(op, 0);
  MlirOperationState state =
      mlirOperationStateGet(jr_ref("llvm.br"), mlirOperationGetLocation(op));
  /* The first is what is switched by. */
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    mlirOperationStateAddOperands(&state, 1, &operand);
  }
  mlirOperationStateAddSuccessors(&state, 1, &successor);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op,
                                      mlirOperationCreate(&state));
  mlirOperationDestroy(op);
}

void jr_lower_switches(struct jr_unit *unit) {
  struct jr_ops found = {0};
  mlirOperationWalk(mlirModuleGetOperation(unit->module), find_empty_switch,
                    &found, MlirWalkPreOrder);
  for (size_t i = 0; i < found.count; i++)
    branch_instead(found.items[i]);
  jr_ops_deinit(&found);
}
