/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Opening programs for the verbs.
#include "open.h"

#include "option_platform.h"
#include "remote.h"
#include "report.h"

#include "base/dtype.h"
#include "base/files.h"
#include "base/library.h"
#include "base/strings.h"

#include <stdlib.h>
#include <string.h>

/// What a plug-in's library has.
struct plugin_kinds {
  bool has_calls, has_driver;
};

static struct plugin_kinds find_kinds(const char *path) {
  struct jr_dylib library = {0};
  struct plugin_kinds kinds = {.has_calls = true};
  jitrun_error_t *error = jr_library_open(path, &library);
  if (error) { // to be told by who loads it
    jitrun_error_free(error);
    return kinds;
  }
  kinds.has_driver = jr_dylib_find(&library, JITRUN_DRIVER_QUERY_NAME) != NULL;
  kinds.has_calls = !kinds.has_driver ||
                    jr_dylib_find(&library, JITRUN_PLUGIN_QUERY_NAME) != NULL;
  jr_dylib_close(&library);
  return kinds;
}

/// Custom calls, a driver, or both.
static jitrun_error_t *load_plugin(const struct jr_options *options,
                                   const char *path) {
  struct plugin_kinds kinds = find_kinds(path);
  if (kinds.has_calls)
    JITRUN_TRY(jitrun_registry_load_plugin(jitrun_registry_default(), path));
  return kinds.has_driver ? jitrun_platforms_load(options->platforms, path)
                          : NULL;
}

jitrun_error_t *jr_load_plugins(const struct jr_options *options,
                                struct jr_watch *watch) {
  for (size_t i = 0; i < options->plugins.count; i++) {
    const char *path = options->plugins.items[i];
    jr_watch_enter(watch, "loading plug-in '%s'", path);
    JITRUN_TRY(load_plugin(options, path));
  }
  for (size_t i = 0; i < options->shared_libs.count; i++) {
    const char *path = options->shared_libs.items[i];
    jr_watch_enter(watch, "loading library '%s'", path);
    JITRUN_TRY(jitrun_registry_add_library(jitrun_registry_default(), path));
  }
  return NULL;
}

/// Opens what comes from standard input.
static jitrun_error_t *open_stdin(const jitrun_open_options_t *options,
                                  jitrun_program_t **out_program) {
  struct jr_bytes bytes = {0};
  jitrun_error_t *error = jr_file_read("-", &bytes);
  if (!error)
    error = jitrun_program_open_memory(bytes.data, bytes.size, "<stdin>",
                                       options, out_program);
  jr_bytes_deinit(&bytes);
  return error;
}

jitrun_error_t *jr_note_plugin(jitrun_error_t *error) {
  if (jitrun_error_code(error) != JITRUN_NOT_FOUND ||
      !strstr(jitrun_error_message(error), "is not registered"))
    return error;
  return jr_error_note(error, "give the plug-in that has it with --plugin=LIB; "
                              "'jitrun calls' lists what is known");
}

/// Where compiled programs are kept; NULL: nowhere.
static const char *find_cache(const struct jr_options *options) {
  const char *folder =
      options->cache_dir ? options->cache_dir : getenv("JITRUN_CACHE_DIR");
  return folder && *folder ? folder : NULL;
}

jitrun_open_options_t jr_open_options(const struct jr_options *options) {
  bool executes =
      options->verb == JR_VERB_RUN || options->verb == JR_VERB_BENCH;
  return (jitrun_open_options_t){
      .size = sizeof(jitrun_open_options_t),
      .executor = options->executor,
      .opt_level = options->opt_level,
      .cpu = options->cpu,
      .inspect_only = options->verb == JR_VERB_INSPECT,
      .check = options->check,
      .signature = options->signature,
      .cache_dir = executes ? find_cache(options) : NULL,
      .cache_limit_bytes = options->cache_limit,
      .constants = options->constants,
      .trust_constants = options->trust_constants,
      .platform = *options->platform.name ? options->platform.name : NULL,
  };
}

/// A program that cannot be kept runs all the same.
static void note_cache(const jitrun_program_t *program) {
  jitrun_stats_t stats = {.size = sizeof stats};
  jitrun_program_stats(program, &stats);
  if (stats.cache == JITRUN_CACHE_NOT_STORED)
    jr_report_note("the compiled program was not kept: %s",
                   stats.cache_failure ? stats.cache_failure : "out of memory");
}

/// A platform that cannot be had has no custom calls either.
static jitrun_error_t *check_platform(const struct jr_options *options) {
  jitrun_client_t *client = NULL;
  if (jr_platform_is_host(options))
    return NULL;
  jitrun_error_t *error =
      jr_remote_connect(options, options->platform.name, &client);
  jitrun_client_release(client);
  return error;
}

jitrun_error_t *jr_open_program(const struct jr_options *options,
                                struct jr_watch *watch,
                                struct jr_observe *observe,
                                jitrun_program_t **out_program) {
  *out_program = NULL;
  JITRUN_TRY(jr_load_plugins(options, watch));
  JITRUN_TRY(check_platform(options));
  jr_watch_enter(watch, "opening '%s'", options->file);
  jitrun_open_options_t open_options = jr_open_options(options);
  if (observe)
    jr_observe_fill(observe, &open_options);
  jitrun_error_t *error =
      strcmp(options->file, "-") == 0
          ? open_stdin(&open_options, out_program)
          : jitrun_program_open_file(options->file, &open_options, out_program);
  if (observe)
    error = jr_observe_settle(observe, error);
  if (error)
    return jitrun_error_code(error) == JITRUN_NOT_FOUND
               ? jr_options_note_verb(options, jr_note_plugin(error))
               : error;
  note_cache(*out_program);
  jr_watch_program(*out_program);
  return NULL;
}

/// "'a', 'b', 'c' and 4 more".
static void list_entries(struct jr_bytes *text,
                         const jitrun_program_t *program) {
  enum { SHOWN = 8 };
  size_t count = jitrun_program_entry_count(program);
  for (size_t i = 0; i < count && i < SHOWN; i++)
    jr_bytes_appendf(text, "%s'%s'", i > 0 ? ", " : "",
                     jitrun_program_entry_get(program, i)->name);
  if (count > SHOWN)
    jr_bytes_appendf(text, " and %zu more", count - SHOWN);
}

static jitrun_error_t *refuse_entry(const char *wanted,
                                    const jitrun_program_t *program) {
  struct jr_bytes text = {0};
  const char *reason =
      jitrun_program_entry_refusal(program, wanted ? wanted : "main");
  if (reason)
    return jr_error(JITRUN_UNIMPLEMENTED,
                    "function '%s' cannot be an entry: %s",
                    wanted ? wanted : "main", reason);
  struct jr_near_names near_names = {.wanted = wanted};
  size_t count = jitrun_program_entry_count(program);
  for (size_t i = 0; wanted && i < count; i++)
    jr_near_names_offer(&near_names,
                        jitrun_program_entry_get(program, i)->name);
  char hint[256] = "";
  if (wanted)
    jr_near_names_hint(&near_names, hint, sizeof hint);
  if (wanted)
    jr_bytes_appendf(&text, "no entry '%s'; ", wanted);
  else if (count > 0)
    jr_bytes_append_text(&text, "no entry 'main', say which with --entry; ");
  jr_bytes_append_text(&text, count == 0 ? "the program exports no function"
                                         : "the program has ");
  list_entries(&text, program);
  jr_bytes_appendf(&text, "%s%s", *hint ? "; " : "", hint);
  jitrun_error_t *error = jr_bytes_check(&text);
  if (!error)
    error = jr_error_text(JITRUN_NOT_FOUND, (const char *)text.data, text.size);
  jr_bytes_deinit(&text);
  return error;
}

jitrun_error_t *jr_find_entry(const struct jr_options *options,
                              const jitrun_program_t *program,
                              const jitrun_entry_t **out_entry) {
  *out_entry = jitrun_program_entry_find(program, options->entry);
  return *out_entry ? NULL : refuse_entry(options->entry, program);
}

void jr_format_value(struct jr_bytes *text, const jitrun_value_info_t *value) {
  jr_type_format(text, value->type);
  if (value->is_output)
    jr_bytes_append_text(text, " (output)");
  static const char *const known[] = {"", " (rank known)", " (shape known)",
                                      " (value known)"};
  jr_bytes_append_text(text, known[value->constraint]);
}

void jr_format_params(struct jr_bytes *text, const jitrun_entry_t *entry) {
  if (entry->param_count == 0)
    jr_bytes_append_text(text, "nothing");
  for (size_t i = 0; i < entry->param_count; i++) {
    jr_bytes_appendf(text, "%sarg[%zu]: ", i > 0 ? ", " : "", i);
    jr_format_value(text, &entry->params[i]);
  }
}
