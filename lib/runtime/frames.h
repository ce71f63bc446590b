/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Building the frames of a context, for context.c.
#ifndef JR_RUNTIME_FRAMES_H
#define JR_RUNTIME_FRAMES_H

#include "runtime/context.h"

/// Makes bases, slots, frames and the lists that keep them up to date. What it
/// made belongs to the context, also on failure.
jitrun_error_t *jr_frames_build(struct jr_context *context) JITRUN_MUST_USE;

/// Writes an entry's scalar parameters into the frames that take them.
void jr_frames_patch(struct jr_context *context, uint32_t entry);

#endif
