/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Finding libjitrun-jit: in the folder of libjitrun, in the lib folder beside
/// it (where libjitrun is linked into a program of bin/), then where the system
/// looks. The library that was found is the only state; a failure is not kept,
/// so that installing the compiler helps a program that is running.
#include "runtime/compiler.h"

#include "base/bytes.h"
#include "base/dylib.h"
#include "jitrun/types.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define LIBRARY_NAME "libjitrun-jit.so." JITRUN_SOVERSION

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const struct jr_compiler *opened; ///< under `lock`

/// Says why a compiler cannot be used, or NULL.
static const char *find_difference(const struct jr_compiler *compiler) {
  if (!compiler)
    return "it does not support this version of jitrun";
  if (compiler->version != JR_COMPILER_VERSION ||
      compiler->size < sizeof *compiler)
    return "it is of another version of jitrun";
  if (compiler->sanitizer != JITRUN_SANITIZER)
    return "it was built with another sanitizer than libjitrun";
  return NULL;
}

/// Opens one candidate; what was wrong with it is appended to `causes`.
static const struct jr_compiler *try_library(const char *path,
                                             struct jr_bytes *causes) {
  struct jr_dylib library = {0};
  jitrun_error_t *err = jr_dylib_open(path, &library);
  if (err) {
    jr_bytes_appendf(causes, "; %s", jitrun_error_message(err));
    jitrun_error_free(err);
    return NULL;
  }
  // Through a union, since C has no cast from an object to a function pointer.
  union {
    void *object;
    jr_compiler_query_t query;
  } symbol = {.object = jr_dylib_find(&library, JR_COMPILER_QUERY_NAME)};
  const struct jr_compiler *compiler = NULL;
  const char *cause = "it exports no " JR_COMPILER_QUERY_NAME;
  if (symbol.object) {
    compiler = symbol.query(JR_COMPILER_VERSION);
    cause = find_difference(compiler);
  }
  if (!cause)
    return compiler;
  jr_bytes_appendf(causes, "; %s: %s", path, cause);
  jr_dylib_close(&library);
  return NULL;
}

/// Where the library is looked for first, seen from the folder of libjitrun.
static const char *const folders[] = {"", "/../lib"};

enum {
  FOLDER_COUNT = sizeof folders / sizeof folders[0],
  FOLDER_SIZE = 4096,
  PATH_SIZE = FOLDER_SIZE + sizeof "/../lib/" LIBRARY_NAME
};

/// Place `index` of those; false when there is none.
static bool make_path(size_t index, char out_path[PATH_SIZE]) {
  char folder[FOLDER_SIZE];
  if (index >= FOLDER_COUNT ||
      !jr_dylib_folder_of(&opened, folder, sizeof folder))
    return false;
  (void)snprintf(out_path, PATH_SIZE, "%s%s/%s", folder, folders[index],
                 LIBRARY_NAME);
  return true;
}

bool jr_compiler_path(char *out_path, size_t size) {
  char path[PATH_SIZE];
  for (size_t i = 0; make_path(i, path); i++) {
    if (access(path, R_OK) == 0)
      return (size_t)snprintf(out_path, size, "%s", path) < size;
  }
  return false;
}

static const struct jr_compiler *find_compiler(struct jr_bytes *causes) {
  char path[PATH_SIZE];
  const struct jr_compiler *compiler = NULL;
  for (size_t i = 0; !compiler && make_path(i, path); i++)
    compiler = try_library(path, causes);
  return compiler ? compiler : try_library(LIBRARY_NAME, causes);
}

jitrun_error_t *jr_compiler_open(const struct jr_compiler **out_compiler) {
  struct jr_bytes causes = {0};
  (void)pthread_mutex_lock(&lock);
  if (!opened)
    opened = find_compiler(&causes);
  *out_compiler = opened;
  (void)pthread_mutex_unlock(&lock);
  jitrun_error_t *err = NULL;
  if (!*out_compiler) {
    const char *text = jr_bytes_text(&causes);
    err = jr_error(JITRUN_UNIMPLEMENTED,
                   "MLIR needs the compiler, " LIBRARY_NAME
                   ": install it beside libjitrun, or open an image made by "
                   "'jitrun compile' elsewhere%s",
                   text ? text : "");
  }
  jr_bytes_deinit(&causes);
  return err;
}
