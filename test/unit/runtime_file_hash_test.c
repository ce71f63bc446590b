/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The hash of a file is the same by whatever vectors it is computed, and is
/// XXH3-128 with zeros in the hole.
#include "expect.h"

#include "base/cpu.h"
#include "runtime/file_hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { MOST_BYTES = 5000 };

typedef void (*hash_fn_t)(const struct jr_hash_input *input,
                          unsigned char out_hash[JR_HASH_BYTES]);

static unsigned char bytes[MOST_BYTES];

static void check(hash_fn_t hash, size_t size, size_t hole) {
  const struct jr_hash_input input = {bytes, size, hole, false};
  unsigned char copy[MOST_BYTES];
  unsigned char found[JR_HASH_BYTES];
  XXH128_canonical_t wanted;
  memcpy(copy, bytes, size);
  if (hole < size)
    memset(copy + hole, 0, JR_HASH_BYTES);
  XXH128_canonicalFromHash(&wanted, XXH3_128bits(copy, size));
  hash(&input, found);
  assert_memory_equal(found, wanted.digest, sizeof found);
}

static void test_vectors(void **state) {
  (void)state;
  static const size_t sizes[] = {16, 17, 64, 240, 241, 1024, 1025, 4999};
  static const hash_fn_t hashes[] = {jr_hash_file, jr_hash_file_fast,
                                     jr_hash_file_avx2, jr_hash_file_avx512};
  size_t count = jr_cpu_vectors() == JR_VECTORS_AVX512 ? 4
                 : jr_cpu_vectors() == JR_VECTORS_AVX2 ? 3
                                                       : 2;
  for (size_t i = 0; i < MOST_BYTES; i++)
    bytes[i] = (unsigned char)(i * 7 + i / 256);
  for (size_t i = 0; i < count; i++) {
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      check(hashes[i], sizes[k], SIZE_MAX);
      check(hashes[i], sizes[k], 0);
      check(hashes[i], sizes[k], sizes[k] - JR_HASH_BYTES);
      check(hashes[i], sizes[k], (sizes[k] - JR_HASH_BYTES) / 3);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_vectors)};
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
