/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What a buffer is made of. buffer.c makes, shares and gives it up; transfer.c
/// copies to and from it.
#ifndef JR_CLIENT_BUFFER_H
#define JR_CLIENT_BUFFER_H

#include "client/client.h"
#include "jitrun/buffer.h"

enum { JR_BUFFER_MAX_RANK = 32 };

enum jr_buffer_state { JR_BUFFER_LIVE, JR_BUFFER_DELETED, JR_BUFFER_DONATED };

/// Keeps its client. What follows `lock` is guarded by it, the rest never
/// changes.
struct jitrun_buffer {
  size_t reference_count; ///< atomic
  jitrun_device_t *device;
  jitrun_dtype_t dtype;
  uint32_t rank;
  uint64_t offset_bytes; ///< in the memory
  uint64_t size_bytes;
  jitrun_async_t *ready;           ///< NULL: it always was
  struct jitrun_buffer **elements; ///< of a tuple, whose memory is NULL
  size_t element_count;
  size_t depth; ///< of a tuple: 1 without tuples in it; else 0
  pthread_mutex_t lock;
  enum jr_buffer_state state;
  struct jr_memory *memory; ///< LIVE
  bool is_dropped; ///< deleted while it was DONATED, which may be undone
  size_t hold_count;
  struct jr_memory *held; ///< while it is held: stays when it is deleted
  void *host_value;       ///< a copy of the elements; NULL: nobody asked, or
                          ///< the memory is the host's
  int64_t dims[];
};

/// A shape that was checked: `size_bytes` is that of its elements, dense.
struct jr_shape {
  jitrun_dtype_t dtype;
  uint32_t rank;
  const int64_t *dims;
  uint64_t size_bytes;
};

/// INVALID_ARGUMENT for element types, ranks and sizes that no buffer has.
jitrun_error_t *jr_shape_check(jitrun_dtype_t dtype, const int64_t *dims,
                               uint32_t rank, struct jr_shape *out_shape)
    __attribute__((warn_unused_result));

/// A live buffer of that memory, which it owns from then on, and which is given
/// up when this fails. `ready` (NULL: at once) likewise.
jitrun_error_t *
jr_buffer_create(jitrun_device_t *device, const struct jr_shape *shape,
                 uint64_t offset_bytes,
                 /*own*/ struct jr_memory *memory,
                 /*own*/ jitrun_async_t *ready, jitrun_buffer_t **out_buffer)
    __attribute__((warn_unused_result));

/// The memory of a live buffer, with a reference of its own; `purpose` goes
/// behind "cannot" in the FAILED_PRECONDITION of one that is not: "read".
jitrun_error_t *jr_buffer_use(jitrun_buffer_t *buffer, const char *purpose,
                              struct jr_memory **out_memory)
    __attribute__((warn_unused_result));

/// Another handle of all of a live buffer's memory, with the same readiness.
jitrun_error_t *jr_buffer_share(jitrun_buffer_t *buffer,
                                jitrun_buffer_t **out_buffer)
    __attribute__((warn_unused_result));

/// A pending token.
jitrun_error_t *jr_token_create(jitrun_async_t **out_token)
    __attribute__((warn_unused_result));

#endif
