/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Relocations of x86-64, as LLVM emits them for position-independent code of
/// the small model. GOTPCRELX allows the linker to change instructions; loading
/// through the GOT is always right, so nothing is changed here.
#include "runtime/reloc.h"

#include <stdbool.h>
#include <string.h>

enum { CODE_4_GOTPCRELX = 43 }; ///< that elf.h does not know yet

enum form { FORM_ABS64, FORM_ABS32, FORM_ABS32S, FORM_REL64, FORM_REL32 };

#define KIND(kind, target, width, form)                                        \
  [R_X86_64_##kind] = {                                                        \
      "R_X86_64_" #kind,        JR_TARGET_##target, width, FORM_##form, 0,     \
      FORM_##form >= FORM_REL64}

static const struct jr_reloc_kind kinds[] = {
    KIND(NONE, NONE, 0, ABS64),
    KIND(64, ADDRESS, 8, ABS64),
    KIND(PC32, NEAR, 4, REL32),
    KIND(PLT32, NEAR, 4, REL32),
    KIND(GOTPCREL, GOT, 4, REL32),
    KIND(32, ADDRESS, 4, ABS32),
    KIND(32S, ADDRESS, 4, ABS32S),
    KIND(PC64, ADDRESS, 8, REL64),
    KIND(GOTPCRELX, GOT, 4, REL32),
    KIND(REX_GOTPCRELX, GOT, 4, REL32),
    [CODE_4_GOTPCRELX] = {"R_X86_64_CODE_4_GOTPCRELX", JR_TARGET_GOT, 4,
                          FORM_REL32, 0, true},
};

static const char *write_64(unsigned char *place, uint64_t value) {
  memcpy(place, &value, sizeof value);
  return NULL;
}

static const char *write_32(unsigned char *place, uint64_t value, bool fits) {
  if (!fits)
    return "does not reach";
  memcpy(place, &value, sizeof(uint32_t)); // the low-order bytes come first
  return NULL;
}

static const char *apply_x86_64(const struct jr_reloc *reloc) {
  uint64_t value = reloc->target + (uint64_t)reloc->addend;
  uint64_t delta = value - (uintptr_t)reloc->place;
  switch ((enum form)reloc->kind->form) {
  case FORM_ABS64:
    return write_64(reloc->place, value);
  case FORM_ABS32:
    return write_32(reloc->place, value, value <= UINT32_MAX);
  case FORM_ABS32S:
    return write_32(reloc->place, value, (int64_t)value == (int32_t)value);
  case FORM_REL64:
    return write_64(reloc->place, delta);
  case FORM_REL32:
    return write_32(reloc->place, delta, (int64_t)delta == (int32_t)delta);
  }
  return "is not known";
}

/// jmp *0(%rip), and the address right behind.
static void write_stub_x86_64(unsigned char *stub, uint64_t target) {
  static const unsigned char jump[] = {0xff, 0x25, 0, 0, 0, 0};
  memcpy(stub, jump, sizeof jump);
  memcpy(stub + sizeof jump, &target, sizeof target);
}

const struct jr_reloc_machine jr_reloc_x86_64 = {
    .reach_bytes = UINT64_C(0x7fff0000),
    .kinds = kinds,
    .kind_count = sizeof kinds / sizeof *kinds,
    .apply = apply_x86_64,
    .write_stub = write_stub_x86_64,
};
