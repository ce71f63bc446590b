/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Executions that own their results: sizes that only the program knows,
/// opaque pointers, and what is left when there is no memory.
#include "expect.h"
#include "jit_program.h"

#include "jitrun/program.h"

static const char program_text[] =
    "func.func @made(%n: index) -> memref<?x2xi32> {\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %c1 = arith.constant 1 : index\n"
    "  %a = memref.alloc(%n) : memref<?x2xi32>\n"
    "  scf.for %i = %c0 to %n step %c1 {\n"
    "    %v = arith.index_cast %i : index to i32\n"
    "    memref.store %v, %a[%i, %c0] : memref<?x2xi32>\n"
    "    memref.store %v, %a[%i, %c1] : memref<?x2xi32>\n"
    "  }\n"
    "  return %a : memref<?x2xi32>\n"
    "}\n"
    "func.func @mixed(%x: f64, %p: !test.handle, %a: memref<2xi16>)\n"
    "    -> (f64, !test.handle, memref<2xi16>, memref<i8>, i1) {\n"
    "  %y = arith.addf %x, %x : f64\n"
    "  %b = memref.alloc() : memref<i8>\n"
    "  %c = arith.constant 9 : i8\n"
    "  %true = arith.constant true\n"
    "  memref.store %c, %b[] : memref<i8>\n"
    "  return %y, %p, %a, %b, %true\n"
    "    : f64, !test.handle, memref<2xi16>, memref<i8>, i1\n"
    "}\n"
    "func.func @signs(%a: memref<i8>, %b: memref<ui16>, %c: memref<i32>,\n"
    "                 %d: i64, %e: memref<i1>) -> i8 {\n"
    "  %0 = memref.load %a[] : memref<i8>\n"
    "  return %0 : i8\n"
    "}\n"
    "func.func @same(%a: memref<?x?xi16, strided<[?, ?]>>)\n"
    "    -> memref<?x?xi16, strided<[?, ?]>> {\n"
    "  return %a : memref<?x?xi16, strided<[?, ?]>>\n"
    "}\n";

static jitrun_program_t *open_sample(void) {
  jitrun_program_t *program = NULL;
  expect_ok(open_program(program_text, jitrun_registry_default(), &program));
  return program;
}

static jitrun_tensor_t scalar(jitrun_dtype_t dtype, void *value) {
  return (jitrun_tensor_t){.dtype = dtype, .data = value};
}

static void test_sizes_of_the_program(void **state) {
  (void)state;
  jitrun_program_t *program = open_sample();
  const jitrun_entry_t *entry = jitrun_program_entry_find(program, "made");
  for (int64_t rows = 0; rows < 3; rows++) {
    jitrun_execution_t *execution = NULL;
    jitrun_tensor_t arg = scalar(JITRUN_DTYPE_S64, &rows);
    expect_ok(jitrun_program_start(program, entry, &arg, 1, NULL, &execution));
    expect_ok(jitrun_execution_wait(execution, -1));
    assert_int_equal(jitrun_execution_result_count(execution), 1);
    assert_null(jitrun_execution_result(execution, 1));
    const jitrun_tensor_t *result = jitrun_execution_result(execution, 0);
    assert_int_equal(result->dtype, JITRUN_DTYPE_S32);
    assert_int_equal(result->rank, 2);
    assert_int_equal(result->dims[0], rows);
    assert_int_equal(result->dims[1], 2);
    for (int64_t i = 0; i < 2 * rows; i++)
      assert_int_equal(((const int32_t *)result->data)[i], i / 2);
    jitrun_execution_release(execution);
  }
  jitrun_program_release(program);
}

static void test_every_kind_of_result(void **state) {
  (void)state;
  jitrun_program_t *program = open_sample();
  const jitrun_entry_t *entry = jitrun_program_entry_find(program, "mixed");
  double x = 1.25;
  int16_t elements[] = {3, 4};
  const int64_t dims[] = {2};
  void *handle = elements;
  const jitrun_tensor_t args[] = {
      scalar(JITRUN_DTYPE_F64, &x),
      scalar(JITRUN_DTYPE_OPAQUE, &handle),
      {.dtype = JITRUN_DTYPE_S16, .rank = 1, .dims = dims, .data = elements}};
  jitrun_execution_t *execution = NULL;
  expect_ok(jitrun_program_start(program, entry, args, 3, NULL, &execution));
  jitrun_program_release(program); /* the execution keeps what it needs */
  assert_true(*(double *)jitrun_execution_result(execution, 0)->data == 2.5);
  const jitrun_tensor_t *pointer = jitrun_execution_result(execution, 1);
  assert_int_equal(pointer->dtype, JITRUN_DTYPE_OPAQUE);
  assert_ptr_equal(*(void **)pointer->data, handle);
  const jitrun_tensor_t *copy = jitrun_execution_result(execution, 2);
  assert_ptr_not_equal(copy->data, elements);
  assert_memory_equal(copy->data, elements, sizeof elements);
  const jitrun_tensor_t *point = jitrun_execution_result(execution, 3);
  assert_int_equal(point->rank, 0);
  assert_int_equal(*(const int8_t *)point->data, 9);
  assert_int_equal(*(uint8_t *)jitrun_execution_result(execution, 4)->data, 1);
  jitrun_execution_release(execution);
}

/// Runs `signs` with these types, and 200 in each value.
static jitrun_error_t *run_signs(const jitrun_dtype_t dtypes[5],
                                 jitrun_dtype_t result_dtype,
                                 int8_t *out_result) {
  jitrun_program_t *program = open_sample();
  uint64_t values[5] = {200, 200, 200, 200, 1};
  jitrun_tensor_t args[5];
  for (int i = 0; i < 5; i++)
    args[i] = scalar(dtypes[i], &values[i]);
  jitrun_tensor_t result = scalar(result_dtype, out_result);
  jitrun_error_t *error =
      jitrun_program_run(program, jitrun_program_entry_find(program, "signs"),
                         args, 5, &result, 1, NULL);
  jitrun_program_release(program);
  return error;
}

/// What of the types of arguments is compatible.
static void test_signs(void **state) {
  (void)state;
  int8_t result = 0;
  jitrun_dtype_t dtypes[] = {JITRUN_DTYPE_U8, JITRUN_DTYPE_S16,
                             JITRUN_DTYPE_U32, JITRUN_DTYPE_U64,
                             JITRUN_DTYPE_PRED};
  expect_ok(run_signs(dtypes, JITRUN_DTYPE_S8, &result));
  assert_int_equal(result, -56);
  dtypes[0] = JITRUN_DTYPE_PRED;
  expect_ok(run_signs(dtypes, JITRUN_DTYPE_S8, &result));
  expect_error(run_signs(dtypes, JITRUN_DTYPE_U8, &result),
               JITRUN_INVALID_ARGUMENT,
               "result 0 of entry 'signs' is ui8, i8 is needed");
  dtypes[4] = JITRUN_DTYPE_S8;
  expect_error(run_signs(dtypes, JITRUN_DTYPE_S8, &result),
               JITRUN_INVALID_ARGUMENT,
               "argument 4 of entry 'signs' is i8, i1 is needed");
  dtypes[4] = JITRUN_DTYPE_PRED;
  dtypes[2] = JITRUN_DTYPE_F32;
  expect_error(run_signs(dtypes, JITRUN_DTYPE_S8, &result),
               JITRUN_INVALID_ARGUMENT,
               "argument 2 of entry 'signs' is f32, i32 is needed");
}

/// A stride along which there is one element may be anything.
static void test_stride_of_one_element(void **state) {
  (void)state;
  jitrun_program_t *program = open_sample();
  const jitrun_entry_t *entry = jitrun_program_entry_find(program, "same");
  int16_t elements[] = {5, 6, 7};
  const int64_t dims[] = {1, 2};
  const int64_t strides[] = {INT64_MAX, 2};
  const jitrun_tensor_t arg = {.dtype = JITRUN_DTYPE_S16,
                               .rank = 2,
                               .dims = dims,
                               .strides = strides,
                               .data = elements};
  jitrun_execution_t *execution = NULL;
  expect_ok(jitrun_program_start(program, entry, &arg, 1, NULL, &execution));
  static const int16_t expected[] = {5, 7};
  assert_memory_equal(jitrun_execution_result(execution, 0)->data, expected,
                      sizeof expected);
  jitrun_execution_release(execution);
  jitrun_program_release(program);
}

static void test_memory_of_the_caller(void **state) {
  (void)state;
  jitrun_program_t *program = open_sample();
  const jitrun_entry_t *entry = jitrun_program_entry_find(program, "made");
  int64_t rows = 2;
  int32_t elements[5] = {-1, -1, -1, -1, -1};
  int64_t dims[] = {2, 2};
  jitrun_tensor_t arg = scalar(JITRUN_DTYPE_S64, &rows);
  jitrun_tensor_t result = {
      .dtype = JITRUN_DTYPE_S32, .rank = 2, .dims = dims, .data = elements};
  expect_ok(jitrun_program_run(program, entry, &arg, 1, &result, 1, NULL));
  static const int32_t expected[] = {0, 0, 1, 1, -1};
  assert_memory_equal(elements, expected, sizeof expected);
  rows = 1;
  expect_error(jitrun_program_run(program, entry, &arg, 1, &result, 1, NULL),
               JITRUN_INVALID_ARGUMENT,
               "result 0 has the sizes [1, 2], the memory given for it [2, 2]");
  jitrun_program_release(program);
}

static void test_what_does_not_fit(void **state) {
  (void)state;
  jitrun_program_t *program = open_sample();
  const jitrun_entry_t *entry = jitrun_program_entry_find(program, "mixed");
  jitrun_execution_t *execution = NULL;
  double x = 0;
  const jitrun_tensor_t args[] = {scalar(JITRUN_DTYPE_F64, &x),
                                  scalar(JITRUN_DTYPE_S64, &x),
                                  scalar(JITRUN_DTYPE_S64, &x)};
  expect_error(jitrun_program_start(program, entry, args, 2, NULL, &execution),
               JITRUN_INVALID_ARGUMENT, "takes 3 arguments");
  expect_error(jitrun_program_start(program, entry, args, 3, NULL, &execution),
               JITRUN_INVALID_ARGUMENT, "argument 1 of entry 'mixed' is i64");
  expect_error(jitrun_program_start(NULL, entry, args, 3, NULL, &execution),
               JITRUN_INVALID_ARGUMENT, "needs an address for 'program'");
  assert_null(execution);
  jitrun_execution_release(NULL);
  jitrun_program_release(program);
}

static void start_once(void *context) {
  jitrun_program_t *program = context;
  const jitrun_entry_t *entry = jitrun_program_entry_find(program, "made");
  int64_t rows = 5;
  jitrun_tensor_t arg = scalar(JITRUN_DTYPE_S64, &rows);
  jitrun_execution_t *execution = NULL;
  jitrun_error_t *error =
      jitrun_program_start(program, entry, &arg, 1, NULL, &execution);
  assert_true((error != NULL) == (execution == NULL));
  jitrun_error_free(error);
  jitrun_execution_release(execution);
}

static void test_without_memory(void **state) {
  (void)state;
  jitrun_program_t *program = open_sample();
  sweep_allocations(start_once, program);
  jitrun_program_release(program);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sizes_of_the_program),
      cmocka_unit_test(test_every_kind_of_result),
      cmocka_unit_test(test_signs),
      cmocka_unit_test(test_stride_of_one_element),
      cmocka_unit_test(test_memory_of_the_caller),
      cmocka_unit_test(test_what_does_not_fit),
      cmocka_unit_test(test_without_memory),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
