/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Writing images. Life: init -> add records in any order -> finish -> deinit.
/// Strings and types are interned. Out of memory is remembered and reported by
/// finish.
#ifndef JR_RUNTIME_TABLE_WRITE_H
#define JR_RUNTIME_TABLE_WRITE_H

#include "runtime/table.h"

struct jr_intern_table {
  uint32_t *slots; ///< offset + 1 of what is interned, 0 empty
  size_t capacity, count;
};

struct jr_table_writer {
  struct jr_bytes sections[JR_SECTION_COUNT];
  struct jr_bytes constants; ///< content of the file of constants
  struct jr_intern_table strings, types;
  struct jr_table_header header; ///< set the fields that sections do not imply:
                                 ///< strings, hashes, machine, temp_*
};

void jr_table_writer_init(struct jr_table_writer *writer);
void jr_table_writer_deinit(struct jr_table_writer *writer);

/// True when something could not be added.
bool jr_table_lacks_memory(const struct jr_table_writer *writer);

/// Adds `count` zeroed records to a record section and returns the first, or
/// NULL without memory; valid until the section grows again.
void *jr_table_add(struct jr_table_writer *writer, enum jr_section_kind section,
                   uint32_t count);

/// Number of records so far: the index the next one gets.
uint32_t jr_table_count(const struct jr_table_writer *writer,
                        enum jr_section_kind section);

/// Takes away what was added to a record section since there were `count`.
void jr_table_truncate(struct jr_table_writer *writer,
                       enum jr_section_kind section, uint32_t count);

/// Record `index` of a section, to read or change.
void *jr_table_at(struct jr_table_writer *writer, enum jr_section_kind section,
                  uint32_t index);

jr_str_t jr_table_add_string(struct jr_table_writer *writer, const char *text,
                             size_t size);

/// Adds a type; `extents` are `rank` dims then `rank` strides.
jr_type_ref_t jr_table_add_type(struct jr_table_writer *writer, uint8_t kind,
                                uint8_t dtype, uint16_t rank,
                                const int64_t *extents);

/// The type record itself; valid until the next type is added.
const jitrun_type_t *jr_table_written_type(const struct jr_table_writer *writer,
                                           jr_type_ref_t type);

/// Adds bytes to SECTION_DATA at the given alignment (power of two, at most
/// JR_TABLE_ALIGNMENT) and returns their offset. `data` NULL adds zeros.
uint64_t jr_table_add_data(struct jr_table_writer *writer, const void *data,
                           size_t size, size_t alignment);

/// Moves the last `size` bytes that were added to SECTION_DATA, at `offset`,
/// into the file of constants, and returns their offset there.
uint64_t jr_table_move_constant(struct jr_table_writer *writer, uint64_t offset,
                                size_t size);

/// Address of data added before, to fill in place; valid until more is added.
void *jr_table_data_at(struct jr_table_writer *writer, uint64_t offset);

/// Bytes of a frame with so many arguments and results, before type records.
uint32_t jr_frame_header_bytes(uint32_t arg_count, uint32_t result_count);

/// Puts header and sections together; the code offsets (zero) are appended, so
/// the result is a complete image without code. SECTION_DATA begins at a
/// multiple of JR_TABLE_ALIGNMENT. RESOURCE_EXHAUSTED, or OUT_OF_RANGE when a
/// section passes what its references can hold.
jitrun_error_t *jr_table_finish(struct jr_table_writer *writer,
                                struct jr_bytes *out_image)
    __attribute__((warn_unused_result));

#endif
