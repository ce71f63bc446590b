/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Products without a BLAS library against the definition: sizes around those
/// of tiles and blocks, layouts, transposes, scales. All numbers are small
/// integers, so that every order of summation gives the same result.
#include "expect.h"

#include "customcalls/blas.h"
#include "customcalls/own_gemm.h"

#include <math.h>
#include <stdlib.h>

enum { ROOM = 700 * 250 };

static struct {
  double f64[ROOM];
  float f32[ROOM];
} a, b, c;

static double expected[ROOM];

struct problem {
  int layout, transpose_a, transpose_b, m, n, k;
  double alpha, beta;
};

static void fill(double *f64, float *f32, int seed) {
  for (int i = 0; i < ROOM; i++) {
    f64[i] = (i * 7 + seed) % 11 - 5;
    f32[i] = (float)f64[i];
  }
}

/// Where an element is, with a leading dimension of `size` and 3 more.
static int at(const struct problem *p, int transpose, int row, int column,
              int rows, int columns) {
  bool is_row_major =
      (p->layout == JR_BLAS_ROW_MAJOR) != (transpose == JR_BLAS_TRANS);
  return is_row_major ? row * (columns + 3) + column
                      : column * (rows + 3) + row;
}

static int leading(const struct problem *p, int transpose, int rows,
                   int columns) {
  return at(p, transpose, 0, 1, rows, columns) == 1 ? columns + 3 : rows + 3;
}

static void solve(const struct problem *p) {
  fill(a.f64, a.f32, 1);
  fill(b.f64, b.f32, 2);
  fill(c.f64, c.f32, 3);
  memcpy(expected, c.f64, sizeof expected);
  for (int i = 0; i < p->m; i++)
    for (int j = 0; j < p->n; j++) {
      double sum = 0;
      for (int l = 0; l < p->k; l++)
        sum += a.f64[at(p, p->transpose_a, i, l, p->m, p->k)] *
               b.f64[at(p, p->transpose_b, l, j, p->k, p->n)];
      int to = at(p, JR_BLAS_NO_TRANS, i, j, p->m, p->n);
      expected[to] = p->alpha * sum + p->beta * expected[to];
    }
  int lda = leading(p, p->transpose_a, p->m, p->k);
  int ldb = leading(p, p->transpose_b, p->k, p->n);
  int ldc = leading(p, JR_BLAS_NO_TRANS, p->m, p->n);
  jr_own_sgemm(p->layout, p->transpose_a, p->transpose_b, p->m, p->n, p->k,
               (float)p->alpha, a.f32, lda, b.f32, ldb, (float)p->beta, c.f32,
               ldc);
  jr_own_dgemm(p->layout, p->transpose_a, p->transpose_b, p->m, p->n, p->k,
               p->alpha, a.f64, lda, b.f64, ldb, p->beta, c.f64, ldc);
  for (int i = 0; i < ROOM; i++)
    if (c.f64[i] != expected[i] || (double)c.f32[i] != expected[i])
      fail_msg("element %d of %dx%dx%d: %g and %g, expected %g", i, p->m, p->n,
               p->k, c.f64[i], (double)c.f32[i], expected[i]);
}

static void solve_layouts(int m, int n, int k, double alpha, double beta) {
  for (int i = 0; i < 8; i++)
    solve(&(struct problem){i & 1 ? JR_BLAS_ROW_MAJOR : JR_BLAS_COL_MAJOR,
                            i & 2 ? JR_BLAS_TRANS : JR_BLAS_NO_TRANS,
                            i & 4 ? JR_BLAS_TRANS : JR_BLAS_NO_TRANS, m, n, k,
                            alpha, beta});
}

static void test_sizes(void **state) {
  (void)state;
  static const int sizes[][3] = {{1, 1, 1},     {6, 16, 4},    {7, 17, 5},
                                 {5, 7, 191},   {5, 9, 193},   {49, 3, 2},
                                 {100, 129, 3}, {13, 65, 390}, {0, 3, 3},
                                 {3, 0, 3},     {3, 3, 0}};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    solve_layouts(sizes[i][0], sizes[i][1], sizes[i][2], 1, 0);
}

static void test_scales(void **state) {
  (void)state;
  static const double scales[] = {0, 1, -2, 0.5};
  for (int i = 0; i < 16; i++) {
    solve_layouts(7, 18, 9, scales[i % 4], scales[i / 4]);
    solve_layouts(3, 5, 200, scales[i % 4], scales[i / 4]);
  }
}

/// With beta 0 the result is not read, with alpha 0 the operands are not.
static void test_nan(void **state) {
  (void)state;
  float nan[] = {NAN, NAN, NAN, NAN};
  float one[] = {1, 1, 1, 1};
  float out[] = {NAN, NAN, NAN, NAN};
  jr_own_sgemm(JR_BLAS_ROW_MAJOR, JR_BLAS_NO_TRANS, JR_BLAS_NO_TRANS, 2, 2, 2,
               1, one, 2, one, 2, 0, out, 2);
  assert_true(out[0] == 2 && out[3] == 2);
  jr_own_sgemm(JR_BLAS_ROW_MAJOR, JR_BLAS_NO_TRANS, JR_BLAS_NO_TRANS, 2, 2, 2,
               0, nan, 2, one, 2, 1, out, 2);
  assert_true(out[0] == 2 && out[3] == 2);
  jr_own_sgemm(JR_BLAS_ROW_MAJOR, JR_BLAS_NO_TRANS, JR_BLAS_NO_TRANS, 2, 2, 2,
               1, nan, 2, one, 2, 1, out, 2);
  assert_true(isnan(out[0]) && isnan(out[3]));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_scales),
      cmocka_unit_test(test_nan),
  };
  return cmocka_run_group_tests_name("customcalls_own_gemm", tests, NULL, NULL);
}
