/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See apart.h. What thunks can run has no code of its own, so their records
/// tell all that an entry does.
#include "runtime/apart.h"

#include <stdio.h>

enum { REASON_SIZE = 512 };

/// What memory is called that the host has; NULL: the device has it.
static const char *name_kind(uint32_t kind) {
  switch (kind) {
  case JR_ALLOC_PARAM:
  case JR_ALLOC_LIVE_OUT:
  case JR_ALLOC_TEMP:
    return NULL;
  case JR_ALLOC_CONSTANT:
  case JR_ALLOC_FILE:
    return "a constant";
  default:
    return "a global variable";
  }
}

/// Why the host would have to touch a result; NULL: it need not.
static const char *find_result_reason(const struct jr_table *table,
                                      const struct jr_entry *entry) {
  for (uint32_t i = 0; i < entry->result_count; i++) {
    const struct jr_param *result =
        &table->params[entry->first_param + entry->param_count + i];
    if (result->flags & JR_RESULT_COPY)
      return "it returns what it was given, a constant, or one value twice";
    if (result->flags & JR_RESULT_STORED)
      return "it returns a buffer that it does not make itself";
  }
  return NULL;
}

/// The same of the sites [first, first + count). `text` has room.
static const char *find_site_reason(const struct jr_table *table,
                                    const struct jr_thunk *run,
                                    char text[REASON_SIZE]) {
  for (uint64_t i = run->first; i < run->first + run->count; i++) {
    const struct jr_site *site = &table->sites[i];
    const char *target = jr_table_string(table, site->target);
    for (uint32_t j = 0; j < site->arg_count + site->result_count; j++) {
      const struct jr_arg *arg = &table->args[site->first_arg + j];
      const jitrun_type_t *type = jr_table_type(table, arg->type);
      const char *what = NULL;
      if (arg->kind == JR_ARG_SLICE)
        what = name_kind(table->allocs[arg->index].kind);
      else if (arg->kind == JR_ARG_RESULT && type->kind == JITRUN_KIND_BUFFER)
        what = "a buffer that it makes";
      if (!what)
        continue;
      (void)snprintf(text, REASON_SIZE, "custom call '%.300s' uses %s", target,
                     what);
      return text;
    }
  }
  return NULL;
}

static const char *find_address_reason(const struct jr_table *table,
                                       const struct jr_thunk *address,
                                       char text[REASON_SIZE]) {
  const char *what = name_kind(table->allocs[address->a].kind);
  if (!what)
    return NULL;
  (void)snprintf(text, REASON_SIZE, "it uses %s", what);
  return text;
}

/// Why thunks cannot work where the host sees no memory: they may reckon with
/// addresses, but not look there.
static const char *find_thunk_reason(const struct jr_table *table,
                                     const struct jr_thunk *thunk,
                                     char text[REASON_SIZE]) {
  switch (thunk->kind) {
  case JR_THUNK_RUN:
    return find_site_reason(table, thunk, text);
  case JR_THUNK_ADDRESS:
    return find_address_reason(table, thunk, text);
  case JR_THUNK_LOAD:
  case JR_THUNK_STORE:
    return "it loads or stores elements";
  case JR_THUNK_COPY:
  case JR_THUNK_FILL:
    return "it copies or fills memory; call something that does";
  default:
    return NULL;
  }
}

static const char *find_reason(const struct jr_table *table,
                               const struct jr_entry *entry,
                               char text[REASON_SIZE]) {
  const struct jr_thunk *thunks = &table->thunks[entry->first_thunk];
  bool has_calls = false;
  if (entry->thunks_refused)
    return jr_table_string(table, entry->thunks_refused);
  const char *reason = find_result_reason(table, entry);
  for (uint32_t i = 0; i < entry->thunk_count && !reason; i++) {
    has_calls = has_calls || thunks[i].kind == JR_THUNK_CALL;
    reason = find_thunk_reason(table, &thunks[i], text);
  }
  // All of them, called or not: what is called may call others.
  for (uint32_t i = 0; has_calls && i < table->computation_count; i++) {
    const struct jr_computation *computation = &table->computations[i];
    for (uint32_t j = 0; j < computation->thunk_count && !reason; j++)
      reason = find_thunk_reason(
          table, &table->thunks[computation->first_thunk + j], text);
  }
  return reason;
}

jitrun_error_t *jr_entry_check_apart(const jitrun_program_t *program,
                                     uint32_t entry) {
  const struct jr_table *table = &program->table;
  const struct jr_entry *record = &table->entries[entry];
  char text[REASON_SIZE];
  const char *reason = find_reason(table, record, text);
  if (!reason)
    return NULL;
  return jr_error(JITRUN_UNIMPLEMENTED,
                  "entry '%s' cannot run on platform '%s', whose memory the "
                  "host cannot use, since part of it is work of the host: %s",
                  jr_table_string(table, record->name), program->platform,
                  reason);
}
