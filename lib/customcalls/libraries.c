/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Handlers by symbol. A record is made of a symbol when a program first names
/// it, through the adapter that libjitrun-jitrt has; it lives as long as the
/// registry, like those that were registered.
#include "customcalls/libraries.h"

#include "base/alloc.h"
#include "base/error.h"
#include "jitrun/customcall.h"
#include "jitrun/jitrt.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct jr_library_call {
  struct jr_library_call *next;
  jitrun_jitrt_call_t handler;
  jitrun_customcall_t record;
};

static char *copy_text(struct jr_arena *arena, const char *text) {
  return jr_arena_copy_text(arena, text, strlen(text));
}

jitrun_error_t *jr_libraries_add(struct jr_libraries *libraries,
                                 struct jr_arena *arena,
                                 const struct jr_library *library) {
  struct jr_library *items =
      jr_grow(libraries->items, &libraries->capacity, libraries->count,
              sizeof(*libraries->items));
  char *path = copy_text(arena, library->path);
  if (items)
    libraries->items = items;
  if (!items || !path)
    return jr_error_no_memory();
  items[libraries->count] = *library;
  items[libraries->count++].path = path;
  return NULL;
}

static void *find_symbol(const struct jr_libraries *libraries, const char *name,
                         const struct jr_library **out_library) {
  void *symbol = NULL;
  for (size_t i = 0; !symbol && i < libraries->count; i++) {
    *out_library = &libraries->items[i];
    symbol = jr_dylib_find_function(&libraries->items[i].dylib, name);
  }
  return symbol;
}

void *jr_libraries_symbol(const struct jr_libraries *libraries,
                          const char *name) {
  const struct jr_library *library = NULL;
  return find_symbol(libraries, name, &library);
}

/// Makes the record of a symbol.
static jitrun_error_t *make_call(struct jr_libraries *libraries,
                                 struct jr_arena *arena, const char *name,
                                 const struct jr_library *library,
                                 void *symbol) {
  struct jr_library_call *call = jr_arena_zalloc(arena, 1, sizeof(*call));
  char *copy = copy_text(arena, name);
  if (!call || !copy)
    return jr_error_no_memory();
  call->handler = (jitrun_jitrt_call_t){.size = sizeof(call->handler),
                                        .name = copy,
                                        .types = library->types,
                                        .type_count = library->type_count};
  // C has no cast from an object to a function
  memcpy(&call->handler.function, &symbol, sizeof(symbol));
  call->record = libraries->adapter->adapt(&call->handler);
  call->next = libraries->calls;
  libraries->calls = call;
  return NULL;
}

jitrun_error_t *jr_libraries_find(struct jr_libraries *libraries,
                                  struct jr_arena *arena, const char *name,
                                  const jitrun_customcall_t **out_call) {
  *out_call = NULL;
  for (struct jr_library_call *call = libraries->calls; call; call = call->next)
    if (strcmp(call->handler.name, name) == 0) {
      *out_call = &call->record;
      return NULL;
    }
  const struct jr_library *library = NULL;
  void *symbol = find_symbol(libraries, name, &library);
  if (!symbol)
    return NULL;
  JITRUN_TRY(make_call(libraries, arena, name, library, symbol));
  *out_call = &libraries->calls->record;
  return NULL;
}

void jr_libraries_list(const struct jr_libraries *libraries,
                       struct jr_bytes *text) {
  for (size_t i = 0; i < libraries->count; i++)
    jr_bytes_appendf(text, "%s'%s'", i > 0 ? ", " : ", and is no function of ",
                     libraries->items[i].path);
}

static const jitrun_classic_t *
find_classic(const struct jr_libraries *libraries, const char *name,
             const char *platform) {
  for (size_t i = 0; i < libraries->classic_count; i++)
    if (strcmp(libraries->classic[i].name, name) == 0 &&
        strcmp(libraries->classic[i].platform, platform) == 0)
      return &libraries->classic[i];
  return NULL;
}

static jitrun_error_t *push_classic(struct jr_libraries *libraries,
                                    struct jr_arena *arena,
                                    const jitrun_classic_t *classic) {
  if (find_classic(libraries, classic->name, classic->platform))
    return jr_error(JITRUN_ALREADY_EXISTS,
                    "the classic custom call handler '%s' is already "
                    "registered for platform '%s': give it another name, or "
                    "use another registry",
                    classic->name, classic->platform);
  jitrun_classic_t *items =
      jr_grow(libraries->classic, &libraries->classic_capacity,
              libraries->classic_count, sizeof(*libraries->classic));
  if (items)
    libraries->classic = items;
  char *name = copy_text(arena, classic->name);
  char *platform = copy_text(arena, classic->platform);
  if (!items || !name || !platform)
    return jr_error_no_memory();
  items[libraries->classic_count++] =
      (jitrun_classic_t){name, platform, classic->function};
  return NULL;
}

jitrun_error_t *jr_classic_add(struct jr_libraries *libraries,
                               struct jr_arena *arena,
                               const jitrun_classic_t *classic, size_t count) {
  size_t before = libraries->classic_count;
  jitrun_error_t *error = NULL;
  for (size_t i = 0; !error && i < count; i++)
    error = push_classic(libraries, arena, &classic[i]);
  if (error)
    libraries->classic_count = before;
  return error;
}

jitrun_classic_fn_t jr_classic_find(const struct jr_libraries *libraries,
                                    const char *name, const char *platform) {
  const jitrun_classic_t *classic = find_classic(libraries, name, platform);
  if (classic)
    return classic->function;
  jitrun_classic_fn_t function = NULL;
  const struct jr_library *library = NULL;
  void *symbol = strcmp(platform, "host") == 0
                     ? find_symbol(libraries, name, &library)
                     : NULL;
  memcpy(&function, &symbol, sizeof(symbol));
  return function;
}

void jr_libraries_deinit(struct jr_libraries *libraries) {
  while (libraries->count > 0)
    jr_dylib_close(&libraries->items[--libraries->count].dylib);
  free(libraries->items);
  free(libraries->classic);
  *libraries = (struct jr_libraries){0};
}
