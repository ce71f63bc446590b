/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// jitrun.gemm against the definition, over types, transposes, layouts, scales
/// and sizes. All numbers are small integers, so that every order of summation
/// gives the same result to the bit.
#include "fake_call.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ROOM 4096

/// How a matrix lies in memory.
enum layout {
  ROWS,
  COLUMNS,
  PADDED_ROWS,
  PADDED_COLUMNS,
  SPREAD,
  REVERSED,
  LAYOUT_COUNT
};

/// A matrix in a room of its own; `start` is where its first element is.
struct matrix {
  double f64[ROOM];
  float f32[ROOM];
  int64_t dims[2], strides[2], start;
};

static struct matrix a, b, c, expected;

static void lay_out(struct matrix *matrix, enum layout layout, int64_t rows,
                    int64_t columns) {
  const int64_t strides[LAYOUT_COUNT][2] = {[ROWS] = {columns, 1},
                                            [COLUMNS] = {1, rows},
                                            [PADDED_ROWS] = {columns + 3, 1},
                                            [PADDED_COLUMNS] = {1, rows + 2},
                                            [SPREAD] = {2 * columns + 1, 2},
                                            [REVERSED] = {columns, -1}};
  matrix->dims[0] = rows;
  matrix->dims[1] = columns;
  matrix->strides[0] = strides[layout][0];
  matrix->strides[1] = strides[layout][1];
  matrix->start = layout == REVERSED && columns > 0 ? columns - 1 : 0;
}

static void fill(struct matrix *matrix, int seed) {
  for (int i = 0; i < ROOM; i++) {
    matrix->f64[i] = (i * 7 + seed) % 11 - 5;
    matrix->f32[i] = (float)matrix->f64[i];
  }
}

static int64_t at(const struct matrix *matrix, int64_t row, int64_t column) {
  return matrix->start + row * matrix->strides[0] + column * matrix->strides[1];
}

struct problem {
  jitrun_dtype_t dtype;
  enum layout layouts[3];
  bool transpose_a, transpose_b, is_dynamic;
  int64_t m, n, k;
  double alpha, beta;
};

static double element(const struct problem *problem,
                      const struct matrix *matrix, int64_t row,
                      int64_t column) {
  int64_t index = at(matrix, row, column);
  return problem->dtype == JITRUN_DTYPE_F64 ? matrix->f64[index]
                                            : (double)matrix->f32[index];
}

/// The definition, into `expected`, which starts as a copy of c.
static void multiply(const struct problem *problem) {
  for (int64_t i = 0; i < problem->m; i++)
    for (int64_t j = 0; j < problem->n; j++) {
      double sum = 0;
      for (int64_t l = 0; l < problem->k; l++)
        sum += element(problem, &a, problem->transpose_a ? l : i,
                       problem->transpose_a ? i : l) *
               element(problem, &b, problem->transpose_b ? j : l,
                       problem->transpose_b ? l : j);
      double old = problem->beta != 0 ? element(problem, &c, i, j) : 0;
      double value = problem->alpha * sum + problem->beta * old;
      expected.f64[at(&c, i, j)] = value;
      expected.f32[at(&c, i, j)] = (float)value;
    }
}

static void set_up(const struct problem *problem, struct fake_call *fake) {
  const struct problem *p = problem;
  fill(&a, 1);
  fill(&b, 2);
  fill(&c, 3);
  lay_out(&a, p->layouts[0], p->transpose_a ? p->k : p->m,
          p->transpose_a ? p->m : p->k);
  lay_out(&b, p->layouts[1], p->transpose_b ? p->n : p->k,
          p->transpose_b ? p->k : p->n);
  lay_out(&c, p->layouts[2], p->m, p->n);
  fake_init_builtin(fake, "jitrun.gemm");
  fake->is_dynamic = p->is_dynamic;
  struct matrix *matrices[] = {&a, &b, &c};
  for (int i = 0; i < 3; i++) {
    struct matrix *matrix = matrices[i];
    void *data = p->dtype == JITRUN_DTYPE_F64
                     ? (void *)(matrix->f64 + matrix->start)
                     : (void *)(matrix->f32 + matrix->start);
    fake_buffer(fake, p->dtype, 2, data, matrix->dims, matrix->strides);
  }
  if (p->alpha != 1)
    fake_attr(fake, attr_f64("alpha", p->alpha));
  if (p->beta != 0)
    fake_attr(fake, attr_f64("beta", p->beta));
  if (p->transpose_a)
    fake_attr(fake, attr_pred("transpose_a", true));
  fake_attr(fake, attr_pred("transpose_b", p->transpose_b));
}

/// Every element of the room is compared: nothing outside c may change.
static void solve(const struct problem *problem) {
  struct fake_call fake;
  set_up(problem, &fake);
  expected = c;
  multiply(problem);
  fake_succeed(&fake);
  // by value: 0 and -0 are the same here
  for (int i = 0; i < ROOM; i++)
    if (c.f64[i] != expected.f64[i] && problem->dtype == JITRUN_DTYPE_F64)
      fail_msg("element %d: %g, expected %g", i, c.f64[i], expected.f64[i]);
  for (int i = 0; i < ROOM; i++)
    if (c.f32[i] != expected.f32[i] && problem->dtype == JITRUN_DTYPE_F32)
      fail_msg("element %d: %g, expected %g", i, (double)c.f32[i],
               (double)expected.f32[i]);
}

/// Both transposes, types and kinds of sizes of a problem.
static void solve_variants(struct problem problem) {
  for (int i = 0; i < 8; i++) {
    problem.dtype = i & 1 ? JITRUN_DTYPE_F32 : JITRUN_DTYPE_F64;
    problem.transpose_a = (i & 2) != 0;
    problem.transpose_b = (i & 4) != 0;
    problem.is_dynamic = (i & 4) == 0;
    solve(&problem);
  }
}

static void test_layouts(void **state) {
  (void)state;
  for (int i = 0; i < LAYOUT_COUNT * LAYOUT_COUNT * LAYOUT_COUNT; i++)
    solve_variants((struct problem){
        .layouts = {(enum layout)(i % LAYOUT_COUNT),
                    (enum layout)(i / LAYOUT_COUNT % LAYOUT_COUNT),
                    (enum layout)(i / LAYOUT_COUNT / LAYOUT_COUNT)},
        .m = 5,
        .n = 7,
        .k = 6,
        .alpha = 2,
        .beta = -3});
}

static void test_sizes(void **state) {
  (void)state;
  static const int64_t sizes[] = {0, 1, 2, 9};
  for (int i = 0; i < 64; i++)
    for (int layout = 0; layout < LAYOUT_COUNT; layout++)
      solve_variants(
          (struct problem){.layouts = {(enum layout)layout, (enum layout)layout,
                                       (enum layout)layout},
                           .m = sizes[i % 4],
                           .n = sizes[i / 4 % 4],
                           .k = sizes[i / 16],
                           .alpha = 1,
                           .beta = i % 2});
}

static void test_scales(void **state) {
  (void)state;
  static const double scales[] = {0, 1, -2, 0.5};
  for (int i = 0; i < 16; i++)
    solve_variants((struct problem){
        .m = 4, .n = 3, .k = 8, .alpha = scales[i % 4], .beta = scales[i / 4]});
}

/// beta 0 means that c is not read.
static void test_nan(void **state) {
  (void)state;
  struct problem problem = {
      .dtype = JITRUN_DTYPE_F64, .m = 2, .n = 2, .k = 0, .alpha = 1};
  struct fake_call fake;
  for (int i = 0; i < 2; i++, problem.k = 2) {
    set_up(&problem, &fake);
    c.f64[0] = NAN;
    fake_succeed(&fake);
    assert_true(isnan(c.f64[0]) == 0);
  }
}

static void add_matrix(struct fake_call *fake, jitrun_dtype_t dtype,
                       int64_t rows, int64_t columns) {
  const int64_t dims[] = {rows, columns};
  fake_buffer(fake, dtype, 2, a.f64, dims, NULL);
}

static void init_shapes(struct fake_call *fake, int64_t a_columns,
                        bool is_dynamic) {
  fake_init_builtin(fake, "jitrun.gemm");
  fake->is_dynamic = is_dynamic;
  add_matrix(fake, JITRUN_DTYPE_F32, 2, a_columns);
  add_matrix(fake, JITRUN_DTYPE_F32, 3, 4);
  add_matrix(fake, JITRUN_DTYPE_F32, 2, 4);
}

static void test_refused(void **state) {
  (void)state;
  struct fake_call fake;
  init_shapes(&fake, 5, false);
  fake_refuse(&fake, JITRUN_INVALID_ARGUMENT,
              "jitrun.gemm: the shapes do not fit: needed are MxK, KxN and "
              "MxN, the last with or without a batch before it, which 'a' "
              "and 'b' have as well or not; found 'a': 2x5xf32, 'b': 3x4xf32, "
              "'c': 2x4xf32");
  init_shapes(&fake, 5, true);
  fake_fail(&fake, JITRUN_INVALID_ARGUMENT, "the shapes do not fit");
  init_shapes(&fake, 3, false);
  fake_attr(&fake, attr_pred("transpose_a", true));
  fake_refuse(&fake, JITRUN_INVALID_ARGUMENT,
              "found 'a' (to be transposed): 2x3xf32");
  init_shapes(&fake, 3, false);
  fake_attr(&fake, attr_s64("alpha", 1));
  fake_refuse(&fake, JITRUN_INVALID_ARGUMENT,
              "attribute 'alpha': expected f64, found i64");

  fake_init_builtin(&fake, "jitrun.gemm");
  add_matrix(&fake, JITRUN_DTYPE_F32, 2, 2);
  add_matrix(&fake, JITRUN_DTYPE_F64, 2, 2);
  add_matrix(&fake, JITRUN_DTYPE_F32, 2, 2);
  fake_refuse(&fake, JITRUN_INVALID_ARGUMENT,
              "'a' has elements of f32, 'b' of f64, 'c' of f32");
}

static const struct problem packed = {.dtype = JITRUN_DTYPE_F64,
                                      .layouts = {SPREAD, REVERSED, SPREAD},
                                      .m = 3,
                                      .n = 3,
                                      .k = 3,
                                      .alpha = 1};

static void solve_packed(void *context) {
  (void)context;
  struct fake_call fake;
  set_up(&packed, &fake);
  jitrun_error_t *error = fake_load(&fake);
  if (!error)
    error = fake_run(&fake);
  if (error)
    assert_int_equal(jitrun_error_code(error), JITRUN_RESOURCE_EXHAUSTED);
  jitrun_error_free(error);
  fake_deinit(&fake);
}

static void test_allocations(void **state) {
  (void)state;
  sweep_allocations(solve_packed, NULL);
}

/// Each of a batch by the definition; an operand may have no batch.
static void solve_batch(bool has_a, bool has_b, int64_t batch, int64_t size) {
  const int64_t dims[] = {batch, size, size};
  struct matrix *matrices[] = {&a, &b, &c};
  const bool has[] = {has_a, has_b, true};
  struct fake_call fake;
  fill(&a, 1);
  fill(&b, 2);
  fill(&c, 3);
  fake_init_builtin(&fake, "jitrun.gemm");
  for (int i = 0; i < 3; i++)
    fake_buffer(&fake, JITRUN_DTYPE_F32, has[i] ? 3 : 2, matrices[i]->f32,
                has[i] ? dims : dims + 1, NULL);
  fake_succeed(&fake);
  for (int64_t i = 0; i < batch * size * size; i++) {
    int64_t first = i / (size * size) * (size * size);
    double sum = 0;
    for (int64_t l = 0; l < size; l++)
      sum += (double)(a.f32[(has_a ? first : 0) +
                            i % (size * size) / size * size + l] *
                      b.f32[(has_b ? first : 0) + l * size + i % size]);
    assert_true((double)c.f32[i] == sum);
  }
}

static void test_batches(void **state) {
  (void)state;
  for (int i = 0; i < 4; i++) {
    solve_batch(i & 1, i & 2, 5, 6);
    solve_batch(i & 1, i & 2, 1, 4);
    solve_batch(i & 1, i & 2, 0, 4);
  }
}

static void add_batch(struct fake_call *fake, uint16_t rank, int64_t batch) {
  const int64_t dims[] = {1, batch, 2, 2};
  fake_buffer(fake, JITRUN_DTYPE_F32, rank, a.f32, dims + 4 - rank, NULL);
}

static void test_batches_refused(void **state) {
  (void)state;
  static const struct {
    uint16_t ranks[3];
    int64_t batches[3];
  } wrong[] = {{{3, 3, 3}, {2, 3, 3}},
               {{3, 3, 3}, {3, 2, 3}},
               {{3, 3, 2}, {2, 2, 2}},
               {{3, 4, 4}, {2, 2, 2}}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    struct fake_call fake;
    fake_init_builtin(&fake, "jitrun.gemm");
    for (int k = 0; k < 3; k++)
      add_batch(&fake, wrong[i].ranks[k], wrong[i].batches[k]);
    fake_refuse(&fake, JITRUN_INVALID_ARGUMENT,
                "with or without a batch before it, which 'a' and 'b' have as "
                "well or not; found");
  }
}

/// Small whole numbers, on the heap.
static float *make_numbers(int64_t count, int64_t period) {
  const int64_t middle = period / 2;
  float *numbers = malloc((size_t)count * sizeof *numbers);
  assert_non_null(numbers);
  for (int64_t i = 0; i < count; i++)
    numbers[i] = (float)(i % period - middle);
  return numbers;
}

static void solve_large(int64_t m, int64_t n, int64_t k) {
  float *left = make_numbers(m * k, 7);
  float *right = make_numbers(k * n, 5);
  float *out = make_numbers(m * n, 3);
  struct fake_call fake;
  fake_init_builtin(&fake, "jitrun.gemm");
  fake_buffer(&fake, JITRUN_DTYPE_F32, 2, left, (int64_t[]){m, k}, NULL);
  fake_buffer(&fake, JITRUN_DTYPE_F32, 2, right, (int64_t[]){k, n}, NULL);
  fake_buffer(&fake, JITRUN_DTYPE_F32, 2, out, (int64_t[]){m, n}, NULL);
  fake_succeed(&fake);
  for (int64_t at = 0; at < m * n; at++) {
    float sum = 0;
    for (int64_t l = 0; l < k; l++)
      sum += left[at / n * k + l] * right[l * n + at % n];
    if (out[at] != sum)
      fail_msg("element %lld: %g, expected %g", (long long)at, (double)out[at],
               (double)sum);
  }
  free(left);
  free(right);
  free(out);
}

/// Large enough to be cut into pieces, of rows and of columns.
static void test_pieces(void **state) {
  (void)state;
  solve_large(1000, 40, 500);
  solve_large(40, 1000, 500);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_layouts), cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_scales),  cmocka_unit_test(test_nan),
      cmocka_unit_test(test_refused), cmocka_unit_test(test_allocations),
      cmocka_unit_test(test_batches), cmocka_unit_test(test_batches_refused),
      cmocka_unit_test(test_pieces),
  };
  return cmocka_run_group_tests_name("customcalls_gemm", tests, NULL,
                                     check_no_errors);
}
