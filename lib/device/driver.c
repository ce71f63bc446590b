/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Drivers: finding their libraries, and checking their tables, so that nobody
/// else needs to look whether a function is there.
#include "device/driver.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/library.h"
#include "base/strings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FOLDER_SIZE = 4096, PATH_SIZE = FOLDER_SIZE + 128 };

/// The functions that a table must have.
#define ROW(name) {#name, offsetof(jitrun_driver_t, name)}
static const struct {
  const char *name;
  size_t offset;
} required[] = {
    ROW(open),
    ROW(close),
    ROW(device_count),
    ROW(device_info),
    ROW(device_open),
    ROW(device_close),
    ROW(alloc),
    ROW(free),
    ROW(stream_create),
    ROW(stream_destroy),
    ROW(stream_synchronize),
    ROW(stream_query),
    ROW(copy_to_device),
    ROW(copy_to_host),
    ROW(copy_on_device),
    ROW(fill),
    ROW(event_create),
    ROW(event_destroy),
    ROW(event_record),
    ROW(event_wait),
    ROW(event_query),
    ROW(event_synchronize),
};
#undef ROW

/// The name of a function that is missing, or NULL.
static const char *find_missing(const jitrun_driver_t *table) {
  for (size_t i = 0; i < sizeof required / sizeof required[0]; i++) {
    void (*function)(void);
    memcpy(&function, (const char *)table + required[i].offset,
           sizeof function);
    if (!function)
      return required[i].name;
  }
  return !table->host_alloc == !table->host_free ? NULL
                                                 : "host_alloc or host_free";
}

/// What the table says of itself: nothing beyond may be read unless it fits.
static jitrun_error_t *check_table(const jitrun_driver_t *table) {
  if (!table)
    return jr_error(JITRUN_FAILED_PRECONDITION,
                    "the driver has no table for version %u of the driver "
                    "interface or below: it needs a newer jitrun, or must be "
                    "rebuilt with the jitrun/driver.h of this one",
                    JITRUN_DRIVER_VERSION);
  if (table->size != sizeof *table)
    return jr_error(JITRUN_FAILED_PRECONDITION,
                    "the driver's table has a size of %zu, that of version %u "
                    "is %zu: rebuild the driver with the jitrun/driver.h of "
                    "this jitrun",
                    table->size, JITRUN_DRIVER_VERSION, sizeof *table);
  if (!table->platform || !table->platform[0])
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the driver's table has no platform: set its name");
  if (table->version == 0 || table->version > JITRUN_DRIVER_VERSION)
    return jr_error(JITRUN_FAILED_PRECONDITION,
                    "the driver of '%s' answers with version %u, asked was for "
                    "at most %u: rebuild it with the jitrun/driver.h of this "
                    "jitrun",
                    table->platform, table->version, JITRUN_DRIVER_VERSION);
  if (table->sanitizer != JITRUN_SANITIZER)
    return jr_sanitizer_refuse(table->platform, table->sanitizer);
  const char *missing = find_missing(table);
  if (!missing)
    return NULL;
  return jr_error(JITRUN_INVALID_ARGUMENT,
                  "the driver of '%s' has no function %s: it must be set",
                  table->platform, missing);
}

jitrun_error_t *jr_driver_create(jitrun_driver_query_t query,
                                 struct jr_dylib library,
                                 struct jr_driver **out_driver) {
  const jitrun_driver_t *table = query(JITRUN_DRIVER_VERSION);
  *out_driver = NULL;
  jitrun_error_t *error = check_table(table);
  struct jr_driver *driver = error ? NULL : jr_malloc(sizeof *driver);
  if (!driver) {
    jr_dylib_close(&library);
    return error ? error : jr_error_no_memory();
  }
  *driver = (struct jr_driver){
      .reference_count = 1, .table = table, .library = library};
  *out_driver = driver;
  return NULL;
}

/// The driver of a library that was opened, which is closed if it has none.
static jitrun_error_t *take_library(const char *path,
                                    /*own*/ struct jr_dylib library,
                                    struct jr_driver **out_driver) {
  void *symbol = jr_dylib_find(&library, JITRUN_DRIVER_QUERY_NAME);
  if (!symbol) {
    jr_dylib_close(&library);
    return jr_error(JITRUN_FAILED_PRECONDITION,
                    "'%s' is not a jitrun driver: it exports no function "
                    "'" JITRUN_DRIVER_QUERY_NAME "'",
                    path);
  }
  jitrun_driver_query_t query;
  memcpy(&query, &symbol, sizeof query);
  return jr_error_note(jr_driver_create(query, library, out_driver),
                       "while loading driver '%s'", path);
}

jitrun_error_t *jr_driver_load(const char *path,
                               struct jr_driver **out_driver) {
  struct jr_dylib library = {0};
  *out_driver = NULL;
  jitrun_error_t *error = jr_library_open(path, &library);
  if (error)
    return jr_error_note(error, "while loading driver '%s'", path);
  return take_library(path, library, out_driver);
}

/// Where drivers are looked for first, seen from the folder of libjitrun.
static const char *const folders[] = {"", "/../lib"};
static const size_t folder_count = sizeof folders / sizeof folders[0];

/// Place `index` of a library; false when there is none.
static bool make_path(size_t index, const char *name,
                      char out_path[PATH_SIZE]) {
  char folder[FOLDER_SIZE];
  if (index >= folder_count ||
      !jr_dylib_folder_of((const void *)folders, folder, sizeof folder))
    return false;
  if (index > 0 && jr_text_has_suffix(folder, "/lib")) // once is enough
    return false;
  int size = snprintf(out_path, PATH_SIZE, "%s%s/libjitrun-driver-%s.so",
                      folder, folders[index], name);
  return size > 0 && size < PATH_SIZE;
}

/// Opens what the system finds under that name, if anything: an error is about
/// something else.
static jitrun_error_t *open_by_system(const char *name,
                                      struct jr_dylib *out_library) {
  char path[PATH_SIZE];
  (void)snprintf(path, sizeof path, "libjitrun-driver-%s.so", name);
  jitrun_error_t *error = jr_dylib_open(path, out_library);
  if (!error)
    return NULL;
  out_library->handle = NULL;
  if (!strstr(jitrun_error_message(error),
              "': cannot open shared object file: No such file"))
    return error;
  jitrun_error_free(error);
  return NULL;
}

static jitrun_error_t *refuse_absent(const char *name) {
  struct jr_bytes places = {0};
  char path[PATH_SIZE];
  for (size_t i = 0; make_path(i, name, path); i++)
    jr_bytes_appendf(&places, "no file '%s', ", path);
  const char *text = jr_bytes_text(&places);
  jitrun_error_t *error =
      jr_error(JITRUN_UNIMPLEMENTED,
               "the platform '%s' needs its driver, libjitrun-driver-%s.so: "
               "there is %snor one where the system looks for libraries",
               name, name, text ? text : "");
  jr_bytes_deinit(&places);
  return error;
}

/// Opens the library of a platform, wherever it is.
static jitrun_error_t *open_named(const char *name,
                                  struct jr_driver **out_driver) {
  struct jr_dylib library = {0};
  char path[PATH_SIZE];
  *out_driver = NULL;
  for (size_t i = 0; make_path(i, name, path); i++) {
    if (access(path, F_OK) == 0)
      return jr_driver_load(path, out_driver);
  }
  (void)snprintf(path, sizeof path, "libjitrun-driver-%s.so", name);
  JITRUN_TRY(open_by_system(name, &library));
  return library.handle ? take_library(path, library, out_driver)
                        : refuse_absent(name);
}

jitrun_error_t *jr_driver_find(const char *name,
                               struct jr_driver **out_driver) {
  struct jr_driver *driver = NULL;
  *out_driver = NULL;
  jitrun_error_t *error = open_named(name, &driver);
  if (error || !driver) // never the second alone
    return error;
  const char *platform = driver->table->platform;
  if (strcmp(platform, name) == 0) {
    *out_driver = driver;
    return NULL;
  }
  error = jr_error(JITRUN_FAILED_PRECONDITION,
                   "libjitrun-driver-%s.so is a driver of platform '%s', not "
                   "of '%s'",
                   name, platform, name);
  jr_driver_release(driver);
  return error;
}

void jr_driver_retain(struct jr_driver *driver) {
  (void)__atomic_fetch_add(&driver->reference_count, 1, __ATOMIC_RELAXED);
}

void jr_driver_release(struct jr_driver *driver) {
  if (!driver ||
      __atomic_sub_fetch(&driver->reference_count, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  jr_dylib_close(&driver->library);
  free(driver);
}

static jitrun_error_t *make_error(jitrun_code_t code, const char *text,
                                  size_t text_size) {
  if (!text)
    return jr_error(code, "the driver gives no reason");
  return jr_error_text(code, text,
                       text_size == SIZE_MAX ? strlen(text) : text_size);
}

static const jitrun_driver_host_t host_table = {.size = sizeof host_table,
                                                .error = make_error};

jitrun_error_t *jr_platform_open(struct jr_driver *driver,
                                 uint32_t device_count,
                                 struct jr_platform *out_platform) {
  const jitrun_driver_t *table = driver->table;
  const jitrun_driver_options_t options = {.size = sizeof options,
                                           .device_count = device_count};
  *out_platform = (struct jr_platform){0};
  jitrun_driver_platform_t *own = NULL;
  jitrun_error_t *error = table->open(&host_table, &options, &own);
  uint32_t count = error ? 0 : table->device_count(own);
  if (!error && count == 0) {
    table->close(own);
    error = jr_error(JITRUN_UNAVAILABLE, "it has no device");
  }
  if (error)
    return jr_error_note(error, "while opening platform '%s'", table->platform);
  jr_driver_retain(driver);
  *out_platform = (struct jr_platform){driver, table, own, count};
  return NULL;
}

void jr_platform_close(struct jr_platform *platform) {
  if (!platform->driver)
    return;
  platform->table->close(platform->own);
  jr_driver_release(platform->driver);
  *platform = (struct jr_platform){0};
}

jitrun_error_t *jr_platform_info(const struct jr_platform *platform,
                                 uint32_t ordinal,
                                 jitrun_driver_info_t *out_info) {
  *out_info = (jitrun_driver_info_t){.size = sizeof *out_info};
  JITRUN_TRY(platform->table->device_info(platform->own, ordinal, out_info));
  if (!out_info->kind)
    out_info->kind = platform->table->platform;
  if (!out_info->description)
    out_info->description = out_info->kind;
  return NULL;
}
