/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Reading the text of attributes by their types: what is refused, and how. A
/// text that is right is read in the tests of whole programs.
#include "expect.h"

#include "jit/attrs_opaque.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#define SIZE sizeof(jitrun_attr_type_t)

static const jitrun_attr_case_t cases[] = {{"Foo", -1}, {"Bar", 2}};
static const jitrun_attr_type_t color = {.size = SIZE,
                                         .name = "t.color",
                                         .cases = cases,
                                         .case_count = 2,
                                         .dtype = JITRUN_DTYPE_S8};

static const jitrun_attr_field_t fields[] = {
    {.text = "i8", .kind = JITRUN_FIELD_SCALAR, .dtype = JITRUN_DTYPE_S8},
    {.text = "u16s", .kind = JITRUN_FIELD_ARRAY, .dtype = JITRUN_DTYPE_U16},
    {.text = "s", .kind = JITRUN_FIELD_STRING},
    {.text = "b", .kind = JITRUN_FIELD_SCALAR, .dtype = JITRUN_DTYPE_PRED},
    {.text = "f", .kind = JITRUN_FIELD_SCALAR, .dtype = JITRUN_DTYPE_F32},
    {.text = "c", .kind = JITRUN_FIELD_TYPE, .type_name = "t.color"}};
static const jitrun_attr_type_t every = {
    .size = SIZE, .name = "t.every", .fields = fields, .field_count = 6};

static const jitrun_attr_field_t list_fields[] = {
    {.text = "next",
     .kind = JITRUN_FIELD_TYPE,
     .type_name = "t.list",
     .flags = JITRUN_FIELD_OPTIONAL}};
static const jitrun_attr_type_t list = {
    .size = SIZE, .name = "t.list", .fields = list_fields, .field_count = 1};

static const jitrun_attr_field_t lost_fields[] = {
    {.text = "", .name = "x", .kind = JITRUN_FIELD_TYPE, .type_name = "t.no"}};
static const jitrun_attr_type_t lost = {
    .size = SIZE, .name = "t.lost", .fields = lost_fields, .field_count = 1};

static const jitrun_attr_type_t *const types[] = {&color, &every, &list, &lost};

static jitrun_error_t *read_text(struct jr_arena *arena, const char *dialect,
                                 const char *text,
                                 struct jr_attr_value *value) {
  const struct jr_attr_reader reader = {
      .types = types, .type_count = 4, .arena = arena};
  // A copy of its own shows reads behind the end.
  struct jr_span span = {text, strlen(text)};
  char *copy = malloc(span.size ? span.size : 1);
  assert_non_null(copy);
  memcpy(copy, span.data, span.size);
  span.data = copy;
  jitrun_error_t *error = jr_opaque_read(
      &reader, (struct jr_span){dialect, strlen(dialect)}, span, value);
  free(copy);
  return error;
}

static void expect_refused(const char *text, const char *part) {
  struct jr_arena arena = {0};
  struct jr_attr_value value;
  expect_error(read_text(&arena, "t", text, &value), JITRUN_INVALID_ARGUMENT,
               part);
  jr_arena_deinit(&arena);
}

#define BEFORE "every<i8 = 1, u16s = [1], s = \"x\", "
#define I8 "it takes a number from -128 to 127 (i8)"
#define U16S                                                                   \
  "it takes an array in brackets, each element a number from 0 to 65535 "      \
  "(ui16)"
#define STRING "it takes a string in quotes"
#define COLOR "it takes an attribute of type t.color"

static const char *const refused[][2] = {
    {"color<Baz>", "t.color has no case 'Baz'; it has 'Foo', 'Bar'"},
    {"color<>", "t.color has no case ''"},
    {"color<\"\">", "t.color has no case '\"\"'"},
    {"color<\"Foo>", "t.color has no case"},
    {"color Foo>", "in t.color, '>' stands where a ',' or the end should be"},
    {"color<Foo, Bar>", "in t.color, ', Bar>' stands where"},
    {"color<Foo", "the text of t.color ends early: a '>' is missing"},
    {"color<Foo> 1", "in t.color, '1' stands where"},
    {"every<j = 1>", "t.every has no field 'j'; it has 'i8', 'u16s', 's',"},
    {"every<i8 = 128>", "field 'i8' of t.every is '128'; " I8},
    {"every<i8 = -129, s = \"\">", "field 'i8' of t.every is '-129'; " I8},
    {"every<i8 = 1.5>", "is '1.5'; " I8},
    {"every<i8 = [1, 2]>", "is '[1, 2]'; " I8},
    {"every<i8 = \"a>,\">", "is '\"a>,\"'; " I8},
    {"every<i8 = >", "is ''; " I8},
    {"every<i8 = 1 : i16>", "is '1 : i16'; " I8},
    {"every<i8 = true>", "is 'true'; " I8},
    {"every<i8 = 1 2>", "in t.every, '2>' stands where"},
    {"every<i8 = 1, i8 = 1>", "field 'i8' of t.every is there twice; write it"},
    {"every<1, i8 = 1>", "field 'i8' of t.every is there twice"},
    {"every<i8 = 1, [1]>", "'[1]' is no field of t.every: it has 6 fields, and "
                           "values without a name come first"},
    {"every<1, [1], \"\", true, 1, Foo, 7>", "'7' is no field of t.every"},
    {"every<1,>", "field 'u16s' of t.every is ''; " U16S},
    {"every<i8 = 1>", "field 'u16s' of t.every is missing; " U16S},
    {"every<>", "field 'i8' of t.every is missing; " I8},
    {"every", "field 'i8' of t.every is missing"},
    {"every<u16s = [1, -1]>", "is '[1, -1]'; " U16S},
    {"every<u16s = [65536]>", "is '[65536]'; " U16S},
    {"every<u16s = [1, 2>", "is '[1, 2>'; " U16S},
    {"every<u16s = 1>", "is '1'; " U16S},
    {"every<s = x>", "field 's' of t.every is 'x'; " STRING},
    {"every<s = \"x>", "field 's' of t.every is '\"x>'; " STRING},
    {"every<s = \"\\x\">", STRING},
    {BEFORE "b = 2>", "field 'b' of t.every is '2'; it takes true or false"},
    {BEFORE "f = x>", "field 'f' of t.every is 'x'; it takes a number (f32)"},
    {BEFORE "c = Baz>", "t.color has no case 'Baz'"},
    {BEFORE "c = #t.list<>>", "field 'c' of t.every is '#t.list<>'; " COLOR},
    {BEFORE "c = #t<list >>", COLOR},
    {BEFORE "c = #t<color Foo", "the text of t.color ends early"},
    {BEFORE "b = true, f = 1, c = <Foo>", "the text of t.every ends early"},
    {BEFORE "c = <Foo ]>>", "in t.color, ']>>' stands where"},
    {"list<next = list>", "it takes an attribute of type t.list"},
    {"list<<<<<<<<<<<<<<<<<>>>>>>>>>>>>>>>>>", "more than 16 deep"},
};

static void test_refused(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
    expect_refused(refused[i][0], refused[i][1]);
}

static void test_unknown(void **state) {
  (void)state;
  struct jr_arena arena = {0};
  struct jr_attr_value value;
  expect_error(read_text(&arena, "t", "colour<Foo>", &value), JITRUN_NOT_FOUND,
               "no attribute type 't.colour' is registered (did you mean "
               "'t.color'?); register it by");
  expect_error(read_text(&arena, "tt", "color<Foo>", &value), JITRUN_NOT_FOUND,
               "'tt.color'");
  expect_error(read_text(&arena, "", "", &value), JITRUN_NOT_FOUND, "'.'");
  expect_error(read_text(&arena, "t", "lost<1>", &value), JITRUN_NOT_FOUND,
               "field 'x' of t.lost is of type t.no, which is not registered");
  jr_arena_deinit(&arena);
}

/// A name that is known up to a NUL is another one.
static void test_nul(void **state) {
  (void)state;
  struct jr_arena arena = {0};
  struct jr_attr_value value;
  const struct jr_attr_reader reader = {
      .types = types, .type_count = 4, .arena = &arena};
  expect_error(jr_opaque_read(&reader, (struct jr_span){"t\0color", 7},
                              (struct jr_span){"color<Foo>", 10}, &value),
               JITRUN_NOT_FOUND, "no attribute type");
  expect_error(jr_opaque_read(&reader, (struct jr_span){"t", 1},
                              (struct jr_span){"color<Foo\0>", 11}, &value),
               JITRUN_INVALID_ARGUMENT, "t.color");
  jr_arena_deinit(&arena);
}

/// Numbers have a point in them whatever the caller's locale says.
static void test_locale(void **state) {
  (void)state;
  struct jr_arena arena = {0};
  struct jr_attr_value value;
  char before[64];
  (void)snprintf(before, sizeof before, "%s", setlocale(LC_NUMERIC, NULL));
  (void)setlocale(LC_NUMERIC, "de_DE.UTF-8"); // where there is one
  expect_ok(read_text(&arena, "t", "every<-1, [2, 3], \"x\", true, 0.5, Foo>",
                      &value));
  (void)setlocale(LC_NUMERIC, before);
  assert_int_equal(value.count, 6);
  assert_string_equal(value.items[2].name, "f");
  assert_int_equal(value.items[2].bits, 0x3f000000);
  assert_string_equal(value.items[1].type_name, "t.color");
  assert_int_equal(value.items[1].bits, 0xff);
  assert_string_equal(value.items[3].name, "i8");
  assert_int_equal(value.items[3].bits, 0xff);
  jr_arena_deinit(&arena);
}

/// Every beginning of a text that is right is refused or read.
static void test_cut(void **state) {
  (void)state;
  static const char text[] =
      "every<i8 = -1, u16s = [2, 3 : ui16], s = \"x\\22\\n\", b = true, "
      "f = 0.5, c = #t<color Foo>>";
  struct jr_arena arena = {0};
  struct jr_attr_value value;
  char cut[sizeof text];
  memcpy(cut, text, sizeof text);
  expect_ok(read_text(&arena, "t", text, &value));
  for (size_t i = sizeof text - 1; i-- > 0;) {
    cut[i] = '\0';
    jitrun_error_t *error = read_text(&arena, "t", cut, &value);
    assert_non_null(error);
    jitrun_error_free(error);
  }
  jr_arena_deinit(&arena);
}

static void read_once(void *context) {
  (void)context;
  struct jr_arena arena = {0};
  struct jr_attr_value value;
  jitrun_error_free(read_text(
      &arena, "t", "every<1, [1, 2], \"abc\", true, 1.0, \"Foo\">", &value));
  jitrun_error_free(read_text(&arena, "t", "every<1, x>", &value));
  jitrun_error_free(read_text(&arena, "t", "none<>", &value));
  jr_arena_deinit(&arena);
}

static void test_no_memory(void **state) {
  (void)state;
  sweep_allocations(read_once, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_refused), cmocka_unit_test(test_unknown),
      cmocka_unit_test(test_nul),     cmocka_unit_test(test_locale),
      cmocka_unit_test(test_cut),     cmocka_unit_test(test_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
