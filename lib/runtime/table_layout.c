/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Where things are in an image, of this version or another one. What was added
/// to the format since stands at the ends: of the header, of the list of
/// sections, of the records. So what an older image lacks reads as zero, and
/// what a newer one has more is passed over, if it says that it may be. Nothing
/// is read before its bounds are known. Images of this version are used where
/// they are; only records of another size are copied.
#include "runtime/table_check.h"

#include "base/alloc.h"
#include "base/strings.h"

#include <stdlib.h>
#include <string.h>

enum {
  FIXED_BYTES = offsetof(struct jr_table_header, sections),
  LEAST_BYTES = offsetof(struct jr_table_header, source_hash),
  MOST_RECORD_BYTES = 4096
};

/// Magic, versions and size.
static jitrun_error_t *check_versions(const struct jr_table_header *header) {
  if (memcmp(header->magic, JR_TABLE_MAGIC, sizeof header->magic) != 0)
    return jr_error(JITRUN_DATA_LOSS,
                    "damaged image: it does not begin with the magic of one");
  if (header->version < JR_TABLE_OLDEST)
    return jr_error(JITRUN_FAILED_PRECONDITION,
                    "the image has format version %u, and this jitrun reads "
                    "versions from %u on; compile the program again",
                    header->version, JR_TABLE_OLDEST);
  if (header->reader_version > JR_TABLE_VERSION)
    return jr_error(JITRUN_FAILED_PRECONDITION,
                    "the image has format version %u, for readers of version "
                    "%u on, and this jitrun reads version %u; use a newer "
                    "jitrun, or compile the program with this one",
                    header->version, header->reader_version, JR_TABLE_VERSION);
  if (header->reader_version < JR_TABLE_OLDEST ||
      header->reader_version > header->version)
    return jr_error(JITRUN_DATA_LOSS,
                    "damaged image: format version %u for readers of version "
                    "%u",
                    header->version, header->reader_version);
  return NULL;
}

/// True when something of this version's `known` bytes may have `found` in an
/// image of that version: nothing but its end ever changes.
static bool is_size(uint32_t version, uint64_t found, uint64_t known) {
  if (version == JR_TABLE_VERSION)
    return found == known;
  return version < JR_TABLE_VERSION ? found <= known : found >= known;
}

static jitrun_error_t *check_size(const struct jr_table_header *header,
                                  size_t size_bytes) {
  uint64_t sections =
      (uint64_t)header->section_count * sizeof(struct jr_section);
  if (header->header_bytes < LEAST_BYTES || header->header_bytes % 8 != 0 ||
      !is_size(header->version, header->header_bytes, FIXED_BYTES) ||
      !is_size(header->version, header->section_count, JR_SECTION_COUNT))
    return jr_error(JITRUN_DATA_LOSS,
                    "damaged image: a header of %u bytes with %u sections",
                    header->header_bytes, header->section_count);
  if (header->size_bytes % 8 != 0 || header->size_bytes > size_bytes ||
      header->size_bytes < header->header_bytes + sections)
    return jr_error(JITRUN_DATA_LOSS,
                    "damaged image: its header tells %llu bytes, %zu are there",
                    (unsigned long long)header->size_bytes, size_bytes);
  return NULL;
}

static bool is_bytes(uint32_t kind) {
  return kind == JR_SECTION_STRINGS || kind == JR_SECTION_TYPES ||
         kind == JR_SECTION_DATA;
}

/// The size of a section's records is one that can be read.
static bool is_record_size(const struct jr_table_header *header, uint32_t kind,
                           uint64_t size) {
  if (kind >= JR_SECTION_COUNT)
    return size <= MOST_RECORD_BYTES;
  uint64_t known = jr_section_record_bytes((enum jr_section_kind)kind);
  if (is_bytes(kind))
    return size == known;
  return size != 0 && size % 4 == 0 && size <= MOST_RECORD_BYTES &&
         is_size(header->version, size, known);
}

/// A section lies behind the one before it, which ends at `cursor`, and inside
/// the image.
static jitrun_error_t *check_section(const struct jr_table_header *header,
                                     uint32_t kind,
                                     const struct jr_section *section,
                                     uint64_t *cursor) {
  uint64_t size = 0;
  uint64_t end = 0;
  if (!is_record_size(header, kind, section->record_bytes) ||
      section->offset % 8 != 0 || section->offset < *cursor ||
      !jr_mul_u64(section->count, section->record_bytes, &size) ||
      !jr_add_u64(section->offset, size, &end) || end > header->size_bytes)
    return jr_error(
        JITRUN_DATA_LOSS,
        "damaged image: section %u (%llu records of %llu bytes at byte %llu) "
        "does not fit into its %llu bytes",
        kind, (unsigned long long)section->count,
        (unsigned long long)section->record_bytes,
        (unsigned long long)section->offset,
        (unsigned long long)header->size_bytes);
  if (kind != JR_SECTION_DATA && section->count >= JR_NONE)
    return jr_error(JITRUN_DATA_LOSS,
                    "damaged image: section %u has %llu records, more than "
                    "references can hold",
                    kind, (unsigned long long)section->count);
  *cursor = end;
  return NULL;
}

/// Checks all sections, takes those that are known.
static jitrun_error_t *read_sections(const void *image,
                                     struct jr_table_header *header) {
  const unsigned char *start =
      (const unsigned char *)image + header->header_bytes;
  uint64_t cursor = header->header_bytes +
                    (uint64_t)header->section_count * sizeof(struct jr_section);
  for (uint32_t i = 0; i < header->section_count; i++) {
    struct jr_section section;
    memcpy(&section, start + i * sizeof section, sizeof section);
    JITRUN_TRY(check_section(header, i, &section, &cursor));
    if (i < JR_SECTION_COUNT)
      header->sections[i] = section;
  }
  for (uint32_t i = header->section_count; i < JR_SECTION_COUNT; i++)
    header->sections[i] = (struct jr_section){
        .offset = header->size_bytes,
        .record_bytes = jr_section_record_bytes((enum jr_section_kind)i)};
  return NULL;
}

jitrun_error_t *jr_table_read_header(const void *image, size_t size_bytes,
                                     struct jr_table_header *out_header) {
  *out_header = (struct jr_table_header){0};
  if (size_bytes < LEAST_BYTES)
    return jr_error(JITRUN_DATA_LOSS,
                    "damaged image: %zu bytes are less than its header",
                    size_bytes);
  memcpy(out_header, image, LEAST_BYTES);
  JITRUN_TRY(check_versions(out_header));
  JITRUN_TRY(check_size(out_header, size_bytes));
  size_t known = out_header->header_bytes < FIXED_BYTES
                     ? out_header->header_bytes
                     : FIXED_BYTES;
  memcpy(out_header, image, known);
  return read_sections(image, out_header);
}

uint64_t jr_table_image_size(const void *image, size_t size_bytes) {
  struct jr_table_header header;
  jitrun_error_t *err = jr_table_read_header(image, size_bytes, &header);
  if (err) {
    jitrun_error_free(err);
    return 0;
  }
  uint64_t offsets = header.sections[JR_SECTION_ENTRIES].count + 1;
  uint64_t total = 0;
  if (!jr_add_u64(header.size_bytes, offsets * sizeof(int64_t), &total) ||
      total > size_bytes)
    return 0;
  return total;
}

/// Bytes that records of another size take once they are converted; 0 for
/// records that are as declared.
static uint64_t converted_bytes(const struct jr_table_header *header,
                                uint32_t kind) {
  uint64_t known = jr_section_record_bytes((enum jr_section_kind)kind);
  const struct jr_section *section = &header->sections[kind];
  return section->record_bytes == known ? 0
                                        : (section->count * known + 7) / 8 * 8;
}

static void convert_records(const struct jr_section *section,
                            const unsigned char *image, size_t known,
                            unsigned char *out_records) {
  size_t kept = section->record_bytes < known ? section->record_bytes : known;
  for (uint64_t i = 0; i < section->count; i++)
    memcpy(out_records + i * known,
           image + section->offset + i * section->record_bytes, kept);
}

/// The starts of all sections, of records as declared; the header as well.
static jitrun_error_t *convert_image(const unsigned char *image,
                                     const struct jr_table_header *header,
                                     const void **starts,
                                     struct jr_table *out_table) {
  uint64_t total = sizeof *header; // below 2^32 records of a few bytes each
  for (uint32_t i = 0; i < JR_SECTION_COUNT; i++)
    total += converted_bytes(header, i);
  unsigned char *block = jr_calloc(total, 1);
  if (!block)
    return jr_error_no_memory();
  memcpy(block, header, sizeof *header);
  out_table->converted = block;
  out_table->header = (const struct jr_table_header *)(const void *)block;
  unsigned char *place = block + sizeof *header;
  for (uint32_t i = 0; i < JR_SECTION_COUNT; i++) {
    uint64_t size = converted_bytes(header, i);
    if (size == 0)
      continue;
    convert_records(&header->sections[i], image,
                    jr_section_record_bytes((enum jr_section_kind)i), place);
    starts[i] = place;
    place += size;
  }
  return NULL;
}

static bool is_as_declared(const struct jr_table_header *header) {
  for (uint32_t i = 0; i < JR_SECTION_COUNT; i++) {
    if (converted_bytes(header, i) != 0)
      return false;
  }
  return header->header_bytes == FIXED_BYTES &&
         header->section_count == JR_SECTION_COUNT;
}

static void count_records(const struct jr_table_header *header,
                          struct jr_table *table) {
  const struct jr_section *sections = header->sections;
  table->entry_count = (uint32_t)sections[JR_SECTION_ENTRIES].count;
  table->param_count = (uint32_t)sections[JR_SECTION_PARAMS].count;
  table->alloc_count = (uint32_t)sections[JR_SECTION_ALLOCS].count;
  table->site_count = sections[JR_SECTION_SITES].count;
  table->arg_count = (uint32_t)sections[JR_SECTION_ARGS].count;
  table->attr_count = (uint32_t)sections[JR_SECTION_ATTRS].count;
  table->thunk_count = (uint32_t)sections[JR_SECTION_THUNKS].count;
  table->assert_count = (uint32_t)sections[JR_SECTION_ASSERTS].count;
  table->import_count = (uint32_t)sections[JR_SECTION_IMPORTS].count;
  table->skipped_count = (uint32_t)sections[JR_SECTION_SKIPPED].count;
  table->register_count = (uint32_t)sections[JR_SECTION_REGISTERS].count;
  table->computation_count = (uint32_t)sections[JR_SECTION_COMPUTATIONS].count;
  table->data_size = sections[JR_SECTION_DATA].count;
  table->region_count = (uint32_t)sections[JR_SECTION_REGIONS].count;
}

jitrun_error_t *jr_table_locate(const void *image,
                                const struct jr_table_header *header,
                                struct jr_table *out_table) {
  const void *starts[JR_SECTION_COUNT];
  *out_table = (struct jr_table){.image = image, .header = image};
  for (uint32_t i = 0; i < JR_SECTION_COUNT; i++)
    starts[i] = out_table->image + header->sections[i].offset;
  if (!is_as_declared(header))
    JITRUN_TRY(convert_image(image, header, starts, out_table));
  count_records(header, out_table);
  out_table->strings = starts[JR_SECTION_STRINGS];
  out_table->types = starts[JR_SECTION_TYPES];
  out_table->entries = starts[JR_SECTION_ENTRIES];
  out_table->params = starts[JR_SECTION_PARAMS];
  out_table->allocs = starts[JR_SECTION_ALLOCS];
  out_table->sites = starts[JR_SECTION_SITES];
  out_table->args = starts[JR_SECTION_ARGS];
  out_table->attrs = starts[JR_SECTION_ATTRS];
  out_table->thunks = starts[JR_SECTION_THUNKS];
  out_table->asserts = starts[JR_SECTION_ASSERTS];
  out_table->imports = starts[JR_SECTION_IMPORTS];
  out_table->skipped = starts[JR_SECTION_SKIPPED];
  out_table->data = starts[JR_SECTION_DATA];
  out_table->regions = starts[JR_SECTION_REGIONS];
  out_table->registers = starts[JR_SECTION_REGISTERS];
  out_table->computations = starts[JR_SECTION_COMPUTATIONS];
  jr_table_set_code(out_table, image);
  return NULL;
}

void jr_table_set_code(struct jr_table *table, const void *image) {
  table->code = image;
  table->code_offsets =
      (const int64_t *)(const void *)(table->code + table->header->size_bytes);
}

void jr_table_close(struct jr_table *table) {
  free(table->converted);
  *table = (struct jr_table){0};
}
