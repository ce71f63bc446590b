/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Where memref values are at run time. Views and casts are followed to what
/// they are of, and its address is moved: MLIR's conversions of such operations
/// make whole descriptors, and take longer than all else that a call does.
#include "jit/native.h"

#include "base/dtype.h"
#include "jit/slices.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { MAX_DEPTH = 64 }; ///< of views whose sizes and strides are followed

/// A number: an i64 value, or a constant where that is null.
struct number {
  MlirValue value;
  int64_t constant;
};

static MlirValue to_value(struct jr_builder *b, struct number number) {
  return mlirValueIsNull(number.value) ? jr_build_s64(b, number.constant)
                                       : number.value;
}

static bool is_constant(struct number number, int64_t value) {
  return mlirValueIsNull(number.value) && number.constant == value;
}

/// Wraps around, as code does: a program may never get here.
static struct number multiply(struct jr_builder *b, struct number x,
                              struct number y) {
  struct number product = {
      .constant = (int64_t)((uint64_t)x.constant * (uint64_t)y.constant)};
  if (is_constant(x, 1))
    return y;
  if (is_constant(y, 1))
    return x;
  if (!mlirValueIsNull(x.value) || !mlirValueIsNull(y.value))
    product.value =
        jr_build_binary(b, "llvm.mul", to_value(b, x), to_value(b, y));
  return product;
}

static struct number read_number(struct jr_native *native, MlirValue index) {
  struct jr_builder *b = &native->builder;
  struct number number = {0};
  if (!jr_constant_s64(native->unit, index, &number.constant))
    number.value = jr_build_unary(b, "arith.index_cast", index, b->i64);
  return number;
}

/// The `index`-th of a list that attribute and operands share; `operand` is the
/// number of the first operand.
static struct number mixed_item(struct jr_native *native, MlirOperation op,
                                const char *name, intptr_t index,
                                intptr_t operand) {
  MlirAttribute items =
      mlirOperationGetInherentAttributeByName(op, jr_ref(name));
  for (intptr_t i = 0; i < index; i++)
    operand += mlirDenseI64ArrayGetElement(items, i) == JITRUN_DYNAMIC;
  int64_t item = mlirDenseI64ArrayGetElement(items, index);
  if (item != JITRUN_DYNAMIC)
    return (struct number){.constant = item};
  return read_number(native, mlirOperationGetOperand(op, operand));
}

/// How many operands a list has.
static intptr_t count_dynamic(MlirOperation op, const char *name) {
  MlirAttribute items =
      mlirOperationGetInherentAttributeByName(op, jr_ref(name));
  intptr_t count = 0;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(items); i++)
    count += mlirDenseI64ArrayGetElement(items, i) == JITRUN_DYNAMIC;
  return count;
}

static struct number subview_offset(struct jr_native *native, MlirOperation op,
                                    intptr_t dim) {
  return mixed_item(native, op, "static_offsets", dim, 1);
}

static struct number subview_size(struct jr_native *native, MlirOperation op,
                                  intptr_t dim) {
  return mixed_item(native, op, "static_sizes", dim,
                    1 + count_dynamic(op, "static_offsets"));
}

static struct number subview_stride(struct jr_native *native, MlirOperation op,
                                    intptr_t dim) {
  return mixed_item(native, op, "static_strides", dim,
                    1 + count_dynamic(op, "static_offsets") +
                        count_dynamic(op, "static_sizes"));
}

/// The operation that makes a value; null for an argument.
static MlirOperation maker_of(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value)
                                     : (MlirOperation){0};
}

/// The type of an operation's first operand; NULL when that is no memref that
/// we know.
static const struct jr_mlir_type *source_type(struct jr_native *native,
                                              MlirOperation op) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  return mlirTypeIsAMemRef(type) ? jr_type_find(native->unit, type) : NULL;
}

/// A field of the value's descriptor. Where that is not known, a cast stands
/// for it, which the conversions replace.
static MlirValue read_field(struct jr_native *native, MlirValue memref,
                            const struct jr_mlir_type *type,
                            const int64_t *position, size_t depth) {
  struct jr_builder *b = &native->builder;
  MlirOperation maker = maker_of(memref);
  MlirValue descriptor;
  if (!mlirOperationIsNull(maker) &&
      jr_is(maker, native->unit->names.unrealized_cast))
    descriptor = mlirOperationGetOperand(maker, 0);
  else
    descriptor = jr_build_unary(b, "builtin.unrealized_conversion_cast", memref,
                                jr_build_descriptor_type(b, type->rank));
  bool is_address = depth == 1 && position[0] < 2;
  return jr_build_field(b, descriptor, position, depth,
                        is_address ? b->ptr : b->i64);
}

// NOLINTBEGIN(misc-no-recursion): as deep as MAX_DEPTH.
static struct number follow_extent(struct jr_native *native, MlirValue memref,
                                   int index, int depth);

/// A size or stride of what one operation makes; false when that is not told by
/// its operands.
static bool step_extent(struct jr_native *native, MlirOperation op, int index,
                        int depth, struct number *out) {
  const struct jr_names *names = &native->unit->names;
  bool is_subview = jr_is(op, names->memref_subview);
  if (!is_subview && !jr_is(op, names->memref_cast) &&
      !jr_is(op, names->memref_assume_alignment))
    return false;
  const struct jr_mlir_type *to = jr_type_find(
      native->unit, mlirValueGetType(mlirOperationGetResult(op, 0)));
  const struct jr_mlir_type *from = source_type(native, op);
  if (!from || !to || from->rank != to->rank)
    return false;
  if (is_subview && index < to->rank) {
    *out = subview_size(native, op, index);
    return true;
  }
  *out = follow_extent(native, mlirOperationGetOperand(op, 0), index, depth);
  if (is_subview)
    *out = multiply(&native->builder, *out,
                    subview_stride(native, op, index - to->rank));
  return true;
}

/// A size or, from the rank on, a stride of a memref whose type we know.
static struct number follow_extent(struct jr_native *native, MlirValue memref,
                                   int index, int depth) {
  const struct jr_mlir_type *type =
      jr_type_find(native->unit, mlirValueGetType(memref));
  struct number found = {0};
  if (!type)
    return found; /* for lack of memory, which is noted */
  found.constant = type->extents[index];
  MlirOperation maker = maker_of(memref);
  if (found.constant != JITRUN_DYNAMIC ||
      (depth < MAX_DEPTH && !mlirOperationIsNull(maker) &&
       step_extent(native, maker, index, depth + 1, &found)))
    return found;
  bool is_size = index < type->rank;
  const int64_t position[] = {is_size ? 3 : 4,
                              is_size ? index : index - type->rank};
  found.value = read_field(native, memref, type, position, 2);
  return found;
}
// NOLINTEND(misc-no-recursion)

/// An address: a pointer, moved by some bytes that are known and some that are
/// not.
struct address {
  MlirValue base, moved;
  int64_t bytes;
};

static void move(struct jr_native *native, struct address *address,
                 struct number bytes) {
  struct jr_builder *b = &native->builder;
  if (mlirValueIsNull(bytes.value))
    address->bytes =
        (int64_t)((uint64_t)address->bytes + (uint64_t)bytes.constant);
  else if (mlirValueIsNull(address->moved))
    address->moved = bytes.value;
  else
    address->moved =
        jr_build_binary(b, "llvm.add", address->moved, bytes.value);
}

/// Moves the address by what a subview leaves out at its start.
static void move_subview(struct jr_native *native, MlirOperation op,
                         const struct jr_mlir_type *from,
                         struct address *address) {
  struct jr_builder *b = &native->builder;
  const struct number size = {.constant = (int64_t)jr_dtype_size(from->dtype)};
  for (int i = 0; i < from->rank; i++) {
    struct number offset = subview_offset(native, op, i);
    if (is_constant(offset, 0))
      continue;
    struct number stride = follow_extent(native, mlirOperationGetOperand(op, 0),
                                         from->rank + i, 0);
    move(native, address, multiply(b, offset, multiply(b, stride, size)));
  }
}

/// Moves the address by what one operation does; false for those that are no
/// views.
static bool step_address(struct jr_native *native, MlirOperation op,
                         struct address *address) {
  const struct jr_names *names = &native->unit->names;
  bool is_subview = jr_is(op, names->memref_subview);
  bool is_view = jr_is(op, names->memref_view);
  bool stays = jr_is(op, names->memref_cast) ||
               jr_is(op, names->memref_collapse_shape) ||
               jr_is(op, names->memref_expand_shape) ||
               jr_is(op, names->memref_transpose) ||
               jr_is(op, names->memref_assume_alignment);
  if (!is_subview && !is_view && !stays)
    return false;
  const struct jr_mlir_type *from = source_type(native, op);
  if (!from)
    return false;
  if (is_subview)
    move_subview(native, op, from, address);
  if (is_view)
    move(native, address, read_number(native, mlirOperationGetOperand(op, 1)));
  return true;
}

/// The address of element [0, ..., 0], a pointer.
static MlirValue find_address(struct jr_native *native, MlirValue memref) {
  struct jr_builder *b = &native->builder;
  struct address address = {0};
  MlirOperation maker = maker_of(memref);
  while (!mlirOperationIsNull(maker) && step_address(native, maker, &address)) {
    memref = mlirOperationGetOperand(maker, 0);
    maker = maker_of(memref);
  }
  const struct jr_mlir_type *type =
      jr_type_find(native->unit, mlirValueGetType(memref));
  if (!type)
    return native->null; /* for lack of memory, which is noted */
  struct number offset = {.constant = type->offset};
  const struct number size = {.constant = (int64_t)jr_dtype_size(type->dtype)};
  address.base = read_field(native, memref, type, (const int64_t[]){1}, 1);
  if (offset.constant == JITRUN_DYNAMIC)
    offset.value = read_field(native, memref, type, (const int64_t[]){2}, 1);
  move(native, &address, multiply(b, offset, size));
  MlirValue known = jr_build_offset(b, address.base, address.bytes);
  return mlirValueIsNull(address.moved)
             ? known
             : jr_build_moved(b, known, address.moved);
}

void jr_native_store_memref(struct jr_native *native, MlirValue memref,
                            const struct jr_memref_place *place) {
  struct jr_builder *b = &native->builder;
  const struct jr_mlir_type *type =
      jr_type_find(native->unit, mlirValueGetType(memref));
  int64_t packed = 0;
  if (!type)
    return; /* for lack of memory, which is noted */
  jr_build_store(b, find_address(native, memref), place->to, place->at);
  for (int i = 0; !type->is_static && i < 2 * type->rank; i++) {
    if (type->extents[i] != JITRUN_DYNAMIC)
      continue;
    struct number extent = follow_extent(native, memref, i, 0);
    int64_t word = place->is_packed ? packed++ : i;
    jr_build_store(b, to_value(b, extent), place->to,
                   place->extents_at + 8 * word);
  }
}

void jr_native_drop_operands(struct jr_native *native, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue value = mlirOperationGetOperand(op, i);
    mlirOperationSetOperand(op, i, native->null);
    while (mlirTypeIsAMemRef(mlirValueGetType(value))) {
      MlirOperation maker = maker_of(value);
      if (mlirOperationIsNull(maker) ||
          mlirOperationGetNumOperands(maker) == 0 ||
          !jr_op_is_neutral(native->unit, maker) ||
          !mlirOpOperandIsNull(mlirValueGetFirstUse(value)))
        break;
      value = mlirOperationGetOperand(maker, 0);
      mlirOperationDestroy(maker);
    }
  }
}
