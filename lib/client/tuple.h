/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What buffers and executables do with tuples: buffer.c and transfer.c hand
/// those over. tupled.c has the executables whose arguments or outputs are
/// tuples.
#ifndef JR_CLIENT_TUPLE_H
#define JR_CLIENT_TUPLE_H

#include "client/buffer.h"
#include "jitrun/tuple.h"

/// INVALID_ARGUMENT for a tuple; `purpose` goes behind "cannot".
jitrun_error_t *jr_tuple_refuse(const jitrun_buffer_t *buffer,
                                const char *purpose)
    __attribute__((warn_unused_result));

/// A tuple of elements that are NULL, to be put in with jr_tuple_put().
jitrun_error_t *jr_tuple_make(jitrun_device_t *device, size_t count,
                              jitrun_buffer_t **out_tuple)
    __attribute__((warn_unused_result));
void jr_tuple_put(jitrun_buffer_t *tuple, size_t index,
                  /*own*/ jitrun_buffer_t *element);

/// Those of jitrun/buffer.h, for tuples.
void jr_tuple_free(jitrun_buffer_t *tuple);
void jr_tuple_delete(jitrun_buffer_t *tuple);
bool jr_tuple_is_deleted(const jitrun_buffer_t *tuple);
jitrun_error_t *jr_tuple_ready(jitrun_buffer_t *tuple,
                               jitrun_async_t **out_token)
    __attribute__((warn_unused_result));
jitrun_error_t *jr_tuple_wait(jitrun_buffer_t *tuple, int64_t timeout_ns)
    __attribute__((warn_unused_result));
jitrun_error_t *jr_tuple_copy(jitrun_buffer_t *tuple, jitrun_device_t *device,
                              jitrun_buffer_t **out_tuple)
    __attribute__((warn_unused_result));

/// FAILED_PRECONDITION unless a tuple is live.
jitrun_error_t *jr_tuple_check(const jitrun_buffer_t *tuple,
                               const char *purpose)
    __attribute__((warn_unused_result));

/// Its leaves, borrowed, in order: up to `room` of them. Returns how many there
/// are.
size_t jr_tuple_leaves(const jitrun_buffer_t *tuple, jitrun_buffer_t **leaves,
                       size_t room);

/// It was given away with all its leaves.
void jr_tuple_set_donated(jitrun_buffer_t *tuple);

/// A token that is set when all of `tokens` are, or one has an error, which it
/// has then. Those that are NULL count as set.
jitrun_error_t *jr_token_join(jitrun_async_t *const *tokens, size_t count,
                              jitrun_async_t **out_token)
    __attribute__((warn_unused_result));

#endif
