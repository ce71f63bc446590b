/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The conformance suite of drivers: what every driver must do, tried with the
/// one that the command line names. See main.c.
#ifndef TEST_CTS_CTS_H
#define TEST_CTS_CTS_H

#include "../unit/expect.h"

#include "device/driver.h"
#include "jitrun/buffer.h"

#include <stdio.h>

/// What the tests of a group share. Platform and devices are opened for each
/// test and closed behind it.
struct cts {
  uint32_t device_count; ///< to ask for: 2 where there can be so many, else 0
  const char *name;      ///< of the platform
  jitrun_platforms_t *platforms;
  struct jr_driver *driver;
  struct jr_platform platform;
  const jitrun_driver_t *table;
  jitrun_driver_info_t info;          ///< of device 0
  jitrun_driver_device_t *devices[2]; ///< the second is NULL if there is one
  jitrun_driver_stream_t *stream;     ///< of device 0
  /// Of a driver that can be told to fail; else NULL. See test/plugins/apart.c.
  void (*fail_call)(int nth_call, int nth_operation);
  bool (*is_pending)(void);
  size_t (*count_wrong)(void);
};

extern struct cts cts;

/// Setup and teardown of a test.
int cts_open(void **state);
int cts_close(void **state);

/// Skips a test, and says why.
#define CTS_SKIP(reason)                                                       \
  do {                                                                         \
    (void)printf("[   WHY    ] %s\n", reason);                                 \
    skip();                                                                    \
    return; /* for those that do not know */                                   \
  } while (0)

jitrun_address_t cts_alloc(size_t device, uint64_t size_bytes);
void cts_free(size_t device, jitrun_address_t address);

/// Bytes that differ from each other, and by `seed`.
void cts_fill(unsigned char *bytes, size_t count, unsigned seed);

/// Copies there and waits; checks that bytes are those of cts_fill().
void cts_write(jitrun_address_t to, const void *from, uint64_t size_bytes);
void cts_expect(jitrun_address_t from, size_t count, unsigned seed);

/// The tests.
#define CTS_TESTS(X)                                                           \
  X(device_info)                                                               \
  X(device_counts)                                                             \
  X(memory_alignment)                                                          \
  X(memory_apart)                                                              \
  X(memory_exhausted)                                                          \
  X(memory_of_host)                                                            \
  X(copies)                                                                    \
  X(copies_of_parts)                                                           \
  X(copies_between_devices)                                                    \
  X(fills)                                                                     \
  X(stream_order)                                                              \
  X(stream_destroyed)                                                          \
  X(stream_threads)                                                            \
  X(events_of_streams)                                                         \
  X(events_unrecorded)                                                         \
  X(events_timed)                                                              \
  X(failed_operation)                                                          \
  X(failed_wait)

/// These need no platform opened for them.
#define CTS_CLIENT_TESTS(X)                                                    \
  X(client_devices)                                                            \
  X(client_types)                                                              \
  X(client_from_host)                                                          \
  X(client_borrow)                                                             \
  X(client_to_host)                                                            \
  X(client_fetch)                                                              \
  X(client_host_value)                                                         \
  X(client_copies)                                                             \
  X(client_other_platform)                                                     \
  X(client_memory_limit)                                                       \
  X(client_many)                                                               \
  X(client_threads)                                                            \
  X(client_failed_copy)                                                        \
  X(client_failed_calls)

#define X(name) void test_##name(void **state);
CTS_TESTS(X)
CTS_CLIENT_TESTS(X)
#undef X

#endif
