/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See problems.h.
#include "runtime/problems.h"

enum { MAX_LISTED_PROBLEMS = 16 };

bool jr_problems_is_open(const struct jr_problems *problems) {
  return problems->count < MAX_LISTED_PROBLEMS;
}

/// Makes the error, and its notes, notes of the first one.
static void append(struct jr_problems *problems, const jitrun_error_t *error) {
  const char *location = jitrun_error_location(error);
  problems->error =
      jr_error_note(problems->error, "also%s%s: %s", location ? " at " : "",
                    location ? location : "", jitrun_error_message(error));
  for (size_t i = 0; jitrun_error_note_get(error, i); i++)
    problems->error =
        jr_error_note(problems->error, "%s", jitrun_error_note_get(error, i));
}

void jr_problems_add(struct jr_problems *problems,
                     /*own*/ jitrun_error_t *error) {
  if (!error)
    return;
  bool is_open = jr_problems_is_open(problems);
  problems->count++;
  if (!problems->error) {
    problems->error = error;
    return;
  }
  if (is_open)
    append(problems, error);
  jitrun_error_free(error);
}

jitrun_error_t *jr_problems_take(struct jr_problems *problems) {
  jitrun_error_t *error = problems->error;
  if (problems->count > MAX_LISTED_PROBLEMS)
    error = jr_error_note(
        error, "and %llu more",
        (unsigned long long)(problems->count - MAX_LISTED_PROBLEMS));
  *problems = (struct jr_problems){0};
  return error;
}
