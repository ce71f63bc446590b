/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What MLIR's verifier lets through and we do not take: operations of dialects
/// that are not known here, all listed at once.
#include "jit/unit.h"

enum { MAX_LISTED = 16 };

struct finding {
  MlirIdentifier name;
  MlirOperation first;
  size_t count;
};

struct findings {
  struct jr_unit *unit;
  struct finding list[MAX_LISTED];
  size_t count, more;
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
  return false;
}

static MlirWalkResult visit(MlirOperation op, void *context) {
  struct findings *findings = context;
  const struct jr_unit *unit = findings->unit;
  MlirIdentifier name = mlirOperationGetName(op);
  bool known =
      mlirContextIsRegisteredOperation(unit->context, mlirIdentifierStr(name));
  if (!known || is_refused(&unit->names, name))
    add_finding(findings, op);
  return MlirWalkResultAdvance;
}

static jitrun_error_t *report(const struct findings *findings) {
  const struct jr_unit *unit = findings->unit;
  MlirStringRef name = mlirIdentifierStr(findings->list[0].name);
  jitrun_error_t *error = jr_error_op(
      unit, findings->list[0].first, JITRUN_UNIMPLEMENTED,
      "operation '%.*s' is not supported by this version (%zu in the program); "
      "lower it to func, scf, cf, arith, math, memref, vector, affine, tensor, "
      "linalg, tosa or async, or call a custom call instead",
      (int)name.length, name.data, findings->list[0].count);
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
  return findings.count ? report(&findings) : NULL;
}
