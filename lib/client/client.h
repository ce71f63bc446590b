/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What a client and its devices are made of.
#ifndef JR_CLIENT_CLIENT_H
#define JR_CLIENT_CLIENT_H

#include "client/memory.h"
#include "client/watch.h"
#include "client/worker.h"
#include "device/driver.h"
#include "jitrun/client.h"
#include "jitrun/world.h"

enum { JR_CLIENT_NAME_SIZE = 48, JR_CLIENT_DEBUG_SIZE = 256 };

struct jitrun_device {
  jitrun_client_t *client; ///< borrowed: it owns the device
  int64_t id;
  uint32_t local_ordinal;
  char name[JR_CLIENT_NAME_SIZE];
  char debug[JR_CLIENT_DEBUG_SIZE];
  jitrun_driver_info_t info;
  jitrun_driver_device_t *handle; ///< NULL: not opened yet
  struct jr_heap heap;
  struct jr_worker *worker;
  jitrun_driver_stream_t *stream; ///< of executions; NULL: none is needed
  /// These four are there where the host cannot use the device's memory.
  pthread_mutex_t copy_lock; ///< held for one copy in `copies`
  jitrun_driver_stream_t *copies;
  struct jr_worker *copier; ///< waits for copies in `copies`
};

/// Immutable but for the heaps and the reference count.
struct jitrun_client {
  size_t reference_count; ///< atomic
  struct jr_platform platform;
  int64_t timeout_ns;    ///< below 0: for ever
  pthread_mutex_t order; ///< held to put in tasks that belong together, so
                         ///< that all devices have them in one order
  struct jr_watch *watch;
  jitrun_world_t *feeds; ///< of all devices, by ordinal; NULL: not used yet;
                         ///< `order` to make it
  size_t device_count;
  jitrun_device_t devices[];
};

/// The device, or NULL where the host can use its memory as its own.
static inline jitrun_device_t *jr_device_apart(jitrun_device_t *device) {
  return device->info.is_host_addressable ? NULL : device;
}

/// INVALID_ARGUMENT for an element type that the device cannot have.
jitrun_error_t *jr_device_accept(const jitrun_device_t *device,
                                 jitrun_dtype_t dtype)
    __attribute__((warn_unused_result));

/// The stream that handlers get; NULL: none.
static inline void *jr_device_native_stream(const jitrun_device_t *device) {
  const jitrun_driver_t *driver = device->client->platform.table;
  return device->stream && driver->stream_native
             ? driver->stream_native(device->stream)
             : NULL;
}

/// Waits for what handlers put into the stream of executions.
jitrun_error_t *jr_device_finish(jitrun_device_t *device)
    __attribute__((warn_unused_result));

/// The world with the devices' feeds. Borrowed.
jitrun_error_t *jr_client_feeds(jitrun_client_t *client,
                                jitrun_world_t **out_feeds)
    __attribute__((warn_unused_result));

/// How long to wait, where 0 stands for what the client's options say.
int64_t jr_client_timeout(const jitrun_client_t *client, int64_t timeout_ns);

#endif
