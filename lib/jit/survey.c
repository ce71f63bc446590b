/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// One look at the program before all stages. Most large programs are nothing
/// but calls, and what their operands are made of: the stages that look for
/// other operations need not walk over those.
#include "jit/survey.h"

#include "jit/memo.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/// All that plain programs are made of.
static const char *const plain_names[] = {
    "arith.constant",
    "builtin.module",
    "func.call",
    "func.func",
    "func.return",
    "index.constant",
    "memref.alloc",
    "memref.alloca",
    "memref.assume_alignment",
    "memref.cast",
    "memref.dealloc",
    "memref.get_global",
    "memref.global",
    "memref.reinterpret_cast",
    "memref.subview",
    "memref.view",
};

struct survey {
  struct jr_memo plain; ///< names that were found to be so
  bool is_plain;
};

static bool is_plain_type(MlirType type) {
  return mlirTypeIsAMemRef(type) || mlirTypeIsAInteger(type) ||
         mlirTypeIsAIndex(type) || mlirTypeIsAFloat(type) ||
         mlirTypeIsAOpaque(type);
}

static bool has_plain_signature(MlirOperation op) {
  MlirAttribute attribute =
      mlirOperationGetAttributeByName(op, jr_ref("function_type"));
  if (mlirAttributeIsNull(attribute))
    return true;
  MlirType type = mlirTypeAttrGetValue(attribute);
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); i++) {
    if (!is_plain_type(mlirFunctionTypeGetInput(type, i)))
      return false;
  }
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumResults(type); i++) {
    if (!is_plain_type(mlirFunctionTypeGetResult(type, i)))
      return false;
  }
  return true;
}

/// An operation that is not a function or module is known by its name.
static bool has_plain_name(struct survey *survey, MlirOperation op) {
  MlirIdentifier name = mlirOperationGetName(op);
  if (jr_memo_has(&survey->plain, name.ptr))
    return true;
  if (!jr_ref_is_one_of(mlirIdentifierStr(name), plain_names,
                        sizeof plain_names / sizeof plain_names[0]))
    return false;
  if (mlirOperationGetNumRegions(op) == 0) {
    jr_memo_set(&survey->plain, name.ptr, 0);
    return true;
  }
  return has_plain_signature(op) &&
         mlirAttributeIsNull(mlirOperationGetDiscardableAttributeByName(
             op, jr_ref("llvm.module_asm")));
}

static bool has_plain_values(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    if (!is_plain_type(mlirValueGetType(mlirOperationGetResult(op, i))))
      return false;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    if (!is_plain_type(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return false;
  }
  return true;
}

static MlirWalkResult look_at(MlirOperation op, void *context) {
  struct survey *survey = context;
  survey->is_plain = has_plain_name(survey, op) && has_plain_values(op);
  return survey->is_plain ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

void jr_survey(struct jr_unit *unit) {
  struct survey survey = {.is_plain = true};
  mlirOperationWalk(mlirModuleGetOperation(unit->module), look_at, &survey,
                    MlirWalkPreOrder);
  unit->is_plain = survey.is_plain;
}
