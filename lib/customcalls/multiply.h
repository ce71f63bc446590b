/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The product of two matrices, for every call that needs one.
#ifndef JR_CUSTOMCALLS_MULTIPLY_H
#define JR_CUSTOMCALLS_MULTIPLY_H

#include "customcalls/builtins.h"
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

/// Dimensions along which products are repeated, each with other matrices.
struct jr_batch {
  uint32_t rank;
  int64_t dims[JR_MAX_RANK];
  int64_t strides[JR_MATRIX_COUNT][JR_MAX_RANK]; ///< in elements
};

/// OUT = alpha * LEFT * RIGHT + beta * OUT, in f64 or else in f32, for each
/// element of the batch. With beta 0 OUT is not read. Goes on in the threads
/// that the call has, in pieces that depend on the sizes alone, so that the
/// result does not depend on how many those are. RESOURCE_EXHAUSTED.
/// Thread-safe; changes `batch`.
jitrun_error_t *jr_multiply(const jitrun_call_t *call,
                            struct jr_product product,
                            struct jr_batch *batch) JITRUN_MUST_USE;

#endif
