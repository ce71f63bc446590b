/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What was found out about things that MLIR keeps one of: names, attributes
/// and symbols, by their address. Most programs say the same again and again. A
/// new entry takes the place of another: what is not found is found out anew.
#ifndef JR_JIT_MEMO_H
#define JR_JIT_MEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JR_MEMO_PLACES = 128 };

/// Zero-initialised is empty.
struct jr_memo {
  struct {
    const void *key;
    uint64_t value;
  } places[JR_MEMO_PLACES];
};

/// The place of an address in a table of JR_MEMO_PLACES.
static inline size_t jr_memo_place(const void *key) {
  uint64_t bits = (uint64_t)(uintptr_t)key;
  return (size_t)((bits >> 3) ^ (bits >> 10)) % JR_MEMO_PLACES;
}

static inline bool jr_memo_get(const struct jr_memo *memo, const void *key,
                               uint64_t *out_value) {
  size_t place = jr_memo_place(key);
  *out_value = memo->places[place].value;
  return memo->places[place].key == key;
}

static inline bool jr_memo_has(const struct jr_memo *memo, const void *key) {
  return memo->places[jr_memo_place(key)].key == key;
}

static inline void jr_memo_set(struct jr_memo *memo, const void *key,
                               uint64_t value) {
  size_t place = jr_memo_place(key);
  memo->places[place].key = key;
  memo->places[place].value = value;
}

#endif
