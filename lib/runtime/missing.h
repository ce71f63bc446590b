/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Listing what is missing. Apart from imports.h, since linked programs need
/// this and no reader of ELF.
#ifndef JR_RUNTIME_MISSING_H
#define JR_RUNTIME_MISSING_H

#include "base/bytes.h"

/// Names that could not be resolved, as text for one message. Zero-initialised
/// is empty.
struct jr_missing_names {
  struct jr_bytes text;
  uint64_t count, left_out;
};

void jr_missing_add(struct jr_missing_names *missing, const char *name);

/// NOT_FOUND with all the names, or NULL when there are none; empties the list.
jitrun_error_t *
jr_missing_report(struct jr_missing_names *missing) JITRUN_MUST_USE;

#endif
