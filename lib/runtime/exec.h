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

#define JR_EXEC_VERSION 3u

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
  JR_SLOT_BYTES = 16,
  JR_SLOT_HANDLER = 0,
  JR_SLOT_FRAME = 8,
  JR_FRAME_ARGS = 32, ///< first jitrun_arg_t in a frame
  JR_ARG_BYTES = 16,  ///< of a jitrun_arg_t; its value stands at 0
  JR_TYPE_EXTENTS = 8 ///< dims in a type record, then strides; 8 bytes each
};

typedef jitrun_error_t *(*jr_entry_fn_t)(struct jr_exec *exec);

#endif
