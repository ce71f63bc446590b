/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Memory of a device: counted, limited, shared by the buffers that have a part
/// of it.
#ifndef JR_CLIENT_MEMORY_H
#define JR_CLIENT_MEMORY_H

#include "base/error.h"
#include "jitrun/buffer.h"
#include "jitrun/driver.h"
#include "runtime/meter.h"

#include <pthread.h>

/// Of all that is allocated, in bytes.
enum { JR_MEMORY_ALIGNMENT = 64 };

/// One allocation, or memory of a caller's. Freed with its last reference.
struct jr_memory {
  size_t reference_count;  ///< atomic
  struct jr_heap *heap;    ///< where it is counted
  struct jr_memory **link; ///< what points to it in the heap's list
  struct jr_memory *next;  ///< in that list
  void *data; ///< an address of the device, which need not be one of the host
  uint64_t size_bytes;
  size_t handle_count; ///< atomic: buffers that have it
  size_t queued_count; ///< atomic: references of launches that were given to
                       ///< the device's worker
  bool is_borrowed;
  jitrun_release_fn_t release; ///< gives back what is not ours; NULL: if it is
                               ///< borrowed nobody, else the driver
  void *release_context;
};

/// What a device counts. Owned by the device.
struct jr_heap {
  const char *device_name; ///< for messages
  const jitrun_driver_t *driver;
  jitrun_driver_device_t *handle; ///< of the driver
  pthread_mutex_t lock;           ///< of all that follows
  struct jr_memory *first;        ///< all that are in use
  struct jr_meter meter; ///< counts what executions allocate; never changes
  struct jr_room *kept;  ///< for temporaries; see room.h
  jitrun_memory_stats_t stats; ///< but largest_bytes, largest_free_bytes
  pthread_mutex_t shared_lock; ///< of the next, taken before `lock`
  struct jr_shared *shared;    ///< constants; see shared.h
};

/// Of a heap with driver, device and name, which stay.
void jr_heap_init(struct jr_heap *heap, uint64_t limit_bytes);
void jr_heap_deinit(struct jr_heap *heap);

/// What is in use now.
jitrun_memory_stats_t jr_heap_stats(struct jr_heap *heap);

/// Allocates. RESOURCE_EXHAUSTED says what was asked, what is in use and by
/// what sizes.
jitrun_error_t *jr_memory_allocate(struct jr_heap *heap, uint64_t size_bytes,
                                   struct jr_memory **out_memory)
    __attribute__((warn_unused_result));

/// Counts memory that executions allocate by themselves as in use. To take is
/// RESOURCE_EXHAUSTED as above.
jitrun_error_t *jr_heap_take(struct jr_heap *heap, uint64_t size_bytes)
    __attribute__((warn_unused_result));
void jr_heap_give(struct jr_heap *heap, uint64_t size_bytes);

/// Takes memory of a caller's, which is given back with the last reference. On
/// failure it is not.
jitrun_error_t *
jr_memory_borrow(struct jr_heap *heap, void *data, uint64_t size_bytes,
                 jitrun_release_fn_t release, void *release_context,
                 struct jr_memory **out_memory)
    __attribute__((warn_unused_result));

/// Takes over memory that somebody else allocated, which counts as the device's
/// from then on. `release` frees it, also when this fails.
jitrun_error_t *
jr_memory_adopt(struct jr_heap *heap, void *data, uint64_t size_bytes,
                jitrun_release_fn_t release,
                /*own*/ void *release_context, struct jr_memory **out_memory)
    __attribute__((warn_unused_result));

void jr_memory_retain(struct jr_memory *memory);
void jr_memory_release(/*own*/ struct jr_memory *memory);

/// Tells of a buffer that has it, and takes that back with the reference.
void jr_memory_add_handle(struct jr_memory *memory);
void jr_memory_drop_handle(/*own*/ struct jr_memory *memory);

/// Tells of a launch with a reference that was given to the worker, and takes
/// that back with the reference. NULL: nothing.
void jr_memory_queue(struct jr_memory *memory);
void jr_memory_unqueue(/*own*/ struct jr_memory *memory);

/// True when buffers have it.
bool jr_memory_has_handle(const struct jr_memory *memory);

/// True when whoever asks, who has a reference and no buffer, may write to it:
/// at once, or, if `is_queued`, when the worker has done what it has to do. No
/// buffer may have the memory then, or nobody else.
bool jr_memory_is_free(const struct jr_memory *memory, bool is_queued);

#endif
