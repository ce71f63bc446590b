/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Shared libraries opened at run time.
#ifndef JR_BASE_DYLIB_H
#define JR_BASE_DYLIB_H

#include "base/error.h"

/// Zero-initialised is none. What is opened brings the functions that look into
/// it and close it: programs that open none are linked without them.
struct jr_dylib {
  void *handle;
  void *(*find)(const struct jr_dylib *library, const char *name);
  void *(*find_function)(const struct jr_dylib *library, const char *name);
  void (*close)(void *handle);
};

/// Opens a library with local symbols, all resolved. NOT_FOUND with the
/// loader's own words.
jitrun_error_t *jr_dylib_open(const char *path, struct jr_dylib *out_library)
    __attribute__((warn_unused_result));

/// As above, with symbols that libraries opened later may use.
jitrun_error_t *jr_dylib_open_global(const char *path,
                                     struct jr_dylib *out_library)
    __attribute__((warn_unused_result));

/// The address of a symbol of that library itself, or NULL.
static inline void *jr_dylib_find(const struct jr_dylib *library,
                                  const char *name) {
  return library->handle ? library->find(library, name) : NULL;
}

/// As above; NULL for data too, where the library tells it from functions.
static inline void *jr_dylib_find_function(const struct jr_dylib *library,
                                           const char *name) {
  return library->handle ? library->find_function(library, name) : NULL;
}

static inline void jr_dylib_close(struct jr_dylib *library) {
  if (library->handle)
    library->close(library->handle);
  library->handle = NULL;
}

/// Folder of the file that holds `address` (a function of ours), into
/// `buffer`; false when the system does not know.
bool jr_dylib_folder_of(const void *address, char *buffer, size_t size);

#endif
