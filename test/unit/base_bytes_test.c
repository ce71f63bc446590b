/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Growable bytes: content, text, and failing once for all.
#include "expect.h"

#include "base/bytes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void test_append(void **state) {
  (void)state;
  struct jr_bytes bytes = {0};
  for (int i = 0; i < 1000; i++)
    jr_bytes_append(&bytes, "abc", 3);
  jr_bytes_append(&bytes, NULL, 0);
  assert_int_equal(bytes.size, 3000);
  assert_memory_equal(bytes.data + 2997, "abc", 3);
  expect_ok(jr_bytes_check(&bytes));
  jr_bytes_deinit(&bytes);
  assert_null(bytes.data);
  jr_bytes_deinit(&bytes);
}

static void test_format(void **state) {
  (void)state;
  struct jr_bytes bytes = {0};
  jr_bytes_append_text(&bytes, "<");
  jr_bytes_appendf(&bytes, "%d-%s", 12, "x");
  for (int length = 0; length < 300; length++)
    jr_bytes_appendf(&bytes, "%*s|", length, "");
  const char *text = jr_bytes_text(&bytes);
  assert_true(strncmp(text, "<12-x||", 5) == 0);
  assert_int_equal(strlen(text), 5 + 300 + 299 * 300 / 2);
  assert_int_equal(bytes.size, strlen(text));
  jr_bytes_deinit(&bytes);
}

static void test_extend_and_align(void **state) {
  (void)state;
  struct jr_bytes bytes = {0};
  assert_non_null(jr_bytes_extend(&bytes, 0));
  jr_bytes_align(&bytes, 16);
  assert_int_equal(bytes.size, 0);
  jr_bytes_append(&bytes, "abc", 3);
  jr_bytes_align(&bytes, 8);
  assert_int_equal(bytes.size, 8);
  assert_memory_equal(bytes.data, "abc\0\0\0\0\0", 8);
  jr_bytes_align(&bytes, 8);
  jr_bytes_align(&bytes, 0);
  assert_int_equal(bytes.size, 8);
  unsigned char *start = jr_bytes_extend(&bytes, 5000);
  assert_ptr_equal(start, bytes.data + 8);
  for (size_t i = 0; i < 5000; i++)
    assert_int_equal(start[i], 0);
  jr_bytes_deinit(&bytes);
}

static void test_text(void **state) {
  (void)state;
  struct jr_bytes bytes = {0};
  assert_string_equal(jr_bytes_text(&bytes), "");
  jr_bytes_append_text(&bytes, "abc");
  assert_string_equal(jr_bytes_text(&bytes), "abc");
  assert_int_equal(bytes.size, 3);
  char *text = jr_bytes_take_text(&bytes);
  assert_string_equal(text, "abc");
  assert_null(bytes.data);
  assert_int_equal(bytes.size, 0);
  free(text);
}

static void test_too_large(void **state) {
  (void)state;
  struct jr_bytes bytes = {0};
  jr_bytes_append_text(&bytes, "keep");
  assert_null(jr_bytes_extend(&bytes, SIZE_MAX - 2));
  assert_true(bytes.failed);
  jr_bytes_append_text(&bytes, "more");
  jr_bytes_appendf(&bytes, "%d", 1);
  assert_int_equal(bytes.size, 4);
  assert_memory_equal(bytes.data, "keep", 4);
  assert_null(jr_bytes_text(&bytes));
  assert_null(jr_bytes_take_text(&bytes));
  expect_error(jr_bytes_check(&bytes), JITRUN_RESOURCE_EXHAUSTED, "memory");
  jr_bytes_deinit(&bytes);
  assert_false(bytes.failed);
}

static void build_text(void *context) {
  size_t *longest = context;
  struct jr_bytes bytes = {0};
  jr_bytes_append_text(&bytes, "one ");
  jr_bytes_appendf(&bytes, "%0100d", 2);
  (void)jr_bytes_extend(&bytes, 500);
  jr_bytes_align(&bytes, 4096);
  jitrun_error_t *err = jr_bytes_check(&bytes);
  assert_int_equal(err != NULL, bytes.failed);
  assert_int_equal(jr_bytes_text(&bytes) == NULL, bytes.failed);
  if (!bytes.failed)
    *longest = bytes.size;
  jitrun_error_free(err);
  jr_bytes_deinit(&bytes);
}

static void test_sweep(void **state) {
  (void)state;
  size_t longest = 0;
  sweep_allocations(build_text, &longest);
  assert_int_equal(longest, 4096);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_append),           cmocka_unit_test(test_format),
      cmocka_unit_test(test_extend_and_align), cmocka_unit_test(test_text),
      cmocka_unit_test(test_too_large),        cmocka_unit_test(test_sweep),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
