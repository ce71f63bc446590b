/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Walks an object's relocations, twice: once to check them and to learn what
/// GOT words and stubs they need, once to apply them. Every check is made on
/// both walks, on the copy of the record that is then used, so that a file
/// which changes meanwhile does no harm.
#include "runtime/object_parts.h"

#include "base/cpu.h"

#include <inttypes.h>
#include <string.h>

/// LLVM's compact relocations, which elf.h does not know yet.
enum { TYPE_CREL = 0x40000014 };

/// One relocation, checked: its bytes are in its section, its symbol and kind
/// exist.
struct item {
  const struct jr_reloc_kind *kind;
  uint64_t section; ///< that is changed
  uint64_t offset;
  uint32_t symbol;
  int64_t addend;
};

typedef jitrun_error_t *(*visit_fn_t)(struct jr_obj_loader *loader,
                                      const struct item *item);

static const char *name_symbol(const struct jr_obj_loader *loader,
                               uint32_t index) {
  Elf64_Sym symbol = {0};
  const char *name;
  jitrun_error_free(jr_elf_symbol_get(&loader->table, index, &symbol, &name));
  if (*name == '\0' && ELF64_ST_TYPE(symbol.st_info) == STT_SECTION)
    return jr_elf_section_name(loader->elf, symbol.st_shndx);
  return name;
}

/// What is wrong with a record.
static jitrun_error_t *refuse_record(const struct jr_obj_loader *loader,
                                     uint64_t section,
                                     const Elf64_Rela *record) {
  uint32_t number = (uint32_t)ELF64_R_TYPE(record->r_info);
  uint32_t symbol = (uint32_t)ELF64_R_SYM(record->r_info);
  if (symbol >= loader->table.count)
    return jr_error(JITRUN_DATA_LOSS,
                    "section '%.200s': a relocation refers to symbol %" PRIu32
                    " of %" PRIu64,
                    jr_elf_section_name(loader->elf, section), symbol,
                    loader->table.count);
  if (!jr_reloc_kind(loader->machine, number))
    return jr_error(JITRUN_UNIMPLEMENTED,
                    "section '%.200s': relocation kind %" PRIu32 " of %s, for "
                    "symbol '%.200s', is not supported; compile "
                    "position-independent code without thread-local variables",
                    jr_elf_section_name(loader->elf, section), number,
                    jr_cpu_machine_name(loader->elf->header.e_machine),
                    name_symbol(loader, symbol));
  return jr_error(JITRUN_DATA_LOSS,
                  "section '%.200s': a relocation at %" PRIu64
                  " is outside of its %" PRIu64 " bytes",
                  jr_elf_section_name(loader->elf, section),
                  (uint64_t)record->r_offset, loader->sections[section].size);
}

/// Visits the records of one section of relocations. Part of its caller, as is
/// what visits: nothing but the machine's own part is called for each record.
static inline __attribute__((always_inline)) jitrun_error_t *
visit_section(struct jr_obj_loader *loader, const Elf64_Shdr *records,
              visit_fn_t visit) {
  const struct jr_reloc_machine machine = *loader->machine;
  const unsigned char *at = loader->elf->data + records->sh_offset;
  const unsigned char *end = at + records->sh_size;
  const uint64_t section = records->sh_info;
  const uint64_t size = loader->sections[section].size;
  const uint64_t symbol_count = loader->table.count;
  for (; at < end; at += sizeof(Elf64_Rela)) {
    Elf64_Rela record;
    memcpy(&record, at, sizeof record);
    const struct jr_reloc_kind *kind =
        jr_reloc_kind(&machine, (uint32_t)ELF64_R_TYPE(record.r_info));
    uint32_t symbol = (uint32_t)ELF64_R_SYM(record.r_info);
    if (!kind || symbol >= symbol_count || record.r_offset > size ||
        kind->width > size - record.r_offset)
      return refuse_record(loader, section, &record);
    const struct item item = {kind, section, record.r_offset, symbol,
                              record.r_addend};
    if (kind->target != JR_TARGET_NONE)
      JITRUN_TRY(visit(loader, &item));
  }
  return NULL;
}

/// Checks that a section of relocations is one that can be read.
static jitrun_error_t *check_section(const struct jr_obj_loader *loader,
                                     const Elf64_Shdr *records) {
  const char *name = jr_elf_section_name(loader->elf, records->sh_info);
  if (records->sh_type != SHT_RELA)
    return jr_error(JITRUN_UNIMPLEMENTED,
                    "section '%.200s' has relocations without addends or in "
                    "compact form (section type %" PRIu32 ")",
                    name, records->sh_type);
  if (records->sh_entsize != sizeof(Elf64_Rela) ||
      records->sh_size % sizeof(Elf64_Rela) != 0)
    return jr_error(JITRUN_DATA_LOSS,
                    "section '%.200s' has %" PRIu64 " bytes of relocations of "
                    "%" PRIu64 ", expected %zu each",
                    name, (uint64_t)records->sh_size,
                    (uint64_t)records->sh_entsize, sizeof(Elf64_Rela));
  if (loader->table.count == 0 || records->sh_link != loader->table.section)
    return jr_error(JITRUN_DATA_LOSS,
                    "section '%.200s' has relocations for a symbol table "
                    "(section %" PRIu32 ") that is not the object's",
                    name, records->sh_link);
  return NULL;
}

/// Visits all relocations of sections that are loaded.
static inline __attribute__((always_inline)) jitrun_error_t *
visit_all(struct jr_obj_loader *loader, visit_fn_t visit) {
  const struct jr_elf *elf = loader->elf;
  for (uint64_t i = 0; i < elf->section_count; ++i) {
    Elf64_Shdr section;
    JITRUN_TRY(jr_elf_section(elf, i, &section));
    if (section.sh_type != SHT_RELA && section.sh_type != SHT_REL &&
        section.sh_type != TYPE_CREL)
      continue;
    if (section.sh_info >= elf->section_count)
      return jr_error(JITRUN_DATA_LOSS,
                      "relocations are for section %" PRIu32 " of %" PRIu64,
                      section.sh_info, elf->section_count);
    if (loader->sections[section.sh_info].region == JR_REGION_NONE)
      continue;
    JITRUN_TRY(check_section(loader, &section));
    JITRUN_TRY(visit_section(loader, &section, visit));
  }
  return NULL;
}

static jitrun_error_t *note_wants(struct jr_obj_loader *loader,
                                  const struct item *item) {
  struct jr_obj_symbol *symbol = &loader->symbols[item->symbol];
  symbol->is_used = true;
  symbol->wants_got |= item->kind->target == JR_TARGET_GOT;
  loader->has_absolute |= !item->kind->is_distance;
  symbol->wants_near |= item->kind->target == JR_TARGET_NEAR;
  return NULL;
}

jitrun_error_t *jr_obj_scan_relocs(struct jr_obj_loader *loader) {
  return visit_all(loader, note_wants);
}

static uint64_t choose_target(const struct jr_obj_loader *loader,
                              const struct item *item) {
  const struct jr_obj_symbol *symbol = &loader->symbols[item->symbol];
  if (item->kind->target == JR_TARGET_ADDRESS)
    return symbol->address;
  if (item->kind->target == JR_TARGET_NEAR || symbol->got == 0)
    return symbol->near;
  return (uintptr_t)loader->regions[JR_REGION_CONSTANT] + loader->got_offset +
         (uint64_t)(symbol->got - 1) * JR_GOT_BYTES;
}

static jitrun_error_t *apply_item(struct jr_obj_loader *loader,
                                  const struct item *item) {
  struct jr_reloc reloc = {
      .kind = item->kind,
      .place = loader->sections[item->section].address + item->offset,
      .target = choose_target(loader, item),
      .addend = item->addend,
  };
  const char *problem = loader->machine->apply(&reloc);
  if (!problem)
    return NULL;
  return jr_error(JITRUN_OUT_OF_RANGE,
                  "%s in section '%.200s' at offset %" PRIu64
                  ": symbol '%.200s' (0x%" PRIx64 ", addend %" PRId64
                  ") %s from 0x%" PRIxPTR,
                  item->kind->name,
                  jr_elf_section_name(loader->elf, item->section), item->offset,
                  name_symbol(loader, item->symbol), reloc.target, item->addend,
                  problem, (uintptr_t)reloc.place);
}

jitrun_error_t *jr_obj_apply_relocs(struct jr_obj_loader *loader) {
  return visit_all(loader, apply_item);
}
