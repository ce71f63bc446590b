/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Ordinals of exported functions: those that are given stay, the holes between
/// them are filled by functions without, and entries stand in that order.
#include "jit/rt.h"

#include "base/alloc.h"
#include "jit/plan.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

/// Mark on functions that an rt.export names.
#define ATTR_EXPORT "jitrun.export"

struct export {
  MlirOperation function;
  MlirOperation op; ///< that asks for it, for errors
  int64_t ordinal;  ///< -1: any
};

struct exports {
  const struct jr_unit *unit;
  struct export *items;
  size_t count;
};

/// Ordinals are 32-bit numbers; only a type of other width is no such.
static int64_t read_ordinal(MlirAttribute attribute) {
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAInteger(attribute))
    return -1;
  MlirType type = mlirAttributeGetType(attribute);
  bool is_unsigned =
      mlirTypeIsAInteger(type) && mlirIntegerTypeIsUnsigned(type);
  bool is_signed = mlirTypeIsAInteger(type) && mlirIntegerTypeIsSigned(type);
  if (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) > 64)
    return INT64_MAX;
  return is_unsigned ? (int64_t)mlirIntegerAttrGetValueUInt(attribute)
         : is_signed ? mlirIntegerAttrGetValueSInt(attribute)
                     : mlirIntegerAttrGetValueInt(attribute);
}

static jitrun_error_t *push_export(struct exports *exports,
                                   struct export export, MlirAttribute value) {
  export.ordinal = read_ordinal(value);
  if (export.ordinal < 0 && !mlirAttributeIsNull(value) &&
      mlirAttributeIsAInteger(value))
    return jr_rt_error(exports->unit, export.op,
                       "has the negative ordinal %lld",
                       (long long)export.ordinal);
  exports->items[exports->count++] = export;
  return NULL;
}

static jitrun_error_t *take_export(struct exports *exports, MlirOperation op) {
  const struct jr_unit *unit = exports->unit;
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(
      mlirOperationGetAttributeByName(op, jr_ref("function_ref")));
  MlirOperation function = mlirSymbolTableLookup(unit->symbols, name);
  if (mlirOperationIsNull(function) ||
      !jr_is(function, unit->names.func_func) || !jr_has_body(function))
    return jr_error_op(unit, op, JITRUN_NOT_FOUND,
                       "func op named '%.*s' not found for export",
                       (int)name.length, name.data);
  if (!mlirAttributeIsNull(mlirOperationGetDiscardableAttributeByName(
          function, jr_ref(ATTR_EXPORT))))
    return jr_rt_error(unit, op, "exports function '%.*s' a second time",
                       (int)name.length, name.data);
  mlirOperationSetDiscardableAttributeByName(function, jr_ref(ATTR_EXPORT),
                                             mlirUnitAttrGet(unit->context));
  return push_export(exports, (struct export){.function = function, .op = op},
                     mlirOperationGetAttributeByName(op, jr_ref("ordinal")));
}

/// Functions that only an attribute marks.
static jitrun_error_t *take_marked(struct exports *exports) {
  const struct jr_unit *unit = exports->unit;
  MlirIdentifier name = unit->names.func_func;
  for (MlirOperation op = jr_first_of(unit, name); !mlirOperationIsNull(op);
       op = jr_next_of(mlirOperationGetNextInBlock(op), name)) {
    if (mlirOperationRemoveDiscardableAttributeByName(op, jr_ref(ATTR_EXPORT)))
      continue;
    if (jr_is_marked(op))
      JITRUN_TRY(push_export(exports, (struct export){.function = op, .op = op},
                             mlirOperationGetDiscardableAttributeByName(
                                 op, jr_ref("rt.exported"))));
  }
  return NULL;
}

/// Puts the exports into `order`, by ordinal.
static jitrun_error_t *assign_ordinals(const struct exports *exports,
                                       const struct export **order) {
  const struct jr_unit *unit = exports->unit;
  for (size_t i = 0; i < exports->count; i++) {
    const struct export *export = &exports->items[i];
    if (export->ordinal < 0)
      continue;
    if ((uint64_t)export->ordinal >= exports->count)
      return jr_rt_error(unit, export->op,
                         "can't fill all ordinals with exported functions: "
                         "one has ordinal %lld, and there are %zu functions",
                         (long long)export->ordinal, exports->count);
    if (order[export->ordinal])
      return jr_rt_error(unit, export->op,
                         "duplicate exported function with ordinal %lld",
                         (long long)export->ordinal);
    order[export->ordinal] = export;
  }
  size_t hole = 0;
  for (size_t i = 0; i < exports->count; i++) {
    if (exports->items[i].ordinal >= 0)
      continue;
    while (order[hole])
      hole++;
    order[hole] = &exports->items[i];
  }
  return NULL;
}

/// Entries are made in the order of the functions.
static void move_functions(const struct exports *exports,
                           const struct export *const *order) {
  MlirContext context = exports->unit->context;
  MlirType i32 = mlirIntegerTypeGet(context, 32);
  bool is_sorted = true;
  for (size_t i = 0; i < exports->count; i++) {
    mlirOperationSetDiscardableAttributeByName(
        order[i]->function, jr_ref("rt.exported"),
        mlirIntegerAttrGet(i32, (int64_t)i));
    if (i > 0 && mlirOperationIsBeforeInBlock(order[i]->function,
                                              order[i - 1]->function))
      is_sorted = false;
  }
  for (size_t i = 1; !is_sorted && i < exports->count; i++)
    mlirOperationMoveAfter(order[i]->function, order[i - 1]->function);
}

static size_t count_functions(const struct jr_unit *unit) {
  size_t count = 0;
  MlirIdentifier name = unit->names.func_func;
  for (MlirOperation op = jr_first_of(unit, name); !mlirOperationIsNull(op);
       op = jr_next_of(mlirOperationGetNextInBlock(op), name))
    count++;
  return count;
}

jitrun_error_t *jr_rt_exports(struct jr_rt *rt) {
  const struct jr_ops *ops = &rt->ops[JR_RT_EXPORT];
  size_t limit = count_functions(rt->unit) + 1;
  struct exports exports = {.unit = rt->unit,
                            .items = jr_calloc(limit, sizeof *exports.items)};
  const struct export **order = jr_calloc(limit, sizeof *order);
  jitrun_error_t *error = NULL;
  if (!exports.items || !order)
    error = jr_error_no_memory();
  for (size_t i = 0; !error && i < ops->count; i++)
    error = take_export(&exports, ops->items[i]);
  if (!error)
    error = take_marked(&exports);
  if (!error)
    error = assign_ordinals(&exports, order);
  if (!error)
    move_functions(&exports, order);
  for (size_t i = 0; !error && i < ops->count; i++)
    mlirOperationDestroy(ops->items[i]);
  free(order);
  free(exports.items);
  return error;
}
