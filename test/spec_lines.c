/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Reads lines and says of each, as a value for --expect, "ok" or what is wrong
/// with it. "\n" and "\t" in a line stand for those characters.
#include "spec.h"

#include <stdio.h>
#include <string.h>

/// Undoes the escapes, and cuts the end of the line off.
static void unescape(char *text) {
  char *to = text;
  for (char *at = text; *at && *at != '\n'; at++) {
    if (*at == '\\' && (at[1] == 'n' || at[1] == 't'))
      *to++ = *++at == 'n' ? '\n' : '\t';
    else
      *to++ = *at;
  }
  *to = '\0';
}

/// Prints a message on one line.
static void print_line(const char *text) {
  for (; *text; text++)
    putchar(*text == '\n' ? ' ' : *text);
  putchar('\n');
}

int main(void) {
  char line[65536];
  while (fgets(line, sizeof line, stdin)) {
    struct jr_spec spec;
    unescape(line);
    jitrun_error_t *error = jr_spec_parse("--expect", line, &spec);
    print_line(error ? jitrun_error_message(error) : "ok");
    jitrun_error_free(error);
    jr_spec_close(&spec);
  }
  return 0;
}
