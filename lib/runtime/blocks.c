/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Memory that belongs to one execution: what the program allocates and what
/// handlers ask for as scratch. A block is found by the address of its data, so
/// that an address which is none of ours is ignored, not read.
#include "base/alloc.h"
#include "runtime/context.h"

#include <stdlib.h>

enum { MIN_ALIGNMENT = 64 };

static struct jr_block **find_chain(struct jr_blocks *blocks,
                                    const void *data) {
  uint64_t line = (uintptr_t)data / MIN_ALIGNMENT;
  return &blocks->chains[(line ^ (line >> 6)) % JR_BLOCK_CHAINS];
}

static void give(const struct jr_blocks *blocks, uint64_t size_bytes) {
  if (blocks->meter)
    blocks->meter->give(blocks->meter->context, size_bytes);
}

void *jr_blocks_alloc(struct jr_blocks *blocks, size_t size_bytes,
                      size_t alignment, jitrun_error_t **out_error) {
  const struct jr_meter *meter = blocks->meter;
  // The record stands in front of the data, in as much room as keeps that
  // aligned.
  *out_error = NULL;
  size_t room = alignment > MIN_ALIGNMENT ? alignment : MIN_ALIGNMENT;
  if ((room & (room - 1)) != 0 || room > SIZE_MAX / 4 ||
      size_bytes > SIZE_MAX / 4)
    return NULL;
  *out_error = meter ? meter->take(meter->context, size_bytes) : NULL;
  if (*out_error)
    return NULL;
  unsigned char *start = jr_malloc_aligned(room, room + size_bytes);
  if (!start) {
    give(blocks, size_bytes);
    return NULL;
  }
  void *data = start + room;
  struct jr_block *block = (struct jr_block *)data - 1;
  *block =
      (struct jr_block){.data = data, .start = start, .size_bytes = size_bytes};
  struct jr_block **chain = find_chain(blocks, data);
  (void)pthread_mutex_lock(&blocks->lock);
  block->next = *chain;
  *chain = block;
  blocks->count++;
  (void)pthread_mutex_unlock(&blocks->lock);
  return data;
}

void *jr_blocks_scratch(struct jr_blocks *blocks, size_t size_bytes,
                        size_t alignment) {
  jitrun_error_t *error = NULL;
  void *data = jr_blocks_alloc(blocks, size_bytes, alignment, &error);
  jitrun_error_free(error);
  return data;
}

void jr_blocks_free(struct jr_blocks *blocks, void *data) {
  struct jr_block **place = find_chain(blocks, data);
  (void)pthread_mutex_lock(&blocks->lock);
  while (*place && (*place)->data != data)
    place = &(*place)->next;
  struct jr_block *block = *place;
  if (block) {
    *place = block->next;
    blocks->count--;
  }
  (void)pthread_mutex_unlock(&blocks->lock);
  if (!block)
    return;
  give(blocks, block->size_bytes);
  free(block->start);
}

struct jr_block *jr_blocks_take(struct jr_blocks *blocks, const void *address) {
  struct jr_block *block = NULL;
  (void)pthread_mutex_lock(&blocks->lock);
  for (size_t i = 0; i < JR_BLOCK_CHAINS && !block; i++) {
    struct jr_block **place = &blocks->chains[i];
    while (*place && (uintptr_t)address - (uintptr_t)(*place)->data >=
                         (*place)->size_bytes)
      place = &(*place)->next;
    block = *place;
    if (block) {
      *place = block->next;
      blocks->count--;
    }
  }
  (void)pthread_mutex_unlock(&blocks->lock);
  if (block)
    give(blocks, block->size_bytes);
  return block;
}

void jr_blocks_track(struct jr_blocks *blocks, const void *data,
                     uint32_t place) {
  (void)pthread_mutex_lock(&blocks->lock);
  struct jr_block *block = *find_chain(blocks, data);
  while (block && block->data != data)
    block = block->next;
  if (block) {
    block->serial = ++blocks->serial;
    block->place = place;
  }
  (void)pthread_mutex_unlock(&blocks->lock);
}

void jr_blocks_free_all(struct jr_blocks *blocks) {
  uint64_t size_bytes = 0;
  if (blocks->count == 0)
    return;
  for (size_t i = 0; i < JR_BLOCK_CHAINS; i++) {
    while (blocks->chains[i]) {
      struct jr_block *block = blocks->chains[i];
      blocks->chains[i] = block->next;
      size_bytes += block->size_bytes;
      free(block->start);
    }
  }
  give(blocks, size_bytes);
  blocks->count = 0;
  blocks->serial = 0;
}
