/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See widen.h. Where the CPU has wider vectors, the same code compiled for
/// them runs.
#include "customcalls/widen.h"

#include "base/cpu.h"
#include "base/dtype.h"
#include "base/numbers.h"
#include "jitrun/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum jr_wide jr_wide_of(jitrun_dtype_t dtype) {
  switch (dtype) {
  case JITRUN_DTYPE_S8:
    return JR_WIDE_S8;
  case JITRUN_DTYPE_PRED:
  case JITRUN_DTYPE_U8:
    return JR_WIDE_U8;
  case JITRUN_DTYPE_S16:
    return JR_WIDE_S16;
  case JITRUN_DTYPE_U16:
    return JR_WIDE_U16;
  case JITRUN_DTYPE_S32:
    return JR_WIDE_S32;
  case JITRUN_DTYPE_U32:
    return JR_WIDE_U32;
  case JITRUN_DTYPE_S64:
    return JR_WIDE_S64;
  case JITRUN_DTYPE_U64:
    return JR_WIDE_U64;
  case JITRUN_DTYPE_F64:
    return JR_WIDE_F64;
  default:
    return jr_dtype_number_kind(dtype) == JR_NUMBER_REAL ? JR_WIDE_F32
                                                         : JR_WIDE_NONE;
  }
}

jitrun_dtype_t jr_wide_dtype(enum jr_wide wide) {
  static const uint8_t dtypes[] = {
      [JR_WIDE_F32] = JITRUN_DTYPE_F32, [JR_WIDE_F64] = JITRUN_DTYPE_F64,
      [JR_WIDE_S8] = JITRUN_DTYPE_S8,   [JR_WIDE_U8] = JITRUN_DTYPE_U8,
      [JR_WIDE_S16] = JITRUN_DTYPE_S16, [JR_WIDE_U16] = JITRUN_DTYPE_U16,
      [JR_WIDE_S32] = JITRUN_DTYPE_S32, [JR_WIDE_U32] = JITRUN_DTYPE_U32,
      [JR_WIDE_S64] = JITRUN_DTYPE_S64, [JR_WIDE_U64] = JITRUN_DTYPE_U64};
  return (jitrun_dtype_t)dtypes[wide];
}

size_t jr_wide_size(enum jr_wide wide) {
  return jr_dtype_size(jr_wide_dtype(wide));
}

ALWAYS_INLINE uint32_t float_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

ALWAYS_INLINE float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/// The exponent is moved by a multiplication, which is exact for denormals too.
ALWAYS_INLINE float widen_f16(uint16_t half) {
  const uint32_t size = half & 0x7fffu;
  uint32_t bits = float_bits(float_of(size << 13) * 0x1p112f);
  bits |= size >= 0x7c00 ? 0x7f800000u : 0;
  return float_of(bits | (half & 0x8000u) << 16);
}

/// A carry out of the mantissa raises the exponent, up to infinity. What is
/// denormal as f16 is rounded by an addition that shifts its last bit to the
/// end of the sum.
ALWAYS_INLINE uint16_t narrow_f16(float value) {
  enum { LEAST_NORMAL = 113 << 23, TOO_LARGE = 143 << 23 };
  const float shifter = 0.5F; // 2^-1 has its last bit at 2^-24
  uint32_t bits = float_bits(value);
  uint32_t sign = (bits >> 16) & 0x8000u;
  uint32_t size = bits & 0x7fffffffu;
  uint32_t normal = (size - (112u << 23) + 0xfff + ((size >> 13) & 1)) >> 13;
  uint32_t denormal =
      float_bits(float_of(size) + shifter) - float_bits(shifter);
  uint32_t large = size > 0x7f800000u ? 0x7e00u : 0x7c00u;
  uint32_t half = size < LEAST_NORMAL ? denormal : normal;
  half = size >= TOO_LARGE ? large : half;
  return (uint16_t)(half | sign);
}

ALWAYS_INLINE float widen_bf16(uint16_t half) {
  return float_of((uint32_t)half << 16);
}

ALWAYS_INLINE uint16_t narrow_bf16(float value) {
  uint32_t bits = float_bits(value);
  uint32_t rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
  bool is_nan = (bits & 0x7fffffffu) > 0x7f800000u;
  return (uint16_t)(is_nan ? (bits >> 16) | 0x40 : rounded);
}

// NOLINTBEGIN(bugprone-macro-parentheses)
/// Integers of one type, to those of 4 bytes or 8.
#define WIDEN(name, type)                                                      \
  ALWAYS_INLINE void widen_##name(const char *from, size_t count, void *to,    \
                                  size_t wide_bytes) {                         \
    uint32_t *words = to;                                                      \
    uint64_t *longs = to;                                                      \
    type next;                                                                 \
    for (size_t i = 0; i < count && wide_bytes == sizeof *words; i++) {        \
      memcpy(&next, from + i * sizeof next, sizeof next);                      \
      words[i] = (uint32_t)next;                                               \
    }                                                                          \
    for (size_t i = 0; i < count && wide_bytes == sizeof *longs; i++) {        \
      memcpy(&next, from + i * sizeof next, sizeof next);                      \
      longs[i] = (uint64_t)next;                                               \
    }                                                                          \
  }

WIDEN(s8, int8_t)
WIDEN(u8, uint8_t)
WIDEN(s16, int16_t)
WIDEN(u16, uint16_t)
WIDEN(s32, int32_t)
WIDEN(u32, uint32_t)

ALWAYS_INLINE void make_bits(size_t count, void *to, size_t wide_bytes) {
  uint32_t *words = to;
  uint64_t *longs = to;
  for (size_t i = 0; i < count && wide_bytes == sizeof *words; i++)
    words[i] = words[i] != 0;
  for (size_t i = 0; i < count && wide_bytes == sizeof *longs; i++)
    longs[i] = longs[i] != 0;
}

/// All but integers.
ALWAYS_INLINE void widen_reals(jitrun_dtype_t dtype, const char *from,
                               size_t count, float *to) {
  uint16_t half;
  for (size_t i = 0; i < count && dtype == JITRUN_DTYPE_F16; i++) {
    memcpy(&half, from + i * sizeof half, sizeof half);
    to[i] = widen_f16(half);
  }
  for (size_t i = 0; i < count && dtype == JITRUN_DTYPE_BF16; i++) {
    memcpy(&half, from + i * sizeof half, sizeof half);
    to[i] = widen_bf16(half);
  }
  for (size_t i = 0; i < count && jr_dtype_size(dtype) == 1; i++)
    to[i] = (float)jr_element_to_f64(dtype, from + i);
}

ALWAYS_INLINE void widen_body(jitrun_dtype_t dtype, enum jr_wide wide,
                              const char *from, size_t count, void *to) {
  const size_t bytes = jr_wide_size(wide);
  switch (dtype) {
  case JITRUN_DTYPE_PRED:
    widen_u8(from, count, to, bytes);
    make_bits(count, to, bytes);
    return;
  case JITRUN_DTYPE_S8:
    widen_s8(from, count, to, bytes);
    return;
  case JITRUN_DTYPE_U8:
    widen_u8(from, count, to, bytes);
    return;
  case JITRUN_DTYPE_S16:
    widen_s16(from, count, to, bytes);
    return;
  case JITRUN_DTYPE_U16:
    widen_u16(from, count, to, bytes);
    return;
  case JITRUN_DTYPE_S32:
    widen_s32(from, count, to, bytes);
    return;
  case JITRUN_DTYPE_U32:
    widen_u32(from, count, to, bytes);
    return;
  default:
    widen_reals(dtype, from, count, to);
    return;
  }
}

/// `wide_bytes` and `bytes` are constants in every use.
ALWAYS_INLINE void narrow_integers(size_t wide_bytes, const char *from,
                                   size_t count, char *to, size_t bytes) {
  for (size_t i = 0; i < count; i++)
    memcpy(to + i * bytes, from + i * wide_bytes, bytes);
}

ALWAYS_INLINE void narrow_reals(jitrun_dtype_t dtype, const float *from,
                                size_t count, char *to) {
  uint16_t half = 0;
  for (size_t i = 0; i < count && dtype == JITRUN_DTYPE_F16; i++) {
    half = narrow_f16(from[i]);
    memcpy(to + 2 * i, &half, sizeof half);
  }
  for (size_t i = 0; i < count && dtype == JITRUN_DTYPE_BF16; i++) {
    half = narrow_bf16(from[i]);
    memcpy(to + 2 * i, &half, sizeof half);
  }
  for (size_t i = 0; i < count && jr_dtype_size(dtype) == 1; i++)
    to[i] = (char)jr_float_encode(dtype, (double)from[i]);
}

ALWAYS_INLINE void narrow_body(jitrun_dtype_t dtype, enum jr_wide wide,
                               const void *from, size_t count, char *to) {
  const size_t bytes = jr_dtype_size(dtype);
  if (wide == JR_WIDE_F32)
    narrow_reals(dtype, from, count, to);
  else if (jr_wide_size(wide) == 4 && bytes == 1)
    narrow_integers(4, from, count, to, 1);
  else if (jr_wide_size(wide) == 4)
    narrow_integers(4, from, count, to, 2);
  else if (bytes == 1)
    narrow_integers(8, from, count, to, 1);
  else if (bytes == 2)
    narrow_integers(8, from, count, to, 2);
  else
    narrow_integers(8, from, count, to, 4);
}

#define VERSION(name, attributes)                                              \
  attributes static void widen_##name(jitrun_dtype_t dtype, enum jr_wide wide, \
                                      const char *from, size_t count,          \
                                      void *to) {                              \
    widen_body(dtype, wide, from, count, to);                                  \
  }                                                                            \
  attributes static void narrow_##name(jitrun_dtype_t dtype,                   \
                                       enum jr_wide wide, const void *from,    \
                                       size_t count, char *to) {               \
    narrow_body(dtype, wide, from, count, to);                                 \
  }

// NOLINTEND(bugprone-macro-parentheses)

VERSION(base, )
#if defined(__x86_64__)
VERSION(avx2, __attribute__((target("avx2"))))
#else
#define widen_avx2 widen_base
#define narrow_avx2 narrow_base
#endif

void jr_widen(jitrun_dtype_t dtype, enum jr_wide wide, const char *from,
              size_t count, void *to) {
  if (jr_dtype_size(dtype) == jr_wide_size(wide))
    memcpy(to, from, count * jr_wide_size(wide));
  else if (jr_cpu_vectors() >= JR_VECTORS_AVX2)
    widen_avx2(dtype, wide, from, count, to);
  else
    widen_base(dtype, wide, from, count, to);
}

void jr_narrow(jitrun_dtype_t dtype, enum jr_wide wide, const void *from,
               size_t count, char *to) {
  if (jr_dtype_size(dtype) == jr_wide_size(wide))
    memcpy(to, from, count * jr_wide_size(wide));
  else if (jr_cpu_vectors() >= JR_VECTORS_AVX2)
    narrow_avx2(dtype, wide, from, count, to);
  else
    narrow_base(dtype, wide, from, count, to);
}
