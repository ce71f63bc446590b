/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The place of the largest element of a line, included by argmax.c once for
/// each width of elements and of vectors: WORD is unsigned, NUMBER signed,
/// FLOAT a float of that width, VECTOR_BYTES the size of a register, TARGET
/// what functions are declared with, and NAME(x) the name of x.
// NOLINTBEGIN(llvm-header-guard, bugprone-macro-parentheses)

/// A number that is larger where the element is: NaNs are the largest for
/// either order, and -0 is 0.
static inline __attribute__((always_inline)) NUMBER
NAME(score)(const struct jr_order *order, WORD bits) {
  WORD mask = (WORD)order->mask;
  WORD sign = (WORD)order->sign;
  WORD top = (WORD)1 << (8 * sizeof(WORD) - 1);
  if (!order->is_float)
    return (NUMBER)((bits ^ sign ^ (WORD)order->flip) ^ top);
  WORD size = bits & (mask ^ sign);
  bits = size == 0 ? 0 : bits;
  WORD key = (bits ^ (bits & sign ? mask : sign)) ^ (WORD)order->flip;
  key = size > (WORD)order->infinity ? (WORD)-1 : key;
  return (NUMBER)(key ^ top);
}

/// Scores of up to BLOCK elements, and the largest of them; `bytes`, and `step`
/// unless it is that of the line, are constants.
static inline __attribute__((always_inline)) NUMBER
NAME(score_block)(const struct jr_line *line, size_t first, size_t count,
                  NUMBER *scores, size_t bytes, ptrdiff_t step) {
  struct jr_order order = line->order;
  const char *from = line->data + (ptrdiff_t)first * step;
  NUMBER largest = (NUMBER)((WORD)1 << (8 * sizeof(WORD) - 1));
  for (size_t i = 0; i < count; i++) {
    WORD bits = 0;
    memcpy(&bits, from + (ptrdiff_t)i * step, bytes);
    scores[i] = NAME(score)(&order, bits);
    largest = scores[i] > largest ? scores[i] : largest;
  }
  return largest;
}

TARGET static NUMBER NAME(score_some)(const struct jr_line *line, size_t first,
                                      size_t count, NUMBER *scores) {
  size_t bytes = line->element_bytes;
  if (bytes == sizeof(WORD) && line->step_bytes == sizeof(WORD))
    return NAME(score_block)(line, first, count, scores, sizeof(WORD),
                             sizeof(WORD));
  if (bytes == sizeof(WORD))
    return NAME(score_block)(line, first, count, scores, sizeof(WORD),
                             line->step_bytes);
  if (bytes == 1)
    return NAME(score_block)(line, first, count, scores, 1, line->step_bytes);
  return NAME(score_block)(line, first, count, scores, 2, line->step_bytes);
}

typedef FLOAT NAME(floats) __attribute__((vector_size(VECTOR_BYTES)));
typedef NUMBER NAME(masks) __attribute__((vector_size(VECTOR_BYTES)));
enum {
  NAME(LANES) = VECTOR_BYTES / sizeof(WORD),
  NAME(STEP) = CHAINS * NAME(LANES)
};

/// The largest of floats that lie next to each other, or the least; the result
/// is NaN where one is. `is_least` is a constant in every use.
static inline __attribute__((always_inline)) FLOAT
NAME(compare_floats)(const char *from, size_t count, bool is_least) {
  FLOAT best;
  memcpy(&best, from, sizeof best);
  NAME(floats) bests[CHAINS];
  NAME(masks) nans[CHAINS];
  const NAME(floats) start = best - (NAME(floats)){0};
  for (int j = 0; j < CHAINS; j++) {
    bests[j] = start;
    nans[j] = start != start;
  }
  size_t i = 0;
  for (; i + NAME(STEP) <= count; i += NAME(STEP))
    for (int j = 0; j < CHAINS; j++) {
      NAME(floats) next;
      memcpy(&next, from + i * sizeof(FLOAT) + (size_t)j * sizeof next,
             sizeof next);
      NAME(masks) is_better = is_least ? next < bests[j] : next > bests[j];
      nans[j] |= next != next;
      bests[j] = (NAME(floats))((is_better & (NAME(masks))next) |
                                (~is_better & (NAME(masks))bests[j]));
    }
  for (int lane = 0; lane < NAME(STEP); lane++) {
    int chain = lane / NAME(LANES);
    FLOAT next = bests[chain][lane % NAME(LANES)];
    if (nans[chain][lane % NAME(LANES)] != 0)
      return (FLOAT)__builtin_nan("");
    bool is_better = is_least ? next < best : next > best;
    best = is_better ? next : best;
  }
  for (; i < count; i++) {
    FLOAT next;
    memcpy(&next, from + i * sizeof(FLOAT), sizeof next);
    if (next != next)
      return next;
    bool is_better = is_least ? next < best : next > best;
    best = is_better ? next : best;
  }
  return best;
}

/// The first that is equal; of a NaN, the first NaN.
TARGET static size_t NAME(find_float)(const char *from, FLOAT value) {
  FLOAT next;
  size_t i = 0;
  memcpy(&next, from, sizeof next);
  while (value == value ? next != value : next == next) {
    i++;
    memcpy(&next, from + i * sizeof(FLOAT), sizeof next);
  }
  return i;
}

/// As below, of floats that lie next to each other.
TARGET static size_t NAME(find_best)(const struct jr_line *line) {
  bool is_least = line->order.flip != 0;
  size_t best_first = 0;
  FLOAT best = 0;
  for (size_t first = 0; first < line->count; first += FLOAT_BLOCK) {
    const char *from = line->data + first * sizeof(FLOAT);
    size_t count =
        line->count - first < FLOAT_BLOCK ? line->count - first : FLOAT_BLOCK;
    FLOAT found = is_least ? NAME(compare_floats)(from, count, true)
                           : NAME(compare_floats)(from, count, false);
    bool is_nan = found != found;
    bool is_better = is_least ? found < best : found > best;
    if (first > 0 && !is_better && !is_nan)
      continue;
    best = found;
    best_first = first;
    if (is_nan)
      break;
  }
  return best_first +
         NAME(find_float)(line->data + best_first * sizeof(FLOAT), best);
}

TARGET static size_t NAME(find_largest)(const struct jr_line *line) {
  if (line->order.is_float && line->element_bytes == sizeof(FLOAT) &&
      line->step_bytes == sizeof(FLOAT))
    return NAME(find_best)(line);
  NUMBER scores[BLOCK];
  NUMBER largest = 0;
  size_t place = 0;
  for (size_t first = 0; first < line->count; first += BLOCK) {
    size_t count = line->count - first < BLOCK ? line->count - first : BLOCK;
    NUMBER found = NAME(score_some)(line, first, count, scores);
    if (first > 0 && found <= largest)
      continue;
    largest = found;
    for (place = 0; scores[place] != found;)
      place++;
    place += first;
  }
  return place;
}

// NOLINTEND(llvm-header-guard, bugprone-macro-parentheses)
