/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Placing in the order of time. The arena is a list of segments, in use or
/// free; free ones are found by their size in lists, one a class of sizes, as
/// allocators do, so that each step takes the same time however many there are.
/// What goes next to an end of the arena leaves the middle in one piece.
#include "jit/temps.h"

#include "base/alloc.h"

#include <stdlib.h>

enum {
  CLASS_BITS = 4, ///< of a size below its first one
  CLASS_COUNT = 64 << CLASS_BITS,
  LOOKED_AT = 16, ///< of the free segments of one class
  NONE = -1
};

/// A part of the arena: the neighbours by address, and of free ones by class.
struct segment {
  uint64_t offset, size;
  int64_t below, above;
  int64_t before, behind;
  bool is_free;
};

struct arena {
  struct segment *segments;
  int64_t used_count; ///< of `segments`
  int64_t spare;      ///< first of those that merged, by `above`
  int64_t top;        ///< last by address
  uint64_t end;
  int64_t free_of[CLASS_COUNT];
  uint64_t filled[CLASS_COUNT / 64]; ///< a bit for each class that has some
};

static uint32_t class_of(uint64_t size) {
  uint32_t high = 63u - (uint32_t)__builtin_clzll(size | 1);
  uint32_t shift = high > CLASS_BITS ? high - CLASS_BITS : 0;
  return (high << CLASS_BITS) | (uint32_t)((size >> shift) & 15);
}

static int64_t new_segment(struct arena *arena, uint64_t offset,
                           uint64_t size) {
  int64_t index = arena->spare;
  if (index != NONE)
    arena->spare = arena->segments[index].above;
  else
    index = arena->used_count++;
  arena->segments[index] = (struct segment){.offset = offset,
                                            .size = size,
                                            .below = NONE,
                                            .above = NONE,
                                            .before = NONE,
                                            .behind = NONE};
  return index;
}

static void add_free(struct arena *arena, int64_t index) {
  struct segment *segment = &arena->segments[index];
  uint32_t class = class_of(segment->size);
  segment->is_free = true;
  segment->before = NONE;
  segment->behind = arena->free_of[class];
  if (segment->behind != NONE)
    arena->segments[segment->behind].before = index;
  arena->free_of[class] = index;
  arena->filled[class / 64] |= UINT64_C(1) << (class % 64);
}

static void remove_free(struct arena *arena, int64_t index) {
  struct segment *segment = &arena->segments[index];
  uint32_t class = class_of(segment->size);
  segment->is_free = false;
  if (segment->behind != NONE)
    arena->segments[segment->behind].before = segment->before;
  if (segment->before != NONE)
    arena->segments[segment->before].behind = segment->behind;
  else
    arena->free_of[class] = segment->behind;
  if (arena->free_of[class] == NONE)
    arena->filled[class / 64] &= ~(UINT64_C(1) << (class % 64));
}

/// The smallest of the first ones of a class that are large enough.
static int64_t look_in(const struct arena *arena, uint32_t class,
                       uint64_t size) {
  int64_t best = NONE;
  int64_t next = arena->free_of[class];
  for (int i = 0; i < LOOKED_AT && next != NONE; i++) {
    const struct segment *segment = &arena->segments[next];
    if (segment->size >= size &&
        (best == NONE || segment->size < arena->segments[best].size))
      best = next;
    next = segment->behind;
  }
  return best;
}

static int64_t find_free(const struct arena *arena, uint64_t size) {
  uint32_t class = class_of(size);
  int64_t found = look_in(arena, class, size);
  uint32_t word = ++class / 64;
  uint64_t bits = word < CLASS_COUNT / 64
                      ? arena->filled[word] & (UINT64_MAX << (class % 64))
                      : 0;
  while (found == NONE && word < CLASS_COUNT / 64) {
    if (bits)
      return look_in(arena, 64 * word + (uint32_t)__builtin_ctzll(bits), size);
    word++;
    bits = word < CLASS_COUNT / 64 ? arena->filled[word] : 0;
  }
  return found;
}

/// Puts segment `index`, which is new, above another one.
static void insert_above(struct arena *arena, int64_t index, int64_t below) {
  struct segment *segment = &arena->segments[index];
  segment->below = below;
  segment->above = arena->segments[below].above;
  arena->segments[below].above = index;
  if (segment->above != NONE)
    arena->segments[segment->above].below = index;
  else
    arena->top = index;
}

/// Cuts what is above `size` bytes off a segment, to be free.
static void cut_above(struct arena *arena, int64_t index, uint64_t size) {
  struct segment *segment = &arena->segments[index];
  if (segment->size == size)
    return;
  int64_t rest =
      new_segment(arena, segment->offset + size, segment->size - size);
  segment->size = size;
  insert_above(arena, rest, index);
  add_free(arena, rest);
}

/// A free segment of at least `size` at the end, where the arena grows.
static int64_t grow(struct arena *arena, uint64_t size) {
  int64_t last = arena->top;
  if (arena->segments[last].is_free && arena->segments[last].size >= size)
    return last;
  if (arena->segments[last].is_free) {
    remove_free(arena, last);
    arena->segments[last].size = size;
  } else {
    int64_t index = new_segment(arena, arena->end, size);
    insert_above(arena, index, last);
    last = index;
  }
  arena->end = arena->segments[last].offset + size;
  add_free(arena, last);
  return last;
}

/// Where in a free segment a temporary goes: to the end of the arena that the
/// segment reaches, if it does not reach both.
static uint64_t choose_offset(const struct segment *gap,
                              const struct jr_temp *temp) {
  uint64_t alignment = temp->alignment;
  if (gap->below != NONE && gap->above == NONE) {
    uint64_t high = gap->offset + gap->size - jr_temp_bytes(temp);
    high &= ~((alignment > JR_TEMP_ALIGNMENT ? alignment : 1) - 1);
    return high >= gap->offset ? high : gap->offset;
  }
  return (gap->offset + alignment - 1) & ~(alignment - 1);
}

/// The segment that the temporary has from now on.
static int64_t take_segment(struct arena *arena, const struct jr_temp *temp) {
  uint64_t size = jr_temp_bytes(temp);
  uint64_t room = temp->alignment > JR_TEMP_ALIGNMENT
                      ? size + temp->alignment - JR_TEMP_ALIGNMENT
                      : size;
  int64_t index = find_free(arena, room);
  if (index == NONE)
    index = grow(arena, room);
  uint64_t offset = choose_offset(&arena->segments[index], temp);
  remove_free(arena, index);
  uint64_t skipped = offset - arena->segments[index].offset;
  if (skipped > 0) {
    cut_above(arena, index, skipped);
    add_free(arena, index);
    index = arena->segments[index].above;
    remove_free(arena, index);
  }
  cut_above(arena, index, size);
  return index;
}

/// Joins a free segment with the one above it, if that is free.
static void join_above(struct arena *arena, int64_t index) {
  struct segment *segment = &arena->segments[index];
  int64_t above = segment->above;
  if (above == NONE || !arena->segments[above].is_free)
    return;
  remove_free(arena, index);
  remove_free(arena, above);
  segment->size += arena->segments[above].size;
  segment->above = arena->segments[above].above;
  if (segment->above != NONE)
    arena->segments[segment->above].below = index;
  else
    arena->top = index;
  arena->segments[above].above = arena->spare;
  arena->spare = above;
  add_free(arena, index);
}

static void give_segment(struct arena *arena, int64_t index) {
  int64_t below = arena->segments[index].below;
  add_free(arena, index);
  join_above(arena, index);
  if (below != NONE && arena->segments[below].is_free)
    join_above(arena, below);
}

/// Room for two segments a temporary, and one.
static bool init_arena(struct arena *arena, size_t count, uint64_t goal) {
  *arena = (struct arena){.spare = NONE, .end = goal};
  for (int i = 0; i < CLASS_COUNT; i++)
    arena->free_of[i] = NONE;
  arena->segments = jr_malloc((3 * count + 2) * sizeof *arena->segments);
  if (!arena->segments)
    return false;
  arena->top = new_segment(arena, 0, goal);
  add_free(arena, arena->top);
  return true;
}

bool jr_temps_sweep(const struct jr_temp *temps, size_t count, uint64_t goal,
                    uint64_t *offsets, uint64_t *out_end) {
  struct arena arena = {0};
  size_t used = 0;
  uint32_t *begins = jr_temps_by_first(temps, count, &used);
  uint32_t *ends = jr_temps_by_last(temps, count, &used);
  int64_t *places = jr_malloc((count + 1) * sizeof *places);
  bool is_ready = begins && ends && places && init_arena(&arena, count, goal);
  size_t ended = 0;
  for (size_t i = 0; is_ready && i < used; i++) {
    const struct jr_temp *temp = &temps[begins[i]];
    for (; temps[ends[ended]].last < temp->first; ended++)
      give_segment(&arena, places[ends[ended]]);
    places[begins[i]] = take_segment(&arena, temp);
    offsets[begins[i]] = arena.segments[places[begins[i]]].offset;
  }
  *out_end = arena.end;
  free(begins);
  free(ends);
  free(places);
  free(arena.segments);
  return is_ready;
}
