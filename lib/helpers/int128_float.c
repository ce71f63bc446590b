/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Conversions between 128-bit integers and floats, and integer powers.
#include "helpers/float_bits.h"
#include "helpers/helpers.h"

/// An integer as a number with 64 leading bits; what does not fit makes the
/// last of them 1, which is enough for a right rounding to 53 bits or fewer.
static struct jr_unpacked unpack_integer(jr_u128 magnitude, bool is_negative) {
  struct jr_unpacked number = {.kind = JR_FLOAT_ZERO,
                               .is_negative = is_negative};
  if (magnitude == 0)
    return number;
  number.kind = JR_FLOAT_FINITE;
  uint64_t high = (uint64_t)(magnitude >> 64);
  uint64_t low = (uint64_t)magnitude;
  int zeros = high ? __builtin_clzll(high) : 64 + __builtin_clzll(low);
  magnitude <<= zeros;
  number.exponent = 127 - zeros;
  number.significand = (uint64_t)(magnitude >> 64);
  if ((uint64_t)magnitude != 0)
    number.significand |= 1;
  return number;
}

static uint64_t pack_signed(jr_s128 value, struct jr_format format) {
  jr_u128 magnitude = value < 0 ? -(jr_u128)value : (jr_u128)value;
  return jr_pack(unpack_integer(magnitude, value < 0), format);
}

static uint64_t pack_unsigned(jr_u128 value, struct jr_format format) {
  return jr_pack(unpack_integer(value, false), format);
}

JR_WEAK jr_half __floattihf(jr_s128 value) {
  return jr_half_from(pack_signed(value, JR_FORMAT_F16));
}

JR_WEAK jr_half __floattibf(jr_s128 value) {
  return jr_half_from(pack_signed(value, JR_FORMAT_BF16));
}

JR_WEAK float __floattisf(jr_s128 value) {
  return jr_float_from(pack_signed(value, JR_FORMAT_F32));
}

JR_WEAK double __floattidf(jr_s128 value) {
  return jr_double_from(pack_signed(value, JR_FORMAT_F64));
}

JR_WEAK jr_half __floatuntihf(jr_u128 value) {
  return jr_half_from(pack_unsigned(value, JR_FORMAT_F16));
}

JR_WEAK jr_half __floatuntibf(jr_u128 value) {
  return jr_half_from(pack_unsigned(value, JR_FORMAT_BF16));
}

JR_WEAK float __floatuntisf(jr_u128 value) {
  return jr_float_from(pack_unsigned(value, JR_FORMAT_F32));
}

JR_WEAK double __floatuntidf(jr_u128 value) {
  return jr_double_from(pack_unsigned(value, JR_FORMAT_F64));
}

/// The whole part of a magnitude, at most `limit`.
static jr_u128 whole_part(struct jr_unpacked number, jr_u128 limit) {
  if (number.kind == JR_FLOAT_INF)
    return limit;
  if (number.kind != JR_FLOAT_FINITE || number.exponent < 0)
    return 0;
  if (number.exponent > 127)
    return limit;
  jr_u128 value = (jr_u128)number.significand << 64 >> (127 - number.exponent);
  return value < limit ? value : limit;
}

static jr_s128 fix_signed(uint64_t bits, struct jr_format format) {
  struct jr_unpacked number = jr_unpack(bits, format);
  jr_u128 limit = ((jr_u128)1 << 127) - (number.is_negative ? 0 : 1);
  jr_u128 magnitude = whole_part(number, limit);
  return (jr_s128)(number.is_negative ? -magnitude : magnitude);
}

static jr_u128 fix_unsigned(uint64_t bits, struct jr_format format) {
  struct jr_unpacked number = jr_unpack(bits, format);
  return number.is_negative ? 0 : whole_part(number, ~(jr_u128)0);
}

JR_WEAK jr_s128 __fixhfti(jr_half value) {
  return fix_signed(jr_half_bits(value), JR_FORMAT_F16);
}

JR_WEAK jr_s128 __fixbfti(jr_half value) {
  return fix_signed(jr_half_bits(value), JR_FORMAT_BF16);
}

JR_WEAK jr_s128 __fixsfti(float value) {
  return fix_signed(jr_float_bits(value), JR_FORMAT_F32);
}

JR_WEAK jr_s128 __fixdfti(double value) {
  return fix_signed(jr_double_bits(value), JR_FORMAT_F64);
}

JR_WEAK jr_u128 __fixunshfti(jr_half value) {
  return fix_unsigned(jr_half_bits(value), JR_FORMAT_F16);
}

JR_WEAK jr_u128 __fixunsbfti(jr_half value) {
  return fix_unsigned(jr_half_bits(value), JR_FORMAT_BF16);
}

JR_WEAK jr_u128 __fixunssfti(float value) {
  return fix_unsigned(jr_float_bits(value), JR_FORMAT_F32);
}

JR_WEAK jr_u128 __fixunsdfti(double value) {
  return fix_unsigned(jr_double_bits(value), JR_FORMAT_F64);
}

/// |power| without the overflow of INT_MIN.
static unsigned power_magnitude(int power) {
  return power < 0 ? 0u - (unsigned)power : (unsigned)power;
}

JR_WEAK float __powisf2(float value, int power) {
  float result = 1.0f;
  for (unsigned left = power_magnitude(power); left != 0; left >>= 1) {
    if (left & 1)
      result *= value;
    value *= value;
  }
  return power < 0 ? 1.0f / result : result;
}

JR_WEAK double __powidf2(double value, int power) {
  double result = 1.0;
  for (unsigned left = power_magnitude(power); left != 0; left >>= 1) {
    if (left & 1)
      result *= value;
    value *= value;
  }
  return power < 0 ? 1.0 / result : result;
}
