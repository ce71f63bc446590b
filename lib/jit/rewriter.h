/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Editing program text from front to back while its tokens are read, for
/// desugar.c. What is not replaced is copied; replaced text keeps its line
/// breaks.
#ifndef JR_JIT_REWRITER_H
#define JR_JIT_REWRITER_H

#include "jit/desugar.h"
#include "jit/lexer.h"

/// Bytes of the old text.
struct jr_text_span {
  size_t start, end;
};

struct jr_rewriter {
  struct jr_lexer lexer;
  struct jr_token token; ///< the one being looked at
  size_t last_end;       ///< where the token in front of it ends
  const char *name;
  struct jr_desugared *out;
  size_t copied;   ///< the old text up to here is in the new one
  uint32_t line;   ///< of that place, from 1
  size_t old_line; ///< where that line begins in the old text,
  size_t new_line; ///< and in the new one
  bool failed;     ///< no memory for spans
  jitrun_error_t *error;
};

void jr_rewriter_init(struct jr_rewriter *rewriter, const char *data,
                      size_t size, const char *name, struct jr_desugared *out);

/// Goes on to the next token.
void jr_rewriter_advance(struct jr_rewriter *rewriter);

/// The token behind the one being looked at.
struct jr_token jr_rewriter_peek(const struct jr_rewriter *rewriter);

bool jr_rewriter_at(const struct jr_rewriter *rewriter, char byte);

/// Reports that `what` was expected at the token; always false.
bool jr_rewriter_fail(struct jr_rewriter *rewriter, const char *op,
                      const char *what);

/// Replaces [start, end) of the old text, which is not in front of an earlier
/// replacement, by `text`.
void jr_rewriter_replace(struct jr_rewriter *rewriter, size_t start, size_t end,
                         const char *text);

/// Appends to the last replacement: text, or a piece of the old text on one
/// line.
void jr_rewriter_add(struct jr_rewriter *rewriter, const char *text);
void jr_rewriter_move(struct jr_rewriter *rewriter, struct jr_text_span piece);

/// Ends a replacement: from here on the old text is copied again.
void jr_rewriter_resume(struct jr_rewriter *rewriter);

/// Replaces [start, end) by `text` alone.
void jr_rewriter_put(struct jr_rewriter *rewriter, size_t start, size_t end,
                     const char *text);

/// Copies what is left.
void jr_rewriter_finish(struct jr_rewriter *rewriter);

/// Goes behind a bracketed piece that begins at the token; false at the end of
/// the text.
bool jr_rewriter_skip_group(struct jr_rewriter *rewriter);

/// Goes behind a type; false when there is none.
bool jr_rewriter_skip_type(struct jr_rewriter *rewriter);

/// Goes behind types between commas.
bool jr_rewriter_skip_types(struct jr_rewriter *rewriter);

#endif
