/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What MLIR's verifier lets through and we do not take: operations of dialects
/// that are not known here, all listed at once; and what is known to keep LLVM
/// busy for ever, or to end the process.
#include "jit/check.h"

#include "jit/advice.h"
#include "jit/memo.h"
#include "jit/unit.h"

#include "mlir-c/BuiltinTypes.h"

enum {
  MAX_LISTED = 16,
  MAX_LANES = 16384,     ///< of a row: compiling takes more than linear time
  MAX_ELEMENTS = 1 << 20 ///< of a vector of more dimensions, which are rows
};

struct finding {
  MlirIdentifier name;
  MlirOperation first;
  size_t count;
};

struct findings {
  struct jr_unit *unit;
  jitrun_error_t *error; ///< ends the walk
  struct finding list[MAX_LISTED];
  size_t count, more;
  struct jr_memo taken; ///< names of operations that we know
};

static void add_finding(struct findings *findings, MlirOperation op) {
  MlirIdentifier name = mlirOperationGetName(op);
  for (size_t i = 0; i < findings->count; i++) {
    if (mlirIdentifierEqual(findings->list[i].name, name)) {
      findings->list[i].count++;
      return;
    }
  }
  if (findings->count == MAX_LISTED) {
    findings->more++;
    return;
  }
  findings->list[findings->count++] = (struct finding){name, op, 1};
}

/// True for operations that MLIR knows and we do not take: functions as values,
/// code that runs by itself, and machine code.
static bool is_refused(const struct jr_names *names, MlirIdentifier name) {
  const MlirIdentifier refused[] = {
      names->func_constant,     names->func_call_indirect,
      names->llvm_global_ctors, names->llvm_global_dtors,
      names->llvm_inline_asm,
  };
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    if (mlirIdentifierEqual(name, refused[i]))
      return true;
  }
  return jr_is_refused(mlirIdentifierStr(name));
}

/// True for a vector that LLVM cannot cope with.
static bool is_too_long(MlirType type) {
  if (!mlirTypeIsAVector(type))
    return false;
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t count = 1;
  for (intptr_t i = 0; i < rank; i++) {
    if (__builtin_mul_overflow(count, mlirShapedTypeGetDimSize(type, i),
                               &count) ||
        count > MAX_ELEMENTS)
      return true;
  }
  return rank > 0 && mlirShapedTypeGetDimSize(type, rank - 1) > MAX_LANES;
}

static bool has_long_vector(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    if (is_too_long(mlirValueGetType(mlirOperationGetResult(op, i))))
      return true;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    if (is_too_long(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return true;
  }
  return false;
}

/// What ends the process in LLVM, or never ends.
static jitrun_error_t *check_op(const struct jr_unit *unit, MlirOperation op) {
  if (has_long_vector(op))
    return jr_error_op(unit, op, JITRUN_UNIMPLEMENTED,
                       "a vector of over %d elements in a row, or %d in all, "
                       "takes LLVM too long; use a loop over shorter ones",
                       MAX_LANES, MAX_ELEMENTS);
  if (!jr_is(op, unit->names.func_call) &&
      !mlirAttributeIsNull(mlirOperationGetDiscardableAttributeByName(
          op, jr_ref("llvm.module_asm"))))
    return jr_error_op(unit, op, JITRUN_UNIMPLEMENTED,
                       "machine code in a program (llvm.module_asm) is not "
                       "taken; call a function of a library instead");
  return NULL;
}

static MlirWalkResult visit(MlirOperation op, void *context) {
  struct findings *findings = context;
  const struct jr_unit *unit = findings->unit;
  MlirIdentifier name = mlirOperationGetName(op);
  if (!jr_memo_has(&findings->taken, name.ptr)) {
    if (!mlirContextIsRegisteredOperation(unit->context,
                                          mlirIdentifierStr(name)) ||
        is_refused(&unit->names, name))
      add_finding(findings, op);
    else
      jr_memo_set(&findings->taken, name.ptr, 0);
  }
  findings->error = check_op(unit, op);
  return findings->error ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static jitrun_error_t *report(const struct findings *findings) {
  const struct jr_unit *unit = findings->unit;
  MlirStringRef name = mlirIdentifierStr(findings->list[0].name);
  jitrun_error_t *error = jr_error_op(
      unit, findings->list[0].first, JITRUN_UNIMPLEMENTED,
      "operation '%.*s' is not supported by this version (%zu in the program); "
      "%s",
      (int)name.length, name.data, findings->list[0].count, jr_advice(name));
  for (size_t i = 1; i < findings->count; i++) {
    const struct finding *finding = &findings->list[i];
    struct jr_source_location at =
        jr_locate(unit, mlirOperationGetLocation(finding->first));
    name = mlirIdentifierStr(finding->name);
    error =
        jr_error_note(error,
                      "nor is '%.*s' (%zu in the program, first at "
                      "%.*s:%u:%u)",
                      (int)name.length, name.data, finding->count,
                      (int)at.file.length, at.file.data, at.line, at.column);
  }
  if (findings->more)
    error = jr_error_note(error, "and %zu more operations", findings->more);
  return error;
}

jitrun_error_t *jr_check(struct jr_unit *unit) {
  struct findings findings = {.unit = unit};
  mlirOperationWalk(mlirModuleGetOperation(unit->module), visit, &findings,
                    MlirWalkPreOrder);
  if (findings.error)
    return findings.error;
  return findings.count ? report(&findings) : NULL;
}
