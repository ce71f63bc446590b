/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Clients: the devices of one platform, their memory, and which of them run
/// which replica and partition of a program. Buffers on devices are in
/// jitrun/buffer.h.
///
/// Life: create -> use its devices -> release. Devices are borrowed from their
/// client; buffers keep it. Everything here is thread-safe. A process may have
/// several clients; they share nothing but the process's pool of threads.
#ifndef JITRUN_CLIENT_H
#define JITRUN_CLIENT_H

#include "jitrun/error.h"
#include "jitrun/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct jitrun_client jitrun_client_t;
typedef struct jitrun_device jitrun_device_t;

/// Receives a warning of a client, one text a call. `context` is the options'
/// warning_context. Called on a thread of the client's, or one that waits.
typedef void (*jitrun_warning_fn_t)(void *context, const char *text,
                                    size_t size_bytes);

/// Options for making a client; zero-initialise, then set `size`.
typedef struct jitrun_client_options {
  size_t size;          ///< sizeof(jitrun_client_options_t)
  const char *platform; ///< NULL: "host"
  /// host: logical devices, each with memory and an order of work of its own;
  /// at most 4096; 0: one. Other platforms: as many of those there are; 0: all.
  uint32_t device_count;
  uint64_t memory_limit_bytes; ///< of each device; 0: what it has
  int64_t timeout_ns; ///< of waits that do not say; 0 or below: for ever
  jitrun_platforms_t *platforms; ///< drivers; NULL: host, and cuda and hip if
                                 ///< their libraries are there
  /// Told of executions and waits that go on, and what they wait for: device,
  /// replica, custom call and its place, channel. First after `warn_after_ns`
  /// (0: 10 s; below 0: never), then at gaps that double. NULL: nobody is told.
  jitrun_warning_fn_t warning;
  void *warning_context;
  int64_t warn_after_ns;
} jitrun_client_options_t;

/// Makes a client. `options` may be NULL. NOT_FOUND for a platform that nobody
/// has, with those there are; UNIMPLEMENTED for one whose driver is not there,
/// with where it was looked for; what the driver says when it cannot be opened.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_client_create(const jitrun_client_options_t *options,
                     jitrun_client_t **out_client);
JITRUN_API void jitrun_client_retain(jitrun_client_t *client);
JITRUN_API void jitrun_client_release(/*own*/ jitrun_client_t *client);

/// "host". Borrowed from the client; NULL for NULL.
JITRUN_API const char *jitrun_client_platform(const jitrun_client_t *client);

JITRUN_API size_t jitrun_client_device_count(const jitrun_client_t *client);

/// The device of that id, which is unique over all processes. NOT_FOUND names
/// the ids there are.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_client_device(jitrun_client_t *client, int64_t id,
                     jitrun_device_t **out_device);

/// The device of that place among this process's, from 0. OUT_OF_RANGE names
/// the range.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_client_local_device(jitrun_client_t *client, uint64_t ordinal,
                           jitrun_device_t **out_device);

/// What a device is. Borrowed from the client.
typedef struct jitrun_device_info {
  size_t size; ///< sizeof(jitrun_device_info_t): set it
  int64_t id;
  uint32_t process_index; ///< of the process that the device belongs to
  uint32_t local_ordinal; ///< place among this process's devices
  const char *platform;   ///< "host"
  const char *kind;       ///< "x86-64"
  const char *name;       ///< "host:0", for messages
  uint32_t core_count;    ///< that the device may use
  /// The host can use its memory by the addresses that
  /// jitrun_buffer_hold() gives.
  bool is_host_addressable;
  const char *description; ///< one line for people
  const char *debug;       ///< all of that in one line, for logs
  const jitrun_driver_value_t *attributes; ///< what else its driver says
  size_t attribute_count;
  uint64_t memory_bytes; ///< that it has; 0: not known
} jitrun_device_info_t;

/// INVALID_ARGUMENT for a NULL or a size that cannot be.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_device_info(const jitrun_device_t *device,
                   jitrun_device_info_t *out_info);

/// Memory of a device that buffers, executions and constants have: bytes, and
/// numbers of allocations.
typedef struct jitrun_memory_stats {
  size_t size; ///< sizeof(jitrun_memory_stats_t): set it
  uint64_t in_use_bytes, peak_bytes;
  uint64_t limit_bytes;        ///< 0: none but the machine's
  uint64_t largest_bytes;      ///< of one allocation that is in use
  uint64_t allocation_count;   ///< in use
  uint64_t total_count;        ///< ever made
  uint64_t borrowed_bytes;     ///< of callers, not counted above
  uint64_t largest_free_bytes; ///< that one allocation might get now; 0: none,
                               ///< or not known
} jitrun_memory_stats_t;

JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_device_memory_stats(const jitrun_device_t *device,
                           jitrun_memory_stats_t *out_stats);

/// Which devices run replicas x partitions, unless a program says: ids in row
/// order (a replica's partitions one after the other) into `out_ids`. Devices
/// are taken in their order. INVALID_ARGUMENT when there are too few, or none
/// are asked for.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_client_assign_default(jitrun_client_t *client, uint32_t replicas,
                             uint32_t partitions, int64_t *out_ids);

/// Checks an assignment of that shape: every id is a device of this process,
/// and none is there twice. The error names the place.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_client_check_assignment(jitrun_client_t *client, uint32_t replicas,
                               uint32_t partitions, const int64_t *ids);

#ifdef __cplusplus
}
#endif
#endif
