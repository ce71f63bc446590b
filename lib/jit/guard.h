/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// A look at a program before MLIR reads it: for what is known to crash its
/// parsers, or to keep them busy for ever. One pass over the bytes, which
/// allocates nothing.
#ifndef JR_JIT_GUARD_H
#define JR_JIT_GUARD_H

#include "base/error.h"

#include <stddef.h>

/// INVALID_ARGUMENT, with line and column, for text that nests too deep, for
/// numbers and expressions that are too long, and for array<index: ...>.
jitrun_error_t *jr_guard_text(const char *data, size_t size,
                              const char *name) JITRUN_MUST_USE;

/// INVALID_ARGUMENT for bytecode of another version, and for sections and
/// counts that do not fit into the file.
jitrun_error_t *jr_guard_bytecode(const void *data, size_t size,
                                  const char *name) JITRUN_MUST_USE;

#endif
