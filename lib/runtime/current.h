/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The execution whose code runs on a thread, for functions that programs call
/// and that are not given one: those of MLIR's runner libraries. Kept in a
/// thread-local variable while an entry, or a coroutine of its, runs; only for
/// programs that call functions from outside.
#ifndef JR_RUNTIME_CURRENT_H
#define JR_RUNTIME_CURRENT_H

#include <stddef.h>

struct jr_context;

/// Sets the execution of this thread; returns the one before, to be set again.
struct jr_context *jr_current_set(struct jr_context *context);

/// Prints through the execution of this thread. Text of a thread that runs none
/// is dropped.
void jr_current_print(const char *text, size_t size_bytes);

/// Prints through an execution, in one piece; drops the text where it has no
/// print function. From any thread.
void jr_context_print(struct jr_context *context, const char *text,
                      size_t size_bytes);

#endif
