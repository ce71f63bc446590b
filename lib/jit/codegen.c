/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See codegen.h.
#include "jit/codegen.h"

#include "base/alloc.h"

#include "llvm-c/Analysis.h"
#include "llvm-c/Core.h"
#include "llvm-c/Error.h"
#include "llvm-c/Transforms/PassBuilder.h"

#include <stdio.h>
#include <string.h>

static jitrun_error_t *verify(const struct jr_unit *unit) {
  char *message = NULL;
  jitrun_error_t *error = NULL;
  if (LLVMVerifyModule(unit->llvm_module, LLVMReturnStatusAction, &message))
    error = jr_error(JITRUN_INTERNAL, "the LLVM IR of '%s' does not verify: %s",
                     unit->input->name, message);
  LLVMDisposeMessage(message);
  return error;
}

/// Runs LLVM's default pipeline over code that computes; it would look at all
/// other code, and leave it as it is. Coroutines need it at every level: it
/// cuts them at their suspensions.
static jitrun_error_t *run_passes(const struct jr_unit *unit,
                                  const struct jr_target *target) {
  int level = unit->options->opt_level;
  if (!unit->computes || (level == 0 && !unit->has_async))
    return NULL;
  char passes[16];
  (void)snprintf(passes, sizeof passes, "default<O%d>", level);
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef failure =
      LLVMRunPasses(unit->llvm_module, passes, target->machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (!failure)
    return NULL;
  char *message = LLVMGetErrorMessage(failure);
  jitrun_error_t *error =
      jr_error(JITRUN_INTERNAL, "LLVM cannot optimise '%s': %s",
               unit->input->name, message);
  LLVMDisposeErrorMessage(message);
  return error;
}

jitrun_error_t *jr_optimise(struct jr_unit *unit,
                            const struct jr_target *target) {
  jr_stage_begin(unit, JR_STAGE_OPTIMISE);
  JITRUN_TRY(verify(unit));
  JITRUN_TRY(run_passes(unit, target));
  return jr_stage_end(unit, JR_STAGE_OPTIMISE);
}

static jitrun_error_t *copy_out(const void *data, size_t size,
                                struct jr_compile_output *output) {
  output->data = jr_malloc(size + 1);
  if (!output->data)
    return jr_error_no_memory();
  memcpy(output->data, data, size);
  ((char *)output->data)[size] = '\0';
  output->size = size;
  return NULL;
}

static jitrun_error_t *print_module(const struct jr_unit *unit,
                                    struct jr_compile_output *output) {
  char *text = LLVMPrintModuleToString(unit->llvm_module);
  jitrun_error_t *error = copy_out(text, strlen(text), output);
  LLVMDisposeMessage(text);
  return error;
}

/// Generates code of `module`, which is changed by that.
static jitrun_error_t *generate(const struct jr_unit *unit,
                                const struct jr_target *target,
                                LLVMModuleRef module, LLVMCodeGenFileType kind,
                                LLVMMemoryBufferRef *out_buffer) {
  char *message = NULL;
  if (!LLVMTargetMachineEmitToMemoryBuffer(target->machine, module, kind,
                                           &message, out_buffer))
    return NULL;
  jitrun_error_t *error =
      jr_error(JITRUN_INTERNAL, "LLVM cannot generate code for '%s': %s",
               unit->input->name, message);
  LLVMDisposeMessage(message);
  return error;
}

/// The code as assembly, for who watches; the module stays as it is.
static jitrun_error_t *generate_assembly(struct jr_unit *unit,
                                         const struct jr_target *target) {
  LLVMMemoryBufferRef buffer = NULL;
  LLVMModuleRef copy = LLVMCloneModule(unit->llvm_module);
  jitrun_error_t *error =
      generate(unit, target, copy, LLVMAssemblyFile, &buffer);
  LLVMDisposeModule(copy);
  if (error)
    return error;
  jr_bytes_append(&unit->stages.assembly, LLVMGetBufferStart(buffer),
                  LLVMGetBufferSize(buffer));
  LLVMDisposeMemoryBuffer(buffer);
  return jr_bytes_check(&unit->stages.assembly);
}

static jitrun_error_t *emit_machine_code(const struct jr_unit *unit,
                                         const struct jr_target *target,
                                         struct jr_compile_output *output) {
  LLVMCodeGenFileType kind =
      unit->options->form == JR_FORM_ASM ? LLVMAssemblyFile : LLVMObjectFile;
  LLVMMemoryBufferRef buffer = NULL;
  JITRUN_TRY(generate(unit, target, unit->llvm_module, kind, &buffer));
  jitrun_error_t *error =
      copy_out(LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer), output);
  output->code_bytes = LLVMGetBufferSize(buffer) - unit->image_bytes;
  LLVMDisposeMemoryBuffer(buffer);
  return error;
}

static jitrun_error_t *emit_output(const struct jr_unit *unit,
                                   const struct jr_target *target,
                                   struct jr_compile_output *output) {
  if (unit->options->form == JR_FORM_LLVM)
    return print_module(unit, output);
  if (unit->options->form == JR_FORM_MLIR) // the assembly is what was asked for
    return NULL;
  return emit_machine_code(unit, target, output);
}

jitrun_error_t *jr_codegen(struct jr_unit *unit, const struct jr_target *target,
                           struct jr_compile_output *output) {
  if (jr_stage_is_read(unit, JR_STAGE_CODEGEN)) {
    JITRUN_TRY(generate_assembly(unit, target));
    jr_stages_restart(unit);
  }
  jr_stage_begin(unit, JR_STAGE_CODEGEN);
  JITRUN_TRY(emit_output(unit, target, output));
  const char *report = jr_bytes_text(&unit->llvm_report);
  if (unit->llvm_report.size == 0)
    return jr_stage_end(unit, JR_STAGE_CODEGEN);
  return jr_error(JITRUN_INTERNAL, "LLVM cannot generate code for '%s': %s",
                  unit->input->name, report ? report : "");
}
