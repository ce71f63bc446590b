/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Tokens of MLIR text, as coarse as rewriting it needs: comments and blanks
/// are skipped, strings are one token. Any bytes can be given; each is looked
/// at once.
#ifndef JR_JIT_LEXER_H
#define JR_JIT_LEXER_H

#include <stdbool.h>
#include <stddef.h>

enum jr_token_kind {
  JR_TOKEN_END,
  JR_TOKEN_WORD,   ///< bare identifier or number: scf.for, 4xf32, 7
  JR_TOKEN_VALUE,  ///< %name, %name#1
  JR_TOKEN_SYMBOL, ///< @name, @"any name"
  JR_TOKEN_TYPE,   ///< !dialect.name
  JR_TOKEN_ATTR,   ///< #dialect.name
  JR_TOKEN_STRING, ///< "text", with its quotes
  JR_TOKEN_ARROW,  ///< ->
  JR_TOKEN_PUNCT   ///< any other byte; <= and >= are one token
};

struct jr_token {
  enum jr_token_kind kind;
  size_t start, end; ///< offsets of its bytes
};

struct jr_lexer {
  const char *data;
  size_t size;
  size_t at; ///< where the next token is looked for
};

struct jr_token jr_lexer_next(struct jr_lexer *lexer);

/// True for the token of one byte `byte`.
bool jr_token_is(const struct jr_lexer *lexer, struct jr_token token,
                 char byte);

/// True when the token is spelt `text`.
bool jr_token_equals(const struct jr_lexer *lexer, struct jr_token token,
                     const char *text);

#endif
