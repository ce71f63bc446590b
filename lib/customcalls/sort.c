/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// `jitrun.sort` and `jitrun.top_k`, and XLA's call for the latter. Lines are
/// shared out among pieces, whose number depends on the sizes alone; each piece
/// has a part of the workspace.
#include "base/dtype.h"
#include "customcalls/builtins.h"
#include "customcalls/lines.h"
#include "customcalls/parts.h"
#include "customcalls/sort_lines.h"
#include "customcalls/xla.h"
#include "jitrun/customcall.h"
#include "jitrun/types.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
  MAX_PIECES = 64,
  PIECE_ELEMENTS = 1 << 14, ///< that are worth a thread
  MAX_ROOM = 64 << 20,      ///< bytes of workspace, unless one piece takes more
  MAX_ELEMENT = 16,
  MIN_ROOM = 4096 ///< elements that top_k sorts at a time
};

#define KEYS                                                                   \
  .kind = JITRUN_KIND_BUFFER, .min_rank = 1, .max_rank = JR_MAX_RANK,          \
  .dtypes = JR_SORTED_DTYPES
#define PLACES                                                                 \
  .kind = JITRUN_KIND_BUFFER, .min_rank = 1, .max_rank = JR_MAX_RANK,          \
  .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_S32) |                                  \
            JITRUN_DTYPES(JITRUN_DTYPE_S64) | JITRUN_DTYPES(JITRUN_DTYPE_U32)
#define OPTIONAL(type)                                                         \
  .kind = JITRUN_ATTR_SCALAR, .flags = JITRUN_OPTIONAL,                        \
  .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_##type)

enum { SORT_DESCENDING, SORT_DIMENSION, SORT_ATTRS };
static const jitrun_param_t sort_args[] = {{.name = "keys", KEYS}};
static const jitrun_attr_param_t sort_attrs[SORT_ATTRS] = {
    [SORT_DESCENDING] = {.name = "descending", OPTIONAL(PRED)},
    [SORT_DIMENSION] = {.name = "dimension", OPTIONAL(S64)}};
static const jitrun_signature_t sort_signature = {
    .size = sizeof(jitrun_signature_t),
    .args = sort_args,
    .arg_count = 1,
    .attrs = sort_attrs,
    .attr_count = SORT_ATTRS,
    .flags = JITRUN_VARIADIC_ARGS};

enum { ARG_DATA, ARG_VALUES, ARG_INDICES, ARG_COUNT };
enum { TOP_DIMENSION, TOP_SMALLEST, TOP_ATTRS };
static const jitrun_param_t top_args[ARG_COUNT] = {
    [ARG_DATA] = {.name = "data", KEYS},
    [ARG_VALUES] = {.name = "values", KEYS},
    [ARG_INDICES] = {.name = "indices", PLACES}};
static const jitrun_attr_param_t top_attrs[TOP_ATTRS] = {
    [TOP_DIMENSION] = {.name = "dimension", OPTIONAL(S64)},
    [TOP_SMALLEST] = {.name = "smallest", OPTIONAL(PRED)}};
static const jitrun_signature_t top_signature = {.size =
                                                     sizeof(jitrun_signature_t),
                                                 .args = top_args,
                                                 .arg_count = ARG_COUNT,
                                                 .attrs = top_attrs,
                                                 .attr_count = TOP_ATTRS};
const jitrun_signature_t jr_xla_top_k_types = {.size =
                                                   sizeof(jitrun_signature_t),
                                               .args = top_args,
                                               .arg_count = ARG_COUNT};

/// One call in the making.
struct work {
  const jitrun_call_t *call;
  const jitrun_arg_t *buffers;
  uint32_t buffer_count, dimension;
  struct jr_order order;
  bool has_places;
  struct jr_lines keys;
  struct jr_lines *lines; ///< of all buffers, where there are places
  size_t room;            ///< elements that are sorted at a time
  size_t kept;            ///< top_k: elements of a line of the result
  size_t count;           ///< of a line
  size_t piece_count, piece_bytes;
  char *memory;
};

/// Parts of a piece's memory.
struct piece {
  struct jr_rooms rooms;
  uint32_t *places;
  char *moved;
};

static size_t round_up(size_t bytes) {
  return (bytes + 63) & ~(size_t)63;
}

static struct piece divide_memory(const struct work *work, size_t index,
                                  size_t *out_bytes) {
  char *at = work->memory ? work->memory + index * work->piece_bytes : NULL;
  size_t elements =
      round_up(work->room * jr_sort_bytes(&work->order, work->has_places));
  size_t counts = round_up(jr_sort_count_bytes(work->room));
  size_t places =
      work->has_places ? round_up(work->room * sizeof(uint32_t)) : 0;
  size_t moved = work->has_places ? round_up(work->room * MAX_ELEMENT) : 0;
  *out_bytes = 2 * elements + counts + places + moved;
  if (!at)
    return (struct piece){.places = NULL};
  return (struct piece){
      .rooms = {.elements = at,
                .others = at + elements,
                .counts = (uint32_t *)(void *)(at + 2 * elements)},
      .places = (uint32_t *)(void *)(at + 2 * elements + counts),
      .moved = at + 2 * elements + counts + places};
}

/// `bytes` is a constant in every use.
static inline __attribute__((always_inline)) void
gather_each(char *to, const char *from, ptrdiff_t step_bytes,
            const uint32_t *places, size_t count, size_t bytes) {
  for (size_t i = 0; i < count; i++)
    memcpy(to + i * bytes, from + (ptrdiff_t)places[i] * step_bytes, bytes);
}

/// Elements at the places, next to each other.
static void gather(char *to, const struct jr_lines *lines, size_t index,
                   const uint32_t *places, size_t count) {
  const char *from = jr_lines_at(lines, index);
  switch (lines->element_bytes) {
  case 4:
    gather_each(to, from, lines->step_bytes, places, count, 4);
    return;
  case 8:
    gather_each(to, from, lines->step_bytes, places, count, 8);
    return;
  default:
    gather_each(to, from, lines->step_bytes, places, count,
                lines->element_bytes);
    return;
  }
}

static void scatter(const struct jr_lines *lines, size_t index,
                    const char *from) {
  const int64_t count = (int64_t)lines->count;
  const int64_t bytes = (int64_t)lines->element_bytes;
  const int64_t step = lines->step_bytes / bytes;
  static const int64_t one = 1;
  jr_copy_elements(&(struct jr_copy){.to = jr_lines_at(lines, index),
                                     .from = from,
                                     .dims = &count,
                                     .to_strides = &step,
                                     .from_strides = &one,
                                     .rank = 1,
                                     .element_bytes = lines->element_bytes});
}

/// Sorts line `index` of all buffers as the keys say.
static void sort_buffers(const struct work *work, size_t index,
                         const struct piece *piece) {
  struct jr_line line = jr_line_get(&work->keys, &work->order, index);
  jr_sort_places(work->call, &line, &piece->rooms, piece->places);
  for (uint32_t i = 0; i < work->buffer_count; i++) {
    gather(piece->moved, &work->lines[i], index, piece->places, work->count);
    scatter(&work->lines[i], index, piece->moved);
  }
}

static void select_line(const struct work *work, size_t index,
                        const struct piece *piece) {
  const struct jr_lines *indices = &work->lines[ARG_INDICES];
  struct jr_line line = jr_line_get(&work->keys, &work->order, index);
  jr_select_places(work->call, &line, &piece->rooms, work->kept, work->room,
                   piece->places);
  gather(piece->moved, &work->keys, index, piece->places, work->kept);
  scatter(&work->lines[ARG_VALUES], index, piece->moved);
  char *to = jr_lines_at(indices, index);
  for (size_t i = 0; i < work->kept; i++) {
    uint64_t place = piece->places[i];
    memcpy(to + (ptrdiff_t)i * indices->step_bytes, &place,
           indices->element_bytes);
  }
}

static void run_line(const struct work *work, size_t index,
                     const struct piece *piece) {
  if (work->kept > 0) {
    select_line(work, index, piece);
  } else if (work->has_places) {
    sort_buffers(work, index, piece);
  } else {
    struct jr_line line = jr_line_get(&work->keys, &work->order, index);
    jr_sort_line(work->call, &line, &piece->rooms);
  }
}

/// Pieces [first, last).
static void run_pieces(void *context, size_t first, size_t last) {
  const struct work *work = context;
  size_t lines = work->keys.line_count;
  for (size_t i = first; i < last; i++) {
    size_t bytes = 0;
    struct piece piece = divide_memory(work, i, &bytes);
    size_t end = (i + 1) * lines / work->piece_count;
    for (size_t j = i * lines / work->piece_count; j < end; j++)
      run_line(work, j, &piece);
  }
}

/// Takes the memory, and goes through the lines.
static jitrun_error_t *run_work(struct work *work) {
  const jitrun_call_t *call = work->call;
  size_t lines = work->keys.line_count;
  if (work->count > JR_SORT_MAX)
    return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                         "%s: %zu elements are to be sorted; there may be at "
                         "most %" PRIu32,
                         call->site->target, work->count, JR_SORT_MAX);
  (void)divide_memory(work, 0, &work->piece_bytes);
  size_t pieces = lines / (PIECE_ELEMENTS / work->count + 1);
  if (pieces > MAX_ROOM / work->piece_bytes)
    pieces = MAX_ROOM / work->piece_bytes;
  if (pieces > MAX_PIECES)
    pieces = MAX_PIECES;
  work->piece_count = pieces < 1 ? 1 : pieces;
  size_t lines_at = work->piece_count * work->piece_bytes;
  size_t bytes = lines_at;
  if (work->has_places)
    bytes += work->buffer_count * sizeof *work->lines;
  work->memory = call->site->api->workspace(call, bytes);
  if (!work->memory)
    return jr_call_error(call, JITRUN_RESOURCE_EXHAUSTED,
                         "%s: out of memory for %zu bytes to sort in",
                         call->site->target, bytes);
  work->lines = (struct jr_lines *)(void *)(work->memory + lines_at);
  for (uint32_t i = 0; work->has_places && i < work->buffer_count; i++)
    jr_lines_init(&work->lines[i], &work->buffers[i], work->dimension);
  if (work->piece_count == 1)
    run_pieces(work, 0, 1);
  else
    call->site->api->parallel_for(call, work->piece_count, 1, run_pieces, work);
  return NULL;
}

/// What is sorted with the keys, as far as sizes are known.
static jitrun_error_t *check_other(const jitrun_call_t *call,
                                   const jitrun_type_t *keys,
                                   const jitrun_type_t *other, uint32_t index) {
  char name[32];
  const jitrun_type_t *const types[] = {keys, other};
  const char *const names[] = {"keys", name};
  (void)snprintf(name, sizeof name, "argument %u", index);
  if (other->kind == JITRUN_KIND_BUFFER)
    return jr_dims_agree(call, types, names, JR_MAX_RANK);
  return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                       "%s: %s is no buffer; all that is sorted with the keys "
                       "must be",
                       call->site->target, name);
}

static jitrun_error_t *sort_check(jitrun_call_t *call) {
  const jitrun_type_t *const *types = call->site->types;
  uint32_t dimension = 0;
  jitrun_error_t *error = NULL;
  for (uint32_t i = 1; i < call->site->arg_count && !error; i++)
    error = check_other(call, types[0], types[i], i);
  return error ? error
               : jr_dimension_read(call, &call->attrs[SORT_DIMENSION],
                                   types[0]->rank, &dimension);
}

static jitrun_error_t *sort_execute(jitrun_call_t *call) {
  const jitrun_arg_t *args = jitrun_call_args(call);
  struct work work = {.call = call,
                      .buffers = args,
                      .buffer_count = call->site->arg_count,
                      .has_places = call->site->arg_count > 1};
  jitrun_error_t *error = NULL;
  for (uint32_t i = 1; i < work.buffer_count && !error; i++)
    error = check_other(call, args[0].type, args[i].type, i);
  if (!error)
    error = jr_dimension_read(call, &call->attrs[SORT_DIMENSION],
                              args[0].type->rank, &work.dimension);
  if (error)
    return error;
  const jitrun_attr_t *descending = &call->attrs[SORT_DESCENDING];
  work.order = jr_order_of((jitrun_dtype_t)args[0].type->dtype,
                           descending->kind != JITRUN_ATTR_ABSENT &&
                               descending->value.pred,
                           work.has_places);
  jr_lines_init(&work.keys, &args[0], work.dimension);
  work.count = work.room = work.keys.count;
  return work.count < 2 || work.keys.line_count == 0 ? NULL : run_work(&work);
}

/// Three buffers of one shape, but for the dimension.
static jitrun_error_t *check_top(const jitrun_call_t *call,
                                 const jitrun_type_t *const *types,
                                 uint32_t dimension) {
  const jitrun_type_t *const values[] = {types[ARG_DATA], types[ARG_VALUES]};
  const jitrun_type_t *const indices[] = {types[ARG_VALUES],
                                          types[ARG_INDICES]};
  static const char *const names[] = {"data", "values", "indices"};
  jitrun_error_t *error = jr_dtypes_agree(call, values, names);
  if (!error)
    error = jr_dims_agree(call, values, names, dimension);
  if (!error)
    error = jr_dims_agree(call, indices, names + 1, JR_MAX_RANK);
  if (error)
    return error;
  int64_t count = jitrun_type_dims(types[ARG_DATA])[dimension];
  int64_t kept = jitrun_type_dims(types[ARG_VALUES])[dimension];
  if (count == JITRUN_DYNAMIC || kept == JITRUN_DYNAMIC || kept <= count)
    return NULL;
  return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                       "%s: 'values' takes %" PRId64
                       " elements of each line of 'data', which has %" PRId64,
                       call->site->target, kept, count);
}

static jitrun_error_t *check_top_along(const jitrun_call_t *call,
                                       const jitrun_attr_t *dimension_attr,
                                       const jitrun_type_t *const *types,
                                       uint32_t *out_dimension) {
  jitrun_error_t *error = jr_dimension_read(
      call, dimension_attr, types[ARG_DATA]->rank, out_dimension);
  return error ? error : check_top(call, types, *out_dimension);
}

static jitrun_error_t *top_run(jitrun_call_t *call,
                               const jitrun_attr_t *dimension, bool smallest) {
  const jitrun_arg_t *args = jitrun_call_args(call);
  const jitrun_type_t *types[] = {args[ARG_DATA].type, args[ARG_VALUES].type,
                                  args[ARG_INDICES].type};
  struct work work = {.call = call,
                      .buffers = args,
                      .buffer_count = ARG_COUNT,
                      .has_places = true};
  jitrun_error_t *error =
      check_top_along(call, dimension, types, &work.dimension);
  if (error)
    return error;
  work.order =
      jr_order_of((jitrun_dtype_t)types[ARG_DATA]->dtype, !smallest, false);
  jr_lines_init(&work.keys, &args[ARG_DATA], work.dimension);
  work.count = work.keys.count;
  work.kept = (size_t)jitrun_type_dims(types[ARG_VALUES])[work.dimension];
  size_t room = 4 * work.kept > MIN_ROOM ? 4 * work.kept : MIN_ROOM;
  work.room = room <= work.count ? room : work.count + 1;
  return work.kept == 0 || work.keys.line_count == 0 ? NULL : run_work(&work);
}

static const jitrun_attr_t absent = {.kind = JITRUN_ATTR_ABSENT};

static jitrun_error_t *top_check(jitrun_call_t *call) {
  uint32_t dimension = 0;
  return check_top_along(call, &call->attrs[TOP_DIMENSION], call->site->types,
                         &dimension);
}

static jitrun_error_t *top_execute(jitrun_call_t *call) {
  const jitrun_attr_t *smallest = &call->attrs[TOP_SMALLEST];
  return top_run(call, &call->attrs[TOP_DIMENSION],
                 smallest->kind != JITRUN_ATTR_ABSENT && smallest->value.pred);
}

jitrun_error_t *jr_xla_top_k_check(jitrun_call_t *call) {
  const jitrun_type_t *const *types = call->site->types;
  uint32_t dimension = 0;
  if (types[ARG_DATA]->rank > 2)
    return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                         "Invalid input shape: 'data' has rank %u; it must be "
                         "1 or 2",
                         types[ARG_DATA]->rank);
  if (types[ARG_INDICES]->dtype != JITRUN_DTYPE_S32)
    return jr_call_error(
        call, JITRUN_INVALID_ARGUMENT, "Indices should be S32, not %s",
        jr_dtype_name((jitrun_dtype_t)types[ARG_INDICES]->dtype));
  return check_top_along(call, &absent, types, &dimension);
}

jitrun_error_t *jr_xla_top_k(jitrun_call_t *call) {
  return top_run(call, &absent, false);
}

static const jitrun_customcall_t calls[] = {
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.sort",
     .platform = "host",
     .summary = "sorts keys in place, and other buffers with them",
     .signature = &sort_signature,
     .execute = sort_execute,
     .instantiate = sort_check},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.top_k",
     .platform = "host",
     .summary = "the largest elements of data in order, and their indices",
     .signature = &top_signature,
     .execute = top_execute,
     .instantiate = top_check},
};

JR_PART(sort, calls, false);
