/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Products of matrices by kernels of our own, of any strides.
#ifndef JR_CUSTOMCALLS_OWN_GEMM_H
#define JR_CUSTOMCALLS_OWN_GEMM_H

#include "base/cpu.h"

#include <stdbool.h>
#include <stddef.h>

/// C = alpha * A * B + beta * C, of sizes MxK, KxN and MxN. Strides are of rows
/// and of columns, in elements. With beta 0 C is not read, with alpha 0 neither
/// are A and B.
struct jr_gemm {
  const void *a, *b;
  void *c;
  ptrdiff_t m, n, k;
  ptrdiff_t a_strides[2], b_strides[2], c_strides[2];
  double alpha, beta;
};

/// Bytes that a product needs besides, aligned to 64, for packed operands.
enum { JR_GEMM_ROOM = 576 * 1024 };

/// True for a product that takes less time than packing it would: of few
/// elements, in contiguous rows. It needs no room.
bool jr_gemm_is_small(const struct jr_gemm *gemm);

/// Elements are float, or double. An element of C is summed in an order that
/// depends on K alone, with fused products where the CPU has them. `vectors`
/// are those of jr_cpu_vectors(), or fewer. Thread-safe.
void jr_own_sgemm(enum jr_cpu_vectors vectors, const struct jr_gemm *gemm,
                  void *room);
void jr_own_dgemm(enum jr_cpu_vectors vectors, const struct jr_gemm *gemm,
                  void *room);

#endif
