/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See triangular.h.
#include "customcalls/triangular.h"

#include "base/dtype.h"
#include "customcalls/builtins.h"
#include "customcalls/multiply.h"
#include "jitrun/customcall.h"
#include "jitrun/types.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>

struct jr_matrices jr_matrices_get(const jitrun_arg_t *arg) {
  const int64_t *dims = jitrun_type_dims(arg->type);
  const int64_t *strides = jitrun_type_strides(arg->type);
  uint32_t batch = arg->type->rank - 2u;
  return (struct jr_matrices){
      .data = arg->value.data,
      .element_bytes = jr_dtype_size((jitrun_dtype_t)arg->type->dtype),
      .dims = {dims[batch], dims[batch + 1]},
      .strides = {strides[batch], strides[batch + 1]},
      .batch_rank = batch,
      .batch_dims = dims,
      .batch_strides = strides};
}

size_t jr_matrices_count(const struct jr_matrices *matrices) {
  size_t count = 1;
  for (uint32_t i = 0; i < matrices->batch_rank; i++)
    count *= (size_t)matrices->batch_dims[i];
  return count;
}

char *jr_matrices_at(const struct jr_matrices *matrices, size_t index) {
  ptrdiff_t at = 0;
  for (uint32_t i = matrices->batch_rank; i-- > 0;) {
    size_t dim = (size_t)matrices->batch_dims[i];
    at += (ptrdiff_t)(index % dim) * matrices->batch_strides[i];
    index /= dim;
  }
  return matrices->data + at * (ptrdiff_t)matrices->element_bytes;
}

jitrun_error_t *jr_block_subtract(const jitrun_call_t *call,
                                  jitrun_dtype_t dtype,
                                  const struct jr_block blocks[3]) {
  static const char *const names[JR_MATRIX_COUNT] = {"left", "right", "out"};
  struct jr_product product = {.alpha = -1, .beta = 1};
  for (int i = 0; i < JR_MATRIX_COUNT; i++)
    product.matrices[i] = (struct jr_matrix){
        .name = names[i],
        .data = blocks[i].data,
        .dims = {blocks[i].rows, blocks[i].columns},
        .strides = {blocks[i].row_step, blocks[i].column_step},
        .dtype = dtype};
  struct jr_batch batch = {.rank = 0};
  return jr_multiply(call, product, &batch);
}

jitrun_error_t *jr_square_check(const jitrun_call_t *call,
                                const jitrun_type_t *type, const char *name) {
  const int64_t *dims = jitrun_type_dims(type) + type->rank - 2;
  if (dims[0] == dims[1] || dims[0] == JITRUN_DYNAMIC ||
      dims[1] == JITRUN_DYNAMIC)
    return NULL;
  return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                       "%s: the matrices of '%s' are %" PRId64 "x%" PRId64
                       "; they must be square",
                       call->site->target, name, dims[0], dims[1]);
}
