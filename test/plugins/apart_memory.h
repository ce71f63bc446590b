/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Memory of the driver in apart.c. What a device hands out are addresses
/// inside a range that nobody may touch; the elements are elsewhere, and are
/// found by address, size and the table of allocations.
#ifndef TEST_PLUGINS_APART_MEMORY_H
#define TEST_PLUGINS_APART_MEMORY_H

#include "jitrun/driver.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { GAP_BYTES = 4096, FRESH_BYTE = 0xa5 };

#define DEVICE_BYTES ((uint64_t)64 << 20) ///< that a device has
#define RANGE_BYTES ((uint64_t)1 << 30)   ///< of addresses

struct block {
  struct block *next; ///< at a higher address
  jitrun_address_t address;
  uint64_t size_bytes;
  unsigned char *bytes; ///< where the elements are
  size_t use_count;     ///< operations in streams that have not ended
  bool is_freed;        ///< while it was in use, which is wrong
};

struct memory {
  pthread_mutex_t lock;
  jitrun_address_t start; ///< of the range
  struct block *blocks;
  uint64_t used_bytes;
  size_t wrong_count; ///< of what no caller may do
};

static inline bool init_memory(struct memory *memory) {
  void *range = mmap(NULL, RANGE_BYTES, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  *memory = (struct memory){.start = (uintptr_t)range};
  (void)pthread_mutex_init(&memory->lock, NULL);
  return range != MAP_FAILED;
}

static inline void free_block(struct memory *memory, struct block *block) {
  struct block **link = &memory->blocks;
  while (*link != block)
    link = &(*link)->next;
  *link = block->next;
  memory->used_bytes -= block->size_bytes;
  free(block->bytes);
  free(block);
}

/// The number of blocks that were never freed.
static inline size_t deinit_memory(struct memory *memory) {
  size_t count = 0;
  for (; memory->blocks; count++)
    free_block(memory, memory->blocks);
  (void)munmap((void *)(uintptr_t)memory->start, RANGE_BYTES);
  (void)pthread_mutex_destroy(&memory->lock);
  return count;
}

/// Finds a free place, lowest first, with a gap to its neighbours.
static inline jitrun_address_t find_place(const struct memory *memory,
                                          uint64_t size_bytes,
                                          uint64_t alignment,
                                          struct block ***out_link) {
  struct memory *changed = (struct memory *)(uintptr_t)memory;
  struct block **link = &changed->blocks;
  jitrun_address_t place = memory->start + GAP_BYTES;
  while (true) {
    place = (place + alignment - 1) & ~(alignment - 1);
    jitrun_address_t end = place + size_bytes + GAP_BYTES;
    if (end > (*link ? (*link)->address : memory->start + RANGE_BYTES)) {
      if (!*link)
        return 0;
      place = (*link)->address + (*link)->size_bytes + GAP_BYTES;
      link = &(*link)->next;
      continue;
    }
    *out_link = link;
    return place;
  }
}

/// 0: there is no room.
static inline jitrun_address_t
add_block(struct memory *memory, uint64_t size_bytes, uint64_t alignment) {
  struct block *block = calloc(1, sizeof *block);
  struct block **link = NULL;
  jitrun_address_t address = 0;
  (void)pthread_mutex_lock(&memory->lock);
  if (block && size_bytes <= DEVICE_BYTES - memory->used_bytes)
    block->bytes = malloc(size_bytes);
  if (block && block->bytes)
    address = find_place(memory, size_bytes, alignment, &link);
  if (address) {
    memset(block->bytes, FRESH_BYTE, size_bytes);
    block->address = address;
    block->size_bytes = size_bytes;
    block->next = *link;
    *link = block;
    memory->used_bytes += size_bytes;
  } else if (block) {
    free(block->bytes);
    free(block);
  }
  (void)pthread_mutex_unlock(&memory->lock);
  return address;
}

/// Lock held. NULL: no block has all of those bytes.
static inline struct block *find_block(const struct memory *memory,
                                       jitrun_address_t address,
                                       uint64_t size_bytes) {
  struct block *block = memory->blocks;
  while (block && (address < block->address ||
                   address - block->address > block->size_bytes ||
                   size_bytes > block->size_bytes - (address - block->address)))
    block = block->next;
  return block;
}

static inline void remove_block(struct memory *memory,
                                jitrun_address_t address) {
  (void)pthread_mutex_lock(&memory->lock);
  struct block *block = find_block(memory, address, 0);
  if (!block || block->address != address || block->is_freed) {
    memory->wrong_count++;
  } else if (block->use_count > 0) {
    memory->wrong_count++;
    block->is_freed = true;
  } else {
    free_block(memory, block);
  }
  (void)pthread_mutex_unlock(&memory->lock);
}

/// Where the elements are, which stay until they are given back; NULL where
/// nobody may look.
static inline unsigned char *use_bytes(struct memory *memory,
                                       jitrun_address_t address,
                                       uint64_t size_bytes) {
  (void)pthread_mutex_lock(&memory->lock);
  struct block *block = find_block(memory, address, size_bytes);
  bool is_right = block && !block->is_freed;
  if (is_right)
    block->use_count++;
  else
    memory->wrong_count++;
  (void)pthread_mutex_unlock(&memory->lock);
  return is_right ? block->bytes + (address - block->address) : NULL;
}

static inline void unuse_bytes(struct memory *memory,
                               jitrun_address_t address) {
  (void)pthread_mutex_lock(&memory->lock);
  struct block *block = find_block(memory, address, 0);
  if (block && --block->use_count == 0 && block->is_freed)
    free_block(memory, block);
  (void)pthread_mutex_unlock(&memory->lock);
}

#endif
