/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See temps.h. The best arena is as hard to find as any packing, so several
/// ways are tried, the cheap ones first, until one is as small as the memory
/// that is in use at once.
#include "jit/temps.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/// What is sorted, without a comparison that needs more than its arguments.
struct keyed {
  uint64_t key;
  uint32_t index;
};

static int compare_keyed(const void *a, const void *b) {
  const struct keyed *left = a;
  const struct keyed *right = b;
  if (left->key != right->key)
    return left->key < right->key ? -1 : 1;
  return left->index < right->index ? -1 : left->index > right->index;
}

static uint32_t *sort_used(const struct jr_temp *temps, size_t count,
                           bool by_last, size_t *out_count) {
  struct keyed *keys = jr_malloc((count + 1) * sizeof *keys);
  uint32_t *order = jr_malloc((count + 1) * sizeof *order);
  size_t used = 0;
  *out_count = 0;
  for (size_t i = 0; keys && i < count; i++) {
    if (jr_temp_is_used(&temps[i]))
      keys[used++] =
          (struct keyed){by_last ? temps[i].last : temps[i].first, (uint32_t)i};
  }
  if (!keys || !order) {
    free(keys);
    free(order);
    return NULL;
  }
  qsort(keys, used, sizeof *keys, compare_keyed);
  for (size_t i = 0; i < used; i++)
    order[i] = keys[i].index;
  free(keys);
  *out_count = used;
  return order;
}

uint32_t *jr_temps_by_first(const struct jr_temp *temps, size_t count,
                            size_t *out_count) {
  return sort_used(temps, count, false, out_count);
}

uint32_t *jr_temps_by_last(const struct jr_temp *temps, size_t count,
                           size_t *out_count) {
  return sort_used(temps, count, true, out_count);
}

/// Follows what is in use through time: its most, as it is asked for and in
/// whole places.
static bool find_peak(const struct jr_temp *temps, size_t count,
                      uint64_t *out_bytes, uint64_t *out_places) {
  size_t used = 0;
  uint32_t *begins = jr_temps_by_first(temps, count, &used);
  uint32_t *ends = jr_temps_by_last(temps, count, &used);
  uint64_t bytes = 0;
  uint64_t places = 0;
  size_t ended = 0;
  *out_bytes = *out_places = 0;
  for (size_t i = 0; begins && ends && i < used; i++) {
    const struct jr_temp *temp = &temps[begins[i]];
    for (; temps[ends[ended]].last < temp->first; ended++) {
      bytes -= temps[ends[ended]].size_bytes;
      places -= jr_temp_bytes(&temps[ends[ended]]);
    }
    bytes += temp->size_bytes;
    places += jr_temp_bytes(temp);
    *out_bytes = bytes > *out_bytes ? bytes : *out_bytes;
    *out_places = places > *out_places ? places : *out_places;
  }
  bool is_done = begins && ends;
  free(begins);
  free(ends);
  return is_done;
}

static uint64_t align(uint64_t offset, uint64_t alignment) {
  return (offset + alignment - 1) & ~(alignment - 1);
}

static uint64_t place_behind(const struct jr_temp *temp, uint64_t end) {
  return align(end, temp->alignment > JR_TEMP_ALIGNMENT ? temp->alignment
                                                        : JR_TEMP_ALIGNMENT);
}

void jr_temps_stack(struct jr_temp *temps, size_t count,
                    struct jr_temps_size *out_size) {
  uint64_t end = 0;
  for (size_t i = 0; i < count; i++) {
    temps[i].offset = place_behind(&temps[i], end);
    end = temps[i].offset + temps[i].size_bytes;
  }
  *out_size = (struct jr_temps_size){end, end, end};
}

/// Ways of placing, and the best that they came to.
struct attempt {
  const struct jr_temp *temps;
  size_t count;
  uint64_t goal;
  uint64_t *offsets, *best; ///< of the last way, of the best one
  uint64_t end;             ///< of the best one; UINT64_MAX: none yet
};

static void keep_better(struct attempt *attempt, bool is_done, uint64_t end) {
  if (!is_done || end >= attempt->end)
    return;
  uint64_t *better = attempt->offsets;
  attempt->offsets = attempt->best;
  attempt->best = better;
  attempt->end = end;
}

/// Where a way fails, another one or none at all still is right.
static void try_ways(struct attempt *attempt) {
  const struct jr_temp *temps = attempt->temps;
  size_t count = attempt->count;
  uint64_t end = 0;
  bool is_done =
      jr_temps_sweep(temps, count, attempt->goal, attempt->offsets, &end);
  keep_better(attempt, is_done, end);
  for (int order = JR_TEMPS_BY_SIZE;
       order <= JR_TEMPS_BY_AREA && attempt->end > attempt->goal; order++) {
    is_done = jr_temps_greedy(temps, count, (enum jr_temps_order)order,
                              attempt->offsets, &end);
    keep_better(attempt, is_done, end);
  }
}

/// Takes the places over; the arena ends with the last byte that is used.
static void take_places(struct jr_temp *temps, size_t count,
                        const uint64_t *offsets, struct jr_temps_size *size) {
  size->arena_bytes = 0;
  for (size_t i = 0; i < count; i++) {
    temps[i].offset = jr_temp_is_used(&temps[i]) ? offsets[i] : 0;
    uint64_t end = temps[i].offset + temps[i].size_bytes;
    size->arena_bytes = end > size->arena_bytes ? end : size->arena_bytes;
  }
}

bool jr_temps_place(struct jr_temp *temps, size_t count,
                    struct jr_temps_size *out_size) {
  uint64_t peak = 0;
  struct attempt attempt = {.temps = temps, .count = count, .end = UINT64_MAX};
  jr_temps_stack(temps, count, out_size);
  if (count < 2)
    return true;
  if (!find_peak(temps, count, &peak, &attempt.goal))
    return false;
  attempt.offsets = jr_calloc(count, sizeof *attempt.offsets);
  attempt.best = jr_calloc(count, sizeof *attempt.best);
  bool is_done = attempt.offsets && attempt.best;
  out_size->peak_bytes = peak;
  if (is_done)
    try_ways(&attempt);
  if (is_done && attempt.end < out_size->arena_bytes)
    take_places(temps, count, attempt.best, out_size);
  free(attempt.offsets);
  free(attempt.best);
  return is_done;
}
