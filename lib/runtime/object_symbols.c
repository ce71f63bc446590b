/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// An object's symbols. A symbol from outside can be farther away than code
/// reaches: it then stands for a stub in the object, for every reference that
/// is relative to code. All that may come from outside are functions, for which
/// a stub is as good as the function itself.
#include "runtime/object_parts.h"

#include "runtime/missing.h"

#include <inttypes.h>
#include <string.h>

/// Says why a symbol cannot be loaded, or NULL.
static const char *find_objection(const Elf64_Sym *symbol) {
  unsigned type = ELF64_ST_TYPE(symbol->st_info);
  if (type == STT_TLS)
    return "thread-local, which generated code must not use";
  if (type == STT_GNU_IFUNC)
    return "an indirect function (IFUNC)";
  if (symbol->st_shndx == SHN_COMMON || type == STT_COMMON)
    return "a COMMON symbol; compile with -fno-common";
  if (symbol->st_shndx >= SHN_LORESERVE && symbol->st_shndx != SHN_ABS)
    return "in a section of a special kind or with a number above 65279";
  return NULL;
}

/// Notes a symbol that the object defines.
static jitrun_error_t *define_symbol(const struct jr_obj_loader *loader,
                                     const Elf64_Sym *symbol, const char *name,
                                     struct jr_obj_symbol *out_symbol) {
  uint16_t index = symbol->st_shndx;
  if (index >= loader->elf->section_count)
    return jr_error(JITRUN_DATA_LOSS,
                    "symbol '%.200s' is in section %u of %" PRIu64, name, index,
                    loader->elf->section_count);
  const struct jr_obj_section *section = &loader->sections[index];
  out_symbol->state = JR_SYMBOL_DEFINED;
  out_symbol->section = index;
  out_symbol->address = symbol->st_value;
  if (section->region == JR_REGION_NONE && out_symbol->is_used)
    return jr_error(JITRUN_UNIMPLEMENTED,
                    "code refers to symbol '%.200s' in section '%.200s', which "
                    "is not loaded",
                    name, jr_elf_section_name(loader->elf, index));
  if (section->region != JR_REGION_NONE && symbol->st_value > section->size)
    return jr_error(JITRUN_DATA_LOSS,
                    "symbol '%.200s' at %" PRIu64 " is outside of section "
                    "'%.200s' of %" PRIu64 " bytes",
                    name, (uint64_t)symbol->st_value,
                    jr_elf_section_name(loader->elf, index), section->size);
  return NULL;
}

/// Asks for the address of a symbol from outside; a weak one may have none.
static void resolve_symbol(const struct jr_obj_loader *loader,
                           const Elf64_Sym *symbol, const char *name,
                           struct jr_obj_symbol *out_symbol,
                           struct jr_missing_names *missing) {
  const struct jr_object_options *options = loader->options;
  void *address = options->resolve
                      ? options->resolve(options->resolve_context, name)
                      : NULL;
  out_symbol->state = JR_SYMBOL_OUTSIDE;
  out_symbol->address = (uintptr_t)address;
  if (!address && ELF64_ST_BIND(symbol->st_info) != STB_WEAK)
    jr_missing_add(missing, name);
}

static jitrun_error_t *resolve_one(struct jr_obj_loader *loader, uint64_t index,
                                   struct jr_missing_names *missing) {
  struct jr_obj_symbol *out_symbol = &loader->symbols[index];
  Elf64_Sym symbol;
  const char *name;
  JITRUN_TRY(jr_elf_symbol_get(&loader->table, index, &symbol, &name));
  const char *objection = find_objection(&symbol);
  if (objection)
    return jr_error(JITRUN_UNIMPLEMENTED,
                    "symbol '%.200s' cannot be loaded: it is %s", name,
                    objection);
  if (symbol.st_shndx == SHN_ABS)
    out_symbol->address = symbol.st_value;
  else if (symbol.st_shndx != SHN_UNDEF)
    JITRUN_TRY(define_symbol(loader, &symbol, name, out_symbol));
  else if (out_symbol->is_used && index != 0)
    resolve_symbol(loader, &symbol, name, out_symbol, missing);
  if (out_symbol->wants_got)
    out_symbol->got = ++loader->got_count;
  if (out_symbol->wants_near && out_symbol->state == JR_SYMBOL_OUTSIDE)
    out_symbol->stub = ++loader->stub_count;
  return NULL;
}

jitrun_error_t *jr_obj_resolve(struct jr_obj_loader *loader) {
  struct jr_missing_names missing = {0};
  jitrun_error_t *error = NULL;
  for (uint64_t i = 0; i < loader->table.count && !error; ++i)
    error = resolve_one(loader, i, &missing);
  if (!error)
    error = jr_missing_report(&missing);
  jr_bytes_deinit(&missing.text);
  return error;
}

/// True when code anywhere in the object reaches the address.
static bool is_near(const struct jr_obj_loader *loader, uint64_t address) {
  uint64_t start = (uintptr_t)loader->mapping;
  uint64_t end = start + loader->mapped_bytes;
  uint64_t reach = loader->machine->reach_bytes;
  uint64_t from_start = address > start ? address - start : start - address;
  uint64_t from_end = address > end ? address - end : end - address;
  return from_start <= reach && from_end <= reach;
}

static void place_symbol(struct jr_obj_loader *loader,
                         struct jr_obj_symbol *symbol) {
  if (symbol->state == JR_SYMBOL_DEFINED)
    symbol->address += (uintptr_t)loader->sections[symbol->section].address;
  symbol->near = symbol->address;
  if (symbol->got) {
    unsigned char *word = loader->regions[JR_REGION_CONSTANT] +
                          loader->got_offset +
                          (uint64_t)(symbol->got - 1) * JR_GOT_BYTES;
    memcpy(word, &symbol->address, JR_GOT_BYTES);
  }
  if (symbol->stub && !is_near(loader, symbol->address)) {
    unsigned char *stub = loader->regions[JR_REGION_CODE] +
                          loader->stub_offset +
                          (uint64_t)(symbol->stub - 1) * JR_STUB_BYTES;
    loader->machine->write_stub(stub, symbol->address);
    symbol->near = (uintptr_t)stub;
  }
}

void jr_obj_place_symbols(struct jr_obj_loader *loader) {
  for (uint64_t i = 0; i < loader->table.count; ++i)
    place_symbol(loader, &loader->symbols[i]);
}
