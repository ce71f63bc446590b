/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The memory of a plan: one block, measured before, so that the calls of a
/// long row of sites find what they read side by side.
#include "jitrt/plan.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "jitrun/customcall.h"
#include "jitrun/jitrt.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define WORD sizeof(uint64_t)

struct jr_jitrt_plan *jr_jitrt_plan_create(const jitrun_jitrt_call_t *record,
                                           size_t room_bytes) {
  struct jr_jitrt_plan *plan = jr_calloc(1, sizeof(*plan) + room_bytes);
  if (plan) {
    plan->record = record;
    plan->room_bytes = room_bytes;
  }
  return plan;
}

void jr_jitrt_plan_destroy(struct jr_jitrt_plan *plan) {
  jr_arena_deinit(&plan->arena);
  free(plan);
}

void *jr_jitrt_take(struct jr_jitrt_plan *plan, size_t count,
                    size_t size_bytes) {
  size_t left = plan->room_bytes - plan->used_bytes;
  if (size_bytes > 0 && count > left / size_bytes)
    return jr_arena_zalloc(&plan->arena, count, size_bytes);
  void *memory = (unsigned char *)plan->room + plan->used_bytes;
  size_t used = (count * size_bytes + WORD - 1) / WORD * WORD;
  plan->used_bytes += used < left ? used : left;
  return memory;
}

static size_t measure_items(const jitrun_attr_t *items, uint64_t count);

static size_t measure_attr(const jitrun_attr_t *attr) {
  size_t bytes = 3 * sizeof(void *) + sizeof(jitrun_jitrt_array_t);
  switch (attr->kind) {
  case JITRUN_ATTR_STRING:
  case JITRUN_ATTR_ARRAY:
    return bytes + sizeof(jitrun_jitrt_array_t);
  case JITRUN_ATTR_TENSOR:
    return bytes + sizeof(jitrun_jitrt_tensor_t) + attr->rank * sizeof(int64_t);
  case JITRUN_ATTR_DICT:
    bytes += measure_items(attr->value.items, attr->count);
    // a structure is put into order
    return bytes + (attr->type_name ? attr->count * sizeof(void *) : 0);
  default:
    return bytes;
  }
}

static size_t measure_items(const jitrun_attr_t *items, uint64_t count) {
  size_t bytes = sizeof(int64_t) + sizeof(void *);
  for (uint64_t i = 0; i < count; i++)
    bytes += measure_attr(&items[i]);
  return bytes;
}

size_t jr_jitrt_measure(const jitrun_site_t *site) {
  size_t values = (size_t)site->arg_count + site->result_count;
  return values * (sizeof(void *) + sizeof(struct jr_jitrt_item)) + 4 * WORD +
         measure_items(site->attrs, site->attr_count);
}
