/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See rewriter.h.
#include "jit/rewriter.h"

#include "base/alloc.h"

#include <string.h>

void jr_rewriter_init(struct jr_rewriter *rewriter, const char *data,
                      size_t size, const char *name, struct jr_desugared *out) {
  *rewriter = (struct jr_rewriter){.lexer = {.data = data, .size = size},
                                   .name = name,
                                   .out = out,
                                   .line = 1};
  rewriter->token = jr_lexer_next(&rewriter->lexer);
}

void jr_rewriter_advance(struct jr_rewriter *rewriter) {
  rewriter->last_end = rewriter->token.end;
  rewriter->token = jr_lexer_next(&rewriter->lexer);
}

struct jr_token jr_rewriter_peek(const struct jr_rewriter *rewriter) {
  struct jr_lexer lexer = rewriter->lexer;
  return jr_lexer_next(&lexer);
}

bool jr_rewriter_at(const struct jr_rewriter *rewriter, char byte) {
  return jr_token_is(&rewriter->lexer, rewriter->token, byte);
}

/// Counts the line breaks of old text that is passed.
static void pass_lines(struct jr_rewriter *rewriter, size_t start, size_t end) {
  const char *data = rewriter->lexer.data;
  while (start < end) {
    const char *found = memchr(data + start, '\n', end - start);
    if (!found)
      return;
    start = (size_t)(found - data) + 1;
    rewriter->line++;
    rewriter->old_line = start;
  }
}

/// Appends old text up to `end`.
static void copy_to(struct jr_rewriter *rewriter, size_t end) {
  struct jr_bytes *text = &rewriter->out->text;
  size_t start = rewriter->copied;
  if (end <= start)
    return;
  size_t before = rewriter->old_line;
  pass_lines(rewriter, start, end);
  if (rewriter->old_line != before)
    rewriter->new_line = text->size + (rewriter->old_line - start);
  jr_bytes_append(text, rewriter->lexer.data + start, end - start);
  rewriter->copied = end;
}

static void add_span(struct jr_rewriter *rewriter, bool is_new) {
  struct jr_desugared *out = rewriter->out;
  struct jr_column_span *spans =
      jr_grow(out->spans, &out->span_capacity, out->span_count, sizeof *spans);
  if (!spans) {
    rewriter->failed = true;
    return;
  }
  out->spans = spans;
  out->spans[out->span_count++] = (struct jr_column_span){
      .line = rewriter->line,
      .column = (uint32_t)(out->text.size - rewriter->new_line) + 1,
      .original = (uint32_t)(rewriter->copied - rewriter->old_line) + 1,
      .is_new = is_new};
}

bool jr_rewriter_fail(struct jr_rewriter *rewriter, const char *op,
                      const char *what) {
  struct jr_token token = rewriter->token;
  if (rewriter->error)
    return false;
  pass_lines(rewriter, rewriter->copied, token.start);
  size_t size = token.end - token.start;
  if (token.kind == JR_TOKEN_END)
    rewriter->error =
        jr_error(JITRUN_INVALID_ARGUMENT,
                 "%s: expected %s, found the end of the text", op, what);
  else
    rewriter->error = jr_error(
        JITRUN_INVALID_ARGUMENT, "%s: expected %s, found '%.*s'", op, what,
        (int)(size < 64 ? size : 64), rewriter->lexer.data + token.start);
  rewriter->error =
      jr_error_at(rewriter->error, rewriter->name, rewriter->line,
                  (uint32_t)(token.start - rewriter->old_line) + 1);
  return false;
}

void jr_rewriter_replace(struct jr_rewriter *rewriter, size_t start, size_t end,
                         const char *text) {
  copy_to(rewriter, start);
  add_span(rewriter, true);
  jr_rewriter_add(rewriter, text);
  uint32_t line = rewriter->line;
  pass_lines(rewriter, start, end);
  rewriter->copied = end;
  for (; line < rewriter->line; line++) {
    jr_rewriter_add(rewriter, "\n");
    rewriter->new_line = rewriter->out->text.size;
  }
}

void jr_rewriter_add(struct jr_rewriter *rewriter, const char *text) {
  jr_bytes_append_text(&rewriter->out->text, text);
}

void jr_rewriter_move(struct jr_rewriter *rewriter, struct jr_text_span piece) {
  struct jr_bytes *text = &rewriter->out->text;
  struct jr_lexer lexer = {
      .data = rewriter->lexer.data, .size = piece.end, .at = piece.start};
  size_t last_end = piece.start;
  for (;;) {
    struct jr_token token = jr_lexer_next(&lexer);
    if (token.kind == JR_TOKEN_END)
      return;
    if (token.start > last_end)
      jr_bytes_append(text, " ", 1);
    jr_bytes_append(text, lexer.data + token.start, token.end - token.start);
    last_end = token.end;
  }
}

void jr_rewriter_resume(struct jr_rewriter *rewriter) {
  add_span(rewriter, false);
}

void jr_rewriter_put(struct jr_rewriter *rewriter, size_t start, size_t end,
                     const char *text) {
  jr_rewriter_replace(rewriter, start, end, text);
  jr_rewriter_resume(rewriter);
}

void jr_rewriter_finish(struct jr_rewriter *rewriter) {
  copy_to(rewriter, rewriter->lexer.size);
}

/// How a token changes the depth of brackets.
static int bracket_step(const struct jr_rewriter *rewriter) {
  struct jr_token token = rewriter->token;
  if (token.kind != JR_TOKEN_PUNCT || token.end - token.start != 1)
    return 0;
  char byte = rewriter->lexer.data[token.start];
  bool opens = byte == '(' || byte == '[' || byte == '{' || byte == '<';
  bool closes = byte == ')' || byte == ']' || byte == '}' || byte == '>';
  return opens - closes;
}

bool jr_rewriter_skip_group(struct jr_rewriter *rewriter) {
  size_t depth = 0;
  do {
    if (rewriter->token.kind == JR_TOKEN_END)
      return false;
    int step = bracket_step(rewriter);
    if (step > 0)
      depth++;
    else if (step < 0)
      depth--;
    jr_rewriter_advance(rewriter);
  } while (depth > 0);
  return true;
}

bool jr_rewriter_skip_type(struct jr_rewriter *rewriter) {
  for (;;) {
    if (jr_rewriter_at(rewriter, '(')) {
      if (!jr_rewriter_skip_group(rewriter) ||
          rewriter->token.kind != JR_TOKEN_ARROW)
        return false;
      jr_rewriter_advance(rewriter);
      if (jr_rewriter_at(rewriter, '(') &&
          jr_rewriter_peek(rewriter).kind != JR_TOKEN_END)
        return jr_rewriter_skip_group(rewriter);
      continue;
    }
    if (rewriter->token.kind != JR_TOKEN_TYPE &&
        rewriter->token.kind != JR_TOKEN_WORD)
      return false;
    jr_rewriter_advance(rewriter);
    if (jr_rewriter_at(rewriter, '<') &&
        rewriter->token.start == rewriter->last_end)
      return jr_rewriter_skip_group(rewriter);
    return true;
  }
}

bool jr_rewriter_skip_types(struct jr_rewriter *rewriter) {
  while (jr_rewriter_skip_type(rewriter)) {
    if (!jr_rewriter_at(rewriter, ','))
      return true;
    jr_rewriter_advance(rewriter);
  }
  return false;
}
