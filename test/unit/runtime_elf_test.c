/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The ELF reader: what it finds in real files, and what it says of others.
#include "runtime/elf.h"

#include "build_object.h"

static const char source[] = "int image_one[4] = {1, 2, 3, 4};\n"
                             "int image_bss[4];\n"
                             "extern int image_other;\n"
                             "int *other(void) { return &image_other; }\n";

static struct jr_bytes build_object(void) {
  return build_file("in.c", source, X86_64 "-O1 -fPIC", NULL);
}

static void test_object(void **state) {
  (void)state;
  struct jr_bytes bytes = build_object();
  struct jr_elf elf;
  struct jr_elf_symbol symbol;
  Elf64_Shdr section;
  expect_ok(jr_elf_open(bytes.data, bytes.size, &elf));
  assert_int_equal(elf.header.e_type, ET_REL);
  assert_string_equal(jr_elf_section_name(&elf, 0), "");
  assert_string_equal(jr_elf_section_name(&elf, elf.section_count), "");
  expect_ok(jr_elf_find_prefix(&elf, "image_o", &symbol));
  assert_string_equal(symbol.name, "image_one");
  assert_string_equal(jr_elf_section_name(&elf, symbol.symbol.st_shndx),
                      ".data");
  assert_true(symbol.room_bytes >= 16);
  assert_memory_equal(bytes.data + symbol.file_offset,
                      ((const int[]){1, 2, 3, 4}), 16);
  expect_ok(jr_elf_find_prefix(&elf, "image_b", &symbol));
  assert_true(symbol.file_offset == UINT64_MAX);
  expect_error(jr_elf_find_prefix(&elf, "image_", &symbol),
               JITRUN_INVALID_ARGUMENT, "image_one");
  expect_error(jr_elf_find_prefix(&elf, "image_x", &symbol), JITRUN_NOT_FOUND,
               "image_x");
  expect_error(jr_elf_section(&elf, elf.section_count, &section),
               JITRUN_DATA_LOSS, "section");
  jr_bytes_deinit(&bytes);
}

/// A stripped library has only the symbols that it exports, and addresses.
static void test_shared(void **state) {
  (void)state;
  struct jr_bytes bytes =
      build_file("in.c", source, X86_64 "-O1 -fPIC",
                 "-shared -s --unresolved-symbols=ignore-all");
  struct jr_elf elf;
  struct jr_elf_symbol symbol;
  struct jr_elf_symbols symbols;
  expect_ok(jr_elf_open(bytes.data, bytes.size, &elf));
  expect_ok(jr_elf_symbols_open(&elf, SHT_SYMTAB, &symbols));
  assert_true(symbols.count == 0);
  expect_ok(jr_elf_find_prefix(&elf, "image_o", &symbol));
  assert_true(symbol.symbol.st_value != symbol.file_offset);
  assert_memory_equal(bytes.data + symbol.file_offset,
                      ((const int[]){1, 2, 3, 4}), 16);
  expect_ok(jr_elf_find_prefix(&elf, "image_b", &symbol));
  assert_true(symbol.file_offset == UINT64_MAX);
  jr_bytes_deinit(&bytes);
}

static void test_refused(void **state) {
  (void)state;
  struct jr_elf elf;
  unsigned char bytes[64] = "not an ELF file at all";
  expect_error(jr_elf_open(bytes, 10, &elf), JITRUN_DATA_LOSS, "10 bytes");
  expect_error(jr_elf_open(bytes, sizeof bytes, &elf), JITRUN_INVALID_ARGUMENT,
               "not an ELF file");
  memcpy(bytes, (const char[]){0x7f, 'E', 'L', 'F'}, 4);
  bytes[EI_CLASS] = ELFCLASS32;
  bytes[EI_DATA] = ELFDATA2LSB;
  expect_error(jr_elf_open(bytes, sizeof bytes, &elf), JITRUN_INVALID_ARGUMENT,
               "64-bit little-endian");
  bytes[EI_CLASS] = ELFCLASS64;
  bytes[EI_VERSION] = 9;
  expect_error(jr_elf_open(bytes, sizeof bytes, &elf), JITRUN_INVALID_ARGUMENT,
               "version 9");
}

static void test_cut(void **state) {
  (void)state;
  struct jr_bytes bytes = build_object();
  struct jr_elf elf;
  expect_error(jr_elf_open(bytes.data, bytes.size - 1, &elf), JITRUN_DATA_LOSS,
               "cut off");
  jr_bytes_deinit(&bytes);
}

/// More sections than the header's field holds are counted in section 0.
static void test_many_sections(void **state) {
  (void)state;
  struct jr_bytes bytes = build_object();
  struct jr_elf elf;
  Elf64_Ehdr header;
  expect_ok(jr_elf_open(bytes.data, bytes.size, &elf));
  uint64_t count = elf.section_count;
  memcpy(&header, bytes.data, sizeof header);
  Elf64_Shdr *first = (Elf64_Shdr *)(void *)(bytes.data + header.e_shoff);
  header.e_shnum = 0;
  memcpy(bytes.data, &header, sizeof header);
  memcpy((char *)first + offsetof(Elf64_Shdr, sh_size), &count, sizeof count);
  expect_ok(jr_elf_open(bytes.data, bytes.size, &elf));
  assert_true(elf.section_count == count);
  count = UINT64_MAX / 32;
  memcpy((char *)first + offsetof(Elf64_Shdr, sh_size), &count, sizeof count);
  expect_error(jr_elf_open(bytes.data, bytes.size, &elf), JITRUN_DATA_LOSS,
               "cut off");
  jr_bytes_deinit(&bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_object),        cmocka_unit_test(test_shared),
      cmocka_unit_test(test_refused),       cmocka_unit_test(test_cut),
      cmocka_unit_test(test_many_sections),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
