/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The look at a program before MLIR reads it: what is let through, and what is
/// refused where.
#include "jit/guard.h"

#include "expect.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROOM = 1 << 16 };

/// `open` so many times, then `close`.
static void repeat(char *text, const char *open, const char *close,
                   size_t count) {
  *text = '\0';
  char *end = text;
  for (size_t i = 0; i < count; i++)
    end = stpcpy(end, open);
  for (size_t i = 0; i < count; i++)
    end = stpcpy(end, close);
}

static void expect_taken(const char *text) {
  jitrun_error_t *error = jr_guard_text(text, strlen(text), "x");
  if (error)
    print_message("%s\n", jitrun_error_message(error));
  assert_null(error);
}

static void expect_refused(const char *text, const char *at,
                           const char *message) {
  jitrun_error_t *error = jr_guard_text(text, strlen(text), "x");
  assert_non_null(error);
  assert_string_equal(jitrun_error_message(error), message);
  assert_string_equal(jitrun_error_location(error), at);
  jitrun_error_free(error);
}

static void test_depth(void **state) {
  static const char deep[] = "brackets are nested more than 500 deep";
  static char text[ROOM];
  (void)state;
  repeat(text, "(", ")", 500);
  expect_taken(text);
  repeat(text, "(", ")", 501);
  expect_refused(text, "x:1:501", deep);
  repeat(text, "a<\n", "> ", 501);
  expect_refused(text, "x:501:2", deep);
  repeat(text, "[{(<", ">)}]", 126);
  expect_refused(text, "x:1:501", deep);
}

/// Many brackets side by side, and what looks like one.
static void test_flat(void **state) {
  static char text[ROOM];
  (void)state;
  repeat(text, "(<>) -> ", " >= < > ", 900);
  expect_taken(text);
  repeat(text, "a <= b ", ")", 900);
  expect_taken(text);
  repeat(text, "\"((\" ", "// (((\n", 900);
  expect_taken(text);
  repeat(text, "{a < b}\n", "", 900);
  expect_taken(text);
  expect_taken("\"no end \\");
  expect_taken("/");
  expect_taken("");
  expect_taken("<");
}

static void test_parts(void **state) {
  static const char long_text[] = "an expression or shape of over 1000 parts";
  static char text[ROOM];
  (void)state;
  repeat(text, "-", "", 1000);
  expect_taken(text);
  repeat(text, "-", "", 1001);
  expect_refused(text, "x:1:1001", long_text);
  repeat(text, "d0 +\n", "", 1001);
  expect_refused(text, "x:1001:4", long_text);
  repeat(text, "-1, ", "(-1) ", 1500);
  expect_taken(text);
}

static void test_words(void **state) {
  static const char long_text[] = "a number or shape of over 1000 characters";
  static char text[ROOM];
  (void)state;
  repeat(text, "1x", "", 500);
  expect_taken(text);
  repeat(text, "1x", "", 501);
  expect_refused(text, "x:1:1", long_text);
  repeat(text, "name", "", 900);
  expect_taken(text);
  repeat(text, "12 ", "", 900);
  expect_taken(text);
}

static void test_array(void **state) {
  static const char what[] =
      "array<index: ...> is no attribute of MLIR; give array<i64: ...>";
  (void)state;
  expect_refused("array<index: 1>", "x:1:6", what);
  expect_refused("a =\n array\n < index", "x:3:2", what);
  expect_taken("array<i64: 1>");
  expect_taken("array<");
  expect_taken("rray<index>");
}

static void expect_damaged(const void *data, size_t size, const char *message) {
  jitrun_error_t *error = jr_guard_bytecode(data, size, "x");
  assert_non_null(error);
  assert_string_equal(jitrun_error_message(error), message);
  jitrun_error_free(error);
}

#define BYTES(text) text, sizeof(text) - 1

static void test_bytecode(void **state) {
  (void)state;
  expect_damaged(BYTES("ML\xefR"),
                 "the bytecode is damaged: it ends before its version");
  expect_damaged(BYTES("ML\xefR\x0f"),
                 "bytecode of version 7 cannot be read, only up to 6; write it "
                 "with mlir-opt --emit-bytecode-version=6");
  expect_damaged(BYTES("ML\xefR\x0d"
                       "abc"),
                 "the bytecode is damaged: it ends before its first section");
  expect_damaged(BYTES("ML\xefR\x0d\0\x01"),
                 "the bytecode is damaged: it ends within a section's head");
  expect_damaged(BYTES("ML\xefR\x0d\0\x0c\x01"),
                 "the bytecode is damaged: a section is unknown, or there "
                 "twice");
  expect_damaged(BYTES("ML\xefR\x0d\0\x04\x05z"),
                 "the bytecode is damaged: a section is longer than the file");
  expect_damaged(BYTES("ML\xefR\x0d\0\x84\x03\x07z"),
                 "the bytecode is damaged: a section is aligned to no power of "
                 "two");
  /* Two bytes of strings that say to be 2^56 - 1. */
  expect_damaged(BYTES("ML\xefR\x0d\0\x00\x13\0\xff\xff\xff\xff\xff\xff\xff"
                       "\0"),
                 "the bytecode is damaged: a section counts more than it can "
                 "hold");
  expect_damaged(BYTES("ML\xefR\x0d\0\x08\x05\x7f\x01"),
                 "the bytecode is damaged: a section counts more than it can "
                 "hold");
  assert_null(jr_guard_bytecode(BYTES("ML\xefR\x0d\0\x00\x03\x01"), "x"));
  /* A string of nothing, not even its NUL; and one without a size. */
  expect_damaged(BYTES("ML\xefR\x0d\0\x00\x05\x03\x01"),
                 "the bytecode is damaged: a string has no end");
  expect_damaged(BYTES("ML\xefR\x0d\0\x00\x05\x03\x02"),
                 "the bytecode is damaged: the sizes of strings are cut off");
}

static char *put(char *at, const void *data, size_t size) {
  memcpy(at, data, size);
  return at + size;
}

/// Bytecode with one attribute, and the types 0 and 1. A number n below 64 is
/// the byte 2n + 1.
static void expect_item(bool is_text, const char *attribute, size_t size,
                        const char *type, size_t type_size,
                        const char *message) {
  char bytecode[256];
  char *at = put(bytecode, BYTES("ML\xefR\x0d\0\x00\x15\x03\x11"
                                 "builtin\0"));
  at = put(at, BYTES("\x01\x07\x03\x01\x01\x03\x13"));
  const char sizes[] = {3,
                        5,
                        1,
                        3,
                        (char)(4 * size + (is_text ? 1 : 3)),
                        1,
                        5,
                        7,
                        (char)(4 * type_size + 3)};
  at = put(at, sizes, sizeof sizes);
  *at++ = 2;
  *at++ = (char)(2 * (size + 1 + type_size) + 1);
  at = put(at, attribute, size);
  at = put(at, "\x0b", 1); // f32
  at = put(at, type, type_size);
  if (message)
    expect_damaged(bytecode, (size_t)(at - bytecode), message);
  else
    assert_null(jr_guard_bytecode(bytecode, (size_t)(at - bytecode), "x"));
}

static void expect_attribute(const char *attribute, size_t size,
                             const char *type, size_t type_size,
                             const char *message) {
  expect_item(false, attribute, size, type, type_size, message);
}

static void test_attributes(void **state) {
  static const char type[] =
      "the bytecode is damaged: it has elements of a type that has none";
  (void)state;
  /* Arrays of f32, of index, of a function's type, of a type that is not
     there. */
  expect_attribute(BYTES("\x23\x01\x03"), BYTES("\x05\x01\x01"), NULL);
  expect_attribute(BYTES("\x23\x03\x03"), BYTES("\x03"), type);
  expect_attribute(BYTES("\x23\x03\x03"), BYTES("\x05\x01\x01"), type);
  expect_attribute(BYTES("\x23\x05\x03"), BYTES("\x05\x01\x01"), type);
  /* tensor<2xf32>, tensor<?xf32>, tensor<2xtensor<...>>, vector<2xf32>. */
  expect_attribute(BYTES("\x25\x03"), BYTES("\x1b\x03\x09\x01"), NULL);
  expect_attribute(BYTES("\x25\x03"), BYTES("\x1b\x03\x07\x01"), type);
  expect_attribute(BYTES("\x25\x03"), BYTES("\x1b\x03\x09\x03"), type);
  expect_attribute(BYTES("\x25\x03"), BYTES("\x27\x03\x09\x01"), NULL);
  expect_attribute(BYTES("\x25\x01"), BYTES("\x27\x03\x09\x01"), type);
  expect_attribute(BYTES("\x27\x03"), BYTES("\x1b\x03\x09\x01"),
                   "the bytecode is damaged: it has elements that are strings, "
                   "or sparse");
  expect_attribute(BYTES("\x11\x27"), BYTES("\x1b\x03\x09\x01"), NULL);
  /* Text is looked at as programs are. */
  expect_item(true, BYTES("array<i8: 1>\0"), BYTES("\x03"), NULL);
  expect_item(true, BYTES("array<index: 1>\0"), BYTES("\x03"),
              "the bytecode is damaged: an attribute or type is text that MLIR "
              "cannot take");
}

/// Bytecode that has nothing but a section of operations.
static size_t make_operations(char *out, const char *data, size_t size) {
  char head[] = "ML\xefR\x0d\0\x04";
  memcpy(out, head, sizeof head - 1);
  out[7] = (char)(size << 2 | 2);
  out[8] = (char)(size >> 6);
  memcpy(out + 9, data, size);
  return size + 9;
}

static void expect_operations(const char *data, size_t size,
                              const char *message) {
  static char bytecode[ROOM];
  size = make_operations(bytecode, data, size);
  if (message)
    expect_damaged(bytecode, size, message);
  else
    assert_null(jr_guard_bytecode(bytecode, size, "x"));
}

/// A number n below 64 is the byte 2n + 1.
static void test_operations(void **state) {
  static const char op_text[] = "the bytecode is damaged: an operation is cut "
                                "off, or counts more than there can be";
  static const char block_text[] = "the bytecode is damaged: a block is cut "
                                   "off, or counts more than there can be";
  (void)state;
  expect_operations(BYTES("\x05\x01\0\x01"), NULL);
  expect_operations(BYTES(""),
                    "the bytecode is damaged: the first block is cut "
                    "off");
  expect_operations(BYTES("\x07\x01\x01\0"),
                    "the bytecode is damaged: the first block has arguments");
  expect_operations(BYTES("\x05\x01\0"), op_text);
  expect_operations(BYTES("\x05\x01\x02\x01\x7f\x01"), op_text);
  expect_operations(BYTES("\x05\x01\x04\x01\x7f\x01"), op_text);
  expect_operations(BYTES("\x05\x01\x08\x01\x7f\x01"), op_text);
  expect_operations(BYTES("\x05\x01\x10\x01\x7d\x01"),
                    "the bytecode is damaged: an operation counts more regions "
                    "than there can be");
  expect_operations(BYTES("\x05\x01\x10\x01\x05\x7f\x01\x01"), block_text);
  expect_operations(BYTES("\x05\x01\x10\x01\x05\x03\x7f\x01"), block_text);
  expect_operations(BYTES("\x05\x01\x10\x01\x05\x03\x01\x03\x7f\x01"),
                    block_text);
  expect_operations(BYTES("\x05\x01\x10\x01\x05\x03\x01\x01"), NULL);
  expect_operations(BYTES("\x05\x01\x10\x01\x07\x01\x03\x01"),
                    "the bytecode is damaged: the section of a region holds "
                    "something else");
}

static void test_operations_nest(void **state) {
  static char text[ROOM];
  static const char level[] = "\x05\x01\x10\x01\x05\x03\x01";
  enum { SIZE = sizeof level - 1 };
  (void)state;
  for (size_t i = 0; i < 501; i++)
    memcpy(text + i * SIZE, level, SIZE);
  text[(size_t)499 * SIZE] = text[(size_t)500 * SIZE] = '\x01';
  expect_operations(text, (size_t)499 * SIZE + 1, NULL);
  text[(size_t)499 * SIZE] = '\x05';
  expect_operations(text, (size_t)500 * SIZE + 1,
                    "the bytecode is damaged: operations are nested more than "
                    "500 deep");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_depth),           cmocka_unit_test(test_flat),
      cmocka_unit_test(test_parts),           cmocka_unit_test(test_words),
      cmocka_unit_test(test_array),           cmocka_unit_test(test_bytecode),
      cmocka_unit_test(test_attributes),      cmocka_unit_test(test_operations),
      cmocka_unit_test(test_operations_nest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
