/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The upstream passes, in the order they need.
#ifndef JR_JIT_PIPELINE_H
#define JR_JIT_PIPELINE_H

#include "jit/unit.h"

/// Structured control flow to blocks; before native functions are rewritten.
jitrun_error_t *jr_pipeline_to_blocks(struct jr_unit *unit) JITRUN_MUST_USE;

/// Affine operations to those of scf, memref and arith.
jitrun_error_t *jr_pipeline_affine(struct jr_unit *unit) JITRUN_MUST_USE;

/// To blocks, in async functions alone, before upstream makes coroutines of
/// them; and that.
jitrun_error_t *jr_pipeline_async_blocks(struct jr_unit *unit) JITRUN_MUST_USE;
jitrun_error_t *jr_pipeline_async(struct jr_unit *unit) JITRUN_MUST_USE;

/// Everything to the LLVM dialect; after they are rewritten. What no pass
/// converts is listed in the error.
jitrun_error_t *jr_pipeline_to_llvm(struct jr_unit *unit) JITRUN_MUST_USE;

#endif
