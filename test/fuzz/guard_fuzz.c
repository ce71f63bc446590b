/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Fuzzes the look at text and bytecode before MLIR reads them.
#include "jit/guard.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  jitrun_error_free(jr_guard_text((const char *)data, size, "input"));
  if (size >= 4)
    jitrun_error_free(jr_guard_bytecode(data, size, "input"));
  return 0;
}
