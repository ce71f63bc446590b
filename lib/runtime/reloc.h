/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Relocations, one machine each: which kinds are known, what they need, and
/// how they change bytes. Nothing here knows of files or sections; the caller
/// checks that the bytes to change are there.
#ifndef JR_RUNTIME_RELOC_H
#define JR_RUNTIME_RELOC_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Which address stands for the symbol.
enum jr_reloc_target {
  JR_TARGET_NONE,    ///< none: nothing is changed
  JR_TARGET_ADDRESS, ///< its own, however far
  JR_TARGET_NEAR,    ///< its own, or that of a stub that jumps there
  JR_TARGET_GOT      ///< that of a word which holds its address
};

struct jr_reloc_kind {
  const char *name; ///< NULL: not known
  uint8_t target;   ///< enum jr_reloc_target
  uint8_t width;    ///< bytes changed
  uint8_t form;     ///< how; for the machine's own apply
  uint8_t shift;    ///< low bits that are dropped or must be zero
  bool is_distance; ///< all bytes are written, with the distance to the target
};

/// A relocation with all addresses known.
struct jr_reloc {
  const struct jr_reloc_kind *kind;
  unsigned char *place; ///< kind->width bytes, at their final address
  uint64_t target;
  int64_t addend;
};

enum {
  JR_STUB_BYTES = 16, ///< a jump to anywhere, on every machine
  JR_GOT_BYTES = 8
};

struct jr_reloc_machine {
  uint64_t reach_bytes; ///< what a call certainly spans
  const struct jr_reloc_kind *kinds;
  uint32_t first_kind, kind_count;
  /// Changes the bytes; NULL, or what is wrong: "does not reach".
  const char *(*apply)(const struct jr_reloc *reloc);
  void (*write_stub)(unsigned char *stub, uint64_t target);
};

extern const struct jr_reloc_machine jr_reloc_x86_64;
extern const struct jr_reloc_machine jr_reloc_aarch64;

/// The kind `number`, or NULL when it is not known.
static inline const struct jr_reloc_kind *
jr_reloc_kind(const struct jr_reloc_machine *machine, uint32_t number) {
  uint32_t index = number - machine->first_kind;
  if (number == 0)
    index = 0;
  if (index >= machine->kind_count || !machine->kinds[index].name)
    return NULL;
  return &machine->kinds[index];
}

#endif
