/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Fuzzes --input and --expect. What is understood is filled in and printed,
/// and what is printed reads back to the same text.
#include "spec.h"

#include "base/values.h"

#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ELEMENTS = 4096 };

/// True when the elements are few enough to be written out here.
static int is_small(const struct jr_spec *spec) {
  uint64_t count = 1;
  for (size_t i = 0; i < spec->rank; i++) {
    if ((uint64_t)spec->dims[i] > MAX_ELEMENTS)
      return 0;
    count *= (uint64_t)spec->dims[i];
    if (count > MAX_ELEMENTS)
      return 0;
  }
  return 1;
}

/// Prints what a text stands for; files are not opened. False when it is none.
static int print_spec(const char *text, struct jr_bytes *out) {
  struct jr_spec spec;
  struct jr_value value = {0};
  jitrun_error_t *error = jr_spec_parse("--input", text, &spec);
  if (error) {
    jitrun_error_free(error);
    return 0;
  }
  /* A token is given as one, and printed as what became of it. */
  int is_value = spec.dtype != JITRUN_DTYPE_TOKEN &&
                 (spec.kind == JR_SPEC_ZEROS || spec.kind == JR_SPEC_VALUES);
  if (is_value && is_small(&spec)) {
    error = jr_value_init(spec.dtype, spec.rank, spec.dims, &value);
    if (!error) {
      jr_spec_fill(&spec, &value);
      jr_value_format(out, value.type, value.data, SIZE_MAX);
    }
    jitrun_error_free(error);
  }
  jr_value_deinit(&value);
  jr_spec_close(&spec);
  return out->size > 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct jr_bytes first = {0};
  struct jr_bytes second = {0};
  char *text = malloc(size + 1);
  if (!text)
    return 0;
  memcpy(text, data, size);
  text[size] = '\0';
  if (print_spec(text, &first)) {
    const char *once = jr_bytes_text(&first);
    if (!once || !print_spec(once, &second) || first.size != second.size ||
        memcmp(first.data, second.data, first.size) != 0)
      abort();
  }
  jr_bytes_deinit(&first);
  jr_bytes_deinit(&second);
  free(text);
  return 0;
}
