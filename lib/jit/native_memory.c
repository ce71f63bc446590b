/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Memory in functions that need code: arguments and placed allocations are the
/// bases of the execution, everything else is allocated through it.
#include "jit/native.h"

#include "base/dtype.h"
#include "runtime/exec.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

MlirValue jr_native_base(struct jr_native *native, uint32_t alloc,
                         MlirType type, const MlirValue *words) {
  struct jr_builder *b = &native->builder;
  MlirValue data = jr_build_load(b, b->ptr, native->bases, 8 * (int64_t)alloc);
  return jr_build_memref(b, type, data, words);
}

void jr_native_placed(struct jr_native *native, MlirOperation op,
                      uint32_t alloc) {
  MlirValue old = mlirOperationGetResult(op, 0);
  mlirValueReplaceAllUsesOfWith(
      old, jr_native_base(native, alloc, mlirValueGetType(old), NULL));
  mlirOperationDestroy(op);
}

/// Loads the run-time sizes and strides of a parameter.
static void load_words(struct jr_native *native, MlirValue scalars,
                       MlirType type, uint32_t first_word, MlirValue *words) {
  struct jr_builder *b = &native->builder;
  struct jr_mlir_type unpacked;
  (void)jr_type_unpack(type, &unpacked);
  int64_t count = 0;
  for (int i = 0; i < 2 * unpacked.rank; i++) {
    if (unpacked.extents[i] == JITRUN_DYNAMIC) {
      words[count] =
          jr_build_load(b, b->i64, scalars, 8 * ((int64_t)first_word + count));
      count++;
    }
  }
}

void jr_native_params(struct jr_native *native, MlirBlock entry) {
  struct jr_builder *b = &native->builder;
  struct jr_table_writer *table = &native->unit->table;
  const struct jr_entry *record =
      jr_table_at(table, JR_SECTION_ENTRIES, native->function->entry);
  MlirValue scalars = jr_build_load(b, b->ptr, native->exec, JR_EXEC_SCALARS);
  for (uint32_t i = 0; i < record->param_count; i++) {
    MlirValue old = mlirBlockGetArgument(entry, (intptr_t)i + 1);
    MlirType type = mlirValueGetType(old);
    const struct jr_param *param =
        jr_table_at(table, JR_SECTION_PARAMS, record->first_param + i);
    if (mlirOpOperandIsNull(mlirValueGetFirstUse(old)))
      continue;
    MlirValue words[2 * JR_MAX_RANK];
    MlirValue value;
    if (param->alloc == JR_NONE) {
      value =
          jr_build_from_frame(b, type, scalars, 8 * (int64_t)param->first_word);
    } else {
      load_words(native, scalars, type, param->first_word, words);
      value = jr_native_base(native, param->alloc, type, words);
    }
    mlirValueReplaceAllUsesOfWith(old, value);
  }
}

MlirValue jr_native_stack(struct jr_native *native, int64_t count) {
  struct jr_builder at_start = native->builder;
  MlirBlock holder = mlirBlockCreate(0, NULL, NULL);
  at_start.block = holder;
  MlirNamedAttribute attribute =
      jr_named(at_start.context, "elem_type", mlirTypeAttrGet(at_start.i64));
  MlirValue size = jr_build_s64(&at_start, count);
  MlirOperation op = jr_build(&at_start, "llvm.alloca",
                              &(struct jr_op_parts){.operands = &size,
                                                    .operand_count = 1,
                                                    .results = &at_start.ptr,
                                                    .result_count = 1,
                                                    .attributes = &attribute,
                                                    .attribute_count = 1});
  MlirBlock start = mlirRegionGetFirstBlock(native->body);
  MlirOperation constant = mlirOpResultGetOwner(size);
  mlirOperationRemoveFromParent(op);
  mlirOperationRemoveFromParent(constant);
  mlirBlockInsertOwnedOperation(start, 0, op);
  mlirBlockInsertOwnedOperation(start, 0, constant);
  mlirBlockDestroy(holder);
  return mlirOperationGetResult(op, 0);
}

/// Row-major strides of a type whose layout is the identity, as i64 values of
/// its dynamic sizes and strides in the order of a descriptor's words.
static void dense_words(struct jr_builder *b, const struct jr_mlir_type *type,
                        const MlirValue *sizes, MlirValue *words) {
  MlirValue strides[JR_MAX_RANK];
  size_t count = 0;
  for (int i = type->rank - 1; i >= 0; i--)
    strides[i] =
        i == type->rank - 1
            ? jr_build_s64(b, 1)
            : jr_build_binary(b, "llvm.mul", strides[i + 1], sizes[i + 1]);
  for (int i = 0; i < type->rank; i++) {
    if (type->extents[i] == JITRUN_DYNAMIC)
      words[count++] = sizes[i];
  }
  for (int i = 0; i < type->rank; i++) {
    if (type->extents[type->rank + i] == JITRUN_DYNAMIC)
      words[count++] = strides[i];
  }
}

/// All sizes of the allocation as i64, static ones as constants.
static void load_sizes(struct jr_builder *b, MlirOperation op,
                       const struct jr_mlir_type *type, MlirValue *sizes) {
  intptr_t operand = 0;
  for (int i = 0; i < type->rank; i++) {
    if (type->extents[i] != JITRUN_DYNAMIC)
      sizes[i] = jr_build_s64(b, type->extents[i]);
    else
      sizes[i] = jr_build_unary(b, "arith.index_cast",
                                mlirOperationGetOperand(op, operand++), b->i64);
  }
}

/// True for types that memref.alloc can make here: row-major, no symbols.
static bool is_plain(MlirType memref) {
  return mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(memref));
}

static int64_t alignment_of(MlirOperation op) {
  MlirAttribute attribute =
      mlirOperationGetInherentAttributeByName(op, jr_ref("alignment"));
  return mlirAttributeIsNull(attribute) ? 64
                                        : mlirIntegerAttrGetValueInt(attribute);
}

jitrun_error_t *jr_native_alloc(struct jr_native *native, MlirOperation op) {
  struct jr_builder *b = &native->builder;
  MlirValue old = mlirOperationGetResult(op, 0);
  MlirType mlir_type = mlirValueGetType(old);
  struct jr_mlir_type type;
  if (!jr_type_unpack(mlir_type, &type) || !is_plain(mlir_type))
    return jr_error_op(native->unit, op, JITRUN_UNIMPLEMENTED,
                       "memref.alloc of this type is not supported; allocate "
                       "a row-major memref of integers, index or floats");
  MlirValue sizes[JR_MAX_RANK];
  MlirValue words[2 * JR_MAX_RANK];
  load_sizes(b, op, &type, sizes);
  MlirValue buffer = jr_native_stack(native, type.rank + 1);
  for (int i = 0; i < type.rank; i++)
    jr_build_store(b, sizes[i], buffer, INT64_C(8) * (i + 1));
  MlirValue allocate =
      jr_build_load(b, b->ptr, native->functions, JR_FUNCTIONS_ALLOC);
  MlirValue operands[] = {native->exec,
                          jr_build_s64(b, (int64_t)jr_dtype_size(type.dtype)),
                          jr_build_offset(b, buffer, 8),
                          jr_build_s64(b, type.rank),
                          jr_build_s64(b, alignment_of(op)),
                          buffer};
  MlirValue error = jr_build_call_pointer(b, allocate, operands, 6, b->ptr);
  jr_native_leave(native, error);
  MlirValue data = jr_build_load(b, b->ptr, buffer, 0);
  JITRUN_TRY(jr_native_track(native, op, data));
  dense_words(b, &type, sizes, words);
  mlirValueReplaceAllUsesOfWith(old,
                                jr_build_memref(b, mlir_type, data, words));
  mlirOperationDestroy(op);
  return NULL;
}

void jr_native_dealloc(struct jr_native *native, MlirOperation op) {
  struct jr_builder *b = &native->builder;
  MlirValue address = jr_build_unary(
      b, "llvm.inttoptr",
      jr_build_unary(b, "arith.index_cast",
                     jr_build_unary(b,
                                    "memref.extract_aligned_pointer_as_index",
                                    mlirOperationGetOperand(op, 0), b->index),
                     b->i64),
      b->ptr);
  MlirValue release =
      jr_build_load(b, b->ptr, native->functions, JR_FUNCTIONS_FREE);
  MlirValue operands[] = {native->exec, address};
  (void)jr_build_call_pointer(b, release, operands, 2, (MlirType){0});
  mlirOperationDestroy(op);
}
