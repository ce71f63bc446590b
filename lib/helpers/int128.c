/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// 128-bit integers. Written with 64-bit operations wherever the compiler would
/// otherwise call the very function being defined.
#include "helpers/helpers.h"

#include <stdbool.h>

static uint64_t low_half(jr_u128 value) {
  return (uint64_t)value;
}

static uint64_t high_half(jr_u128 value) {
  return (uint64_t)(value >> 64);
}

static jr_u128 join_halves(uint64_t high, uint64_t low) {
  return (jr_u128)high << 64 | low;
}

static jr_u128 magnitude_of(jr_s128 value) {
  return value < 0 ? -(jr_u128)value : (jr_u128)value;
}

static jr_s128 apply_sign(jr_u128 magnitude, bool is_negative) {
  return (jr_s128)(is_negative ? -magnitude : magnitude);
}

static int leading_zeros(jr_u128 value) {
  if (high_half(value) != 0)
    return __builtin_clzll(high_half(value));
  return low_half(value) != 0 ? 64 + __builtin_clzll(low_half(value)) : 128;
}

JR_WEAK jr_s128 __ashlti3(jr_s128 value, int count) {
  uint64_t low = low_half((jr_u128)value);
  uint64_t high = high_half((jr_u128)value);
  if (count >= 64)
    return (jr_s128)join_halves(low << (count & 63), 0);
  if (count == 0)
    return value;
  return (jr_s128)join_halves(high << count | low >> (64 - count),
                              low << count);
}

JR_WEAK jr_s128 __lshrti3(jr_s128 value, int count) {
  uint64_t low = low_half((jr_u128)value);
  uint64_t high = high_half((jr_u128)value);
  if (count >= 64)
    return (jr_s128)join_halves(0, high >> (count & 63));
  if (count == 0)
    return value;
  return (jr_s128)join_halves(high >> count,
                              low >> count | high << (64 - count));
}

JR_WEAK jr_s128 __ashrti3(jr_s128 value, int count) {
  // The shift of the complement brings in zeros where ones are wanted.
  return value < 0 ? ~__lshrti3(~value, count) : __lshrti3(value, count);
}

/// The full product of two 64-bit numbers, from four of 32 bits.
static jr_u128 multiply_halves(uint64_t a, uint64_t b) {
  uint64_t a_low = a & UINT32_MAX;
  uint64_t b_low = b & UINT32_MAX;
  uint64_t a_high = a >> 32;
  uint64_t b_high = b >> 32;
  uint64_t low = a_low * b_low;
  uint64_t middle = a_high * b_low + (low >> 32);
  uint64_t other = a_low * b_high + (middle & UINT32_MAX);
  uint64_t high = a_high * b_high + (middle >> 32) + (other >> 32);
  return join_halves(high, other << 32 | (low & UINT32_MAX));
}

/// The lower 128 bits of a product.
static jr_u128 multiply(jr_u128 a, jr_u128 b) {
  uint64_t cross = high_half(a) * low_half(b) + low_half(a) * high_half(b);
  jr_u128 product = multiply_halves(low_half(a), low_half(b));
  return join_halves(high_half(product) + cross, low_half(product));
}

JR_WEAK jr_s128 __multi3(jr_s128 a, jr_s128 b) {
  return (jr_s128)multiply((jr_u128)a, (jr_u128)b);
}

/// True when the product of two magnitudes needs more than 128 bits.
static bool overflows(jr_u128 a, jr_u128 b) {
  if (high_half(a) == 0 && high_half(b) == 0)
    return false;
  if (high_half(a) != 0 && high_half(b) != 0)
    return true;
  uint64_t high = high_half(a) ? high_half(a) : high_half(b);
  uint64_t high_low = high_half(a) ? low_half(a) : low_half(b);
  uint64_t other = high_half(a) ? low_half(b) : low_half(a);
  jr_u128 upper = multiply_halves(high, other);
  jr_u128 lower = multiply_halves(high_low, other);
  return high_half(upper + high_half(lower)) != 0;
}

JR_WEAK jr_s128 __muloti4(jr_s128 a, jr_s128 b, int *out_overflow) {
  bool is_negative = (a < 0) != (b < 0);
  jr_u128 limit = ((jr_u128)1 << 127) - (is_negative ? 0 : 1);
  jr_u128 product = multiply(magnitude_of(a), magnitude_of(b));
  *out_overflow =
      overflows(magnitude_of(a), magnitude_of(b)) || product > limit;
  return apply_sign(product, is_negative);
}

/// Long division in binary, from the first bit at which the divisor fits.
static jr_u128 divide(jr_u128 a, jr_u128 b, jr_u128 *out_rest) {
  if (high_half(a) == 0 && high_half(b) == 0 && b != 0) {
    *out_rest = low_half(a) % low_half(b);
    return low_half(a) / low_half(b);
  }
  jr_u128 quotient = 0;
  int shift = leading_zeros(b) - leading_zeros(a);
  // A divisor of 0 never fits: quotient 0, rest a.
  for (int i = b == 0 ? -1 : shift; i >= 0; i--) {
    jr_u128 part = b << i;
    if (a >= part) {
      a -= part;
      quotient |= (jr_u128)1 << i;
    }
  }
  *out_rest = a;
  return quotient;
}

JR_WEAK jr_u128 __udivmodti4(jr_u128 a, jr_u128 b, jr_u128 *out_rest) {
  jr_u128 rest = 0;
  jr_u128 quotient = divide(a, b, &rest);
  if (out_rest)
    *out_rest = rest;
  return quotient;
}

JR_WEAK jr_u128 __udivti3(jr_u128 a, jr_u128 b) {
  jr_u128 rest = 0;
  return divide(a, b, &rest);
}

JR_WEAK jr_u128 __umodti3(jr_u128 a, jr_u128 b) {
  jr_u128 rest = 0;
  (void)divide(a, b, &rest);
  return rest;
}

JR_WEAK jr_s128 __divmodti4(jr_s128 a, jr_s128 b, jr_s128 *out_rest) {
  jr_u128 rest = 0;
  jr_u128 quotient = divide(magnitude_of(a), magnitude_of(b), &rest);
  if (out_rest)
    *out_rest = apply_sign(rest, a < 0);
  return apply_sign(quotient, (a < 0) != (b < 0));
}

JR_WEAK jr_s128 __divti3(jr_s128 a, jr_s128 b) {
  return __divmodti4(a, b, 0);
}

JR_WEAK jr_s128 __modti3(jr_s128 a, jr_s128 b) {
  jr_s128 rest = 0;
  (void)__divmodti4(a, b, &rest);
  return rest;
}
