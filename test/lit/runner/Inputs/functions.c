/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A library whose functions programs call by name. */
#include <stdint.h>
#include <stdlib.h>

struct memref1 {
  double *allocated, *data;
  int64_t offset, size, stride;
};

double half(double value) {
  return value / 2;
}

/* By MLIR's C interface: the address of a descriptor. */
double _mlir_ciface_sum(const struct memref1 *x) {
  double sum = 0;
  for (int64_t i = 0; i < x->size; i++)
    sum += x->data[x->offset + i * x->stride];
  return sum;
}

/* The bare call: what is in the descriptor, one after the other. */
void scale(double *allocated, double *data, int64_t offset, int64_t size,
           int64_t stride, double factor) {
  (void)allocated;
  for (int64_t i = 0; i < size; i++)
    data[offset + i * stride] *= factor;
}

/* A memref as a result. */
struct memref1 iota(int64_t size) {
  double *data = malloc((size_t)size * sizeof *data);
  for (int64_t i = 0; data && i < size; i++)
    data[i] = (double)i;
  return (struct memref1){data, data, 0, data ? size : 0, 1};
}

int32_t apply(int32_t (*function)(int32_t), int32_t value) {
  return function(function(value));
}
