/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Arena. Blocks double in size up to a limit; a request larger than the next
/// block gets one of its own, put behind the newest so that the room left in
/// that one is still used.
#include "base/arena.h"

#include "base/alloc.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  DEFAULT_ALIGNMENT = 16,
  MAX_ALIGNMENT = 4096,
  FIRST_BLOCK_BYTES = 4096,
  LAST_BLOCK_BYTES = 1 << 20
};

struct jr_arena_block {
  struct jr_arena_block *next; ///< older
  size_t size_bytes;           ///< of `data`
  _Alignas(DEFAULT_ALIGNMENT) unsigned char data[];
};

static struct jr_arena_block *create_block(struct jr_arena *arena,
                                           size_t size_bytes) {
  struct jr_arena_block *block = NULL;
  if (size_bytes <= SIZE_MAX - sizeof(struct jr_arena_block))
    block = jr_malloc(sizeof(struct jr_arena_block) + size_bytes);
  if (block)
    block->size_bytes = size_bytes;
  else
    arena->failed = true;
  return block;
}

static void *align_pointer(unsigned char *pointer, size_t alignment) {
  size_t past = (uintptr_t)pointer & (alignment - 1);
  return past ? pointer + (alignment - past) : pointer;
}

/// Carves the memory from the newest block; NULL when it is too full.
static void *take_from_newest(struct jr_arena *arena, size_t size_bytes,
                              size_t alignment) {
  struct jr_arena_block *block = arena->blocks;
  if (!block)
    return NULL;
  unsigned char *start =
      align_pointer(block->data + arena->used_bytes, alignment);
  size_t offset = (size_t)(start - block->data);
  if (offset > block->size_bytes || size_bytes > block->size_bytes - offset)
    return NULL;
  arena->used_bytes = offset + size_bytes;
  return start;
}

static size_t next_block_size(const struct jr_arena *arena) {
  if (!arena->blocks)
    return FIRST_BLOCK_BYTES;
  size_t size_bytes = arena->blocks->size_bytes * 2;
  return size_bytes < LAST_BLOCK_BYTES ? size_bytes : LAST_BLOCK_BYTES;
}

/// Memory in a block of its own.
static void *take_own_block(struct jr_arena *arena, size_t room_bytes,
                            size_t alignment) {
  struct jr_arena_block *block = create_block(arena, room_bytes);
  if (!block)
    return NULL;
  if (arena->blocks) {
    block->next = arena->blocks->next;
    arena->blocks->next = block;
  } else {
    block->next = NULL;
    arena->blocks = block;
    arena->used_bytes = room_bytes;
  }
  return align_pointer(block->data, alignment);
}

/// Puts a block of `size_bytes` in front.
static bool add_block(struct jr_arena *arena, size_t size_bytes) {
  struct jr_arena_block *block = create_block(arena, size_bytes);
  if (!block)
    return false;
  block->next = arena->blocks;
  arena->blocks = block;
  arena->used_bytes = 0;
  return true;
}

bool jr_arena_reserve(struct jr_arena *arena, size_t size_bytes) {
  return add_block(arena, size_bytes);
}

void *jr_arena_alloc_aligned(struct jr_arena *arena, size_t size_bytes,
                             size_t alignment) {
  if (alignment < DEFAULT_ALIGNMENT)
    alignment = DEFAULT_ALIGNMENT;
  if (alignment > MAX_ALIGNMENT || (alignment & (alignment - 1)) != 0 ||
      size_bytes > SIZE_MAX - MAX_ALIGNMENT)
    return NULL;
  // Size 0 takes a byte, so that its address is inside the block and its own.
  if (size_bytes == 0)
    size_bytes = 1;
  void *memory = take_from_newest(arena, size_bytes, alignment);
  if (memory)
    return memory;
  size_t room_bytes = size_bytes + alignment - DEFAULT_ALIGNMENT;
  size_t block_bytes = next_block_size(arena);
  if (room_bytes > block_bytes)
    return take_own_block(arena, room_bytes, alignment);
  return add_block(arena, block_bytes)
             ? take_from_newest(arena, size_bytes, alignment)
             : NULL;
}

void *jr_arena_alloc(struct jr_arena *arena, size_t size_bytes) {
  return jr_arena_alloc_aligned(arena, size_bytes, DEFAULT_ALIGNMENT);
}

void *jr_arena_zalloc(struct jr_arena *arena, size_t count, size_t size_bytes) {
  if (size_bytes != 0 && count > SIZE_MAX / size_bytes)
    return NULL;
  void *memory = jr_arena_alloc(arena, count * size_bytes);
  if (memory)
    memset(memory, 0, count * size_bytes);
  return memory;
}

char *jr_arena_copy_text(struct jr_arena *arena, const char *text,
                         size_t size_bytes) {
  if (size_bytes == SIZE_MAX)
    return NULL;
  char *copy = jr_arena_alloc(arena, size_bytes + 1);
  if (!copy)
    return NULL;
  if (size_bytes > 0)
    memcpy(copy, text, size_bytes);
  copy[size_bytes] = '\0';
  return copy;
}

void jr_arena_deinit(struct jr_arena *arena) {
  struct jr_arena_block *block = arena->blocks;
  while (block) {
    struct jr_arena_block *next = block->next;
    free(block);
    block = next;
  }
  *arena = (struct jr_arena){0};
}
