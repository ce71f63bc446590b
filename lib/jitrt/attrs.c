/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Attributes: encoded once, since they never change. What they say stays in
/// the program, which outlives the plan; here are only the records that point
/// to it.
#include "jitrt/ids.h"
#include "jitrt/plan.h"
#include "jitrun/jitrt.h"
#include "jitrun/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct encoder {
  struct jr_jitrt_plan *plan;
  const jitrun_attr_t *refused; ///< the first that has no encoding
  bool has_failed;
};

/// The id and value of one attribute; the value of a unit is NULL.
struct encoded {
  const int64_t *id;
  const void *value;
};

static void *take(struct encoder *encoder, size_t size) {
  void *memory = jr_jitrt_take(encoder->plan, 1, size);
  if (!memory)
    encoder->has_failed = true;
  return memory;
}

static const void *encode_array(struct encoder *encoder, const void *data,
                                uint64_t count) {
  jitrun_jitrt_array_t *array = take(encoder, sizeof(*array));
  if (array)
    *array = (jitrun_jitrt_array_t){.size = (int64_t)count, .data = data};
  return array;
}

static const void *encode_tensor(struct encoder *encoder,
                                 const jitrun_attr_t *attr) {
  size_t shape_bytes = attr->rank * sizeof(int64_t);
  jitrun_jitrt_tensor_t *tensor = take(encoder, sizeof(*tensor) + shape_bytes);
  if (!tensor)
    return NULL;
  *tensor = (jitrun_jitrt_tensor_t){
      .elements = {.size = (int64_t)attr->count, .data = attr->value.data},
      .rank = attr->rank};
  if (shape_bytes > 0)
    memcpy(tensor + 1, attr->dims, shape_bytes);
  return tensor;
}

/// Item `index` of a structure: its fields come in the order of the binding,
/// then whatever else the program wrote.
static const jitrun_attr_t *find_item(const jitrun_attr_t *items,
                                      uint64_t count, const char *name) {
  for (uint64_t i = 0; i < count; i++)
    if (strcmp(items[i].name, name) == 0)
      return &items[i];
  return NULL;
}

static bool is_field(const jitrun_jitrt_type_t *type, const char *name) {
  for (size_t i = 0; i < type->field_count; i++)
    if (strcmp(type->fields[i], name) == 0)
      return true;
  return false;
}

static void order_items(const jitrun_attr_t *items, uint64_t count,
                        const jitrun_jitrt_type_t *type,
                        const jitrun_attr_t **ordered) {
  for (size_t i = 0; i < type->field_count; i++) {
    const jitrun_attr_t *item = find_item(items, count, type->fields[i]);
    if (item)
      *ordered++ = item;
  }
  for (uint64_t i = 0; i < count; i++)
    if (!is_field(type, items[i].name))
      *ordered++ = &items[i];
}

static void **encode_items(struct encoder *encoder, const jitrun_attr_t *items,
                           uint64_t count, const jitrun_jitrt_type_t *type);

static struct encoded encode_attr(struct encoder *encoder,
                                  const jitrun_attr_t *attr) {
  const jitrun_jitrt_type_t *type =
      attr->type_name ? jr_jitrt_type(encoder->plan->record, attr->type_name)
                      : NULL;
  switch (attr->kind) {
  case JITRUN_ATTR_SCALAR:
    return (struct encoded){type ? type->id : jr_jitrt_scalar_id(attr->dtype),
                            &attr->value};
  case JITRUN_ATTR_STRING:
    return (struct encoded){
        &__type_id_string,
        encode_array(encoder, attr->value.string, attr->count)};
  case JITRUN_ATTR_ARRAY:
    if (attr->dtype == JITRUN_DTYPE_INVALID)
      return (struct encoded){&__type_id_empty_array,
                              encode_array(encoder, NULL, 0)};
    return (struct encoded){
        jr_jitrt_array_id(attr->dtype),
        encode_array(encoder, attr->value.data, attr->count)};
  case JITRUN_ATTR_TENSOR:
    return (struct encoded){jr_jitrt_tensor_id(attr->dtype),
                            encode_tensor(encoder, attr)};
  case JITRUN_ATTR_DICT:
    return (struct encoded){type ? type->id : &__type_id_dictionary,
                            (const void *)encode_items(
                                encoder, attr->value.items, attr->count, type)};
  case JITRUN_ATTR_UNIT:
    return (struct encoded){&__type_id_nullopt, NULL};
  case JITRUN_ATTR_FUNCTION:
    return (struct encoded){&__type_id_function_ordinal, &attr->value.entry};
  default:
    return (struct encoded){NULL, NULL};
  }
}

static void store_attr(struct encoder *encoder, const jitrun_attr_t *attr,
                       void **place) {
  struct encoded encoded = encode_attr(encoder, attr);
  if (!encoded.id && !encoder->refused)
    encoder->refused = attr;
  place[0] =
      (void *)(uintptr_t)encode_array(encoder, attr->name, strlen(attr->name));
  place[1] = (void *)(uintptr_t)encoded.id;
  place[2] = (void *)(uintptr_t)encoded.value;
}

/// {&count, name, id, value, ...}; `type` NULL: in the order of the items.
static void **encode_items(struct encoder *encoder, const jitrun_attr_t *items,
                           uint64_t count, const jitrun_jitrt_type_t *type) {
  int64_t *size = take(encoder, sizeof(*size));
  void **list = take(encoder, (1 + 3 * (size_t)count) * sizeof(*list));
  const jitrun_attr_t **ordered =
      type ? take(encoder, (size_t)count * sizeof(*ordered)) : NULL;
  if (!size || !list || (type && !ordered))
    return NULL;
  *size = (int64_t)count;
  list[0] = size;
  if (type)
    order_items(items, count, type, ordered);
  for (uint64_t i = 0; i < count; i++)
    store_attr(encoder, type ? ordered[i] : &items[i], list + 1 + 3 * i);
  return list;
}

bool jr_jitrt_plan_attrs(struct jr_jitrt_plan *plan, const jitrun_site_t *site,
                         const jitrun_attr_t **out_refused) {
  struct encoder encoder = {.plan = plan};
  plan->attr_count = site->attr_count;
  plan->attrs = encode_items(&encoder, site->attrs, site->attr_count, NULL);
  *out_refused = encoder.has_failed ? NULL : encoder.refused;
  return !encoder.has_failed && !encoder.refused;
}
