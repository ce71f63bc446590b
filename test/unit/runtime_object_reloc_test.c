/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Relocations of aarch64, and those of x86-64 that C does not show: an object
/// is loaded, then ld.lld links the same object at the same addresses, and the
/// bytes are compared. What a linker does otherwise (GOT, stubs) is decoded.
#include "runtime/object_load.h"

#include "build_object.h"

#include <inttypes.h>

static const uint64_t FAR_ADDRESS = UINT64_C(0x123456789abc);
static const uint64_t LOW_ADDRESS = UINT64_C(0x12345678);

static void *resolve(void *context, const char *name) {
  (void)context;
  if (strcmp(name, "far_fn") == 0)
    return (void *)(uintptr_t)FAR_ADDRESS;
  if (strcmp(name, "low_fn") == 0)
    return (void *)(uintptr_t)LOW_ADDRESS;
  return NULL;
}

static jitrun_error_t *load(const struct jr_bytes *bytes, uint16_t machine,
                            struct jr_object **out_object) {
  const struct jr_object_options options = {.resolve = resolve,
                                            .machine = machine};
  struct jr_elf elf;
  *out_object = NULL;
  JITRUN_TRY(jr_elf_open(bytes->data, bytes->size, &elf));
  return jr_object_load(&elf, &options, out_object);
}

static uint64_t find(struct jr_object *object, const char *name) {
  void *address = jr_object_find(object, name);
  if (!address) {
    fail_msg("no symbol '%s'", name);
    abort(); // not reached, which only cmocka knows
  }
  return (uintptr_t)address;
}

/// Each section begins with a global symbol that has its name without the dot.
static const char *const sections[] = {".code", ".late", ".constant", ".data"};
enum { SECTION_COUNT = sizeof sections / sizeof *sections };

static Elf64_Shdr find_section(const struct jr_elf *elf, const char *name) {
  Elf64_Shdr section = {0};
  uint64_t index = 0;
  while (index < elf->section_count &&
         strcmp(jr_elf_section_name(elf, index), name) != 0)
    index++;
  expect_ok(jr_elf_section(elf, index, &section));
  return section;
}

/// Compares a loaded section with what the linker made of it.
static void compare_section(struct jr_object *object, const struct jr_elf *elf,
                            const char *name) {
  Elf64_Shdr section = find_section(elf, name);
  uint64_t address = find(object, name + 1);
  assert_true(section.sh_addr == address);
  const unsigned char *linked = elf->data + section.sh_offset;
  const unsigned char *loaded = (const unsigned char *)(uintptr_t)address;
  for (uint64_t k = 0; k < section.sh_size; k++) {
    if (loaded[k] != linked[k])
      fail_msg("section '%s' differs at %" PRIu64, name, k);
  }
}

static void compare_with_linker(const char *source, const char *flags,
                                uint16_t machine) {
  struct jr_bytes bytes = build_file("in.s", source, flags, NULL);
  struct jr_object *object;
  struct jr_elf elf;
  char link[1024];
  expect_ok(load(&bytes, machine, &object));
  int length =
      snprintf(link, sizeof link,
               "-static -e 0 -z max-page-size=4096 "
               "--defsym=far_fn=0x%" PRIx64 " --defsym=low_fn=0x%" PRIx64,
               FAR_ADDRESS, LOW_ADDRESS);
  for (size_t i = 0; i < SECTION_COUNT; i++)
    length += snprintf(link + length, sizeof link - (size_t)length,
                       " --section-start=%s=0x%" PRIx64, sections[i],
                       find(object, sections[i] + 1));
  struct jr_bytes linked = build_file("in.s", source, flags, link);
  expect_ok(jr_elf_open(linked.data, linked.size, &elf));
  for (size_t i = 0; i < SECTION_COUNT; i++)
    compare_section(object, &elf, sections[i]);
  jr_object_unload(object);
  jr_bytes_deinit(&bytes);
  jr_bytes_deinit(&linked);
}

static const char aarch64_source[] =
    ".section .code,\"ax\"\n.globl code, second\ncode:\n"
    " bl second\n bl third\n b third\n b code\n"
    " cbz x0, third\n b.ne code\n tbz x0, #3, third\n tbnz x1, #40, code\n"
    " adrp x0, bytes\n add x0, x0, :lo12:bytes + 3\n"
    " ldrb w1, [x0, :lo12:bytes+5]\n ldrh w1, [x0, :lo12:halves+2]\n"
    " ldr w1, [x0, :lo12:words+4]\n ldr x1, [x0, :lo12:longs+8]\n"
    " ldr q1, [x0, :lo12:quads+16]\n str x3, [x0, :lo12:longs]\n"
    " adrp x5, longs + 0x12345\n adr x6, second + 5\n adr x6, code\n"
    " ldr x7, third\n ldr w7, code + 4\n adrp x8, :pg_hi21_nc:longs\n"
    "second:\n"
    " movz x0, #:abs_g0_nc:far_fn\n movk x0, #:abs_g1_nc:far_fn\n"
    " movk x0, #:abs_g2_nc:far_fn\n movk x0, #:abs_g3:far_fn\n"
    " movz x0, #:abs_g2:far_fn\n movz x0, #:abs_g1:low_fn\n"
    " movk x0, #:abs_g0_nc:code+4\n ret\n"
    ".section .late,\"ax\"\n.globl late, third\nlate:\n nop\nthird:\n"
    " bl code\n b second\n ret\n"
    ".section .constant,\"a\"\n.globl constant, bytes, halves, words, longs\n"
    ".globl quads\n.p2align 4\nconstant:\nquads: .zero 32\n"
    "longs: .quad code, far_fn, second - . + 8, third + 0x10\n"
    "words: .word third - ., code - . - 64, low_fn, low_fn + 1\n"
    "halves: .hword 1, 2\nbytes: .byte 1,2,3,4,5,6,7,8\n.zero 4\n"
    ".section .data,\"aw\"\n.globl data\ndata:\n .quad data, data + 8, code\n"
    " .word data - ., 0\n .hword data - ., data + 2 - .\n"
    " .word second@plt - ., 0\n";

static void test_aarch64(void **state) {
  (void)state;
  compare_with_linker(aarch64_source, AARCH64, EM_AARCH64);
}

static const char x86_64_source[] =
    ".section .code,\"ax\"\n.globl code, second\ncode:\n"
    " call second\n call third@PLT\n jmp third\n jne code\n"
    " lea longs+8(%rip), %rax\n mov words(%rip), %ecx\n"
    " movabs $far_fn, %rax\n mov $low_fn, %ecx\n mov low_fn, %ecx\n"
    " mov low_fn+16(,%rax,8), %rdx\n .p2align 4\n"
    "second:\n ret\n .p2align 4\n"
    ".section .late,\"ax\"\n.globl late, third\nlate:\n nop\nthird:\n"
    " call code\n jmp second\n .p2align 4\n"
    ".section .constant,\"a\"\n.globl constant, words, longs\n"
    "constant: .quad 0\nlongs: .quad code, far_fn, second - ., third + 16\n"
    "words: .long third - ., code - . - 64, low_fn, low_fn + 1\n"
    ".section .data,\"aw\"\n.globl data\ndata:\n .quad data, data + 8, code\n";

static void test_x86_64(void **state) {
  (void)state;
  compare_with_linker(x86_64_source, X86_64, EM_X86_64);
}

static uint32_t read_word(uint64_t address) {
  uint32_t word;
  memcpy(&word, (const void *)(uintptr_t)address, sizeof word);
  return word;
}

static uint64_t read_long(uint64_t address) {
  uint64_t value;
  memcpy(&value, (const void *)(uintptr_t)address, sizeof value);
  return value;
}

/// Where the branch at `address` goes.
static uint64_t decode_branch(uint64_t address) {
  int64_t words = (int32_t)(read_word(address) << 6) >> 6;
  return address + (uint64_t)words * 4;
}

/// What `adrp` at `address` and the instruction behind it, with an offset in
/// units of `scale`, refer to.
static uint64_t decode_pair(uint64_t address, uint64_t scale) {
  uint32_t adrp = read_word(address);
  uint32_t low = read_word(address + 4) >> 10 & 0xfff;
  uint64_t pages = (adrp >> 29 & 3) | (uint64_t)(adrp >> 5 & 0x7ffff) << 2;
  if (pages >> 20)
    pages -= UINT64_C(1) << 21;
  return (address & ~UINT64_C(0xfff)) + (pages << 12) + low * scale;
}

/// What a load relative to its own address reads.
static uint64_t decode_load(uint64_t address) {
  int64_t words = (int32_t)(read_word(address) << 8) >> 13;
  return address + (uint64_t)words * 4;
}

static void check_stub(uint64_t stub) {
  assert_int_equal(read_word(stub), 0x58000050);     // ldr x16, .+8
  assert_int_equal(read_word(stub + 4), 0xd61f0200); // br x16
  assert_true(read_long(stub + 8) == FAR_ADDRESS);
}

static void test_stubs_and_got(void **state) {
  (void)state;
  static const char source[] =
      ".globl code, here\ncode:\n bl far_fn\n b far_fn\n"
      " adrp x0, far_fn\n add x0, x0, :lo12:far_fn\n"
      " adrp x0, :got:far_fn\n ldr x0, [x0, :got_lo12:far_fn]\n"
      " adrp x0, :got:here\n ldr x0, [x0, :got_lo12:here]\n"
      " .word far_fn@plt - .\n .word far_fn@gotpcrel\n"
      " ldr x0, :got:here\n"
      ".data\nhere: .quad 0\n";
  struct jr_bytes bytes = build_file("in.s", source, AARCH64, NULL);
  struct jr_object *object;
  expect_ok(load(&bytes, EM_AARCH64, &object));
  uint64_t code = find(object, "code");
  check_stub(decode_branch(code));
  check_stub(decode_branch(code + 4));
  check_stub(decode_pair(code + 8, 1));
  assert_true(decode_branch(code) == decode_branch(code + 4));
  assert_true(read_long(decode_pair(code + 16, 8)) == FAR_ADDRESS);
  assert_true(read_long(decode_pair(code + 24, 8)) == find(object, "here"));
  assert_true(read_long(decode_load(code + 40)) == find(object, "here"));
  check_stub(code + 32 + read_word(code + 32));
  assert_true(read_long(code + 36 + read_word(code + 36)) == FAR_ADDRESS);
  jr_object_unload(object);
  jr_bytes_deinit(&bytes);
}

static void refuse(const char *source, jitrun_code_t code, const char *part) {
  struct jr_bytes bytes = build_file("in.s", source, AARCH64, NULL);
  struct jr_object *object;
  expect_error(load(&bytes, EM_AARCH64, &object), code, part);
  assert_null(object);
  jr_bytes_deinit(&bytes);
}

static void test_refused(void **state) {
  (void)state;
  static const char odd[] = ".data\n.globl odd\n.byte 0\nodd: .byte 0\n";
  char source[512];
  refuse("tbz x0, #1, after\n.section after_it,\"ax\"\n.zero 0x10000\n"
         ".globl after\nafter: ret\n",
         JITRUN_OUT_OF_RANGE, "symbol 'after'");
  refuse("b.eq after\n.section after_it,\"ax\"\n.zero 0x200000\n"
         ".globl after\nafter: ret\n",
         JITRUN_OUT_OF_RANGE, "R_AARCH64_CONDBR19 in section '.text'");
  refuse(".data\n.word far_fn\n", JITRUN_OUT_OF_RANGE, "does not reach");
  refuse("movz x0, #:abs_g0:low_fn\n", JITRUN_OUT_OF_RANGE, "does not reach");
  refuse("movz x0, #:abs_g1:far_fn\n", JITRUN_OUT_OF_RANGE, "does not reach");
  (void)snprintf(source, sizeof source, "ldr x0, [x0, :lo12:odd]\n%s", odd);
  refuse(source, JITRUN_OUT_OF_RANGE, "is not aligned");
  (void)snprintf(source, sizeof source, "bl odd\n%s", odd);
  refuse(source, JITRUN_OUT_OF_RANGE, "not a multiple of 4 away");
  refuse("adr x0, here\n.section after_it,\"ax\"\n.zero 0x200000\n"
         ".globl here\nhere: ret\n",
         JITRUN_OUT_OF_RANGE, "R_AARCH64_ADR_PREL_LO21 in section '.text'");
  refuse("movz x0, #:prel_g0:far_fn\n", JITRUN_UNIMPLEMENTED,
         "relocation kind 287 of aarch64, for symbol 'far_fn'");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_aarch64),
      cmocka_unit_test(test_x86_64),
      cmocka_unit_test(test_stubs_and_got),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
