/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Checking images: thunks and their control flow. A site is run by one thunk
/// at most, and whatever is not fixed in it was passed to it before, by a thunk
/// of the same owner that runs whenever the call does: earlier in the same
/// body, or in one around it. See table_check.c.
#include "runtime/table_check_thunk.h"

#include "base/alloc.h"

#include <stdlib.h>

static jitrun_error_t *check_body(struct jr_thunk_check *check, uint32_t first,
                                  uint32_t count, uint32_t depth);

jitrun_error_t *jr_thunk_refuse(const struct jr_thunk_check *check,
                                uint32_t index, const char *cause) {
  const struct jr_thunk *thunk = &check->table->thunks[index];
  bool is_entry = check->entry != JR_NONE;
  return jr_error(
      JITRUN_DATA_LOSS,
      "damaged image: thunk %u (kind %u, %u, %llu, %llu) of %s %u %s", index,
      thunk->kind, thunk->target, (unsigned long long)thunk->first,
      (unsigned long long)thunk->count, is_entry ? "entry" : "computation",
      is_entry ? check->entry : check->computation, cause);
}

void jr_thunk_learn(struct jr_thunk_check *check, uint64_t item) {
  if (jr_thunk_knows(check, item))
    return;
  check->known[item] = check->owner;
  check->log[check->log_count++] = item;
}

bool jr_thunk_knows(const struct jr_thunk_check *check, uint64_t item) {
  return check->known[item] == check->owner;
}

/// Forgets what was learned since there were so many.
static void forget(struct jr_thunk_check *check, uint64_t count) {
  while (check->log_count > count)
    check->known[check->log[--check->log_count]] = 0;
}

/// True when a site belongs to the entry, or to any, and has its arguments.
static bool can_run(const struct jr_thunk_check *check, uint64_t index) {
  const struct jr_table *table = check->table;
  const struct jr_site *site = &table->sites[index];
  uint32_t owner = jr_table_site_entry(table, index);
  if (check->ran[index] || (owner != JR_NONE && owner != check->entry))
    return false;
  for (uint32_t i = site->first_arg; i < site->first_arg + site->arg_count; i++)
    if (jr_is_passed(&table->args[i]) && !jr_thunk_knows(check, i))
      return false;
  return true;
}

/// Handles that calls return are owned by the execution, which only code sees
/// to.
static bool returns_handle(const struct jr_table *table,
                           const struct jr_site *site) {
  const struct jr_arg *results =
      table->args + site->first_arg + site->arg_count;
  for (uint32_t i = 0; i < site->result_count; i++) {
    if (jr_table_type(table, results[i].type)->kind >= JITRUN_KIND_TOKEN)
      return true;
  }
  return false;
}

static jitrun_error_t *check_run(struct jr_thunk_check *check, uint32_t index) {
  const struct jr_table *table = check->table;
  const struct jr_thunk *thunk = &table->thunks[index];
  if (thunk->first > table->site_count ||
      thunk->count > table->site_count - thunk->first)
    return jr_thunk_refuse(check, index, "runs calls that are not there");
  for (uint64_t i = thunk->first; i < thunk->first + thunk->count; i++) {
    const struct jr_site *site = &table->sites[i];
    if (!can_run(check, i))
      return jr_thunk_refuse(check, index,
                             "runs a call again, one of another entry, or one "
                             "whose arguments were not passed");
    if (returns_handle(table, site))
      return jr_thunk_refuse(check, index,
                             "runs a call that returns a token or an async "
                             "value, which only code does");
    check->ran[i] = 1;
    for (uint32_t k = 0; k < site->result_count; k++)
      jr_thunk_learn(check, (uint64_t)site->first_arg + site->arg_count + k);
  }
  return NULL;
}

/// True when `from` is a result of a call that ran.
static bool is_there(const struct jr_thunk_check *check, uint64_t from) {
  const struct jr_table *table = check->table;
  return from < table->arg_count && table->args[from].kind == JR_ARG_RESULT &&
         jr_thunk_knows(check, from);
}

static jitrun_error_t *check_pass(struct jr_thunk_check *check,
                                  uint32_t index) {
  const struct jr_table *table = check->table;
  const struct jr_thunk *thunk = &table->thunks[index];
  if (!is_there(check, thunk->from) || thunk->to >= table->arg_count ||
      !jr_is_passed(&table->args[thunk->to]) ||
      table->args[thunk->to].type != table->args[thunk->from].type)
    return jr_thunk_refuse(check, index,
                           "passes on no result, or to no argument");
  jr_thunk_learn(check, thunk->to);
  return NULL;
}

static jitrun_error_t *check_return(struct jr_thunk_check *check,
                                    uint32_t index) {
  const struct jr_table *table = check->table;
  const struct jr_thunk *thunk = &table->thunks[index];
  if (!is_there(check, thunk->from) ||
      !jr_is_answer(check, thunk->to, table->args[thunk->from].type))
    return jr_thunk_refuse(check, index, "returns no result of a call");
  jr_thunk_learn(check, table->arg_count + thunk->to);
  return NULL;
}

/// Notes how deep it goes here.
static jitrun_error_t *check_depth(struct jr_thunk_check *check, uint32_t index,
                                   uint32_t depth) {
  if (depth > JR_TABLE_MAX_NEST)
    return jr_thunk_refuse(check, index, "is nested too deep");
  if (depth > check->deepest)
    check->deepest = depth;
  return NULL;
}

static jitrun_error_t *check_call(struct jr_thunk_check *check, uint32_t index,
                                  uint32_t depth) {
  uint32_t callee = check->table->thunks[index].a;
  bool is_behind = check->computation == JR_NONE || callee > check->computation;
  if (callee >= check->table->computation_count || !is_behind)
    return jr_thunk_refuse(check, index, "calls no computation behind it");
  return check_depth(check, index, depth + 1 + check->depths[callee]);
}

/// The branches of a case are its whole body; the last one may be for all that
/// is left.
static jitrun_error_t *check_case(struct jr_thunk_check *check, uint32_t index,
                                  uint32_t depth) {
  const struct jr_thunk *thunks = check->table->thunks;
  uint32_t end = index + 1 + thunks[index].d;
  uint32_t at = index + 1;
  for (uint32_t i = 0; i < thunks[index].c; i++) {
    uint64_t before = check->log_count;
    if (at >= end || thunks[at].kind != JR_THUNK_BRANCH || thunks[at].c > 1 ||
        (thunks[at].c == 1 && i + 1 < thunks[index].c) ||
        thunks[at].d > end - at - 1)
      return jr_thunk_refuse(check, index, "has other branches than it says");
    JITRUN_TRY(check_body(check, at + 1, thunks[at].d, depth + 1));
    forget(check, before);
    at += 1 + thunks[at].d;
  }
  return at == end
             ? NULL
             : jr_thunk_refuse(check, index, "has other branches than it says");
}

/// A nest, whose body was found to lie in the one around it.
static jitrun_error_t *check_nest(struct jr_thunk_check *check, uint32_t index,
                                  uint32_t depth) {
  const struct jr_thunk *thunk = &check->table->thunks[index];
  uint64_t before = check->log_count;
  JITRUN_TRY(check_depth(check, index, depth + 1));
  JITRUN_TRY(jr_check_nest(check, index));
  if (thunk->kind == JR_THUNK_CASE)
    return check_case(check, index, depth);
  uint32_t head = thunk->kind == JR_THUNK_WHILE ? thunk->c : 0;
  JITRUN_TRY(check_body(check, index + 1, head, depth + 1));
  JITRUN_TRY(check_body(check, index + 1 + head, thunk->d - head, depth + 1));
  forget(check, before);
  return NULL;
}

static jitrun_error_t *check_thunk(struct jr_thunk_check *check, uint32_t index,
                                   uint32_t depth) {
  switch (check->table->thunks[index].kind) {
  case JR_THUNK_RUN:
    return check_run(check, index);
  case JR_THUNK_PASS:
    return check_pass(check, index);
  case JR_THUNK_RETURN:
    return check_return(check, index);
  case JR_THUNK_CALL:
    return check_call(check, index, depth);
  case JR_THUNK_FOR:
  case JR_THUNK_FOR_UNSIGNED:
  case JR_THUNK_WHILE:
  case JR_THUNK_CASE:
    return check_nest(check, index, depth);
  case 0:
  case JR_THUNK_BRANCH:
    return jr_thunk_refuse(check, index, "is of no kind that can stand there");
  default:
    return check->table->thunks[index].kind <= JR_THUNK_ASSERT
               ? jr_check_value(check, index)
               : jr_thunk_refuse(check, index, "is of no kind that is known");
  }
}

/// The thunks [first, first + count), one after the other.
static jitrun_error_t *check_body(struct jr_thunk_check *check, uint32_t first,
                                  uint32_t count, uint32_t depth) {
  uint32_t end = first + count;
  for (uint32_t at = first; at < end;) {
    uint32_t nested = jr_thunk_nested(&check->table->thunks[at]);
    if (nested > end - at - 1)
      return jr_thunk_refuse(check, at, "has a body that does not end in time");
    JITRUN_TRY(check_thunk(check, at, depth));
    at += 1 + nested;
  }
  return NULL;
}

/// What thunks do not return, an entry cannot return without code.
static jitrun_error_t *check_results(const struct jr_thunk_check *check) {
  const struct jr_table *table = check->table;
  const struct jr_entry *entry = &table->entries[check->entry];
  uint32_t first = entry->first_param + entry->param_count;
  for (uint32_t i = first;
       entry->thunks_refused == 0 && i < first + entry->result_count; i++) {
    if (table->params[i].alloc == JR_NONE &&
        !jr_thunk_knows(check, (uint64_t)table->arg_count + i))
      return jr_error(JITRUN_DATA_LOSS,
                      "damaged image: entry %u has a result that its thunks do "
                      "not return, and does not refuse them",
                      check->entry);
  }
  return NULL;
}

/// Computations from the last one on: each calls only those behind it.
static jitrun_error_t *check_computations(struct jr_thunk_check *check) {
  const struct jr_table *table = check->table;
  check->entry = JR_NONE;
  for (uint32_t i = table->computation_count; i-- > 0;) {
    check->computation = i;
    check->owner = table->entry_count + i + 1;
    check->deepest = 0;
    JITRUN_TRY(check_body(check, table->computations[i].first_thunk,
                          table->computations[i].thunk_count, 0));
    check->depths[i] = check->deepest;
    forget(check, 0);
  }
  return NULL;
}

static jitrun_error_t *check_all(struct jr_thunk_check *check) {
  const struct jr_table *table = check->table;
  JITRUN_TRY(jr_check_registers(table));
  JITRUN_TRY(check_computations(check));
  check->computation = JR_NONE;
  for (uint32_t entry = 0; entry < table->entry_count; entry++) {
    check->entry = entry;
    check->owner = entry + 1;
    JITRUN_TRY(check_body(check, table->entries[entry].first_thunk,
                          table->entries[entry].thunk_count, 0));
    JITRUN_TRY(check_results(check));
    forget(check, 0);
  }
  return NULL;
}

jitrun_error_t *jr_check_thunks(const struct jr_table *table) {
  size_t items = (size_t)table->arg_count + table->param_count + 1;
  struct jr_thunk_check check = {
      .table = table,
      .ran = jr_calloc(table->site_count + 1, 1),
      .known = jr_calloc(items, sizeof(uint32_t)),
      .log = jr_calloc(items, sizeof(uint64_t)),
      .depths =
          jr_calloc((size_t)table->computation_count + 1, sizeof(uint32_t))};
  bool has_memory = check.ran && check.known && check.log && check.depths;
  jitrun_error_t *err = has_memory ? check_all(&check) : jr_error_no_memory();
  free(check.ran);
  free(check.known);
  free(check.log);
  free(check.depths);
  return err;
}
