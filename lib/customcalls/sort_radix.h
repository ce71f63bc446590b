/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Sorting of one kind of elements, included by sort_lines.c once for each:
/// WORD is the type of a key, ELEMENT what is sorted, KEY(element) its key,
/// MAKE(key, index) an element and NAME(x) the name of x for it.
// NOLINTBEGIN(llvm-header-guard, bugprone-macro-parentheses)

/// A key as the unsigned number that is in its place in the order.
static inline WORD NAME(encode)(const struct jr_order *order, WORD bits) {
  WORD sign = (WORD)order->sign;
  WORD mask = (WORD)order->mask;
  if (order->is_float) {
    WORD size = bits & (mask ^ sign);
    if (order->joins_equals) {
      bits = size > (WORD)order->infinity ? (WORD)order->infinity + 1 : bits;
      bits = size == 0 ? 0 : bits;
    }
    WORD negative = bits & sign ? mask : sign;
    bits = ((bits ^ negative) - (WORD)order->base) & mask;
  } else {
    bits ^= sign;
  }
  return bits ^ (WORD)order->flip;
}

/// The bits that were encoded, where order->joins_equals is not set.
static inline WORD NAME(decode)(const struct jr_order *order, WORD key) {
  WORD sign = (WORD)order->sign;
  WORD mask = (WORD)order->mask;
  key ^= (WORD)order->flip;
  if (!order->is_float)
    return key ^ sign;
  key = (key + (WORD)order->base) & mask;
  return key ^ (key & sign ? sign : mask);
}

/// `bytes`, and `step` unless it is that of the line, are constants.
static inline __attribute__((always_inline)) void
NAME(read_each)(const struct jr_line *line, ELEMENT *to, size_t bytes,
                ptrdiff_t step) {
  const char *from = line->data;
  struct jr_order order = line->order;
  for (size_t i = 0; i < line->count; i++) {
    WORD bits = 0;
    memcpy(&bits, from + (ptrdiff_t)i * step, bytes);
    to[i] = MAKE(NAME(encode)(&order, bits), i);
  }
}

static void NAME(read)(const struct jr_line *line, void *elements) {
  switch (line->element_bytes) {
  case 1:
    NAME(read_each)(line, elements, 1, line->step_bytes);
    return;
  case 2:
    NAME(read_each)(line, elements, 2, line->step_bytes);
    return;
  default:
    if (line->step_bytes == sizeof(WORD))
      NAME(read_each)(line, elements, sizeof(WORD), sizeof(WORD));
    else
      NAME(read_each)(line, elements, sizeof(WORD), line->step_bytes);
    return;
  }
}

/// Both as above.
static inline __attribute__((always_inline)) void
NAME(write_each)(const struct jr_line *line, const ELEMENT *from, size_t bytes,
                 ptrdiff_t step) {
  struct jr_order order = line->order;
  char *to = line->data;
  for (size_t i = 0; i < line->count; i++) {
    WORD bits = NAME(decode)(&order, KEY(from[i]));
    memcpy(to + (ptrdiff_t)i * step, &bits, bytes);
  }
}

/// Writes keys as they were.
static inline void NAME(write)(const struct jr_line *line,
                               const void *elements) {
  if (line->element_bytes < sizeof(WORD))
    NAME(write_each)(line, elements, line->element_bytes, line->step_bytes);
  else if (line->step_bytes == sizeof(WORD))
    NAME(write_each)(line, elements, sizeof(WORD), sizeof(WORD));
  else
    NAME(write_each)(line, elements, sizeof(WORD), line->step_bytes);
}

static void NAME(insert_each)(ELEMENT *elements, size_t count) {
  for (size_t i = 1; i < count; i++) {
    ELEMENT moved = elements[i];
    size_t at = i;
    for (; at > 0 && KEY(elements[at - 1]) > KEY(moved); at--)
      elements[at] = elements[at - 1];
    elements[at] = moved;
  }
}

static void NAME(count_digits)(void *context, size_t first, size_t last) {
  const struct pass *pass = context;
  size_t digits = (size_t)1 << pass->digit_bits;
  WORD mask = (WORD)(digits - 1);
  for (size_t chunk = first; chunk < last; chunk++) {
    uint32_t *counts = pass->counts + chunk * digits;
    const ELEMENT *from = pass->from;
    size_t end = end_chunk(pass, chunk);
    memset(counts, 0, digits * sizeof *counts);
    for (size_t i = chunk * pass->chunk; i < end; i++)
      counts[(KEY(from[i]) >> pass->shift) & mask]++;
  }
}

static void NAME(move_digits)(void *context, size_t first, size_t last) {
  const struct pass *pass = context;
  size_t digits = (size_t)1 << pass->digit_bits;
  WORD mask = (WORD)(digits - 1);
  for (size_t chunk = first; chunk < last; chunk++) {
    uint32_t *places = pass->counts + chunk * digits;
    const ELEMENT *from = pass->from;
    ELEMENT *to = pass->to;
    size_t end = end_chunk(pass, chunk);
    for (size_t i = chunk * pass->chunk; i < end; i++)
      to[places[(KEY(from[i]) >> pass->shift) & mask]++] = from[i];
  }
}

/// Sorts by the low `key_bits` of keys; returns which of the two rooms has the
/// result.
static void *NAME(sort)(const jitrun_call_t *call, const struct jr_rooms *rooms,
                        size_t count, uint32_t key_bits) {
  if (count <= FEW) {
    NAME(insert_each)(rooms->elements, count);
    return rooms->elements;
  }
  struct pass pass = start_passes(rooms, count);
  for (; pass.shift < key_bits; pass.shift += pass.digit_bits) {
    run_chunks(call, &pass, NAME(count_digits));
    if (!place_digits(&pass)) // all have the same one
      continue;
    run_chunks(call, &pass, NAME(move_digits));
    void *from = pass.to;
    pass.to = pass.from;
    pass.from = from;
  }
  return pass.from;
}

/// Leaves in the front of `elements` the `kept` first of `count` keys, sorted.
static inline void NAME(keep_least)(const jitrun_call_t *call,
                                    const struct jr_rooms *rooms, size_t count,
                                    size_t kept, uint32_t key_bits) {
  const ELEMENT *sorted = NAME(sort)(call, rooms, count, key_bits);
  if (sorted != rooms->elements)
    memcpy(rooms->elements, sorted, kept * sizeof(ELEMENT));
}

/// As jr_select_line(): what is not below the last one that is kept is dropped.
static inline size_t NAME(select)(const jitrun_call_t *call,
                                  const struct jr_line *line,
                                  const struct jr_rooms *rooms, size_t kept,
                                  size_t room) {
  ELEMENT *elements = rooms->elements;
  struct jr_order order = line->order;
  const char *from = line->data;
  bool is_full = false;
  WORD limit = 0;
  size_t count = 0;
  for (size_t i = 0; i < line->count; i++) {
    WORD bits = 0;
    if (line->element_bytes == sizeof(WORD))
      memcpy(&bits, from, sizeof(WORD));
    else
      memcpy(&bits, from, line->element_bytes);
    from += line->step_bytes;
    WORD key = NAME(encode)(&order, bits);
    if (is_full && key >= limit)
      continue;
    elements[count++] = MAKE(key, i);
    if (count < room)
      continue;
    NAME(keep_least)(call, rooms, count, kept, order.key_bits);
    count = kept;
    is_full = true;
    limit = KEY(elements[kept - 1]);
  }
  size_t found = count < kept ? count : kept;
  NAME(keep_least)(call, rooms, count, found, order.key_bits);
  return found;
}

// NOLINTEND(llvm-header-guard, bugprone-macro-parentheses)
