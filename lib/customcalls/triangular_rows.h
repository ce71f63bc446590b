/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Rows minus multiples of other rows: the inner loop of factorisations and of
/// triangular systems. Compiled for the vectors of this CPU.
#ifndef JR_CUSTOMCALLS_TRIANGULAR_ROWS_H
#define JR_CUSTOMCALLS_TRIANGULAR_ROWS_H

#include "jitrun/types.h"

#include <stdbool.h>
#include <stddef.h>

/// `count` elements of row `to` minus, for r < rows, number r times `count`
/// elements of row r. Steps count elements; `conjugates` the numbers, not the
/// rows.
struct jr_rows {
  void *to;
  const void *from;
  size_t from_step;
  const void *by;
  size_t by_step;
  size_t rows, count;
  bool conjugates;
};

/// For elements of f32, f64, c64 or c128.
void jr_rows_subtract(jitrun_dtype_t dtype, const struct jr_rows *rows);

#endif
