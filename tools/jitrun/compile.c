/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// jitrun compile: ahead of time, to a file.
#include "open.h"
#include "verbs.h"

#include "jitrun/compile.h"

enum jr_exit jr_verb_compile(struct jr_options *options,
                             struct jr_watch *watch) {
  bool has_plugins = options->plugins.count + options->shared_libs.count > 0;
  struct jr_observe observe;
  jitrun_compile_options_t compile_options = {
      .size = sizeof compile_options,
      .emit = options->emit,
      .opt_level = options->opt_level,
      .cpu = options->cpu,
      .target = options->target,
      .prefix = options->prefix,
      .stage = options->emit == JITRUN_EMIT_MLIR ? "llvm" : NULL,
      .constants = options->constants,
      .source_name = options->source_name,
      .check = options->check,
      .debug_info = options->debug_info,
      .registry = has_plugins ? jitrun_registry_default() : NULL,
  };
  jitrun_error_t *error = jr_observe_open(options, watch, &observe);
  compile_options.observer = jr_observe_get(&observe);
  if (!error)
    error = jr_load_plugins(options, watch);
  jr_watch_enter(watch, "compiling '%s'", options->file);
  if (!error)
    error = jr_observe_settle(&observe, jitrun_compile_file(options->file,
                                                            options->out_path,
                                                            &compile_options));
  for (size_t i = 0; !error && options->stats && i < JR_STAGE_COUNT; i++) {
    if (observe.costs[i].name)
      jr_report_stage(&observe.costs[i]);
  }
  jr_observe_close(&observe);
  return jr_report(jr_note_plugin(error), options);
}
