/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The list of platforms. Drivers whose libraries are looked for have a row
/// without a driver: a failure is not kept, so that installing one helps a
/// program that is running.
#include "base/alloc.h"
#include "base/bytes.h"
#include "device/driver.h"
#include "drivers/host/host.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct row {
  const char *name;         ///< of the driver's table, or static
  struct jr_driver *driver; ///< NULL: to be looked for
};

/// `count` only grows.
struct jitrun_platforms {
  size_t reference_count; ///< atomic
  pthread_mutex_t lock;   ///< of all that follows
  struct row *rows;
  size_t count, capacity;
};

/// What every list has.
static const char *const looked_for[] = {"cuda", "hip"};
enum { LOOKED_FOR_COUNT = sizeof looked_for / sizeof looked_for[0] };

static void free_platforms(jitrun_platforms_t *platforms) {
  for (size_t i = 0; i < platforms->count; i++)
    jr_driver_release(platforms->rows[i].driver);
  (void)pthread_mutex_destroy(&platforms->lock);
  free(platforms->rows);
  free(platforms);
}

void jitrun_platforms_retain(jitrun_platforms_t *platforms) {
  if (platforms)
    (void)__atomic_fetch_add(&platforms->reference_count, 1, __ATOMIC_RELAXED);
}

void jitrun_platforms_release(jitrun_platforms_t *platforms) {
  if (platforms &&
      __atomic_sub_fetch(&platforms->reference_count, 1, __ATOMIC_ACQ_REL) == 0)
    free_platforms(platforms);
}

static struct row *find_row(const jitrun_platforms_t *platforms,
                            const char *name) {
  for (size_t i = 0; i < platforms->count; i++) {
    if (strcmp(platforms->rows[i].name, name) == 0)
      return &platforms->rows[i];
  }
  return NULL;
}

/// Lock held, or nobody else has the list. `driver` is taken over.
static jitrun_error_t *add_row(jitrun_platforms_t *platforms, const char *name,
                               /*own*/ struct jr_driver *driver) {
  struct row *row = find_row(platforms, name);
  if (row && row->driver) {
    jr_driver_release(driver);
    return jr_error(JITRUN_ALREADY_EXISTS,
                    "there is a driver for the platform '%s' already", name);
  }
  if (row) {
    row->driver = driver;
    row->name = name;
    return NULL;
  }
  struct row *rows = jr_grow(platforms->rows, &platforms->capacity,
                             platforms->count, sizeof *rows);
  if (!rows) {
    jr_driver_release(driver);
    return jr_error_no_memory();
  }
  platforms->rows = rows;
  rows[platforms->count++] = (struct row){name, driver};
  return NULL;
}

static jitrun_error_t *fill_list(jitrun_platforms_t *platforms) {
  JITRUN_TRY(jitrun_platforms_add(platforms, jr_host_driver_query));
  for (size_t i = 0; i < LOOKED_FOR_COUNT; i++)
    JITRUN_TRY(add_row(platforms, looked_for[i], NULL));
  return NULL;
}

jitrun_error_t *jitrun_platforms_create(jitrun_platforms_t **out_platforms) {
  JR_NEED(out_platforms);
  *out_platforms = NULL;
  jitrun_platforms_t *platforms = jr_calloc(1, sizeof *platforms);
  if (!platforms)
    return jr_error_no_memory();
  platforms->reference_count = 1;
  (void)pthread_mutex_init(&platforms->lock, NULL);
  jitrun_error_t *error = fill_list(platforms);
  if (error)
    free_platforms(platforms);
  else
    *out_platforms = platforms;
  return error;
}

static jitrun_error_t *add_driver(jitrun_platforms_t *platforms,
                                  /*own*/ struct jr_driver *driver) {
  (void)pthread_mutex_lock(&platforms->lock);
  jitrun_error_t *error = add_row(platforms, driver->table->platform, driver);
  (void)pthread_mutex_unlock(&platforms->lock);
  return error;
}

jitrun_error_t *jitrun_platforms_add(jitrun_platforms_t *platforms,
                                     jitrun_driver_query_t query) {
  struct jr_driver *driver;
  JR_NEED(platforms);
  JR_NEED(query);
  JITRUN_TRY(jr_driver_create(query, (struct jr_dylib){0}, &driver));
  return add_driver(platforms, driver);
}

jitrun_error_t *jitrun_platforms_load(jitrun_platforms_t *platforms,
                                      const char *path) {
  struct jr_driver *driver;
  JR_NEED(platforms);
  JR_NEED(path);
  JITRUN_TRY(jr_driver_load(path, &driver));
  return jr_error_note(add_driver(platforms, driver),
                       "while loading driver '%s'", path);
}

size_t jitrun_platforms_count(jitrun_platforms_t *platforms) {
  if (!platforms)
    return 0;
  (void)pthread_mutex_lock(&platforms->lock);
  size_t count = platforms->count;
  (void)pthread_mutex_unlock(&platforms->lock);
  return count;
}

const char *jitrun_platforms_get(jitrun_platforms_t *platforms, size_t index) {
  const char *name = NULL;
  if (!platforms)
    return NULL;
  (void)pthread_mutex_lock(&platforms->lock);
  if (index < platforms->count)
    name = platforms->rows[index].name;
  (void)pthread_mutex_unlock(&platforms->lock);
  return name;
}

/// NOT_FOUND. Lock held.
static jitrun_error_t *refuse_name(const jitrun_platforms_t *platforms,
                                   const char *name) {
  struct jr_bytes text = {0};
  for (size_t i = 0; i < platforms->count; i++)
    jr_bytes_appendf(&text, "%s'%s'", i == 0 ? "" : ", ",
                     platforms->rows[i].name);
  const char *names = jr_bytes_text(&text);
  jitrun_error_t *error =
      jr_error(JITRUN_NOT_FOUND, "there is no platform '%s'; there are %s",
               name, names ? names : "others");
  jr_bytes_deinit(&text);
  return error;
}

static jitrun_error_t *find_driver(jitrun_platforms_t *platforms,
                                   const char *name,
                                   struct jr_driver **out_driver) {
  jitrun_error_t *error = NULL;
  (void)pthread_mutex_lock(&platforms->lock);
  const struct row *row = find_row(platforms, name);
  if (!row)
    error = refuse_name(platforms, name);
  else if (row->driver)
    jr_driver_retain(row->driver);
  *out_driver = row ? row->driver : NULL;
  (void)pthread_mutex_unlock(&platforms->lock);
  return error || *out_driver ? error : jr_driver_find(name, out_driver);
}

jitrun_error_t *jr_platforms_driver(jitrun_platforms_t *platforms,
                                    const char *name,
                                    struct jr_driver **out_driver) {
  *out_driver = NULL;
  if (platforms)
    return find_driver(platforms, name, out_driver);
  if (strcmp(name, "host") == 0) // most clients: no list is needed
    return jr_driver_create(jr_host_driver_query, (struct jr_dylib){0},
                            out_driver);
  jitrun_platforms_t *standard;
  JITRUN_TRY(jitrun_platforms_create(&standard));
  jitrun_error_t *error = find_driver(standard, name, out_driver);
  jitrun_platforms_release(standard);
  return error;
}
