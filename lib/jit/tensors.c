/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Programs over tensors become programs over memrefs: tosa and linalg are
/// lowered, values get memory, and memory is freed where it is no longer used.
/// Upstream's passes do it; here is their order.
#include "jit/unit.h"

#include "jit/async.h"
#include "jit/check.h"
#include "jit/checks.h"
#include "jit/contractions.h"
#include "jit/memo.h"
#include "jit/plan.h"
#include "jit/softmax.h"
#include "jit/upstream.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Conversion.h"
#include "mlir-c/Dialect/Bufferization.h"
#include "mlir-c/Dialect/Linalg.h"
#include "mlir-c/Dialect/MemRef.h"
#include "mlir-c/Dialect/Tosa.h"
#include "mlir-c/Pass.h"
#include "mlir-c/Transforms.h"

#include <pthread.h>

/// Without tosa-validate: it refuses dynamic sizes, which lower well. What
/// holds other operations becomes scf before these are lowered.
static const char tosa_to_linalg[] =
    "func.func(tosa-optional-decompositions,canonicalize,tosa-infer-shapes,"
    "tosa-make-broadcastable,tosa-to-scf,tosa-to-linalg-named,canonicalize,"
    "tosa-layerwise-constant-fold,tosa-make-broadcastable,tosa-to-linalg,"
    "tosa-to-tensor,tosa-to-arith{include-apply-rescale=true})";

/// arith and math are bufferized on scalars alone.
static const char tensors_to_memrefs[] =
    "convert-elementwise-to-linalg,canonicalize,eliminate-empty-tensors,"
    "one-shot-bufferize{bufferize-function-boundaries=true "
    "function-boundary-type-conversion=identity-layout-map "
    "allow-return-allocs-from-loops=true},canonicalize,cse";

static const char deallocate[] =
    "ownership-based-buffer-deallocation,canonicalize,"
    "buffer-deallocation-simplification,bufferization-lower-deallocations,cse,"
    "canonicalize";

/// What bufferization leaves: clones, and casts between tensors and memrefs.
static const char leave_bufferization[] = "convert-bufferization-to-memref";

/// Allocates, copies and frees; whoever frees by itself expects that.
static const char expand_realloc[] = "expand-realloc";

static const char linalg_to_loops[] = "convert-linalg-to-loops";

static void register_passes(void) {
  mlirRegisterBufferizationBufferDeallocationSimplificationPass();
  mlirRegisterBufferizationEmptyTensorEliminationPass();
  mlirRegisterBufferizationLowerDeallocationsPass();
  mlirRegisterBufferizationOneShotBufferizePass();
  mlirRegisterBufferizationOwnershipBasedBufferDeallocationPass();
  mlirRegisterConversionConvertBufferizationToMemRefPass();
  mlirRegisterConversionTosaToArithPass();
  mlirRegisterConversionTosaToLinalg();
  mlirRegisterConversionTosaToLinalgNamed();
  mlirRegisterConversionTosaToSCFPass();
  mlirRegisterConversionTosaToTensorPass();
  mlirRegisterLinalgConvertElementwiseToLinalgPass();
  mlirRegisterLinalgConvertLinalgToLoopsPass();
  mlirRegisterMemRefExpandReallocPass();
  mlirRegisterTosaTosaInferShapesPass();
  mlirRegisterTosaTosaLayerwiseConstantFoldPass();
  mlirRegisterTosaTosaMakeBroadcastablePass();
  mlirRegisterTosaTosaOptionalDecompositionsPass();
  mlirRegisterTransformsCSE();
  mlirRegisterTransformsCanonicalizer();
  mlirRegisterTransformsGenerateRuntimeVerification();
}

/// What occurs in the program.
struct contents {
  bool tosa, linalg, tensors, reallocations, deallocations, branches;
  struct jr_memo plain; ///< names of operations that were looked at
};

/// True for the type of a function that takes or returns a tensor.
static bool has_tensor_type(MlirType type) {
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); i++) {
    if (mlirTypeIsATensor(mlirFunctionTypeGetInput(type, i)))
      return true;
  }
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumResults(type); i++) {
    if (mlirTypeIsATensor(mlirFunctionTypeGetResult(type, i)))
      return true;
  }
  return false;
}

static bool has_tensor(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    if (mlirTypeIsATensor(mlirValueGetType(mlirOperationGetResult(op, i))))
      return true;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    if (mlirTypeIsATensor(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return true;
  }
  return false;
}

/// What the operation's name says, and the signature of a function.
static void note_name(struct contents *contents, MlirOperation op,
                      MlirStringRef name) {
  bool tosa = jr_ref_begins(name, "tosa.");
  bool linalg = jr_ref_begins(name, "linalg.");
  bool tensors =
      jr_ref_begins(name, "tensor.") || jr_ref_begins(name, "bufferization.");
  bool deallocates = mlirStringRefEqual(name, jr_ref("memref.dealloc"));
  bool reallocates = mlirStringRefEqual(name, jr_ref("memref.realloc"));
  MlirAttribute type =
      mlirOperationGetAttributeByName(op, jr_ref("function_type"));
  bool is_function = !mlirAttributeIsNull(type) && mlirAttributeIsAType(type) &&
                     mlirTypeIsAFunction(mlirTypeAttrGetValue(type));
  if (is_function)
    tensors = tensors || has_tensor_type(mlirTypeAttrGetValue(type));
  contents->tosa = contents->tosa || tosa;
  contents->linalg = contents->linalg || linalg;
  contents->tensors = contents->tensors || tensors;
  contents->deallocations = contents->deallocations || deallocates;
  contents->reallocations = contents->reallocations || reallocates;
  if (!is_function)
    jr_memo_set(&contents->plain, mlirOperationGetName(op).ptr, 0);
}

static MlirWalkResult note_contents(MlirOperation op, void *context) {
  struct contents *contents = context;
  MlirIdentifier name = mlirOperationGetName(op);
  if (!jr_memo_has(&contents->plain, name.ptr))
    note_name(contents, op, mlirIdentifierStr(name));
  contents->tensors = contents->tensors || has_tensor(op);
  contents->branches =
      contents->branches || mlirOperationGetNumSuccessors(op) > 0;
  return MlirWalkResultAdvance;
}

static void append_text(MlirStringRef text, void *bytes) {
  jr_bytes_append(bytes, text.data, text.length);
}

static jitrun_error_t *run_passes(struct jr_unit *unit, const char *pipeline,
                                  const char *what) {
  MlirPassManager manager = mlirPassManagerCreate(unit->context);
  struct jr_bytes report = {0};
  jitrun_error_t *error = NULL;
  if (mlirLogicalResultIsFailure(mlirOpPassManagerAddPipeline(
          mlirPassManagerGetAsOpPassManager(manager), jr_ref(pipeline),
          append_text, &report))) {
    const char *text = jr_bytes_text(&report);
    error = jr_error(JITRUN_INTERNAL, "the passes '%s' cannot be set up: %s",
                     pipeline, text ? text : "out of memory");
  } else if (mlirLogicalResultIsFailure(mlirPassManagerRunOnOp(
                 manager, mlirModuleGetOperation(unit->module)))) {
    error = jr_error_note(
        jr_diagnostics_take(&unit->diagnostics,
                            "a pass of MLIR failed and did not say why"),
        "while %s", what);
  }
  jr_bytes_deinit(&report);
  mlirPassManagerDestroy(manager);
  return error;
}

/// Adds an attribute to each argument of tensor type.
static jitrun_error_t *mark_args(struct jr_unit *unit, MlirOperation function,
                                 MlirNamedAttribute mark) {
  MlirType type = mlirTypeAttrGetValue(mlirOperationGetInherentAttributeByName(
      function, jr_ref("function_type")));
  MlirAttribute old =
      mlirOperationGetInherentAttributeByName(function, jr_ref("arg_attrs"));
  intptr_t count = mlirFunctionTypeGetNumInputs(type);
  MlirAttribute *attrs =
      jr_arena_alloc(&unit->arena, (size_t)(count + 1) * sizeof *attrs);
  if (!attrs)
    return jr_error_no_memory();
  for (intptr_t i = 0; i < count; i++) {
    MlirAttribute one = mlirAttributeIsNull(old)
                            ? mlirDictionaryAttrGet(unit->context, 0, NULL)
                            : mlirArrayAttrGetElement(old, i);
    intptr_t size = mlirDictionaryAttrGetNumElements(one);
    MlirNamedAttribute *all =
        jr_arena_alloc(&unit->arena, (size_t)(size + 1) * sizeof *all);
    if (!all)
      return jr_error_no_memory();
    for (intptr_t k = 0; k < size; k++)
      all[k] = mlirDictionaryAttrGetElement(one, k);
    all[size] = mark;
    bool is_marked = mlirTypeIsATensor(mlirFunctionTypeGetInput(type, i)) &&
                     mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(
                         one, mlirIdentifierStr(mark.name)));
    attrs[i] = mlirDictionaryAttrGet(unit->context, size + is_marked, all);
  }
  mlirOperationSetInherentAttributeByName(
      function, jr_ref("arg_attrs"),
      mlirArrayAttrGet(unit->context, count, attrs));
  return NULL;
}

/// Callers' tensors are values: an entry works on copies of those it changes.
/// A function outside may write to its operands, so it works on copies of
/// those that are used later, unless its declaration says that it reads.
static jitrun_error_t *mark_functions(struct jr_unit *unit) {
  MlirContext context = unit->context;
  bool any_marked = jr_any_marked(unit);
  MlirNamedAttribute constant = jr_named(context, "bufferization.writable",
                                         mlirBoolAttrGet(context, false));
  MlirNamedAttribute any =
      jr_named(context, "bufferization.access",
               mlirStringAttrGet(context, jr_ref("read-write")));
  MlirIdentifier name = unit->names.func_func;
  for (MlirOperation op = jr_first_of(unit, name); !mlirOperationIsNull(op);
       op = jr_next_of(mlirOperationGetNextInBlock(op), name)) {
    if (!jr_has_body(op))
      JITRUN_TRY(mark_args(unit, op, any));
    else if (jr_is_exported(op, any_marked))
      JITRUN_TRY(mark_args(unit, op, constant));
  }
  return NULL;
}

/// What lowering makes operations of, whether the program has some or not.
static void load_dialects(MlirContext context) {
  static const char *const names[] = {"bufferization", "memref", "linalg",
                                      "scf"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    (void)mlirContextGetOrLoadDialect(context, jr_ref(names[i]));
}

static jitrun_error_t *lower_tensors(struct jr_unit *unit,
                                     const struct contents *contents) {
  load_dialects(unit->context);
  JITRUN_TRY(jr_check_encodings(unit));
  if (contents->tosa)
    JITRUN_TRY(run_passes(unit, tosa_to_linalg, "lowering tosa to linalg"));
  jr_decompose(unit);
  JITRUN_TRY(jr_lower_softmax(unit));
  JITRUN_TRY(jr_async_tensors(unit));
  JITRUN_TRY(mark_functions(unit));
  JITRUN_TRY(run_passes(unit, tensors_to_memrefs, "giving tensors memory"));
  /* A program that frees by itself is left alone, and so is one with loops of
     branches or async work, which upstream's pass refuses; what is not freed
     goes with the execution. */
  if (!contents->deallocations && !contents->branches && !unit->has_async)
    JITRUN_TRY(
        run_passes(unit, deallocate, "finding out where memory is freed"));
  return run_passes(unit, leave_bufferization, "lowering bufferization");
}

/// Runs what adds checks to operations of linalg.
static jitrun_error_t *check_linalg(struct jr_unit *unit) {
  if (!unit->options->check)
    return NULL;
  return run_passes(unit, "generate-runtime-verification",
                    "adding checks to operations of linalg");
}

static jitrun_error_t *lower_all(struct jr_unit *unit,
                                 const struct contents *contents) {
  static pthread_once_t registered = PTHREAD_ONCE_INIT;
  (void)pthread_once(&registered, register_passes);
  if (contents->reallocations)
    JITRUN_TRY(run_passes(unit, expand_realloc, "lowering memref.realloc"));
  if (!contents->tosa && !contents->linalg && !contents->tensors)
    return jr_checks_insert(unit);
  if (contents->tosa || contents->tensors)
    JITRUN_TRY(lower_tensors(unit, contents));
  JITRUN_TRY(check_linalg(unit));
  JITRUN_TRY(jr_checks_insert(unit));
  jr_contractions(unit);
  JITRUN_TRY(run_passes(unit, linalg_to_loops, "lowering linalg to loops"));
  return jr_checks_bodies(unit);
}

jitrun_error_t *jr_tensors(struct jr_unit *unit) {
  MlirOperation module = mlirModuleGetOperation(unit->module);
  struct contents contents = {0};
  if (unit->is_plain && !unit->options->check)
    return NULL;
  mlirOperationWalk(module, note_contents, &contents, MlirWalkPreOrder);
  jr_checks_begin(unit);
  if (!contents.tosa && !contents.linalg && !contents.tensors &&
      !contents.reallocations)
    return jr_checks_insert(unit);
  JITRUN_TRY(lower_all(unit, &contents));
  mlirSymbolTableDestroy(unit->symbols);
  unit->symbols = mlirSymbolTableCreate(module);
  return NULL;
}
