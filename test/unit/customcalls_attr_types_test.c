/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Attribute types in registries: which records can be registered, and where
/// they are found.
#include "expect.h"

#include "customcalls/attr_types.h"
#include "customcalls/registry.h"
#include "jitrun/registry.h"

#include <stdlib.h>

#define SIZE sizeof(jitrun_attr_type_t)

static const jitrun_attr_case_t cases[] = {{"Foo", -1}, {"Bar", 127}};
static const jitrun_attr_field_t fields[] = {
    {.text = "rank", .kind = JITRUN_FIELD_SCALAR, .dtype = JITRUN_DTYPE_S64},
    {.text = "", .name = "note", .kind = JITRUN_FIELD_STRING}};

static const jitrun_attr_type_t color = {.size = SIZE,
                                         .name = "t.color",
                                         .cases = cases,
                                         .case_count = 2,
                                         .dtype = JITRUN_DTYPE_S8};
static const jitrun_attr_type_t pair = {
    .size = SIZE, .name = "t.a.pair", .fields = fields, .field_count = 2};

static int create(void **state) {
  jitrun_registry_t *registry = NULL;
  expect_ok(jitrun_registry_create(&registry));
  *state = registry;
  return 0;
}

static int release(void **state) {
  jitrun_registry_release(*state);
  return 0;
}

static void test_register(void **state) {
  jitrun_registry_t *registry = *state;
  assert_null(jitrun_registry_find_attr_type(registry, "t.color"));
  expect_ok(jitrun_registry_add_attr_type(registry, &color));
  expect_ok(jitrun_registry_add_attr_type(registry, &pair));
  const jitrun_attr_type_t *found =
      jitrun_registry_find_attr_type(registry, "t.color");
  assert_non_null(found);
  assert_ptr_not_equal(found, &color);
  assert_ptr_equal(found->cases, cases);
  assert_non_null(jitrun_registry_find_attr_type(registry, "mhlo.dot"));
  size_t types = 0;
  while (jitrun_registry_attr_type_get(registry, types))
    types++;
  assert_ptr_equal(jitrun_registry_attr_type_get(registry, types - 2), found);
  assert_null(
      jitrun_registry_find_attr_type(jitrun_registry_default(), "t.color"));
  const jitrun_attr_type_t *const *all = NULL;
  size_t count = 0;
  expect_ok(jr_registry_attr_types(registry, &all, &count));
  assert_int_equal(count, jr_xla_attr_type_count + 2);
  assert_ptr_equal(all[count - 2], found);
  free((void *)all);
}

static void test_taken(void **state) {
  jitrun_registry_t *registry = *state;
  expect_ok(jitrun_registry_add_attr_type(registry, &color));
  expect_error(jitrun_registry_add_attr_type(registry, &color),
               JITRUN_ALREADY_EXISTS,
               "attribute type 't.color' is already registered");
  jitrun_attr_type_t dot = color;
  dot.name = "mhlo.dot";
  expect_error(jitrun_registry_add_attr_type(registry, &dot),
               JITRUN_ALREADY_EXISTS, "'mhlo.dot' is already registered");
}

static void test_builtins(void **state) {
  (void)state;
  for (size_t i = 0; i < jr_xla_attr_type_count; i++)
    expect_ok(jr_attr_type_check(&jr_xla_attr_types[i]));
}

static void refuse(jitrun_attr_type_t type, const char *part) {
  expect_error(jr_attr_type_check(&type), JITRUN_INVALID_ARGUMENT, part);
}

static void test_records(void **state) {
  (void)state;
  expect_error(jr_attr_type_check(NULL), JITRUN_INVALID_ARGUMENT, "is NULL");
  jitrun_attr_type_t type = color;
  type.size = 8;
  refuse(type, "the size of the attribute type's record is 8");
  type = color;
  const char *const names[] = {NULL, "", "t", "t.", ".t", "t..a", "1.a", "t.-"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    type.name = names[i];
    refuse(type, "cannot be named");
  }
  type = color;
  type.fields = fields;
  type.field_count = 2;
  refuse(type, "set either cases and case_count or fields and field_count");
  type = (jitrun_attr_type_t){.size = SIZE, .name = "t.none"};
  refuse(type, "set either cases");
  type = pair;
  type.field_count = 5000;
  refuse(type, "to at most 4096");
}

static void test_cases(void **state) {
  (void)state;
  jitrun_attr_type_t type = color;
  type.dtype = JITRUN_DTYPE_F32;
  refuse(type, "its numbers are of dtype 11");
  type = color;
  const jitrun_attr_case_t empty[] = {{"", 1}};
  type.cases = empty;
  type.case_count = 1;
  refuse(type, "case 0 has no text");
  const jitrun_attr_case_t large[] = {{"a", 127}, {"b", 128}};
  type.cases = large;
  type.case_count = 2;
  refuse(type, "case 1 has a value that dtype does not hold");
  const jitrun_attr_case_t twice[] = {{"a", 1}, {"a", 2}};
  type.cases = twice;
  refuse(type, "case 1 has the text of an earlier one");
}

/// A structure of `first` and a field `a` that is right.
static void refuse_field(jitrun_attr_field_t first, const char *part) {
  jitrun_attr_field_t both[] = {
      {.text = "a", .kind = JITRUN_FIELD_STRING, .name = "b"}, first};
  jitrun_attr_type_t type = pair;
  type.fields = both;
  refuse(type, part);
}

static void test_fields(void **state) {
  (void)state;
  jitrun_attr_field_t good = {.text = "x", .kind = JITRUN_FIELD_STRING};
  jitrun_attr_field_t field = good;
  field.text = "a b";
  refuse_field(field, "field 1 has a text that is no name");
  field.text = NULL;
  refuse_field(field, "field 1 has a text that is no name");
  field.text = "";
  refuse_field(field, "field 1 has no name for handlers");
  field.text = "a";
  refuse_field(field, "field 1 has the text of an earlier one");
  field.text = "b";
  refuse_field(field, "field 1 has the name of an earlier one");
  field = good;
  field.kind = 9;
  refuse_field(field, "field 1 has a kind that is none");
  field = good;
  field.flags = 2;
  refuse_field(field, "field 1 has flags other than JITRUN_FIELD_OPTIONAL");
  field = good;
  field.kind = JITRUN_FIELD_TYPE;
  refuse_field(field, "field 1 has no type_name");
  field.kind = JITRUN_FIELD_ARRAY;
  refuse_field(field, "field 1 has a dtype that is none, or complex");
  field.kind = JITRUN_FIELD_SCALAR;
  field.dtype = JITRUN_DTYPE_C64;
  refuse_field(field, "field 1 has a dtype that is none, or complex");
}

static const jitrun_attr_field_t outer_fields[] = {
    {.text = "c", .kind = JITRUN_FIELD_TYPE, .type_name = "t.color"}};
static const jitrun_attr_type_t outer = {
    .size = SIZE, .name = "t.outer", .fields = outer_fields, .field_count = 1};
static jitrun_attr_type_t linked_types[2];
static jitrun_plugin_t linked_plugin;

static const jitrun_plugin_t *query_linked(uint32_t max_version) {
  (void)max_version;
  return &linked_plugin;
}

/// A plug-in of types alone; all of it or none.
static void test_plugin(void **state) {
  jitrun_registry_t *registry = *state;
  expect_error(jitrun_registry_add_attr_type(registry, &outer),
               JITRUN_NOT_FOUND,
               "field 0 of attribute type 't.outer' is of type 't.color', "
               "which is not registered");
  linked_types[0] = outer;
  linked_types[1] = outer;
  linked_plugin = (jitrun_plugin_t){.size = sizeof(jitrun_plugin_t),
                                    .version = JITRUN_CUSTOMCALL_VERSION,
                                    .sanitizer = JITRUN_SANITIZER,
                                    .name = "types",
                                    .attr_types = linked_types,
                                    .attr_type_count = 2};
  expect_error(jitrun_registry_add(registry, query_linked),
               JITRUN_ALREADY_EXISTS, "'t.outer' is there twice");
  linked_types[1].size = 0;
  expect_error(jitrun_registry_add(registry, query_linked),
               JITRUN_INVALID_ARGUMENT, "record is 0");
  linked_types[1] = color;
  expect_ok(jitrun_registry_add(registry, query_linked));
  assert_non_null(jitrun_registry_find_attr_type(registry, "t.outer"));
  linked_plugin.attr_types = NULL;
  expect_error(jitrun_registry_add(registry, query_linked),
               JITRUN_INVALID_ARGUMENT, "no attribute types");
}

static void register_once(void *context) {
  (void)context;
  jitrun_registry_t *registry = NULL;
  const jitrun_attr_type_t *const *all = NULL;
  size_t count = 0;
  jitrun_error_t *error = jitrun_registry_create(&registry);
  if (!error)
    error = jitrun_registry_add_attr_type(registry, &color);
  if (!error)
    error = jr_registry_attr_types(registry, &all, &count);
  free((void *)all);
  jitrun_error_free(error);
  jitrun_registry_release(registry);
}

static void test_no_memory(void **state) {
  (void)state;
  sweep_allocations(register_once, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_register, create, release),
      cmocka_unit_test_setup_teardown(test_taken, create, release),
      cmocka_unit_test(test_builtins),
      cmocka_unit_test(test_records),
      cmocka_unit_test(test_cases),
      cmocka_unit_test(test_fields),
      cmocka_unit_test_setup_teardown(test_plugin, create, release),
      cmocka_unit_test(test_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
