/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What calls on batches of matrices share: matrices of any strides are copied
/// to dense memory and back, products of blocks are those of multiply.h.
#ifndef JR_CUSTOMCALLS_TRIANGULAR_H
#define JR_CUSTOMCALLS_TRIANGULAR_H

#include "customcalls/builtins.h"
#include "jitrun/customcall.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JR_TRIANGULAR_BLOCK = 64 }; ///< rows that are made between products

/// A batch of matrices.
struct jr_matrices {
  char *data;
  size_t element_bytes;
  int64_t dims[2], strides[2]; ///< strides in elements
  uint32_t batch_rank;
  const int64_t *batch_dims, *batch_strides;
};

struct jr_matrices jr_matrices_get(const jitrun_arg_t *arg);

/// How many there are.
size_t jr_matrices_count(const struct jr_matrices *matrices);

/// The first element of one.
char *jr_matrices_at(const struct jr_matrices *matrices, size_t index);

/// A dense block of `rows` x `columns` elements in rows `step` elements apart.
struct jr_block {
  char *data;
  int64_t rows, columns, row_step, column_step;
};

/// out -= left * right, of f32 or f64.
jitrun_error_t *
jr_block_subtract(const jitrun_call_t *call, jitrun_dtype_t dtype,
                  const struct jr_block blocks[3]) JITRUN_MUST_USE;

/// INVALID_ARGUMENT unless the last two dimensions are equal, as far as known.
jitrun_error_t *jr_square_check(const jitrun_call_t *call,
                                const jitrun_type_t *type,
                                const char *name) JITRUN_MUST_USE;

#endif
