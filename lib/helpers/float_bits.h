/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Floating-point formats taken apart and put together with integers: the one
/// rounding routine behind all conversions. Formats are constants at each use,
/// so the compiler folds them.
#ifndef JR_HELPERS_FLOAT_BITS_H
#define JR_HELPERS_FLOAT_BITS_H

#include "helpers/helpers.h"

#include <stdbool.h>

/// An IEEE-like binary format of up to 64 bits.
struct jr_format {
  int fraction_bits;
  int exponent_bits;
};

#define JR_FORMAT_F16 ((struct jr_format){10, 5})
#define JR_FORMAT_BF16 ((struct jr_format){7, 8})
#define JR_FORMAT_F32 ((struct jr_format){23, 8})
#define JR_FORMAT_F64 ((struct jr_format){52, 11})

enum jr_float_kind {
  JR_FLOAT_ZERO,
  JR_FLOAT_FINITE,
  JR_FLOAT_INF,
  JR_FLOAT_NAN
};

/// A number: significand * 2^(exponent - 63), with bit 63 of the significand
/// set when finite. Bit 0 also stands for anything that was lost below it. For
/// NaN the significand is the payload, left-aligned at bit 62.
struct jr_unpacked {
  enum jr_float_kind kind;
  bool is_negative;
  int exponent;
  uint64_t significand;
};

static inline int jr_format_bias(struct jr_format format) {
  return (1 << (format.exponent_bits - 1)) - 1;
}

/// Takes the bits of a number apart.
static inline struct jr_unpacked jr_unpack(uint64_t bits,
                                           struct jr_format format) {
  int all_ones = (1 << format.exponent_bits) - 1;
  int field = (int)(bits >> format.fraction_bits) & all_ones;
  uint64_t fraction = bits & ((UINT64_C(1) << format.fraction_bits) - 1);
  struct jr_unpacked number = {
      .kind = JR_FLOAT_FINITE,
      .is_negative =
          (bits >> (format.fraction_bits + format.exponent_bits) & 1) != 0,
      .exponent = field - jr_format_bias(format),
      .significand = fraction << (63 - format.fraction_bits),
  };
  if (field == all_ones) {
    number.kind = fraction ? JR_FLOAT_NAN : JR_FLOAT_INF;
  } else if (field != 0) {
    number.significand |= UINT64_C(1) << 63;
  } else if (fraction == 0) {
    number.kind = JR_FLOAT_ZERO;
  } else { // subnormal: the exponent of field 1 without the leading bit
    int shift = __builtin_clzll(number.significand);
    number.significand <<= shift;
    number.exponent += 1 - shift;
  }
  return number;
}

/// value / 2^drop, to nearest, ties to even; drop is at least 1.
static inline uint64_t jr_shift_rounded(uint64_t value, int drop) {
  const uint64_t half = UINT64_C(1) << 63;
  if (drop > 64)
    return 0;
  uint64_t kept = drop == 64 ? 0 : value >> drop;
  uint64_t rest = drop == 64 ? value : value << (64 - drop);
  bool is_up = rest > half || (rest == half && (kept & 1) != 0);
  return kept + (is_up ? 1 : 0);
}

/// Bits without the sign of a finite number.
static inline uint64_t jr_pack_finite(struct jr_unpacked number,
                                      struct jr_format format) {
  int bias = jr_format_bias(format);
  if (number.exponent > bias)
    return ((UINT64_C(1) << format.exponent_bits) - 1) << format.fraction_bits;
  int drop = 63 - format.fraction_bits;
  int field = number.exponent + bias;
  if (field < 1) { // subnormal: fewer bits are kept
    drop += 1 - field;
    field = 1;
  }
  // The leading bit adds 1 to the field, and a carry out of the fraction
  // likewise, up to infinity.
  return ((uint64_t)(field - 1) << format.fraction_bits) +
         jr_shift_rounded(number.significand, drop);
}

/// Puts a number together, rounded. A NaN keeps the top of its payload and is
/// made quiet.
static inline uint64_t jr_pack(struct jr_unpacked number,
                               struct jr_format format) {
  uint64_t sign = (uint64_t)number.is_negative
                  << (format.fraction_bits + format.exponent_bits);
  uint64_t infinity = ((UINT64_C(1) << format.exponent_bits) - 1)
                      << format.fraction_bits;
  uint64_t quiet = UINT64_C(1) << (format.fraction_bits - 1);
  switch (number.kind) {
  case JR_FLOAT_FINITE:
    return sign | jr_pack_finite(number, format);
  case JR_FLOAT_INF:
    return sign | infinity;
  case JR_FLOAT_NAN:
    return sign | infinity | quiet |
           number.significand >> (63 - format.fraction_bits);
  case JR_FLOAT_ZERO:
  default:
    return sign;
  }
}

// Bits of each type. Unions, because a half must not be touched as a number.

static inline uint64_t jr_half_bits(jr_half value) {
  union {
    jr_half value;
    uint16_t bits;
  } as = {.value = value};
  return as.bits;
}

static inline jr_half jr_half_from(uint64_t bits) {
  union {
    uint16_t bits;
    jr_half value;
  } as = {.bits = (uint16_t)bits};
  return as.value;
}

static inline uint64_t jr_float_bits(float value) {
  union {
    float value;
    uint32_t bits;
  } as = {.value = value};
  return as.bits;
}

static inline float jr_float_from(uint64_t bits) {
  union {
    uint32_t bits;
    float value;
  } as = {.bits = (uint32_t)bits};
  return as.value;
}

static inline uint64_t jr_double_bits(double value) {
  union {
    double value;
    uint64_t bits;
  } as = {.value = value};
  return as.bits;
}

static inline double jr_double_from(uint64_t bits) {
  union {
    uint64_t bits;
    double value;
  } as = {.bits = bits};
  return as.value;
}

#endif
