/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Compiled for every CPU of the machine; see file_hash.h.
#include "runtime/file_hash_steps.h"

void jr_hash_file(const struct jr_hash_input *input,
                  unsigned char out_hash[JR_HASH_BYTES]) {
  hash_file(input, out_hash);
}
