/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The async dialect. Its functions and the bodies of async.execute become
/// coroutines by upstream's passes, with a few additions of ours around these,
/// so that planning and rewriting meet functions alone:
///
///   entries -> outline -> blocks -> tests -> upstream's passes -> tidy
///
/// A coroutine cannot leave by returning an error: whatever can fail in one is
/// followed by a call of `ok` and an assertion, which upstream turns into the
/// error state of the coroutine's results. The calls that we add carry
/// JR_ATTR_ASYNC, whose value says which of them it is.
#ifndef JR_JIT_ASYNC_H
#define JR_JIT_ASYNC_H

#include "jit/unit.h"

/// On calls that stand for what native code does in their place, "start": a
/// token whose await is the start of a task; "ok": whether the operation before
/// succeeded; "check": keeps the error of an assertion that fails.
#define JR_ATTR_ASYNC "jitrun.async"

/// On a "check": the assertion's message.
#define JR_ATTR_TASK_MESSAGE "jitrun.message"

/// On functions that are coroutines.
#define JR_ATTR_COROUTINE "jitrun.coroutine"

/// Looks for the dialect, and gives every public async.func a plain function
/// around it: entries are called, and never suspended. Before jr_rt().
jitrun_error_t *jr_async_entries(struct jr_unit *unit) JITRUN_MUST_USE;

/// Lowers the dialect to coroutines and runtime operations.
jitrun_error_t *jr_async(struct jr_unit *unit) JITRUN_MUST_USE;

/// Moves the bodies of async.execute into functions. async_outline.c
jitrun_error_t *jr_async_outline(struct jr_unit *unit) JITRUN_MUST_USE;

/// Gives tasks buffers where they have tensors; outlines. Before bufferization.
/// async_tensors.c
jitrun_error_t *jr_async_tensors(struct jr_unit *unit) JITRUN_MUST_USE;

/// A private declaration for calls with JR_ATTR_ASYNC; its name.
MlirStringRef jr_async_declare(struct jr_unit *unit, const char *name,
                               MlirType type);

/// A call of one.
MlirOperation jr_async_call(struct jr_unit *unit, MlirStringRef callee,
                            const char *what, const MlirValue *operand,
                            MlirType result, MlirLocation location);

/// True for a function with JR_ATTR_COROUTINE.
bool jr_is_coroutine(MlirOperation function);

/// Marks coroutines, and what runs on several threads at once because a
/// coroutine calls it. After jr_outline().
void jr_async_mark(struct jr_unit *unit);

/// Makes pointers of the handles that branches pass on, which upstream's
/// conversion of the dialect leaves to others. async_link.c
void jr_async_branches(struct jr_unit *unit);

/// True for types of the dialect.
bool jr_is_async_type(MlirType type);

/// In the LLVM dialect: upstream's runtime functions become functions of the
/// execution. async_link.c
void jr_async_link(struct jr_unit *unit);

#endif
