/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What thunks do for an entry: they run its sites in order, and hand results
/// of calls on to later calls and to the caller.
#include "jit/plan.h"

#include "base/alloc.h"
#include "base/dtype.h"
#include "runtime/table_query.h"

#include "mlir-c/BuiltinAttributes.h"

/// The index in SECTION_ARGS of a result of a custom call; JR_NONE for other
/// values.
static uint32_t find_call_result(MlirValue value) {
  if (!mlirValueIsAOpResult(value))
    return JR_NONE;
  MlirAttribute first = mlirOperationGetDiscardableAttributeByName(
      mlirOpResultGetOwner(value), jr_ref(JR_ATTR_RESULTS));
  if (mlirAttributeIsNull(first))
    return JR_NONE;
  return (uint32_t)mlirIntegerAttrGetValueInt(first) +
         (uint32_t)mlirOpResultGetResultNumber(value);
}

static bool push_thunk(struct jr_planner *planner, struct jr_thunk thunk,
                       uint64_t site) {
  struct jr_thunk *thunks = jr_grow(planner->thunks, &planner->thunk_capacity,
                                    planner->thunk_count, sizeof *thunks);
  if (!thunks)
    return false;
  planner->thunks = thunks;
  uint64_t *sites =
      jr_grow(planner->thunk_sites, &planner->thunk_sites_capacity,
              planner->thunk_count, sizeof *sites);
  if (!sites)
    return false;
  planner->thunk_sites = sites;
  thunks[planner->thunk_count] = thunk;
  sites[planner->thunk_count++] = site;
  return true;
}

bool jr_plan_hand_on(struct jr_planner *planner, MlirValue value,
                     enum jr_thunk_kind kind, uint64_t to, uint64_t site) {
  uint32_t from = find_call_result(value);
  if (from == JR_NONE)
    return false;
  struct jr_thunk thunk = {.kind = kind, .from = from, .to = to};
  return planner->function->entry != JR_NONE &&
         push_thunk(planner, thunk, site);
}

/// Appends a thunk to the table, and counts it with the entry.
static bool write_thunk(struct jr_planner *planner, struct jr_thunk thunk) {
  struct jr_table_writer *table = &planner->unit->table;
  struct jr_thunk *record = jr_table_add(table, JR_SECTION_THUNKS, 1);
  struct jr_entry *entry =
      jr_table_at(table, JR_SECTION_ENTRIES, planner->function->entry);
  if (!record)
    return false;
  *record = thunk;
  entry->thunk_count++;
  return true;
}

/// Runs sites [*first, end), if there are any.
static bool write_run(struct jr_planner *planner, uint64_t *first,
                      uint64_t end) {
  struct jr_thunk run = {
      .kind = JR_THUNK_RUN, .first = *first, .count = end - *first};
  *first = end;
  return run.count == 0 || write_thunk(planner, run);
}

/// Run-time words of results, in their order.
static void place_words(struct jr_planner *planner) {
  struct jr_table_writer *table = &planner->unit->table;
  struct jr_entry *entry =
      jr_table_at(table, JR_SECTION_ENTRIES, planner->function->entry);
  entry->result_words = 0;
  for (uint32_t i = 0; i < entry->result_count; i++) {
    struct jr_param *param = jr_table_at(
        table, JR_SECTION_PARAMS, entry->first_param + entry->param_count + i);
    const jitrun_type_t *type = jr_table_written_type(table, param->type);
    param->first_word = entry->result_words;
    if (jr_type_is_word(type))
      entry->result_words++;
    else if (param->flags & JR_RESULT_STORED)
      entry->result_words += 1 + jr_type_dynamic_count(type);
  }
}

jitrun_error_t *jr_plan_thunks(struct jr_planner *planner) {
  struct jr_table_writer *table = &planner->unit->table;
  const struct jr_function *function = planner->function;
  struct jr_entry *entry =
      jr_table_at(table, JR_SECTION_ENTRIES, function->entry);
  uint64_t next = function->first_site;
  uint64_t end = next + function->site_count;
  bool done = true;
  place_words(planner);
  entry->first_thunk = jr_table_count(table, JR_SECTION_THUNKS);
  if (planner->is_refused)
    return NULL;
  for (size_t i = 0; done && i < planner->thunk_count; i++) {
    uint64_t before = planner->thunk_sites[i];
    done = write_run(planner, &next, before < end ? before : end) &&
           write_thunk(planner, planner->thunks[i]);
  }
  return done && write_run(planner, &next, end) ? NULL : jr_error_no_memory();
}
