/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Arena: many small allocations with one owner, freed together. For one
/// compile, one parse or one loaded program. Not thread-safe.
#ifndef JR_BASE_ARENA_H
#define JR_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct jr_arena_block;

/// Zero-initialised is empty and ready.
struct jr_arena {
  struct jr_arena_block *blocks;
  size_t used_bytes; ///< in the newest block
  bool failed;       ///< at some time there was no memory
};

/// Memory aligned to 16 bytes, not cleared; NULL when there is none. Size 0
/// gives a valid pointer.
void *jr_arena_alloc(struct jr_arena *arena, size_t size_bytes);

/// `count` cleared elements of `size_bytes`; NULL when there is no memory or
/// the product overflows.
void *jr_arena_zalloc(struct jr_arena *arena, size_t count, size_t size_bytes);

/// As above with an alignment (power of two, up to 4096).
void *jr_arena_alloc_aligned(struct jr_arena *arena, size_t size_bytes,
                             size_t alignment);

/// Gets memory for at least `size_bytes` now, without touching it: what is
/// allocated next takes no more from the system until that is used up. False
/// when there is none. Allocations of 16-byte alignment are rounded up to
/// multiples of 16.
bool jr_arena_reserve(struct jr_arena *arena, size_t size_bytes);

/// A NUL-terminated copy of `size_bytes` bytes.
char *jr_arena_copy_text(struct jr_arena *arena, const char *text,
                         size_t size_bytes);

/// Frees everything; leaves the arena empty and ready.
void jr_arena_deinit(struct jr_arena *arena);

#endif
