/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Files: whole reads, atomic writes, read-only maps.
#ifndef JR_BASE_FILES_H
#define JR_BASE_FILES_H

#include "base/bytes.h"

/// Reads a whole file; "-" is standard input. Errors name the path and the
/// cause: NOT_FOUND, PERMISSION_DENIED, INVALID_ARGUMENT (a directory),
/// RESOURCE_EXHAUSTED.
jitrun_error_t *jr_file_read(const char *path, struct jr_bytes *out_bytes)
    __attribute__((warn_unused_result));

/// Writes through a temporary file in the same folder and renames it: readers
/// see the old content or the whole new one. "-" writes to standard output.
jitrun_error_t *jr_file_write(const char *path, const void *data, size_t size)
    __attribute__((warn_unused_result));

/// As jr_file_write(), but whatever the path names is replaced, be it a device
/// or a link.
jitrun_error_t *jr_file_replace(const char *path, const void *data, size_t size)
    __attribute__((warn_unused_result));

/// True when both paths name one regular file that is there.
bool jr_file_is_same(const char *a, const char *b);

/// A file mapped read-only, with its descriptor kept open.
struct jr_file_map {
  const unsigned char *data;
  size_t size;
  int descriptor;
};
jitrun_error_t *jr_file_map_open(const char *path, struct jr_file_map *out_map)
    __attribute__((warn_unused_result));
void jr_file_map_close(struct jr_file_map *map);

/// The last component of a path without its extension, into `buffer`, with
/// every byte that is not alphanumeric or '_' replaced by '_' and '_' before a
/// leading digit: usable in a symbol. "program" for "-" and for an empty name.
const char *jr_file_symbol_prefix(const char *path, char *buffer, size_t size);

#endif
