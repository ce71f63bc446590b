/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The closed list of names that generated code may take from outside: soft
/// float and 128-bit helpers, libm, memory functions. One table serves the
/// image loader and ORC; what is not on it is refused by name.
#ifndef JR_RUNTIME_SYMBOLS_H
#define JR_RUNTIME_SYMBOLS_H

#include "runtime/compiler.h"

/// The table, sorted by name. In the shared library this loads libm, once.
const struct jr_symbol *jr_symbols(size_t *out_count);

/// The same for who needs the names alone: addresses may be NULL.
const struct jr_symbol *jr_symbol_names(size_t *out_count);

/// The address for a name, or NULL.
void *jr_symbol_find(const char *name);

#endif
