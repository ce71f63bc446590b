/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Where an object's sections go. All of them stand in one mapping, so that
/// they reach each other; it is reserved whole, made writable, filled and
/// relocated, and then code loses the right to be written before it gets the
/// right to be run. Large sections that are only read are mapped from the file,
/// where there is one. A page that nobody may touch ends it.
///
/// .eh_frame is loaded like other constants, with a few zeros behind it that
/// end it for the unwinder.
#include "runtime/object_parts.h"

#include "base/strings.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
  MOST_ALIGNMENT = 4096,
  /// Sections from this size on are mapped, where they are only read.
  MAP_FROM_BYTES = 1 << 20,
  /// Sanitized callers look for a function's type in the words before it.
  BEFORE_CODE_BYTES = 16
};

/// What relocations of 32 bits span.
static const uint64_t MOST_BYTES = UINT64_C(0x7ff00000);

static jitrun_error_t *refuse_section(const struct jr_obj_loader *loader,
                                      uint64_t index, const char *why) {
  return jr_error(JITRUN_UNIMPLEMENTED,
                  "section '%.200s' cannot be loaded: it %s",
                  jr_elf_section_name(loader->elf, index), why);
}

/// Says why an allocated section cannot be loaded, or NULL.
static const char *find_objection(const Elf64_Shdr *section) {
  if (section->sh_flags & SHF_TLS)
    return "holds thread-local storage, which generated code must not use";
  if ((section->sh_flags & SHF_WRITE) && (section->sh_flags & SHF_EXECINSTR))
    return "is writable and executable";
  if (section->sh_flags & SHF_COMPRESSED)
    return "is compressed";
  if (section->sh_type == SHT_INIT_ARRAY ||
      section->sh_type == SHT_FINI_ARRAY ||
      section->sh_type == SHT_PREINIT_ARRAY)
    return "holds constructors or destructors, which are not run";
  if (section->sh_addralign > MOST_ALIGNMENT)
    return "is aligned to more than 4096 bytes";
  return NULL;
}

static uint8_t choose_region(const Elf64_Shdr *section) {
  if (section->sh_flags & SHF_EXECINSTR)
    return JR_REGION_CODE;
  return section->sh_flags & SHF_WRITE ? JR_REGION_DATA : JR_REGION_CONSTANT;
}

/// Appends `size` bytes to a region; false when it gets too large.
static bool extend_region(struct jr_obj_loader *loader, uint8_t region,
                          uint64_t alignment, uint64_t size,
                          uint64_t *out_offset) {
  uint64_t end;
  if (!jr_align_u64(loader->region_bytes[region], alignment, out_offset) ||
      !jr_add_u64(*out_offset, size, &end) || end > MOST_BYTES)
    return false;
  loader->region_bytes[region] = end;
  return true;
}

/// Places a large section so that its pages can be those of the file; false
/// when it cannot be, and is to be copied.
static bool place_mapped(struct jr_obj_loader *loader,
                         const Elf64_Shdr *section, uint64_t alignment,
                         struct jr_obj_section *placed) {
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  uint64_t *end = &loader->region_bytes[JR_REGION_CONSTANT];
  uint64_t start = *end;
  if (loader->options->descriptor <= 0 ||
      placed->region != JR_REGION_CONSTANT || placed->size < MAP_FROM_BYTES ||
      section->sh_type == SHT_NOBITS || section->sh_offset % alignment != 0)
    return false;
  placed->is_mapped =
      extend_region(loader, JR_REGION_CONSTANT, page, section->sh_offset % page,
                    &placed->offset) &&
      extend_region(loader, JR_REGION_CONSTANT, 1, placed->size,
                    &placed->offset);
  if (!placed->is_mapped)
    *end = start;
  return placed->is_mapped;
}

static jitrun_error_t *refuse_size(void) {
  return jr_error(JITRUN_RESOURCE_EXHAUSTED,
                  "the object needs more than the %" PRIu64
                  " bytes that can be loaded; split the program",
                  MOST_BYTES);
}

static jitrun_error_t *place_section(struct jr_obj_loader *loader,
                                     uint64_t index,
                                     const Elf64_Shdr *section) {
  uint64_t alignment = section->sh_addralign ? section->sh_addralign : 1;
  const char *objection = find_objection(section);
  if (objection)
    return refuse_section(loader, index, objection);
  if (alignment & (alignment - 1))
    return jr_error(JITRUN_DATA_LOSS,
                    "section '%.200s' is aligned to %" PRIu64
                    ", which is no power of two",
                    jr_elf_section_name(loader->elf, index), alignment);
  struct jr_obj_section *placed = &loader->sections[index];
  uint64_t unused;
  placed->size = section->sh_size;
  placed->region = choose_region(section);
  if (!place_mapped(loader, section, alignment, placed) &&
      !extend_region(loader, placed->region, alignment, placed->size,
                     &placed->offset))
    return refuse_size();
  if (placed->region != JR_REGION_CONSTANT || loader->unwind_section != 0 ||
      strcmp(jr_elf_section_name(loader->elf, index), ".eh_frame") != 0)
    return NULL;
  loader->unwind_section = index;
  return extend_region(loader, placed->region, 1, JR_UNWIND_END_BYTES, &unused)
             ? NULL
             : refuse_size();
}

jitrun_error_t *jr_obj_place_sections(struct jr_obj_loader *loader) {
  loader->region_bytes[JR_REGION_CODE] = BEFORE_CODE_BYTES;
  for (uint64_t i = 0; i < loader->elf->section_count; ++i) {
    Elf64_Shdr section;
    JITRUN_TRY(jr_elf_section(loader->elf, i, &section));
    loader->sections[i].region = JR_REGION_NONE;
    if ((section.sh_flags & SHF_ALLOC) && section.sh_type != SHT_NULL)
      JITRUN_TRY(place_section(loader, i, &section));
  }
  return NULL;
}

/// Adds stubs and GOT, and rounds the regions to pages; `out_bytes` is the sum.
static bool finish_regions(struct jr_obj_loader *loader, uint64_t page_bytes,
                           uint64_t *out_bytes) {
  if (!extend_region(loader, JR_REGION_CODE, JR_STUB_BYTES,
                     (uint64_t)loader->stub_count * JR_STUB_BYTES,
                     &loader->stub_offset) ||
      !extend_region(loader, JR_REGION_CONSTANT, JR_GOT_BYTES,
                     (uint64_t)loader->got_count * JR_GOT_BYTES,
                     &loader->got_offset))
    return false;
  *out_bytes = 0;
  for (int i = 0; i < JR_REGION_COUNT; ++i) {
    uint64_t unused;
    if (!extend_region(loader, (uint8_t)i, page_bytes, 0, &unused))
      return false;
    loader->region_bytes[i] = unused;
    *out_bytes += unused;
  }
  return *out_bytes <= MOST_BYTES;
}

static jitrun_error_t *map_regions(struct jr_obj_loader *loader) {
  uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
  uint64_t bytes;
  if (!finish_regions(loader, page_bytes, &bytes))
    return refuse_size();
  size_t mapped_bytes = bytes + page_bytes;
  void *mapping = mmap(NULL, mapped_bytes, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED)
    return jr_error(JITRUN_RESOURCE_EXHAUSTED,
                    "cannot reserve %zu bytes for an object: %s", mapped_bytes,
                    strerror(errno));
  loader->mapping = mapping;
  loader->mapped_bytes = mapped_bytes;
  unsigned char *start = mapping;
  for (int i = 0; i < JR_REGION_COUNT; ++i) {
    loader->regions[i] = start;
    start += loader->region_bytes[i];
  }
  loader->regions[JR_REGION_COUNT] = start;
  if (bytes && mprotect(mapping, bytes, PROT_READ | PROT_WRITE) != 0)
    return jr_error(JITRUN_RESOURCE_EXHAUSTED,
                    "cannot get %" PRIu64 " bytes for an object: %s", bytes,
                    strerror(errno));
  return NULL;
}

/// Gets the pages of memory that is written as a whole in one go, where the
/// system can: a fault for each takes longer than what is done with them.
static void get_pages(unsigned char *start, uint64_t size, uint64_t page) {
#ifdef MADV_POPULATE_WRITE
  uint64_t before = (uintptr_t)start % page;
  if (size >= page)
    (void)madvise(start - before, before + size, MADV_POPULATE_WRITE);
#else
  (void)start, (void)size, (void)page;
#endif
}

/// Brings the bytes of a section to their place. What is mapped can be changed
/// by relocations, as a copy of this process.
static jitrun_error_t *fill_section(const struct jr_obj_loader *loader,
                                    const Elf64_Shdr *section,
                                    const struct jr_obj_section *placed) {
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  const unsigned char *from = loader->elf->data + section->sh_offset;
  uint64_t head = placed->is_mapped ? (page - section->sh_offset % page) % page
                                    : placed->size;
  get_pages(placed->address, head, page);
  memcpy(placed->address, from, head);
  if (!placed->is_mapped)
    return NULL;
  uint64_t middle = (placed->size - head) / page * page;
  uint64_t done = head + middle;
  if (mmap(placed->address + head, middle, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_FIXED, loader->options->descriptor,
           (off_t)(section->sh_offset + head)) == MAP_FAILED)
    return jr_error(JITRUN_RESOURCE_EXHAUSTED,
                    "cannot map %" PRIu64 " bytes of an object: %s", middle,
                    strerror(errno));
  memcpy(placed->address + done, from + done, placed->size - done);
  return NULL;
}

jitrun_error_t *jr_obj_map(struct jr_obj_loader *loader) {
  JITRUN_TRY(map_regions(loader));
  for (uint64_t i = 0; i < loader->elf->section_count; ++i) {
    struct jr_obj_section *placed = &loader->sections[i];
    Elf64_Shdr section;
    if (placed->region == JR_REGION_NONE)
      continue;
    JITRUN_TRY(jr_elf_section(loader->elf, i, &section));
    placed->address = loader->regions[placed->region] + placed->offset;
    if (section.sh_size != placed->size)
      return jr_error(JITRUN_DATA_LOSS,
                      "the object changes while it is loaded");
    if (section.sh_type != SHT_NOBITS && placed->size)
      JITRUN_TRY(fill_section(loader, &section, placed));
  }
  return NULL;
}

jitrun_error_t *jr_obj_protect(struct jr_obj_loader *loader) {
  for (int i = 0; i < JR_REGION_DATA; ++i) {
    size_t bytes = loader->region_bytes[i];
    if (bytes && mprotect(loader->regions[i], bytes, PROT_READ) != 0)
      return jr_error(JITRUN_PERMISSION_DENIED,
                      "the system does not let memory become read-only: %s",
                      strerror(errno));
  }
  return NULL;
}
