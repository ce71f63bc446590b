/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Reducing wide elements (widen.h) that lie next to each other, and rows of
/// such, with whatever vectors the CPU has: the bits of results do not depend
/// on them. Everything here is thread-safe.
#ifndef JR_CUSTOMCALLS_REDUCTION_KERNELS_H
#define JR_CUSTOMCALLS_REDUCTION_KERNELS_H

#include "customcalls/widen.h"

#include <stddef.h>

enum jr_reducer {
  JR_REDUCE_SUM,
  JR_REDUCE_PRODUCT,
  JR_REDUCE_MIN, ///< a NaN makes it NaN, and so the next
  JR_REDUCE_MAX,
  JR_REDUCE_AND, ///< of unsigned integers only, as the next two
  JR_REDUCE_OR,
  JR_REDUCE_XOR,
  JR_REDUCER_COUNT
};

struct jr_reduction_kernel {
  /// Reduces `count` elements, of which there is at least one.
  void (*fold)(const void *from, size_t count, void *out);
  /// Adds to `width` results what each of the rows has for them, in order.
  void (*add_rows)(void *results, const void *const *rows, size_t row_count,
                   size_t width);
  /// Writes `width` elements that change nothing.
  void (*start)(void *results, size_t width);
};

/// The kernel for this CPU; NULL where there is none. Sums, products and bits
/// are those of unsigned integers.
const struct jr_reduction_kernel *jr_reduction_kernel(enum jr_wide wide,
                                                      enum jr_reducer reducer);

/// Adds F32 or F64 to `width` sums, and to `errors` what rounding takes away.
void jr_add_exactly(enum jr_wide wide, void *sums, void *errors,
                    const void *more, size_t width);

#endif
