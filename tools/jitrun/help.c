/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What --help prints, from the option table.
#include "help.h"

#include "options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

const char *jr_option_separator(const struct jr_option *option) {
  if (!option->metavar || option->kind == JR_OPTION_LEVEL)
    return "";
  return option->name ? "=" : " ";
}

void jr_option_print(const struct jr_option *option) {
  char left[80];
  const char letter[] = {option->letter, '\0'};
  bool is_both = option->letter && option->name;
  (void)snprintf(left, sizeof left, "%s%s%s%s%s%s%s", option->letter ? "-" : "",
                 letter, is_both ? ", " : "", option->name ? "--" : "",
                 option->name ? option->name : "", jr_option_separator(option),
                 option->metavar ? option->metavar : "");
  printf(strlen(left) > 22 ? "  %s\n%25s" : "  %-22s %s", left, "");
  for (const char *at = option->help; *at; at++) {
    putchar(*at);
    if (*at == '\n')
      printf("%25s", "");
  }
  putchar('\n');
}

/// Prints what verbs there are, or the one that is asked for.
static void print_verbs(FILE *file, enum jr_verb verb) {
  bool is_all = verb == JR_VERB_RUN;
  (void)fputs("Usage:\n", file);
  for (int i = 0; i < JR_VERB_COUNT; i++) {
    const struct jr_verb_row *row = &jr_verb_table[i];
    if (is_all || i == (int)verb)
      (void)fprintf(file, "  jitrun %s\n      %s\n", row->usage, row->help);
  }
}

void jr_options_print_usage(void) {
  print_verbs(stderr, JR_VERB_RUN);
  (void)fputs("'jitrun --help' lists the options.\n", stderr);
}

void jr_options_print_help(const struct jr_options *options) {
  bool is_all = options->verb == JR_VERB_RUN;
  puts("Runs MLIR programs that call registered custom calls.\n");
  print_verbs(stdout, options->verb);
  puts("\nOptions:");
  for (size_t i = 0; i < jr_option_count; i++) {
    const struct jr_option *option = &jr_option_table[i];
    if (option->help && (is_all || (option->verbs & 1u << options->verb)))
      jr_option_print(option);
  }
  puts("\nExit status:");
  for (int i = 0; i < JR_EXIT_COUNT; i++)
    printf("  %d  %s\n", i, jr_exit_table[i]);
  puts("\nSee jitrun(1), and jitrun-values(5) for SPEC.");
}
