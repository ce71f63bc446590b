/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See unwind.h. Unwinders trust their tables and abort the process when these
/// are damaged, so all lengths and addresses are checked first; what is done to
/// unwind a frame is as trusted as the code.
///
/// The unwinder is the process's own, if it has one: libgcc's or LLVM's, which
/// C++ programs come with. A weak reference adds no library to those that have
/// none. LLVM's takes one function at a time under libgcc's name, and sections
/// under its own.
#include "runtime/unwind.h"

#include <string.h>

enum {
  MOST_HEADERS = 16,
  ENCODING_REL32 = 0x1b, ///< signed, relative to its own address
  ENCODING_REL64 = 0x1c
};

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
__attribute__((weak)) void __register_frame(const void *start);
__attribute__((weak)) void __deregister_frame(const void *start);
__attribute__((weak)) void __unw_add_dynamic_eh_frame_section(uintptr_t start);
__attribute__((weak)) void
__unw_remove_dynamic_eh_frame_section(uintptr_t start);
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

/// A bounded reader of one record.
struct reader {
  const unsigned char *at, *end;
  bool failed;
};

static const unsigned char *read_bytes(struct reader *reader, size_t size) {
  static const unsigned char zeros[8] = {0};
  if (reader->failed || (size_t)(reader->end - reader->at) < size) {
    reader->failed = true;
    return zeros;
  }
  reader->at += size;
  return reader->at - size;
}

static uint32_t read_word(struct reader *reader) {
  uint32_t word;
  memcpy(&word, read_bytes(reader, sizeof word), sizeof word);
  return word;
}

static unsigned read_byte(struct reader *reader) {
  return *read_bytes(reader, 1);
}

/// A number of 7 bits a byte, whose value does not matter.
static void skip_number(struct reader *reader) {
  while (!reader->failed && (read_byte(reader) & 0x80))
    ;
}

/// What was read of the section so far.
struct scan {
  const struct jr_unwind_table *table;
  const unsigned char *headers[MOST_HEADERS];
  unsigned char encodings[MOST_HEADERS];
  size_t header_count;
};

/// What several functions have in common (CIE), from behind its id on.
static bool scan_header(struct scan *scan, const unsigned char *record,
                        struct reader reader) {
  unsigned version = read_byte(&reader);
  bool is_known = memcmp(read_bytes(&reader, 3), "zR", 3) == 0;
  skip_number(&reader);
  skip_number(&reader);
  skip_number(&reader);
  skip_number(&reader);
  unsigned encoding = read_byte(&reader);
  if (reader.failed || !is_known || (version != 1 && version != 3) ||
      (encoding != ENCODING_REL32 && encoding != ENCODING_REL64) ||
      scan->header_count == MOST_HEADERS)
    return false;
  scan->encodings[scan->header_count] = (unsigned char)encoding;
  scan->headers[scan->header_count++] = record;
  return true;
}

/// The range of a function in the code, of numbers with `size` bytes.
static bool is_in_code(const struct jr_unwind_table *table,
                       struct reader *reader, size_t size) {
  uint64_t place = (uintptr_t)reader->at;
  int64_t distance = 0;
  uint64_t length = 0;
  if (size == sizeof(int32_t)) {
    distance = (int32_t)read_word(reader);
    length = read_word(reader);
  } else {
    memcpy(&distance, read_bytes(reader, size), size);
    memcpy(&length, read_bytes(reader, size), size);
  }
  uint64_t start = place + (uint64_t)distance;
  return !reader->failed && start >= table->code_start &&
         start <= table->code_end && length <= table->code_end - start;
}

/// One function (FDE); `id` counts back from itself to its header.
static bool scan_function(const struct scan *scan, struct reader reader,
                          uint32_t id) {
  const unsigned char *place = reader.at - sizeof id;
  for (size_t i = 0; i < scan->header_count; i++) {
    if ((uint64_t)(place - scan->headers[i]) != id)
      continue;
    return is_in_code(scan->table, &reader,
                      scan->encodings[i] == ENCODING_REL32 ? 4 : 8);
  }
  return false;
}

/// True when the unwinder can be given the section.
static bool is_sound(const struct jr_unwind_table *table) {
  struct scan scan = {.table = table};
  struct reader all = {table->data, table->data + table->size, false};
  while (all.at < all.end) {
    const unsigned char *record = all.at;
    uint32_t size = read_word(&all);
    struct reader reader = {all.at, all.at, false};
    reader.at = read_bytes(&all, size);
    reader.end = all.at;
    if (all.failed || size == 0)
      return false;
    uint32_t id = read_word(&reader);
    if (reader.failed || !(id == 0 ? scan_header(&scan, record, reader)
                                   : scan_function(&scan, reader, id)))
      return false;
  }
  return scan.header_count > 0;
}

bool jr_unwind_register(const struct jr_unwind_table *table) {
  if ((!__register_frame && !__unw_add_dynamic_eh_frame_section) ||
      !table->data || !is_sound(table))
    return false;
  if (__unw_add_dynamic_eh_frame_section)
    __unw_add_dynamic_eh_frame_section((uintptr_t)table->data);
  else
    __register_frame(table->data);
  return true;
}

void jr_unwind_withdraw(const struct jr_unwind_table *table) {
  if (__unw_remove_dynamic_eh_frame_section)
    __unw_remove_dynamic_eh_frame_section((uintptr_t)table->data);
  else if (__deregister_frame)
    __deregister_frame(table->data);
}
