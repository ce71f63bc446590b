/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Shared libraries that a user gives: plug-ins, drivers, libraries of
/// functions.
#ifndef JR_BASE_LIBRARY_H
#define JR_BASE_LIBRARY_H

#include "base/dylib.h"

/// Opens a library given by a user: looks for it here first, explains what
/// about sanitizers does not fit.
jitrun_error_t *jr_library_open(const char *path, struct jr_dylib *out_library)
    __attribute__((warn_unused_result));

/// FAILED_PRECONDITION: what `name` is was built with sanitizer `found`.
jitrun_error_t *jr_sanitizer_refuse(const char *name, uint32_t found)
    __attribute__((warn_unused_result));

#endif
