/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Transforms of many lengths against the definition, summed in long double:
/// each way to compute one, and the edges of vectors. Tolerances are relative
/// to the norm of the result.
#include "expect.h"

#include "base/alloc.h"
#include "customcalls/fft_plan.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { MOST = 6000 };

static double input[2 * MOST];
static union {
  float f32[2 * MOST];
  double f64[2 * MOST];
} from, to;

static void fill(size_t length, bool is_double) {
  uint32_t seed = 1;
  for (size_t i = 0; i < 2 * length; i++) {
    seed = seed * 1664525 + 1013904223;
    input[i] = (double)(float)((double)(seed >> 8) / (1 << 24) - 0.5);
  }
  for (size_t i = 0; i < 2 * length; i++) {
    if (is_double)
      from.f64[i] = input[i];
    else
      from.f32[i] = (float)input[i];
  }
}

static double get(size_t index, bool is_double) {
  return is_double ? to.f64[index] : (double)to.f32[index];
}

/// Number `k` of the result by definition; `roots` are exp(-2 pi i j / length).
static void sum_up(size_t k, size_t length, const long double *roots,
                   long double sum[2]) {
  sum[0] = sum[1] = 0;
  for (size_t j = 0; j < length; j++) {
    const long double *root = roots + 2 * (j * k % length);
    sum[0] += input[2 * j] * root[0] - input[2 * j + 1] * root[1];
    sum[1] += input[2 * j] * root[1] + input[2 * j + 1] * root[0];
  }
}

static double find_error(size_t length, bool is_double) {
  static long double roots[2 * MOST];
  const long double turn = 6.283185307179586476925286766559L;
  long double error = 0;
  long double norm = 0;
  for (size_t j = 0; j < length; j++) {
    roots[2 * j] = cosl(turn * (long double)j / (long double)length);
    roots[2 * j + 1] = -sinl(turn * (long double)j / (long double)length);
  }
  size_t step = length / 300 + 1;
  for (size_t k = 0; k < length; k += step) {
    long double sum[2];
    sum_up(k, length, roots, sum);
    for (size_t part = 0; part < 2; part++) {
      long double found = get(2 * k + part, is_double);
      error += (found - sum[part]) * (found - sum[part]);
      norm += sum[part] * sum[part];
    }
  }
  return (double)sqrtl(error / norm);
}

/// The transform, and from there back.
static void check_length(size_t length, bool is_double) {
  double tolerance = is_double ? 1e-15 : 6e-7;
  struct jr_fft_plan *plan = jr_fft_plan_create(length, is_double, false);
  assert_non_null(plan);
  struct jr_fft_run run = {.in = &from,
                           .out = &to,
                           .scale = 1,
                           .room = jr_malloc_aligned(64, jr_fft_room(plan, 1)),
                           .piece_count = 1};
  assert_non_null(run.room);
  fill(length, is_double);
  jr_fft_line(plan, &run);
  if (find_error(length, is_double) > tolerance)
    fail_msg("length %zu, %s: the error is %g", length,
             is_double ? "f64" : "f32", find_error(length, is_double));
  run.in = &to;
  run.is_inverse = true;
  run.scale = 1 / (double)length;
  jr_fft_line(plan, &run);
  for (size_t i = 0; i < 2 * length; i++)
    if (fabs(get(i, is_double) - input[i]) > 4 * tolerance)
      fail_msg("length %zu, %s: element %zu is %g and comes back as %g", length,
               is_double ? "f64" : "f32", i / 2, input[i], get(i, is_double));
  free(run.room);
  jr_fft_plan_destroy(plan);
}

static void transforms_any_length(void **state) {
  (void)state;
  static const size_t some[] = {255,  256,  343,  360,  500,  509,  512,
                                625,  720,  841,  961,  1000, 1009, 1024,
                                2048, 3600, 3721, 4096, 4087, 4099, 5400};
  for (size_t length = 1; length <= 150; length++) {
    check_length(length, false);
    check_length(length, true);
  }
  for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
    check_length(some[i], false);
    check_length(some[i], true);
  }
}

/// Each allocation of a plan fails once.
static void needs_memory(void **state) {
  (void)state;
  static const struct {
    size_t length;
    bool is_real;
  } plans[] = {{64, false}, {67, false}, {134, true}};
  for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
    struct jr_fft_plan *plan = NULL;
    for (uint32_t nth = 1; !plan; nth++) {
      jr_alloc_fail_nth(nth);
      plan = jr_fft_plan_create(plans[i].length, true, plans[i].is_real);
      assert_int_equal(!plan, !jr_alloc_fail_pending());
    }
    jr_alloc_fail_nth(0);
    jr_fft_plan_destroy(plan);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(transforms_any_length),
                                     cmocka_unit_test(needs_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
