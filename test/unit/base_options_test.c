/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Options of older and newer versions than ours.
#include "expect.h"

#include "base/options.h"

struct older {
  size_t size;
  int first;
};

struct ours {
  size_t size;
  int first, second;
};

struct newer {
  struct ours ours;
  int third;
};

static void test_versions(void **state) {
  (void)state;
  struct ours out = {.first = 1, .second = 2};
  expect_ok(jr_options_read(NULL, "for testing", &out, sizeof out));
  assert_int_equal(out.first, 1);
  struct older older = {.size = offsetof(struct older, first) + sizeof(int),
                        .first = 5};
  expect_ok(jr_options_read(&older, "for testing", &out, sizeof out));
  assert_int_equal(out.first, 5);
  assert_int_equal(out.second, 2);
  struct newer newer = {.ours = {.size = sizeof newer, .first = 7, .second = 8},
                        .third = 9};
  expect_ok(jr_options_read(&newer, "for testing", &out, sizeof out));
  assert_int_equal(out.first, 7);
  assert_int_equal(out.second, 8);
}

static void test_size_missing(void **state) {
  (void)state;
  struct ours out = {0};
  const struct ours given = {.size = 3, .first = 1};
  expect_error(jr_options_read(&given, "for testing", &out, sizeof out),
               JITRUN_INVALID_ARGUMENT,
               "options for testing have size 3; set it to sizeof their type");
  assert_int_equal(out.first, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_versions),
      cmocka_unit_test(test_size_missing),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
