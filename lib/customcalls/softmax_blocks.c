/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See softmax_blocks.h. The same code is compiled for each size of vectors.
#include "customcalls/softmax_blocks.h"

#include "base/cpu.h"
#include "customcalls/vector_math.h"
#include "customcalls/widen.h"

#include <stddef.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE void exp_block(enum jr_wide wide, const void *from, size_t count,
                             double shift, void *to) {
  const float *f32 = from;
  const double *f64 = from;
  float *to_f32 = to;
  double *to_f64 = to;
  const float shift_f32 = (float)shift;
  if (wide == JR_WIDE_F32)
    for (size_t i = 0; i < count; i++)
      to_f32[i] = jr_exp_f32(f32[i] - shift_f32);
  else
    for (size_t i = 0; i < count; i++)
      to_f64[i] = jr_exp_f64(f64[i] - shift);
}

ALWAYS_INLINE void divide_block(enum jr_wide wide, void *values, size_t count,
                                double divisor) {
  float *f32 = values;
  double *f64 = values;
  const float divisor_f32 = (float)divisor;
  if (wide == JR_WIDE_F32)
    for (size_t i = 0; i < count; i++)
      f32[i] = f32[i] / divisor_f32;
  else
    for (size_t i = 0; i < count; i++)
      f64[i] = f64[i] / divisor;
}

ALWAYS_INLINE void subtract_block(enum jr_wide wide, const void *from,
                                  size_t count, const double shifts[2],
                                  void *to) {
  const float *f32 = from;
  const double *f64 = from;
  float *to_f32 = to;
  double *to_f64 = to;
  const float shifts_f32[] = {(float)shifts[0], (float)shifts[1]};
  if (wide == JR_WIDE_F32)
    for (size_t i = 0; i < count; i++)
      to_f32[i] = (f32[i] - shifts_f32[0]) - shifts_f32[1];
  else
    for (size_t i = 0; i < count; i++)
      to_f64[i] = (f64[i] - shifts[0]) - shifts[1];
}

// NOLINTBEGIN(bugprone-macro-parentheses)
#define VERSION(level, attributes)                                             \
  attributes static void exp_##level(enum jr_wide wide, const void *from,      \
                                     size_t count, double shift, void *to) {   \
    exp_block(wide, from, count, shift, to);                                   \
  }                                                                            \
  attributes static void divide_##level(enum jr_wide wide, void *values,       \
                                        size_t count, double divisor) {        \
    divide_block(wide, values, count, divisor);                                \
  }                                                                            \
  attributes static void subtract_##level(enum jr_wide wide, const void *from, \
                                          size_t count,                        \
                                          const double shifts[2], void *to) {  \
    subtract_block(wide, from, count, shifts, to);                             \
  }
// NOLINTEND(bugprone-macro-parentheses)

VERSION(base, )
#if defined(__x86_64__)
VERSION(avx2, __attribute__((target("avx2,fma"))))
VERSION(avx512,
        __attribute__((target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl"))))
#else
#define exp_avx2 exp_base
#define exp_avx512 exp_base
#define divide_avx2 divide_base
#define divide_avx512 divide_base
#define subtract_avx2 subtract_base
#define subtract_avx512 subtract_base
#endif

void jr_exp_block(enum jr_wide wide, const void *from, size_t count,
                  double shift, void *to) {
  if (jr_cpu_vectors() == JR_VECTORS_AVX512)
    exp_avx512(wide, from, count, shift, to);
  else if (jr_cpu_vectors() == JR_VECTORS_AVX2)
    exp_avx2(wide, from, count, shift, to);
  else
    exp_base(wide, from, count, shift, to);
}

void jr_divide_block(enum jr_wide wide, void *values, size_t count,
                     double divisor) {
  if (jr_cpu_vectors() == JR_VECTORS_AVX512)
    divide_avx512(wide, values, count, divisor);
  else if (jr_cpu_vectors() == JR_VECTORS_AVX2)
    divide_avx2(wide, values, count, divisor);
  else
    divide_base(wide, values, count, divisor);
}

void jr_subtract_block(enum jr_wide wide, const void *from, size_t count,
                       const double shifts[2], void *to) {
  if (jr_cpu_vectors() == JR_VECTORS_AVX512)
    subtract_avx512(wide, from, count, shifts, to);
  else if (jr_cpu_vectors() == JR_VECTORS_AVX2)
    subtract_avx2(wide, from, count, shifts, to);
  else
    subtract_base(wide, from, count, shifts, to);
}
