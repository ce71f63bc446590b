/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See missing.h.
#include "runtime/missing.h"

#include <inttypes.h>

/// How much of a message the list of missing names may take.
enum { MOST_LIST_BYTES = 16384 };

void jr_missing_add(struct jr_missing_names *missing, const char *name) {
  ++missing->count;
  if (missing->text.size > MOST_LIST_BYTES) {
    ++missing->left_out;
    return;
  }
  jr_bytes_appendf(&missing->text, "%s'%.200s'", missing->text.size ? ", " : "",
                   name);
}

jitrun_error_t *jr_missing_report(struct jr_missing_names *missing) {
  jitrun_error_t *error = NULL;
  if (missing->left_out)
    jr_bytes_appendf(&missing->text, " and %" PRIu64 " more",
                     missing->left_out);
  const char *names = jr_bytes_text(&missing->text);
  if (missing->count)
    error = jr_error(JITRUN_NOT_FOUND, "%" PRIu64 " undefined symbol%s: %s",
                     missing->count, missing->count == 1 ? "" : "s",
                     names ? names : "(no memory for their names)");
  jr_bytes_deinit(&missing->text);
  *missing = (struct jr_missing_names){0};
  return error;
}
