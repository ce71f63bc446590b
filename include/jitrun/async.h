/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Tokens and values that become available later: what `!async.token` and
/// `!async.value<T>` are outside of a program. A caller makes them for the
/// arguments of an entry and gets them as results; a handler takes and returns
/// them.
///
/// Life: create -> set, once, by whoever makes the value -> read -> release. A
/// handle is reference-counted; a reference is taken with retain and given up
/// with release, and create gives the first one. All functions may be called
/// from any thread. Plug-ins link nothing: they use the same functions through
/// call->site->api->async.
#ifndef JITRUN_ASYNC_H
#define JITRUN_ASYNC_H

#include "jitrun/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum jitrun_async_state {
  JITRUN_ASYNC_PENDING = 0,   ///< nobody has set it yet
  JITRUN_ASYNC_AVAILABLE = 1, ///< it has its value
  JITRUN_ASYNC_ERROR = 2      ///< there will be no value
} jitrun_async_state_t;

/// Makes a pending handle of the kind of `type`: TOKEN, ASYNC_SCALAR or
/// ASYNC_BUFFER; the type is copied. An entry or call takes a buffer's handle
/// whose sizes and strides are those that its own type has. INVALID_ARGUMENT
/// for another kind or a rank over 64, RESOURCE_EXHAUSTED.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_async_create(const jitrun_type_t *type, jitrun_async_t **out_async);

JITRUN_API void jitrun_async_retain(jitrun_async_t *async);
JITRUN_API void jitrun_async_release(/*own*/ jitrun_async_t *async);

/// What has become of it. PENDING for NULL.
JITRUN_API jitrun_async_state_t jitrun_async_state(const jitrun_async_t *async);

/// Makes a token available. INVALID_ARGUMENT for a value, and for what a
/// program made and sets itself; FAILED_PRECONDITION when the handle is set
/// already; so for the next two.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_async_set_token(jitrun_async_t *async);

/// Copies a scalar of the handle's dtype from `value` and makes it available.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_async_set_scalar(jitrun_async_t *async, const void *value);

/// Makes a view of memory available: of the handle's dtype and rank, with its
/// sizes and strides where they are known. The memory is borrowed: it must stay
/// for as long as anybody reads the value. For memory of an execution
/// (jitrun_call_api_t.scratch) that is seen to: it stays with a value that the
/// entry returns.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_async_set_buffer(jitrun_async_t *async, const jitrun_tensor_t *buffer);

/// Ends the wait for a value with an error, which is what those that wait for
/// it fail with. Ignored (and freed) when the handle is set already, or a
/// program's. NULL stands for UNKNOWN.
JITRUN_API void jitrun_async_set_error(jitrun_async_t *async,
                                       /*own*/ jitrun_error_t *error);

/// A copy of the error; NULL unless the state is ERROR.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_async_error(const jitrun_async_t *async);

/// Waits until the handle is set. `timeout_ns` < 0: for ever. NULL once it is
/// available, a copy of its error, or DEADLINE_EXCEEDED. A thread that waits
/// also runs tasks of the process's pool.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_async_wait(const jitrun_async_t *async, int64_t timeout_ns);

/// A view of an available value: rank 0 and the address of the value for a
/// scalar; for a token, dtype TOKEN and no memory. Valid as long as the handle.
/// FAILED_PRECONDITION while it is pending, a copy of its error; UNIMPLEMENTED
/// for a handle of a program that no entry has returned: its type is not known.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_async_read(const jitrun_async_t *async, jitrun_tensor_t *out_value);

/// Calls `function(context)` once the handle is set: at once, on the calling
/// thread, when it is; else on the thread that sets it, which it should not
/// hold up. The handle must be kept until then. RESOURCE_EXHAUSTED.
typedef void (*jitrun_async_fn_t)(void *context);
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_async_then(jitrun_async_t *async, jitrun_async_fn_t function,
                  void *context);

/// The same for handlers. Append only: test `size` before using a later field.
/// A handler gives a result a handle by its value.async, which hands over one
/// reference; an argument's is borrowed, to be retained by a handler that keeps
/// it.
typedef struct jitrun_async_api {
  size_t size;
  jitrun_error_t *(*create)(const jitrun_type_t *type,
                            jitrun_async_t **out_async);
  void (*retain)(jitrun_async_t *async);
  void (*release)(/*own*/ jitrun_async_t *async);
  jitrun_async_state_t (*state)(const jitrun_async_t *async);
  jitrun_error_t *(*set_token)(jitrun_async_t *async);
  jitrun_error_t *(*set_scalar)(jitrun_async_t *async, const void *value);
  jitrun_error_t *(*set_buffer)(jitrun_async_t *async,
                                const jitrun_tensor_t *buffer);
  void (*set_error)(jitrun_async_t *async, /*own*/ jitrun_error_t *error);
  jitrun_error_t *(*error)(const jitrun_async_t *async);
  jitrun_error_t *(*wait)(const jitrun_async_t *async, int64_t timeout_ns);
  jitrun_error_t *(*read)(const jitrun_async_t *async,
                          jitrun_tensor_t *out_value);
  jitrun_error_t *(*then)(jitrun_async_t *async, jitrun_async_fn_t function,
                          void *context);
  /// Frees an error of these functions that the handler does not return.
  void (*error_free)(/*own*/ jitrun_error_t *error);
} jitrun_async_api_t;

#ifdef __cplusplus
}
#endif
#endif
