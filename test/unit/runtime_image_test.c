/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Image files: a small table is put into objects, libraries and a bare file,
/// sealed, opened in every way, and damaged.
#include "runtime/image.h"

#include "base/cpu.h"
#include "build_object.h"
#include "runtime/elf.h"
#include "runtime/table_write.h"

#include <fcntl.h>
#include <inttypes.h>

/// A table of one entry, without code offsets' values.
static struct jr_bytes build_table(void) {
  struct jr_table_writer writer;
  struct jr_bytes image = {0};
  jr_table_writer_init(&writer);
  struct jr_entry *entry = jr_table_add(&writer, JR_SECTION_ENTRIES, 1);
  assert_non_null(entry);
  entry->name = jr_table_add_string(&writer, "main", 4);
  (void)jr_table_add_data(&writer, "constants", 9, JR_TABLE_ALIGNMENT);
  expect_ok(jr_table_finish(&writer, &image));
  jr_table_writer_deinit(&writer);
  return image;
}

/// Assembly of an image whose entry gives the number 42. `extra` comes last.
static struct jr_bytes write_assembly(const char *machine_code,
                                      const char *extra) {
  struct jr_bytes text = {0};
  struct jr_bytes table = build_table();
  jr_bytes_appendf(&text,
                   ".text\nentry:\n%s\n.section .rodata\n.p2align 6\n"
                   ".globl jitrun_image_test\n"
                   ".type jitrun_image_test, %%object\njitrun_image_test:\n",
                   machine_code);
  for (size_t i = 0; i + 2 * sizeof(int64_t) < table.size; i++)
    jr_bytes_appendf(&text, ".byte %u\n", table.data[i]);
  jr_bytes_appendf(&text,
                   ".quad entry - jitrun_image_test\n.quad 0\n"
                   ".size jitrun_image_test, . - jitrun_image_test\n%s\n",
                   extra);
  jr_bytes_deinit(&table);
  return text;
}

static const char x86_64_code[] = " movl $42, %eax\n ret";
static const char aarch64_code[] = " mov w0, #42\n ret";

/// A sealed file; `link_flags` NULL: an object.
static struct jr_bytes build_image(const char *target, const char *link_flags,
                                   const char *extra) {
  const char *code = strcmp(target, X86_64) == 0 ? x86_64_code : aarch64_code;
  struct jr_bytes text = write_assembly(code, extra);
  struct jr_bytes bytes =
      build_file("in.s", jr_bytes_text(&text), target, link_flags);
  jr_bytes_deinit(&text);
  expect_ok(jr_image_seal(bytes.data, bytes.size));
  return bytes;
}

static const char *native_target(void) {
  return jr_cpu_machine() == EM_X86_64 ? X86_64 : AARCH64;
}

static const char *foreign_target(void) {
  return jr_cpu_machine() == EM_X86_64 ? AARCH64 : X86_64;
}

/// Checks an image and runs its entry where there is code.
static void check_image(struct jr_image *image, bool has_code) {
  struct jr_table table;
  int (*function)(void);
  if (!image->code)
    expect_ok(jr_image_activate(image));
  assert_non_null(image->data);
  assert_true((uintptr_t)image->data % JR_TABLE_ALIGNMENT == 0);
  expect_ok(jr_table_check(image->data, image->size_bytes, &table));
  assert_int_equal(table.entry_count, 1);
  assert_string_equal(jr_table_string(&table, table.entries[0].name), "main");
  if (image->code)
    jr_table_set_code(&table, image->code);
  assert_true((table.code_offsets[0] != 0) == has_code);
  if (!has_code)
    return;
  void *address =
      (void *)((uintptr_t)table.code + (uint64_t)table.code_offsets[0]);
  memcpy(&function, &address, sizeof address);
  assert_int_equal(function(), 42);
}

static void open_both_ways(const struct jr_bytes *bytes) {
  struct jr_image image;
  expect_ok(jr_image_open(bytes->data, bytes->size, -1, true, &image));
  check_image(&image, true);
  jr_image_close(&image);
  assert_null(image.data);
  expect_ok(jr_image_open(bytes->data, bytes->size, -1, false, &image));
  check_image(&image, false);
  jr_image_close(&image);
  jr_image_close(&image);
}

static void test_object(void **state) {
  (void)state;
  struct jr_bytes bytes = build_image(native_target(), NULL, "");
  assert_int_equal(jr_content_kind(bytes.data, bytes.size), JR_CONTENT_OBJECT);
  open_both_ways(&bytes);
  jr_bytes_deinit(&bytes);
}

static void test_shared(void **state) {
  (void)state;
  static const char *const flags[] = {"-shared", "-shared -s -z pack-relative-"
                                                 "relocs --hash-style=gnu"};
  for (size_t i = 0; i < 2; i++) {
    struct jr_bytes bytes = build_image(native_target(), flags[i], "");
    assert_int_equal(jr_content_kind(bytes.data, bytes.size),
                     JR_CONTENT_SHARED);
    open_both_ways(&bytes);
    jr_bytes_deinit(&bytes);
  }
}

/// Opens bytes as those of a file, which goes away.
static jitrun_error_t *open_file(const struct jr_bytes *bytes,
                                 struct jr_image *out_image) {
  struct jr_file_map map;
  char path[] = "/tmp/jitrun-test-XXXXXX";
  int file = mkstemp(path);
  assert_true(file >= 0);
  assert_true(write(file, bytes->data, bytes->size) == (ssize_t)bytes->size);
  (void)close(file);
  expect_ok(jr_file_map_open(path, &map));
  jitrun_error_t *error =
      jr_image_open(map.data, map.size, map.descriptor, true, out_image);
  jr_file_map_close(&map);
  (void)unlink(path);
  return error;
}

/// From a file, by its descriptor, which the caller may close.
static void test_descriptor(void **state) {
  (void)state;
  struct jr_bytes bytes = build_image(native_target(), "-shared", "");
  struct jr_image image;
  expect_ok(open_file(&bytes, &image));
  check_image(&image, true);
  jr_image_close(&image);
  jr_bytes_deinit(&bytes);
}

static bool is_settled(const struct jr_bytes *bytes) {
  struct jr_elf elf;
  struct jr_elf_symbol symbol;
  struct jr_table_header header;
  expect_ok(jr_elf_open(bytes->data, bytes->size, &elf));
  expect_ok(jr_elf_find_prefix(&elf, JR_IMAGE_SYMBOL_PREFIX, &symbol));
  memcpy(&header, bytes->data + symbol.file_offset, sizeof header);
  return header.flags & JR_TABLE_SETTLED;
}

/// Whether an address is in a mapping of a file that was removed.
static bool is_of_file(const void *address) {
  FILE *maps = fopen("/proc/self/maps", "r");
  char line[512];
  bool is_found = false;
  if (!maps)
    return false;
  while (!is_found && fgets(line, sizeof line, maps)) {
    char *rest;
    uintptr_t start = strtoull(line, &rest, 16);
    uintptr_t end = strtoull(rest + 1, NULL, 16);
    is_found = start <= (uintptr_t)address && (uintptr_t)address < end &&
               strstr(line, "/tmp/jitrun-test-");
  }
  (void)fclose(maps);
  return is_found;
}

/// An object of code that calls a function from outside, refers to a constant
/// and can be unwound; settled if it can be. `extra` comes last.
static struct jr_bytes build_settled(const char *extra) {
  struct jr_bytes text = write_assembly(
      ".cfi_startproc\n subq $8, %rsp\n.cfi_def_cfa_offset 16\n"
      " leaq number(%rip), %rdi\n movq %rdi, %rsi\n movl $4, %edx\n"
      " call memcmp@PLT\n addl number(%rip), %eax\n addq $8, %rsp\n ret\n"
      ".cfi_endproc\n.section .rodata.cst4,\"aM\",@progbits,4\n"
      "number: .long 42\n",
      extra);
  struct jr_bytes bytes =
      build_file("in.s", jr_bytes_text(&text), X86_64, NULL);
  jr_bytes_deinit(&text);
  jr_image_settle(bytes.data, bytes.size);
  expect_ok(jr_image_seal(bytes.data, bytes.size));
  return bytes;
}

/// A settled object is used as it is in its file; in memory, it is loaded as
/// others are.
static void test_settled(void **state) {
  (void)state;
  if (jr_cpu_machine() != EM_X86_64)
    skip();
  struct jr_bytes bytes = build_settled("");
  struct jr_image image;
  unsigned char *copy = malloc(bytes.size);
  assert_non_null(copy);
  memcpy(copy, bytes.data, bytes.size);
  assert_true(is_settled(&bytes));
  jr_image_settle(bytes.data, bytes.size);
  assert_memory_equal(bytes.data, copy, bytes.size);
  open_both_ways(&bytes);
  expect_ok(open_file(&bytes, &image));
  assert_true(is_of_file(image.data));
  check_image(&image, true);
  jr_image_close(&image);
  free(copy);
  jr_bytes_deinit(&bytes);
}

/// What needs more than a mapping is loaded as before.
static void test_not_settled(void **state) {
  (void)state;
  static const struct {
    const char *extra, *problem;
  } cases[] = {
      {".data\n.quad 7\n", NULL},
      {".bss\n.zero 7\n", NULL},
      {".section .rodata.a,\"a\"\n.quad entry\n", NULL},
      {".text\n movq memcpy@GOTPCREL(%rip), %rax\n", NULL},
      {".weak memset\n.text\n call memset@PLT\n", NULL},
      {".section .rodata.b,\"a\"\n.quad memset - .\n", NULL},
      {".text\n jmp fixed\n.globl fixed\nfixed = 42\n", "does not reach"},
      {".section .rodata.c,\"a\"\n.p2align 13\n.quad 7\n", "than 4096"}};
  if (jr_cpu_machine() != EM_X86_64)
    skip();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct jr_bytes bytes = build_settled(cases[i].extra);
    struct jr_image image;
    assert_false(is_settled(&bytes));
    jitrun_error_t *error = open_file(&bytes, &image);
    jr_bytes_deinit(&bytes);
    if (cases[i].problem) {
      expect_error(error, jitrun_error_code(error), cases[i].problem);
      continue;
    }
    expect_ok(error);
    assert_false(is_of_file(image.data));
    check_image(&image, true);
    jr_image_close(&image);
  }
  struct jr_bytes bytes = build_settled(".text\n call missing_a@PLT\n");
  struct jr_image image;
  assert_true(is_settled(&bytes));
  expect_error(open_file(&bytes, &image), JITRUN_NOT_FOUND, "'missing_a'");
  jr_bytes_deinit(&bytes);
}

/// A damaged one that was sealed again is mapped, or loaded, or an error.
static void test_settled_damage(void **state) {
  (void)state;
  if (jr_cpu_machine() != EM_X86_64)
    skip();
  struct jr_bytes bytes = build_settled("");
  for (size_t k = 0; k < bytes.size; k++) {
    struct jr_image image;
    struct jr_table table;
    bytes.data[k] ^= 0xff;
    jitrun_error_free(jr_image_seal(bytes.data, bytes.size));
    jitrun_error_t *error = open_file(&bytes, &image);
    if (!error)
      error = jr_table_check(image.data, image.size_bytes, &table);
    if (!error)
      jr_table_close(&table);
    jitrun_error_free(error);
    jr_image_close(&image);
    bytes.data[k] ^= 0xff;
  }
  jr_bytes_deinit(&bytes);
}

/// Libraries that are opened one after the other, and at once, are not taken
/// for each other, though the loader sees names that come again.
static void test_two_libraries(void **state) {
  (void)state;
  struct jr_bytes first = build_image(native_target(), "-shared", "");
  struct jr_bytes second =
      build_image(native_target(), "-shared", ".data\n.quad 7\n");
  struct jr_image images[3];
  struct jr_table_header *header;
  expect_ok(jr_image_open(first.data, first.size, -1, true, &images[0]));
  expect_ok(jr_image_open(second.data, second.size, -1, true, &images[1]));
  assert_ptr_not_equal(images[0].data, images[1].data);
  header = (struct jr_table_header *)images[0].data;
  struct jr_table_header copy = *header;
  jr_image_close(&images[0]);
  expect_ok(jr_image_open(second.data, second.size, -1, true, &images[2]));
  header = (struct jr_table_header *)images[2].data;
  assert_memory_not_equal(header->hash, copy.hash, sizeof copy.hash);
  check_image(&images[2], true);
  jr_image_close(&images[1]);
  jr_image_close(&images[2]);
  jr_bytes_deinit(&first);
  jr_bytes_deinit(&second);
}

/// A bare table has no code, whatever its bytes say.
static void test_table(void **state) {
  (void)state;
  struct jr_bytes bytes = build_table();
  struct jr_image image;
  assert_int_equal(jr_content_kind(bytes.data, bytes.size), JR_CONTENT_TABLE);
  expect_error(jr_image_open(bytes.data, bytes.size, -1, true, &image),
               JITRUN_DATA_LOSS, "was not finished");
  bytes.data[bytes.size - 8] = 0x55; // a code offset
  expect_ok(jr_image_seal(bytes.data, bytes.size));
  expect_ok(jr_image_open(bytes.data, bytes.size, -1, true, &image));
  check_image(&image, false);
  jr_image_close(&image);
  // from an address that is not aligned
  unsigned char *moved = malloc(bytes.size + 1);
  assert_non_null(moved);
  memcpy(moved + 1, bytes.data, bytes.size);
  expect_ok(jr_image_open(moved + 1, bytes.size, -1, false, &image));
  check_image(&image, false);
  jr_image_close(&image);
  free(moved);
  jr_bytes_deinit(&bytes);
}

/// Files for another machine give their table, not their code.
static void test_foreign(void **state) {
  (void)state;
  static const char *const flags[] = {NULL, "-shared"};
  for (size_t i = 0; i < 2; i++) {
    struct jr_bytes bytes = build_image(foreign_target(), flags[i], "");
    struct jr_image image;
    expect_ok(jr_image_open(bytes.data, bytes.size, -1, true, &image));
    expect_error(jr_image_activate(&image), JITRUN_FAILED_PRECONDITION,
                 "the file has code for another machine");
    jr_image_close(&image);
    expect_ok(jr_image_open(bytes.data, bytes.size, -1, false, &image));
    check_image(&image, false);
    jr_image_close(&image);
    jr_bytes_deinit(&bytes);
  }
}

static void test_kinds(void **state) {
  (void)state;
  struct jr_image image;
  unsigned char bytes[] = {'M', 'L', 0xef, 'R', 13};
  unsigned char text[] = "func.func @main()";
  unsigned char elf[] = {0x7f, 'E', 'L', 'F'};
  assert_int_equal(jr_content_kind("", 0), JR_CONTENT_MLIR);
  assert_int_equal(jr_content_kind(text, sizeof text), JR_CONTENT_MLIR);
  assert_int_equal(jr_content_kind(bytes, sizeof bytes), JR_CONTENT_BYTECODE);
  assert_int_equal(jr_content_kind(bytes, 3), JR_CONTENT_MLIR);
  assert_int_equal(jr_content_kind(elf, sizeof elf), JR_CONTENT_OBJECT);
  expect_error(jr_image_open(text, sizeof text, -1, true, &image),
               JITRUN_INVALID_ARGUMENT, "not an image");
  expect_error(jr_image_open(elf, sizeof elf, -1, true, &image),
               JITRUN_DATA_LOSS, "too few");
  expect_error(jr_image_seal(text, sizeof text), JITRUN_INVALID_ARGUMENT,
               "not an image");
}

static void refuse(const char *link_flags, const char *extra,
                   jitrun_code_t code, const char *part) {
  struct jr_bytes bytes = build_image(native_target(), link_flags, extra);
  struct jr_image image;
  jitrun_error_t *err = jr_image_open(bytes.data, bytes.size, -1, true, &image);
  assert_true((err == NULL) == (image.data != NULL));
  expect_error(err ? err : jr_image_activate(&image), code, part);
  jr_image_close(&image);
  jr_bytes_deinit(&bytes);
}

static void test_refused(void **state) {
  (void)state;
  refuse(NULL, ".data\n.quad missing_a, missing_b\n", JITRUN_NOT_FOUND,
         "2 undefined symbols: 'missing_a', 'missing_b'");
  refuse("-shared --unresolved-symbols=ignore-all", ".data\n.quad missing_a\n",
         JITRUN_NOT_FOUND, "missing_a");
  refuse("-shared", ".hidden jitrun_image_test\n", JITRUN_NOT_FOUND,
         "does not export 'jitrun_image_test'");
  refuse("-shared -z execstack", "", JITRUN_DATA_LOSS, "executable");
  refuse("-pie -e 0", "", JITRUN_NOT_FOUND, "cannot open library");
}

static void test_symbols(void **state) {
  (void)state;
  struct jr_bytes bytes = {0};
  bytes = build_file("in.s",
                     ".globl jitrun_image_x\n.data\njitrun_image_x:\n"
                     ".zero 1000\n",
                     native_target(), NULL);
  expect_error(jr_image_seal(bytes.data, bytes.size), JITRUN_DATA_LOSS,
               "no valid header");
  jr_bytes_deinit(&bytes);
  bytes = build_file("in.s",
                     ".globl jitrun_image_x\n.bss\njitrun_image_x:\n"
                     ".zero 1000\n",
                     native_target(), NULL);
  expect_error(jr_image_seal(bytes.data, bytes.size), JITRUN_DATA_LOSS,
               "outside of the file");
  jr_bytes_deinit(&bytes);
  bytes = build_file("in.s", ".globl f\nf:\n", native_target(), NULL);
  expect_error(jr_image_seal(bytes.data, bytes.size), JITRUN_NOT_FOUND,
               "jitrun compile");
  jr_bytes_deinit(&bytes);
}

static void expect_damage(const struct jr_bytes *bytes) {
  struct jr_image image;
  jitrun_error_t *err =
      jr_image_open(bytes->data, bytes->size, -1, true, &image);
  assert_non_null(err);
  assert_null(image.data);
  jitrun_error_free(err);
}

/// Every changed byte is noticed, before anything is loaded.
static void test_damage(void **state) {
  (void)state;
  static const char *const flags[] = {NULL, "-shared"};
  for (size_t i = 0; i < 2; i++) {
    struct jr_bytes bytes = build_image(native_target(), flags[i], "");
    size_t size = bytes.size;
    for (size_t k = 0; k < size; k += k < 4096 ? 1 : 61) {
      bytes.data[k] ^= 0xff;
      expect_damage(&bytes);
      bytes.data[k] ^= 0xff;
    }
    for (size_t cut = 0; cut < size; cut += 64) {
      bytes.size = cut;
      expect_damage(&bytes);
    }
    bytes.size = size;
    open_both_ways(&bytes);
    jr_bytes_deinit(&bytes);
  }
}

/// The table of a damaged file that was sealed again can be taken out, or not,
/// but never with harm; so can an object be loaded.
static void test_sealed_damage(void **state) {
  (void)state;
  static const char *const flags[] = {NULL, "-shared"};
  for (size_t i = 0; i < 2; i++) {
    struct jr_bytes bytes = build_image(native_target(), flags[i], "");
    for (size_t k = 0; k < bytes.size; k += k < 4096 ? 1 : 61) {
      struct jr_image image;
      struct jr_table table;
      unsigned char *copy = malloc(bytes.size);
      assert_non_null(copy);
      memcpy(copy, bytes.data, bytes.size);
      copy[k] ^= 0xff;
      jitrun_error_free(jr_image_seal(copy, bytes.size));
      jitrun_error_t *err =
          jr_image_open(copy, bytes.size, -1, k % 2 && !flags[i], &image);
      if (!err)
        jitrun_error_free(jr_table_check(image.data, image.size_bytes, &table));
      if (!err)
        jr_table_close(&table);
      jitrun_error_free(err);
      jr_image_close(&image);
      free(copy);
    }
    jr_bytes_deinit(&bytes);
  }
}

static void open_once(void *context) {
  const struct jr_bytes *bytes = context;
  for (int with_code = 0; with_code < 2; with_code++) {
    struct jr_image image;
    jitrun_error_t *err =
        jr_image_open(bytes->data, bytes->size, -1, with_code, &image);
    assert_true((err == NULL) == (image.data != NULL));
    if (err)
      expect_error(err, JITRUN_RESOURCE_EXHAUSTED, "out of memory");
    jr_image_close(&image);
  }
}

static void open_file_once(void *context) {
  struct jr_image image;
  jitrun_error_t *error = open_file(context, &image);
  if (error)
    expect_error(error, JITRUN_RESOURCE_EXHAUSTED, "out of memory");
  jr_image_close(&image);
}

static void test_memory(void **state) {
  (void)state;
  struct jr_bytes object = build_image(native_target(), NULL, "");
  struct jr_bytes shared = build_image(native_target(), "-shared", "");
  sweep_allocations(open_once, &object);
  sweep_allocations(open_once, &shared);
  if (jr_cpu_machine() == EM_X86_64) {
    struct jr_bytes settled = build_settled("");
    sweep_allocations(open_file_once, &settled);
    jr_bytes_deinit(&settled);
  }
  jr_bytes_deinit(&object);
  jr_bytes_deinit(&shared);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_object),
      cmocka_unit_test(test_shared),
      cmocka_unit_test(test_descriptor),
      cmocka_unit_test(test_settled),
      cmocka_unit_test(test_not_settled),
      cmocka_unit_test(test_settled_damage),
      cmocka_unit_test(test_two_libraries),
      cmocka_unit_test(test_table),
      cmocka_unit_test(test_foreign),
      cmocka_unit_test(test_kinds),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_symbols),
      cmocka_unit_test(test_damage),
      cmocka_unit_test(test_sealed_damage),
      cmocka_unit_test(test_memory),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
