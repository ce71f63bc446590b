/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Calls that make a line of each line of floats, computing in wide elements.
/// Everything here is thread-safe.
#ifndef JR_CUSTOMCALLS_WIDE_LINES_H
#define JR_CUSTOMCALLS_WIDE_LINES_H

#include "customcalls/lines.h"
#include "customcalls/widen.h"
#include "jitrun/customcall.h"

#include <stddef.h>

#define JR_WIDE_LINE_DTYPES                                                    \
  (JITRUN_DTYPES(JITRUN_DTYPE_F16) | JITRUN_DTYPES(JITRUN_DTYPE_BF16) |        \
   JITRUN_DTYPES(JITRUN_DTYPE_F32) | JITRUN_DTYPES(JITRUN_DTYPE_F64))

struct jr_wide_lines {
  /// Makes `count` elements at `to`, which may be `from`.
  void (*compute)(const void *context, const void *from, size_t count,
                  void *to);
  const void *context;
  enum jr_wide wide; ///< F32 or F64
};

/// Of two operands, as far as they are known: their types, dimensions and the
/// attribute `dimension`.
jitrun_error_t *jr_wide_lines_check(const jitrun_call_t *call,
                                    const jitrun_attr_t *attr,
                                    const jitrun_type_t *data,
                                    const jitrun_type_t *result,
                                    uint32_t *out_dimension) JITRUN_MUST_USE;

/// Computes the lines along a dimension. `result` may be `data`.
/// RESOURCE_EXHAUSTED only.
jitrun_error_t *jr_wide_lines_run(const jitrun_call_t *call,
                                  const struct jr_wide_lines *lines,
                                  const jitrun_arg_t *data,
                                  const jitrun_arg_t *result,
                                  uint32_t dimension) JITRUN_MUST_USE;

#endif
