/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// jitrun compile: ahead of time, to a file.
#include "depfile.h"
#include "open.h"
#include "option_emit.h"
#include "verbs.h"

#include "base/error.h"
#include "jitrun/compile.h"

#include <string.h>

static jitrun_error_t *compile_all(struct jr_options *options,
                                   jitrun_compile_options_t *compile_options) {
  const char *outputs[JR_EMIT_COUNT];
  if (options->emit_count > 1 && strcmp(options->file, "-") == 0)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "standard input is read once: --emit takes one kind of it");
  for (size_t i = 0; i < options->emit_count; i++)
    JITRUN_TRY(jr_emit_path(options, i, &outputs[i]));
  for (size_t i = 0; i < options->emit_count; i++) {
    compile_options->emit = options->emits[i];
    JITRUN_TRY(jitrun_compile_file(options->file, outputs[i], compile_options));
  }
  return jr_depfile_write(options, outputs, options->emit_count);
}

enum jr_exit jr_verb_compile(struct jr_options *options,
                             struct jr_watch *watch) {
  bool has_plugins = options->plugins.count + options->shared_libs.count > 0;
  struct jr_observe observe;
  jitrun_compile_options_t compile_options = {
      .size = sizeof compile_options,
      .emit = options->emits[0],
      .opt_level = options->opt_level,
      .cpu = options->cpu,
      .target = options->target,
      .prefix = options->prefix,
      .constants = options->constants,
      .source_name = options->source_name,
      .check = options->check,
      .debug_info = options->debug_info,
      .no_code = options->executor == JITRUN_EXECUTOR_THUNKS,
      .registry = has_plugins ? jitrun_registry_default() : NULL,
  };
  jitrun_error_t *error = jr_observe_open(options, watch, &observe);
  compile_options.observer = jr_observe_get(&observe);
  if (!error)
    error = jr_load_plugins(options, watch);
  jr_watch_enter(watch, "compiling '%s'", options->file);
  if (!error)
    error = jr_observe_settle(&observe, compile_all(options, &compile_options));
  for (size_t i = 0; !error && options->stats && i < JR_STAGE_COUNT; i++) {
    if (observe.costs[i].name)
      jr_report_stage(&observe.costs[i]);
  }
  jr_observe_close(&observe);
  return jr_report(jr_note_plugin(error), options);
}
