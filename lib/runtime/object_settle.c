/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Settled objects: their relocations were applied in the file, for sections
/// that stand in memory as they do in the file, one page of file a page of
/// memory. So the file is mapped, its code as well, and nothing in it is
/// changed. What has to be known when it is loaded is only where functions from
/// outside are: calls to them go to stubs, one for each undefined symbol, in
/// their order, in the pages behind those of the file.
///
/// The relocations stay for linkers, which write over what they find: they do
/// so on x86-64, and on aarch64 they do not. An object that has more than code
/// and constants, and calls between them, is not settled.
#include "runtime/object_parts.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { PAGE_BYTES = 4096 }; ///< of x86-64

static uint64_t round_to_pages(uint64_t bytes) {
  return (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

/// What stands behind .eh_frame in the file is what ends it for the unwinder,
/// as the first symbol of a table does.
static bool is_ended(const struct jr_elf *elf, const Elf64_Shdr *section) {
  static const unsigned char zeros[JR_UNWIND_END_BYTES] = {0};
  uint64_t end = section->sh_offset + section->sh_size;
  return elf->size - end >= sizeof zeros &&
         memcmp(elf->data + end, zeros, sizeof zeros) == 0;
}

/// Notes a section that is loaded; false when it cannot be used as it is in the
/// file.
static bool add_section(struct jr_obj_loader *loader, uint64_t index,
                        const Elf64_Shdr *section) {
  struct jr_obj_section *placed = &loader->sections[index];
  uint64_t alignment = section->sh_addralign ? section->sh_addralign : 1;
  uint64_t end = section->sh_offset + section->sh_size;
  if ((section->sh_flags & (SHF_WRITE | SHF_TLS | SHF_COMPRESSED)) ||
      section->sh_type == SHT_NOBITS || alignment > PAGE_BYTES ||
      section->sh_offset % alignment != 0)
    return false;
  bool is_code = (section->sh_flags & SHF_EXECINSTR) != 0;
  placed->size = section->sh_size;
  placed->offset = section->sh_offset;
  placed->region = is_code ? JR_REGION_CODE : JR_REGION_CONSTANT;
  if (strcmp(jr_elf_section_name(loader->elf, index), ".eh_frame") == 0) {
    loader->unwind_section = index;
    end += JR_UNWIND_END_BYTES;
    if (!is_ended(loader->elf, section))
      return false;
  }
  if (end > loader->file_bytes)
    loader->file_bytes = end;
  if (!is_code)
    return true;
  if (loader->code_end == 0 || section->sh_offset < loader->code_start)
    loader->code_start = section->sh_offset / PAGE_BYTES * PAGE_BYTES;
  if (round_to_pages(end) > loader->code_end)
    loader->code_end = round_to_pages(end);
  return true;
}

/// Finds all sections that are loaded.
static jitrun_error_t *add_sections(struct jr_obj_loader *loader,
                                    bool *out_is_possible) {
  *out_is_possible = loader->elf->header.e_machine == EM_X86_64;
  for (uint64_t i = 0; *out_is_possible && i < loader->elf->section_count;
       i++) {
    Elf64_Shdr section;
    JITRUN_TRY(jr_elf_section(loader->elf, i, &section));
    loader->sections[i].region = JR_REGION_NONE;
    if ((section.sh_flags & SHF_ALLOC) && section.sh_type != SHT_NULL)
      *out_is_possible = add_section(loader, i, &section);
  }
  return NULL;
}

static void place_sections(struct jr_obj_loader *loader, unsigned char *start) {
  for (uint64_t i = 0; i < loader->elf->section_count; i++) {
    struct jr_obj_section *placed = &loader->sections[i];
    if (placed->region != JR_REGION_NONE)
      placed->address = start + placed->offset;
  }
}

/// Every undefined symbol is that of a function which is called, so that the
/// one with number N in the file has stub N; nothing is at a fixed address.
static bool have_stubs(const struct jr_obj_loader *loader) {
  uint32_t count = 0;
  if (loader->table.count > 0 && loader->symbols[0].is_used)
    return false;
  for (uint64_t i = 1; i < loader->table.count; i++) {
    Elf64_Sym symbol;
    memcpy(&symbol, loader->table.entries + i * sizeof symbol, sizeof symbol);
    if (symbol.st_shndx == SHN_ABS && loader->symbols[i].is_used)
      return false;
    if (symbol.st_shndx != SHN_UNDEF)
      continue;
    if (ELF64_ST_BIND(symbol.st_info) != STB_GLOBAL ||
        loader->symbols[i].stub != ++count)
      return false;
  }
  return true;
}

/// Gives symbols the addresses that they have when the file is mapped at
/// `start`.
static void place_symbols(const struct jr_obj_loader *loader,
                          const unsigned char *start) {
  uint64_t stubs = (uintptr_t)start + round_to_pages(loader->file_bytes);
  for (uint64_t i = 0; i < loader->table.count; i++) {
    struct jr_obj_symbol *symbol = &loader->symbols[i];
    if (symbol->state == JR_SYMBOL_DEFINED)
      symbol->address += (uintptr_t)loader->sections[symbol->section].address;
    if (symbol->stub)
      symbol->address = stubs + (uint64_t)(symbol->stub - 1) * JR_STUB_BYTES;
    symbol->near = symbol->address;
  }
}

jitrun_error_t *jr_obj_settle(struct jr_obj_loader *loader, unsigned char *data,
                              bool *out_is_settled) {
  bool is_possible = false;
  *out_is_settled = false;
  JITRUN_TRY(add_sections(loader, &is_possible));
  if (!is_possible)
    return NULL;
  JITRUN_TRY(jr_obj_scan_relocs(loader));
  JITRUN_TRY(jr_obj_resolve(loader));
  if (loader->has_absolute || loader->got_count > 0 || !have_stubs(loader))
    return NULL;
  place_sections(loader, data);
  place_symbols(loader, data);
  JITRUN_TRY(jr_obj_apply_relocs(loader));
  *out_is_settled = true;
  return NULL;
}

/// Whether code of the file can be made executable where it is.
static bool may_execute(int descriptor) {
  struct statvfs system;
  return fstatvfs(descriptor, &system) == 0 && !(system.f_flag & ST_NOEXEC);
}

static uint64_t count_undefined(const struct jr_elf_symbols *table) {
  uint64_t count = 0;
  for (uint64_t i = 1; i < table->count; i++) {
    Elf64_Half section;
    memcpy(&section,
           table->entries + i * sizeof(Elf64_Sym) +
               offsetof(Elf64_Sym, st_shndx),
           sizeof section);
    count += section == SHN_UNDEF;
  }
  return count;
}

/// Maps the file, and pages for `stub_count` stubs behind it; false when that
/// cannot be done.
static bool map_file(struct jr_obj_loader *loader, uint64_t stub_count) {
  uint64_t file_bytes = round_to_pages(loader->file_bytes);
  uint64_t stub_bytes = round_to_pages(stub_count * JR_STUB_BYTES);
  size_t size = file_bytes + stub_bytes + PAGE_BYTES;
  unsigned char *start =
      mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
           -1, 0);
  if (start == MAP_FAILED)
    return false;
  loader->mapping = start;
  loader->mapped_bytes = size;
  loader->stubs = start + file_bytes;
  loader->stub_bytes = stub_bytes;
  loader->regions[JR_REGION_CODE] = start + loader->code_start;
  loader->region_bytes[JR_REGION_CODE] = loader->code_end - loader->code_start;
  return mmap(start, file_bytes, PROT_READ, MAP_PRIVATE | MAP_FIXED,
              loader->options->descriptor, 0) != MAP_FAILED &&
         (stub_bytes == 0 ||
          mprotect(loader->stubs, stub_bytes, PROT_READ | PROT_WRITE) == 0);
}

/// Fills the stubs; false when a function is not known, which is for others to
/// say.
static bool write_stubs(const struct jr_obj_loader *loader,
                        const struct jr_elf_symbols *table,
                        uint64_t stub_count) {
  const struct jr_object_options *options = loader->options;
  unsigned char *stub = loader->stubs;
  for (uint64_t i = 1; i < table->count && stub_count > 0; i++) {
    Elf64_Sym symbol;
    const char *name;
    jitrun_error_t *error = jr_elf_symbol_get(table, i, &symbol, &name);
    bool is_undefined = !error && symbol.st_shndx == SHN_UNDEF;
    void *address = is_undefined && options->resolve
                        ? options->resolve(options->resolve_context, name)
                        : NULL;
    jitrun_error_free(error);
    if (error || (is_undefined && !address))
      return false;
    if (!is_undefined)
      continue;
    loader->machine->write_stub(stub, (uintptr_t)address);
    stub += JR_STUB_BYTES;
    stub_count--;
  }
  return true;
}

jitrun_error_t *jr_obj_map_settled(struct jr_obj_loader *loader,
                                   bool *out_is_mapped) {
  struct jr_elf_symbols table;
  bool is_possible = false;
  *out_is_mapped = false;
  if (!loader->is_native || !may_execute(loader->options->descriptor))
    return NULL;
  JITRUN_TRY(add_sections(loader, &is_possible));
  if (!is_possible || loader->code_end == 0)
    return NULL;
  JITRUN_TRY(jr_elf_symbols_open(loader->elf, SHT_SYMTAB, &table));
  uint64_t stub_count = count_undefined(&table);
  if (!map_file(loader, stub_count) || !write_stubs(loader, &table, stub_count))
    return NULL;
  place_sections(loader, loader->mapping);
  *out_is_mapped = true;
  return NULL;
}
