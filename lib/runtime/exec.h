/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The native ABI: what compiled code and libjitrun share while a program runs.
///
/// An entry is `jitrun_error_t *f(struct jr_exec *)`. Generated code holds no
/// symbol of ours and no TLS: everything is reached through this structure,
/// whose fields are append-only. Offsets are fixed by assertions in context.c;
/// the code generator uses the constants below.
#ifndef JR_RUNTIME_EXEC_H
#define JR_RUNTIME_EXEC_H

#include "jitrun/customcall.h"

#define JR_EXEC_VERSION 4u
#define JR_EXEC_OLDEST 4u /* code for it still runs */

struct jr_exec;

/// {handler, frame} of one call site in one execution context.
struct jr_slot {
  jitrun_handler_t handler;
  jitrun_call_t *frame;
};

/// Functions that generated code calls.
struct jr_exec_functions {
  uint64_t size;
  /// Calls the sites [first, first + count) in order; stops at the first error.
  /// CANCELLED when the execution was asked to stop, seen every 32 calls and
  /// when count is 0.
  jitrun_error_t *(*run)(struct jr_exec *exec, uint64_t first, uint64_t count);
  /// Memory of dims[0] * ... * dims[rank - 1] elements for the rest of the
  /// execution, into *out_data; freed at its end at the latest. A negative size
  /// or an overflow is OUT_OF_RANGE.
  jitrun_error_t *(*alloc)(struct jr_exec *exec, uint64_t element_bytes,
                           const int64_t *dims, uint64_t rank,
                           uint64_t alignment, void **out_data);
  /// Frees memory of `alloc`; other addresses are ignored.
  void (*free)(struct jr_exec *exec, void *data);
  /// The error of assertion `index` (SECTION_ASSERTS).
  jitrun_error_t *(*fail)(struct jr_exec *exec, uint64_t index);
  /// Takes what `run` of one site returned, in a program that looks at the
  /// status of its calls: keeps an error for `fail` to tell, and returns NULL.
  /// The error itself when the execution was asked to stop.
  jitrun_error_t *(*hold)(struct jr_exec *exec, jitrun_error_t *error);
  /// Tells that a handler which has returned gave BUFFER result `number` of its
  /// frame no memory. Native code sets the address to NULL before the call.
  jitrun_error_t *(*result)(struct jr_exec *exec, const jitrun_call_t *frame,
                            uint64_t number);
  /// Calls one site on a frame of the caller's, made of that of the slot (NULL:
  /// on the slot's own), and takes its results over. An error says at once
  /// which site it is of: where several threads run sites, nobody knows
  /// afterwards.
  jitrun_error_t *(*call)(struct jr_exec *exec, uint64_t site,
                          jitrun_call_t *frame);
  const struct jr_async_functions *async;
  /// The error of assertion `index`, whose message has values[N] where it says
  /// {N}.
  jitrun_error_t *(*fail_check)(struct jr_exec *exec, uint64_t index,
                                const int64_t *values, uint64_t count);
  /// Notes that the program ought to free `data`, memory of `alloc`; assertion
  /// `index` says where it was allocated.
  void (*track)(struct jr_exec *exec, const void *data, uint64_t index);
};

/// What the async dialect is made of at run time: upstream's runtime functions,
/// with the execution in front. Handles belong to the execution, which gives
/// them up when all its async work is done; so add_ref and drop_ref do nothing.
struct jr_async_functions {
  uint64_t size;
  /// A token that never becomes available: what waits for it is a task, and
  /// given to the runner.
  jitrun_async_t *(*start)(struct jr_exec *exec);
  jitrun_async_t *(*create_token)(struct jr_exec *exec);
  jitrun_async_t *(*create_value)(struct jr_exec *exec, int64_t size_bytes);
  jitrun_async_t *(*create_group)(struct jr_exec *exec, int64_t token_count);
  void (*set_available)(struct jr_exec *exec, jitrun_async_t *async);
  /// With the error that the thread keeps.
  void (*set_error)(struct jr_exec *exec, jitrun_async_t *async);
  /// True after an error, which the thread then keeps; also for a handle that
  /// is pending, which only a cancelled execution asks about.
  bool (*is_error)(struct jr_exec *exec, jitrun_async_t *async);
  void (*await)(struct jr_exec *exec, jitrun_async_t *async);
  /// Has resume(coroutine) called when the handle is set.
  void (*await_then)(struct jr_exec *exec, jitrun_async_t *async,
                     void *coroutine, void (*resume)(void *coroutine));
  void *(*storage)(struct jr_exec *exec, jitrun_async_t *async);
  int64_t (*add_to_group)(struct jr_exec *exec, jitrun_async_t *token,
                          jitrun_async_t *group);
  void (*execute)(struct jr_exec *exec, void *coroutine,
                  void (*resume)(void *coroutine));
  void (*change_count)(struct jr_exec *exec, jitrun_async_t *async,
                       int64_t count);
  int64_t (*thread_count)(struct jr_exec *exec);
  /// Keeps an error, or none, for what this thread sets or fails with next.
  void (*keep)(struct jr_exec *exec, /*own*/ jitrun_error_t *error);
  /// Keeps the error of assertion `index` when `ok` is 0.
  void (*check)(struct jr_exec *exec, int64_t ok, uint64_t index);
};

/// The versioned prefix of an execution context.
struct jr_exec {
  uint64_t size;
  const struct jr_exec_functions *functions;
  void **bases;                   ///< one an allocation
  struct jr_slot *slots;          ///< one a site
  const uint64_t *scalars;        ///< run-time values of the entry's parameters
  uint64_t *results;              ///< run-time values of the entry's results
  const volatile int32_t *cancel; ///< never NULL; non-zero: stop
  volatile uint64_t *current_site; ///< never NULL; the site, before each call
};

enum jr_exec_offset {
  JR_EXEC_FUNCTIONS = 8,
  JR_EXEC_BASES = 16,
  JR_EXEC_SLOTS = 24,
  JR_EXEC_SCALARS = 32,
  JR_EXEC_RESULTS = 40,
  JR_EXEC_CANCEL = 48,
  JR_EXEC_CURRENT_SITE = 56,
  JR_FUNCTIONS_RUN = 8,
  JR_FUNCTIONS_ALLOC = 16,
  JR_FUNCTIONS_FREE = 24,
  JR_FUNCTIONS_FAIL = 32,
  JR_FUNCTIONS_HOLD = 40,
  JR_FUNCTIONS_RESULT = 48,
  JR_FUNCTIONS_CALL = 56,
  JR_FUNCTIONS_ASYNC = 64,
  JR_FUNCTIONS_FAIL_CHECK = 72,
  JR_FUNCTIONS_TRACK = 80,
  JR_ASYNC_START = 8,
  JR_ASYNC_CREATE_TOKEN = 16,
  JR_ASYNC_CREATE_VALUE = 24,
  JR_ASYNC_CREATE_GROUP = 32,
  JR_ASYNC_SET_AVAILABLE = 40,
  JR_ASYNC_SET_ERROR = 48,
  JR_ASYNC_IS_ERROR = 56,
  JR_ASYNC_AWAIT = 64,
  JR_ASYNC_AWAIT_THEN = 72,
  JR_ASYNC_STORAGE = 80,
  JR_ASYNC_ADD_TO_GROUP = 88,
  JR_ASYNC_EXECUTE = 96,
  JR_ASYNC_CHANGE_COUNT = 104,
  JR_ASYNC_THREAD_COUNT = 112,
  JR_ASYNC_KEEP = 120,
  JR_ASYNC_CHECK = 128,
  JR_SLOT_BYTES = 16,
  JR_SLOT_HANDLER = 0,
  JR_SLOT_FRAME = 8,
  JR_FRAME_ARGS = 32, ///< first jitrun_arg_t in a frame
  JR_ARG_BYTES = 16,  ///< of a jitrun_arg_t; its value stands at 0
  JR_ARG_TYPE = 8,    ///< where its type stands
  JR_TYPE_EXTENTS = 8 ///< dims in a type record, then strides; 8 bytes each
};

typedef jitrun_error_t *(*jr_entry_fn_t)(struct jr_exec *exec);

#endif
