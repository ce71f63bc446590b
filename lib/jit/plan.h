/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Planning: what the program is, written into the table. plan.c finds
/// functions and walks them, plan_entry.c writes signatures and memory,
/// plan_sites.c call sites, plan_thunks.c what runs entries without code.
#ifndef JR_JIT_PLAN_H
#define JR_JIT_PLAN_H

#include "jit/slices.h"

/// Attribute on calls whose operands native code stores: the site's index.
#define JR_ATTR_SITE "jitrun.site"

/// Attribute on calls whose last result is an i1: true when the call succeeded.
/// They do not leave the function on an error.
#define JR_ATTR_STATUS "jitrun.status"

/// Before the name of a custom call's attribute that func.call has one of.
#define JR_ATTR_CARRIED "jitrun.carried."

/// Attribute on a cf.assert whose message is all that an error says.
#define JR_ATTR_ERROR "jitrun.error"

/// Attribute on declarations of functions that native code calls by their name,
/// as MLIR's C interface does.
#define JR_ATTR_OUTSIDE "jitrun.outside"

/// Attribute on functions: the name that the entry has, which is not theirs.
#define JR_ATTR_ENTRY_NAME "jitrun.entry_name"

/// Attribute on calls that have results: the index of the first in
/// SECTION_ARGS.
#define JR_ATTR_RESULTS "jitrun.results"

/// Attribute on calls in an rt.trace: the index of its region, + 1.
#define JR_ATTR_REGION "jitrun.region"

/// Attribute on assertions that stand in the table: their index.
#define JR_ATTR_ASSERTION "jitrun.assertion"

/// A call that was planned, to be rewritten if its function needs code.
struct jr_planned_call {
  MlirOperation op;
  uint32_t site;
  bool is_static;
};

/// An allocation that gets a place in the arena once all its uses are known.
struct jr_placed_temp {
  MlirOperation op;
  uint32_t alloc;
};

/// State of planning one function.
struct jr_planner {
  struct jr_unit *unit;
  struct jr_function *function;
  struct jr_planned_call *calls;
  size_t call_count, call_capacity;
  MlirOperation *dead; ///< deallocations of placed memory
  size_t dead_count, dead_capacity;
  struct jr_placed_temp *temps;
  size_t temp_count, temp_capacity;
  uint64_t temp_bytes; ///< of their places, if all were behind each other
  size_t return_count; ///< places where the function returns
};

/// Writes the thunks of all entries, once all functions were walked: a planner
/// each, in the order in which they were reached.
jitrun_error_t *
jr_plan_thunks(struct jr_unit *unit,
               const struct jr_planner *planners) JITRUN_MUST_USE;

/// Writes what a failed assertion says, and where, once; false without memory.
/// native.c
bool jr_assertion_add(struct jr_unit *unit, MlirOperation op,
                      const char *message, int64_t *out_index);

/// The bits of a constant scalar; false for other values.
bool jr_constant_bits(const struct jr_unit *unit, MlirValue value,
                      jitrun_dtype_t dtype, uint64_t *out_bits);

/// The index in SECTION_PARAMS of an argument of an entry, or JR_NONE.
uint32_t jr_param_index(struct jr_unit *unit,
                        const struct jr_function *function, MlirValue value);

/// Gives every exported function that the program also calls a private copy for
/// those calls: an entry is called with an execution, not with arguments. Does
/// nothing the second time.
jitrun_error_t *jr_split_called_entries(struct jr_unit *unit) JITRUN_MUST_USE;

/// True when the function is marked as exported, in any spelling.
bool jr_is_marked(MlirOperation function);

/// True when the function is exported if any function of the module is marked
/// (`any_marked`), or if none is.
bool jr_is_exported(MlirOperation function, bool any_marked);

/// True when some function of the module is marked.
bool jr_any_marked(const struct jr_unit *unit);

/// The first operation `name` at or after `op` in its block; null when none.
MlirOperation jr_next_of(MlirOperation op, MlirIdentifier name);

/// The first operation `name` at the top of the module.
MlirOperation jr_first_of(const struct jr_unit *unit, MlirIdentifier name);

bool jr_has_body(MlirOperation function);

/// The function that a func.call calls.
MlirOperation jr_callee_of(const struct jr_unit *unit, MlirOperation call);

/// The same with what its declaration says, while planning, when no function
/// comes or goes: looked up once for many calls. Valid until the next call.
const struct jr_callee *jr_callee_find(struct jr_unit *unit,
                                       MlirOperation call);

MlirStringRef jr_symbol_name(MlirOperation op);

/// The attributes of argument `number`, a dictionary; null where it has none.
MlirAttribute jr_argument_attrs(MlirOperation function, intptr_t number);

/// What the function is called by those who run it.
MlirStringRef jr_entry_name(MlirOperation function);

/// True for a symbol that other modules do not see.
bool jr_is_private(MlirOperation op);

/// Writes the entry's record and parameters.
jitrun_error_t *jr_plan_entry(struct jr_unit *unit,
                              struct jr_function *function) JITRUN_MUST_USE;

/// Places an allocation of static size, when its lifetime allows that.
jitrun_error_t *jr_plan_alloc(struct jr_planner *planner, MlirOperation op,
                              bool at_top) JITRUN_MUST_USE;

/// Makes an allocation of the constant that a memref.get_global reads.
jitrun_error_t *jr_plan_global(struct jr_planner *planner,
                               MlirOperation op) JITRUN_MUST_USE;

/// Notes the alignment that the program asserts of an argument.
void jr_plan_alignment(struct jr_planner *planner, MlirOperation op);

/// Gives the temporaries of a function that was walked, and is not changed yet,
/// their places in the arena. lives.c
jitrun_error_t *jr_plan_temps(struct jr_planner *planner) JITRUN_MUST_USE;

/// True for an attribute that is there and not false.
bool jr_says(MlirOperation op, const char *name);

/// The target of a custom call's declaration in any spelling; null when it is
/// none.
MlirStringRef jr_call_target(MlirOperation declaration);

/// Connects results of the entry with what is returned.
void jr_plan_return(struct jr_planner *planner, MlirOperation op);

/// Writes the site of a custom call.
jitrun_error_t *jr_plan_site(struct jr_planner *planner, MlirOperation call,
                             const struct jr_callee *callee) JITRUN_MUST_USE;

#endif
