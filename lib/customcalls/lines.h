/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Buffers as lines: the elements along one dimension, for calls that do
/// something with each line.
#ifndef JR_CUSTOMCALLS_LINES_H
#define JR_CUSTOMCALLS_LINES_H

#include "customcalls/builtins.h"
#include "jitrun/customcall.h"

#include <stddef.h>
#include <stdint.h>

/// Those of a buffer, numbered in the order of the other dimensions.
struct jr_lines {
  char *data;
  size_t element_bytes;
  size_t count;         ///< of elements in a line
  ptrdiff_t step_bytes; ///< between them
  size_t line_count;
  uint32_t rank; ///< of what follows: the other dimensions
  size_t dims[JR_MAX_RANK];
  ptrdiff_t steps_bytes[JR_MAX_RANK];
};

/// The attribute `dimension` of a buffer of `rank`, from the end if it is
/// negative; the last one where it is absent. INVALID_ARGUMENT for one that the
/// buffer does not have.
jitrun_error_t *jr_dimension_read(const jitrun_call_t *call,
                                  const jitrun_attr_t *attr, uint32_t rank,
                                  uint32_t *out_dimension) JITRUN_MUST_USE;

/// INVALID_ARGUMENT unless two operands agree in their dimensions, as far as
/// they are known, but for `except` (JR_MAX_RANK: none). `names` are theirs.
jitrun_error_t *jr_dims_agree(const jitrun_call_t *call,
                              const jitrun_type_t *const types[2],
                              const char *const names[2],
                              uint32_t except) JITRUN_MUST_USE;

/// INVALID_ARGUMENT unless two operands have one element type.
jitrun_error_t *jr_dtypes_agree(const jitrun_call_t *call,
                                const jitrun_type_t *const types[2],
                                const char *const names[2]) JITRUN_MUST_USE;

void jr_lines_init(struct jr_lines *lines, const jitrun_arg_t *buffer,
                   uint32_t dimension);

/// The first element of a line.
char *jr_lines_at(const struct jr_lines *lines, size_t index);

#endif
