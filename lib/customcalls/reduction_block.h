/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Kernels for one type and size of vectors, included by reduction_level.h once
/// for each: NUMBER, of which LOWEST and HIGHEST are the ends and IS_NAN(x)
/// tells, MASK is a signed integer of its size, REDUCERS are those that there
/// are kernels for, and NAME(x) the name of x. `reducer` is a constant in every
/// use.
// NOLINTBEGIN(llvm-header-guard, bugprone-macro-parentheses)

typedef NUMBER NAME(lanes) __attribute__((vector_size(VECTOR_BYTES)));
typedef MASK NAME(masks) __attribute__((vector_size(VECTOR_BYTES)));
enum {
  NAME(LANES) = VECTOR_BYTES / sizeof(NUMBER),
  NAME(CHAINS) = ALL_BYTES / VECTOR_BYTES,
  NAME(STEP) = ALL_BYTES / sizeof(NUMBER)
};

/// What changes nothing: -0 for sums, of floats.
ALWAYS_INLINE NUMBER NAME(neutral)(enum jr_reducer reducer) {
  switch (reducer) {
  case JR_REDUCE_PRODUCT:
    return 1;
  case JR_REDUCE_MIN:
    return HIGHEST;
  case JR_REDUCE_MAX:
    return LOWEST;
  case JR_REDUCE_AND:
    return (NUMBER)-1;
  default:
    return (NUMBER)-0.0;
  }
}

ALWAYS_INLINE NUMBER NAME(join)(enum jr_reducer reducer, NUMBER a, NUMBER b) {
  switch (reducer) {
  case JR_REDUCE_SUM:
    return (NUMBER)(a + b);
  case JR_REDUCE_PRODUCT:
    return (NUMBER)(a * b);
  case JR_REDUCE_MIN:
    return b < a || IS_NAN(b) ? b : a;
  case JR_REDUCE_MAX:
    return b > a || IS_NAN(b) ? b : a;
  case JR_REDUCE_AND:
    return (NUMBER)((uint64_t)a & (uint64_t)b);
  case JR_REDUCE_OR:
    return (NUMBER)((uint64_t)a | (uint64_t)b);
  default:
    return (NUMBER)((uint64_t)a ^ (uint64_t)b);
  }
}

ALWAYS_INLINE void NAME(join_lanes)(enum jr_reducer reducer, NAME(lanes) * a,
                                    const NAME(lanes) * b) {
  NAME(masks) takes;
  switch (reducer) {
  case JR_REDUCE_SUM:
    *a = *a + *b;
    return;
  case JR_REDUCE_PRODUCT:
    *a = *a * *b;
    return;
  case JR_REDUCE_MIN:
    takes = (*b < *a) | IS_NAN(*b);
    break;
  case JR_REDUCE_MAX:
    takes = (*b > *a) | IS_NAN(*b);
    break;
  case JR_REDUCE_AND:
    *a = (NAME(lanes))((NAME(masks)) * a & (NAME(masks)) * b);
    return;
  case JR_REDUCE_OR:
    *a = (NAME(lanes))((NAME(masks)) * a | (NAME(masks)) * b);
    return;
  default:
    *a = (NAME(lanes))((NAME(masks)) * a ^ (NAME(masks)) * b);
    return;
  }
  *a =
      (NAME(lanes))((takes & (NAME(masks)) * b) | (~takes & (NAME(masks)) * a));
}

ALWAYS_INLINE void NAME(join_chains)(enum jr_reducer reducer,
                                     NAME(lanes) * chains, const char *from) {
#pragma GCC unroll 8
  for (size_t i = 0; i < NAME(CHAINS); i++) {
    NAME(lanes) next;
    memcpy(&next, from + i * sizeof next, sizeof next);
    NAME(join_lanes)(reducer, &chains[i], &next);
  }
}

/// The second half of the lanes goes to the first, until one is left.
ALWAYS_INLINE NUMBER NAME(join_all)(enum jr_reducer reducer,
                                    NAME(lanes) * chains) {
  for (size_t half = NAME(CHAINS) / 2; half > 0; half /= 2)
    for (size_t i = 0; i < half; i++)
      NAME(join_lanes)(reducer, &chains[i], &chains[half + i]);
  NUMBER lanes[NAME(LANES)];
  memcpy(lanes, chains, sizeof lanes);
  for (size_t half = NAME(LANES) / 2; half > 0; half /= 2)
    for (size_t i = 0; i < half; i++)
      lanes[i] = NAME(join)(reducer, lanes[i], lanes[half + i]);
  return lanes[0];
}

ALWAYS_INLINE void NAME(fold)(enum jr_reducer reducer, const char *from,
                              size_t count, NUMBER *out) {
  NUMBER rest[NAME(STEP)];
  if (count <= FEW) {
    memcpy(rest, from, count * sizeof *rest);
    for (size_t i = 1; i < count; i++)
      rest[0] = NAME(join)(reducer, rest[0], rest[i]);
    *out = rest[0];
    return;
  }
  const NAME(lanes) neutral = NAME(neutral)(reducer) - (NAME(lanes)){0};
  NAME(lanes) chains[NAME(CHAINS)];
  for (size_t i = 0; i < NAME(CHAINS); i++)
    chains[i] = neutral;
  size_t i = 0;
  for (; i + NAME(STEP) <= count; i += NAME(STEP))
    NAME(join_chains)(reducer, chains, from + i * sizeof *rest);
  if (i < count) {
    for (size_t j = 0; j < NAME(CHAINS); j++)
      memcpy(rest + j * NAME(LANES), &neutral, sizeof neutral);
    memcpy(rest, from + i * sizeof *rest, (count - i) * sizeof *rest);
    NAME(join_chains)(reducer, chains, (const char *)rest);
  }
  *out = NAME(join_all)(reducer, chains);
}

ALWAYS_INLINE void NAME(add_rows)(enum jr_reducer reducer, NUMBER *results,
                                  const void *const *rows, size_t row_count,
                                  size_t width) {
  size_t i = 0;
  for (; i + NAME(LANES) <= width; i += NAME(LANES)) {
    NAME(lanes) sums;
    NAME(lanes) next;
    memcpy(&sums, results + i, sizeof sums);
    for (size_t row = 0; row < row_count; row++) {
      memcpy(&next, (const char *)rows[row] + i * sizeof(NUMBER), sizeof next);
      NAME(join_lanes)(reducer, &sums, &next);
    }
    memcpy(results + i, &sums, sizeof sums);
  }
  for (; i < width; i++)
    for (size_t row = 0; row < row_count; row++) {
      NUMBER next;
      memcpy(&next, (const char *)rows[row] + i * sizeof next, sizeof next);
      results[i] = NAME(join)(reducer, results[i], next);
    }
}

#define X(lower, upper)                                                        \
  TARGET static void NAME(fold_##lower)(const void *from, size_t count,        \
                                        void *out) {                           \
    NAME(fold)(JR_REDUCE_##upper, from, count, out);                           \
  }                                                                            \
  TARGET static void NAME(add_##lower)(void *results, const void *const *rows, \
                                       size_t row_count, size_t width) {       \
    NAME(add_rows)(JR_REDUCE_##upper, results, rows, row_count, width);        \
  }                                                                            \
  static void NAME(start_##lower)(void *results, size_t width) {               \
    NUMBER *to = results;                                                      \
    for (size_t i = 0; i < width; i++)                                         \
      to[i] = NAME(neutral)(JR_REDUCE_##upper);                                \
  }
REDUCERS(X)
#undef X

#undef NAME
#undef NUMBER
#undef MASK
#undef LOWEST
#undef HIGHEST
#undef IS_NAN
#undef REDUCERS
// NOLINTEND(llvm-header-guard, bugprone-macro-parentheses)
