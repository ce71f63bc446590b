/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See guard.h: bytecode. MLIR's reader checks most of it by itself, but makes
/// room for as many strings, types and dialects as the file says there are,
/// however short it is.
#include "jit/guard.h"
#include "jit/guard_reader.h"

#include <inttypes.h>
#include <string.h>

enum {
  MAGIC_BYTES = 4,
  NEWEST_VERSION = 6, ///< that MLIR 22 reads
  WITH_NAME_COUNT = 4 ///< version since which names of operations are counted
};

static jitrun_error_t *refuse_damage(const char *name, const char *what) {
  return jr_error_at(
      jr_error(JITRUN_DATA_LOSS, "the bytecode is damaged: %s", what), name, 0,
      0);
}

/// Dialects, and the names of operations.
static bool names_fit(const unsigned char *file, uint64_t version,
                      struct jr_guard_reader section) {
  uint64_t count;
  if (!jr_guard_count(&section, &count))
    return false;
  for (uint64_t i = 0; i < count; i++) {
    uint64_t name;
    unsigned id;
    struct jr_guard_reader ignored;
    if (!jr_guard_number(&section, &name))
      return false;
    bool has_version = version >= JR_GUARD_DIALECT_VERSIONS && (name & 1);
    if (has_version && jr_guard_section(file, &section, &id, &ignored))
      return false;
  }
  return version < WITH_NAME_COUNT || jr_guard_count(&section, &count);
}

/// Each string has the NUL at its end, which MLIR takes off.
static const char *check_strings(struct jr_guard_reader section) {
  uint64_t count;
  if (!jr_guard_count(&section, &count))
    return "a section counts more than it can hold";
  for (uint64_t i = 0; i < count; i++) {
    uint64_t size;
    if (!jr_guard_number(&section, &size))
      return "the sizes of strings are cut off";
    if (size == 0)
      return "a string has no end";
  }
  return NULL;
}

/// What the counts in a section say, or NULL when all is well.
static const char *check_content(const struct jr_guard_file *file, unsigned id,
                                 struct jr_guard_reader section) {
  uint64_t size = (uint64_t)(section.end - section.at);
  uint64_t count = 0;
  if (id == JR_GUARD_OPERATIONS)
    return jr_guard_operations(file->start, file->version, section);
  if (id == JR_GUARD_STRINGS)
    return check_strings(section);
  bool fits = true;
  if (id == JR_GUARD_DIALECTS)
    fits = names_fit(file->start, file->version, section);
  else if (id == JR_GUARD_PROPERTIES)
    fits = jr_guard_count(&section, &count);
  for (int i = 0; id == JR_GUARD_OFFSETS && i < 2; i++)
    fits = fits && jr_guard_number(&section, &count) && count <= size;
  return fits ? NULL : "a section counts more than it can hold";
}

/// Goes behind what aligns a section.
static bool skip_padding(const unsigned char *file,
                         struct jr_guard_reader *reader) {
  uint64_t alignment;
  unsigned char byte;
  if (!jr_guard_number(reader, &alignment) || alignment == 0 ||
      (alignment & (alignment - 1)) != 0 || alignment > 1 << 20)
    return false;
  while ((uint64_t)(reader->at - file) % alignment != 0) {
    if (!jr_guard_byte(reader, &byte))
      return false;
  }
  return true;
}

const char *jr_guard_section(const unsigned char *file,
                             struct jr_guard_reader *reader, unsigned *out_id,
                             struct jr_guard_reader *out_section) {
  unsigned char id;
  uint64_t size;
  if (!jr_guard_byte(reader, &id) || !jr_guard_number(reader, &size))
    return "it ends within a section's head";
  *out_id = id & 0x7f;
  if (id & 0x80 && !skip_padding(file, reader))
    return "a section is aligned to no power of two";
  if (size > (uint64_t)(reader->end - reader->at))
    return "a section is longer than the file";
  *out_section = (struct jr_guard_reader){reader->at, reader->at + size};
  reader->at += size;
  return NULL;
}

static const char *check_section(struct jr_guard_file *file,
                                 struct jr_guard_reader *reader) {
  unsigned id;
  struct jr_guard_reader section;
  const char *wrong = jr_guard_section(file->start, reader, &id, &section);
  if (wrong)
    return wrong;
  if (id >= JR_GUARD_SECTIONS || (file->seen & 1u << id))
    return "a section is unknown, or there twice";
  file->seen |= 1u << id;
  file->sections[id] = section;
  return check_content(file, id, section);
}

jitrun_error_t *jr_guard_bytecode(const void *data, size_t size,
                                  const char *name) {
  struct jr_guard_file file = {.start = data};
  struct jr_guard_reader reader = {file.start + MAGIC_BYTES, file.start + size};
  if (!jr_guard_number(&reader, &file.version))
    return refuse_damage(name, "it ends before its version");
  if (file.version > NEWEST_VERSION)
    return jr_error_at(jr_error(JITRUN_UNIMPLEMENTED,
                                "bytecode of version %" PRIu64
                                " cannot be read, only up to %d; write it with "
                                "mlir-opt --emit-bytecode-version=%d",
                                file.version, NEWEST_VERSION, NEWEST_VERSION),
                       name, 0, 0);
  const unsigned char *producer_end =
      memchr(reader.at, 0, (size_t)(reader.end - reader.at));
  if (!producer_end)
    return refuse_damage(name, "it ends before its first section");
  reader.at = producer_end + 1;
  const char *wrong = NULL;
  while (!wrong && reader.at < reader.end)
    wrong = check_section(&file, &reader);
  if (!wrong)
    wrong = jr_guard_attributes(&file);
  return wrong ? refuse_damage(name, wrong) : NULL;
}
