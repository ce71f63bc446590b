/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See imports.h.
#include "runtime/imports.h"

#include "helpers/helpers.h"
#include "runtime/elf.h"
#include "runtime/missing.h"
#include "runtime/symbols.h"

#include <string.h>

static jitrun_error_t *check_symbols(const struct jr_elf_symbols *symbols,
                                     struct jr_missing_names *missing) {
  for (uint64_t i = 1; i < symbols->count; i++) {
    Elf64_Sym symbol;
    const char *name;
    JITRUN_TRY(jr_elf_symbol_get(symbols, i, &symbol, &name));
    if (symbol.st_shndx == SHN_UNDEF && name[0] != '\0' &&
        ELF64_ST_BIND(symbol.st_info) != STB_WEAK && !jr_symbol_find(name))
      jr_missing_add(missing, name);
  }
  return NULL;
}

jitrun_error_t *jr_imports_check(const void *object, size_t size) {
  struct jr_elf elf;
  struct jr_elf_symbols symbols;
  struct jr_missing_names missing = {0};
  JITRUN_TRY(jr_elf_open(object, size, &elf));
  JITRUN_TRY(jr_elf_symbols_open(&elf, SHT_SYMTAB, &symbols));
  jitrun_error_t *error = check_symbols(&symbols, &missing);
  jitrun_error_t *found = jr_missing_report(&missing);
  if (!error)
    return jr_error_note(found, "a program calls nothing of the process but "
                                "libm and memory functions; make it a custom "
                                "call");
  jitrun_error_free(found);
  return error;
}

static bool is_helper(const char *name) {
  static const char *const names[] = {
#define X(name) #name,
      JR_HELPER_SYMBOLS(X)
#undef X
          "memrefCopy"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (strcmp(names[i], name) == 0)
      return true;
  }
  return false;
}

jitrun_error_t *jr_imports_helper(const void *object, size_t size,
                                  const char **out_name) {
  struct jr_elf elf;
  struct jr_elf_symbols symbols;
  *out_name = NULL;
  JITRUN_TRY(jr_elf_open(object, size, &elf));
  JITRUN_TRY(jr_elf_symbols_open(&elf, SHT_SYMTAB, &symbols));
  for (uint64_t i = 1; !*out_name && i < symbols.count; i++) {
    Elf64_Sym symbol;
    const char *name;
    JITRUN_TRY(jr_elf_symbol_get(&symbols, i, &symbol, &name));
    if (symbol.st_shndx == SHN_UNDEF && is_helper(name))
      *out_name = name;
  }
  return NULL;
}
