/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See own_gemm.h. The method is Goto's (K. Goto, R. van de Geijn, "Anatomy of
/// High-Performance Matrix Multiplication", 2008): blocks of both operands are
/// packed in the order in which a kernel reads them, and the kernel keeps a
/// tile of the result in registers. own_gemm_blocks.h has it for one type.
#include "customcalls/own_gemm.h"

#include "base/cpu.h"
#include "customcalls/blas.h"

#include <stdbool.h>
#include <stddef.h>

enum {
  VECTOR_BYTES = 32,
  ROWS = 6,    ///< of a tile, which is two vectors wide
  DEPTH = 192, ///< of a block: this many products are summed before C is read
  BLOCK_ROWS = 8 * ROWS,
  BLOCK_BYTES = 512 ///< width of a block of B
};

/// What both operands of a product are: op(A) is M x K, op(B) is K x N, and
/// strides count elements.
struct strides {
  ptrdiff_t row, column;
};

static struct strides stride_of(int layout, int transpose, int leading) {
  bool is_row_major =
      (layout == JR_BLAS_ROW_MAJOR) != (transpose == JR_BLAS_TRANS);
  return is_row_major ? (struct strides){leading, 1}
                      : (struct strides){1, leading};
}

static int least(int a, int b) {
  return a < b ? a : b;
}

#define NUMBER float
#define NAME(name) name##_f32
#define GEMM jr_own_sgemm
#include "customcalls/own_gemm_blocks.h"
#undef NUMBER
#undef NAME
#undef GEMM

#define NUMBER double
#define NAME(name) name##_f64
#define GEMM jr_own_dgemm
#include "customcalls/own_gemm_blocks.h"
