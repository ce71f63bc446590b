/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Places of temporary memory in an arena: memory that is not in use at the
/// same time shares bytes. Knows nothing of programs, only sizes and times.
#ifndef JR_JIT_TEMPS_H
#define JR_JIT_TEMPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Placed memory is aligned to a cache line.
enum { JR_TEMP_ALIGNMENT = 64 };

/// One temporary, in use from step `first` to step `last`, both included; never
/// where `first` is behind `last`.
struct jr_temp {
  uint64_t size_bytes;
  uint64_t alignment; ///< a power of two; as small as 1
  uint32_t first, last;
  uint64_t offset; ///< its place: set by jr_temps_place()
};

/// What came of it.
struct jr_temps_size {
  uint64_t arena_bytes; ///< that the places need
  uint64_t sum_bytes;   ///< that places behind each other would need
  uint64_t peak_bytes;  ///< in use at once, at most: no arena is smaller
};

/// Places all; the same input always gives the same places. Takes time
/// proportional to `count` but for sorting. The sizes, each rounded up to its
/// alignment and to JR_TEMP_ALIGNMENT, must add up to less than 2^63. False:
/// out of memory.
bool jr_temps_place(struct jr_temp *temps, size_t count,
                    struct jr_temps_size *out_size)
    __attribute__((warn_unused_result));

/// Places all behind each other, whenever they are in use.
void jr_temps_stack(struct jr_temp *temps, size_t count,
                    struct jr_temps_size *out_size);

// The ways of placing: each fills `offsets` and tells the end of the last
// place. False: out of memory, or more work than is worth it.

/// In the order of time, from both ends of an arena of `goal` bytes, which
/// grows where that is too small: exact for chains and stacks.
bool jr_temps_sweep(const struct jr_temp *temps, size_t count, uint64_t goal,
                    uint64_t *offsets, uint64_t *out_end)
    __attribute__((warn_unused_result));

enum jr_temps_order {
  JR_TEMPS_BY_SIZE, ///< largest first
  JR_TEMPS_BY_AREA  ///< size times duration
};

/// One after the other, each into the smallest gap between those that it meets.
bool jr_temps_greedy(const struct jr_temp *temps, size_t count,
                     enum jr_temps_order order, uint64_t *offsets,
                     uint64_t *out_end) __attribute__((warn_unused_result));

/// The size of its place: a multiple of JR_TEMP_ALIGNMENT.
static inline uint64_t jr_temp_bytes(const struct jr_temp *temp) {
  const uint64_t granule = JR_TEMP_ALIGNMENT;
  return (temp->size_bytes + granule - 1) / granule * granule;
}

static inline bool jr_temp_is_used(const struct jr_temp *temp) {
  return temp->first <= temp->last && temp->size_bytes > 0;
}

/// The indices of the temporaries that are used, by the step of their first
/// use, or of their last; to be freed. NULL: out of memory.
uint32_t *jr_temps_by_first(const struct jr_temp *temps, size_t count,
                            size_t *out_count);
uint32_t *jr_temps_by_last(const struct jr_temp *temps, size_t count,
                           size_t *out_count);

#endif
