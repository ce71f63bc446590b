/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Fuzzes the compiler with bytecode.
#include "compile_input.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size >= 4 && memcmp(data, "ML\xefR", 4) == 0)
    compile_input(data, size);
  return 0;
}
