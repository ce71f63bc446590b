/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See lexer.h.
#include "jit/lexer.h"

#include <string.h>

static bool is_digit(char byte) {
  return byte >= '0' && byte <= '9';
}

static bool is_letter(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
         byte == '_';
}

static bool is_word(char byte) {
  return is_letter(byte) || is_digit(byte) || byte == '$' || byte == '.';
}

/// The byte at the lexer's place plus `ahead`; NUL behind the end.
static char peek(const struct jr_lexer *lexer, size_t ahead) {
  return ahead < lexer->size - lexer->at ? lexer->data[lexer->at + ahead]
                                         : '\0';
}

static void skip_line(struct jr_lexer *lexer) {
  const char *end =
      memchr(lexer->data + lexer->at, '\n', lexer->size - lexer->at);
  lexer->at = end ? (size_t)(end - lexer->data) : lexer->size;
}

static void skip_blanks(struct jr_lexer *lexer) {
  for (;;) {
    char byte = peek(lexer, 0);
    if (byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r')
      lexer->at++;
    else if (byte == '/' && peek(lexer, 1) == '/')
      skip_line(lexer);
    else
      return;
  }
}

/// Goes behind the string that begins here; one that is not closed ends with
/// its line.
static void skip_string(struct jr_lexer *lexer) {
  lexer->at++;
  while (lexer->at < lexer->size && lexer->data[lexer->at] != '\n') {
    char byte = lexer->data[lexer->at++];
    if (byte == '"')
      return;
    if (byte == '\\' && lexer->at < lexer->size &&
        lexer->data[lexer->at] != '\n')
      lexer->at++;
  }
}

/// Goes behind the name that follows a prefix: digits, or letters and more.
static void skip_name(struct jr_lexer *lexer) {
  lexer->at++;
  if (is_digit(peek(lexer, 0))) {
    while (is_digit(peek(lexer, 0)))
      lexer->at++;
    return;
  }
  while (is_word(peek(lexer, 0)) || peek(lexer, 0) == '-')
    lexer->at++;
}

static enum jr_token_kind skip_value(struct jr_lexer *lexer) {
  skip_name(lexer);
  if (peek(lexer, 0) == '#' && is_digit(peek(lexer, 1)))
    skip_name(lexer);
  return JR_TOKEN_VALUE;
}

static enum jr_token_kind skip_symbol(struct jr_lexer *lexer) {
  if (peek(lexer, 1) == '"') {
    lexer->at++;
    skip_string(lexer);
  } else {
    skip_name(lexer);
  }
  return JR_TOKEN_SYMBOL;
}

static enum jr_token_kind skip_punct(struct jr_lexer *lexer) {
  char byte = peek(lexer, 0);
  char next = peek(lexer, 1);
  bool is_arrow = byte == '-' && next == '>';
  bool is_pair = (byte == '<' || byte == '>') && next == '=';
  lexer->at += is_arrow || is_pair ? 2 : 1;
  return is_arrow ? JR_TOKEN_ARROW : JR_TOKEN_PUNCT;
}

static enum jr_token_kind skip_token(struct jr_lexer *lexer) {
  char byte = lexer->data[lexer->at];
  switch (byte) {
  case '"':
    skip_string(lexer);
    return JR_TOKEN_STRING;
  case '%':
    return skip_value(lexer);
  case '@':
    return skip_symbol(lexer);
  case '!':
    skip_name(lexer);
    return JR_TOKEN_TYPE;
  case '#':
    skip_name(lexer);
    return JR_TOKEN_ATTR;
  default:
    break;
  }
  if (!is_letter(byte) && !is_digit(byte))
    return skip_punct(lexer);
  while (is_word(peek(lexer, 0)))
    lexer->at++;
  return JR_TOKEN_WORD;
}

struct jr_token jr_lexer_next(struct jr_lexer *lexer) {
  skip_blanks(lexer);
  struct jr_token token = {.start = lexer->at, .end = lexer->at};
  if (lexer->at < lexer->size)
    token.kind = skip_token(lexer);
  token.end = lexer->at;
  return token;
}

bool jr_token_is(const struct jr_lexer *lexer, struct jr_token token,
                 char byte) {
  return token.end - token.start == 1 && lexer->data[token.start] == byte;
}

bool jr_token_equals(const struct jr_lexer *lexer, struct jr_token token,
                     const char *text) {
  size_t size = strlen(text);
  return token.end - token.start == size &&
         memcmp(lexer->data + token.start, text, size) == 0;
}
