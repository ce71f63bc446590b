/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Functions of numbers against libm, and halves against the exact conversions,
/// over all exponents: every 4099th float.
#include "expect.h"

#include "base/numbers.h"
#include "customcalls/softmax_blocks.h"
#include "customcalls/vector_math.h"
#include "customcalls/widen.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { BLOCK = 4096, STEP = 4099 };

static float floats[BLOCK], results[BLOCK];
static double doubles[BLOCK], double_results[BLOCK];
static uint16_t halves[1 << 16];
static float widened[1 << 16];

/// The next BLOCK floats; false when there are no more.
static bool next_floats(uint64_t *bits) {
  for (int i = 0; i < BLOCK; i++) {
    uint32_t word = (uint32_t)(*bits + (uint64_t)i * STEP);
    memcpy(&floats[i], &word, sizeof word);
  }
  *bits += (uint64_t)BLOCK * STEP;
  return *bits <= UINT64_C(1) << 32;
}

/// Units in the last place between a float and what it should be.
static double error_of(float found, double exact) {
  float nearest = (float)exact;
  if (isinf(nearest) || isinf(found) || isnan(found))
    return nearest == found || (isnan(found) && isnan(exact)) ? 0 : 1e9;
  int exponent = nearest < FLT_MIN ? -126 : ilogbf(nearest);
  return fabs((double)found - exact) / ldexp(1, exponent - 23);
}

static void test_exp_f32(void **state) {
  (void)state;
  double worst = 0;
  for (uint64_t bits = 0; next_floats(&bits);) {
    jr_exp_block(JR_WIDE_F32, floats, BLOCK, 0, results);
    for (int i = 0; i < BLOCK; i++)
      worst = fmax(worst, error_of(results[i], exp((double)floats[i])));
  }
  assert_true(worst < 2);
}

static void test_exp_f64(void **state) {
  (void)state;
  for (int i = 0; i < BLOCK; i++)
    doubles[i] = -745 + 1454.5 * i / (double)BLOCK;
  jr_exp_block(JR_WIDE_F64, doubles, BLOCK, 0, double_results);
  for (int i = 0; i < BLOCK; i++) {
    double exact = exp(doubles[i]);
    assert_true(fabs(double_results[i] - exact) <=
                3 * DBL_EPSILON * exact + DBL_TRUE_MIN);
  }
}

static void test_log_f64(void **state) {
  (void)state;
  for (int i = 1; i < BLOCK; i++) {
    double x = ldexp(1 + i / (double)BLOCK, i % 600 - 300);
    assert_true(fabs(jr_log_f64(x) - log(x)) <=
                2 * DBL_EPSILON * fmax(fabs(log(x)), 0.5));
  }
}

static void check_halves(jitrun_dtype_t dtype) {
  for (int i = 0; i < 1 << 16; i++)
    halves[i] = (uint16_t)i;
  jr_widen(dtype, JR_WIDE_F32, (const char *)halves, 1 << 16, widened);
  for (int i = 0; i < 1 << 16; i++) {
    double exact = jr_float_decode(dtype, (uint64_t)i);
    assert_true(isnan(exact) ? isnan(widened[i]) : (double)widened[i] == exact);
  }
  for (uint64_t bits = 0; next_floats(&bits);) {
    jr_narrow(dtype, JR_WIDE_F32, floats, BLOCK, (char *)halves);
    for (int i = 0; i < BLOCK; i++) {
      if (isnan(floats[i]))
        assert_true(isnan(jr_float_decode(dtype, halves[i])));
      else
        assert_int_equal(halves[i], jr_float_encode(dtype, (double)floats[i]));
    }
  }
}

static void test_f16(void **state) {
  (void)state;
  check_halves(JITRUN_DTYPE_F16);
}

static void test_bf16(void **state) {
  (void)state;
  check_halves(JITRUN_DTYPE_BF16);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_exp_f32), cmocka_unit_test(test_exp_f64),
      cmocka_unit_test(test_log_f64), cmocka_unit_test(test_f16),
      cmocka_unit_test(test_bf16)};
  return cmocka_run_group_tests_name("customcalls_vector_math", tests, NULL,
                                     NULL);
}
