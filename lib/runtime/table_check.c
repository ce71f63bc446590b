/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Checking images: the header, the bounds of the sections, strings and types.
/// Nothing behind the header is read before its bounds are known, and a section
/// is checked before those that refer to it: entries and allocations, then
/// parameters (table_check_entry.c), then call sites, their attributes and the
/// thunks that run them (table_check_site.c).
///
/// Records that belong to another one must follow each other in the order of
/// their owners: one cursor then shows that each has exactly one.
#include "runtime/table_check.h"

#include "base/dtype.h"
#include "base/strings.h"

#include <string.h>

bool jr_is_power_of_two(uint64_t value) {
  return value != 0 && (value & (value - 1)) == 0;
}

jitrun_error_t *jr_check_string(const struct jr_table *table, jr_str_t string,
                                const char *owner, uint64_t index) {
  if (string < table->header->sections[JR_SECTION_STRINGS].count)
    return NULL;
  return jr_error(JITRUN_DATA_LOSS,
                  "damaged image: %s %llu has a string at %u, outside of the "
                  "strings",
                  owner, (unsigned long long)index, string);
}

static jitrun_error_t *check_strings(const struct jr_table *table) {
  uint64_t size = table->header->sections[JR_SECTION_STRINGS].count;
  if (size == 0 || size > UINT32_MAX || table->strings[0] != '\0' ||
      table->strings[size - 1] != '\0')
    return jr_error(JITRUN_DATA_LOSS,
                    "damaged image: the strings (%llu bytes) do not begin and "
                    "end with a NUL",
                    (unsigned long long)size);
  return NULL;
}

/// The name of a user's type, if it has one, ends within the record.
static bool is_type_name(const jitrun_type_t *type) {
  size_t room = 2 * sizeof(int64_t) * type->rank;
  const char *name = (const char *)(type + 1);
  return room == 0 || (name[0] != '\0' && memchr(name, '\0', room));
}

static bool is_type_record(const jitrun_type_t *type) {
  size_t element_bytes = jr_dtype_size((jitrun_dtype_t)type->dtype);
  if (element_bytes == 0 || type->reserved != 0)
    return false;
  if (type->kind == JITRUN_KIND_OPAQUE)
    return type->dtype == JITRUN_DTYPE_OPAQUE && is_type_name(type);
  if (type->kind == JITRUN_KIND_TOKEN)
    return type->dtype == JITRUN_DTYPE_TOKEN && type->rank == 0;
  if (type->dtype == JITRUN_DTYPE_OPAQUE || type->dtype == JITRUN_DTYPE_TOKEN)
    return false;
  if (type->kind == JITRUN_KIND_SCALAR ||
      type->kind == JITRUN_KIND_ASYNC_SCALAR)
    return type->rank == 0 && element_bytes <= sizeof(uint64_t);
  if (type->kind != JITRUN_KIND_BUFFER &&
      type->kind != JITRUN_KIND_ASYNC_BUFFER)
    return false;
  const int64_t *dims = jitrun_type_dims(type);
  for (uint32_t i = 0; i < type->rank; i++) {
    if (dims[i] < 0 && dims[i] != JITRUN_DYNAMIC)
      return false;
  }
  return true;
}

jitrun_error_t *jr_check_type(const struct jr_table *table, jr_type_ref_t type,
                              const char *owner, uint64_t index) {
  uint64_t words = table->header->sections[JR_SECTION_TYPES].count;
  if (type < words) {
    const jitrun_type_t *record = jr_table_type(table, type);
    if (record->rank <= JR_TABLE_MAX_RANK &&
        2 * (uint64_t)record->rank < words - type && is_type_record(record))
      return NULL;
  }
  return jr_error(
      JITRUN_DATA_LOSS,
      "damaged image: %s %llu refers to word %u of the types, where "
      "no valid type is",
      owner, (unsigned long long)index, type);
}

/// The size in the header, if the magic and the version are right.
static jitrun_error_t *check_header(const void *image, size_t size_bytes) {
  struct jr_table_header header;
  if (size_bytes < sizeof header)
    return jr_error(JITRUN_DATA_LOSS,
                    "damaged image: %zu bytes are less than its header",
                    size_bytes);
  memcpy(&header, image, sizeof header);
  if (memcmp(header.magic, JR_TABLE_MAGIC, sizeof header.magic) != 0)
    return jr_error(JITRUN_DATA_LOSS,
                    "damaged image: it does not begin with the magic of one");
  if (header.version != JR_TABLE_VERSION)
    return jr_error(JITRUN_FAILED_PRECONDITION,
                    "the image has format version %u and this jitrun reads "
                    "version %u; compile the program again",
                    header.version, JR_TABLE_VERSION);
  if (header.size_bytes < sizeof header || header.size_bytes % 8 != 0 ||
      header.size_bytes > size_bytes)
    return jr_error(JITRUN_DATA_LOSS,
                    "damaged image: its header tells %llu bytes, %zu are there",
                    (unsigned long long)header.size_bytes, size_bytes);
  return NULL;
}

uint64_t jr_table_image_size(const void *image, size_t size_bytes) {
  jitrun_error_t *err = check_header(image, size_bytes);
  if (err) {
    jitrun_error_free(err);
    return 0;
  }
  struct jr_table_header header;
  memcpy(&header, image, sizeof header);
  uint64_t entry_count = header.sections[JR_SECTION_ENTRIES].count;
  uint64_t total = 0;
  if (entry_count >= JR_NONE ||
      !jr_add_u64(header.size_bytes, (entry_count + 1) * sizeof(int64_t),
                  &total) ||
      total > size_bytes)
    return 0;
  return total;
}

/// Every section lies behind the one before it and inside the image.
static jitrun_error_t *check_sections(const struct jr_table_header *header) {
  uint64_t cursor = sizeof *header;
  for (int i = 0; i < JR_SECTION_COUNT; i++) {
    const struct jr_section *section = &header->sections[i];
    uint64_t size = 0;
    uint64_t end = 0;
    if (section->offset % 8 != 0 || section->offset < cursor ||
        !jr_mul_u64(section->count,
                    jr_section_record_bytes((enum jr_section_kind)i), &size) ||
        !jr_add_u64(section->offset, size, &end) || end > header->size_bytes)
      return jr_error(JITRUN_DATA_LOSS,
                      "damaged image: section %d (%llu records at byte %llu) "
                      "does not fit into its %llu bytes",
                      i, (unsigned long long)section->count,
                      (unsigned long long)section->offset,
                      (unsigned long long)header->size_bytes);
    if (i != JR_SECTION_DATA && section->count >= JR_NONE)
      return jr_error(JITRUN_DATA_LOSS,
                      "damaged image: section %d has %llu records, more than "
                      "references can hold",
                      i, (unsigned long long)section->count);
    cursor = end;
  }
  return NULL;
}

static const void *section_start(const void *image, enum jr_section_kind kind) {
  const struct jr_table_header *header = image;
  return (const unsigned char *)image + header->sections[kind].offset;
}

static uint32_t section_count(const void *image, enum jr_section_kind kind) {
  const struct jr_table_header *header = image;
  return (uint32_t)header->sections[kind].count;
}

static struct jr_table locate_sections(const void *image) {
  const struct jr_table_header *header = image;
  return (struct jr_table){
      .image = image,
      .header = header,
      .strings = section_start(image, JR_SECTION_STRINGS),
      .types = section_start(image, JR_SECTION_TYPES),
      .entries = section_start(image, JR_SECTION_ENTRIES),
      .params = section_start(image, JR_SECTION_PARAMS),
      .allocs = section_start(image, JR_SECTION_ALLOCS),
      .sites = section_start(image, JR_SECTION_SITES),
      .args = section_start(image, JR_SECTION_ARGS),
      .attrs = section_start(image, JR_SECTION_ATTRS),
      .thunks = section_start(image, JR_SECTION_THUNKS),
      .asserts = section_start(image, JR_SECTION_ASSERTS),
      .imports = section_start(image, JR_SECTION_IMPORTS),
      .skipped = section_start(image, JR_SECTION_SKIPPED),
      .data = section_start(image, JR_SECTION_DATA),
      .entry_count = section_count(image, JR_SECTION_ENTRIES),
      .param_count = section_count(image, JR_SECTION_PARAMS),
      .alloc_count = section_count(image, JR_SECTION_ALLOCS),
      .arg_count = section_count(image, JR_SECTION_ARGS),
      .attr_count = section_count(image, JR_SECTION_ATTRS),
      .thunk_count = section_count(image, JR_SECTION_THUNKS),
      .assert_count = section_count(image, JR_SECTION_ASSERTS),
      .import_count = section_count(image, JR_SECTION_IMPORTS),
      .skipped_count = section_count(image, JR_SECTION_SKIPPED),
      .site_count = section_count(image, JR_SECTION_SITES),
      .data_size = header->sections[JR_SECTION_DATA].count,
      .code_offsets = (const int64_t *)(const void *)((const char *)image +
                                                      header->size_bytes),
  };
}

static jitrun_error_t *check_header_fields(const struct jr_table *table) {
  const struct jr_table_header *header = table->header;
  const jr_str_t strings[] = {header->producer, header->source,
                              header->triple,   header->data_layout,
                              header->cpu,      header->features};
  for (size_t i = 0; i < sizeof strings / sizeof strings[0]; i++)
    JITRUN_TRY(jr_check_string(table, strings[i], "the header's text", i));
  bool has_temps = header->temp_bytes > 0;
  if (has_temps && (!jr_is_power_of_two(header->temp_alignment) ||
                    header->temp_alignment > JR_TABLE_MAX_ALIGNMENT ||
                    header->temp_bytes > INT64_MAX))
    return jr_error(JITRUN_DATA_LOSS,
                    "damaged image: temporary memory of %llu bytes aligned to "
                    "%llu",
                    (unsigned long long)header->temp_bytes,
                    (unsigned long long)header->temp_alignment);
  return NULL;
}

static jitrun_error_t *check_asserts(const struct jr_table *table) {
  for (uint32_t i = 0; i < table->assert_count; i++) {
    JITRUN_TRY(
        jr_check_string(table, table->asserts[i].message, "assertion", i));
    JITRUN_TRY(jr_check_string(table, table->asserts[i].file, "assertion", i));
  }
  return NULL;
}

static jitrun_error_t *check_functions(const struct jr_table *table) {
  for (uint32_t i = 0; i < table->import_count; i++)
    JITRUN_TRY(jr_check_string(table, table->imports[i].name, "import", i));
  for (uint32_t i = 0; i < table->skipped_count; i++) {
    const struct jr_skipped *skipped = &table->skipped[i];
    JITRUN_TRY(jr_check_string(table, skipped->name, "skipped function", i));
    JITRUN_TRY(jr_check_string(table, skipped->reason, "skipped function", i));
  }
  return NULL;
}

/// What runs: calls, what thunks do with them, what they can say.
static jitrun_error_t *check_calls(const struct jr_table *table) {
  JITRUN_TRY(jr_check_sites(table));
  JITRUN_TRY(jr_check_attrs(table));
  JITRUN_TRY(jr_check_thunks(table));
  JITRUN_TRY(check_asserts(table));
  return check_functions(table);
}

static jitrun_error_t *check_records(const struct jr_table *table) {
  JITRUN_TRY(check_strings(table));
  JITRUN_TRY(check_header_fields(table));
  JITRUN_TRY(jr_check_entries(table));
  JITRUN_TRY(jr_check_allocs(table));
  JITRUN_TRY(jr_check_params(table));
  return check_calls(table);
}

jitrun_error_t *jr_table_check(const void *image, size_t size_bytes,
                               struct jr_table *out_table) {
  *out_table = (struct jr_table){0};
  if ((uintptr_t)image % sizeof(int64_t) != 0)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the image at %p is not aligned to 8 bytes", image);
  JITRUN_TRY(check_header(image, size_bytes));
  JITRUN_TRY(check_sections(image));
  if (jr_table_image_size(image, size_bytes) == 0)
    return jr_error(JITRUN_DATA_LOSS,
                    "damaged image: %zu bytes end before its code offsets",
                    size_bytes);
  struct jr_table table = locate_sections(image);
  JITRUN_TRY(check_records(&table));
  *out_table = table;
  return NULL;
}
