/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// jitrun-doc, which only the build runs: writes the manual pages and the
/// completion of bash. A template is copied, with each line "@NAME@" replaced
/// by what the option table says:
///
///   @COMMANDS@ @OPTIONS@ @OPT_OPTIONS@ @STATUS@   of a manual page
///   @GRAMMAR@                                     the file given after it, in
///                                                 which @DTYPES@ are names
///   @CASES@                                       of the completion
///
/// and @VERSION@ anywhere. Standard output is the result.
#include "help.h"
#include "option_emit.h"
#include "option_table.h"

#include "base/bytes.h"
#include "base/dtype.h"
#include "base/files.h"
#include "base/stages.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// No dtype has a number from here on.
enum { DTYPE_LIMIT = 64 };

/// Prints a text for roff: minus signs for '-', line breaks as blanks, nothing
/// at the front that could be a request.
static void print_roff(const char *text) {
  if (*text == '.' || *text == '\'')
    (void)fputs("\\&", stdout);
  for (; *text; text++) {
    if (*text == '-')
      (void)fputs("\\-", stdout);
    else if (*text == '\\')
      (void)fputs("\\e", stdout);
    else if (*text == '\n')
      putchar(' ');
    else if (*text == '\'')
      (void)fputs("\\(aq", stdout);
    else if (*text == '"')
      (void)fputs("\\(dq", stdout);
    else
      putchar(*text);
  }
}

static void print_commands(void) {
  for (int i = 0; i < JR_VERB_COUNT; i++) {
    puts(".TP");
    (void)fputs("jitrun ", stdout);
    print_roff(jr_verb_table[i].usage);
    putchar('\n');
    print_roff(jr_verb_table[i].help);
    puts(".");
  }
}

/// ".TP", "\fB\-\-entry\fR=\fINAME\fR".
static void print_tag(const struct jr_option *option) {
  const char letter[] = {option->letter, '\0'};
  puts(".TP");
  (void)fputs("\\fB", stdout);
  if (option->letter)
    print_roff("-");
  print_roff(letter);
  if (option->letter && option->name)
    (void)fputs("\\fR, \\fB", stdout);
  if (option->name) {
    print_roff("--");
    print_roff(option->name);
  }
  (void)fputs("\\fR", stdout);
  if (option->metavar) {
    (void)fputs(jr_option_separator(option), stdout);
    (void)fputs("\\fI", stdout);
    print_roff(option->metavar);
    (void)fputs("\\fR", stdout);
  }
  putchar('\n');
}

/// "(run, bench)": the commands that have the option.
static void print_verbs(const struct jr_option *option) {
  const char *comma = "(";
  if (option->verbs == 0 || option->verbs == (1u << JR_VERB_COUNT) - 1)
    return;
  for (int i = 0; i < JR_VERB_COUNT; i++) {
    if (option->verbs & 1u << i) {
      printf("%s%s", comma, jr_verb_table[i].name);
      comma = ", ";
    }
  }
  (void)fputs(") ", stdout);
}

static void print_options(const struct jr_option *rows, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!rows[i].help)
      continue;
    print_tag(&rows[i]);
    print_verbs(&rows[i]);
    print_roff(rows[i].help);
    puts(".");
  }
}

static void print_table(void) {
  print_options(jr_option_table, jr_option_count);
}

static void print_opt_table(void) {
  print_options(jr_opt_table, jr_opt_count);
}

static void print_status(void) {
  for (int i = 0; i < JR_EXIT_COUNT; i++) {
    printf(".TP\n.B %d\n", i);
    print_roff(jr_exit_table[i]);
    puts(".");
  }
}

/// Prints an alternative of the grammar, on a new line where the last one is
/// full.
static void print_alternative(const char *name, size_t *column) {
  char text[48];
  size_t size = (size_t)snprintf(text, sizeof text, " | \"%s\"", name);
  if (*column + size > 70) {
    putchar('\n');
    *column = 0;
  }
  if (*column == 0)
    (void)fputs("           ", stdout);
  print_roff(text);
  *column += size;
}

/// Prints the names of all element types, each in both spellings.
static void print_dtypes(void) {
  size_t column = 0;
  for (int i = 0; i < DTYPE_LIMIT; i++) {
    const char *name = jr_dtype_name((jitrun_dtype_t)i);
    const char *second = jr_dtype_second_name((jitrun_dtype_t)i);
    if (!name)
      continue;
    print_alternative(name, &column);
    if (strcmp(name, second) != 0)
      print_alternative(second, &column);
  }
  putchar('\n');
}

/// "'--entry=' '-g' " of the options of a verb; "=" says that a value follows.
static void print_words(unsigned verb) {
  for (size_t i = 0; i < jr_option_count; i++) {
    const struct jr_option *option = &jr_option_table[i];
    if (!option->help || !(option->verbs & verb))
      continue;
    if (option->kind == JR_OPTION_LEVEL)
      (void)fputs(" -O0 -O1 -O2 -O3", stdout);
    else if (option->name)
      printf(" --%s%s", option->name, option->metavar ? "=" : "");
    else
      printf(" -%c", option->letter);
  }
}

static void print_stages(void) {
  for (int i = 0; i < JR_STAGE_COUNT; i++)
    printf(" %s", jr_stage_table[i].name);
}

static void print_kinds(void) {
  for (int i = 0; i < JR_EMIT_COUNT; i++)
    printf("%s ", jr_emit_word((size_t)i));
  (void)fputs("all", stdout);
}

/// "--executor) kind=WORD words='auto jit thunks' ;;": what the value of each
/// option may be, by its metavar.
static void print_values(const struct jr_option *rows, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const struct jr_option *option = &rows[i];
    const char *metavar = option->metavar;
    if (!option->help || !metavar || option->kind == JR_OPTION_LEVEL)
      continue;
    bool is_choice = strchr(metavar, '|');
    if (option->name)
      printf("  --%s)", option->name);
    else
      printf("  -%c)", option->letter);
    printf(" kind=%s words='", is_choice ? "WORD" : metavar);
    for (const char *at = is_choice ? metavar : ""; *at; at++)
      putchar(*at == '|' ? ' ' : *at);
    if (strcmp(metavar, "STAGE") == 0)
      print_stages();
    else if (strcmp(metavar, "KIND,...") == 0)
      print_kinds();
    else if (option->kind == JR_OPTION_DEVICE)
      (void)fputs("host cuda hip", stdout);
    puts("' ;;");
  }
}

/// Functions of the completion that say which words there are.
static void print_cases(void) {
  puts("_jitrun_options() {\n  case $1 in");
  for (int i = 0; i < JR_VERB_COUNT; i++) {
    printf("  %s) words='", jr_verb_table[i].name);
    print_words(1u << i);
    puts("' ;;");
  }
  puts("  esac\n}\n\n_jitrun_value() {\n  case $1 in");
  print_values(jr_option_table, jr_option_count);
  print_values(jr_opt_table, jr_opt_count);
  (void)fputs("  esac\n}\n\n_jitrun_verbs='help", stdout);
  for (int i = 0; i < JR_VERB_COUNT; i++)
    printf(" %s", jr_verb_table[i].name);
  puts("'");
}

static const char *grammar_path;

static int copy_template(const char *path, void (*print)(const char *line));

static void print_grammar_line(const char *line) {
  if (strcmp(line, "@DTYPES@") == 0) {
    print_dtypes();
    return;
  }
  print_roff(line);
  putchar('\n');
}

/// The grammar, as text that is shown as it is.
static void print_grammar(void) {
  if (!grammar_path || copy_template(grammar_path, print_grammar_line) != 0)
    exit(EXIT_FAILURE);
}

static const struct {
  const char *name;
  void (*print)(void);
} sections[] = {
    {"@COMMANDS@", print_commands},     {"@OPTIONS@", print_table},
    {"@OPT_OPTIONS@", print_opt_table}, {"@STATUS@", print_status},
    {"@GRAMMAR@", print_grammar},       {"@CASES@", print_cases},
};

/// Prints a line of a template, or what it stands for.
static void print_line(const char *line) {
  static const char version[] = "@VERSION@";
  for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
    if (strcmp(line, sections[i].name) == 0) {
      sections[i].print();
      return;
    }
  }
  const char *at = strstr(line, version);
  if (at)
    printf("%.*s%s%s\n", (int)(at - line), line, JITRUN_VERSION,
           at + sizeof version - 1);
  else
    puts(line);
}

static int copy_template(const char *path, void (*print)(const char *line)) {
  struct jr_bytes bytes = {0};
  jitrun_error_t *error = jr_file_read(path, &bytes);
  char *text = error ? NULL : jr_bytes_text(&bytes);
  if (!text) {
    (void)fprintf(stderr, "jitrun-doc: cannot read %s\n", path);
    jitrun_error_free(error);
    jr_bytes_deinit(&bytes);
    return EXIT_FAILURE;
  }
  char *rest = text;
  while (*rest) {
    char *end = strchr(rest, '\n');
    if (end)
      *end = '\0';
    print(rest);
    rest = end ? end + 1 : rest + strlen(rest);
  }
  jr_bytes_deinit(&bytes);
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 2 || argc > 3) {
    (void)fputs("usage: jitrun-doc TEMPLATE [GRAMMAR]\n", stderr);
    return EXIT_FAILURE;
  }
  grammar_path = argc > 2 ? argv[2] : NULL;
  return copy_template(argv[1], print_line);
}
