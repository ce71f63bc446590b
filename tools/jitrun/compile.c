/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// jitrun compile: ahead of time, to a file.
#include "verbs.h"

#include "jitrun/compile.h"

enum jr_exit jr_verb_compile(struct jr_options *options,
                             struct jr_watch *watch) {
  const jitrun_compile_options_t compile_options = {
      .size = sizeof compile_options,
      .emit = options->emit,
      .opt_level = options->opt_level,
      .cpu = options->cpu,
      .target = options->target,
      .prefix = options->prefix,
  };
  jr_watch_enter(watch, "compiling '%s'", options->file);
  return jr_report(
      jitrun_compile_file(options->file, options->out_path, &compile_options),
      options);
}
