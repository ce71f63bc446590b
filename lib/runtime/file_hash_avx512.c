/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Compiled for CPUs with AVX-512; see file_hash.c.
#include "runtime/file_hash_steps.h"

void jr_hash_file_avx512(const struct jr_hash_input *input,
                         unsigned char out_hash[JR_HASH_BYTES]) {
  hash_file(input, out_hash);
}
