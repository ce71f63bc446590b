/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Attributes of dialects that are not there, as builtin attributes.
#ifndef JR_JIT_ATTRS_OPAQUE_H
#define JR_JIT_ATTRS_OPAQUE_H

#include "mlir-c/IR.h"

/// Translates an opaque attribute: enumerations to an i32 with the number that
/// XLA gives them, structures to a dictionary of i64, i1, strings and arrays of
/// i64, with the field names of JitRt's handlers; fields that are not written
/// are 0, false or empty. NULL, or why it cannot be.
const char *jr_opaque_translate(MlirContext context, MlirAttribute opaque,
                                MlirAttribute *out_attribute);

#endif
