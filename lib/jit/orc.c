/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See orc.h. One LLJIT a program, linked by JITLink; disposing of it unloads
/// the code. Names are resolved by a generator over the closed list, so nothing
/// of the process is visible to generated code.
#include "jit/orc.h"

#include "llvm-c/Core.h"
#include "llvm-c/Error.h"
#include "llvm-c/LLJIT.h"
#include "llvm-c/Orc.h"
#include "llvm-c/OrcEE.h"
#include "llvm-c/TargetMachine.h"

#include "base/alloc.h"
#include "base/bytes.h"

#include <stdlib.h>
#include <string.h>

/// One loaded program.
struct orc {
  LLVMOrcLLJITRef jit;
  const struct jr_symbol *symbols;
  size_t symbol_count;
  struct jr_bytes reports; ///< what the session reported
};

static void receive_report(void *context, LLVMErrorRef failure) {
  struct orc *orc = context;
  char *message = LLVMGetErrorMessage(failure);
  if (orc->reports.size)
    jr_bytes_append_text(&orc->reports, "; ");
  jr_bytes_append_text(&orc->reports, message);
  LLVMDisposeErrorMessage(message);
}

/// An error of LLVM, joined with what the session reported.
static jitrun_error_t *take_failure(struct orc *orc, jitrun_code_t code,
                                    const char *doing, LLVMErrorRef failure) {
  char *message = LLVMGetErrorMessage(failure);
  const char *reports = jr_bytes_text(&orc->reports);
  jitrun_error_t *error =
      jr_error(code, "ORC cannot %s: %s%s%s", doing, message,
               orc->reports.size ? ": " : "", reports ? reports : "");
  LLVMDisposeErrorMessage(message);
  orc->reports.size = 0;
  return error;
}

static LLVMOrcObjectLayerRef create_layer(void *context,
                                          LLVMOrcExecutionSessionRef session,
                                          const char *triple) {
  (void)context;
  (void)triple;
  LLVMOrcObjectLayerRef layer = NULL;
  LLVMErrorRef failure =
      LLVMOrcCreateObjectLinkingLayerWithInProcessMemoryManager(&layer,
                                                                session);
  if (failure) {
    LLVMConsumeError(failure);
    return NULL;
  }
  return layer;
}

static int compare_symbol(const void *name, const void *symbol) {
  return strcmp(name, ((const struct jr_symbol *)symbol)->name);
}

/// The entry of a name in the closed list, or NULL.
static const struct jr_symbol *find_symbol(const struct orc *orc,
                                           const char *name) {
  if (orc->symbol_count == 0)
    return NULL;
  return bsearch(name, orc->symbols, orc->symbol_count, sizeof *orc->symbols,
                 compare_symbol);
}

// NOLINTBEGIN(readability-function-size): the parameters are ORC's.
/// Defines the wanted names from the list. Where one is not on it the lookup
/// fails here, because LLJIT would search the process next.
static LLVMErrorRef
define_symbols(LLVMOrcDefinitionGeneratorRef generator, void *context,
               LLVMOrcLookupStateRef *lookup_state, LLVMOrcLookupKind kind,
               LLVMOrcJITDylibRef library, LLVMOrcJITDylibLookupFlags flags,
               LLVMOrcCLookupSet wanted, size_t count) {
  (void)generator;
  (void)lookup_state;
  (void)kind;
  (void)flags;
  const struct orc *orc = context;
  LLVMOrcCSymbolMapPair *pairs = jr_calloc(count + 1, sizeof *pairs);
  struct jr_bytes missing = {0};
  size_t found = 0;
  for (size_t i = 0; pairs && i < count; i++) {
    const char *name = LLVMOrcSymbolStringPoolEntryStr(wanted[i].Name);
    const struct jr_symbol *symbol = find_symbol(orc, name);
    if (!symbol) {
      jr_bytes_appendf(&missing, "%s'%s'",
                       missing.size ? ", " : "undefined symbol ", name);
      continue;
    }
    LLVMOrcRetainSymbolStringPoolEntry(wanted[i].Name);
    pairs[found++] = (LLVMOrcCSymbolMapPair){
        .Name = wanted[i].Name,
        .Sym = {.Address = (LLVMOrcExecutorAddress)(uintptr_t)symbol->address,
                .Flags = {.GenericFlags = LLVMJITSymbolGenericFlagsExported}}};
  }
  LLVMErrorRef failure = NULL;
  if (found)
    failure =
        LLVMOrcJITDylibDefine(library, LLVMOrcAbsoluteSymbols(pairs, found));
  const char *text = jr_bytes_text(&missing);
  if (!failure && missing.size)
    failure = LLVMCreateStringError(text ? text : "undefined symbols");
  jr_bytes_deinit(&missing);
  free(pairs);
  return failure;
}
// NOLINTEND(readability-function-size)

/// A plain machine of this process's architecture: ORC only links here, and
/// finding out all that the CPU has takes it a third of a millisecond.
static LLVMTargetMachineRef create_machine(void) {
  char *triple = LLVMGetDefaultTargetTriple();
  LLVMTargetRef target = NULL;
  LLVMTargetMachineRef machine = NULL;
  char *message = NULL;
  if (!LLVMGetTargetFromTriple(triple, &target, &message))
    machine =
        LLVMCreateTargetMachine(target, triple, "", "", LLVMCodeGenLevelNone,
                                LLVMRelocPIC, LLVMCodeModelSmall);
  LLVMDisposeMessage(message);
  LLVMDisposeMessage(triple);
  return machine;
}

static jitrun_error_t *create_jit(struct orc *orc) {
  LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
  LLVMTargetMachineRef machine = create_machine();
  if (machine)
    LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(
        builder,
        LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(machine));
  LLVMOrcLLJITBuilderSetObjectLinkingLayerCreator(builder, create_layer, NULL);
  LLVMErrorRef failure = LLVMOrcCreateLLJIT(&orc->jit, builder);
  if (failure) {
    orc->jit = NULL;
    return take_failure(orc, JITRUN_INTERNAL, "start", failure);
  }
  LLVMOrcExecutionSessionSetErrorReporter(
      LLVMOrcLLJITGetExecutionSession(orc->jit), receive_report, orc);
  LLVMOrcJITDylibAddGenerator(
      LLVMOrcLLJITGetMainJITDylib(orc->jit),
      LLVMOrcCreateCustomCAPIDefinitionGenerator(define_symbols, orc, NULL));
  return NULL;
}

static jitrun_error_t *add_object(struct orc *orc, const void *object,
                                  size_t size) {
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRange(object, size, "program", false);
  LLVMErrorRef failure = LLVMOrcLLJITAddObjectFile(
      orc->jit, LLVMOrcLLJITGetMainJITDylib(orc->jit), buffer);
  return failure ? take_failure(orc, JITRUN_INTERNAL, "add the object", failure)
                 : NULL;
}

static void destroy_orc(struct orc *orc) {
  if (!orc)
    return;
  if (orc->jit) {
    LLVMErrorRef failure = LLVMOrcDisposeLLJIT(orc->jit);
    if (failure)
      LLVMConsumeError(failure);
  }
  jr_bytes_deinit(&orc->reports);
  free(orc);
}

jitrun_error_t *jr_orc_load(const void *object, size_t size,
                            const char *image_symbol,
                            const struct jr_symbol *symbols,
                            size_t symbol_count,
                            struct jr_loaded_code *out_code) {
  *out_code = (struct jr_loaded_code){0};
  struct orc *orc = jr_calloc(1, sizeof *orc);
  if (!orc)
    return jr_error_no_memory();
  orc->symbols = symbols;
  orc->symbol_count = symbol_count;
  LLVMOrcExecutorAddress address = 0;
  jitrun_error_t *error = create_jit(orc);
  if (!error)
    error = add_object(orc, object, size);
  if (!error) {
    LLVMErrorRef failure = LLVMOrcLLJITLookup(orc->jit, &address, image_symbol);
    if (failure)
      error = take_failure(orc, JITRUN_NOT_FOUND, "link the program", failure);
  }
  if (error) {
    destroy_orc(orc);
    return error;
  }
  out_code->image = (const void *)(uintptr_t)address;
  out_code->owner = orc;
  return NULL;
}

void jr_orc_unload(struct jr_loaded_code *code) {
  destroy_orc(code->owner);
  *code = (struct jr_loaded_code){0};
}
