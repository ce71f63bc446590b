/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Buffers: arrays on a device, dense and row-major, that become ready once
/// what makes them is done.
///
/// Life: made (from host memory, uninitialised, a copy, a view, a result) ->
/// used -> deleted or donated -> released. Deleting gives up the memory, as
/// soon as nobody who began before uses it any more; the handle stays until it
/// is released, and every use of it is FAILED_PRECONDITION. Everything here is
/// thread-safe.
///
/// An error of what makes a buffer is the buffer's: whoever waits for it, reads
/// it, or runs a program on it gets that error.
#ifndef JITRUN_BUFFER_H
#define JITRUN_BUFFER_H

#include "jitrun/async.h"
#include "jitrun/client.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct jitrun_buffer jitrun_buffer_t;

/// What becomes of host memory that a buffer is made from.
typedef enum jitrun_host_memory {
  JITRUN_HOST_COPY_NOW = 0,   ///< read before the function returns
  JITRUN_HOST_COPY_LATER = 1, ///< read until `release` is called
  JITRUN_HOST_BORROW = 2      ///< is the buffer's memory where the device can
                              ///< use it (dense, aligned), else copied;
                              ///< must not change until `release` is called
} jitrun_host_memory_t;

/// Gives host memory back: called once, on any thread, also when making the
/// buffer fails.
typedef void (*jitrun_release_fn_t)(void *context);

/// Makes a buffer from host memory of any strides. `release` may be NULL.
/// INVALID_ARGUMENT for a type or shape that cannot be; RESOURCE_EXHAUSTED when
/// the device has no room, with what it has and the largest holders.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_buffer_from_host(jitrun_device_t *device, const jitrun_tensor_t *tensor,
                        jitrun_host_memory_t semantics,
                        jitrun_release_fn_t release, void *release_context,
                        jitrun_buffer_t **out_buffer);

/// Makes a buffer of whatever content.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_buffer_allocate(jitrun_device_t *device, jitrun_dtype_t dtype,
                       const int64_t *dims, uint32_t rank,
                       jitrun_buffer_t **out_buffer);

/// Part of a buffer, or its bytes as another type: the same memory, from
/// `offset_bytes` on. OUT_OF_RANGE when it does not lie within,
/// INVALID_ARGUMENT when it is not aligned.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_buffer_view(jitrun_buffer_t *buffer, uint64_t offset_bytes,
                   jitrun_dtype_t dtype, const int64_t *dims, uint32_t rank,
                   jitrun_buffer_t **out_view);

JITRUN_API void jitrun_buffer_retain(jitrun_buffer_t *buffer);
JITRUN_API void jitrun_buffer_release(/*own*/ jitrun_buffer_t *buffer);

/// Gives up the memory. Of a deleted or donated buffer: nothing. NULL: nothing.
JITRUN_API void jitrun_buffer_delete(jitrun_buffer_t *buffer);
JITRUN_API bool jitrun_buffer_is_deleted(const jitrun_buffer_t *buffer);

/// These know the shape of a deleted buffer, too. `dims` are borrowed. Of NULL:
/// 0 and NULL; so for jitrun/executable.h.
JITRUN_API jitrun_dtype_t jitrun_buffer_dtype(const jitrun_buffer_t *buffer);
JITRUN_API uint32_t jitrun_buffer_rank(const jitrun_buffer_t *buffer);
JITRUN_API const int64_t *jitrun_buffer_dims(const jitrun_buffer_t *buffer);
JITRUN_API jitrun_device_t *jitrun_buffer_device(const jitrun_buffer_t *buffer);

/// Bytes of its memory on the device.
JITRUN_API uint64_t jitrun_buffer_size_bytes(const jitrun_buffer_t *buffer);

/// A token that becomes available when the buffer is ready, or has its error.
/// To be released. FAILED_PRECONDITION for a deleted buffer.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_buffer_ready(jitrun_buffer_t *buffer, jitrun_async_t **out_token);

/// Waits until it is ready: at most `timeout_ns`; 0: as long as the client's
/// options say; below 0: for ever. Its error, or DEADLINE_EXCEEDED.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_buffer_wait(jitrun_buffer_t *buffer, int64_t timeout_ns);

/// Copies the elements to host memory of the same dtype and sizes and of any
/// strides, once the buffer is ready, and returns then. `timeout_ns` as above.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_buffer_to_host(jitrun_buffer_t *buffer, const jitrun_tensor_t *tensor,
                      int64_t timeout_ns);

/// The same, without waiting: `tensor` and the memory must stay until the token
/// is set.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_buffer_to_host_async(jitrun_buffer_t *buffer,
                            const jitrun_tensor_t *tensor,
                            jitrun_async_t **out_token);

/// A view of the elements on the host, made once and kept with the buffer.
/// Borrowed; valid until the buffer is deleted, donated or released.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_buffer_host_value(jitrun_buffer_t *buffer, int64_t timeout_ns,
                         jitrun_tensor_t *out_value);

/// Begins to make that view: once the token is available,
/// jitrun_buffer_host_value() does not wait. Has the buffer's error, or that of
/// the copy.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_buffer_fetch(jitrun_buffer_t *buffer, jitrun_async_t **out_token);

/// A copy on another device, ready once the buffer is and the copy is done. On
/// the same device: another handle of the same memory.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_buffer_copy_to(jitrun_buffer_t *buffer, jitrun_device_t *device,
                      jitrun_buffer_t **out_buffer);

/// Another handle of the memory, that is not ready before all of `tokens` are
/// available, too, and has the error of one that has one: for memory that code
/// which is not ours writes to. Tokens that are NULL do not count.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_buffer_after(jitrun_buffer_t *buffer, jitrun_async_t *const *tokens,
                    size_t count, jitrun_buffer_t **out_buffer);

/// The address of the elements on the device, for code that is not ours. As
/// long as it is held, the buffer can be deleted, but the memory stays, and it
/// cannot be donated. FAILED_PRECONDITION for a deleted buffer; its error when
/// it has one; it is waited for as by jitrun_buffer_wait().
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_buffer_hold(jitrun_buffer_t *buffer, int64_t timeout_ns,
                   void **out_data);
JITRUN_API void jitrun_buffer_unhold(jitrun_buffer_t *buffer);

#ifdef __cplusplus
}
#endif
#endif
