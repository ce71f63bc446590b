/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Whose code a fault happened in.
#ifndef JR_TOOLS_FAULT_H
#define JR_TOOLS_FAULT_H

#include <stddef.h>
#include <stdint.h>

/// The library that a fault happened in, or that called into the C library for
/// it to happen there: its path in `path`. "" for the program's code, for
/// libjitrun's, and where it cannot be told. `pc` is where the processor was,
/// `top` the top of the stack. Safe in a signal handler, once in a process.
void jr_fault_find(uintptr_t pc, uintptr_t top, char *path, size_t size);

#endif
