/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// jitrun compile: ahead of time, to a file.
#include "open.h"
#include "verbs.h"

#include "base/error.h"
#include "jitrun/compile.h"

#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 4096 };

/// Where one of several kinds goes: OUT with its ending.
static const char *choose_path(const struct jr_options *options, size_t index,
                               char buffer[PATH_SIZE]) {
  if (options->emit_count == 1)
    return options->out_path;
  (void)snprintf(buffer, PATH_SIZE, "%s%s", options->out_path,
                 jr_emit_suffix(options->emits[index]));
  return buffer;
}

static jitrun_error_t *compile_all(const struct jr_options *options,
                                   jitrun_compile_options_t *compile_options) {
  char buffer[PATH_SIZE];
  if (strlen(options->out_path) > PATH_SIZE - 16)
    return jr_error(JITRUN_INVALID_ARGUMENT, "-o: the name is too long");
  if (options->emit_count > 1 && strcmp(options->file, "-") == 0)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "standard input is read once: --emit takes one kind of it");
  for (size_t i = 0; i < options->emit_count; i++) {
    compile_options->emit = options->emits[i];
    JITRUN_TRY(jitrun_compile_file(
        options->file, choose_path(options, i, buffer), compile_options));
  }
  return NULL;
}

enum jr_exit jr_verb_compile(struct jr_options *options,
                             struct jr_watch *watch) {
  bool has_plugins = options->plugins.count + options->shared_libs.count > 0;
  struct jr_observe observe;
  jitrun_compile_options_t compile_options = {
      .size = sizeof compile_options,
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
