/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What handlers ask of where they are: the place of the execution, and memory
/// to work in. Workspaces stay with the context, one a site, so that a call
/// that needs as much each time finds it there.
#include "base/alloc.h"
#include "base/threads.h"
#include "customcalls/world.h"
#include "runtime/context.h"

#include <stdlib.h>
#include <string.h>

enum { WORKSPACE_ALIGNMENT = 64 };

struct jr_workspace {
  void *data;
  size_t size_bytes;
};

/// What the caller's version of the structure says.
static void read_place(const jitrun_place_t *given, jitrun_place_t *place) {
  size_t size = given->size < sizeof *place ? given->size : sizeof *place;
  if (size >= sizeof size)
    memcpy(place, given, size);
}

void jr_place_fill(const jitrun_call_t *call, jitrun_place_t *out_place) {
  const struct jr_context *context =
      call ? (const struct jr_context *)(const void *)call->exec : NULL;
  jitrun_place_t place = {.replica_count = 1, .partition_count = 1};
  size_t size = out_place->size;
  if (context && context->options.place)
    read_place(context->options.place, &place);
  const jitrun_world_t *world = context ? context->options.world : NULL;
  if (world) {
    place.replica_id = context->options.replica_id;
    place.partition_id = context->options.partition_id;
    place.replica_count = jr_world_replicas(world);
    place.partition_count = jr_world_partitions(world);
  }
  place.thread_count = (uint32_t)jr_pool_thread_count(jr_pool_default());
  if (size > sizeof place)
    size = sizeof place;
  if (size > sizeof size)
    memcpy((char *)out_place + sizeof size, (char *)&place + sizeof size,
           size - sizeof size);
}

/// The site's workspace, of at least that size. Lock held.
static void *grow_workspace(struct jr_context *context, uint64_t site,
                            size_t size_bytes) {
  if (!context->workspaces)
    context->workspaces = jr_calloc(context->program->table.site_count,
                                    sizeof *context->workspaces);
  if (!context->workspaces)
    return NULL;
  struct jr_workspace *workspace = &context->workspaces[site];
  if (workspace->data && workspace->size_bytes >= size_bytes)
    return workspace->data;
  if (size_bytes < 2 * workspace->size_bytes)
    size_bytes = 2 * workspace->size_bytes;
  void *data = jr_malloc_aligned(WORKSPACE_ALIGNMENT, size_bytes);
  if (!data)
    return NULL;
  free(workspace->data);
  *workspace = (struct jr_workspace){data, size_bytes};
  return data;
}

void *jr_call_workspace(const jitrun_call_t *call, size_t size_bytes) {
  struct jr_context *context = (struct jr_context *)(void *)call->exec;
  if (!context || size_bytes > SIZE_MAX / 4)
    return NULL;
  uint64_t site = call->site->index;
  // A frame of its own may be one of several that are active.
  if (call != context->exec.slots[site].frame)
    return jr_blocks_scratch(&context->blocks, size_bytes, WORKSPACE_ALIGNMENT);
  (void)pthread_mutex_lock(&context->blocks.lock);
  void *data = grow_workspace(context, site, size_bytes);
  (void)pthread_mutex_unlock(&context->blocks.lock);
  return data;
}

void jr_workspaces_free(struct jr_context *context) {
  uint64_t count = context->program->table.site_count;
  for (uint64_t i = 0; context->workspaces && i < count; i++)
    free(context->workspaces[i].data);
  free(context->workspaces);
}
