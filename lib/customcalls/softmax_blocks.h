/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What softmax does with elements next to each other, F32 or F64, with
/// whatever vectors the CPU has: results may differ in their last bits where
/// these do. Everything here is thread-safe.
#ifndef JR_CUSTOMCALLS_SOFTMAX_BLOCKS_H
#define JR_CUSTOMCALLS_SOFTMAX_BLOCKS_H

#include "customcalls/widen.h"

#include <stddef.h>

/// e to the power of each element less `shift`, to 2 units in the last place.
void jr_exp_block(enum jr_wide wide, const void *from, size_t count,
                  double shift, void *to);

void jr_divide_block(enum jr_wide wide, void *values, size_t count,
                     double divisor);

/// Takes away one number, then another.
void jr_subtract_block(enum jr_wide wide, const void *from, size_t count,
                       const double shifts[2], void *to);

#endif
