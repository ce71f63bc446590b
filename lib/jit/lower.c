/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// From the planned module to LLVM IR: static entries and declarations leave
/// the module, what needs code goes through MLIR's conversions and is
/// translated.
#include "jit/unit.h"

#include "jit/async.h"
#include "jit/native.h"
#include "jit/opaque.h"
#include "jit/outline.h"
#include "jit/pipeline.h"
#include "jit/plan.h"
#include "jit/upstream.h"

#include "mlir-c/Target/LLVMIR.h"
#include "llvm-c/Core.h"

/// The rewriting makes operations of these dialects, whatever the program uses.
static void load_dialects(MlirContext context) {
  static const char *const names[] = {"arith", "cf",     "func",
                                      "llvm",  "memref", "ub"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    (void)mlirContextGetOrLoadDialect(context, jr_ref(names[i]));
}

/// What a function does.
struct contents {
  const struct jr_unit *unit;
  bool has_site, computes;
};

/// True for operations that are worth LLVM's time.
static bool is_compute(MlirOperation op) {
  static const char *const prefixes[] = {"memref.load", "memref.store",
                                         "affine.load", "affine.store",
                                         "vector.",     "math."};
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
    if (jr_ref_begins(name, prefixes[i]))
      return true;
  }
  return false;
}

static MlirWalkResult note_contents(MlirOperation op, void *context) {
  struct contents *contents = context;
  const struct jr_names *names = &contents->unit->names;
  contents->has_site = contents->has_site || jr_is(op, names->site_marker) ||
                       jr_is(op, names->func_call);
  contents->computes = contents->computes || is_compute(op);
  return MlirWalkResultAdvance;
}

/// Finds the functions that only dispatch: compiling them fast matters more
/// than the code, which waits for handlers anyway.
static void find_dispatch(struct jr_unit *unit) {
  for (size_t i = 0; i < unit->function_count; i++) {
    struct jr_function *function = &unit->functions[i];
    struct contents contents = {.unit = unit};
    if (!function->native || !function->is_reached || function->is_coroutine)
      continue;
    mlirOperationWalk(function->op, note_contents, &contents, MlirWalkPreOrder);
    function->is_dispatch = contents.has_site && !contents.computes;
  }
}

/// Erases what is of no use behind the plan: functions that are lists of sites,
/// and those that nothing calls.
static void erase_static(struct jr_unit *unit) {
  for (size_t i = 0; i < unit->function_count; i++) {
    if (!unit->functions[i].native || !unit->functions[i].is_reached)
      mlirOperationDestroy(unit->functions[i].op);
  }
}

/// Erases declarations of custom calls, and globals, once nothing refers to
/// them.
static void erase_declarations(struct jr_unit *unit) {
  MlirOperation op =
      mlirBlockGetFirstOperation(mlirModuleGetBody(unit->module));
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    bool declaration =
        jr_is(op, unit->names.func_func) && !jr_has_body(op) &&
        mlirAttributeIsNull(mlirOperationGetDiscardableAttributeByName(
            op, jr_ref(JR_ATTR_OUTSIDE)));
    if (declaration || jr_is(op, unit->names.memref_global))
      mlirOperationDestroy(op);
    op = next;
  }
}

/// True when some code is not that of a function that only dispatches.
static bool has_compute(const struct jr_unit *unit) {
  size_t left = 0;
  for (LLVMValueRef function = LLVMGetFirstFunction(unit->llvm_module);
       function; function = LLVMGetNextFunction(function))
    left += !LLVMIsDeclaration(function);
  for (size_t i = 0; i < unit->function_count; i++)
    left -= unit->functions[i].is_dispatch;
  return left > 0;
}

static jitrun_error_t *translate(struct jr_unit *unit) {
  MlirOperation module = mlirModuleGetOperation(unit->module);
  jr_lower_switches(unit);
  if (!mlirOperationVerify(module))
    return jr_diagnostics_take(&unit->diagnostics,
                               "the lowered program does not verify");
  unit->llvm_module = mlirTranslateModuleToLLVMIR(module, unit->llvm_context);
  if (!unit->llvm_module)
    return jr_diagnostics_take(&unit->diagnostics,
                               "the lowered program cannot be translated to "
                               "LLVM IR");
  unit->computes = has_compute(unit);
  return NULL;
}

/// Functions that need code, in blocks.
static jitrun_error_t *lower_to_blocks(struct jr_unit *unit) {
  load_dialects(unit->context);
  jr_register_translations(unit->context);
  erase_static(unit);
  JITRUN_TRY(jr_retype_opaque(unit));
  JITRUN_TRY(jr_outline(unit));
  jr_async_mark(unit);
  find_dispatch(unit);
  return jr_pipeline_to_blocks(unit);
}

static jitrun_error_t *rewrite_native(struct jr_unit *unit) {
  JITRUN_TRY(jr_native_rewrite(unit));
  erase_declarations(unit);
  return NULL;
}

/// Within MLIR, where a program needs code.
static const struct {
  enum jr_stage stage;
  jitrun_error_t *(*run)(struct jr_unit *unit);
} steps[] = {
    {JR_STAGE_BLOCKS, lower_to_blocks},
    {JR_STAGE_NATIVE, rewrite_native},
    {JR_STAGE_LLVM, jr_pipeline_to_llvm},
};

static jitrun_error_t *lower_native(struct jr_unit *unit) {
  for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
    jr_stage_begin(unit, steps[i].stage);
    JITRUN_TRY(steps[i].run(unit));
    JITRUN_TRY(jr_stage_end(unit, steps[i].stage));
    if (unit->stages.stopped)
      return NULL;
  }
  jr_stage_begin(unit, JR_STAGE_TRANSLATE);
  return translate(unit);
}

/// Keeps the errors of LLVM, which would otherwise print them and exit.
static void receive_report(LLVMDiagnosticInfoRef info, void *context) {
  struct jr_bytes *report = context;
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
    return;
  char *text = LLVMGetDiagInfoDescription(info);
  jr_bytes_appendf(report, "%s%s", report->size ? "; " : "", text);
  LLVMDisposeMessage(text);
}

jitrun_error_t *jr_lower(struct jr_unit *unit) {
  unit->llvm_context = LLVMContextCreate();
  LLVMContextSetDiagnosticHandler(unit->llvm_context, receive_report,
                                  &unit->llvm_report);
  if (!unit->options->no_code &&
      (unit->has_native || unit->options->form == JR_FORM_MLIR))
    return lower_native(unit);
  jr_stage_begin(unit, JR_STAGE_TRANSLATE);
  unit->llvm_module =
      LLVMModuleCreateWithNameInContext(unit->input->name, unit->llvm_context);
  return NULL;
}
