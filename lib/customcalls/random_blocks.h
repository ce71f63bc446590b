/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The counter-based generators of Random123 (J. Salmon et al., "Parallel
/// Random Numbers: As Easy as 1, 2, 3", 2011), many blocks at once: each
/// operation is done for all of them before the next one, in vectors.
#ifndef JR_CUSTOMCALLS_RANDOM_BLOCKS_H
#define JR_CUSTOMCALLS_RANDOM_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

/// Key and counter, low words first. Threefry uses half of the counter.
struct jr_random {
  uint32_t key[2];
  uint32_t counter[4];
};

/// Makes the words of `count` blocks, those whose counters are `first` and more
/// above that of `random`: Threefry-2x32-20 has two words in a block,
/// Philox-4x32-10 has four. Room is needed for a multiple of JR_RANDOM_LANES
/// blocks.
typedef void (*jr_random_fn_t)(const struct jr_random *random, uint64_t first,
                               size_t count, uint32_t *out_words);

#define JR_RANDOM_LANES 32

void jr_threefry_blocks(const struct jr_random *random, uint64_t first,
                        size_t count, uint32_t *out_words);
void jr_philox_blocks(const struct jr_random *random, uint64_t first,
                      size_t count, uint32_t *out_words);

/// Moves the counter on, as a number of 128 bits, or of the low 64 alone.
void jr_random_advance(struct jr_random *random, uint64_t blocks,
                       uint32_t bits);

#endif
