/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See memory.h. A heap has no memory of its own: the driver's allocator does
/// the work, and the heap counts, so that a device has a limit and can say who
/// has what.
#include "client/memory.h"

#include "client/room.h"

#include "base/alloc.h"
#include "base/bytes.h"

#include <inttypes.h>
#include <stdlib.h>

enum { LISTED = 3 };

static jitrun_error_t *take_metered(void *context, uint64_t size_bytes) {
  return jr_heap_take(context, size_bytes);
}

static void give_metered(void *context, uint64_t size_bytes) {
  jr_heap_give(context, size_bytes);
}

void jr_heap_init(struct jr_heap *heap, uint64_t limit_bytes) {
  heap->stats = (jitrun_memory_stats_t){.size = sizeof heap->stats,
                                        .limit_bytes = limit_bytes};
  heap->meter = (struct jr_meter){take_metered, give_metered, heap};
  (void)pthread_mutex_init(&heap->lock, NULL);
  (void)pthread_mutex_init(&heap->shared_lock, NULL);
}

void jr_heap_deinit(struct jr_heap *heap) {
  (void)pthread_mutex_destroy(&heap->shared_lock);
  (void)pthread_mutex_destroy(&heap->lock);
}

/// The sizes of the largest allocations in use, falling. Lock held.
static size_t find_largest(const struct jr_heap *heap,
                           uint64_t out_sizes[LISTED]) {
  size_t count = 0;
  for (const struct jr_memory *one = heap->first; one; one = one->next) {
    if (one->is_borrowed)
      continue;
    size_t at = count;
    while (at > 0 && out_sizes[at - 1] < one->size_bytes)
      at--;
    if (at == LISTED)
      continue;
    count += count < LISTED;
    for (size_t i = count - 1; i > at; i--)
      out_sizes[i] = out_sizes[i - 1];
    out_sizes[at] = one->size_bytes;
  }
  return count;
}

/// What the driver has left; UINT64_MAX where it does not say.
static uint64_t ask_free(const struct jr_heap *heap) {
  uint64_t free_bytes = 0;
  if (!heap->driver->memory_free)
    return UINT64_MAX;
  jitrun_error_t *error = heap->driver->memory_free(heap->handle, &free_bytes);
  jitrun_error_free(error);
  return error ? UINT64_MAX : free_bytes;
}

jitrun_memory_stats_t jr_heap_stats(struct jr_heap *heap) {
  uint64_t free_bytes = ask_free(heap);
  uint64_t largest[LISTED] = {0};
  (void)pthread_mutex_lock(&heap->lock);
  jitrun_memory_stats_t stats = heap->stats;
  (void)find_largest(heap, largest);
  (void)pthread_mutex_unlock(&heap->lock);
  stats.largest_bytes = largest[0];
  uint64_t limit = stats.limit_bytes;
  uint64_t left = limit > stats.in_use_bytes ? limit - stats.in_use_bytes : 0;
  if (limit && left < free_bytes)
    free_bytes = left;
  stats.largest_free_bytes = free_bytes == UINT64_MAX ? 0 : free_bytes;
  return stats;
}

/// RESOURCE_EXHAUSTED; takes the lock.
static jitrun_error_t *refuse(struct jr_heap *heap, uint64_t size_bytes) {
  uint64_t sizes[LISTED];
  struct jr_bytes text = {0};
  (void)pthread_mutex_lock(&heap->lock);
  jitrun_memory_stats_t stats = heap->stats;
  size_t count = find_largest(heap, sizes);
  (void)pthread_mutex_unlock(&heap->lock);
  jr_bytes_appendf(&text,
                   "device %s has no room for %" PRIu64 " bytes: %" PRIu64
                   " are in use",
                   heap->device_name, size_bytes, stats.in_use_bytes);
  if (stats.limit_bytes)
    jr_bytes_appendf(&text, " of a limit of %" PRIu64, stats.limit_bytes);
  for (size_t i = 0; i < count; i++)
    jr_bytes_appendf(&text, "%s%" PRIu64,
                     i == 0 ? "; the largest buffers have " : ", ", sizes[i]);
  const char *message = jr_bytes_text(&text);
  jitrun_error_t *error =
      message ? jr_error_text(JITRUN_RESOURCE_EXHAUSTED, message, text.size)
              : jr_error_no_memory();
  jr_bytes_deinit(&text);
  return error;
}

/// Counts an allocation before it is made; false when it is over the limit.
static bool count_bytes(struct jr_heap *heap, uint64_t size_bytes) {
  jitrun_memory_stats_t *stats = &heap->stats;
  (void)pthread_mutex_lock(&heap->lock);
  bool fits = !stats->limit_bytes ||
              (stats->in_use_bytes <= stats->limit_bytes &&
               size_bytes <= stats->limit_bytes - stats->in_use_bytes);
  if (fits)
    stats->in_use_bytes += size_bytes;
  (void)pthread_mutex_unlock(&heap->lock);
  return fits;
}

/// The same; what is kept of no use now makes room.
static bool reserve(struct jr_heap *heap, uint64_t size_bytes) {
  bool fits = count_bytes(heap, size_bytes);
  while (!fits && jr_room_trim(heap))
    fits = count_bytes(heap, size_bytes);
  return fits;
}

static void unreserve(struct jr_heap *heap, uint64_t size_bytes) {
  (void)pthread_mutex_lock(&heap->lock);
  heap->stats.in_use_bytes -= size_bytes;
  (void)pthread_mutex_unlock(&heap->lock);
}

static void raise_peak(jitrun_memory_stats_t *stats) {
  if (stats->peak_bytes < stats->in_use_bytes)
    stats->peak_bytes = stats->in_use_bytes;
}

jitrun_error_t *jr_heap_take(struct jr_heap *heap, uint64_t size_bytes) {
  if (!reserve(heap, size_bytes))
    return refuse(heap, size_bytes);
  (void)pthread_mutex_lock(&heap->lock);
  raise_peak(&heap->stats);
  (void)pthread_mutex_unlock(&heap->lock);
  return NULL;
}

void jr_heap_give(struct jr_heap *heap, uint64_t size_bytes) {
  unreserve(heap, size_bytes);
}

/// Puts memory that is there in the list, and counts it.
static void add_memory(struct jr_memory *memory) {
  struct jr_heap *heap = memory->heap;
  jitrun_memory_stats_t *stats = &heap->stats;
  (void)pthread_mutex_lock(&heap->lock);
  memory->link = &heap->first;
  memory->next = heap->first;
  if (memory->next)
    memory->next->link = &memory->next;
  heap->first = memory;
  if (memory->is_borrowed) {
    stats->borrowed_bytes += memory->size_bytes;
  } else {
    stats->allocation_count++;
    stats->total_count++;
    raise_peak(stats);
  }
  (void)pthread_mutex_unlock(&heap->lock);
}

static void remove_memory(const struct jr_memory *memory) {
  struct jr_heap *heap = memory->heap;
  jitrun_memory_stats_t *stats = &heap->stats;
  (void)pthread_mutex_lock(&heap->lock);
  *memory->link = memory->next;
  if (memory->next)
    memory->next->link = memory->link;
  if (memory->is_borrowed) {
    stats->borrowed_bytes -= memory->size_bytes;
  } else {
    stats->allocation_count--;
    stats->in_use_bytes -= memory->size_bytes;
  }
  (void)pthread_mutex_unlock(&heap->lock);
}

/// What a driver says of memory that cannot be had; what else is wrong comes
/// first.
static jitrun_error_t *explain(struct jr_heap *heap, uint64_t size_bytes,
                               /*own*/ jitrun_error_t *cause) {
  if (jitrun_error_code(cause) != JITRUN_RESOURCE_EXHAUSTED)
    return jr_error_note(cause,
                         "while allocating %" PRIu64 " bytes on device %s",
                         size_bytes, heap->device_name);
  jitrun_error_t *error = jr_error_note(refuse(heap, size_bytes), "%s",
                                        jitrun_error_message(cause));
  jitrun_error_free(cause);
  return error;
}

jitrun_error_t *jr_memory_allocate(struct jr_heap *heap, uint64_t size_bytes,
                                   struct jr_memory **out_memory) {
  *out_memory = NULL;
  if (!reserve(heap, size_bytes))
    return refuse(heap, size_bytes);
  struct jr_memory *memory = jr_malloc(sizeof *memory);
  jitrun_address_t address = 0;
  // A buffer without elements has an address of its own, too.
  jitrun_error_t *error =
      memory ? heap->driver->alloc(heap->handle, size_bytes ? size_bytes : 1,
                                   JR_MEMORY_ALIGNMENT, &address)
             : jr_error_no_memory();
  if (error) {
    free(memory);
    unreserve(heap, size_bytes);
    return explain(heap, size_bytes, error);
  }
  void *data = (void *)(uintptr_t)address;
  *memory = (struct jr_memory){.reference_count = 1,
                               .heap = heap,
                               .data = data,
                               .size_bytes = size_bytes};
  add_memory(memory);
  *out_memory = memory;
  return NULL;
}

jitrun_error_t *jr_memory_borrow(struct jr_heap *heap, void *data,
                                 uint64_t size_bytes,
                                 jitrun_release_fn_t release,
                                 void *release_context,
                                 struct jr_memory **out_memory) {
  struct jr_memory *memory = jr_malloc(sizeof *memory);
  *out_memory = memory;
  if (!memory)
    return jr_error_no_memory();
  *memory = (struct jr_memory){.reference_count = 1,
                               .heap = heap,
                               .data = data,
                               .size_bytes = size_bytes,
                               .is_borrowed = true,
                               .release = release,
                               .release_context = release_context};
  add_memory(memory);
  return NULL;
}

jitrun_error_t *jr_memory_adopt(struct jr_heap *heap, void *data,
                                uint64_t size_bytes,
                                jitrun_release_fn_t release,
                                void *release_context,
                                struct jr_memory **out_memory) {
  *out_memory = NULL;
  bool fits = reserve(heap, size_bytes);
  struct jr_memory *memory = fits ? jr_malloc(sizeof *memory) : NULL;
  if (!memory) {
    if (fits)
      unreserve(heap, size_bytes);
    release(release_context);
    return refuse(heap, size_bytes);
  }
  *memory = (struct jr_memory){.reference_count = 1,
                               .heap = heap,
                               .data = data,
                               .size_bytes = size_bytes,
                               .release = release,
                               .release_context = release_context};
  add_memory(memory);
  *out_memory = memory;
  return NULL;
}

void jr_memory_retain(struct jr_memory *memory) {
  (void)__atomic_fetch_add(&memory->reference_count, 1, __ATOMIC_RELAXED);
}

void jr_memory_release(struct jr_memory *memory) {
  if (!memory ||
      __atomic_sub_fetch(&memory->reference_count, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  remove_memory(memory);
  if (memory->release)
    memory->release(memory->release_context);
  else if (!memory->is_borrowed)
    memory->heap->driver->free(memory->heap->handle, (uintptr_t)memory->data);
  free(memory);
}

void jr_memory_add_handle(struct jr_memory *memory) {
  if (memory)
    (void)__atomic_fetch_add(&memory->handle_count, 1, __ATOMIC_RELAXED);
}

void jr_memory_drop_handle(struct jr_memory *memory) {
  if (memory)
    (void)__atomic_sub_fetch(&memory->handle_count, 1, __ATOMIC_RELEASE);
  jr_memory_release(memory);
}

void jr_memory_queue(struct jr_memory *memory) {
  if (memory)
    (void)__atomic_fetch_add(&memory->queued_count, 1, __ATOMIC_RELEASE);
}

void jr_memory_unqueue(struct jr_memory *memory) {
  if (memory)
    (void)__atomic_sub_fetch(&memory->queued_count, 1, __ATOMIC_RELEASE);
  jr_memory_release(memory);
}

bool jr_memory_has_handle(const struct jr_memory *memory) {
  return __atomic_load_n(&memory->handle_count, __ATOMIC_ACQUIRE) > 0;
}

/// Without a handle there are no new references, and those that there are go
/// from not queued to queued to gone: read in this order, none is missed.
bool jr_memory_is_free(const struct jr_memory *memory, bool is_queued) {
  if (memory->is_borrowed || jr_memory_has_handle(memory))
    return false;
  size_t references =
      __atomic_load_n(&memory->reference_count, __ATOMIC_ACQUIRE);
  size_t queued = __atomic_load_n(&memory->queued_count, __ATOMIC_ACQUIRE);
  return references == 1 || (is_queued && references - queued == 1);
}
