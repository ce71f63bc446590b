/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Helpers of generated code: every 16-bit float, every midpoint between two,
/// 128-bit integers by their identities. helpers_llvm.ll, compiled by LLVM's
/// own llc, checks that the calls are those that generated code makes; where
/// that object is not linked in, its tests are skipped.
#include "expect.h"

#include "helpers/float_bits.h"
#include "helpers/helpers.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// A function of helpers_llvm.ll; NULL when that is not linked in.
typedef void (*llvm_fn_t)(const void *in, void *out);
#define LLVM_FN(name) void name(const void *in, void *out) __attribute__((weak))
LLVM_FN(llvm_f32_f16);
LLVM_FN(llvm_f64_f16);
LLVM_FN(llvm_f80_f16);
LLVM_FN(llvm_f32_bf16);
LLVM_FN(llvm_f64_bf16);
LLVM_FN(llvm_f80_bf16);
LLVM_FN(llvm_f16_f32);
LLVM_FN(llvm_f16_f80);
LLVM_FN(llvm_i128_f16);
LLVM_FN(llvm_u128_f32);
LLVM_FN(llvm_i128_f64);
LLVM_FN(llvm_f16_i128);
LLVM_FN(llvm_f64_u128);
LLVM_FN(llvm_sdivrem);
LLVM_FN(llvm_udivrem);
LLVM_FN(llvm_powi);

/// Narrows a long double that the source type holds exactly.
typedef uint16_t (*narrow_fn_t)(long double value);

static uint16_t narrow_f32_f16(long double value) {
  return (uint16_t)jr_half_bits(__truncsfhf2((float)value));
}
static uint16_t narrow_f64_f16(long double value) {
  return (uint16_t)jr_half_bits(__truncdfhf2((double)value));
}
static uint16_t narrow_f80_f16(long double value) {
  return (uint16_t)jr_half_bits(__truncxfhf2(value));
}
static uint16_t narrow_gnu_f16(long double value) {
  return __gnu_f2h_ieee((float)value);
}
static uint16_t narrow_f32_bf16(long double value) {
  return (uint16_t)jr_half_bits(__truncsfbf2((float)value));
}
static uint16_t narrow_f64_bf16(long double value) {
  return (uint16_t)jr_half_bits(__truncdfbf2((double)value));
}
static uint16_t narrow_f80_bf16(long double value) {
  return (uint16_t)jr_half_bits(__truncxfbf2(value));
}

static uint16_t call_narrow(llvm_fn_t function, const void *in) {
  uint16_t bits = 0xdead;
  if (function)
    function(in, &bits);
  return bits;
}
static uint16_t llvm_narrow_f32_f16(long double value) {
  float narrow = (float)value;
  return call_narrow(llvm_f32_f16, &narrow);
}
static uint16_t llvm_narrow_f64_f16(long double value) {
  double narrow = (double)value;
  return call_narrow(llvm_f64_f16, &narrow);
}
static uint16_t llvm_narrow_f80_f16(long double value) {
  return call_narrow(llvm_f80_f16, &value);
}
static uint16_t llvm_narrow_f32_bf16(long double value) {
  float narrow = (float)value;
  return call_narrow(llvm_f32_bf16, &narrow);
}
static uint16_t llvm_narrow_f64_bf16(long double value) {
  double narrow = (double)value;
  return call_narrow(llvm_f64_bf16, &narrow);
}
static uint16_t llvm_narrow_f80_bf16(long double value) {
  return call_narrow(llvm_f80_bf16, &value);
}

/// The value of a 16-bit float with a finite exponent field, from its
/// definition; for the bits of infinity, the value that would come next.
static double value_of(unsigned bits, struct jr_format format) {
  int field = (int)(bits >> format.fraction_bits);
  double fraction = (double)(bits & ((1u << format.fraction_bits) - 1));
  int scale = 1 - jr_format_bias(format) - format.fraction_bits;
  if (field == 0)
    return ldexp(fraction, scale);
  return ldexp(fraction + (double)(1u << format.fraction_bits),
               scale + field - 1);
}

/// The neighbours of a value in the source type of a conversion.
struct source {
  narrow_fn_t narrow;
  int digits; ///< 24, 53 or 64
};

static long double neighbour(struct source source, double value, double to) {
  if (source.digits == 24)
    return (long double)nextafterf((float)value, (float)to);
  if (source.digits == 53)
    return (long double)nextafter(value, to);
  return nextafterl((long double)value, (long double)to);
}

/// Checks that values around the midpoint between two neighbours go to the
/// right one, the midpoint itself to the even one; for both signs.
static void check_midpoint(struct source source, unsigned bits,
                           struct jr_format format) {
  double low = value_of(bits, format);
  double middle = (low + value_of(bits + 1, format)) / 2;
  const long double values[] = {(long double)low, neighbour(source, middle, 0),
                                (long double)middle,
                                neighbour(source, middle, (double)INFINITY)};
  const unsigned expected[] = {bits, bits, bits + (bits & 1), bits + 1};
  for (size_t i = 0; i < 4; i++) {
    unsigned up = source.narrow(values[i]);
    unsigned down = source.narrow(-values[i]);
    if (up != expected[i] || down != (expected[i] | 0x8000))
      fail_msg("%La went to %#x and %#x, not %#x", values[i], up, down,
               expected[i]);
  }
}

static void check_narrowing(narrow_fn_t narrow, int digits,
                            struct jr_format format) {
  unsigned infinity = ((1u << format.exponent_bits) - 1)
                      << format.fraction_bits;
  struct source source = {narrow, digits};
  for (unsigned bits = 0; bits < infinity; bits++)
    check_midpoint(source, bits, format);
  assert_int_equal(narrow((long double)INFINITY), infinity);
  assert_int_equal(narrow(-(long double)INFINITY), infinity | 0x8000);
  assert_int_equal(narrow((long double)3e38f),
                   format.exponent_bits == 8 ? 0x7f62 : infinity);
  unsigned nan = narrow((long double)NAN) & 0x7fffu;
  assert_true(nan > infinity);
  assert_int_equal(narrow(0.0L), 0);
  assert_int_equal(narrow(-0.0L), 0x8000);
}

static void test_narrow_f16(void **state) {
  (void)state;
  check_narrowing(narrow_f32_f16, 24, JR_FORMAT_F16);
  check_narrowing(narrow_f64_f16, 53, JR_FORMAT_F16);
  check_narrowing(narrow_f80_f16, 64, JR_FORMAT_F16);
  check_narrowing(narrow_gnu_f16, 24, JR_FORMAT_F16);
}

static void test_narrow_bf16(void **state) {
  (void)state;
  check_narrowing(narrow_f32_bf16, 24, JR_FORMAT_BF16);
  check_narrowing(narrow_f64_bf16, 53, JR_FORMAT_BF16);
  check_narrowing(narrow_f80_bf16, 64, JR_FORMAT_BF16);
}

static void test_llvm_narrow(void **state) {
  (void)state;
  if (!llvm_f32_f16) {
    skip();
    return;
  }
  check_narrowing(llvm_narrow_f32_f16, 24, JR_FORMAT_F16);
  check_narrowing(llvm_narrow_f64_f16, 53, JR_FORMAT_F16);
  check_narrowing(llvm_narrow_f80_f16, 64, JR_FORMAT_F16);
  check_narrowing(llvm_narrow_f32_bf16, 24, JR_FORMAT_BF16);
  check_narrowing(llvm_narrow_f64_bf16, 53, JR_FORMAT_BF16);
  check_narrowing(llvm_narrow_f80_bf16, 64, JR_FORMAT_BF16);
}

static void test_no_double_rounding(void **state) {
  (void)state;
  // As a float this is the midpoint 1 + 2^-11, which would go down to even.
  double value = 1 + ldexp(1, -11) + ldexp(1, -40);
  assert_int_equal(narrow_f64_f16((long double)value), 0x3c01);
  value = 1 + ldexp(1, -8) + ldexp(1, -40);
  assert_int_equal(narrow_f64_bf16((long double)value), 0x3f81);
  long double wide = 1 + ldexpl(1, -11) + ldexpl(1, -63);
  assert_int_equal(narrow_f80_f16(wide), 0x3c01);
  wide = 1 + ldexpl(1, -8) + ldexpl(1, -63);
  assert_int_equal(narrow_f80_bf16(wide), 0x3f81);
  // Out of a double's range
  assert_int_equal(narrow_f80_bf16(ldexpl(1, 16000)), 0x7f80);
  assert_int_equal(narrow_f80_bf16(-ldexpl(1, -16000)), 0x8000);
}

static void test_nan_payloads(void **state) {
  (void)state;
  // A signalling NaN whose payload is below what is kept stays a NaN.
  float signalling = jr_float_from(0x7f800001);
  assert_int_equal(jr_half_bits(__truncsfhf2(signalling)), 0x7e00);
  assert_int_equal(jr_half_bits(__truncsfbf2(signalling)), 0x7fc0);
  float negative = jr_float_from(0xffc12345);
  assert_int_equal(jr_half_bits(__truncsfbf2(negative)), 0xffc1);
  assert_true(jr_float_bits(__extendhfsf2(jr_half_from(0x7d01))) == 0x7fe02000);
}

static void check_wide(unsigned bits, double wide, struct jr_format format) {
  unsigned infinity = ((1u << format.exponent_bits) - 1)
                      << format.fraction_bits;
  unsigned magnitude = bits & 0x7fffu;
  double expected = value_of(magnitude, format);
  if (magnitude == infinity)
    expected = (double)INFINITY;
  if (magnitude > infinity)
    assert_true(isnan(wide));
  else
    assert_true(fabs(wide) == expected);
  assert_int_equal(signbit(wide) != 0, bits >> 15);
}

static void test_widen(void **state) {
  (void)state;
  for (unsigned bits = 0; bits <= 0xffff; bits++) {
    jr_half half = jr_half_from(bits);
    assert_int_equal(jr_half_bits(half), bits);
    check_wide(bits, (double)__extendhfsf2(half), JR_FORMAT_F16);
    check_wide(bits, __extendhfdf2(half), JR_FORMAT_F16);
    check_wide(bits, (double)__extendhfxf2(half), JR_FORMAT_F16);
    check_wide(bits, (double)__gnu_h2f_ieee((uint16_t)bits), JR_FORMAT_F16);
    check_wide(bits, (double)__extendbfsf2(half), JR_FORMAT_BF16);
  }
}

static void test_llvm_widen(void **state) {
  (void)state;
  if (!llvm_f16_f32 || !llvm_f16_f80) {
    skip();
    return;
  }
  for (unsigned bits = 0; bits <= 0xffff; bits++) {
    uint16_t half = (uint16_t)bits;
    float wide = 0;
    long double wider = 0;
    llvm_f16_f32(&half, &wide);
    check_wide(bits, (double)wide, JR_FORMAT_F16);
    llvm_f16_f80(&half, &wider);
    check_wide(bits, (double)wider, JR_FORMAT_F16);
  }
}

/// A repeatable stream of numbers with leading and trailing zeros and ones.
static uint64_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  uint64_t bits = *state ^ *state >> 29;
  unsigned shift = (unsigned)(bits & 63);
  bits *= 0x9e3779b97f4a7c15u;
  return (*state >> 40 & 1) ? bits >> shift : ~(bits << shift);
}

static jr_u128 next_random_128(uint64_t *state) {
  jr_u128 high = next_random(state);
  return next_random(state) % 4 == 0 ? (jr_u128)next_random(state)
                                     : high << 64 | next_random(state);
}

static void check_division(jr_u128 a, jr_u128 b) {
  jr_u128 rest = 0;
  jr_u128 quotient = __udivmodti4(a, b, &rest);
  assert_true(rest < b);
  assert_true(quotient * b + rest == a);
  assert_true(b == 0 || quotient <= a);
  assert_true(__udivti3(a, b) == quotient && __umodti3(a, b) == rest);
  jr_s128 signed_a = (jr_s128)a;
  jr_s128 signed_b = (jr_s128)b;
  jr_s128 signed_rest = 0;
  jr_s128 ratio = __divmodti4(signed_a, signed_b, &signed_rest);
  assert_true((jr_u128)ratio * b + (jr_u128)signed_rest == a);
  assert_true(signed_rest == 0 || (signed_rest < 0) == (signed_a < 0));
  jr_u128 size = signed_rest < 0 ? -(jr_u128)signed_rest : (jr_u128)signed_rest;
  assert_true(size < (signed_b < 0 ? -b : b));
  assert_true(__divti3(signed_a, signed_b) == ratio);
  assert_true(__modti3(signed_a, signed_b) == signed_rest);
}

static void check_llvm_division(jr_u128 a, jr_u128 b) {
  if (!llvm_sdivrem || !llvm_udivrem)
    return;
  jr_u128 in[2] = {a, b};
  jr_u128 out[2] = {0, 0};
  llvm_udivrem(in, out);
  assert_true(out[0] == __udivti3(a, b) && out[1] == __umodti3(a, b));
  llvm_sdivrem(in, out);
  assert_true((jr_s128)out[0] == __divti3((jr_s128)a, (jr_s128)b));
  assert_true((jr_s128)out[1] == __modti3((jr_s128)a, (jr_s128)b));
}

static void test_division(void **state) {
  (void)state;
  uint64_t seed = 1;
  for (int i = 0; i < 20000; i++) {
    jr_u128 a = next_random_128(&seed);
    jr_u128 b = next_random_128(&seed);
    if (b == 0)
      continue;
    check_division(a, b);
    check_llvm_division(a, b);
  }
  jr_u128 lowest = (jr_u128)1 << 127;
  check_division(lowest, 1);
  check_division(lowest, 2);
  check_division(~(jr_u128)0, ~(jr_u128)0);
  check_division(0, lowest);
  assert_true(__divti3((jr_s128)lowest, -1) == (jr_s128)lowest); // wraps
  assert_true(__udivti3(7, 0) == 0 && __umodti3(7, 0) == 7);
  assert_true(__divmodti4(-7, 2, NULL) == -3);
  assert_true(__udivmodti4(7, 2, NULL) == 3);
}

static void test_multiplication(void **state) {
  (void)state;
  uint64_t seed = 2;
  for (int i = 0; i < 20000; i++) {
    jr_s128 a = (jr_s128)next_random_128(&seed);
    jr_s128 b = (jr_s128)next_random_128(&seed);
    if (i % 2) // near the limit of what fits
      b >>= 64 + i % 8;
    jr_u128 product = (jr_u128)a * (jr_u128)b;
    assert_true((jr_u128)__multi3(a, b) == product);
    int overflow = 77;
    jr_s128 checked = 0;
    bool is_over = __builtin_mul_overflow(a, b, &checked);
    assert_true((jr_u128)__muloti4(a, b, &overflow) == product);
    assert_int_equal(overflow, is_over);
  }
  jr_s128 lowest = (jr_s128)((jr_u128)1 << 127);
  int overflow = 0;
  assert_true(__muloti4(lowest, 1, &overflow) == lowest && !overflow);
  (void)__muloti4(lowest, -1, &overflow);
  assert_true(overflow);
  assert_true(__muloti4(lowest, 0, &overflow) == 0 && !overflow);
}

static void test_shifts(void **state) {
  (void)state;
  uint64_t seed = 3;
  for (int i = 0; i < 1000; i++) {
    jr_s128 value = (jr_s128)next_random_128(&seed);
    for (int count = 0; count < 128; count++) {
      assert_true((jr_u128)__ashlti3(value, count) == (jr_u128)value << count);
      assert_true((jr_u128)__lshrti3(value, count) == (jr_u128)value >> count);
      assert_true(__ashrti3(value, count) == value >> count);
    }
  }
}

/// Checks conversions of v * 2^shift against those of v, which are the
/// machine's own.
static void check_scaled(int64_t value, int shift) {
  jr_s128 wide = (jr_s128)((jr_u128)(jr_s128)value << shift);
  if (wide >> shift != value)
    return;
  assert_true(__floattidf(wide) == ldexp((double)value, shift));
  float single = ldexpf((float)value, shift);
  assert_true(__floattisf(wide) == single);
  if (value < 0)
    return;
  jr_u128 plain = (jr_u128)wide;
  assert_true(__floatuntidf(plain) == ldexp((double)value, shift));
  assert_true(__floatuntisf(plain) == single);
}

static void test_integer_to_float(void **state) {
  (void)state;
  uint64_t seed = 4;
  for (int i = 0; i < 20000; i++)
    check_scaled((int64_t)next_random(&seed), i % 128);
  assert_true(__floatuntisf(~(jr_u128)0) == ldexpf(1, 128));
  assert_true(__floattidf((jr_s128)((jr_u128)1 << 127)) == -ldexp(1, 127));
  // A midpoint, and one with a bit that only the sticky bit can tell.
  jr_u128 middle = ((jr_u128)1 << 127) + ((jr_u128)1 << (127 - 53));
  assert_true(__floatuntidf(middle) == ldexp(1, 127));
  assert_true(__floatuntidf(middle + 1) > ldexp(1, 127));
}

static void test_integer_to_float16(void **state) {
  (void)state;
  for (int value = -70000; value <= 70000; value++) {
    uint64_t f16 = jr_half_bits(__truncdfhf2((double)value));
    uint64_t bf16 = jr_half_bits(__truncdfbf2((double)value));
    assert_int_equal(jr_half_bits(__floattihf(value)), f16);
    assert_int_equal(jr_half_bits(__floattibf(value)), bf16);
    if (value < 0)
      continue;
    assert_int_equal(jr_half_bits(__floatuntihf((jr_u128)value)), f16);
    assert_int_equal(jr_half_bits(__floatuntibf((jr_u128)value)), bf16);
  }
  assert_int_equal(jr_half_bits(__floatuntihf(~(jr_u128)0)), 0x7c00);
  assert_int_equal(jr_half_bits(__floatuntibf(~(jr_u128)0)), 0x7f80);
}

static void test_float_to_integer(void **state) {
  (void)state;
  uint64_t seed = 5;
  for (int i = 0; i < 20000; i++) {
    int shift = i % 65;
    int64_t value = (int64_t)next_random(&seed) >> 11; // exact in a double
    double scaled = ldexp((double)value, shift);
    assert_true(__fixdfti(scaled) ==
                (jr_s128)((jr_u128)(jr_s128)value << shift));
    if (value >= 0)
      assert_true(__fixunsdfti(scaled) == (jr_u128)value << shift);
    assert_true(__fixdfti(ldexp((double)value, -20)) == value / (1 << 20));
    assert_true(__fixsfti((float)value) == (jr_s128)(int64_t)(float)value);
  }
  assert_true(__fixunssfti(-0.5f) == 0);
  assert_true(__fixunssfti(ldexpf(1, 127)) == (jr_u128)1 << 127);
}

static void test_float_to_integer_limits(void **state) {
  (void)state;
  jr_s128 highest = (jr_s128)(~(jr_u128)0 >> 1);
  assert_true(__fixdfti((double)NAN) == 0);
  assert_true(__fixdfti((double)INFINITY) == highest);
  assert_true(__fixdfti(-(double)INFINITY) == -highest - 1);
  assert_true(__fixdfti(ldexp(1, 127)) == highest);
  assert_true(__fixdfti(-ldexp(1, 127)) == -highest - 1);
  assert_true(__fixunsdfti(ldexp(1, 128)) == ~(jr_u128)0);
  assert_true(__fixunsdfti(-3) == 0);
  assert_true(__fixhfti(jr_half_from(0xfbff)) == -65504);
  assert_true(__fixunshfti(jr_half_from(0x7bff)) == 65504);
  assert_true(__fixbfti(jr_half_from(0xc040)) == -3);
  assert_true(__fixunsbfti(jr_half_from(0x7f00)) == (jr_u128)1 << 127);
}

static void test_llvm_integers(void **state) {
  (void)state;
  if (!llvm_i128_f16 || !llvm_f16_i128 || !llvm_i128_f64 || !llvm_u128_f32 ||
      !llvm_f64_u128) {
    skip();
    return;
  }
  for (int64_t value = -70000; value < 70000; value += 7) {
    jr_s128 wide = value;
    uint16_t half = 0;
    llvm_i128_f16(&wide, &half);
    assert_int_equal(half, jr_half_bits(__truncdfhf2((double)value)));
    jr_s128 back = 0;
    if ((half & 0x7fff) < 0x7c00) {
      llvm_f16_i128(&half, &back);
      assert_true(back == (jr_s128)__extendhfdf2(jr_half_from(half)));
    }
    double number = 0;
    llvm_i128_f64(&wide, &number);
    assert_true(number == (double)value);
  }
  jr_u128 large = ~(jr_u128)0 << 90;
  float single = 0;
  llvm_u128_f32(&large, &single);
  assert_true(single == ldexpf(1, 128));
  double number = ldexp(3, 120);
  llvm_f64_u128(&number, &large);
  assert_true(large == (jr_u128)3 << 120);
}

static void test_powers(void **state) {
  (void)state;
  assert_true(__powidf2(2, 10) == 1024);
  assert_true(__powidf2(2, -2) == 0.25);
  assert_true(__powidf2(0, 0) == 1);
  assert_true(__powidf2(-1, INT32_MIN) == 1);
  assert_true(__powisf2(-3, 3) == -27);
  assert_true(__powisf2(2, -149) == 0); // 1 / 2^149, which overflows
  if (!llvm_powi)
    return;
  struct {
    double base;
    int32_t power;
  } in = {1.5, 7};
  double out = 0;
  llvm_powi(&in, &out);
  assert_true(out == __powidf2(1.5, 7));
}

/// A memref of rank 3 over `data`.
struct memref {
  void *allocated;
  void *aligned;
  int64_t offset;
  int64_t numbers[6];
};

static void copy_memref(int64_t rank, struct memref *from, struct memref *to,
                        int64_t element_bytes) {
  struct jr_memref_unranked source = {rank, from};
  struct jr_memref_unranked target = {rank, to};
  memrefCopy(element_bytes, &source, &target);
}

static void test_memref_transposed(void **state) {
  (void)state;
  static const int64_t sizes[] = {1, 2, 3, 4, 8};
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
    int64_t size = sizes[s];
    unsigned char from[2 * 3 * 4 * 8];
    unsigned char to[2 * 3 * 4 * 8 + 8] = {0};
    for (size_t i = 0; i < sizeof from; i++)
      from[i] = (unsigned char)i;
    struct memref source = {NULL, from, 0, {2, 3, 4, 12, 4, 1}};
    struct memref target = {NULL, to, 1, {2, 3, 4, 1, 2, 6}};
    copy_memref(3, &source, &target, size);
    for (int64_t i = 0; i < 24; i++) {
      int64_t place = 1 + i / 12 + i / 4 % 3 * 2 + i % 4 * 6;
      assert_memory_equal(to + place * size, from + i * size, (size_t)size);
    }
  }
}

static void test_memref_runs(void **state) {
  (void)state;
  int32_t from[24];
  int32_t to[40];
  for (int i = 0; i < 24; i++)
    from[i] = i;
  memset(to, -1, sizeof to);
  // rows of 2 x 4 dense elements, into rows of 10
  struct memref source = {NULL, from, 0, {3, 2, 4, 8, 4, 1}};
  struct memref target = {NULL, to, 2, {3, 2, 4, 10, 4, 1}};
  copy_memref(3, &source, &target, 4);
  for (int i = 0; i < 40; i++) {
    int column = (i - 2) % 10;
    bool is_in = i >= 2 && i < 32 && column < 8;
    assert_int_equal(to[i], is_in ? (i - 2) / 10 * 8 + column : -1);
  }
  memset(to, -1, sizeof to);
  struct memref dense = {NULL, to, 0, {3, 2, 4, 8, 4, 1}};
  copy_memref(3, &source, &dense, 4);
  assert_memory_equal(to, from, sizeof from);
  assert_int_equal(to[24], -1);
}

static void test_memref_edges(void **state) {
  (void)state;
  double from[3] = {1, 2, 3};
  double to[3] = {0};
  struct memref source = {NULL, from, 2, {0}};
  struct memref target = {NULL, to, 1, {0}};
  copy_memref(0, &source, &target, 8);
  assert_true(to[0] == 0 && to[1] == 3 && to[2] == 0);
  struct memref empty = {NULL, NULL, 0, {4, 0, 3, 0, 3, 1}};
  copy_memref(3, &empty, &empty, 8);
  // sizes of 1 have any stride; a negative one walks back
  struct memref back = {NULL, from, 2, {1, 3, 1, 99, -1, 77}};
  struct memref ahead = {NULL, to, 0, {1, 3, 1, -5, 1, 1}};
  copy_memref(3, &back, &ahead, 8);
  assert_true(to[0] == 3 && to[1] == 2 && to[2] == 1);
}

#define NAME_OF(name) #name,

static void test_names_are_sorted(void **state) {
  (void)state;
  static const char *const names[] = {JR_HELPER_SYMBOLS(NAME_OF)};
  for (size_t i = 1; i < sizeof names / sizeof names[0]; i++)
    assert_true(strcmp(names[i - 1], names[i]) < 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_narrow_f16),
      cmocka_unit_test(test_narrow_bf16),
      cmocka_unit_test(test_llvm_narrow),
      cmocka_unit_test(test_no_double_rounding),
      cmocka_unit_test(test_nan_payloads),
      cmocka_unit_test(test_widen),
      cmocka_unit_test(test_llvm_widen),
      cmocka_unit_test(test_division),
      cmocka_unit_test(test_multiplication),
      cmocka_unit_test(test_shifts),
      cmocka_unit_test(test_integer_to_float),
      cmocka_unit_test(test_integer_to_float16),
      cmocka_unit_test(test_float_to_integer),
      cmocka_unit_test(test_float_to_integer_limits),
      cmocka_unit_test(test_llvm_integers),
      cmocka_unit_test(test_powers),
      cmocka_unit_test(test_memref_transposed),
      cmocka_unit_test(test_memref_runs),
      cmocka_unit_test(test_memref_edges),
      cmocka_unit_test(test_names_are_sorted),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
