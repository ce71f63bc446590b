/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Checking images: thunks. They run sites in order, and whatever is not fixed
/// in a site was passed to it before, by a thunk of the same entry. See
/// table_check.c.
#include "runtime/table_check.h"

#include "base/alloc.h"

#include <stdlib.h>

/// What the thunks of an entry have done so far.
struct progress {
  const struct jr_table *table;
  uint32_t entry;
  uint64_t cursor;  ///< first site that no thunk has run yet
  uint32_t *args;   ///< one an argument: 1 + the entry whose thunks have passed
                    ///< it, or run the call whose result it is
  uint32_t *params; ///< one a result: the same, of those that returned it
};

static jitrun_error_t *refuse(const struct progress *progress, uint32_t index,
                              const char *cause) {
  const struct jr_thunk *thunk = &progress->table->thunks[index];
  return jr_error(
      JITRUN_DATA_LOSS,
      "damaged image: thunk %u (kind %u, %llu, %llu) of entry %u %s", index,
      thunk->kind, (unsigned long long)thunk->first,
      (unsigned long long)thunk->count, progress->entry, cause);
}

static bool is_passed(const struct jr_arg *arg) {
  return arg->kind == JR_ARG_SCALAR || arg->kind == JR_ARG_BUFFER;
}

/// True when a site belongs to the entry, or to any, and has its arguments.
static bool can_run(const struct progress *progress, uint64_t index) {
  const struct jr_table *table = progress->table;
  const struct jr_site *site = &table->sites[index];
  uint32_t owner = jr_table_site_entry(table, index);
  if (owner != JR_NONE && owner != progress->entry)
    return false;
  for (uint32_t i = site->first_arg; i < site->first_arg + site->arg_count; i++)
    if (is_passed(&table->args[i]) && progress->args[i] != progress->entry + 1)
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

static jitrun_error_t *check_run(struct progress *progress, uint32_t index) {
  const struct jr_table *table = progress->table;
  const struct jr_thunk *thunk = &table->thunks[index];
  if (thunk->first < progress->cursor || thunk->first > table->site_count ||
      thunk->count > table->site_count - thunk->first)
    return refuse(progress, index, "runs calls that are not there, or again");
  progress->cursor = thunk->first + thunk->count;
  for (uint64_t i = thunk->first; i < progress->cursor; i++) {
    const struct jr_site *site = &table->sites[i];
    if (!can_run(progress, i))
      return refuse(progress, index,
                    "runs a call of another entry, or one whose arguments were "
                    "not passed");
    if (returns_handle(table, site))
      return refuse(progress, index,
                    "runs a call that returns a token or an async value, which "
                    "only code does");
    for (uint32_t k = 0; k < site->result_count; k++)
      progress->args[site->first_arg + site->arg_count + k] =
          progress->entry + 1;
  }
  return NULL;
}

/// True when `from` is a result of a call that ran.
static bool is_there(const struct progress *progress, uint64_t from) {
  const struct jr_table *table = progress->table;
  return from < table->arg_count && table->args[from].kind == JR_ARG_RESULT &&
         progress->args[from] == progress->entry + 1;
}

static jitrun_error_t *check_pass(struct progress *progress, uint32_t index) {
  const struct jr_table *table = progress->table;
  const struct jr_thunk *thunk = &table->thunks[index];
  if (!is_there(progress, thunk->from) || thunk->to >= table->arg_count ||
      !is_passed(&table->args[thunk->to]) ||
      table->args[thunk->to].type != table->args[thunk->from].type)
    return refuse(progress, index, "passes on no result, or to no argument");
  progress->args[thunk->to] = progress->entry + 1;
  return NULL;
}

static jitrun_error_t *check_return(struct progress *progress, uint32_t index) {
  const struct jr_table *table = progress->table;
  const struct jr_thunk *thunk = &table->thunks[index];
  const struct jr_entry *entry = &table->entries[progress->entry];
  uint64_t first = (uint64_t)entry->first_param + entry->param_count;
  if (!is_there(progress, thunk->from) || thunk->to < first ||
      thunk->to - first >= entry->result_count ||
      table->params[thunk->to].alloc != JR_NONE ||
      table->params[thunk->to].type != table->args[thunk->from].type)
    return refuse(progress, index, "returns no result of a call");
  progress->params[thunk->to] = progress->entry + 1;
  return NULL;
}

static jitrun_error_t *check_thunk(struct progress *progress, uint32_t index) {
  switch (progress->table->thunks[index].kind) {
  case JR_THUNK_RUN:
    return check_run(progress, index);
  case JR_THUNK_PASS:
    return check_pass(progress, index);
  case JR_THUNK_RETURN:
    return check_return(progress, index);
  default:
    return refuse(progress, index, "is of no kind that is known");
  }
}

/// Thunks compute nothing: what they do not return, an entry cannot return
/// without code.
static jitrun_error_t *check_results(const struct progress *progress) {
  const struct jr_table *table = progress->table;
  const struct jr_entry *entry = &table->entries[progress->entry];
  uint32_t first = entry->first_param + entry->param_count;
  for (uint32_t i = first;
       entry->thunks_refused == 0 && i < first + entry->result_count; i++) {
    if (table->params[i].alloc == JR_NONE &&
        progress->params[i] != progress->entry + 1)
      return jr_error(JITRUN_DATA_LOSS,
                      "damaged image: entry %u has a result that its thunks do "
                      "not return, and does not refuse them",
                      progress->entry);
  }
  return NULL;
}

static jitrun_error_t *check_all(struct progress *progress) {
  const struct jr_table *table = progress->table;
  for (uint32_t entry = 0; entry < table->entry_count; entry++) {
    const struct jr_entry *record = &table->entries[entry];
    progress->entry = entry;
    for (uint32_t i = 0; i < record->thunk_count; i++)
      JITRUN_TRY(check_thunk(progress, record->first_thunk + i));
    JITRUN_TRY(check_results(progress));
  }
  return NULL;
}

jitrun_error_t *jr_check_thunks(const struct jr_table *table) {
  struct progress progress = {
      .table = table,
      .args = jr_calloc((size_t)table->arg_count + 1, sizeof(uint32_t)),
      .params = jr_calloc((size_t)table->param_count + 1, sizeof(uint32_t))};
  jitrun_error_t *err = progress.args && progress.params ? check_all(&progress)
                                                         : jr_error_no_memory();
  free(progress.args);
  free(progress.params);
  return err;
}
