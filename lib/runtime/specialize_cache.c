/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The specialised programs that are kept: chains by hash, and one list in the
/// order of use. Equal hashes are not taken for equal keys.
#include "runtime/specialize.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static void hash_words(const int64_t *words, size_t count, uint64_t out[2]) {
  XXH128_hash_t hash = XXH3_128bits(words, count * sizeof *words);
  out[0] = hash.low64;
  out[1] = hash.high64;
}

static size_t chain_of(const uint64_t hash[2]) {
  return (size_t)(hash[0] % JR_CHAIN_COUNT);
}

struct jr_variant *jr_variant_find(const struct jr_variant_cache *cache,
                                   const int64_t *words, size_t word_count) {
  uint64_t hash[2];
  hash_words(words, word_count, hash);
  struct jr_variant *variant = cache->chains[chain_of(hash)];
  while (variant &&
         (variant->hash[0] != hash[0] || variant->hash[1] != hash[1] ||
          variant->word_count != word_count ||
          memcmp(variant->words, words, word_count * sizeof *words) != 0))
    variant = variant->chain;
  return variant;
}

static void push_newest(struct jr_variant_cache *cache,
                        struct jr_variant *variant) {
  variant->newer = NULL;
  variant->older = cache->newest;
  if (cache->newest)
    cache->newest->newer = variant;
  else
    cache->oldest = variant;
  cache->newest = variant;
}

static void unlink_use(struct jr_variant_cache *cache,
                       struct jr_variant *variant) {
  if (variant->newer)
    variant->newer->older = variant->older;
  else
    cache->newest = variant->older;
  if (variant->older)
    variant->older->newer = variant->newer;
  else
    cache->oldest = variant->newer;
}

void jr_variant_touch(struct jr_variant_cache *cache,
                      struct jr_variant *variant) {
  if (cache->newest == variant)
    return;
  unlink_use(cache, variant);
  push_newest(cache, variant);
}

struct jr_variant *jr_variant_add(jitrun_specializer_t *specializer,
                                  const int64_t *words, size_t word_count) {
  struct jr_variant_cache *cache = &specializer->cache;
  struct jr_variant *variant =
      jr_malloc(sizeof *variant + word_count * sizeof *words);
  if (!variant)
    return NULL;
  *variant = (struct jr_variant){.specializer = specializer,
                                 .state = JR_VARIANT_COMPILING,
                                 .word_count = word_count};
  memcpy(variant->words, words, word_count * sizeof *words);
  hash_words(words, word_count, variant->hash);
  struct jr_variant **chain = &cache->chains[chain_of(variant->hash)];
  variant->chain = *chain;
  *chain = variant;
  push_newest(cache, variant);
  cache->count++;
  return variant;
}

static void remove_variant(struct jr_variant_cache *cache,
                           struct jr_variant *variant) {
  struct jr_variant **link = &cache->chains[chain_of(variant->hash)];
  while (*link != variant)
    link = &(*link)->chain;
  *link = variant->chain;
  unlink_use(cache, variant);
  cache->count--;
}

struct jr_variant *jr_variant_trim(struct jr_variant_cache *cache) {
  struct jr_variant *removed = NULL;
  struct jr_variant *variant = cache->oldest;
  while (variant && cache->count > cache->limit) {
    struct jr_variant *newer = variant->newer;
    if (variant->users == 0 && variant->state != JR_VARIANT_COMPILING) {
      remove_variant(cache, variant);
      variant->chain = removed;
      removed = variant;
    }
    variant = newer;
  }
  return removed;
}

void jr_variant_free(struct jr_variant *variant) {
  while (variant) {
    struct jr_variant *next = variant->chain;
    jitrun_program_release(variant->program);
    jitrun_error_free(variant->error);
    free(variant);
    variant = next;
  }
}

void jr_variant_cache_deinit(struct jr_variant_cache *cache) {
  cache->limit = 0;
  jr_variant_free(jr_variant_trim(cache));
}
