/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See guard.h: bytecode. MLIR's reader checks most of it by itself, but makes
/// room for as many strings, types and dialects as the file says there are,
/// however short it is.
#include "jit/guard.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
  MAGIC_BYTES = 4,
  NEWEST_VERSION = 6, ///< that MLIR 22 reads
  SECTION_COUNT = 9
};

enum section { STRINGS = 0, DIALECTS = 1, OFFSETS = 3 };

/// Bytes that are left of the file or a section.
struct reader {
  const unsigned char *at, *end;
};

static bool read_byte(struct reader *reader, unsigned char *out_byte) {
  if (reader->at == reader->end)
    return false;
  *out_byte = *reader->at++;
  return true;
}

/// A number whose first byte tells, by its trailing zeros, how many follow.
static bool read_number(struct reader *reader, uint64_t *out_number) {
  unsigned char first;
  if (!read_byte(reader, &first))
    return false;
  unsigned more = first ? (unsigned)__builtin_ctz(first) : 8;
  uint64_t number = first;
  if ((size_t)(reader->end - reader->at) < more)
    return false;
  if (more == 8)
    number = 0;
  for (unsigned i = 0; i < more; i++)
    number |= (uint64_t)*reader->at++ << (8 * i + (more == 8 ? 0 : 8));
  *out_number = more == 8 ? number : number >> (more + 1);
  return true;
}

static jitrun_error_t *refuse_damage(const char *name, const char *what) {
  return jr_error_at(
      jr_error(JITRUN_DATA_LOSS, "the bytecode is damaged: %s", what), name, 0,
      0);
}

/// The counts at the start of a section: each thing takes at least a byte.
static bool counts_fit(unsigned char id, struct reader section) {
  uint64_t size = (uint64_t)(section.end - section.at);
  int numbers = id == OFFSETS ? 2 : id == STRINGS || id == DIALECTS;
  for (int i = 0; i < numbers; i++) {
    uint64_t count;
    if (!read_number(&section, &count) || count > size)
      return false;
  }
  return true;
}

/// Goes behind what aligns a section.
static bool skip_padding(const unsigned char *start, struct reader *reader) {
  uint64_t alignment;
  unsigned char byte;
  if (!read_number(reader, &alignment) || alignment == 0 ||
      (alignment & (alignment - 1)) != 0 || alignment > 1 << 20)
    return false;
  while ((uint64_t)(reader->at - start) % alignment != 0) {
    if (!read_byte(reader, &byte))
      return false;
  }
  return true;
}

static jitrun_error_t *check_section(const unsigned char *start,
                                     struct reader *reader, unsigned *seen,
                                     const char *name) {
  unsigned char id;
  uint64_t size;
  if (!read_byte(reader, &id) || !read_number(reader, &size))
    return refuse_damage(name, "it ends within a section's head");
  bool is_aligned = id & 0x80;
  id &= 0x7f;
  if (id >= SECTION_COUNT || (*seen & 1u << id))
    return refuse_damage(name, "a section is unknown, or there twice");
  *seen |= 1u << id;
  if (is_aligned && !skip_padding(start, reader))
    return refuse_damage(name, "a section is aligned to no power of two");
  if (size > (uint64_t)(reader->end - reader->at))
    return refuse_damage(name, "a section is longer than the file");
  struct reader section = {reader->at, reader->at + size};
  if (!counts_fit(id, section))
    return refuse_damage(name, "a section counts more than it can hold");
  reader->at += size;
  return NULL;
}

jitrun_error_t *jr_guard_bytecode(const void *data, size_t size,
                                  const char *name) {
  const unsigned char *start = data;
  struct reader reader = {start + MAGIC_BYTES, start + size};
  uint64_t version;
  unsigned seen = 0;
  if (!read_number(&reader, &version))
    return refuse_damage(name, "it ends before its version");
  if (version > NEWEST_VERSION)
    return jr_error_at(jr_error(JITRUN_UNIMPLEMENTED,
                                "bytecode of version %" PRIu64
                                " cannot be read, only up to %d; write it with "
                                "mlir-opt --emit-bytecode-version=%d",
                                version, NEWEST_VERSION, NEWEST_VERSION),
                       name, 0, 0);
  const unsigned char *producer_end =
      memchr(reader.at, 0, (size_t)(reader.end - reader.at));
  if (!producer_end)
    return refuse_damage(name, "it ends before its first section");
  reader.at = producer_end + 1;
  while (reader.at < reader.end)
    JITRUN_TRY(check_section(start, &reader, &seen, name));
  return NULL;
}
