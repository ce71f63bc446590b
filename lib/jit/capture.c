/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See capture.h.
#include "jit/capture.h"

#include "base/alloc.h"
#include "jit/slices.h"

#include <stdlib.h>

bool jr_values_push(struct jr_values *values, MlirValue value) {
  MlirValue *items =
      jr_grow(values->items, &values->capacity, values->count, sizeof *items);
  if (!items)
    return false;
  values->items = items;
  values->items[values->count++] = value;
  return true;
}

void jr_capture_deinit(struct jr_capture *capture) {
  free(capture->outer.items);
  free(capture->inner.items);
}

bool jr_capture_holds(const struct jr_capture *capture, MlirOperation op) {
  while (!mlirOperationIsNull(op)) {
    if (mlirOperationEqual(op, capture->function))
      return true;
    op = mlirOperationGetParentOperation(op);
  }
  return false;
}

bool jr_is_placed(MlirOperation op) {
  return !mlirAttributeIsNull(
      mlirOperationGetDiscardableAttributeByName(op, jr_ref(JR_ATTR_ALLOC)));
}

bool jr_is_copied(const struct jr_unit *unit, MlirOperation op) {
  return jr_is(op, unit->names.arith_constant) ||
         jr_is(op, unit->names.index_constant) || jr_is_placed(op);
}

/// The operation that has or takes a value.
static MlirOperation value_owner(MlirValue value) {
  return mlirValueIsAOpResult(value)
             ? mlirOpResultGetOwner(value)
             : mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
}

static void note_value(struct jr_capture *capture, MlirValue outer,
                       MlirValue inner) {
  if (!jr_values_push(&capture->outer, outer) ||
      !jr_values_push(&capture->inner, inner))
    capture->failed = true;
}

MlirValue jr_capture_argument(struct jr_capture *capture, MlirValue value) {
  MlirValue argument = mlirBlockAddArgument(
      capture->body, mlirValueGetType(value), mlirValueGetLocation(value));
  note_value(capture, value, argument);
  return argument;
}

/// What stands in the function for a value from outside.
static MlirValue import_value(struct jr_capture *capture, MlirValue value) {
  for (size_t i = capture->outer.count; i-- > 0;) {
    if (mlirValueEqual(capture->outer.items[i], value))
      return capture->inner.items[i];
  }
  if (!mlirValueIsAOpResult(value) ||
      !jr_is_copied(capture->unit, mlirOpResultGetOwner(value)))
    return jr_capture_argument(capture, value);
  MlirOperation copy = mlirOperationClone(mlirOpResultGetOwner(value));
  mlirBlockInsertOwnedOperation(capture->body, 0, copy);
  MlirValue inner = mlirOperationGetResult(copy, 0);
  note_value(capture, value, inner);
  return inner;
}

static MlirWalkResult import_operands(MlirOperation op, void *context) {
  struct jr_capture *capture = context;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (!jr_capture_holds(capture, value_owner(value)))
      mlirOperationSetOperand(op, i, import_value(capture, value));
  }
  return MlirWalkResultAdvance;
}

void jr_capture_operands(struct jr_capture *capture) {
  mlirOperationWalk(capture->function, import_operands, capture,
                    MlirWalkPreOrder);
}

void jr_capture_pass(const struct jr_capture *capture,
                     MlirOperationState *call) {
  for (size_t i = 0; i < capture->outer.count; i++) {
    if (mlirValueIsABlockArgument(capture->inner.items[i]))
      mlirOperationStateAddOperands(call, 1, &capture->outer.items[i]);
  }
}
