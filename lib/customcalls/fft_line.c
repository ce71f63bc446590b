/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Transforms of one dense line. A line of n = rows * columns numbers is a
/// matrix: its columns are transformed, a vector of them at a time, multiplied
/// by twiddles and laid down as rows of another, whose columns then are
/// transformed into the result. Each vector is computed by itself, so that any
/// number of threads makes the same.
#include "customcalls/fft_kernels.h"
#include "customcalls/fft_plan.h"
#include "jitrun/customcall.h"

#include <stddef.h>
#include <stdint.h>

enum {
  PIECE_LENGTH = 1 << 14, ///< of a line, that is worth a thread
  MAX_PIECES = 8
};

/// A line in two parts.
struct split {
  const struct jr_fft_plan *plan;
  const struct jr_fft_run *run;
  char *middle; ///< the second matrix
  size_t step;  ///< between its rows, in rows of the kernels
  char *blocks; ///< of each piece: two
  size_t block_bytes;
};

static size_t row_bytes(const struct jr_fft_plan *plan) {
  return plan->kernels->lanes * plan->element_bytes;
}

static size_t count_vectors(const struct jr_fft_plan *plan, size_t columns) {
  return (columns + plan->kernels->lanes - 1) / plan->kernels->lanes;
}

static size_t longer(const struct jr_fft_plan *plan) {
  return plan->first.length > plan->second.length ? plan->first.length
                                                  : plan->second.length;
}

/// One more than needed: powers of two would meet in a few sets of a cache.
static size_t middle_step(const struct jr_fft_plan *plan) {
  return count_vectors(plan, plan->first.length) + 1;
}

static struct jr_fft_columns get_columns(const struct split *split,
                                         const struct jr_fft_passes *passes,
                                         size_t vector) {
  size_t lanes = split->plan->kernels->lanes;
  size_t columns = split->plan->length / passes->length;
  size_t count = columns - vector * lanes;
  return (struct jr_fft_columns){
      .row_count = passes->length,
      .count = count < lanes ? count : lanes,
      .row_bytes = (ptrdiff_t)(columns * split->plan->element_bytes),
      .scale = split->run->scale,
      .swaps = split->run->is_inverse};
}

static void run_first(const struct split *split, size_t vector, char *block) {
  const struct jr_fft_plan *plan = split->plan;
  const struct jr_fft_kernels *kernels = plan->kernels;
  size_t rows = plan->first.length;
  struct jr_fft_columns columns = get_columns(split, &plan->first, vector);
  kernels->load(&columns,
                (const char *)split->run->in + vector * row_bytes(plan), block);
  const void *made = kernels->transform(&plan->first, block, 1,
                                        block + split->block_bytes, block);
  kernels->spread(
      &(struct jr_fft_middle){.twiddles = plan->twiddles,
                              .starts = (const char *)plan->starts +
                                        vector * rows * plan->element_bytes,
                              .row_count = rows,
                              .count = columns.count,
                              .to_step = split->step},
      made,
      split->middle + vector * kernels->lanes * split->step * row_bytes(plan));
}

static void run_second(const struct split *split, size_t vector, char *block) {
  const struct jr_fft_plan *plan = split->plan;
  const struct jr_fft_kernels *kernels = plan->kernels;
  struct jr_fft_columns columns = get_columns(split, &plan->second, vector);
  const void *made = kernels->transform(
      &plan->second, split->middle + vector * row_bytes(plan), split->step,
      block, block + split->block_bytes);
  kernels->store(&columns, made,
                 (char *)split->run->out + vector * row_bytes(plan));
}

typedef void (*run_vector_t)(const struct split *split, size_t vector,
                             char *block);

/// Piece `piece` of one part.
static void run_piece(const struct split *split, size_t piece, size_t columns,
                      run_vector_t run_vector) {
  size_t vectors = count_vectors(split->plan, columns);
  size_t pieces = split->run->piece_count;
  size_t end = (piece + 1) * vectors / pieces;
  char *block = split->blocks + 2 * piece * split->block_bytes;
  for (size_t i = piece * vectors / pieces; i < end; i++)
    run_vector(split, i, block);
}

static void run_firsts(void *context, size_t first, size_t last) {
  const struct split *split = context;
  for (size_t i = first; i < last; i++)
    run_piece(split, i, split->plan->second.length, run_first);
}

static void run_seconds(void *context, size_t first, size_t last) {
  const struct split *split = context;
  for (size_t i = first; i < last; i++)
    run_piece(split, i, split->plan->first.length, run_second);
}

static void run_pieces(const struct jr_fft_run *run, jitrun_task_fn_t body,
                       void *context) {
  if (run->piece_count > 1)
    run->call->site->api->parallel_for(run->call, run->piece_count, 1, body,
                                       context);
  else
    body(context, 0, 1);
}

static void run_split(const struct jr_fft_plan *plan,
                      const struct jr_fft_run *run) {
  struct split split = {.plan = plan,
                        .run = run,
                        .middle = run->room,
                        .step = middle_step(plan),
                        .block_bytes = longer(plan) * row_bytes(plan)};
  split.blocks =
      split.middle + split.step * plan->second.length * row_bytes(plan);
  run_pieces(run, run_firsts, &split);
  run_pieces(run, run_seconds, &split);
}

/// In one lane.
static void run_whole(const struct jr_fft_plan *plan,
                      const struct jr_fft_run *run) {
  const struct jr_fft_kernels *kernels = plan->kernels;
  char *block = run->room;
  struct jr_fft_lines lines = {.at = {(char *)(uintptr_t)run->in},
                               .count = 1,
                               .step_bytes = (ptrdiff_t)plan->element_bytes,
                               .scale = run->scale,
                               .swaps = run->is_inverse};
  kernels->load_any(&lines, 0, plan->length, block);
  const void *made = kernels->transform(
      &plan->whole, block, 1, block + plan->length * row_bytes(plan), block);
  lines.at[0] = run->out;
  kernels->store_any(&lines, 0, plan->length, made);
}

static size_t round_up(size_t bytes) {
  return (bytes + 63) & ~(size_t)63;
}

static void run_convolution(const struct jr_fft_plan *plan,
                            const struct jr_fft_run *run) {
  struct jr_fft_chirp chirp = plan->chirp;
  chirp.scale = run->scale;
  chirp.swaps = run->is_inverse;
  struct jr_fft_run inner = *run;
  inner.in = inner.out = run->room;
  inner.scale = 1;
  inner.room = (char *)run->room + round_up(chirp.padded * plan->element_bytes);
  plan->kernels->chirp(&chirp, run->in, inner.out);
  inner.is_inverse = false;
  jr_fft_line(plan->inner, &inner);
  plan->kernels->filter(&chirp, inner.out);
  inner.is_inverse = true;
  jr_fft_line(plan->inner, &inner);
  plan->kernels->unchirp(&chirp, inner.out, run->out);
}

void jr_fft_line(const struct jr_fft_plan *plan, const struct jr_fft_run *run) {
  if (plan->inner)
    run_convolution(plan, run);
  else if (plan->first.length > 0)
    run_split(plan, run);
  else
    run_whole(plan, run);
}

size_t jr_fft_pieces(const struct jr_fft_plan *plan) {
  if (plan->inner)
    return jr_fft_pieces(plan->inner);
  size_t pieces = plan->length / PIECE_LENGTH;
  return pieces < 1 ? 1 : pieces > MAX_PIECES ? MAX_PIECES : pieces;
}

size_t jr_fft_room(const struct jr_fft_plan *plan, size_t piece_count) {
  if (plan->inner)
    return round_up(plan->chirp.padded * plan->element_bytes) +
           jr_fft_room(plan->inner, piece_count);
  if (plan->first.length == 0)
    return 2 * plan->length * row_bytes(plan);
  return (middle_step(plan) * plan->second.length +
          2 * piece_count * longer(plan)) *
         row_bytes(plan);
}
