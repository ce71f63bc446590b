/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Comparing outputs with what was expected.
#ifndef JR_TOOLS_COMPARE_H
#define JR_TOOLS_COMPARE_H

#include "base/bytes.h"
#include "value.h"

/// |actual - expected| <= atol + rtol * |expected|.
struct jr_tolerance {
  double atol, rtol;
};

/// What is right for a dtype: 0 for integers.
struct jr_tolerance jr_tolerance_default(jitrun_dtype_t dtype);

/// True when the shapes are the same and every pair of elements is equal, both
/// NaN, or within the tolerance. Else `text` says what differs: "at [1, 2]: 3,
/// expected 4; 1 of 6 elements differ".
bool jr_compare(const struct jr_value *actual, const struct jr_value *expected,
                struct jr_tolerance tolerance, struct jr_bytes *text);

#endif
