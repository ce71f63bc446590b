/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The notation for the dimension numbers of convolutions: for input, kernel
/// and output, what each of their dimensions is.
#include "jit/attrs_opaque.h"

#include <string.h>

enum { MAX_SPATIAL = 16 };

/// What the dimensions of one operand are.
struct layout {
  int64_t letters[2];
  int64_t spatial[MAX_SPATIAL];
  uint32_t letter_mask, spatial_mask; ///< which were there
};

/// One dimension: one of the two letters, or the number of a spatial one.
static bool read_dimension(struct jr_scanner *scanner, const char *letters,
                           int64_t place, struct layout *layout) {
  for (int i = 0; i < 2; i++) {
    const char letter[] = {letters[i], '\0'};
    if (!jr_scan_accept(scanner, letter))
      continue;
    bool is_new = (layout->letter_mask & 1u << i) == 0;
    layout->letter_mask |= 1u << i;
    layout->letters[i] = place;
    return is_new;
  }
  int64_t number = 0;
  if (!jr_scan_s64(scanner, &number) || number < 0 || number >= MAX_SPATIAL ||
      (layout->spatial_mask & 1u << number) != 0)
    return false;
  layout->spatial_mask |= 1u << number;
  layout->spatial[number] = place;
  return true;
}

static bool set_values(const struct layout *layout, size_t spatial_count,
                       struct jr_arena *arena, struct jr_attr_value *values) {
  size_t size = spatial_count * sizeof(int64_t);
  int64_t *spatial = jr_arena_alloc(arena, size);
  if (!spatial)
    return false;
  memcpy(spatial, layout->spatial, size);
  for (int i = 0; i < 2; i++)
    values[i] = (struct jr_attr_value){.kind = JITRUN_ATTR_SCALAR,
                                       .dtype = JITRUN_DTYPE_S64,
                                       .bits = (uint64_t)layout->letters[i]};
  values[2] = (struct jr_attr_value){.kind = JITRUN_ATTR_ARRAY,
                                     .dtype = JITRUN_DTYPE_S64,
                                     .count = spatial_count,
                                     .data = spatial};
  return true;
}

/// "[b, 0, 1, f]" into three values.
static bool read_layout(struct jr_scanner *scanner, const char *letters,
                        struct jr_arena *arena, struct jr_attr_value *values) {
  struct layout layout = {0};
  int64_t count = 0;
  if (!jr_scan_accept(scanner, "["))
    return false;
  do {
    if (!read_dimension(scanner, letters, count++, &layout))
      return false;
  } while (jr_scan_accept(scanner, ","));
  // spatial dimensions are numbered without gaps
  if (layout.letter_mask != 3 ||
      (layout.spatial_mask & (layout.spatial_mask + 1)) != 0)
    return false;
  return jr_scan_accept(scanner, "]") &&
         set_values(&layout, (size_t)count - 2, arena, values);
}

bool jr_conv_read(struct jr_scanner *scanner, struct jr_arena *arena,
                  struct jr_attr_value *values) {
  return read_layout(scanner, "bf", arena, values) &&
         jr_scan_accept(scanner, "x") &&
         read_layout(scanner, "io", arena, values + 3) &&
         jr_scan_accept(scanner, "->") &&
         read_layout(scanner, "bf", arena, values + 6);
}
