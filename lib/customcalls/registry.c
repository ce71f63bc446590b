/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Registries: a sorted array of pointers to records that never move, behind
/// one lock. The built-in calls are static records in room that every registry
/// carries, so that the process-wide registry needs no allocation and cannot
/// fail to be there.
#include "customcalls/registry.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "base/dylib.h"
#include "base/error.h"
#include "base/strings.h"
#include "customcalls/attr_types.h"
#include "customcalls/libraries.h"
#include "customcalls/parts.h"
#include "jitrun/customcall.h"
#include "jitrun/jitrt.h"
#include "jitrun/registry.h"
#include "jitrun/types.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define BUILTIN_ROOM 96

struct jitrun_registry {
  atomic_size_t references;
  pthread_mutex_t lock;              ///< of all that follows
  const jitrun_customcall_t **calls; ///< by name, then platform
  size_t count, capacity;
  struct jr_attr_types attr_types;
  struct jr_arena records; ///< copies of what was registered
  struct jr_dylib *libraries;
  size_t library_count;
  struct jr_libraries handlers; ///< libraries of handlers, not of plug-ins
  const jitrun_customcall_t *builtin_room[BUILTIN_ROOM];
};

static int compare_call(const jitrun_customcall_t *call, const char *name,
                        const char *platform) {
  int order = strcmp(call->name, name);
  return order != 0 ? order : strcmp(call->platform, platform);
}

/// Index of the first call that is not before the name.
static size_t find_index(const jitrun_registry_t *registry, const char *name,
                         const char *platform) {
  size_t first = 0;
  size_t last = registry->count;
  while (first < last) {
    size_t middle = first + (last - first) / 2;
    if (compare_call(registry->calls[middle], name, platform) < 0)
      first = middle + 1;
    else
      last = middle;
  }
  return first;
}

static const jitrun_customcall_t *find_call(const jitrun_registry_t *registry,
                                            const char *name,
                                            const char *platform) {
  size_t index = find_index(registry, name, platform);
  if (index < registry->count &&
      compare_call(registry->calls[index], name, platform) == 0)
    return registry->calls[index];
  return NULL;
}

/// XLA's calls are there for programs that bring none of their own.
static bool is_replaceable(const jitrun_customcall_t *call) {
  const struct jitrun_part *part = jr_part_of_call(call->name);
  return part && part->is_replaceable && call >= part->calls &&
         call < part->calls + part->call_count;
}

/// Puts a record in its place; the room is there.
static void insert_call(jitrun_registry_t *registry,
                        const jitrun_customcall_t *call) {
  assert(registry->count < registry->capacity);
  size_t index = find_index(registry, call->name, call->platform);
  const jitrun_customcall_t **place = registry->calls + index;
  if (index < registry->count &&
      compare_call(*place, call->name, call->platform) == 0) {
    *place = call;
    return;
  }
  memmove((void *)(place + 1), (const void *)place,
          (registry->count - index) * sizeof(*place));
  *place = call;
  registry->count++;
}

static void init_registry(jitrun_registry_t *registry) {
  atomic_init(&registry->references, 1);
  (void)pthread_mutex_init(&registry->lock, NULL);
  registry->calls = registry->builtin_room;
  registry->capacity = BUILTIN_ROOM;
  for (size_t i = 0; i < JR_PART_COUNT; i++) {
    const struct jitrun_part *part = jr_part_get(i);
    for (size_t k = 0; part && k < part->call_count; k++)
      insert_call(registry, &part->calls[k]);
  }
}

/// The process-wide registry: the one piece of state of this folder.
static jitrun_registry_t default_registry;
static pthread_once_t default_once = PTHREAD_ONCE_INIT;

static void init_default(void) {
  init_registry(&default_registry);
}

jitrun_registry_t *jitrun_registry_default(void) {
  (void)pthread_once(&default_once, init_default);
  return &default_registry;
}

jitrun_error_t *jitrun_registry_create(jitrun_registry_t **out_registry) {
  JR_NEED(out_registry);
  *out_registry = NULL;
  jitrun_registry_t *registry = jr_calloc(1, sizeof(*registry));
  if (!registry)
    return jr_error_no_memory();
  init_registry(registry);
  *out_registry = registry;
  return NULL;
}

void jitrun_registry_retain(jitrun_registry_t *registry) {
  if (registry != &default_registry)
    atomic_fetch_add_explicit(&registry->references, 1, memory_order_relaxed);
}

/// Records point into the plug-ins, which therefore go last.
static void destroy_registry(jitrun_registry_t *registry) {
  if (registry->calls != registry->builtin_room)
    free((void *)registry->calls);
  free((void *)registry->attr_types.items);
  jr_libraries_deinit(&registry->handlers);
  jr_arena_deinit(&registry->records);
  while (registry->library_count > 0)
    jr_dylib_close(&registry->libraries[--registry->library_count]);
  free(registry->libraries);
  (void)pthread_mutex_destroy(&registry->lock);
  free(registry);
}

void jitrun_registry_release(jitrun_registry_t *registry) {
  if (!registry || registry == &default_registry)
    return;
  if (atomic_fetch_sub_explicit(&registry->references, 1,
                                memory_order_acq_rel) == 1)
    destroy_registry(registry);
}

/// Room for `more` calls.
static bool reserve_calls(jitrun_registry_t *registry, size_t more) {
  if (registry->capacity - registry->count >= more)
    return true;
  if (more > SIZE_MAX / sizeof(void *) / 4)
    return false;
  bool is_inside = registry->calls == registry->builtin_room;
  size_t capacity = 2 * registry->capacity + more;
  const jitrun_customcall_t **calls = jr_realloc(
      is_inside ? NULL : (void *)registry->calls, capacity * sizeof(*calls));
  if (!calls)
    return false;
  if (is_inside)
    memcpy((void *)calls, (const void *)registry->calls,
           registry->count * sizeof(*calls));
  registry->calls = calls;
  registry->capacity = capacity;
  return true;
}

static bool reserve_library(jitrun_registry_t *registry) {
  struct jr_dylib *libraries = jr_realloc(
      registry->libraries, (registry->library_count + 1) * sizeof(*libraries));
  if (libraries)
    registry->libraries = libraries;
  return libraries != NULL;
}

static jitrun_error_t *check_free(const jitrun_registry_t *registry,
                                  const jitrun_customcall_t *calls,
                                  size_t count) {
  for (size_t i = 0; i < count; i++) {
    const jitrun_customcall_t *known =
        find_call(registry, calls[i].name, calls[i].platform);
    if (known && !is_replaceable(known))
      return jr_error(JITRUN_ALREADY_EXISTS,
                      "custom call '%s' is already registered for platform "
                      "'%s': register it under another name, or in another "
                      "registry",
                      calls[i].name, calls[i].platform);
  }
  return NULL;
}

static void append_calls(jitrun_registry_t *registry,
                         jitrun_customcall_t *records,
                         const jitrun_plugin_t *plugin) {
  if (plugin->call_count > 0)
    memcpy(records, plugin->calls, plugin->call_count * sizeof(*records));
  for (size_t i = 0; i < plugin->call_count; i++)
    insert_call(registry, &records[i]);
}

static void append_attr_types(jitrun_registry_t *registry,
                              jitrun_attr_type_t *records,
                              const jitrun_plugin_t *plugin) {
  size_t count = plugin->attr_type_count;
  if (count > 0)
    memcpy(records, plugin->attr_types, count * sizeof(*records));
  jr_attr_types_append(&registry->attr_types, records, count);
}

static jitrun_error_t *reserve_all(jitrun_registry_t *registry,
                                   const jitrun_plugin_t *plugin,
                                   struct jr_dylib library) {
  JITRUN_TRY(jr_attr_types_reserve(&registry->attr_types, plugin->attr_types,
                                   plugin->attr_type_count));
  if (!reserve_calls(registry, plugin->call_count) ||
      (library.handle && !reserve_library(registry)))
    return jr_error_no_memory();
  return NULL;
}

/// Everything that can fail comes before the first change that shows.
static jitrun_error_t *add_locked(jitrun_registry_t *registry,
                                  const jitrun_plugin_t *plugin,
                                  struct jr_dylib library) {
  JITRUN_TRY(check_free(registry, plugin->calls, plugin->call_count));
  JITRUN_TRY(reserve_all(registry, plugin, library));
  jitrun_customcall_t *calls =
      jr_arena_zalloc(&registry->records, plugin->call_count, sizeof(*calls));
  jitrun_attr_type_t *types = jr_arena_zalloc(
      &registry->records, plugin->attr_type_count, sizeof(*types));
  if (!calls || !types)
    return jr_error_no_memory();
  JITRUN_TRY(jr_classic_add(&registry->handlers, &registry->records,
                            plugin->classic, plugin->classic_count));
  append_calls(registry, calls, plugin);
  append_attr_types(registry, types, plugin);
  if (library.handle)
    registry->libraries[registry->library_count++] = library;
  return NULL;
}

jitrun_error_t *jr_registry_add_all(jitrun_registry_t *registry,
                                    const jitrun_plugin_t *plugin,
                                    struct jr_dylib library) {
  (void)pthread_mutex_lock(&registry->lock);
  jitrun_error_t *error = add_locked(registry, plugin, library);
  (void)pthread_mutex_unlock(&registry->lock);
  if (error && library.handle)
    jr_dylib_close(&library);
  return error;
}

jitrun_error_t *jr_registry_add_symbols(jitrun_registry_t *registry,
                                        struct jr_library *library,
                                        const jitrun_jitrt_t *adapter) {
  (void)pthread_mutex_lock(&registry->lock);
  registry->handlers.adapter = adapter;
  jitrun_error_t *error =
      jr_libraries_add(&registry->handlers, &registry->records, library);
  (void)pthread_mutex_unlock(&registry->lock);
  if (error)
    jr_dylib_close(&library->dylib);
  return error;
}

jitrun_error_t *jitrun_registry_register(jitrun_registry_t *registry,
                                         const jitrun_customcall_t *call) {
  JITRUN_TRY(jr_record_check(call));
  jitrun_plugin_t one = {.calls = call, .call_count = 1};
  return jr_registry_add_all(registry, &one, (struct jr_dylib){0});
}

jitrun_error_t *jitrun_registry_add_attr_type(jitrun_registry_t *registry,
                                              const jitrun_attr_type_t *type) {
  JITRUN_TRY(jr_attr_type_check(type));
  jitrun_plugin_t one = {.attr_types = type, .attr_type_count = 1};
  return jr_registry_add_all(registry, &one, (struct jr_dylib){0});
}

const jitrun_attr_type_t *
jitrun_registry_find_attr_type(jitrun_registry_t *registry, const char *name) {
  (void)pthread_mutex_lock(&registry->lock);
  const jitrun_attr_type_t *type =
      jr_attr_type_find(&registry->attr_types, name);
  (void)pthread_mutex_unlock(&registry->lock);
  return type;
}

/// Copied, since the list moves when it grows.
const jitrun_attr_type_t *
jitrun_registry_attr_type_get(jitrun_registry_t *registry, size_t index) {
  const jitrun_attr_type_t *type = NULL;
  if (index < jr_xla_attr_type_count)
    return &jr_xla_attr_types[index];
  index -= jr_xla_attr_type_count;
  (void)pthread_mutex_lock(&registry->lock);
  if (index < registry->attr_types.count)
    type = registry->attr_types.items[index];
  (void)pthread_mutex_unlock(&registry->lock);
  return type;
}

jitrun_error_t *jr_registry_attr_types(jitrun_registry_t *registry,
                                       const jitrun_attr_type_t *const **out,
                                       size_t *out_count) {
  (void)pthread_mutex_lock(&registry->lock);
  const struct jr_attr_types *types = &registry->attr_types;
  size_t count = jr_xla_attr_type_count + types->count;
  const jitrun_attr_type_t **all = jr_calloc(count, sizeof(*all));
  for (size_t i = 0; all && i < jr_xla_attr_type_count; i++)
    all[i] = &jr_xla_attr_types[i];
  for (size_t i = 0; all && i < types->count; i++)
    all[jr_xla_attr_type_count + i] = types->items[i];
  (void)pthread_mutex_unlock(&registry->lock);
  *out = all;
  *out_count = all ? count : 0;
  return all ? NULL : jr_error_no_memory();
}

jitrun_error_t *jitrun_registry_add_classic(jitrun_registry_t *registry,
                                            const jitrun_classic_t *classic) {
  JITRUN_TRY(jr_classic_check(classic));
  const jitrun_plugin_t plugin = {.classic = classic, .classic_count = 1};
  return jr_registry_add_all(registry, &plugin, (struct jr_dylib){0});
}

const jitrun_customcall_t *jr_registry_find(jitrun_registry_t *registry,
                                            const char *name,
                                            const char *platform) {
  (void)pthread_mutex_lock(&registry->lock);
  const jitrun_customcall_t *call = find_call(registry, name, platform);
  (void)pthread_mutex_unlock(&registry->lock);
  return call;
}

jitrun_error_t *jr_registry_resolve(jitrun_registry_t *registry,
                                    const char *name, const char *platform,
                                    const jitrun_customcall_t **out_call) {
  jitrun_error_t *error = NULL;
  (void)pthread_mutex_lock(&registry->lock);
  *out_call = find_call(registry, name, platform);
  if (!*out_call && strcmp(platform, "host") == 0)
    error = jr_libraries_find(&registry->handlers, &registry->records, name,
                              out_call);
  (void)pthread_mutex_unlock(&registry->lock);
  return error;
}

jitrun_classic_fn_t jr_registry_classic(jitrun_registry_t *registry,
                                        const char *name,
                                        const char *platform) {
  (void)pthread_mutex_lock(&registry->lock);
  jitrun_classic_fn_t function =
      jr_classic_find(&registry->handlers, name, platform);
  (void)pthread_mutex_unlock(&registry->lock);
  return function;
}

void jr_registry_library_list(jitrun_registry_t *registry,
                              struct jr_bytes *out_paths) {
  (void)pthread_mutex_lock(&registry->lock);
  for (size_t i = 0; i < registry->handlers.count; i++) {
    const char *path = registry->handlers.items[i].path;
    jr_bytes_append(out_paths, path, strlen(path) + 1);
  }
  (void)pthread_mutex_unlock(&registry->lock);
}

void *jr_registry_symbol(jitrun_registry_t *registry, const char *name) {
  (void)pthread_mutex_lock(&registry->lock);
  void *symbol = jr_libraries_symbol(&registry->handlers, name);
  (void)pthread_mutex_unlock(&registry->lock);
  return symbol;
}

size_t jitrun_registry_call_count(jitrun_registry_t *registry) {
  (void)pthread_mutex_lock(&registry->lock);
  size_t count = registry->count;
  (void)pthread_mutex_unlock(&registry->lock);
  return count;
}

const jitrun_customcall_t *jitrun_registry_call_get(jitrun_registry_t *registry,
                                                    size_t index) {
  (void)pthread_mutex_lock(&registry->lock);
  const jitrun_customcall_t *call =
      index < registry->count ? registry->calls[index] : NULL;
  (void)pthread_mutex_unlock(&registry->lock);
  return call;
}

/// Appends the platforms that have a call of this name; false when none has.
static bool append_platforms(const jitrun_registry_t *registry,
                             const char *name, struct jr_bytes *text) {
  bool is_found = false;
  for (size_t i = find_index(registry, name, ""); i < registry->count; i++) {
    if (strcmp(registry->calls[i]->name, name) != 0)
      break;
    jr_bytes_appendf(text, "%s'%s'", is_found ? ", " : "",
                     registry->calls[i]->platform);
    is_found = true;
  }
  return is_found;
}

/// Appends " (did you mean ...?)" with names of that platform, or nothing.
static void append_near_names(const jitrun_registry_t *registry,
                              const char *name, const char *platform,
                              struct jr_bytes *text) {
  struct jr_near_names near_names = {.wanted = name};
  for (size_t i = 0; i < registry->count; i++)
    if (strcmp(registry->calls[i]->platform, platform) == 0)
      jr_near_names_offer(&near_names, registry->calls[i]->name);
  char hint[512];
  if (jr_near_names_hint(&near_names, hint, sizeof(hint))[0] != '\0')
    jr_bytes_appendf(text, " (%s)", hint);
}

/// True for a name of ours in a program that has not all of libjitrun.a.
static bool may_be_left_out(const char *name) {
  return !jr_parts_complete() && (jr_text_has_prefix(name, "jitrun.") ||
                                  jr_text_has_prefix(name, "xla."));
}

jitrun_error_t *jr_registry_missing(jitrun_registry_t *registry,
                                    const char *name, const char *platform) {
  struct jr_bytes where = {0};
  struct jr_bytes near_names = {0};
  (void)pthread_mutex_lock(&registry->lock);
  bool is_elsewhere = append_platforms(registry, name, &where);
  jr_libraries_list(&registry->handlers, &near_names);
  append_near_names(registry, name, platform, &near_names);
  (void)pthread_mutex_unlock(&registry->lock);

  const char *text = jr_bytes_text(is_elsewhere ? &where : &near_names);
  jitrun_error_t *error;
  if (!text)
    error = jr_error_no_memory();
  else if (is_elsewhere)
    error = jr_error(JITRUN_NOT_FOUND,
                     "custom call '%s' is not registered for platform '%s'; it "
                     "is for %s: run the program there, or load a plug-in that "
                     "has it for '%s'",
                     name, platform, text, platform);
  else if (may_be_left_out(name))
    error = jr_error(JITRUN_NOT_FOUND,
                     "custom call '%s' is not linked into this program%s: "
                     "include the header that 'jitrun compile -o NAME.h' makes "
                     "of the image, or name the part of libjitrun.a that has "
                     "it (jitrun/parts.h)",
                     name, text);
  else
    error = jr_error(JITRUN_NOT_FOUND,
                     "custom call '%s' is not registered for platform '%s'%s: "
                     "register it, or load the plug-in that has it, before "
                     "the program is opened",
                     name, platform, text);
  jr_bytes_deinit(&where);
  jr_bytes_deinit(&near_names);
  return error;
}
