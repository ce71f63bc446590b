/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Writing images. Each section is a growing run of bytes; what refers to a
/// record is its index, so nothing has to be patched when a section moves.
/// Strings and types are kept once each, found by their hash.
#include "runtime/table_write.h"

#include "base/alloc.h"
#include "base/dtype.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { FIRST_INTERN_CAPACITY = 64 };

void jr_table_writer_init(struct jr_table_writer *writer) {
  *writer = (struct jr_table_writer){0};
  // String 0 is "".
  (void)jr_bytes_extend(&writer->sections[JR_SECTION_STRINGS], 1);
}

void jr_table_writer_deinit(struct jr_table_writer *writer) {
  for (int i = 0; i < JR_SECTION_COUNT; i++)
    jr_bytes_deinit(&writer->sections[i]);
  jr_bytes_deinit(&writer->constants);
  free(writer->strings.slots);
  free(writer->types.slots);
  *writer = (struct jr_table_writer){0};
}

void *jr_table_add(struct jr_table_writer *writer, enum jr_section_kind section,
                   uint32_t count) {
  return jr_bytes_extend(&writer->sections[section],
                         count * jr_section_record_bytes(section));
}

uint32_t jr_table_count(const struct jr_table_writer *writer,
                        enum jr_section_kind section) {
  // A count that does not fit is refused by jr_table_finish().
  return (uint32_t)(writer->sections[section].size /
                    jr_section_record_bytes(section));
}

void jr_table_truncate(struct jr_table_writer *writer,
                       enum jr_section_kind section, uint32_t count) {
  size_t size = count * jr_section_record_bytes(section);
  if (size < writer->sections[section].size)
    writer->sections[section].size = size;
}

void *jr_table_at(struct jr_table_writer *writer, enum jr_section_kind section,
                  uint32_t index) {
  if (index >= jr_table_count(writer, section))
    return NULL;
  return writer->sections[section].data +
         index * jr_section_record_bytes(section);
}

/// One lookup of interned bytes: `size` bytes at `key`, kept in `bytes`. Where
/// `has_nul` is set, a NUL ends what is kept.
struct lookup {
  struct jr_bytes *bytes;
  const void *key;
  size_t size;
  bool has_nul;
};

static bool is_kept_at(const struct lookup *lookup, size_t offset) {
  const struct jr_bytes *bytes = lookup->bytes;
  size_t room = bytes->size - offset;
  if (lookup->size + lookup->has_nul > room)
    return false;
  const unsigned char *kept = bytes->data + offset;
  return memcmp(kept, lookup->key, lookup->size) == 0 &&
         (!lookup->has_nul || kept[lookup->size] == '\0');
}

/// The slot that holds the key, or the empty one where it belongs.
static size_t find_slot(const struct jr_intern_table *table,
                        const struct lookup *lookup) {
  size_t mask = table->capacity - 1;
  size_t slot = (size_t)XXH3_64bits(lookup->key, lookup->size) & mask;
  while (table->slots[slot] && !is_kept_at(lookup, table->slots[slot] - 1))
    slot = (slot + 1) & mask;
  return slot;
}

/// The bytes that a used slot stands for, to be hashed again.
static struct lookup lookup_of_slot(const struct lookup *like, uint32_t slot) {
  struct lookup kept = *like;
  kept.key = like->bytes->data + (slot - 1);
  if (like->has_nul) {
    kept.size = strlen(kept.key);
  } else {
    jitrun_type_t type;
    memcpy(&type, kept.key, sizeof type);
    kept.size = jr_type_record_size(type.rank);
  }
  return kept;
}

/// Doubles the table once it is three quarters full; false without memory.
static bool grow_intern_table(struct jr_intern_table *table,
                              const struct lookup *like) {
  if (table->count < table->capacity / 4 * 3)
    return true;
  struct jr_intern_table grown = {.count = table->count};
  grown.capacity =
      table->capacity ? 2 * table->capacity : FIRST_INTERN_CAPACITY;
  grown.slots = jr_calloc(grown.capacity, sizeof *grown.slots);
  if (!grown.slots)
    return false;
  for (size_t i = 0; i < table->capacity; i++) {
    if (table->slots[i] == 0)
      continue;
    struct lookup kept = lookup_of_slot(like, table->slots[i]);
    grown.slots[find_slot(&grown, &kept)] = table->slots[i];
  }
  free(table->slots);
  *table = grown;
  return true;
}

/// The offset of the key in lookup->bytes, where it is added if it is new; 0
/// without memory, which jr_table_finish() reports.
static size_t intern_bytes(struct jr_intern_table *table,
                           const struct lookup *lookup) {
  struct jr_bytes *bytes = lookup->bytes;
  if (!grow_intern_table(table, lookup))
    bytes->failed = true;
  if (bytes->failed)
    return 0;
  size_t slot = find_slot(table, lookup);
  if (table->slots[slot])
    return table->slots[slot] - 1;
  size_t offset = bytes->size;
  unsigned char *kept = NULL;
  if (offset < UINT32_MAX) // what a slot can hold
    kept = jr_bytes_extend(bytes, lookup->size + lookup->has_nul);
  if (!kept) {
    bytes->failed = true;
    return 0;
  }
  memcpy(kept, lookup->key, lookup->size);
  table->slots[slot] = (uint32_t)offset + 1;
  table->count++;
  return offset;
}

bool jr_table_lacks_memory(const struct jr_table_writer *writer) {
  bool lacks = writer->constants.failed;
  for (int i = 0; i < JR_SECTION_COUNT; i++)
    lacks = lacks || writer->sections[i].failed;
  return lacks;
}

jr_str_t jr_table_add_string(struct jr_table_writer *writer, const char *text,
                             size_t size) {
  struct lookup lookup = {
      .bytes = &writer->sections[JR_SECTION_STRINGS],
      .key = text,
      // What is behind a NUL could not be read back.
      .size = size ? strnlen(text, size) : 0,
      .has_nul = true,
  };
  if (lookup.size == 0)
    return 0;
  return (jr_str_t)intern_bytes(&writer->strings, &lookup);
}

jr_type_ref_t jr_table_add_type(struct jr_table_writer *writer, uint8_t kind,
                                uint8_t dtype, uint16_t rank,
                                const int64_t *extents) {
  enum { FEW_EXTENTS = 16 };
  struct {
    jitrun_type_t type;
    int64_t extents[FEW_EXTENTS];
  } few = {.type = {.kind = kind, .dtype = dtype, .rank = rank}};
  struct jr_bytes many = {0};
  size_t extent_count = 2 * (size_t)rank;
  struct lookup lookup = {.bytes = &writer->sections[JR_SECTION_TYPES],
                          .key = &few,
                          .size = jr_type_record_size(rank)};
  if (extent_count > FEW_EXTENTS) {
    jr_bytes_append(&many, &few.type, sizeof few.type);
    jr_bytes_append(&many, extents, extent_count * sizeof *extents);
    lookup.key = many.data;
  } else if (extent_count > 0) {
    memcpy(few.extents, extents, extent_count * sizeof *extents);
  }
  size_t offset = 0;
  if (many.failed)
    lookup.bytes->failed = true;
  else
    offset = intern_bytes(&writer->types, &lookup);
  jr_bytes_deinit(&many);
  return (jr_type_ref_t)(offset / sizeof(int64_t));
}

const jitrun_type_t *jr_table_written_type(const struct jr_table_writer *writer,
                                           jr_type_ref_t type) {
  // A type that could not be added reads as this one.
  static const jitrun_type_t none = {.kind = JITRUN_KIND_SCALAR};
  const struct jr_bytes *bytes = &writer->sections[JR_SECTION_TYPES];
  size_t offset = type * sizeof(int64_t);
  if (offset >= bytes->size)
    return &none;
  return (const jitrun_type_t *)(const void *)(bytes->data + offset);
}

uint64_t jr_table_add_data(struct jr_table_writer *writer, const void *data,
                           size_t size, size_t alignment) {
  struct jr_bytes *bytes = &writer->sections[JR_SECTION_DATA];
  jr_bytes_align(bytes, alignment);
  uint64_t offset = bytes->size;
  void *start = jr_bytes_extend(bytes, size);
  if (start && data && size > 0)
    memcpy(start, data, size);
  return offset;
}

uint64_t jr_table_move_constant(struct jr_table_writer *writer, uint64_t offset,
                                size_t size) {
  struct jr_bytes *data = &writer->sections[JR_SECTION_DATA];
  struct jr_bytes *file = &writer->constants;
  if (data->failed || size > data->size || offset != data->size - size)
    return offset;
  jr_bytes_align(file, JR_TABLE_ALIGNMENT);
  uint64_t moved = file->size;
  jr_bytes_append(file, data->data + offset, size);
  data->size = offset;
  return moved;
}

void *jr_table_data_at(struct jr_table_writer *writer, uint64_t offset) {
  struct jr_bytes *bytes = &writer->sections[JR_SECTION_DATA];
  return offset <= bytes->size && bytes->data ? bytes->data + offset : NULL;
}

/// Refuses a section that 32-bit references cannot address; sites and data are
/// counted in 64 bits, but a site's index fits as well.
static jitrun_error_t *check_section(const struct jr_table_writer *writer,
                                     int section) {
  static const char *const names[JR_SECTION_COUNT] = {
      "strings",
      "types",
      "entries",
      "parameters",
      "allocations",
      "calls",
      "operands",
      "attributes",
      "thunks",
      "assertions",
      "functions from outside",
      "functions that are no entries",
      "data",
      "traces",
      "registers of thunks",
      "computations"};
  const struct jr_bytes *bytes = &writer->sections[section];
  JITRUN_TRY(jr_bytes_check(bytes));
  uint64_t count =
      bytes->size / jr_section_record_bytes((enum jr_section_kind)section);
  if (section != JR_SECTION_DATA && count >= JR_NONE)
    return jr_error(JITRUN_OUT_OF_RANGE,
                    "the program has too many %s: %llu, at most %u fit in an "
                    "image; split it into several",
                    names[section], (unsigned long long)count, JR_NONE - 1);
  return NULL;
}

/// Fills in what follows from the sections.
static void complete_header(struct jr_table_writer *writer) {
  struct jr_table_header *header = &writer->header;
  memcpy(header->magic, JR_TABLE_MAGIC, sizeof header->magic);
  header->version = JR_TABLE_VERSION;
  header->reader_version = JR_TABLE_VERSION;
  header->header_bytes = offsetof(struct jr_table_header, sections);
  header->section_count = JR_SECTION_COUNT;
  if (writer->constants.size > 0) {
    XXH128_canonical_t hash;
    XXH128_canonicalFromHash(
        &hash, XXH3_128bits(writer->constants.data, writer->constants.size));
    memcpy(header->constants_hash, hash.digest, sizeof header->constants_hash);
    header->constants_bytes = writer->constants.size;
  }
  uint64_t offset = sizeof *header;
  for (int i = 0; i < JR_SECTION_COUNT; i++) {
    uint64_t alignment = i == JR_SECTION_DATA ? JR_TABLE_ALIGNMENT : 8;
    uint64_t size = writer->sections[i].size;
    offset = (offset + alignment - 1) / alignment * alignment;
    header->sections[i] = (struct jr_section){
        .offset = offset,
        .count = size / jr_section_record_bytes((enum jr_section_kind)i),
        .record_bytes = jr_section_record_bytes((enum jr_section_kind)i),
    };
    offset += size;
  }
  header->size_bytes = (offset + 7) / 8 * 8;
}

jitrun_error_t *jr_table_finish(struct jr_table_writer *writer,
                                struct jr_bytes *out_image) {
  for (int i = 0; i < JR_SECTION_COUNT; i++)
    JITRUN_TRY(check_section(writer, i));
  JITRUN_TRY(jr_bytes_check(&writer->constants));
  complete_header(writer);
  const struct jr_table_header *header = &writer->header;
  size_t code_bytes =
      (header->sections[JR_SECTION_ENTRIES].count + 1) * sizeof(int64_t);
  unsigned char *image =
      jr_bytes_extend(out_image, header->size_bytes + code_bytes);
  if (!image)
    return jr_error_no_memory();
  memcpy(image, header, sizeof *header);
  for (int i = 0; i < JR_SECTION_COUNT; i++) {
    const struct jr_bytes *bytes = &writer->sections[i];
    if (bytes->size > 0)
      memcpy(image + header->sections[i].offset, bytes->data, bytes->size);
  }
  return NULL;
}
