/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The LLVM module of the program: the functions that MLIR translated, one host
/// function for each entry that is a list of sites, and the image with its code
/// offsets.
#include "jit/emit.h"

#include "jit/locations.h"
#include "runtime/exec.h"

#include "llvm-c/Core.h"

#include <stdio.h>
#include <string.h>

/// LLVM types and the builder, for one module.
struct emitter {
  struct jr_unit *unit;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMTypeRef ptr, i8, i64, entry_type;
  struct jr_debug debug;
};

static LLVMValueRef load_field(struct emitter *emitter, LLVMValueRef base,
                               uint64_t offset) {
  LLVMValueRef index = LLVMConstInt(emitter->i64, offset, false);
  LLVMValueRef address =
      LLVMBuildInBoundsGEP2(emitter->builder, emitter->i8, base, &index, 1, "");
  return LLVMBuildLoad2(emitter->builder, emitter->ptr, address, "");
}

/// A static entry: one call of the dispatcher for all its sites.
static void emit_static_entry(struct emitter *emitter, LLVMValueRef function,
                              const struct jr_function *entry) {
  LLVMBasicBlockRef block =
      LLVMAppendBasicBlockInContext(emitter->context, function, "");
  LLVMPositionBuilderAtEnd(emitter->builder, block);
  LLVMValueRef exec = LLVMGetParam(function, 0);
  LLVMValueRef error = LLVMConstNull(emitter->ptr);
  if (entry->site_count) {
    LLVMTypeRef types[] = {emitter->ptr, emitter->i64, emitter->i64};
    LLVMTypeRef run_type = LLVMFunctionType(emitter->ptr, types, 3, false);
    LLVMValueRef functions = load_field(emitter, exec, JR_EXEC_FUNCTIONS);
    LLVMValueRef run = load_field(emitter, functions, JR_FUNCTIONS_RUN);
    LLVMValueRef arguments[] = {
        exec, LLVMConstInt(emitter->i64, entry->first_site, false),
        LLVMConstInt(emitter->i64, entry->site_count, false)};
    error = LLVMBuildCall2(emitter->builder, run_type, run, arguments, 3, "");
  }
  LLVMBuildRet(emitter->builder, error);
}

static void add_attribute(const struct emitter *emitter, LLVMValueRef function,
                          const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function,
                          (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(emitter->context, kind, 0));
}

/// Finds a function, or emits it when MLIR did not. Entries are hidden: only
/// the image refers to them.
static jitrun_error_t *emit_function(struct emitter *emitter,
                                     const struct jr_function *function,
                                     LLVMValueRef *out_value) {
  LLVMValueRef value;
  if (function->native) {
    value = LLVMGetNamedFunction(emitter->module, function->symbol);
    if (!value)
      return jr_error(JITRUN_INTERNAL, "function '%s' was lost in translation",
                      function->name);
  } else {
    value =
        LLVMAddFunction(emitter->module, function->symbol, emitter->entry_type);
    emit_static_entry(emitter, value, function);
    jr_debug_function(&emitter->debug, function, value);
  }
  if (function->entry == JR_NONE) {
    LLVMSetLinkage(value, LLVMInternalLinkage);
  } else {
    LLVMSetLinkage(value, LLVMExternalLinkage);
    LLVMSetVisibility(value, LLVMHiddenVisibility);
  }
  if (function->is_part || function->is_dispatch)
    add_attribute(emitter, value, "noinline");
  if (function->is_dispatch)
    add_attribute(emitter, value, "optnone");
  *out_value = value;
  return NULL;
}

/// Declares the image, so that offsets from it can be written into it.
static LLVMValueRef declare_image(struct emitter *emitter, uint64_t bytes,
                                  uint64_t offsets, LLVMTypeRef *out_type) {
  char name[512]; /* a prefix has at most 255 characters */
  (void)snprintf(name, sizeof name, "%s%s", JR_IMAGE_SYMBOL_PREFIX,
                 emitter->unit->options->prefix);
  LLVMTypeRef fields[] = {LLVMArrayType2(emitter->i8, bytes),
                          LLVMArrayType2(emitter->i64, offsets)};
  *out_type = LLVMStructTypeInContext(emitter->context, fields, 2, false);
  LLVMValueRef image = LLVMAddGlobal(emitter->module, *out_type, name);
  LLVMSetGlobalConstant(image, true);
  /* Known to be of this object, so that it needs no relocation at run time and
     stays in read-only memory. */
  LLVMSetVisibility(image, LLVMProtectedVisibility);
  LLVMSetAlignment(image, JR_TABLE_ALIGNMENT);
  return image;
}

static jitrun_error_t *emit_image(struct emitter *emitter,
                                  const LLVMValueRef *entries,
                                  uint64_t entry_count) {
  struct jr_unit *unit = emitter->unit;
  uint64_t offset_count = entry_count + 1;
  uint64_t bytes = unit->image.size - 8 * offset_count;
  LLVMTypeRef type;
  LLVMValueRef image = declare_image(emitter, bytes, offset_count, &type);
  LLVMValueRef base = LLVMConstPtrToInt(image, emitter->i64);
  LLVMValueRef *offsets =
      jr_arena_alloc(&unit->arena, offset_count * sizeof *offsets);
  if (!offsets)
    return jr_error_no_memory();
  for (uint64_t i = 0; i < entry_count; i++)
    offsets[i] =
        entries[i]
            ? LLVMConstSub(LLVMConstPtrToInt(entries[i], emitter->i64), base)
            : LLVMConstNull(emitter->i64);
  offsets[entry_count] =
      unit->links
          ? LLVMConstSub(LLVMConstPtrToInt(unit->links, emitter->i64), base)
          : LLVMConstNull(emitter->i64);
  LLVMValueRef parts[] = {
      LLVMConstStringInContext2(emitter->context,
                                (const char *)unit->image.data, bytes, true),
      LLVMConstArray2(emitter->i64, offsets, offset_count)};
  LLVMSetInitializer(
      image, LLVMConstStructInContext(emitter->context, parts, 2, false));
  return NULL;
}

static jitrun_error_t *emit_all(struct emitter *emitter) {
  struct jr_unit *unit = emitter->unit;
  uint32_t count = jr_table_count(&unit->table, JR_SECTION_ENTRIES);
  LLVMValueRef *entries =
      jr_arena_alloc(&unit->arena, (count + 1) * sizeof *entries);
  if (!entries)
    return jr_error_no_memory();
  for (uint32_t i = 0; unit->options->no_code && i < count; i++)
    entries[i] = NULL;
  for (size_t i = 0; i < unit->function_count; i++) {
    const struct jr_function *function = &unit->functions[i];
    if (!function->is_reached || unit->options->no_code)
      continue;
    LLVMValueRef value;
    JITRUN_TRY(emit_function(emitter, function, &value));
    if (function->entry != JR_NONE)
      entries[function->entry] = value;
  }
  return emit_image(emitter, entries, count);
}

jitrun_error_t *jr_emit(struct jr_unit *unit, const struct jr_target *target) {
  LLVMContextRef context = unit->llvm_context;
  struct emitter emitter = {.unit = unit,
                            .context = context,
                            .module = unit->llvm_module,
                            .debug = {.unit = unit},
                            .builder = LLVMCreateBuilderInContext(context),
                            .ptr = LLVMPointerTypeInContext(context, 0),
                            .i8 = LLVMInt8TypeInContext(context),
                            .i64 = LLVMInt64TypeInContext(context)};
  emitter.entry_type = LLVMFunctionType(emitter.ptr, &emitter.ptr, 1, false);
  const char *name = unit->input->name;
  LLVMSetModuleIdentifier(unit->llvm_module, name, strlen(name));
  LLVMSetSourceFileName(unit->llvm_module, name, strlen(name));
  LLVMSetTarget(unit->llvm_module, target->triple);
  LLVMSetDataLayout(unit->llvm_module, target->layout);
  jitrun_error_t *error = emit_all(&emitter);
  jr_debug_close(&emitter.debug);
  LLVMDisposeBuilder(emitter.builder);
  return error;
}
