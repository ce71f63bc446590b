/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Structures of options, whose first member is the size that the caller's
/// version of them has.
#ifndef JR_BASE_OPTIONS_H
#define JR_BASE_OPTIONS_H

#include "base/error.h"

/// Copies what the caller set over the defaults in `out`, of `out_size` bytes;
/// nothing when `options` is NULL. INVALID_ARGUMENT for a size that cannot be;
/// `purpose` goes behind "options", as in "for running".
jitrun_error_t *jr_options_read(const void *options, const char *purpose,
                                void *out, size_t out_size)
    __attribute__((warn_unused_result));

#endif
