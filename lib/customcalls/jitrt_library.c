/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Finding libjitrun-jitrt: in the folder of libjitrun, in the lib folder
/// beside it (where libjitrun is linked into a program of bin/), then where the
/// system looks. It is opened for all to see, since libraries that were built
/// for JitRt leave the type ids undefined. What was found is the only state;
/// a failure is not kept.
#include "base/bytes.h"
#include "base/dylib.h"
#include "base/error.h"
#include "customcalls/libraries.h"
#include "jitrun/jitrt.h"
#include "jitrun/types.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define LIBRARY_NAME "libjitrun-jitrt.so." JITRUN_SOVERSION

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const jitrun_jitrt_t *opened; ///< under `lock`

/// Says why a library cannot be used, or NULL.
static const char *find_difference(const jitrun_jitrt_t *adapter) {
  if (!adapter || adapter->version != JITRUN_JITRT_VERSION ||
      adapter->size < sizeof(*adapter))
    return "it is of another version of jitrun";
  if (adapter->sanitizer != JITRUN_SANITIZER)
    return "it was built with another sanitizer than libjitrun";
  return NULL;
}

/// Opens one candidate; what was wrong with it is appended to `causes`.
static const jitrun_jitrt_t *try_library(const char *path,
                                         struct jr_bytes *causes) {
  struct jr_dylib library = {0};
  jitrun_error_t *err = jr_dylib_open_global(path, &library);
  if (err) {
    jr_bytes_appendf(causes, "; %s", jitrun_error_message(err));
    jitrun_error_free(err);
    return NULL;
  }
  void *symbol = jr_dylib_find(&library, JITRUN_JITRT_QUERY_NAME);
  jitrun_jitrt_query_t query = NULL;
  memcpy(&query, &symbol, sizeof(symbol));
  const jitrun_jitrt_t *adapter = query ? query(JITRUN_JITRT_VERSION) : NULL;
  const char *cause = find_difference(adapter);
  if (!cause)
    return adapter;
  jr_bytes_appendf(causes, "; %s: %s", path, cause);
  jr_dylib_close(&library);
  return NULL;
}

static const jitrun_jitrt_t *find_library(struct jr_bytes *causes) {
  static const char *const folders[] = {"", "/../lib"};
  char folder[4096];
  char path[sizeof(folder) + sizeof("/../lib/" LIBRARY_NAME)];
  const jitrun_jitrt_t *adapter = NULL;
  if (jr_dylib_folder_of(&opened, folder, sizeof(folder))) {
    for (size_t i = 0; !adapter && i < 2; i++) {
      (void)snprintf(path, sizeof(path), "%s%s/%s", folder, folders[i],
                     LIBRARY_NAME);
      adapter = try_library(path, causes);
    }
  }
  return adapter ? adapter : try_library(LIBRARY_NAME, causes);
}

jitrun_error_t *jr_jitrt_open(const jitrun_jitrt_t **out_adapter) {
  struct jr_bytes causes = {0};
  (void)pthread_mutex_lock(&lock);
  if (!opened)
    opened = find_library(&causes);
  *out_adapter = opened;
  (void)pthread_mutex_unlock(&lock);
  jitrun_error_t *err = NULL;
  if (!*out_adapter) {
    const char *text = jr_bytes_text(&causes);
    err = jr_error(JITRUN_UNIMPLEMENTED,
                   "libraries of handlers need " LIBRARY_NAME
                   ": install it beside libjitrun%s",
                   text ? text : "");
  }
  jr_bytes_deinit(&causes);
  return err;
}
