/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Reading ELF files that nobody vouches for. Every table is checked against
/// the file's size before its first use, and records are copied out: nothing in
/// a file need be aligned.
#include "runtime/elf.h"

#include "base/strings.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

/// True when [offset, offset + size) lies in the file.
static bool is_in_file(const struct jr_elf *elf, uint64_t offset,
                       uint64_t size) {
  return offset <= elf->size && size <= elf->size - offset;
}

static jitrun_error_t *check_identity(const Elf64_Ehdr *header) {
  if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
    return jr_error(JITRUN_INVALID_ARGUMENT, "not an ELF file");
  if (header->e_ident[EI_CLASS] != ELFCLASS64 ||
      header->e_ident[EI_DATA] != ELFDATA2LSB)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the ELF file is not 64-bit little-endian (class %u, data "
                    "%u)",
                    header->e_ident[EI_CLASS], header->e_ident[EI_DATA]);
  if (header->e_ident[EI_VERSION] != EV_CURRENT)
    return jr_error(JITRUN_INVALID_ARGUMENT, "ELF version %u is not known",
                    header->e_ident[EI_VERSION]);
  return NULL;
}

/// Section 0 holds the number of sections when the header's field is too small.
static jitrun_error_t *count_sections(struct jr_elf *elf) {
  const Elf64_Ehdr *header = &elf->header;
  if (header->e_shoff == 0)
    return NULL;
  if (header->e_shentsize != sizeof(Elf64_Shdr))
    return jr_error(JITRUN_DATA_LOSS,
                    "ELF section headers of %u bytes, expected %zu",
                    header->e_shentsize, sizeof(Elf64_Shdr));
  elf->section_count = header->e_shnum;
  if (header->e_shnum == 0) {
    Elf64_Shdr first;
    if (!is_in_file(elf, header->e_shoff, sizeof first))
      return jr_error(JITRUN_DATA_LOSS, "the ELF file is cut off before its "
                                        "section headers");
    memcpy(&first, elf->data + header->e_shoff, sizeof first);
    elf->section_count = first.sh_size;
  }
  uint64_t table_bytes;
  if (!jr_mul_u64(elf->section_count, sizeof(Elf64_Shdr), &table_bytes) ||
      !is_in_file(elf, header->e_shoff, table_bytes))
    return jr_error(JITRUN_DATA_LOSS,
                    "the ELF file is cut off: %" PRIu64
                    " section headers at offset %" PRIu64
                    " do not fit in %zu bytes",
                    elf->section_count, (uint64_t)header->e_shoff, elf->size);
  return NULL;
}

jitrun_error_t *jr_elf_open(const void *data, size_t size,
                            struct jr_elf *out_elf) {
  *out_elf = (struct jr_elf){.data = data, .size = size};
  if (size < sizeof out_elf->header)
    return jr_error(JITRUN_DATA_LOSS,
                    "%zu bytes are too few for an ELF file: it is cut off or "
                    "none",
                    size);
  memcpy(&out_elf->header, data, sizeof out_elf->header);
  JITRUN_TRY(check_identity(&out_elf->header));
  return count_sections(out_elf);
}

/// Copies the header of a section that there is.
static void copy_section(const struct jr_elf *elf, uint64_t index,
                         Elf64_Shdr *out_section) {
  memcpy(out_section,
         elf->data + elf->header.e_shoff + index * sizeof *out_section,
         sizeof *out_section);
}

jitrun_error_t *jr_elf_section(const struct jr_elf *elf, uint64_t index,
                               Elf64_Shdr *out_section) {
  if (index >= elf->section_count)
    return jr_error(JITRUN_DATA_LOSS,
                    "ELF section %" PRIu64 " of %" PRIu64 " is referred to",
                    index, elf->section_count);
  copy_section(elf, index, out_section);
  if (out_section->sh_type == SHT_NOBITS || out_section->sh_type == SHT_NULL)
    return NULL;
  if (!is_in_file(elf, out_section->sh_offset, out_section->sh_size))
    return jr_error(JITRUN_DATA_LOSS,
                    "ELF section %" PRIu64 ": %" PRIu64
                    " bytes at offset %" PRIu64 " do not fit in %zu bytes",
                    index, (uint64_t)out_section->sh_size,
                    (uint64_t)out_section->sh_offset, elf->size);
  return NULL;
}

/// Copies a section header without making errors; false when there is none or
/// its content is not in the file.
static bool peek_section(const struct jr_elf *elf, uint64_t index,
                         Elf64_Shdr *out_section) {
  if (index >= elf->section_count)
    return false;
  copy_section(elf, index, out_section);
  return out_section->sh_type != SHT_NOBITS &&
         is_in_file(elf, out_section->sh_offset, out_section->sh_size);
}

const char *jr_elf_section_name(const struct jr_elf *elf, uint64_t index) {
  Elf64_Shdr section;
  Elf64_Shdr names;
  uint64_t name_index = elf->header.e_shstrndx;
  if (name_index == SHN_XINDEX && peek_section(elf, 0, &section))
    name_index = section.sh_link;
  if (index >= elf->section_count || !peek_section(elf, name_index, &names))
    return "";
  copy_section(elf, index, &section);
  const char *text = (const char *)elf->data + names.sh_offset;
  if (section.sh_name >= names.sh_size || text[names.sh_size - 1] != '\0')
    return "";
  return text + section.sh_name;
}

jitrun_error_t *jr_elf_segment(const struct jr_elf *elf, uint64_t index,
                               Elf64_Phdr *out_segment) {
  const Elf64_Ehdr *header = &elf->header;
  uint64_t table_bytes = (uint64_t)header->e_phnum * sizeof *out_segment;
  if (index >= header->e_phnum || header->e_phentsize != sizeof *out_segment ||
      !is_in_file(elf, header->e_phoff, table_bytes))
    return jr_error(JITRUN_DATA_LOSS,
                    "the ELF file is cut off: %u program headers of %u bytes "
                    "at offset %" PRIu64 " do not fit in %zu bytes",
                    header->e_phnum, header->e_phentsize,
                    (uint64_t)header->e_phoff, elf->size);
  memcpy(out_segment, elf->data + header->e_phoff + index * sizeof *out_segment,
         sizeof *out_segment);
  if (!is_in_file(elf, out_segment->p_offset, out_segment->p_filesz))
    return jr_error(JITRUN_DATA_LOSS,
                    "ELF segment %" PRIu64 ": %" PRIu64
                    " bytes at offset %" PRIu64 " do not fit in %zu bytes",
                    index, (uint64_t)out_segment->p_filesz,
                    (uint64_t)out_segment->p_offset, elf->size);
  return NULL;
}

/// Fills `symbols` from the table in section `index`.
static jitrun_error_t *open_table(const struct jr_elf *elf, uint64_t index,
                                  struct jr_elf_symbols *symbols) {
  Elf64_Shdr table;
  Elf64_Shdr names;
  JITRUN_TRY(jr_elf_section(elf, index, &table));
  JITRUN_TRY(jr_elf_section(elf, table.sh_link, &names));
  if (table.sh_entsize != sizeof(Elf64_Sym) ||
      table.sh_size % sizeof(Elf64_Sym) != 0 ||
      table.sh_size / sizeof(Elf64_Sym) > UINT32_MAX)
    return jr_error(JITRUN_DATA_LOSS,
                    "ELF symbol table of %" PRIu64 " bytes with entries of "
                    "%" PRIu64 " bytes, expected entries of %zu",
                    (uint64_t)table.sh_size, (uint64_t)table.sh_entsize,
                    sizeof(Elf64_Sym));
  const char *strings = NULL;
  if (names.sh_type == SHT_STRTAB && names.sh_size != 0)
    strings = (const char *)elf->data + names.sh_offset;
  if (!strings || strings[names.sh_size - 1] != '\0')
    return jr_error(JITRUN_DATA_LOSS,
                    "ELF section %u is no table of symbol names",
                    table.sh_link);
  *symbols = (struct jr_elf_symbols){
      .entries = elf->data + table.sh_offset,
      .count = table.sh_size / sizeof(Elf64_Sym),
      .strings = strings,
      .string_bytes = names.sh_size,
      .section = index,
  };
  return NULL;
}

jitrun_error_t *jr_elf_symbols_open(const struct jr_elf *elf, uint32_t type,
                                    struct jr_elf_symbols *out_symbols) {
  *out_symbols = (struct jr_elf_symbols){0};
  for (uint64_t i = 0; i < elf->section_count; ++i) {
    Elf64_Shdr section;
    JITRUN_TRY(jr_elf_section(elf, i, &section));
    if (section.sh_type == type)
      return open_table(elf, i, out_symbols);
  }
  return NULL;
}

jitrun_error_t *jr_elf_symbol_get(const struct jr_elf_symbols *symbols,
                                  uint64_t index, Elf64_Sym *out_symbol,
                                  const char **out_name) {
  *out_name = "";
  if (index >= symbols->count)
    return jr_error(JITRUN_DATA_LOSS,
                    "ELF symbol %" PRIu64 " of %" PRIu64 " is referred to",
                    index, symbols->count);
  memcpy(out_symbol, symbols->entries + index * sizeof *out_symbol,
         sizeof *out_symbol);
  if (out_symbol->st_name >= symbols->string_bytes)
    return jr_error(JITRUN_DATA_LOSS,
                    "the name of ELF symbol %" PRIu64
                    " is outside of the table of names",
                    index);
  *out_name = symbols->strings + out_symbol->st_name;
  return NULL;
}

/// Where a section's or segment's bytes `start` on stand in the file, when the
/// symbol lies in its `content` bytes there.
static void set_file_range(struct jr_elf_symbol *symbol, uint64_t file_offset,
                           uint64_t content, uint64_t start) {
  if (start > content || symbol->symbol.st_size > content - start)
    return;
  symbol->file_offset = file_offset + start;
  symbol->room_bytes = content - start;
}

/// In a relocatable file a symbol's value counts from its section's start.
static jitrun_error_t *locate_in_section(const struct jr_elf *elf,
                                         struct jr_elf_symbol *symbol) {
  uint16_t index = symbol->symbol.st_shndx;
  if (index >= SHN_LORESERVE)
    return NULL;
  Elf64_Shdr section;
  JITRUN_TRY(jr_elf_section(elf, index, &section));
  if (section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL)
    set_file_range(symbol, section.sh_offset, section.sh_size,
                   symbol->symbol.st_value);
  return NULL;
}

/// In a linked file it is an address; segments say what is mapped there.
static jitrun_error_t *locate_in_segment(const struct jr_elf *elf,
                                         struct jr_elf_symbol *symbol) {
  for (uint64_t i = 0; i < elf->header.e_phnum; ++i) {
    Elf64_Phdr segment;
    JITRUN_TRY(jr_elf_segment(elf, i, &segment));
    uint64_t address = symbol->symbol.st_value;
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr)
      set_file_range(symbol, segment.p_offset, segment.p_filesz,
                     address - segment.p_vaddr);
  }
  return NULL;
}

/// Finds the only symbol in one table; `out_symbol->name` stays NULL when there
/// is none. Only names that begin right are read to their end.
static jitrun_error_t *find_in_table(const struct jr_elf_symbols *symbols,
                                     const char *prefix,
                                     struct jr_elf_symbol *out_symbol) {
  size_t prefix_bytes = strlen(prefix);
  for (uint64_t i = 0; i < symbols->count; ++i) {
    Elf64_Sym symbol;
    const char *name;
    JITRUN_TRY(jr_elf_symbol_get(symbols, i, &symbol, &name));
    if (symbol.st_shndx == SHN_UNDEF ||
        strncmp(name, prefix, prefix_bytes) != 0)
      continue;
    if (out_symbol->name)
      return jr_error(JITRUN_INVALID_ARGUMENT,
                      "the file has two symbols '%s*', '%.200s' and '%.200s', "
                      "expected one",
                      prefix, out_symbol->name, name);
    out_symbol->name = name;
    out_symbol->symbol = symbol;
  }
  return NULL;
}

jitrun_error_t *jr_elf_find_prefix(const struct jr_elf *elf, const char *prefix,
                                   struct jr_elf_symbol *out_symbol) {
  *out_symbol = (struct jr_elf_symbol){.file_offset = UINT64_MAX};
  bool is_linked = elf->header.e_type != ET_REL;
  const uint32_t tables[] = {is_linked ? SHT_DYNSYM : SHT_SYMTAB, SHT_SYMTAB};
  struct jr_elf_symbol found = *out_symbol;
  for (size_t i = 0; i < 2 && !found.name; i++) {
    struct jr_elf_symbols symbols;
    JITRUN_TRY(jr_elf_symbols_open(elf, tables[i], &symbols));
    JITRUN_TRY(find_in_table(&symbols, prefix, &found));
  }
  if (!found.name)
    return jr_error(JITRUN_NOT_FOUND,
                    "the file defines no symbol '%s*'; is it an output of "
                    "`jitrun compile`?",
                    prefix);
  if (elf->header.e_type == ET_REL)
    JITRUN_TRY(locate_in_section(elf, &found));
  else
    JITRUN_TRY(locate_in_segment(elf, &found));
  *out_symbol = found;
  return NULL;
}
