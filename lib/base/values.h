/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Whole values, scalars and strided buffers, as text. See base/numbers.h for
/// single elements.
#ifndef JR_BASE_VALUES_H
#define JR_BASE_VALUES_H

#include "base/bytes.h"
#include "base/numbers.h"
#include "jitrun/types.h"

/// Appends "2x3xf32=[[1 2 3][4 5 6]]", or "i32=-15" for rank 0; the text reads
/// back as the same value. `data` is the address of element [0, ..., 0]; the
/// type is static. Of more than `max_elements` (at least 2; SIZE_MAX: all are
/// written) the middle is replaced by "...".
void jr_value_format(struct jr_bytes *out, const jitrun_type_t *type,
                     const void *data, size_t max_elements);

/// Appends only the elements: "[[1 2 3][4 5 6]]".
void jr_elements_format(struct jr_bytes *out, const jitrun_type_t *type,
                        const void *data, size_t max_elements);

/// The address of an element of a static type, counted in row-major order.
const void *jr_value_element(const jitrun_type_t *type, const void *data,
                             uint64_t index);

#endif
