/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Checks in native code, and memory that is missed when it is not freed; see
/// checks.h.
#include "jit/native.h"

#include "jit/checks.h"
#include "runtime/exec.h"

#include "mlir-c/BuiltinTypes.h"

/// Stores the values that a message shows; their address.
static MlirValue store_values(struct jr_native *native, MlirOperation op,
                              intptr_t count) {
  struct jr_builder *b = &native->builder;
  if (count == 0)
    return native->null;
  MlirValue buffer = jr_native_stack(native, count);
  for (intptr_t i = 0; i < count; i++) {
    MlirValue value = mlirOperationGetOperand(op, i + 1);
    if (mlirTypeIsAIndex(mlirValueGetType(value)))
      value = jr_build_unary(b, "arith.index_cast", value, b->i64);
    jr_build_store(b, value, buffer, INT64_C(8) * i);
  }
  return buffer;
}

jitrun_error_t *jr_native_check(struct jr_native *native, MlirOperation op) {
  struct jr_builder *b = &native->builder;
  intptr_t count = mlirOperationGetNumOperands(op) - 1;
  int64_t index;
  JITRUN_TRY(jr_native_assertion(native, op, JR_ATTR_MESSAGE, &index));
  MlirBlock next = jr_native_unless(native, mlirOperationGetOperand(op, 0));
  MlirValue values = store_values(native, op, count);
  MlirValue fail =
      jr_build_load(b, b->ptr, native->functions, JR_FUNCTIONS_FAIL_CHECK);
  MlirValue operands[] = {native->exec, jr_build_s64(b, index), values,
                          jr_build_s64(b, count)};
  MlirValue error = jr_build_call_pointer(b, fail, operands, 4, b->ptr);
  jr_native_fail(native, error, next);
  mlirOperationDestroy(op);
  return NULL;
}

jitrun_error_t *jr_native_track(struct jr_native *native, MlirOperation op,
                                MlirValue data) {
  struct jr_builder *b = &native->builder;
  if (!jr_is_explicit(op))
    return NULL;
  int64_t index;
  JITRUN_TRY(jr_native_assertion(native, op, JR_ATTR_EXPLICIT, &index));
  MlirValue track =
      jr_build_load(b, b->ptr, native->functions, JR_FUNCTIONS_TRACK);
  MlirValue operands[] = {native->exec, data, jr_build_s64(b, index)};
  (void)jr_build_call_pointer(b, track, operands, 3, (MlirType){0});
  return NULL;
}
