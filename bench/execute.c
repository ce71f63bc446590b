/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What an execution costs above its calls: a program of bench/programs.py run
/// by jitrun_program_run() on memory of ours, and by a client on a buffer, in
/// turns within one process. Prints one line a way, in the order of `ways`:
/// least and median nanoseconds of an execution.
///
///   execute CALLS.mlir SAMPLES
#include "samples.h"

#include "jitrun/customcall.h"
#include "jitrun/executable.h"
#include "jitrun/registry.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 1024, RUNS = 200, WAYS = 4, MAX_SAMPLES = 100000 };

/// One program in all ways; each has memory of its own.
struct bench {
  jitrun_program_t *program;
  jitrun_client_t *client;
  jitrun_executable_t *executable;
  jitrun_buffer_t *donated, *kept;
  unsigned char memory[BYTES];
};

static jitrun_tensor_t tensor_of(struct bench *bench) {
  static const int64_t dims[] = {BYTES};
  return (jitrun_tensor_t){
      .dtype = JITRUN_DTYPE_S8, .rank = 1, .dims = dims, .data = bench->memory};
}

static jitrun_error_t *run_program(struct bench *bench) {
  jitrun_tensor_t tensor = tensor_of(bench);
  return jitrun_program_run(bench->program, NULL, &tensor, 1, NULL, 0, NULL);
}

static jitrun_error_t *execute(struct bench *bench, jitrun_buffer_t *argument,
                               bool is_donated, bool is_async,
                               jitrun_buffer_t **out) {
  static const uint32_t first = 0;
  const jitrun_launch_t launch = {.args = &argument,
                                  .arg_count = 1,
                                  .donated = &first,
                                  .donated_count = is_donated,
                                  .outputs = out,
                                  .output_count = 1};
  const jitrun_execute_options_t options = {.size = sizeof options,
                                            .is_async = is_async};
  return jitrun_executable_execute(bench->executable, &launch, 1, &options);
}

/// The output takes the place of the argument, and its memory.
static jitrun_error_t *run_donated(struct bench *bench) {
  jitrun_buffer_t *next;
  JITRUN_TRY(execute(bench, bench->donated, true, false, &next));
  jitrun_buffer_release(bench->donated);
  bench->donated = next;
  return NULL;
}

/// The argument stays, and the output is a copy.
static jitrun_error_t *run_kept(struct bench *bench) {
  jitrun_buffer_t *output;
  JITRUN_TRY(execute(bench, bench->kept, false, false, &output));
  jitrun_buffer_release(output);
  return NULL;
}

static jitrun_error_t *run_async(struct bench *bench) {
  jitrun_buffer_t *next;
  JITRUN_TRY(execute(bench, bench->donated, true, true, &next));
  jitrun_buffer_release(bench->donated);
  bench->donated = next;
  return jitrun_buffer_wait(next, -1);
}

static jitrun_error_t *(*const ways[WAYS])(struct bench *bench) = {
    run_program, run_donated, run_kept, run_async};

static jitrun_error_t *take_sample(struct bench *bench, int way,
                                   uint64_t *out_ps) {
  uint64_t start_ns = jr_bench_now_ns();
  for (int i = 0; i < RUNS; i++)
    JITRUN_TRY(ways[way](bench));
  *out_ps = (jr_bench_now_ns() - start_ns) * 1000 / RUNS;
  return NULL;
}

/// All ways in turns; the first turns warm up.
static jitrun_error_t *measure(struct bench *bench, uint64_t *samples,
                               long count) {
  uint64_t ignored;
  for (long turn = -2; turn < count; turn++) {
    for (int way = 0; way < WAYS; way++)
      JITRUN_TRY(take_sample(
          bench, way, turn < 0 ? &ignored : &samples[way * count + turn]));
  }
  for (int way = 0; way < WAYS; way++) {
    uint64_t *own = &samples[way * count];
    jr_bench_sort(own, (size_t)count);
    uint64_t median = own[count / 2];
    printf("%.3f %.3f\n", (double)own[0] / 1e3, (double)median / 1e3);
  }
  return NULL;
}

/// The same bytes by the program and by the client.
static jitrun_error_t *check_results(struct bench *bench) {
  jitrun_tensor_t value;
  JITRUN_TRY(run_program(bench));
  JITRUN_TRY(run_donated(bench));
  JITRUN_TRY(jitrun_buffer_host_value(bench->donated, -1, &value));
  if (memcmp(value.data, bench->memory, BYTES) == 0)
    return NULL;
  (void)fprintf(stderr, "execute: the client leaves other bits\n");
  exit(1);
}

static jitrun_error_t *open_all(struct bench *bench, const char *path) {
  const jitrun_client_options_t options = {.size = sizeof options};
  const jitrun_open_options_t open = {
      .size = sizeof open, .executor = JITRUN_EXECUTOR_JIT, .opt_level = -1};
  jitrun_tensor_t tensor = tensor_of(bench);
  JITRUN_TRY(
      jitrun_registry_add(jitrun_registry_default(), jitrun_plugin_query));
  JITRUN_TRY(jitrun_program_open_file(path, &open, &bench->program));
  JITRUN_TRY(jitrun_client_create(&options, &bench->client));
  JITRUN_TRY(jitrun_executable_create(bench->client, bench->program, NULL,
                                      &bench->executable));
  jitrun_device_t *device = jitrun_executable_device(bench->executable, 0);
  JITRUN_TRY(jitrun_buffer_from_host(device, &tensor, JITRUN_HOST_COPY_NOW,
                                     NULL, NULL, &bench->donated));
  return jitrun_buffer_from_host(device, &tensor, JITRUN_HOST_COPY_NOW, NULL,
                                 NULL, &bench->kept);
}

static jitrun_error_t *run_bench(struct bench *bench, const char *path,
                                 uint64_t *samples, long count) {
  JITRUN_TRY(open_all(bench, path));
  JITRUN_TRY(check_results(bench));
  return measure(bench, samples, count);
}

int main(int argc, char **argv) {
  static struct bench bench;
  long count = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
  if (count <= 0 || count > MAX_SAMPLES) {
    (void)fprintf(stderr, "usage: %s CALLS.mlir SAMPLES\n", argv[0]);
    return 2;
  }
  uint64_t *samples = calloc((size_t)count * WAYS, sizeof *samples);
  if (!samples) {
    (void)fprintf(stderr, "execute: out of memory\n");
    return 1;
  }
  jitrun_error_t *error = run_bench(&bench, argv[1], samples, count);
  if (error)
    (void)fprintf(stderr, "execute: %s\n", jitrun_error_message(error));
  jitrun_buffer_release(bench.donated);
  jitrun_buffer_release(bench.kept);
  jitrun_executable_release(bench.executable);
  jitrun_client_release(bench.client);
  jitrun_program_release(bench.program);
  free(samples);
  int status = error ? 1 : 0;
  jitrun_error_free(error);
  return status;
}
