/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// jitrun-opt: prints a program as it is after a stage of the compiler. For
/// tests and for people who want to see what their program becomes.
#include "jitrun/compile.h"

#include <popt.h>
#include <stdio.h>
#include <stdlib.h>

/// As the tool jitrun: 1 the program is wrong, 2 the command line is.
enum { EXIT_PROGRAM = 1, EXIT_USAGE = 2 };

static void print_error(const jitrun_error_t *error) {
  const char *location = jitrun_error_location(error);
  (void)fprintf(stderr, "jitrun-opt: error: %s%s%s\n", location ? location : "",
                location ? ": " : "", jitrun_error_message(error));
  for (size_t i = 0; i < jitrun_error_note_count(error); i++)
    (void)fprintf(stderr, "jitrun-opt: note: %s\n",
                  jitrun_error_note_get(error, i));
}

static int print_stage(const char *path, const char *stage) {
  jitrun_compile_options_t options = {.size = sizeof options,
                                      .emit = JITRUN_EMIT_MLIR,
                                      .opt_level = -1,
                                      .stage = stage};
  jitrun_error_t *error = jitrun_compile_file(path, "-", &options);
  if (!error)
    return 0;
  print_error(error);
  jitrun_error_free(error);
  return EXIT_PROGRAM;
}

int main(int argc, const char **argv) {
  char *stage = NULL;
  const struct poptOption table[] = {
      {"stage", '\0', POPT_ARG_STRING, &stage, 0,
       "print the program after this stage; default: llvm. A wrong name lists "
       "them",
       "NAME"},
      POPT_AUTOHELP POPT_TABLEEND};
  poptContext context = poptGetContext("jitrun-opt", argc, argv, table, 0);
  poptSetOtherOptionHelp(context, "[--stage=NAME] FILE");
  int unread = poptGetNextOpt(context);
  const char *path = poptGetArg(context);
  int status = EXIT_USAGE;
  if (unread < -1)
    (void)fprintf(stderr, "jitrun-opt: error: %s: %s\n",
                  poptBadOption(context, POPT_BADOPTION_NOALIAS),
                  poptStrerror(unread));
  else if (!path || poptPeekArg(context))
    (void)fputs("jitrun-opt: error: give one file, or '-' for standard input\n",
                stderr);
  else
    status = print_stage(path, stage ? stage : "llvm");
  poptFreeContext(context);
  free(stage);
  return status;
}
