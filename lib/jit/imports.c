/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What the program takes from outside, once it is LLVM IR. Names on the closed
/// list stay undefined symbols. Any other function that is declared only
/// becomes an import: it gets a body that calls the address in the links, which
/// whoever opens the program fills in (struct jr_links), so that objects,
/// shared libraries and linked images need nothing of the system's loader. What
/// the program defines becomes internal and gets a name of ours: no symbol of
/// it meets one of the process, or a function that LLVM calls by name.
#include "jit/imports.h"

#include "llvm-c/Comdat.h"
#include "llvm-c/Core.h"

#include <stdlib.h>
#include <string.h>

/// State of one module.
struct imports {
  struct jr_unit *unit;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMTypeRef ptr, i8, i64;
  LLVMValueRef *functions; ///< to become imports
  uint32_t count;
  const void **own; ///< functions of the unit, by address
  size_t own_count;
  bool has_data;
  struct jr_bytes missing; ///< names that nobody knows
  size_t missing_count;
  const char *first_missing;
};

/// Functions after which the process, or the thread, is gone or somewhere else.
static const char *const endings[] = {
    "_Exit", "__assert_fail", "_exit", "abort",        "exit",
    "fork",  "longjmp",       "kill",  "pthread_exit", "quick_exit",
    "raise", "siglongjmp",    "vfork"};

static bool ends_process(const char *name) {
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
    if (strcmp(endings[i], name) == 0)
      return true;
  }
  return false;
}

static const char *name_of(LLVMValueRef value) {
  size_t size;
  return LLVMGetValueName2(value, &size);
}

static int compare_symbol(const void *name, const void *symbol) {
  return strcmp(name, ((const struct jr_symbol *)symbol)->name);
}

static bool is_listed(const struct jr_compile_options *options,
                      const char *name) {
  return bsearch(name, options->symbols, options->symbol_count,
                 sizeof *options->symbols, compare_symbol) != NULL;
}

/// The operation that declares or defines a symbol, else the module.
static MlirOperation find_op(const struct imports *imports, const char *name) {
  MlirOperation module = mlirModuleGetOperation(imports->unit->module);
  MlirSymbolTable symbols = mlirSymbolTableCreate(module);
  MlirOperation op = mlirSymbolTableLookup(symbols, jr_ref(name));
  mlirSymbolTableDestroy(symbols);
  return mlirOperationIsNull(op) ? module : op;
}

static jitrun_error_t *refuse(const struct imports *imports, LLVMValueRef value,
                              const char *what) {
  const char *name = name_of(value);
  return jr_error_op(imports->unit, find_op(imports, name),
                     JITRUN_UNIMPLEMENTED, "'%s' %s", name, what);
}

static void note_missing(struct imports *imports, const char *name) {
  if (imports->missing_count++ == 0)
    imports->first_missing = name;
  jr_bytes_appendf(&imports->missing, "%s'%s'",
                   imports->missing.size ? ", " : "", name);
}

static jitrun_error_t *report_missing(const struct imports *imports) {
  bool is_one = imports->missing_count == 1;
  return jr_error_op(
      imports->unit, find_op(imports, imports->first_missing), JITRUN_NOT_FOUND,
      "function%s %.*s %s no body and %s known: make %s by the attribute "
      "rt.custom_call = \"target\", or give the library that has %s with "
      "--shared-libs=LIB",
      is_one ? "" : "s", (int)imports->missing.size,
      (const char *)imports->missing.data, is_one ? "has" : "have",
      is_one ? "is not" : "none is",
      is_one ? "it a custom call" : "them custom calls",
      is_one ? "it" : "them");
}

/// Sorts one declaration into what it is.
static jitrun_error_t *sort_declaration(struct imports *imports,
                                        LLVMValueRef function) {
  const struct jr_compile_options *options = imports->unit->options;
  const char *name = name_of(function);
  if (LLVMGetIntrinsicID(function) != 0 || is_listed(options, name))
    return NULL;
  if (ends_process(name))
    return refuse(imports, function,
                  "would end the process that runs the program, not only the "
                  "program; use cf.assert, which ends its execution with an "
                  "error");
  if (options->is_known && options->is_known(options->known_context, name))
    imports->functions[imports->count++] = function;
  else
    note_missing(imports, name);
  return NULL;
}

static jitrun_error_t *find_imports(struct imports *imports) {
  size_t count = 0;
  for (LLVMValueRef function = LLVMGetFirstFunction(imports->module); function;
       function = LLVMGetNextFunction(function))
    count++;
  imports->functions =
      jr_arena_alloc(&imports->unit->arena, (count + 1) * sizeof(LLVMValueRef));
  if (!imports->functions)
    return jr_error_no_memory();
  LLVMValueRef function = LLVMGetFirstFunction(imports->module);
  while (function) {
    LLVMValueRef next = LLVMGetNextFunction(function);
    if (LLVMIsDeclaration(function) && !LLVMGetFirstUse(function))
      LLVMDeleteFunction(function);
    else if (LLVMIsDeclaration(function))
      JITRUN_TRY(sort_declaration(imports, function));
    function = next;
  }
  return imports->missing_count > 0 ? report_missing(imports) : NULL;
}

static int compare_address(const void *left, const void *right) {
  const void *a = *(const void *const *)left;
  const void *b = *(const void *const *)right;
  return ((uintptr_t)a > (uintptr_t)b) - ((uintptr_t)a < (uintptr_t)b);
}

/// Finds the functions that jr_emit() goes on with.
static jitrun_error_t *find_own(struct imports *imports) {
  struct jr_unit *unit = imports->unit;
  imports->own = jr_arena_alloc(&unit->arena, (unit->function_count + 1) *
                                                  sizeof *imports->own);
  if (!imports->own)
    return jr_error_no_memory();
  for (size_t i = 0; i < unit->function_count; i++) {
    const struct jr_function *function = &unit->functions[i];
    LLVMValueRef value =
        function->native && function->is_reached
            ? LLVMGetNamedFunction(imports->module, function->symbol)
            : NULL;
    if (value)
      imports->own[imports->own_count++] = value;
  }
  qsort((void *)imports->own, imports->own_count, sizeof *imports->own,
        compare_address);
  return NULL;
}

static bool is_own(const struct imports *imports, LLVMValueRef value) {
  const void *key = value;
  return imports->own_count > 0 &&
         bsearch((const void *)&key, (const void *)imports->own,
                 imports->own_count, sizeof key, compare_address);
}

/// Takes a definition out of sight; LLVM adds a number to a name that is taken.
static void hide(const struct imports *imports, LLVMValueRef value) {
  LLVMLinkage linkage = LLVMGetLinkage(value);
  if (linkage == LLVMPrivateLinkage || linkage == LLVMAppendingLinkage)
    return;
  struct jr_bytes name = {0};
  jr_bytes_appendf(&name, "jitrun_%s_%s", imports->unit->options->prefix,
                   name_of(value));
  LLVMSetVisibility(value, LLVMDefaultVisibility);
  LLVMSetLinkage(value, LLVMInternalLinkage);
  LLVMSetDLLStorageClass(value, LLVMDefaultStorageClass);
  const char *text = jr_bytes_text(&name);
  if (text)
    LLVMSetValueName2(value, text, name.size);
  jr_bytes_deinit(&name);
}

static void hide_function(const struct imports *imports, LLVMValueRef value) {
  LLVMSetComdat(value, NULL);
  hide(imports, value);
}

static jitrun_error_t *hide_variable(struct imports *imports,
                                     LLVMValueRef value) {
  if (LLVMIsDeclaration(value))
    return LLVMGetFirstUse(value)
               ? refuse(imports, value,
                        "is a variable of somebody else; a program takes only "
                        "functions from outside")
               : NULL;
  if (LLVMIsThreadLocal(value))
    return refuse(imports, value,
                  "is thread-local, which programs cannot have; make it a "
                  "global of the program");
  imports->has_data = imports->has_data || !LLVMIsGlobalConstant(value);
  LLVMSetComdat(value, NULL);
  hide(imports, value);
  return NULL;
}

static jitrun_error_t *hide_definitions(struct imports *imports) {
  JITRUN_TRY(find_own(imports));
  for (LLVMValueRef value = LLVMGetFirstFunction(imports->module); value;
       value = LLVMGetNextFunction(value)) {
    if (!LLVMIsDeclaration(value) && !is_own(imports, value))
      hide_function(imports, value);
  }
  for (LLVMValueRef value = LLVMGetFirstGlobal(imports->module); value;
       value = LLVMGetNextGlobal(value)) {
    if (value != imports->unit->links)
      JITRUN_TRY(hide_variable(imports, value));
  }
  for (LLVMValueRef value = LLVMGetFirstGlobalAlias(imports->module); value;
       value = LLVMGetNextGlobalAlias(value))
    hide(imports, value);
  LLVMValueRef indirect = LLVMGetFirstGlobalIFunc(imports->module);
  if (indirect)
    return refuse(imports, indirect,
                  "is chosen when the program is loaded, which programs cannot "
                  "have; call one of its functions");
  return NULL;
}

/// The memory that struct jr_links describes.
static void define_links(struct imports *imports) {
  LLVMTypeRef type = LLVMArrayType2(imports->i64, imports->count + UINT64_C(1));
  LLVMValueRef links = LLVMAddGlobal(imports->module, type, "jitrun.links");
  LLVMSetLinkage(links, LLVMInternalLinkage);
  LLVMSetInitializer(links, LLVMConstNull(type));
  imports->unit->links = links;
}

static LLVMAttributeRef enum_attribute(const struct imports *imports,
                                       const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  return LLVMCreateEnumAttribute(imports->context, kind, 0);
}

/// What the declaration says of arguments and result holds for the call; what
/// it says of memory is not true of the body, which reads the links.
static void move_attributes(const struct imports *imports,
                            LLVMValueRef function, LLVMValueRef call) {
  static const char *const removed[] = {"memory", "speculatable", "noinline",
                                        "optnone"};
  for (unsigned index = 0; index <= LLVMCountParams(function); index++) {
    unsigned count = LLVMGetAttributeCountAtIndex(function, index);
    LLVMAttributeRef *attributes =
        jr_arena_alloc(&imports->unit->arena, (count + 1) * sizeof *attributes);
    if (!attributes)
      return; /* only less is known */
    LLVMGetAttributesAtIndex(function, index, attributes);
    for (unsigned i = 0; i < count; i++)
      LLVMAddCallSiteAttribute(call, index, attributes[i]);
  }
  for (size_t i = 0; i < sizeof removed / sizeof removed[0]; i++)
    LLVMRemoveEnumAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMGetEnumAttributeKindForName(removed[i], strlen(removed[i])));
  LLVMAddAttributeAtIndex(function,
                          (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          enum_attribute(imports, "nounwind"));
}

/// Calls the address in the links with the function's own arguments.
static jitrun_error_t *define_import(struct imports *imports,
                                     LLVMBuilderRef builder, uint32_t index) {
  LLVMValueRef function = imports->functions[index];
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  unsigned count = LLVMCountParams(function);
  LLVMValueRef *arguments =
      jr_arena_alloc(&imports->unit->arena, (count + 1) * sizeof *arguments);
  if (!arguments)
    return jr_error_no_memory();
  LLVMGetParams(function, arguments);
  LLVMPositionBuilderAtEnd(
      builder, LLVMAppendBasicBlockInContext(imports->context, function, ""));
  LLVMValueRef offset =
      LLVMConstInt(imports->i64, 8 * (index + UINT64_C(1)), false);
  LLVMValueRef place = LLVMBuildInBoundsGEP2(
      builder, imports->i8, imports->unit->links, &offset, 1, "");
  LLVMValueRef address = LLVMBuildLoad2(builder, imports->ptr, place, "");
  LLVMValueRef call =
      LLVMBuildCall2(builder, type, address, arguments, count, "");
  LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function));
  move_attributes(imports, function, call);
  /* The only way to hand on arguments whose number is not known. */
  if (LLVMIsFunctionVarArg(type))
    LLVMSetTailCallKind(call, LLVMTailCallKindMustTail);
  if (LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind)
    LLVMBuildRetVoid(builder);
  else
    LLVMBuildRet(builder, call);
  return NULL;
}

static jitrun_error_t *write_import(struct imports *imports,
                                    LLVMValueRef function) {
  struct jr_table_writer *table = &imports->unit->table;
  const char *name = name_of(function);
  jr_str_t string = jr_table_add_string(table, name, strlen(name));
  struct jr_import *record = jr_table_add(table, JR_SECTION_IMPORTS, 1);
  if (!record)
    return jr_error_no_memory();
  record->name = string;
  return NULL;
}

static jitrun_error_t *define_imports(struct imports *imports) {
  jitrun_error_t *error = NULL;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(imports->context);
  for (uint32_t i = 0; i < imports->count && !error; i++)
    error = write_import(imports, imports->functions[i]);
  for (uint32_t i = 0; i < imports->count && !error; i++)
    error = define_import(imports, builder, i);
  LLVMDisposeBuilder(builder);
  return error;
}

static jitrun_error_t *sort_names(struct imports *imports) {
  JITRUN_TRY(find_imports(imports));
  uint32_t count = imports->count;
  if (count > 0)
    define_links(imports);
  /* Names are written before they change. */
  JITRUN_TRY(define_imports(imports));
  JITRUN_TRY(hide_definitions(imports));
  if (!imports->has_data)
    return NULL;
  imports->unit->table.header.flags |= JR_TABLE_OWN_DATA;
  if (count == 0)
    define_links(imports);
  return NULL;
}

jitrun_error_t *jr_imports(struct jr_unit *unit) {
  LLVMContextRef context = unit->llvm_context;
  struct imports imports = {.unit = unit,
                            .context = context,
                            .module = unit->llvm_module,
                            .ptr = LLVMPointerTypeInContext(context, 0),
                            .i8 = LLVMInt8TypeInContext(context),
                            .i64 = LLVMInt64TypeInContext(context)};
  if (!unit->options->symbols)
    return NULL;
  jitrun_error_t *error = sort_names(&imports);
  jr_bytes_deinit(&imports.missing);
  return error;
}
