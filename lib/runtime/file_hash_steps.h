/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The hash of a file as static functions, with the vectors that the file which
/// includes this is compiled for: file_hash.c once for every CPU, and
/// file_hash_avx2.c and file_hash_avx512.c for some.
#ifndef JR_RUNTIME_FILE_HASH_STEPS_H
#define JR_RUNTIME_FILE_HASH_STEPS_H

#include "runtime/file_hash.h"

#include <string.h>
#include <sys/mman.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/// What stays in memory at a time of a large mapping.
static const size_t WINDOW_BYTES = (size_t)32 << 20;

static void update(XXH3_state_t *state, const unsigned char *data, size_t size,
                   bool is_mapped) {
  while (is_mapped && size > 2 * WINDOW_BYTES) {
    size_t piece = WINDOW_BYTES - (size_t)data % WINDOW_BYTES;
    (void)XXH3_128bits_update(state, data, piece);
    /* The first window may begin before the mapping. */
    if (piece == WINDOW_BYTES)
      (void)madvise((void *)(size_t)data, piece, MADV_DONTNEED);
    data += piece;
    size -= piece;
  }
  (void)XXH3_128bits_update(state, data, size);
}

static void hash_file(const struct jr_hash_input *input,
                      unsigned char out_hash[JR_HASH_BYTES]) {
  static const unsigned char zeros[JR_HASH_BYTES] = {0};
  const unsigned char *data = input->data;
  size_t size = input->size;
  XXH3_state_t state;
  XXH128_canonical_t canonical;
  XXH3_INITSTATE(&state);
  (void)XXH3_128bits_reset(&state);
  if (input->hole < size) {
    update(&state, data, input->hole, input->is_mapped);
    (void)XXH3_128bits_update(&state, zeros, sizeof zeros);
    data += input->hole + JR_HASH_BYTES;
    size -= input->hole + JR_HASH_BYTES;
  }
  update(&state, data, size, input->is_mapped);
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&state));
  memcpy(out_hash, canonical.digest, JR_HASH_BYTES);
}

#endif
