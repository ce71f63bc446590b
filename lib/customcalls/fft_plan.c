/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See fft_plan.h.
#include "customcalls/fft_plan.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "customcalls/fft_kernels.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum {
  WHOLE_MAX = 4096, ///< rows that are transformed in one piece
  SPLIT_MIN = 64,
  ALIGNMENT = 64
};

/// exp(-2 pi i k / n).
struct root {
  double re, im;
};

/// sin(x) and cos(x) for 0 <= x <= pi / 4, by their series.
static struct root small_root(double x) {
  static const double sines[] = {-1.0 / 6,
                                 1.0 / 120,
                                 -1.0 / 5040,
                                 1.0 / 362880,
                                 -1.0 / 39916800,
                                 1.0 / 6227020800,
                                 -1.0 / 1307674368000,
                                 1.0 / 355687428096000};
  static const double cosines[] = {-1.0 / 2,           1.0 / 24,
                                   -1.0 / 720,         1.0 / 40320,
                                   -1.0 / 3628800,     1.0 / 479001600,
                                   -1.0 / 87178291200, 1.0 / 20922789888000};
  double square = x * x;
  double sine = 0;
  double cosine = 0;
  for (int i = 7; i >= 0; i--) {
    sine = (sine + sines[i]) * square;
    cosine = (cosine + cosines[i]) * square;
  }
  return (struct root){1 + cosine, x + x * sine};
}

/// By symmetry, from an angle that is at most an eighth of the circle.
static struct root find_root(uint64_t k, uint64_t n) {
  static const double pi = 3.14159265358979323846;
  uint64_t at = k % n * 8; /* of 8 n */
  bool is_below = at > 4 * n;
  if (is_below)
    at = 8 * n - at;
  bool is_left = at > 2 * n;
  if (is_left)
    at = 4 * n - at;
  bool is_steep = at > n;
  if (is_steep)
    at = 2 * n - at;
  struct root root = small_root(pi * (double)at / (4 * (double)n));
  if (is_steep)
    root = (struct root){root.im, root.re};
  return (struct root){is_left ? -root.re : root.re,
                       is_below ? root.im : -root.im};
}

/// NULL without memory, which the arena notes.
static void *add_table(struct jr_fft_plan *plan, size_t count) {
  if (count > SIZE_MAX / plan->element_bytes)
    plan->tables.failed = true;
  return plan->tables.failed
             ? NULL
             : jr_arena_alloc_aligned(&plan->tables,
                                      count * plan->element_bytes, ALIGNMENT);
}

static bool has_doubles(const struct jr_fft_plan *plan) {
  return plan->element_bytes == 2 * sizeof(double);
}

static void put_number(const struct jr_fft_plan *plan, void *table,
                       size_t index, double number) {
  if (has_doubles(plan))
    ((double *)table)[index] = number;
  else
    ((float *)table)[index] = (float)number;
}

static void put_root(const struct jr_fft_plan *plan, void *table, size_t index,
                     struct root root) {
  put_number(plan, table, 2 * index, root.re);
  put_number(plan, table, 2 * index + 1, root.im);
}

/// exp(-2 pi i k / n) for k < count.
static void *make_roots(struct jr_fft_plan *plan, size_t n, size_t count) {
  void *table = add_table(plan, count);
  for (size_t k = 0; k < count && table; k++)
    put_root(plan, table, k, find_root(k, n));
  return table;
}

/// Twiddles of a pass: exp(-2 pi i p k / (radix * left)).
static void *make_twiddles(struct jr_fft_plan *plan, size_t radix,
                           size_t left) {
  void *table = add_table(plan, (radix - 1) * left);
  for (size_t p = 0; p < left && table; p++)
    for (size_t k = 1; k < radix; k++)
      put_root(plan, table, p * (radix - 1) + k - 1,
               find_root(p * k, radix * left));
  return table;
}

static void add_radices(struct jr_fft_passes *passes, size_t radix,
                        size_t times) {
  while (times-- > 0)
    passes->passes[passes->count++].radix = radix;
}

/// The radices of a length in the order of the passes: eights and fours of its
/// twos, then odd ones. False where it has a prime that is too large.
static bool find_radices(size_t length, struct jr_fft_passes *passes) {
  *passes = (struct jr_fft_passes){.length = length};
  size_t twos = (size_t)__builtin_ctzll(length);
  size_t eights = twos / 3;
  size_t left = twos % 3;
  if (left == 1 && eights > 0) {
    eights--;
    left = 4;
  }
  add_radices(passes, 8, eights);
  add_radices(passes, 4, left / 2);
  add_radices(passes, 2, left % 2);
  length >>= twos;
  for (size_t radix = 3; length > 1 && radix <= JR_FFT_MAX_RADIX; radix += 2)
    for (; length % radix == 0; length /= radix)
      add_radices(passes, radix, 1);
  return length == 1;
}

static void make_passes(struct jr_fft_plan *plan,
                        struct jr_fft_passes *passes) {
  size_t made = 1;
  for (size_t i = 0; i < passes->count; i++) {
    struct jr_fft_pass *pass = &passes->passes[i];
    pass->made = made;
    pass->left = passes->length / made / pass->radix;
    pass->twiddles = make_twiddles(plan, pass->radix, pass->left);
    pass->roots = pass->radix % 2 == 0
                      ? NULL
                      : make_roots(plan, pass->radix, pass->radix);
    made *= pass->radix;
  }
}

/// What a split into `columns` columns of `rows` rows costs: passes go over
/// whole vectors of columns.
static double split_cost(const struct jr_fft_plan *plan, size_t rows,
                         size_t columns) {
  size_t lanes = plan->kernels->lanes;
  size_t width = (columns + lanes - 1) / lanes * lanes;
  struct jr_fft_passes passes;
  (void)find_radices(rows, &passes);
  return (double)width * (double)rows * ((double)passes.count + 1);
}

/// The best number of rows of the first part, or 1.
static size_t find_split(const struct jr_fft_plan *plan) {
  size_t length = plan->length;
  size_t best = 1;
  double least = 0;
  for (size_t rows = 2; rows <= length / rows; rows++) {
    if (length % rows != 0)
      continue;
    size_t columns = length / rows;
    double cost =
        split_cost(plan, columns, rows) + split_cost(plan, rows, columns);
    if (best == 1 || cost <= least) {
      best = columns;
      least = cost;
    }
  }
  return best;
}

/// Twiddles between both parts: exp(-2 pi i row column / length), as those of
/// the first columns times those where a vector of columns starts.
static void make_middle(struct jr_fft_plan *plan) {
  size_t lanes = plan->kernels->lanes;
  size_t rows = plan->first.length;
  size_t vectors = (plan->second.length + lanes - 1) / lanes;
  void *twiddles = add_table(plan, rows * lanes);
  void *starts = add_table(plan, rows * vectors);
  for (size_t i = 0; i < rows && !plan->tables.failed; i++) {
    for (size_t l = 0; l < lanes; l++) {
      struct root root = find_root(i * l, plan->length);
      put_number(plan, twiddles, 2 * i * lanes + l, root.re);
      put_number(plan, twiddles, (2 * i + 1) * lanes + l, root.im);
    }
    for (size_t v = 0; v < vectors; v++)
      put_root(plan, starts, v * rows + i,
               find_root(i * v * lanes, plan->length));
  }
  plan->twiddles = twiddles;
  plan->starts = starts;
}

static void plan_small_primes(struct jr_fft_plan *plan) {
  if (plan->length <= WHOLE_MAX)
    make_passes(plan, &plan->whole);
  else
    plan->whole.length = 0;
  size_t rows = plan->length < SPLIT_MIN ? 1 : find_split(plan);
  if (rows == 1)
    return;
  (void)find_radices(rows, &plan->first);
  (void)find_radices(plan->length / rows, &plan->second);
  make_passes(plan, &plan->first);
  make_passes(plan, &plan->second);
  make_middle(plan);
}

/// The least number that is not below `least` and easy to transform.
static size_t find_padded(size_t least) {
  static const size_t odd[] = {1, 3, 5, 9, 15};
  size_t best = SIZE_MAX;
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
    size_t length = odd[i];
    while (length < least)
      length *= 2;
    if (length < best)
      best = length;
  }
  return best;
}

/// The transform of the chirp that other lines are multiplied with.
static void make_filter(struct jr_fft_plan *plan, void *filter) {
  size_t length = plan->length;
  size_t padded = plan->chirp.padded;
  void *room = jr_malloc_aligned(ALIGNMENT, jr_fft_room(plan->inner, 1));
  plan->tables.failed |= !room;
  for (size_t k = 0; k < padded && room; k++) {
    uint64_t at = k < length ? k : padded - k;
    struct root root = {0, 0};
    if (at < length)
      root = find_root(at * at % (2 * length), 2 * length);
    put_root(plan, filter, k, (struct root){root.re, -root.im});
  }
  if (room)
    jr_fft_line(plan->inner, &(struct jr_fft_run){.in = filter,
                                                  .out = filter,
                                                  .scale = 1 / (double)padded,
                                                  .room = room,
                                                  .piece_count = 1});
  free(room);
}

static void plan_convolution(struct jr_fft_plan *plan) {
  size_t length = plan->length;
  plan->chirp.length = length;
  plan->chirp.padded = find_padded(2 * length - 1);
  plan->inner =
      jr_fft_plan_create(plan->chirp.padded, has_doubles(plan), false);
  void *numbers = add_table(plan, length);
  void *filter = add_table(plan, plan->chirp.padded);
  plan->tables.failed |= !plan->inner;
  if (plan->tables.failed)
    return;
  for (uint64_t k = 0; k < length; k++)
    put_root(plan, numbers, k, find_root(k * k % (2 * length), 2 * length));
  make_filter(plan, filter);
  plan->chirp.numbers = numbers;
  plan->chirp.filter = filter;
}

struct jr_fft_plan *jr_fft_plan_create(size_t length, bool is_double,
                                       bool is_real) {
  struct jr_fft_plan *plan = jr_calloc(1, sizeof *plan);
  if (!plan)
    return NULL;
  plan->length = length;
  plan->element_bytes = 2 * (is_double ? sizeof(double) : sizeof(float));
  plan->kernels = jr_fft_kernels_get(is_double);
  bool has_passes = find_radices(length, &plan->whole);
  if (!has_passes)
    plan->whole.length = 0;
  if (has_passes)
    plan_small_primes(plan);
  else if (!is_real || length % 2 != 0)
    plan_convolution(plan);
  if (is_real && length % 2 == 0) {
    plan->half = jr_fft_plan_create(length / 2, is_double, false);
    plan->turns = make_roots(plan, length, length / 4 + 1);
    plan->tables.failed |= !plan->half;
  }
  if (!plan->tables.failed)
    return plan;
  jr_fft_plan_destroy(plan);
  return NULL;
}

void jr_fft_plan_destroy(struct jr_fft_plan *plan) {
  if (!plan)
    return;
  jr_fft_plan_destroy(plan->inner);
  jr_fft_plan_destroy(plan->half);
  jr_arena_deinit(&plan->tables);
  free(plan);
}
