/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Finds the functions of the program, decides which are exported, and walks
/// each once, in program order. A function that holds nothing but custom calls
/// with operands known now becomes a list of sites; every other one is native.
#include "jit/plan.h"

#include "base/alloc.h"
#include "jit/async.h"
#include "jit/upstream.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

/// Of functions that are no entries.
enum { MAX_NOTES = 8 };

static jitrun_error_t *plan_block(struct jr_planner *planner, MlirBlock block,
                                  bool at_top);

/// Puts a function on the list of those to plan, once.
static void reach_function(struct jr_unit *unit, size_t index) {
  if (unit->functions[index].is_reached)
    return;
  unit->functions[index].is_reached = true;
  unit->reached[unit->reached_count++] = index;
}

/// The name of a function in the object.
static char *make_symbol(struct jr_unit *unit, MlirStringRef name) {
  struct jr_bytes text = {0};
  jr_bytes_appendf(&text, "jitrun_%s_", unit->options->prefix);
  jr_bytes_append(&text, name.data, name.length);
  char *symbol = NULL;
  if (!text.failed)
    symbol =
        jr_arena_copy_text(&unit->arena, (const char *)text.data, text.size);
  jr_bytes_deinit(&text);
  return symbol;
}

/// Lists the functions with a body; entries are those that are marked, or every
/// public one when none is.
static jitrun_error_t *find_functions(struct jr_unit *unit) {
  size_t count = 0;
  bool any_marked = jr_any_marked(unit);
  MlirIdentifier name = unit->names.func_func;
  for (MlirOperation op = jr_first_of(unit, name); !mlirOperationIsNull(op);
       op = jr_next_of(mlirOperationGetNextInBlock(op), name))
    count++;
  unit->functions =
      jr_arena_zalloc(&unit->arena, count + 1, sizeof *unit->functions);
  unit->reached =
      jr_arena_zalloc(&unit->arena, count + 1, sizeof *unit->reached);
  if (!unit->functions || !unit->reached)
    return jr_error_no_memory();
  for (MlirOperation op = jr_first_of(unit, name); !mlirOperationIsNull(op);
       op = jr_next_of(mlirOperationGetNextInBlock(op), name)) {
    if (!jr_has_body(op))
      continue;
    bool exported = jr_is_exported(op, any_marked);
    struct jr_function *function = &unit->functions[unit->function_count++];
    MlirStringRef text = jr_entry_name(op);
    function->op = op;
    function->location = mlirOperationGetLocation(op);
    function->name = jr_arena_copy_text(&unit->arena, text.data, text.length);
    function->symbol = make_symbol(unit, text);
    function->entry = exported ? 0 : JR_NONE;
    if (exported)
      reach_function(unit, unit->function_count - 1);
    mlirOperationSetDiscardableAttributeByName(
        op, jr_ref(JR_ATTR_FUNCTION),
        mlirIntegerAttrGet(mlirIntegerTypeGet(unit->context, 64),
                           (int64_t)unit->function_count - 1));
    if (!function->name || !function->symbol)
      return jr_error_no_memory();
  }
  return NULL;
}

MlirStringRef jr_call_target(MlirOperation declaration) {
  static const char *const spellings[] = {"rt.custom_call",
                                          "rt.direct_custom_call"};
  for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
    MlirAttribute target = mlirOperationGetDiscardableAttributeByName(
        declaration, jr_ref(spellings[i]));
    if (!mlirAttributeIsNull(target) && mlirAttributeIsAString(target))
      return mlirStringAttrGetValue(target);
  }
  return mlirStringRefCreate(NULL, 0);
}

static jitrun_error_t *plan_call(struct jr_planner *planner, MlirOperation op) {
  struct jr_unit *unit = planner->unit;
  const struct jr_callee *callee = jr_callee_find(unit, op);
  if (unit->has_async &&
      !mlirAttributeIsNull(mlirOperationGetDiscardableAttributeByName(
          op, jr_ref(JR_ATTR_ASYNC)))) {
    planner->function->native = true;
    return NULL;
  }
  if (callee->has_body) {
    MlirAttribute index = mlirOperationGetDiscardableAttributeByName(
        callee->op, jr_ref(JR_ATTR_FUNCTION));
    reach_function(unit, (size_t)mlirIntegerAttrGetValueInt(index));
    planner->function->native = true;
    return NULL;
  }
  if (!callee->target.data) {
    mlirOperationSetDiscardableAttributeByName(
        callee->op, jr_ref(JR_ATTR_OUTSIDE), mlirUnitAttrGet(unit->context));
    planner->function->native = true;
    return NULL;
  }
  return jr_plan_site(planner, op, callee);
}

static bool push_dead(struct jr_planner *planner, MlirOperation op) {
  MlirOperation *dead = jr_grow(planner->dead, &planner->dead_capacity,
                                planner->dead_count, sizeof *dead);
  if (!dead)
    return false;
  planner->dead = dead;
  planner->dead[planner->dead_count++] = op;
  return true;
}

static jitrun_error_t *plan_dealloc(struct jr_planner *planner,
                                    MlirOperation op) {
  struct jr_slice slice;
  jr_slice_resolve(planner->unit, planner->function,
                   mlirOperationGetOperand(op, 0), &slice);
  const struct jr_alloc *alloc =
      slice.alloc == JR_NONE
          ? NULL
          : jr_table_at(&planner->unit->table, JR_SECTION_ALLOCS, slice.alloc);
  if (!alloc || alloc->kind == JR_ALLOC_PARAM) {
    planner->function->native = true;
    return NULL;
  }
  return push_dead(planner, op) ? NULL : jr_error_no_memory();
}

static jitrun_error_t *plan_regions(struct jr_planner *planner,
                                    MlirOperation op) {
  for (MlirRegion region = mlirOperationGetFirstRegion(op);
       !mlirRegionIsNull(region);
       region = mlirRegionGetNextInOperation(region)) {
    for (MlirBlock block = mlirRegionGetFirstBlock(region);
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      JITRUN_TRY(plan_block(planner, block, false));
  }
  return NULL;
}

static jitrun_error_t *plan_op(struct jr_planner *planner, MlirOperation op,
                               bool at_top) {
  const struct jr_names *names = &planner->unit->names;
  if (jr_is(op, names->func_call))
    return plan_call(planner, op);
  if (jr_is(op, names->memref_alloc) || jr_is(op, names->memref_alloca))
    return jr_plan_alloc(planner, op, at_top);
  if (jr_is(op, names->memref_dealloc))
    return plan_dealloc(planner, op);
  if (jr_is(op, names->memref_get_global))
    return jr_plan_global(planner, op);
  if (jr_is(op, names->func_return)) {
    jr_plan_return(planner, op);
    return NULL;
  }
  if (jr_is(op, names->memref_assume_alignment))
    jr_plan_alignment(planner, op);
  if (jr_op_is_neutral(planner->unit, op))
    return NULL;
  planner->function->native = true;
  return plan_regions(planner, op);
}

static jitrun_error_t *plan_block(struct jr_planner *planner, MlirBlock block,
                                  bool at_top) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    JITRUN_TRY(plan_op(planner, op, at_top));
  return NULL;
}

/// Prepares a function that needs code for lowering: calls whose frames are
/// complete lose their operands, so that nothing is computed for them.
static void mark_calls(struct jr_planner *planner) {
  struct jr_unit *unit = planner->unit;
  MlirType i64 = mlirIntegerTypeGet(unit->context, 64);
  for (size_t i = 0; i < planner->call_count; i++) {
    struct jr_planned_call *call = &planner->calls[i];
    MlirAttribute site = mlirIntegerAttrGet(i64, call->site);
    if (!call->is_static) {
      mlirOperationSetDiscardableAttributeByName(call->op, jr_ref(JR_ATTR_SITE),
                                                 site);
      continue;
    }
    MlirNamedAttribute attribute = jr_named(unit->context, "index", site);
    MlirOperationState state =
        mlirOperationStateGet(mlirIdentifierStr(unit->names.site_marker),
                              mlirOperationGetLocation(call->op));
    mlirOperationStateAddAttributes(&state, 1, &attribute);
    mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(call->op),
                                        call->op, mlirOperationCreate(&state));
    mlirOperationDestroy(call->op);
  }
  for (size_t i = 0; i < planner->dead_count; i++)
    mlirOperationDestroy(planner->dead[i]);
}

static size_t count_returns(const struct jr_unit *unit, MlirRegion body) {
  size_t count = 0;
  for (MlirBlock block = mlirRegionGetFirstBlock(body); !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block))
    count += jr_is(mlirBlockGetTerminator(block), unit->names.func_return);
  return count;
}

static jitrun_error_t *plan_body(struct jr_planner *planner) {
  struct jr_unit *unit = planner->unit;
  struct jr_function *function = planner->function;
  MlirRegion body = mlirOperationGetRegion(function->op, 0);
  MlirBlock block = mlirRegionGetFirstBlock(body);
  bool is_entry = function->entry != JR_NONE;
  function->native = !is_entry;
  function->first_site = jr_table_count(&unit->table, JR_SECTION_SITES);
  planner->return_count = count_returns(planner->unit, body);
  JITRUN_TRY(plan_block(planner, block, is_entry));
  for (block = mlirBlockGetNextInRegion(block); !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block))
    JITRUN_TRY(plan_block(planner, block, false));
  function->site_count =
      jr_table_count(&unit->table, JR_SECTION_SITES) - function->first_site;
  JITRUN_TRY(jr_plan_temps(planner));
  return NULL;
}

static jitrun_error_t *plan_function(struct jr_planner *planner,
                                     struct jr_unit *unit,
                                     struct jr_function *function) {
  planner->unit = unit;
  planner->function = function;
  if (function->entry != JR_NONE)
    JITRUN_TRY(jr_plan_entry(unit, function));
  return plan_body(planner);
}

/// Plans the entries, then what they call, then what that calls: planning a
/// function adds those that it calls to the list.
static jitrun_error_t *plan_reached(struct jr_unit *unit,
                                    struct jr_planner *planners) {
  for (size_t i = 0; i < unit->reached_count; i++)
    JITRUN_TRY(
        plan_function(&planners[i], unit, &unit->functions[unit->reached[i]]));
  return jr_plan_thunks(unit, planners);
}

/// Functions become what code is made of: from here on they are no longer as
/// they were written.
static void mark_native(struct jr_unit *unit, struct jr_planner *planners) {
  for (size_t i = 0; i < unit->reached_count; i++) {
    if (!planners[i].function->native)
      continue;
    unit->has_native = true;
    mark_calls(&planners[i]);
  }
}

static jitrun_error_t *plan_all(struct jr_unit *unit) {
  struct jr_planner *planners =
      jr_arena_zalloc(&unit->arena, unit->function_count + 1, sizeof *planners);
  if (!planners)
    return jr_error_no_memory();
  jitrun_error_t *error = plan_reached(unit, planners);
  if (!error)
    mark_native(unit, planners);
  for (size_t i = 0; i < unit->function_count; i++) {
    free(planners[i].temps);
    free(planners[i].calls);
    free(planners[i].dead);
  }
  return error;
}

/// Says of each function that could have been an entry why it is none.
static jitrun_error_t *note_skipped(struct jr_unit *unit,
                                    /*own*/ jitrun_error_t *error) {
  struct jr_table_writer *table = &unit->table;
  const unsigned char *strings = table->sections[JR_SECTION_STRINGS].data;
  uint32_t count = jr_table_count(table, JR_SECTION_SKIPPED);
  for (uint32_t i = 0; i < count && i < MAX_NOTES; i++) {
    const struct jr_skipped *skipped =
        jr_table_at(table, JR_SECTION_SKIPPED, i);
    error = jr_error_note(error, "'%s' is none: %s", strings + skipped->name,
                          strings + skipped->reason);
  }
  return error;
}

jitrun_error_t *jr_plan(struct jr_unit *unit) {
  JITRUN_TRY(jr_narrow_switches(unit));
  JITRUN_TRY(jr_split_called_entries(unit));
  JITRUN_TRY(find_functions(unit));
  JITRUN_TRY(plan_all(unit));
  if (jr_table_count(&unit->table, JR_SECTION_ENTRIES) == 0)
    return note_skipped(
        unit,
        jr_error_op(unit, mlirModuleGetOperation(unit->module),
                    JITRUN_INVALID_ARGUMENT,
                    "the program exports no function: give one a body and "
                    "public visibility, or the attribute rt.exported"));
  return NULL;
}
