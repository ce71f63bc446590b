/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Sorting of the elements along one dimension: keys alone, or keys with their
/// places. Elements with equal keys keep their order. Everything here is
/// thread-safe.
#ifndef JR_CUSTOMCALLS_SORT_LINES_H
#define JR_CUSTOMCALLS_SORT_LINES_H

#include "customcalls/lines.h"
#include "jitrun/customcall.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Element types that have an order: integers and bool, f16, bf16, f32, f64.
#define JR_SORTED_DTYPES                                                       \
  (JITRUN_DTYPES(JITRUN_DTYPE_PRED) | JITRUN_DTYPES(JITRUN_DTYPE_S8) |         \
   JITRUN_DTYPES(JITRUN_DTYPE_S16) | JITRUN_DTYPES(JITRUN_DTYPE_S32) |         \
   JITRUN_DTYPES(JITRUN_DTYPE_S64) | JITRUN_DTYPES(JITRUN_DTYPE_U8) |          \
   JITRUN_DTYPES(JITRUN_DTYPE_U16) | JITRUN_DTYPES(JITRUN_DTYPE_U32) |         \
   JITRUN_DTYPES(JITRUN_DTYPE_U64) | JITRUN_DTYPES(JITRUN_DTYPE_F16) |         \
   JITRUN_DTYPES(JITRUN_DTYPE_BF16) | JITRUN_DTYPES(JITRUN_DTYPE_F32) |        \
   JITRUN_DTYPES(JITRUN_DTYPE_F64))

/// How elements become numbers of key_bits bits that are in their order: floats
/// from -infinity to infinity, then NaNs.
struct jr_order {
  uint64_t sign, infinity, mask; ///< bits of the type; sign 0: it has none
  uint64_t base;                 ///< of the least that is no NaN
  uint64_t flip;                 ///< the mask, for the reverse order
  uint32_t key_bits;
  bool is_float;
  bool joins_equals; ///< -0 is equal to 0, all NaNs are; else bits decide
};

/// `dtype` is one of JR_SORTED_DTYPES.
struct jr_order jr_order_of(jitrun_dtype_t dtype, bool is_descending,
                            bool joins_equals);

/// Elements along a dimension.
struct jr_line {
  struct jr_order order;
  char *data;
  ptrdiff_t step_bytes;
  size_t element_bytes;
  size_t count;
};

/// Line `index` of those of a buffer.
struct jr_line jr_line_get(const struct jr_lines *lines,
                           const struct jr_order *order, size_t index);

/// Memory that sorting takes.
struct jr_rooms {
  void *elements, *others; ///< `count` elements each
  uint32_t *counts;
};

/// Bytes of one element in the making: a key, or a key with its place.
size_t jr_sort_bytes(const struct jr_order *order, bool has_places);

/// Bytes of `counts` for lines of that many elements.
size_t jr_sort_count_bytes(size_t count);

/// Largest line.
#define JR_SORT_MAX UINT32_MAX

/// Sorts a line in place. The order must not join equals.
void jr_sort_line(const jitrun_call_t *call, const struct jr_line *line,
                  const struct jr_rooms *rooms);

/// Writes the places that the line's elements have before they are sorted to
/// `out_places`; the line stays as it is.
void jr_sort_places(const jitrun_call_t *call, const struct jr_line *line,
                    const struct jr_rooms *rooms, uint32_t *out_places);

/// The same of the first `kept`, which are fewer than `room`, the number of
/// elements that there is room for. Goes through the line once.
void jr_select_places(const jitrun_call_t *call, const struct jr_line *line,
                      const struct jr_rooms *rooms, size_t kept, size_t room,
                      uint32_t *out_places);

#endif
