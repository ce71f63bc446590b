/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The closed list of what generated code may take from outside, as one sorted
/// constant table. What prints, ends or changes the process is left out on
/// purpose; so is anything that glibc has but other C libraries lack, unless
/// LLVM calls it.
#include "runtime/symbols.h"

#include "helpers/helpers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// A function and its variant for float, where no other name stands between.
#define FLOAT_PAIR(X, name) X(name) X(name##f)

// C99's functions that the math, arith and complex dialects or LLVM's
// intrinsics can end in, and what LLVM makes of them (sincos, exp10, ldexp);
// memory as MLIR and LLVM ask for it. In order of strcmp().
#define LIBC_SYMBOLS(X)                                                        \
  FLOAT_PAIR(X, acos)                                                          \
  FLOAT_PAIR(X, acosh)                                                         \
  X(aligned_alloc)                                                             \
  FLOAT_PAIR(X, asin)                                                          \
  FLOAT_PAIR(X, asinh)                                                         \
  X(atan)                                                                      \
  FLOAT_PAIR(X, atan2)                                                         \
  X(atanf)                                                                     \
  FLOAT_PAIR(X, atanh)                                                         \
  X(bcmp)                                                                      \
  X(calloc)                                                                    \
  FLOAT_PAIR(X, cbrt)                                                          \
  FLOAT_PAIR(X, ceil)                                                          \
  FLOAT_PAIR(X, copysign)                                                      \
  FLOAT_PAIR(X, cos)                                                           \
  FLOAT_PAIR(X, cosh)                                                          \
  X(erf)                                                                       \
  FLOAT_PAIR(X, erfc)                                                          \
  X(erff)                                                                      \
  X(exp)                                                                       \
  FLOAT_PAIR(X, exp10)                                                         \
  FLOAT_PAIR(X, exp2)                                                          \
  X(expf)                                                                      \
  FLOAT_PAIR(X, expm1)                                                         \
  FLOAT_PAIR(X, fabs)                                                          \
  FLOAT_PAIR(X, fdim)                                                          \
  FLOAT_PAIR(X, floor)                                                         \
  FLOAT_PAIR(X, fma)                                                           \
  FLOAT_PAIR(X, fmax)                                                          \
  FLOAT_PAIR(X, fmin)                                                          \
  FLOAT_PAIR(X, fmod)                                                          \
  X(free)                                                                      \
  FLOAT_PAIR(X, frexp)                                                         \
  FLOAT_PAIR(X, hypot)                                                         \
  FLOAT_PAIR(X, ldexp)                                                         \
  FLOAT_PAIR(X, lgamma)                                                        \
  FLOAT_PAIR(X, llrint)                                                        \
  FLOAT_PAIR(X, llround)                                                       \
  X(log)                                                                       \
  FLOAT_PAIR(X, log10)                                                         \
  FLOAT_PAIR(X, log1p)                                                         \
  FLOAT_PAIR(X, log2)                                                          \
  X(logf)                                                                      \
  FLOAT_PAIR(X, lrint)                                                         \
  FLOAT_PAIR(X, lround)                                                        \
  X(malloc)                                                                    \
  X(memcmp)                                                                    \
  X(memcpy)                                                                    \
  X(memmove)                                                                   \
  X(memrefCopy)                                                                \
  X(memset)                                                                    \
  FLOAT_PAIR(X, modf)                                                          \
  FLOAT_PAIR(X, nearbyint)                                                     \
  FLOAT_PAIR(X, pow)                                                           \
  FLOAT_PAIR(X, remainder)                                                     \
  FLOAT_PAIR(X, rint)                                                          \
  X(round)                                                                     \
  FLOAT_PAIR(X, roundeven)                                                     \
  X(roundf)                                                                    \
  X(sin)                                                                       \
  FLOAT_PAIR(X, sincos)                                                        \
  X(sinf)                                                                      \
  FLOAT_PAIR(X, sinh)                                                          \
  FLOAT_PAIR(X, sqrt)                                                          \
  FLOAT_PAIR(X, tan)                                                           \
  FLOAT_PAIR(X, tanh)                                                          \
  FLOAT_PAIR(X, tgamma)                                                        \
  FLOAT_PAIR(X, trunc)

// A function's address as data, which POSIX has and ISO C has not.
#define SYMBOL_ENTRY(name) {#name, __extension__(void *)(name)},

// NOLINTBEGIN(bugprone-unsafe-functions): LLVM makes bcmp of memcmp
static const struct jr_symbol symbols[] = {JR_HELPER_SYMBOLS(SYMBOL_ENTRY)
                                               LIBC_SYMBOLS(SYMBOL_ENTRY)};
// NOLINTEND(bugprone-unsafe-functions)

enum { SYMBOL_COUNT = sizeof symbols / sizeof *symbols };

const struct jr_symbol *jr_symbols(size_t *out_count) {
  *out_count = SYMBOL_COUNT;
  return symbols;
}

static int compare_name(const void *name, const void *symbol) {
  return strcmp(name, ((const struct jr_symbol *)symbol)->name);
}

void *jr_symbol_find(const char *name) {
  const struct jr_symbol *symbol =
      bsearch(name, symbols, SYMBOL_COUNT, sizeof *symbols, compare_name);
  return symbol ? symbol->address : NULL;
}
