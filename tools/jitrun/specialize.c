/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See specialize.h.
#include "specialize.h"

#include "open.h"

#include <string.h>

static bool is_dynamic(const jitrun_type_t *type) {
  const int64_t *dims = jitrun_type_dims(type);
  for (uint32_t i = 0; i < type->rank; i++) {
    if (dims[i] == JITRUN_DYNAMIC)
      return true;
  }
  return false;
}

bool jr_asks_for_more(const jitrun_entry_t *entry) {
  for (size_t i = 0; i < entry->param_count; i++) {
    const jitrun_value_info_t *param = &entry->params[i];
    if (param->constraint == JITRUN_CONSTRAINT_VALUE ||
        (param->constraint == JITRUN_CONSTRAINT_SHAPE &&
         param->type->kind == JITRUN_KIND_BUFFER && is_dynamic(param->type)))
      return true;
  }
  return false;
}

/// Opens the program to look at, for errors that list its entries. Standard
/// input cannot be read twice.
static jitrun_error_t *find_entry(const struct jr_options *options,
                                  jitrun_program_t **out_program,
                                  const char **out_name) {
  jitrun_open_options_t open_options = jr_open_options(options);
  open_options.executor = JITRUN_EXECUTOR_THUNKS;
  open_options.inspect_only = true;
  const jitrun_entry_t *entry;
  *out_name = options->entry;
  if (strcmp(options->file, "-") == 0)
    return NULL;
  JITRUN_TRY(
      jitrun_program_open_file(options->file, &open_options, out_program));
  JITRUN_TRY(jr_find_entry(options, *out_program, &entry));
  *out_name = entry->name;
  return NULL;
}

jitrun_error_t *jr_open_specializer(const struct jr_options *options,
                                    struct jr_watch *watch,
                                    struct jr_observe *observe,
                                    jitrun_specializer_t **out_specializer) {
  jr_watch_enter(watch, "opening '%s'", options->file);
  jitrun_open_options_t open_options = jr_open_options(options);
  jr_observe_fill(observe, &open_options);
  jitrun_specialize_options_t specialize_options = {
      .size = sizeof specialize_options,
      .mode = options->specialize == JR_SPECIALIZE_NEVER
                  ? JITRUN_SPECIALIZE_DISABLED
                  : JITRUN_SPECIALIZE_ALWAYS};
  jitrun_program_t *program = NULL;
  jitrun_error_t *error =
      find_entry(options, &program, &specialize_options.entry);
  if (!error)
    error = jitrun_specializer_open_file(options->file, &open_options,
                                         &specialize_options, out_specializer);
  jitrun_program_release(program);
  return jr_note_plugin(error);
}
