/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What an object takes from outside, compared with what there is.
#ifndef JR_RUNTIME_IMPORTS_H
#define JR_RUNTIME_IMPORTS_H

#include "base/error.h"

/// Compares the undefined symbols of an object with the closed list
/// (symbols.h): what is not on it is found out when the object is made, not
/// where it is to run.
jitrun_error_t *jr_imports_check(const void *object,
                                 size_t size) JITRUN_MUST_USE;

/// The first undefined symbol of an object that is one of our helpers, in its
/// bytes; NULL: none is.
jitrun_error_t *jr_imports_helper(const void *object, size_t size,
                                  const char **out_name) JITRUN_MUST_USE;

#endif
