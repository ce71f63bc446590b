/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Worlds: the devices of one process that run a program together, one
/// execution on a thread each. Their collective calls meet here, and here each
/// device has an infeed and an outfeed, and channels to others and to the
/// embedding program.
///
/// Life: create -> run executions with it as jitrun_run_options_t.world, one a
/// device -> release. Everything here is thread-safe. The n-th execution on
/// each device belongs together: its collectives wait for those of the other
/// devices' n-th executions. One that begins on a device where another runs is
/// part of that one.
///
/// A device's number is replica * partition_count + partition.
#ifndef JITRUN_WORLD_H
#define JITRUN_WORLD_H

#include "jitrun/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct jitrun_world jitrun_world_t;

/// Options for making a world; zero-initialise, then set `size`.
typedef struct jitrun_world_options {
  size_t size; ///< sizeof(jitrun_world_options_t)
  /// How long a call waits for other devices, for its infeed, for room in its
  /// outfeed or channel. 0: 120 s; below 0: for ever.
  int64_t timeout_ns;
  /// Messages that an infeed, an outfeed and each channel hold before who sends
  /// waits. 0: 64.
  size_t queue_capacity;
} jitrun_world_options_t;

/// Makes a world of so many devices, at most 65536. `options` may be NULL.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_world_create(uint32_t replica_count, uint32_t partition_count,
                    const jitrun_world_options_t *options,
                    jitrun_world_t **out_world);

/// An execution keeps its world.
JITRUN_API void jitrun_world_retain(jitrun_world_t *world);
JITRUN_API void jitrun_world_release(/*own*/ jitrun_world_t *world);

JITRUN_API uint32_t jitrun_world_replica_count(const jitrun_world_t *world);
JITRUN_API uint32_t jitrun_world_partition_count(const jitrun_world_t *world);

/// Gives a device what one of its infeed calls takes: as many tensors as the
/// call has buffers, which are copied. Waits while the infeed is full, at most
/// `timeout_ns` (below 0: for ever), then DEADLINE_EXCEEDED.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_world_feed_push(jitrun_world_t *world, uint32_t device,
                       const jitrun_tensor_t *tensors, size_t count,
                       int64_t timeout_ns);

/// Takes what one outfeed call of a device gave, into memory of the caller's,
/// as many tensors of the same element types and numbers of elements: else
/// INVALID_ARGUMENT, and it stays. Waits for it at most `timeout_ns` (below 0:
/// for ever), then DEADLINE_EXCEEDED.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_world_feed_pop(jitrun_world_t *world, uint32_t device,
                      const jitrun_tensor_t *tensors, size_t count,
                      int64_t timeout_ns);

/// The same for channel `handle` from the embedding program to a device, and
/// from the device to the embedding program.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_world_send(jitrun_world_t *world, uint32_t device, int64_t handle,
                  const jitrun_tensor_t *tensor, int64_t timeout_ns);
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_world_recv(jitrun_world_t *world, uint32_t device, int64_t handle,
                  const jitrun_tensor_t *tensor, int64_t timeout_ns);

/// A function of the embedding program for one of its channels: called with
/// views of the buffers of the call that sends or receives, on a thread of the
/// execution, which goes on when it returns. `device` is the number of the
/// device. Other codes than OK are that of the call's error.
typedef jitrun_code_t (*jitrun_channel_fn_t)(void *context, uint32_t device,
                                             const jitrun_tensor_t *tensors,
                                             size_t count);

/// What the embedding program does for channel `handle`.
typedef struct jitrun_channel {
  int64_t handle;
  jitrun_channel_fn_t receive; ///< reads what a device sends; NULL: it waits
                               ///< for jitrun_world_recv()
  jitrun_channel_fn_t supply;  ///< writes what a device receives; NULL: it is
                               ///< given by jitrun_world_send()
  void *context;
} jitrun_channel_t;

#ifdef __cplusplus
}
#endif
#endif
