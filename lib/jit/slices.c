/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See slices.h. One loop from the value towards its root; each step is a view
/// or cast whose effect on address and type is known statically.
#include "jit/slices.h"

#include "base/dtype.h"
#include "jit/memo.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

bool jr_constant_s64(const struct jr_unit *unit, MlirValue value,
                     int64_t *out_value) {
  if (!mlirValueIsAOpResult(value))
    return false;
  MlirOperation op = mlirOpResultGetOwner(value);
  if (!jr_is(op, unit->names.arith_constant) &&
      !jr_is(op, unit->names.index_constant))
    return false;
  MlirAttribute attribute =
      mlirOperationGetInherentAttributeByName(op, jr_ref("value"));
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAInteger(attribute))
    return false;
  MlirType type = mlirAttributeGetType(attribute);
  if (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) > 64)
    return false;
  *out_value = mlirIntegerAttrGetValueInt(attribute);
  return true;
}

/// True for what rt.unsigned_cast has become.
static bool is_sign_cast(const struct jr_unit *unit, MlirOperation op) {
  return jr_is(op, unit->names.unrealized_cast) &&
         mlirOperationGetNumOperands(op) == 1 &&
         mlirOperationGetNumResults(op) == 1 &&
         mlirTypeIsAInteger(mlirValueGetType(mlirOperationGetOperand(op, 0))) &&
         mlirTypeIsAInteger(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

MlirValue jr_skip_sign_casts(const struct jr_unit *unit, MlirValue value) {
  while (mlirValueIsAOpResult(value) &&
         is_sign_cast(unit, mlirOpResultGetOwner(value)))
    value = mlirOperationGetOperand(mlirOpResultGetOwner(value), 0);
  return value;
}

bool jr_op_is_neutral(const struct jr_unit *unit, MlirOperation op) {
  const struct jr_names *names = &unit->names;
  const MlirIdentifier neutral[] = {
      names->arith_constant,
      names->index_constant,
      names->memref_assume_alignment,
      names->memref_cast,
      names->memref_collapse_shape,
      names->memref_expand_shape,
      names->memref_get_global,
      names->memref_reinterpret_cast,
      names->memref_subview,
      names->memref_transpose,
      names->memref_view,
  };
  for (size_t i = 0; i < sizeof neutral / sizeof neutral[0]; i++) {
    if (jr_is(op, neutral[i]))
      return true;
  }
  return is_sign_cast(unit, op);
}

static bool is_root(const struct jr_unit *unit, MlirOperation op) {
  return jr_is(op, unit->names.memref_alloc) ||
         jr_is(op, unit->names.memref_alloca) ||
         jr_is(op, unit->names.memref_get_global);
}

static uint32_t placed_alloc(MlirOperation op) {
  MlirAttribute attribute =
      mlirOperationGetDiscardableAttributeByName(op, jr_ref(JR_ATTR_ALLOC));
  return mlirAttributeIsNull(attribute)
             ? JR_NONE
             : (uint32_t)mlirIntegerAttrGetValueInt(attribute);
}

static uint32_t param_alloc(struct jr_unit *unit,
                            const struct jr_function *function,
                            MlirValue value) {
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function->op, 0));
  if (function->entry == JR_NONE ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(value), entry))
    return JR_NONE;
  const struct jr_entry *record =
      jr_table_at(&unit->table, JR_SECTION_ENTRIES, function->entry);
  uint32_t number = (uint32_t)mlirBlockArgumentGetArgNumber(value);
  const struct jr_param *param = jr_table_at(&unit->table, JR_SECTION_PARAMS,
                                             record->first_param + number);
  return param->alloc;
}

/// memref.view: %source[%shift][%sizes...]; false when the shift is not known.
static bool step_view(const struct jr_unit *unit, MlirOperation op,
                      int64_t *delta) {
  return jr_constant_s64(unit, mlirOperationGetOperand(op, 1), delta);
}

/// Operations whose types say where the result begins: both offsets count from
/// the same base.
static bool step_offsets(struct jr_unit *unit, MlirOperation op,
                         int64_t *delta) {
  const struct jr_mlir_type *from =
      jr_type_find(unit, mlirValueGetType(mlirOperationGetOperand(op, 0)));
  const struct jr_mlir_type *to =
      jr_type_find(unit, mlirValueGetType(mlirOperationGetResult(op, 0)));
  int64_t elements;
  if (!from || !to || from->offset == JITRUN_DYNAMIC ||
      to->offset == JITRUN_DYNAMIC ||
      __builtin_sub_overflow(to->offset, from->offset, &elements))
    return false;
  return !__builtin_mul_overflow(elements, (int64_t)jr_dtype_size(to->dtype),
                                 delta);
}

bool jr_slice_step(struct jr_unit *unit, MlirOperation op, int64_t *out_delta) {
  const struct jr_names *names = &unit->names;
  *out_delta = 0;
  if (jr_is(op, names->memref_view))
    return step_view(unit, op, out_delta);
  if (jr_is(op, names->memref_subview) ||
      jr_is(op, names->memref_reinterpret_cast))
    return step_offsets(unit, op, out_delta);
  return jr_is(op, names->memref_cast) ||
         jr_is(op, names->memref_collapse_shape) ||
         jr_is(op, names->memref_expand_shape) ||
         jr_is(op, names->memref_transpose) ||
         jr_is(op, names->memref_assume_alignment);
}

/// True while the operation leaves sizes and strides as they are.
static bool keeps_shape(const struct jr_unit *unit, MlirOperation op) {
  return jr_is(op, unit->names.memref_cast) ||
         jr_is(op, unit->names.memref_assume_alignment);
}

void jr_slice_resolve(struct jr_unit *unit, const struct jr_function *function,
                      MlirValue value, struct jr_slice *out_slice) {
  *out_slice =
      (struct jr_slice){.alloc = JR_NONE,
                        .whole = true,
                        .type = jr_type_find(unit, mlirValueGetType(value))};
  while (out_slice->type && mlirValueIsAOpResult(value)) {
    MlirOperation op = mlirOpResultGetOwner(value);
    int64_t delta;
    if (is_root(unit, op)) {
      out_slice->alloc = placed_alloc(op);
      out_slice->root = op;
      return;
    }
    if (!jr_slice_step(unit, op, &delta) ||
        __builtin_add_overflow(out_slice->offset, delta, &out_slice->offset))
      return;
    value = mlirOperationGetOperand(op, 0);
    out_slice->whole = out_slice->whole && keeps_shape(unit, op);
    if (!out_slice->whole || out_slice->type->is_static)
      continue;
    const struct jr_mlir_type *source =
        jr_type_find(unit, mlirValueGetType(value));
    if (source && source->rank == out_slice->type->rank)
      out_slice->type = source;
  }
  if (out_slice->type)
    out_slice->alloc = param_alloc(unit, function, value);
}

struct jr_slice_cache {
  struct {
    const void *value; ///< NULL: an empty place
    const struct jr_function *function;
    struct jr_slice slice;
  } places[JR_MEMO_PLACES];
};

void jr_slice_find(struct jr_unit *unit, const struct jr_function *function,
                   MlirValue value, struct jr_slice *out_slice) {
  if (!unit->slices)
    unit->slices = jr_arena_zalloc(&unit->arena, 1, sizeof *unit->slices);
  if (!unit->slices) {
    *out_slice = (struct jr_slice){.alloc = JR_NONE};
    return; /* compile.c tells */
  }
  size_t place = jr_memo_place(value.ptr);
  if (unit->slices->places[place].value == value.ptr &&
      unit->slices->places[place].function == function) {
    *out_slice = unit->slices->places[place].slice;
    return;
  }
  jr_slice_resolve(unit, function, value, out_slice);
  if (out_slice->alloc == JR_NONE)
    return; /* it may get a place */
  unit->slices->places[place].value = value.ptr;
  unit->slices->places[place].function = function;
  unit->slices->places[place].slice = *out_slice;
}
