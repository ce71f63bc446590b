/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// jitrun bench: warm-up, then repetitions, each timed by itself. Arguments
/// keep what a repetition leaves in them; what the program prints is dropped.
#include "base/clock.h"
#include "bind.h"
#include "open.h"
#include "verbs.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/json.h"
#include "base/usage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  WARM_UP_RUNS = 3,  ///< at least; with --repeat, at most this or as many
  MIN_RUNS = 11,     ///< unless --repeat says
  MAX_RUNS = 100000, ///< unless --repeat says
};

#define WARM_UP_NS (JR_NS_PER_S / 10)
#define MEASURE_NS (JR_NS_PER_S / 2)

struct bench {
  struct jr_options *options;
  struct jr_watch *watch;
  struct jr_observe observe;
  jitrun_program_t *program;
  struct jr_binding binding;
  double *samples_ns; ///< of one run; sorted when all are there
  size_t count;
  uint64_t warm_up_runs;
  uint64_t peak_rss_bytes;
};

/// Runs `runs` times; `*out_ns` is the time of all.
static jitrun_error_t *time_runs(struct bench *bench, uint64_t runs,
                                 uint64_t *out_ns) {
  const jitrun_run_options_t options = {.size = sizeof options,
                                        .current_site = &bench->watch->site};
  uint64_t start_ns = jr_clock_ns();
  for (uint64_t i = 0; i < runs; i++)
    JITRUN_TRY(jr_binding_run(&bench->binding, bench->program, &options));
  *out_ns = jr_clock_ns() - start_ns;
  return NULL;
}

/// Runs of a sample.
static uint64_t count_batch(const struct bench *bench) {
  return bench->options->batch > 0 ? bench->options->batch : 1;
}

/// True when it is warm. Who says how often to run wants no run that takes
/// long, and not many more than were asked for.
static bool is_warm(const struct bench *bench, uint64_t total_ns) {
  uint64_t repeat = bench->options->repeat;
  if (bench->options->warm_up > 0)
    return bench->warm_up_runs >= bench->options->warm_up;
  uint64_t runs = repeat > WARM_UP_RUNS ? repeat : WARM_UP_RUNS;
  bool is_time_over = total_ns >= WARM_UP_NS;
  bool has_runs = bench->warm_up_runs >= runs;
  return repeat ? is_time_over || has_runs : is_time_over && has_runs;
}

static jitrun_error_t *warm_up(struct bench *bench) {
  uint64_t total_ns = 0;
  while (!is_warm(bench, total_ns)) {
    uint64_t ns;
    JITRUN_TRY(time_runs(bench, 1, &ns));
    total_ns += ns + 1; // a clock that stands still must not hold us
    bench->warm_up_runs++;
  }
  return NULL;
}

static jitrun_error_t *measure(struct bench *bench) {
  uint64_t wanted = bench->options->repeat;
  size_t room = wanted ? (size_t)wanted : MAX_RUNS;
  uint64_t total_ns = 0;
  bench->samples_ns = jr_calloc(room, sizeof *bench->samples_ns);
  if (!bench->samples_ns)
    return jr_error_no_memory();
  while (bench->count < room) {
    bool is_enough = bench->count >= MIN_RUNS && total_ns >= MEASURE_NS;
    if (!wanted && is_enough)
      break;
    uint64_t ns;
    JITRUN_TRY(time_runs(bench, count_batch(bench), &ns));
    bench->samples_ns[bench->count++] = (double)ns / (double)count_batch(bench);
    total_ns += ns;
  }
  return NULL;
}

static int compare_samples(const void *a, const void *b) {
  double left = *(const double *)a;
  double right = *(const double *)b;
  return (left > right) - (left < right);
}

static jitrun_error_t *execute_bench(struct bench *bench) {
  const jitrun_entry_t *entry;
  JITRUN_TRY(jr_observe_open(bench->options, bench->watch, &bench->observe));
  JITRUN_TRY(jr_open_program(bench->options, bench->watch, &bench->observe,
                             &bench->program));
  JITRUN_TRY(jr_find_entry(bench->options, bench->program, &entry));
  jr_watch_enter(bench->watch, "reading the inputs of '%s'", entry->name);
  JITRUN_TRY(jr_binding_init(&bench->binding, entry, bench->options, 0));
  jr_watch_enter(bench->watch, "running '%s' of '%s'", entry->name,
                 bench->options->file);
  JITRUN_TRY(warm_up(bench));
  bench->peak_rss_bytes = jr_peak_bytes(); // without the samples
  JITRUN_TRY(measure(bench));
  qsort(bench->samples_ns, bench->count, sizeof *bench->samples_ns,
        compare_samples);
  return NULL;
}

/// The sample below which `percent` of them are.
static double percentile(const struct bench *bench, size_t percent) {
  return bench->samples_ns[(bench->count - 1) * percent / 100];
}

static void put_f64(struct jr_json *json, const char *key, double value) {
  jr_json_key(json, key);
  jr_json_f64(json, value);
}

static void put_u64(struct jr_json *json, const char *key, uint64_t value) {
  jr_json_key(json, key);
  jr_json_u64(json, value);
}

/// "stages": [{"name": "parse", "ms": 0.5, "memory_bytes": 4096}, ...]
static void print_stages(struct jr_json *json, const jitrun_stats_t *stats) {
  jr_json_key(json, "stages");
  jr_json_open_array(json);
  for (size_t i = 0; i < stats->stage_count; i++) {
    const jitrun_stage_cost_t *cost = &stats->stages[i];
    jr_json_open_object(json);
    jr_json_key(json, "name");
    jr_json_text(json, cost->name);
    put_f64(json, "ms", (double)cost->time_ns / 1e6);
    put_u64(json, "memory_bytes", cost->memory_bytes);
    jr_json_close_object(json);
  }
  jr_json_close_array(json);
}

static jitrun_error_t *print_json(const struct bench *bench,
                                  const jitrun_stats_t *stats) {
  struct jr_bytes text = {0};
  struct jr_json json = {.out = &text};
  jr_json_open_object(&json);
  put_f64(&json, "parse_ms", (double)stats->parse_ns / 1e6);
  put_f64(&json, "compile_ms", (double)stats->compile_ns / 1e6);
  put_f64(&json, "load_ms", (double)stats->load_ns / 1e6);
  put_u64(&json, "calls", stats->call_sites);
  put_u64(&json, "code_bytes", stats->code_bytes);
  put_u64(&json, "data_bytes", stats->data_bytes);
  put_u64(&json, "peak_rss_bytes", bench->peak_rss_bytes);
  put_u64(&json, "warm_up_runs", bench->warm_up_runs);
  put_u64(&json, "runs", bench->count);
  put_u64(&json, "batch", count_batch(bench));
  jr_json_key(&json, "run_ns");
  jr_json_open_object(&json);
  put_f64(&json, "min", percentile(bench, 0));
  put_f64(&json, "median", percentile(bench, 50));
  put_f64(&json, "p90", percentile(bench, 90));
  jr_json_close_object(&json);
  print_stages(&json, stats);
  jr_json_close_object(&json);
  jitrun_error_t *error = jr_bytes_check(&text);
  if (!error)
    printf("%s\n", jr_bytes_text(&text));
  jr_bytes_deinit(&text);
  return error;
}

static const char *plural(uint64_t count) {
  return count == 1 ? "" : "s";
}

static void print_text(const struct bench *bench, const jitrun_stats_t *stats) {
  if (stats->compile_ns > 0) // an image was compiled elsewhere
    printf("parse %.3f ms, compile %.3f ms, ", (double)stats->parse_ns / 1e6,
           (double)stats->compile_ns / 1e6);
  printf("load %.3f ms\n", (double)stats->load_ns / 1e6);
  printf("%" PRIu64 " call site%s, ", stats->call_sites,
         plural(stats->call_sites));
  if (stats->code_bytes > 0)
    printf("%" PRIu64 " bytes of code, ", stats->code_bytes);
  printf("%" PRIu64 " bytes of image, %.1f MiB of memory at most\n",
         stats->data_bytes, (double)bench->peak_rss_bytes / (1 << 20));
  printf("run min %.3f us, median %.3f us, p90 %.3f us (%zu ",
         percentile(bench, 0) / 1e3, percentile(bench, 50) / 1e3,
         percentile(bench, 90) / 1e3, bench->count);
  if (bench->options->batch > 0)
    printf("batch%s of %" PRIu64, bench->count == 1 ? "" : "es",
           bench->options->batch);
  else
    printf("run%s", plural(bench->count));
  printf(", after %" PRIu64 " to warm up)\n", bench->warm_up_runs);
}

enum jr_exit jr_verb_bench(struct jr_options *options, struct jr_watch *watch) {
  struct bench bench = {.options = options, .watch = watch};
  jitrun_error_t *error = execute_bench(&bench);
  if (!error) {
    jitrun_stats_t stats = {.size = sizeof stats};
    jitrun_program_stats(bench.program, &stats);
    for (size_t i = 0; options->stats && i < stats.stage_count; i++)
      jr_report_stage(&stats.stages[i]);
    if (options->json)
      error = print_json(&bench, &stats);
    else
      print_text(&bench, &stats);
  }
  jr_watch_program(NULL);
  free(bench.samples_ns);
  jr_binding_deinit(&bench.binding);
  jitrun_program_release(bench.program);
  jr_observe_close(&bench.observe);
  return jr_report(error, options);
}
