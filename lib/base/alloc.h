/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Allocation for the whole library: the C allocator plus a test hook that
/// makes a chosen allocation fail, so that every out-of-memory path is run by a
/// test. Blocks are freed with free(). The hook is the only state here, one
/// counter for the process; while it is off an allocation pays one relaxed
/// load.
#ifndef JR_BASE_ALLOC_H
#define JR_BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// `size_bytes` bytes, not cleared; NULL when there are none. Size 0 gives a
/// block of its own.
void *jr_malloc(size_t size_bytes);

/// `count` cleared elements; NULL when there is no memory or on overflow.
void *jr_calloc(size_t count, size_t size_bytes);

/// Grows or shrinks `block` (NULL: a new one); on failure it stays as it was.
void *jr_realloc(void *block, size_t size_bytes);

/// Room for one item more than `count` in a growing array: `items` itself while
/// `*capacity` is larger, else a block of twice as many, with `*capacity` set.
/// NULL, and nothing changed, when there is none.
void *jr_grow(void *items, size_t *capacity, size_t count, size_t item_bytes);

/// As jr_malloc, aligned to a power of two that is a multiple of 8.
void *jr_malloc_aligned(size_t alignment, size_t size_bytes);

/// Gives back what one mmap() gave, by whole pages: ThreadSanitizer keeps what
/// it noted of a page that munmap() names in part, and takes it for accesses to
/// what LLVM, whose mmap() it does not see, maps there next.
void jr_unmap(void *start, size_t size_bytes);

/// Tests: the `nth` allocation from now on fails (1: the next), any thread's;
/// those after it work again. 0 turns it off.
void jr_alloc_fail_nth(uint32_t nth);

/// Tests: true while the failure that was asked for has not happened yet.
bool jr_alloc_fail_pending(void);

#endif
