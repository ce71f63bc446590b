/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Placing by importance. Which temporaries meet is found once, in the order of
/// time; where too many do, this way is not worth its time.
#include "jit/temps.h"

#include "base/alloc.h"

#include <stdlib.h>

enum { MEETINGS_EACH = 32, MEETINGS_ALWAYS = 1 << 18 };

/// Whom each temporary meets, one list behind the other.
struct meetings {
  uint32_t *others;
  size_t *ends; ///< of the list of each; it begins where the one before ends
};

struct keyed {
  double key;
  uint32_t index;
};

static int compare_falling(const void *a, const void *b) {
  const struct keyed *left = a;
  const struct keyed *right = b;
  if (left->key != right->key)
    return left->key > right->key ? -1 : 1;
  return left->index < right->index ? -1 : left->index > right->index;
}

/// Calls of one sweep: counts, or fills the lists.
struct sweep {
  const struct jr_temp *temps;
  const uint32_t *begins;
  size_t used;
  uint32_t *active;
  size_t limit; ///< of meetings
};

/// Adds the meetings of all with those that began before; how many there are,
/// or more than the limit.
static size_t count_meetings(const struct sweep *sweep, size_t *counts) {
  size_t active_count = 0;
  size_t total = 0;
  for (size_t i = 0; i < sweep->used && total <= sweep->limit; i++) {
    uint32_t index = sweep->begins[i];
    size_t kept = 0;
    for (size_t j = 0; j < active_count; j++) {
      uint32_t other = sweep->active[j];
      if (sweep->temps[other].last < sweep->temps[index].first)
        continue;
      sweep->active[kept++] = other;
      counts[other]++;
    }
    counts[index] += kept;
    total += kept;
    sweep->active[kept] = index;
    active_count = kept + 1;
  }
  return total;
}

static void fill_meetings(const struct sweep *sweep,
                          struct meetings *meetings) {
  size_t active_count = 0;
  for (size_t i = 0; i < sweep->used; i++) {
    uint32_t index = sweep->begins[i];
    size_t kept = 0;
    for (size_t j = 0; j < active_count; j++) {
      uint32_t other = sweep->active[j];
      if (sweep->temps[other].last < sweep->temps[index].first)
        continue;
      sweep->active[kept++] = other;
      meetings->others[meetings->ends[other]++] = index;
      meetings->others[meetings->ends[index]++] = other;
    }
    sweep->active[kept] = index;
    active_count = kept + 1;
  }
}

static bool find_meetings(const struct jr_temp *temps, size_t count,
                          struct meetings *meetings) {
  size_t used = 0;
  uint32_t *begins = jr_temps_by_first(temps, count, &used);
  uint32_t *active = jr_malloc((count + 1) * sizeof *active);
  meetings->ends = jr_calloc(count + 1, sizeof *meetings->ends);
  struct sweep sweep = {.temps = temps,
                        .begins = begins,
                        .used = used,
                        .active = active,
                        .limit = MEETINGS_EACH * count + MEETINGS_ALWAYS};
  size_t total = SIZE_MAX;
  if (begins && active && meetings->ends)
    total = count_meetings(&sweep, meetings->ends);
  if (total <= sweep.limit)
    meetings->others = jr_malloc((2 * total + 1) * sizeof *meetings->others);
  if (meetings->others) {
    size_t begin = 0;
    for (size_t i = 0; i < count; i++) {
      size_t own = meetings->ends[i];
      meetings->ends[i] = begin;
      begin += own;
    }
    fill_meetings(&sweep, meetings);
  }
  free(begins);
  free(active);
  return meetings->others != NULL;
}

static struct keyed *sort_temps(const struct jr_temp *temps, size_t count,
                                enum jr_temps_order order) {
  struct keyed *keys = jr_malloc((count + 1) * sizeof *keys);
  if (!keys)
    return NULL;
  for (size_t i = 0; i < count; i++) {
    double key = (double)jr_temp_bytes(&temps[i]);
    if (order == JR_TEMPS_BY_AREA)
      key *= (double)temps[i].last - (double)temps[i].first + 1;
    keys[i] = (struct keyed){key, (uint32_t)i};
  }
  qsort(keys, count, sizeof *keys, compare_falling);
  return keys;
}

/// A place that is taken while another one is looked for.
struct taken {
  uint64_t begin, end;
};

static int compare_taken(const void *a, const void *b) {
  const struct taken *left = a;
  const struct taken *right = b;
  return left->begin < right->begin ? -1 : left->begin > right->begin;
}

/// The smallest gap between the places that are taken, else behind them.
static uint64_t find_gap(const struct jr_temp *temp, struct taken *taken,
                         size_t count) {
  uint64_t mask = (temp->alignment > JR_TEMP_ALIGNMENT ? temp->alignment
                                                       : JR_TEMP_ALIGNMENT) -
                  1;
  uint64_t size = jr_temp_bytes(temp);
  uint64_t end = 0;
  uint64_t best = UINT64_MAX;
  uint64_t least = UINT64_MAX;
  qsort(taken, count, sizeof *taken, compare_taken);
  for (size_t i = 0; i < count; i++) {
    uint64_t offset = (end + mask) & ~mask;
    if (taken[i].begin >= offset && taken[i].begin - offset >= size &&
        taken[i].begin - end < least) {
      least = taken[i].begin - end;
      best = offset;
    }
    end = taken[i].end > end ? taken[i].end : end;
  }
  return best != UINT64_MAX ? best : (end + mask) & ~mask;
}

/// Places one; those that it meets and that have none yet are at UINT64_MAX.
static uint64_t place_one(const struct jr_temp *temps, uint32_t index,
                          const struct meetings *meetings,
                          const uint64_t *offsets, struct taken *taken) {
  size_t count = 0;
  size_t begin = index > 0 ? meetings->ends[index - 1] : 0;
  for (size_t i = begin; i < meetings->ends[index]; i++) {
    uint32_t other = meetings->others[i];
    uint64_t offset = offsets[other];
    if (offset != UINT64_MAX)
      taken[count++] =
          (struct taken){offset, offset + jr_temp_bytes(&temps[other])};
  }
  return find_gap(&temps[index], taken, count);
}

bool jr_temps_greedy(const struct jr_temp *temps, size_t count,
                     enum jr_temps_order order, uint64_t *offsets,
                     uint64_t *out_end) {
  struct meetings meetings = {0};
  struct keyed *keys = sort_temps(temps, count, order);
  struct taken *taken = jr_malloc((count + 1) * sizeof *taken);
  bool is_ready = keys && taken && find_meetings(temps, count, &meetings);
  *out_end = 0;
  for (size_t i = 0; is_ready && i < count; i++)
    offsets[i] = UINT64_MAX;
  for (size_t i = 0; is_ready && i < count; i++) {
    uint32_t index = keys[i].index;
    if (!jr_temp_is_used(&temps[index]))
      continue;
    offsets[index] = place_one(temps, index, &meetings, offsets, taken);
    uint64_t end = offsets[index] + jr_temp_bytes(&temps[index]);
    *out_end = end > *out_end ? end : *out_end;
  }
  free(keys);
  free(taken);
  free(meetings.others);
  free(meetings.ends);
  return is_ready;
}
