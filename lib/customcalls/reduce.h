/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Reducing the parts that the members of a group brought, element by element,
/// in the order of their ranks: the result does not depend on who comes first.
#ifndef JR_CUSTOMCALLS_REDUCE_H
#define JR_CUSTOMCALLS_REDUCE_H

#include "jitrun/types.h"

/// With the numbers that XLA gives them.
enum jr_reduction { JR_SUM, JR_PRODUCT, JR_MIN, JR_MAX, JR_REDUCTION_COUNT };

struct jr_reduce {
  jitrun_dtype_t dtype;
  enum jr_reduction reduction;
  void *const *parts;
  uint32_t part_count;
  size_t offset_bytes; ///< into each part
  size_t count;        ///< of elements
};

/// False for an element type without that reduction: complex numbers have no
/// order, and pointers no sum.
bool jr_can_reduce(jitrun_dtype_t dtype, enum jr_reduction reduction);

/// Writes `count` elements to `out`. Integers wrap around; of PRED, sum and max
/// are or, product and min are and. Floats of 16 bits and less are reduced as
/// f32 and rounded once. A NaN makes min and max NaN.
void jr_reduce(const struct jr_reduce *reduce, void *out);

/// "sum", "product", "min", "max".
const char *jr_reduction_name(enum jr_reduction reduction);

#endif
