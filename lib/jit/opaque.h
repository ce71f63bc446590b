/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Values of types that MLIR does not know.
#ifndef JR_JIT_OPAQUE_H
#define JR_JIT_OPAQUE_H

#include "jit/unit.h"

/// Makes them pointers of LLVM, throughout the module.
jitrun_error_t *jr_retype_opaque(struct jr_unit *unit) JITRUN_MUST_USE;

#endif
