/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Decimals: the shortest text, reading back, and other locales.
#include "expect.h"

#include "base/decimal.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void expect_f64(double value, const char *text) {
  char buffer[JR_DECIMAL_SIZE];
  assert_string_equal(jr_format_f64(value, buffer), text);
}

static void test_f64(void **state) {
  (void)state;
  expect_f64(0, "0");
  expect_f64(-0.0, "-0");
  expect_f64(1, "1");
  expect_f64(100, "100");
  expect_f64(0.1, "0.1");
  expect_f64(-12.5, "-12.5");
  expect_f64(1.0 / 3, "0.3333333333333333");
  expect_f64(0.00001, "0.00001");
  expect_f64(0.0000025, "2.5e-06");
  expect_f64(1234567890123456.0, "1234567890123456");
  expect_f64(1e16, "1e+16");
  expect_f64(1e300, "1e+300");
  expect_f64(-DBL_MAX, "-1.7976931348623157e+308");
  expect_f64(DBL_TRUE_MIN, "5e-324");
  expect_f64(-2.2250738585072014e-308, "-2.2250738585072014e-308");
  expect_f64((double)NAN, "nan");
  expect_f64((double)INFINITY, "inf");
  expect_f64(-(double)INFINITY, "-inf");
}

static void test_f32(void **state) {
  (void)state;
  char buffer[JR_DECIMAL_SIZE];
  assert_string_equal(jr_format_f32(0.1f, buffer), "0.1");
  assert_string_equal(jr_format_f32(1.0f / 3, buffer), "0.33333334");
  assert_string_equal(jr_format_f32(FLT_MAX, buffer), "3.4028235e+38");
  assert_string_equal(jr_format_f32(16777216.0f, buffer), "16777216");
  assert_string_equal(jr_format_f32(FLT_TRUE_MIN, buffer), "1e-45");
}

static void test_reads_back(void **state) {
  (void)state;
  uint64_t bits = 0x123456789abcdef;
  for (int i = 0; i < 20000; i++) {
    bits = bits * 6364136223846793005u + 1442695040888963407u;
    double value = 0;
    memcpy(&value, &bits, sizeof value);
    char buffer[JR_DECIMAL_SIZE];
    (void)jr_format_f64(value, buffer);
    assert_true(strlen(buffer) < JR_DECIMAL_SIZE - 4);
    double back = strtod(buffer, NULL);
    assert_true(isnan(value) ? isnan(back) : back == value);
  }
}

static void test_locale(void **state) {
  (void)state;
  if (!setlocale(LC_NUMERIC, "de_DE.UTF-8"))
    skip();
  expect_f64(2.5, "2.5");
  (void)setlocale(LC_NUMERIC, "C");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_f64),
      cmocka_unit_test(test_f32),
      cmocka_unit_test(test_reads_back),
      cmocka_unit_test(test_locale),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
