/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What desugar.c and the rewriting of rt's operations share.
#ifndef JR_JIT_DESUGAR_FORMS_H
#define JR_JIT_DESUGAR_FORMS_H

#include "jit/rewriter.h"

enum jr_brace_kind {
  JR_BRACE_OTHER,
  JR_BRACE_TRACE,   ///< region of a pretty rt.trace
  JR_BRACE_GENERIC, ///< region of a generic one
  JR_BRACE_PARALLEL ///< body of an scf.parallel
};

struct jr_brace {
  enum jr_brace_kind kind;
  const char *context; ///< TRACE: type of its operand
  struct jr_text_span annotation, types;
  size_t reductions; ///< PARALLEL: scf.reduce in the old form
  size_t joined; ///< PARALLEL: those that are to come and belong to the last
};

struct jr_desugarer {
  struct jr_rewriter rewriter;
  struct jr_bytes braces;    ///< of struct jr_brace, innermost last
  const char *context;       ///< the type that contexts have here
  size_t generic_brace;      ///< where the region of a generic rt.trace begins
  bool awaits_parallel_body; ///< the next brace is that of an scf.parallel
};

/// The innermost brace; NULL outside of all.
struct jr_brace *jr_brace_top(struct jr_desugarer *desugarer);
void jr_brace_push(struct jr_desugarer *desugarer, struct jr_brace brace);

/// Which token has to follow a word that begins an operation.
enum jr_follower {
  JR_BEFORE_ANY,
  JR_BEFORE_SYMBOL,
  JR_BEFORE_VALUE,
  JR_BEFORE_CALL, ///< a value, `dynamic` or `direct`
  JR_BEFORE_ATTR  ///< an attribute
};

/// A form: `rewrite` is called at its word, and false after an error.
struct jr_form {
  const char *word;
  enum jr_follower follower;
  bool (*rewrite)(struct jr_desugarer *desugarer, const char *op);
};

enum { JR_RT_FORM_COUNT = 8 };
extern const struct jr_form jr_rt_forms[JR_RT_FORM_COUNT];

/// Writes what stands behind the region of a pretty rt.trace in generic form.
bool jr_desugar_close(struct jr_desugarer *desugarer,
                      const struct jr_brace *brace);

#endif
