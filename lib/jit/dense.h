/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Dense elements (tensor attributes and initial values of globals) as bytes.
#ifndef JR_JIT_DENSE_H
#define JR_JIT_DENSE_H

#include "runtime/table_write.h"

#include "mlir-c/IR.h"

/// Adds the elements, row-major, splats expanded, to the data section. Returns
/// NULL, or why it cannot be done.
const char *jr_dense_add(struct jr_table_writer *table, MlirAttribute elements,
                         size_t alignment, jitrun_dtype_t *out_dtype,
                         uint64_t *out_count, uint64_t *out_offset);

#endif
