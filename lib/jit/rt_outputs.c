/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// rt.set_output becomes what the function returns. The last write of an output
/// counts, and nothing is seen before the function returns: where all writes
/// stand in the entry block, or one in that of the return, the value itself is
/// returned; otherwise it goes through memory.
#include "jit/rt.h"

#include "jit/plan.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/// Outputs of all returns of a function: more come from no compiler.
enum { MAX_VALUES = 1 << 20 };

/// One output of a function.
struct output {
  MlirType type;
  MlirOperation in_entry; ///< the last write in the entry block
  MlirOperation in_block; ///< that in the block being looked at
  bool is_nested;         ///< some write is in a region of an operation
  bool is_elsewhere;      ///< some write is in another block
  MlirValue slot;         ///< memory that it goes through; null: none
};

/// A function that sets outputs.
struct setter {
  struct jr_unit *unit;
  MlirOperation function;
  MlirBlock entry;
  const MlirOperation *writes;
  size_t write_count;
  struct output *outputs;
  size_t output_count;
  size_t return_count; ///< blocks that end in one and do not set an error
};

static size_t output_index(MlirOperation write) {
  return (size_t)mlirIntegerAttrGetValueInt(
      mlirOperationGetAttributeByName(write, jr_ref("index")));
}

static MlirValue written_value(MlirOperation write) {
  return mlirOperationGetOperand(write, 1);
}

/// What an operation is made of; at most two operands and attributes.
struct parts {
  const MlirValue *operands;
  intptr_t operand_count;
  const MlirNamedAttribute *attributes;
  intptr_t attribute_count;
  MlirType result; ///< null: none
};

/// Inserts an operation in front of another one, at its location.
static MlirOperation insert_before(MlirOperation next, const char *name,
                                   struct parts parts) {
  MlirOperationState state =
      mlirOperationStateGet(jr_ref(name), mlirOperationGetLocation(next));
  mlirOperationStateAddOperands(&state, parts.operand_count, parts.operands);
  mlirOperationStateAddAttributes(&state, parts.attribute_count,
                                  parts.attributes);
  if (!mlirTypeIsNull(parts.result))
    mlirOperationStateAddResults(&state, 1, &parts.result);
  MlirOperation op = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(next), next, op);
  return op;
}

static MlirValue insert_constant(const struct jr_unit *unit, MlirOperation next,
                                 MlirAttribute value) {
  MlirNamedAttribute attribute = jr_named(unit->context, "value", value);
  return mlirOperationGetResult(
      insert_before(next, "arith.constant",
                    (struct parts){.attributes = &attribute,
                                   .attribute_count = 1,
                                   .result = mlirAttributeGetType(value)}),
      0);
}

/// Counts one write of an output.
static jitrun_error_t *note_write(struct setter *setter, MlirOperation write) {
  struct jr_unit *unit = setter->unit;
  size_t index = output_index(write);
  MlirType type = mlirValueGetType(written_value(write));
  if (index >= setter->write_count)
    return jr_rt_error(unit, write,
                       "sets output %zu of a function that sets %zu in all; "
                       "outputs are numbered from 0 without gaps",
                       index, setter->write_count);
  struct output *output = &setter->outputs[index];
  if (!mlirTypeIsNull(output->type) && !mlirTypeEqual(output->type, type))
    return jr_rt_error(unit, write, "sets output %zu to values of two types",
                       index);
  output->type = type;
  if (index >= setter->output_count)
    setter->output_count = index + 1;
  if (mlirBlockEqual(mlirOperationGetBlock(write), setter->entry))
    output->in_entry = write;
  else
    output->is_elsewhere = true;
  if (!mlirOperationEqual(mlirOperationGetParentOperation(write),
                          setter->function))
    output->is_nested = true;
  return NULL;
}

static jitrun_error_t *read_writes(struct setter *setter) {
  for (size_t i = 0; i < setter->write_count; i++)
    JITRUN_TRY(note_write(setter, setter->writes[i]));
  for (size_t i = 0; i < setter->output_count; i++) {
    if (mlirTypeIsNull(setter->outputs[i].type))
      return jr_rt_error(setter->unit, setter->function,
                         "never sets output %zu, but one behind it", i);
  }
  return NULL;
}

static jitrun_error_t *check_function(const struct setter *setter,
                                      bool any_marked) {
  MlirOperation function = setter->function;
  if (mlirOperationIsNull(function))
    return jr_rt_error(setter->unit, setter->writes[0],
                       "must be in a function");
  MlirType type = mlirTypeAttrGetValue(mlirOperationGetInherentAttributeByName(
      function, jr_ref("function_type")));
  if (mlirFunctionTypeGetNumResults(type) > 0)
    return jr_rt_error(setter->unit, setter->writes[0],
                       "is in a function that returns values; do either");
  if (!jr_is_exported(function, any_marked))
    return jr_error_op(setter->unit, setter->writes[0], JITRUN_UNIMPLEMENTED,
                       "rt.set_output is in a function that is not exported, "
                       "which this version does not support; return the value "
                       "to the exported function");
  return NULL;
}

/// Finds the block's own writes; true when it sets an error.
static bool scan_block(const struct setter *setter, MlirBlock block) {
  bool sets_error = false;
  for (size_t i = 0; i < setter->output_count; i++)
    setter->outputs[i].in_block = (MlirOperation){0};
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (jr_is(op, setter->unit->names.rt_set_output))
      setter->outputs[output_index(op)].in_block = op;
    sets_error = sets_error || jr_is(op, setter->unit->names.rt_set_error);
  }
  return sets_error;
}

/// The return that ends a block; null when something else does.
static MlirOperation return_of(const struct setter *setter, MlirBlock block) {
  MlirOperation op = mlirBlockGetTerminator(block);
  return !mlirOperationIsNull(op) && jr_is(op, setter->unit->names.func_return)
             ? op
             : (MlirOperation){0};
}

/// Counts the returns; every one of them gets all outputs.
static jitrun_error_t *count_returns(struct setter *setter) {
  size_t values = 0;
  for (MlirBlock block = setter->entry; !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block)) {
    if (mlirOperationIsNull(return_of(setter, block)))
      continue;
    values += setter->output_count;
    if (values > MAX_VALUES)
      return jr_error_op(setter->unit, setter->function,
                         JITRUN_RESOURCE_EXHAUSTED,
                         "a function with %zu outputs returns in too many "
                         "places",
                         setter->output_count);
    if (!scan_block(setter, block))
      setter->return_count++;
  }
  return NULL;
}

/// A zero of a type; null for types that have no constants.
static MlirAttribute zero_of(MlirType type) {
  if (mlirTypeIsAIndex(type) ||
      (mlirTypeIsAInteger(type) && mlirIntegerTypeIsSignless(type)))
    return mlirIntegerAttrGet(type, 0);
  if (mlirTypeIsAFloat(type))
    return mlirFloatAttrDoubleGet(mlirTypeGetContext(type), type, 0.0);
  return (MlirAttribute){0};
}

/// Makes memory for an output, which is zero until it is set.
static jitrun_error_t *make_slot(const struct setter *setter, size_t index) {
  struct jr_unit *unit = setter->unit;
  struct output *output = &setter->outputs[index];
  MlirAttribute zero = zero_of(output->type);
  if (mlirAttributeIsNull(zero))
    return jr_error_op(unit, setter->function, JITRUN_UNIMPLEMENTED,
                       "output %zu is no number, and set in a branch or loop; "
                       "set it in front of the return, or at the top of the "
                       "function",
                       index);
  MlirAttribute none = {0};
  MlirOperation first = mlirBlockGetFirstOperation(setter->entry);
  MlirNamedAttribute segments =
      jr_named(unit->context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(unit->context, 2, (int32_t[]){0, 0}));
  MlirOperation slot =
      insert_before(first, "memref.alloca",
                    (struct parts){.attributes = &segments,
                                   .attribute_count = 1,
                                   .result = mlirMemRefTypeContiguousGet(
                                       output->type, 0, NULL, none)});
  output->slot = mlirOperationGetResult(slot, 0);
  MlirValue operands[] = {insert_constant(unit, first, zero), output->slot};
  (void)insert_before(first, "memref.store",
                      (struct parts){.operands = operands, .operand_count = 2});
  return NULL;
}

/// The value that an output has at a return of the block looked at.
static jitrun_error_t *read_output(const struct setter *setter, size_t index,
                                   MlirOperation at, MlirValue *out_value) {
  struct output *output = &setter->outputs[index];
  MlirOperation write = output->in_block;
  if (mlirOperationIsNull(write) && !output->is_elsewhere)
    write = output->in_entry;
  if (!mlirOperationIsNull(write) && !output->is_nested) {
    *out_value = written_value(write);
    return NULL;
  }
  if (mlirValueIsNull(output->slot))
    JITRUN_TRY(make_slot(setter, index));
  MlirOperation load = insert_before(at, "memref.load",
                                     (struct parts){.operands = &output->slot,
                                                    .operand_count = 1,
                                                    .result = output->type});
  *out_value = mlirOperationGetResult(load, 0);
  return NULL;
}

/// Has a return hand out the outputs. One behind an error is never reached.
static jitrun_error_t *replace_return(const struct setter *setter,
                                      MlirBlock block, MlirOperation op) {
  struct jr_unit *unit = setter->unit;
  if (scan_block(setter, block) && setter->return_count > 0 &&
      !mlirBlockEqual(block, setter->entry)) {
    (void)insert_before(op, "llvm.unreachable", (struct parts){0});
    mlirOperationDestroy(op);
    return NULL;
  }
  MlirValue *values =
      jr_arena_alloc(&unit->arena, (setter->output_count + 1) * sizeof *values);
  if (!values)
    return jr_error_no_memory();
  for (size_t i = 0; i < setter->output_count; i++)
    JITRUN_TRY(read_output(setter, i, op, &values[i]));
  (void)insert_before(
      op, "func.return",
      (struct parts){.operands = values,
                     .operand_count = (intptr_t)setter->output_count});
  mlirOperationDestroy(op);
  return NULL;
}

/// Erases the writes; those of an output in memory store there.
static void erase_writes(const struct setter *setter) {
  for (size_t i = 0; i < setter->write_count; i++) {
    MlirOperation write = setter->writes[i];
    MlirValue slot = setter->outputs[output_index(write)].slot;
    MlirValue operands[] = {written_value(write), slot};
    if (!mlirValueIsNull(slot))
      (void)insert_before(
          write, "memref.store",
          (struct parts){.operands = operands, .operand_count = 2});
    mlirOperationDestroy(write);
  }
}

static jitrun_error_t *set_results(const struct setter *setter) {
  struct jr_unit *unit = setter->unit;
  MlirType old = mlirTypeAttrGetValue(mlirOperationGetInherentAttributeByName(
      setter->function, jr_ref("function_type")));
  size_t inputs = (size_t)mlirFunctionTypeGetNumInputs(old);
  MlirType *types = jr_arena_alloc(
      &unit->arena, (inputs + setter->output_count + 1) * sizeof *types);
  if (!types)
    return jr_error_no_memory();
  for (size_t i = 0; i < inputs; i++)
    types[i] = mlirFunctionTypeGetInput(old, (intptr_t)i);
  for (size_t i = 0; i < setter->output_count; i++)
    types[inputs + i] = setter->outputs[i].type;
  MlirType type =
      mlirFunctionTypeGet(unit->context, (intptr_t)inputs, types,
                          (intptr_t)setter->output_count, types + inputs);
  mlirOperationSetInherentAttributeByName(
      setter->function, jr_ref("function_type"), mlirTypeAttrGet(type));
  return NULL;
}

static jitrun_error_t *replace_outputs(struct setter *setter, bool any_marked) {
  setter->outputs = jr_arena_zalloc(&setter->unit->arena, setter->write_count,
                                    sizeof *setter->outputs);
  if (!setter->outputs)
    return jr_error_no_memory();
  JITRUN_TRY(check_function(setter, any_marked));
  setter->entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(setter->function, 0));
  JITRUN_TRY(read_writes(setter));
  JITRUN_TRY(count_returns(setter));
  for (MlirBlock block = setter->entry; !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block)) {
    MlirOperation op = return_of(setter, block);
    if (!mlirOperationIsNull(op))
      JITRUN_TRY(replace_return(setter, block, op));
  }
  JITRUN_TRY(set_results(setter));
  erase_writes(setter);
  return NULL;
}

jitrun_error_t *jr_rt_outputs(struct jr_rt *rt) {
  const struct jr_ops *ops = &rt->ops[JR_RT_SET_OUTPUT];
  bool any_marked = jr_any_marked(rt->unit);
  for (size_t i = 0; i < ops->count;) {
    struct setter setter = {.unit = rt->unit, .writes = ops->items + i};
    setter.function = jr_rt_function(rt->unit, ops->items[i]);
    while (i < ops->count &&
           mlirOperationEqual(jr_rt_function(rt->unit, ops->items[i]),
                              setter.function)) {
      setter.write_count++;
      i++;
    }
    JITRUN_TRY(replace_outputs(&setter, any_marked));
  }
  return NULL;
}

/// The function is left where the error is set.
static void replace_error(const struct jr_unit *unit, MlirOperation op) {
  MlirValue never =
      insert_constant(unit, op, mlirBoolAttrGet(unit->context, 0));
  const MlirNamedAttribute attributes[] = {
      jr_named(unit->context, "msg",
               mlirOperationGetAttributeByName(op, jr_ref("error"))),
      jr_named(unit->context, JR_ATTR_ERROR, mlirUnitAttrGet(unit->context))};
  (void)insert_before(op, "cf.assert",
                      (struct parts){.operands = &never,
                                     .operand_count = 1,
                                     .attributes = attributes,
                                     .attribute_count = 2});
  mlirOperationDestroy(op);
}

void jr_rt_errors(struct jr_rt *rt) {
  const struct jr_ops *ops = &rt->ops[JR_RT_SET_ERROR];
  for (size_t i = 0; i < ops->count; i++)
    replace_error(rt->unit, ops->items[i]);
}
