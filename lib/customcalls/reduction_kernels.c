/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See reduction_kernels.h. reduction_level.h has the kernels for one size of
/// vectors. All have as many lanes in all, that are joined in one order.
#include "customcalls/reduction_kernels.h"

#include "base/cpu.h"
#include "customcalls/widen.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum {
  ALL_BYTES = 128, ///< of lanes that elements go to in turn
  FEW = 8          ///< elements that are reduced one after the other
};

#define FLOAT_REDUCERS(X)                                                      \
  X(sum, SUM) X(product, PRODUCT) X(min, MIN) X(max, MAX)
#define ORDERED_REDUCERS(X) X(min, MIN) X(max, MAX)
#define UNSIGNED_REDUCERS(X) FLOAT_REDUCERS(X) X(and, AND) X(or, OR) X(xor, XOR)

struct level {
  struct jr_reduction_kernel kernels[JR_WIDE_COUNT][JR_REDUCER_COUNT];
};

#define LEVEL(name) name##_base
#define TARGET
#define VECTOR_BYTES 16
#include "customcalls/reduction_level.h"
#undef LEVEL
#undef TARGET
#undef VECTOR_BYTES

#if defined(__x86_64__)
#define LEVEL(name) name##_avx2
#define TARGET __attribute__((target("avx2")))
#define VECTOR_BYTES 32
#include "customcalls/reduction_level.h"
#else
#define level_avx2 level_base
#endif

const struct jr_reduction_kernel *jr_reduction_kernel(enum jr_wide wide,
                                                      enum jr_reducer reducer) {
  const struct level *level =
      jr_cpu_vectors() >= JR_VECTORS_AVX2 ? &level_avx2 : &level_base;
  const struct jr_reduction_kernel *kernel = &level->kernels[wide][reducer];
  return kernel->fold ? kernel : NULL;
}

/// D. Knuth's TwoSum: the error of an addition, whichever number is larger.
static void add_exactly_f32(float *sums, float *errors, const float *more,
                            size_t width) {
  for (size_t i = 0; i < width; i++) {
    float sum = sums[i] + more[i];
    float added = sum - sums[i];
    errors[i] += (sums[i] - (sum - added)) + (more[i] - added);
    sums[i] = sum;
  }
}

static void add_exactly_f64(double *sums, double *errors, const double *more,
                            size_t width) {
  for (size_t i = 0; i < width; i++) {
    double sum = sums[i] + more[i];
    double added = sum - sums[i];
    errors[i] += (sums[i] - (sum - added)) + (more[i] - added);
    sums[i] = sum;
  }
}

void jr_add_exactly(enum jr_wide wide, void *sums, void *errors,
                    const void *more, size_t width) {
  if (wide == JR_WIDE_F32)
    add_exactly_f32(sums, errors, more, width);
  else
    add_exactly_f64(sums, errors, more, width);
}
