/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Checks that are no stage of their own.
#ifndef JR_JIT_CHECK_H
#define JR_JIT_CHECK_H

#include "jit/unit.h"

/// INVALID_ARGUMENT for the name of an attribute of `op` under one of our
/// prefixes that a program cannot have.
jitrun_error_t *jr_check_attr_name(const struct jr_unit *unit, MlirOperation op,
                                   MlirStringRef name) JITRUN_MUST_USE;

/// The same for attributes of a function's arguments and results, and for
/// names of functions and globals.
jitrun_error_t *jr_check_symbol(const struct jr_unit *unit,
                                MlirOperation op) JITRUN_MUST_USE;

/// True for operations that jr_check_symbol() has something to do with.
bool jr_has_symbol(const struct jr_names *names, MlirOperation op);

/// True for an operation of a known dialect that nothing lowers.
bool jr_is_refused(MlirStringRef name);

/// UNIMPLEMENTED for an operation that makes or takes a tensor whose encoding
/// is of a dialect that is not known here, as sparse_tensor's is.
jitrun_error_t *jr_check_encodings(const struct jr_unit *unit) JITRUN_MUST_USE;

#endif
