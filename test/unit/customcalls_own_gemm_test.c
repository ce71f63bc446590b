/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Products of one piece against the definition: sizes around those
/// of tiles and blocks, layouts, transposes, scales. All numbers are small
/// integers, so that every order of summation gives the same result.
#include "expect.h"

#include "customcalls/own_gemm.h"

#include <math.h>
#include <stdlib.h>

enum { ROOM = 700 * 250 };

static struct {
  double f64[ROOM];
  float f32[ROOM];
} a, b, c;

static double expected[ROOM];
static char room[JR_GEMM_ROOM] __attribute__((aligned(64)));

struct problem {
  bool a_is_turned, b_is_turned, c_is_turned;
  int m, n, k;
  double alpha, beta;
};

static void fill(double *f64, float *f32, int seed) {
  for (int i = 0; i < ROOM; i++) {
    f64[i] = (i * 7 + seed) % 11 - 5;
    f32[i] = (float)f64[i];
  }
}

/// Strides of a matrix whose rows, or columns, are 3 elements apart; `gap` is
/// between elements.
static void put_strides(ptrdiff_t strides[2], bool is_turned, int rows,
                        int columns, int gap) {
  strides[is_turned ? 0 : 1] = gap;
  strides[is_turned ? 1 : 0] =
      (ptrdiff_t)gap * ((is_turned ? rows : columns) + 3);
}

static ptrdiff_t at(const ptrdiff_t strides[2], int row, int column) {
  return row * strides[0] + column * strides[1];
}

static void solve(const struct problem *p, int gap,
                  enum jr_cpu_vectors vectors) {
  struct jr_gemm gemm = {
      .m = p->m, .n = p->n, .k = p->k, .alpha = p->alpha, .beta = p->beta};
  put_strides(gemm.a_strides, p->a_is_turned, p->m, p->k, gap);
  put_strides(gemm.b_strides, p->b_is_turned, p->k, p->n, gap);
  put_strides(gemm.c_strides, p->c_is_turned, p->m, p->n, gap);
  fill(a.f64, a.f32, 1);
  fill(b.f64, b.f32, 2);
  fill(c.f64, c.f32, 3);
  memcpy(expected, c.f64, sizeof expected);
  for (int i = 0; i < p->m; i++)
    for (int j = 0; j < p->n; j++) {
      double sum = 0;
      for (int l = 0; l < p->k; l++)
        sum +=
            a.f64[at(gemm.a_strides, i, l)] * b.f64[at(gemm.b_strides, l, j)];
      ptrdiff_t to = at(gemm.c_strides, i, j);
      expected[to] = p->alpha * sum + p->beta * expected[to];
    }
  gemm.a = a.f32, gemm.b = b.f32, gemm.c = c.f32;
  jr_own_sgemm(vectors, &gemm, room);
  gemm.a = a.f64, gemm.b = b.f64, gemm.c = c.f64;
  jr_own_dgemm(vectors, &gemm, room);
  for (int i = 0; i < ROOM; i++)
    if (c.f64[i] != expected[i] || (double)c.f32[i] != expected[i])
      fail_msg("element %d of %dx%dx%d: %g and %g, expected %g", i, p->m, p->n,
               p->k, c.f64[i], (double)c.f32[i], expected[i]);
}

static void solve_with(enum jr_cpu_vectors vectors, int m, int n, int k,
                       double alpha, double beta) {
  for (int i = 0; i < 8; i++)
    solve(&(struct problem){i & 1, i & 2, i & 4, m, n, k, alpha, beta}, 1,
          vectors);
  if ((m + 3) * (n + 3) < ROOM / 2 && (k + 3) * (m + n + 3) < ROOM / 2)
    solve(&(struct problem){false, false, false, m, n, k, alpha, beta}, 2,
          vectors);
}

/// By all kernels that run here.
static void solve_layouts(int m, int n, int k, double alpha, double beta) {
  for (int vectors = JR_VECTORS_BASE; vectors <= (int)jr_cpu_vectors();
       vectors++)
    solve_with((enum jr_cpu_vectors)vectors, m, n, k, alpha, beta);
}

static void test_sizes(void **state) {
  (void)state;
  static const int sizes[][3] = {
      {1, 1, 1},     {6, 16, 4},   {7, 17, 5},   {4, 4, 4},     {5, 12, 17},
      {5, 7, 255},   {5, 9, 257},  {49, 3, 2},   {100, 129, 3}, {13, 65, 390},
      {15, 32, 300}, {29, 70, 9},  {530, 33, 3}, {270, 5, 260}, {1, 300, 70},
      {1, 2100, 19}, {300, 1, 70}, {1, 7, 100},  {0, 3, 3},     {3, 0, 3},
      {3, 3, 0},     {1, 9, 0}};
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
  struct jr_gemm gemm = {one, one, out, 2, 2, 2, {2, 1}, {2, 1}, {2, 1}, 1, 0};
  jr_own_sgemm(jr_cpu_vectors(), &gemm, room);
  assert_true(out[0] == 2 && out[3] == 2);
  gemm.a = nan, gemm.alpha = 0, gemm.beta = 1;
  jr_own_sgemm(jr_cpu_vectors(), &gemm, room);
  assert_true(out[0] == 2 && out[3] == 2);
  gemm.alpha = 1;
  jr_own_sgemm(jr_cpu_vectors(), &gemm, room);
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
