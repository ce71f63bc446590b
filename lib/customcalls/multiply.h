/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The product of two matrices by BLAS, for every call that needs one.
#ifndef JR_CUSTOMCALLS_MULTIPLY_H
#define JR_CUSTOMCALLS_MULTIPLY_H

#include "customcalls/blas.h"
#include "jitrun/customcall.h"

enum { JR_LEFT, JR_RIGHT, JR_OUT, JR_MATRIX_COUNT };

/// A matrix as it lies in memory; a transpose is the same with both pairs
/// swapped.
struct jr_matrix {
  const char *name; ///< for messages
  char *data;
  int64_t dims[2];
  int64_t strides[2]; ///< in elements
  jitrun_dtype_t dtype;
};

/// Sizes MxK, KxN and MxN. Elements of OUT are f64, and so are all, or f16,
/// bf16 or f32, and so is each.
struct jr_product {
  struct jr_matrix matrices[JR_MATRIX_COUNT];
  double alpha, beta;
};

/// Opens BLAS for a call, or says what to install.
jitrun_error_t *jr_require_blas(const jitrun_call_t *call,
                                struct jr_blas *out_blas) JITRUN_MUST_USE;

/// OUT = alpha * LEFT * RIGHT + beta * OUT, in f64 or else in f32. With beta 0
/// OUT is not read. INVALID_ARGUMENT for a size that BLAS cannot take,
/// RESOURCE_EXHAUSTED. Thread-safe.
jitrun_error_t *jr_multiply(const jitrun_call_t *call,
                            const struct jr_blas *blas,
                            const struct jr_product *product) JITRUN_MUST_USE;

#endif
