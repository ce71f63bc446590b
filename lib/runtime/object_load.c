/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Loading an object, step by step: see load_object() and copy_object(). What
/// stays is the mapping and an index of the names that the object exports.
#include "runtime/object_load.h"

#include "base/alloc.h"
#include "base/cpu.h"
#include "runtime/object_parts.h"
#include "runtime/unwind.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/// How much of a name its hash looks at: a file can make many long names of few
/// bytes.
enum { MOST_HASHED_BYTES = 256 };

/// An exported name. Names with the same hash form a list.
struct export {
  uint32_t name; ///< offset in `strings`
  uint32_t next; ///< number of the next one, from 1; 0: none
  void *address;
};

struct jr_object {
  unsigned char *mapping;
  size_t mapped_bytes;
  unsigned char *code; ///< NULL: of another machine
  size_t code_bytes;
  struct jr_unwind_table unwind;
  unsigned char *stubs; ///< more code, of a settled object
  size_t stub_bytes;
  size_t file_bytes;  ///< of the file, from `mapping` on; 0: copied
  bool is_registered; ///< the unwinder knows of it
  uint32_t *buckets;  ///< first of each list, from 1; 0: none
  uint32_t bucket_mask;
  uint32_t export_count;
  struct export *exports; ///< all in the block of the object itself
  char *strings;
};

static uint32_t hash_name(const char *name) {
  uint32_t hash = UINT32_C(2166136261); // FNV-1a
  for (size_t i = 0; i < MOST_HASHED_BYTES && name[i]; ++i)
    hash = (hash ^ (unsigned char)name[i]) * UINT32_C(16777619);
  return hash;
}

static const struct jr_reloc_machine *find_machine(uint16_t machine) {
  if (machine == EM_X86_64)
    return &jr_reloc_x86_64;
  return machine == EM_AARCH64 ? &jr_reloc_aarch64 : NULL;
}

/// Checks that the file is an object for the machine that is wanted.
static jitrun_error_t *check_header(struct jr_obj_loader *loader) {
  const Elf64_Ehdr *header = &loader->elf->header;
  uint16_t wanted = loader->options->machine;
  if (wanted == 0)
    wanted = jr_cpu_machine();
  if (header->e_type != ET_REL)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the ELF file is of type %u, expected an object (%u)",
                    header->e_type, ET_REL);
  if (header->e_machine != wanted)
    return jr_error(JITRUN_FAILED_PRECONDITION,
                    "the object has code for %s (ELF machine %u), wanted %s "
                    "(%u); compile it with another --target",
                    jr_cpu_machine_name(header->e_machine), header->e_machine,
                    jr_cpu_machine_name(wanted), wanted);
  loader->machine = find_machine(wanted);
  if (!loader->machine)
    return jr_error(JITRUN_UNIMPLEMENTED,
                    "objects for %s (ELF machine %u) cannot be loaded",
                    jr_cpu_machine_name(wanted), wanted);
  loader->is_native = wanted == jr_cpu_machine();
  return NULL;
}

static bool is_exported(const struct jr_obj_loader *loader, uint64_t index,
                        const Elf64_Sym *symbol) {
  const struct jr_obj_symbol *placed = &loader->symbols[index];
  return ELF64_ST_BIND(symbol->st_info) != STB_LOCAL &&
         placed->state == JR_SYMBOL_DEFINED &&
         loader->sections[placed->section].address;
}

/// Adds all exported names. A name is put in front of its list, so nothing here
/// depends on how many share a hash.
static jitrun_error_t *index_exports(const struct jr_obj_loader *loader,
                                     struct jr_object *object) {
  uint32_t room = object->export_count;
  object->export_count = 0;
  for (uint64_t i = 0; i < loader->table.count; ++i) {
    Elf64_Sym symbol;
    const char *name;
    JITRUN_TRY(jr_elf_symbol_get(&loader->table, i, &symbol, &name));
    if (!is_exported(loader, i, &symbol) || object->export_count == room)
      continue;
    uint32_t *bucket = &object->buckets[hash_name(name) & object->bucket_mask];
    object->exports[object->export_count] = (struct export){
        .name = symbol.st_name,
        .next = *bucket,
        .address = (void *)(uintptr_t)loader->symbols[i].address};
    *bucket = ++object->export_count;
  }
  return NULL;
}

static uint32_t count_exports(const struct jr_obj_loader *loader) {
  uint32_t count = 0;
  for (uint64_t i = 0; i < loader->table.count; ++i) {
    Elf64_Sym symbol;
    memcpy(&symbol, loader->table.entries + i * sizeof symbol, sizeof symbol);
    count += is_exported(loader, i, &symbol);
  }
  return count;
}

static void set_unwind_table(const struct jr_obj_loader *loader,
                             struct jr_object *object) {
  const struct jr_obj_section *section =
      &loader->sections[loader->unwind_section];
  if (loader->unwind_section == 0)
    return;
  object->unwind = (struct jr_unwind_table){
      .data = section->address,
      .size = section->size,
      .code_start = (uintptr_t)object->code,
      .code_end = (uintptr_t)object->code + object->code_bytes};
}

/// Makes the object with its index, in one block; it takes the mapping over.
static jitrun_error_t *create_object(struct jr_obj_loader *loader,
                                     struct jr_object **out_object) {
  uint32_t count = count_exports(loader);
  size_t buckets = 1;
  while (buckets < count)
    buckets *= 2;
  size_t string_bytes = loader->table.string_bytes;
  struct jr_object *object =
      jr_malloc(sizeof *object + count * sizeof *object->exports +
                buckets * sizeof *object->buckets + string_bytes);
  if (!object)
    return jr_error_no_memory();
  *object = (struct jr_object){.bucket_mask = (uint32_t)(buckets - 1),
                               .export_count = count};
  object->exports = (struct export *)(void *)(object + 1);
  object->buckets = (uint32_t *)(void *)(object->exports + count);
  object->strings = (char *)(object->buckets + buckets);
  memset(object->buckets, 0, buckets * sizeof *object->buckets);
  if (string_bytes) {
    memcpy(object->strings, loader->table.strings, string_bytes);
    object->strings[string_bytes - 1] = '\0';
  }
  jitrun_error_t *error = index_exports(loader, object);
  if (error) {
    free(object);
    return error;
  }
  object->mapping = loader->mapping;
  object->mapped_bytes = loader->mapped_bytes;
  if (loader->is_native) {
    object->code = loader->regions[JR_REGION_CODE];
    object->code_bytes = loader->region_bytes[JR_REGION_CODE];
    set_unwind_table(loader, object);
    object->stubs = loader->stubs;
    object->stub_bytes = loader->stub_bytes;
    object->file_bytes = loader->stubs ? loader->file_bytes : 0;
  }
  loader->mapping = NULL;
  *out_object = object;
  return NULL;
}

static jitrun_error_t *create_sections(struct jr_obj_loader *loader) {
  loader->sections =
      jr_calloc(loader->elf->section_count, sizeof *loader->sections);
  return loader->sections ? NULL : jr_error_no_memory();
}

static jitrun_error_t *open_symbols(struct jr_obj_loader *loader) {
  JITRUN_TRY(jr_elf_symbols_open(loader->elf, SHT_SYMTAB, &loader->table));
  loader->symbols = jr_calloc(loader->table.count, sizeof *loader->symbols);
  return loader->symbols ? NULL : jr_error_no_memory();
}

/// Symbols from outside count as known, wherever they are.
static void *resolve_any(void *context, const char *name) {
  (void)name;
  return context;
}

static jitrun_error_t *settle_object(struct jr_obj_loader *loader,
                                     unsigned char *data,
                                     bool *out_is_settled) {
  JITRUN_TRY(check_header(loader));
  JITRUN_TRY(create_sections(loader));
  JITRUN_TRY(open_symbols(loader));
  return jr_obj_settle(loader, data, out_is_settled);
}

bool jr_object_settle(const struct jr_elf *elf, unsigned char *data) {
  const struct jr_object_options options = {
      .resolve = resolve_any, .resolve_context = data, .machine = EM_X86_64};
  struct jr_obj_loader loader = {.elf = elf, .options = &options};
  bool is_settled = false;
  jitrun_error_free(settle_object(&loader, data, &is_settled));
  free(loader.symbols);
  free(loader.sections);
  return is_settled;
}

/// Maps an object that allows it; else nothing is left of the attempt.
static jitrun_error_t *map_object(struct jr_obj_loader *loader,
                                  bool *out_is_mapped) {
  *out_is_mapped = false;
  if (!loader->options->is_settled || loader->options->descriptor <= 0)
    return NULL;
  JITRUN_TRY(jr_obj_map_settled(loader, out_is_mapped));
  if (*out_is_mapped)
    return NULL;
  if (loader->mapping)
    jr_unmap(loader->mapping, loader->mapped_bytes);
  *loader = (struct jr_obj_loader){.elf = loader->elf,
                                   .options = loader->options,
                                   .machine = loader->machine,
                                   .is_native = loader->is_native,
                                   .sections = loader->sections};
  memset(loader->sections, 0,
         loader->elf->section_count * sizeof *loader->sections);
  return NULL;
}

/// Copies an object into memory and relocates it there.
static jitrun_error_t *copy_object(struct jr_obj_loader *loader) {
  JITRUN_TRY(jr_obj_place_sections(loader));
  JITRUN_TRY(open_symbols(loader));
  JITRUN_TRY(jr_obj_scan_relocs(loader));
  JITRUN_TRY(jr_obj_resolve(loader));
  JITRUN_TRY(jr_obj_map(loader));
  jr_obj_place_symbols(loader);
  JITRUN_TRY(jr_obj_apply_relocs(loader));
  return jr_obj_protect(loader);
}

static jitrun_error_t *load_object(struct jr_obj_loader *loader,
                                   struct jr_object **out_object) {
  bool is_mapped;
  JITRUN_TRY(map_object(loader, &is_mapped));
  if (!is_mapped)
    JITRUN_TRY(copy_object(loader));
  return create_object(loader, out_object);
}

jitrun_error_t *jr_object_load(const struct jr_elf *elf,
                               const struct jr_object_options *options,
                               struct jr_object **out_object) {
  *out_object = NULL;
  struct jr_obj_loader loader = {.elf = elf, .options = options};
  JITRUN_TRY(check_header(&loader));
  JITRUN_TRY(create_sections(&loader));
  jitrun_error_t *error = load_object(&loader, out_object);
  if (loader.mapping)
    jr_unmap(loader.mapping, loader.mapped_bytes);
  free(loader.symbols);
  free(loader.sections);
  if (!error && !options->is_deferred)
    error = jr_object_activate(*out_object);
  if (error) {
    jr_object_unload(*out_object);
    *out_object = NULL;
  }
  return error;
}

jitrun_error_t *jr_object_activate(struct jr_object *object) {
  if (!object->code)
    return NULL;
  __builtin___clear_cache((char *)object->code,
                          (char *)object->code + object->code_bytes);
  const int protection = PROT_READ | PROT_EXEC;
  if (mprotect(object->code, object->code_bytes, protection) == 0 &&
      (object->stub_bytes == 0 ||
       mprotect(object->stubs, object->stub_bytes, protection) == 0)) {
    object->is_registered = jr_unwind_register(&object->unwind);
    return NULL;
  }
  return jr_error(JITRUN_PERMISSION_DENIED,
                  "the system does not let memory become executable: %s",
                  strerror(errno));
}

void *jr_object_find(const struct jr_object *object, const char *name) {
  uint32_t number = object->buckets[hash_name(name) & object->bucket_mask];
  while (number != 0) {
    const struct export *export = &object->exports[number - 1];
    if (strcmp(object->strings + export->name, name) == 0)
      return export->address;
    number = export->next;
  }
  return NULL;
}

void *jr_object_at(const struct jr_object *object, uint64_t offset,
                   uint64_t size) {
  return offset <= object->file_bytes && size <= object->file_bytes - offset
             ? object->mapping + offset
             : NULL;
}

void jr_object_unload(struct jr_object *object) {
  if (!object)
    return;
  if (object->is_registered)
    jr_unwind_withdraw(&object->unwind);
  jr_unmap(object->mapping, object->mapped_bytes);
  free(object);
}
