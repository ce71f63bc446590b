/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See announce.h. The object loader knows where each section went, ORC does
/// not say. Both keep a section in one piece, so its place follows from that of
/// one symbol in it: the image gives those of itself and of its entries, which
/// are the sections with constants and code. All other sections that would be
/// loaded, of which a debugger wants .eh_frame, are given addresses behind the
/// code: they are read from the announced copy, and only have to be near.
#include "runtime/announce.h"

#include "base/alloc.h"
#include "base/strings.h"
#include "runtime/elf.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/// As GDB's manual defines them ("JIT Compilation Interface").
struct code_entry {
  struct code_entry *next, *previous;
  const char *object;
  uint64_t size;
};

struct descriptor {
  uint32_t version;
  uint32_t action; ///< 0: none, 1: registered, 2: unregistered
  struct code_entry *relevant, *first;
};

enum { REGISTERED = 1, UNREGISTERED = 2 };

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
/// Weak: another JIT linked into the program may have brought them.
void __jit_debug_register_code(void);
extern struct descriptor __jit_debug_descriptor;

/// GDB stops here. The body only keeps calls from being optimised away.
__attribute__((weak, noinline, visibility("default"))) void
__jit_debug_register_code(void) {
  __asm__ volatile("" ::: "memory");
}

__attribute__((
    weak, visibility("default"))) struct descriptor __jit_debug_descriptor = {
    .version = 1};
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;

struct jr_announced {
  struct code_entry entry;
  _Alignas(16) unsigned char object[]; ///< a copy with addresses
};

static void tell_debugger(struct code_entry *entry, uint32_t action) {
  __jit_debug_descriptor.relevant = entry;
  __jit_debug_descriptor.action = action;
  __jit_debug_register_code();
  __jit_debug_descriptor.relevant = NULL;
}

static void add_entry(struct code_entry *entry) {
  (void)pthread_mutex_lock(&list_lock);
  entry->next = __jit_debug_descriptor.first;
  if (entry->next)
    entry->next->previous = entry;
  __jit_debug_descriptor.first = entry;
  tell_debugger(entry, REGISTERED);
  (void)pthread_mutex_unlock(&list_lock);
}

void jr_code_withdraw(struct jr_announced *announced) {
  if (!announced)
    return;
  struct code_entry *entry = &announced->entry;
  (void)pthread_mutex_lock(&list_lock);
  if (entry->previous)
    entry->previous->next = entry->next;
  else
    __jit_debug_descriptor.first = entry->next;
  if (entry->next)
    entry->next->previous = entry->previous;
  tell_debugger(entry, UNREGISTERED);
  (void)pthread_mutex_unlock(&list_lock);
  free(announced);
}

/// An object and where two of its sections went.
struct placed {
  struct jr_elf elf;
  struct jr_elf_symbols symbols;
  uint32_t code_section, image_section;
  uint64_t code_address, image_address;
};

/// True for the symbol of the first entry, "jitrun_<prefix>_<name>", given that
/// of the image, "jitrun_image_<prefix>".
static bool is_first_entry(const struct jr_table *table, const char *image,
                           const char *name) {
  static const char start[] = "jitrun_";
  const char *prefix = image + sizeof JR_IMAGE_SYMBOL_PREFIX - 1;
  size_t size = strlen(prefix);
  if (strncmp(name, start, sizeof start - 1) != 0)
    return false;
  name += sizeof start - 1;
  return strncmp(name, prefix, size) == 0 && name[size] == '_' &&
         strcmp(name + size + 1,
                jr_table_string(table, table->entries[0].name)) == 0;
}

static jitrun_error_t *find_sections(const struct jr_table *table,
                                     const void *object, size_t size,
                                     struct placed *out_placed) {
  struct jr_elf_symbol image;
  uint64_t address = (uintptr_t)table->code;
  JITRUN_TRY(jr_elf_open(object, size, &out_placed->elf));
  JITRUN_TRY(
      jr_elf_find_prefix(&out_placed->elf, JR_IMAGE_SYMBOL_PREFIX, &image));
  JITRUN_TRY(
      jr_elf_symbols_open(&out_placed->elf, SHT_SYMTAB, &out_placed->symbols));
  out_placed->image_section = image.symbol.st_shndx;
  out_placed->image_address = address - image.symbol.st_value;
  for (uint64_t i = 0; i < out_placed->symbols.count; i++) {
    Elf64_Sym symbol;
    const char *name;
    JITRUN_TRY(jr_elf_symbol_get(&out_placed->symbols, i, &symbol, &name));
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC ||
        !is_first_entry(table, image.name, name))
      continue;
    out_placed->code_section = symbol.st_shndx;
    out_placed->code_address =
        address + (uint64_t)table->code_offsets[0] - symbol.st_value;
    return NULL;
  }
  return jr_error(JITRUN_DATA_LOSS,
                  "the object has no symbol of entry '%s', so its code cannot "
                  "be announced",
                  jr_table_string(table, table->entries[0].name));
}

static jitrun_error_t *list_functions(const struct placed *placed,
                                      const jitrun_open_options_t *options) {
  for (uint64_t i = 0; i < placed->symbols.count; i++) {
    Elf64_Sym symbol;
    const char *name;
    JITRUN_TRY(jr_elf_symbol_get(&placed->symbols, i, &symbol, &name));
    if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC &&
        symbol.st_shndx == placed->code_section)
      options->code(
          options->code_context, name,
          (const void *)(uintptr_t)(placed->code_address + symbol.st_value),
          symbol.st_size);
  }
  return NULL;
}

/// Writes the addresses into the section headers of the copy.
static jitrun_error_t *place_sections(const struct placed *placed,
                                      unsigned char *copy) {
  Elf64_Shdr code;
  JITRUN_TRY(jr_elf_section(&placed->elf, placed->code_section, &code));
  uint64_t next = placed->code_address + code.sh_size;
  for (uint64_t i = 0; i < placed->elf.section_count; i++) {
    Elf64_Shdr section;
    JITRUN_TRY(jr_elf_section(&placed->elf, i, &section));
    if (!(section.sh_flags & SHF_ALLOC))
      continue;
    if (i == placed->code_section) {
      section.sh_addr = placed->code_address;
    } else if (i == placed->image_section) {
      section.sh_addr = placed->image_address;
    } else {
      uint64_t alignment = section.sh_addralign ? section.sh_addralign : 1;
      if (!jr_align_u64(next, alignment, &section.sh_addr))
        continue;
      next = section.sh_addr + section.sh_size;
    }
    memcpy(copy + placed->elf.header.e_shoff + i * sizeof section, &section,
           sizeof section);
  }
  return NULL;
}

static jitrun_error_t *announce_object(const struct placed *placed,
                                       struct jr_announced **out_announced) {
  size_t size = placed->elf.size;
  struct jr_announced *announced = jr_malloc(sizeof *announced + size);
  if (!announced)
    return jr_error_no_memory();
  *announced = (struct jr_announced){
      .entry = {.object = (const char *)announced->object, .size = size}};
  memcpy(announced->object, placed->elf.data, size);
  jitrun_error_t *err = place_sections(placed, announced->object);
  if (err) {
    free(announced);
    return err;
  }
  add_entry(&announced->entry);
  *out_announced = announced;
  return NULL;
}

jitrun_error_t *jr_code_announce(const struct jr_table *table,
                                 const void *object, size_t size,
                                 const jitrun_open_options_t *options,
                                 struct jr_announced **out_announced) {
  struct placed placed = {0};
  *out_announced = NULL;
  if ((!options->debug_info && !options->code) || table->entry_count == 0)
    return NULL;
  JITRUN_TRY(find_sections(table, object, size, &placed));
  if (options->code)
    JITRUN_TRY(list_functions(&placed, options));
  return options->debug_info ? announce_object(&placed, out_announced) : NULL;
}
