/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See sort_lines.h. Keys are sorted by their digits, the lowest first, each
/// time into the other of two rooms; a long line in chunks whose number depends
/// on its length alone. sort_radix.h has the code for one kind of elements.
#include "customcalls/sort_lines.h"

#include "base/dtype.h"
#include "base/numbers.h"
#include "customcalls/lines.h"
#include "jitrun/customcall.h"
#include "jitrun/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
  FEW = 40,       ///< elements that are not worth counting
  SHORT = 6000,   ///< elements whose digits are of
  SHORT_BITS = 8, ///< so many bits; of more, of
  LONG_BITS = 11,
  CHUNK = 1 << 16,
  MAX_CHUNKS = 16
};

struct pair {
  uint64_t key;
  uint64_t place;
};

/// One digit of all keys.
struct pass {
  void *from, *to;
  uint32_t *counts; ///< of each digit, a chunk after the other; then places
  size_t count, chunk, chunk_count;
  uint32_t shift, digit_bits;
};

struct jr_order jr_order_of(jitrun_dtype_t dtype, bool is_descending,
                            bool joins_equals) {
  uint32_t bits = 8 * (uint32_t)jr_dtype_size(dtype);
  uint64_t mask = UINT64_MAX >> (64 - bits);
  uint64_t sign = mask ^ mask >> 1;
  struct jr_order order = {.mask = mask,
                           .flip = is_descending ? mask : 0,
                           .key_bits = bits,
                           .joins_equals = joins_equals};
  enum jr_number_kind kind = jr_dtype_number_kind(dtype);
  if (kind == JR_NUMBER_SIGNED || kind == JR_NUMBER_REAL)
    order.sign = sign;
  if (kind == JR_NUMBER_REAL) {
    order.is_float = true;
    order.infinity = jr_float_encode(dtype, __builtin_inf());
    order.base = mask ^ (sign | order.infinity);
  }
  return order;
}

struct jr_line jr_line_get(const struct jr_lines *lines,
                           const struct jr_order *order, size_t index) {
  return (struct jr_line){.order = *order,
                          .data = jr_lines_at(lines, index),
                          .step_bytes = lines->step_bytes,
                          .element_bytes = lines->element_bytes,
                          .count = lines->count};
}

static size_t chunk_of(size_t count) {
  size_t chunk = (count + MAX_CHUNKS - 1) / MAX_CHUNKS;
  return chunk < CHUNK ? CHUNK : chunk;
}

static uint32_t digit_bits_of(size_t count) {
  return count < SHORT ? SHORT_BITS : LONG_BITS;
}

size_t jr_sort_bytes(const struct jr_order *order, bool has_places) {
  size_t bytes = order->key_bits <= 32 ? sizeof(uint32_t) : sizeof(uint64_t);
  return has_places ? 2 * bytes : bytes;
}

size_t jr_sort_count_bytes(size_t count) {
  size_t chunks = (count + chunk_of(count) - 1) / chunk_of(count);
  return (chunks * sizeof(uint32_t)) << digit_bits_of(count);
}

static struct pass start_passes(const struct jr_rooms *rooms, size_t count) {
  size_t chunk = chunk_of(count);
  return (struct pass){.from = rooms->elements,
                       .to = rooms->others,
                       .counts = rooms->counts,
                       .count = count,
                       .chunk = chunk,
                       .chunk_count = (count + chunk - 1) / chunk,
                       .digit_bits = digit_bits_of(count)};
}

static size_t end_chunk(const struct pass *pass, size_t chunk) {
  size_t end = (chunk + 1) * pass->chunk;
  return end < pass->count ? end : pass->count;
}

static void run_chunks(const jitrun_call_t *call, struct pass *pass,
                       jitrun_task_fn_t body) {
  if (pass->chunk_count == 1)
    body(pass, 0, 1);
  else
    call->site->api->parallel_for(call, pass->chunk_count, 1, body, pass);
}

/// Makes counts the places of the first of each digit of each chunk. False when
/// all elements have one digit.
static bool place_digits(struct pass *pass) {
  size_t digits = (size_t)1 << pass->digit_bits;
  uint32_t place = 0;
  for (size_t digit = 0; digit < digits; digit++) {
    uint32_t start = place;
    for (size_t chunk = 0; chunk < pass->chunk_count; chunk++) {
      uint32_t *count = &pass->counts[chunk * digits + digit];
      uint32_t next = place + *count;
      *count = place;
      place = next;
    }
    if (place - start == pass->count)
      return false;
  }
  return true;
}

#define NAME(x) x##_keys32
#define WORD uint32_t
#define ELEMENT uint32_t
#define KEY(element) (element)
#define MAKE(key, index) (key)
#include "customcalls/sort_radix.h"
#undef NAME
#undef WORD
#undef ELEMENT
#undef MAKE

#define NAME(x) x##_keys64
#define WORD uint64_t
#define ELEMENT uint64_t
#define MAKE(key, index) (key)
#include "customcalls/sort_radix.h"
#undef NAME
#undef WORD
#undef KEY
#undef MAKE

#define NAME(x) x##_places32
#define WORD uint32_t
#define KEY(element) ((uint32_t)((element) >> 32))
#define MAKE(key, index) ((uint64_t)(key) << 32 | (index))
#include "customcalls/sort_radix.h"
#undef NAME
#undef WORD
#undef ELEMENT
#undef KEY
#undef MAKE

#define NAME(x) x##_places64
#define WORD uint64_t
#define ELEMENT struct pair
#define KEY(element) ((element).key)
#define MAKE(key, index) ((struct pair){(key), (index)})
#include "customcalls/sort_radix.h"

void jr_sort_line(const jitrun_call_t *call, const struct jr_line *line,
                  const struct jr_rooms *rooms) {
  uint32_t key_bits = line->order.key_bits;
  if (key_bits <= 32) {
    read_keys32(line, rooms->elements);
    write_keys32(line, sort_keys32(call, rooms, line->count, key_bits));
  } else {
    read_keys64(line, rooms->elements);
    write_keys64(line, sort_keys64(call, rooms, line->count, key_bits));
  }
}

static void write_places(const struct jr_order *order, const void *elements,
                         size_t count, uint32_t *out_places) {
  const uint64_t *words = elements;
  const struct pair *pairs = elements;
  for (size_t i = 0; i < count; i++)
    out_places[i] =
        (uint32_t)(order->key_bits <= 32 ? words[i] : pairs[i].place);
}

void jr_sort_places(const jitrun_call_t *call, const struct jr_line *line,
                    const struct jr_rooms *rooms, uint32_t *out_places) {
  uint32_t key_bits = line->order.key_bits;
  const void *sorted = NULL;
  if (key_bits <= 32) {
    read_places32(line, rooms->elements);
    sorted = sort_places32(call, rooms, line->count, key_bits);
  } else {
    read_places64(line, rooms->elements);
    sorted = sort_places64(call, rooms, line->count, key_bits);
  }
  write_places(&line->order, sorted, line->count, out_places);
}

void jr_select_places(const jitrun_call_t *call, const struct jr_line *line,
                      const struct jr_rooms *rooms, size_t kept, size_t room,
                      uint32_t *out_places) {
  size_t found = line->order.key_bits <= 32
                     ? select_places32(call, line, rooms, kept, room)
                     : select_places64(call, line, rooms, kept, room);
  write_places(&line->order, rooms->elements, found, out_places);
}
