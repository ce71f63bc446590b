/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See contractions.h. Upstream says what is a contraction and which of its
/// loops are the batch, the rows (m), the columns (n) and what is summed over
/// (k). Each operand becomes a view whose dimensions are in the order that the
/// call wants: jitrun.gemm takes any strides.
#include "jit/contractions.h"

#include "jit/rt.h"
#include "jit/types.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"

enum { LEFT, RIGHT, OUT, OPERAND_COUNT };
enum { MAX_BATCH = 5, MAX_LOOPS = MAX_BATCH + 3 };

/// As few products as loops in place take no longer for than a call does.
enum { FEW_PRODUCTS = 4096 };

/// The loops of a contraction, and where they are.
struct contraction {
  MlirOperation op;
  intptr_t batch[MAX_BATCH];
  intptr_t batch_count, m, n, k;
  int64_t sizes[MAX_LOOPS];                     ///< of loops; JITRUN_DYNAMIC
  intptr_t positions[OPERAND_COUNT][MAX_LOOPS]; ///< of loops among the
                                                ///< dimensions; -1: not there
};

static MlirValue operand_of(MlirOperation op, intptr_t index) {
  return mlirOperationGetOperand(op, index);
}

static intptr_t count_loops(MlirAttribute loops) {
  return mlirAttributeIsNull(loops) ? 0 : mlirDenseArrayGetNumElements(loops);
}

/// Takes the last of the loops by itself; those before it, which one operand
/// does not have, are a batch.
static bool take_loops(struct contraction *found, MlirAttribute loops,
                       intptr_t *out_last) {
  intptr_t count = count_loops(loops);
  if (count == 0 || found->batch_count + count - 1 > MAX_BATCH)
    return false;
  for (intptr_t i = 0; i + 1 < count; i++)
    found->batch[found->batch_count++] = mlirDenseI32ArrayGetElement(loops, i);
  *out_last = mlirDenseI32ArrayGetElement(loops, count - 1);
  return true;
}

static bool find_loops(struct contraction *found) {
  MlirLinalgContractionDimensions dims =
      mlirLinalgInferContractionDimensions(found->op);
  intptr_t count = count_loops(dims.batch);
  if (count_loops(dims.k) != 1 || count > MAX_BATCH)
    return false;
  for (intptr_t i = 0; i < count; i++)
    found->batch[found->batch_count++] =
        mlirDenseI32ArrayGetElement(dims.batch, i);
  return take_loops(found, dims.k, &found->k) &&
         take_loops(found, dims.m, &found->m) &&
         take_loops(found, dims.n, &found->n);
}

/// Where the loops are among the dimensions of an operand; false where a
/// dimension is not a loop, or one that was there before.
static bool find_positions(struct contraction *found, MlirAffineMap map,
                           int operand) {
  intptr_t *positions = found->positions[operand];
  MlirType type = mlirValueGetType(operand_of(found->op, operand));
  for (int i = 0; i < MAX_LOOPS; i++)
    positions[i] = -1;
  if (mlirAffineMapGetNumDims(map) != found->batch_count + 3)
    return false;
  for (intptr_t i = 0; i < mlirAffineMapGetNumResults(map); i++) {
    MlirAffineExpr at = mlirAffineMapGetResult(map, i);
    if (!mlirAffineExprIsADim(at))
      return false;
    intptr_t loop = mlirAffineDimExprGetPosition(at);
    if (positions[loop] >= 0)
      return false;
    positions[loop] = i;
    if (!mlirShapedTypeIsDynamicDim(type, i))
      found->sizes[loop] = mlirShapedTypeGetDimSize(type, i);
  }
  return true;
}

static bool find_operands(struct contraction *found) {
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(found->op);
  if (mlirAttributeIsNull(maps) ||
      mlirArrayAttrGetNumElements(maps) != OPERAND_COUNT)
    return false;
  for (int i = 0; i < MAX_LOOPS; i++)
    found->sizes[i] = JITRUN_DYNAMIC;
  for (int i = 0; i < OPERAND_COUNT; i++)
    if (!find_positions(
            found, mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i)),
            i))
      return false;
  return true;
}

/// All of the batch is in an operand, or none of it.
static bool batch_is_whole(const struct contraction *found, int operand) {
  intptr_t count = 0;
  for (intptr_t i = 0; i < found->batch_count; i++)
    count += found->positions[operand][found->batch[i]] >= 0;
  return count == found->batch_count || (count == 0 && operand != OUT);
}

/// The body multiplies and adds, and does nothing else: upstream's definition
/// allows more.
static bool has_plain_body(MlirOperation op) {
  static const char *const names[] = {"arith.mulf", "arith.addf",
                                      "linalg.yield"};
  MlirOperation inner = mlirBlockGetFirstOperation(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)));
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (mlirOperationIsNull(inner) ||
        !mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(inner)),
                            jr_ref(names[i])))
      return false;
    inner = mlirOperationGetNextInBlock(inner);
  }
  return mlirOperationIsNull(inner);
}

/// Three memrefs of one type of elements that the call takes.
static bool has_plain_operands(MlirOperation op) {
  if (mlirOperationGetNumOperands(op) != OPERAND_COUNT ||
      mlirOperationGetNumResults(op) != 0)
    return false;
  jitrun_dtype_t dtypes[OPERAND_COUNT];
  for (intptr_t i = 0; i < OPERAND_COUNT; i++) {
    MlirType type = mlirValueGetType(operand_of(op, i));
    struct jr_mlir_type unpacked;
    if (!mlirTypeIsAMemRef(type) || !jr_type_unpack(type, &unpacked))
      return false;
    dtypes[i] = (jitrun_dtype_t)unpacked.dtype;
  }
  return (dtypes[OUT] == JITRUN_DTYPE_F32 || dtypes[OUT] == JITRUN_DTYPE_F64) &&
         dtypes[LEFT] == dtypes[OUT] && dtypes[RIGHT] == dtypes[OUT];
}

/// Sizes that are not known count as large.
static bool is_worth_it(const struct contraction *found) {
  const intptr_t loops[] = {found->m, found->n, found->k};
  int64_t products = 1;
  for (int i = 0; i < 3; i++) {
    int64_t size = found->sizes[loops[i]];
    if (size == JITRUN_DYNAMIC ||
        __builtin_mul_overflow(products, size, &products))
      return true;
  }
  return products > FEW_PRODUCTS;
}

static bool is_product(struct contraction *found) {
  if (!jr_ref_begins(mlirIdentifierStr(mlirOperationGetName(found->op)),
                     "linalg.") ||
      !mlirLinalgIsAContractionOp(found->op) ||
      !has_plain_operands(found->op) || !has_plain_body(found->op) ||
      !find_loops(found) || !find_operands(found) || !is_worth_it(found))
    return false;
  for (int i = 0; i < OPERAND_COUNT; i++)
    if (!batch_is_whole(found, i))
      return false;
  return true;
}

/// The type of a view with its dimensions in another order.
static MlirType turned_type(MlirType type, const intptr_t *order,
                            intptr_t rank) {
  MlirContext context = mlirTypeGetContext(type);
  int64_t strides[MAX_LOOPS];
  int64_t turned[MAX_LOOPS];
  int64_t shape[MAX_LOOPS];
  int64_t offset = 0;
  (void)mlirMemRefTypeGetStridesAndOffset(type, strides, &offset);
  for (intptr_t i = 0; i < rank; i++) {
    turned[i] = strides[order[i]];
    shape[i] = mlirShapedTypeGetDimSize(type, order[i]);
  }
  return mlirMemRefTypeGet(
      mlirShapedTypeGetElementType(type), rank, shape,
      mlirStridedLayoutAttrGet(context, offset, rank, turned),
      mlirMemRefTypeGetMemorySpace(type));
}

/// A view with batch, then `row`, then `column`.
static MlirValue turn_operand(const struct contraction *found, int operand,
                              intptr_t row, intptr_t column) {
  MlirValue value = operand_of(found->op, operand);
  MlirContext context = mlirOperationGetContext(found->op);
  const intptr_t *positions = found->positions[operand];
  intptr_t order[MAX_LOOPS];
  unsigned permutation[MAX_LOOPS];
  intptr_t rank = 0;
  for (intptr_t i = 0; i < found->batch_count; i++)
    if (positions[found->batch[i]] >= 0)
      order[rank++] = positions[found->batch[i]];
  order[rank++] = positions[row];
  order[rank++] = positions[column];
  bool is_turned = false;
  for (intptr_t i = 0; i < rank; i++) {
    is_turned = is_turned || order[i] != i;
    permutation[i] = (unsigned)order[i];
  }
  if (!is_turned)
    return value;
  MlirType type = turned_type(mlirValueGetType(value), order, rank);
  MlirOperationState state = mlirOperationStateGet(
      jr_ref("memref.transpose"), mlirOperationGetLocation(found->op));
  MlirNamedAttribute attribute =
      jr_named(context, "permutation",
               mlirAffineMapAttrGet(
                   mlirAffineMapPermutationGet(context, rank, permutation)));
  mlirOperationStateAddOperands(&state, 1, &value);
  mlirOperationStateAddAttributes(&state, 1, &attribute);
  mlirOperationStateAddResults(&state, 1, &type);
  MlirOperation view = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(found->op),
                                      found->op, view);
  return mlirOperationGetResult(view, 0);
}

/// c = a * b + c.
static void replace(const struct jr_unit *unit, MlirSymbolTable symbols,
                    const struct contraction *found) {
  MlirContext context = unit->context;
  const MlirValue operands[] = {turn_operand(found, LEFT, found->m, found->k),
                                turn_operand(found, RIGHT, found->k, found->n),
                                turn_operand(found, OUT, found->m, found->n)};
  MlirType types[OPERAND_COUNT];
  for (int i = 0; i < OPERAND_COUNT; i++)
    types[i] = mlirValueGetType(operands[i]);
  const MlirNamedAttribute attributes[] = {
      jr_named(context, "callee",
               jr_rt_declare(unit, symbols, jr_ref("jitrun.gemm"),
                             mlirFunctionTypeGet(context, OPERAND_COUNT, types,
                                                 0, NULL))),
      jr_named(context, "beta",
               mlirFloatAttrDoubleGet(context, mlirF64TypeGet(context), 1))};
  MlirOperationState state = mlirOperationStateGet(
      jr_ref("func.call"), mlirOperationGetLocation(found->op));
  mlirOperationStateAddOperands(&state, OPERAND_COUNT, operands);
  mlirOperationStateAddAttributes(&state, 2, attributes);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(found->op),
                                      found->op, mlirOperationCreate(&state));
  mlirOperationDestroy(found->op);
}

static MlirWalkResult find_linalg(MlirOperation op, void *context) {
  if (jr_ref_begins(mlirIdentifierStr(mlirOperationGetName(op)), "linalg.") &&
      mlirOperationGetNumRegions(op) == 1)
    (void)jr_ops_push(context, op);
  return MlirWalkResultAdvance;
}

void jr_contractions(struct jr_unit *unit) {
  MlirOperation module = mlirModuleGetOperation(unit->module);
  MlirSymbolTable symbols = mlirSymbolTableCreate(module);
  struct jr_ops ops = {0};
  mlirOperationWalk(module, find_linalg, &ops, MlirWalkPreOrder);
  for (size_t i = 0; i < ops.count; i++) {
    struct contraction found = {.op = ops.items[i]};
    if (is_product(&found))
      replace(unit, symbols, &found);
  }
  jr_ops_deinit(&ops);
  mlirSymbolTableDestroy(symbols);
}
