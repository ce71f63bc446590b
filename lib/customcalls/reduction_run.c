/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See reduction_run.h. The dimensions of the data are put in the order of
/// their strides and joined where they can be. Either elements in a row go to
/// one result, or rows of them go to as many results. Elements are taken in
/// blocks, and these shared out in pieces, whose sizes depend on the shape
/// alone; sums of blocks are added without loss.
#include "customcalls/reduction_run.h"

#include "base/dtype.h"
#include "base/numbers.h"
#include "customcalls/builtins.h"
#include "customcalls/reduction_kernels.h"
#include "customcalls/widen.h"
#include "jitrun/customcall.h"
#include "jitrun/types.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
  BLOCK = 2048, ///< elements that one result takes at a time
  TILE = 512,   ///< results that rows go to
  ROWS = BLOCK / TILE,
  BLOCK_ROWS = 64,          ///< that results take at a time
  FEW = 16,                 ///< elements in a row that are not worth a block
  FOLDED = 64,              ///< columns that short rows are joined to
  PIECE_ELEMENTS = 1 << 15, ///< that are worth a thread
  MAX_ITEMS = 64            ///< unless there are more results
};

/// A dimension of the data, in bytes; result steps are 0 where it is reduced.
struct dim {
  size_t size;
  ptrdiff_t step, result_step;
};

struct dims {
  uint32_t rank;
  struct dim dim[JR_MAX_RANK + 1];
};

/// Wide elements, of whatever type.
union wides {
  char bytes[TILE * sizeof(uint64_t)];
  float f32[TILE];
  double f64[TILE];
};

/// Results in the making.
struct sums {
  union wides totals, errors;
};

/// One call in the making. An item is a piece of what a tile of results is made
/// of; where that is one piece it writes them, else its sums go to memory.
struct work {
  const struct jr_reduction_kernel *kernel;
  jitrun_dtype_t dtype, result_dtype; ///< of parts, of complex numbers
  enum jr_wide wide;
  size_t bytes, wide_bytes, result_bytes;
  bool is_native; ///< the data are wide
  bool is_exact;  ///< errors of sums are kept
  bool is_mean;
  bool adds_rows; ///< else each result is made by itself
  struct dims kept, reduced;
  struct dim column; ///< results that are made together
  size_t count;      ///< of elements for each result
  size_t folded;     ///< rows that are added as one: they follow each other
  size_t tile, tile_count, group_count, piece, piece_count;
  const char *data;
  char *result;
  struct sums *memory;
};

/// Elements of a block.
struct block {
  char wide[BLOCK * sizeof(uint64_t)];
  char narrow[BLOCK * sizeof(uint64_t)];
};

/// Where in the data, or in the result, element `index` of dimensions is.
static ptrdiff_t offset_of(const struct dims *dims, size_t index,
                           bool is_result) {
  ptrdiff_t offset = 0;
  for (uint32_t i = dims->rank; i-- > 0;) {
    const struct dim *dim = &dims->dim[i];
    size_t next = i > 0 ? index / dim->size : 0;
    size_t at = index - next * dim->size;
    offset += (ptrdiff_t)at * (is_result ? dim->result_step : dim->step);
    index = next;
  }
  return offset;
}

/// Elements in a row as wide ones: where they are, or in the block.
static const void *load(const struct work *work, const char *from,
                        ptrdiff_t step, size_t count, char *wide,
                        char *narrow) {
  static const int64_t one = 1;
  const int64_t dim = (int64_t)count;
  const int64_t stride = step / (ptrdiff_t)work->bytes;
  const bool is_dense = step == (ptrdiff_t)work->bytes || count == 1;
  if (is_dense && work->is_native)
    return from;
  char *to = work->is_native ? wide : narrow;
  if (!is_dense)
    jr_copy_elements(&(struct jr_copy){.to = to,
                                       .from = from,
                                       .dims = &dim,
                                       .to_strides = &one,
                                       .from_strides = &stride,
                                       .rank = 1,
                                       .element_bytes = work->bytes});
  if (!work->is_native)
    jr_widen(work->dtype, work->wide, is_dense ? from : to, count, wide);
  return wide;
}

/// Adds the results of a block to those of the blocks before it.
static void add_block(const struct work *work, struct sums *sums,
                      const void *more, size_t width, bool is_first) {
  if (is_first) {
    memcpy(&sums->totals, more, width * work->wide_bytes);
    memset(&sums->errors, 0, width * work->wide_bytes);
  } else if (work->is_exact) {
    jr_add_exactly(work->wide, &sums->totals, &sums->errors, more, width);
  } else {
    work->kernel->add_rows(&sums->totals, &more, 1, width);
  }
}

/// Sums of nothing are 0, not -0.
static void start_empty(const struct work *work, struct sums *sums,
                        size_t width) {
  memset(sums, 0, sizeof *sums);
  if (!work->is_exact)
    work->kernel->start(&sums->totals, width);
}

/// Elements [first, first + count) for one result, which are no more than a
/// block.
static const void *gather(const struct work *work, const char *from,
                          size_t first, size_t count, struct block *block) {
  const struct dim run = work->reduced.dim[work->reduced.rank - 1];
  size_t found = 0;
  while (found < count) {
    size_t left = run.size - (first + found) % run.size;
    size_t size = count - found < left ? count - found : left;
    const char *at = from + offset_of(&work->reduced, first + found, false);
    char *to = block->wide + found * work->wide_bytes;
    const void *loaded = load(work, at, run.step, size, to, block->narrow);
    if (size == count)
      return loaded;
    if (loaded != to)
      memcpy(to, loaded, size * work->wide_bytes);
    found += size;
  }
  return block->wide;
}

/// Elements [first, last) for each result of a tile.
static void fold_elements(const struct work *work, const char *from,
                          size_t width, size_t first, size_t last,
                          struct sums *sums) {
  struct block block;
  union wides results;
  for (size_t at = first; at < last; at += BLOCK) {
    size_t count = last - at < BLOCK ? last - at : BLOCK;
    for (size_t i = 0; i < width; i++)
      work->kernel->fold(gather(work, from + (ptrdiff_t)i * work->column.step,
                                at, count, &block),
                         count, results.bytes + i * work->wide_bytes);
    add_block(work, sums, &results, width, at == first);
  }
}

/// Rows to add, each `step` elements after the one before.
struct rows {
  size_t first, count, step, width;
};

static void add_rows(const struct work *work, const char *from,
                     const struct rows *rows, union wides *results) {
  struct block block;
  const void *loaded[ROWS];
  for (size_t first = 0; first < rows->count; first += ROWS) {
    size_t size = rows->count - first < ROWS ? rows->count - first : ROWS;
    for (size_t i = 0; i < size; i++) {
      size_t index = rows->first + (first + i) * rows->step;
      char *to = block.wide + i * rows->width * work->wide_bytes;
      loaded[i] = load(work, from + offset_of(&work->reduced, index, false),
                       work->column.step, rows->width, to, block.narrow);
    }
    work->kernel->add_rows(results, loaded, size, rows->width);
  }
}

/// Elements [first, last) for each result of a tile. Rows that are added as one
/// give as many results for each, which are added up at last.
static void fold_rows(const struct work *work, const char *from, size_t width,
                      size_t first, size_t last, struct sums *sums) {
  const size_t folded = work->folded;
  const size_t block = BLOCK_ROWS * folded;
  union wides results;
  for (size_t at = first; at < last; at += block) {
    size_t count = last - at < block ? last - at : block;
    struct rows whole = {at, count / folded, folded, width * folded};
    struct rows rest = {at + whole.count * folded, count % folded, 1, width};
    work->kernel->start(&results, whole.width);
    add_rows(work, from, &whole, &results);
    add_rows(work, from, &rest, &results);
    for (size_t i = 1; i < folded; i++) {
      const void *more = results.bytes + i * width * work->wide_bytes;
      work->kernel->add_rows(&results, &more, 1, width);
    }
    add_block(work, sums, &results, width, at == first);
  }
}

/// What was lost is added, unless a sum is infinite or NaN.
static void finish_f32(const struct work *work, struct sums *sums,
                       size_t width) {
  double count = work->is_mean ? (double)work->count : 1;
  for (size_t i = 0; i < width; i++) {
    float total = sums->totals.f32[i];
    double lost = isfinite(total) ? (double)sums->errors.f32[i] : 0;
    sums->totals.f32[i] = (float)(((double)total + lost) / count);
  }
}

static void finish_f64(const struct work *work, struct sums *sums,
                       size_t width) {
  double count = work->is_mean ? (double)work->count : 1;
  for (size_t i = 0; i < width; i++) {
    double total = sums->totals.f64[i];
    double lost = isfinite(total) ? sums->errors.f64[i] : 0;
    sums->totals.f64[i] = (total + lost) / count;
  }
}

/// Writes a tile of results.
static void store(const struct work *work, struct sums *sums, char *to,
                  size_t width) {
  char narrow[TILE * sizeof(uint64_t)];
  static const int64_t one = 1;
  const int64_t dim = (int64_t)width;
  const int64_t stride =
      work->column.result_step / (ptrdiff_t)work->result_bytes;
  if (work->is_exact && work->wide == JR_WIDE_F32)
    finish_f32(work, sums, width);
  else if (work->is_exact)
    finish_f64(work, sums, width);
  jr_narrow(work->result_dtype, work->wide, &sums->totals, width, narrow);
  jr_copy_elements(&(struct jr_copy){.to = to,
                                     .from = narrow,
                                     .dims = &dim,
                                     .to_strides = &stride,
                                     .from_strides = &one,
                                     .rank = 1,
                                     .element_bytes = work->result_bytes});
}

/// Results of a tile, and where they are.
struct tile {
  size_t width;
  const char *from;
  char *to;
};

static struct tile find_tile(const struct work *work, size_t index) {
  size_t group = index / work->tile_count;
  size_t first = index % work->tile_count * work->tile;
  size_t left = work->column.size - first;
  return (struct tile){
      .width = left < work->tile ? left : work->tile,
      .from = work->data + offset_of(&work->kept, group, false) +
              (ptrdiff_t)first * work->column.step,
      .to = work->result + offset_of(&work->kept, group, true) +
            (ptrdiff_t)first * work->column.result_step};
}

/// Items [first, last).
static void run_items(void *context, size_t first, size_t last) {
  const struct work *work = context;
  for (size_t i = first; i < last; i++) {
    struct tile tile = find_tile(work, i / work->piece_count);
    size_t begin = i % work->piece_count * work->piece;
    size_t end = begin + work->piece;
    struct sums own;
    struct sums *sums = work->memory ? &work->memory[i] : &own;
    if (end > work->count)
      end = work->count;
    if (begin == end) // of nothing
      start_empty(work, sums, tile.width);
    else if (work->adds_rows)
      fold_rows(work, tile.from, tile.width, begin, end, sums);
    else
      fold_elements(work, tile.from, tile.width, begin, end, sums);
    if (!work->memory)
      store(work, sums, tile.to, tile.width);
  }
}

/// Adds up the pieces of each tile, in their order.
static void join_pieces(const struct work *work) {
  for (size_t i = 0; i < work->group_count * work->tile_count; i++) {
    struct tile tile = find_tile(work, i);
    struct sums *sums = work->memory + i * work->piece_count;
    for (size_t j = 1; j < work->piece_count; j++) {
      add_block(work, sums, &sums[j].totals, tile.width, false);
      if (work->is_exact)
        add_block(work, sums, &sums[j].errors, tile.width, false);
    }
    store(work, sums, tile.to, tile.width);
  }
}

/// Dimensions of more than 1, with the parts of complex numbers as one more.
static void list_dims(const struct jr_reduction *reduction,
                      const jitrun_arg_t *data, const jitrun_arg_t *result,
                      struct work *work) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < data->type->rank; i++) {
    bool is_reduced = reduction->is_reduced[i];
    struct dim dim = {
        .size = (size_t)jitrun_type_dims(data->type)[i],
        .step = (ptrdiff_t)jr_dtype_size((jitrun_dtype_t)data->type->dtype) *
                (ptrdiff_t)jitrun_type_strides(data->type)[i]};
    if (!is_reduced)
      dim.result_step =
          (ptrdiff_t)jr_dtype_size((jitrun_dtype_t)result->type->dtype) *
          (ptrdiff_t)jitrun_type_strides(result->type)[at];
    at += reduction->is_kept || !is_reduced;
    struct dims *dims = is_reduced ? &work->reduced : &work->kept;
    if (is_reduced)
      work->count *= dim.size;
    if (dim.size != 1)
      dims->dim[dims->rank++] = dim;
  }
  if (jr_dtype_number_kind((jitrun_dtype_t)data->type->dtype) ==
      JR_NUMBER_COMPLEX)
    work->kept.dim[work->kept.rank++] =
        (struct dim){2, (ptrdiff_t)work->bytes, (ptrdiff_t)work->bytes};
}

static size_t magnitude(ptrdiff_t step) {
  return step < 0 ? (size_t)-step : (size_t)step;
}

/// Puts the largest steps first, and makes one of dimensions that are one.
static void simplify_dims(struct dims *dims) {
  for (uint32_t i = 1; i < dims->rank; i++)
    for (uint32_t j = i; j > 0 && magnitude(dims->dim[j - 1].step) <
                                      magnitude(dims->dim[j].step);
         j--) {
      struct dim dim = dims->dim[j];
      dims->dim[j] = dims->dim[j - 1];
      dims->dim[j - 1] = dim;
    }
  uint32_t rank = 0;
  for (uint32_t i = 0; i < dims->rank; i++) {
    struct dim dim = dims->dim[i];
    struct dim *outer = &dims->dim[rank > 0 ? rank - 1 : 0];
    if (rank > 0 && outer->step == (ptrdiff_t)dim.size * dim.step &&
        outer->result_step == (ptrdiff_t)dim.size * dim.result_step) {
      dim.size *= outer->size;
      *outer = dim;
    } else {
      dims->dim[rank++] = dim;
    }
  }
  dims->rank = rank;
}

/// Which results are made together, and how.
static void choose_column(struct work *work) {
  struct dims *kept = &work->kept;
  struct dims *reduced = &work->reduced;
  work->column = (struct dim){.size = 1};
  if (reduced->rank == 0) // each element is a result
    reduced->dim[reduced->rank++] = (struct dim){.size = 1};
  const struct dim inner = reduced->dim[reduced->rank - 1];
  if (kept->rank > 0)
    work->column = kept->dim[--kept->rank];
  work->adds_rows = work->column.size > 1 &&
                    (inner.size < FEW ||
                     magnitude(work->column.step) < magnitude(inner.step));
  work->folded = 1;
  if (work->adds_rows && reduced->rank == 1 &&
      work->column.size <= FOLDED / 2 &&
      inner.step == (ptrdiff_t)work->column.size * work->column.step)
    work->folded = FOLDED / work->column.size;
  work->group_count = 1;
  for (uint32_t i = 0; i < kept->rank; i++)
    work->group_count *= kept->dim[i].size;
}

static size_t divide_up(size_t a, size_t b) {
  return a / b + (a % b != 0);
}

/// Sizes of tiles and pieces.
static void choose_pieces(struct work *work) {
  size_t unit = work->adds_rows ? BLOCK_ROWS * work->folded : BLOCK;
  work->tile = TILE;
  if (!work->adds_rows && work->count > PIECE_ELEMENTS / TILE)
    work->tile = divide_up(PIECE_ELEMENTS, work->count);
  if (work->tile > work->column.size)
    work->tile = work->column.size;
  work->tile_count = divide_up(work->column.size, work->tile);
  size_t tiles = work->group_count * work->tile_count;
  size_t pieces = tiles < MAX_ITEMS ? MAX_ITEMS / tiles : 1;
  work->piece = divide_up(work->count, pieces);
  if (work->piece < PIECE_ELEMENTS / work->tile)
    work->piece = PIECE_ELEMENTS / work->tile;
  work->piece = divide_up(work->piece, unit) * unit;
  work->piece_count =
      work->count == 0 ? 1 : divide_up(work->count, work->piece);
}

static jitrun_error_t *run_work(const jitrun_call_t *call, struct work *work) {
  size_t items = work->group_count * work->tile_count * work->piece_count;
  size_t size = work->piece < work->count ? work->piece : work->count;
  size_t grain = PIECE_ELEMENTS / (size * work->tile + 1) + 1;
  if (work->piece_count > 1) {
    size_t bytes = items * sizeof *work->memory;
    work->memory = call->site->api->workspace(call, bytes);
    if (!work->memory)
      return jr_call_error(call, JITRUN_RESOURCE_EXHAUSTED,
                           "%s: out of memory for %zu bytes of sums",
                           call->site->target, bytes);
  }
  if (items <= grain)
    run_items(work, 0, items);
  else
    call->site->api->parallel_for(call, items, grain, run_items, work);
  if (work->memory)
    join_pieces(work);
  return NULL;
}

/// Sums of integers are those of numbers without a sign; those of bool count,
/// or are bits again.
static void choose_kernel(const struct jr_reduction *reduction,
                          struct work *work) {
  enum jr_reducer reducer = reduction->reducer;
  bool is_bits = work->result_dtype == JITRUN_DTYPE_PRED;
  if (is_bits && (reducer == JR_REDUCE_SUM || reducer == JR_REDUCE_MAX))
    reducer = JR_REDUCE_OR;
  if (is_bits && (reducer == JR_REDUCE_PRODUCT || reducer == JR_REDUCE_MIN))
    reducer = JR_REDUCE_AND;
  bool has_order = reducer == JR_REDUCE_MIN || reducer == JR_REDUCE_MAX;
  work->wide = jr_wide_of(work->dtype);
  bool is_float = work->wide == JR_WIDE_F32 || work->wide == JR_WIDE_F64;
  if (!is_float && !has_order)
    work->wide =
        work->result_bytes > 4 || work->bytes > 4 ? JR_WIDE_U64 : JR_WIDE_U32;
  work->kernel = jr_reduction_kernel(work->wide, reducer);
  work->is_exact = is_float && reducer == JR_REDUCE_SUM;
  work->is_mean = reduction->is_mean;
  work->wide_bytes = jr_wide_size(work->wide);
  work->is_native = work->bytes == work->wide_bytes;
}

/// The type of the parts of complex numbers.
static jitrun_dtype_t part_of(const jitrun_type_t *type) {
  jitrun_dtype_t dtype = (jitrun_dtype_t)type->dtype;
  if (dtype == JITRUN_DTYPE_C64)
    return JITRUN_DTYPE_F32;
  return dtype == JITRUN_DTYPE_C128 ? JITRUN_DTYPE_F64 : dtype;
}

jitrun_error_t *jr_reduction_run(const jitrun_call_t *call,
                                 const struct jr_reduction *reduction,
                                 const jitrun_arg_t *data,
                                 const jitrun_arg_t *result) {
  struct work work = {.dtype = part_of(data->type),
                      .result_dtype = part_of(result->type),
                      .count = 1,
                      .data = data->value.data,
                      .result = result->value.data};
  work.bytes = jr_dtype_size(work.dtype);
  work.result_bytes = jr_dtype_size(work.result_dtype);
  choose_kernel(reduction, &work);
  list_dims(reduction, data, result, &work);
  for (uint32_t i = 0; i < work.kept.rank; i++)
    if (work.kept.dim[i].size == 0)
      return NULL;
  simplify_dims(&work.kept);
  simplify_dims(&work.reduced);
  choose_column(&work);
  choose_pieces(&work);
  return run_work(call, &work);
}
