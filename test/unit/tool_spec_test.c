/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// SPEC: every way to write a value, every mistake with its place, files.
#include "expect.h"
#include "spec.h"

#include "base/bytes.h"
#include "base/error.h"
#include "base/files.h"
#include "base/values.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Opens a parsed spec and compares it with the text of its value.
static void assert_value(struct jr_spec *spec, const char *expected) {
  struct jr_value value;
  assert_null(jr_spec_open(spec));
  assert_null(jr_value_init(spec->dtype, spec->rank, spec->dims, &value));
  jr_spec_fill(spec, &value);
  struct jr_bytes text = {0};
  jr_value_format(&text, value.type, value.data, SIZE_MAX);
  assert_string_equal(jr_bytes_text(&text), expected);
  jr_bytes_deinit(&text);
  jr_value_deinit(&value);
  jr_spec_close(spec);
}

static void assert_read(const char *text, const char *expected) {
  struct jr_spec spec;
  assert_null(jr_spec_parse("--input", text, &spec));
  assert_value(&spec, expected);
}

/// What is printed reads back as the same.
static void assert_same(const char *text) {
  assert_read(text, text);
}

static void assert_refused(const char *text, const char *expected) {
  struct jr_spec spec;
  expect_error(jr_spec_parse("--input", text, &spec), JITRUN_INVALID_ARGUMENT,
               expected);
}

static void test_values(void **state) {
  (void)state;
  assert_read("2x3xf32=1,2,3,4,5,6", "2x3xf32=[[1 2 3][4 5 6]]");
  assert_read("2x3xf32=1 2 3 4 5 6", "2x3xf32=[[1 2 3][4 5 6]]");
  assert_read("2x3xf32=[[1,2,3],[4,5,6]]", "2x3xf32=[[1 2 3][4 5 6]]");
  assert_read(" 2x3xi8 = [ [1 , 2,3] \n [ 4 5 6 ] ] ",
              "2x3xi8=[[1 2 3][4 5 6]]");
  assert_read("4xf32=0.5", "4xf32=[0.5 0.5 0.5 0.5]");
  assert_read("2xf32", "2xf32=[0 0]");
  assert_read("i32=7", "i32=7");
  assert_read("i32", "i32=0");
  assert_read("index=-3", "i64=-3");
  assert_read("2xpred=true,false", "2xi1=[1 0]");
  assert_read("2xcomplex<f32>=(1,-2) 3", "2xcomplex<f32>=[(1,-2) (3,0)]");
  assert_read("2xcomplex<f64>=[(1, 2),(3,4)]", "2xcomplex<f64>=[(1,2) (3,4)]");
}

static void test_reads_back(void **state) {
  (void)state;
  assert_same("2x2x2xi32=[[[1 2][3 4]][[5 6][7 -8]]]");
  assert_same("3xf64=[nan inf -inf]");
  assert_same("2xbf16=[0.1 -3.14]");
  assert_same("0x3xf32=[]");
  assert_same("2x0xf32=[[] []]");
  assert_same("1x1xui64=[[18446744073709551615]]");
  assert_same("f8E4M3FN=0.5");
}

static void test_wrong_types(void **state) {
  (void)state;
  assert_refused("", "character 1: element type expected");
  assert_refused("2x", "character 3: element type expected");
  assert_refused("=1", "character 1: element type expected");
  assert_refused("2x3",
                 "character 4: 'x' and an element type expected after a size");
  assert_refused("2xf33=1", "character 3: unknown element type 'f33'; known");
  assert_refused("?xf32=1", "character 1: give a number, the size at run time");
  assert_refused("-1xf32", "unknown element type '-1xf32'");
  assert_refused("99999999999999999999xf32", "the size is out of range");
  assert_refused("2xf32 3", "character 7: '=' or '@' expected");
  assert_refused("2xf32@", "the name of a file is missing");
  assert_refused("@", "the name of a file is missing");
}

static void test_too_large(void **state) {
  (void)state;
  assert_refused("2147483648x2147483648x8xf64", "size is out of range");
  assert_refused("9223372036854775807xi8x", "unknown element type 'i8x'");
  assert_refused("2305843009213693952xf32", "size is out of range");
  char text[134];
  for (size_t i = 0; i < 130; i++)
    text[i] = i % 2 == 0 ? '1' : 'x';
  memcpy(text + 130, "f32", 4);
  assert_refused(text, "character 129: more than 64 dimensions");
}

static void test_wrong_values(void **state) {
  (void)state;
  assert_refused("3xf32=1,2", "2 values are given, the type has 3");
  assert_refused("2xf32=", "0 values are given, the type has 2");
  assert_refused("2xf32=1,2,3", "character 11: more values than the type has");
  assert_refused("2xf32=1,,2", "character 9: a value is missing before ','");
  assert_refused("2xf32=,1,2", "character 7: a value is missing before ','");
  assert_refused("2xf32=1,2,", "character 11: a value is missing after ','");
  assert_refused("2xf32=1,z", "character 9: 'z' is no value of type f32");
  assert_refused("2xi32=1.5", "character 7: '1.5' is no value of type i32");
  assert_refused("2xi8=1,128", "'128' is out of the range of i8");
  assert_refused("f32=1e39", "'1e39' is out of the range of f32");
  assert_refused("9xf32=[1 2 ... 9]", "character 12: '...' stands for values");
  assert_refused("complex<f32>=(1,2", "character 14: '(1,2' is no value");
}

static void test_wrong_brackets(void **state) {
  (void)state;
  assert_refused("i32=[7]", "character 5: one value takes no brackets");
  assert_refused("2xi32=[[1,2]]", "character 8: more brackets than dimensions");
  assert_refused("2x2xi32=[1,2,3,4]", "character 10: '[' expected");
  assert_refused("2xi32=[1,2", "']' is missing");
  assert_refused("2xi32=1,2]", "character 10: ']' without '['");
  assert_refused("2xi32=[1,2]]", "character 12: ']' without '['");
  assert_refused("2xi32=[1,2,]", "a value is missing after ','");
  assert_refused("2xi32=[1,2][", "character 12: '[' after the values");
  assert_refused("2xi32=1[2]", "character 8: '[' after the values");
  assert_refused("1xi32=[1]2", "character 10: a value after the last ']'");
  assert_refused("4xi32=[1]", "this row has 1 values, the type asks for 4");
  assert_refused("2x2xi32=[[1,2,3],[4]]", "character 16: this row has 3");
  assert_refused("0xi32=[1]", "this row has 1 values, the type asks for 0");
}

static void test_ignored(void **state) {
  (void)state;
  struct jr_spec spec;
  assert_null(jr_spec_parse("--expect", "(ignored)", &spec));
  assert_int_equal(spec.kind, JR_SPEC_IGNORED);
}

/// Runs `check` on a spec of a file with these bytes.
static void with_file(const char *format, const void *data, size_t size,
                      void (*check)(struct jr_spec *spec)) {
  char path[] = "spec-XXXXXX";
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  assert_int_equal(write(descriptor, data, size), (ssize_t)size);
  (void)close(descriptor);
  char text[64];
  (void)snprintf(text, sizeof text, format, path);
  struct jr_spec spec;
  assert_null(jr_spec_parse("--input", text, &spec));
  check(&spec);
  (void)unlink(path);
}

static void check_raw(struct jr_spec *spec) {
  assert_value(spec, "2xi16=[1 -2]");
}

static void check_bools(struct jr_spec *spec) {
  assert_value(spec, "4xi1=[1 0 1 1]");
}

static void check_short(struct jr_spec *spec) {
  expect_error(jr_spec_open(spec), JITRUN_INVALID_ARGUMENT, "' has 4 bytes, ");
}

static void check_npy(struct jr_spec *spec) {
  assert_value(spec, "2xui8=[5 6]");
}

static void check_other_type(struct jr_spec *spec) {
  expect_error(jr_spec_open(spec), JITRUN_INVALID_ARGUMENT,
               "' holds 2xui8, --input=3xui8@spec-");
}

static void test_files(void **state) {
  (void)state;
  static const unsigned char raw[] = {1, 0, 0xfe, 0xff};
  with_file("2xi16@%s", raw, sizeof raw, check_raw);
  with_file("4xi1@%s", raw, sizeof raw, check_bools);
  with_file("2xf32@%s", raw, sizeof raw, check_short);
  static const char npy[] =
      "\x93NUMPY\x01\0\x3d\0{'descr': '|u1', 'fortran_order': False, "
      "'shape': (2,)}     \n\5\6";
  with_file("@%s", npy, sizeof npy - 1, check_npy);
  with_file("2xui8@%s", npy, sizeof npy - 1, check_npy);
  with_file("3xui8@%s", npy, sizeof npy - 1, check_other_type);
}

static void test_no_file(void **state) {
  (void)state;
  struct jr_spec spec;
  assert_null(jr_spec_parse("--input", "@/nonexistent.npy", &spec));
  expect_error(jr_spec_open(&spec), JITRUN_NOT_FOUND, "/nonexistent.npy");
}

/// Elements go where the strides of the declared type say.
static void test_strides(void **state) {
  (void)state;
  struct {
    jitrun_type_t type;
    int64_t numbers[4];
  } declared = {
      {.kind = JITRUN_KIND_BUFFER, .dtype = JITRUN_DTYPE_S32, .rank = 2},
      {2, JITRUN_DYNAMIC, 5, 2}};
  struct jr_spec spec;
  struct jr_value value;
  assert_null(jr_spec_parse("--input", "2x2xi32=1,2,3,4", &spec));
  assert_null(jr_value_init_as(&declared.type, spec.dims, 128, &value));
  jr_spec_fill(&spec, &value);
  const int32_t expected[] = {1, 0, 2, 0, 0, 3, 0, 4};
  assert_memory_equal(value.data, expected, sizeof expected);
  assert_int_equal((uintptr_t)value.data % 128, 0);
  jr_value_deinit(&value);
}

static void read_once(void *context) {
  struct jr_spec spec;
  struct jr_value value = {0};
  jitrun_error_t *error = jr_spec_parse("--input", context, &spec);
  if (!error)
    error = jr_value_init(spec.dtype, spec.rank, spec.dims, &value);
  if (!error)
    jr_spec_fill(&spec, &value);
  if (error)
    expect_error(error, JITRUN_RESOURCE_EXHAUSTED, "out of memory");
  jr_value_deinit(&value);
}

static void test_no_memory(void **state) {
  (void)state;
  sweep_allocations(read_once, "2xf32=1,2");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values),
      cmocka_unit_test(test_reads_back),
      cmocka_unit_test(test_wrong_types),
      cmocka_unit_test(test_too_large),
      cmocka_unit_test(test_wrong_values),
      cmocka_unit_test(test_wrong_brackets),
      cmocka_unit_test(test_ignored),
      cmocka_unit_test(test_files),
      cmocka_unit_test(test_no_file),
      cmocka_unit_test(test_strides),
      cmocka_unit_test(test_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
