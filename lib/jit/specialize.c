/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See specialize.h. The arguments stay where they are: one of known sizes gets
/// a static type and a cast back to the old one in front of the body, the uses
/// of one of known value get a constant. MLIR's canonicaliser then carries both
/// through the body, so that calls become static where they can.
#include "jit/specialize.h"

#include "base/dtype.h"
#include "jit/plan.h"
#include "jitrun/program.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Pass.h"
#include "mlir-c/Transforms.h"

#define ATTR_SYMBOLIC "rt.symbolic_shape"

uint32_t jr_constraint_flag(MlirOperation function, intptr_t number) {
  static const struct {
    const char *name;
    jitrun_constraint_t constraint;
  } rows[] = {{"rank", JITRUN_CONSTRAINT_RANK},
              {"shape", JITRUN_CONSTRAINT_SHAPE},
              {"value", JITRUN_CONSTRAINT_VALUE}};
  MlirAttribute attrs = jr_argument_attrs(function, number);
  if (mlirAttributeIsNull(attrs))
    return 0;
  MlirAttribute value =
      mlirDictionaryAttrGetElementByName(attrs, jr_ref("rt.constraint"));
  for (size_t i = 0; i < 3 && !mlirAttributeIsNull(value); i++) {
    if (mlirStringRefEqual(mlirStringAttrGetValue(value), jr_ref(rows[i].name)))
      return (uint32_t)rows[i].constraint << JR_PARAM_CONSTRAINT_SHIFT;
  }
  return 0;
}

/// The entry that changes, and what becomes of its signature.
struct target {
  struct jr_unit *unit;
  MlirOperation function;
  MlirBlock body;
  MlirOperation first; ///< of the body, as it was: others go in front of it
  MlirType *inputs;
  MlirAttribute *attrs; ///< of each argument
};

/// Puts an operation with one result in front of the body.
static MlirOperation insert_op(const struct target *target, const char *name,
                               MlirType type, const MlirValue *operand,
                               const MlirNamedAttribute *attribute) {
  MlirOperationState state = mlirOperationStateGet(
      jr_ref(name), mlirOperationGetLocation(target->function));
  mlirOperationStateAddResults(&state, 1, &type);
  if (operand)
    mlirOperationStateAddOperands(&state, 1, operand);
  if (attribute)
    mlirOperationStateAddAttributes(&state, 1, attribute);
  MlirOperation op = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(target->body, target->first, op);
  return op;
}

static jitrun_error_t *refuse_arg(const struct target *target, uint32_t number,
                                  const char *what, const char *hint) {
  struct jr_bytes text = {0};
  jr_mlir_type_print(target->inputs[number], &text);
  const char *type = jr_bytes_text(&text);
  jitrun_error_t *error = jr_error_op(
      target->unit, target->function, JITRUN_INVALID_ARGUMENT,
      "%s: argument %u is %s; %s", what, number, type ? type : "?", hint);
  jr_bytes_deinit(&text);
  return error;
}

/// True for elements whose constants are made of their bytes in memory.
static bool has_constants(MlirType type) {
  bool is_integer = mlirTypeIsAIndex(type) || (mlirTypeIsAInteger(type) &&
                                               mlirIntegerTypeIsSignless(type));
  return jr_type_dtype(type) != JITRUN_DTYPE_INVALID &&
         (is_integer || mlirTypeIsAFloat(type));
}

/// The constant of a scalar with these bytes, to the bit.
static MlirAttribute make_scalar(MlirType type, const void *value) {
  jitrun_dtype_t dtype = jr_type_dtype(type);
  if (!has_constants(type))
    return mlirAttributeGetNull();
  if (dtype == JITRUN_DTYPE_PRED)
    return mlirIntegerAttrGet(type, *(const uint8_t *)value != 0);
  if (dtype == JITRUN_DTYPE_S4)
    return mlirIntegerAttrGet(type, *(const int8_t *)value);
  MlirType tensor =
      mlirRankedTensorTypeGet(0, NULL, type, mlirAttributeGetNull());
  return mlirDenseElementsAttrGetSplatValue(
      mlirDenseElementsAttrRawBufferGet(tensor, jr_dtype_size(dtype), value));
}

/// The constant of a tensor of rank 0 or 1.
static MlirAttribute make_elements(MlirType type,
                                   const struct jr_known_arg *known) {
  MlirType element = mlirShapedTypeGetElementType(type);
  jitrun_dtype_t dtype = jr_type_dtype(element);
  if (known->rank > 1 || mlirShapedTypeGetRank(type) != known->rank ||
      !has_constants(element) || dtype == JITRUN_DTYPE_PRED ||
      dtype == JITRUN_DTYPE_S4)
    return mlirAttributeGetNull();
  size_t count = known->rank == 0 ? 1 : (size_t)known->dims[0];
  MlirType tensor = mlirRankedTensorTypeGet(known->rank, known->dims, element,
                                            mlirAttributeGetNull());
  return mlirDenseElementsAttrRawBufferGet(tensor, count * jr_dtype_size(dtype),
                                           known->value);
}

/// Gives the uses of an argument its value.
static jitrun_error_t *sink_value(const struct target *target, uint32_t number,
                                  const struct jr_known_arg *known) {
  MlirType type = target->inputs[number];
  bool is_tensor = mlirTypeIsARankedTensor(type);
  MlirAttribute constant =
      is_tensor ? make_elements(type, known) : make_scalar(type, known->value);
  if (mlirAttributeIsNull(constant))
    return refuse_arg(target, number,
                      "non-sinkable operand was marked for sinking",
                      "only signless integers, index, floats, and tensors of "
                      "these of rank 0 or 1 can be compiled in");
  MlirNamedAttribute attribute =
      jr_named(target->unit->context, "value", constant);
  MlirType found = mlirAttributeGetType(constant);
  MlirValue value = mlirOperationGetResult(
      insert_op(target, "arith.constant", found, NULL, &attribute), 0);
  if (!mlirTypeEqual(found, type))
    value = mlirOperationGetResult(
        insert_op(target, "tensor.cast", type, &value, NULL), 0);
  mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(target->body, number),
                                value);
  return NULL;
}

/// The layout of a memref type, with its strides written out when they do not
/// follow from the sizes that it is going to have.
static MlirAttribute make_layout(MlirType type, bool is_strided) {
  int64_t strides[JR_MAX_RANK];
  int64_t offset;
  if (!is_strided ||
      mlirLogicalResultIsFailure(
          mlirMemRefTypeGetStridesAndOffset(type, strides, &offset)))
    return mlirMemRefTypeGetLayout(type);
  return mlirStridedLayoutAttrGet(mlirTypeGetContext(type), offset,
                                  mlirShapedTypeGetRank(type), strides);
}

/// The type with the sizes that are known; null when they do not fit. A tensor
/// cannot say what strides its memory has, so it is left alone where that
/// matters.
static MlirType make_type(const struct target *target, MlirType type,
                          const struct jr_known_arg *known) {
  int64_t dims[JR_MAX_RANK];
  bool is_tensor = mlirTypeIsARankedTensor(type);
  if ((!is_tensor && !mlirTypeIsAMemRef(type)) || known->rank > JR_MAX_RANK ||
      mlirShapedTypeGetRank(type) != known->rank)
    return (MlirType){0};
  for (uint32_t i = 0; i < known->rank; i++) {
    bool is_dynamic = mlirShapedTypeIsDynamicDim(type, i);
    dims[i] =
        known->dims[i] < 0 ? mlirShapedTypeGetDynamicSize() : known->dims[i];
    if (!is_dynamic && mlirShapedTypeGetDimSize(type, i) != known->dims[i])
      return (MlirType){0};
  }
  MlirLocation location = mlirOperationGetLocation(target->function);
  MlirType element = mlirShapedTypeGetElementType(type);
  if (is_tensor)
    return known->is_strided ? type
                             : mlirRankedTensorTypeGetChecked(
                                   location, known->rank, dims, element,
                                   mlirRankedTensorTypeGetEncoding(type));
  return mlirMemRefTypeGetChecked(location, element, known->rank, dims,
                                  make_layout(type, known->is_strided),
                                  mlirMemRefTypeGetMemorySpace(type));
}

/// Adds the symbolic shape to the attributes of an argument.
static jitrun_error_t *attach_shape(const struct target *target,
                                    uint32_t number,
                                    const struct jr_known_arg *known) {
  struct jr_unit *unit = target->unit;
  const int64_t rank = known->rank;
  MlirType type = mlirRankedTensorTypeGet(
      1, &rank, mlirIntegerTypeGet(unit->context, 64), mlirAttributeGetNull());
  MlirAttribute old = target->attrs[number];
  intptr_t count = mlirDictionaryAttrGetNumElements(old);
  MlirNamedAttribute *all =
      jr_arena_alloc(&unit->arena, ((size_t)count + 1) * sizeof *all);
  if (!all)
    return jr_error_no_memory();
  intptr_t kept = 0;
  for (intptr_t i = 0; i < count; i++) {
    all[kept] = mlirDictionaryAttrGetElement(old, i);
    kept += !mlirStringRefEqual(mlirIdentifierStr(all[kept].name),
                                jr_ref(ATTR_SYMBOLIC));
  }
  all[kept++] =
      jr_named(unit->context, ATTR_SYMBOLIC,
               mlirDenseElementsAttrInt64Get(type, rank, known->dims));
  target->attrs[number] = mlirDictionaryAttrGet(unit->context, kept, all);
  return NULL;
}

static bool has_symbol(const struct jr_known_arg *known) {
  for (uint32_t i = 0; i < known->rank; i++) {
    if (known->dims[i] < 0)
      return true;
  }
  return false;
}

/// Gives an argument the type of the sizes that are known.
static jitrun_error_t *retype_arg(const struct target *target, uint32_t number,
                                  const struct jr_known_arg *known) {
  MlirType old = target->inputs[number];
  MlirType type = make_type(target, old, known);
  if (mlirTypeIsNull(type))
    return refuse_arg(target, number, "failed to resolve symbolic shape",
                      "it cannot have the sizes that it was given");
  if (has_symbol(known))
    JITRUN_TRY(attach_shape(target, number, known));
  if (mlirTypeEqual(type, old))
    return NULL;
  MlirValue argument = mlirBlockGetArgument(target->body, number);
  mlirBlockArgumentSetType(argument, type);
  MlirOperation cast =
      insert_op(target, mlirTypeIsAMemRef(old) ? "memref.cast" : "tensor.cast",
                old, &argument, NULL);
  mlirValueReplaceAllUsesExcept(argument, mlirOperationGetResult(cast, 0), 1,
                                &cast);
  target->inputs[number] = type;
  return NULL;
}

/// Reads the signature into the target.
static jitrun_error_t *read_signature(struct target *target, MlirType type) {
  struct jr_arena *arena = &target->unit->arena;
  intptr_t count = mlirFunctionTypeGetNumInputs(type);
  size_t room = (size_t)count + 1;
  target->inputs = jr_arena_alloc(arena, room * sizeof *target->inputs);
  target->attrs = jr_arena_alloc(arena, room * sizeof *target->attrs);
  if (!target->inputs || !target->attrs)
    return jr_error_no_memory();
  for (intptr_t i = 0; i < count; i++) {
    target->inputs[i] = mlirFunctionTypeGetInput(type, i);
    target->attrs[i] = jr_argument_attrs(target->function, i);
    if (mlirAttributeIsNull(target->attrs[i]))
      target->attrs[i] = mlirDictionaryAttrGet(target->unit->context, 0, NULL);
  }
  return NULL;
}

static jitrun_error_t *write_signature(const struct target *target,
                                       MlirType type) {
  struct jr_unit *unit = target->unit;
  intptr_t inputs = mlirFunctionTypeGetNumInputs(type);
  intptr_t results = mlirFunctionTypeGetNumResults(type);
  MlirType *types =
      jr_arena_alloc(&unit->arena, ((size_t)results + 1) * sizeof *types);
  if (!types)
    return jr_error_no_memory();
  for (intptr_t i = 0; i < results; i++)
    types[i] = mlirFunctionTypeGetResult(type, i);
  mlirOperationSetInherentAttributeByName(
      target->function, jr_ref("function_type"),
      mlirTypeAttrGet(mlirFunctionTypeGet(unit->context, inputs, target->inputs,
                                          results, types)));
  mlirOperationSetInherentAttributeByName(
      target->function, jr_ref("arg_attrs"),
      mlirArrayAttrGet(unit->context, inputs, target->attrs));
  return NULL;
}

/// Makes another module the unit's.
static void replace_module(struct jr_unit *unit, MlirOperation module) {
  mlirSymbolTableDestroy(unit->symbols);
  mlirModuleDestroy(unit->module);
  unit->module = mlirModuleFromOperation(module);
  unit->symbols = mlirSymbolTableCreate(module);
}

/// Folds what follows from the arguments: sizes, branches, casts. What these
/// arguments never reach may fold into something that does not verify, as a
/// view past the end of a memref whose size is known now; the program is then
/// left as it was.
static void fold_body(struct jr_unit *unit) {
  MlirOperation module = mlirModuleGetOperation(unit->module);
  MlirOperation unfolded = mlirOperationClone(module);
  MlirPassManager manager = mlirPassManagerCreate(unit->context);
  mlirPassManagerAddOwnedPass(manager, mlirCreateTransformsCanonicalizer());
  MlirLogicalResult result = mlirPassManagerRunOnOp(manager, module);
  mlirPassManagerDestroy(manager);
  if (mlirLogicalResultIsSuccess(result)) {
    mlirOperationDestroy(unfolded);
    return;
  }
  jitrun_error_free(jr_diagnostics_take(&unit->diagnostics, "not folded"));
  replace_module(unit, unfolded);
}

static jitrun_error_t *
change_function(struct target *target,
                const struct jr_specialization *specialization) {
  MlirType type = mlirTypeAttrGetValue(mlirOperationGetInherentAttributeByName(
      target->function, jr_ref("function_type")));
  size_t count = (size_t)mlirFunctionTypeGetNumInputs(type);
  if (count != specialization->arg_count)
    return jr_error_op(target->unit, target->function, JITRUN_INVALID_ARGUMENT,
                       "expected %zu arguments, got: %zu", count,
                       specialization->arg_count);
  JITRUN_TRY(read_signature(target, type));
  for (uint32_t i = 0; i < count; i++) {
    const struct jr_known_arg *known = &specialization->args[i];
    if (known->value)
      JITRUN_TRY(sink_value(target, i, known));
    else if (known->dims)
      JITRUN_TRY(retype_arg(target, i, known));
  }
  return write_signature(target, type);
}

jitrun_error_t *jr_specialize(struct jr_unit *unit) {
  const struct jr_specialization *specialization =
      unit->options->specialization;
  if (!specialization)
    return NULL;
  (void)mlirContextGetOrLoadDialect(unit->context, jr_ref("arith"));
  (void)mlirContextGetOrLoadDialect(unit->context, jr_ref("memref"));
  (void)mlirContextGetOrLoadDialect(unit->context, jr_ref("tensor"));
  JITRUN_TRY(jr_split_called_entries(unit));
  struct target target = {.unit = unit,
                          .function = mlirSymbolTableLookup(
                              unit->symbols, jr_ref(specialization->entry))};
  if (mlirOperationIsNull(target.function) ||
      !jr_is(target.function, unit->names.func_func) ||
      !jr_has_body(target.function))
    return jr_error(JITRUN_NOT_FOUND,
                    "the program has no function '%s' to specialise",
                    specialization->entry);
  target.body =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(target.function, 0));
  target.first = mlirBlockGetFirstOperation(target.body);
  JITRUN_TRY(change_function(&target, specialization));
  fold_body(unit);
  return NULL;
}
