/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Text helpers: near names, number parsing, checked arithmetic.
#include "base/strings.h"

#include "base/bytes.h"

#include <stdio.h>
#include <string.h>

enum { MAX_COMPARED = 255, MAX_NEAR_NAMES = 3 };

bool jr_text_has_prefix(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool jr_text_has_suffix(const char *text, const char *suffix) {
  size_t text_size = strlen(text);
  size_t suffix_size = strlen(suffix);
  return text_size >= suffix_size &&
         memcmp(text + text_size - suffix_size, suffix, suffix_size) == 0;
}

static size_t min_size(size_t a, size_t b) {
  return a < b ? a : b;
}

/// Three rows of the table of distances between beginnings of two texts;
/// `before` is needed for swaps. The columns are the shorter text.
struct distance_rows {
  size_t before[MAX_COMPARED + 1];
  size_t above[MAX_COMPARED + 1];
  size_t row[MAX_COMPARED + 1];
};

/// Fills the row for long_text[0..i] (i >= 1); returns its smallest entry.
static size_t fill_row(struct distance_rows *rows, const char *long_text,
                       size_t i, const char *short_text, size_t short_size) {
  rows->row[0] = i;
  size_t smallest = i;
  for (size_t j = 1; j <= short_size; j++) {
    bool is_same = long_text[i - 1] == short_text[j - 1];
    size_t best = rows->above[j - 1] + (is_same ? 0 : 1);
    best = min_size(best, rows->above[j] + 1);
    best = min_size(best, rows->row[j - 1] + 1);
    if (i > 1 && j > 1 && long_text[i - 1] == short_text[j - 2] &&
        long_text[i - 2] == short_text[j - 1])
      best = min_size(best, rows->before[j - 2] + 1);
    rows->row[j] = best;
    smallest = min_size(smallest, best);
  }
  return smallest;
}

size_t jr_text_distance(const char *a, const char *b, size_t limit) {
  size_t long_size = strnlen(a, MAX_COMPARED);
  size_t short_size = strnlen(b, MAX_COMPARED);
  if (long_size < short_size) {
    const char *text = a;
    a = b;
    b = text;
    size_t size = long_size;
    long_size = short_size;
    short_size = size;
  }
  if (long_size - short_size > limit)
    return limit + 1;
  struct distance_rows rows = {0};
  size_t row_bytes = (short_size + 1) * sizeof rows.row[0];
  for (size_t j = 0; j <= short_size; j++)
    rows.row[j] = j;
  // A swap reaches back two rows, so only two bad rows in sequence decide.
  size_t smallest_before = 0;
  for (size_t i = 1; i <= long_size; i++) {
    memcpy(rows.before, rows.above, row_bytes);
    memcpy(rows.above, rows.row, row_bytes);
    size_t smallest = fill_row(&rows, a, i, b, short_size);
    if (smallest > limit && smallest_before > limit)
      return limit + 1;
    smallest_before = smallest;
  }
  return rows.row[short_size] > limit ? limit + 1 : rows.row[short_size];
}

/// How far a name may be from the wanted one to be worth a hint: a third of its
/// length, from 1 to 3.
static size_t hint_limit(const char *wanted) {
  size_t limit = strlen(wanted) / 3;
  return limit < 1 ? 1 : min_size(limit, 3);
}

void jr_near_names_offer(struct jr_near_names *near_names, const char *name) {
  if (strnlen(near_names->wanted, 2) < 2) // everything short is near it
    return;
  size_t limit = hint_limit(near_names->wanted);
  size_t distance = jr_text_distance(near_names->wanted, name, limit);
  if (distance > limit)
    return;
  for (size_t i = 0; i < near_names->count; i++) {
    if (strcmp(near_names->names[i], name) == 0)
      return;
  }
  size_t place = near_names->count;
  while (place > 0 && near_names->distances[place - 1] > distance)
    place--;
  if (place == MAX_NEAR_NAMES)
    return;
  if (near_names->count < MAX_NEAR_NAMES)
    near_names->count++;
  for (size_t i = near_names->count - 1; i > place; i--) {
    near_names->names[i] = near_names->names[i - 1];
    near_names->distances[i] = near_names->distances[i - 1];
  }
  near_names->names[place] = name;
  near_names->distances[place] = distance;
}

const char *jr_near_names_hint(const struct jr_near_names *near_names,
                               char *buffer, size_t size) {
  const char *const *names = near_names->names;
  // Fewer names rather than a cut one.
  for (size_t count = near_names->count; count > 0; count--) {
    int length = 0;
    if (count == 1)
      length = snprintf(buffer, size, "did you mean '%s'?", names[0]);
    else if (count == 2)
      length = snprintf(buffer, size, "did you mean '%s' or '%s'?", names[0],
                        names[1]);
    else
      length = snprintf(buffer, size, "did you mean '%s', '%s' or '%s'?",
                        names[0], names[1], names[2]);
    if (length >= 0 && (size_t)length < size)
      return buffer;
  }
  if (size > 0)
    buffer[0] = '\0';
  return size > 0 ? buffer : "";
}

void jr_near_names_append(const struct jr_near_names *near_names,
                          struct jr_bytes *message) {
  char hint[512];
  if (jr_near_names_hint(near_names, hint, sizeof hint)[0] != '\0')
    jr_bytes_appendf(message, "; %s", hint);
}

/// The value of a digit in bases up to 16; 16 for any other character.
static unsigned digit_value(char digit) {
  if (digit >= '0' && digit <= '9')
    return (unsigned)(digit - '0');
  if (digit >= 'a' && digit <= 'f')
    return (unsigned)(digit - 'a') + 10;
  if (digit >= 'A' && digit <= 'F')
    return (unsigned)(digit - 'A') + 10;
  return 16;
}

bool jr_parse_u64(const char *text, uint64_t *out_value) {
  unsigned base = 10;
  if (text[0] == '0' && (text[1] == 'x' || text[1] == 'o')) {
    base = text[1] == 'x' ? 16 : 8;
    text += 2;
  }
  if (*text == '\0')
    return false;
  uint64_t value = 0;
  for (; *text; text++) {
    unsigned digit = digit_value(*text);
    if (digit >= base || !jr_mul_u64(value, base, &value) ||
        !jr_add_u64(value, digit, &value))
      return false;
  }
  *out_value = value;
  return true;
}

bool jr_parse_s64(const char *text, int64_t *out_value) {
  bool is_negative = text[0] == '-';
  uint64_t magnitude = 0;
  if (!jr_parse_u64(text + (is_negative ? 1 : 0), &magnitude))
    return false;
  if (magnitude > (uint64_t)INT64_MAX + (is_negative ? 1 : 0))
    return false;
  if (!is_negative)
    *out_value = (int64_t)magnitude;
  else // -(2^63) has no positive counterpart
    *out_value = magnitude == 0 ? 0 : -(int64_t)(magnitude - 1) - 1;
  return true;
}

bool jr_mul_u64(uint64_t a, uint64_t b, uint64_t *out_value) {
  return !__builtin_mul_overflow(a, b, out_value);
}

bool jr_add_u64(uint64_t a, uint64_t b, uint64_t *out_value) {
  return !__builtin_add_overflow(a, b, out_value);
}

bool jr_align_u64(uint64_t value, uint64_t alignment, uint64_t *out_value) {
  uint64_t mask = alignment - 1;
  if (!jr_add_u64(value, mask, out_value))
    return false;
  *out_value &= ~mask;
  return true;
}
