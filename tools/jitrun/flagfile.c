/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Flag files, read before anything else looks at the arguments.
#include "flagfile.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/files.h"
#include "base/strings.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 8, MAX_ARGUMENTS = 100000 };

#define BLANKS " \t\r\f\v"

static jitrun_error_t *add_argument(struct jr_flags *flags, const char *text) {
  struct jr_texts *arguments = &flags->arguments;
  if (arguments->count == MAX_ARGUMENTS)
    return jr_error(JITRUN_INVALID_ARGUMENT, "more than %d arguments",
                    (int)MAX_ARGUMENTS);
  const char **items =
      jr_realloc(arguments->items, (arguments->count + 1) * sizeof *items);
  if (!items)
    return jr_error_no_memory();
  arguments->items = items;
  items[arguments->count++] = text;
  return NULL;
}

static jitrun_error_t *add_file(struct jr_flags *flags, const char *path,
                                int depth);

/// Adds one argument, or the file that it names.
static jitrun_error_t *add_text(struct jr_flags *flags, const char *text,
                                int depth) {
  static const char option[] = "--flagfile=";
  if (jr_text_has_prefix(text, option))
    return add_file(flags, text + sizeof option - 1, depth + 1);
  return add_argument(flags, text);
}

/// Adds the lines of a text, which it cuts up.
static jitrun_error_t *add_lines(struct jr_flags *flags, char *text,
                                 int depth) {
  char *next = text;
  while (next) {
    char *line = next + strspn(next, BLANKS);
    next = strchr(line, '\n');
    size_t size = next ? (size_t)(next - line) : strlen(line);
    while (size > 0 && strchr(BLANKS, line[size - 1]))
      size--;
    line[size] = '\0';
    if (next)
      next++;
    if (size > 0 && *line != '#')
      JITRUN_TRY(add_text(flags, line, depth));
  }
  return NULL;
}

static jitrun_error_t *keep_file(struct jr_flags *flags, char *text) {
  char **files =
      jr_realloc(flags->files, (flags->file_count + 1) * sizeof *files);
  if (!files) {
    free(text);
    return jr_error_no_memory();
  }
  flags->files = files;
  files[flags->file_count++] = text;
  return NULL;
}

static jitrun_error_t *add_file(struct jr_flags *flags, const char *path,
                                int depth) {
  if (depth > MAX_DEPTH)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "--flagfile=%s: flag files name each other more than %d "
                    "deep",
                    path, (int)MAX_DEPTH);
  struct jr_bytes bytes = {0};
  jitrun_error_t *error = jr_file_read(path, &bytes);
  if (error) {
    jr_bytes_deinit(&bytes);
    return jr_error_note(error, "while reading --flagfile=%s", path);
  }
  char *text = jr_bytes_take_text(&bytes);
  if (!text)
    return jr_error_no_memory();
  JITRUN_TRY(keep_file(flags, text));
  return add_lines(flags, text, depth);
}

jitrun_error_t *jr_flags_expand(int argc, const char **argv,
                                struct jr_flags *flags) {
  bool is_over = false; // past "--" nothing is an option
  for (int i = 0; i < argc; i++) {
    bool is_last = i + 1 == argc;
    is_over = is_over || strcmp(argv[i], "--") == 0;
    if (is_over || i == 0)
      JITRUN_TRY(add_argument(flags, argv[i]));
    else if (strcmp(argv[i], "--flagfile") == 0 && !is_last)
      JITRUN_TRY(add_file(flags, argv[++i], 1));
    else
      JITRUN_TRY(add_text(flags, argv[i], 0));
  }
  if (flags->arguments.count == 0)
    return add_argument(flags, "jitrun");
  return NULL;
}

void jr_flags_deinit(struct jr_flags *flags) {
  free(flags->arguments.items);
  for (size_t i = 0; i < flags->file_count; i++)
    free(flags->files[i]);
  free(flags->files);
  *flags = (struct jr_flags){0};
}
