/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Memory for what a function needs only while it runs, kept by its thread:
/// warm, and as much of it as there are threads, not calls.
#ifndef JR_BASE_ROOM_H
#define JR_BASE_ROOM_H

#include <stddef.h>

/// At least `size_bytes`, aligned to 64, with anything in it; the next call in
/// this thread gives the same memory to whoever makes it, or frees it. NULL
/// when there is none.
void *jr_thread_room(size_t size_bytes);

#endif
