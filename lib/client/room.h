/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Memory for temporaries: one arena for each execution that runs at once, kept
/// by the device for the executable's next one. It counts as memory in use;
/// what is kept is given up when something else needs the room.
#ifndef JR_CLIENT_ROOM_H
#define JR_CLIENT_ROOM_H

#include "client/memory.h"

struct jr_room {
  struct jr_room *next; ///< that is kept, and was used earlier
  const void *owner;
  struct jr_memory *memory;
  void *data; ///< aligned as it was asked for
};

/// One that is kept for `owner`, else a new one: the same owner always asks for
/// the same. RESOURCE_EXHAUSTED as for jr_memory_allocate().
jitrun_error_t *jr_room_take(struct jr_heap *heap, const void *owner,
                             uint64_t size_bytes, uint64_t alignment,
                             struct jr_room **out_room)
    __attribute__((warn_unused_result));

/// Keeps it for the owner's next execution. NULL: nothing.
void jr_room_give(/*own*/ struct jr_room *room);

/// Frees all that is kept for an owner, who has no other.
void jr_room_drop(struct jr_heap *heap, const void *owner);

/// Frees what was not used for longest; false when nothing is kept.
bool jr_room_trim(struct jr_heap *heap);

#endif
