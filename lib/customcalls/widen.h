/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Elements in the types that are computed in. Exact one way, and rounded to
/// nearest, ties to even, the other. Everything here is thread-safe.
#ifndef JR_CUSTOMCALLS_WIDEN_H
#define JR_CUSTOMCALLS_WIDEN_H

#include "jitrun/types.h"

#include <stddef.h>

enum jr_wide {
  JR_WIDE_NONE, ///< of a dtype that is not computed with
  JR_WIDE_F32,
  JR_WIDE_F64,
  JR_WIDE_S8,
  JR_WIDE_U8,
  JR_WIDE_S16,
  JR_WIDE_U16,
  JR_WIDE_S32,
  JR_WIDE_U32,
  JR_WIDE_S64,
  JR_WIDE_U64,
  JR_WIDE_COUNT
};

/// The same type, of PRED U8, of the smaller floats F32.
enum jr_wide jr_wide_of(jitrun_dtype_t dtype);

size_t jr_wide_size(enum jr_wide wide);

/// The dtype whose elements these are.
jitrun_dtype_t jr_wide_dtype(enum jr_wide wide);

/// Converts elements that lie next to each other, floats to their wide type and
/// integers of less than 8 bytes to a larger one; of true PRED, to 1. Copies
/// those of the same size.
void jr_widen(jitrun_dtype_t dtype, enum jr_wide wide, const char *from,
              size_t count, void *to);

/// Integers keep their low bits; no element is larger than its wide one.
void jr_narrow(jitrun_dtype_t dtype, enum jr_wide wide, const void *from,
               size_t count, char *to);

#endif
