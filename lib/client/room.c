/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See room.h. What is kept stands in a list, the last used first.
#include "client/room.h"

#include "base/alloc.h"

#include <stdlib.h>

/// Takes out the first that is kept for an owner.
static struct jr_room *take_kept(struct jr_heap *heap, const void *owner) {
  (void)pthread_mutex_lock(&heap->lock);
  struct jr_room **place = &heap->kept;
  while (*place && (*place)->owner != owner)
    place = &(*place)->next;
  struct jr_room *found = *place;
  if (found)
    *place = found->next;
  (void)pthread_mutex_unlock(&heap->lock);
  return found;
}

static void free_room(struct jr_room *room) {
  jr_memory_release(room->memory);
  free(room);
}

jitrun_error_t *jr_room_take(struct jr_heap *heap, const void *owner,
                             uint64_t size_bytes, uint64_t alignment,
                             struct jr_room **out_room) {
  uint64_t more =
      alignment > JR_MEMORY_ALIGNMENT ? alignment - JR_MEMORY_ALIGNMENT : 0;
  *out_room = take_kept(heap, owner);
  if (*out_room)
    return NULL;
  struct jr_room *room = jr_calloc(1, sizeof *room);
  if (!room)
    return jr_error_no_memory();
  room->owner = owner;
  jitrun_error_t *error =
      jr_memory_allocate(heap, size_bytes + more, &room->memory);
  if (error) {
    free(room);
    return error;
  }
  uintptr_t start = (uintptr_t)room->memory->data;
  uintptr_t skipped = more ? (0 - start) & (uintptr_t)(alignment - 1) : 0;
  room->data = (unsigned char *)room->memory->data + skipped;
  *out_room = room;
  return NULL;
}

void jr_room_give(struct jr_room *room) {
  if (!room)
    return;
  struct jr_heap *heap = room->memory->heap;
  (void)pthread_mutex_lock(&heap->lock);
  room->next = heap->kept;
  heap->kept = room;
  (void)pthread_mutex_unlock(&heap->lock);
}

void jr_room_drop(struct jr_heap *heap, const void *owner) {
  struct jr_room *room;
  while ((room = take_kept(heap, owner)))
    free_room(room);
}

bool jr_room_trim(struct jr_heap *heap) {
  (void)pthread_mutex_lock(&heap->lock);
  struct jr_room **place = &heap->kept;
  while (*place && (*place)->next)
    place = &(*place)->next;
  struct jr_room *oldest = *place;
  *place = NULL;
  (void)pthread_mutex_unlock(&heap->lock);
  if (!oldest)
    return false;
  free_room(oldest);
  return true;
}
