/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Text helpers: near names for hints, checked number parsing, escaping.
#ifndef JR_BASE_STRINGS_H
#define JR_BASE_STRINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// True when `text` begins with `prefix`.
bool jr_text_has_prefix(const char *text, const char *prefix);

/// True when `text` ends with `suffix`.
bool jr_text_has_suffix(const char *text, const char *suffix);

/// Edit distance (insert, delete, replace, swap of neighbours), at most
/// `limit` + 1; linear memory in the shorter text, both cut at 255 bytes.
size_t jr_text_distance(const char *a, const char *b, size_t limit);

/// Collects the names nearest to a wanted one. Zero-initialise, set `wanted`,
/// offer every candidate, then read `names` (nearest first, at most 3).
struct jr_near_names {
  const char *wanted;
  const char *names[3];
  size_t distances[3];
  size_t count;
};
void jr_near_names_offer(struct jr_near_names *near_names, const char *name);

/// "did you mean 'a' or 'b'?" into `buffer`, or "" when there is none.
const char *jr_near_names_hint(const struct jr_near_names *near_names,
                               char *buffer, size_t size);

/// Appends "; did you mean 'a' or 'b'?", or nothing, to a message.
struct jr_bytes;
void jr_near_names_append(const struct jr_near_names *near_names,
                          struct jr_bytes *message);

/// The whole of `text` as a decimal, 0x or 0o number. False on anything else
/// and on overflow.
bool jr_parse_s64(const char *text, int64_t *out_value);
bool jr_parse_u64(const char *text, uint64_t *out_value);

/// Product and sum; false on overflow.
bool jr_mul_u64(uint64_t a, uint64_t b, uint64_t *out_value);
bool jr_add_u64(uint64_t a, uint64_t b, uint64_t *out_value);

/// `value` rounded up to a multiple of `alignment` (power of two); false on
/// overflow.
bool jr_align_u64(uint64_t value, uint64_t alignment, uint64_t *out_value);

#endif
