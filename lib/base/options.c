/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See options.h.
#include "base/options.h"

#include <string.h>

jitrun_error_t *jr_options_read(const void *options, const char *purpose,
                                void *out, size_t out_size) {
  size_t size = 0;
  if (!options)
    return NULL;
  memcpy(&size, options, sizeof size);
  if (size < sizeof size)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "options %s have size %zu; set it to sizeof their type",
                    purpose, size);
  memcpy(out, options, size < out_size ? size : out_size);
  return NULL;
}
