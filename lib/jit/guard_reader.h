/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Reading bytecode without MLIR, for guard_bytecode*.c.
#ifndef JR_JIT_GUARD_READER_H
#define JR_JIT_GUARD_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes that are left of the file or a section.
struct jr_guard_reader {
  const unsigned char *at, *end;
};

static inline bool jr_guard_byte(struct jr_guard_reader *reader,
                                 unsigned char *out_byte) {
  if (reader->at == reader->end)
    return false;
  *out_byte = *reader->at++;
  return true;
}

/// A number whose first byte tells, by its trailing zeros, how many follow.
static inline bool jr_guard_number(struct jr_guard_reader *reader,
                                   uint64_t *out_number) {
  unsigned char first;
  if (!jr_guard_byte(reader, &first))
    return false;
  unsigned more = first ? (unsigned)__builtin_ctz(first) : 8;
  uint64_t number = more == 8 ? 0 : first;
  unsigned shift = more == 8 ? 0 : 8;
  if ((size_t)(reader->end - reader->at) < more)
    return false;
  for (unsigned i = 0; i < more; i++)
    number |= (uint64_t)*reader->at++ << (8 * i + shift);
  *out_number = more == 8 ? number : number >> (more + 1);
  return true;
}

/// A number of things that take at least a byte each, so that there cannot be
/// more than bytes left.
static inline bool jr_guard_count(struct jr_guard_reader *reader,
                                  uint64_t *out_count) {
  return jr_guard_number(reader, out_count) &&
         *out_count <= (uint64_t)(reader->end - reader->at);
}

/// The head of a section: its number, and its bytes, which `reader` is then
/// behind. What is wrong, or NULL. `file` is what sections are aligned to.
const char *jr_guard_section(const unsigned char *file,
                             struct jr_guard_reader *reader, unsigned *out_id,
                             struct jr_guard_reader *out_section);

/// Sections, as far as they are looked at, and versions of the format.
enum {
  JR_GUARD_STRINGS = 0,
  JR_GUARD_DIALECTS = 1,
  JR_GUARD_ATTRS = 2,
  JR_GUARD_OFFSETS = 3,
  JR_GUARD_OPERATIONS = 4,
  JR_GUARD_PROPERTIES = 8,
  JR_GUARD_SECTIONS = 9,
  JR_GUARD_DIALECT_VERSIONS = 1 ///< version since which dialects have one
};

struct jr_guard_file {
  const unsigned char *start;
  uint64_t version;
  unsigned seen; ///< a bit for each section
  struct jr_guard_reader sections[JR_GUARD_SECTIONS];
};

/// Looks at attributes that have elements: what MLIR takes for granted of them
/// holds. What is wrong, or NULL.
const char *jr_guard_attributes(const struct jr_guard_file *file);

/// Goes through the operations in the section that holds them: their counts
/// fit, and they are nested no deeper than text may be. What is wrong, or NULL.
const char *jr_guard_operations(const unsigned char *file, uint64_t version,
                                struct jr_guard_reader section);

#endif
