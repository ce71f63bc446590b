/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// `jitrun.cholesky` and `xla.gpu.cholesky`: a matrix A as L L^H. What is made
/// is U = L^H, whose rows are dense: each row minus multiples of those above.
/// Panels of rows are subtracted from all that is below by a product.
#include "customcalls/builtins.h"
#include "customcalls/lines.h"
#include "customcalls/parts.h"
#include "customcalls/triangular.h"
#include "customcalls/triangular_rows.h"
#include "customcalls/xla.h"
#include "jitrun/customcall.h"
#include "jitrun/types.h"

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { ARG_INPUT, ARG_OUTPUT, ARG_COUNT };
enum { XLA_OPERAND, XLA_A, XLA_WORKSPACE, XLA_INFO, XLA_ARGS };
enum { XLA_BATCH, XLA_LOWER, XLA_N, XLA_ATTRS };
enum {
  MAX_PIECES = 16,
  PIECE_WORK = 1 << 15, ///< multiplications that are worth a thread
  MAX_ROOM = 64 << 20
};

#define MATRIX                                                                 \
  .kind = JITRUN_KIND_BUFFER, .min_rank = 2, .max_rank = JR_MAX_RANK,          \
  .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_F32) |                                  \
            JITRUN_DTYPES(JITRUN_DTYPE_F64) |                                  \
            JITRUN_DTYPES(JITRUN_DTYPE_C64) | JITRUN_DTYPES(JITRUN_DTYPE_C128)

static const jitrun_param_t args[ARG_COUNT] = {
    [ARG_INPUT] = {.name = "input", MATRIX},
    [ARG_OUTPUT] = {.name = "output", MATRIX}};
static const jitrun_attr_param_t attrs[] = {
    {.name = "upper", JR_XLA_SCALAR(PRED), JR_XLA_OPTIONAL}};
static const jitrun_signature_t signature = {.size = sizeof(jitrun_signature_t),
                                             .args = args,
                                             .arg_count = ARG_COUNT,
                                             .attrs = attrs,
                                             .attr_count = 1};

static const jitrun_param_t xla_args[XLA_ARGS] = {
    [XLA_OPERAND] = {.name = "operand", MATRIX},
    [XLA_A] = {.name = "a", MATRIX},
    [XLA_WORKSPACE] = {.name = "workspace", JR_XLA_BUFFER},
    [XLA_INFO] = {.name = "info",
                  .kind = JITRUN_KIND_BUFFER,
                  .max_rank = JR_MAX_RANK,
                  JR_XLA_OF(S32)}};
static const jitrun_attr_param_t xla_attrs[XLA_ATTRS] = {
    [XLA_BATCH] = {.name = "batch_size", JR_XLA_SCALAR(S64)},
    [XLA_LOWER] = {.name = "is_lower", JR_XLA_SCALAR(PRED)},
    [XLA_N] = {.name = "n", JR_XLA_SCALAR(S64)}};
const jitrun_signature_t jr_xla_cholesky_types = {
    .size = sizeof(jitrun_signature_t),
    .args = xla_args,
    .arg_count = XLA_ARGS,
    .attrs = xla_attrs,
    .attr_count = XLA_ATTRS};

/// One call in the making.
struct work {
  const jitrun_call_t *call;
  jitrun_dtype_t dtype;
  bool is_complex, is_upper;
  bool fills; ///< zeros in the other triangle, NaNs where there is no result
  struct jr_matrices input, output;
  char *info; ///< NULL: none wanted
  int64_t info_step;
  size_t order, count, piece_count, piece_bytes;
  char *room;
  _Atomic(jitrun_error_t *) error;
};

static double read_real(const struct work *work, const char *element) {
  if (work->dtype == JITRUN_DTYPE_F64 || work->dtype == JITRUN_DTYPE_C128)
    return *(const double *)(const void *)element;
  return (double)*(const float *)(const void *)element;
}

/// An element times a real number.
static void scale(const struct work *work, char *element, double by) {
  size_t parts = work->is_complex ? 2 : 1;
  for (size_t i = 0; i < parts; i++) {
    if (work->input.element_bytes / parts == sizeof(double))
      ((double *)(void *)element)[i] *= by;
    else
      ((float *)(void *)element)[i] =
          (float)((double)((float *)(void *)element)[i] * by);
  }
}

static void write_real(const struct work *work, char *element, double value) {
  memset(element, 0, work->input.element_bytes);
  if (work->dtype == JITRUN_DTYPE_F64 || work->dtype == JITRUN_DTYPE_C128)
    *(double *)(void *)element = value;
  else
    *(float *)(void *)element = (float)value;
}

static void conjugate(const struct work *work, char *element) {
  if (work->dtype == JITRUN_DTYPE_C128)
    ((double *)(void *)element)[1] *= -1;
  else if (work->dtype == JITRUN_DTYPE_C64)
    ((float *)(void *)element)[1] *= -1;
}

static char *element_at(const struct work *work, char *matrix, size_t row,
                        size_t column) {
  return matrix + (row * work->order + column) * work->input.element_bytes;
}

/// Rows [first, first + count) of the others from row `to` on, from its
/// diagonal on.
static void subtract_above(const struct work *work, char *matrix, size_t first,
                           size_t count, size_t to) {
  jr_rows_subtract(work->dtype, &(struct jr_rows){
                                    .to = element_at(work, matrix, to, to),
                                    .from = element_at(work, matrix, first, to),
                                    .from_step = work->order,
                                    .by = element_at(work, matrix, first, to),
                                    .by_step = work->order,
                                    .rows = count,
                                    .count = work->order - to,
                                    .conjugates = work->is_complex});
}

/// Everything below a panel minus what the panel says of it.
static jitrun_error_t *subtract_panel(const struct work *work, char *matrix,
                                      size_t first, size_t count) {
  size_t order = work->order;
  if (work->is_complex) {
    for (size_t row = first + count; row < order; row++)
      subtract_above(work, matrix, first, count, row);
    return NULL;
  }
  jitrun_error_t *error = NULL;
  const int64_t step = (int64_t)order;
  for (size_t row = first + count; row < order && !error;
       row += 4 * (size_t)JR_TRIANGULAR_BLOCK) {
    size_t rows = order - row < 4 * (size_t)JR_TRIANGULAR_BLOCK
                      ? order - row
                      : 4 * (size_t)JR_TRIANGULAR_BLOCK;
    const struct jr_block blocks[] = {
        {element_at(work, matrix, first, row), (int64_t)rows, (int64_t)count, 1,
         step},
        {element_at(work, matrix, first, row), (int64_t)count,
         (int64_t)(order - row), step, 1},
        {element_at(work, matrix, row, row), (int64_t)rows,
         (int64_t)(order - row), step, 1}};
    error = jr_block_subtract(work->call, work->dtype, blocks);
  }
  return error;
}

/// Makes a row of U from its pivot on, of a panel that begins with `first`;
/// false where the pivot is not positive.
static bool factor_row(const struct work *work, char *matrix, size_t first,
                       size_t row) {
  subtract_above(work, matrix, first, row - first, row);
  char *pivot = element_at(work, matrix, row, row);
  double square = read_real(work, pivot);
  if (!(square > 0) || isinf(square))
    return false;
  double root = sqrt(square);
  for (size_t j = row + 1; j < work->order; j++)
    scale(work, element_at(work, matrix, row, j), 1 / root);
  write_real(work, pivot, root);
  return true;
}

/// Makes U of the upper triangle; `out_failed` is the number of the first row
/// that has no positive pivot, from 1 on, or 0.
static jitrun_error_t *factor(const struct work *work, char *matrix,
                              size_t *out_failed) {
  jitrun_error_t *error = NULL;
  size_t first = 0;
  *out_failed = 0;
  for (size_t row = 0; row < work->order && !error; row++) {
    if (!factor_row(work, matrix, first, row)) {
      *out_failed = row + 1;
      return NULL;
    }
    if (row + 1 == first + JR_TRIANGULAR_BLOCK && row + 1 < work->order) {
      error = subtract_panel(work, matrix, first, JR_TRIANGULAR_BLOCK);
      first = row + 1;
    }
  }
  return error;
}

/// The triangle that is read, as the upper one of a dense matrix.
static void load(const struct work *work, size_t index, char *matrix) {
  const char *from = jr_matrices_at(&work->input, index);
  ptrdiff_t row_step = work->input.strides[work->is_upper ? 0 : 1];
  ptrdiff_t column_step = work->input.strides[work->is_upper ? 1 : 0];
  size_t bytes = work->input.element_bytes;
  for (size_t i = 0; i < work->order; i++)
    for (size_t j = i; j < work->order; j++) {
      char *to = element_at(work, matrix, i, j);
      memcpy(to,
             from + ((ptrdiff_t)i * row_step + (ptrdiff_t)j * column_step) *
                        (ptrdiff_t)bytes,
             bytes);
      if (!work->is_upper)
        conjugate(work, to);
    }
}

static void store(const struct work *work, size_t index, char *matrix,
                  bool has_failed) {
  char *to = jr_matrices_at(&work->output, index);
  ptrdiff_t row_step = work->output.strides[work->is_upper ? 0 : 1];
  ptrdiff_t column_step = work->output.strides[work->is_upper ? 1 : 0];
  ptrdiff_t bytes = (ptrdiff_t)work->input.element_bytes;
  for (size_t i = 0; i < work->order; i++)
    for (size_t j = work->fills ? 0 : i; j < work->order; j++) {
      char *element = element_at(work, matrix, i, j);
      if (has_failed && work->fills)
        write_real(work, element, (double)NAN);
      else if (j < i)
        memset(element, 0, (size_t)bytes);
      else if (!work->is_upper)
        conjugate(work, element);
      memcpy(to +
                 ((ptrdiff_t)i * row_step + (ptrdiff_t)j * column_step) * bytes,
             element, (size_t)bytes);
    }
}

/// What XLA's call does not touch is what `operand` has.
static void keep_rest(const struct work *work, size_t index) {
  const char *from = jr_matrices_at(&work->input, index);
  char *to = jr_matrices_at(&work->output, index);
  if (from != to && !work->fills)
    jr_copy_elements(
        &(struct jr_copy){.to = to,
                          .from = from,
                          .dims = work->input.dims,
                          .to_strides = work->output.strides,
                          .from_strides = work->input.strides,
                          .rank = 2,
                          .element_bytes = work->input.element_bytes});
}

static jitrun_error_t *run_matrix(const struct work *work, size_t index,
                                  char *matrix) {
  size_t failed = 0;
  load(work, index, matrix);
  jitrun_error_t *error = factor(work, matrix, &failed);
  if (error)
    return error;
  keep_rest(work, index);
  store(work, index, matrix, failed > 0);
  const int32_t info = (int32_t)failed;
  if (work->info)
    memcpy(work->info + (ptrdiff_t)index * work->info_step, &info, sizeof info);
  return NULL;
}

static void run_pieces(void *context, size_t first, size_t last) {
  struct work *work = context;
  for (size_t piece = first; piece < last; piece++) {
    size_t end = (piece + 1) * work->count / work->piece_count;
    size_t i = piece * work->count / work->piece_count;
    for (; i < end && !atomic_load(&work->error); i++) {
      jitrun_error_t *error =
          run_matrix(work, i, work->room + piece * work->piece_bytes);
      jitrun_error_t *none = NULL;
      if (error && !atomic_compare_exchange_strong(&work->error, &none, error))
        jitrun_error_free(error);
    }
  }
}

static jitrun_error_t *run(jitrun_call_t *call, struct work *work) {
  const jitrun_arg_t *operands = jitrun_call_args(call);
  work->call = call;
  work->dtype = (jitrun_dtype_t)operands[ARG_INPUT].type->dtype;
  work->is_complex =
      work->dtype == JITRUN_DTYPE_C64 || work->dtype == JITRUN_DTYPE_C128;
  work->input = jr_matrices_get(&operands[ARG_INPUT]);
  work->output = jr_matrices_get(&operands[ARG_OUTPUT]);
  work->order = (size_t)work->input.dims[0];
  work->count = jr_matrices_count(&work->input);
  if (work->count == 0 || work->order == 0)
    return NULL;
  work->piece_bytes =
      (work->order * work->order * work->input.element_bytes + 63) &
      ~(size_t)63;
  size_t one = work->order * work->order * work->order / 3;
  size_t pieces = work->count / (PIECE_WORK / (one + 1) + 1);
  if (pieces > MAX_ROOM / work->piece_bytes)
    pieces = MAX_ROOM / work->piece_bytes;
  if (pieces > MAX_PIECES)
    pieces = MAX_PIECES;
  work->piece_count = pieces < 1 ? 1 : pieces;
  size_t bytes = work->piece_count * work->piece_bytes;
  work->room = call->site->api->workspace(call, bytes);
  if (!work->room)
    return jr_call_error(call, JITRUN_RESOURCE_EXHAUSTED,
                         "%s: out of memory for %zu bytes to factor in",
                         call->site->target, bytes);
  if (work->piece_count == 1)
    run_pieces(work, 0, 1);
  else
    call->site->api->parallel_for(call, work->piece_count, 1, run_pieces, work);
  return atomic_load(&work->error);
}

static jitrun_error_t *check_types(const jitrun_call_t *call,
                                   const jitrun_type_t *const *types,
                                   const jitrun_param_t *params) {
  const char *const names[] = {params[ARG_INPUT].name, params[ARG_OUTPUT].name};
  jitrun_error_t *error = jr_dtypes_agree(call, types, names);
  if (!error)
    error = jr_dims_agree(call, types, names, JR_MAX_RANK);
  return error ? error : jr_square_check(call, types[ARG_INPUT], names[0]);
}

static jitrun_error_t *check(jitrun_call_t *call) {
  return check_types(call, call->site->types, args);
}

static jitrun_error_t *execute(jitrun_call_t *call) {
  const jitrun_arg_t *operands = jitrun_call_args(call);
  const jitrun_type_t *types[] = {operands[ARG_INPUT].type,
                                  operands[ARG_OUTPUT].type};
  jitrun_error_t *error = check_types(call, types, args);
  struct work work = {.is_upper = call->attrs[0].kind != JITRUN_ATTR_ABSENT &&
                                  call->attrs[0].value.pred,
                      .fills = true};
  return error ? error : run(call, &work);
}

/// What the attributes say of the sizes, as far as those are known.
static jitrun_error_t *check_xla(const jitrun_call_t *call,
                                 const jitrun_type_t *const *types) {
  jitrun_error_t *error = check_types(call, types, xla_args);
  if (error)
    return error;
  int64_t batch = 1;
  int64_t found = 1;
  uint32_t rank = types[ARG_INPUT]->rank;
  const int64_t *dims = jitrun_type_dims(types[ARG_INPUT]);
  for (uint32_t i = 0; i + 2 < rank; i++)
    batch = dims[i] == JITRUN_DYNAMIC || batch == JITRUN_DYNAMIC
                ? JITRUN_DYNAMIC
                : batch * dims[i];
  for (uint32_t i = 0; i < types[XLA_INFO]->rank; i++) {
    int64_t dim = jitrun_type_dims(types[XLA_INFO])[i];
    found = dim == JITRUN_DYNAMIC || found == JITRUN_DYNAMIC ? JITRUN_DYNAMIC
                                                             : found * dim;
  }
  int64_t n = call->attrs[XLA_N].value.s64;
  int64_t batch_size = call->attrs[XLA_BATCH].value.s64;
  if ((dims[rank - 1] == n || dims[rank - 1] == JITRUN_DYNAMIC) &&
      (batch == batch_size || batch == JITRUN_DYNAMIC) &&
      (found == batch_size || found == JITRUN_DYNAMIC))
    return NULL;
  return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                       "%s: 'n' is %" PRId64 " and 'batch_size' %" PRId64
                       "; 'operand' has %" PRId64 " matrices of order %" PRId64
                       ", 'info' has %" PRId64 " elements",
                       call->site->target, n, batch_size, batch, dims[rank - 1],
                       found);
}

jitrun_error_t *jr_xla_cholesky_check(jitrun_call_t *call) {
  return check_xla(call, call->site->types);
}

/// The workspace is for GPUs.
jitrun_error_t *jr_xla_cholesky(jitrun_call_t *call) {
  const jitrun_arg_t *operands = jitrun_call_args(call);
  const jitrun_type_t *types[XLA_ARGS];
  for (int i = 0; i < XLA_ARGS; i++)
    types[i] = operands[i].type;
  jitrun_error_t *error = check_xla(call, types);
  struct work work = {.is_upper = !call->attrs[XLA_LOWER].value.pred,
                      .info = operands[XLA_INFO].value.data};
  uint32_t rank = types[XLA_INFO]->rank;
  if (rank > 0)
    work.info_step = jitrun_type_strides(types[XLA_INFO])[rank - 1] *
                     (int64_t)sizeof(int32_t);
  return error ? error : run(call, &work);
}

static const jitrun_customcall_t calls[] = {
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.cholesky",
     .platform = "host",
     .summary = "lower or upper Cholesky factors of matrices",
     .signature = &signature,
     .execute = execute,
     .instantiate = check},
};

JR_PART(cholesky, calls, false);
