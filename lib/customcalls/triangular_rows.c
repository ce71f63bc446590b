/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See triangular_rows.h. Loops are vectorised by the compiler, as for each
/// width of vectors: the order of sums is the same in all.
#include "customcalls/triangular_rows.h"

#include "base/cpu.h"
#include "jitrun/types.h"

#include <stddef.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

// NOLINTBEGIN(bugprone-macro-parentheses)
/// Real numbers: four rows at a time.
#define REAL_LOOP(REAL, NAME)                                                  \
  ALWAYS_INLINE void NAME(const struct jr_rows *rows) {                        \
    REAL *restrict to = rows->to;                                              \
    const REAL *from = rows->from;                                             \
    const REAL *by = rows->by;                                                 \
    size_t step = rows->from_step;                                             \
    size_t r = 0;                                                              \
    for (; r + 4 <= rows->rows; r += 4) {                                      \
      const REAL *a = from + r * step;                                         \
      const REAL p = by[r * rows->by_step];                                    \
      const REAL q = by[(r + 1) * rows->by_step];                              \
      const REAL s = by[(r + 2) * rows->by_step];                              \
      const REAL t = by[(r + 3) * rows->by_step];                              \
      for (size_t j = 0; j < rows->count; j++)                                 \
        to[j] = to[j] - p * a[j] - q * a[step + j] - s * a[2 * step + j] -     \
                t * a[3 * step + j];                                           \
    }                                                                          \
    for (; r < rows->rows; r++) {                                              \
      const REAL *a = from + r * step;                                         \
      const REAL p = by[r * rows->by_step];                                    \
      for (size_t j = 0; j < rows->count; j++)                                 \
        to[j] -= p * a[j];                                                     \
    }                                                                          \
  }

/// Complex numbers, as pairs of real ones.
#define COMPLEX_LOOP(REAL, NAME)                                               \
  ALWAYS_INLINE void NAME(const struct jr_rows *rows) {                        \
    REAL *restrict to = rows->to;                                              \
    const REAL *by = rows->by;                                                 \
    for (size_t r = 0; r < rows->rows; r++) {                                  \
      const REAL *a = (const REAL *)rows->from + 2 * r * rows->from_step;      \
      const REAL re = by[2 * r * rows->by_step];                               \
      const REAL part = by[2 * r * rows->by_step + 1];                         \
      const REAL im = rows->conjugates ? -part : part;                         \
      for (size_t j = 0; j < rows->count; j++) {                               \
        REAL x = a[2 * j];                                                     \
        REAL y = a[2 * j + 1];                                                 \
        to[2 * j] -= re * x - im * y;                                          \
        to[2 * j + 1] -= re * y + im * x;                                      \
      }                                                                        \
    }                                                                          \
  }

// NOLINTEND(bugprone-macro-parentheses)

REAL_LOOP(float, subtract_f32)
REAL_LOOP(double, subtract_f64)
COMPLEX_LOOP(float, subtract_c64)
COMPLEX_LOOP(double, subtract_c128)

ALWAYS_INLINE void subtract(jitrun_dtype_t dtype, const struct jr_rows *rows) {
  switch (dtype) {
  case JITRUN_DTYPE_F32:
    subtract_f32(rows);
    return;
  case JITRUN_DTYPE_F64:
    subtract_f64(rows);
    return;
  case JITRUN_DTYPE_C64:
    subtract_c64(rows);
    return;
  default:
    subtract_c128(rows);
    return;
  }
}

#if defined(__x86_64__)
__attribute__((
    target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"))) static void
subtract_avx512(jitrun_dtype_t dtype, const struct jr_rows *rows) {
  subtract(dtype, rows);
}

__attribute__((target("avx2,fma"))) static void
subtract_avx2(jitrun_dtype_t dtype, const struct jr_rows *rows) {
  subtract(dtype, rows);
}
#else
#define subtract_avx512 subtract
#define subtract_avx2 subtract
#endif

void jr_rows_subtract(jitrun_dtype_t dtype, const struct jr_rows *rows) {
  if (jr_cpu_vectors() >= JR_VECTORS_AVX512)
    subtract_avx512(dtype, rows);
  else if (jr_cpu_vectors() >= JR_VECTORS_AVX2)
    subtract_avx2(dtype, rows);
  else
    subtract(dtype, rows);
}
