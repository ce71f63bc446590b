/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See random_blocks.h. Where the CPU has AVX2, the same code compiled for it
/// runs.
#include "customcalls/random_blocks.h"

#include "base/cpu.h"

#include <stddef.h>
#include <stdint.h>

enum { LANES = JR_RANDOM_LANES, PHILOX_ROUNDS = 10 };

typedef uint32_t lanes_t __attribute__((vector_size(LANES * 4)));

#define ALWAYS_INLINE static inline __attribute__((always_inline))

static uint64_t join(const uint32_t *words) {
  return words[0] | (uint64_t)words[1] << 32;
}

static void split(uint64_t value, uint32_t *out_words) {
  out_words[0] = (uint32_t)value;
  out_words[1] = (uint32_t)(value >> 32);
}

void jr_random_advance(struct jr_random *random, uint64_t blocks,
                       uint32_t bits) {
  uint64_t low = join(random->counter) + blocks;
  bool has_carry = low < blocks;
  split(low, random->counter);
  if (has_carry && bits > 64)
    split(join(random->counter + 2) + 1, random->counter + 2);
}

/// Four mixing steps and a part of the key; `mixed` are the two words of each
/// block.
ALWAYS_INLINE void mix(lanes_t mixed[2], const int rotations[4],
                       const uint32_t key[3], int round) {
  for (int i = 0; i < 4; i++) {
    mixed[0] += mixed[1];
    mixed[1] = mixed[1] << rotations[i] | mixed[1] >> (32 - rotations[i]);
    mixed[1] ^= mixed[0];
  }
  mixed[0] += key[round % 3];
  mixed[1] += key[(round + 1) % 3] + (uint32_t)round;
}

/// LANES blocks of Threefry.
ALWAYS_INLINE void mix_lanes(const uint32_t key[3], uint64_t counter,
                             uint32_t *out_words) {
  static const int rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  lanes_t mixed[2];
  for (uint32_t i = 0; i < LANES; i++) {
    mixed[0][i] = (uint32_t)(counter + i) + key[0];
    mixed[1][i] = (uint32_t)((counter + i) >> 32) + key[1];
  }
  for (int round = 1; round <= 5; round++)
    mix(mixed, rotations[(round + 1) % 2], key, round);
  for (uint32_t i = 0; i < LANES; i++) {
    out_words[2 * (size_t)i] = mixed[0][i];
    out_words[2 * (size_t)i + 1] = mixed[1][i];
  }
}

ALWAYS_INLINE void mix_blocks(const struct jr_random *random, uint64_t first,
                              size_t count, uint32_t *out_words) {
  const uint32_t key[3] = {random->key[0], random->key[1],
                           random->key[0] ^ random->key[1] ^ 0x1BD11BDA};
  uint64_t counter = join(random->counter) + first;
  for (size_t i = 0; i < count; i += LANES)
    mix_lanes(key, counter + i, out_words + 2 * i);
}

/// LANES blocks of Philox; `words` are the four words of each block.
ALWAYS_INLINE void multiply_lanes(const struct jr_random *random,
                                  uint32_t words[4][LANES]) {
  uint32_t key[2] = {random->key[0], random->key[1]};
  for (int round = 0; round < PHILOX_ROUNDS; round++) {
    for (int i = 0; i < LANES; i++) {
      uint64_t first = words[0][i] * UINT64_C(0xD2511F53);
      uint64_t second = words[2][i] * UINT64_C(0xCD9E8D57);
      words[0][i] = (uint32_t)(second >> 32) ^ words[1][i] ^ key[0];
      words[1][i] = (uint32_t)second;
      words[2][i] = (uint32_t)(first >> 32) ^ words[3][i] ^ key[1];
      words[3][i] = (uint32_t)first;
    }
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
}

ALWAYS_INLINE void multiply_blocks(const struct jr_random *random,
                                   uint64_t first, size_t count,
                                   uint32_t *out_words) {
  uint64_t low = join(random->counter);
  uint64_t high = join(random->counter + 2);
  for (size_t i = 0; i < count; i += LANES) {
    uint32_t words[4][LANES];
    for (uint32_t j = 0; j < LANES; j++) {
      uint64_t more = first + i + j;
      uint64_t carried = high + (low + more < low);
      words[0][j] = (uint32_t)(low + more);
      words[1][j] = (uint32_t)((low + more) >> 32);
      words[2][j] = (uint32_t)carried;
      words[3][j] = (uint32_t)(carried >> 32);
    }
    multiply_lanes(random, words);
    for (uint32_t j = 0; j < LANES; j++)
      for (int word = 0; word < 4; word++)
        out_words[4 * (i + j) + (uint32_t)word] = words[word][j];
  }
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void
mix_avx2(const struct jr_random *random, uint64_t first, size_t count,
         uint32_t *out_words) {
  mix_blocks(random, first, count, out_words);
}

__attribute__((target("avx2"))) static void
multiply_avx2(const struct jr_random *random, uint64_t first, size_t count,
              uint32_t *out_words) {
  multiply_blocks(random, first, count, out_words);
}
#else
#define mix_avx2 mix_blocks
#define multiply_avx2 multiply_blocks
#endif

void jr_threefry_blocks(const struct jr_random *random, uint64_t first,
                        size_t count, uint32_t *out_words) {
  if (jr_cpu_vectors() >= JR_VECTORS_AVX2)
    mix_avx2(random, first, count, out_words);
  else
    mix_blocks(random, first, count, out_words);
}

void jr_philox_blocks(const struct jr_random *random, uint64_t first,
                      size_t count, uint32_t *out_words) {
  if (jr_cpu_vectors() >= JR_VECTORS_AVX2)
    multiply_avx2(random, first, count, out_words);
  else
    multiply_blocks(random, first, count, out_words);
}
