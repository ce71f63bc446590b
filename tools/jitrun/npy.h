/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Files of numpy arrays: .npy versions 1 to 3, bool, integers, floats and
/// complex numbers, in C and Fortran order, of either byte order. What numpy
/// has no type for is read and written as described in jitrun-values(5).
#ifndef JR_TOOLS_NPY_H
#define JR_TOOLS_NPY_H

#include "base/bytes.h"
#include "base/error.h"
#include "value.h"

/// True when the bytes begin as every .npy file does.
bool jr_npy_matches(const void *data, size_t size);

/// Makes a value of a whole file: it takes the bytes over and views them with
/// strides. `wanted` is what elements are that may be of several types;
/// INVALID: not known. INVALID_ARGUMENT for what is no such file or has
/// elements that jitrun has no type for; `bytes` is then still the caller's.
jitrun_error_t *jr_npy_load(struct jr_bytes *bytes, jitrun_dtype_t wanted,
                            struct jr_value *out_value)
    __attribute__((warn_unused_result));

/// Bytes of the whole file that begins so; all of the header must be there.
/// INVALID_ARGUMENT for what is no such file.
jitrun_error_t *jr_npy_measure(const void *data, size_t size,
                               uint64_t *out_size)
    __attribute__((warn_unused_result));

/// Appends a file of version 1, in C order. UNIMPLEMENTED for a dtype without
/// values.
jitrun_error_t *jr_npy_format(struct jr_bytes *out,
                              const struct jr_value *value)
    __attribute__((warn_unused_result));

/// Appends just the elements, in C order.
void jr_raw_format(struct jr_bytes *out, const struct jr_value *value);

#endif
