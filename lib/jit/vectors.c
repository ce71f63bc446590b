/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See vectors.h. Both rewritings leave operations that upstream lowers well:
/// an access of several dimensions becomes a transfer, one of narrow elements
/// an access of bytes, whose vector is truncated or extended.
#include "jit/vectors.h"

#include "jit/rt.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { MAX_RANK = 64 };

/// Where an access has the vector that goes to memory, or what is given for
/// elements that are not read.
enum data_place { NO_DATA, FIRST, LAST, BEHIND_INDICES };

static const struct access {
  const char *name;
  enum data_place data;
} accesses[] = {
    {"vector.compressstore", LAST},
    {"vector.expandload", LAST},
    {"vector.gather", LAST},
    {"vector.load", NO_DATA},
    {"vector.maskedload", LAST},
    {"vector.maskedstore", LAST},
    {"vector.scatter", LAST},
    {"vector.store", FIRST},
    {"vector.transfer_read", BEHIND_INDICES},
    {"vector.transfer_write", FIRST},
};

static const struct access *find_access(MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (!jr_ref_begins(name, "vector."))
    return NULL;
  for (size_t i = 0; i < sizeof accesses / sizeof accesses[0]; i++) {
    if (mlirStringRefEqual(name, jr_ref(accesses[i].name)))
      return &accesses[i];
  }
  return NULL;
}

static bool is_op(MlirOperation op, const char *name) {
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                            jr_ref(name));
}

/// The operand that is the memory: the first, but for what is stored.
static intptr_t memory_place(const struct access *access) {
  return access->data == FIRST ? 1 : 0;
}

static MlirType memory_type(const struct access *access, MlirOperation op) {
  return mlirValueGetType(mlirOperationGetOperand(op, memory_place(access)));
}

static intptr_t data_place(const struct access *access, MlirOperation op) {
  switch (access->data) {
  case FIRST:
    return 0;
  case LAST:
    return mlirOperationGetNumOperands(op) - 1;
  case BEHIND_INDICES:
    return 1 + mlirShapedTypeGetRank(memory_type(access, op));
  case NO_DATA:
    break;
  }
  return -1;
}

/// What is written in front of an operation.
struct writer {
  MlirContext context;
  MlirOperation at;
};

static MlirOperation insert(const struct writer *writer,
                            MlirOperationState *state) {
  MlirOperation op = mlirOperationCreate(state);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(writer->at),
                                      writer->at, op);
  return op;
}

static MlirValue cast(const struct writer *writer, const char *name,
                      MlirValue value, MlirType type) {
  MlirOperationState state =
      mlirOperationStateGet(jr_ref(name), mlirOperationGetLocation(writer->at));
  mlirOperationStateAddOperands(&state, 1, &value);
  mlirOperationStateAddResults(&state, 1, &type);
  return mlirOperationGetResult(insert(writer, &state), 0);
}

/// The elements of a vector, or a scalar's, in other elements.
static MlirType with_element(MlirType type, MlirType element) {
  int64_t shape[MAX_RANK];
  if (!mlirTypeIsAVector(type))
    return element;
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t i = 0; i < rank && i < MAX_RANK; i++)
    shape[i] = mlirShapedTypeGetDimSize(type, i);
  return mlirVectorTypeGet(rank < MAX_RANK ? rank : MAX_RANK, shape, element);
}

/// The integer that an element takes the memory of, or null where a vector of
/// them lies in memory as they do one by one.
static MlirType container_of(MlirType element) {
  unsigned width = mlirTypeIsAInteger(element)
                       ? mlirIntegerTypeGetWidth(element)
                   : mlirTypeIsAFloat(element) ? mlirFloatTypeGetWidth(element)
                                               : 8;
  unsigned bytes = 8;
  while (bytes < width)
    bytes *= 2;
  return bytes == width || (mlirTypeIsAFloat(element) && width > 8)
             ? (MlirType){0}
             : mlirIntegerTypeGet(mlirTypeGetContext(element), bytes);
}

/// An integer of as many bits as a float has.
static MlirType bits_of(MlirType element) {
  return mlirTypeIsAFloat(element)
             ? mlirIntegerTypeGet(mlirTypeGetContext(element),
                                  mlirFloatTypeGetWidth(element))
             : element;
}

static MlirValue widen(const struct writer *writer, MlirValue value,
                       MlirType container) {
  MlirType type = mlirValueGetType(value);
  MlirType element =
      mlirTypeIsAVector(type) ? mlirShapedTypeGetElementType(type) : type;
  if (mlirTypeIsAFloat(element))
    value = cast(writer, "arith.bitcast", value,
                 with_element(type, bits_of(element)));
  return cast(writer, "arith.extui", value, with_element(type, container));
}

static MlirValue narrow(const struct writer *writer, MlirValue value,
                        MlirType type) {
  MlirType element = mlirShapedTypeGetElementType(type);
  MlirType bits = bits_of(element);
  value = cast(writer, "arith.trunci", value, with_element(type, bits));
  return mlirTypeEqual(bits, element)
             ? value
             : cast(writer, "arith.bitcast", value, type);
}

/// The same memory, of other elements. Both types are one to LLVM, so the cast
/// goes away there.
static MlirValue cast_memory(const struct writer *writer, MlirValue memory,
                             MlirType container) {
  MlirType type = mlirValueGetType(memory);
  int64_t shape[MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t i = 0; i < rank && i < MAX_RANK; i++)
    shape[i] = mlirShapedTypeGetDimSize(type, i);
  MlirType wide =
      mlirMemRefTypeGet(container, rank, shape, mlirMemRefTypeGetLayout(type),
                        mlirMemRefTypeGetMemorySpace(type));
  return cast(writer, "builtin.unrealized_conversion_cast", memory, wide);
}

/// The operation again, under any name, with other operands and result.
static MlirOperation repeat(const struct writer *writer, MlirOperation op,
                            const MlirValue *operands, MlirType result) {
  MlirOperationState state =
      mlirOperationStateGet(mlirIdentifierStr(mlirOperationGetName(op)),
                            mlirOperationGetLocation(op));
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); i++) {
    MlirNamedAttribute attribute = mlirOperationGetAttribute(op, i);
    mlirOperationStateAddAttributes(&state, 1, &attribute);
  }
  mlirOperationStateAddOperands(&state, mlirOperationGetNumOperands(op),
                                operands);
  if (!mlirTypeIsNull(result))
    mlirOperationStateAddResults(&state, 1, &result);
  return insert(writer, &state);
}

static void replace(MlirOperation op, MlirValue value) {
  if (!mlirValueIsNull(value))
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), value);
  mlirOperationDestroy(op);
}

/// LLVM packs the bits of vectors, while a memref has its elements apart.
static jitrun_error_t *widen_access(struct jr_unit *unit,
                                    const struct access *access,
                                    MlirOperation op) {
  MlirType container =
      container_of(mlirShapedTypeGetElementType(memory_type(access, op)));
  if (mlirTypeIsNull(container))
    return NULL;
  const struct writer writer = {unit->context, op};
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirValue *operands =
      jr_arena_alloc(&unit->arena, (size_t)count * sizeof *operands);
  if (!operands)
    return jr_error_no_memory();
  for (intptr_t i = 0; i < count; i++) {
    operands[i] = mlirOperationGetOperand(op, i);
    if (i == memory_place(access))
      operands[i] = cast_memory(&writer, operands[i], container);
    else if (i == data_place(access, op))
      operands[i] = widen(&writer, operands[i], container);
  }
  if (mlirOperationGetNumResults(op) == 0) {
    (void)repeat(&writer, op, operands, (MlirType){0});
    replace(op, (MlirValue){0});
    return NULL;
  }
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  MlirOperation wide =
      repeat(&writer, op, operands, with_element(type, container));
  replace(op, narrow(&writer, mlirOperationGetResult(wide, 0), type));
  return NULL;
}

/// The last `count` of `rank` dimensions, in order.
static MlirAttribute last_dims(const struct writer *writer, intptr_t rank,
                               intptr_t count) {
  MlirAffineExpr dims[MAX_RANK];
  for (intptr_t i = 0; i < count && i < MAX_RANK; i++)
    dims[i] = mlirAffineDimExprGet(writer->context, rank - count + i);
  return mlirAffineMapAttrGet(
      mlirAffineMapGet(writer->context, rank, 0, count, dims));
}

static MlirAttribute all_true(const struct writer *writer, intptr_t count) {
  MlirAttribute items[MAX_RANK];
  for (intptr_t i = 0; i < count && i < MAX_RANK; i++)
    items[i] = mlirBoolAttrGet(writer->context, true);
  return mlirArrayAttrGet(writer->context, count, items);
}

static MlirValue zero(const struct writer *writer, MlirType type) {
  MlirOperationState state = mlirOperationStateGet(
      jr_ref("arith.constant"), mlirOperationGetLocation(writer->at));
  MlirNamedAttribute value = jr_named(
      writer->context, "value",
      mlirTypeIsAFloat(type) ? mlirFloatAttrDoubleGet(writer->context, type, 0)
                             : mlirIntegerAttrGet(type, 0));
  mlirOperationStateAddAttributes(&state, 1, &value);
  mlirOperationStateAddResults(&state, 1, &type);
  return mlirOperationGetResult(insert(writer, &state), 0);
}

static MlirValue select_lanes(const struct writer *writer, MlirValue mask,
                              MlirValue yes, MlirValue no) {
  MlirOperationState state = mlirOperationStateGet(
      jr_ref("arith.select"), mlirOperationGetLocation(writer->at));
  const MlirValue operands[] = {mask, yes, no};
  MlirType type = mlirValueGetType(yes);
  mlirOperationStateAddOperands(&state, 3, operands);
  mlirOperationStateAddResults(&state, 1, &type);
  return mlirOperationGetResult(insert(writer, &state), 0);
}

/// Operands of a transfer, and how many there are of each kind.
struct transfer {
  MlirValue operands[MAX_RANK + 3];
  int32_t segments[4];
  intptr_t count;
};

static void add(struct transfer *transfer, MlirValue value) {
  if (!mlirValueIsNull(value))
    transfer->operands[transfer->count++] = value;
}

/// An access of several dimensions as a transfer of the same elements.
static void make_transfer(struct jr_unit *unit, const struct access *access,
                          MlirOperation op) {
  const struct writer writer = {unit->context, op};
  bool reads = mlirOperationGetNumResults(op) > 0;
  bool is_masked = access->data == LAST;
  intptr_t last = mlirOperationGetNumOperands(op) - 1;
  MlirType memory = memory_type(access, op);
  intptr_t rank = mlirShapedTypeGetRank(memory);
  intptr_t place = memory_place(access);
  MlirValue data = reads ? zero(&writer, mlirShapedTypeGetElementType(memory))
                         : mlirOperationGetOperand(op, is_masked ? last : 0);
  MlirValue mask =
      is_masked ? mlirOperationGetOperand(op, last - 1) : (MlirValue){0};
  MlirType type = reads ? mlirValueGetType(mlirOperationGetResult(op, 0))
                        : mlirValueGetType(data);
  intptr_t dims = mlirShapedTypeGetRank(type);
  struct transfer transfer = {.segments = {1, reads ? (int32_t)rank : 1,
                                           reads ? 1 : (int32_t)rank,
                                           is_masked}};
  if (!reads)
    add(&transfer, data);
  for (intptr_t i = 0; i <= rank; i++)
    add(&transfer, mlirOperationGetOperand(op, place + i));
  if (reads)
    add(&transfer, data);
  add(&transfer, mask);
  MlirOperationState state = mlirOperationStateGet(
      jr_ref(reads ? "vector.transfer_read" : "vector.transfer_write"),
      mlirOperationGetLocation(op));
  const MlirNamedAttribute attributes[] = {
      jr_named(writer.context, "permutation_map",
               last_dims(&writer, rank, dims)),
      jr_named(writer.context, "in_bounds", all_true(&writer, dims)),
      jr_named(writer.context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(unit->context, 4, transfer.segments))};
  mlirOperationStateAddAttributes(&state, 3, attributes);
  mlirOperationStateAddOperands(&state, transfer.count, transfer.operands);
  if (reads)
    mlirOperationStateAddResults(&state, 1, &type);
  MlirOperation made = insert(&writer, &state);
  MlirValue result = reads ? mlirOperationGetResult(made, 0) : (MlirValue){0};
  if (reads && is_masked)
    result =
        select_lanes(&writer, mask, result, mlirOperationGetOperand(op, last));
  replace(op, result);
}

/// True for what upstream lowers in one dimension alone.
static bool is_wide(MlirOperation op) {
  MlirType type = (MlirType){0};
  if (is_op(op, "vector.load") || is_op(op, "vector.maskedload"))
    type = mlirValueGetType(mlirOperationGetResult(op, 0));
  else if (is_op(op, "vector.store"))
    type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  else if (is_op(op, "vector.maskedstore"))
    type = mlirValueGetType(
        mlirOperationGetOperand(op, mlirOperationGetNumOperands(op) - 1));
  return !mlirTypeIsNull(type) && mlirTypeIsAVector(type) &&
         mlirShapedTypeGetRank(type) > 1;
}

static MlirWalkResult find_accesses(MlirOperation op, void *context) {
  struct jr_ops *found = context;
  const struct access *access = find_access(op);
  if (access && mlirTypeIsAMemRef(memory_type(access, op)))
    (void)jr_ops_push(found, op);
  return MlirWalkResultAdvance;
}

static jitrun_error_t *visit(struct jr_unit *unit,
                             jitrun_error_t *(*change)(struct jr_unit *,
                                                       const struct access *,
                                                       MlirOperation)) {
  struct jr_ops found = {0};
  jitrun_error_t *error = NULL;
  mlirOperationWalk(mlirModuleGetOperation(unit->module), find_accesses, &found,
                    MlirWalkPreOrder);
  for (size_t i = 0; i < found.count && !error; i++)
    error = change(unit, find_access(found.items[i]), found.items[i]);
  jr_ops_deinit(&found);
  return error;
}

static jitrun_error_t *spread_access(struct jr_unit *unit,
                                     const struct access *access,
                                     MlirOperation op) {
  MlirType memory = memory_type(access, op);
  if (is_wide(op) && mlirShapedTypeGetRank(memory) <= MAX_RANK &&
      !mlirTypeIsAVector(mlirShapedTypeGetElementType(memory)))
    make_transfer(unit, access, op);
  return NULL;
}

/// Which dimension of memory a dimension of the vector goes along; -1: none.
static intptr_t memory_dim(MlirAffineMap map, intptr_t dim) {
  MlirAffineExpr expr = mlirAffineMapGetResult(map, dim);
  return mlirAffineExprIsADim(expr) ? mlirAffineDimExprGetPosition(expr) : -1;
}

/// A write with a mask and a permutation, ordered as memory is.
struct ordered {
  int64_t order[MAX_RANK]; ///< dimensions of the vector
  int64_t shape[MAX_RANK]; ///< with 1 for what the vector has not
  MlirAttribute in_bounds[MAX_RANK];
  intptr_t count; ///< of the dimensions of memory that `shape` is for
};

/// False where the write is in that order already.
static bool find_order(const struct writer *writer, MlirAffineMap map,
                       MlirOperation op, struct ordered *out_ordered) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirAttribute in_bounds =
      mlirOperationGetInherentAttributeByName(op, jr_ref("in_bounds"));
  intptr_t rank = mlirAffineMapGetNumDims(map);
  intptr_t dims = mlirAffineMapGetNumResults(map);
  intptr_t found = 0;
  bool is_ordered = true;
  for (intptr_t at = 0; at < rank; at++) {
    intptr_t dim = 0;
    while (dim < dims && memory_dim(map, dim) != at)
      dim++;
    if (dim == dims && found == 0)
      continue;
    is_ordered = is_ordered && dim == out_ordered->count;
    out_ordered->shape[out_ordered->count] =
        dim == dims ? 1 : mlirShapedTypeGetDimSize(type, dim);
    out_ordered->in_bounds[out_ordered->count++] =
        dim == dims ? mlirBoolAttrGet(writer->context, true)
                    : mlirArrayAttrGetElement(in_bounds, dim);
    if (dim < dims)
      out_ordered->order[found++] = dim;
  }
  return !is_ordered;
}

static MlirValue transpose(const struct writer *writer, MlirValue value,
                           const int64_t *order) {
  MlirType type = mlirValueGetType(value);
  int64_t shape[MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t i = 0; i < rank; i++)
    shape[i] = mlirShapedTypeGetDimSize(type, order[i]);
  MlirType result =
      mlirVectorTypeGet(rank, shape, mlirShapedTypeGetElementType(type));
  MlirOperationState state = mlirOperationStateGet(
      jr_ref("vector.transpose"), mlirOperationGetLocation(writer->at));
  MlirNamedAttribute permutation =
      jr_named(writer->context, "permutation",
               mlirDenseI64ArrayGet(writer->context, rank, order));
  mlirOperationStateAddAttributes(&state, 1, &permutation);
  mlirOperationStateAddOperands(&state, 1, &value);
  mlirOperationStateAddResults(&state, 1, &result);
  return mlirOperationGetResult(insert(writer, &state), 0);
}

static MlirValue reshape(const struct writer *writer, MlirValue value,
                         const struct ordered *ordered) {
  MlirType type = mlirValueGetType(value);
  MlirType result = mlirVectorTypeGet(ordered->count, ordered->shape,
                                      mlirShapedTypeGetElementType(type));
  return mlirTypeEqual(type, result)
             ? value
             : cast(writer, "vector.shape_cast", value, result);
}

/// convert-vector-to-scf (LLVM 22) gives the mask of a write whose map leaves
/// out a dimension a wrong shape: it is written in the order of memory instead.
/// Remove when mlir-opt takes a mask with `affine_map<(d0, d1, d2) -> (d0,
/// d2)>`.
static jitrun_error_t *order_write(struct jr_unit *unit,
                                   const struct access *access,
                                   MlirOperation op) {
  const struct writer writer = {unit->context, op};
  intptr_t rank = mlirShapedTypeGetRank(memory_type(access, op));
  if (!is_op(op, "vector.transfer_write") || rank > MAX_RANK ||
      mlirOperationGetNumOperands(op) != rank + 3)
    return NULL;
  MlirAffineMap map = mlirAffineMapAttrGetValue(
      mlirOperationGetInherentAttributeByName(op, jr_ref("permutation_map")));
  struct ordered ordered = {.count = 0};
  if (!find_order(&writer, map, op, &ordered))
    return NULL;
  MlirValue value =
      transpose(&writer, mlirOperationGetOperand(op, 0), ordered.order);
  mlirOperationSetOperand(op, 0, reshape(&writer, value, &ordered));
  mlirOperationSetOperand(
      op, rank + 2,
      reshape(&writer, mlirOperationGetOperand(op, rank + 2), &ordered));
  mlirOperationSetInherentAttributeByName(
      op, jr_ref("permutation_map"), last_dims(&writer, rank, ordered.count));
  mlirOperationSetInherentAttributeByName(
      op, jr_ref("in_bounds"),
      mlirArrayAttrGet(unit->context, ordered.count, ordered.in_bounds));
  return NULL;
}

jitrun_error_t *jr_vectors(struct jr_unit *unit) {
  JITRUN_TRY(visit(unit, spread_access));
  JITRUN_TRY(visit(unit, order_write));
  return visit(unit, widen_access);
}
