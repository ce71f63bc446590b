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

jitrun_error_t *jr_check_upstream_bugs(const struct jr_unit *unit) {
  struct finding subview = {.unit = unit};
  mlirOperationWalk(mlirModuleGetOperation(unit->module), check_subview,
                    &subview, MlirWalkPreOrder);
  return subview.error;
}
