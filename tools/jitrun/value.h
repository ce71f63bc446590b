/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Values that the tool owns: a type with sizes and strides, and its elements.
#ifndef JR_TOOLS_VALUE_H
#define JR_TOOLS_VALUE_H

#include "base/error.h"
#include "jitrun/program.h"
#include "jitrun/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The highest rank that the tool handles, as numpy's.
#define JR_MAX_RANK 64

/// Zero-initialised is none.
struct jr_value {
  jitrun_type_t *type; ///< static; owned
  void *block;         ///< what holds the elements; owned
  void *data;          ///< element [0, ..., 0], inside `block`
};

/// Makes the record of a buffer type, dense row-major, to be freed with free().
jitrun_error_t *jr_type_make(jitrun_dtype_t dtype, size_t rank,
                             const int64_t *dims, jitrun_type_t **out_type)
    __attribute__((warn_unused_result));

/// Makes a dense row-major value, all zeros.
jitrun_error_t *jr_value_init(jitrun_dtype_t dtype, size_t rank,
                              const int64_t *dims, struct jr_value *out_value)
    __attribute__((warn_unused_result));

/// Makes a value of a declared type, all zeros: `dims` replace the sizes,
/// dynamic strides become dense ones, the address is a multiple of 64 and of
/// `alignment`. Refuses what has no size in memory.
jitrun_error_t *jr_value_init_as(const jitrun_type_t *declared,
                                 const int64_t *dims, uint64_t alignment,
                                 struct jr_value *out_value)
    __attribute__((warn_unused_result));

/// Zeroes the elements, and what lies between them.
void jr_value_clear(struct jr_value *value);

/// Copies the elements of `from` to `to`, which has the same dtype and sizes.
void jr_value_copy(const struct jr_value *from, struct jr_value *to);

/// Number of elements; the type has been checked before.
uint64_t jr_value_count(const struct jr_value *value);

/// True when dtype and sizes are the same, whatever the strides.
bool jr_value_same_shape(const struct jr_value *a, const struct jr_value *b);

/// A view for jitrun_program_run().
jitrun_tensor_t jr_value_view(const struct jr_value *value);

void jr_value_deinit(struct jr_value *value);

#endif
