/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Accesses of vectors: whole ones by their first index and size, masked ones
/// lane by lane.
#include "jit/checks.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/// One access: operands and the vector's type.
struct access {
  MlirValue memref;
  intptr_t first;  ///< operand that is the first index
  intptr_t rank;   ///< of the memref
  MlirType vector; ///< of what is read or written
};

/// Reads it when it is one of fixed size in a memref.
static bool read_access(const struct jr_checker *checker, intptr_t memref,
                        MlirType vector, struct access *out) {
  out->memref = mlirOperationGetOperand(checker->op, memref);
  MlirType type = mlirValueGetType(out->memref);
  if (!mlirTypeIsAMemRef(type) || !mlirTypeIsAVector(vector) ||
      mlirVectorTypeIsScalable(vector))
    return false;
  out->first = memref + 1;
  out->rank = mlirShapedTypeGetRank(type);
  out->vector = vector;
  /* A memref of vectors has one of them where the others have an element. */
  return mlirShapedTypeGetRank(vector) <= out->rank &&
         out->rank <= JR_MAX_RANK &&
         !mlirTypeIsAVector(mlirShapedTypeGetElementType(type));
}

static MlirType result_type(const struct jr_checker *checker) {
  return mlirValueGetType(mlirOperationGetResult(checker->op, 0));
}

static MlirType operand_type(const struct jr_checker *checker, intptr_t i) {
  return mlirValueGetType(mlirOperationGetOperand(checker->op, i));
}

/// The vector lies along the last dimensions.
static void check_whole(struct jr_checker *checker,
                        const struct access *access) {
  intptr_t skipped = access->rank - mlirShapedTypeGetRank(access->vector);
  for (intptr_t i = 0; i < access->rank; i++) {
    int64_t count =
        i < skipped ? 1 : mlirShapedTypeGetDimSize(access->vector, i - skipped);
    jr_check_index(checker, access->memref, i,
                   mlirOperationGetOperand(checker->op, access->first + i),
                   count);
  }
}

static void check_load(struct jr_checker *checker) {
  struct access access;
  if (read_access(checker, 0, result_type(checker), &access))
    check_whole(checker, &access);
}

static void check_store(struct jr_checker *checker) {
  struct access access;
  if (read_access(checker, 1, operand_type(checker, 0), &access))
    check_whole(checker, &access);
}

/// vector.broadcast of a scalar.
static MlirValue spread(struct jr_checker *checker, MlirValue scalar,
                        MlirType like) {
  int64_t count = mlirShapedTypeGetDimSize(like, 0);
  return jr_build_unary(&checker->builder, "vector.broadcast", scalar,
                        mlirVectorTypeGet(1, &count, mlirValueGetType(scalar)));
}

/// Each lane that `mask` has set is at a place of the last dimension.
static void check_lanes(struct jr_checker *checker, const struct access *access,
                        MlirValue places, MlirValue mask) {
  struct jr_builder *b = &checker->builder;
  struct jr_amount size =
      jr_amount_dim(checker, access->memref, access->rank - 1);
  MlirType type = mlirValueGetType(mask);
  MlirValue sizes = spread(checker, jr_amount_build(checker, size), type);
  MlirNamedAttribute predicate =
      jr_named(b->context, "predicate",
               mlirIntegerAttrGet(b->i64, (int64_t)JR_UNSIGNED_LESS));
  MlirOperation inside =
      jr_build(b, "arith.cmpi",
               &(struct jr_op_parts){.operands = (MlirValue[]){places, sizes},
                                     .operand_count = 2,
                                     .results = &type,
                                     .result_count = 1,
                                     .attributes = &predicate,
                                     .attribute_count = 1});
  MlirValue is_off = jr_build_binary(b, "arith.xori", mask,
                                     jr_check_constant(checker, type, 1));
  MlirValue lanes = jr_build_binary(b, "arith.ori", is_off,
                                    mlirOperationGetResult(inside, 0));
  jr_check_begin(checker, "a lane is out of bounds: dimension %lld of ",
                 (long long)access->rank - 1);
  jr_check_say_type(checker, mlirValueGetType(access->memref));
  jr_check_say(checker, " has size ");
  jr_check_say_amount(checker, size);
  jr_check_require_value(checker, jr_check_all(checker, lanes));
}

/// Adds the last index to a vector of places.
static MlirValue shift_places(struct jr_checker *checker,
                              const struct access *access, MlirValue places) {
  MlirValue last =
      mlirOperationGetOperand(checker->op, access->first + access->rank - 1);
  return jr_build_binary(&checker->builder, "arith.addi", places,
                         spread(checker, last, mlirValueGetType(places)));
}

/// The indices of all dimensions but the last.
static void check_outer(struct jr_checker *checker,
                        const struct access *access) {
  for (intptr_t i = 0; i + 1 < access->rank; i++)
    jr_check_index(checker, access->memref, i,
                   mlirOperationGetOperand(checker->op, access->first + i), 1);
}

static void check_masked(struct jr_checker *checker, MlirType vector) {
  struct access access;
  if (!read_access(checker, 0, vector, &access) ||
      mlirShapedTypeGetRank(vector) != 1)
    return;
  int64_t count = mlirShapedTypeGetDimSize(vector, 0);
  MlirType type = mlirVectorTypeGet(1, &count, checker->builder.index);
  MlirOperation step =
      jr_build(&checker->builder, "vector.step",
               &(struct jr_op_parts){.results = &type, .result_count = 1});
  check_outer(checker, &access);
  check_lanes(checker, &access,
              shift_places(checker, &access, mlirOperationGetResult(step, 0)),
              mlirOperationGetOperand(checker->op, access.first + access.rank));
}

static void check_maskedload(struct jr_checker *checker) {
  check_masked(checker, result_type(checker));
}

static void check_maskedstore(struct jr_checker *checker) {
  intptr_t last = mlirOperationGetNumOperands(checker->op) - 1;
  check_masked(checker, operand_type(checker, last));
}

/// Places are given one by one, along the last dimension.
static void check_gathered(struct jr_checker *checker, MlirType vector) {
  struct access access;
  if (!read_access(checker, 0, vector, &access) ||
      mlirShapedTypeGetRank(vector) != 1)
    return;
  intptr_t at = access.first + access.rank;
  MlirValue places = mlirOperationGetOperand(checker->op, at);
  int64_t count = mlirShapedTypeGetDimSize(vector, 0);
  MlirType type = mlirVectorTypeGet(1, &count, checker->builder.index);
  if (!mlirTypeEqual(mlirValueGetType(places), type))
    places =
        jr_build_unary(&checker->builder, "arith.index_cast", places, type);
  check_outer(checker, &access);
  check_lanes(checker, &access, shift_places(checker, &access, places),
              mlirOperationGetOperand(checker->op, at + 1));
}

static void check_gather(struct jr_checker *checker) {
  check_gathered(checker, result_type(checker));
}

static void check_scatter(struct jr_checker *checker) {
  intptr_t last = mlirOperationGetNumOperands(checker->op) - 1;
  check_gathered(checker, operand_type(checker, last));
}

/// As many elements as the mask has lanes set, one behind the other.
static void check_packed(struct jr_checker *checker, MlirType vector) {
  struct jr_builder *b = &checker->builder;
  struct access access;
  if (!read_access(checker, 0, vector, &access) ||
      mlirShapedTypeGetRank(vector) != 1)
    return;
  intptr_t at = access.first + access.rank;
  int64_t count = mlirShapedTypeGetDimSize(vector, 0);
  MlirValue set =
      jr_build_unary(b, "arith.extui", mlirOperationGetOperand(checker->op, at),
                     mlirVectorTypeGet(1, &count, b->i64));
  MlirNamedAttribute kind =
      jr_named(b->context, "kind",
               mlirAttributeParseGet(b->context, jr_ref("#vector.kind<add>")));
  MlirOperation sum = jr_build(b, "vector.reduction",
                               &(struct jr_op_parts){.operands = &set,
                                                     .operand_count = 1,
                                                     .results = &b->i64,
                                                     .result_count = 1,
                                                     .attributes = &kind,
                                                     .attribute_count = 1});
  struct jr_amount lanes = {
      .value = jr_build_unary(b, "arith.index_cast",
                              mlirOperationGetResult(sum, 0), b->index)};
  struct jr_amount first =
      jr_amount_read(mlirOperationGetOperand(checker->op, at - 1));
  struct jr_amount size =
      jr_amount_dim(checker, access.memref, access.rank - 1);
  check_outer(checker, &access);
  jr_check_begin(checker, "%s", "");
  jr_check_say_amount(checker, lanes);
  jr_check_say(checker, " elements from index ");
  jr_check_say_amount(checker, first);
  jr_check_say(checker, " on are out of bounds: dimension %lld of ",
               (long long)access.rank - 1);
  jr_check_say_type(checker, mlirValueGetType(access.memref));
  jr_check_say(checker, " has size ");
  jr_check_say_amount(checker, size);
  jr_check_require(checker, first, JR_UNSIGNED_LESS_OR_EQUAL, size);
  jr_check_require(checker, jr_amount_add(checker, first, lanes),
                   JR_UNSIGNED_LESS_OR_EQUAL, size);
}

static void check_expandload(struct jr_checker *checker) {
  check_packed(checker, result_type(checker));
}

static void check_compressstore(struct jr_checker *checker) {
  intptr_t last = mlirOperationGetNumOperands(checker->op) - 1;
  check_packed(checker, operand_type(checker, last));
}

/// The dimension of the vector that lies along dimension `number` of the
/// memref; -1: none.
static intptr_t find_along(MlirAffineMap map, intptr_t number) {
  for (intptr_t i = 0; i < mlirAffineMapGetNumResults(map); i++) {
    MlirAffineExpr expr = mlirAffineMapGetResult(map, i);
    if (mlirAffineExprIsADim(expr) &&
        mlirAffineDimExprGetPosition(expr) == number)
      return i;
  }
  return -1;
}

/// Dimensions that are said to be in bounds have to be; in others, elements
/// that are not there are left out, but the first index counts from 0.
static void check_transfer(struct jr_checker *checker, intptr_t memref,
                           MlirType vector) {
  struct access access;
  if (!read_access(checker, memref, vector, &access))
    return;
  MlirAffineMap map =
      mlirAffineMapAttrGetValue(mlirOperationGetInherentAttributeByName(
          checker->op, jr_ref("permutation_map")));
  MlirAttribute in_bounds =
      mlirOperationGetInherentAttributeByName(checker->op, jr_ref("in_bounds"));
  for (intptr_t i = 0; i < access.rank; i++) {
    MlirValue index = mlirOperationGetOperand(checker->op, access.first + i);
    intptr_t along = find_along(map, i);
    if (along < 0) {
      jr_check_index(checker, access.memref, i, index, 1);
    } else if (mlirBoolAttrGetValue(
                   mlirArrayAttrGetElement(in_bounds, along))) {
      jr_check_index(checker, access.memref, i, index,
                     mlirShapedTypeGetDimSize(vector, along));
    } else {
      struct jr_amount first = jr_amount_read(index);
      jr_check_begin(checker, "index ");
      jr_check_say_amount(checker, first);
      jr_check_say(checker, " of dimension %lld is negative", (long long)i);
      jr_check_require(checker, jr_amount_of(0), JR_LESS_OR_EQUAL, first);
    }
  }
}

/// True for a transfer with a mask: its lanes are nobody's business here.
static bool is_masked(const struct jr_checker *checker) {
  MlirAttribute segments = mlirOperationGetInherentAttributeByName(
      checker->op, jr_ref("operandSegmentSizes"));
  intptr_t count = mlirDenseArrayGetNumElements(segments);
  return mlirDenseI32ArrayGetElement(segments, count - 1) > 0;
}

static void check_read(struct jr_checker *checker) {
  if (!is_masked(checker))
    check_transfer(checker, 0, result_type(checker));
}

static void check_write(struct jr_checker *checker) {
  if (!is_masked(checker))
    check_transfer(checker, 1, operand_type(checker, 0));
}

/// Positions of vector.extract and vector.insert that are values.
static void check_position(struct jr_checker *checker, intptr_t vector,
                           intptr_t operand) {
  MlirType type = operand_type(checker, vector);
  MlirAttribute position = mlirOperationGetInherentAttributeByName(
      checker->op, jr_ref("static_position"));
  if (mlirVectorTypeIsScalable(type))
    return;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(position); i++) {
    if (mlirDenseI64ArrayGetElement(position, i) !=
        mlirShapedTypeGetDynamicSize())
      continue;
    struct jr_amount at =
        jr_amount_read(mlirOperationGetOperand(checker->op, operand++));
    struct jr_amount size = jr_amount_of(mlirShapedTypeGetDimSize(type, i));
    jr_check_begin(checker, "index ");
    jr_check_say_amount(checker, at);
    jr_check_say(checker, " is out of bounds: dimension %lld of ",
                 (long long)i);
    jr_check_say_type(checker, type);
    jr_check_say(checker, " has size %lld", (long long)size.number);
    jr_check_require(checker, at, JR_UNSIGNED_LESS, size);
  }
}

static void check_extract(struct jr_checker *checker) {
  check_position(checker, 0, 1);
}

static void check_insert(struct jr_checker *checker) {
  check_position(checker, 1, 2);
}

static const struct jr_check_row rows[] = {
    {"vector.load", check_load},
    {"vector.store", check_store},
    {"vector.maskedload", check_maskedload},
    {"vector.maskedstore", check_maskedstore},
    {"vector.gather", check_gather},
    {"vector.scatter", check_scatter},
    {"vector.expandload", check_expandload},
    {"vector.compressstore", check_compressstore},
    {"vector.transfer_read", check_read},
    {"vector.transfer_write", check_write},
    {"vector.extract", check_extract},
    {"vector.insert", check_insert},
};

void jr_check_vector(struct jr_checker *checker) {
  jr_check_by_name(checker, rows, sizeof rows / sizeof rows[0]);
}
