/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Finds what is to be rewritten, by the word that begins it and the token
/// behind. A stack of braces tells in whose region an operation stands, since
/// `yield` and `call` may be written without prefix there.
#include "jit/desugar_forms.h"

#include <stdlib.h>
#include <string.h>

static const char execution_context[] = "!rt.execution_context";
enum {
  MAX_REDUCTIONS = 16, ///< of one loop
  MAX_AHEAD = 1 << 16, ///< bytes in which they stand, which bounds the work
  MAX_TYPE = 1 << 12   ///< bytes of a memref type that is looked into
};

static const char kernel_context[] = "!rt.kernel_context";

struct jr_brace *jr_brace_top(struct jr_desugarer *desugarer) {
  struct jr_bytes *braces = &desugarer->braces;
  return braces->size
             ? (struct jr_brace *)(void *)(braces->data + braces->size) - 1
             : NULL;
}

void jr_brace_push(struct jr_desugarer *desugarer, struct jr_brace brace) {
  jr_bytes_append(&desugarer->braces, &brace, sizeof brace);
}

static bool in_trace(struct jr_desugarer *desugarer) {
  const struct jr_brace *brace = jr_brace_top(desugarer);
  return brace &&
         (brace->kind == JR_BRACE_TRACE || brace->kind == JR_BRACE_GENERIC);
}

/// scf.yield at the end of an scf.parallel, which is scf.reduce now; behind a
/// reduction in the old form, that one is the end.
static bool rewrite_scf_yield(struct jr_desugarer *desugarer, const char *op) {
  struct jr_rewriter *rewriter = &desugarer->rewriter;
  const struct jr_brace *brace = jr_brace_top(desugarer);
  (void)op;
  if (brace->reductions < 2)
    jr_rewriter_put(rewriter, rewriter->token.start, rewriter->token.end,
                    brace->reductions ? "" : "scf.reduce");
  jr_rewriter_advance(rewriter);
  return true;
}

/// One scf.reduce(%value) : type.
struct reduction {
  struct jr_text_span value, type;
};

/// Reads one at the token, up to its region; false when there is none.
static bool read_reduction(struct jr_rewriter *rewriter, const char *op,
                           struct reduction *out) {
  if (!jr_token_equals(&rewriter->lexer, rewriter->token, op))
    return false;
  jr_rewriter_advance(rewriter);
  if (!jr_rewriter_at(rewriter, '('))
    return false;
  jr_rewriter_advance(rewriter);
  out->value =
      (struct jr_text_span){rewriter->token.start, rewriter->token.end};
  if (rewriter->token.kind != JR_TOKEN_VALUE)
    return false;
  jr_rewriter_advance(rewriter);
  if (!jr_rewriter_at(rewriter, ')'))
    return false;
  jr_rewriter_advance(rewriter);
  if (!jr_rewriter_at(rewriter, ':'))
    return false;
  jr_rewriter_advance(rewriter);
  out->type.start = rewriter->token.start;
  bool is_type = jr_rewriter_skip_type(rewriter);
  out->type.end = rewriter->last_end;
  return is_type && jr_rewriter_at(rewriter, '{');
}

/// Finds the reductions that stand right behind each other from here on; the
/// rewriter is a copy, which looks ahead.
static size_t list_reductions(struct jr_rewriter ahead, const char *op,
                              struct reduction *out) {
  size_t count = 0;
  if (ahead.lexer.size - ahead.token.start > MAX_AHEAD)
    ahead.lexer.size = ahead.token.start + MAX_AHEAD;
  while (count < MAX_REDUCTIONS && read_reduction(&ahead, op, &out[count])) {
    count++;
    if (!jr_rewriter_skip_group(&ahead))
      break;
  }
  return count;
}

/// Writes the first of several reductions: with the values of all.
static void join_reductions(struct jr_desugarer *desugarer, const char *op,
                            const struct reduction *all, size_t count) {
  struct jr_rewriter *rewriter = &desugarer->rewriter;
  struct reduction first;
  size_t start = rewriter->token.start;
  (void)read_reduction(rewriter, op, &first);
  jr_rewriter_replace(rewriter, start, rewriter->last_end, "scf.reduce(");
  for (size_t i = 0; i < count; i++) {
    jr_rewriter_add(rewriter, i ? ", " : "");
    jr_rewriter_move(rewriter, all[i].value);
  }
  for (size_t i = 0; i < count; i++) {
    jr_rewriter_add(rewriter, i ? ", " : " : ");
    jr_rewriter_move(rewriter, all[i].type);
  }
  jr_rewriter_add(rewriter, ")");
  jr_rewriter_resume(rewriter);
  jr_brace_top(desugarer)->joined = count - 1;
  jr_brace_top(desugarer)->reductions++;
}

/// scf.reduce(%value) : type { ... }, which is scf.reduce(%value : type) now;
/// several are one with a region for each.
static bool rewrite_scf_reduce(struct jr_desugarer *desugarer, const char *op) {
  struct jr_rewriter *rewriter = &desugarer->rewriter;
  struct reduction all[MAX_REDUCTIONS];
  if (jr_brace_top(desugarer)->joined > 0) {
    size_t start = rewriter->token.start;
    jr_brace_top(desugarer)->joined--;
    (void)read_reduction(rewriter, op, all);
    jr_rewriter_put(rewriter, start, rewriter->last_end, ",");
    return true;
  }
  size_t count = list_reductions(*rewriter, op, all);
  if (count > 1) {
    join_reductions(desugarer, op, all, count);
    return true;
  }
  jr_rewriter_advance(rewriter);
  if (!jr_rewriter_at(rewriter, '('))
    return true;
  jr_rewriter_advance(rewriter);
  if (rewriter->token.kind != JR_TOKEN_VALUE)
    return true;
  jr_rewriter_advance(rewriter);
  struct jr_token close = rewriter->token;
  if (!jr_rewriter_at(rewriter, ')') ||
      !jr_token_is(&rewriter->lexer, jr_rewriter_peek(rewriter), ':'))
    return true;
  jr_brace_top(desugarer)->reductions++;
  jr_rewriter_put(rewriter, close.start, close.end, "");
  jr_rewriter_advance(rewriter);
  jr_rewriter_advance(rewriter);
  if (!jr_rewriter_skip_type(rewriter))
    return jr_rewriter_fail(rewriter, op, "a type");
  jr_rewriter_put(rewriter, rewriter->last_end, rewriter->last_end, ")");
  return true;
}

static bool rewrite_null(struct jr_desugarer *desugarer, const char *op) {
  struct jr_rewriter *rewriter = &desugarer->rewriter;
  (void)op;
  jr_rewriter_put(rewriter, rewriter->token.start, rewriter->token.end,
                  "llvm.mlir.zero");
  jr_rewriter_advance(rewriter);
  return true;
}

/// llvm.intr.lifetime.start -1, %pointer, which has no size now.
static bool rewrite_lifetime(struct jr_desugarer *desugarer, const char *op) {
  struct jr_rewriter *rewriter = &desugarer->rewriter;
  (void)op;
  jr_rewriter_advance(rewriter);
  size_t start = rewriter->token.start;
  if (jr_rewriter_at(rewriter, '-'))
    jr_rewriter_advance(rewriter);
  if (rewriter->token.kind != JR_TOKEN_WORD ||
      !jr_token_is(&rewriter->lexer, jr_rewriter_peek(rewriter), ','))
    return true;
  jr_rewriter_advance(rewriter);
  jr_rewriter_put(rewriter, start, rewriter->token.end, "");
  jr_rewriter_advance(rewriter);
  return true;
}

/// What a memref type, which the token is, has between its brackets before the
/// layout; empty for other types.
static struct jr_text_span find_shape(const struct jr_rewriter *rewriter) {
  struct jr_rewriter ahead = *rewriter;
  struct jr_text_span shape = {0, 0};
  if (ahead.lexer.size - ahead.token.start > MAX_TYPE)
    ahead.lexer.size = ahead.token.start + MAX_TYPE;
  if (!jr_token_equals(&ahead.lexer, ahead.token, "memref"))
    return shape;
  jr_rewriter_advance(&ahead);
  if (!jr_rewriter_at(&ahead, '<'))
    return shape;
  shape.start = ahead.token.end;
  jr_rewriter_advance(&ahead);
  while (ahead.token.kind != JR_TOKEN_END && !jr_rewriter_at(&ahead, ',') &&
         !jr_rewriter_at(&ahead, '>')) {
    if (!jr_rewriter_at(&ahead, '<'))
      jr_rewriter_advance(&ahead);
    else if (!jr_rewriter_skip_group(&ahead))
      break;
  }
  shape.end = ahead.last_end;
  return shape;
}

/// bufferization.to_tensor %m : memref<4xf32>, which names the tensor's type
/// now.
static bool rewrite_to_tensor(struct jr_desugarer *desugarer, const char *op) {
  struct jr_rewriter *rewriter = &desugarer->rewriter;
  (void)op;
  jr_rewriter_advance(rewriter);
  while (rewriter->token.kind == JR_TOKEN_VALUE ||
         jr_token_equals(&rewriter->lexer, rewriter->token, "restrict") ||
         jr_token_equals(&rewriter->lexer, rewriter->token, "writable"))
    jr_rewriter_advance(rewriter);
  if (!jr_rewriter_at(rewriter, ':'))
    return true;
  jr_rewriter_advance(rewriter);
  struct jr_text_span shape = find_shape(rewriter);
  if (shape.end <= shape.start || !jr_rewriter_skip_type(rewriter) ||
      jr_token_equals(&rewriter->lexer, rewriter->token, "to"))
    return true;
  jr_rewriter_replace(rewriter, rewriter->last_end, rewriter->last_end,
                      " to tensor<");
  jr_rewriter_move(rewriter, shape);
  jr_rewriter_add(rewriter, ">");
  jr_rewriter_resume(rewriter);
  return true;
}

/// Operations of the body of an scf.parallel.
static const struct jr_form parallel_forms[] = {
    {"scf.yield", JR_BEFORE_ANY, rewrite_scf_yield},
    {"scf.reduce", JR_BEFORE_ANY, rewrite_scf_reduce},
};

/// Operations of other dialects that stand anywhere.
static const struct jr_form other_forms[] = {
    {"llvm.mlir.null", JR_BEFORE_ANY, rewrite_null},
    {"llvm.intr.lifetime.start", JR_BEFORE_ANY, rewrite_lifetime},
    {"llvm.intr.lifetime.end", JR_BEFORE_ANY, rewrite_lifetime},
    {"bufferization.to_tensor", JR_BEFORE_ANY, rewrite_to_tensor},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool follows(const struct jr_rewriter *rewriter,
                    enum jr_follower follower) {
  if (follower == JR_BEFORE_ANY)
    return true;
  struct jr_token next = jr_rewriter_peek(rewriter);
  switch (follower) {
  case JR_BEFORE_SYMBOL:
    return next.kind == JR_TOKEN_SYMBOL;
  case JR_BEFORE_VALUE:
    return next.kind == JR_TOKEN_VALUE;
  case JR_BEFORE_CALL:
    return next.kind == JR_TOKEN_VALUE ||
           jr_token_equals(&rewriter->lexer, next, "dynamic") ||
           jr_token_equals(&rewriter->lexer, next, "direct");
  default:
    return next.kind == JR_TOKEN_ATTR || next.kind == JR_TOKEN_STRING;
  }
}

/// The form that the word at the token begins; NULL when it is none.
static const struct jr_form *find_form(struct jr_desugarer *desugarer) {
  const struct jr_rewriter *rewriter = &desugarer->rewriter;
  const struct jr_brace *brace = jr_brace_top(desugarer);
  bool bare = in_trace(desugarer);
  for (size_t i = 0; i < JR_RT_FORM_COUNT; i++) {
    const struct jr_form *form = &jr_rt_forms[i];
    const char *word = form->word;
    if ((jr_token_equals(&rewriter->lexer, rewriter->token, word) ||
         (bare && jr_token_equals(&rewriter->lexer, rewriter->token,
                                  word + strlen("rt.")))) &&
        follows(rewriter, form->follower))
      return form;
  }
  for (size_t i = 0;
       brace && brace->kind == JR_BRACE_PARALLEL && i < COUNT(parallel_forms);
       i++)
    if (jr_token_equals(&rewriter->lexer, rewriter->token,
                        parallel_forms[i].word))
      return &parallel_forms[i];
  for (size_t i = 0; i < COUNT(other_forms); i++)
    if (jr_token_equals(&rewriter->lexer, rewriter->token, other_forms[i].word))
      return &other_forms[i];
  return NULL;
}

static bool visit_word(struct jr_desugarer *desugarer) {
  struct jr_rewriter *rewriter = &desugarer->rewriter;
  const struct jr_form *form = find_form(desugarer);
  if (form)
    return form->rewrite(desugarer, form->word);
  if (jr_token_equals(&rewriter->lexer, rewriter->token, "scf.parallel"))
    desugarer->awaits_parallel_body = true;
  jr_rewriter_advance(rewriter);
  return true;
}

static void open_brace(struct jr_desugarer *desugarer) {
  struct jr_rewriter *rewriter = &desugarer->rewriter;
  struct jr_brace brace = {.kind = JR_BRACE_OTHER};
  if (desugarer->awaits_parallel_body)
    brace.kind = JR_BRACE_PARALLEL;
  else if (rewriter->token.start == desugarer->generic_brace)
    brace.kind = JR_BRACE_GENERIC;
  desugarer->awaits_parallel_body = false;
  jr_brace_push(desugarer, brace);
  jr_rewriter_advance(rewriter);
}

static bool close_brace(struct jr_desugarer *desugarer) {
  struct jr_rewriter *rewriter = &desugarer->rewriter;
  const struct jr_brace *top = jr_brace_top(desugarer);
  jr_rewriter_advance(rewriter);
  if (!top)
    return true;
  struct jr_brace brace = *top;
  desugarer->braces.size -= sizeof brace;
  if (brace.kind == JR_BRACE_TRACE)
    return jr_desugar_close(desugarer, &brace);
  if (brace.kind == JR_BRACE_GENERIC && jr_rewriter_at(rewriter, ')'))
    jr_rewriter_put(rewriter, rewriter->last_end, rewriter->last_end, ", {}");
  return true;
}

/// Notes where the region of a generic rt.trace begins.
static void visit_string(struct jr_desugarer *desugarer) {
  struct jr_rewriter *rewriter = &desugarer->rewriter;
  bool is_trace =
      jr_token_equals(&rewriter->lexer, rewriter->token, "\"rt.trace\"");
  jr_rewriter_advance(rewriter);
  if (!is_trace || !jr_rewriter_at(rewriter, '('))
    return;
  do
    jr_rewriter_advance(rewriter);
  while (rewriter->token.kind == JR_TOKEN_VALUE ||
         jr_rewriter_at(rewriter, ','));
  if (!jr_rewriter_at(rewriter, ')'))
    return;
  jr_rewriter_advance(rewriter);
  struct jr_token next = jr_rewriter_peek(rewriter);
  if (jr_rewriter_at(rewriter, '(') && jr_token_is(&rewriter->lexer, next, '{'))
    desugarer->generic_brace = next.start;
}

/// Looks at one token or one operation; false after an error.
static bool visit_token(struct jr_desugarer *desugarer) {
  struct jr_rewriter *rewriter = &desugarer->rewriter;
  switch (rewriter->token.kind) {
  case JR_TOKEN_WORD:
    return visit_word(desugarer);
  case JR_TOKEN_STRING:
    visit_string(desugarer);
    return true;
  case JR_TOKEN_TYPE:
    if (jr_token_equals(&rewriter->lexer, rewriter->token, kernel_context))
      desugarer->context = kernel_context;
    else if (jr_token_equals(&rewriter->lexer, rewriter->token,
                             execution_context))
      desugarer->context = execution_context;
    break;
  case JR_TOKEN_PUNCT:
    if (jr_rewriter_at(rewriter, '}'))
      return close_brace(desugarer);
    if (jr_rewriter_at(rewriter, '{')) {
      open_brace(desugarer);
      return true;
    }
    break;
  default:
    break;
  }
  jr_rewriter_advance(rewriter);
  return true;
}

/// True when `word` occurs as a word, and not as the name of an attribute,
/// which a '=' follows.
static bool has_word(const char *data, size_t size, const char *word) {
  const char *end = data + size;
  size_t length = strlen(word);
  for (const char *at = data;; at += length) {
    at = memmem(at, (size_t)(end - at), word, length);
    if (!at)
      return false;
    struct jr_lexer lexer = {data, size, (size_t)(at - data)};
    struct jr_token token = jr_lexer_next(&lexer);
    if (token.end - token.start == length &&
        !jr_token_is(&lexer, jr_lexer_next(&lexer), '='))
      return true;
  }
}

/// False for most programs, which have attributes of these names at most.
static bool may_have_forms(const char *data, size_t size) {
  for (size_t i = 0; i < JR_RT_FORM_COUNT; i++) {
    if (has_word(data, size, jr_rt_forms[i].word))
      return true;
  }
  for (size_t i = 0; i < COUNT(other_forms); i++) {
    if (has_word(data, size, other_forms[i].word))
      return true;
  }
  return memmem(data, size, "rt.trace\"", strlen("rt.trace\"")) ||
         (has_word(data, size, "scf.parallel") &&
          has_word(data, size, "scf.yield"));
}

jitrun_error_t *jr_desugar(const char *data, size_t size, const char *name,
                           struct jr_desugared *out) {
  if (!may_have_forms(data, size))
    return NULL;
  struct jr_desugarer desugarer = {.context = execution_context,
                                   .generic_brace = SIZE_MAX};
  struct jr_rewriter *rewriter = &desugarer.rewriter;
  jr_rewriter_init(rewriter, data, size, name, out);
  while (rewriter->token.kind != JR_TOKEN_END && visit_token(&desugarer))
    ;
  jitrun_error_t *error = rewriter->error;
  if (!error && out->span_count > 0) {
    jr_rewriter_finish(rewriter);
    if (rewriter->failed || desugarer.braces.failed ||
        !jr_bytes_text(&out->text))
      error = jr_error_no_memory();
  }
  jr_bytes_deinit(&desugarer.braces);
  if (error)
    jr_desugar_deinit(out);
  return error;
}

uint32_t jr_desugar_column(const struct jr_desugared *desugared, uint32_t line,
                           uint32_t column) {
  const struct jr_column_span *spans = desugared->spans;
  size_t first = 0;
  size_t end = desugared->span_count;
  while (first < end) {
    size_t middle = first + (end - first) / 2;
    if (spans[middle].line < line ||
        (spans[middle].line == line && spans[middle].column <= column))
      first = middle + 1;
    else
      end = middle;
  }
  if (first == 0 || spans[first - 1].line != line)
    return column;
  const struct jr_column_span *span = &spans[first - 1];
  return span->is_new ? span->original
                      : span->original + (column - span->column);
}

void jr_desugar_deinit(struct jr_desugared *desugared) {
  jr_bytes_deinit(&desugared->text);
  free(desugared->spans);
  *desugared = (struct jr_desugared){0};
}
