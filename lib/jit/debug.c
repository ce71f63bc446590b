/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Debug information of functions that never were in the LLVM dialect: entries
/// that are lists of call sites. See locations.h.
#include "jit/locations.h"

#include "llvm-c/Core.h"
#include "llvm-c/DebugInfo.h"

#include <string.h>

/// A file's metadata, split into name and folder as upstream does it.
static LLVMMetadataRef create_file(const struct jr_debug *debug,
                                   MlirStringRef path) {
  size_t start = path.length;
  while (start > 0 && path.data[start - 1] != '/')
    start--;
  size_t folder = start > 1 ? start - 1 : start;
  return LLVMDIBuilderCreateFile(debug->builder, path.data + start,
                                 path.length - start, path.data, folder);
}

/// Opens the builder for the first function that needs it.
static void open_builder(struct jr_debug *debug) {
  static const char version[] = "Debug Info Version";
  static const char producer[] = "jitrun";
  const struct jr_unit *unit = debug->unit;
  LLVMModuleRef module = unit->llvm_module;
  debug->builder = LLVMCreateDIBuilder(module);
  LLVMMetadataRef file = create_file(debug, jr_ref(unit->input->name));
  LLVMDIBuilderCreateCompileUnit(debug->builder, LLVMDWARFSourceLanguageC, file,
                                 producer, sizeof producer - 1, true, "", 0, 0,
                                 "", 0, LLVMDWARFEmissionLineTablesOnly, 0,
                                 false, false, "", 0, "", 0);
  debug->type = LLVMDIBuilderCreateSubroutineType(debug->builder, file, NULL, 0,
                                                  LLVMDIFlagZero);
  if (!LLVMGetModuleFlag(module, version, sizeof version - 1))
    LLVMAddModuleFlag(module, LLVMModuleFlagBehaviorWarning, version,
                      sizeof version - 1,
                      LLVMValueAsMetadata(LLVMConstInt(
                          LLVMInt32TypeInContext(unit->llvm_context),
                          LLVMDebugMetadataVersion(), false)));
}

void jr_debug_function(struct jr_debug *debug,
                       const struct jr_function *function, LLVMValueRef value) {
  if (!debug->unit->options->debug_info)
    return;
  if (!debug->builder)
    open_builder(debug);
  struct jr_source_location at = jr_locate(debug->unit, function->location);
  LLVMMetadataRef file = create_file(debug, at.file);
  LLVMMetadataRef scope = LLVMDIBuilderCreateFunction(
      debug->builder, file, function->symbol, strlen(function->symbol),
      function->symbol, strlen(function->symbol), file, at.line, debug->type,
      false, true, at.line, LLVMDIFlagZero, true);
  LLVMMetadataRef line = LLVMDIBuilderCreateDebugLocation(
      debug->unit->llvm_context, at.line, at.column, scope, NULL);
  LLVMSetSubprogram(value, scope);
  for (LLVMValueRef one =
           LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(value));
       one; one = LLVMGetNextInstruction(one))
    LLVMInstructionSetDebugLoc(one, line);
}

void jr_debug_close(struct jr_debug *debug) {
  if (!debug->builder)
    return;
  LLVMDIBuilderFinalize(debug->builder);
  LLVMDisposeDIBuilder(debug->builder);
  debug->builder = NULL;
}
