/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See pipeline.h. Steps run one after the other, each only where an operation
/// that calls for it is in the program when its turn comes: a pass that has
/// nothing to do still costs a walk, and what one step makes the later ones
/// see.
#include "jit/pipeline.h"

#include "jit/async.h"
#include "jit/expand.h"
#include "jit/locations.h"
#include "jit/upstream.h"
#include "jit/vectors.h"

#include "mlir-c/Conversion.h"
#include "mlir-c/Dialect/Arith.h"
#include "mlir-c/Dialect/Async.h"
#include "mlir-c/Dialect/Math.h"
#include "mlir-c/Dialect/MemRef.h"
#include "mlir-c/Dialect/Vector.h"
#include "mlir-c/Pass.h"

#include <pthread.h>
#include <string.h>

/// A step: the dialects or operations that call for it, between blanks (NULL:
/// always), and its pass, the text of one that has options, or a function of
/// ours.
struct step {
  const char *dialects;
  MlirPass (*create)(void);
  const char *text;
  jitrun_error_t *(*run)(struct jr_unit *unit);
};

/// Down to blocks that branch; structured operations of later steps are the
/// concern of the table below.
static const struct step to_blocks[] = {
    {"affine", .create = mlirCreateConversionLowerAffinePass},
    {"vector.scan", .run = jr_lower_scans},
    {"vector.mask", .text = "func.func(lower-vector-mask)"},
    {"vector.multi_reduction",
     .text = "func.func(lower-vector-multi-reduction)"},
    {"vector", .run = jr_vectors},
    {"vector", .create = mlirCreateConversionConvertVectorToSCF},
    {"memref.atomic_rmw memref.reshape",
     .create = mlirCreateMemRefExpandOpsPass},
    {"memref.generic_atomic_rmw", .run = jr_lower_atomics},
    {"scf", .create = mlirCreateConversionSCFToControlFlowPass},
};

/// From blocks to LLVM. Functions of vectors are taken apart by operations of
/// vector; vector lowering makes scf, ub.poison, arith and index operations,
/// that of complex makes those of math. expand-strided-metadata leaves
/// affine.apply behind, so affine is lowered again; it also erases blocks that
/// nothing reaches, which the conversions would leave as they are.
static const struct step to_llvm[] = {
    {NULL, .run = jr_expand},
    {"async", .create = mlirCreateConversionConvertAsyncToLLVMPass},
    {"math", .create = mlirCreateConversionConvertMathToFuncs},
    {"math", .text = "convert-math-to-llvm{approximate-log1p=false}"},
    {"math", .create = mlirCreateConversionConvertMathToLibmPass},
    {"vector.extract vector.insert", .run = jr_vector_positions},
    {"vector", .create = mlirCreateConversionConvertVectorToLLVMPass},
    {"memref", .create = jr_create_expand_strided},
    {"affine", .create = mlirCreateConversionLowerAffinePass},
    {"scf", .create = mlirCreateConversionSCFToControlFlowPass},
    {"complex", .create = mlirCreateConversionConvertComplexToStandardPass},
    {"math", .create = mlirCreateConversionConvertMathToLLVMPass},
    {"math", .create = mlirCreateConversionConvertMathToLibmPass},
    {"complex", .create = mlirCreateConversionConvertComplexToLLVMPass},
    {"memref.atomic_rmw memref.generic_atomic_rmw",
     .create = mlirCreateConversionArithToLLVMConversionPass},
    {"memref",
     .create = mlirCreateConversionFinalizeMemRefToLLVMConversionPass},
    {"arith", .create = mlirCreateConversionArithToLLVMConversionPass},
    {"index", .create = mlirCreateConversionConvertIndexToLLVMPass},
    {"ub", .create = mlirCreateConversionUBToLLVMConversionPass},
    {"cf", .create = mlirCreateConversionConvertControlFlowToLLVMPass},
    {NULL, .create = mlirCreateConversionConvertFuncToLLVMPass},
    {NULL, .create = mlirCreateConversionReconcileUnrealizedCastsPass},
};

static const struct step async_to_runtime[] = {
    {NULL, .create = mlirCreateAsyncAsyncFuncToAsyncRuntimePass},
    {NULL, .create = mlirCreateAsyncAsyncToAsyncRuntimePass},
};

/// Arithmetic on floats of 8 bits and less is done in f32 and rounded; those
/// that scale others have no arithmetic at all.
static const struct step small_floats[] = {
    {NULL, .text = "arith-expand{include-f8e8m0=true include-f4e2m1=true}"},
    {NULL, .text = "arith-emulate-unsupported-floats{"
                   "source-types=f8E5M2,f8E4M3FN target-type=f32}"},
    {NULL, .text = "math-extend-to-supported-types{extra-types=f16,bf16}"},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/// True when `name` is listed, or its dialect.
static bool calls_for(const char *dialects, MlirStringRef name) {
  for (const char *at = dialects; at; at = strchr(at, ' ')) {
    at += *at == ' ';
    size_t length = strcspn(at, " ");
    if (name.length >= length && memcmp(name.data, at, length) == 0 &&
        (name.length == length || name.data[length] == '.'))
      return true;
  }
  return !dialects;
}

struct search {
  const char *dialects;
  bool found;
};

static MlirWalkResult look_at(MlirOperation op, void *context) {
  struct search *search = context;
  search->found =
      calls_for(search->dialects, mlirIdentifierStr(mlirOperationGetName(op)));
  return search->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// True when a step has something to do. What is async may be so by its types
/// alone.
static bool is_called_for(const struct jr_unit *unit, const struct step *step) {
  struct search search = {.dialects = step->dialects};
  if (!step->dialects)
    return true;
  if (unit->has_async && strcmp(step->dialects, "async") == 0)
    return true;
  if (unit->has_dead_blocks && step->create == jr_create_expand_strided)
    return true;
  mlirOperationWalk(mlirModuleGetOperation(unit->module), look_at, &search,
                    MlirWalkPreOrder);
  return search.found;
}

static void register_passes(void) {
  mlirRegisterArithArithEmulateUnsupportedFloats();
  mlirRegisterArithArithExpandOpsPass();
  mlirRegisterConversionConvertMathToLLVMPass();
  mlirRegisterVectorLowerVectorMaskPass();
  mlirRegisterVectorLowerVectorMultiReduction();
  mlirRegisterMathMathExtendToSupportedTypes();
}

static void append_text(MlirStringRef text, void *bytes) {
  jr_bytes_append(bytes, text.data, text.length);
}

static jitrun_error_t *add_step(MlirOpPassManager manager,
                                const struct step *step) {
  struct jr_bytes report = {0};
  jitrun_error_t *error = NULL;
  if (step->create)
    mlirOpPassManagerAddOwnedPass(manager, step->create());
  else if (mlirLogicalResultIsFailure(mlirOpPassManagerAddPipeline(
               manager, jr_ref(step->text), append_text, &report)))
    error =
        jr_error(JITRUN_INTERNAL, "the pass '%s' cannot be set up", step->text);
  jr_bytes_deinit(&report);
  return error;
}

/// Runs a pass over the module, or over the operations `within` in it.
static jitrun_error_t *run_pass(struct jr_unit *unit, const struct step *step,
                                const char *within) {
  MlirPassManager manager = mlirPassManagerCreate(unit->context);
  mlirPassManagerEnableVerifier(manager, false);
  MlirOpPassManager passes =
      within ? mlirPassManagerGetNestedUnder(manager, jr_ref(within))
             : mlirPassManagerGetAsOpPassManager(manager);
  jitrun_error_t *error = add_step(passes, step);
  bool is_done = error || mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(
                              manager, mlirModuleGetOperation(unit->module)));
  mlirPassManagerDestroy(manager);
  if (is_done)
    return error;
  return jr_error_note(jr_diagnostics_take(&unit->diagnostics,
                                           "a conversion of MLIR failed and "
                                           "did not say why"),
                       "while lowering the program to LLVM");
}

static jitrun_error_t *run_steps(struct jr_unit *unit, const struct step *steps,
                                 size_t count, const char *within) {
  static pthread_once_t registered = PTHREAD_ONCE_INIT;
  (void)pthread_once(&registered, register_passes);
  for (size_t i = 0; i < count; i++) {
    if (is_called_for(unit, &steps[i]))
      JITRUN_TRY(steps[i].run ? steps[i].run(unit)
                              : run_pass(unit, &steps[i], within));
  }
  return NULL;
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
  if (jr_has_small_floats(unit))
    JITRUN_TRY(run_steps(unit, small_floats, COUNT(small_floats), NULL));
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
  return leftover.error ? leftover.error : jr_locations_scope(unit);
}
