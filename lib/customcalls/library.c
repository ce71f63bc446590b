/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Libraries of users whose symbols are handlers.
#include "base/library.h"
#include "base/dylib.h"
#include "base/error.h"
#include "customcalls/libraries.h"
#include "jitrun/jitrt.h"
#include "jitrun/registry.h"

#include <string.h>

/// What the library says of its own types.
static void find_types(struct jr_library *library) {
  void *symbol = jr_dylib_find(&library->dylib, JITRUN_JITRT_TYPES_NAME);
  jitrun_jitrt_types_fn_t list_types = NULL;
  memcpy(&list_types, &symbol, sizeof(symbol));
  if (list_types)
    library->types = list_types(&library->type_count);
}

jitrun_error_t *jitrun_registry_add_library(jitrun_registry_t *registry,
                                            const char *path) {
  const jitrun_jitrt_t *adapter = NULL;
  struct jr_library library = {.path = path};
  jitrun_error_t *error = jr_jitrt_open(&adapter);
  if (!error)
    error = jr_library_open(path, &library.dylib);
  if (!error) {
    find_types(&library);
    error = jr_registry_add_symbols(registry, &library, adapter);
  }
  return jr_error_note(error, "while loading library '%s'", path);
}
