/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Reductions of every element type, against sums made with numbers.
#include "expect.h"

#include "base/dtype.h"
#include "base/numbers.h"
#include "customcalls/reduce.h"

#include <math.h>

enum { PARTS = 3, COUNT = 700 };

static const jitrun_dtype_t dtypes[] = {
    JITRUN_DTYPE_PRED,       JITRUN_DTYPE_S4,
    JITRUN_DTYPE_S8,         JITRUN_DTYPE_S16,
    JITRUN_DTYPE_S32,        JITRUN_DTYPE_S64,
    JITRUN_DTYPE_U4,         JITRUN_DTYPE_U8,
    JITRUN_DTYPE_U16,        JITRUN_DTYPE_U32,
    JITRUN_DTYPE_U64,        JITRUN_DTYPE_F16,
    JITRUN_DTYPE_BF16,       JITRUN_DTYPE_F32,
    JITRUN_DTYPE_F64,        JITRUN_DTYPE_F8E5M2,
    JITRUN_DTYPE_C64,        JITRUN_DTYPE_C128,
    JITRUN_DTYPE_F8E4M3FN,   JITRUN_DTYPE_F8E4M3B11FNUZ,
    JITRUN_DTYPE_F8E5M2FNUZ, JITRUN_DTYPE_F8E4M3FNUZ};

/// Small enough that no sum or product leaves any type but PRED.
static int small_number(jitrun_dtype_t dtype, uint32_t part, size_t index) {
  int number = (int)((index + part) % 2);
  bool is_signed = jr_dtype_number_kind(dtype) != JR_NUMBER_UNSIGNED;
  if (is_signed && (index / 2 + part) % 3 == 0)
    number = -number;
  return number;
}

static void write_number(jitrun_dtype_t dtype, int number, void *to) {
  const struct jr_number value = {.kind = JR_NUMBER_SIGNED, .s64 = number};
  assert_true(jr_element_write(dtype, value, to));
}

static int apply(jitrun_dtype_t dtype, enum jr_reduction reduction, int a,
                 int b) {
  switch (reduction) {
  case JR_SUM:
    return dtype == JITRUN_DTYPE_PRED ? a | b : a + b;
  case JR_PRODUCT:
    return a * b;
  case JR_MIN:
    return a < b ? a : b;
  default:
    return a > b ? a : b;
  }
}

static void check_reduction(jitrun_dtype_t dtype, enum jr_reduction reduction) {
  static char parts[PARTS][(COUNT + 1) * 16];
  static char out[COUNT * 16];
  size_t bytes = jr_dtype_size(dtype);
  void *pointers[PARTS];
  for (uint32_t i = 0; i < PARTS; i++) {
    pointers[i] = parts[i];
    for (size_t j = 0; j < COUNT; j++)
      write_number(dtype, small_number(dtype, i, j),
                   parts[i] + (j + 1) * bytes);
  }
  jr_reduce(&(struct jr_reduce){.dtype = dtype,
                                .reduction = reduction,
                                .parts = pointers,
                                .part_count = PARTS,
                                .offset_bytes = bytes,
                                .count = COUNT},
            out);
  for (size_t j = 0; j < COUNT; j++) {
    int expected = small_number(dtype, 0, j);
    char element[16] = {0};
    for (uint32_t i = 1; i < PARTS; i++)
      expected = apply(dtype, reduction, expected, small_number(dtype, i, j));
    write_number(dtype, expected, element);
    if (jr_element_to_f64(dtype, element) !=
        jr_element_to_f64(dtype, out + j * bytes))
      fail_msg("dtype %d, %s, element %zu", (int)dtype,
               jr_reduction_name(reduction), j);
  }
}

static void test_dtypes(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof dtypes / sizeof dtypes[0]; i++) {
    for (int j = 0; j < JR_REDUCTION_COUNT; j++) {
      bool is_complex = jr_dtype_number_kind(dtypes[i]) == JR_NUMBER_COMPLEX;
      assert_int_equal(jr_can_reduce(dtypes[i], (enum jr_reduction)j),
                       !is_complex || j < JR_MIN);
      if (!is_complex || j < JR_MIN)
        check_reduction(dtypes[i], (enum jr_reduction)j);
    }
  }
  assert_false(jr_can_reduce(JITRUN_DTYPE_OPAQUE, JR_SUM));
  assert_false(jr_can_reduce(JITRUN_DTYPE_TOKEN, JR_MAX));
}

static void reduce_two(jitrun_dtype_t dtype, enum jr_reduction reduction,
                       void *a, void *b, void *out) {
  void *parts[] = {a, b};
  jr_reduce(&(struct jr_reduce){.dtype = dtype,
                                .reduction = reduction,
                                .parts = parts,
                                .part_count = 2,
                                .count = 1},
            out);
}

/// Wrapping, extremes, rounding, NaN, complex products.
static void test_edges(void **state) {
  (void)state;
  int64_t s64[] = {INT64_MAX, 1, 0};
  reduce_two(JITRUN_DTYPE_S64, JR_SUM, &s64[0], &s64[1], &s64[2]);
  assert_true(s64[2] == INT64_MIN);
  reduce_two(JITRUN_DTYPE_S64, JR_MIN, &s64[0], &s64[1], &s64[2]);
  assert_true(s64[2] == 1);
  uint64_t u64[] = {UINT64_MAX, 1, 0};
  reduce_two(JITRUN_DTYPE_U64, JR_MAX, &u64[0], &u64[1], &u64[2]);
  assert_true(u64[2] == UINT64_MAX);
  int8_t s4[] = {7, 1, 0};
  reduce_two(JITRUN_DTYPE_S4, JR_SUM, &s4[0], &s4[1], &s4[2]);
  assert_int_equal(s4[2], -8);
  uint8_t pred[] = {2, 4, 0}; // any byte but 0 is true
  reduce_two(JITRUN_DTYPE_PRED, JR_PRODUCT, &pred[0], &pred[1], &pred[2]);
  assert_int_equal(pred[2], 1);
  double f64[] = {-0.5, NAN, 0};
  reduce_two(JITRUN_DTYPE_F64, JR_MIN, &f64[0], &f64[1], &f64[2]);
  assert_true(isnan(f64[2]));
  reduce_two(JITRUN_DTYPE_F64, JR_MAX, &f64[1], &f64[0], &f64[2]);
  assert_true(isnan(f64[2]));
  double c128[] = {1, 2, 3, -4, 0, 0};
  reduce_two(JITRUN_DTYPE_C128, JR_PRODUCT, &c128[0], &c128[2], &c128[4]);
  assert_true(c128[4] == 11 && c128[5] == 2);
  float c64[] = {1, 2, 3, -4, 0, 0};
  reduce_two(JITRUN_DTYPE_C64, JR_SUM, &c64[0], &c64[2], &c64[4]);
  assert_true(c64[4] == 4 && c64[5] == -2);
  // 256 + 0.5 + 0.5 is 257 in f32, which bf16 rounds to 256 or 258
  uint16_t bf16[] = {0x4380, 0x3f00, 0x3f00, 0};
  void *parts[] = {&bf16[0], &bf16[1], &bf16[2]};
  jr_reduce(&(struct jr_reduce){.dtype = JITRUN_DTYPE_BF16,
                                .parts = parts,
                                .part_count = 3,
                                .count = 1},
            &bf16[3]);
  assert_int_equal(bf16[3], 0x4380); // ties to even
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_dtypes),
                                     cmocka_unit_test(test_edges)};
  return cmocka_run_group_tests_name("customcalls_reduce", tests, NULL,
                                     check_no_errors);
}
