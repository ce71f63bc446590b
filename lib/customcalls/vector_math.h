/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Functions of numbers, without branches, so that compilers make vectors of
/// loops over them. With products fused with sums where the CPU can.
#ifndef JR_CUSTOMCALLS_VECTOR_MATH_H
#define JR_CUSTOMCALLS_VECTOR_MATH_H

#include <stdint.h>
#include <string.h>

#define JR_INLINE static inline __attribute__((always_inline))

JR_INLINE float jr_float_of_bits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

JR_INLINE uint32_t jr_bits_of_float(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

JR_INLINE double jr_double_of_bits(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

JR_INLINE uint64_t jr_bits_of_double(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// e^x: 2^n e^r with n whole and |r| up to ln(2)/2, for which Taylor's
/// polynomial stands. Adding `shifter` rounds, and leaves n in the low bits.
/// 2^n is the product of two numbers, since it may be denormal or infinite.
JR_INLINE float jr_exp_f32(float x) {
  const float shifter = 0x1.8p23F;
  x = x < -110.0F ? -110.0F : x;
  x = x > 90.0F ? 90.0F : x;
  float shifted = x * 0x1.715476p+0F + shifter;
  float n = shifted - shifter;
  float r = x - n * 0x1.62ep-1F;
  r = r - n * 0x1.0bfbe8p-15F;
  float p = 0x1.a01a02p-13F;
  p = p * r + 0x1.6c16c2p-10F;
  p = p * r + 0x1.111112p-7F;
  p = p * r + 0x1.555556p-5F;
  p = p * r + 0x1.555556p-3F;
  p = p * r + 0.5F;
  p = p * (r * r) + r;
  int32_t whole =
      (int32_t)(jr_bits_of_float(shifted) - jr_bits_of_float(shifter));
  int32_t half = whole >> 1;
  float first = jr_float_of_bits((uint32_t)(half + 127) << 23);
  float second = jr_float_of_bits((uint32_t)(whole - half + 127) << 23);
  return (p + 1.0F) * first * second;
}

/// The same of 14 terms.
JR_INLINE double jr_exp_f64(double x) {
  const double shifter = 0x1.8p52;
  static const double factors[] = {
      1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800,
      1.0 / 362880,     1.0 / 40320,     1.0 / 5040,     1.0 / 720,
      1.0 / 120,        1.0 / 24,        1.0 / 6,        0.5};
  x = x < -750.0 ? -750.0 : x;
  x = x > 720.0 ? 720.0 : x;
  double shifted = x * 0x1.71547652b82fep+0 + shifter;
  double n = shifted - shifter;
  double r = x - n * 0x1.62e42feep-1;
  r = r - n * 0x1.a39ef35793c76p-33;
  double p = factors[0];
  for (int i = 1; i < 12; i++)
    p = p * r + factors[i];
  p = p * (r * r) + r;
  double halved = n * 0.5 + shifter;
  uint64_t whole = jr_bits_of_double(shifted) - jr_bits_of_double(shifter);
  uint64_t half = jr_bits_of_double(halved) - jr_bits_of_double(shifter);
  double first = jr_double_of_bits((half + 1023) << 52);
  double second = jr_double_of_bits((whole - half + 1023) << 52);
  return (p + 1.0) * first * second;
}

/// ln(x) of a positive normal number: ln(m) + e ln(2) with m around 1, and the
/// series of the inverse hyperbolic tangent.
JR_INLINE double jr_log_f64(double x) {
  uint64_t bits = jr_bits_of_double(x);
  int64_t e = (int64_t)(bits - jr_bits_of_double(0x1.6a09e667f3bcdp-1)) >> 52;
  double m = jr_double_of_bits(bits - ((uint64_t)e << 52));
  double s = (m - 1) / (m + 1);
  double sum = 0;
  for (int i = 23; i > 1; i -= 2)
    sum = (sum + 1.0 / i) * (s * s);
  return (double)e * 0x1.62e42fefa39efp-1 + 2 * (s + s * sum);
}

#endif
