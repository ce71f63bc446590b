/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Conversions between the 16-bit floats and the wider ones.
#include "helpers/float_bits.h"
#include "helpers/helpers.h"

static uint64_t convert(uint64_t bits, struct jr_format from,
                        struct jr_format to) {
  return jr_pack(jr_unpack(bits, from), to);
}

JR_WEAK jr_half __truncsfhf2(float value) {
  return jr_half_from(
      convert(jr_float_bits(value), JR_FORMAT_F32, JR_FORMAT_F16));
}

JR_WEAK jr_half __truncdfhf2(double value) {
  return jr_half_from(
      convert(jr_double_bits(value), JR_FORMAT_F64, JR_FORMAT_F16));
}

/// The one conversion that loops of compute kernels call for each element, so
/// it has its own short form: bf16 is the upper half of a float.
JR_WEAK jr_half __truncsfbf2(float value) {
  uint32_t bits = (uint32_t)jr_float_bits(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) // NaN: keep it one, quiet
    return jr_half_from(bits >> 16 | 0x40u);
  uint32_t is_odd = bits >> 16 & 1u;
  return jr_half_from((bits + 0x7fffu + is_odd) >> 16);
}

JR_WEAK jr_half __truncdfbf2(double value) {
  return jr_half_from(
      convert(jr_double_bits(value), JR_FORMAT_F64, JR_FORMAT_BF16));
}

JR_WEAK uint16_t __gnu_f2h_ieee(float value) {
  return (uint16_t)convert(jr_float_bits(value), JR_FORMAT_F32, JR_FORMAT_F16);
}

JR_WEAK float __extendhfsf2(jr_half value) {
  return jr_float_from(
      convert(jr_half_bits(value), JR_FORMAT_F16, JR_FORMAT_F32));
}

JR_WEAK double __extendhfdf2(jr_half value) {
  return jr_double_from(
      convert(jr_half_bits(value), JR_FORMAT_F16, JR_FORMAT_F64));
}

JR_WEAK long double __extendhfxf2(jr_half value) {
  return (long double)__extendhfdf2(value);
}

JR_WEAK float __extendbfsf2(jr_half value) {
  return jr_float_from(jr_half_bits(value) << 16);
}

JR_WEAK float __gnu_h2f_ieee(uint16_t value) {
  return jr_float_from(convert(value, JR_FORMAT_F16, JR_FORMAT_F32));
}

/// A double whose conversion to 16 bits is that of `value`: the double nearest
/// towards zero, made odd when it is not exact ("round to odd"), which keeps
/// every later rounding to far fewer bits right.
static double round_to_odd(long double value) {
  double nearest = (double)value;
  uint64_t bits = jr_double_bits(nearest);
  uint64_t magnitude = bits & INT64_MAX;
  // NaN, infinity that was one, exact values
  if (value != value || (long double)nearest == value)
    return nearest;
  long double absolute = value < 0 ? -value : value;
  if ((long double)jr_double_from(magnitude) > absolute)
    bits--;
  return jr_double_from(bits | 1);
}

JR_WEAK jr_half __truncxfhf2(long double value) {
  return __truncdfhf2(round_to_odd(value));
}

JR_WEAK jr_half __truncxfbf2(long double value) {
  return __truncdfbf2(round_to_odd(value));
}
