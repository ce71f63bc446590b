/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Fuzzes the reader of .npy files. What it takes is written again, and read
/// once more: with the same type, sizes and elements.
#include "npy.h"

#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

static int load(struct jr_bytes *bytes, jitrun_dtype_t wanted,
                struct jr_value *out_value) {
  *out_value = (struct jr_value){0};
  jitrun_error_t *error = jr_npy_load(bytes, wanted, out_value);
  int is_loaded = error == NULL;
  jitrun_error_free(error);
  return is_loaded;
}

/// Writes a value; false for what numpy has no type for.
static int format(const struct jr_value *value, struct jr_bytes *out) {
  jitrun_error_t *error = jr_npy_format(out, value);
  int is_written = error == NULL;
  jitrun_error_free(error);
  return is_written;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct jr_bytes bytes = {0};
  struct jr_bytes written = {0};
  struct jr_bytes again = {0};
  struct jr_value first = {0};
  struct jr_value second = {0};
  // The first byte is the type that is wanted, where several may be.
  jitrun_dtype_t wanted = JITRUN_DTYPE_INVALID;
  if (size > 0 && data[0] < 32)
    wanted = (jitrun_dtype_t)data[0];
  if (size > 0)
    jr_bytes_append(&bytes, data + 1, size - 1);
  if (load(&bytes, wanted, &first) && format(&first, &written)) {
    struct jr_bytes copy = {0};
    jr_bytes_append(&copy, written.data, written.size);
    if (!load(&copy, (jitrun_dtype_t)first.type->dtype, &second) ||
        !jr_value_same_shape(&first, &second) || !format(&second, &again) ||
        again.size != written.size ||
        memcmp(again.data, written.data, again.size) != 0)
      abort();
    jr_bytes_deinit(&copy);
  }
  jr_value_deinit(&first);
  jr_value_deinit(&second);
  jr_bytes_deinit(&bytes);
  jr_bytes_deinit(&written);
  jr_bytes_deinit(&again);
  return 0;
}
