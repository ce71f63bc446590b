/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What an object takes from outside, compared with what there is.
#ifndef JR_RUNTIME_IMPORTS_H
#define JR_RUNTIME_IMPORTS_H

#include "base/bytes.h"
#include "runtime/elf.h"

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

/// Compares the undefined symbols of an object with the closed list
/// (symbols.h): what is not on it is found out when the object is made, not
/// where it is to run.
jitrun_error_t *jr_imports_check(const void *object,
                                 size_t size) JITRUN_MUST_USE;

#endif
