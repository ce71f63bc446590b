/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Types of which only the name is known are pointers in code: values of such
/// types, and the types of functions, are changed in place.
#include "jit/opaque.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/LLVM.h"

struct retyping {
  struct jr_unit *unit;
  MlirType ptr;
  bool failed; ///< no memory
};

static MlirType retype(const struct retyping *retyping, MlirType type) {
  return mlirTypeIsAOpaque(type) ? retyping->ptr : type;
}

static void retype_value(const struct retyping *retyping, MlirValue value) {
  if (mlirTypeIsAOpaque(mlirValueGetType(value)))
    mlirValueSetType(value, retyping->ptr);
}

static void retype_function(struct retyping *retyping, MlirOperation op) {
  MlirType old = mlirTypeAttrGetValue(
      mlirOperationGetInherentAttributeByName(op, jr_ref("function_type")));
  intptr_t inputs = mlirFunctionTypeGetNumInputs(old);
  intptr_t results = mlirFunctionTypeGetNumResults(old);
  MlirType *types = jr_arena_alloc(
      &retyping->unit->arena, (size_t)(inputs + results + 1) * sizeof *types);
  if (!types) {
    retyping->failed = true;
    return;
  }
  for (intptr_t i = 0; i < inputs; i++)
    types[i] = retype(retyping, mlirFunctionTypeGetInput(old, i));
  for (intptr_t i = 0; i < results; i++)
    types[inputs + i] = retype(retyping, mlirFunctionTypeGetResult(old, i));
  MlirType type = mlirFunctionTypeGet(retyping->unit->context, inputs, types,
                                      results, types + inputs);
  if (!mlirTypeEqual(type, old))
    mlirOperationSetInherentAttributeByName(op, jr_ref("function_type"),
                                            mlirTypeAttrGet(type));
}

static MlirWalkResult retype_op(MlirOperation op, void *context) {
  struct retyping *retyping = context;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    retype_value(retyping, mlirOperationGetResult(op, i));
  for (MlirRegion region = mlirOperationGetFirstRegion(op);
       !mlirRegionIsNull(region);
       region = mlirRegionGetNextInOperation(region)) {
    for (MlirBlock block = mlirRegionGetFirstBlock(region);
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++)
        retype_value(retyping, mlirBlockGetArgument(block, i));
    }
  }
  if (jr_is(op, retyping->unit->names.func_func))
    retype_function(retyping, op);
  return MlirWalkResultAdvance;
}

jitrun_error_t *jr_retype_opaque(struct jr_unit *unit) {
  struct retyping retyping = {.unit = unit,
                              .ptr = mlirLLVMPointerTypeGet(unit->context, 0)};
  mlirOperationWalk(mlirModuleGetOperation(unit->module), retype_op, &retyping,
                    MlirWalkPreOrder);
  return retyping.failed ? jr_error_no_memory() : NULL;
}
