/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Element types and the arithmetic of strided types.
#include "expect.h"

#include "base/dtype.h"

#include <stdint.h>
#include <string.h>

/// A type record with room for what follows it.
struct record {
  jitrun_type_t type;
  int64_t numbers[8];
};

static struct record make_type(jitrun_dtype_t dtype, uint16_t rank,
                               const int64_t *dims, const int64_t *strides) {
  struct record record = {.type = {.kind = JITRUN_KIND_BUFFER,
                                   .dtype = (uint8_t)dtype,
                                   .rank = rank}};
  if (rank > 0) {
    memcpy(record.numbers, dims, rank * sizeof *dims);
    memcpy(record.numbers + rank, strides, rank * sizeof *strides);
  }
  return record;
}

#define LIST(...) ((const int64_t[]){__VA_ARGS__})
static const int64_t dynamic = JITRUN_DYNAMIC;

static void test_names(void **state) {
  (void)state;
  int known = 0;
  for (int i = -1; i < 300; i++) {
    jitrun_dtype_t dtype = (jitrun_dtype_t)i;
    const char *name = jr_dtype_name(dtype);
    assert_int_equal(name != NULL, jr_dtype_size(dtype) != 0);
    if (!name)
      continue;
    known++;
    assert_int_equal(jr_dtype_parse(name, strlen(name)), dtype);
  }
  assert_int_equal(known, 24);
  assert_string_equal(jr_dtype_name(JITRUN_DTYPE_S32), "i32");
  assert_string_equal(jr_dtype_name(JITRUN_DTYPE_C64), "complex<f32>");
}

static void test_parse(void **state) {
  (void)state;
  assert_int_equal(jr_dtype_parse("pred", 4), JITRUN_DTYPE_PRED);
  assert_int_equal(jr_dtype_parse("s32", 3), JITRUN_DTYPE_S32);
  assert_int_equal(jr_dtype_parse("u8", 2), JITRUN_DTYPE_U8);
  assert_int_equal(jr_dtype_parse("c128", 4), JITRUN_DTYPE_C128);
  assert_int_equal(jr_dtype_parse("index", 5), JITRUN_DTYPE_S64);
  assert_int_equal(jr_dtype_parse("f32x", 3), JITRUN_DTYPE_F32);
  assert_int_equal(jr_dtype_parse("f32x", 4), JITRUN_DTYPE_INVALID);
  assert_int_equal(jr_dtype_parse("f3", 2), JITRUN_DTYPE_INVALID);
  assert_int_equal(jr_dtype_parse("", 0), JITRUN_DTYPE_INVALID);
  assert_int_equal(jr_dtype_parse("F32", 3), JITRUN_DTYPE_INVALID);
}

static void test_sizes(void **state) {
  (void)state;
  assert_int_equal(jr_dtype_size(JITRUN_DTYPE_PRED), 1);
  assert_int_equal(jr_dtype_size(JITRUN_DTYPE_U4), 1);
  assert_int_equal(jr_dtype_size(JITRUN_DTYPE_BF16), 2);
  assert_int_equal(jr_dtype_size(JITRUN_DTYPE_C128), 16);
  assert_int_equal(jr_dtype_size(JITRUN_DTYPE_INVALID), 0);
  assert_int_equal(jr_type_record_size(0), 8);
  assert_int_equal(jr_type_record_size(3), 8 + 48);
}

static void expect_format(struct record record, const char *expected) {
  struct jr_bytes text = {0};
  jr_type_format(&text, &record.type);
  assert_string_equal(jr_bytes_text(&text), expected);
  jr_bytes_deinit(&text);
}

static void test_format(void **state) {
  (void)state;
  expect_format(make_type(JITRUN_DTYPE_F32, 0, NULL, NULL), "f32");
  expect_format(make_type(JITRUN_DTYPE_F32, 2, LIST(2, 3), LIST(3, 1)),
                "2x3xf32");
  expect_format(
      make_type(JITRUN_DTYPE_S64, 2, LIST(2, dynamic), LIST(dynamic, 1)),
      "2x?xi64");
  expect_format(make_type(JITRUN_DTYPE_F32, 2, LIST(2, 3), LIST(4, 1)),
                "2x3xf32, strides [4, 1]");
  expect_format(
      make_type(JITRUN_DTYPE_F32, 2, LIST(2, 3), LIST(dynamic, dynamic)),
      "2x3xf32, strides [?, ?]");
  expect_format(make_type((jitrun_dtype_t)99, 1, LIST(4), LIST(1)),
                "4xdtype<99>");
}

static void test_dense(void **state) {
  (void)state;
  struct record record = make_type(JITRUN_DTYPE_F32, 0, NULL, NULL);
  assert_true(jr_type_is_dense(&record.type));
  record =
      make_type(JITRUN_DTYPE_F32, 3, LIST(2, dynamic, 4), LIST(dynamic, 4, 1));
  assert_true(jr_type_is_dense(&record.type));
  record = make_type(JITRUN_DTYPE_F32, 3, LIST(2, dynamic, 4), LIST(8, 4, 1));
  assert_false(jr_type_is_dense(&record.type));
  record = make_type(JITRUN_DTYPE_F32, 2, LIST(3, 0), LIST(0, 1));
  assert_true(jr_type_is_dense(&record.type));
  record = make_type(JITRUN_DTYPE_F32, 2, LIST(INT64_MAX, INT64_MAX),
                     LIST(INT64_MAX, 1));
  assert_true(jr_type_is_dense(&record.type));
  record = make_type(JITRUN_DTYPE_F32, 3, LIST(2, INT64_MAX, INT64_MAX),
                     LIST(1, INT64_MAX, 1));
  assert_false(jr_type_is_dense(&record.type));
}

/// The size of a type, or -1 when there is none.
static int64_t size_of(struct record record) {
  uint64_t size = 0;
  if (!jr_type_size_bytes(&record.type, &size))
    return -1;
  assert_true(size <= INT64_MAX);
  return (int64_t)size;
}

static void test_size_bytes(void **state) {
  (void)state;
  jitrun_dtype_t f32 = JITRUN_DTYPE_F32;
  assert_true(size_of(make_type(f32, 0, NULL, NULL)) == 4);
  assert_true(size_of(make_type(f32, 2, LIST(2, 3), LIST(3, 1))) == 24);
  assert_true(size_of(make_type(f32, 2, LIST(2, 3), LIST(10, 1))) == 52);
  assert_true(size_of(make_type(f32, 2, LIST(2, 3), LIST(0, 0))) == 4);
  assert_true(size_of(make_type(f32, 2, LIST(0, 3), LIST(3, 1))) == 0);
  assert_true(size_of(make_type(f32, 2, LIST(0, dynamic), LIST(3, 1))) == -1);
  assert_true(size_of(make_type(f32, 1, LIST(4), LIST(-1))) == -1);
  assert_true(size_of(make_type(f32, 1, LIST(-4), LIST(1))) == -1);
  assert_true(size_of(make_type(f32, 1, LIST(4), LIST(dynamic))) == -1);
  assert_true(size_of(make_type(JITRUN_DTYPE_INVALID, 1, LIST(4), LIST(1))) ==
              -1);
}

static void test_size_overflow(void **state) {
  (void)state;
  jitrun_dtype_t f32 = JITRUN_DTYPE_F32;
  jitrun_dtype_t s8 = JITRUN_DTYPE_S8;
  assert_true(size_of(make_type(s8, 1, LIST(INT64_MAX), LIST(1))) == INT64_MAX);
  assert_true(size_of(make_type(f32, 1, LIST(INT64_MAX), LIST(1))) == -1);
  assert_true(size_of(make_type(f32, 1, LIST(INT64_MAX / 4), LIST(1))) > 0);
  assert_true(size_of(make_type(f32, 2, LIST(1 << 20, 1 << 20),
                                LIST(INT64_MAX / 4, 1))) == -1);
  assert_true(size_of(make_type(
                  s8, 3, LIST(3, 3, 3),
                  LIST(INT64_MAX / 2, INT64_MAX / 2, INT64_MAX / 2))) == -1);
}

static void test_elements(void **state) {
  (void)state;
  uint64_t bytes = 1;
  const int64_t dims[] = {2, 3, 4};
  int64_t strides[3];
  assert_true(jr_elements_bytes(4, dims, 3, &bytes));
  assert_int_equal(bytes, 96);
  assert_true(jr_elements_bytes(8, NULL, 0, &bytes));
  assert_int_equal(bytes, 8);
  assert_true(
      jr_elements_bytes(4, (const int64_t[]){INT64_MAX, 9, 0}, 3, &bytes));
  assert_int_equal(bytes, 0);
  assert_false(jr_elements_bytes(4, (const int64_t[]){0, -1}, 2, &bytes));
  assert_false(jr_elements_bytes(4, (const int64_t[]){INT64_MAX}, 1, &bytes));
  jr_dense_strides(dims, 3, strides);
  assert_memory_equal(strides, ((const int64_t[]){12, 4, 1}), sizeof strides);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names),      cmocka_unit_test(test_elements),
      cmocka_unit_test(test_parse),      cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_format),     cmocka_unit_test(test_dense),
      cmocka_unit_test(test_size_bytes), cmocka_unit_test(test_size_overflow),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
