/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// A growable run of bytes; also used for building text. Zero-initialised is
/// empty and ready. Growing that fails sets `failed` and leaves the content as
/// it was: check once, at the end, with jr_bytes_check().
#ifndef JR_BASE_BYTES_H
#define JR_BASE_BYTES_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct jr_bytes {
  unsigned char *data;
  size_t size;
  size_t capacity;
  bool failed;
};

void jr_bytes_append(struct jr_bytes *bytes, const void *data, size_t size);
void jr_bytes_append_text(struct jr_bytes *bytes, const char *text);
void jr_bytes_appendf(struct jr_bytes *bytes, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void jr_bytes_appendv(struct jr_bytes *bytes, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/// Appends `size` zero bytes and returns where they begin, or NULL. The pointer
/// is valid until the next growth.
void *jr_bytes_extend(struct jr_bytes *bytes, size_t size);

/// Appends zero bytes until the size is a multiple of `alignment`.
void jr_bytes_align(struct jr_bytes *bytes, size_t alignment);

/// RESOURCE_EXHAUSTED when some growth failed.
jitrun_error_t *jr_bytes_check(const struct jr_bytes *bytes)
    __attribute__((warn_unused_result));

/// The content as a NUL-terminated string, owned by `bytes`; NULL when it
/// failed.
char *jr_bytes_text(struct jr_bytes *bytes);

/// As above, handed over: the caller frees it with free(); `bytes` is empty.
char *jr_bytes_take_text(struct jr_bytes *bytes);

void jr_bytes_deinit(struct jr_bytes *bytes);

#endif
