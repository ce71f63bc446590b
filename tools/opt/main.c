/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// jitrun-opt: prints a program as it is after a stage of the compiler. For
/// tests and for people who want to see what their program becomes.
#include "help.h"
#include "option_table.h"

#include "jitrun/compile.h"

#include <popt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Rows of the table, as popt returns them: counted from 1.
enum { OPTION_STAGE = 1, OPTION_VERSION, OPTION_HELP, OPTIONS };

struct request {
  char *stage; ///< owned; NULL: not given
  bool version, help;
};

static void print_error(const jitrun_error_t *error) {
  const char *location = jitrun_error_location(error);
  (void)fprintf(stderr, "jitrun-opt: error: %s%s%s\n", location ? location : "",
                location ? ": " : "", jitrun_error_message(error));
  for (size_t i = 0; i < jitrun_error_note_count(error); i++)
    (void)fprintf(stderr, "jitrun-opt: note: %s\n",
                  jitrun_error_note_get(error, i));
}

/// A wrong name of a stage is wrong use, whatever the program is.
static int choose_status(const char *stage) {
  for (size_t i = 0; jitrun_stage_name(i); i++) {
    if (strcmp(stage, jitrun_stage_name(i)) == 0)
      return JR_EXIT_FAILED;
  }
  return JR_EXIT_USAGE;
}

static int print_stage(const char *path, const char *stage) {
  jitrun_compile_options_t options = {.size = sizeof options,
                                      .emit = JITRUN_EMIT_MLIR,
                                      .opt_level = -1,
                                      .stage = stage};
  jitrun_error_t *error = jitrun_compile_file(path, "-", &options);
  if (!error)
    return JR_EXIT_DONE;
  print_error(error);
  jitrun_error_free(error);
  return choose_status(stage);
}

static int print_help(void) {
  puts("Usage:\n  jitrun-opt [--stage=STAGE] FILE\n"
       "      print a program as it is after a stage of the compiler\n\n"
       "Options:");
  for (size_t i = 0; i < jr_opt_count; i++)
    jr_option_print(&jr_opt_table[i]);
  return JR_EXIT_DONE;
}

static int refuse(const char *text, const char *problem) {
  (void)fprintf(stderr, "jitrun-opt: error: %s%s%s\n", text, *text ? ": " : "",
                problem);
  return JR_EXIT_USAGE;
}

static int work(poptContext context, struct request *request) {
  int number;
  while ((number = poptGetNextOpt(context)) > 0) {
    if (number == OPTION_STAGE) {
      free(request->stage);
      request->stage = poptGetOptArg(context);
    }
    request->version = request->version || number == OPTION_VERSION;
    request->help = request->help || number == OPTION_HELP;
  }
  if (number < -1)
    return refuse(poptBadOption(context, POPT_BADOPTION_NOALIAS),
                  poptStrerror(number));
  if (request->help)
    return print_help();
  if (request->version)
    return puts("jitrun-opt " JITRUN_VERSION) < 0;
  const char *path = poptGetArg(context);
  if (!path || poptPeekArg(context))
    return refuse("", "give one file, or '-' for standard input");
  return print_stage(path, request->stage ? request->stage : "llvm");
}

int main(int argc, const char **argv) {
  struct poptOption rows[OPTIONS] = {{0}};
  for (size_t i = 0; i < jr_opt_count; i++)
    rows[i] = (struct poptOption){
        .longName = jr_opt_table[i].name,
        .shortName = jr_opt_table[i].letter,
        .argInfo = jr_opt_table[i].metavar ? POPT_ARG_STRING : POPT_ARG_NONE,
        .val = (int)i + 1};
  struct request request = {0};
  poptContext context = poptGetContext("jitrun-opt", argc, argv, rows, 0);
  int status = context ? work(context, &request) : JR_EXIT_FAILED;
  poptFreeContext(context);
  free(request.stage);
  return status;
}
