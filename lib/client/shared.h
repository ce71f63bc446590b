/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Constants on a device: executables that have equal content have the same
/// memory. It is made by the first of them, under a lock, and goes with the
/// last.
#ifndef JR_CLIENT_SHARED_H
#define JR_CLIENT_SHARED_H

#include "client/client.h"

struct jr_shared {
  struct jr_shared *next; ///< on the same device
  size_t reference_count; ///< under the heap's shared_lock, like the list
  unsigned char hash[16]; ///< XXH3-128 of the content
  struct jr_memory *memory;
};

/// The constant of that content, which is copied to the device unless it is
/// there. RESOURCE_EXHAUSTED as for jr_memory_allocate().
jitrun_error_t *jr_shared_take(jitrun_device_t *device, const void *data,
                               uint64_t size_bytes,
                               struct jr_shared **out_shared)
    __attribute__((warn_unused_result));

/// NULL: nothing.
void jr_shared_release(/*own*/ struct jr_shared *shared);

#endif
