/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Which blocks branches lead to.
#ifndef JR_JIT_REACH_H
#define JR_JIT_REACH_H

#include "jit/unit.h"

/// True when each of a region's `blocks` can be reached from the first; false
/// without memory.
bool jr_reaches_all(struct jr_unit *unit, const MlirBlock *blocks,
                    size_t count);

#endif
