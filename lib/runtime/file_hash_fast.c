/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// XXH3 is as fast as memory with wide vectors, and takes twice as long with
/// those that every CPU has.
#include "runtime/file_hash.h"

#include "base/cpu.h"

void jr_hash_file_fast(const struct jr_hash_input *input,
                       unsigned char out_hash[JR_HASH_BYTES]) {
  switch (jr_cpu_vectors()) {
  case JR_VECTORS_AVX512:
    jr_hash_file_avx512(input, out_hash);
    return;
  case JR_VECTORS_AVX2:
    jr_hash_file_avx2(input, out_hash);
    return;
  case JR_VECTORS_BASE:
    jr_hash_file(input, out_hash);
    return;
  }
}
