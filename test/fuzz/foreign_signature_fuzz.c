/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Fuzzes signatures of functions that jitrun did not compile: they are refused
/// with a message, or become the text of a program.
#include "runtime/foreign_signature.h"

#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

static void write_program(const char *text) {
  struct jr_foreign_signature *signature = malloc(sizeof *signature);
  struct jr_bytes program = {0};
  if (!signature)
    abort();
  jitrun_error_t *error = jr_foreign_parse(text, signature);
  if (!error)
    jr_foreign_format(signature, &program);
  if (!error && (!jr_bytes_text(&program) || program.size == 0))
    abort();
  if (error && !jitrun_error_message(error)[0])
    abort();
  jr_bytes_deinit(&program);
  jitrun_error_free(error);
  free(signature);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  if (!text)
    return 0;
  if (size)
    memcpy(text, data, size);
  text[size] = '\0';
  write_program(text);
  free(text);
  return 0;
}
