/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Whole values as text: brackets, strides, eliding, and text that reads back.
#include "base/values.h"
#include "expect.h"

#include "base/bytes.h"

#include <stdint.h>
#include <string.h>

/// A type record with room for its sizes and strides.
struct shape {
  jitrun_type_t type;
  int64_t numbers[8];
};

/// A dense row-major buffer of `rank` sizes.
static struct shape dense_shape(jitrun_dtype_t dtype, uint16_t rank,
                                const int64_t *dims) {
  struct shape shape = {.type = {.kind = JITRUN_KIND_BUFFER,
                                 .dtype = (uint8_t)dtype,
                                 .rank = rank}};
  int64_t stride = 1;
  for (uint16_t i = rank; i-- > 0;) {
    shape.numbers[i] = dims[i];
    shape.numbers[rank + i] = stride;
    stride *= dims[i];
  }
  return shape;
}

static void assert_text(const struct shape *shape, const void *data, size_t max,
                        const char *expected) {
  struct jr_bytes text = {0};
  jr_value_format(&text, &shape->type, data, max);
  assert_string_equal(jr_bytes_text(&text), expected);
  jr_bytes_deinit(&text);
}

static void test_ranks(void **state) {
  (void)state;
  const int32_t numbers[] = {1, 2, 3, 4, 5, 6, 7, -8};
  struct shape scalar = dense_shape(JITRUN_DTYPE_S32, 0, NULL);
  struct shape vector = dense_shape(JITRUN_DTYPE_S32, 1, (int64_t[]){3});
  struct shape matrix = dense_shape(JITRUN_DTYPE_S32, 2, (int64_t[]){2, 3});
  struct shape cube = dense_shape(JITRUN_DTYPE_S32, 3, (int64_t[]){2, 2, 2});
  assert_text(&scalar, &numbers[7], SIZE_MAX, "i32=-8");
  assert_text(&vector, numbers, SIZE_MAX, "3xi32=[1 2 3]");
  assert_text(&matrix, numbers, SIZE_MAX, "2x3xi32=[[1 2 3][4 5 6]]");
  assert_text(&cube, numbers, SIZE_MAX,
              "2x2x2xi32=[[[1 2][3 4]][[5 6][7 -8]]]");
}

static void test_ones(void **state) {
  (void)state;
  const float numbers[] = {1, 2};
  struct shape rows = dense_shape(JITRUN_DTYPE_F32, 2, (int64_t[]){2, 1});
  struct shape row = dense_shape(JITRUN_DTYPE_F32, 3, (int64_t[]){1, 1, 2});
  struct shape one = dense_shape(JITRUN_DTYPE_F32, 2, (int64_t[]){1, 1});
  assert_text(&rows, numbers, SIZE_MAX, "2x1xf32=[[1][2]]");
  assert_text(&row, numbers, SIZE_MAX, "1x1x2xf32=[[[1 2]]]");
  assert_text(&one, numbers, SIZE_MAX, "1x1xf32=[[1]]");
}

static void test_no_elements(void **state) {
  (void)state;
  struct shape none = dense_shape(JITRUN_DTYPE_F32, 2, (int64_t[]){0, 3});
  struct shape rows = dense_shape(JITRUN_DTYPE_F32, 2, (int64_t[]){2, 0});
  struct shape huge =
      dense_shape(JITRUN_DTYPE_F32, 2, (int64_t[]){INT64_C(1) << 40, 0});
  assert_text(&none, NULL, SIZE_MAX, "0x3xf32=[]");
  assert_text(&rows, NULL, SIZE_MAX, "2x0xf32=[[] []]");
  assert_text(&huge, NULL, 2, "1099511627776x0xf32=[[] ... []]");
}

static void test_strides(void **state) {
  (void)state;
  const int16_t numbers[] = {1, 2, 3, 4, 5, 6};
  struct shape columns = dense_shape(JITRUN_DTYPE_S16, 2, (int64_t[]){2, 3});
  columns.numbers[2] = 1;
  columns.numbers[3] = 2;
  assert_text(&columns, numbers, SIZE_MAX, "2x3xi16=[[1 3 5][2 4 6]]");
  struct shape backwards = dense_shape(JITRUN_DTYPE_S16, 1, (int64_t[]){3});
  backwards.numbers[1] = -2;
  assert_text(&backwards, numbers + 4, SIZE_MAX, "3xi16=[5 3 1]");
  struct shape splat = dense_shape(JITRUN_DTYPE_S16, 1, (int64_t[]){4});
  splat.numbers[1] = 0;
  assert_text(&splat, numbers, SIZE_MAX, "4xi16=[1 1 1 1]");
}

static void test_elided(void **state) {
  (void)state;
  uint8_t numbers[100];
  for (uint8_t i = 0; i < 100; i++)
    numbers[i] = i;
  struct shape vector = dense_shape(JITRUN_DTYPE_U8, 1, (int64_t[]){100});
  struct shape square = dense_shape(JITRUN_DTYPE_U8, 2, (int64_t[]){10, 10});
  struct shape cube = dense_shape(JITRUN_DTYPE_U8, 3, (int64_t[]){5, 4, 5});
  assert_text(&vector, numbers, 4, "100xui8=[0 1 ... 98 99]");
  assert_text(&vector, numbers, 5, "100xui8=[0 1 2 ... 98 99]");
  assert_text(&vector, numbers, 0, "100xui8=[0 ... 99]");
  assert_text(&square, numbers, 4, "10x10xui8=[[0 1 ...] ... [... 98 99]]");
  assert_text(&square, numbers, 20,
              "10x10xui8=[[0 1 2 3 4 5 6 7 8 9] ... "
              "[90 91 92 93 94 95 96 97 98 99]]");
  assert_text(&cube, numbers, 4,
              "5x4x5xui8=[[[0 1 ...] ...] ... [... [... 98 99]]]");
}

static void test_elided_in_one_row(void **state) {
  (void)state;
  const uint8_t numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  struct shape rows = dense_shape(JITRUN_DTYPE_U8, 2, (int64_t[]){2, 5});
  struct shape row = dense_shape(JITRUN_DTYPE_U8, 2, (int64_t[]){1, 5});
  struct shape column = dense_shape(JITRUN_DTYPE_U8, 2, (int64_t[]){5, 1});
  assert_text(&rows, numbers, 9, "2x5xui8=[[0 1 2 3 4][... 6 7 8 9]]");
  assert_text(&rows, numbers, 10, "2x5xui8=[[0 1 2 3 4][5 6 7 8 9]]");
  assert_text(&row, numbers, 4, "1x5xui8=[[0 1 ... 3 4]]");
  assert_text(&column, numbers, 2, "5x1xui8=[[0] ... [4]]");
}

static void test_dynamic(void **state) {
  (void)state;
  struct shape dynamic =
      dense_shape(JITRUN_DTYPE_F32, 1, (int64_t[]){JITRUN_DYNAMIC});
  struct jr_bytes text = {0};
  jr_elements_format(&text, &dynamic.type, NULL, 4);
  assert_string_equal(jr_bytes_text(&text), "?");
  jr_bytes_deinit(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ranks),
      cmocka_unit_test(test_ones),
      cmocka_unit_test(test_no_elements),
      cmocka_unit_test(test_strides),
      cmocka_unit_test(test_elided),
      cmocka_unit_test(test_elided_in_one_row),
      cmocka_unit_test(test_dynamic),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
