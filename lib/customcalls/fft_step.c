/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The lines of one dimension: several at once in the lanes of vectors, where
/// they are short or lie next to each other, else each by itself. Pieces depend
/// on the sizes alone.
#include "customcalls/builtins.h"
#include "customcalls/fft.h"
#include "customcalls/fft_kernels.h"
#include "customcalls/fft_plan.h"
#include "customcalls/lines.h"
#include "jitrun/customcall.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
  LONG_LINE = 256,         ///< dense ones are transformed one by one
  PIECE_NUMBERS = 1 << 14, ///< that are worth a thread
  MAX_PIECES = 32,
  MAX_ROOM = 64 << 20, ///< bytes, unless one piece takes more
  ALIGNMENT = 64
};

/// How the lines of a step are shared out.
struct sharing {
  const struct jr_fft_step *step;
  bool in_lanes;
  size_t group_count;  ///< of lines that go together
  size_t piece_count;  ///< of groups
  size_t inner_pieces; ///< of a line
  size_t piece_bytes;
  char *room;
};

static size_t round_up(size_t bytes) {
  return (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

static bool is_dense(const struct jr_lines *lines) {
  return lines->step_bytes == (ptrdiff_t)lines->element_bytes;
}

/// Lines of real numbers, two of which are taken as a complex one.
static bool is_halved(const struct jr_fft_step *step) {
  return step->kind != JR_FFT_COMPLEX && step->plan->half;
}

/// The plan for a line by itself.
static const struct jr_fft_plan *line_plan(const struct jr_fft_step *step) {
  return is_halved(step) ? step->plan->half : step->plan;
}

static bool takes_lanes(const struct jr_fft_step *step) {
  const struct jr_fft_plan *plan = step->plan;
  size_t lines = step->in.line_count;
  if (plan->whole.length == 0 || lines == 1)
    return false;
  if (line_plan(step)->first.length == 0)
    return true;
  if (step->kind != JR_FFT_COMPLEX || lines < plan->kernels->lanes / 2)
    return false;
  return plan->length < LONG_LINE ||
         !(is_dense(&step->in) || is_dense(&step->out));
}

static size_t line_bytes(const struct jr_fft_step *step) {
  return round_up((step->plan->length + 1) * step->plan->element_bytes);
}

static struct sharing share(const struct jr_fft_step *step) {
  const struct jr_fft_plan *plan = step->plan;
  struct sharing sharing = {
      .step = step, .in_lanes = takes_lanes(step), .inner_pieces = 1};
  size_t lines = step->in.line_count;
  size_t lanes = sharing.in_lanes ? plan->kernels->lanes : 1;
  size_t inner = sharing.in_lanes ? 1 : jr_fft_pieces(line_plan(step));
  sharing.group_count = (lines + lanes - 1) / lanes;
  if (lines < MAX_PIECES / 4 && inner > 1)
    sharing.inner_pieces = inner;
  sharing.piece_bytes =
      sharing.in_lanes ? 2 * plan->length * plan->element_bytes * lanes
                       : line_bytes(step) +
                             jr_fft_room(line_plan(step), sharing.inner_pieces);
  size_t pieces =
      sharing.group_count / (PIECE_NUMBERS / (plan->length * lanes) + 1);
  if (pieces > MAX_ROOM / sharing.piece_bytes)
    pieces = MAX_ROOM / sharing.piece_bytes;
  if (pieces > MAX_PIECES)
    pieces = MAX_PIECES;
  sharing.piece_count = pieces < 1 || sharing.inner_pieces > 1 ? 1 : pieces;
  return sharing;
}

size_t jr_fft_step_room(const struct jr_fft_step *step) {
  struct sharing sharing = share(step);
  return sharing.piece_count * sharing.piece_bytes;
}

/// Copies `count` elements; steps in elements.
static void copy_line(char *to, int64_t to_step, const char *from,
                      int64_t from_step, size_t count, size_t element_bytes) {
  const int64_t dim = (int64_t)count;
  jr_copy_elements(&(struct jr_copy){.to = to,
                                     .from = from,
                                     .dims = &dim,
                                     .to_strides = &to_step,
                                     .from_strides = &from_step,
                                     .rank = 1,
                                     .element_bytes = element_bytes});
}

static int64_t step_of(const struct jr_lines *lines) {
  return lines->step_bytes / (ptrdiff_t)lines->element_bytes;
}

/// The line, dense: where it lies, or in `buffer`.
static const char *gather(const struct jr_lines *lines, size_t index,
                          char *buffer) {
  const char *at = jr_lines_at(lines, index);
  if (is_dense(lines))
    return at;
  copy_line(buffer, 1, at, step_of(lines), lines->count, lines->element_bytes);
  return buffer;
}

static void scatter(const struct jr_lines *lines, size_t index,
                    const char *buffer) {
  char *at = jr_lines_at(lines, index);
  if (at != buffer)
    copy_line(at, step_of(lines), buffer, 1, lines->count,
              lines->element_bytes);
}

static void negate_imaginary(char *number, size_t element_bytes) {
  if (element_bytes == 2 * sizeof(double))
    ((double *)(void *)number)[1] *= -1;
  else
    ((float *)(void *)number)[1] *= -1;
}

/// Lines of an odd number of real numbers, as complex ones: `run` is for these.
static void run_odd(const struct jr_fft_step *step, size_t index,
                    struct jr_fft_run *run) {
  size_t length = step->plan->length;
  size_t bytes = step->plan->element_bytes;
  char *buffer = run->out;
  run->in = buffer;
  if (step->kind == JR_FFT_FROM_REAL) {
    memset(buffer, 0, length * bytes);
    copy_line(buffer, 2, jr_lines_at(&step->in, index), step_of(&step->in),
              length, bytes / 2);
    jr_fft_line(step->plan, run);
    scatter(&step->out, index, buffer);
    return;
  }
  copy_line(buffer, 1, jr_lines_at(&step->in, index), step_of(&step->in),
            step->in.count, bytes);
  memset(buffer + bytes / 2, 0, bytes / 2);
  for (size_t i = 1; i < step->in.count; i++) {
    char *mirrored = buffer + (length - i) * bytes;
    memcpy(mirrored, buffer + i * bytes, bytes);
    negate_imaginary(mirrored, bytes);
  }
  jr_fft_line(step->plan, run);
  copy_line(jr_lines_at(&step->out, index), step_of(&step->out), buffer, 2,
            length, bytes / 2);
}

/// Line `index` by itself; `buffer` takes a line.
static void run_line(const struct jr_fft_step *step, size_t index,
                     struct jr_fft_run *run, char *buffer) {
  const struct jr_fft_plan *plan = step->plan;
  run->out = buffer;
  if (step->kind != JR_FFT_COMPLEX && !plan->half) {
    run_odd(step, index, run);
    return;
  }
  run->in = gather(&step->in, index, buffer);
  if (step->kind == JR_FFT_TO_REAL) {
    plan->kernels->refold(plan->length / 2, plan->turns, run->in, buffer);
    run->in = buffer;
  }
  if (is_dense(&step->out))
    run->out = jr_lines_at(&step->out, index);
  jr_fft_line(line_plan(step), run);
  if (step->kind == JR_FFT_FROM_REAL)
    plan->kernels->unfold(plan->length / 2, plan->turns, run->out, run->out);
  scatter(&step->out, index, run->out);
}

/// Lines [first, first + count) in lanes; true where their elements lie next to
/// each other.
static bool find_lines(const struct jr_lines *lines, size_t first,
                       struct jr_fft_lines *found) {
  bool is_block = true;
  found->step_bytes = lines->step_bytes;
  for (size_t l = 0; l < found->count; l++) {
    found->at[l] = jr_lines_at(lines, first + l);
    is_block &= found->at[l] == found->at[0] + l * lines->element_bytes;
  }
  return is_block;
}

static struct jr_fft_columns get_columns(const struct jr_fft_step *step,
                                         const struct jr_fft_lines *lines) {
  return (struct jr_fft_columns){.row_count = step->plan->length,
                                 .count = lines->count,
                                 .row_bytes = lines->step_bytes,
                                 .scale = lines->scale,
                                 .swaps = lines->swaps};
}

/// Rows that load_lines and store_lines can take.
static size_t dense_rows(const struct jr_fft_step *step,
                         const struct jr_lines *lines,
                         const struct jr_fft_lines *some) {
  size_t lanes = step->plan->kernels->lanes;
  return is_dense(lines) && some->count == lanes && !some->is_real
             ? lines->count - lines->count % lanes
             : 0;
}

static void load_group(const struct jr_fft_step *step, size_t first,
                       struct jr_fft_lines *lines, void *block) {
  const struct jr_fft_kernels *kernels = step->plan->kernels;
  lines->is_real = step->kind == JR_FFT_FROM_REAL;
  bool is_block = find_lines(&step->in, first, lines);
  if (is_block && step->kind == JR_FFT_COMPLEX) {
    struct jr_fft_columns columns = get_columns(step, lines);
    kernels->load(&columns, lines->at[0], block);
    return;
  }
  size_t rows = dense_rows(step, &step->in, lines);
  kernels->load_lines(lines, rows, block);
  kernels->load_any(lines, rows, step->in.count, block);
  if (step->kind == JR_FFT_TO_REAL)
    kernels->mirror(step->plan->length, lines->swaps, block);
}

static void store_group(const struct jr_fft_step *step, size_t first,
                        struct jr_fft_lines *lines, const void *block) {
  const struct jr_fft_kernels *kernels = step->plan->kernels;
  lines->is_real = step->kind == JR_FFT_TO_REAL;
  bool is_block = find_lines(&step->out, first, lines);
  if (is_block && step->kind == JR_FFT_COMPLEX) {
    struct jr_fft_columns columns = get_columns(step, lines);
    kernels->store(&columns, block, lines->at[0]);
    return;
  }
  size_t rows = dense_rows(step, &step->out, lines);
  kernels->store_lines(lines, rows, block);
  kernels->store_any(lines, rows, step->out.count, block);
}

static void run_group(const struct sharing *sharing, size_t group,
                      char *memory) {
  const struct jr_fft_step *step = sharing->step;
  const struct jr_fft_kernels *kernels = step->plan->kernels;
  size_t first = group * kernels->lanes;
  size_t left = step->in.line_count - first;
  struct jr_fft_lines lines = {.count = left < kernels->lanes ? left
                                                              : kernels->lanes,
                               .scale = step->scale,
                               .swaps = step->is_inverse};
  char *other = memory + sharing->piece_bytes / 2;
  load_group(step, first, &lines, memory);
  store_group(step, first, &lines,
              kernels->transform(&step->plan->whole, memory, 1, other, memory));
}

/// Pieces [first, last).
static void run_pieces(void *context, size_t first, size_t last) {
  const struct sharing *sharing = context;
  const struct jr_fft_step *step = sharing->step;
  for (size_t piece = first; piece < last; piece++) {
    char *memory = sharing->room + piece * sharing->piece_bytes;
    struct jr_fft_run run = {.scale = step->scale,
                             .is_inverse = step->is_inverse,
                             .room = memory + line_bytes(step),
                             .piece_count = sharing->inner_pieces,
                             .call = step->call};
    size_t end = (piece + 1) * sharing->group_count / sharing->piece_count;
    size_t i = piece * sharing->group_count / sharing->piece_count;
    for (; i < end; i++) {
      if (sharing->in_lanes)
        run_group(sharing, i, memory);
      else
        run_line(step, i, &run, memory);
    }
  }
}

void jr_fft_step_run(const struct jr_fft_step *step, void *room) {
  struct sharing sharing = share(step);
  sharing.room = room;
  if (sharing.piece_count == 1)
    run_pieces(&sharing, 0, 1);
  else
    step->call->site->api->parallel_for(step->call, sharing.piece_count, 1,
                                        run_pieces, &sharing);
}
