/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The host as a platform: as many devices as are asked for, all with the
/// process's memory. Everything is done at once, so streams and events have
/// nothing to remember but when they were reached.
#include "drivers/host/host.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "base/error.h"
#include "base/threads.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_DEVICES = 4096, WORD_BYTES = 8 };

/// All devices are alike, and so they are one.
struct jitrun_driver_device {
  uint32_t core_count;
};

struct jitrun_driver_stream {
  uint32_t flags;
};

struct jitrun_driver_event {
  uint64_t reached_ns;
};

struct jitrun_driver_platform {
  uint32_t device_count;
  struct jitrun_driver_device device;
  char cores[16];
  char description[64];
  jitrun_driver_value_t attributes[2];
};

static void *pointer_to(jitrun_address_t address) {
  return (void *)(uintptr_t)address;
}

static jitrun_error_t *open_host(const jitrun_driver_host_t *host,
                                 const jitrun_driver_options_t *options,
                                 jitrun_driver_platform_t **out_platform) {
  (void)host;
  *out_platform = NULL;
  if (options->device_count > MAX_DEVICES)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the host was asked to be %" PRIu32
                    " devices; it has at most %d",
                    options->device_count, MAX_DEVICES);
  jitrun_driver_platform_t *platform = jr_calloc(1, sizeof *platform);
  if (!platform)
    return jr_error_no_memory();
  const char *machine = jr_cpu_machine_name(jr_cpu_machine());
  uint32_t cores = (uint32_t)jr_pool_thread_count(jr_pool_default());
  platform->device_count = options->device_count ? options->device_count : 1;
  platform->device.core_count = cores;
  (void)snprintf(platform->cores, sizeof platform->cores, "%" PRIu32, cores);
  (void)snprintf(platform->description, sizeof platform->description,
                 "%s, %" PRIu32 " %s", machine, cores,
                 cores == 1 ? "thread" : "threads");
  platform->attributes[0] = (jitrun_driver_value_t){"architecture", machine};
  platform->attributes[1] = (jitrun_driver_value_t){"threads", platform->cores};
  *out_platform = platform;
  return NULL;
}

static void close_host(jitrun_driver_platform_t *platform) {
  free(platform);
}

static uint32_t count_devices(const jitrun_driver_platform_t *platform) {
  return platform->device_count;
}

static jitrun_error_t *describe_device(const jitrun_driver_platform_t *platform,
                                       uint32_t ordinal,
                                       jitrun_driver_info_t *out_info) {
  (void)ordinal;
  *out_info = (jitrun_driver_info_t){
      .size = sizeof *out_info,
      .kind = jr_cpu_machine_name(jr_cpu_machine()),
      .description = platform->description,
      .attributes = platform->attributes,
      .attribute_count = 2,
      .core_count = platform->device.core_count,
      .is_host_addressable = true,
      .is_synchronous = true,
  };
  return NULL;
}

static jitrun_error_t *open_device(jitrun_driver_platform_t *platform,
                                   uint32_t ordinal,
                                   jitrun_driver_device_t **out_device) {
  (void)ordinal;
  *out_device = &platform->device;
  return NULL;
}

static void close_device(jitrun_driver_device_t *device) {
  (void)device;
}

static jitrun_error_t *allocate(jitrun_driver_device_t *device,
                                uint64_t size_bytes, uint64_t alignment,
                                jitrun_address_t *out_address) {
  (void)device;
  if (alignment < WORD_BYTES)
    alignment = WORD_BYTES;
  void *data = jr_malloc_aligned(alignment, size_bytes);
  *out_address = (uintptr_t)data;
  return data ? NULL : jr_error_no_memory();
}

static void free_memory(jitrun_driver_device_t *device,
                        jitrun_address_t address) {
  (void)device;
  free(pointer_to(address));
}

static jitrun_error_t *ask_free(jitrun_driver_device_t *device,
                                uint64_t *out_free_bytes) {
  (void)device;
  long pages = sysconf(_SC_AVPHYS_PAGES);
  long page_bytes = sysconf(_SC_PAGESIZE);
  *out_free_bytes =
      pages > 0 && page_bytes > 0 ? (uint64_t)pages * (uint64_t)page_bytes : 0;
  return NULL;
}

static jitrun_error_t *create_stream(jitrun_driver_device_t *device,
                                     uint32_t flags,
                                     jitrun_driver_stream_t **out_stream) {
  (void)device;
  *out_stream = jr_malloc(sizeof **out_stream);
  if (!*out_stream)
    return jr_error_no_memory();
  (*out_stream)->flags = flags;
  return NULL;
}

static void destroy_stream(jitrun_driver_stream_t *stream) {
  free(stream);
}

static jitrun_error_t *synchronize_stream(jitrun_driver_stream_t *stream) {
  (void)stream;
  return NULL;
}

static bool query_stream(jitrun_driver_stream_t *stream) {
  (void)stream;
  return true;
}

static jitrun_error_t *copy_to_device(jitrun_driver_stream_t *stream,
                                      jitrun_address_t to, const void *from,
                                      uint64_t size_bytes) {
  (void)stream;
  memcpy(pointer_to(to), from, size_bytes);
  return NULL;
}

static jitrun_error_t *copy_to_host(jitrun_driver_stream_t *stream, void *to,
                                    jitrun_address_t from,
                                    uint64_t size_bytes) {
  (void)stream;
  memcpy(to, pointer_to(from), size_bytes);
  return NULL;
}

static jitrun_error_t *copy_on_device(jitrun_driver_stream_t *stream,
                                      jitrun_address_t to,
                                      jitrun_address_t from,
                                      uint64_t size_bytes) {
  (void)stream;
  memcpy(pointer_to(to), pointer_to(from), size_bytes);
  return NULL;
}

static jitrun_error_t *copy_from_peer(jitrun_driver_stream_t *stream,
                                      jitrun_address_t to,
                                      jitrun_driver_device_t *from_device,
                                      jitrun_address_t from,
                                      uint64_t size_bytes) {
  (void)from_device;
  return copy_on_device(stream, to, from, size_bytes);
}

static jitrun_error_t *fill(jitrun_driver_stream_t *stream, jitrun_address_t to,
                            uint64_t size_bytes, uint32_t pattern,
                            uint32_t pattern_bytes) {
  (void)stream;
  char *data = pointer_to(to);
  for (uint64_t at = 0; at + pattern_bytes <= size_bytes; at += pattern_bytes)
    memcpy(data + at, &pattern, pattern_bytes);
  return NULL;
}

static jitrun_error_t *create_event(jitrun_driver_device_t *device,
                                    uint32_t flags,
                                    jitrun_driver_event_t **out_event) {
  (void)device;
  (void)flags;
  *out_event = jr_calloc(1, sizeof **out_event);
  return *out_event ? NULL : jr_error_no_memory();
}

static void destroy_event(jitrun_driver_event_t *event) {
  free(event);
}

static jitrun_error_t *record_event(jitrun_driver_stream_t *stream,
                                    jitrun_driver_event_t *event) {
  (void)stream;
  __atomic_store_n(&event->reached_ns, jr_clock_ns(), __ATOMIC_RELAXED);
  return NULL;
}

static jitrun_error_t *wait_event(jitrun_driver_stream_t *stream,
                                  jitrun_driver_event_t *event) {
  (void)stream;
  (void)event;
  return NULL;
}

static bool query_event(jitrun_driver_event_t *event) {
  (void)event;
  return true;
}

static jitrun_error_t *synchronize_event(jitrun_driver_event_t *event) {
  (void)event;
  return NULL;
}

static jitrun_error_t *measure_events(jitrun_driver_event_t *from,
                                      jitrun_driver_event_t *to,
                                      uint64_t *out_ns) {
  *out_ns = __atomic_load_n(&to->reached_ns, __ATOMIC_RELAXED) -
            __atomic_load_n(&from->reached_ns, __ATOMIC_RELAXED);
  return NULL;
}

static const jitrun_driver_t driver = {
    .size = sizeof driver,
    .version = JITRUN_DRIVER_VERSION,
    .sanitizer = JITRUN_SANITIZER,
    .platform = "host",
    .summary = "this machine's processors",
    .open = open_host,
    .close = close_host,
    .device_count = count_devices,
    .device_info = describe_device,
    .device_open = open_device,
    .device_close = close_device,
    .alloc = allocate,
    .free = free_memory,
    .memory_free = ask_free,
    .stream_create = create_stream,
    .stream_destroy = destroy_stream,
    .stream_synchronize = synchronize_stream,
    .stream_query = query_stream,
    .copy_to_device = copy_to_device,
    .copy_to_host = copy_to_host,
    .copy_on_device = copy_on_device,
    .copy_from_peer = copy_from_peer,
    .fill = fill,
    .event_create = create_event,
    .event_destroy = destroy_event,
    .event_record = record_event,
    .event_wait = wait_event,
    .event_query = query_event,
    .event_synchronize = synchronize_event,
    .event_elapsed = measure_events,
};

const jitrun_driver_t *jr_host_driver_query(uint32_t max_version) {
  return max_version >= JITRUN_DRIVER_VERSION ? &driver : NULL;
}
