/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See guard.h: text. Most bytes are skipped by one look into a table; the few
/// kinds that count have a case each.
#include "jit/guard.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
  MAX_DEPTH = 500,      ///< of brackets; MLIR takes a few frames for each
  MAX_OPERATORS = 1000, ///< of an expression: a frame for each
  MAX_WORD = 1000       ///< bytes of a number or shape: time grows faster
};

enum byte_kind { PLAIN, OPEN, CLOSE, QUOTE, SLASH, OPERATOR };

static const unsigned char kinds[256] = {
    ['('] = OPEN,     ['['] = OPEN,     ['{'] = OPEN,     ['<'] = OPEN,
    [')'] = CLOSE,    [']'] = CLOSE,    ['}'] = CLOSE,    ['>'] = CLOSE,
    ['"'] = QUOTE,    ['/'] = SLASH,    ['+'] = OPERATOR, ['-'] = OPERATOR,
    ['*'] = OPERATOR, ['?'] = OPERATOR,
};

struct guard {
  const char *data, *end, *at;
  const char *name;
  size_t depth;
  size_t operators; ///< at most so many belong together
  char open[MAX_DEPTH];
};

static jitrun_error_t *refuse(const struct guard *guard, const char *what) {
  uint32_t line = 1;
  const char *start = guard->data;
  for (const char *at = guard->data; at < guard->at; at++) {
    if (*at != '\n')
      continue;
    line++;
    start = at + 1;
  }
  return jr_error_at(jr_error(JITRUN_INVALID_ARGUMENT, "%s", what), guard->name,
                     line, (uint32_t)(guard->at - start) + 1);
}

static bool is_digit(char byte) {
  return byte >= '0' && byte <= '9';
}

static bool is_word(char byte) {
  return is_digit(byte) || (byte >= 'a' && byte <= 'z') ||
         (byte >= 'A' && byte <= 'Z') || byte == '_' || byte == '.';
}

/// Looks for a number, or sizes, in a long run of plain bytes.
static jitrun_error_t *check_run(struct guard *guard, const char *start) {
  const char *run_end = guard->at;
  while (start < run_end) {
    const char *word = start;
    while (start < run_end && is_word(*start))
      start++;
    bool is_long = start - word > MAX_WORD && is_digit(*word);
    guard->at = word;
    if (is_long)
      return refuse(guard, "a number or shape of over 1000 characters");
    if (start == word)
      start++;
  }
  guard->at = run_end;
  return NULL;
}

static void skip_string(struct guard *guard) {
  for (guard->at++; guard->at < guard->end; guard->at++) {
    char byte = *guard->at;
    if (byte == '"' || byte == '\n') {
      guard->at++;
      return;
    }
    if (byte == '\\' && guard->at + 1 < guard->end && guard->at[1] != '\n')
      guard->at++;
  }
}

/// Goes behind a comment, or the slash.
static void skip_slash(struct guard *guard) {
  size_t left = (size_t)(guard->end - guard->at);
  const char *line_end = NULL;
  if (left > 1 && guard->at[1] == '/')
    line_end = memchr(guard->at, '\n', left);
  else
    line_end = guard->at + 1;
  guard->at = line_end ? line_end : guard->end;
}

/// True for `array` before a bracket and `index` behind it.
static bool is_index_array(const struct guard *guard) {
  if (guard->at == guard->data || guard->at[-1] > 'y' ||
      (guard->at[-1] > ' ' && guard->at[-1] < 'y'))
    return false; // mostly, at one look
  static const char before[] = "array";
  static const char behind[] = "index";
  enum { SIZE = sizeof before - 1 };
  const char *start = guard->at;
  const char *end = guard->at + 1;
  while (start > guard->data && (start[-1] == ' ' || start[-1] == '\n'))
    start--;
  while (end < guard->end && (*end == ' ' || *end == '\n'))
    end++;
  return start - guard->data >= SIZE && guard->end - end >= SIZE &&
         memcmp(start - SIZE, before, SIZE) == 0 &&
         memcmp(end, behind, SIZE) == 0;
}

static jitrun_error_t *open_bracket(struct guard *guard) {
  char byte = *guard->at;
  bool is_compare =
      byte == '<' && guard->at + 1 < guard->end && guard->at[1] == '=';
  if (is_compare) {
    guard->at += 2;
    return NULL;
  }
  /* A bug of LLVM 22: the parser crashes on it. Remove when `"a.b"() {x =
     array<index: 1>} : () -> ()` is an error of mlir-opt. */
  if (byte == '<' && is_index_array(guard))
    return refuse(guard, "array<index: ...> is no attribute of MLIR; give "
                         "array<i64: ...>");
  if (guard->depth == MAX_DEPTH)
    return refuse(guard, "brackets are nested more than 500 deep");
  guard->open[guard->depth++] = byte;
  guard->at++;
  return NULL;
}

/// A '>' may be a comparison, or the end of an arrow, and closes only what '<'
/// opened; any other bracket closes what it belongs to, with what '<' opened
/// inside.
static void close_bracket(struct guard *guard) {
  char byte = *guard->at++;
  if (byte == '>') {
    bool is_arrow = guard->at - 2 >= guard->data && guard->at[-2] == '-';
    if (!is_arrow && guard->depth > 0 && guard->open[guard->depth - 1] == '<')
      guard->depth--;
    return;
  }
  while (guard->depth > 0 && guard->open[guard->depth - 1] == '<')
    guard->depth--;
  guard->depth -= guard->depth > 0;
}

/// Counts the operators from here back to what ends an expression. Only done
/// once there are enough of them, so that nobody has to look for such ends.
static jitrun_error_t *count_operators(struct guard *guard) {
  guard->operators = 0;
  for (const char *at = guard->at; at >= guard->data; at--) {
    unsigned kind = kinds[(unsigned char)*at];
    if (kind == OPERATOR && guard->operators++ == MAX_OPERATORS)
      return refuse(guard, "an expression or shape of over 1000 parts");
    bool is_end = *at == ',' || *at == '=' || *at == ':';
    if (is_end || (kind != PLAIN && kind != OPERATOR))
      break;
  }
  return NULL;
}

static jitrun_error_t *visit(struct guard *guard) {
  switch (kinds[(unsigned char)*guard->at]) {
  case OPEN:
    return open_bracket(guard);
  case CLOSE:
    close_bracket(guard);
    return NULL;
  case QUOTE:
    skip_string(guard);
    return NULL;
  case SLASH:
    skip_slash(guard);
    return NULL;
  default:
    if (guard->operators++ == MAX_OPERATORS)
      JITRUN_TRY(count_operators(guard));
    guard->at++;
    return NULL;
  }
}

/// The next byte that counts, or the end.
static inline const char *skip_plain(const char *at, const char *end) {
  for (; end - at >= 4; at += 4) {
    if (kinds[(unsigned char)at[0]])
      return at;
    if (kinds[(unsigned char)at[1]])
      return at + 1;
    if (kinds[(unsigned char)at[2]])
      return at + 2;
    if (kinds[(unsigned char)at[3]])
      return at + 3;
  }
  while (at < end && !kinds[(unsigned char)*at])
    at++;
  return at;
}

/// Passes brackets that need no second look, and arrows: nearly all of what
/// counts in a program. Apart from the rest, so that the compiler holds what it
/// works on in registers.
static void pass_brackets(struct guard *guard) {
  const char *at = guard->at;
  const char *end = guard->end;
  char *top = guard->open + guard->depth;
  while (end - at > 1) {
    unsigned kind = kinds[(unsigned char)*at];
    if (kind == OPEN && *at != '<' && top < guard->open + MAX_DEPTH) {
      *top++ = *at;
    } else if (kind == CLOSE && *at != '>') {
      while (top > guard->open && top[-1] == '<')
        top--;
      top -= top > guard->open;
    } else if (kind == CLOSE && top > guard->open && top[-1] == '<') {
      top--;
    } else if (kind == OPERATOR && at[0] == '-' && at[1] == '>') {
      at++;
    } else {
      break;
    }
    const char *next = skip_plain(++at, end);
    if (next - at > MAX_WORD)
      break;
    at = next;
  }
  guard->at = at;
  guard->depth = (size_t)(top - guard->open);
}

jitrun_error_t *jr_guard_text(const char *data, size_t size, const char *name) {
  struct guard guard = {.name = name};
  guard.data = guard.at = data;
  guard.end = data + size;
  while (guard.at < guard.end) {
    const char *start = guard.at;
    guard.at = skip_plain(start, guard.end);
    if (guard.at - start > MAX_WORD)
      JITRUN_TRY(check_run(&guard, start));
    pass_brackets(&guard);
    if (guard.at < guard.end && kinds[(unsigned char)*guard.at])
      JITRUN_TRY(visit(&guard));
  }
  return NULL;
}
