/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Elements: every small float there is, rounding at every midpoint, ranges of
/// integers, text there and back.
#include "base/numbers.h"
#include "expect.h"

#include "base/dtype.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const jitrun_dtype_t small_floats[] = {
    JITRUN_DTYPE_F16,           JITRUN_DTYPE_BF16,
    JITRUN_DTYPE_F8E5M2,        JITRUN_DTYPE_F8E4M3FN,
    JITRUN_DTYPE_F8E4M3B11FNUZ, JITRUN_DTYPE_F8E5M2FNUZ,
    JITRUN_DTYPE_F8E4M3FNUZ,
};
enum { SMALL_FLOATS = sizeof small_floats / sizeof *small_floats };

static uint64_t last_bits(jitrun_dtype_t dtype) {
  return jr_dtype_size(dtype) == 1 ? 0xff : 0xffff;
}

static void test_every_small_float(void **state) {
  (void)state;
  for (size_t i = 0; i < SMALL_FLOATS; i++) {
    jitrun_dtype_t dtype = small_floats[i];
    for (uint64_t bits = 0; bits <= last_bits(dtype); bits++) {
      double value = jr_float_decode(dtype, bits);
      uint64_t back = jr_float_encode(dtype, value);
      if (isnan(value))
        assert_true(isnan(jr_float_decode(dtype, back)));
      else
        assert_int_equal(back, bits);
    }
  }
}

static void test_midpoints(void **state) {
  (void)state;
  for (size_t i = 0; i < SMALL_FLOATS; i++) {
    jitrun_dtype_t dtype = small_floats[i];
    for (uint64_t bits = 0; bits < last_bits(dtype) / 2; bits++) {
      double low = jr_float_decode(dtype, bits);
      double high = jr_float_decode(dtype, bits + 1);
      if (!isfinite(high))
        break;
      double middle = low + (high - low) / 2;
      uint64_t even = bits + (bits & 1);
      assert_int_equal(jr_float_encode(dtype, middle), even);
      assert_int_equal(jr_float_encode(dtype, nextafter(middle, 0)), bits);
      assert_int_equal(jr_float_encode(dtype, nextafter(middle, 1e300)),
                       bits + 1);
    }
  }
}

static void test_known_floats(void **state) {
  (void)state;
  assert_int_equal(jr_float_encode(JITRUN_DTYPE_F16, 1.5), 0x3e00);
  assert_int_equal(jr_float_encode(JITRUN_DTYPE_F16, -65504), 0xfbff);
  assert_int_equal(jr_float_encode(JITRUN_DTYPE_F16, 65519.99), 0x7bff);
  assert_int_equal(jr_float_encode(JITRUN_DTYPE_F16, 65520), 0x7c00);
  assert_int_equal(jr_float_encode(JITRUN_DTYPE_F16, -INFINITY), 0xfc00);
  assert_int_equal(jr_float_encode(JITRUN_DTYPE_F16, 1e-30), 0);
  assert_int_equal(jr_float_encode(JITRUN_DTYPE_F16, -1e-300), 0x8000);
  assert_int_equal(jr_float_encode(JITRUN_DTYPE_BF16, 3.140625), 0x4049);
  assert_int_equal(jr_float_encode(JITRUN_DTYPE_F8E5M2, 57344), 0x7b);
  assert_int_equal(jr_float_encode(JITRUN_DTYPE_F8E5M2, 61440), 0x7c);
  assert_int_equal(jr_float_encode(JITRUN_DTYPE_F8E4M3FN, 448), 0x7e);
  assert_int_equal(jr_float_encode(JITRUN_DTYPE_F8E4M3FN, 1000), 0x7f);
  assert_int_equal(jr_float_encode(JITRUN_DTYPE_F8E4M3FN, -1000), 0xff);
  assert_int_equal(jr_float_encode(JITRUN_DTYPE_F8E4M3B11FNUZ, 30), 0x7f);
  assert_int_equal(jr_float_encode(JITRUN_DTYPE_F8E4M3B11FNUZ, -0.0), 0);
  assert_int_equal(jr_float_encode(JITRUN_DTYPE_F8E4M3B11FNUZ, NAN), 0x80);
  assert_int_equal(jr_float_encode(JITRUN_DTYPE_F8E5M2FNUZ, 57344), 0x7f);
  assert_int_equal(jr_float_encode(JITRUN_DTYPE_F8E5M2FNUZ, 1), 0x40);
  assert_int_equal(jr_float_encode(JITRUN_DTYPE_F8E5M2FNUZ, -0.0), 0);
  assert_int_equal(jr_float_encode(JITRUN_DTYPE_F8E5M2FNUZ, -INFINITY), 0x80);
  assert_int_equal(jr_float_encode(JITRUN_DTYPE_F8E4M3FNUZ, 240), 0x7f);
  assert_int_equal(jr_float_encode(JITRUN_DTYPE_F8E4M3FNUZ, 1), 0x40);
  assert_true(jr_float_decode(JITRUN_DTYPE_F8E4M3FNUZ, 0x01) == 0x1p-10);
  assert_true(isnan(jr_float_decode(JITRUN_DTYPE_F8E4M3FNUZ, 0x80)));
  assert_true(jr_float_decode(JITRUN_DTYPE_F8E5M2, 0x01) == 0x1p-16);
  assert_true(isnan(jr_float_decode(JITRUN_DTYPE_F8E4M3FN, 0xff)));
  assert_true(jr_float_decode(JITRUN_DTYPE_F8E4M3FN, 0x78) == 256);
}

/// The compiler's own conversions say the same of f32 and f64.
static void test_against_float(void **state) {
  (void)state;
  uint64_t bits = 0x243f6a8885a308d3;
  for (int i = 0; i < 200000; i++) {
    bits = bits * UINT64_C(6364136223846793005) + 1442695040888963407;
    double value;
    memcpy(&value, &bits, sizeof value);
    if (i & 1) // else nearly all are out of the range of a float
      value = ldexp(frexp(value, &(int){0}), (int)(bits % 300) - 160);
    if (isnan(value))
      continue;
    float expected = (float)value;
    uint32_t expected_bits;
    memcpy(&expected_bits, &expected, sizeof expected);
    assert_int_equal(jr_float_encode(JITRUN_DTYPE_F32, value), expected_bits);
    uint64_t same;
    memcpy(&same, &value, sizeof value);
    assert_int_equal(jr_float_encode(JITRUN_DTYPE_F64, value), same);
    assert_true(jr_float_decode(JITRUN_DTYPE_F64, same) == value);
  }
}

static enum jr_element_text parse(jitrun_dtype_t dtype, const char *text,
                                  void *data) {
  return jr_element_parse(dtype, text, strlen(text), data);
}

/// Parses, formats, and compares.
static void assert_element(jitrun_dtype_t dtype, const char *text,
                           const char *expected) {
  char data[16] = {0};
  assert_int_equal(parse(dtype, text, data), JR_ELEMENT_OK);
  struct jr_bytes out = {0};
  jr_element_format(&out, dtype, data);
  assert_string_equal(jr_bytes_text(&out), expected);
  jr_bytes_deinit(&out);
}

static void assert_refused(jitrun_dtype_t dtype, const char *text,
                           enum jr_element_text expected) {
  char data[16] = {0};
  assert_int_equal(parse(dtype, text, data), expected);
  for (size_t i = 0; i < sizeof data; i++)
    assert_int_equal(data[i], 0);
}

static void test_integer_text(void **state) {
  (void)state;
  assert_element(JITRUN_DTYPE_S8, "-128", "-128");
  assert_element(JITRUN_DTYPE_S8, "+127", "127");
  assert_element(JITRUN_DTYPE_S4, "-8", "-8");
  assert_element(JITRUN_DTYPE_U4, "0xF", "15");
  assert_element(JITRUN_DTYPE_PRED, "true", "1");
  assert_element(JITRUN_DTYPE_PRED, "0", "0");
  assert_element(JITRUN_DTYPE_U8, "-0", "0");
  assert_element(JITRUN_DTYPE_S64, "-9223372036854775808",
                 "-9223372036854775808");
  assert_element(JITRUN_DTYPE_U64, "0xffffffffffffffff",
                 "18446744073709551615");
  assert_refused(JITRUN_DTYPE_S8, "128", JR_ELEMENT_RANGE);
  assert_refused(JITRUN_DTYPE_S8, "-129", JR_ELEMENT_RANGE);
  assert_refused(JITRUN_DTYPE_U8, "-1", JR_ELEMENT_RANGE);
  assert_refused(JITRUN_DTYPE_U4, "16", JR_ELEMENT_RANGE);
  assert_refused(JITRUN_DTYPE_PRED, "2", JR_ELEMENT_RANGE);
  assert_refused(JITRUN_DTYPE_S64, "9223372036854775808", JR_ELEMENT_RANGE);
  assert_refused(JITRUN_DTYPE_U64, "18446744073709551616", JR_ELEMENT_RANGE);
  const char *const wrong[] = {"",   "-",    "x",   "1.0", "1e3", " 1",
                               "1 ", "true", "0x",  "0xg", "--1", "1,2",
                               "a",  "10a",  "inf", "-0x"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    assert_refused(JITRUN_DTYPE_S32, wrong[i], JR_ELEMENT_SYNTAX);
}

static void test_real_text(void **state) {
  (void)state;
  assert_element(JITRUN_DTYPE_F32, "0.1", "0.1");
  assert_element(JITRUN_DTYPE_F32, "16777217", "16777216");
  assert_element(JITRUN_DTYPE_F32, "-inf", "-inf");
  assert_element(JITRUN_DTYPE_F32, "NaN", "nan");
  assert_element(JITRUN_DTYPE_F32, "-0", "-0");
  assert_element(JITRUN_DTYPE_F32, "1e-50", "0");
  assert_element(JITRUN_DTYPE_F64, "0x1p-3", "0.125");
  assert_element(JITRUN_DTYPE_F64, "5e-324", "5e-324");
  assert_element(JITRUN_DTYPE_F16, "0.1", "0.1");
  assert_element(JITRUN_DTYPE_F16, "65504", "65500");
  assert_element(JITRUN_DTYPE_BF16, "3.14159", "3.14");
  assert_element(JITRUN_DTYPE_F8E4M3FN, "448", "450");
  assert_element(JITRUN_DTYPE_F8E5M2, "inf", "inf");
  assert_refused(JITRUN_DTYPE_F32, "1e39", JR_ELEMENT_RANGE);
  assert_refused(JITRUN_DTYPE_F64, "1e309", JR_ELEMENT_RANGE);
  assert_refused(JITRUN_DTYPE_F16, "65520", JR_ELEMENT_RANGE);
  assert_refused(JITRUN_DTYPE_F8E4M3FN, "inf", JR_ELEMENT_RANGE);
  assert_refused(JITRUN_DTYPE_F8E4M3FN, "480", JR_ELEMENT_RANGE);
  const char *const wrong[] = {"", " 1", "1 ", "1f", "e", ".", "-", "infx"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    assert_refused(JITRUN_DTYPE_F32, wrong[i], JR_ELEMENT_SYNTAX);
}

/// Between the two floats nearest to it a double would land on the midpoint.
static void test_rounded_once(void **state) {
  (void)state;
  float value;
  const char *text = "1.00000005960464477539062500000000001";
  assert_int_equal(parse(JITRUN_DTYPE_F32, text, &value), JR_ELEMENT_OK);
  assert_true(value > 1);
}

static void test_complex_text(void **state) {
  (void)state;
  assert_element(JITRUN_DTYPE_C64, "(1,-2.5)", "(1,-2.5)");
  assert_element(JITRUN_DTYPE_C128, "(0.1, 1e20)", "(0.1,1e+20)");
  assert_element(JITRUN_DTYPE_C64, "7", "(7,0)");
  const char *const wrong[] = {"(", "(1)", "(1,", "(1,2)3", "1,2", "(,)", ")"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    assert_refused(JITRUN_DTYPE_C64, wrong[i], JR_ELEMENT_SYNTAX);
  assert_refused(JITRUN_DTYPE_C64, "(1,1e39)", JR_ELEMENT_RANGE);
}

static void test_small_floats_read_back(void **state) {
  (void)state;
  struct jr_bytes out = {0};
  for (size_t i = 0; i < SMALL_FLOATS; i++) {
    jitrun_dtype_t dtype = small_floats[i];
    for (uint64_t bits = 0; bits <= last_bits(dtype); bits++) {
      uint64_t back = 0;
      out.size = 0;
      jr_element_format(&out, dtype, &bits);
      assert_int_equal(parse(dtype, jr_bytes_text(&out), &back), JR_ELEMENT_OK);
      if (!isnan(jr_float_decode(dtype, bits)))
        assert_int_equal(back, bits);
    }
  }
  jr_bytes_deinit(&out);
}

static void test_bad_dtype(void **state) {
  (void)state;
  char data[16] = {0};
  jitrun_dtype_t none = (jitrun_dtype_t)13;
  assert_int_equal(jr_dtype_number_kind(none), JR_NUMBER_NONE);
  assert_int_equal(jr_element_read(none, data).kind, JR_NUMBER_NONE);
  assert_int_equal(parse(none, "1", data), JR_ELEMENT_SYNTAX);
  assert_false(jr_element_write(none, (struct jr_number){0}, data));
}

static void test_writes(void **state) {
  (void)state;
  struct jr_number real = {.kind = JR_NUMBER_REAL, .real = -3};
  int16_t whole = 0;
  assert_true(jr_element_write(JITRUN_DTYPE_S16, real, &whole));
  assert_int_equal(whole, -3);
  real.real = 0.5;
  assert_false(jr_element_write(JITRUN_DTYPE_S16, real, &whole));
  real.real = NAN;
  assert_false(jr_element_write(JITRUN_DTYPE_S16, real, &whole));
  uint8_t nibble = 0xfd;
  assert_int_equal(jr_element_read(JITRUN_DTYPE_S4, &nibble).s64, -3);
  assert_int_equal(jr_element_read(JITRUN_DTYPE_U4, &nibble).u64, 13);
  assert_true(jr_element_to_f64(JITRUN_DTYPE_U8, &nibble) == 253);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_small_float),
      cmocka_unit_test(test_midpoints),
      cmocka_unit_test(test_known_floats),
      cmocka_unit_test(test_against_float),
      cmocka_unit_test(test_integer_text),
      cmocka_unit_test(test_real_text),
      cmocka_unit_test(test_rounded_once),
      cmocka_unit_test(test_complex_text),
      cmocka_unit_test(test_small_floats_read_back),
      cmocka_unit_test(test_bad_dtype),
      cmocka_unit_test(test_writes),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
