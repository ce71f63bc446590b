/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// A plug-in of attribute types alone, each kind of field among them.
#include "jitrun/customcall.h"

#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))
#define SCALAR(field_text, field_dtype)                                        \
  {.text = (field_text), .kind = JITRUN_FIELD_SCALAR, .dtype = (field_dtype)}
#define ARRAY(field_text, field_dtype)                                         \
  {.text = (field_text), .kind = JITRUN_FIELD_ARRAY, .dtype = (field_dtype)}
#define NESTED(field_text, field_type)                                         \
  {.text = (field_text), .kind = JITRUN_FIELD_TYPE, .type_name = (field_type)}

static const jitrun_attr_case_t cases[] = {{"Foo", 0}, {"Bar", 1}, {"Baz", 2}};

/// The same texts, with the numbers of another enumeration.
static const jitrun_attr_case_t mapped_cases[] = {
    {"Foo", -10}, {"Bar", 100}, {"Baz", 127}, {"two words", 3}};

static const jitrun_attr_field_t pair_fields[] = {
    SCALAR("rank", JITRUN_DTYPE_S64), ARRAY("a", JITRUN_DTYPE_S64),
    ARRAY("b", JITRUN_DTYPE_S64)};

static const jitrun_attr_field_t nest_fields[] = {
    NESTED("kind", "testlib.enum"),
    NESTED("dims", "testlib.pair_of_dims"),
    {.text = "more",
     .kind = JITRUN_FIELD_TYPE,
     .type_name = "testlib.nest",
     .flags = JITRUN_FIELD_OPTIONAL}};

static const jitrun_attr_field_t every_fields[] = {
    SCALAR("b", JITRUN_DTYPE_PRED),
    SCALAR("i8", JITRUN_DTYPE_S8),
    SCALAR("u64", JITRUN_DTYPE_U64),
    SCALAR("f32", JITRUN_DTYPE_F32),
    SCALAR("bf16", JITRUN_DTYPE_BF16),
    {.text = "s", .name = "text", .kind = JITRUN_FIELD_STRING},
    ARRAY("bs", JITRUN_DTYPE_PRED),
    ARRAY("u8s", JITRUN_DTYPE_U8),
    ARRAY("f64s", JITRUN_DTYPE_F64)};

static const jitrun_attr_field_t optional_fields[] = {
    {.text = "n",
     .kind = JITRUN_FIELD_SCALAR,
     .dtype = JITRUN_DTYPE_S16,
     .flags = JITRUN_FIELD_OPTIONAL},
    {.text = "s", .kind = JITRUN_FIELD_STRING, .flags = JITRUN_FIELD_OPTIONAL},
    {.text = "list",
     .kind = JITRUN_FIELD_ARRAY,
     .dtype = JITRUN_DTYPE_F32,
     .flags = JITRUN_FIELD_OPTIONAL},
    {.text = "kind",
     .kind = JITRUN_FIELD_TYPE,
     .type_name = "testlib.enum",
     .flags = JITRUN_FIELD_OPTIONAL}};

#define STRUCTURE(type_name, type_fields)                                      \
  {.size = sizeof(jitrun_attr_type_t),                                         \
   .name = (type_name),                                                        \
   .fields = (type_fields),                                                    \
   .field_count = COUNT_OF(type_fields)}

static const jitrun_attr_type_t types[] = {
    STRUCTURE("testlib.nest", nest_fields),
    {.size = sizeof(jitrun_attr_type_t),
     .name = "testlib.enum",
     .cases = cases,
     .case_count = COUNT_OF(cases),
     .dtype = JITRUN_DTYPE_S32},
    {.size = sizeof(jitrun_attr_type_t),
     .name = "testlib.mapped.enum",
     .cases = mapped_cases,
     .case_count = COUNT_OF(mapped_cases),
     .dtype = JITRUN_DTYPE_S8},
    STRUCTURE("testlib.pair_of_dims", pair_fields),
    STRUCTURE("testlib.every", every_fields),
    STRUCTURE("testlib.optional", optional_fields),
};

static const jitrun_plugin_t plugin = {
    .size = sizeof(jitrun_plugin_t),
    .version = JITRUN_CUSTOMCALL_VERSION,
    .sanitizer = JITRUN_SANITIZER,
    .name = "attrtypes",
    .attr_types = types,
    .attr_type_count = COUNT_OF(types),
};

const jitrun_plugin_t *jitrun_plugin_query(uint32_t max_version) {
  return max_version >= plugin.version ? &plugin : NULL;
}
