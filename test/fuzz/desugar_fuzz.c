/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Fuzzes the rewriting of program text. What comes out is rewritten again:
/// generic forms are left alone, so the second pass must not grow without
/// bound.
#include "jit/desugar.h"

#include "fuzz.h"

#include <stdlib.h>

static size_t count_lines(const unsigned char *data, size_t size) {
  size_t count = 0;
  for (size_t i = 0; i < size; i++)
    count += data[i] == '\n';
  return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct jr_desugared once = {0};
  struct jr_desugared twice = {0};
  const char *text = (const char *)data;
  jitrun_error_free(jr_desugar(text, size, "input", &once));
  const struct jr_bytes *out = &once.text;
  if (out->size > 0) {
    if (count_lines(out->data, out->size) != count_lines(data, size) ||
        out->size > 64 * size + 64)
      abort();
    for (uint32_t column = 1; column < 64; column++)
      (void)jr_desugar_column(&once, column % 4, column);
    jitrun_error_free(
        jr_desugar((const char *)out->data, out->size, "output", &twice));
  }
  jr_desugar_deinit(&twice);
  jr_desugar_deinit(&once);
  return 0;
}
