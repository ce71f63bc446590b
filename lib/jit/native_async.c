/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Native code of programs with async work: calls say at once what failed,
/// and where several threads may be in one function, its calls have frames on
/// the stack, made of those of the execution.
#include "jit/native.h"

#include "jit/async.h"
#include "runtime/exec.h"

#include "mlir-c/BuiltinAttributes.h"

MlirValue jr_native_site(struct jr_native *native, uint64_t site,
                         MlirValue frame) {
  struct jr_builder *b = &native->builder;
  MlirValue call =
      jr_build_load(b, b->ptr, native->functions, JR_FUNCTIONS_CALL);
  MlirValue operands[] = {native->exec, jr_build_s64(b, (int64_t)site),
                          mlirValueIsNull(frame) ? native->null : frame};
  return jr_build_call_pointer(b, call, operands, 3, b->ptr);
}

static void copy_bytes(struct jr_builder *b, MlirValue to, MlirValue from,
                       int64_t size_bytes) {
  MlirValue operands[] = {to, from, jr_build_s64(b, size_bytes)};
  MlirNamedAttribute attribute =
      jr_named(b->context, "isVolatile", mlirBoolAttrGet(b->context, 0));
  jr_build(b, "llvm.intr.memcpy",
           &(struct jr_op_parts){.operands = operands,
                                 .operand_count = 3,
                                 .attributes = &attribute,
                                 .attribute_count = 1});
}

/// Type records inside of a frame are those of the copy.
MlirValue jr_native_frame(struct jr_native *native, uint32_t site) {
  struct jr_builder *b = &native->builder;
  struct jr_table_writer *table = &native->unit->table;
  const struct jr_site *record = jr_table_at(table, JR_SECTION_SITES, site);
  int64_t size_bytes = record->frame_bytes;
  MlirValue frame = jr_native_stack(native, (size_bytes + 7) / 8);
  MlirValue original = jr_build_load(
      b, b->ptr, native->slots, (int64_t)site * JR_SLOT_BYTES + JR_SLOT_FRAME);
  copy_bytes(b, frame, original, size_bytes);
  for (uint32_t i = 0; i < record->arg_count + record->result_count; i++) {
    const struct jr_arg *arg =
        jr_table_at(table, JR_SECTION_ARGS, record->first_arg + i);
    if (arg->type_offset != 0)
      jr_build_store(b, jr_build_offset(b, frame, arg->type_offset), frame,
                     JR_FRAME_ARGS + (int64_t)JR_ARG_BYTES * i + JR_ARG_TYPE);
  }
  return frame;
}

/// A function of the execution's async table.
static MlirValue load_function(struct jr_native *native, int64_t offset) {
  struct jr_builder *b = &native->builder;
  MlirValue table =
      jr_build_load(b, b->ptr, native->functions, JR_FUNCTIONS_ASYNC);
  return jr_build_load(b, b->ptr, table, offset);
}

void jr_native_keep(struct jr_native *native, MlirValue error) {
  MlirValue operands[] = {native->exec, error};
  (void)jr_build_call_pointer(&native->builder,
                              load_function(native, JR_ASYNC_KEEP), operands, 2,
                              (MlirType){0});
}

/// A token that makes what awaits it a task.
static void replace_start(struct jr_native *native, MlirOperation call) {
  struct jr_builder *b = &native->builder;
  MlirValue old = mlirOperationGetResult(call, 0);
  MlirValue handle = jr_build_call_pointer(
      b, load_function(native, JR_ASYNC_START), &native->exec, 1, b->ptr);
  mlirValueReplaceAllUsesOfWith(
      old, jr_build_unary(b, "builtin.unrealized_conversion_cast", handle,
                          mlirValueGetType(old)));
}

/// Whether the operation before succeeded. One that cannot fail after all has
/// left nothing to look at.
static void replace_ok(struct jr_native *native, MlirOperation call) {
  struct jr_builder *b = &native->builder;
  MlirValue error =
      mlirValueIsNull(native->error) ? native->null : native->error;
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(call, 0),
                                jr_build_is_null(b, error, native->null));
  native->error = (MlirValue){0};
}

static jitrun_error_t *replace_check(struct jr_native *native,
                                     MlirOperation call) {
  struct jr_builder *b = &native->builder;
  int64_t index;
  JITRUN_TRY(jr_native_assertion(native, call, JR_ATTR_TASK_MESSAGE, &index));
  MlirValue ok = jr_build_unary(b, "arith.extui",
                                mlirOperationGetOperand(call, 0), b->i64);
  MlirValue operands[] = {native->exec, ok, jr_build_s64(b, index)};
  (void)jr_build_call_pointer(b, load_function(native, JR_ASYNC_CHECK),
                              operands, 3, (MlirType){0});
  return NULL;
}

jitrun_error_t *jr_native_async(struct jr_native *native, MlirOperation call) {
  MlirStringRef what = mlirStringAttrGetValue(
      mlirOperationGetDiscardableAttributeByName(call, jr_ref(JR_ATTR_ASYNC)));
  jitrun_error_t *error = NULL;
  if (mlirStringRefEqual(what, jr_ref("start")))
    replace_start(native, call);
  else if (mlirStringRefEqual(what, jr_ref("ok")))
    replace_ok(native, call);
  else
    error = replace_check(native, call);
  if (!error)
    mlirOperationDestroy(call);
  return error;
}
