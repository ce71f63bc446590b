/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Functions that look like entries and cannot be.
#ifndef JR_JIT_SKIPPED_ENTRIES_H
#define JR_JIT_SKIPPED_ENTRIES_H

#include "jit/unit.h"

/// Where nothing is marked: takes public functions whose types no entry has out
/// of the entries, unless no other is left. After jr_check().
jitrun_error_t *jr_skip_entries(struct jr_unit *unit) JITRUN_MUST_USE;

/// Lists a function in the table that is no entry, with the reason.
jitrun_error_t *jr_skip_entry(struct jr_unit *unit, MlirStringRef name,
                              const struct jr_bytes *reason) JITRUN_MUST_USE;

#endif
