/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Fuzzes the reader of .npz files: the first byte chooses between members. A
/// member that is found is no larger than what its front says.
#include "npy.h"
#include "npz.h"

#include "fuzz.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const names[] = {NULL, "x", "arr_0", "x.npy"};
  if (size == 0)
    return 0;
  struct jr_bytes file = {0};
  jitrun_error_t *error =
      jr_npz_read(data + 1, size - 1, names[data[0] % 4], &file);
  uint64_t total = 0;
  if (!error) {
    error = jr_npy_measure(file.data, file.size, &total);
    if (error || total != file.size)
      abort();
  }
  jitrun_error_free(error);
  jr_bytes_deinit(&file);
  return 0;
}
