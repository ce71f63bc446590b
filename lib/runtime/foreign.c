/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See foreign.h. The library is one of a registry of its own, under the names
/// that the made program calls: that registry is the program's, and closes it.
#include "runtime/foreign.h"

#include "base/alloc.h"
#include "base/library.h"
#include "base/strings.h"
#include "customcalls/libraries.h"
#include "runtime/foreign_signature.h"
#include "runtime/functions.h"
#include "runtime/image.h"
#include "runtime/object_load.h"
#include "runtime/open.h"
#include "runtime/symbols.h"
#include "runtime/table.h"

#include <stdlib.h>
#include <string.h>

/// What MLIR gives as the address to free of a constant.
#define CONSTANT_ADDRESS 0xdeadbeefU

/// The open library; the handle of a struct jr_dylib.
struct foreign {
  struct jr_object *object;
  struct jr_dylib library;
  jitrun_registry_t *registry; ///< the caller's
  void *function;
};

/// As MLIR passes a memref<*xT>; a descriptor begins with the address to free.
struct unranked {
  int64_t rank;
  void **descriptor;
};

static int64_t read_address(const struct unranked *memref) {
  return (int64_t)(uintptr_t)*memref->descriptor;
}

static void drop_memory(int64_t address) {
  if ((uint64_t)address != CONSTANT_ADDRESS)
    free((void *)(uintptr_t)address);
}

/// What the made program calls.
static void *find_function(const struct jr_dylib *library, const char *name) {
  const struct foreign *foreign = library->handle;
  if (!jr_text_has_prefix(name, JR_FOREIGN_PREFIX "jitrun_"))
    return NULL;
  name += sizeof JR_FOREIGN_PREFIX "jitrun_" - 1;
  if (strcmp(name, "foreign") == 0)
    return foreign->function;
  if (strcmp(name, "drop") == 0)
    return __extension__(void *) drop_memory;
  return jr_text_has_prefix(name, "address_") ? __extension__(void *)
                                                    read_address
                                              : NULL;
}

static void close_foreign(void *handle) {
  struct foreign *foreign = handle;
  jr_object_unload(foreign->object);
  jr_dylib_close(&foreign->library);
  jitrun_registry_release(foreign->registry);
  free(foreign);
}

/// What an object takes from outside: the closed list, functions that print,
/// and libraries of the registry.
static void *resolve_name(void *context, const char *name) {
  void *address = jr_symbol_find(name);
  return address ? address : jr_function_find(context, name);
}

/// Code that is to run before or after all other is not run here.
static jitrun_error_t *refuse_constructors(const struct jr_elf *elf) {
  for (uint64_t i = 0; i < elf->section_count; i++) {
    Elf64_Shdr section;
    JITRUN_TRY(jr_elf_section(elf, i, &section));
    const char *name = jr_elf_section_name(elf, i);
    bool has_some = section.sh_type == SHT_INIT_ARRAY ||
                    section.sh_type == SHT_FINI_ARRAY ||
                    section.sh_type == SHT_PREINIT_ARRAY ||
                    jr_text_has_prefix(name, ".ctors") ||
                    jr_text_has_prefix(name, ".dtors");
    if (has_some && section.sh_size > 0)
      return jr_error(JITRUN_UNIMPLEMENTED,
                      "the object has constructors or destructors (section "
                      "'%.100s'), which are not run; link it into a shared "
                      "library",
                      name);
  }
  return NULL;
}

/// Offers the names of functions that could have been meant.
static jitrun_error_t *find_near(const struct jr_elf *elf, uint32_t table,
                                 const char *symbol,
                                 struct jr_near_names *near_names,
                                 bool *is_plain) {
  struct jr_elf_symbols symbols;
  const char *plain = symbol + sizeof JR_FOREIGN_PREFIX - 1;
  JITRUN_TRY(jr_elf_symbols_open(elf, table, &symbols));
  for (uint64_t i = 1; i < symbols.count; i++) {
    Elf64_Sym record;
    const char *name;
    JITRUN_TRY(jr_elf_symbol_get(&symbols, i, &record, &name));
    if (record.st_shndx == SHN_UNDEF ||
        ELF64_ST_BIND(record.st_info) == STB_LOCAL)
      continue;
    *is_plain |= strcmp(name, plain) == 0;
    if (jr_text_has_prefix(name, JR_FOREIGN_PREFIX))
      jr_near_names_offer(near_names, name + sizeof JR_FOREIGN_PREFIX - 1);
  }
  return NULL;
}

static jitrun_error_t *refuse_symbol(const struct jr_elf *elf, uint32_t table,
                                     const char *symbol) {
  const char *plain = symbol + sizeof JR_FOREIGN_PREFIX - 1;
  struct jr_near_names near_names = {.wanted = plain};
  bool is_plain = false;
  char hint[512];
  JITRUN_TRY(find_near(elf, table, symbol, &near_names, &is_plain));
  (void)jr_near_names_hint(&near_names, hint, sizeof hint);
  jitrun_error_t *error =
      jr_error(JITRUN_NOT_FOUND, "the file has no function '%s'%s%s%s", symbol,
               *hint ? " (" : "", hint, *hint ? ")" : "");
  if (is_plain)
    return jr_error_note(error,
                         "it has '%s', which is not of MLIR's C interface: "
                         "give the function the attribute "
                         "llvm.emit_c_interface before it is lowered",
                         plain);
  return error;
}

static jitrun_error_t *load_object(const struct jr_elf *elf,
                                   struct foreign *foreign,
                                   const char *symbol) {
  const struct jr_object_options options = {
      .resolve = resolve_name, .resolve_context = foreign->registry};
  JITRUN_TRY(refuse_constructors(elf));
  JITRUN_TRY(jr_error_note(
      jr_object_load(elf, &options, &foreign->object),
      "an object may use functions of libm, memory and printing, and of "
      "libraries given with --shared-libs; a shared library can be linked with "
      "whatever it needs"));
  foreign->function = jr_object_find(foreign->object, symbol);
  return foreign->function ? NULL : refuse_symbol(elf, SHT_SYMTAB, symbol);
}

static jitrun_error_t *load_shared(const struct jr_foreign_file *file,
                                   const struct jr_elf *elf,
                                   struct foreign *foreign,
                                   const char *symbol) {
  if (!file->is_file)
    return jr_error(JITRUN_UNIMPLEMENTED,
                    "a shared library with a signature is opened from a file, "
                    "which this is not");
  JITRUN_TRY(jr_library_open(file->name, &foreign->library));
  foreign->function = jr_dylib_find_function(&foreign->library, symbol);
  return foreign->function ? NULL : refuse_symbol(elf, SHT_DYNSYM, symbol);
}

/// FAILED_PRECONDITION, INVALID_ARGUMENT: a signature does not go with the
/// file.
static jitrun_error_t *check_kind(const struct jr_foreign_file *file,
                                  struct jr_elf *out_elf) {
  enum jr_content_kind kind = jr_content_kind(file->data, file->size);
  if (kind != JR_CONTENT_OBJECT && kind != JR_CONTENT_SHARED)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "a signature is for objects and shared libraries that "
                    "jitrun did not make; this %s says itself what it takes",
                    kind == JR_CONTENT_TABLE ? "image" : "MLIR");
  JITRUN_TRY(jr_elf_open(file->data, file->size, out_elf));
  struct jr_elf_symbol symbol;
  jitrun_error_t *error =
      jr_elf_find_prefix(out_elf, JR_IMAGE_SYMBOL_PREFIX, &symbol);
  if (jitrun_error_code(error) == JITRUN_NOT_FOUND) {
    jitrun_error_free(error);
    return NULL;
  }
  if (error)
    return error;
  return jr_error(JITRUN_INVALID_ARGUMENT,
                  "the file was made by 'jitrun compile' and says itself what "
                  "it takes; leave the signature out");
}

static jitrun_error_t *load_function(const struct jr_foreign_file *file,
                                     const struct jr_foreign_text *name,
                                     struct foreign *foreign) {
  char symbol[sizeof JR_FOREIGN_PREFIX + JR_FOREIGN_MAX_NAME];
  struct jr_elf elf;
  memcpy(symbol, JR_FOREIGN_PREFIX, sizeof JR_FOREIGN_PREFIX - 1);
  memcpy(symbol + sizeof JR_FOREIGN_PREFIX - 1, name->text, name->size);
  symbol[sizeof JR_FOREIGN_PREFIX - 1 + name->size] = '\0';
  JITRUN_TRY(check_kind(file, &elf));
  return elf.header.e_type == ET_REL ? load_object(&elf, foreign, symbol)
                                     : load_shared(file, &elf, foreign, symbol);
}

/// A registry with the library that holds the function.
static jitrun_error_t *open_library(const struct jr_foreign_file *file,
                                    const struct jr_foreign_text *name,
                                    jitrun_registry_t *registry,
                                    jitrun_registry_t **out_registry) {
  struct foreign *foreign = jr_calloc(1, sizeof *foreign);
  if (!foreign)
    return jr_error_no_memory();
  jitrun_registry_retain(registry);
  foreign->registry = registry;
  struct jr_library library = {.dylib = {.handle = foreign,
                                         .find = find_function,
                                         .find_function = find_function,
                                         .close = close_foreign},
                               .path = file->name};
  jitrun_error_t *error = load_function(file, name, foreign);
  if (!error)
    error = jitrun_registry_create(out_registry);
  if (error) {
    jr_dylib_close(&library.dylib);
    return error;
  }
  error = jr_registry_add_symbols(*out_registry, &library, NULL);
  if (error) {
    jitrun_registry_release(*out_registry);
    *out_registry = NULL;
  }
  return error;
}

static jitrun_error_t *
compile_caller(const struct jr_foreign_file *file,
               const struct jr_foreign_signature *signature,
               const jitrun_open_options_t *options,
               jitrun_program_t **out_program) {
  struct jr_bytes text = {0};
  jr_foreign_format(signature, &text);
  const struct jr_compile_input input = {
      .data = jr_bytes_text(&text), .size = text.size, .name = file->name};
  jitrun_error_t *error =
      input.data ? jr_program_compile(&input, options, NULL, out_program)
                 : jr_error_no_memory();
  jr_bytes_deinit(&text);
  return error;
}

jitrun_error_t *jitrun_signature_check(const char *text) {
  struct jr_foreign_signature *signature = jr_malloc(sizeof *signature);
  if (!signature)
    return jr_error_no_memory();
  jitrun_error_t *error = jr_foreign_parse(text ? text : "", signature);
  free(signature);
  return error;
}

jitrun_error_t *jr_foreign_open(const struct jr_foreign_file *file,
                                const jitrun_open_options_t *options,
                                jitrun_program_t **out_program) {
  jitrun_open_options_t own_options = *options;
  own_options.registry = NULL;
  own_options.executor = JITRUN_EXECUTOR_JIT;
  *out_program = NULL;
  if (options->executor == JITRUN_EXECUTOR_THUNKS)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "thunks cannot call a function that has a signature; it is "
                    "native code");
  struct jr_foreign_signature *signature = jr_malloc(sizeof *signature);
  if (!signature)
    return jr_error_no_memory();
  jitrun_error_t *error = jr_foreign_parse(options->signature, signature);
  if (!error)
    error = open_library(file, &signature->name, options->registry,
                         &own_options.registry);
  if (!error)
    error = compile_caller(file, signature, &own_options, out_program);
  jitrun_registry_release(own_options.registry);
  free(signature);
  return error;
}
