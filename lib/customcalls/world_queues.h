/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Queues of messages between the devices of a world and the embedding program:
/// infeeds, outfeeds and channels are all of this kind.
#ifndef JR_CUSTOMCALLS_WORLD_QUEUES_H
#define JR_CUSTOMCALLS_WORLD_QUEUES_H

#include "jitrun/types.h"
#include "jitrun/world.h"

struct jr_wait;

/// The embedding program as an end of a queue.
#define JR_HOST UINT32_MAX

enum jr_queue_kind { JR_QUEUE_FEED, JR_QUEUE_CHANNEL };

/// Which queue: a feed has handle 0, an infeed comes from the host.
struct jr_queue_key {
  enum jr_queue_kind kind;
  int64_t handle;
  uint32_t from, to; ///< devices, or JR_HOST
};

struct jr_message;

/// A copy of tensors: element types, sizes, elements.
jitrun_error_t *
jr_message_create(const jitrun_tensor_t *tensors, size_t count,
                  struct jr_message **out_message) JITRUN_MUST_USE;
void jr_message_destroy(struct jr_message *message);

/// Puts `*message` into a queue and sets it to NULL. Waits for room; `wait`
/// NULL: does not, and leaves `*message` when there is none.
jitrun_error_t *jr_queue_put(jitrun_world_t *world,
                             const struct jr_queue_key *given,
                             struct jr_message **message,
                             const struct jr_wait *wait) JITRUN_MUST_USE;

/// Waits for the next message and copies it to `tensors`, which must be as
/// many, of the same element types and numbers of elements: else
/// INVALID_ARGUMENT, and the message stays.
jitrun_error_t *jr_queue_take(jitrun_world_t *world,
                              const struct jr_queue_key *given,
                              const jitrun_tensor_t *tensors, size_t count,
                              const struct jr_wait *wait) JITRUN_MUST_USE;

/// Drops what is on its way from other devices to one. Lock held.
void jr_queues_end_round(jitrun_world_t *world, uint32_t device);

void jr_queues_destroy(jitrun_world_t *world);

#endif
