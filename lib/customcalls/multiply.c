/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Products in pieces, each by the kernels of own_gemm.h, which take any
/// strides. Elements of 16 bits are multiplied as f32.
#include "customcalls/multiply.h"

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/dtype.h"
#include "base/numbers.h"
#include "base/room.h"
#include "customcalls/builtins.h"
#include "customcalls/own_gemm.h"
#include "jitrun/customcall.h"
#include "jitrun/types.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static char *find_element(const struct jr_matrix *matrix, int64_t row,
                          int64_t column) {
  int64_t index = row * matrix->strides[0] + column * matrix->strides[1];
  return matrix->data + index * (int64_t)jr_dtype_size(matrix->dtype);
}

/// A copy that changes the element type, rounding to nearest.
static void convert_matrix(const struct jr_matrix *to,
                           const struct jr_matrix *from) {
  size_t to_bytes = jr_dtype_size(to->dtype);
  for (int64_t i = 0; i < to->dims[0]; i++) {
    for (int64_t j = 0; j < to->dims[1]; j++) {
      uint64_t bits = jr_float_encode(
          to->dtype, jr_element_to_f64(from->dtype, find_element(from, i, j)));
      memcpy(find_element(to, i, j), &bits, to_bytes);
    }
  }
}

static void copy_matrix(const struct jr_matrix *to,
                        const struct jr_matrix *from) {
  if (to->dtype != from->dtype) {
    convert_matrix(to, from);
    return;
  }
  jr_copy_elements(
      &(struct jr_copy){.to = to->data,
                        .from = from->data,
                        .dims = to->dims,
                        .to_strides = to->strides,
                        .from_strides = from->strides,
                        .rank = 2,
                        .element_bytes = jr_dtype_size(to->dtype)});
}

/// Replaces a matrix of another type by a copy of `dtype`, owned by the caller
/// through `out_memory`; false when there is no memory.
static bool widen_matrix(struct jr_matrix *matrix, jitrun_dtype_t dtype,
                         bool is_read, void **out_memory) {
  if (matrix->dtype == dtype)
    return true;
  size_t count = (size_t)matrix->dims[0] * (size_t)matrix->dims[1];
  size_t element_bytes = jr_dtype_size(dtype);
  if (count > SIZE_MAX / element_bytes)
    return false;
  *out_memory = jr_malloc_aligned(64, count * element_bytes);
  if (!*out_memory)
    return false;
  int64_t width = matrix->dims[1];
  struct jr_matrix packed = *matrix;
  packed.data = *out_memory;
  packed.dtype = dtype;
  packed.strides[0] = width > 0 ? width : 1;
  packed.strides[1] = 1;
  if (is_read)
    copy_matrix(&packed, matrix);
  *matrix = packed;
  return true;
}

static jitrun_error_t *multiply_same(const jitrun_call_t *call,
                                     const struct jr_product *product) {
  const struct jr_matrix *a = &product->matrices[JR_LEFT];
  const struct jr_matrix *b = &product->matrices[JR_RIGHT];
  const struct jr_matrix *c = &product->matrices[JR_OUT];
  const struct jr_gemm gemm = {.a = a->data,
                               .b = b->data,
                               .c = c->data,
                               .m = c->dims[0],
                               .n = c->dims[1],
                               .k = a->dims[1],
                               .a_strides = {a->strides[0], a->strides[1]},
                               .b_strides = {b->strides[0], b->strides[1]},
                               .c_strides = {c->strides[0], c->strides[1]},
                               .alpha = product->alpha,
                               .beta = product->beta};
  void *room = jr_thread_room(JR_GEMM_ROOM);
  if (!room)
    return jr_call_error(call, JITRUN_RESOURCE_EXHAUSTED,
                         "%s: out of memory for %d bytes of packed blocks",
                         call->site->target, JR_GEMM_ROOM);
  if (c->dtype == JITRUN_DTYPE_F32)
    jr_own_sgemm(jr_cpu_vectors(), &gemm, room);
  else
    jr_own_dgemm(jr_cpu_vectors(), &gemm, room);
  return NULL;
}

/// Multiplies copies where elements have to be widened, and brings the result
/// back.
static jitrun_error_t *multiply_one(const jitrun_call_t *call,
                                    const struct jr_product *product) {
  const struct jr_matrix *out = &product->matrices[JR_OUT];
  jitrun_error_t *error = NULL;
  struct jr_product same = *product;
  void *memory[JR_MATRIX_COUNT] = {NULL};
  jitrun_dtype_t dtype =
      out->dtype == JITRUN_DTYPE_F64 ? JITRUN_DTYPE_F64 : JITRUN_DTYPE_F32;
  for (int i = 0; i < JR_MATRIX_COUNT && !error; i++)
    if (!widen_matrix(&same.matrices[i], dtype,
                      i != JR_OUT || product->beta != 0, &memory[i]))
      error = jr_call_error(call, JITRUN_RESOURCE_EXHAUSTED,
                            "%s: out of memory for a copy of '%s'",
                            call->site->target, same.matrices[i].name);
  if (!error)
    error = multiply_same(call, &same);
  if (!error && memory[JR_OUT])
    copy_matrix(out, &same.matrices[JR_OUT]);
  for (int i = 0; i < JR_MATRIX_COUNT; i++)
    free(memory[i]);
  return error;
}

/// All products, as equal pieces of OUT: each is `pieces` of them along the
/// longer side.
struct work {
  const jitrun_call_t *call;
  const struct jr_product *product;
  const struct jr_batch *batch;
  size_t pieces;
  int axis; ///< of OUT, that is cut
  _Atomic(jitrun_error_t *) error;
};

/// Moves a matrix to where an element of the batch has it.
static void move_matrix(struct jr_matrix *matrix, const struct jr_batch *batch,
                        const int64_t *strides, size_t index) {
  int64_t offset = 0;
  for (uint32_t i = batch->rank; i-- > 0;) {
    offset += (int64_t)(index % (size_t)batch->dims[i]) * strides[i];
    index /= (size_t)batch->dims[i];
  }
  matrix->data += offset * (int64_t)jr_dtype_size(matrix->dtype);
}

/// Leaves the rows or columns of one piece.
static void cut_matrix(struct jr_matrix *matrix, int axis, size_t piece,
                       size_t pieces) {
  int64_t size = matrix->dims[axis];
  int64_t width = (size + (int64_t)pieces - 1) / (int64_t)pieces;
  int64_t first = (int64_t)piece * width;
  matrix->data =
      find_element(matrix, axis == 0 ? first : 0, axis == 1 ? first : 0);
  matrix->dims[axis] = size - first < width ? size - first : width;
}

static void multiply_piece(struct work *work, size_t item) {
  struct jr_product product = *work->product;
  for (int i = 0; i < JR_MATRIX_COUNT; i++)
    move_matrix(&product.matrices[i], work->batch, work->batch->strides[i],
                item / work->pieces);
  size_t piece = item % work->pieces;
  cut_matrix(&product.matrices[JR_OUT], work->axis, piece, work->pieces);
  cut_matrix(&product.matrices[work->axis == 0 ? JR_LEFT : JR_RIGHT],
             work->axis, piece, work->pieces);
  if (product.matrices[JR_OUT].dims[work->axis] <= 0)
    return;
  jitrun_error_t *error = multiply_one(work->call, &product);
  jitrun_error_t *none = NULL;
  if (error && !atomic_compare_exchange_strong(&work->error, &none, error))
    jitrun_error_free(error);
}

static void multiply_pieces(void *context, size_t first, size_t last) {
  struct work *work = context;
  for (size_t i = first; i < last && !atomic_load(&work->error); i++)
    multiply_piece(work, i);
}

/// How many pieces a product is worth: what one takes should be long beside
/// handing it to a thread and packing what all of them read.
static size_t count_pieces(const struct jr_product *product, int axis) {
  enum { LEAST_WIDTH = 96, MOST = 16 };
  const double least_work = 3e6; /* multiplications: some 40 us */
  const int64_t *out = product->matrices[JR_OUT].dims;
  double worth = (double)out[0] * (double)out[1] *
                 (double)product->matrices[JR_LEFT].dims[1] / least_work;
  int64_t width = out[axis] / LEAST_WIDTH;
  int64_t most = width < MOST ? width : MOST;
  return worth < 2 || most < 2  ? 1
         : worth < (double)most ? (size_t)worth
                                : (size_t)most;
}

/// A step of the batch that goes on where the rows end is more of them, as in
/// a batch of LEFT with one RIGHT.
static void join_rows(struct jr_product *product, struct jr_batch *batch) {
  struct jr_matrix *left = &product->matrices[JR_LEFT];
  struct jr_matrix *out = &product->matrices[JR_OUT];
  while (batch->rank > 0) {
    uint32_t last = batch->rank - 1;
    int64_t size;
    if (batch->strides[JR_RIGHT][last] != 0 ||
        batch->strides[JR_LEFT][last] != left->dims[0] * left->strides[0] ||
        batch->strides[JR_OUT][last] != out->dims[0] * out->strides[0] ||
        __builtin_mul_overflow(out->dims[0], batch->dims[last], &size))
      return;
    left->dims[0] = out->dims[0] = size;
    batch->rank--;
  }
}

jitrun_error_t *jr_multiply(const jitrun_call_t *call,
                            struct jr_product product, struct jr_batch *batch) {
  const int64_t *out = product.matrices[JR_OUT].dims;
  join_rows(&product, batch);
  if (out[0] <= 0 || out[1] <= 0)
    return NULL;
  struct work work = {.call = call,
                      .product = &product,
                      .batch = batch,
                      .axis = out[0] >= out[1] ? 0 : 1};
  size_t count = 1;
  for (uint32_t i = 0; i < batch->rank; i++)
    count *= (size_t)batch->dims[i];
  work.pieces = count_pieces(&product, work.axis);
  count *= work.pieces;
  if (count == 1 && batch->rank == 0)
    return multiply_one(call, &product);
  call->site->api->parallel_for(call, count, 1, multiply_pieces, &work);
  return atomic_load(&work.error);
}
