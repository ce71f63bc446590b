/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// `jitrun.transpose`. Dimensions that stay together are joined. Then either
/// rows are copied, or tiles of two dimensions, in one of which the data lie
/// next to each other and in the other one the result: a tile is as large as
/// a cache line both ways.
#include "base/dtype.h"
#include "customcalls/builtins.h"
#include "customcalls/lines.h"
#include "customcalls/parts.h"
#include "jitrun/customcall.h"
#include "jitrun/types.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
  LINE_BYTES = 64,
  PIECE_BYTES = 1 << 16 ///< that are worth a thread
};

enum { ARG_DATA, ARG_RESULT, ARG_COUNT };

#define BUFFER(what)                                                           \
  {.name = (what),                                                             \
   .kind = JITRUN_KIND_BUFFER,                                                 \
   .max_rank = JR_MAX_RANK,                                                    \
   .dtypes = JITRUN_DTYPES_ANY}
static const jitrun_param_t params[ARG_COUNT] = {
    [ARG_DATA] = BUFFER("data"), [ARG_RESULT] = BUFFER("result")};
static const jitrun_attr_param_t attr_params[] = {
    {.name = "permutation",
     .kind = JITRUN_ATTR_ARRAY,
     .flags = JITRUN_OPTIONAL,
     .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_S64)}};
static const jitrun_signature_t signature = {.size = sizeof(jitrun_signature_t),
                                             .args = params,
                                             .arg_count = ARG_COUNT,
                                             .attrs = attr_params,
                                             .attr_count = 1};

/// A dimension, steps in bytes.
struct dim {
  size_t size;
  ptrdiff_t from_step, to_step;
};

/// One call in the making. An item is a strip of a plane: `strip` elements of
/// the dimension along which the data lie next to each other.
struct work {
  size_t bytes; ///< of an element
  uint32_t rank;
  struct dim dims[JR_MAX_RANK]; ///< around a plane
  struct dim near, far; ///< in which the data, and in which the result is dense
  size_t strip, strip_count;
  const char *from;
  char *to;
};

/// Dimension `i` of the result is which one of the data.
static uint32_t dim_of(const jitrun_attr_t *permutation, uint32_t rank,
                       uint32_t i) {
  if (permutation->kind == JITRUN_ATTR_ABSENT)
    return rank - 1 - i;
  return (uint32_t)((const int64_t *)permutation->value.data)[i];
}

static jitrun_error_t *check_permutation(const jitrun_call_t *call,
                                         uint32_t rank) {
  const jitrun_attr_t *attr = &call->attrs[0];
  bool is_used[JR_MAX_RANK] = {false};
  bool is_right = attr->count == rank;
  const int64_t *list = attr->value.data;
  if (attr->kind == JITRUN_ATTR_ABSENT)
    return NULL;
  for (uint32_t i = 0; i < rank && is_right; i++) {
    is_right = list[i] >= 0 && list[i] < rank && !is_used[list[i]];
    if (is_right)
      is_used[list[i]] = true;
  }
  if (is_right)
    return NULL;
  return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                       "%s: 'permutation' must have each of the %u dimensions "
                       "of 'data' once, counted from 0",
                       call->site->target, rank);
}

static jitrun_error_t *check_types(const jitrun_call_t *call,
                                   const jitrun_type_t *const *types) {
  static const char *const names[] = {"data", "result"};
  uint32_t rank = types[ARG_DATA]->rank;
  jitrun_error_t *error = jr_dtypes_agree(call, types, names);
  if (!error && types[ARG_RESULT]->rank != rank)
    error = jr_dims_agree(call, types, names, JR_MAX_RANK);
  if (!error)
    error = check_permutation(call, rank);
  if (error)
    return error;
  for (uint32_t i = 0; i < rank; i++) {
    uint32_t of_data = dim_of(&call->attrs[0], rank, i);
    int64_t needed = jitrun_type_dims(types[ARG_DATA])[of_data];
    int64_t found = jitrun_type_dims(types[ARG_RESULT])[i];
    if (found != needed && found != JITRUN_DYNAMIC && needed != JITRUN_DYNAMIC)
      return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                           "%s: dimension %u of 'result' is %" PRId64
                           "; dimension %u of 'data', which it stands for, is "
                           "%" PRId64,
                           call->site->target, i, found, of_data, needed);
  }
  return NULL;
}

/// `bytes` is a constant in every use.
static inline __attribute__((always_inline)) void
copy_each(const struct work *work, const char *from, char *to,
          const size_t counts[2], size_t bytes) {
  const struct dim near = work->near;
  const struct dim far = work->far;
  const ptrdiff_t size = (ptrdiff_t)bytes;
  if (near.from_step == size && far.to_step == size)
    for (size_t i = 0; i < counts[0]; i++)
      for (size_t j = 0; j < counts[1]; j++)
        memcpy(to + (ptrdiff_t)i * near.to_step + (ptrdiff_t)j * size,
               from + (ptrdiff_t)i * size + (ptrdiff_t)j * far.from_step,
               bytes);
  else
    for (size_t i = 0; i < counts[0]; i++)
      for (size_t j = 0; j < counts[1]; j++)
        memcpy(to + (ptrdiff_t)i * near.to_step + (ptrdiff_t)j * far.to_step,
               from + (ptrdiff_t)i * near.from_step +
                   (ptrdiff_t)j * far.from_step,
               bytes);
}

/// `counts` elements of near and far dimensions.
static void copy_tile(const struct work *work, const char *from, char *to,
                      const size_t counts[2]) {
  switch (work->bytes) {
  case 1:
    copy_each(work, from, to, counts, 1);
    return;
  case 2:
    copy_each(work, from, to, counts, 2);
    return;
  case 4:
    copy_each(work, from, to, counts, 4);
    return;
  case 8:
    copy_each(work, from, to, counts, 8);
    return;
  default:
    copy_each(work, from, to, counts, 16);
    return;
  }
}

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

static void copy_strip(const struct work *work, const char *from, char *to,
                       size_t count) {
  const size_t tile = LINE_BYTES / work->bytes;
  for (size_t j = 0; j < work->far.size; j += tile) {
    const size_t counts[] = {count, least(tile, work->far.size - j)};
    copy_tile(work, from + (ptrdiff_t)j * work->far.from_step,
              to + (ptrdiff_t)j * work->far.to_step, counts);
  }
}

/// Items [first, last).
static void run_items(void *context, size_t first, size_t last) {
  const struct work *work = context;
  const bool is_row = work->far.size == 1 && // next to each other in both
                      work->near.from_step == (ptrdiff_t)work->bytes &&
                      work->near.to_step == (ptrdiff_t)work->bytes;
  for (size_t item = first; item < last; item++) {
    size_t index = item / work->strip_count;
    size_t start = item % work->strip_count * work->strip;
    size_t count = least(work->strip, work->near.size - start);
    const char *from = work->from + (ptrdiff_t)start * work->near.from_step;
    char *to = work->to + (ptrdiff_t)start * work->near.to_step;
    for (uint32_t i = work->rank; i-- > 0;) {
      const struct dim *dim = &work->dims[i];
      ptrdiff_t at = (ptrdiff_t)(index % dim->size);
      index /= dim->size;
      from += at * dim->from_step;
      to += at * dim->to_step;
    }
    if (is_row)
      memcpy(to, from, count * work->bytes);
    else
      copy_strip(work, from, to, count);
  }
}

/// Dimensions of more than 1 in the order of the result, joined where they lie
/// so in both.
static void list_dims(struct work *work, const jitrun_attr_t *permutation,
                      const jitrun_arg_t *args) {
  const jitrun_type_t *data = args[ARG_DATA].type;
  const jitrun_type_t *result = args[ARG_RESULT].type;
  for (uint32_t i = 0; i < result->rank; i++) {
    struct dim dim = {.size = (size_t)jitrun_type_dims(result)[i],
                      .from_step =
                          (ptrdiff_t)work->bytes *
                          (ptrdiff_t)jitrun_type_strides(
                              data)[dim_of(permutation, data->rank, i)],
                      .to_step = (ptrdiff_t)work->bytes *
                                 (ptrdiff_t)jitrun_type_strides(result)[i]};
    struct dim *outer = &work->dims[work->rank > 0 ? work->rank - 1 : 0];
    if (dim.size == 1)
      continue;
    if (work->rank > 0 &&
        outer->from_step == (ptrdiff_t)dim.size * dim.from_step &&
        outer->to_step == (ptrdiff_t)dim.size * dim.to_step) {
      dim.size *= outer->size;
      *outer = dim;
    } else {
      work->dims[work->rank++] = dim;
    }
  }
}

static size_t magnitude(ptrdiff_t step) {
  return step < 0 ? (size_t)-step : (size_t)step;
}

/// Takes a dimension out of those around a plane.
static struct dim take_dim(struct work *work, uint32_t index) {
  struct dim dim = work->dims[index];
  work->rank--;
  for (uint32_t i = index; i < work->rank; i++)
    work->dims[i] = work->dims[i + 1];
  return dim;
}

static void choose_plane(struct work *work) {
  uint32_t near = 0;
  uint32_t far = 0;
  for (uint32_t i = 1; i < work->rank; i++) {
    const struct dim *dim = &work->dims[i];
    if (magnitude(dim->from_step) <= magnitude(work->dims[near].from_step))
      near = i;
    if (magnitude(dim->to_step) <= magnitude(work->dims[far].to_step))
      far = i;
  }
  const struct dim one = {.size = 1};
  work->near = work->rank > 0 ? take_dim(work, near) : one;
  work->far = one;
  if (far != near)
    work->far = take_dim(work, far < near ? far : far - 1);
  const bool is_row = work->far.size == 1;
  work->strip = (is_row ? PIECE_BYTES : LINE_BYTES) / work->bytes;
  work->strip_count =
      work->near.size / work->strip + (work->near.size % work->strip != 0);
}

static jitrun_error_t *check(jitrun_call_t *call) {
  return check_types(call, call->site->types);
}

static jitrun_error_t *execute(jitrun_call_t *call) {
  const jitrun_arg_t *args = jitrun_call_args(call);
  const jitrun_type_t *types[] = {args[ARG_DATA].type, args[ARG_RESULT].type};
  jitrun_error_t *error = check_types(call, types);
  if (error)
    return error;
  struct work work = {.bytes =
                          jr_dtype_size((jitrun_dtype_t)types[ARG_DATA]->dtype),
                      .from = args[ARG_DATA].value.data,
                      .to = args[ARG_RESULT].value.data};
  list_dims(&work, &call->attrs[0], args);
  choose_plane(&work);
  size_t items = work.strip_count;
  for (uint32_t i = 0; i < work.rank; i++)
    items *= work.dims[i].size;
  size_t size = least(work.strip, work.near.size) * work.far.size * work.bytes;
  size_t grain = PIECE_BYTES / (size + 1) + 1;
  if (size == 0)
    return NULL;
  if (items <= grain)
    run_items(&work, 0, items);
  else
    call->site->api->parallel_for(call, items, grain, run_items, &work);
  return NULL;
}

static const jitrun_customcall_t calls[] = {
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.transpose",
     .platform = "host",
     .summary = "copies elements to where their dimensions are permuted",
     .signature = &signature,
     .execute = execute,
     .instantiate = check},
};

JR_PART(transpose, calls, false);
