/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Who counts what an execution allocates while it runs, and says when that is
/// too much. A client's devices do; see client/memory.h.
#ifndef JR_RUNTIME_METER_H
#define JR_RUNTIME_METER_H

#include "base/error.h"

/// Both functions from whatever thread.
struct jr_meter {
  /// RESOURCE_EXHAUSTED when there is no room.
  jitrun_error_t *(*take)(void *context, uint64_t size_bytes);
  void (*give)(void *context, uint64_t size_bytes);
  void *context;
};

#endif
