/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See wide_lines.h. Lines that are not wide, or whose elements do not lie next
/// to each other, go through a part of the workspace.
#include "customcalls/wide_lines.h"

#include "customcalls/builtins.h"
#include "customcalls/lines.h"
#include "customcalls/widen.h"
#include "jitrun/customcall.h"
#include "jitrun/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
  GROUP = 16, ///< lines that are gathered together
  MAX_PIECES = 64,
  PIECE_ELEMENTS = 1 << 13, ///< that are worth a thread
  MAX_ROOM = 64 << 20       ///< bytes of workspace, unless a line takes more
};

/// One call in the making.
struct work {
  const struct jr_wide_lines *lines;
  jitrun_dtype_t dtype;
  struct jr_lines from, to;
  bool is_direct; ///< no memory is needed
  size_t wide_bytes;
  size_t piece_count;
  size_t room; ///< bytes of each piece's memory: a wide line, and a group
  char *memory;
};

/// Lines of a group.
struct strided {
  char *at[GROUP];
  ptrdiff_t step_bytes;
};

jitrun_error_t *jr_wide_lines_check(const jitrun_call_t *call,
                                    const jitrun_attr_t *attr,
                                    const jitrun_type_t *data,
                                    const jitrun_type_t *result,
                                    uint32_t *out_dimension) {
  const jitrun_type_t *const types[] = {data, result};
  static const char *const names[] = {"data", "result"};
  jitrun_error_t *error = jr_dtypes_agree(call, types, names);
  if (!error)
    error = jr_dims_agree(call, types, names, JR_MAX_RANK);
  return error ? error
               : jr_dimension_read(call, attr, data->rank, out_dimension);
}

static bool is_dense(const struct jr_lines *lines) {
  return lines->step_bytes == (ptrdiff_t)lines->element_bytes;
}

/// Element by element of all lines of a group, which often share cache lines;
/// `bytes` is a constant in every use.
static inline __attribute__((always_inline)) void
copy_each(const struct strided *to, const struct strided *from, size_t lines,
          size_t count, size_t bytes) {
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < lines; j++)
      memcpy(to->at[j] + (ptrdiff_t)i * to->step_bytes,
             from->at[j] + (ptrdiff_t)i * from->step_bytes, bytes);
}

static void copy_lines(const struct work *work, const struct strided *to,
                       const struct strided *from, size_t lines) {
  const size_t count = work->from.count;
  switch (work->from.element_bytes) {
  case 2:
    copy_each(to, from, lines, count, 2);
    return;
  case 4:
    copy_each(to, from, lines, count, 4);
    return;
  default:
    copy_each(to, from, lines, count, 8);
    return;
  }
}

/// Lines that are not direct: elements as they are go to `narrow`, unless they
/// lie next to each other.
static void run_group(const struct work *work, size_t first, size_t count,
                      char *memory) {
  const struct jr_wide_lines *lines = work->lines;
  const size_t size = work->from.count;
  const size_t room = size * work->wide_bytes;
  struct strided from = {.step_bytes = work->from.step_bytes};
  struct strided to = {.step_bytes = work->to.step_bytes};
  struct strided narrow = {.step_bytes = (ptrdiff_t)work->from.element_bytes};
  for (size_t i = 0; i < count; i++) {
    from.at[i] = jr_lines_at(&work->from, first + i);
    to.at[i] = jr_lines_at(&work->to, first + i);
    narrow.at[i] = memory + (i + 1) * room;
  }
  const bool gathers = !is_dense(&work->from);
  const bool scatters = !is_dense(&work->to);
  if (gathers)
    copy_lines(work, &narrow, &from, count);
  for (size_t i = 0; i < count; i++) {
    jr_widen(work->dtype, lines->wide, gathers ? narrow.at[i] : from.at[i],
             size, memory);
    lines->compute(lines->context, memory, size, memory);
    jr_narrow(work->dtype, lines->wide, memory, size,
              scatters ? narrow.at[i] : to.at[i]);
  }
  if (scatters)
    copy_lines(work, &to, &narrow, count);
}

static void run_lines(const struct work *work, size_t first, size_t last,
                      char *memory) {
  const struct jr_wide_lines *lines = work->lines;
  for (size_t i = first; i < last && work->is_direct; i++)
    lines->compute(lines->context, jr_lines_at(&work->from, i),
                   work->from.count, jr_lines_at(&work->to, i));
  for (size_t i = first; i < last && !work->is_direct; i += GROUP)
    run_group(work, i, last - i < GROUP ? last - i : GROUP, memory);
}

/// Pieces [first, last).
static void run_pieces(void *context, size_t first, size_t last) {
  const struct work *work = context;
  const size_t lines = work->from.line_count;
  for (size_t i = first; i < last; i++)
    run_lines(work, i * lines / work->piece_count,
              (i + 1) * lines / work->piece_count,
              work->memory ? work->memory + i * work->room : NULL);
}

jitrun_error_t *jr_wide_lines_run(const jitrun_call_t *call,
                                  const struct jr_wide_lines *lines,
                                  const jitrun_arg_t *data,
                                  const jitrun_arg_t *result,
                                  uint32_t dimension) {
  struct work work = {.lines = lines,
                      .dtype = (jitrun_dtype_t)data->type->dtype,
                      .wide_bytes = jr_wide_size(lines->wide)};
  jr_lines_init(&work.from, data, dimension);
  jr_lines_init(&work.to, result, dimension);
  if (work.from.count == 0 || work.from.line_count == 0)
    return NULL;
  work.is_direct = work.wide_bytes == work.from.element_bytes &&
                   is_dense(&work.from) && is_dense(&work.to);
  work.room = (1 + GROUP) * work.from.count * work.wide_bytes;
  size_t pieces = work.from.line_count / (PIECE_ELEMENTS / work.from.count + 1);
  if (!work.is_direct && pieces > MAX_ROOM / work.room)
    pieces = MAX_ROOM / work.room;
  if (pieces > MAX_PIECES)
    pieces = MAX_PIECES;
  work.piece_count = pieces < 1 ? 1 : pieces;
  if (!work.is_direct) {
    work.memory =
        call->site->api->workspace(call, work.piece_count * work.room);
    if (!work.memory)
      return jr_call_error(call, JITRUN_RESOURCE_EXHAUSTED,
                           "%s: out of memory for %zu bytes to compute in",
                           call->site->target, work.piece_count * work.room);
  }
  if (work.piece_count == 1)
    run_pieces(&work, 0, 1);
  else
    call->site->api->parallel_for(call, work.piece_count, 1, run_pieces, &work);
  return NULL;
}
