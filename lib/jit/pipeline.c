/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See pipeline.h. A pass that has nothing to do in a program still costs a
/// walk over it, so those of optional dialects run only where these are
/// present.
#include "jit/pipeline.h"

#include "jit/async.h"
#include "jit/upstream.h"

#include "mlir-c/Conversion.h"
#include "mlir-c/Dialect/Async.h"
#include "mlir-c/Pass.h"

#include <string.h>

/// A step: the dialect that calls for it (NULL: always) and its pass.
struct step {
  const char *dialect;
  MlirPass (*create)(void);
};

static const struct step to_blocks[] = {
    {"affine", mlirCreateConversionLowerAffinePass},
    {"vector", mlirCreateConversionConvertVectorToSCF},
    {"scf", mlirCreateConversionSCFToControlFlowPass},
};

/// expand-strided-metadata leaves affine.apply behind, so affine is lowered
/// again; vector lowering makes ub.poison, arith and index operations, that of
/// complex makes those of math.
static const struct step to_llvm[] = {
    {"async", mlirCreateConversionConvertAsyncToLLVMPass},
    {"vector", mlirCreateConversionConvertVectorToLLVMPass},
    {NULL, jr_create_expand_strided},
    {NULL, mlirCreateConversionLowerAffinePass},
    {"complex", mlirCreateConversionConvertComplexToStandardPass},
    {"complex", mlirCreateConversionConvertMathToLLVMPass},
    {"complex", mlirCreateConversionConvertMathToLibmPass},
    {"complex", mlirCreateConversionConvertComplexToLLVMPass},
    {"math", mlirCreateConversionConvertMathToLLVMPass},
    {"math", mlirCreateConversionConvertMathToLibmPass},
    {NULL, mlirCreateConversionFinalizeMemRefToLLVMConversionPass},
    {NULL, mlirCreateConversionArithToLLVMConversionPass},
    {"index", mlirCreateConversionConvertIndexToLLVMPass},
    {NULL, mlirCreateConversionUBToLLVMConversionPass},
    {NULL, mlirCreateConversionConvertControlFlowToLLVMPass},
    {NULL, mlirCreateConversionConvertFuncToLLVMPass},
    {NULL, mlirCreateConversionReconcileUnrealizedCastsPass},
};

static const struct step async_to_runtime[] = {
    {NULL, mlirCreateAsyncAsyncFuncToAsyncRuntimePass},
    {NULL, mlirCreateAsyncAsyncToAsyncRuntimePass},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/// Which of the steps' dialects occur in the module.
struct presence {
  const struct step *steps;
  size_t count;
  bool present[COUNT(to_llvm)]; ///< the longest list
};

static MlirWalkResult note_dialect(MlirOperation op, void *context) {
  struct presence *presence = context;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  for (size_t i = 0; i < presence->count; i++) {
    const char *dialect = presence->steps[i].dialect;
    size_t length = dialect ? strlen(dialect) : 0;
    if (!dialect || (name.length > length && name.data[length] == '.' &&
                     memcmp(name.data, dialect, length) == 0))
      presence->present[i] = true;
  }
  return MlirWalkResultAdvance;
}

/// Runs steps over the module, or over the operations `within` in it.
static jitrun_error_t *run_steps(struct jr_unit *unit, const struct step *steps,
                                 size_t count, const char *within) {
  MlirOperation module = mlirModuleGetOperation(unit->module);
  struct presence presence = {.steps = steps, .count = count};
  mlirOperationWalk(module, note_dialect, &presence, MlirWalkPreOrder);
  MlirPassManager manager = mlirPassManagerCreate(unit->context);
  mlirPassManagerEnableVerifier(manager, false);
  MlirOpPassManager nested = mlirPassManagerGetNestedUnder(
      manager, jr_ref(within ? within : "func.func"));
  for (size_t i = 0; i < count; i++) {
    bool is_async = unit->has_async && steps[i].dialect &&
                    strcmp(steps[i].dialect, "async") == 0;
    if (!presence.present[i] && !is_async)
      continue;
    if (within)
      mlirOpPassManagerAddOwnedPass(nested, steps[i].create());
    else
      mlirPassManagerAddOwnedPass(manager, steps[i].create());
  }
  MlirLogicalResult result = mlirPassManagerRunOnOp(manager, module);
  mlirPassManagerDestroy(manager);
  if (mlirLogicalResultIsSuccess(result))
    return NULL;
  return jr_error_note(jr_diagnostics_take(&unit->diagnostics,
                                           "a conversion of MLIR failed and "
                                           "did not say why"),
                       "while lowering the program to LLVM");
}

jitrun_error_t *jr_pipeline_to_blocks(struct jr_unit *unit) {
  return run_steps(unit, to_blocks, COUNT(to_blocks), NULL);
}

jitrun_error_t *jr_pipeline_affine(struct jr_unit *unit) {
  return run_steps(unit, to_blocks, 1, NULL);
}

jitrun_error_t *jr_pipeline_async_blocks(struct jr_unit *unit) {
  return run_steps(unit, to_blocks, COUNT(to_blocks), "async.func");
}

jitrun_error_t *jr_pipeline_async(struct jr_unit *unit) {
  return run_steps(unit, async_to_runtime, COUNT(async_to_runtime), NULL);
}

struct leftover {
  const struct jr_unit *unit;
  const char *skipped; ///< an operation that is not looked for
  jitrun_error_t *error;
  size_t count;
};

/// Collects operations that are neither LLVM's nor the module.
static MlirWalkResult find_leftover(MlirOperation op, void *context) {
  struct leftover *leftover = context;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (jr_ref_begins(name, "llvm.") ||
      mlirStringRefEqual(name, jr_ref("builtin.module")) ||
      mlirStringRefEqual(name, jr_ref(leftover->skipped)))
    return MlirWalkResultAdvance;
  if (leftover->count++ == 0)
    leftover->error =
        jr_error_op(leftover->unit, op, JITRUN_UNIMPLEMENTED,
                    "operation '%.*s' has no lowering to LLVM in this version",
                    (int)name.length, name.data);
  else if (leftover->count <= 16)
    leftover->error = jr_error_note(leftover->error, "nor has '%.*s'",
                                    (int)name.length, name.data);
  return MlirWalkResultAdvance;
}

jitrun_error_t *jr_pipeline_to_llvm(struct jr_unit *unit) {
  JITRUN_TRY(jr_check_upstream_bugs(unit));
  if (unit->has_async)
    jr_async_branches(unit);
  JITRUN_TRY(run_steps(unit, to_llvm, COUNT(to_llvm), NULL));
  if (unit->has_async)
    jr_async_link(unit);
  /* Casts are left where something else is: that is what is to be named. */
  struct leftover leftover = {.unit = unit,
                              .skipped = "builtin.unrealized_conversion_cast"};
  MlirOperation module = mlirModuleGetOperation(unit->module);
  mlirOperationWalk(module, find_leftover, &leftover, MlirWalkPreOrder);
  leftover.skipped = "";
  if (!leftover.error)
    mlirOperationWalk(module, find_leftover, &leftover, MlirWalkPreOrder);
  return leftover.error;
}
