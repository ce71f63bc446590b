/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Numbers of attributes, alone and in arrays, as bits.
#ifndef JR_JIT_ATTRS_NUMBERS_H
#define JR_JIT_ATTRS_NUMBERS_H

#include "runtime/table_write.h"

#include "mlir-c/IR.h"

/// The bits of an integer or float attribute as an element of the dtype that it
/// is kept in; false for other attributes, and for types that have none.
bool jr_scalar_bits(MlirAttribute attribute, jitrun_dtype_t *out_dtype,
                    uint64_t *out_bits);

/// True for `array<type: ...>` of any element type.
bool jr_is_dense_array(MlirAttribute attribute);

/// Adds the elements of `array<type: ...>` or `[number, ...]` to the data and
/// sets all of `attr` but its name. NULL, or what is wrong with the array.
const char *jr_array_add(struct jr_table_writer *table, MlirAttribute array,
                         struct jr_attr *attr);

#endif
