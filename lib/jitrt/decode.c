/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Reading what a handler is given.
#include "jitrt/ids.h"
#include "jitrun/jitrt.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

const int64_t *jitrun_jitrt_id(void **values, int64_t index) {
  if (index < 0 || index >= jitrun_jitrt_count(values))
    return NULL;
  void **types = values[1];
  return types[index];
}

void *jitrun_jitrt_value(void **values, int64_t index, const int64_t *id) {
  const int64_t *found = jitrun_jitrt_id(values, index);
  return found && found == id ? values[2 + index] : NULL;
}

jitrun_jitrt_memref_t *jitrun_jitrt_memref(void **values, int64_t index) {
  const int64_t *id = jitrun_jitrt_id(values, index);
  if (id &&
      (id == &__type_id_memref_view || id == &__type_id_strided_memref_view))
    return values[2 + index];
  return NULL;
}

/// {name, id, value} of an attribute, or NULL. Structures are not sorted.
static void **find_attr(void **attrs, const char *name) {
  size_t size = strlen(name);
  int64_t count = jitrun_jitrt_count(attrs);
  for (int64_t i = 0; i < count; i++) {
    void **attr = attrs + 1 + 3 * i;
    const jitrun_jitrt_array_t *found = attr[0];
    if ((size_t)found->size == size && memcmp(found->data, name, size) == 0)
      return attr;
  }
  return NULL;
}

const int64_t *jitrun_jitrt_attr_id(void **attrs, const char *name) {
  void **attr = find_attr(attrs, name);
  return attr ? attr[1] : NULL;
}

void *jitrun_jitrt_attr(void **attrs, const char *name, const int64_t *id) {
  void **attr = find_attr(attrs, name);
  return attr && attr[1] == id ? attr[2] : NULL;
}

const jitrun_jitrt_array_t *
jitrun_jitrt_attr_array(void **attrs, const char *name, const int64_t *id) {
  void **attr = find_attr(attrs, name);
  if (!attr)
    return NULL;
  const int64_t *found = attr[1];
  if (found == id || found == &__type_id_empty_array)
    return attr[2];
  // a tensor begins with its elements
  const jitrun_jitrt_tensor_t *tensor = attr[2];
  if (found == jr_jitrt_tensor_of(id) && tensor->rank == 1)
    return &tensor->elements;
  return NULL;
}
