/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See attr_scanner.h.
#include "jit/attr_scanner.h"

#include <string.h>

static bool is_space(char byte) {
  return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static bool is_word_byte(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= '0' && byte <= '9') || byte == '_' || byte == '$' ||
         byte == '.';
}

static bool is_number_byte(char byte) {
  return is_word_byte(byte) || byte == '+' || byte == '-';
}

bool jr_span_equals(struct jr_span span, const char *text) {
  return span.size == strlen(text) && memcmp(span.data, text, span.size) == 0;
}

static void skip_space(struct jr_scanner *scanner) {
  while (scanner->at < scanner->end && is_space(*scanner->at))
    scanner->at++;
}

bool jr_scan_done(struct jr_scanner *scanner) {
  skip_space(scanner);
  return scanner->at == scanner->end;
}

bool jr_scan_sees(struct jr_scanner *scanner, char byte) {
  return !jr_scan_done(scanner) && *scanner->at == byte;
}

bool jr_scan_accept(struct jr_scanner *scanner, const char *token) {
  size_t length = strlen(token);
  skip_space(scanner);
  if ((size_t)(scanner->end - scanner->at) < length ||
      memcmp(scanner->at, token, length) != 0)
    return false;
  scanner->at += length;
  return true;
}

static struct jr_span scan_run(struct jr_scanner *scanner,
                               bool (*is_part)(char byte)) {
  skip_space(scanner);
  const char *start = scanner->at;
  while (scanner->at < scanner->end && is_part(*scanner->at))
    scanner->at++;
  return (struct jr_span){start, (size_t)(scanner->at - start)};
}

struct jr_span jr_scan_word(struct jr_scanner *scanner) {
  return scan_run(scanner, is_word_byte);
}

struct jr_span jr_scan_number(struct jr_scanner *scanner) {
  return scan_run(scanner, is_number_byte);
}

bool jr_scan_s64(struct jr_scanner *scanner, int64_t *out_value) {
  struct jr_scanner start = *scanner;
  bool is_negative = jr_scan_accept(scanner, "-");
  struct jr_span word = jr_scan_word(scanner);
  bool is_number = word.size > 0;
  int64_t value = 0;
  for (size_t i = 0; is_number && i < word.size; i++) {
    int digit = word.data[i] - '0';
    is_number =
        digit >= 0 && digit <= 9 &&
        !__builtin_mul_overflow(value, 10, &value) &&
        !__builtin_add_overflow(value, is_negative ? -digit : digit, &value);
  }
  if (!is_number)
    *scanner = start;
  *out_value = value;
  return is_number;
}

/// -1 for what is none.
static int hex_digit(char digit) {
  if (digit >= '0' && digit <= '9')
    return digit - '0';
  char letter = (char)(digit | 0x20);
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

/// What stands behind a backslash; moves past it.
static bool scan_escape(struct jr_scanner *scanner, char *out_byte) {
  size_t room = (size_t)(scanner->end - scanner->at);
  if (room == 0)
    return false;
  char first = *scanner->at++;
  switch (first) {
  case '"':
  case '\\':
    *out_byte = first;
    return true;
  case 'n':
    *out_byte = '\n';
    return true;
  case 't':
    *out_byte = '\t';
    return true;
  default:
    break;
  }
  if (room < 2 || hex_digit(first) < 0 || hex_digit(*scanner->at) < 0)
    return false;
  *out_byte = (char)(hex_digit(first) * 16 + hex_digit(*scanner->at++));
  return true;
}

bool jr_scan_string(struct jr_scanner *scanner, struct jr_bytes *out) {
  struct jr_scanner start = *scanner;
  size_t size = out->size;
  bool is_open = jr_scan_accept(scanner, "\"");
  while (is_open && scanner->at < scanner->end) {
    char byte = *scanner->at++;
    if (byte == '"')
      return true;
    is_open = byte != '\\' || scan_escape(scanner, &byte);
    jr_bytes_append(out, &byte, 1);
  }
  *scanner = start;
  out->size = size;
  return false;
}

/// Moves past a string, or one byte.
static void skip_one(struct jr_scanner *scanner) {
  bool is_string = *scanner->at++ == '"';
  while (is_string && scanner->at < scanner->end && *scanner->at != '"') {
    bool is_escape = *scanner->at == '\\';
    scanner->at += is_escape && scanner->end - scanner->at > 1 ? 2 : 1;
  }
  if (is_string && scanner->at < scanner->end)
    scanner->at++;
}

struct jr_span jr_scan_peek(struct jr_scanner *scanner) {
  struct jr_scanner ahead = *scanner;
  skip_space(&ahead);
  const char *start = ahead.at;
  size_t depth = 0;
  while (ahead.at < ahead.end) {
    char byte = *ahead.at;
    bool is_closing = byte == '>' || byte == ']' || byte == '}' || byte == ')';
    if (depth == 0 && (is_closing || byte == ','))
      break;
    depth += byte == '<' || byte == '[' || byte == '{' || byte == '(';
    depth -= is_closing;
    skip_one(&ahead);
  }
  while (ahead.at > start && is_space(ahead.at[-1]))
    ahead.at--;
  return (struct jr_span){start, (size_t)(ahead.at - start)};
}
