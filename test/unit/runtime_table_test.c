/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Images: what the writer writes is accepted and printed; everything else is
/// refused by name, or harmless.
#include "expect.h"
#include "sample_program.h"

#include "base/json.h"
#include "runtime/table_query.h"

#include <stdio.h>

static jitrun_error_t *check_sample(const struct sample *sample,
                                    struct jr_table *out_table) {
  return jr_table_check(sample->image, sample->size, out_table);
}

static void test_round_trip(void **state) {
  (void)state;
  struct sample sample;
  struct jr_table table;
  expect_ok(build_sample(&sample));
  assert_int_equal(jr_table_image_size(sample.image, sample.size), sample.size);
  assert_int_equal(jr_table_image_size(sample.image, sample.size - 1), 0);
  assert_int_equal(jr_table_image_size(sample.image, SIZE_MAX), sample.size);
  expect_ok(check_sample(&sample, &table));
  assert_int_equal(table.entry_count, 2);
  assert_int_equal(table.site_count, 4);
  assert_string_equal(jr_table_string(&table, table.sites[0].target),
                      "test.copy");
  assert_int_equal(jr_table_site_entry(&table, SAMPLE_SITE_NOTE), SAMPLE_MAIN);
  assert_int_equal(jr_table_site_entry(&table, SAMPLE_SITE_CONSTANT), JR_NONE);
  assert_int_equal(jr_table_param_entry(&table, SAMPLE_COPIED), SAMPLE_MAIN);
  assert_int_equal(jr_table_param_entry(&table, SAMPLE_X), SAMPLE_SCALAR);
  assert_true(jr_table_is_result(&table, SAMPLE_RESULT));
  assert_false(jr_table_is_result(&table, SAMPLE_N));
  assert_int_equal((uintptr_t)table.data % JR_TABLE_ALIGNMENT, 0);
  free(sample.image);
}

static void test_interning(void **state) {
  (void)state;
  struct jr_table_writer writer;
  jr_table_writer_init(&writer);
  assert_int_equal(jr_table_add_string(&writer, NULL, 0), 0);
  assert_int_equal(add_text(&writer, ""), 0);
  jr_str_t first = add_text(&writer, "name-0");
  assert_int_equal(jr_table_add_string(&writer, "name-0 and more", 6), first);
  assert_int_equal(jr_table_add_string(&writer, "name-0\0x", 8), first);
  jr_str_t strings[1000];
  jr_type_ref_t types[1000];
  for (int i = 0; i < 1000; i++) {
    char text[32];
    (void)snprintf(text, sizeof text, "name-%d", i);
    const int64_t extents[] = {i, 1};
    strings[i] = add_text(&writer, text);
    types[i] = add_buffer(&writer, JITRUN_DTYPE_F32, 1, extents);
  }
  assert_int_equal(strings[0], first);
  for (int i = 0; i < 1000; i++) {
    char text[32];
    (void)snprintf(text, sizeof text, "name-%d", i);
    const int64_t extents[] = {i, 1};
    assert_int_equal(add_text(&writer, text), strings[i]);
    assert_int_equal(add_buffer(&writer, JITRUN_DTYPE_F32, 1, extents),
                     types[i]);
    const jitrun_type_t *type = jr_table_written_type(&writer, types[i]);
    assert_int_equal(jitrun_type_dims(type)[0], i);
  }
  jr_table_writer_deinit(&writer);
}

static void test_large_type(void **state) {
  (void)state;
  struct jr_table_writer writer;
  int64_t extents[128];
  for (int i = 0; i < 128; i++)
    extents[i] = i;
  jr_table_writer_init(&writer);
  jr_type_ref_t type = add_buffer(&writer, JITRUN_DTYPE_S8, 64, extents);
  assert_int_equal(add_buffer(&writer, JITRUN_DTYPE_S8, 64, extents), type);
  extents[127] = 0;
  assert_int_not_equal(add_buffer(&writer, JITRUN_DTYPE_S8, 64, extents), type);
  jr_table_writer_deinit(&writer);
}

static void test_empty_image(void **state) {
  (void)state;
  struct jr_table_writer writer;
  struct sample sample;
  struct jr_table table;
  jr_table_writer_init(&writer);
  expect_ok(finish_sample(&writer, &sample));
  expect_ok(check_sample(&sample, &table));
  assert_int_equal(table.entry_count, 0);
  free(sample.image);
}

static void test_print(void **state) {
  (void)state;
  struct sample sample;
  struct jr_table table;
  struct jr_bytes text = {0};
  struct jr_json json = {.out = &text};
  expect_ok(build_sample(&sample));
  expect_ok(check_sample(&sample, &table));
  jr_json_open_object(&json);
  jr_table_print_json(&table, &json);
  jr_json_close_object(&json);
  const char *printed = jr_bytes_text(&text);
  assert_non_null(printed);
  static const char *const parts[] = {
      "\"source\": \"sample.mlir\"",
      "\"name\": \"main\"",
      "\"type\": \"2x3xi32\"",
      "\"target\": \"test.copy\"",
      "\"kind\": \"temporary\"",
      "\"value\": 0.5",
      "\"value\": \"hello\"",
      "\"line\": 4",
      "\"region\": 1",
      "\"name\": \"layer\"",
      "\"thunks_refused\": \"it returns a scalar\""};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
    assert_non_null(strstr(printed, parts[i]));
  jr_bytes_deinit(&text);
  free(sample.image);
}

/// One field of one record that is set to something wrong.
struct damage {
  enum jr_section_kind section;
  uint32_t index;
  size_t offset, size; ///< of the field
  uint64_t value;
  const char *part; ///< of the message
};

#define DAMAGE(kind, index, type, field, value, part)                          \
  {JR_SECTION_##kind,                                                          \
   index,                                                                      \
   offsetof(struct type, field),                                               \
   sizeof((struct type *)NULL)->field,                                         \
   value,                                                                      \
   part}

static const struct damage damages[] = {
    DAMAGE(ENTRIES, 0, jr_entry, name, 1 << 30, "entry 0 has a string"),
    DAMAGE(ENTRIES, 0, jr_entry, name, 0, "entry 0 has no name"),
    DAMAGE(ENTRIES, 1, jr_entry, first_param, 4, "parameters and thunks"),
    DAMAGE(ENTRIES, 1, jr_entry, param_count, 9, "entries have"),
    DAMAGE(ENTRIES, 0, jr_entry, thunk_count, 2, "entries have"),
    DAMAGE(ENTRIES, 0, jr_entry, scalar_words, 1, "run-time words"),
    DAMAGE(ENTRIES, 0, jr_entry, result_words, 1, "run-time words"),
    DAMAGE(ENTRIES, 1, jr_entry, thunks_refused, 0, "do not return"),
    DAMAGE(PARAMS, 0, jr_param, type, 1 << 20, "allocation 0"),
    DAMAGE(PARAMS, 0, jr_param, alloc, 1, "allocation 0"),
    DAMAGE(PARAMS, 0, jr_param, alignment, 3, "parameter 0"),
    DAMAGE(PARAMS, 2, jr_param, first_word, 0, "words of parameter 2"),
    DAMAGE(PARAMS, 2, jr_param, alloc, 0, "parameter 2"),
    DAMAGE(PARAMS, 4, jr_param, alloc, SAMPLE_ALLOC_B, "parameter 4"),
    DAMAGE(PARAMS, 4, jr_param, flags, 0, "parameter 4"),
    DAMAGE(PARAMS, 0, jr_param, flags, JR_RESULT_COPY, "parameter 0"),
    DAMAGE(PARAMS, 3, jr_param, flags, JR_PARAM_CONSTRAINT,
           "result 3 has a constraint"),
    DAMAGE(ALLOCS, 0, jr_alloc, kind, 9, "allocation 0"),
    DAMAGE(ALLOCS, 0, jr_alloc, kind, JR_ALLOC_LIVE_OUT, "allocation 0"),
    DAMAGE(ALLOCS, 2, jr_alloc, kind, JR_ALLOC_PARAM, "allocation 2"),
    DAMAGE(ALLOCS, 0, jr_alloc, size_bytes, 28, "allocation 0"),
    DAMAGE(ALLOCS, 1, jr_alloc, size_bytes, 4, "allocation 1"),
    DAMAGE(ALLOCS, 0, jr_alloc, param, 77, "allocation 0"),
    DAMAGE(ALLOCS, 3, jr_alloc, offset, 128, "allocation 3"),
    DAMAGE(ALLOCS, 3, jr_alloc, offset, 32, "allocation 3"),
    DAMAGE(ALLOCS, 3, jr_alloc, alignment, 8192, "allocation 3"),
    DAMAGE(ALLOCS, 3, jr_alloc, size_bytes, 60, "allocation 3"),
    DAMAGE(ALLOCS, 4, jr_alloc, offset, UINT64_MAX - 63, "allocation 4"),
    DAMAGE(ALLOCS, 4, jr_alloc, size_bytes, 128, "allocation 4"),
    DAMAGE(SITES, 0, jr_site, target, 0, "call 0 has no target"),
    DAMAGE(SITES, 0, jr_site, file, UINT32_MAX, "call 0 has a string"),
    DAMAGE(SITES, 1, jr_site, first_arg, 1, "operands of call 1"),
    DAMAGE(SITES, 0, jr_site, arg_count, 1, "frame of call 0"),
    DAMAGE(SITES, 3, jr_site, arg_count, UINT32_MAX, "operands of call 3"),
    DAMAGE(SITES, 0, jr_site, flags, 0, "flags of call 0"),
    DAMAGE(SITES, 3, jr_site, flags, 1, "flags of call 3"),
    DAMAGE(SITES, 0, jr_site, frame_bytes, 80, "frame of call 0"),
    DAMAGE(SITES, 0, jr_site, first_attr, 2, "attributes [2"),
    DAMAGE(SITES, 1, jr_site, attr_count, 1, "two owners"),
    DAMAGE(ARGS, 0, jr_arg, kind, 0, "operand 0 of call 0"),
    DAMAGE(ARGS, 0, jr_arg, index, 99, "operand 0 of call 0"),
    DAMAGE(ARGS, 0, jr_arg, value, 4, "operand 0 of call 0"),
    DAMAGE(ARGS, 0, jr_arg, type_offset, 64, "operand 0 of call 0"),
    DAMAGE(ARGS, 2, jr_arg, kind, JR_ARG_SLICE, "operand 0 of call 1"),
    DAMAGE(ARGS, 3, jr_arg, index, SAMPLE_X, "operand 1 of call 1"),
    DAMAGE(ARGS, 3, jr_arg, type, 0, "operand 1 of call 1"),
    DAMAGE(ARGS, 7, jr_arg, kind, JR_ARG_RESULT, "operand 0 of call 3"),
    DAMAGE(ARGS, 8, jr_arg, kind, JR_ARG_SCALAR, "operand 1 of call 3"),
    DAMAGE(ATTRS, 0, jr_attr, kind, 0, "attribute 0"),
    DAMAGE(ATTRS, 0, jr_attr, kind, JITRUN_ATTR_UNIT, "attribute 0"),
    DAMAGE(ATTRS, 0, jr_attr, kind, JITRUN_ATTR_FUNCTION, "attribute 0"),
    DAMAGE(ATTRS, 0, jr_attr, kind, JITRUN_ATTR_FUNCTION + 1, "attribute 0"),
    DAMAGE(ATTRS, 0, jr_attr, dtype, 99, "attribute 0"),
    DAMAGE(ATTRS, 0, jr_attr, type, UINT32_MAX, "attribute 0"),
    DAMAGE(ATTRS, 3, jr_attr, type, 1, "attribute 3"),
    DAMAGE(ENTRIES, 0, jr_entry, result_shape, UINT32_MAX, "entry 0"),
    DAMAGE(PARAMS, SAMPLE_RESULT, jr_param, number, 1, "is an allocation"),
    DAMAGE(PARAMS, SAMPLE_COPIED, jr_param, flags, JR_PARAM_UNUSED | 2,
           "result 4 is an allocation"),
    DAMAGE(ATTRS, 1, jr_attr, value, 68, "attribute 1"),
    DAMAGE(ATTRS, 1, jr_attr, count, 1 << 20, "attribute 1"),
    DAMAGE(ATTRS, 1, jr_attr, name, 0, "attribute 1"),
    DAMAGE(ATTRS, 2, jr_attr, value, 2, "attribute 2"),
    DAMAGE(ATTRS, 2, jr_attr, count, 2, "attributes [3"),
    DAMAGE(ATTRS, 2, jr_attr, count, 0, "attribute 3"),
    DAMAGE(ATTRS, 3, jr_attr, count, 4, "attribute 3"),
    DAMAGE(THUNKS, 0, jr_thunk, kind, 9, "thunk 0"),
    DAMAGE(THUNKS, 0, jr_thunk, count, 4, "not passed"),
    DAMAGE(THUNKS, 0, jr_thunk, first, UINT64_MAX, "thunk 0"),
    DAMAGE(ASSERTS, 0, jr_assert, message, UINT32_MAX, "assertion 0"),
    DAMAGE(SITES, 0, jr_site, region, 3, "call 0 is in region 2 of 2"),
    DAMAGE(REGIONS, 0, jr_region, name, UINT32_MAX, "region 0"),
    DAMAGE(REGIONS, 1, jr_region, parent, 2, "region 1 is in region 1"),
    DAMAGE(SKIPPED, 0, jr_skipped, name, UINT32_MAX, "skipped function 0"),
    DAMAGE(SKIPPED, 0, jr_skipped, reason, UINT32_MAX, "skipped function 0"),
};

static void test_damaged_fields(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
    const struct damage *damage = &damages[i];
    struct jr_table_writer writer;
    struct sample sample;
    struct jr_table table;
    write_sample(&writer);
    unsigned char *record =
        jr_table_at(&writer, damage->section, damage->index);
    assert_non_null(record);
    memcpy(record + damage->offset, &damage->value, damage->size);
    expect_ok(finish_sample(&writer, &sample));
    expect_error(check_sample(&sample, &table), JITRUN_DATA_LOSS, damage->part);
    free(sample.image);
  }
}

/// A result is copied from an allocation, or from where the entry says.
static void test_copied_and_stored(void **state) {
  (void)state;
  struct jr_table_writer writer;
  struct sample sample;
  struct jr_table table;
  write_sample(&writer);
  struct jr_param *param =
      jr_table_at(&writer, JR_SECTION_PARAMS, SAMPLE_COPIED);
  param->flags |= JR_RESULT_STORED;
  param->alloc = JR_NONE;
  expect_ok(finish_sample(&writer, &sample));
  expect_error(check_sample(&sample, &table), JITRUN_DATA_LOSS, "parameter 4");
  free(sample.image);
}

/// Nobody would own a token that a call of a thunk returns.
static void test_thunk_with_token(void **state) {
  (void)state;
  struct jr_table_writer writer;
  struct sample sample;
  struct jr_table table;
  write_sample(&writer);
  struct jr_arg *args = jr_table_at(&writer, JR_SECTION_ARGS, 7);
  struct jr_thunk *thunk = jr_table_at(&writer, JR_SECTION_THUNKS, 0);
  args[0].kind = JR_ARG_CONST;
  args[1].type = jr_table_add_type(&writer, JITRUN_KIND_TOKEN,
                                   JITRUN_DTYPE_TOKEN, 0, NULL);
  thunk->count = 4;
  expect_ok(finish_sample(&writer, &sample));
  expect_error(check_sample(&sample, &table), JITRUN_DATA_LOSS,
               "returns a token or an async value");
  free(sample.image);
}

/// The sample takes nothing from outside.
static void test_damaged_import(void **state) {
  (void)state;
  struct jr_table_writer writer;
  struct sample sample;
  struct jr_table table;
  write_sample(&writer);
  struct jr_import *import = jr_table_add(&writer, JR_SECTION_IMPORTS, 1);
  assert_non_null(import);
  import->name = UINT32_MAX;
  expect_ok(finish_sample(&writer, &sample));
  expect_error(check_sample(&sample, &table), JITRUN_DATA_LOSS, "import 0");
  free(sample.image);
}

static void test_damaged_header(void **state) {
  (void)state;
  struct sample sample;
  struct jr_table table;
  expect_ok(build_sample(&sample));
  struct jr_table_header *header = sample_header(&sample);
  header->version = JR_TABLE_OLDEST - 1;
  expect_error(check_sample(&sample, &table), JITRUN_FAILED_PRECONDITION,
               "format version 3, and this jitrun reads versions from 4");
  header->version = JR_TABLE_VERSION + 1;
  header->reader_version++;
  expect_error(check_sample(&sample, &table), JITRUN_FAILED_PRECONDITION,
               "format version 6, for readers of version 6 on");
  header->version--;
  expect_error(check_sample(&sample, &table), JITRUN_FAILED_PRECONDITION,
               "for readers of version 6 on");
  header->reader_version = 0;
  expect_error(check_sample(&sample, &table), JITRUN_DATA_LOSS,
               "for readers of version 0");
  header->reader_version = JR_TABLE_VERSION;
  header->temp_sum_bytes = header->temp_bytes - 1;
  expect_error(check_sample(&sample, &table), JITRUN_DATA_LOSS,
               "temporary memory of 128 bytes, 0 in use at once, of 127");
  header->temp_sum_bytes = header->temp_bytes;
  header->temp_peak_bytes = header->temp_bytes + 1;
  expect_error(check_sample(&sample, &table), JITRUN_DATA_LOSS,
               "temporary memory of 128 bytes, 129 in use at once, of 128");
  header->temp_sum_bytes = header->temp_peak_bytes = 0;
  header->header_bytes += 8;
  expect_error(check_sample(&sample, &table), JITRUN_DATA_LOSS,
               "a header of 168 bytes with 16 sections");
  header->header_bytes -= 8;
  header->section_count--;
  expect_error(check_sample(&sample, &table), JITRUN_DATA_LOSS,
               "with 15 sections");
  header->section_count++;
  header->sections[JR_SECTION_ARGS].record_bytes += 4;
  expect_error(check_sample(&sample, &table), JITRUN_DATA_LOSS, "section 6");
  header->sections[JR_SECTION_ARGS].record_bytes -= 4;
  header->magic[0]++;
  expect_error(check_sample(&sample, &table), JITRUN_DATA_LOSS, "magic");
  header->magic[0]--;
  header->sections[JR_SECTION_SITES].count = UINT64_MAX / 8;
  expect_error(check_sample(&sample, &table), JITRUN_DATA_LOSS, "section 5");
  expect_error(jr_table_check(sample.image + 4, sample.size - 4, &table),
               JITRUN_INVALID_ARGUMENT, "aligned");
  free(sample.image);
}

static void test_truncated(void **state) {
  (void)state;
  struct sample sample;
  struct jr_table table;
  expect_ok(build_sample(&sample));
  for (size_t size = 0; size < sample.size; size++) {
    unsigned char *copy = jr_malloc_aligned(64, size);
    memcpy(copy, sample.image, size);
    expect_error(jr_table_check(copy, size, &table), JITRUN_DATA_LOSS,
                 "damaged image");
    free(copy);
  }
  free(sample.image);
}

/// Whatever is accepted can be printed.
static void check_and_print(const struct sample *sample) {
  struct jr_table table;
  jitrun_error_t *err = check_sample(sample, &table);
  if (!err) {
    struct jr_bytes text = {0};
    struct jr_json json = {.out = &text};
    jr_json_open_object(&json);
    jr_table_print_json(&table, &json);
    jr_json_close_object(&json);
    jr_bytes_deinit(&text);
  }
  jitrun_error_free(err);
}

static void test_flipped_bytes(void **state) {
  (void)state;
  static const unsigned char flips[] = {0x01, 0x80, 0xff, 0x10};
  struct sample sample;
  expect_ok(build_sample(&sample));
  for (size_t i = 0; i < sample.size; i++) {
    for (size_t k = 0; k < sizeof flips; k++) {
      sample.image[i] ^= flips[k];
      check_and_print(&sample);
      sample.image[i] ^= flips[k];
    }
  }
  free(sample.image);
}

/// A dictionary in a dictionary, and so on.
static jitrun_error_t *check_nested(uint32_t depth) {
  struct jr_table_writer writer;
  struct sample sample;
  struct jr_table table;
  write_sample(&writer);
  struct jr_attr *text = jr_table_at(&writer, JR_SECTION_ATTRS, 3);
  *text = (struct jr_attr){
      .name = text->name, .kind = JITRUN_ATTR_DICT, .count = 1, .value = 4};
  jr_str_t name = text->name;
  for (uint32_t i = 0; i < depth; i++) {
    const struct jr_attr attr = {.name = name,
                                 .kind = JITRUN_ATTR_DICT,
                                 .count = i + 1 < depth,
                                 .value = 5 + (uint64_t)i};
    add_record(&writer, JR_SECTION_ATTRS, &attr);
  }
  expect_ok(finish_sample(&writer, &sample));
  jitrun_error_t *err = check_sample(&sample, &table);
  free(sample.image);
  return err;
}

static void test_nesting(void **state) {
  (void)state;
  expect_ok(check_nested(62));
  expect_error(check_nested(63), JITRUN_DATA_LOSS, "too deep");
}

/// The image whose attribute `text` is of a kind with this value.
static jitrun_error_t *check_kind(uint8_t kind, uint64_t value,
                                  struct jr_bytes *printed) {
  struct jr_table_writer writer;
  struct sample sample;
  struct jr_table table;
  write_sample(&writer);
  struct jr_attr *text = jr_table_at(&writer, JR_SECTION_ATTRS, 3);
  *text = (struct jr_attr){.name = text->name, .kind = kind, .value = value};
  expect_ok(finish_sample(&writer, &sample));
  jitrun_error_t *err = check_sample(&sample, &table);
  struct jr_json json = {.out = printed};
  if (!err) {
    jr_json_open_object(&json);
    jr_table_print_json(&table, &json);
    jr_json_close_object(&json);
  }
  free(sample.image);
  return err;
}

static void expect_kind(uint8_t kind, uint64_t value, const char *part) {
  struct jr_bytes printed = {0};
  expect_ok(check_kind(kind, value, &printed));
  const char *text = jr_bytes_text(&printed);
  assert_non_null(text);
  assert_non_null(strstr(text, part));
  jr_bytes_deinit(&printed);
}

static void test_attribute_kinds(void **state) {
  (void)state;
  struct jr_bytes printed = {0};
  expect_kind(JITRUN_ATTR_UNIT, 0, "\"type\": \"sample.nested\"");
  expect_kind(JITRUN_ATTR_UNIT, 0, "\"kind\": \"unit\"");
  expect_kind(JITRUN_ATTR_FUNCTION, 0, "\"value\": \"main\"");
  expect_kind(JITRUN_ATTR_FUNCTION, 1, "\"kind\": \"function\"");
  expect_error(check_kind(JITRUN_ATTR_FUNCTION, 2, &printed), JITRUN_DATA_LOSS,
               "attribute 3");
  expect_error(check_kind(JITRUN_ATTR_UNIT, 1, &printed), JITRUN_DATA_LOSS,
               "attribute 3");
  jr_bytes_deinit(&printed);
}

static void write_and_check(void *context) {
  (void)context;
  struct sample sample;
  struct jr_table table;
  jitrun_error_t *err = build_sample(&sample);
  if (!err)
    err = check_sample(&sample, &table);
  if (err)
    assert_int_equal(jitrun_error_code(err), JITRUN_RESOURCE_EXHAUSTED);
  else
    assert_int_equal(table.entry_count, 2);
  jitrun_error_free(err);
  free(sample.image);
}

static void test_no_memory(void **state) {
  (void)state;
  sweep_allocations(write_and_check, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trip),
      cmocka_unit_test(test_interning),
      cmocka_unit_test(test_large_type),
      cmocka_unit_test(test_empty_image),
      cmocka_unit_test(test_print),
      cmocka_unit_test(test_damaged_fields),
      cmocka_unit_test(test_copied_and_stored),
      cmocka_unit_test(test_thunk_with_token),
      cmocka_unit_test(test_damaged_import),
      cmocka_unit_test(test_damaged_header),
      cmocka_unit_test(test_truncated),
      cmocka_unit_test(test_flipped_bytes),
      cmocka_unit_test(test_nesting),
      cmocka_unit_test(test_attribute_kinds),
      cmocka_unit_test(test_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
