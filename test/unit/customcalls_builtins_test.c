/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The built-in calls but gemm: memory, print, control.
#include "fake_call.h"

#include <stdio.h>
#include <stdlib.h>

/// memcpy of `count` int32_t, dense.
static void test_memcpy_dense(void **state) {
  (void)state;
  int32_t from[24];
  int32_t to[24] = {0};
  for (int i = 0; i < 24; i++)
    from[i] = i;
  const int64_t dims[] = {2, 3, 4};
  struct fake_call fake;
  fake_init_builtin(&fake, "jitrun.memcpy");
  fake_buffer(&fake, JITRUN_DTYPE_S32, 3, to, dims, NULL);
  fake_buffer(&fake, JITRUN_DTYPE_S32, 3, from, dims, NULL);
  fake_succeed(&fake);
  assert_memory_equal(to, from, sizeof(to));
}

static void test_memcpy_overlap(void **state) {
  (void)state;
  int32_t data[] = {1, 2, 3, 4, 5, 6};
  const int64_t dims[] = {2, 2};
  struct fake_call fake;
  fake_init_builtin(&fake, "jitrun.memcpy");
  fake_buffer(&fake, JITRUN_DTYPE_S32, 2, data + 1, dims, NULL);
  fake_buffer(&fake, JITRUN_DTYPE_S32, 2, data, dims, NULL);
  fake_succeed(&fake);
  const int32_t expected[] = {1, 1, 2, 3, 4, 6};
  assert_memory_equal(data, expected, sizeof(data));
}

/// Copies a 3x4x2 buffer between two layouts for elements of `bytes`, and
/// compares with the definition.
static void copy_layouts(jitrun_dtype_t dtype, size_t bytes,
                         const int64_t *to_strides,
                         const int64_t *from_strides) {
  static const int64_t dims[] = {3, 4, 2};
  enum { ROOM = 128, START = 64 };
  unsigned char to[ROOM * 16];
  unsigned char from[ROOM * 16];
  unsigned char expected[ROOM * 16];
  for (size_t i = 0; i < sizeof(to); i++) {
    from[i] = (unsigned char)(i * 7 + i / 256);
    to[i] = expected[i] = 0xee;
  }
  for (int64_t i = 0; i < 24; i++) {
    int64_t index[] = {i / 8, i / 2 % 4, i % 2};
    int64_t to_at = START;
    int64_t from_at = START;
    for (int d = 0; d < 3; d++) {
      to_at += index[d] * to_strides[d];
      from_at += index[d] * from_strides[d];
    }
    memcpy(expected + to_at * (int64_t)bytes, from + from_at * (int64_t)bytes,
           bytes);
  }
  struct fake_call fake = {.is_dynamic = true};
  fake_init_builtin(&fake, "jitrun.memcpy");
  fake_buffer(&fake, dtype, 3, to + START * bytes, dims, to_strides);
  fake_buffer(&fake, dtype, 3, from + START * bytes, dims, from_strides);
  fake_succeed(&fake);
  assert_memory_equal(to, expected, sizeof(to));
}

static void test_memcpy_strided(void **state) {
  (void)state;
  static const int64_t layouts[][3] = {
      {8, 2, 1},  {1, 3, 12},  {2, 6, 1},  {16, 4, 2},
      {8, -2, 1}, {-8, 2, -1}, {20, 5, 1}, {1, 4, 24},
  };
  static const struct {
    jitrun_dtype_t dtype;
    size_t bytes;
  } dtypes[] = {{JITRUN_DTYPE_S8, 1},
                {JITRUN_DTYPE_BF16, 2},
                {JITRUN_DTYPE_F32, 4},
                {JITRUN_DTYPE_F64, 8},
                {JITRUN_DTYPE_C128, 16}};
  const size_t count = sizeof(layouts) / sizeof(layouts[0]);
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < count; j++)
      for (size_t k = 0; k < sizeof(dtypes) / sizeof(dtypes[0]); k++)
        copy_layouts(dtypes[k].dtype, dtypes[k].bytes, layouts[i], layouts[j]);
}

static void test_memcpy_broadcast(void **state) {
  (void)state;
  int16_t to[6] = {0};
  int16_t from[] = {5, 6};
  const int64_t dims[] = {2, 3};
  const int64_t strides[] = {1, 0};
  struct fake_call fake;
  fake_init_builtin(&fake, "jitrun.memcpy");
  fake_buffer(&fake, JITRUN_DTYPE_S16, 2, to, dims, NULL);
  fake_buffer(&fake, JITRUN_DTYPE_S16, 2, from, dims, strides);
  fake_succeed(&fake);
  const int16_t expected[] = {5, 5, 5, 6, 6, 6};
  assert_memory_equal(to, expected, sizeof(to));
}

static void test_memcpy_small(void **state) {
  (void)state;
  double from = 2.5;
  double to = 0;
  struct fake_call fake;
  fake_init_builtin(&fake, "jitrun.memcpy");
  fake_buffer(&fake, JITRUN_DTYPE_F64, 0, &to, NULL, NULL);
  fake_buffer(&fake, JITRUN_DTYPE_F64, 0, &from, NULL, NULL);
  fake_succeed(&fake);
  assert_true(to == 2.5);

  const int64_t dims[] = {3, 0, 2};
  fake_init_builtin(&fake, "jitrun.memcpy");
  fake_buffer(&fake, JITRUN_DTYPE_F64, 3, NULL, dims, NULL);
  fake_buffer(&fake, JITRUN_DTYPE_F64, 3, NULL, dims, NULL);
  fake_succeed(&fake);
}

static void init_mismatch(struct fake_call *fake, jitrun_dtype_t dst_dtype,
                          uint16_t dst_rank, int64_t dst_size) {
  static double to[16];
  static double from[16];
  const int64_t dst_dims[] = {2, dst_size};
  const int64_t src_dims[] = {2, 3};
  bool is_dynamic = fake->is_dynamic;
  fake_init_builtin(fake, "jitrun.memcpy");
  fake->is_dynamic = is_dynamic;
  fake_buffer(fake, dst_dtype, dst_rank, to, dst_dims, NULL);
  fake_buffer(fake, JITRUN_DTYPE_F32, 2, from, src_dims, NULL);
}

static void test_memcpy_mismatch(void **state) {
  (void)state;
  struct fake_call fake = {.is_dynamic = false};
  init_mismatch(&fake, JITRUN_DTYPE_F64, 2, 3);
  fake_refuse(&fake, JITRUN_INVALID_ARGUMENT,
              "jitrun.memcpy: 'dst' has elements of f64, 'src' of f32");
  init_mismatch(&fake, JITRUN_DTYPE_F32, 1, 3);
  fake_refuse(&fake, JITRUN_INVALID_ARGUMENT,
              "'dst' has rank 1, 'src' has rank 2");
  init_mismatch(&fake, JITRUN_DTYPE_F32, 2, 4);
  fake_refuse(&fake, JITRUN_INVALID_ARGUMENT,
              "dimension 1 of 'dst' is 4, that of 'src' 3");
  fake.is_dynamic = true;
  init_mismatch(&fake, JITRUN_DTYPE_F32, 2, 4);
  fake_fail(&fake, JITRUN_INVALID_ARGUMENT,
            "dimension 1 of 'dst' is 4, that of 'src' 3");
}

static void test_memset(void **state) {
  (void)state;
  float data[20] = {0};
  const int64_t dims[] = {2, 3};
  const int64_t strides[] = {10, 2};
  struct fake_call fake;
  fake_init_builtin(&fake, "jitrun.memset");
  fake_buffer(&fake, JITRUN_DTYPE_F32, 2, data, dims, strides);
  fake_scalar(&fake, JITRUN_DTYPE_F32)->value.f32 = 1.5f;
  fake_succeed(&fake);
  for (int i = 0; i < 20; i++) {
    bool is_set = i % 10 < 6 && i % 2 == 0;
    assert_true(data[i] == (is_set ? 1.5f : 0));
  }
}

static void test_memset_dense(void **state) {
  (void)state;
  uint16_t data[1001];
  memset(data, 0, sizeof(data));
  const int64_t dims[] = {10, 100};
  struct fake_call fake;
  fake_init_builtin(&fake, "jitrun.memset");
  fake_buffer(&fake, JITRUN_DTYPE_BF16, 2, data, dims, NULL);
  fake_scalar(&fake, JITRUN_DTYPE_BF16)->value.u16 = 0x3f80;
  fake_succeed(&fake);
  for (int i = 0; i < 1000; i++)
    assert_int_equal(data[i], 0x3f80);
  assert_int_equal(data[1000], 0);
}

static void test_memset_mismatch(void **state) {
  (void)state;
  static double data[2];
  const int64_t dims[] = {2};
  struct fake_call fake;
  fake_init_builtin(&fake, "jitrun.memset");
  fake_buffer(&fake, JITRUN_DTYPE_F64, 1, data, dims, NULL);
  fake_scalar(&fake, JITRUN_DTYPE_F32);
  fake_refuse(&fake, JITRUN_INVALID_ARGUMENT,
              "jitrun.memset: 'dst' has elements of f64, 'value' of f32");
  fake_init_builtin(&fake, "jitrun.memset");
  fake_buffer(&fake, JITRUN_DTYPE_C128, 0, data, NULL, NULL);
  fake_scalar(&fake, JITRUN_DTYPE_C128);
  fake_refuse(&fake, JITRUN_UNIMPLEMENTED, "does not fit in a scalar");
}

static void expect_output(struct fake_call *fake, const char *text) {
  expect_ok(fake_load(fake));
  expect_ok(fake_run(fake));
  jr_bytes_append_text(&fake->output, "");
  const char *output = jr_bytes_text(&fake->output);
  assert_string_equal(output ? output : "", text);
  fake_deinit(fake);
}

static void test_print(void **state) {
  (void)state;
  float data[] = {1, 2, 3, 4, 5.5f, 6};
  const int64_t dims[] = {2, 3};
  const int64_t transposed[] = {1, 2};
  struct fake_call fake;
  fake_init_builtin(&fake, "jitrun.print");
  fake_attr(&fake, attr_string("label", "x"));
  fake_buffer(&fake, JITRUN_DTYPE_F32, 2, data, dims, NULL);
  fake_buffer(&fake, JITRUN_DTYPE_F32, 2, data, dims, transposed);
  fake_scalar(&fake, JITRUN_DTYPE_S32)->value.s32 = -15;
  expect_output(&fake, "x: 2x3xf32=[[1 2 3][4 5.5 6]]\n"
                       "x: 2x3xf32=[[1 3 5.5][2 4 6]]\n"
                       "x: i32=-15\n");
  fake_init_builtin(&fake, "jitrun.print");
  fake_scalar(&fake, JITRUN_DTYPE_PRED)->value.pred = true;
  expect_output(&fake, "i1=1\n");
  fake_init_builtin(&fake, "jitrun.print");
  fake_attr(&fake, attr_string("label", "here"));
  expect_output(&fake, "here\n");
  fake_init_builtin(&fake, "jitrun.print");
  expect_output(&fake, "");
}

static void run_print(void *context) {
  struct fake_call *fake = context;
  jitrun_error_t *error = fake_run(fake);
  if (error)
    assert_int_equal(jitrun_error_code(error), JITRUN_RESOURCE_EXHAUSTED);
  jitrun_error_free(error);
}

static void test_print_allocations(void **state) {
  (void)state;
  struct fake_call fake;
  fake_init_builtin(&fake, "jitrun.print");
  fake_scalar(&fake, JITRUN_DTYPE_F64);
  expect_ok(fake_load(&fake));
  sweep_allocations(run_print, &fake);
  fake_deinit(&fake);
}

static void test_noop(void **state) {
  (void)state;
  struct fake_call fake;
  fake_init_builtin(&fake, "jitrun.noop");
  fake_scalar(&fake, JITRUN_DTYPE_F64);
  fake_attr(&fake, attr_string("anything", ""));
  fake_succeed(&fake);
}

static void test_fail(void **state) {
  (void)state;
  struct fake_call fake;
  fake_init_builtin(&fake, "jitrun.fail");
  fake_scalar(&fake, JITRUN_DTYPE_F64);
  fake_fail(&fake, JITRUN_ABORTED, "jitrun.fail was called");
  fake_init_builtin(&fake, "jitrun.fail");
  fake_attr(&fake, attr_s64("code", JITRUN_DATA_LOSS));
  fake_attr(&fake, attr_string("message", "no %s more"));
  fake_fail(&fake, JITRUN_DATA_LOSS, "no %s more");
  const int32_t codes[] = {0, 17, -1, 1 << 30};
  for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
    jitrun_attr_t code = attr_scalar("code", JITRUN_DTYPE_S32);
    code.value.s32 = codes[i];
    fake_init_builtin(&fake, "jitrun.fail");
    fake_attr(&fake, code);
    fake_fail(&fake, JITRUN_UNKNOWN, "jitrun.fail was called");
  }
}

static void test_sleep(void **state) {
  (void)state;
  struct fake_call fake;
  fake_init_builtin(&fake, "jitrun.sleep");
  fake_attr(&fake, attr_s64("ms", 1));
  fake_succeed(&fake);
  fake_init_builtin(&fake, "jitrun.sleep");
  fake_scalar(&fake, JITRUN_DTYPE_S8)->value.s8 = 0;
  fake_succeed(&fake);
  fake_init_builtin(&fake, "jitrun.sleep");
  fake_scalar(&fake, JITRUN_DTYPE_S16)->value.s16 = -1;
  fake_fail(&fake, JITRUN_INVALID_ARGUMENT, "cannot wait -1 ms");
  fake_init_builtin(&fake, "jitrun.sleep");
  fake_attr(&fake, attr_s64("ms", INT64_MAX));
  fake.cancel_after = 2;
  fake_fail(&fake, JITRUN_CANCELLED, "was cancelled before its");
}

static void test_sleep_refused(void **state) {
  (void)state;
  struct fake_call fake;
  fake_init_builtin(&fake, "jitrun.sleep");
  fake_refuse(&fake, JITRUN_INVALID_ARGUMENT,
              "found no attribute and 0 arguments");
  fake_init_builtin(&fake, "jitrun.sleep");
  fake_scalar(&fake, JITRUN_DTYPE_F32);
  fake_refuse(&fake, JITRUN_INVALID_ARGUMENT, "as one scalar integer argument");
  fake_init_builtin(&fake, "jitrun.sleep");
  fake_scalar(&fake, JITRUN_DTYPE_S32);
  fake_attr(&fake, attr_s64("ms", 1));
  fake_refuse(&fake, JITRUN_INVALID_ARGUMENT,
              "found the attribute and 1 arguments");
}

static void test_assert(void **state) {
  (void)state;
  struct fake_call fake;
  fake_init_builtin(&fake, "jitrun.assert");
  fake_scalar(&fake, JITRUN_DTYPE_PRED)->value.pred = true;
  fake_succeed(&fake);
  fake_init_builtin(&fake, "jitrun.assert");
  fake_scalar(&fake, JITRUN_DTYPE_PRED)->value.pred = false;
  fake_fail(&fake, JITRUN_FAILED_PRECONDITION, "assertion failed");
  fake_init_builtin(&fake, "jitrun.assert");
  fake_scalar(&fake, JITRUN_DTYPE_PRED)->value.pred = false;
  fake_attr(&fake, attr_string("message", "x > 0"));
  fake_fail(&fake, JITRUN_FAILED_PRECONDITION, "assertion failed: x > 0");
}

static void test_assert_buffer(void **state) {
  (void)state;
  bool values[] = {true, false};
  const int64_t ones[] = {1, 1};
  const int64_t twos[] = {2};
  struct fake_call fake;
  for (int i = 0; i < 2; i++) {
    fake_init_builtin(&fake, "jitrun.assert");
    fake_buffer(&fake, JITRUN_DTYPE_PRED, (uint16_t)(2 * i), &values[i], ones,
                NULL);
    if (i == 0)
      fake_succeed(&fake);
    else
      fake_fail(&fake, JITRUN_FAILED_PRECONDITION, "assertion failed");
  }
  fake_init_builtin(&fake, "jitrun.assert");
  fake_buffer(&fake, JITRUN_DTYPE_PRED, 1, values, twos, NULL);
  fake_refuse(&fake, JITRUN_INVALID_ARGUMENT,
              "'condition' must be one element, but its dimension 0 is 2");
  fake_init_builtin(&fake, "jitrun.assert");
  fake.is_dynamic = true;
  fake_buffer(&fake, JITRUN_DTYPE_PRED, 1, values, twos, NULL);
  fake_fail(&fake, JITRUN_INVALID_ARGUMENT, "must be one element");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_memcpy_dense),
      cmocka_unit_test(test_memcpy_overlap),
      cmocka_unit_test(test_memcpy_strided),
      cmocka_unit_test(test_memcpy_broadcast),
      cmocka_unit_test(test_memcpy_small),
      cmocka_unit_test(test_memcpy_mismatch),
      cmocka_unit_test(test_memset),
      cmocka_unit_test(test_memset_dense),
      cmocka_unit_test(test_memset_mismatch),
      cmocka_unit_test(test_print),
      cmocka_unit_test(test_print_allocations),
      cmocka_unit_test(test_noop),
      cmocka_unit_test(test_fail),
      cmocka_unit_test(test_sleep),
      cmocka_unit_test(test_sleep_refused),
      cmocka_unit_test(test_assert),
      cmocka_unit_test(test_assert_buffer),
  };
  return cmocka_run_group_tests_name("customcalls_builtins", tests, NULL,
                                     check_no_errors);
}
