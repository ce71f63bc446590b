/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// .npy files: what numpy writes, there and back, and what nobody should.
#include "expect.h"
#include "npy.h"

#include "base/bytes.h"
#include "base/error.h"
#include "base/values.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/// A file of version `major` with this dictionary and these elements.
static struct jr_bytes make_file(int major, const char *dictionary,
                                 const void *data, size_t size) {
  struct jr_bytes file = {0};
  size_t length = strlen(dictionary);
  const unsigned char prelude[] = {0x93,
                                   'N',
                                   'U',
                                   'M',
                                   'P',
                                   'Y',
                                   (unsigned char)major,
                                   0,
                                   (unsigned char)length,
                                   (unsigned char)(length >> 8),
                                   0,
                                   0};
  jr_bytes_append(&file, prelude, major == 1 ? 10 : 12);
  jr_bytes_append_text(&file, dictionary);
  jr_bytes_append(&file, data, size);
  return file;
}

static void assert_file_as(struct jr_bytes *file, jitrun_dtype_t wanted,
                           const char *expected) {
  struct jr_value value;
  assert_null(jr_npy_load(file, wanted, &value));
  assert_null(file->data);
  struct jr_bytes text = {0};
  jr_value_format(&text, value.type, value.data, SIZE_MAX);
  assert_string_equal(jr_bytes_text(&text), expected);
  jr_bytes_deinit(&text);
  jr_value_deinit(&value);
}

static void assert_file(struct jr_bytes *file, const char *expected) {
  assert_file_as(file, JITRUN_DTYPE_INVALID, expected);
}

static void assert_loads(int major, const char *dictionary, const void *data,
                         size_t size, const char *expected) {
  struct jr_bytes file = make_file(major, dictionary, data, size);
  assert_file(&file, expected);
}

static void test_versions_and_orders(void **state) {
  (void)state;
  const int16_t data[] = {1, 2, 3, 4, 5, 6};
  assert_loads(1, "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }",
               data, sizeof data, "2x3xi16=[[1 2 3][4 5 6]]");
  assert_loads(2,
               "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3)}  \n",
               data, sizeof data, "2x3xi16=[[1 3 5][2 4 6]]");
  assert_loads(3, "{\"shape\":(6,),\"descr\":\"=i2\",\"fortran_order\":False}",
               data, sizeof data, "6xi16=[1 2 3 4 5 6]");
  assert_loads(1, "{'descr': '<i2', 'fortran_order': False, 'shape': (6L,)}",
               data, sizeof data, "6xi16=[1 2 3 4 5 6]");
  assert_loads(1, "{'descr': '<i2', 'fortran_order': False, 'shape': ()}", data,
               2, "i16=1");
  assert_loads(1, "{'descr': '<i2', 'fortran_order': True, 'shape': (0, 4)}",
               data, 0, "0x4xi16=[]");
}

static void test_byte_order(void **state) {
  (void)state;
  const unsigned char data[] = {0, 1, 0xff, 0xfe};
  assert_loads(1, "{'descr': '>i2', 'fortran_order': False, 'shape': (2,)}",
               data, sizeof data, "2xi16=[1 -2]");
  const unsigned char complex[] = {0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0};
  assert_loads(1, "{'descr': '>c8', 'fortran_order': False, 'shape': (1,)}",
               complex, sizeof complex, "1xcomplex<f32>=[(1,-2)]");
}

static void assert_refused(const char *dictionary, size_t size,
                           const char *expected) {
  const char data[64] = {0};
  struct jr_bytes file = make_file(1, dictionary, data, size);
  struct jr_value value;
  expect_error(jr_npy_load(&file, JITRUN_DTYPE_INVALID, &value),
               JITRUN_INVALID_ARGUMENT, expected);
  assert_null(value.type);
  jr_bytes_deinit(&file);
}

#define ORDER "'fortran_order': False, "

static void test_refused(void **state) {
  (void)state;
  assert_refused("", 0, "its header is no dictionary");
  assert_refused("{'descr'}", 0, "its header is no dictionary");
  assert_refused("{", 0, "its header is no dictionary");
  assert_refused("{}", 0, "lacks 'descr'");
  assert_refused("{'descr': '<f4' 'shape': ()}", 0, "is no dictionary");
  assert_refused("{'descr': '<f4\\'', ", 0, "'descr' is not the name");
  assert_refused("{'x': 3}", 0, "a key that is not known");
  assert_refused("{'descr': [('a', '<f4')], ", 0, "'descr' is not the name");
  assert_refused("{'descr': '<U4', " ORDER "'shape': (1,)}", 16,
                 "its elements are '<U4'");
  assert_refused("{'descr': '|O', " ORDER "'shape': (1,)}", 8,
                 "its elements are '|O'");
  assert_refused("{'descr': '', " ORDER "'shape': (1,)}", 8,
                 "its elements are ''");
  assert_refused("{'fortran_order': 1", 0, "neither True nor False");
  assert_refused("{'shape': 3}", 0, "'shape' is no tuple");
  assert_refused("{'shape': (-1,)}", 0, "a size that is no number");
  assert_refused("{'shape': (1 2)}", 0, "'shape' is no tuple of numbers");
  assert_refused("{'shape': (99999999999999999999,)}", 0, "out of range");
  assert_refused("{'shape': (1,", 0, "a size that is no number");
  assert_refused("{'descr': '<f4', " ORDER "'shape': (3,)}", 11,
                 "asks for 12 bytes of elements, it has 11");
  assert_refused("{'descr': '<f4', " ORDER "'shape': (3,)}", 13,
                 "asks for 12 bytes of elements, it has 13");
  assert_refused("{'descr': '<f8', " ORDER "'shape': (4294967296, 4294967296)}",
                 8, "size is out of range");
}

/// A good file, cut anywhere, and with every byte changed: no crash, and no
/// value that is larger than the file.
static void test_damaged(void **state) {
  (void)state;
  const int32_t data[] = {1, 2, 3, 4};
  for (size_t cut = 0; cut < 200; cut++) {
    struct jr_bytes file = make_file(
        1, "{'descr': '<i4', " ORDER "'shape': (2, 2), }", data, sizeof data);
    struct jr_value value;
    if (cut < file.size)
      file.size = cut;
    else
      file.data[cut - file.size] ^= (unsigned char)(1u << cut % 8);
    jitrun_error_t *error = jr_npy_load(&file, JITRUN_DTYPE_INVALID, &value);
    jitrun_error_free(error);
    jr_value_deinit(&value);
    jr_bytes_deinit(&file);
  }
}

/// Writes a value as a file and reads that.
static void assert_round_trip(jitrun_dtype_t dtype, size_t rank,
                              const int64_t *dims, const char *expected) {
  struct jr_value value;
  assert_null(jr_value_init(dtype, rank, dims, &value));
  for (uint64_t i = 0; i < jr_value_count(&value); i++) {
    struct jr_number number = {.kind = JR_NUMBER_UNSIGNED, .u64 = i % 2};
    void *element =
        (void *)(uintptr_t)jr_value_element(value.type, value.data, i);
    assert_true(jr_element_write(dtype, number, element));
  }
  struct jr_bytes file = {0};
  assert_null(jr_npy_format(&file, &value));
  assert_true(jr_npy_matches(file.data, file.size));
  assert_file_as(&file, dtype, expected);
  jr_value_deinit(&value);
}

static void test_round_trips(void **state) {
  (void)state;
  static const struct {
    jitrun_dtype_t dtype;
    const char *expected;
  } rows[] = {
      {JITRUN_DTYPE_PRED, "3xi1=[0 1 0]"},
      {JITRUN_DTYPE_S8, "3xi8=[0 1 0]"},
      {JITRUN_DTYPE_S16, "3xi16=[0 1 0]"},
      {JITRUN_DTYPE_S32, "3xi32=[0 1 0]"},
      {JITRUN_DTYPE_S64, "3xi64=[0 1 0]"},
      {JITRUN_DTYPE_U8, "3xui8=[0 1 0]"},
      {JITRUN_DTYPE_U16, "3xui16=[0 1 0]"},
      {JITRUN_DTYPE_U32, "3xui32=[0 1 0]"},
      {JITRUN_DTYPE_U64, "3xui64=[0 1 0]"},
      {JITRUN_DTYPE_F16, "3xf16=[0 1 0]"},
      {JITRUN_DTYPE_F32, "3xf32=[0 1 0]"},
      {JITRUN_DTYPE_F64, "3xf64=[0 1 0]"},
      {JITRUN_DTYPE_C64, "3xcomplex<f32>=[(0,0) (1,0) (0,0)]"},
      {JITRUN_DTYPE_BF16, "3xbf16=[0 1 0]"},
      {JITRUN_DTYPE_F8E5M2, "3xf8E5M2=[0 1 0]"},
      {JITRUN_DTYPE_F8E4M3FN, "3xf8E4M3FN=[0 1 0]"},
      {JITRUN_DTYPE_F8E4M3B11FNUZ, "3xf8E4M3B11FNUZ=[0 1 0]"},
      {JITRUN_DTYPE_F8E5M2FNUZ, "3xf8E5M2FNUZ=[0 1 0]"},
      {JITRUN_DTYPE_F8E4M3FNUZ, "3xf8E4M3FNUZ=[0 1 0]"},
      {JITRUN_DTYPE_S4, "3xi4=[0 1 0]"},
      {JITRUN_DTYPE_U4, "3xui4=[0 1 0]"},
      {JITRUN_DTYPE_C128, "3xcomplex<f64>=[(0,0) (1,0) (0,0)]"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    assert_round_trip(rows[i].dtype, 1, (int64_t[]){3}, rows[i].expected);
  assert_round_trip(JITRUN_DTYPE_F32, 0, NULL, "f32=0");
  assert_round_trip(JITRUN_DTYPE_F32, 2, (int64_t[]){2, 2},
                    "2x2xf32=[[0 1][0 1]]");
  assert_round_trip(JITRUN_DTYPE_F32, 2, (int64_t[]){0, 2}, "0x2xf32=[]");
}

/// Loads a file of three elements of one byte as a dtype.
static void assert_wanted(const char *descr, jitrun_dtype_t wanted,
                          const unsigned char data[3], const char *expected) {
  char dictionary[128];
  (void)snprintf(dictionary, sizeof dictionary,
                 "{'descr': '%s', " ORDER "'shape': (3,)}", descr);
  struct jr_bytes file = make_file(1, dictionary, data, 3);
  struct jr_value value;
  jitrun_error_t *error = jr_npy_load(&file, wanted, &value);
  if (error) {
    expect_error(error, JITRUN_INVALID_ARGUMENT, expected);
    jr_bytes_deinit(&file);
    return;
  }
  struct jr_bytes text = {0};
  jr_value_format(&text, value.type, value.data, SIZE_MAX);
  assert_string_equal(jr_bytes_text(&text), expected);
  jr_bytes_deinit(&text);
  jr_value_deinit(&value);
}

/// What numpy has no type for: bytes, or numbers of the same bits.
static void test_no_numpy_type(void **state) {
  (void)state;
  const unsigned char floats[] = {0x3c, 0x40, 0xc2};
  assert_wanted("<f1", JITRUN_DTYPE_INVALID, floats, "3xf8E5M2=[1 2 -3]");
  assert_wanted("|V1", JITRUN_DTYPE_F8E5M2, floats, "3xf8E5M2=[1 2 -3]");
  assert_wanted("|u1", JITRUN_DTYPE_F8E5M2, floats, "3xf8E5M2=[1 2 -3]");
  const unsigned char more[] = {0x38, 0x40, 0xc4};
  assert_wanted("<V1", JITRUN_DTYPE_F8E4M3FN, more, "3xf8E4M3FN=[1 2 -3]");
  const unsigned char nibbles[] = {1, 2, 13};
  assert_wanted("<V1", JITRUN_DTYPE_S4, nibbles, "3xi4=[1 2 -3]");
  assert_wanted("<V1", JITRUN_DTYPE_U4, nibbles, "3xui4=[1 2 13]");
  assert_wanted("|u1", JITRUN_DTYPE_U4, nibbles, "3xui4=[1 2 13]");
  assert_wanted("|i1", JITRUN_DTYPE_S4, nibbles,
                "element 2 is 13, which is out of the range of i4");
  const unsigned char wide[] = {1, 16, 0xf8};
  assert_wanted("|i1", JITRUN_DTYPE_S4, (const unsigned char[]){7, 0xff, 0xf8},
                "3xi4=[7 -1 -8]");
  assert_wanted("<V1", JITRUN_DTYPE_S4, wide, "element 1 is 16");
  assert_wanted("|u1", JITRUN_DTYPE_U4, wide, "element 1 is 16");
  assert_wanted("<V1", JITRUN_DTYPE_INVALID, floats, "say the type in front");
  assert_wanted("|i1", JITRUN_DTYPE_F8E5M2, floats, "3xi8=[60 64 -62]");
  const unsigned char halves[] = {0x3f, 0x80, 0xc0, 0x40};
  assert_loads(1, "{'descr': '>V2', " ORDER "'shape': (2,)}", halves, 4,
               "2xbf16=[1 -3]");
}

static void test_measure(void **state) {
  (void)state;
  struct jr_bytes file =
      make_file(2, "{'descr': '<f8', " ORDER "'shape': (2, 3)}", NULL, 0);
  uint64_t size = 0;
  assert_null(jr_npy_measure(file.data, file.size, &size));
  assert_int_equal(size, file.size + 48);
  expect_error(jr_npy_measure(file.data, file.size - 1, &size),
               JITRUN_INVALID_ARGUMENT, "its header is cut off");
  jr_bytes_deinit(&file);
  file = make_file(
      1, "{'descr': '<f8', " ORDER "'shape': (4294967296, 4294967296)}", NULL,
      0);
  expect_error(jr_npy_measure(file.data, file.size, &size),
               JITRUN_INVALID_ARGUMENT, "its size is out of range");
  jr_bytes_deinit(&file);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_versions_and_orders),
      cmocka_unit_test(test_byte_order),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_damaged),
      cmocka_unit_test(test_round_trips),
      cmocka_unit_test(test_no_numpy_type),
      cmocka_unit_test(test_measure),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
