/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The hash that images are checked with, over bytes that may be a large file.
#ifndef JR_RUNTIME_FILE_HASH_H
#define JR_RUNTIME_FILE_HASH_H

#include <stdbool.h>
#include <stddef.h>

enum { JR_HASH_BYTES = 16 };

struct jr_hash_input {
  const unsigned char *data;
  size_t size;
  size_t hole; ///< offset of JR_HASH_BYTES that count as zeros; SIZE_MAX: none
  bool is_mapped; ///< a mapping of a file that nobody wrote to: the pages of a
                  ///< large one are given back as they are read
};

/// XXH3-128 in its canonical form.
void jr_hash_file(const struct jr_hash_input *input,
                  unsigned char out_hash[JR_HASH_BYTES]);

/// The same with the widest vectors of this CPU: 24 KiB more code, which
/// programs with a linked image do without.
void jr_hash_file_fast(const struct jr_hash_input *input,
                       unsigned char out_hash[JR_HASH_BYTES]);

/// file_hash_avx2.c, file_hash_avx512.c: for CPUs that have these vectors.
void jr_hash_file_avx2(const struct jr_hash_input *input,
                       unsigned char out_hash[JR_HASH_BYTES]);
void jr_hash_file_avx512(const struct jr_hash_input *input,
                         unsigned char out_hash[JR_HASH_BYTES]);

#endif
