/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Errors: what they keep, the NULL rules, and making them without memory.
#include "expect.h"

#include "base/error.h"

#include <stdint.h>
#include <string.h>

static void test_message(void **state) {
  (void)state;
  jitrun_error_t *err = jr_error(JITRUN_NOT_FOUND, "no '%s' in %d", "x", 3);
  assert_int_equal(jr_error_live_count(), 1);
  assert_int_equal(jitrun_error_code(err), JITRUN_NOT_FOUND);
  assert_string_equal(jitrun_error_message(err), "no 'x' in 3");
  assert_null(jitrun_error_location(err));
  assert_int_equal(jitrun_error_note_count(err), 0);
  assert_null(jitrun_error_note_get(err, 0));
  jitrun_error_free(err);
  assert_int_equal(jr_error_live_count(), 0);
}

static void test_long_message(void **state) {
  (void)state;
  jitrun_error_t *err = jr_error(JITRUN_INTERNAL, "%05000d", 7);
  assert_int_equal(strlen(jitrun_error_message(err)), 5000);
  jitrun_error_free(err);
}

static void test_text(void **state) {
  (void)state;
  expect_error(jr_error_text(JITRUN_ABORTED, "abcdef", 3), JITRUN_ABORTED,
               "abc");
  jitrun_error_t *err = jr_error_text(JITRUN_ABORTED, "abcdef", 3);
  assert_string_equal(jitrun_error_message(err), "abc");
  jitrun_error_free(err);
  err = jr_error_text(JITRUN_ABORTED, NULL, 12);
  assert_string_equal(jitrun_error_message(err), "");
  jitrun_error_free(err);
}

static void test_bad_codes(void **state) {
  (void)state;
  expect_error(jr_error(JITRUN_OK, "a"), JITRUN_UNKNOWN, "a");
  expect_error(jr_error((jitrun_code_t)17, "b"), JITRUN_UNKNOWN, "b");
  expect_error(jr_error((jitrun_code_t)-1, "c"), JITRUN_UNKNOWN, "c");
}

static void test_notes(void **state) {
  (void)state;
  jitrun_error_t *err = jr_error(JITRUN_DATA_LOSS, "bad");
  err = jr_error_note(err, "while reading %s", "a");
  err = jr_error_note(err, "while opening %s", "b");
  assert_int_equal(jitrun_error_note_count(err), 2);
  assert_string_equal(jitrun_error_note_get(err, 0), "while reading a");
  assert_string_equal(jitrun_error_note_get(err, 1), "while opening b");
  assert_null(jitrun_error_note_get(err, 2));
  assert_string_equal(jitrun_error_message(err), "bad");
  jitrun_error_free(err);
}

static void test_location(void **state) {
  (void)state;
  jitrun_error_t *err = jr_error(JITRUN_INVALID_ARGUMENT, "bad");
  err = jr_error_at(err, NULL, 1, 2);
  assert_null(jitrun_error_location(err));
  err = jr_error_at(err, "f.mlir", UINT32_MAX, UINT32_MAX);
  assert_string_equal(jitrun_error_location(err),
                      "f.mlir:4294967295:4294967295");
  err = jr_error_at(err, "other", 1, 1); // the first one stays
  assert_string_equal(jitrun_error_location(err),
                      "f.mlir:4294967295:4294967295");
  jitrun_error_free(err);
  err = jr_error_at(jr_error(JITRUN_UNKNOWN, "x"), "named", 0, 9);
  assert_string_equal(jitrun_error_location(err), "named");
  jitrun_error_free(err);
}

static void test_null(void **state) {
  (void)state;
  jitrun_error_free(NULL);
  assert_int_equal(jitrun_error_code(NULL), JITRUN_OK);
  assert_string_equal(jitrun_error_message(NULL), "");
  assert_null(jitrun_error_location(NULL));
  assert_int_equal(jitrun_error_note_count(NULL), 0);
  assert_null(jitrun_error_note_get(NULL, 0));
  assert_null(jr_error_note(NULL, "while %d", 1));
  assert_null(jr_error_at(NULL, "f", 1, 1));
}

static void test_no_memory(void **state) {
  (void)state;
  jitrun_error_t *err = jr_error_no_memory();
  assert_ptr_equal(err, jr_error_no_memory());
  assert_int_equal(jitrun_error_code(err), JITRUN_RESOURCE_EXHAUSTED);
  assert_string_equal(jitrun_error_message(err), "out of memory");
  assert_ptr_equal(jr_error_note(err, "while dying"), err);
  assert_ptr_equal(jr_error_at(err, "f", 1, 1), err);
  assert_int_equal(jitrun_error_note_count(err), 0);
  assert_null(jitrun_error_location(err));
  jitrun_error_free(err);
  jitrun_error_free(err);
  assert_int_equal(jr_error_live_count(), 0);
}

static void make_full_error(void *context) {
  (void)context;
  jitrun_error_t *err = jr_error(JITRUN_NOT_FOUND, "no %s", "x");
  assert_non_null(err);
  err = jr_error_at(err, "f", 1, 1);
  err = jr_error_note(err, "while one");
  err = jr_error_note(err, "while two");
  jitrun_code_t code = jitrun_error_code(err);
  assert_true(code == JITRUN_NOT_FOUND || code == JITRUN_RESOURCE_EXHAUSTED);
  for (size_t i = 0; i < jitrun_error_note_count(err); i++)
    assert_non_null(jitrun_error_note_get(err, i));
  jitrun_error_free(err);
  assert_int_equal(jr_error_live_count(), 0);
}

static void test_sweep(void **state) {
  (void)state;
  sweep_allocations(make_full_error, NULL);
}

static jitrun_error_t *fail_if(bool wanted) {
  return wanted ? jr_error(JITRUN_ABORTED, "as asked") : NULL;
}

static jitrun_error_t *try_both(bool wanted) {
  JITRUN_TRY(fail_if(false));
  JITRUN_TRY(fail_if(wanted));
  return NULL;
}

static void test_try(void **state) {
  (void)state;
  expect_ok(try_both(false));
  expect_error(try_both(true), JITRUN_ABORTED, "as asked");
}

static void test_copy(void **state) {
  (void)state;
  jitrun_error_t *error = jr_error(JITRUN_DATA_LOSS, "lost %d", 3);
  error = jr_error_note(jr_error_at(error, "a.mlir", 1, 2), "while testing");
  jitrun_error_t *copy = jr_error_copy(error);
  jitrun_error_free(error);
  assert_string_equal(jitrun_error_location(copy), "a.mlir:1:2");
  assert_int_equal(jitrun_error_note_count(copy), 1);
  assert_string_equal(jitrun_error_note_get(copy, 0), "while testing");
  expect_error(copy, JITRUN_DATA_LOSS, "lost 3");
  expect_ok(jr_error_copy(NULL));
  expect_error(jr_error_copy(jr_error_no_memory()), JITRUN_RESOURCE_EXHAUSTED,
               "out of memory");
}

/// No code says that an error follows from another: any handler gives any code.
static void test_follow(void **state) {
  (void)state;
  jitrun_error_t *error = jr_error(JITRUN_ABORTED, "first");
  assert_false(jr_error_follows(error));
  jitrun_error_t *copy = jr_error_copy(error);
  assert_false(jr_error_follows(copy));
  jitrun_error_free(copy);
  error = jr_error_note(jr_error_follow(error), "while testing");
  copy = jr_error_copy(error);
  assert_true(jr_error_follows(error));
  assert_true(jr_error_follows(copy));
  jitrun_error_free(error);
  expect_error(copy, JITRUN_ABORTED, "first");
  assert_false(jr_error_follows(jr_error_follow(jr_error_no_memory())));
}

static void test_code_names(void **state) {
  (void)state;
  assert_string_equal(jitrun_code_name(JITRUN_OK), "OK");
  assert_string_equal(jitrun_code_name(JITRUN_RESOURCE_EXHAUSTED),
                      "RESOURCE_EXHAUSTED");
  assert_string_equal(jitrun_code_name(JITRUN_UNAUTHENTICATED),
                      "UNAUTHENTICATED");
  assert_string_equal(jitrun_code_name((jitrun_code_t)17), "UNKNOWN");
  assert_string_equal(jitrun_code_name((jitrun_code_t)-1), "UNKNOWN");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_message),    cmocka_unit_test(test_long_message),
      cmocka_unit_test(test_text),       cmocka_unit_test(test_bad_codes),
      cmocka_unit_test(test_notes),      cmocka_unit_test(test_location),
      cmocka_unit_test(test_null),       cmocka_unit_test(test_no_memory),
      cmocka_unit_test(test_sweep),      cmocka_unit_test(test_try),
      cmocka_unit_test(test_follow),     cmocka_unit_test(test_copy),
      cmocka_unit_test(test_code_names),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
