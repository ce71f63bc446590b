/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Programs that MLIR's passes crash on, refused before they run. Each with
/// what is wrong, in which versions, and when it can go.
#include "jit/upstream.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

struct finding {
  const struct jr_unit *unit;
  jitrun_error_t *error;
};

static int64_t static_item(MlirOperation op, const char *name, intptr_t index) {
  return mlirDenseI64ArrayGetElement(
      mlirOperationGetInherentAttributeByName(op, jr_ref(name)), index);
}

/// expand-strided-metadata (seen in LLVM 22) finds out which dimensions a
/// subview drops by comparing strides of result and source, without the
/// subview's steps between them, and crashes where none fits. Remove when
/// mlir-opt lowers `memref.subview %m[0, 0, 0] [1, 1, 2] [1, 1, 2] :
/// memref<1x1x4xf32> to memref<1x2xf32, strided<[4, 2]>>`.
static bool drops_unclear(MlirOperation op) {
  intptr_t rank =
      mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetOperand(op, 0)));
  intptr_t dropped =
      rank -
      mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetResult(op, 0)));
  intptr_t ones = 0;
  bool steps = false;
  for (intptr_t i = 0; i < rank; i++) {
    ones += static_item(op, "static_sizes", i) == 1;
    steps = steps || static_item(op, "static_strides", i) != 1;
  }
  return dropped > 0 && ones > dropped && steps;
}

static MlirWalkResult check_subview(MlirOperation op, void *context) {
  struct finding *found = context;
  if (!jr_is(op, found->unit->names.memref_subview) || !drops_unclear(op))
    return MlirWalkResultAdvance;
  found->error = jr_error_op(
      found->unit, op, JITRUN_UNIMPLEMENTED,
      "memref.subview drops some of its dimensions of size 1 and takes steps "
      "over 1, which MLIR cannot lower; drop all dimensions of size 1, or "
      "none");
  return MlirWalkResultInterrupt;
}

/// finalize-memref-to-llvm (seen in LLVM 22) leaves the results of an
/// alloca_scope in their old types. Remove when mlir-opt lowers one that
/// returns an index.
static MlirWalkResult check_scope(MlirOperation op, void *context) {
  struct finding *found = context;
  if (!mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                          jr_ref("memref.alloca_scope")))
    return MlirWalkResultAdvance;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    if (mlirTypeIsAInteger(type) || mlirTypeIsAFloat(type))
      continue;
    found->error = jr_error_op(
        found->unit, op, JITRUN_UNIMPLEMENTED,
        "memref.alloca_scope has a result that is neither an integer nor a "
        "float, which MLIR cannot lower; cast an index to i64, and store "
        "anything else to memory from outside");
    return MlirWalkResultInterrupt;
  }
  return MlirWalkResultAdvance;
}

/// Upstream has no lowering of these two kinds of atomic_rmw (LLVM 22).
static MlirWalkResult check_atomic(MlirOperation op, void *context) {
  struct finding *found = context;
  if (!mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                          jr_ref("memref.atomic_rmw")))
    return MlirWalkResultAdvance;
  enum { MULF = 12, MULI = 13 };
  int64_t kind = mlirIntegerAttrGetValueInt(
      mlirOperationGetInherentAttributeByName(op, jr_ref("kind")));
  if (kind != MULF && kind != MULI)
    return MlirWalkResultAdvance;
  found->error =
      jr_error_op(found->unit, op, JITRUN_UNIMPLEMENTED,
                  "memref.atomic_rmw %s has no lowering in MLIR; multiply "
                  "within memref.generic_atomic_rmw",
                  kind == MULF ? "mulf" : "muli");
  return MlirWalkResultInterrupt;
}

/// LLVM ends the process when a target without scalable vectors is asked for
/// them, or for the number of times they scale.
static MlirWalkResult check_scalable(MlirOperation op, void *context) {
  struct finding *found = context;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  bool is_scalable = mlirStringRefEqual(name, jr_ref("vector.vscale"));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    is_scalable = is_scalable ||
                  (mlirTypeIsAVector(type) && mlirVectorTypeIsScalable(type));
  }
  if (!is_scalable)
    return MlirWalkResultAdvance;
  found->error = jr_error_op(
      found->unit, op, JITRUN_UNIMPLEMENTED,
      "operation '%.*s' is of vectors of scalable size, which this version "
      "has no target for; use vectors of fixed size",
      (int)name.length, name.data);
  return MlirWalkResultInterrupt;
}

static bool is_power_of_2(int64_t number) {
  return number > 0 && (number & (number - 1)) == 0;
}

/// True where LLVM has a vector's rows as a memref has their elements.
static bool has_no_gaps(MlirType vector) {
  MlirType element = mlirShapedTypeGetElementType(vector);
  unsigned width = mlirTypeIsAInteger(element)
                       ? mlirIntegerTypeGetWidth(element)
                   : mlirTypeIsAFloat(element) ? mlirFloatTypeGetWidth(element)
                                               : 64;
  intptr_t rank = mlirShapedTypeGetRank(vector);
  int64_t rows = 1;
  for (intptr_t i = 0; i < rank - 1; i++)
    rows *= mlirShapedTypeGetDimSize(vector, i);
  return width >= 8 && is_power_of_2(width) &&
         (rows == 1 ||
          is_power_of_2(mlirShapedTypeGetDimSize(vector, rank - 1)));
}

/// A memref of vectors is one of LLVM's vectors (LLVM 22), which take a power
/// of two of bytes each, and of which bits are packed. Remove when
/// vector.type_cast of memref<2x3xf32> reads six elements in order.
static MlirWalkResult check_cast(MlirOperation op, void *context) {
  struct finding *found = context;
  if (!mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                          jr_ref("vector.type_cast")))
    return MlirWalkResultAdvance;
  MlirType from = mlirShapedTypeGetElementType(
      mlirValueGetType(mlirOperationGetOperand(op, 0)));
  MlirType to = mlirShapedTypeGetElementType(
      mlirValueGetType(mlirOperationGetResult(op, 0)));
  if (mlirTypeIsAVector(from) || !mlirTypeIsAVector(to) || has_no_gaps(to))
    return MlirWalkResultAdvance;
  found->error = jr_error_op(
      found->unit, op, JITRUN_UNIMPLEMENTED,
      "vector.type_cast to vectors whose elements lie otherwise in memory than "
      "those of the memref; use vector.transfer_read and "
      "vector.transfer_write, "
      "or rows of a power of two of elements of whole bytes");
  return MlirWalkResultInterrupt;
}

jitrun_error_t *jr_check_upstream_bugs(const struct jr_unit *unit) {
  static MlirWalkResult (*const checks[])(MlirOperation, void *) = {
      check_subview, check_scope, check_atomic, check_scalable, check_cast};
  struct finding found = {.unit = unit};
  for (size_t i = 0; i < sizeof checks / sizeof checks[0] && !found.error; i++)
    mlirOperationWalk(mlirModuleGetOperation(unit->module), checks[i], &found,
                      MlirWalkPreOrder);
  return found.error;
}
