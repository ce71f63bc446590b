/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See fft_kernels.h: one vector of each width that x86-64 has, and one of 16
/// bytes for any machine.
#include "customcalls/fft_kernels.h"

#include "base/cpu.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INLINE static inline __attribute__((always_inline))
#define OUTER static

#define REAL float
#define LANES 4
#define NAME(x) x##_4xf32
#include "customcalls/fft_lanes.h"
#include "customcalls/fft_steps.h"
#undef REAL
#undef LANES
#undef NAME

#define REAL double
#define LANES 2
#define NAME(x) x##_2xf64
#include "customcalls/fft_lanes.h"
#include "customcalls/fft_steps.h"
#undef REAL
#undef LANES
#undef NAME

#undef INLINE
#undef OUTER

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2,fma")))
#define INLINE static inline __attribute__((always_inline)) AVX2
#define OUTER AVX2 static

#define REAL float
#define LANES 8
#define NAME(x) x##_8xf32
#include "customcalls/fft_lanes.h"
#include "customcalls/fft_steps.h"
#undef REAL
#undef LANES
#undef NAME

#define REAL double
#define LANES 4
#define NAME(x) x##_4xf64
#include "customcalls/fft_lanes.h"
#include "customcalls/fft_steps.h"
#undef REAL
#undef LANES
#undef NAME

#undef INLINE
#undef OUTER

#define AVX512                                                                 \
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")))
#define INLINE static inline __attribute__((always_inline)) AVX512
#define OUTER AVX512 static

#define REAL float
#define LANES 16
#define NAME(x) x##_16xf32
#include "customcalls/fft_lanes.h"
#include "customcalls/fft_steps.h"
#undef REAL
#undef LANES
#undef NAME

#define REAL double
#define LANES 8
#define NAME(x) x##_8xf64
#include "customcalls/fft_lanes.h"
#include "customcalls/fft_steps.h"
#undef REAL
#undef LANES
#undef NAME
#endif

const struct jr_fft_kernels *jr_fft_kernels_get(bool is_double) {
#if defined(__x86_64__)
  enum jr_cpu_vectors vectors = jr_cpu_vectors();
  if (vectors >= JR_VECTORS_AVX512)
    return is_double ? &kernels_8xf64 : &kernels_16xf32;
  if (vectors >= JR_VECTORS_AVX2)
    return is_double ? &kernels_4xf64 : &kernels_8xf32;
#endif
  return is_double ? &kernels_2xf64 : &kernels_4xf32;
}
