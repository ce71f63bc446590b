/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Products of matrices in linalg, as calls of `jitrun.gemm`.
#ifndef JR_JIT_CONTRACTIONS_H
#define JR_JIT_CONTRACTIONS_H

#include "jit/unit.h"

/// Replaces operations of linalg on memrefs that sum products of f32 or f64
/// over one dimension, of sizes that are worth a call.
void jr_contractions(struct jr_unit *unit);

#endif
