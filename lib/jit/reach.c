/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See reach.h. The handles of blocks are sorted, so that one is found without
/// a place in it for a mark.
#include "jit/reach.h"

#include <stdlib.h>

/// The blocks of one region.
struct reach {
  MlirBlock *blocks; ///< by their addresses
  bool *seen;        ///< beside each
  size_t *open;      ///< seen, and not followed yet
  size_t count, open_count;
};

static int compare_blocks(const void *a, const void *b) {
  const MlirBlock *x = a;
  const MlirBlock *y = b;
  uintptr_t left = (uintptr_t)x->ptr;
  uintptr_t right = (uintptr_t)y->ptr;
  return (left > right) - (left < right);
}

static void see(struct reach *reach, MlirBlock block) {
  const MlirBlock *found = bsearch(&block, reach->blocks, reach->count,
                                   sizeof block, compare_blocks);
  if (!found)
    return;
  size_t at = (size_t)(found - reach->blocks);
  if (!reach->seen[at])
    reach->open[reach->open_count++] = at;
  reach->seen[at] = true;
}

/// Follows branches from the first block on; how many blocks were met.
static size_t follow(struct reach *reach, MlirBlock first) {
  size_t met = 0;
  see(reach, first);
  for (; reach->open_count > 0; met++) {
    MlirOperation end =
        mlirBlockGetTerminator(reach->blocks[reach->open[--reach->open_count]]);
    for (intptr_t i = 0; i < mlirOperationGetNumSuccessors(end); i++)
      see(reach, mlirOperationGetSuccessor(end, i));
  }
  return met;
}

bool jr_reaches_all(struct jr_unit *unit, const MlirBlock *blocks,
                    size_t count) {
  if (count <= 1)
    return true;
  struct reach reach = {
      .blocks = jr_arena_alloc(&unit->arena, count * sizeof *reach.blocks),
      .seen = jr_arena_zalloc(&unit->arena, count, sizeof *reach.seen),
      .open = jr_arena_alloc(&unit->arena, count * sizeof *reach.open),
      .count = count};
  if (!reach.blocks || !reach.seen || !reach.open)
    return false;
  for (size_t i = 0; i < count; i++)
    reach.blocks[i] = blocks[i];
  qsort(reach.blocks, count, sizeof *reach.blocks, compare_blocks);
  return follow(&reach, blocks[0]) == count;
}
