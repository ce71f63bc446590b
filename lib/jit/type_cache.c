/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Types are uniqued in their context, so their address is the key of an open
/// hash table; names are kept once as well.
#include "jit/slices.h"

#include "base/alloc.h"

#include <stdlib.h>

jr_str_t jr_name_add(struct jr_unit *unit, MlirStringRef text) {
  uint64_t known;
  if (jr_memo_get(&unit->strings, text.data, &known) &&
      known >> 32 == text.length)
    return (jr_str_t)known;
  jr_str_t string = jr_table_add_string(&unit->table, text.data, text.length);
  jr_memo_set(&unit->strings, text.data, (uint64_t)text.length << 32 | string);
  return string;
}

static size_t hash_pointer(const void *pointer) {
  uint64_t value = (uint64_t)(uintptr_t)pointer;
  return (size_t)((value >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 20);
}

/// Grows the cache of types and puts what it holds into the new places.
static bool grow_types(struct jr_type_cache *cache) {
  size_t capacity = cache->capacity ? 2 * cache->capacity : 64;
  struct jr_cached_type *places = jr_calloc(capacity, sizeof *places);
  if (!places)
    return false;
  for (size_t i = 0; i < cache->capacity; i++) {
    if (!cache->places[i].key)
      continue;
    size_t at = hash_pointer(cache->places[i].key) & (capacity - 1);
    while (places[at].key)
      at = (at + 1) & (capacity - 1);
    places[at] = cache->places[i];
  }
  free(cache->places);
  cache->places = places;
  cache->capacity = capacity;
  return true;
}

/// Unpacks a type into the arena and adds it to the table.
static const struct jr_mlir_type *keep_type(struct jr_unit *unit,
                                            MlirType type) {
  struct jr_mlir_type unpacked;
  if (!jr_type_unpack(type, &unpacked))
    return NULL;
  unpacked.has_bytes =
      unpacked.is_static && jr_mlir_type_bytes(&unpacked, &unpacked.bytes);
  unpacked.written =
      jr_table_add_type(&unit->table, unpacked.kind, unpacked.dtype,
                        unpacked.rank, unpacked.extents);
  struct jr_mlir_type *kept = jr_arena_alloc(&unit->arena, sizeof *kept);
  if (kept)
    *kept = unpacked;
  return kept;
}

const struct jr_mlir_type *jr_type_find(struct jr_unit *unit, MlirType type) {
  struct jr_type_cache *cache = &unit->types;
  if (2 * cache->count >= cache->capacity && !grow_types(cache)) {
    unit->arena.failed = true;
    return NULL;
  }
  size_t at = hash_pointer(type.ptr) & (cache->capacity - 1);
  while (cache->places[at].key && cache->places[at].key != type.ptr)
    at = (at + 1) & (cache->capacity - 1);
  if (!cache->places[at].key) {
    cache->places[at] =
        (struct jr_cached_type){type.ptr, keep_type(unit, type)};
    cache->count++;
  }
  return cache->places[at].type;
}
