/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// MLIR's conversions and LLVM's passes take more than linear time in the size
/// of a function. A block with many operations is therefore cut into groups of
/// neighbours, each of which becomes a private function; a block of very many
/// is cut again, into groups of calls of these. Inner blocks come first.
///
/// Values that a group uses are its function's arguments, but for constants and
/// placed memory, whose operations are copied: they cost nothing. Values of the
/// group that are used behind it are its function's results.
#include "jit/outline.h"

#include "base/alloc.h"
#include "jit/async.h"
#include "jit/capture.h"
#include "jit/plan.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

enum {
  GROUP_WEIGHT = 64, ///< operations in an outlined function, about
  BLOCK_WEIGHT = 192 ///< a block with more is cut
};

/// One group that is moved out.
struct group {
  struct jr_unit *unit;
  struct jr_capture capture; ///< the new function
  struct jr_values results;
};

/// What a piece of the program is to the splitter.
struct measure {
  size_t weight;  ///< operations that become code; a run of calls is one
  bool has_stack; ///< allocates on the stack
};

static struct measure measure_block(const struct jr_unit *unit,
                                    MlirBlock block);

static struct measure measure_op(const struct jr_unit *unit, MlirOperation op) {
  struct measure sum = {.weight = !jr_op_is_neutral(unit, op),
                        .has_stack = jr_is(op, unit->names.memref_alloca) &&
                                     !jr_is_placed(op)};
  for (MlirRegion region = mlirOperationGetFirstRegion(op);
       !mlirRegionIsNull(region);
       region = mlirRegionGetNextInOperation(region)) {
    for (MlirBlock block = mlirRegionGetFirstBlock(region);
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
      struct measure inner = measure_block(unit, block);
      sum.weight += inner.weight;
      sum.has_stack = sum.has_stack || inner.has_stack;
    }
  }
  return sum;
}

static struct measure measure_block(const struct jr_unit *unit,
                                    MlirBlock block) {
  struct measure sum = {0};
  bool in_run = false;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    struct measure one = measure_op(unit, op);
    bool is_site = jr_is(op, unit->names.site_marker);
    sum.weight += is_site && in_run ? 0 : one.weight;
    sum.has_stack = sum.has_stack || one.has_stack;
    in_run = is_site;
  }
  return sum;
}

/// Notes the results of a moved operation that are used behind the group.
static void export_results(struct group *group, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    MlirValue value = mlirOperationGetResult(op, i);
    MlirOpOperand use = mlirValueGetFirstUse(value);
    while (!mlirOpOperandIsNull(use) &&
           jr_capture_holds(&group->capture, mlirOpOperandGetOwner(use)))
      use = mlirOpOperandGetNextUse(use);
    if (!mlirOpOperandIsNull(use) && !jr_values_push(&group->results, value))
      group->capture.failed = true;
  }
}

/// The type of the finished function.
static MlirType group_type(const struct group *group) {
  size_t inputs = (size_t)mlirBlockGetNumArguments(group->capture.body);
  size_t results = group->results.count;
  MlirType *types = jr_calloc(inputs + results + 1, sizeof *types);
  if (!types)
    return (MlirType){0};
  for (size_t i = 0; i < inputs; i++)
    types[i] = mlirValueGetType(
        mlirBlockGetArgument(group->capture.body, (intptr_t)i));
  for (size_t i = 0; i < results; i++)
    types[inputs + i] = mlirValueGetType(group->results.items[i]);
  MlirType type = mlirFunctionTypeGet(group->unit->context, (intptr_t)inputs,
                                      types, (intptr_t)results, types + inputs);
  free(types);
  return type;
}

/// An empty private function behind the others; it is made before its type is
/// known.
static MlirOperation create_function(struct jr_unit *unit, const char *name,
                                     size_t index, MlirLocation location) {
  MlirContext context = unit->context;
  MlirType i64 = mlirIntegerTypeGet(context, 64);
  const MlirNamedAttribute attributes[] = {
      jr_named(context, "sym_name", mlirStringAttrGet(context, jr_ref(name))),
      jr_named(context, "function_type",
               mlirTypeAttrGet(mlirFunctionTypeGet(context, 0, NULL, 0, NULL))),
      jr_named(context, "sym_visibility",
               mlirStringAttrGet(context, jr_ref("private"))),
      jr_named(context, JR_ATTR_FUNCTION,
               mlirIntegerAttrGet(i64, (int64_t)index))};
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, mlirBlockCreate(0, NULL, NULL));
  MlirOperationState state =
      mlirOperationStateGet(jr_ref("func.func"), location);
  mlirOperationStateAddAttributes(&state, 4, attributes);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  return mlirOperationCreate(&state);
}

/// A record for a function that is split off; its place in the unit's list.
static struct jr_function *add_function(struct jr_unit *unit) {
  if (unit->function_count >= unit->function_capacity) {
    size_t capacity = 2 * unit->function_count + 16;
    struct jr_function *functions =
        jr_arena_zalloc(&unit->arena, capacity, sizeof *functions);
    if (!functions)
      return NULL;
    for (size_t i = 0; i < unit->function_count; i++)
      functions[i] = unit->functions[i];
    unit->functions = functions;
    unit->function_capacity = capacity;
  }
  return &unit->functions[unit->function_count++];
}

/// Makes the function of a group, named after the one that it comes from.
static jitrun_error_t *open_group(struct group *group, size_t parent,
                                  MlirLocation location) {
  struct jr_unit *unit = group->unit;
  struct jr_bytes name = {0};
  size_t index = unit->function_count;
  struct jr_function *function = add_function(unit);
  if (!function)
    return jr_error_no_memory();
  jr_bytes_appendf(&name, "%s.part%zu", unit->functions[parent].symbol, index);
  *function = (struct jr_function){
      .entry = JR_NONE, .is_reached = true, .native = true, .is_part = true};
  function->name = function->symbol =
      jr_arena_copy_text(&unit->arena, (const char *)name.data, name.size);
  jr_bytes_deinit(&name);
  if (!function->symbol)
    return jr_error_no_memory();
  function->op = create_function(unit, function->symbol, index, location);
  (void)mlirSymbolTableInsert(unit->symbols, function->op);
  group->capture.function = function->op;
  group->capture.body =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function->op, 0));
  return NULL;
}

/// Moves the operations from `first` up to `end` into the function.
static void fill_group(struct group *group, MlirOperation first,
                       MlirOperation end) {
  for (MlirOperation op = first; !mlirOperationEqual(op, end);) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    if (!jr_is_copied(group->unit, op)) {
      mlirOperationRemoveFromParent(op);
      mlirBlockAppendOwnedOperation(group->capture.body, op);
    }
    op = next;
  }
  jr_capture_operands(&group->capture);
  for (MlirOperation op = mlirBlockGetFirstOperation(group->capture.body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    export_results(group, op);
}

/// Has every use of `value` outside of the group take `result` instead.
static void redirect_uses(const struct group *group, MlirValue value,
                          MlirValue result) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  while (!mlirOpOperandIsNull(use)) {
    MlirOpOperand next = mlirOpOperandGetNextUse(use);
    MlirOperation owner = mlirOpOperandGetOwner(use);
    if (!jr_capture_holds(&group->capture, owner))
      mlirOperationSetOperand(
          owner, (intptr_t)mlirOpOperandGetOperandNumber(use), result);
    use = next;
  }
}

/// Ends the function, and calls it in front of `end`, where the group was.
static jitrun_error_t *close_group(struct group *group, MlirOperation end) {
  MlirContext context = group->unit->context;
  MlirLocation location = mlirOperationGetLocation(group->capture.function);
  MlirType type = group_type(group);
  if (group->capture.failed || mlirTypeIsNull(type))
    return jr_error_no_memory();
  mlirOperationSetInherentAttributeByName(
      group->capture.function, jr_ref("function_type"), mlirTypeAttrGet(type));
  MlirNamedAttribute callee =
      jr_named(context, "callee",
               mlirFlatSymbolRefAttrGet(
                   context, jr_symbol_name(group->capture.function)));
  MlirOperationState call =
      mlirOperationStateGet(jr_ref("func.call"), location);
  mlirOperationStateAddAttributes(&call, 1, &callee);
  jr_capture_pass(&group->capture, &call);
  for (size_t i = 0; i < group->results.count; i++) {
    MlirType result = mlirValueGetType(group->results.items[i]);
    mlirOperationStateAddResults(&call, 1, &result);
  }
  MlirOperation op = mlirOperationCreate(&call);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(end), end, op);
  for (size_t i = 0; i < group->results.count; i++)
    redirect_uses(group, group->results.items[i],
                  mlirOperationGetResult(op, (intptr_t)i));
  MlirOperationState end_state =
      mlirOperationStateGet(jr_ref("func.return"), location);
  mlirOperationStateAddOperands(&end_state, (intptr_t)group->results.count,
                                group->results.items);
  mlirBlockAppendOwnedOperation(group->capture.body,
                                mlirOperationCreate(&end_state));
  return NULL;
}

/// Moves the operations [first, end) of a block into a function.
static jitrun_error_t *move_group(struct jr_unit *unit, size_t parent,
                                  MlirOperation first, MlirOperation end) {
  struct group group = {.unit = unit, .capture = {.unit = unit}};
  jitrun_error_t *error =
      open_group(&group, parent, mlirOperationGetLocation(first));
  if (!error) {
    fill_group(&group, first, end);
    error = close_group(&group, end);
  }
  jr_capture_deinit(&group.capture);
  free(group.results.items);
  return error;
}

/// Operations in front of a cut.
struct run {
  MlirOperation first; ///< null: none yet
  size_t weight;
};

/// Moves a run out when that makes the block smaller; it is then empty.
static jitrun_error_t *end_run(struct jr_unit *unit, size_t parent,
                               struct run *run, MlirOperation end) {
  struct run ended = *run;
  *run = (struct run){0};
  if (ended.weight < 2)
    return NULL;
  return move_group(unit, parent, ended.first, end);
}

/// Cuts a block into groups once.
static jitrun_error_t *cut_block(struct jr_unit *unit, size_t parent,
                                 MlirBlock block) {
  struct run run = {0};
  bool in_sites = false;
  MlirOperation op = mlirBlockGetFirstOperation(block);
  for (MlirOperation next; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    struct measure one = measure_op(unit, op);
    bool is_site = jr_is(op, unit->names.site_marker);
    bool goes_on = is_site && in_sites;
    bool stays = mlirOperationIsNull(next) || one.has_stack;
    in_sites = is_site;
    if (stays || (!goes_on && run.weight + one.weight > GROUP_WEIGHT))
      JITRUN_TRY(end_run(unit, parent, &run, op));
    if (stays || jr_is_copied(unit, op))
      continue;
    if (mlirOperationIsNull(run.first))
      run.first = op;
    run.weight += goes_on ? 0 : one.weight;
  }
  return NULL;
}

static jitrun_error_t *outline_block(struct jr_unit *unit, size_t parent,
                                     MlirBlock block);

static jitrun_error_t *outline_regions(struct jr_unit *unit, size_t parent,
                                       MlirOperation op) {
  for (MlirRegion region = mlirOperationGetFirstRegion(op);
       !mlirRegionIsNull(region);
       region = mlirRegionGetNextInOperation(region)) {
    for (MlirBlock block = mlirRegionGetFirstBlock(region);
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      JITRUN_TRY(outline_block(unit, parent, block));
  }
  return NULL;
}

static jitrun_error_t *outline_block(struct jr_unit *unit, size_t parent,
                                     MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    JITRUN_TRY(outline_regions(unit, parent, op));
  size_t weight = measure_block(unit, block).weight;
  size_t before = weight + 1;
  while (weight > BLOCK_WEIGHT && weight < before) {
    JITRUN_TRY(cut_block(unit, parent, block));
    before = weight;
    weight = measure_block(unit, block).weight;
  }
  return NULL;
}

jitrun_error_t *jr_outline(struct jr_unit *unit) {
  size_t count = unit->function_count;
  for (size_t i = 0; i < count; i++) {
    /* What is split off a coroutine could leave with an error, and its
       coro operations belong to one function. */
    if (unit->functions[i].native && unit->functions[i].is_reached &&
        !jr_is_coroutine(unit->functions[i].op))
      JITRUN_TRY(outline_regions(unit, i, unit->functions[i].op));
  }
  return NULL;
}
