/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Shared libraries of users: finding the file, and saying in time what does
/// not fit with sanitizers.
#include "base/library.h"

#include "base/alloc.h"
#include "base/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// How far into a file the names of the libraries it needs are looked for.
#define SCAN_BYTES ((size_t)16 << 20)

struct sanitizer {
  const char *name;
  const char *flag;    ///< of the compiler
  const char *needed;  ///< in files that need its library, before a digit
  const char *symbols; ///< prefix of the symbols of its run time
};

/// By JITRUN_SANITIZER.
static const struct sanitizer sanitizers[] = {
    {"no sanitizer", NULL, NULL, NULL},
    {"AddressSanitizer", "-fsanitize=address", "libasan.so.", "__asan_"},
    {"ThreadSanitizer", "-fsanitize=thread", "libtsan.so.", "__tsan_"},
};
#define SANITIZER_COUNT (sizeof(sanitizers) / sizeof(sanitizers[0]))

jitrun_error_t *jr_sanitizer_refuse(const char *name, uint32_t found) {
  const struct sanitizer *ours = &sanitizers[JITRUN_SANITIZER];
  if (found >= SANITIZER_COUNT)
    return jr_error(JITRUN_FAILED_PRECONDITION,
                    "plug-in '%s' was built with a sanitizer unknown here "
                    "(number %u): set its sanitizer field to JITRUN_SANITIZER "
                    "and rebuild it",
                    name, found);
  return jr_error(JITRUN_FAILED_PRECONDITION,
                  "plug-in '%s' was built with %s, this jitrun with %s: "
                  "rebuild the plug-in %s%s",
                  name, sanitizers[found].name, ours->name,
                  ours->flag ? "with " : "without ",
                  ours->flag ? ours->flag : sanitizers[found].flag);
}

/// True when the bytes hold a string of that name and a version.
static bool holds_library(const unsigned char *data, size_t size,
                          const char *name) {
  size_t length = strlen(name);
  const unsigned char *end = data + size;
  for (const unsigned char *at = data; at < end; at++) {
    at = memmem(at, (size_t)(end - at), name, length);
    if (!at)
      return false;
    if (at > data && at[-1] == '\0' && at + length < end && at[length] >= '0' &&
        at[length] <= '9')
      return true;
  }
  return false;
}

/// The sanitizer whose shared run time a file needs, going by its bytes, or 0.
/// Opening such a file in a process without that run time ends the process.
static uint32_t scan_sanitizer(const char *path) {
  struct jr_file_map map = {0};
  jitrun_error_t *error = jr_file_map_open(path, &map);
  if (error) {
    // Not a path of ours to read: the loader has its own search and words.
    jitrun_error_free(error);
    return 0;
  }
  uint32_t found = 0;
  size_t size = map.size < SCAN_BYTES ? map.size : SCAN_BYTES;
  for (uint32_t i = 1; i < SANITIZER_COUNT && found == 0; i++)
    if (holds_library(map.data, size, sanitizers[i].needed))
      found = i;
  jr_file_map_close(&map);
  return found;
}

/// An error of the loader; one about a missing sanitizer is explained.
static jitrun_error_t *explain_open(/*own*/ jitrun_error_t *error,
                                    const char *path) {
  for (uint32_t i = 1; i < SANITIZER_COUNT; i++) {
    if (i == JITRUN_SANITIZER ||
        !strstr(jitrun_error_message(error), sanitizers[i].symbols))
      continue;
    jitrun_error_free(error);
    return jr_sanitizer_refuse(path, i);
  }
  return error;
}

static jitrun_error_t *open_library(const char *path,
                                    struct jr_dylib *out_library) {
  uint32_t sanitizer = scan_sanitizer(path);
  if (sanitizer != 0 && sanitizer != JITRUN_SANITIZER)
    return jr_sanitizer_refuse(path, sanitizer);
  jitrun_error_t *error = jr_dylib_open(path, out_library);
  return error ? explain_open(error, path) : NULL;
}

/// The loader searches the system's folders for a name without a slash; a file
/// of that name that is here is meant first.
jitrun_error_t *jr_library_open(const char *path,
                                struct jr_dylib *out_library) {
  char *here = NULL;
  if (!strchr(path, '/') && access(path, F_OK) == 0) {
    size_t size = strlen(path) + sizeof "./";
    here = jr_malloc(size);
    if (!here)
      return jr_error_no_memory();
    (void)snprintf(here, size, "./%s", path);
  }
  jitrun_error_t *error = open_library(here ? here : path, out_library);
  free(here);
  return error;
}
