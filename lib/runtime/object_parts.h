/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What the steps of loading an object share; see object_load.c for their
/// order. One loader lives as long as one call of jr_object_load().
#ifndef JR_RUNTIME_OBJECT_PARTS_H
#define JR_RUNTIME_OBJECT_PARTS_H

#include "runtime/object_load.h"
#include "runtime/reloc.h"
#include "runtime/unwind.h"

#include <stdbool.h>

/// Sections with the same protection stand together in the mapping.
enum jr_region {
  JR_REGION_CODE,     ///< read, execute; the stubs stand at its end
  JR_REGION_CONSTANT, ///< read; the GOT stands at its end
  JR_REGION_DATA,     ///< read, write
  JR_REGION_COUNT,
  JR_REGION_NONE ///< not loaded
};

struct jr_obj_section {
  uint64_t offset; ///< in its region
  uint64_t size;
  unsigned char *address; ///< NULL: not loaded
  uint8_t region;
  bool is_mapped; ///< its whole pages are those of the file
};

enum jr_obj_symbol_state {
  JR_SYMBOL_FIXED,   ///< `address` does not depend on where the object is
  JR_SYMBOL_DEFINED, ///< in `section`
  JR_SYMBOL_OUTSIDE  ///< from the resolver
};

struct jr_obj_symbol {
  uint64_t address; ///< before the sections are placed: offset in `section`
  uint64_t near;    ///< where code refers to: `address` or the stub
  uint32_t section;
  uint32_t got, stub; ///< number of its word and stub, from 1; 0: none
  uint8_t state;
  bool is_used, wants_got, wants_near;
};

struct jr_obj_loader {
  const struct jr_elf *elf;
  const struct jr_object_options *options;
  const struct jr_reloc_machine *machine;
  bool is_native;
  struct jr_obj_section *sections;
  uint64_t unwind_section; ///< .eh_frame; 0: none
  struct jr_elf_symbols table;
  struct jr_obj_symbol *symbols;
  uint32_t got_count, stub_count;
  uint64_t region_bytes[JR_REGION_COUNT];
  uint64_t got_offset, stub_offset;            ///< in their regions
  unsigned char *regions[JR_REGION_COUNT + 1]; ///< starts, and the end
  unsigned char *mapping;
  size_t mapped_bytes;
  bool has_absolute; ///< a relocation needs more than a distance
  // Of settled objects; offsets are those in the file.
  uint64_t file_bytes; ///< that are mapped
  uint64_t code_start, code_end;
  unsigned char *stubs;
  size_t stub_bytes;
};

/// object_settle.c: applies relocations in the bytes of the file.
jitrun_error_t *jr_obj_settle(struct jr_obj_loader *loader, unsigned char *data,
                              bool *out_is_settled)
    __attribute__((warn_unused_result));

/// object_settle.c: maps an object that was settled; does not when anything
/// speaks against it, from its sections to the names that it needs.
jitrun_error_t *jr_obj_map_settled(struct jr_obj_loader *loader,
                                   bool *out_is_mapped)
    __attribute__((warn_unused_result));

/// object_layout.c: gives each section a place in a region; refuses what cannot
/// be loaded.
jitrun_error_t *jr_obj_place_sections(struct jr_obj_loader *loader)
    __attribute__((warn_unused_result));

/// object_layout.c: maps the regions, writable, and copies the sections there.
jitrun_error_t *jr_obj_map(struct jr_obj_loader *loader)
    __attribute__((warn_unused_result));

/// object_layout.c: takes the right to write from code and constants.
jitrun_error_t *jr_obj_protect(struct jr_obj_loader *loader)
    __attribute__((warn_unused_result));

/// object_symbols.c: checks all symbols, resolves those from outside that are
/// used, counts GOT words and stubs.
jitrun_error_t *jr_obj_resolve(struct jr_obj_loader *loader)
    __attribute__((warn_unused_result));

/// object_symbols.c: gives symbols their addresses, fills GOT and stubs.
void jr_obj_place_symbols(struct jr_obj_loader *loader);

/// object_reloc.c: checks all relocations and notes what they want of symbols.
jitrun_error_t *jr_obj_scan_relocs(struct jr_obj_loader *loader)
    __attribute__((warn_unused_result));

/// object_reloc.c: applies them.
jitrun_error_t *jr_obj_apply_relocs(struct jr_obj_loader *loader)
    __attribute__((warn_unused_result));

#endif
