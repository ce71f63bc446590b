/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Fuzzes the reading of attributes by their types: the first byte chooses the
/// type, the rest is what stands behind its name. The types are XLA's, and one
/// with every kind of field, which nests.
#include "jit/attrs_opaque.h"

#include "customcalls/attr_types.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_TYPES = 16 };

static const jitrun_attr_case_t cases[] = {{"Foo", -1}, {"two words", 2}};
static const jitrun_attr_field_t fields[] = {
    {.text = "a", .kind = JITRUN_FIELD_SCALAR, .dtype = JITRUN_DTYPE_S8},
    {.text = "", .name = "b", .kind = JITRUN_FIELD_STRING},
    {.text = "c", .kind = JITRUN_FIELD_ARRAY, .dtype = JITRUN_DTYPE_BF16},
    {.text = "d",
     .kind = JITRUN_FIELD_TYPE,
     .type_name = "t.every",
     .flags = JITRUN_FIELD_OPTIONAL},
    {.text = "e", .kind = JITRUN_FIELD_TYPE, .type_name = "t.color"}};
static const jitrun_attr_type_t own[] = {{.size = sizeof(jitrun_attr_type_t),
                                          .name = "t.every",
                                          .fields = fields,
                                          .field_count = 5},
                                         {.size = sizeof(jitrun_attr_type_t),
                                          .name = "t.color",
                                          .cases = cases,
                                          .case_count = 2,
                                          .dtype = JITRUN_DTYPE_S16}};

static size_t list_types(const jitrun_attr_type_t **types) {
  size_t count = 0;
  for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
    types[count++] = &own[i];
  for (size_t i = 0; i < jr_xla_attr_type_count && count < MAX_TYPES; i++)
    types[count++] = &jr_xla_attr_types[i];
  return count;
}

/// Looks at all that was read: the sum keeps the reads.
static size_t visit(const struct jr_attr_value *value) {
  size_t sum = value->bits != 0;
  const unsigned char *data = value->data;
  if (value->kind == JITRUN_ATTR_STRING)
    for (uint64_t i = 0; i < value->count; i++)
      sum += data[i];
  if (value->kind == JITRUN_ATTR_DICT)
    for (uint64_t i = 0; i < value->count; i++)
      sum += visit(&value->items[i]) + strlen(value->items[i].name);
  return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const jitrun_attr_type_t *types[MAX_TYPES];
  struct jr_arena arena = {0};
  struct jr_attr_reader reader = {
      .types = types, .type_count = list_types(types), .arena = &arena};
  if (size == 0)
    return 0;
  const char *name = types[data[0] % reader.type_count]->name;
  size_t dialect = strcspn(name, ".");
  size_t word = strlen(name) - dialect - 1;
  char *text = malloc(word + size);
  if (!text)
    return 0;
  memcpy(text, name + dialect + 1, word); // NOLINT: no string
  memcpy(text + word, data + 1, size - 1);
  struct jr_attr_value value;
  jitrun_error_t *error =
      jr_opaque_read(&reader, (struct jr_span){name, dialect},
                     (struct jr_span){text, word + size - 1}, &value);
  if (!error && visit(&value) == SIZE_MAX)
    abort();
  jitrun_error_free(error);
  free(text);
  jr_arena_deinit(&arena);
  return 0;
}
