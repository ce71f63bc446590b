/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// memref.generic_atomic_rmw of floats: upstream (LLVM 22) compares and
/// exchanges them as floats, which LLVM does with integers alone. The memory
/// becomes that of integers as wide, and the body casts. Remove when mlir-opt
/// --finalize-memref-to-llvm makes a valid llvm.cmpxchg of one on f32.
#include "jit/upstream.h"

#include "jit/rt.h"

#include "mlir-c/BuiltinTypes.h"

static MlirWalkResult find_atomics(MlirOperation op, void *context) {
  if (mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                         jr_ref("memref.generic_atomic_rmw")) &&
      mlirTypeIsAFloat(mlirValueGetType(mlirOperationGetResult(op, 0))))
    (void)jr_ops_push(context, op);
  return MlirWalkResultAdvance;
}

static MlirOperation make_cast(const char *name, MlirValue value, MlirType type,
                               MlirLocation location) {
  MlirOperationState state = mlirOperationStateGet(jr_ref(name), location);
  mlirOperationStateAddOperands(&state, 1, &value);
  mlirOperationStateAddResults(&state, 1, &type);
  return mlirOperationCreate(&state);
}

/// The same memory, of other elements.
static MlirType with_element(MlirType memory, MlirType element) {
  enum { MAX_RANK = 64 };
  int64_t shape[MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(memory);
  for (intptr_t i = 0; i < rank && i < MAX_RANK; i++)
    shape[i] = mlirShapedTypeGetDimSize(memory, i);
  return mlirMemRefTypeGet(element, rank, shape,
                           mlirMemRefTypeGetLayout(memory),
                           mlirMemRefTypeGetMemorySpace(memory));
}

/// Makes a value one of bits, and gives its users what they had. The cast is to
/// be put into its block by the caller.
static MlirOperation make_bits(MlirValue value, MlirType bits,
                               MlirLocation location) {
  MlirType type = mlirValueGetType(value);
  mlirValueSetType(value, bits);
  MlirOperation made = make_cast("arith.bitcast", value, type, location);
  mlirValueReplaceAllUsesExcept(value, mlirOperationGetResult(made, 0), 1,
                                &made);
  return made;
}

static void use_bits(MlirOperation op) {
  MlirLocation location = mlirOperationGetLocation(op);
  MlirValue memory = mlirOperationGetOperand(op, 0);
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirType bits =
      mlirIntegerTypeGet(mlirOperationGetContext(op),
                         mlirFloatTypeGetWidth(mlirValueGetType(result)));
  MlirBlock block = mlirOperationGetBlock(op);
  MlirOperation cast =
      make_cast("builtin.unrealized_conversion_cast", memory,
                with_element(mlirValueGetType(memory), bits), location);
  mlirBlockInsertOwnedOperationBefore(block, op, cast);
  mlirOperationSetOperand(op, 0, mlirOperationGetResult(cast, 0));
  mlirBlockInsertOwnedOperationAfter(block, op,
                                     make_bits(result, bits, location));
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  mlirBlockInsertOwnedOperation(
      body, 0, make_bits(mlirBlockGetArgument(body, 0), bits, location));
  MlirOperation yield = mlirBlockGetTerminator(body);
  MlirOperation back = make_cast(
      "arith.bitcast", mlirOperationGetOperand(yield, 0), bits, location);
  mlirBlockInsertOwnedOperationBefore(body, yield, back);
  mlirOperationSetOperand(yield, 0, mlirOperationGetResult(back, 0));
}

jitrun_error_t *jr_lower_atomics(struct jr_unit *unit) {
  struct jr_ops found = {0};
  mlirOperationWalk(mlirModuleGetOperation(unit->module), find_atomics, &found,
                    MlirWalkPreOrder);
  for (size_t i = 0; i < found.count; i++)
    use_bits(found.items[i]);
  jr_ops_deinit(&found);
  return NULL;
}
