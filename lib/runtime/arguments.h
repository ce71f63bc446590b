/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Comparing what a caller gives with an entry's signature.
#ifndef JR_RUNTIME_ARGUMENTS_H
#define JR_RUNTIME_ARGUMENTS_H

#include "runtime/meter.h"
#include "runtime/program.h"
#include "runtime/table_check.h"

/// What a caller gave for one execution.
struct jr_arguments {
  const jitrun_tensor_t *args;
  size_t arg_count;
  const jitrun_tensor_t *results;
  size_t result_count;
  jitrun_execution_t *owner; ///< of the results, which it makes of the sizes
                             ///< that they have; NULL: the caller
  void *temp;                ///< for temporaries, as large and aligned as the
                             ///< program's header says; NULL: the execution's
  const struct jr_meter *meter; ///< of what it allocates; NULL: none
  bool is_checked;      ///< jr_arguments_check() has found nothing wrong
  bool is_args_only;    ///< there are no results yet, and none are checked
  const bool *is_later; ///< one an argument: is not there yet, and not checked;
                        ///< NULL: all are
};

/// INVALID_ARGUMENT unless all of it fits the entry: counts, dtypes, sizes,
/// strides, alignment, and results that overlap nothing else.
jitrun_error_t *
jr_arguments_check(const jitrun_program_t *program, uint32_t entry,
                   const struct jr_arguments *given) JITRUN_MUST_USE;

/// The strides of a tensor that was checked: its own, or dense ones.
void jr_tensor_strides(const jitrun_tensor_t *tensor,
                       int64_t out_strides[JR_TABLE_MAX_RANK]);

#endif
