/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Clients and devices: a client has an opened platform, and each of its
/// devices what the driver made of it.
#include "client/client.h"

#include "base/alloc.h"
#include "base/dtype.h"
#include "base/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char HOST[] = "host";

/// "host:0 id 0, process 0: x86-64, 8 threads".
static void name_device(jitrun_device_t *device, const char *platform) {
  uint32_t ordinal = device->local_ordinal;
  (void)snprintf(device->name, sizeof device->name, "%.32s:%" PRIu32, platform,
                 ordinal);
  (void)snprintf(device->debug, sizeof device->debug,
                 "%.32s:%" PRIu32 " id %" PRId64 ", process 0: %s", platform,
                 ordinal, device->id, device->info.description);
}

/// Streams, and who waits for copies in them, where the driver needs any.
static jitrun_error_t *create_streams(jitrun_device_t *device) {
  const jitrun_driver_t *driver = device->client->platform.table;
  if (!device->info.is_synchronous)
    JITRUN_TRY(driver->stream_create(device->handle, 0, &device->stream));
  if (device->info.is_host_addressable)
    return NULL;
  JITRUN_TRY(jr_worker_create(&device->copier));
  return driver->stream_create(device->handle, 0, &device->copies);
}

static jitrun_error_t *open_device(jitrun_device_t *device,
                                   uint64_t limit_bytes) {
  const struct jr_platform *platform = &device->client->platform;
  uint64_t most = device->info.memory_bytes;
  JITRUN_TRY(platform->table->device_open(platform->own, device->local_ordinal,
                                          &device->handle));
  device->heap.driver = platform->table;
  device->heap.handle = device->handle;
  device->heap.device_name = device->name;
  jr_heap_init(&device->heap, limit_bytes && (!most || limit_bytes < most)
                                  ? limit_bytes
                                  : most);
  JITRUN_TRY(jr_worker_create(&device->worker));
  return create_streams(device);
}

/// What was made of a device that could not be made wholly is for the client's
/// release to give up.
static jitrun_error_t *add_device(jitrun_client_t *client,
                                  uint64_t limit_bytes) {
  size_t ordinal = client->device_count;
  jitrun_device_t *device = &client->devices[ordinal];
  JITRUN_TRY(
      jr_platform_info(&client->platform, (uint32_t)ordinal, &device->info));
  device->client = client;
  device->id = (int64_t)ordinal;
  device->local_ordinal = (uint32_t)ordinal;
  name_device(device, client->platform.table->platform);
  (void)pthread_mutex_init(&device->copy_lock, NULL);
  client->device_count++;
  return jr_error_note(open_device(device, limit_bytes),
                       "while opening device %s", device->name);
}

static void close_device(jitrun_device_t *device) {
  const jitrun_driver_t *driver = device->client->platform.table;
  jr_worker_destroy(device->worker);
  jr_worker_destroy(device->copier);
  if (device->stream)
    driver->stream_destroy(device->stream);
  if (device->copies)
    driver->stream_destroy(device->copies);
  if (device->handle) {
    jr_heap_deinit(&device->heap);
    driver->device_close(device->handle);
  }
  (void)pthread_mutex_destroy(&device->copy_lock);
}

/// A client of an opened platform, which is taken over.
static jitrun_error_t *make_client(/*own*/ struct jr_platform *platform,
                                   const jitrun_client_options_t *options,
                                   jitrun_client_t **out_client) {
  size_t count = platform->device_count;
  jitrun_client_t *client =
      jr_calloc(1, sizeof *client + count * sizeof *client->devices);
  if (!client) {
    jr_platform_close(platform);
    return jr_error_no_memory();
  }
  (void)pthread_mutex_init(&client->order, NULL);
  client->reference_count = 1;
  client->platform = *platform;
  client->timeout_ns = options->timeout_ns > 0 ? options->timeout_ns : -1;
  jitrun_error_t *error = jr_watch_create(options, &client->watch);
  for (size_t i = 0; i < count && !error; i++)
    error = add_device(client, options->memory_limit_bytes);
  if (error)
    jitrun_client_release(client);
  else
    *out_client = client;
  return error;
}

jitrun_error_t *jitrun_client_create(const jitrun_client_options_t *options,
                                     jitrun_client_t **out_client) {
  jitrun_client_options_t read = {.size = sizeof read};
  struct jr_driver *driver;
  struct jr_platform platform;
  JR_NEED(out_client);
  *out_client = NULL;
  JITRUN_TRY(jr_options_read(options, "for a client", &read, sizeof read));
  JITRUN_TRY(jr_platforms_driver(
      read.platforms, read.platform ? read.platform : HOST, &driver));
  jitrun_error_t *error =
      jr_platform_open(driver, read.device_count, &platform);
  jr_driver_release(driver);
  return error ? error : make_client(&platform, &read, out_client);
}

void jitrun_client_retain(jitrun_client_t *client) {
  if (client)
    (void)__atomic_fetch_add(&client->reference_count, 1, __ATOMIC_RELAXED);
}

void jitrun_client_release(jitrun_client_t *client) {
  if (!client ||
      __atomic_sub_fetch(&client->reference_count, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  for (size_t i = 0; i < client->device_count; i++)
    close_device(&client->devices[i]);
  jr_platform_close(&client->platform);
  jitrun_world_release(client->feeds);
  jr_watch_destroy(client->watch);
  (void)pthread_mutex_destroy(&client->order);
  free(client);
}

const char *jitrun_client_platform(const jitrun_client_t *client) {
  return client ? client->platform.table->platform : NULL;
}

size_t jitrun_client_device_count(const jitrun_client_t *client) {
  return client ? client->device_count : 0;
}

jitrun_error_t *jitrun_client_device(jitrun_client_t *client, int64_t id,
                                     jitrun_device_t **out_device) {
  JR_NEED(out_device);
  *out_device = NULL;
  JR_NEED(client);
  if (id < 0 || (uint64_t)id >= client->device_count)
    return jr_error(JITRUN_NOT_FOUND,
                    "there is no device with id %" PRId64
                    "; the ids are 0 to %zu",
                    id, client->device_count - 1);
  *out_device = &client->devices[id];
  return NULL;
}

jitrun_error_t *jitrun_client_local_device(jitrun_client_t *client,
                                           uint64_t ordinal,
                                           jitrun_device_t **out_device) {
  JR_NEED(out_device);
  *out_device = NULL;
  JR_NEED(client);
  if (ordinal >= client->device_count)
    return jr_error(JITRUN_OUT_OF_RANGE,
                    "device %" PRIu64
                    " of this process was asked for; they are 0 to %zu",
                    ordinal, client->device_count - 1);
  *out_device = &client->devices[ordinal];
  return NULL;
}

/// Copies what the caller's version of a structure has, behind its size.
static jitrun_error_t *write_sized(void *out, const void *full,
                                   size_t full_size, const char *name) {
  size_t size = 0;
  memcpy(&size, out, sizeof size);
  if (size < sizeof size || size > full_size)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "%s says that it has %zu bytes; set its size to sizeof its "
                    "type, at most %zu",
                    name, size, full_size);
  memcpy((char *)out + sizeof size, (const char *)full + sizeof size,
         size - sizeof size);
  return NULL;
}

jitrun_error_t *jitrun_device_info(const jitrun_device_t *device,
                                   jitrun_device_info_t *out_info) {
  JR_NEED(device);
  JR_NEED(out_info);
  const jitrun_device_info_t info = {
      .id = device->id,
      .local_ordinal = device->local_ordinal,
      .platform = device->client->platform.table->platform,
      .kind = device->info.kind,
      .name = device->name,
      .core_count = device->info.core_count,
      .is_host_addressable = device->info.is_host_addressable,
      .description = device->info.description,
      .debug = device->debug,
      .attributes = device->info.attributes,
      .attribute_count = device->info.attribute_count,
      .memory_bytes = device->info.memory_bytes,
  };
  return write_sized(out_info, &info, sizeof info, "jitrun_device_info_t");
}

jitrun_error_t *jitrun_device_memory_stats(const jitrun_device_t *device,
                                           jitrun_memory_stats_t *out_stats) {
  JR_NEED(device);
  JR_NEED(out_stats);
  // The lock is not part of what a device is.
  jitrun_memory_stats_t stats =
      jr_heap_stats((struct jr_heap *)(uintptr_t)&device->heap);
  return write_sized(out_stats, &stats, sizeof stats, "jitrun_memory_stats_t");
}

/// The number of devices that replicas x partitions take.
static jitrun_error_t *count_places(const jitrun_client_t *client,
                                    uint32_t replicas, uint32_t partitions,
                                    uint64_t *out_count) {
  *out_count = (uint64_t)replicas * partitions;
  if (*out_count == 0 || *out_count > client->device_count)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "%" PRIu32 " replicas of %" PRIu32
                    " partitions need %" PRIu64 " devices; the client has %zu",
                    replicas, partitions, *out_count, client->device_count);
  return NULL;
}

jitrun_error_t *jitrun_client_assign_default(jitrun_client_t *client,
                                             uint32_t replicas,
                                             uint32_t partitions,
                                             int64_t *out_ids) {
  uint64_t count;
  JR_NEED(client);
  JR_NEED(out_ids);
  JITRUN_TRY(count_places(client, replicas, partitions, &count));
  for (uint64_t i = 0; i < count; i++)
    out_ids[i] = client->devices[i].id;
  return NULL;
}

/// Where `id` is among the first `count` ids; `count`: nowhere.
static uint64_t find_id(const int64_t *ids, uint64_t count, int64_t id) {
  uint64_t at = 0;
  while (at < count && ids[at] != id)
    at++;
  return at;
}

jitrun_error_t *jitrun_client_check_assignment(jitrun_client_t *client,
                                               uint32_t replicas,
                                               uint32_t partitions,
                                               const int64_t *ids) {
  uint64_t count;
  jitrun_device_t *device;
  JR_NEED(client);
  JR_NEED(ids);
  JITRUN_TRY(count_places(client, replicas, partitions, &count));
  for (uint64_t i = 0; i < count; i++) {
    JITRUN_TRY(jr_error_note(jitrun_client_device(client, ids[i], &device),
                             "while assigning replica %" PRIu64
                             ", partition %" PRIu64,
                             i / partitions, i % partitions));
    uint64_t other = find_id(ids, i, ids[i]);
    if (other < i)
      return jr_error(JITRUN_INVALID_ARGUMENT,
                      "device %" PRId64 " is assigned to replica %" PRIu64
                      ", partition %" PRIu64 " and to replica %" PRIu64
                      ", partition %" PRIu64 "; each needs one of its own",
                      ids[i], other / partitions, other % partitions,
                      i / partitions, i % partitions);
  }
  return NULL;
}

int64_t jr_client_timeout(const jitrun_client_t *client, int64_t timeout_ns) {
  return timeout_ns == 0 ? client->timeout_ns : timeout_ns;
}

/// "f64, complex<f64>".
static void append_refused(struct jr_bytes *text, uint64_t dtypes) {
  const char *comma = "";
  for (unsigned i = 0; i < 64; i++) {
    const char *name = jr_dtype_name((jitrun_dtype_t)i);
    if (!(dtypes >> i & 1) || !name)
      continue;
    jr_bytes_appendf(text, "%s%s", comma, name);
    comma = ", ";
  }
}

jitrun_error_t *jr_device_accept(const jitrun_device_t *device,
                                 jitrun_dtype_t dtype) {
  uint64_t refused = device->info.refused_dtypes;
  struct jr_bytes text = {0};
  if (!(refused >> (unsigned)dtype & 1))
    return NULL;
  append_refused(&text, refused);
  const char *names = jr_bytes_text(&text);
  jitrun_error_t *error =
      jr_error(JITRUN_INVALID_ARGUMENT,
               "platform '%s' has no elements of type %s; its driver refuses "
               "%s",
               device->client->platform.table->platform, jr_dtype_name(dtype),
               names ? names : "it");
  jr_bytes_deinit(&text);
  return error;
}

jitrun_error_t *jr_device_finish(jitrun_device_t *device) {
  if (!device->stream)
    return NULL;
  return jr_error_note(
      device->client->platform.table->stream_synchronize(device->stream),
      "while waiting for the stream of device %s", device->name);
}
