/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Vectors in memory, and positions in vectors, that upstream's conversions
/// refuse or get wrong.
#ifndef JR_JIT_VECTORS_H
#define JR_JIT_VECTORS_H

#include "jit/unit.h"

/// Loads and stores of several dimensions become transfers; accesses to memory
/// of elements that are no whole bytes, such as i1, become those of bytes.
/// Before vector is lowered to scf.
jitrun_error_t *jr_vectors(struct jr_unit *unit) JITRUN_MUST_USE;

/// vector.extract and vector.insert at positions that are values become calls.
/// Before vector is lowered to LLVM.
jitrun_error_t *jr_vector_positions(struct jr_unit *unit) JITRUN_MUST_USE;

#endif
