/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Arguments and results: of each what a list points to, and which type id says
/// so. Scalars, opaque pointers and tokens are used where they stand, in the
/// frame; the sizes and strides of a memref follow its record as they follow
/// its type, and are copied in one piece.
#include "jitrt/ids.h"
#include "jitrt/plan.h"
#include "jitrun/jitrt.h"
#include "jitrun/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { MAX_RANK = UINT8_MAX };

static size_t record_bytes(const jitrun_type_t *type) {
  return sizeof(jitrun_jitrt_memref_t) + 2 * sizeof(int64_t) * type->rank;
}

/// Whether strides are those of an identity layout.
enum layout { LAYOUT_DENSE, LAYOUT_STRIDED, LAYOUT_OPEN };

/// An unknown size or stride leaves it open, unless a known one differs. That
/// of a buffer without elements is any.
static enum layout find_layout(const jitrun_type_t *type) {
  const int64_t *dims = jitrun_type_dims(type);
  const int64_t *strides = jitrun_type_strides(type);
  enum layout layout = LAYOUT_DENSE;
  int64_t stride = 1;
  for (uint32_t i = 0; i < type->rank; i++)
    if (dims[i] == 0)
      return LAYOUT_DENSE;
  for (uint32_t i = type->rank; i-- > 0;) {
    if (stride == JITRUN_DYNAMIC || strides[i] == JITRUN_DYNAMIC)
      layout = LAYOUT_OPEN;
    else if (strides[i] != stride)
      return LAYOUT_STRIDED;
    if (dims[i] == JITRUN_DYNAMIC || stride == JITRUN_DYNAMIC)
      stride = JITRUN_DYNAMIC;
    else if (__builtin_mul_overflow(stride, dims[i], &stride))
      return LAYOUT_STRIDED;
  }
  return layout;
}

static const int64_t *find_id(const jitrun_jitrt_call_t *record,
                              const jitrun_type_t *type) {
  const jitrun_jitrt_type_t *own;
  switch (type->kind) {
  case JITRUN_KIND_SCALAR:
    return jr_jitrt_scalar_id(type->dtype);
  case JITRUN_KIND_BUFFER:
    if (type->rank > MAX_RANK)
      return NULL;
    return find_layout(type) == LAYOUT_STRIDED ? &__type_id_strided_memref_view
                                               : &__type_id_memref_view;
  case JITRUN_KIND_OPAQUE:
    own = jr_jitrt_type(record, jitrun_type_name(type));
    return own ? own->id : &__type_id_opaque;
  case JITRUN_KIND_TOKEN:
    return &__type_id_async_chain;
  case JITRUN_KIND_ASYNC_SCALAR:
    return jr_jitrt_async_id(type->dtype);
  case JITRUN_KIND_ASYNC_BUFFER:
    return type->rank > MAX_RANK ? NULL : &__type_id_async_memref;
  default:
    return NULL;
  }
}

static struct jr_jitrt_item make_item(const jitrun_type_t *type) {
  struct jr_jitrt_item item = {0};
  item.is_async = type->kind == JITRUN_KIND_ASYNC_BUFFER;
  item.is_memref = item.is_async || type->kind == JITRUN_KIND_BUFFER;
  item.is_open =
      type->kind == JITRUN_KIND_BUFFER && find_layout(type) == LAYOUT_OPEN;
  return item;
}

bool jr_jitrt_plan_side(struct jr_jitrt_plan *plan,
                        const jitrun_type_t *const *types, uint32_t count,
                        struct jr_jitrt_side *side, size_t *out_refused) {
  *out_refused = SIZE_MAX;
  side->count = count;
  side->empty[0] = &side->count;
  side->types = jr_jitrt_take(plan, count, sizeof(void *));
  side->items = jr_jitrt_take(plan, count, sizeof(*side->items));
  if (!side->types || !side->items)
    return false;
  size_t bytes = (2 + 2 * (size_t)count) * sizeof(void *);
  for (uint32_t i = 0; i < count; i++) {
    const int64_t *id = find_id(plan->record, types[i]);
    if (!id) {
      *out_refused = i;
      return false;
    }
    side->items[i] = make_item(types[i]);
    side->items[i].record = (uint32_t)bytes;
    side->has_open |= side->items[i].is_open;
    side->has_memref |= side->items[i].is_memref;
    side->types[i] = (void *)(uintptr_t)id;
    if (side->items[i].is_memref)
      bytes += record_bytes(types[i]);
  }
  side->block_bytes = count > 0 ? bytes : 0;
  return true;
}

/// Async values of memrefs are told by their type what they hold.
static void *fill_record(const struct jr_jitrt_item *item,
                         const jitrun_arg_t *value, unsigned char *block) {
  const jitrun_type_t *type = value->type;
  jitrun_jitrt_memref_t *memref =
      (jitrun_jitrt_memref_t *)(void *)(block + item->record);
  memref->dtype = type->dtype;
  memref->rank = (uint8_t)type->rank;
  memref->data = value->value.data; // the async value stands in its place
  memcpy(memref + 1, jitrun_type_dims(type), 2 * sizeof(int64_t) * type->rank);
  return memref;
}

/// The type table of a side with layouts that only this call knows; NULL when
/// one is strided that must not be.
static void **fill_types(const struct jr_jitrt_side *side,
                         const jitrun_arg_t *values, void **types) {
  memcpy((void *)types, (const void *)side->types,
         (size_t)side->count * sizeof(*types));
  for (int64_t i = 0; i < side->count; i++) {
    if (!side->items[i].is_open ||
        find_layout(values[i].type) != LAYOUT_STRIDED)
      continue;
    if (side->items[i].must_be_dense)
      return NULL;
    types[i] = &__type_id_strided_memref_view;
  }
  return types;
}

void **jr_jitrt_fill(const struct jr_jitrt_side *side, jitrun_arg_t *values,
                     unsigned char *block) {
  if (side->count == 0)
    return (void **)(uintptr_t)side->empty;
  void **list = (void **)(void *)block;
  list[0] = (void *)(uintptr_t)&side->count;
  list[1] = (void *)side->types;
  if (side->has_open)
    list[1] = (void *)fill_types(side, values, list + 2 + side->count);
  for (int64_t i = 0; i < side->count; i++)
    list[2 + i] = side->items[i].is_memref
                      ? fill_record(&side->items[i], &values[i], block)
                      : &values[i].value;
  return list[1] ? list : NULL;
}
