/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Functions as MLIR's C interface has them, written in C; see signature.test.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

struct vector {
  float *allocated, *data;
  int64_t offset, size, stride;
};

/// Counts its calls, in a variable of the library's.
int64_t _mlir_ciface_count(void);
int64_t _mlir_ciface_count(void) {
  static int64_t count;
  return ++count;
}

/// A tail of its argument, which is the caller's memory.
void _mlir_ciface_tail(struct vector *result, const struct vector *x);
void _mlir_ciface_tail(struct vector *result, const struct vector *x) {
  *result = *x;
  result->offset += result->stride;
  result->size--;
}

/// New memory: the roots, backwards.
void _mlir_ciface_roots(struct vector *result, const struct vector *x);
void _mlir_ciface_roots(struct vector *result, const struct vector *x) {
  *result = (struct vector){.size = x->size, .stride = 1};
  result->allocated = result->data =
      malloc((size_t)(x->size + 1) * sizeof(float));
  for (int64_t i = 0; i < x->size; i++)
    result->data[x->size - 1 - i] = sqrtf(x->data[x->offset + i * x->stride]);
}

#ifdef WITH_CONSTRUCTOR
static volatile int has_started;
__attribute__((constructor)) static void start(void) {
  has_started = 1;
}
#endif

#ifdef WITH_MISSING
int somebody_has(int x);
int32_t _mlir_ciface_missing(int32_t x);
int32_t _mlir_ciface_missing(int32_t x) {
  return somebody_has(x);
}
#endif
