/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Old and pretty spellings of program text that MLIR's parser does not know,
/// rewritten in place before it sees them: operations of the `rt` dialect into
/// generic form, `scf.yield` that ends an `scf.parallel`, `llvm.mlir.null`.
/// Line numbers stay as they are; columns are mapped back.
#ifndef JR_JIT_DESUGAR_H
#define JR_JIT_DESUGAR_H

#include "base/bytes.h"

#include <stdint.h>

/// From this column of a line on, columns stand for others.
struct jr_column_span {
  uint32_t line, column; ///< in the new text
  uint32_t original;     ///< column in the old text
  bool is_new;           ///< all columns of the span stand for `original`
};

/// Zero-initialised is empty: nothing was rewritten.
struct jr_desugared {
  struct jr_bytes text; ///< the new text; empty when the old one will do
  struct jr_column_span *spans; ///< ordered by line and column
  size_t span_count, span_capacity;
};

/// Rewrites `data`, whose errors are reported as in the file `name`.
/// INVALID_ARGUMENT for a pretty form that is malformed. Linear in the size,
/// whatever the bytes are.
jitrun_error_t *jr_desugar(const char *data, size_t size, const char *name,
                           struct jr_desugared *out)
    __attribute__((warn_unused_result));

/// The column of the old text that a column (from 1) of the new one stands for.
uint32_t jr_desugar_column(const struct jr_desugared *desugared, uint32_t line,
                           uint32_t column);

void jr_desugar_deinit(struct jr_desugared *desugared);

#endif
