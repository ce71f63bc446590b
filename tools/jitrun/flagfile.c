/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Flag files, read before anything else looks at the arguments.
#include "flagfile.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/files.h"
#include "base/strings.h"

#include <stdbool.h>
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

/// A line of a file that is being read.
struct place {
  const char *path;
  unsigned number;
  int depth;
};

static jitrun_error_t *add_file(struct jr_flags *flags, const char *path,
                                int depth);

static jitrun_error_t *set_place(jitrun_error_t *error,
                                 const struct place *place) {
  struct jr_bytes text = {0};
  jr_bytes_appendf(&text, "%s:%u", place->path, place->number);
  const char *location = jr_bytes_text(&text);
  if (location)
    error = jr_error_at(error, location, 0, 0);
  jr_bytes_deinit(&text);
  return error;
}

static jitrun_error_t *keep_line(struct jr_flags *flags, const char *text,
                                 const struct place *place) {
  struct jr_flag_line *lines =
      jr_realloc(flags->lines, (flags->line_count + 1) * sizeof *lines);
  if (!lines)
    return jr_error_no_memory();
  flags->lines = lines;
  lines[flags->line_count++] =
      (struct jr_flag_line){text, place->path, place->number};
  return NULL;
}

/// Adds one argument, or the file that it names.
static jitrun_error_t *add_text(struct jr_flags *flags, const char *text,
                                int depth) {
  static const char option[] = "--flagfile=";
  if (jr_text_has_prefix(text, option))
    return add_file(flags, text + sizeof option - 1, depth + 1);
  return add_argument(flags, text);
}

/// Takes the double quotes out of a line, and what escapes them; false when one
/// is not closed.
static bool unquote_line(char *line) {
  bool is_quoted = false;
  char *to = line;
  for (const char *at = line; *at; at++) {
    if (*at == '"') {
      is_quoted = !is_quoted;
      continue;
    }
    if (is_quoted && *at == '\\' && (at[1] == '"' || at[1] == '\\'))
      at++;
    *to++ = *at;
  }
  *to = '\0';
  return !is_quoted;
}

static jitrun_error_t *add_line(struct jr_flags *flags, char *line,
                                const struct place *place) {
  if (!*line || *line == '#')
    return NULL;
  if (!unquote_line(line))
    return set_place(
        jr_error(JITRUN_INVALID_ARGUMENT, "a double quote is not closed"),
        place);
  JITRUN_TRY(keep_line(flags, line, place));
  return set_place(add_text(flags, line, place->depth), place);
}

/// Adds the lines of a text, which it cuts up.
static jitrun_error_t *add_lines(struct jr_flags *flags, char *text,
                                 const char *path, int depth) {
  struct place place = {.path = path, .depth = depth};
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
    place.number++;
    JITRUN_TRY(add_line(flags, line, &place));
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
  if (bytes.size > 0 && memchr(bytes.data, '\0', bytes.size)) {
    jr_bytes_deinit(&bytes);
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "--flagfile=%s: it has a zero byte, so it is no text",
                    path);
  }
  char *text = jr_bytes_take_text(&bytes);
  if (!text)
    return jr_error_no_memory();
  JITRUN_TRY(keep_file(flags, text));
  return add_lines(flags, text, path, depth);
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

/// True when an error is about an argument: it quotes it, or begins with it.
static bool is_about(const char *message, const char *text) {
  const char *quoted = strchr(message, '\'');
  size_t name = strcspn(text, "=");
  if (jr_text_has_prefix(message, text))
    return true;
  // Without a value, that is on the next line.
  const char *ends = text[name] ? ":" : "=: ";
  if (strncmp(message, text, name) == 0 && message[name] &&
      strchr(ends, message[name]))
    return true;
  return quoted && *text == '-' && strncmp(quoted + 1, text, name) == 0 &&
         quoted[name + 1] == '\'';
}

jitrun_error_t *jr_flags_locate(const struct jr_flags *flags,
                                jitrun_error_t *error) {
  for (size_t i = 0; error && i < flags->line_count; i++) {
    const struct jr_flag_line *line = &flags->lines[i];
    if (is_about(jitrun_error_message(error), line->text)) {
      const struct place place = {.path = line->path, .number = line->number};
      return set_place(error, &place);
    }
  }
  return error;
}

void jr_flags_deinit(struct jr_flags *flags) {
  free(flags->arguments.items);
  for (size_t i = 0; i < flags->file_count; i++)
    free(flags->files[i]);
  free(flags->files);
  free(flags->lines);
  *flags = (struct jr_flags){0};
}
