/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Text helpers: distances, hints, numbers at their limits.
#include "expect.h"

#include "base/bytes.h"
#include "base/strings.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void test_ends(void **state) {
  (void)state;
  assert_true(jr_text_has_prefix("jitrun.noop", "jitrun."));
  assert_true(jr_text_has_prefix("a", ""));
  assert_false(jr_text_has_prefix("jit", "jitrun"));
  assert_true(jr_text_has_suffix("a.mlir", ".mlir"));
  assert_true(jr_text_has_suffix("a", ""));
  assert_false(jr_text_has_suffix("lir", "mlir"));
}

static void test_distance(void **state) {
  (void)state;
  assert_int_equal(jr_text_distance("", "", 0), 0);
  assert_int_equal(jr_text_distance("abc", "abc", 0), 0);
  assert_int_equal(jr_text_distance("abc", "abd", 3), 1);
  assert_int_equal(jr_text_distance("abc", "acb", 3), 1); // swap
  assert_int_equal(jr_text_distance("abc", "", 5), 3);
  assert_int_equal(jr_text_distance("", "abc", 5), 3);
  assert_int_equal(jr_text_distance("kitten", "sitting", 5), 3);
  assert_int_equal(jr_text_distance("sitting", "kitten", 5), 3);
  assert_int_equal(jr_text_distance("kitten", "sitting", 2), 3);
  assert_int_equal(jr_text_distance("abcdefgh", "zyxwvuts", 2), 3);
  assert_int_equal(jr_text_distance("ab", "ba", 0), 1);
  assert_int_equal(jr_text_distance("xxab", "xxba", 1), 1);
}

static void test_distance_of_long_texts(void **state) {
  (void)state;
  char a[1000];
  char b[1000];
  memset(a, 'a', sizeof a);
  memset(b, 'a', sizeof b);
  a[999] = '\0';
  b[999] = '\0';
  b[3] = 'b';
  b[300] = 'b'; // past the cut
  assert_int_equal(jr_text_distance(a, b, 9), 1);
}

static void test_hint(void **state) {
  (void)state;
  char text[100];
  struct jr_near_names near_names = {.wanted = "jitrun.gemm"};
  assert_string_equal(jr_near_names_hint(&near_names, text, sizeof text), "");
  jr_near_names_offer(&near_names, "something");
  assert_int_equal(near_names.count, 0);
  jr_near_names_offer(&near_names, "jitrun.gems");
  assert_string_equal(jr_near_names_hint(&near_names, text, sizeof text),
                      "did you mean 'jitrun.gems'?");
  struct jr_bytes message = {0};
  jr_near_names_append(&near_names, &message);
  assert_string_equal(jr_bytes_text(&message), "; did you mean 'jitrun.gems'?");
  jr_bytes_deinit(&message);
  jr_near_names_offer(&near_names, "jitrun.gemv2");
  assert_string_equal(jr_near_names_hint(&near_names, text, sizeof text),
                      "did you mean 'jitrun.gems' or 'jitrun.gemv2'?");
  jr_near_names_offer(&near_names, "jitrun.gem");
  jr_near_names_offer(&near_names, "jitrun.gem"); // once is enough
  assert_string_equal(
      jr_near_names_hint(&near_names, text, sizeof text),
      "did you mean 'jitrun.gems', 'jitrun.gem' or 'jitrun.gemv2'?");
  jr_near_names_offer(&near_names, "jitrun.gemmy");
  assert_string_equal(near_names.names[2], "jitrun.gemmy");
  assert_int_equal(near_names.count, 3);
}

static void test_hint_in_small_buffers(void **state) {
  (void)state;
  char text[32];
  struct jr_near_names near_names = {.wanted = "abcdef"};
  jr_near_names_offer(&near_names, "abcdeg");
  jr_near_names_offer(&near_names, "abcdeh");
  assert_string_equal(jr_near_names_hint(&near_names, text, sizeof text),
                      "did you mean 'abcdeg'?");
  assert_string_equal(jr_near_names_hint(&near_names, text, 5), "");
  assert_string_equal(jr_near_names_hint(&near_names, NULL, 0), "");
  // Every short name is near to one letter, which says nothing.
  struct jr_near_names letter = {.wanted = "r"};
  jr_near_names_offer(&letter, "x");
  assert_int_equal(letter.count, 0);
}

static void test_parse_s64(void **state) {
  (void)state;
  int64_t value = 77;
  assert_true(jr_parse_s64("-9223372036854775808", &value));
  assert_true(value == INT64_MIN);
  assert_true(jr_parse_s64("9223372036854775807", &value));
  assert_true(value == INT64_MAX);
  assert_true(jr_parse_s64("-0", &value));
  assert_true(value == 0);
  assert_true(jr_parse_s64("-0x10", &value));
  assert_true(value == -16);
  static const char *const bad[] = {"",
                                    "-",
                                    "+1",
                                    " 1",
                                    "1 ",
                                    "0x",
                                    "0o",
                                    "0o8",
                                    "1.5",
                                    "1e3",
                                    "--1",
                                    "0b1",
                                    "a",
                                    "0xg",
                                    "9223372036854775808",
                                    "-9223372036854775809"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    value = 77;
    assert_false(jr_parse_s64(bad[i], &value));
    assert_true(value == 77);
  }
}

static void test_parse_u64(void **state) {
  (void)state;
  uint64_t value = 0;
  assert_true(jr_parse_u64("18446744073709551615", &value));
  assert_true(value == UINT64_MAX);
  assert_false(jr_parse_u64("18446744073709551616", &value));
  assert_true(jr_parse_u64("0xFFffFFffFFffFFff", &value));
  assert_true(value == UINT64_MAX);
  assert_false(jr_parse_u64("0x10000000000000000", &value));
  assert_true(jr_parse_u64("0o17", &value));
  assert_true(value == 15);
  assert_true(jr_parse_u64("010", &value)); // decimal
  assert_true(value == 10);
  assert_false(jr_parse_u64("-1", &value));
}

static void test_arithmetic(void **state) {
  (void)state;
  uint64_t value = 0;
  assert_true(jr_mul_u64(UINT32_MAX, UINT32_MAX, &value));
  assert_false(jr_mul_u64(UINT64_MAX, 2, &value));
  assert_true(jr_add_u64(UINT64_MAX, 0, &value));
  assert_false(jr_add_u64(UINT64_MAX, 1, &value));
  assert_true(jr_align_u64(0, 64, &value));
  assert_true(value == 0);
  assert_true(jr_align_u64(65, 64, &value));
  assert_true(value == 128);
  assert_true(jr_align_u64(UINT64_MAX, 1, &value));
  assert_true(value == UINT64_MAX);
  assert_false(jr_align_u64(UINT64_MAX - 2, 64, &value));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ends),
      cmocka_unit_test(test_distance),
      cmocka_unit_test(test_distance_of_long_texts),
      cmocka_unit_test(test_hint),
      cmocka_unit_test(test_hint_in_small_buffers),
      cmocka_unit_test(test_parse_s64),
      cmocka_unit_test(test_parse_u64),
      cmocka_unit_test(test_arithmetic),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
