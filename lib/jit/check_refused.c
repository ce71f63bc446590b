/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Operations of known dialects that nothing lowers, so that they are refused
/// at once and all together. docs/operations.md gives the reasons.
#include "jit/check.h"

#include "jit/names.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

/// Sorted by dialect: the lists are short.
static const char *const memref_refused[] = {"dma_start", "dma_wait", NULL};
static const char *const tensor_refused[] = {"bitcast", "gather", "scatter",
                                             NULL};
static const char *const tosa_refused[] = {
    "add_shape",
    "cast_from_block_scaled",
    "cast_to_block_scaled",
    "concat_shape",
    "custom",
    "dim",
    "div_ceil_shape",
    "div_floor_shape",
    "exp2_shape",
    "log2_ceil_shape",
    "log2_floor_shape",
    "matmul_t_block_scaled",
    "max_shape",
    "min_shape",
    "mod_shape",
    "mul_shape",
    "slice_shape",
    "sub_shape",
    "variable",
    "variable_read",
    "variable_write",
    NULL,
};
static const char *const vector_refused[] = {"scalable.extract",
                                             "scalable.insert", "vscale", NULL};

static bool has_name(const char *const *list, MlirStringRef name,
                     size_t dialect_size) {
  MlirStringRef rest =
      mlirStringRefCreate(name.data + dialect_size, name.length - dialect_size);
  for (; *list; list++) {
    if (mlirStringRefEqual(rest, jr_ref(*list)))
      return true;
  }
  return false;
}

bool jr_is_refused(MlirStringRef name) {
  static const struct {
    const char *prefix;
    const char *const *list;
  } dialects[] = {{"memref.", memref_refused},
                  {"tensor.", tensor_refused},
                  {"tosa.", tosa_refused},
                  {"vector.", vector_refused}};
  for (size_t i = 0; i < sizeof dialects / sizeof dialects[0]; i++) {
    if (jr_ref_begins(name, dialects[i].prefix))
      return has_name(dialects[i].list, name, strlen(dialects[i].prefix));
  }
  return false;
}

struct finding {
  const struct jr_unit *unit;
  jitrun_error_t *error;
};

static jitrun_error_t *check_encoding(const struct jr_unit *unit,
                                      MlirOperation op, MlirType type) {
  if (!mlirTypeIsARankedTensor(type))
    return NULL;
  MlirAttribute encoding = mlirRankedTensorTypeGetEncoding(type);
  if (mlirAttributeIsNull(encoding) || !mlirAttributeIsAOpaque(encoding))
    return NULL;
  MlirStringRef dialect = mlirOpaqueAttrGetDialectNamespace(encoding);
  return jr_error_op(unit, op, JITRUN_UNIMPLEMENTED,
                     "a tensor is encoded by '%.*s', which this version does "
                     "not support; use dense tensors",
                     (int)dialect.length, dialect.data);
}

static MlirWalkResult check_tensors(MlirOperation op, void *context) {
  struct finding *found = context;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op) && !found->error; i++)
    found->error = check_encoding(
        found->unit, op, mlirValueGetType(mlirOperationGetResult(op, i)));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !found->error;
       i++)
    found->error = check_encoding(
        found->unit, op, mlirValueGetType(mlirOperationGetOperand(op, i)));
  return found->error ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

jitrun_error_t *jr_check_encodings(const struct jr_unit *unit) {
  struct finding found = {.unit = unit};
  mlirOperationWalk(mlirModuleGetOperation(unit->module), check_tensors, &found,
                    MlirWalkPreOrder);
  return found.error;
}
