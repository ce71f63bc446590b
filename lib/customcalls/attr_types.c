/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The list of attribute types. They are few, so a search goes through them.
#include "customcalls/attr_types.h"

#include "base/alloc.h"

#include <assert.h>
#include <string.h>

static const jitrun_attr_type_t *find_among(const jitrun_attr_type_t *types,
                                            size_t count, const char *name) {
  for (size_t i = 0; i < count; i++) {
    if (strcmp(types[i].name, name) == 0)
      return &types[i];
  }
  return NULL;
}

const jitrun_attr_type_t *jr_attr_type_find(const struct jr_attr_types *types,
                                            const char *name) {
  for (size_t i = 0; i < types->count; i++) {
    if (strcmp(types->items[i]->name, name) == 0)
      return types->items[i];
  }
  return find_among(jr_xla_attr_types, jr_xla_attr_type_count, name);
}

/// Names are free, and unlike each other.
static jitrun_error_t *check_names(const struct jr_attr_types *types,
                                   const jitrun_attr_type_t *added,
                                   size_t count) {
  for (size_t i = 0; i < count; i++) {
    const char *name = added[i].name;
    if (jr_attr_type_find(types, name))
      return jr_error(JITRUN_ALREADY_EXISTS,
                      "attribute type '%s' is already registered: register it "
                      "under another name, or in another registry",
                      name);
    if (find_among(added, i, name))
      return jr_error(JITRUN_ALREADY_EXISTS,
                      "attribute type '%s' is there twice", name);
  }
  return NULL;
}

static jitrun_error_t *check_fields(const struct jr_attr_types *types,
                                    const jitrun_attr_type_t *added,
                                    size_t count, size_t index) {
  const jitrun_attr_type_t *type = &added[index];
  for (uint32_t i = 0; i < type->field_count; i++) {
    const jitrun_attr_field_t *field = &type->fields[i];
    if (field->kind == JITRUN_FIELD_TYPE &&
        !jr_attr_type_find(types, field->type_name) &&
        !find_among(added, count, field->type_name))
      return jr_error(JITRUN_NOT_FOUND,
                      "field %u of attribute type '%s' is of type '%s', which "
                      "is not registered: register that first",
                      i, type->name, field->type_name);
  }
  return NULL;
}

jitrun_error_t *jr_attr_types_reserve(struct jr_attr_types *types,
                                      const jitrun_attr_type_t *added,
                                      size_t count) {
  JITRUN_TRY(check_names(types, added, count));
  for (size_t i = 0; i < count; i++)
    JITRUN_TRY(check_fields(types, added, count, i));
  if (types->capacity - types->count >= count)
    return NULL;
  size_t capacity = 2 * types->capacity + count;
  const jitrun_attr_type_t **items =
      jr_realloc((void *)types->items, capacity * sizeof(*items));
  if (!items)
    return jr_error_no_memory();
  types->items = items;
  types->capacity = capacity;
  return NULL;
}

void jr_attr_types_append(struct jr_attr_types *types,
                          const jitrun_attr_type_t *added, size_t count) {
  assert(types->capacity - types->count >= count);
  for (size_t i = 0; i < count; i++)
    types->items[types->count++] = &added[i];
}
