/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Clients and devices. There is one platform, the host, whose devices are as
/// many as the client's options ask for.
#include "client/client.h"

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/options.h"
#include "base/threads.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEVICES = 4096 };

static const char HOST[] = "host";

/// Platforms that jitrun will have, and where they are.
static const char *const unbuilt_platforms[] = {"cuda", "hip"};

static jitrun_error_t *check_platform(const char *platform) {
  if (!platform || strcmp(platform, HOST) == 0)
    return NULL;
  for (size_t i = 0; i < sizeof unbuilt_platforms / sizeof unbuilt_platforms[0];
       i++) {
    if (strcmp(platform, unbuilt_platforms[i]) == 0)
      return jr_error(JITRUN_UNIMPLEMENTED,
                      "this jitrun has no driver for the platform '%s'; it has "
                      "one for 'host'",
                      platform);
  }
  return jr_error(JITRUN_NOT_FOUND,
                  "there is no platform '%s'; there is 'host'", platform);
}

static jitrun_error_t *add_device(jitrun_client_t *client,
                                  uint64_t limit_bytes) {
  size_t ordinal = client->device_count;
  jitrun_device_t *device = &client->devices[ordinal];
  JITRUN_TRY(jr_worker_create(&device->worker));
  device->client = client;
  device->id = (int64_t)ordinal;
  device->local_ordinal = (uint32_t)ordinal;
  (void)snprintf(device->name, sizeof device->name, "%s:%zu", HOST, ordinal);
  jr_heap_init(&device->heap, device->name, limit_bytes);
  client->device_count++;
  return NULL;
}

jitrun_error_t *jitrun_client_create(const jitrun_client_options_t *options,
                                     jitrun_client_t **out_client) {
  jitrun_client_options_t read = {.size = sizeof read};
  if (!out_client)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "a client needs a place to be put in, and it is NULL");
  *out_client = NULL;
  JITRUN_TRY(jr_options_read(options, "for a client", &read, sizeof read));
  JITRUN_TRY(check_platform(read.platform));
  size_t count = read.device_count ? read.device_count : 1;
  if (count > MAX_DEVICES)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "a client was asked to have %zu devices; it has at most %d",
                    count, MAX_DEVICES);
  jitrun_client_t *client =
      jr_calloc(1, sizeof *client + count * sizeof *client->devices);
  if (!client)
    return jr_error_no_memory();
  (void)pthread_mutex_init(&client->order, NULL);
  client->reference_count = 1;
  client->timeout_ns = read.timeout_ns > 0 ? read.timeout_ns : -1;
  jitrun_error_t *error = NULL;
  for (size_t i = 0; i < count && !error; i++)
    error = add_device(client, read.memory_limit_bytes);
  if (error)
    jitrun_client_release(client);
  else
    *out_client = client;
  return error;
}

void jitrun_client_retain(jitrun_client_t *client) {
  if (client)
    (void)__atomic_fetch_add(&client->reference_count, 1, __ATOMIC_RELAXED);
}

void jitrun_client_release(jitrun_client_t *client) {
  if (!client ||
      __atomic_sub_fetch(&client->reference_count, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  for (size_t i = 0; i < client->device_count; i++) {
    jr_worker_destroy(client->devices[i].worker);
    jr_heap_deinit(&client->devices[i].heap);
  }
  (void)pthread_mutex_destroy(&client->order);
  free(client);
}

const char *jitrun_client_platform(const jitrun_client_t *client) {
  (void)client;
  return HOST;
}

size_t jitrun_client_device_count(const jitrun_client_t *client) {
  return client ? client->device_count : 0;
}

static jitrun_error_t *refuse_null(const char *what) {
  return jr_error(JITRUN_INVALID_ARGUMENT, "%s is NULL", what);
}

jitrun_error_t *jitrun_client_device(jitrun_client_t *client, int64_t id,
                                     jitrun_device_t **out_device) {
  if (!client || !out_device)
    return refuse_null(client ? "where to put a device" : "the client");
  *out_device = NULL;
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
  if (!client || !out_device)
    return refuse_null(client ? "where to put a device" : "the client");
  *out_device = NULL;
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
  if (!out)
    return refuse_null(name);
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
  if (!device)
    return refuse_null("the device");
  const jitrun_device_info_t info = {
      .id = device->id,
      .local_ordinal = device->local_ordinal,
      .platform = HOST,
      .kind = jr_cpu_machine_name(jr_cpu_machine()),
      .name = device->name,
      .core_count = (uint32_t)jr_pool_thread_count(jr_pool_default()),
  };
  return write_sized(out_info, &info, sizeof info, "jitrun_device_info_t");
}

jitrun_error_t *jitrun_device_memory_stats(const jitrun_device_t *device,
                                           jitrun_memory_stats_t *out_stats) {
  if (!device)
    return refuse_null("the device");
  // The lock is not part of what a device is.
  jitrun_memory_stats_t stats =
      jr_heap_stats((struct jr_heap *)(uintptr_t)&device->heap);
  return write_sized(out_stats, &stats, sizeof stats, "jitrun_memory_stats_t");
}

/// The number of devices that replicas x partitions take.
static jitrun_error_t *count_places(const jitrun_client_t *client,
                                    uint32_t replicas, uint32_t partitions,
                                    uint64_t *out_count) {
  if (!client)
    return refuse_null("the client");
  *out_count = (uint64_t)replicas * partitions;
  if (*out_count == 0 || *out_count > client->device_count)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "%" PRIu32 " replicas of %" PRIu32
                    " partitions need %" PRIu64
                    " devices; the client has %zu, and at least 1 is needed",
                    replicas, partitions, *out_count, client->device_count);
  return NULL;
}

jitrun_error_t *jitrun_client_assign_default(jitrun_client_t *client,
                                             uint32_t replicas,
                                             uint32_t partitions,
                                             int64_t *out_ids) {
  uint64_t count;
  JITRUN_TRY(count_places(client, replicas, partitions, &count));
  if (!out_ids)
    return refuse_null("where to put the device ids");
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
  JITRUN_TRY(count_places(client, replicas, partitions, &count));
  if (!ids)
    return refuse_null("the list of device ids");
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
