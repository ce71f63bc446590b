/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Images of versions to come: a sample is written again as a later jitrun
/// would, with more in its header, in its records and behind its sections. It
/// reads like the sample, and damage is noticed.
#include "base/json.h"
#include "sample_program.h"

enum { MORE_HEADER = 24, MORE_RECORD = 12, MORE_SECTIONS = 2 };

static bool is_bytes(int kind) {
  return kind == JR_SECTION_STRINGS || kind == JR_SECTION_TYPES ||
         kind == JR_SECTION_DATA;
}

/// Appends the records of a section, each with 0xee behind it.
static void append_longer(struct jr_bytes *out, const struct sample *sample,
                          const struct jr_section *section, size_t more) {
  for (uint64_t i = 0; i < section->count; i++) {
    jr_bytes_append(out,
                    sample->image + section->offset + i * section->record_bytes,
                    section->record_bytes);
    for (size_t k = 0; k < more; k++)
      jr_bytes_append(out, "\xee", 1);
  }
}

/// The sample as the next version could have it.
static struct sample write_next(const struct sample *sample) {
  const struct jr_table_header *from = (const void *)sample->image;
  if (!from)
    return (struct sample){0};
  struct jr_table_header header = *from;
  struct jr_section sections[JR_SECTION_COUNT + MORE_SECTIONS] = {0};
  struct jr_bytes body = {0};
  size_t start = offsetof(struct jr_table_header, sections) + MORE_HEADER +
                 sizeof sections;
  start = (start + 63) / 64 * 64;
  for (int i = 0; i < JR_SECTION_COUNT; i++) {
    size_t more = is_bytes(i) ? 0 : MORE_RECORD;
    jr_bytes_align(&body, 64);
    sections[i] =
        (struct jr_section){start + body.size, from->sections[i].count,
                            from->sections[i].record_bytes + more};
    append_longer(&body, sample, &from->sections[i], more);
  }
  jr_bytes_align(&body, 64);
  for (int i = 0; i < MORE_SECTIONS; i++) {
    sections[JR_SECTION_COUNT + i] =
        (struct jr_section){start + body.size, 8, 24};
    (void)jr_bytes_extend(&body, (size_t)8 * 24);
  }
  header.version++;
  header.header_bytes += MORE_HEADER;
  header.section_count += MORE_SECTIONS;
  header.size_bytes = start + body.size;
  size_t size =
      header.size_bytes +
      (from->sections[JR_SECTION_ENTRIES].count + 1) * sizeof(int64_t);
  struct sample next = {.image = jr_malloc_aligned(64, size), .size = size};
  assert_non_null(next.image);
  memset(next.image, 0, size);
  memcpy(next.image, &header, offsetof(struct jr_table_header, sections));
  memset(next.image + offsetof(struct jr_table_header, sections), 0xee,
         MORE_HEADER);
  memcpy(next.image + header.header_bytes, sections, sizeof sections);
  memcpy(next.image + start, body.data, body.size);
  jr_bytes_deinit(&body);
  return next;
}

/// All that is printed of an image but what its layout shows.
static struct jr_bytes print_table(const struct jr_table *table) {
  struct jr_bytes text = {0};
  struct jr_json json = {.out = &text};
  jr_json_open_object(&json);
  jr_table_print_json(table, &json);
  jr_json_close_object(&json);
  const char *entries = strstr(jr_bytes_text(&text), "\"entries\"");
  assert_non_null(entries);
  size_t skipped = (size_t)(entries - (const char *)text.data);
  memmove(text.data, entries, text.size - skipped);
  text.size -= skipped;
  return text;
}

static void test_next_version(void **state) {
  (void)state;
  struct sample sample;
  struct jr_table table;
  struct jr_table next_table;
  expect_ok(build_sample(&sample));
  struct sample next = write_next(&sample);
  expect_ok(jr_table_check(sample.image, sample.size, &table));
  expect_ok(jr_table_check(next.image, next.size, &next_table));
  assert_null(table.converted);
  assert_non_null(next_table.converted);
  assert_int_equal(next_table.header->version, JR_TABLE_VERSION + 1);
  assert_int_equal(jr_table_image_size(next.image, next.size), next.size);
  struct jr_bytes text = print_table(&table);
  struct jr_bytes next_text = print_table(&next_table);
  assert_string_equal(jr_bytes_text(&text), jr_bytes_text(&next_text));
  jr_bytes_deinit(&text);
  jr_bytes_deinit(&next_text);
  jr_table_close(&table);
  jr_table_close(&next_table);
  jr_table_close(&next_table);
  free(sample.image);
  free(next.image);
}

/// Every byte of what tells the layout.
static void test_damaged_layout(void **state) {
  (void)state;
  struct sample sample;
  expect_ok(build_sample(&sample));
  struct sample next = write_next(&sample);
  for (size_t i = 0; i < 600; i++) {
    for (unsigned flip = 1; flip < 256; flip *= 2) {
      struct jr_table table;
      next.image[i] ^= (unsigned char)flip;
      jitrun_error_free(jr_table_check(next.image, next.size, &table));
      jr_table_close(&table);
      next.image[i] ^= (unsigned char)flip;
    }
  }
  struct jr_section *sections =
      (void *)(next.image + offsetof(struct jr_table_header, sections) +
               MORE_HEADER);
  struct jr_table table;
  sections[JR_SECTION_COUNT].count = UINT32_MAX;
  expect_error(jr_table_check(next.image, next.size, &table), JITRUN_DATA_LOSS,
               "section 16");
  free(sample.image);
  free(next.image);
}

static void check_once(void *context) {
  const struct sample *next = context;
  struct jr_table table;
  jitrun_error_t *err = jr_table_check(next->image, next->size, &table);
  if (err)
    expect_error(err, JITRUN_RESOURCE_EXHAUSTED, "out of memory");
  jr_table_close(&table);
}

static void test_no_memory(void **state) {
  (void)state;
  struct sample sample;
  expect_ok(build_sample(&sample));
  struct sample next = write_next(&sample);
  sweep_allocations(check_once, &next);
  free(sample.image);
  free(next.image);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_next_version),
      cmocka_unit_test(test_damaged_layout),
      cmocka_unit_test(test_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
