/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See apart.h. What thunks can run has no code of its own, so their records
/// tell all that an entry does.
#include "runtime/apart.h"

#include <stdio.h>

enum { REASON_SIZE = 512 };

static const char *name_kind(uint32_t kind) {
  switch (kind) {
  case JR_ALLOC_CONSTANT:
  case JR_ALLOC_FILE:
    return "a constant";
  case JR_ALLOC_TEMP:
    return "temporary memory";
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
      if (arg->kind == JR_ARG_SLICE &&
          table->allocs[arg->index].kind != JR_ALLOC_PARAM &&
          table->allocs[arg->index].kind != JR_ALLOC_LIVE_OUT)
        what = name_kind(table->allocs[arg->index].kind);
      else if (arg->kind == JR_ARG_BUFFER ||
               (arg->kind == JR_ARG_RESULT && type->kind == JITRUN_KIND_BUFFER))
        what = "a buffer that a custom call makes";
      if (!what)
        continue;
      (void)snprintf(text, REASON_SIZE, "custom call '%.300s' uses %s", target,
                     what);
      return text;
    }
  }
  return NULL;
}

static const char *find_reason(const struct jr_table *table,
                               const struct jr_entry *entry,
                               char text[REASON_SIZE]) {
  if (entry->thunks_refused)
    return jr_table_string(table, entry->thunks_refused);
  const char *reason = find_result_reason(table, entry);
  for (uint32_t i = 0; i < entry->thunk_count && !reason; i++) {
    const struct jr_thunk *thunk = &table->thunks[entry->first_thunk + i];
    if (thunk->kind == JR_THUNK_RUN)
      reason = find_site_reason(table, thunk, text);
    else if (thunk->kind != JR_THUNK_PASS && thunk->kind != JR_THUNK_RETURN)
      reason = "it decides for itself what to run";
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
