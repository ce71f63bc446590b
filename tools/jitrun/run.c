/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// jitrun run: open, bind, execute, then write and compare the outputs.
#include "archives.h"
#include "base/clock.h"
#include "compare.h"
#include "device.h"
#include "npy.h"
#include "open.h"
#include "option_platform.h"
#include "profile.h"
#include "specialize.h"
#include "verbs.h"

#include "base/bytes.h"
#include "base/files.h"
#include "base/strings.h"
#include "base/values.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_ELEMENTS = 1000 };

/// A run of the verb.
struct run {
  struct jr_options *options;
  struct jr_watch *watch;
  struct jr_observe observe;
  struct jr_profiler profiler;
  jitrun_specializer_t *specializer; ///< NULL: the program is as it was opened
  jitrun_program_t *program;
  const jitrun_entry_t *entry;
  struct jr_device_set devices;
  struct jr_archives archives;
  uint64_t run_ns;
  bool has_differed;
};

/// Opens what is expected before anything runs, so that a missing file is known
/// at once.
static jitrun_error_t *open_expects(const struct run *run) {
  for (size_t i = 0; i < run->options->expects.count; i++)
    JITRUN_TRY(jr_spec_open(&run->options->expects.items[i]));
  return NULL;
}

/// True when the program that was opened is the one to run.
static bool runs_as_opened(const struct run *run, const jitrun_entry_t *entry) {
  jitrun_stats_t stats = {.size = sizeof stats};
  jitrun_program_stats(run->program, &stats);
  bool is_image = stats.compile_ns == 0 && stats.cache == JITRUN_CACHE_UNUSED;
  bool is_read = strcmp(run->options->file, "-") == 0; // and cannot be again
  return is_image || is_read || !jr_platform_is_host(run->options) ||
         !jr_asks_for_more(entry);
}

/// Opens the program, or what compiles it for its arguments.
static jitrun_error_t *open_run(struct run *run,
                                const jitrun_entry_t **out_entry) {
  if (run->options->specialize != JR_SPECIALIZE_ALWAYS) {
    JITRUN_TRY(jr_open_program(run->options, run->watch, &run->observe,
                               &run->program));
    JITRUN_TRY(jr_find_entry(run->options, run->program, out_entry));
    if (runs_as_opened(run, *out_entry))
      return NULL;
    jr_watch_program(NULL);
    jitrun_program_release(run->program);
    run->program = NULL;
  } else {
    JITRUN_TRY(jr_load_plugins(run->options, run->watch));
  }
  JITRUN_TRY(jr_open_specializer(run->options, run->watch, &run->observe,
                                 &run->specializer));
  *out_entry = jitrun_specializer_entry(run->specializer);
  return NULL;
}

/// Gets the program for the arguments that a device has.
static jitrun_error_t *specialize_device(struct run *run,
                                         struct jr_run_device *device) {
  jitrun_program_t *program = NULL;
  const jitrun_entry_t *entry = NULL;
  jitrun_error_t *error = jitrun_specializer_get(
      run->specializer, device->binding.arg_views,
      device->binding.entry->param_count, &program, &entry);
  error = jr_observe_settle(&run->observe, error);
  if (error)
    return jr_note_plugin(error);
  device->binding.entry = entry;
  jitrun_program_release(device->program);
  device->program = program;
  return NULL;
}

static jitrun_error_t *specialize_run(struct run *run) {
  if (!run->specializer)
    return NULL;
  jr_watch_enter(run->watch, "specialising '%s'", run->entry->name);
  for (uint32_t i = 0; i < run->devices.count; i++)
    JITRUN_TRY(specialize_device(run, &run->devices.items[i]));
  jitrun_program_t *program = run->devices.items[0].program;
  jr_watch_program(program);
  jitrun_program_retain(program);
  jitrun_program_release(run->program);
  run->program = program;
  return NULL;
}

/// Puts what the command did since then into the trace.
static void trace_since(const struct run *run, const char *what,
                        uint64_t since_ns) {
  jitrun_profile_span(run->profiler.profile, "command", what, since_ns,
                      jitrun_profile_clock());
}

static jitrun_error_t *prepare_run(struct run *run) {
  uint64_t start_ns = jitrun_profile_clock();
  JITRUN_TRY(jr_profiler_open(run->options, &run->profiler));
  run->observe.profile = run->profiler.profile;
  JITRUN_TRY(open_run(run, &run->entry));
  trace_since(run, "open the program", start_ns);
  start_ns = jitrun_profile_clock();
  jr_watch_enter(run->watch, "reading the inputs of '%s'", run->entry->name);
  JITRUN_TRY(jr_device_set_init(&run->devices, run->options, run->watch,
                                run->program, run->entry));
  run->devices.profile = run->profiler.profile;
  JITRUN_TRY(open_expects(run));
  trace_since(run, "read the inputs", start_ns);
  return NULL;
}

static jitrun_error_t *execute_run(struct run *run) {
  uint64_t repeat = run->options->repeat ? run->options->repeat : 1;
  for (uint64_t i = 0; i < repeat; i++) {
    if (i > 0)
      jr_device_set_reset(&run->devices);
    JITRUN_TRY(specialize_run(run));
    jr_watch_enter(run->watch, "running '%s' of '%s'", run->entry->name,
                   run->options->file);
    uint64_t start_ns = jr_clock_ns();
    JITRUN_TRY(jr_device_set_run(&run->devices));
    run->run_ns += jr_clock_ns() - start_ns;
  }
  return NULL;
}

static jitrun_error_t *print_output(const struct run *run,
                                    const struct jr_run_device *device,
                                    const struct jr_output *output) {
  struct jr_bytes text = {0};
  jr_bytes_appendf(&text, "%s: ", output->label);
  jr_value_format(&text, output->value->type, output->value->data,
                  run->options->full ? SIZE_MAX : SHOWN_ELEMENTS);
  jr_bytes_append_text(&text, "\n");
  jitrun_error_t *error = jr_bytes_check(&text);
  if (!error)
    jr_device_print(device, (const char *)text.data, text.size);
  jr_bytes_deinit(&text);
  return error;
}

static jitrun_error_t *write_file(const char *path,
                                  const struct jr_value *value) {
  struct jr_bytes bytes = {0};
  jitrun_error_t *error = NULL;
  if (jr_text_has_suffix(path, ".npy"))
    error = jr_npy_format(&bytes, value);
  else
    jr_raw_format(&bytes, value);
  if (!error)
    error = jr_bytes_check(&bytes);
  if (!error)
    error = jr_file_write(path, bytes.data, bytes.size);
  jr_bytes_deinit(&bytes);
  return error;
}

static jitrun_error_t *write_output(struct run *run,
                                    const struct jr_output *output) {
  jitrun_error_t *error = NULL;
  const char *path = output->sink->rest;
  if (!jr_archives_take(&run->archives, path, output->value, &error))
    error = write_file(path, output->value);
  if (error)
    return jr_error_note(error, "while writing %s", output->label);
  return NULL;
}

/// Where an output goes: where --output says; without one it is printed, unless
/// outputs are compared.
static jitrun_error_t *emit_output(struct run *run,
                                   const struct jr_run_device *device,
                                   const struct jr_output *output) {
  if (output->sink && output->sink->kind != JR_SPEC_PRINTED)
    return write_output(run, output);
  if (!output->sink && (output->is_extra || run->options->expects.count > 0))
    return NULL;
  return print_output(run, device, output);
}

/// The type of an expected scalar has no sizes, as that of a buffer of rank 0.
static jitrun_error_t *compare_output(struct run *run,
                                      const struct jr_run_device *device,
                                      const struct jr_output *output) {
  const struct jr_spec *spec = output->expected;
  if (!spec || spec->kind == JR_SPEC_IGNORED)
    return NULL;
  struct jr_value expected;
  JITRUN_TRY(jr_value_init(spec->dtype, spec->rank, spec->dims, &expected));
  jr_spec_fill(spec, &expected);
  struct jr_tolerance tolerance = jr_tolerance_default(spec->dtype);
  if (run->options->atol >= 0)
    tolerance.atol = run->options->atol;
  if (run->options->rtol >= 0)
    tolerance.rtol = run->options->rtol;
  struct jr_bytes text = {0};
  if (!jr_compare(output->value, &expected, tolerance, &text)) {
    const char *difference = jr_bytes_text(&text);
    jr_report_line("%s%s differs from %s: %s", device->prefix, output->label,
                   spec->option, difference ? difference : "out of memory");
    run->has_differed = true;
  }
  jr_bytes_deinit(&text);
  jr_value_deinit(&expected);
  return NULL;
}

static jitrun_error_t *finish_run(struct run *run) {
  uint64_t start_ns = jitrun_profile_clock();
  jr_watch_enter(run->watch, "writing the outputs of '%s'", run->entry->name);
  for (uint32_t i = 0; i < run->devices.count; i++) {
    const struct jr_run_device *device = &run->devices.items[i];
    for (size_t j = 0; j < device->binding.output_count; j++)
      JITRUN_TRY(emit_output(run, device, &device->binding.outputs[j]));
  }
  JITRUN_TRY(jr_archives_write(&run->archives));
  for (uint32_t i = 0; i < run->devices.count; i++) {
    const struct jr_run_device *device = &run->devices.items[i];
    for (size_t j = 0; j < device->binding.output_count; j++)
      JITRUN_TRY(compare_output(run, device, &device->binding.outputs[j]));
  }
  trace_since(run, "write the outputs", start_ns);
  return NULL;
}

static void print_cache(jitrun_cache_use_t use) {
  static const char *const words[] = {
      [JITRUN_CACHE_HIT] = "hit",
      [JITRUN_CACHE_STORED] = "stored",
      [JITRUN_CACHE_NOT_STORED] = "not stored",
  };
  if (use != JITRUN_CACHE_UNUSED)
    (void)fprintf(stderr, "jitrun: stats: cache: %s\n", words[use]);
}

static void print_temps(const jitrun_program_t *program) {
  struct jr_bytes text = {0};
  jitrun_program_info_t info = {.size = sizeof info};
  jitrun_program_info(program, &info);
  jr_report_temps(&text, &info);
  if (info.temp_bytes > 0 && jr_bytes_text(&text))
    (void)fprintf(stderr, "jitrun: stats: temporaries %s\n",
                  (const char *)text.data);
  jr_bytes_deinit(&text);
}

static void print_stats(const struct run *run) {
  jitrun_stats_t stats = {.size = sizeof stats};
  jitrun_program_stats(run->program, &stats);
  (void)fflush(stdout);
  for (size_t i = 0; i < stats.stage_count; i++)
    jr_report_stage(&stats.stages[i]);
  if (stats.compile_ns > 0) { // an image was compiled elsewhere
    jr_report_time("parse", stats.parse_ns);
    jr_report_time("compile", stats.compile_ns);
  }
  jr_report_time("load", stats.load_ns);
  jr_report_time("run", run->run_ns);
  jr_profiler_stats(&run->profiler);
  (void)fprintf(
      stderr, "jitrun: stats: runs %" PRIu64 ", call sites %" PRIu64 ", ",
      run->options->repeat ? run->options->repeat : 1, stats.call_sites);
  if (stats.code_bytes > 0)
    (void)fprintf(stderr, "code %" PRIu64 " bytes, ", stats.code_bytes);
  (void)fprintf(stderr, "image %" PRIu64 " bytes\n", stats.data_bytes);
  print_temps(run->program);
  print_cache(stats.cache);
}

static void print_specializer(jitrun_specializer_t *specializer) {
  jitrun_specializer_stats_t stats = {.size = sizeof stats};
  jitrun_specializer_stats(specializer, &stats);
  (void)fprintf(
      stderr,
      "jitrun: stats: specialisation: hits %" PRIu64 ", misses %" PRIu64
      ", compiled %" PRIu64 ", failed %" PRIu64 ", evicted %" PRIu64 "\n",
      stats.hits, stats.misses, stats.compiled, stats.failed, stats.evicted);
}

enum jr_exit jr_verb_run(struct jr_options *options, struct jr_watch *watch) {
  struct run run = {.options = options, .watch = watch};
  jitrun_error_t *error = jr_observe_open(options, watch, &run.observe);
  if (!error)
    error = prepare_run(&run);
  if (!error)
    error = execute_run(&run);
  if (!error)
    error = finish_run(&run);
  error = jr_profiler_finish(&run.profiler, error);
  if (!error && options->stats)
    print_stats(&run);
  if (!error && options->stats && run.specializer)
    print_specializer(run.specializer);
  jr_watch_program(NULL);
  jr_archives_deinit(&run.archives);
  jr_device_set_deinit(&run.devices);
  jitrun_program_release(run.program);
  jitrun_specializer_close(run.specializer);
  jr_observe_close(&run.observe);
  jr_profiler_close(&run.profiler);
  if (error)
    return jr_report(error, options);
  return run.has_differed ? JR_EXIT_DIFFERED : JR_EXIT_DONE;
}
