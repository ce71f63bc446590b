/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// linalg.softmax, which upstream takes apart in C++ alone.
#ifndef JR_JIT_SOFTMAX_H
#define JR_JIT_SOFTMAX_H

#include "jit/unit.h"

/// Replaces it, on tensors of floats, by calls of functions of linalg.generic.
jitrun_error_t *jr_lower_softmax(struct jr_unit *unit) JITRUN_MUST_USE;

#endif
