/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Plug-ins: tables of custom calls and attribute types, in a shared library or
/// linked in. A table is checked whole before any of it is registered.
#include "base/dylib.h"
#include "base/error.h"
#include "base/library.h"
#include "customcalls/attr_types.h"
#include "customcalls/registry.h"
#include "jitrun/customcall.h"
#include "jitrun/registry.h"
#include "jitrun/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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
    return jr_sanitizer_refuse(plugin->name, plugin->sanitizer);
  size_t count =
      plugin->call_count + plugin->attr_type_count + plugin->classic_count;
  if ((plugin->call_count > 0 && !plugin->calls) ||
      (plugin->attr_type_count > 0 && !plugin->attr_types) ||
      (plugin->classic_count > 0 && !plugin->classic) || count == 0)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "plug-in '%s' has no custom calls and no attribute types: "
                    "set calls and call_count, classic and classic_count, or "
                    "attr_types and attr_type_count",
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
  for (size_t i = 0; i < plugin->classic_count; i++) {
    jitrun_error_t *error = jr_classic_check(&plugin->classic[i]);
    if (error)
      return jr_error_note(error,
                           "while checking classic handler %zu of "
                           "plug-in '%s'",
                           i, plugin->name);
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

jitrun_error_t *jitrun_registry_load_plugin(jitrun_registry_t *registry,
                                            const char *path) {
  struct jr_dylib library = {0};
  jitrun_error_t *error = jr_library_open(path, &library);
  if (error)
    return jr_error_note(error, "while loading plug-in '%s'", path);
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
