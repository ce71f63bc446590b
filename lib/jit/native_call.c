/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Calls whose operands exist only at run time, or whose status the program
/// looks at. Their frame is complete but for
/// these: native code stores a scalar, or the address of a buffer and those of
/// its sizes and strides that its type leaves open, then runs the site.
#include "jit/native.h"

#include "jit/plan.h"
#include "runtime/exec.h"

#include "mlir-c/BuiltinTypes.h"

static void store_operand(struct jr_native *native, MlirValue frame,
                          int64_t number, MlirValue value,
                          const struct jr_arg *arg) {
  struct jr_builder *b = &native->builder;
  int64_t slot = JR_FRAME_ARGS + JR_ARG_BYTES * number;
  if (arg->kind == JR_ARG_SCALAR)
    jr_build_store(b, jr_build_to_frame(b, value), frame, slot);
  else if (arg->kind == JR_ARG_BUFFER)
    jr_native_store_memref(
        native, value,
        &(struct jr_memref_place){.to = frame,
                                  .at = slot,
                                  .extents_at = (int64_t)arg->type_offset +
                                                JR_TYPE_EXTENTS});
}

/// Runs the site. One whose status the program looks at does not leave the
/// function; its last result is that status.
static void run_site(struct jr_native *native, MlirOperation call,
                     uint32_t site, MlirValue frame) {
  struct jr_builder *b = &native->builder;
  MlirValue error = native->unit->has_async
                        ? jr_native_site(native, site, frame)
                        : jr_native_try(native, site, 1);
  if (mlirAttributeIsNull(mlirOperationGetDiscardableAttributeByName(
          call, jr_ref(JR_ATTR_STATUS)))) {
    jr_native_leave(native, error);
    return;
  }
  MlirValue ok = jr_build_is_null(b, error, native->null);
  if (native->function->is_coroutine) {
    jr_native_keep(native, error);
  } else {
    MlirValue hold =
        jr_build_load(b, b->ptr, native->functions, JR_FUNCTIONS_HOLD);
    MlirValue operands[] = {native->exec, error};
    MlirValue left = jr_build_call_pointer(b, hold, operands, 2, b->ptr);
    jr_build_check(b, left, native->null, native->error_block);
  }
  mlirValueReplaceAllUsesOfWith(
      mlirOperationGetResult(call, mlirOperationGetNumResults(call) - 1), ok);
}

/// A result to be read once the call is done.
struct call_result {
  MlirValue old, frame;
  int64_t slot;
  uint32_t number;
};

static void check_memref(struct jr_native *native,
                         const struct call_result *result) {
  struct jr_builder *b = &native->builder;
  MlirValue check =
      jr_build_load(b, b->ptr, native->functions, JR_FUNCTIONS_RESULT);
  MlirValue operands[] = {native->exec, result->frame,
                          jr_build_s64(b, result->number)};
  jr_native_leave(native, jr_build_call_pointer(b, check, operands, 3, b->ptr));
}

/// A memref result: leaves the function when the handler gave it no memory.
static MlirValue read_memref(struct jr_native *native,
                             const struct call_result *result,
                             const struct jr_arg *arg) {
  struct jr_builder *b = &native->builder;
  MlirType mlir_type = mlirValueGetType(result->old);
  struct jr_mlir_type type;
  MlirValue words[2 * JR_MAX_RANK];
  size_t count = 0;
  (void)jr_type_unpack(mlir_type, &type);
  if (!native->unit->has_async) /* else the call itself has checked it */
    check_memref(native, result);
  for (int i = 0; i < 2 * type.rank; i++) {
    if (type.extents[i] == JITRUN_DYNAMIC)
      words[count++] = jr_build_load(b, b->i64, result->frame,
                                     (int64_t)arg->type_offset +
                                         JR_TYPE_EXTENTS + INT64_C(8) * i);
  }
  MlirValue data = jr_build_load(b, b->ptr, result->frame, result->slot);
  return jr_build_memref(b, mlir_type, data, words);
}

static MlirValue read_result(struct jr_native *native,
                             const struct call_result *result,
                             const struct jr_arg *arg) {
  MlirType type = mlirValueGetType(result->old);
  if (mlirTypeIsAMemRef(type))
    return read_memref(native, result, arg);
  return jr_build_from_frame(&native->builder, type, result->frame,
                             result->slot);
}

/// Addresses of an earlier call are not those of this one.
static void clear_results(struct jr_native *native, MlirOperation call,
                          MlirValue frame, const struct jr_site *record) {
  for (uint32_t i = 0; i < record->result_count; i++) {
    if (mlirTypeIsAMemRef(mlirValueGetType(mlirOperationGetResult(call, i))))
      jr_build_store(&native->builder, native->null, frame,
                     JR_FRAME_ARGS + JR_ARG_BYTES * (record->arg_count + i));
  }
}

jitrun_error_t *jr_native_call(struct jr_native *native, MlirOperation call,
                               uint32_t site) {
  struct jr_builder *b = &native->builder;
  struct jr_table_writer *table = &native->unit->table;
  const struct jr_site *record = jr_table_at(table, JR_SECTION_SITES, site);
  MlirValue frame =
      native->function->is_shared
          ? jr_native_frame(native, site)
          : jr_build_load(b, b->ptr, native->slots,
                          (int64_t)site * JR_SLOT_BYTES + JR_SLOT_FRAME);
  for (uint32_t i = 0; i < record->arg_count; i++) {
    const struct jr_arg *arg =
        jr_table_at(table, JR_SECTION_ARGS, record->first_arg + i);
    store_operand(native, frame, i, mlirOperationGetOperand(call, i), arg);
  }
  clear_results(native, call, frame, record);
  run_site(native, call, site, frame);
  for (uint32_t i = 0; i < record->result_count; i++) {
    const struct jr_arg *arg = jr_table_at(
        table, JR_SECTION_ARGS, record->first_arg + record->arg_count + i);
    struct call_result result = {.old = mlirOperationGetResult(call, i),
                                 .frame = frame,
                                 .slot = JR_FRAME_ARGS +
                                         JR_ARG_BYTES * (record->arg_count + i),
                                 .number = i};
    if (mlirOpOperandIsNull(mlirValueGetFirstUse(result.old)))
      continue; /* without memory, too: thunks do not look at it either */
    mlirValueReplaceAllUsesOfWith(result.old,
                                  read_result(native, &result, arg));
  }
  jr_native_drop_operands(native, call);
  mlirOperationDestroy(call);
  return NULL;
}
