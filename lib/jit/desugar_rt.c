/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The pretty forms of rt: one function each. Pieces that stand in the same
/// order in generic form stay where they are.
#include "jit/desugar_forms.h"

/// What is forgotten most: programs of other runtimes have no context.
#define CONTEXT_OF(form) "an execution context first, as in " form

/// Replaces the token, and the blanks behind it, by `text`.
static void begin(struct jr_rewriter *rewriter, const char *text) {
  size_t start = rewriter->token.start;
  jr_rewriter_advance(rewriter);
  jr_rewriter_put(rewriter, start, rewriter->token.start, text);
}

/// Goes behind a token of `kind`, or says that `what` is missing.
static bool take(struct jr_rewriter *rewriter, const char *op,
                 enum jr_token_kind kind, const char *what) {
  if (rewriter->token.kind != kind)
    return jr_rewriter_fail(rewriter, op, what);
  jr_rewriter_advance(rewriter);
  return true;
}

static bool take_byte(struct jr_rewriter *rewriter, const char *op, char byte) {
  char what[] = {'\'', byte, '\'', '\0'};
  if (!jr_rewriter_at(rewriter, byte))
    return jr_rewriter_fail(rewriter, op, what);
  jr_rewriter_advance(rewriter);
  return true;
}

static bool take_type(struct jr_rewriter *rewriter, const char *op) {
  return jr_rewriter_skip_type(rewriter) ||
         jr_rewriter_fail(rewriter, op, "a type");
}

/// Ends the attributes that were begun with `{...`: those of the program, if
/// the token opens a dictionary, join them.
static bool join_attributes(struct jr_rewriter *rewriter, const char *op) {
  if (!jr_rewriter_at(rewriter, '{')) {
    jr_rewriter_put(rewriter, rewriter->last_end, rewriter->last_end, "}");
    return true;
  }
  struct jr_token open = rewriter->token;
  bool is_empty =
      jr_token_is(&rewriter->lexer, jr_rewriter_peek(rewriter), '}');
  jr_rewriter_put(rewriter, rewriter->last_end, open.end, is_empty ? "" : ", ");
  return jr_rewriter_skip_group(rewriter) ||
         jr_rewriter_fail(rewriter, op, "'}'");
}

/// Appends the type of an operation whose first operand is a context.
static void add_context_type(struct jr_desugarer *desugarer, const char *before,
                             const char *after) {
  jr_rewriter_add(&desugarer->rewriter, before);
  jr_rewriter_add(&desugarer->rewriter, desugarer->context);
  jr_rewriter_add(&desugarer->rewriter, after);
}

/// rt.export @name [ordinal N] [attributes]
static bool rewrite_export(struct jr_desugarer *desugarer, const char *op) {
  struct jr_rewriter *rewriter = &desugarer->rewriter;
  jr_rewriter_put(rewriter, rewriter->token.start, rewriter->token.end,
                  "\"rt.export\"() {function_ref =");
  jr_rewriter_advance(rewriter);
  if (!take(rewriter, op, JR_TOKEN_SYMBOL, "the name of a function"))
    return false;
  if (jr_token_equals(&rewriter->lexer, rewriter->token, "ordinal")) {
    jr_rewriter_put(rewriter, rewriter->last_end, rewriter->token.end,
                    ", ordinal =");
    jr_rewriter_advance(rewriter);
    if (jr_rewriter_at(rewriter, '-'))
      jr_rewriter_advance(rewriter);
    if (!take(rewriter, op, JR_TOKEN_WORD, "a number"))
      return false;
    jr_rewriter_put(rewriter, rewriter->last_end, rewriter->last_end, " : i32");
  }
  if (!join_attributes(rewriter, op))
    return false;
  jr_rewriter_put(rewriter, rewriter->last_end, rewriter->last_end,
                  " : () -> ()");
  return true;
}

/// rt.set_output %context, index, %value : type [attributes]
static bool rewrite_set_output(struct jr_desugarer *desugarer, const char *op) {
  struct jr_rewriter *rewriter = &desugarer->rewriter;
  begin(rewriter, "\"rt.set_output\"(");
  if (!take(rewriter, op, JR_TOKEN_VALUE,
            CONTEXT_OF("rt.set_output %ctx, 0, %value : type")) ||
      !take_byte(rewriter, op, ','))
    return false;
  struct jr_text_span index = {rewriter->token.start, rewriter->token.end};
  if (jr_rewriter_at(rewriter, '-')) {
    jr_rewriter_advance(rewriter);
    index.end = rewriter->token.end;
  }
  if (!take(rewriter, op, JR_TOKEN_WORD, "a number") ||
      !take_byte(rewriter, op, ','))
    return false;
  jr_rewriter_put(rewriter, index.start, rewriter->last_end, "");
  if (!take(rewriter, op, JR_TOKEN_VALUE, "a value"))
    return false;
  jr_rewriter_replace(rewriter, rewriter->last_end, rewriter->last_end,
                      ") {index = ");
  jr_rewriter_move(rewriter, index);
  jr_rewriter_add(rewriter, " : i64}");
  jr_rewriter_resume(rewriter);
  if (!take_byte(rewriter, op, ':'))
    return false;
  jr_rewriter_replace(rewriter, rewriter->last_end, rewriter->last_end, "");
  add_context_type(desugarer, " (", ", ");
  jr_rewriter_resume(rewriter);
  if (!take_type(rewriter, op))
    return false;
  jr_rewriter_put(rewriter, rewriter->last_end, rewriter->last_end, ") -> ()");
  return true;
}

/// rt.set_error %context, "message" [attributes]
static bool rewrite_set_error(struct jr_desugarer *desugarer, const char *op) {
  struct jr_rewriter *rewriter = &desugarer->rewriter;
  begin(rewriter, "\"rt.set_error\"(");
  if (!take(rewriter, op, JR_TOKEN_VALUE,
            CONTEXT_OF("rt.set_error %ctx, \"message\"")))
    return false;
  size_t before = rewriter->last_end;
  if (!take_byte(rewriter, op, ','))
    return false;
  jr_rewriter_put(rewriter, before, rewriter->last_end, ") {error =");
  if (!take(rewriter, op, JR_TOKEN_STRING, "a message between quotes") ||
      !join_attributes(rewriter, op))
    return false;
  jr_rewriter_replace(rewriter, rewriter->last_end, rewriter->last_end, "");
  add_context_type(desugarer, " : (", ") -> ()");
  jr_rewriter_resume(rewriter);
  return true;
}

/// rt.is_ok %status
static bool rewrite_is_ok(struct jr_desugarer *desugarer, const char *op) {
  struct jr_rewriter *rewriter = &desugarer->rewriter;
  begin(rewriter, "\"rt.is_ok\"(");
  if (!take(rewriter, op, JR_TOKEN_VALUE, "a status"))
    return false;
  jr_rewriter_put(rewriter, rewriter->last_end, rewriter->last_end,
                  ") : (!rt.status) -> i1");
  return true;
}

/// `(operands)` of a call becomes the rest of a list that begins with the
/// context.
static bool join_operands(struct jr_rewriter *rewriter, const char *op,
                          size_t from) {
  if (!jr_rewriter_at(rewriter, '('))
    return take_byte(rewriter, op, '(');
  bool is_empty =
      jr_token_is(&rewriter->lexer, jr_rewriter_peek(rewriter), ')');
  jr_rewriter_put(rewriter, from, rewriter->token.end, is_empty ? "" : ", ");
  jr_rewriter_advance(rewriter);
  while (rewriter->token.kind == JR_TOKEN_VALUE ||
         jr_rewriter_at(rewriter, ','))
    jr_rewriter_advance(rewriter);
  return take_byte(rewriter, op, ')');
}

/// The type of a call gets the context and the status.
static bool join_call_type(struct jr_desugarer *desugarer, const char *op) {
  struct jr_rewriter *rewriter = &desugarer->rewriter;
  if (!take_byte(rewriter, op, ':') || !take_byte(rewriter, op, '('))
    return false;
  bool is_empty = jr_rewriter_at(rewriter, ')');
  jr_rewriter_replace(rewriter, rewriter->last_end, rewriter->last_end, "");
  add_context_type(desugarer, "", is_empty ? "" : ", ");
  jr_rewriter_resume(rewriter);
  if (!is_empty && !jr_rewriter_skip_types(rewriter))
    return jr_rewriter_fail(rewriter, op, "types of arguments");
  if (!take_byte(rewriter, op, ')') ||
      !take(rewriter, op, JR_TOKEN_ARROW, "'->'"))
    return false;
  if (!jr_rewriter_at(rewriter, '(')) {
    jr_rewriter_put(rewriter, rewriter->token.start, rewriter->token.start,
                    "(!rt.status, ");
    if (!take_type(rewriter, op))
      return false;
    jr_rewriter_put(rewriter, rewriter->last_end, rewriter->last_end, ")");
    return true;
  }
  is_empty = jr_token_is(&rewriter->lexer, jr_rewriter_peek(rewriter), ')');
  jr_rewriter_put(rewriter, rewriter->token.end, rewriter->token.end,
                  is_empty ? "!rt.status" : "!rt.status, ");
  return jr_rewriter_skip_group(rewriter) ||
         jr_rewriter_fail(rewriter, op, "')'");
}

/// rt.call [dynamic|direct] %context["target"] (operands) [attributes] : type
static bool rewrite_call(struct jr_desugarer *desugarer, const char *op) {
  struct jr_rewriter *rewriter = &desugarer->rewriter;
  size_t start = rewriter->token.start;
  jr_rewriter_advance(rewriter);
  bool is_dynamic =
      jr_token_equals(&rewriter->lexer, rewriter->token, "dynamic");
  if (is_dynamic ||
      jr_token_equals(&rewriter->lexer, rewriter->token, "direct"))
    jr_rewriter_advance(rewriter);
  jr_rewriter_put(rewriter, start, rewriter->token.start, "\"rt.call\"(");
  if (!take(rewriter, op, JR_TOKEN_VALUE,
            CONTEXT_OF("rt.call %ctx[\"target\"] (%x) : (type) -> ()")))
    return false;
  size_t after_context = rewriter->last_end;
  if (!take_byte(rewriter, op, '['))
    return false;
  struct jr_text_span target = {rewriter->token.start, rewriter->token.end};
  if (!take(rewriter, op, JR_TOKEN_STRING, "a target between quotes") ||
      !take_byte(rewriter, op, ']') ||
      !join_operands(rewriter, op, after_context))
    return false;
  jr_rewriter_replace(rewriter, rewriter->last_end, rewriter->last_end,
                      " {callee = ");
  jr_rewriter_move(rewriter, target);
  jr_rewriter_add(rewriter, is_dynamic ? ", dynamic" : "");
  jr_rewriter_resume(rewriter);
  return join_attributes(rewriter, op) && join_call_type(desugarer, op);
}

/// rt.trace annotation, %context [-> types] { ... } [attributes]
static bool rewrite_trace(struct jr_desugarer *desugarer, const char *op) {
  struct jr_rewriter *rewriter = &desugarer->rewriter;
  struct jr_brace brace = {.kind = JR_BRACE_TRACE,
                           .context = desugarer->context};
  size_t start = rewriter->token.start;
  jr_rewriter_advance(rewriter);
  brace.annotation.start = rewriter->token.start;
  jr_rewriter_advance(rewriter);
  if (jr_rewriter_at(rewriter, '<') && !jr_rewriter_skip_group(rewriter))
    return jr_rewriter_fail(rewriter, op, "'>'");
  brace.annotation.end = rewriter->last_end;
  if (!take_byte(rewriter, op, ','))
    return false;
  jr_rewriter_put(rewriter, start, rewriter->token.start, "\"rt.trace\"(");
  if (!take(rewriter, op, JR_TOKEN_VALUE,
            CONTEXT_OF("rt.trace #annotation, %ctx { ... }")))
    return false;
  size_t after_context = rewriter->last_end;
  if (rewriter->token.kind == JR_TOKEN_ARROW) {
    jr_rewriter_advance(rewriter);
    brace.types.start = rewriter->token.start;
    if (!jr_rewriter_skip_types(rewriter))
      return jr_rewriter_fail(rewriter, op, "types of results");
    brace.types.end = rewriter->last_end;
  }
  size_t open = rewriter->token.start;
  if (!take_byte(rewriter, op, '{'))
    return false;
  jr_rewriter_put(rewriter, after_context, open, ") (");
  jr_brace_push(desugarer, brace);
  return true;
}

/// A second, empty region keeps MLIR from taking the first for a symbol table.
bool jr_desugar_close(struct jr_desugarer *desugarer,
                      const struct jr_brace *brace) {
  struct jr_rewriter *rewriter = &desugarer->rewriter;
  jr_rewriter_replace(rewriter, rewriter->last_end, rewriter->last_end,
                      ", {}) {annotation = ");
  jr_rewriter_move(rewriter, brace->annotation);
  jr_rewriter_resume(rewriter);
  if (!join_attributes(rewriter, "rt.trace"))
    return false;
  jr_rewriter_replace(rewriter, rewriter->last_end, rewriter->last_end, " : (");
  jr_rewriter_add(rewriter, brace->context);
  jr_rewriter_add(rewriter, ") -> (");
  jr_rewriter_move(rewriter, brace->types);
  jr_rewriter_add(rewriter, ")");
  jr_rewriter_resume(rewriter);
  return true;
}

/// rt.yield [%value, ... : types]
static bool rewrite_yield(struct jr_desugarer *desugarer, const char *op) {
  struct jr_rewriter *rewriter = &desugarer->rewriter;
  if (jr_rewriter_peek(rewriter).kind != JR_TOKEN_VALUE) {
    jr_rewriter_put(rewriter, rewriter->token.start, rewriter->token.end,
                    "\"rt.yield\"() : () -> ()");
    jr_rewriter_advance(rewriter);
    return true;
  }
  begin(rewriter, "\"rt.yield\"(");
  while (rewriter->token.kind == JR_TOKEN_VALUE ||
         jr_rewriter_at(rewriter, ','))
    jr_rewriter_advance(rewriter);
  jr_rewriter_put(rewriter, rewriter->last_end, rewriter->last_end, ")");
  if (!take_byte(rewriter, op, ':'))
    return false;
  jr_rewriter_put(rewriter, rewriter->last_end, rewriter->last_end, " (");
  if (!jr_rewriter_skip_types(rewriter))
    return jr_rewriter_fail(rewriter, op, "types of values");
  jr_rewriter_put(rewriter, rewriter->last_end, rewriter->last_end, ") -> ()");
  return true;
}

const struct jr_form jr_rt_forms[JR_RT_FORM_COUNT] = {
    {"rt.export", JR_BEFORE_SYMBOL, rewrite_export},
    {"rt.set_output", JR_BEFORE_VALUE, rewrite_set_output},
    {"rt.set_error", JR_BEFORE_VALUE, rewrite_set_error},
    {"rt.is_ok", JR_BEFORE_VALUE, rewrite_is_ok},
    {"rt.call", JR_BEFORE_CALL, rewrite_call},
    {"rt.custom_call", JR_BEFORE_CALL, rewrite_call},
    {"rt.trace", JR_BEFORE_ATTR, rewrite_trace},
    {"rt.yield", JR_BEFORE_ANY, rewrite_yield},
};
