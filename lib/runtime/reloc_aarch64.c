/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Relocations of aarch64 ("ELF for the Arm 64-bit Architecture"), as LLVM
/// emits them for position-independent code, and those of the large model.
#include "runtime/reloc.h"

#include <stdbool.h>
#include <string.h>

enum form {
  FORM_ABS64,
  FORM_ABS32,
  FORM_REL64,
  FORM_REL32,
  FORM_REL16,
  FORM_BRANCH26, ///< words, in bits 0..25
  FORM_BRANCH19, ///< words, in bits 5..23
  FORM_BRANCH14, ///< words, in bits 5..18
  FORM_ADR,      ///< bytes, in bits 29..30 and 5..23
  FORM_PAGE,     ///< 4 KiB pages, in bits 29..30 and 5..23
  FORM_PAGE_NC,  ///< the same, however far
  FORM_LOW12,    ///< offset in the page, in bits 10..21, without `shift` bits
  FORM_MOVW,     ///< 16 bits from `shift` up, in bits 5..20
  FORM_MOVW_FITS ///< the same; no bits may stand above
};

enum {
  FIRST_KIND = 256,
  PLT32 = 314, ///< that elf.h does not know yet
  GOTPCREL32 = 315
};

/// 256 was NONE once, and is still taken as that.
#define KIND(kind, target, width, form, shift)                                 \
  [R_AARCH64_##kind - FIRST_KIND] = {"R_AARCH64_" #kind,                       \
                                     JR_TARGET_##target,                       \
                                     width,                                    \
                                     FORM_##form,                              \
                                     shift,                                    \
                                     false}

static const struct jr_reloc_kind kinds[] = {
    [0] = {"R_AARCH64_NONE", JR_TARGET_NONE, 0, FORM_ABS64, 0, false},
    KIND(ABS64, ADDRESS, 8, ABS64, 0),
    KIND(ABS32, ADDRESS, 4, ABS32, 0),
    KIND(PREL64, ADDRESS, 8, REL64, 0),
    KIND(PREL32, NEAR, 4, REL32, 0),
    KIND(PREL16, NEAR, 2, REL16, 0),
    KIND(LD_PREL_LO19, NEAR, 4, BRANCH19, 2),
    KIND(ADR_PREL_LO21, NEAR, 4, ADR, 0),
    KIND(ADR_PREL_PG_HI21_NC, NEAR, 4, PAGE_NC, 0),
    KIND(MOVW_UABS_G0, ADDRESS, 4, MOVW_FITS, 0),
    KIND(MOVW_UABS_G0_NC, ADDRESS, 4, MOVW, 0),
    KIND(MOVW_UABS_G1, ADDRESS, 4, MOVW_FITS, 16),
    KIND(MOVW_UABS_G1_NC, ADDRESS, 4, MOVW, 16),
    KIND(MOVW_UABS_G2, ADDRESS, 4, MOVW_FITS, 32),
    KIND(MOVW_UABS_G2_NC, ADDRESS, 4, MOVW, 32),
    KIND(MOVW_UABS_G3, ADDRESS, 4, MOVW, 48),
    KIND(ADR_PREL_PG_HI21, NEAR, 4, PAGE, 0),
    KIND(ADD_ABS_LO12_NC, NEAR, 4, LOW12, 0),
    KIND(LDST8_ABS_LO12_NC, NEAR, 4, LOW12, 0),
    KIND(TSTBR14, NEAR, 4, BRANCH14, 2),
    KIND(CONDBR19, NEAR, 4, BRANCH19, 2),
    KIND(JUMP26, NEAR, 4, BRANCH26, 2),
    KIND(CALL26, NEAR, 4, BRANCH26, 2),
    KIND(LDST16_ABS_LO12_NC, NEAR, 4, LOW12, 1),
    KIND(LDST32_ABS_LO12_NC, NEAR, 4, LOW12, 2),
    KIND(LDST64_ABS_LO12_NC, NEAR, 4, LOW12, 3),
    KIND(LDST128_ABS_LO12_NC, NEAR, 4, LOW12, 4),
    KIND(ADR_GOT_PAGE, GOT, 4, PAGE, 0),
    KIND(LD64_GOT_LO12_NC, GOT, 4, LOW12, 3),
    KIND(GOT_LD_PREL19, GOT, 4, BRANCH19, 2),
    [PLT32 - FIRST_KIND] = {"R_AARCH64_PLT32", JR_TARGET_NEAR, 4, FORM_REL32, 0,
                            false},
    [GOTPCREL32 - FIRST_KIND] = {"R_AARCH64_GOTPCREL32", JR_TARGET_GOT, 4,
                                 FORM_REL32, 0, false},
};

/// True when `value`, as a signed number, takes at most `bits` bits.
static bool fits_signed(uint64_t value, unsigned bits) {
  uint64_t half = UINT64_C(1) << (bits - 1);
  return value + half < 2 * half;
}

/// Data of `width` bytes, which may hold the value with either sign.
static const char *write_data(const struct jr_reloc *reloc, uint64_t value) {
  if (reloc->kind->width == 4 && value > UINT32_MAX && !fits_signed(value, 32))
    return "does not reach";
  memcpy(reloc->place, &value, reloc->kind->width);
  return NULL;
}

/// Puts the low `bits` bits of `value` at bit `low` of the instruction.
static const char *write_field(const struct jr_reloc *reloc, uint64_t value,
                               unsigned low, unsigned bits) {
  uint32_t instruction;
  uint32_t mask = ((UINT32_C(1) << bits) - 1) << low;
  memcpy(&instruction, reloc->place, sizeof instruction);
  instruction = (instruction & ~mask) | ((uint32_t)(value << low) & mask);
  memcpy(reloc->place, &instruction, sizeof instruction);
  return NULL;
}

/// A distance in words of 4 bytes, `bits` wide, at bit `low`.
static const char *write_branch(const struct jr_reloc *reloc, uint64_t delta,
                                unsigned low, unsigned bits) {
  if (delta & 3)
    return "is not a multiple of 4 away";
  if (!fits_signed(delta, bits + 2))
    return "does not reach";
  return write_field(reloc, delta >> 2, low, bits);
}

static const char *write_page(const struct jr_reloc *reloc, uint64_t value,
                              bool is_checked) {
  uint64_t place = (uintptr_t)reloc->place;
  uint64_t delta = (value & ~UINT64_C(0xfff)) - (place & ~UINT64_C(0xfff));
  if (is_checked && !fits_signed(delta, 33))
    return "does not reach";
  (void)write_field(reloc, delta >> 12, 29, 2);
  return write_field(reloc, delta >> 14, 5, 19);
}

static const char *write_adr(const struct jr_reloc *reloc, uint64_t delta) {
  if (!fits_signed(delta, 21))
    return "does not reach";
  (void)write_field(reloc, delta, 29, 2);
  return write_field(reloc, delta >> 2, 5, 19);
}

static const char *write_low12(const struct jr_reloc *reloc, uint64_t value) {
  uint64_t offset = value & 0xfff;
  if (offset & ((UINT64_C(1) << reloc->kind->shift) - 1))
    return "is not aligned as the instruction needs";
  return write_field(reloc, offset >> reloc->kind->shift, 10, 12);
}

static const char *write_movw(const struct jr_reloc *reloc, uint64_t value) {
  uint64_t part = value >> reloc->kind->shift;
  if (reloc->kind->form == FORM_MOVW_FITS && part > UINT16_MAX)
    return "does not reach";
  return write_field(reloc, part, 5, 16);
}

static const char *apply_aarch64(const struct jr_reloc *reloc) {
  uint64_t value = reloc->target + (uint64_t)reloc->addend;
  uint64_t delta = value - (uintptr_t)reloc->place;
  if (reloc->kind->target == JR_TARGET_GOT && reloc->addend != 0 &&
      reloc->kind->form != FORM_REL32)
    return "has an addend, which GOT entries cannot have";
  switch ((enum form)reloc->kind->form) {
  case FORM_ABS64:
  case FORM_ABS32:
    return write_data(reloc, value);
  case FORM_REL64:
  case FORM_REL32:
    return write_data(reloc, delta);
  case FORM_REL16:
    return fits_signed(delta, 16) ? write_data(reloc, delta) : "does not reach";
  case FORM_BRANCH26:
    return write_branch(reloc, delta, 0, 26);
  case FORM_BRANCH19:
    return write_branch(reloc, delta, 5, 19);
  case FORM_BRANCH14:
    return write_branch(reloc, delta, 5, 14);
  case FORM_ADR:
    return write_adr(reloc, delta);
  case FORM_PAGE:
    return write_page(reloc, value, true);
  case FORM_PAGE_NC:
    return write_page(reloc, value, false);
  case FORM_LOW12:
    return write_low12(reloc, value);
  case FORM_MOVW:
  case FORM_MOVW_FITS:
    return write_movw(reloc, value);
  }
  return "is not known";
}

/// ldr x16, 8 bytes on; br x16; and the address. x16 is the procedure-call
/// standard's register for this.
static void write_stub_aarch64(unsigned char *stub, uint64_t target) {
  static const uint32_t code[] = {UINT32_C(0x58000050), UINT32_C(0xd61f0200)};
  memcpy(stub, code, sizeof code);
  memcpy(stub + sizeof code, &target, sizeof target);
}

const struct jr_reloc_machine jr_reloc_aarch64 = {
    .reach_bytes = UINT64_C(0x07ff0000),
    .kinds = kinds,
    .first_kind = FIRST_KIND,
    .kind_count = sizeof kinds / sizeof *kinds,
    .apply = apply_aarch64,
    .write_stub = write_stub_aarch64,
};
