/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See shared.h. Content is told by its hash, which is 128 bits long.
#include "client/shared.h"

#include "base/alloc.h"
#include "client/move.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/// One that is there, with a reference more. Lock held.
static struct jr_shared *find_shared(const struct jr_heap *heap,
                                     const XXH128_canonical_t *hash,
                                     uint64_t size_bytes) {
  for (struct jr_shared *one = heap->shared; one; one = one->next) {
    if (one->memory->size_bytes == size_bytes &&
        memcmp(one->hash, hash->digest, sizeof one->hash) == 0) {
      one->reference_count++;
      return one;
    }
  }
  return NULL;
}

static jitrun_error_t *make_shared(jitrun_device_t *device, const void *data,
                                   uint64_t size_bytes,
                                   struct jr_shared **out_shared) {
  struct jr_shared *shared = jr_calloc(1, sizeof *shared);
  *out_shared = NULL;
  if (!shared)
    return jr_error_no_memory();
  jitrun_error_t *error =
      jr_memory_allocate(&device->heap, size_bytes, &shared->memory);
  if (!error)
    error = jr_move_bytes(shared->memory->data, data, size_bytes,
                          jr_device_apart(device), NULL);
  if (error) {
    jr_memory_release(shared->memory);
    free(shared);
    return error;
  }
  shared->reference_count = 1;
  *out_shared = shared;
  return NULL;
}

jitrun_error_t *jr_shared_take(jitrun_device_t *device, const void *data,
                               uint64_t size_bytes,
                               struct jr_shared **out_shared) {
  struct jr_heap *heap = &device->heap;
  jitrun_error_t *error = NULL;
  XXH128_canonical_t hash;
  XXH128_canonicalFromHash(&hash, XXH3_128bits(data, size_bytes));
  (void)pthread_mutex_lock(&heap->shared_lock);
  *out_shared = find_shared(heap, &hash, size_bytes);
  if (!*out_shared) {
    error = make_shared(device, data, size_bytes, out_shared);
    if (!error) {
      memcpy((*out_shared)->hash, hash.digest, sizeof hash.digest);
      (*out_shared)->next = heap->shared;
      heap->shared = *out_shared;
    }
  }
  (void)pthread_mutex_unlock(&heap->shared_lock);
  return error;
}

void jr_shared_release(struct jr_shared *shared) {
  if (!shared)
    return;
  struct jr_heap *heap = shared->memory->heap;
  (void)pthread_mutex_lock(&heap->shared_lock);
  bool is_last = --shared->reference_count == 0;
  struct jr_shared **place = &heap->shared;
  while (is_last && *place != shared)
    place = &(*place)->next;
  if (is_last)
    *place = shared->next;
  (void)pthread_mutex_unlock(&heap->shared_lock);
  if (!is_last)
    return;
  jr_memory_release(shared->memory);
  free(shared);
}
