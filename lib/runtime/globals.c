/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See globals.h.
#include "runtime/globals.h"

#include "base/alloc.h"
#include "base/strings.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BLOCK_ALIGNMENT = 4096, POLL_NS = 50000000 };

void jr_globals_init(struct jr_globals *globals) {
  *globals = (struct jr_globals){0};
  (void)pthread_mutex_init(&globals->lock, NULL);
  pthread_condattr_t attributes;
  (void)pthread_condattr_init(&attributes);
  (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  (void)pthread_cond_init(&globals->is_left, &attributes);
  (void)pthread_condattr_destroy(&attributes);
}

void jr_globals_deinit(struct jr_globals *globals) {
  free((void *)globals->bases);
  free(globals->memory);
  (void)pthread_cond_destroy(&globals->is_left);
  (void)pthread_mutex_destroy(&globals->lock);
}

/// Where each global is in the block: `offsets`, one an allocation.
static bool place_globals(const struct jr_table *table, uint64_t *offsets,
                          uint64_t *out_size) {
  *out_size = 0;
  for (uint32_t i = 0; i < table->alloc_count; i++) {
    const struct jr_alloc *alloc = &table->allocs[i];
    if (alloc->kind != JR_ALLOC_GLOBAL)
      continue;
    if (!jr_align_u64(*out_size, alloc->alignment, &offsets[i]) ||
        !jr_add_u64(offsets[i], alloc->size_bytes, out_size))
      return false;
  }
  return *out_size <= INT64_MAX;
}

static void fill_globals(struct jr_globals *globals,
                         const struct jr_table *table,
                         const uint64_t *offsets) {
  for (uint32_t i = 0; i < table->alloc_count; i++) {
    const struct jr_alloc *alloc = &table->allocs[i];
    if (alloc->kind != JR_ALLOC_GLOBAL)
      continue;
    globals->bases[i] = (char *)globals->memory + offsets[i];
    memcpy(globals->bases[i], table->data + alloc->offset, alloc->size_bytes);
  }
}

static bool has_globals(const struct jr_table *table) {
  for (uint32_t i = 0; i < table->alloc_count; i++) {
    if (table->allocs[i].kind == JR_ALLOC_GLOBAL)
      return true;
  }
  return false;
}

jitrun_error_t *jr_globals_make(struct jr_globals *globals,
                                const struct jr_table *table) {
  uint64_t size = 0;
  bool is_made = has_globals(table);
  globals->is_there = is_made || (table->header->flags & JR_TABLE_OWN_DATA);
  if (!is_made)
    return NULL;
  uint64_t *offsets = jr_calloc(table->alloc_count, sizeof *offsets);
  globals->bases = jr_calloc(table->alloc_count, sizeof *globals->bases);
  bool made = offsets && globals->bases && place_globals(table, offsets, &size);
  if (made)
    globals->memory = jr_malloc_aligned(BLOCK_ALIGNMENT, size ? size : 1);
  made = made && globals->memory;
  if (made)
    fill_globals(globals, table, offsets);
  free(offsets);
  if (made)
    return NULL;
  return jr_error(JITRUN_RESOURCE_EXHAUSTED,
                  "no memory for the %llu bytes of the program's globals",
                  (unsigned long long)size);
}

/// Waits a little while; others may have asked this execution to stop.
static void wait_briefly(struct jr_globals *globals) {
  struct timespec until;
  (void)clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += POLL_NS;
  if (until.tv_nsec >= 1000000000) {
    until.tv_nsec -= 1000000000;
    until.tv_sec++;
  }
  (void)pthread_cond_timedwait(&globals->is_left, &globals->lock, &until);
}

jitrun_error_t *jr_globals_enter(struct jr_globals *globals,
                                 const volatile int32_t *cancel) {
  bool is_cancelled = false;
  if (!globals->is_there)
    return NULL;
  (void)pthread_mutex_lock(&globals->lock);
  while (globals->is_entered && !is_cancelled) {
    wait_briefly(globals);
    is_cancelled = cancel && __atomic_load_n(cancel, __ATOMIC_RELAXED) != 0;
  }
  if (!is_cancelled)
    globals->is_entered = true;
  (void)pthread_mutex_unlock(&globals->lock);
  if (!is_cancelled)
    return NULL;
  return jr_error(JITRUN_CANCELLED,
                  "the execution was asked to stop while another one had the "
                  "program's globals");
}

void jr_globals_leave(struct jr_globals *globals) {
  if (!globals->is_there)
    return;
  (void)pthread_mutex_lock(&globals->lock);
  globals->is_entered = false;
  (void)pthread_cond_signal(&globals->is_left);
  (void)pthread_mutex_unlock(&globals->lock);
}
