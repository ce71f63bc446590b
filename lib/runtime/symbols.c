/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The closed list of what generated code may take from outside, as one sorted
/// constant table. What prints, ends or changes the process is left out on
/// purpose; so is anything that glibc has but other C libraries lack, unless
/// LLVM calls it.
///
/// With JR_MATH_AT_NEED, as in the shared library, libm is loaded when its
/// first function is asked for: most programs need none, and to load it and
/// look up all of them is a twelfth of a start.
#include "runtime/symbols.h"

#include "helpers/helpers.h"

#ifdef JR_MATH_AT_NEED
#include <dlfcn.h>
#include <pthread.h>
#else
#include <math.h>
#endif
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// A function and its variant for float, where no other name stands between.
#define FLOAT_PAIR(X, name) X(name) X(name##f)

// C99's functions that the math, arith and complex dialects or LLVM's
// intrinsics can end in, and what LLVM makes of them (sincos, exp10, ldexp);
// memory as MLIR and LLVM ask for it. In order of strcmp(); M is for libm's.
#define LIBC_SYMBOLS(X, M)                                                     \
  FLOAT_PAIR(M, acos)                                                          \
  FLOAT_PAIR(M, acosh)                                                         \
  X(aligned_alloc)                                                             \
  FLOAT_PAIR(M, asin)                                                          \
  FLOAT_PAIR(M, asinh)                                                         \
  M(atan)                                                                      \
  FLOAT_PAIR(M, atan2)                                                         \
  M(atanf)                                                                     \
  FLOAT_PAIR(M, atanh)                                                         \
  X(bcmp)                                                                      \
  X(calloc)                                                                    \
  FLOAT_PAIR(M, cbrt)                                                          \
  FLOAT_PAIR(M, ceil)                                                          \
  FLOAT_PAIR(M, copysign)                                                      \
  FLOAT_PAIR(M, cos)                                                           \
  FLOAT_PAIR(M, cosh)                                                          \
  M(erf)                                                                       \
  FLOAT_PAIR(M, erfc)                                                          \
  M(erff)                                                                      \
  M(exp)                                                                       \
  FLOAT_PAIR(M, exp10)                                                         \
  FLOAT_PAIR(M, exp2)                                                          \
  M(expf)                                                                      \
  FLOAT_PAIR(M, expm1)                                                         \
  FLOAT_PAIR(M, fabs)                                                          \
  FLOAT_PAIR(M, fdim)                                                          \
  FLOAT_PAIR(M, floor)                                                         \
  FLOAT_PAIR(M, fma)                                                           \
  FLOAT_PAIR(M, fmax)                                                          \
  FLOAT_PAIR(M, fmin)                                                          \
  FLOAT_PAIR(M, fmod)                                                          \
  X(free)                                                                      \
  FLOAT_PAIR(M, frexp)                                                         \
  FLOAT_PAIR(M, hypot)                                                         \
  FLOAT_PAIR(M, ldexp)                                                         \
  FLOAT_PAIR(M, lgamma)                                                        \
  FLOAT_PAIR(M, llrint)                                                        \
  FLOAT_PAIR(M, llround)                                                       \
  M(log)                                                                       \
  FLOAT_PAIR(M, log10)                                                         \
  FLOAT_PAIR(M, log1p)                                                         \
  FLOAT_PAIR(M, log2)                                                          \
  M(logf)                                                                      \
  FLOAT_PAIR(M, lrint)                                                         \
  FLOAT_PAIR(M, lround)                                                        \
  X(malloc)                                                                    \
  X(memcmp)                                                                    \
  X(memcpy)                                                                    \
  X(memmove)                                                                   \
  X(memrefCopy)                                                                \
  X(memset)                                                                    \
  FLOAT_PAIR(M, modf)                                                          \
  FLOAT_PAIR(M, nearbyint)                                                     \
  FLOAT_PAIR(M, pow)                                                           \
  FLOAT_PAIR(M, remainder)                                                     \
  FLOAT_PAIR(M, rint)                                                          \
  M(round)                                                                     \
  FLOAT_PAIR(M, roundeven)                                                     \
  M(roundf)                                                                    \
  M(sin)                                                                       \
  FLOAT_PAIR(M, sincos)                                                        \
  M(sinf)                                                                      \
  FLOAT_PAIR(M, sinh)                                                          \
  FLOAT_PAIR(M, sqrt)                                                          \
  FLOAT_PAIR(M, tan)                                                           \
  FLOAT_PAIR(M, tanh)                                                          \
  FLOAT_PAIR(M, tgamma)                                                        \
  FLOAT_PAIR(M, trunc)

// A function's address as data, which POSIX has and ISO C has not.
#define SYMBOL_ENTRY(name) {#name, __extension__(void *)(name)},
#ifdef JR_MATH_AT_NEED
#define MATH_ENTRY(name) {#name, NULL},
#else
#define MATH_ENTRY(name) SYMBOL_ENTRY(name)
#endif

// NOLINTBEGIN(bugprone-unsafe-functions): LLVM makes bcmp of memcmp
static const struct jr_symbol symbols[] = {
    JR_HELPER_SYMBOLS(SYMBOL_ENTRY) LIBC_SYMBOLS(SYMBOL_ENTRY, MATH_ENTRY)};
// NOLINTEND(bugprone-unsafe-functions)

enum { SYMBOL_COUNT = sizeof symbols / sizeof *symbols };

#ifdef JR_MATH_AT_NEED
static struct jr_symbol found_symbols[SYMBOL_COUNT];
static pthread_once_t found_once = PTHREAD_ONCE_INIT;

/// libm stays loaded. Where there is none, libc has its functions; what neither
/// has stays NULL.
static void find_all(void) {
  void *math = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
  for (size_t i = 0; i < SYMBOL_COUNT; i++) {
    found_symbols[i] = symbols[i];
    if (!symbols[i].address)
      found_symbols[i].address =
          dlsym(math ? math : RTLD_DEFAULT, symbols[i].name);
  }
}

const struct jr_symbol *jr_symbols(size_t *out_count) {
  (void)pthread_once(&found_once, find_all);
  *out_count = SYMBOL_COUNT;
  return found_symbols;
}
#else
const struct jr_symbol *jr_symbols(size_t *out_count) {
  return jr_symbol_names(out_count);
}
#endif

const struct jr_symbol *jr_symbol_names(size_t *out_count) {
  *out_count = SYMBOL_COUNT;
  return symbols;
}

static int compare_name(const void *name, const void *symbol) {
  return strcmp(name, ((const struct jr_symbol *)symbol)->name);
}

void *jr_symbol_find(const char *name) {
  const struct jr_symbol *symbol =
      bsearch(name, symbols, SYMBOL_COUNT, sizeof *symbols, compare_name);
  if (!symbol || symbol->address)
    return symbol ? symbol->address : NULL;
  size_t count;
  return jr_symbols(&count)[symbol - symbols].address;
}
