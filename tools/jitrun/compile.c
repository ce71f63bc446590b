/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// jitrun compile: ahead of time, to a file.
#include "open.h"
#include "verbs.h"

#include "jitrun/compile.h"

enum jr_exit jr_verb_compile(struct jr_options *options,
                             struct jr_watch *watch) {
  bool has_plugins = options->plugins.count + options->shared_libs.count > 0;
  const jitrun_compile_options_t compile_options = {
      .size = sizeof compile_options,
      .emit = options->emit,
      .opt_level = options->opt_level,
      .cpu = options->cpu,
      .target = options->target,
      .prefix = options->prefix,
      .check = options->check,
      .registry = has_plugins ? jitrun_registry_default() : NULL,
  };
  jitrun_error_t *error = jr_load_plugins(options, watch);
  jr_watch_enter(watch, "compiling '%s'", options->file);
  if (!error)
    error =
        jitrun_compile_file(options->file, options->out_path, &compile_options);
  return jr_report(jr_note_plugin(error), options);
}
