/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Reducing dimensions of a buffer. Everything here is thread-safe.
#ifndef JR_CUSTOMCALLS_REDUCTION_RUN_H
#define JR_CUSTOMCALLS_REDUCTION_RUN_H

#include "customcalls/builtins.h"
#include "customcalls/reduction_kernels.h"
#include "jitrun/customcall.h"

#include <stdbool.h>

/// What to do; the types must bear it.
struct jr_reduction {
  enum jr_reducer reducer;
  bool is_mean; ///< of sums
  bool is_reduced[JR_MAX_RANK];
  bool is_kept; ///< reduced dimensions are 1 in the result
};

/// RESOURCE_EXHAUSTED only.
jitrun_error_t *jr_reduction_run(const jitrun_call_t *call,
                                 const struct jr_reduction *reduction,
                                 const jitrun_arg_t *data,
                                 const jitrun_arg_t *result) JITRUN_MUST_USE;

#endif
