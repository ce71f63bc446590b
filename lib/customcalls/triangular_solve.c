/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// `jitrun.triangular_solve`: X of op(A) X = B or X op(A) = B, for triangular
/// A. All cases become one, a lower triangle on the left, when A and B are
/// copied to dense memory: op(A) or its transpose, and for an upper triangle
/// both in reverse order. Columns of X are solved by themselves, a piece of
/// them at a time, rows of a piece a block at a time.
#include "customcalls/builtins.h"
#include "customcalls/lines.h"
#include "customcalls/parts.h"
#include "customcalls/triangular.h"
#include "customcalls/triangular_rows.h"
#include "customcalls/xla.h"
#include "jitrun/customcall.h"
#include "jitrun/types.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ARG_A, ARG_B, ARG_X, ARG_COUNT };
enum { ATTR_LEFT, ATTR_LOWER, ATTR_TRANSPOSE, ATTR_UNIT, ATTR_COUNT };
enum {
  WIDTH = 256, ///< columns of a piece
  MAX_PIECES = 16,
  MAX_ROOM = 64 << 20
};

#define MATRIX                                                                 \
  .kind = JITRUN_KIND_BUFFER, .min_rank = 2, .max_rank = JR_MAX_RANK,          \
  .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_F32) |                                  \
            JITRUN_DTYPES(JITRUN_DTYPE_F64) |                                  \
            JITRUN_DTYPES(JITRUN_DTYPE_C64) | JITRUN_DTYPES(JITRUN_DTYPE_C128)
#define FLAG JR_XLA_SCALAR(PRED), JR_XLA_OPTIONAL

static const jitrun_param_t args[ARG_COUNT] = {[ARG_A] = {.name = "a", MATRIX},
                                               [ARG_B] = {.name = "b", MATRIX},
                                               [ARG_X] = {.name = "x", MATRIX}};
static const jitrun_attr_param_t attrs[ATTR_COUNT] = {
    [ATTR_LEFT] = {.name = "left_side", FLAG},
    [ATTR_LOWER] = {.name = "lower", FLAG},
    [ATTR_TRANSPOSE] = {.name = "transpose_a",
                        .kind = JITRUN_ATTR_STRING,
                        JR_XLA_OPTIONAL},
    [ATTR_UNIT] = {.name = "unit_diagonal", FLAG}};
static const jitrun_signature_t signature = {.size = sizeof(jitrun_signature_t),
                                             .args = args,
                                             .arg_count = ARG_COUNT,
                                             .attrs = attrs,
                                             .attr_count = ATTR_COUNT};

/// What the attributes say; the state of a site.
struct solve {
  bool is_left, is_lower, is_unit, transposes, conjugates;
};

/// One call in the making.
struct work {
  const jitrun_call_t *call;
  struct solve solve;
  jitrun_dtype_t dtype;
  bool is_complex;
  bool is_reversed; ///< rows of X are solved from the last to the first
  struct jr_matrices a, b, x; ///< seen as op(A) X = B
  size_t order, columns;
  size_t item_count;   ///< parts of the columns of all matrices
  size_t column_parts; ///< of one
  size_t piece_count, piece_bytes;
  char *room;
  _Atomic(jitrun_error_t *) error;
};

/// The columns that are solved together: A and X, dense.
struct part {
  char *a, *x;
  size_t width;
};

static bool read_flag(const jitrun_attr_t *attr, bool otherwise) {
  return attr->kind == JITRUN_ATTR_ABSENT ? otherwise : attr->value.pred;
}

static jitrun_error_t *check_sizes(const jitrun_call_t *call,
                                   const struct solve *solve,
                                   const jitrun_type_t *const *types) {
  static const char *const names[] = {"b", "x"};
  jitrun_error_t *error = jr_square_check(call, types[ARG_A], "a");
  if (!error)
    error = jr_dims_agree(call, types + ARG_B, names, JR_MAX_RANK);
  if (error)
    return error;
  uint32_t rank = types[ARG_A]->rank;
  const int64_t *a = jitrun_type_dims(types[ARG_A]);
  const int64_t *b = jitrun_type_dims(types[ARG_B]);
  bool fits = rank == types[ARG_B]->rank;
  for (uint32_t i = 0; i + 1 < rank && fits; i++) {
    int64_t found = i + 2 < rank || solve->is_left ? b[i] : b[i + 1];
    fits = found == a[i] || found == JITRUN_DYNAMIC || a[i] == JITRUN_DYNAMIC;
  }
  if (fits)
    return NULL;
  return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                       "%s: 'b' must have the batch of 'a', and as many %s as "
                       "'a' has rows",
                       call->site->target, solve->is_left ? "rows" : "columns");
}

static jitrun_error_t *read_transpose(const jitrun_call_t *call,
                                      struct solve *solve) {
  const jitrun_attr_t *attr = &call->attrs[ATTR_TRANSPOSE];
  if (attr->kind == JITRUN_ATTR_ABSENT ||
      strcmp(attr->value.string, "none") == 0)
    return NULL;
  solve->transposes = true;
  solve->conjugates = strcmp(attr->value.string, "adjoint") == 0;
  if (solve->conjugates || strcmp(attr->value.string, "transpose") == 0)
    return NULL;
  return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                       "%s: 'transpose_a' is '%s'; it must be 'none', "
                       "'transpose' or 'adjoint'",
                       call->site->target, attr->value.string);
}

static jitrun_error_t *create(jitrun_call_t *call) {
  static const char *const names[] = {"a", "b", "x"};
  struct solve solve = {.is_left = read_flag(&call->attrs[ATTR_LEFT], true),
                        .is_lower = read_flag(&call->attrs[ATTR_LOWER], true),
                        .is_unit = read_flag(&call->attrs[ATTR_UNIT], false)};
  jitrun_error_t *error = read_transpose(call, &solve);
  if (!error)
    error = jr_dtypes_agree(call, call->site->types, names);
  if (!error)
    error = jr_dtypes_agree(call, call->site->types + ARG_B, names + ARG_B);
  if (!error)
    error = check_sizes(call, &solve, call->site->types);
  return error ? error : jr_call_keep(call, &solve, sizeof solve);
}

static char *element_at(const struct work *work, char *matrix, size_t row,
                        size_t column, size_t step) {
  return matrix + (row * step + column) * work->a.element_bytes;
}

/// Where element (row, column) is in memory, of rows in the order of solution.
static char *memory_at(const struct work *work,
                       const struct jr_matrices *matrices, char *matrix,
                       size_t row, ptrdiff_t column) {
  size_t from = work->is_reversed ? work->order - 1 - row : row;
  return matrix + ((ptrdiff_t)from * matrices->strides[0] +
                   column * matrices->strides[1]) *
                      (ptrdiff_t)matrices->element_bytes;
}

/// The lower triangle, in the order of solution.
static void load_triangle(const struct work *work, size_t index, char *to) {
  char *from = jr_matrices_at(&work->a, index);
  for (size_t i = 0; i < work->order; i++)
    for (size_t j = 0; j <= i; j++) {
      size_t column = work->is_reversed ? work->order - 1 - j : j;
      char *element = element_at(work, to, i, j, work->order);
      memcpy(element, memory_at(work, &work->a, from, i, (ptrdiff_t)column),
             work->a.element_bytes);
      if (work->dtype == JITRUN_DTYPE_C128 && work->solve.conjugates)
        ((double *)(void *)element)[1] *= -1;
      if (work->dtype == JITRUN_DTYPE_C64 && work->solve.conjugates)
        ((float *)(void *)element)[1] *= -1;
    }
}

/// Columns from `first` on, from memory or to it.
static void copy_columns(const struct work *work,
                         const struct jr_matrices *matrices, char *matrix,
                         size_t first, const struct part *part, bool loads) {
  const int64_t dims[] = {(int64_t)work->order, (int64_t)part->width};
  const int64_t dense[] = {(int64_t)part->width, 1};
  const int64_t strides[] = {work->is_reversed ? -matrices->strides[0]
                                               : matrices->strides[0],
                             matrices->strides[1]};
  char *memory = memory_at(work, matrices, matrix, 0, (ptrdiff_t)first);
  jr_copy_elements(&(struct jr_copy){.to = loads ? part->x : memory,
                                     .from = loads ? memory : part->x,
                                     .dims = dims,
                                     .to_strides = loads ? dense : strides,
                                     .from_strides = loads ? strides : dense,
                                     .rank = 2,
                                     .element_bytes = matrices->element_bytes});
}

// NOLINTBEGIN(bugprone-macro-parentheses)
#define DIVIDE_COMPLEX(REAL, row, pivot, count)                                \
  for (size_t j = 0; j < (count); j++) {                                       \
    REAL *number = (REAL *)(void *)(row) + 2 * j;                              \
    const REAL *by = (const REAL *)(const void *)(pivot);                      \
    REAL square = by[0] * by[0] + by[1] * by[1];                               \
    REAL re = (number[0] * by[0] + number[1] * by[1]) / square;                \
    number[1] = (number[1] * by[0] - number[0] * by[1]) / square;              \
    number[0] = re;                                                            \
  }
#define DIVIDE_REAL(REAL, row, pivot, count)                                   \
  for (size_t j = 0; j < (count); j++)                                         \
    ((REAL *)(void *)(row))[j] /= *(const REAL *)(const void *)(pivot);
// NOLINTEND(bugprone-macro-parentheses)

/// A row by what is on the diagonal.
static void divide(const struct work *work, char *row, const char *pivot,
                   size_t count) {
  switch (work->dtype) {
  case JITRUN_DTYPE_F32:
    DIVIDE_REAL(float, row, pivot, count)
    return;
  case JITRUN_DTYPE_F64:
    DIVIDE_REAL(double, row, pivot, count)
    return;
  case JITRUN_DTYPE_C64:
    DIVIDE_COMPLEX(float, row, pivot, count)
    return;
  default:
    DIVIDE_COMPLEX(double, row, pivot, count)
    return;
  }
}

/// Row `row` minus those of X from `first` to `end`, times A's.
static void subtract_rows(const struct work *work, const struct part *part,
                          size_t first, size_t end, size_t row) {
  jr_rows_subtract(work->dtype,
                   &(struct jr_rows){
                       .to = element_at(work, part->x, row, 0, part->width),
                       .from = element_at(work, part->x, first, 0, part->width),
                       .from_step = part->width,
                       .by = element_at(work, part->a, row, first, work->order),
                       .by_step = 1,
                       .rows = end - first,
                       .count = part->width});
}

/// All rows from `end` on minus what rows [first, end) say of them.
static jitrun_error_t *subtract_block(const struct work *work,
                                      const struct part *part, size_t first,
                                      size_t end) {
  size_t left = work->order - end;
  if (work->is_complex) {
    for (size_t row = end; row < work->order; row++)
      subtract_rows(work, part, first, end, row);
    return NULL;
  }
  const int64_t width = (int64_t)part->width;
  const struct jr_block blocks[] = {
      {element_at(work, part->a, end, first, work->order), (int64_t)left,
       (int64_t)(end - first), (int64_t)work->order, 1},
      {element_at(work, part->x, first, 0, part->width), (int64_t)(end - first),
       width, width, 1},
      {element_at(work, part->x, end, 0, part->width), (int64_t)left, width,
       width, 1}};
  return jr_block_subtract(work->call, work->dtype, blocks);
}

static jitrun_error_t *solve_part(const struct work *work,
                                  const struct part *part) {
  jitrun_error_t *error = NULL;
  size_t first = 0;
  for (size_t row = 0; row < work->order && !error; row++) {
    subtract_rows(work, part, first, row, row);
    if (!work->solve.is_unit)
      divide(work, element_at(work, part->x, row, 0, part->width),
             element_at(work, part->a, row, row, work->order), part->width);
    if (row + 1 == first + JR_TRIANGULAR_BLOCK && row + 1 < work->order) {
      error = subtract_block(work, part, first, row + 1);
      first = row + 1;
    }
  }
  return error;
}

/// Item `item`: some columns of one matrix.
static jitrun_error_t *run_item(const struct work *work, size_t item,
                                char *memory) {
  size_t index = item / work->column_parts;
  size_t first = item % work->column_parts * WIDTH;
  size_t left = work->columns - first;
  struct part part = {.a = memory,
                      .x =
                          element_at(work, memory, work->order, 0, work->order),
                      .width = left < WIDTH ? left : WIDTH};
  load_triangle(work, index, part.a);
  copy_columns(work, &work->b, jr_matrices_at(&work->b, index), first, &part,
               true);
  jitrun_error_t *error = solve_part(work, &part);
  if (!error)
    copy_columns(work, &work->x, jr_matrices_at(&work->x, index), first, &part,
                 false);
  return error;
}

static void run_pieces(void *context, size_t first, size_t last) {
  struct work *work = context;
  for (size_t piece = first; piece < last; piece++) {
    size_t end = (piece + 1) * work->item_count / work->piece_count;
    size_t i = piece * work->item_count / work->piece_count;
    for (; i < end && !atomic_load(&work->error); i++) {
      jitrun_error_t *error =
          run_item(work, i, work->room + piece * work->piece_bytes);
      jitrun_error_t *none = NULL;
      if (error && !atomic_compare_exchange_strong(&work->error, &none, error))
        jitrun_error_free(error);
    }
  }
}

static void transpose(struct jr_matrices *matrices) {
  int64_t dim = matrices->dims[0];
  int64_t stride = matrices->strides[0];
  matrices->dims[0] = matrices->dims[1];
  matrices->strides[0] = matrices->strides[1];
  matrices->dims[1] = dim;
  matrices->strides[1] = stride;
}

/// Sees the call as op(A) X = B, op being no more than a conjugate.
static void turn_matrices(struct work *work) {
  bool transposes_a = work->solve.transposes != !work->solve.is_left;
  if (transposes_a)
    transpose(&work->a);
  if (!work->solve.is_left) {
    transpose(&work->b);
    transpose(&work->x);
  }
  work->is_reversed = work->solve.is_lower == transposes_a;
  work->order = (size_t)work->a.dims[0];
  work->columns = (size_t)work->b.dims[1];
}

static jitrun_error_t *run_work(struct work *work) {
  size_t bytes = work->a.element_bytes;
  size_t width = work->columns < WIDTH ? work->columns : WIDTH;
  work->column_parts = (work->columns + WIDTH - 1) / WIDTH;
  work->item_count = jr_matrices_count(&work->a) * work->column_parts;
  work->piece_bytes =
      (work->order * (work->order + width) * bytes + 63) & ~(size_t)63;
  size_t pieces = MAX_ROOM / work->piece_bytes;
  if (pieces > MAX_PIECES)
    pieces = MAX_PIECES;
  if (pieces > work->item_count)
    pieces = work->item_count;
  work->piece_count = pieces < 1 ? 1 : pieces;
  size_t room = work->piece_count * work->piece_bytes;
  const jitrun_call_t *call = work->call;
  work->room = call->site->api->workspace(call, room);
  if (!work->room)
    return jr_call_error(call, JITRUN_RESOURCE_EXHAUSTED,
                         "%s: out of memory for %zu bytes to solve in",
                         call->site->target, room);
  if (work->piece_count == 1)
    run_pieces(work, 0, 1);
  else
    call->site->api->parallel_for(call, work->piece_count, 1, run_pieces, work);
  return atomic_load(&work->error);
}

static jitrun_error_t *execute(jitrun_call_t *call) {
  const jitrun_arg_t *operands = jitrun_call_args(call);
  const jitrun_type_t *types[] = {operands[ARG_A].type, operands[ARG_B].type,
                                  operands[ARG_X].type};
  struct work work = {.call = call,
                      .solve = *(const struct solve *)call->state,
                      .dtype = (jitrun_dtype_t)types[ARG_A]->dtype,
                      .a = jr_matrices_get(&operands[ARG_A]),
                      .b = jr_matrices_get(&operands[ARG_B]),
                      .x = jr_matrices_get(&operands[ARG_X])};
  work.is_complex =
      work.dtype == JITRUN_DTYPE_C64 || work.dtype == JITRUN_DTYPE_C128;
  jitrun_error_t *error = check_sizes(call, &work.solve, types);
  if (error)
    return error;
  turn_matrices(&work);
  if (work.order == 0 || work.columns == 0 || jr_matrices_count(&work.a) == 0)
    return NULL;
  return run_work(&work);
}

static const jitrun_customcall_t calls[] = {
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.triangular_solve",
     .platform = "host",
     .summary = "x of op(a) x = b or x op(a) = b, for triangular matrices a",
     .signature = &signature,
     .execute = execute,
     .instantiate = create,
     .destroy_state = free},
};

JR_PART(triangular, calls, false);
