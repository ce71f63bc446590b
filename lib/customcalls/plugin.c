/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Plug-ins: tables of custom calls and attribute types, in a shared library or
/// linked in. A table is checked whole before any of it is registered.
#include "base/alloc.h"
#include "base/dylib.h"
#include "base/error.h"
#include "base/files.h"
#include "customcalls/attr_types.h"
#include "customcalls/registry.h"
#include "jitrun/customcall.h"
#include "jitrun/error.h"
#include "jitrun/registry.h"
#include "jitrun/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
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

static jitrun_error_t *refuse_sanitizer(const char *name, uint32_t found) {
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

/// What the table says of itself: nothing beyond may be read unless it fits.
static jitrun_error_t *check_table(const jitrun_plugin_t *plugin) {
  if (plugin->size != sizeof(*plugin))
    return jr_error(JITRUN_FAILED_PRECONDITION,
                    "the plug-in's table has a size of %zu, that of version %u "
                    "is %zu: rebuild the plug-in with the "
                    "jitrun/customcall.h of this jitrun",
                    plugin->size, JITRUN_CUSTOMCALL_VERSION, sizeof(*plugin));
  if (!plugin->name || plugin->name[0] == '\0')
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the plug-in's table has no name: set it");
  if (plugin->version == 0 || plugin->version > JITRUN_CUSTOMCALL_VERSION)
    return jr_error(JITRUN_FAILED_PRECONDITION,
                    "plug-in '%s' answers with version %u, asked was for at "
                    "most %u: rebuild it with the jitrun/customcall.h of this "
                    "jitrun",
                    plugin->name, plugin->version, JITRUN_CUSTOMCALL_VERSION);
  if (plugin->sanitizer != JITRUN_SANITIZER)
    return refuse_sanitizer(plugin->name, plugin->sanitizer);
  if ((plugin->call_count > 0 && !plugin->calls) ||
      (plugin->attr_type_count > 0 && !plugin->attr_types) ||
      (plugin->call_count == 0 && plugin->attr_type_count == 0))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "plug-in '%s' has no custom calls and no attribute types: "
                    "set calls and call_count, or attr_types and "
                    "attr_type_count",
                    plugin->name);
  return NULL;
}

/// A name may come once for each platform.
static jitrun_error_t *check_names(const jitrun_plugin_t *plugin,
                                   size_t index) {
  const jitrun_customcall_t *call = &plugin->calls[index];
  for (size_t i = 0; i < index; i++)
    if (strcmp(plugin->calls[i].name, call->name) == 0 &&
        strcmp(plugin->calls[i].platform, call->platform) == 0)
      return jr_error(JITRUN_ALREADY_EXISTS,
                      "plug-in '%s' has custom call '%s' for platform '%s' "
                      "twice, as calls %zu and %zu",
                      plugin->name, call->name, call->platform, i, index);
  return NULL;
}

static jitrun_error_t *check_calls(const jitrun_plugin_t *plugin) {
  for (size_t i = 0; i < plugin->call_count; i++) {
    jitrun_error_t *error = jr_record_check(&plugin->calls[i]);
    if (error)
      return jr_error_note(error, "while checking call %zu of plug-in '%s'", i,
                           plugin->name);
    JITRUN_TRY(check_names(plugin, i));
  }
  return NULL;
}

static jitrun_error_t *check_attr_types(const jitrun_plugin_t *plugin) {
  for (size_t i = 0; i < plugin->attr_type_count; i++) {
    jitrun_error_t *error = jr_attr_type_check(&plugin->attr_types[i]);
    if (error)
      return jr_error_note(error,
                           "while checking attribute type %zu of plug-in '%s'",
                           i, plugin->name);
  }
  return NULL;
}

/// Adds what the query answers; the library goes to the registry, or is closed.
static jitrun_error_t *add_plugin(jitrun_registry_t *registry,
                                  jitrun_plugin_query_t query,
                                  struct jr_dylib library) {
  const jitrun_plugin_t *plugin = query(JITRUN_CUSTOMCALL_VERSION);
  jitrun_error_t *error = NULL;
  if (!plugin)
    error = jr_error(JITRUN_FAILED_PRECONDITION,
                     "the plug-in has no table for version %u of the "
                     "custom-call interface or below: it needs a newer jitrun, "
                     "or must be rebuilt with the jitrun/customcall.h of this "
                     "one",
                     JITRUN_CUSTOMCALL_VERSION);
  if (!error)
    error = check_table(plugin);
  if (!error)
    error = check_calls(plugin);
  if (!error)
    error = check_attr_types(plugin);
  if (!error)
    return jr_registry_add_all(registry, plugin, library);
  if (library.handle)
    jr_dylib_close(&library);
  return error;
}

jitrun_error_t *jitrun_registry_add(jitrun_registry_t *registry,
                                    jitrun_plugin_query_t query) {
  if (!query)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the plug-in's query function is NULL");
  return add_plugin(registry, query, (struct jr_dylib){0});
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
    return refuse_sanitizer(path, i);
  }
  return error;
}

static jitrun_error_t *load_plugin(jitrun_registry_t *registry,
                                   const char *path) {
  uint32_t sanitizer = scan_sanitizer(path);
  if (sanitizer != 0 && sanitizer != JITRUN_SANITIZER)
    return refuse_sanitizer(path, sanitizer);
  struct jr_dylib library = {0};
  jitrun_error_t *error = jr_dylib_open(path, &library);
  if (error)
    return jr_error_note(explain_open(error, path),
                         "while loading plug-in '%s'", path);
  void *symbol = jr_dylib_find(&library, JITRUN_PLUGIN_QUERY_NAME);
  if (!symbol) {
    jr_dylib_close(&library);
    return jr_error(JITRUN_FAILED_PRECONDITION,
                    "'%s' is not a jitrun plug-in: it exports no function "
                    "'" JITRUN_PLUGIN_QUERY_NAME "'",
                    path);
  }
  jitrun_plugin_query_t query;
  memcpy(&query, &symbol, sizeof(query));
  return jr_error_note(add_plugin(registry, query, library),
                       "while loading plug-in '%s'", path);
}

/// The loader searches the system's folders for a name without a slash; a file
/// of that name that is here is meant first.
jitrun_error_t *jitrun_registry_load_plugin(jitrun_registry_t *registry,
                                            const char *path) {
  char *here = NULL;
  if (!strchr(path, '/') && access(path, F_OK) == 0) {
    size_t size = strlen(path) + sizeof "./";
    here = jr_malloc(size);
    if (!here)
      return jr_error_no_memory();
    (void)snprintf(here, size, "./%s", path);
  }
  jitrun_error_t *error = load_plugin(registry, here ? here : path);
  free(here);
  return error;
}
