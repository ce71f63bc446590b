/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Growable bytes. Capacity always exceeds the size by at least one byte once
/// there is any, so that text can be terminated in place.
#include "base/bytes.h"

#include "base/alloc.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 64 };

/// Makes room for `more` bytes and a NUL; false, and `failed` set, when there
/// is none. Once failed, nothing is added any more.
static bool reserve_bytes(struct jr_bytes *bytes, size_t more) {
  if (bytes->failed)
    return false;
  if (more < bytes->capacity - bytes->size)
    return true;
  if (more >= SIZE_MAX / 2 - bytes->size) {
    bytes->failed = true;
    return false;
  }
  size_t wanted = bytes->size + more + 1;
  size_t capacity = bytes->capacity ? bytes->capacity : FIRST_CAPACITY;
  while (capacity < wanted)
    capacity *= 2;
  unsigned char *data = jr_realloc(bytes->data, capacity);
  if (!data) {
    bytes->failed = true;
    return false;
  }
  bytes->data = data;
  bytes->capacity = capacity;
  return true;
}

void jr_bytes_append(struct jr_bytes *bytes, const void *data, size_t size) {
  if (!reserve_bytes(bytes, size) || size == 0)
    return;
  memcpy(bytes->data + bytes->size, data, size);
  bytes->size += size;
}

void jr_bytes_append_text(struct jr_bytes *bytes, const char *text) {
  jr_bytes_append(bytes, text, strlen(text));
}

/// Formats into the room there is; the length it needs, or -1.
static int format_in_place(struct jr_bytes *bytes, const char *format,
                           va_list args) {
  va_list copy;
  va_copy(copy, args);
  int length = vsnprintf((char *)bytes->data + bytes->size,
                         bytes->capacity - bytes->size, format, copy);
  va_end(copy);
  return length;
}

void jr_bytes_appendv(struct jr_bytes *bytes, const char *format,
                      va_list args) {
  if (!reserve_bytes(bytes, 0))
    return;
  int length = format_in_place(bytes, format, args);
  if (length < 0) {
    bytes->failed = true;
  } else if ((size_t)length >= bytes->capacity - bytes->size) {
    if (reserve_bytes(bytes, (size_t)length))
      length = format_in_place(bytes, format, args);
  }
  if (!bytes->failed)
    bytes->size += (size_t)length;
}

void jr_bytes_appendf(struct jr_bytes *bytes, const char *format, ...) {
  va_list args;
  va_start(args, format);
  jr_bytes_appendv(bytes, format, args);
  va_end(args);
}

void *jr_bytes_extend(struct jr_bytes *bytes, size_t size) {
  if (!reserve_bytes(bytes, size))
    return NULL;
  void *start = bytes->data + bytes->size;
  memset(start, 0, size);
  bytes->size += size;
  return start;
}

void jr_bytes_align(struct jr_bytes *bytes, size_t alignment) {
  size_t past = alignment ? bytes->size % alignment : 0;
  if (past)
    (void)jr_bytes_extend(bytes, alignment - past);
}

jitrun_error_t *jr_bytes_check(const struct jr_bytes *bytes) {
  return bytes->failed ? jr_error_no_memory() : NULL;
}

char *jr_bytes_text(struct jr_bytes *bytes) {
  if (!reserve_bytes(bytes, 0))
    return NULL;
  bytes->data[bytes->size] = '\0';
  return (char *)bytes->data;
}

char *jr_bytes_take_text(struct jr_bytes *bytes) {
  char *text = jr_bytes_text(bytes);
  if (!text)
    return NULL;
  *bytes = (struct jr_bytes){0};
  return text;
}

void jr_bytes_deinit(struct jr_bytes *bytes) {
  free(bytes->data);
  *bytes = (struct jr_bytes){0};
}
