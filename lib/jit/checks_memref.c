/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Accesses, views and casts of memrefs, and what the program promises of them.
#include "jit/checks.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

void jr_check_index(struct jr_checker *checker, MlirValue memref,
                    intptr_t number, MlirValue at, int64_t count) {
  struct jr_amount first = jr_amount_read(at);
  struct jr_amount size = jr_amount_dim(checker, memref, number);
  if (count == 1)
    jr_check_begin(checker, "index ");
  else
    jr_check_begin(checker, "%lld elements from index ", (long long)count);
  jr_check_say_amount(checker, first);
  jr_check_say(checker, "%s out of bounds: dimension %lld of ",
               count == 1 ? " is" : " on are", (long long)number);
  jr_check_say_type(checker, mlirValueGetType(memref));
  jr_check_say(checker, " has size ");
  jr_check_say_amount(checker, size);
  if (count == 1) {
    jr_check_require(checker, first, JR_UNSIGNED_LESS, size);
    return;
  }
  /* Two conditions, since the sum may wrap around: first <= size, unsigned,
     then count <= size - first. */
  struct jr_amount minus = jr_amount_multiply(checker, first, jr_amount_of(-1));
  jr_check_require(checker, first, JR_UNSIGNED_LESS_OR_EQUAL, size);
  jr_check_require(checker, jr_amount_of(count), JR_LESS_OR_EQUAL,
                   jr_amount_add(checker, size, minus));
}

/// Indices of one element each, from operand `first` on.
static void check_access(struct jr_checker *checker, intptr_t memref_operand) {
  MlirValue memref = mlirOperationGetOperand(checker->op, memref_operand);
  intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(memref));
  for (intptr_t i = 0; i < rank; i++)
    jr_check_index(checker, memref, i,
                   mlirOperationGetOperand(checker->op, memref_operand + 1 + i),
                   1);
}

static void check_first(struct jr_checker *checker) {
  check_access(checker, 0);
}

static void check_second(struct jr_checker *checker) {
  check_access(checker, 1);
}

/// The offsets, sizes and strides of a subview, in turn.
struct window {
  intptr_t next; ///< operand
  intptr_t rank;
  struct jr_amount offsets[JR_MAX_RANK], sizes[JR_MAX_RANK],
      strides[JR_MAX_RANK];
};

static void read_mixed(const struct jr_checker *checker, struct window *window,
                       const char *name, struct jr_amount *out) {
  MlirAttribute numbers =
      mlirOperationGetInherentAttributeByName(checker->op, jr_ref(name));
  for (intptr_t i = 0; i < window->rank; i++) {
    int64_t number = mlirDenseI64ArrayGetElement(numbers, i);
    out[i] = number == mlirShapedTypeGetDynamicSize()
                 ? jr_amount_read(
                       mlirOperationGetOperand(checker->op, window->next++))
                 : jr_amount_of(number);
  }
}

/// "offset 3, size 4, step 1".
static void say_window(struct jr_checker *checker, const struct window *window,
                       intptr_t i) {
  jr_check_say(checker, "offset ");
  jr_check_say_amount(checker, window->offsets[i]);
  jr_check_say(checker, ", size ");
  jr_check_say_amount(checker, window->sizes[i]);
  jr_check_say(checker, " and step ");
  jr_check_say_amount(checker, window->strides[i]);
}

/// One dimension: 0 <= offset <= size of the source, and, where there are
/// elements, the first and last of them in it.
static void check_window(struct jr_checker *checker,
                         const struct window *window, intptr_t i) {
  MlirValue source = mlirOperationGetOperand(checker->op, 0);
  struct jr_amount size = jr_amount_dim(checker, source, i);
  struct jr_amount none = jr_amount_of(0);
  jr_check_begin(checker, "%s", "");
  say_window(checker, window, i);
  jr_check_say(checker, " leave dimension %lld of ", (long long)i);
  jr_check_say_type(checker, mlirValueGetType(source));
  jr_check_say(checker, ", which has size ");
  jr_check_say_amount(checker, size);
  jr_check_require(checker, none, JR_LESS_OR_EQUAL, window->sizes[i]);
  jr_check_require(checker, window->offsets[i], JR_UNSIGNED_LESS_OR_EQUAL,
                   size);
  /* (size - 1) * step + offset < source, or no elements: sizes of zero are let
     through by multiplying both sides with whether there are any. */
  struct jr_amount last = jr_amount_add(
      checker, window->offsets[i],
      jr_amount_multiply(
          checker, jr_amount_add(checker, window->sizes[i], jr_amount_of(-1)),
          window->strides[i]));
  if (window->sizes[i].is_known) {
    if (window->sizes[i].number > 0)
      jr_check_require(checker, last, JR_UNSIGNED_LESS, size);
    return;
  }
  MlirValue is_empty =
      jr_check_compare(checker, JR_EQUAL, window->sizes[i].value,
                       jr_amount_build(checker, none));
  MlirValue is_inside = jr_check_compare(checker, JR_UNSIGNED_LESS,
                                         jr_amount_build(checker, last),
                                         jr_amount_build(checker, size));
  jr_check_require_value(
      checker,
      jr_build_binary(&checker->builder, "arith.ori", is_empty, is_inside));
}

static void check_subview(struct jr_checker *checker) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(checker->op, 0));
  struct window window = {.next = 1, .rank = mlirShapedTypeGetRank(type)};
  if (window.rank > JR_MAX_RANK)
    return;
  read_mixed(checker, &window, "static_offsets", window.offsets);
  read_mixed(checker, &window, "static_sizes", window.sizes);
  read_mixed(checker, &window, "static_strides", window.strides);
  for (intptr_t i = 0; i < window.rank; i++)
    check_window(checker, &window, i);
}

/// Offset, sizes and strides as the execution has them.
struct metadata {
  struct jr_amount offset, strides[JR_MAX_RANK];
};

static void read_metadata(struct jr_checker *checker, MlirValue memref,
                          struct metadata *out) {
  struct jr_builder *b = &checker->builder;
  MlirType type = mlirValueGetType(memref);
  intptr_t rank = mlirShapedTypeGetRank(type);
  MlirType types[2 + 2 * JR_MAX_RANK] = {mlirMemRefTypeGet(
      mlirShapedTypeGetElementType(type), 0, NULL, mlirAttributeGetNull(),
      mlirMemRefTypeGetMemorySpace(type))};
  for (intptr_t i = 0; i < 2 * rank + 1; i++)
    types[1 + i] = b->index;
  MlirOperation op =
      jr_build(b, "memref.extract_strided_metadata",
               &(struct jr_op_parts){.operands = &memref,
                                     .operand_count = 1,
                                     .results = types,
                                     .result_count = 2 + 2 * (size_t)rank});
  out->offset = (struct jr_amount){.value = mlirOperationGetResult(op, 1)};
  for (intptr_t i = 0; i < rank; i++)
    out->strides[i] =
        (struct jr_amount){.value = mlirOperationGetResult(op, 2 + rank + i)};
}

/// Begins "cast of TYPE to TYPE: WHAT ".
static void begin_cast(struct jr_checker *checker, const char *what) {
  jr_check_begin(checker, "%s", "");
  jr_check_say_type(checker,
                    mlirValueGetType(mlirOperationGetOperand(checker->op, 0)));
  jr_check_say(checker, " is no ");
  jr_check_say_type(checker,
                    mlirValueGetType(mlirOperationGetResult(checker->op, 0)));
  jr_check_say(checker, ": %s", what);
}

static void check_cast_sizes(struct jr_checker *checker, MlirValue source,
                             MlirType to) {
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(to); i++) {
    if (mlirShapedTypeIsDynamicDim(to, i))
      continue;
    struct jr_amount size = jr_amount_dim(checker, source, i);
    begin_cast(checker, "dimension ");
    jr_check_say(checker, "%lld has size ", (long long)i);
    jr_check_say_amount(checker, size);
    jr_check_require(checker, size, JR_EQUAL,
                     jr_amount_of(mlirShapedTypeGetDimSize(to, i)));
  }
}

/// Offset and strides, where the source's type leaves them open.
static void check_cast_layout(struct jr_checker *checker, MlirValue source,
                              MlirType to) {
  int64_t from_strides[JR_MAX_RANK];
  int64_t to_strides[JR_MAX_RANK];
  int64_t from_offset;
  int64_t to_offset;
  struct metadata metadata;
  intptr_t rank = mlirShapedTypeGetRank(to);
  if (mlirLogicalResultIsFailure(mlirMemRefTypeGetStridesAndOffset(
          mlirValueGetType(source), from_strides, &from_offset)) ||
      mlirLogicalResultIsFailure(
          mlirMemRefTypeGetStridesAndOffset(to, to_strides, &to_offset)))
    return;
  const int64_t open = mlirShapedTypeGetDynamicStrideOrOffset();
  bool is_needed = from_offset == open && to_offset != open;
  for (intptr_t i = 0; i < rank; i++)
    is_needed = is_needed || (from_strides[i] == open && to_strides[i] != open);
  if (!is_needed)
    return;
  read_metadata(checker, source, &metadata);
  if (from_offset == open && to_offset != open) {
    begin_cast(checker, "its offset is ");
    jr_check_say_amount(checker, metadata.offset);
    jr_check_require(checker, metadata.offset, JR_EQUAL,
                     jr_amount_of(to_offset));
  }
  for (intptr_t i = 0; i < rank; i++) {
    if (from_strides[i] != open || to_strides[i] == open)
      continue;
    begin_cast(checker, "dimension ");
    jr_check_say(checker, "%lld has stride ", (long long)i);
    jr_check_say_amount(checker, metadata.strides[i]);
    jr_check_require(checker, metadata.strides[i], JR_EQUAL,
                     jr_amount_of(to_strides[i]));
  }
}

static void check_cast(struct jr_checker *checker) {
  MlirValue source = mlirOperationGetOperand(checker->op, 0);
  MlirType to = mlirValueGetType(mlirOperationGetResult(checker->op, 0));
  if (!mlirTypeIsAMemRef(mlirValueGetType(source)) || !mlirTypeIsAMemRef(to) ||
      mlirShapedTypeGetRank(to) > JR_MAX_RANK)
    return;
  check_cast_sizes(checker, source, to);
  check_cast_layout(checker, source, to);
}

static void check_copy(struct jr_checker *checker) {
  MlirValue from = mlirOperationGetOperand(checker->op, 0);
  MlirValue to = mlirOperationGetOperand(checker->op, 1);
  if (!mlirTypeIsAMemRef(mlirValueGetType(from)) ||
      !mlirTypeIsAMemRef(mlirValueGetType(to)))
    return;
  intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(from));
  for (intptr_t i = 0; i < rank; i++) {
    struct jr_amount a = jr_amount_dim(checker, from, i);
    struct jr_amount b = jr_amount_dim(checker, to, i);
    jr_check_begin(checker, "dimension %lld has size ", (long long)i);
    jr_check_say_amount(checker, a);
    jr_check_say(checker, " in the source, ");
    jr_check_say_amount(checker, b);
    jr_check_say(checker, " in the target");
    jr_check_require(checker, a, JR_EQUAL, b);
  }
}

static void check_dim(struct jr_checker *checker) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(checker->op, 0));
  struct jr_amount number =
      jr_amount_read(mlirOperationGetOperand(checker->op, 1));
  if (!mlirTypeIsAMemRef(type))
    return;
  jr_check_begin(checker, "there is no dimension ");
  jr_check_say_amount(checker, number);
  jr_check_say(checker, " in ");
  jr_check_say_type(checker, type);
  jr_check_require(checker, number, JR_UNSIGNED_LESS,
                   jr_amount_of(mlirShapedTypeGetRank(type)));
}

/// Bytes of an element; 0 where that is not simple.
static int64_t element_bytes(MlirType memref) {
  MlirType type = mlirShapedTypeGetElementType(memref);
  if (mlirTypeIsAIndex(type))
    return 8;
  unsigned bits = 0;
  if (mlirTypeIsAInteger(type))
    bits = mlirIntegerTypeGetWidth(type);
  else if (mlirTypeIsAFloat(type))
    bits = mlirFloatTypeGetWidth(type);
  return bits % 8 == 0 ? bits / 8 : 0;
}

static void check_alignment(struct jr_checker *checker) {
  struct jr_builder *b = &checker->builder;
  MlirValue memref = mlirOperationGetOperand(checker->op, 0);
  MlirType type = mlirValueGetType(memref);
  int64_t bytes = element_bytes(type);
  int64_t alignment =
      mlirIntegerAttrGetValueInt(mlirOperationGetInherentAttributeByName(
          checker->op, jr_ref("alignment")));
  struct metadata metadata;
  if (bytes == 0 || mlirShapedTypeGetRank(type) > JR_MAX_RANK)
    return;
  read_metadata(checker, memref, &metadata);
  struct jr_amount start = {
      .value = jr_build_unary(b, "memref.extract_aligned_pointer_as_index",
                              memref, b->index)};
  struct jr_amount address = jr_amount_add(
      checker, start,
      jr_amount_multiply(checker, metadata.offset, jr_amount_of(bytes)));
  struct jr_amount rest = {
      .value =
          jr_build_binary(b, "arith.remui", address.value,
                          jr_check_constant(checker, b->index, alignment))};
  jr_check_begin(checker, "the memory is not aligned to %lld bytes: ",
                 (long long)alignment);
  jr_check_say_amount(checker, rest);
  jr_check_say(checker, " over");
  jr_check_require(checker, rest, JR_EQUAL, jr_amount_of(0));
}

/// memref.view takes bytes from a shift on.
static void check_view(struct jr_checker *checker) {
  MlirValue source = mlirOperationGetOperand(checker->op, 0);
  MlirType type = mlirValueGetType(mlirOperationGetResult(checker->op, 0));
  struct jr_amount shift =
      jr_amount_read(mlirOperationGetOperand(checker->op, 1));
  struct jr_amount bytes = jr_amount_of(element_bytes(type));
  struct jr_amount size = jr_amount_dim(checker, source, 0);
  intptr_t operand = 2;
  if (bytes.number == 0)
    return;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); i++) {
    bool is_open = mlirShapedTypeIsDynamicDim(type, i);
    struct jr_amount dim =
        is_open
            ? jr_amount_read(mlirOperationGetOperand(checker->op, operand++))
            : jr_amount_of(mlirShapedTypeGetDimSize(type, i));
    jr_check_begin(checker, "a size is negative: ");
    jr_check_say_amount(checker, dim);
    jr_check_require(checker, jr_amount_of(0), JR_LESS_OR_EQUAL, dim);
    bytes = jr_amount_multiply(checker, bytes, dim);
  }
  jr_check_begin(checker, "%s", "");
  jr_check_say_amount(checker, bytes);
  jr_check_say(checker, " bytes from byte ");
  jr_check_say_amount(checker, shift);
  jr_check_say(checker, " on are more than the ");
  jr_check_say_amount(checker, size);
  jr_check_say(checker, " that there are");
  jr_check_require(checker, shift, JR_UNSIGNED_LESS_OR_EQUAL, size);
  jr_check_require(checker, jr_amount_add(checker, shift, bytes),
                   JR_UNSIGNED_LESS_OR_EQUAL, size);
}

/// Sizes of stack memory; those of other memory are checked anyway.
static void check_alloca(struct jr_checker *checker) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(checker->op, 0));
  intptr_t operand = 0;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); i++) {
    if (!mlirShapedTypeIsDynamicDim(type, i))
      continue;
    struct jr_amount size =
        jr_amount_read(mlirOperationGetOperand(checker->op, operand++));
    jr_check_begin(checker,
                   "the size of dimension %lld is negative: ", (long long)i);
    jr_check_say_amount(checker, size);
    jr_check_require(checker, jr_amount_of(0), JR_LESS_OR_EQUAL, size);
  }
}

/// One dimension of the source is as many elements as the group of result
/// dimensions that it becomes.
static void check_group(struct jr_checker *checker, intptr_t number,
                        const struct jr_amount *sizes, MlirAttribute group) {
  struct jr_amount product = jr_amount_of(1);
  struct jr_amount size =
      jr_amount_dim(checker, mlirOperationGetOperand(checker->op, 0), number);
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(group); i++)
    product = jr_amount_multiply(
        checker, product,
        sizes[mlirIntegerAttrGetValueInt(mlirArrayAttrGetElement(group, i))]);
  jr_check_begin(checker, "dimension %lld has size ", (long long)number);
  jr_check_say_amount(checker, size);
  jr_check_say(checker, ", which is not the ");
  jr_check_say_amount(checker, product);
  jr_check_say(checker, " of those that it is expanded to");
  jr_check_require(checker, size, JR_EQUAL, product);
}

static void check_expand(struct jr_checker *checker) {
  struct window shape = {.next = 1};
  MlirAttribute groups = mlirOperationGetInherentAttributeByName(
      checker->op, jr_ref("reassociation"));
  shape.rank = mlirShapedTypeGetRank(
      mlirValueGetType(mlirOperationGetResult(checker->op, 0)));
  if (shape.rank > JR_MAX_RANK)
    return;
  read_mixed(checker, &shape, "static_output_shape", shape.sizes);
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(groups); i++)
    check_group(checker, i, shape.sizes, mlirArrayAttrGetElement(groups, i));
}

static const struct jr_check_row rows[] = {
    {"memref.load", check_first},
    {"memref.store", check_second},
    {"memref.atomic_rmw", check_second},
    {"memref.generic_atomic_rmw", check_first},
    {"memref.subview", check_subview},
    {"memref.cast", check_cast},
    {"memref.copy", check_copy},
    {"memref.dim", check_dim},
    {"memref.view", check_view},
    {"memref.alloca", check_alloca},
    {"memref.expand_shape", check_expand},
    {"memref.assume_alignment", check_alignment},
};

void jr_check_memref(struct jr_checker *checker) {
  jr_check_by_name(checker, rows, sizeof rows / sizeof rows[0]);
}
