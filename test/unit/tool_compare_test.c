/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Comparing values: tolerances, NaN, infinities, integers, shapes.
#include "compare.h"
#include "expect.h"

#include "base/bytes.h"
#include "base/error.h"
#include "spec.h"

#include <stdint.h>
#include <string.h>

static void read_value(const char *text, struct jr_value *out_value) {
  struct jr_spec spec;
  assert_null(jr_spec_parse("--expect", text, &spec));
  assert_null(jr_value_init(spec.dtype, spec.rank, spec.dims, out_value));
  jr_spec_fill(&spec, out_value);
}

/// Compares two values; `expected` is the text, NULL for none.
static void assert_compared(const char *left, const char *right,
                            struct jr_tolerance tolerance,
                            const char *expected) {
  struct jr_value actual;
  struct jr_value wanted;
  read_value(left, &actual);
  read_value(right, &wanted);
  struct jr_bytes text = {0};
  bool is_equal = jr_compare(&actual, &wanted, tolerance, &text);
  assert_int_equal(is_equal, expected == NULL);
  if (expected)
    assert_string_equal(jr_bytes_text(&text), expected);
  jr_bytes_deinit(&text);
  jr_value_deinit(&actual);
  jr_value_deinit(&wanted);
}

static const struct jr_tolerance none = {0, 0};

static void test_equal(void **state) {
  (void)state;
  assert_compared("2xf32=1,2", "2xf32=1,2", none, NULL);
  assert_compared("3xf32=nan,inf,-inf", "3xf32=nan,inf,-inf", none, NULL);
  assert_compared("f32=0", "f32=-0", none, NULL);
  assert_compared("0xf32", "0xf32", none, NULL);
  assert_compared("complex<f32>=(1,nan)", "complex<f32>=(1,nan)", none, NULL);
}

static void test_tolerance(void **state) {
  (void)state;
  const struct jr_tolerance absolute = {0.5, 0};
  const struct jr_tolerance relative = {0, 0.5};
  assert_compared("f32=1.5", "f32=1", absolute, NULL);
  assert_compared("f64=-3", "f64=-2", relative, NULL);
  assert_compared("i32=3", "i32=2", relative, NULL);
  assert_compared("complex<f32>=(3,4.5)", "complex<f32>=(3,4)", absolute, NULL);
  assert_compared(
      "f32=1.75", "f32=1", absolute,
      "1.75, expected 1; 1 of 1 elements differ (atol 0.5, rtol 0)");
  assert_compared("f32=inf", "f32=1", absolute,
                  "inf, expected 1; 1 of 1 elements differ (atol 0.5, rtol 0)");
  assert_compared("f32=1", "f32=inf", relative,
                  "1, expected inf; 1 of 1 elements differ (atol 0, rtol 0.5)");
  assert_compared("f32=nan", "f32=1", absolute,
                  "nan, expected 1; 1 of 1 elements differ (atol 0.5, rtol 0)");
}

static void test_first_difference(void **state) {
  (void)state;
  assert_compared("2x3xi32=1,2,3,4,5,6", "2x3xi32=1,2,3,0,5,0", none,
                  "at [1, 0]: 4, expected 0; 2 of 6 elements differ (atol 0, "
                  "rtol 0)");
  assert_compared("i64=9007199254740993", "i64=9007199254740992", none,
                  "9007199254740993, expected 9007199254740992; 1 of 1 "
                  "elements differ (atol 0, rtol 0)");
}

static void test_shapes(void **state) {
  (void)state;
  assert_compared("2xf32", "3xf32", none, "it is 2xf32, expected 3xf32");
  assert_compared("2xf32", "2xf64", none, "it is 2xf32, expected 2xf64");
  assert_compared("2xf32", "2x1xf32", none, "it is 2xf32, expected 2x1xf32");
}

static void test_defaults(void **state) {
  (void)state;
  assert_true(jr_tolerance_default(JITRUN_DTYPE_S32).atol == 0);
  assert_true(jr_tolerance_default(JITRUN_DTYPE_PRED).rtol == 0);
  assert_true(jr_tolerance_default(JITRUN_DTYPE_F64).rtol == 1e-7);
  assert_compared("f16=1.001", "f16=1", jr_tolerance_default(JITRUN_DTYPE_F16),
                  NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_equal),
      cmocka_unit_test(test_tolerance),
      cmocka_unit_test(test_first_difference),
      cmocka_unit_test(test_shapes),
      cmocka_unit_test(test_defaults),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
