/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Checking images: what the header says, strings and types. Where the sections
/// are was found out before (table_layout.c), and a section
/// is checked before those that refer to it: entries and allocations, then
/// parameters (table_check_entry.c), then call sites, their attributes and the
/// thunks that run them (table_check_site.c).
///
/// Records that belong to another one must follow each other in the order of
/// their owners: one cursor then shows that each has exactly one.
#include "runtime/table_check.h"

#include "base/dtype.h"
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

static jitrun_error_t *check_header_fields(const struct jr_table *table) {
  const struct jr_table_header *header = table->header;
  const jr_str_t strings[] = {
      header->producer, header->source,   header->triple,   header->data_layout,
      header->cpu,      header->features, header->constants};
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
  if (header->temp_sum_bytes > 0 &&
      (header->temp_peak_bytes > header->temp_bytes ||
       header->temp_bytes > header->temp_sum_bytes))
    return jr_error(JITRUN_DATA_LOSS,
                    "damaged image: temporary memory of %llu bytes, %llu in "
                    "use at once, of %llu",
                    (unsigned long long)header->temp_bytes,
                    (unsigned long long)header->temp_peak_bytes,
                    (unsigned long long)header->temp_sum_bytes);
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

/// A region stands behind the one that it is in, so that none is in itself.
static jitrun_error_t *check_regions(const struct jr_table *table) {
  for (uint32_t i = 0; i < table->region_count; i++) {
    JITRUN_TRY(jr_check_string(table, table->regions[i].name, "region", i));
    if (table->regions[i].parent > i)
      return jr_error(JITRUN_DATA_LOSS,
                      "damaged image: region %u is in region %u, which is not "
                      "in front of it",
                      i, table->regions[i].parent - 1);
  }
  return NULL;
}

/// What runs: calls, what thunks do with them, what they can say.
static jitrun_error_t *check_calls(const struct jr_table *table) {
  JITRUN_TRY(jr_check_sites(table));
  JITRUN_TRY(jr_check_attrs(table));
  JITRUN_TRY(jr_check_thunks(table));
  JITRUN_TRY(check_asserts(table));
  JITRUN_TRY(check_regions(table));
  return check_functions(table);
}

static jitrun_error_t *check_records(struct jr_table *table) {
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
  struct jr_table_header header;
  JITRUN_TRY(jr_table_read_header(image, size_bytes, &header));
  if (jr_table_image_size(image, size_bytes) == 0)
    return jr_error(JITRUN_DATA_LOSS,
                    "damaged image: %zu bytes end before its code offsets",
                    size_bytes);
  JITRUN_TRY(jr_table_locate(image, &header, out_table));
  jitrun_error_t *err = check_records(out_table);
  if (err)
    jr_table_close(out_table);
  return err;
}
