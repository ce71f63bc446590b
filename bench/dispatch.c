/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Runs a program of bench/programs.py in three ways: a C loop over its calls
/// (dispatch_limit.c), native code, and thunks, in turns within one process.
/// Checks that all three leave the same bits, then prints one line a way, in
/// that order: least and median nanoseconds of one execution of all calls.
///
///   dispatch CALLS.mlir NONE.mlir SAMPLES
///
/// NONE.mlir is the same program without calls: lines four and five are what
/// executing that takes with native code and with thunks.
#include "dispatch_limit.h"
#include "samples.h"

#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  WAYS = 5,
  EXECUTORS = 3, ///< that many ways make all the calls
  CALLS_PER_SAMPLE = 20000,
  NONE_PER_SAMPLE = 200,
  MAX_SAMPLES = 100000
};

/// One of the ways: a program, or the limit.
struct way {
  jitrun_program_t *program;
  struct jr_limit *limit;
  jitrun_tensor_t arg;
  int64_t dims[1];
  uint64_t *samples;
  unsigned char *memory;
};

static jitrun_error_t *run_way(struct way *way) {
  if (way->limit)
    return jr_limit_run(way->limit);
  return jitrun_program_run(way->program, NULL, &way->arg, 1, NULL, 0, NULL);
}

/// Executes `runs` times and gives the picoseconds of one.
static jitrun_error_t *take_sample(struct way *way, uint64_t runs,
                                   uint64_t *out_ps) {
  uint64_t start_ns = jr_bench_now_ns();
  for (uint64_t i = 0; i < runs; i++)
    JITRUN_TRY(run_way(way));
  *out_ps = (jr_bench_now_ns() - start_ns) * 1000 / runs;
  return NULL;
}

/// Executes every way once, from the same contents.
static jitrun_error_t *check_results(struct way *ways) {
  for (int i = 0; i < WAYS; i++) {
    memset(ways[i].memory, 0, JR_LIMIT_BYTES);
    JITRUN_TRY(run_way(&ways[i]));
  }
  for (int i = 1; i < EXECUTORS; i++) {
    if (memcmp(ways[0].memory, ways[i].memory, JR_LIMIT_BYTES) == 0)
      continue;
    (void)fprintf(stderr,
                  "dispatch: way %d leaves other bits than the C loop\n", i);
    exit(1);
  }
  return NULL;
}

/// All ways in turns; the first turns warm up.
static jitrun_error_t *measure(struct way *ways, long samples) {
  uint64_t calls = jitrun_program_site_count(ways[1].program);
  uint64_t runs =
      calls > 0 && calls < CALLS_PER_SAMPLE ? CALLS_PER_SAMPLE / calls : 1;
  uint64_t ignored;
  JITRUN_TRY(check_results(ways));
  for (long turn = -2; turn < samples; turn++) {
    for (int i = 0; i < WAYS; i++)
      JITRUN_TRY(take_sample(&ways[i], i < EXECUTORS ? runs : NONE_PER_SAMPLE,
                             turn < 0 ? &ignored : &ways[i].samples[turn]));
  }
  return NULL;
}

static void print_way(const struct way *way, long samples) {
  jr_bench_sort(way->samples, (size_t)samples);
  uint64_t median = way->samples[samples / 2];
  printf("%.3f %.3f\n", (double)way->samples[0] / 1e3, (double)median / 1e3);
}

static jitrun_error_t *open_program(struct way *way, const char *path,
                                    jitrun_executor_t executor) {
  const jitrun_open_options_t options = {
      .size = sizeof options, .executor = executor, .opt_level = -1};
  return jitrun_program_open_file(path, &options, &way->program);
}

/// Memory for the buffer and the samples. Exits when there is none.
static void prepare_way(struct way *way, long samples) {
  way->samples = calloc((size_t)samples, sizeof *way->samples);
  way->memory = aligned_alloc(64, JR_LIMIT_BYTES);
  if (!way->samples || !way->memory) {
    (void)fprintf(stderr, "dispatch: out of memory\n");
    exit(1);
  }
  way->dims[0] = JR_LIMIT_BYTES;
  way->arg = (jitrun_tensor_t){.dtype = JITRUN_DTYPE_S8,
                               .rank = 1,
                               .dims = way->dims,
                               .data = way->memory};
}

static jitrun_error_t *run_bench(struct way *ways, char **paths, long samples) {
  JITRUN_TRY(
      jitrun_registry_add(jitrun_registry_default(), jitrun_plugin_query));
  JITRUN_TRY(open_program(&ways[1], paths[0], JITRUN_EXECUTOR_JIT));
  JITRUN_TRY(open_program(&ways[2], paths[0], JITRUN_EXECUTOR_THUNKS));
  JITRUN_TRY(open_program(&ways[3], paths[1], JITRUN_EXECUTOR_JIT));
  JITRUN_TRY(open_program(&ways[4], paths[1], JITRUN_EXECUTOR_THUNKS));
  ways[0].limit = jr_limit_create(ways[1].program, ways[0].memory);
  if (!ways[0].limit) {
    (void)fprintf(stderr, "dispatch: %s is not a program of programs.py\n",
                  paths[0]);
    exit(1);
  }
  JITRUN_TRY(measure(ways, samples));
  for (int i = 0; i < WAYS; i++)
    print_way(&ways[i], samples);
  return NULL;
}

int main(int argc, char **argv) {
  struct way ways[WAYS] = {0};
  long samples = argc == 4 ? strtol(argv[3], NULL, 10) : 0;
  if (samples <= 0 || samples > MAX_SAMPLES) {
    (void)fprintf(stderr, "usage: %s CALLS.mlir NONE.mlir SAMPLES\n", argv[0]);
    return 2;
  }
  for (int i = 0; i < WAYS; i++)
    prepare_way(&ways[i], samples);
  jitrun_error_t *error = run_bench(ways, argv + 1, samples);
  if (error)
    (void)fprintf(stderr, "dispatch: %s\n", jitrun_error_message(error));
  for (int i = 0; i < WAYS; i++) {
    jr_limit_destroy(ways[i].limit);
    jitrun_program_release(ways[i].program);
    free(ways[i].samples);
    free(ways[i].memory);
  }
  int status = error ? 1 : 0;
  jitrun_error_free(error);
  return status;
}
