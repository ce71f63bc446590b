/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Allocation with a failure hook. See alloc.h.
#include "base/alloc.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/// Up to which malloc() is asked and cleared: calloc() of glibc before 2.41
/// passes by what the thread has freed, and takes twice the time.
enum { SMALL_BYTES = 1024 };

/// Allocations left until the one that fails; 0: off.
static atomic_uint fail_countdown;

/// Counts one allocation; true when it is to fail: as asked, or because no
/// object may be larger than PTRDIFF_MAX (sanitizers end the process over
/// that).
static bool must_fail(size_t size_bytes) {
  unsigned left = atomic_load_explicit(&fail_countdown, memory_order_relaxed);
  while (left != 0) {
    if (atomic_compare_exchange_weak(&fail_countdown, &left, left - 1))
      return left == 1 || size_bytes > PTRDIFF_MAX;
  }
  return size_bytes > PTRDIFF_MAX;
}

void *jr_malloc(size_t size_bytes) {
  if (must_fail(size_bytes))
    return NULL;
  return malloc(size_bytes ? size_bytes : 1);
}

void *jr_calloc(size_t count, size_t size_bytes) {
  size_t total_bytes = 0;
  if (__builtin_mul_overflow(count, size_bytes, &total_bytes))
    total_bytes = SIZE_MAX;
  if (must_fail(total_bytes))
    return NULL;
  if (total_bytes > SMALL_BYTES)
    return calloc(1, total_bytes);
  void *block = malloc(total_bytes ? total_bytes : 1);
  return block ? memset(block, 0, total_bytes) : NULL;
}

void *jr_realloc(void *block, size_t size_bytes) {
  if (must_fail(size_bytes))
    return NULL;
  return realloc(block, size_bytes ? size_bytes : 1);
}

void *jr_grow(void *items, size_t *capacity, size_t count, size_t item_bytes) {
  enum { FIRST_ITEMS = 16 };
  if (count < *capacity)
    return items;
  size_t wanted = *capacity ? *capacity : FIRST_ITEMS / 2;
  size_t size_bytes;
  if (__builtin_mul_overflow(wanted, 2, &wanted) ||
      __builtin_mul_overflow(wanted, item_bytes, &size_bytes))
    return NULL;
  void *grown = jr_realloc(items, size_bytes);
  if (grown)
    *capacity = wanted;
  return grown;
}

void *jr_malloc_aligned(size_t alignment, size_t size_bytes) {
  void *block = NULL;
  if (must_fail(size_bytes))
    return NULL;
  if (posix_memalign(&block, alignment, size_bytes ? size_bytes : 1) != 0)
    return NULL;
  return block;
}

void jr_unmap(void *start, size_t size_bytes) {
  size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
  (void)munmap(start, (size_bytes + page_bytes - 1) & ~(page_bytes - 1));
}

void jr_alloc_fail_nth(uint32_t nth) {
  atomic_store(&fail_countdown, nth);
}

bool jr_alloc_fail_pending(void) {
  return atomic_load(&fail_countdown) != 0;
}
