/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Executes a program whose calls all read one kind of value, in turns: through
/// JitRt's direct ABI in C, with native code, and with thunks. Prints one line
/// a way, in that order: least and median nanoseconds of a call, or "-" where a
/// way cannot do it.
///
///   kinds CALLS.mlir KIND SAMPLES      KIND: as in "i32_x12"
#include "kinds.h"
#include "samples.h"

#include "base/error.h"
#include "jitrun/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  WAYS = 3,
  CALLS_PER_SAMPLE = 20000,
  MAX_SAMPLES = 100000,
  MAX_PARAMS = 16,
  MEMORY_BYTES = 1 << 12,
  MEMORY_SIZE = 64 ///< elements along a dimension that is open
};

/// What is executed, and what it took.
struct bench {
  jr_jitrt_call_t call;             ///< NULL: JitRt has no such kind
  jitrun_program_t *programs[WAYS]; ///< NULL: cannot execute it
  uint64_t *samples[WAYS];
  uint64_t calls; ///< of one execution
  long sample_count;
  jitrun_tensor_t args[MAX_PARAMS], results[MAX_PARAMS];
  int64_t dims[MAX_PARAMS][1];
  size_t arg_count, result_count;
  jitrun_run_options_t options;
  jitrun_user_data_t user_data[JR_KINDS_MANY];
};

static _Alignas(64) unsigned char memory[MEMORY_BYTES];

_Noreturn static void stop(const char *text) {
  (void)fprintf(stderr, "kinds: %s\n", text);
  exit(1);
}

static jitrun_error_t *run_way(struct bench *bench, int way) {
  if (way > 0)
    return jitrun_program_run(bench->programs[way], NULL, bench->args,
                              bench->arg_count, bench->results,
                              bench->result_count, &bench->options);
  for (uint64_t i = 0; i < bench->calls; i++) {
    if (!bench->call())
      stop("a call through JitRt's ABI failed");
  }
  return NULL;
}

static bool has_way(const struct bench *bench, int way) {
  return way == 0 ? bench->call != NULL : bench->programs[way] != NULL;
}

/// Executes some times and gives the picoseconds of one call.
static jitrun_error_t *take_sample(struct bench *bench, int way,
                                   uint64_t *out_ps) {
  uint64_t done = 0;
  uint64_t start_ns = jr_bench_now_ns();
  do {
    JITRUN_TRY(run_way(bench, way));
    done += bench->calls;
  } while (done < CALLS_PER_SAMPLE);
  *out_ps = (jr_bench_now_ns() - start_ns) * 1000 / done;
  return NULL;
}

/// One sample of each way; before the first turn they only warm up.
static jitrun_error_t *take_turn(struct bench *bench, long turn) {
  for (int way = 0; way < WAYS; way++) {
    uint64_t sample;
    if (!has_way(bench, way))
      continue;
    JITRUN_TRY(take_sample(bench, way, &sample));
    if (turn >= 0)
      bench->samples[way][turn] = sample;
  }
  return NULL;
}

static jitrun_error_t *measure(struct bench *bench) {
  for (long turn = -2; turn < bench->sample_count; turn++)
    JITRUN_TRY(take_turn(bench, turn));
  return NULL;
}

static void print_way(const struct bench *bench, int way) {
  if (!has_way(bench, way)) {
    printf("-\n");
    return;
  }
  uint64_t *samples = bench->samples[way];
  jr_bench_sort(samples, (size_t)bench->sample_count);
  uint64_t median = samples[bench->sample_count / 2];
  printf("%.3f %.3f\n", (double)samples[0] / 1e3, (double)median / 1e3);
}

/// A view of memory that fits a parameter or result.
static jitrun_tensor_t make_tensor(const jitrun_type_t *type, int64_t *dims,
                                   void *data) {
  *dims = type->rank == 1 ? jitrun_type_dims(type)[0] : MEMORY_SIZE;
  if (*dims == JITRUN_DYNAMIC)
    *dims = MEMORY_SIZE;
  bool is_buffer = type->kind == JITRUN_KIND_BUFFER;
  return (jitrun_tensor_t){.dtype = (jitrun_dtype_t)type->dtype,
                           .rank = is_buffer ? 1 : 0,
                           .dims = dims,
                           .data = data};
}

/// Arguments share memory, results, all scalars, may not.
static void fill_values(struct bench *bench, const jitrun_entry_t *entry) {
  static uint64_t words[MAX_PARAMS];
  int64_t unused;
  bench->arg_count = entry->param_count;
  bench->result_count = entry->result_count;
  for (size_t i = 0; i < entry->param_count; i++)
    bench->args[i] = make_tensor(entry->params[i].type, bench->dims[i], memory);
  for (size_t i = 0; i < entry->result_count; i++) {
    bench->results[i] = make_tensor(entry->results[i].type, &unused, &words[i]);
    bench->results[i].dims = NULL;
  }
}

static void fill_options(struct bench *bench) {
  static char names[JR_KINDS_MANY][8];
  for (int i = 0; i < JR_KINDS_MANY; i++) {
    (void)snprintf(names[i], sizeof names[i], "data%d", i);
    bench->user_data[i] = (jitrun_user_data_t){names[i], memory};
  }
  bench->options = (jitrun_run_options_t){.size = sizeof bench->options,
                                          .user_data = bench->user_data,
                                          .user_data_count = JR_KINDS_MANY};
}

static jitrun_error_t *open_programs(struct bench *bench, const char *path) {
  jitrun_open_options_t options = {
      .size = sizeof options, .executor = JITRUN_EXECUTOR_JIT, .opt_level = -1};
  JITRUN_TRY(jitrun_registry_add(jitrun_registry_default(), jr_kinds_query));
  JITRUN_TRY(jitrun_program_open_file(path, &options, &bench->programs[1]));
  options.executor = JITRUN_EXECUTOR_THUNKS;
  JITRUN_TRY(jitrun_program_open_file(path, &options, &bench->programs[2]));
  bench->calls = jitrun_program_site_count(bench->programs[1]);
  const jitrun_entry_t *entry =
      jitrun_program_entry_find(bench->programs[1], NULL);
  if (!entry || bench->calls == 0 || bench->calls > CALLS_PER_SAMPLE ||
      entry->param_count > MAX_PARAMS || entry->result_count > MAX_PARAMS)
    stop("this is not a program of programs.py");
  fill_values(bench, entry);
  fill_options(bench);
  jitrun_error_t *error = run_way(bench, 2);
  if (error) { /* it needs code */
    jitrun_program_release(bench->programs[2]);
    bench->programs[2] = NULL;
  }
  jitrun_error_free(error);
  return NULL;
}

static jitrun_error_t *run_bench(struct bench *bench, const char *path) {
  for (int way = 0; way < WAYS; way++) {
    bench->samples[way] =
        calloc((size_t)bench->sample_count, sizeof *bench->samples[way]);
    if (!bench->samples[way])
      stop("out of memory");
  }
  JITRUN_TRY(open_programs(bench, path));
  JITRUN_TRY(measure(bench));
  for (int way = 0; way < WAYS; way++)
    print_way(bench, way);
  return NULL;
}

int main(int argc, char **argv) {
  static struct bench bench;
  bench.sample_count = argc == 4 ? strtol(argv[3], NULL, 10) : 0;
  if (bench.sample_count <= 0 || bench.sample_count > MAX_SAMPLES) {
    (void)fprintf(stderr, "usage: %s CALLS.mlir KIND SAMPLES\n", argv[0]);
    return 2;
  }
  bench.call = jr_jitrt_find(argv[2]);
  jitrun_error_t *error = run_bench(&bench, argv[1]);
  if (error)
    (void)fprintf(stderr, "kinds: %s\n", jitrun_error_message(error));
  for (int way = 0; way < WAYS; way++) {
    jitrun_program_release(bench.programs[way]);
    free(bench.samples[way]);
  }
  int status = error ? 1 : 0;
  jitrun_error_free(error);
  return status;
}
