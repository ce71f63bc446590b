/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Signatures of functions that jitrun did not compile: what is read, and each
/// error with its column.
#include "expect.h"

#include "jitrun/types.h"
#include "runtime/foreign_signature.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct jr_foreign_signature signature;

static void parse(const char *text) {
  expect_ok(jr_foreign_parse(text, &signature));
}

static void expect_text(struct jr_foreign_text part, const char *expected) {
  assert_int_equal(part.size, strlen(expected));
  assert_memory_equal(part.text, expected, part.size);
}

static void test_types(void **state) {
  (void)state;
  parse(" main ( memref<2x?x0xf32>,i32, memref<complex<f64>>,"
        "memref<?x4xi8, strided<[?, 1], offset: ?>> ) -> index ");
  expect_text(signature.name, "main");
  assert_int_equal(signature.param_count, 4);
  const struct jr_foreign_type *params = signature.params;
  assert_true(params[0].is_memref);
  assert_int_equal(params[0].rank, 3);
  assert_int_equal(params[0].dims[0], 2);
  assert_int_equal(params[0].dims[1], JITRUN_DYNAMIC);
  assert_int_equal(params[0].dims[2], 0);
  expect_text(params[0].element, "f32");
  assert_false(params[1].is_memref);
  expect_text(params[1].element, "i32");
  assert_int_equal(params[2].rank, 0);
  expect_text(params[2].element, "complex<f64>");
  expect_text(params[3].layout, "strided<[?, 1], offset: ?>");
  assert_int_equal(signature.result_count, 1);
  expect_text(signature.results[0].element, "index");
}

static void test_results(void **state) {
  (void)state;
  parse("_f-2.x$()");
  expect_text(signature.name, "_f-2.x$");
  assert_int_equal(signature.param_count + signature.result_count, 0);
  parse("f()->()");
  assert_int_equal(signature.result_count, 0);
  parse("f()->(i1,memref<f32, strided<[]>>)");
  assert_int_equal(signature.result_count, 2);
  expect_text(signature.results[1].layout, "strided<[]>");
}

static void test_errors(void **state) {
  (void)state;
  static const struct {
    const char *text, *expected;
  } rows[] = {
      {"", "column 1: expected the name of a function"},
      {"2f()", "column 1: expected the name of a function"},
      {"f", "column 2: expected '('"},
      {"f(", "column 3: expected a type: memref<...>, index"},
      {"f(i32", "column 6: expected ',' or ')'"},
      {"f(i32,)", "column 7: expected a type"},
      {"f(i33)", "column 3: expected a type"},
      {"f(tensor<2xf32>)", "column 3: expected a memref: compiled functions"},
      {"f(memref)", "column 9: expected '<'"},
      {"f(memref<*xf32>)", "column 10: expected sizes: a memref whose rank"},
      {"f(memref<2f32>)", "column 11: expected 'x' and the next size"},
      {"f(memref<2xf99>)", "column 12: expected an element type"},
      {"f(memref<complex<i32>>)", "column 18: expected f32 or f64"},
      {"f(memref<99999999999999999999xf32>)", "expected a number below 2^63"},
      {"f(memref<16777216x16777217xf32>)", "expected at most 2^48 elements"},
      {"f(memref<2xf32, affine>)", "column 17: expected 'strided<[...]>'"},
      {"f(memref<2xf32, strided<[1, 2]>>)", "as many strides as there are"},
      {"f(memref<2xf32, strided<[1], off: 2>>)", "column 30: expected 'off"},
      {"f(memref<2xf32)", "column 15: expected ',' or '>'"},
      {"f() -> ", "column 8: expected a type"},
      {"f() -> (i32", "column 12: expected ',' or ')'"},
      {"f() i32", "column 5: expected '->', or the end"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    expect_error(jr_foreign_parse(rows[i].text, &signature),
                 JITRUN_INVALID_ARGUMENT, rows[i].expected);
}

/// The mark stands under the place, in long texts too.
static void test_mark(void **state) {
  (void)state;
  char text[300];
  (void)snprintf(text, sizeof text, "f(%*smemref<2xf99>, i32)", 200, "");
  jitrun_error_t *error = jr_foreign_parse(text, &signature);
  assert_non_null(error);
  assert_int_equal(jitrun_error_note_count(error), 2);
  const char *line = jitrun_error_note_get(error, 0);
  const char *mark = strchr(jitrun_error_note_get(error, 1), '^');
  assert_non_null(mark);
  size_t column = (size_t)(mark - jitrun_error_note_get(error, 1));
  assert_memory_equal(line + column, "f99", 3);
  jitrun_error_free(error);
}

/// `start`, then `part` so many times.
static void write_repeated(char *text, const char *start, const char *part,
                           int count) {
  size_t size = strlen(start);
  memcpy(text, start, size + 1);
  for (int i = 0; i < count; i++) {
    memcpy(text + size, part, strlen(part) + 1);
    size += strlen(part);
  }
}

static void test_limits(void **state) {
  (void)state;
  enum { SIZE = 5000 };
  char *text = calloc(SIZE + 1, 1);
  assert_non_null(text);
  memset(text, 'f', SIZE);
  expect_error(jr_foreign_parse(text, &signature), JITRUN_INVALID_ARGUMENT,
               "over 4096 characters");
  text[300] = '\0';
  expect_error(jr_foreign_parse(text, &signature), JITRUN_INVALID_ARGUMENT,
               "at most 200 characters");
  write_repeated(text, "f(i1", ",i1", 64);
  expect_error(jr_foreign_parse(text, &signature), JITRUN_INVALID_ARGUMENT,
               "at most 64 types");
  write_repeated(text, "f(memref<", "1x", 33);
  expect_error(jr_foreign_parse(text, &signature), JITRUN_INVALID_ARGUMENT,
               "at most 32 sizes");
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_types), cmocka_unit_test(test_results),
      cmocka_unit_test(test_errors), cmocka_unit_test(test_mark),
      cmocka_unit_test(test_limits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
