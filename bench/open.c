/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Opens a program again and again and runs it once each time. Prints one line
/// of nanoseconds a time, the first of which is the process's first:
///
///   open parse compile load run: what jitrun_program_open_file() took in all,
///   three stages of it, and the first execution, which makes the frames
///
/// then, on a line of their own: call sites, bytes of code, bytes of image,
/// bytes of the resident set at most after opening once.
///
///   open FILE jit|thunks TIMES
#include "samples.h"

#include "base/error.h"
#include "jitrun/program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_BYTES = 4096 };

struct opening {
  uint64_t open_ns, run_ns;
  uint64_t rss_bytes;
  jitrun_stats_t stats;
};

/// Of this program: what getrusage() tells counts the process that it was
/// before exec(), too, which may have been larger.
static uint64_t peak_rss_bytes(void) {
  static const char key[] = "VmHWM:";
  FILE *status = fopen("/proc/self/status", "r");
  char line[256];
  uint64_t kib = 0;
  while (status && kib == 0 && fgets(line, sizeof line, status))
    if (strncmp(line, key, sizeof key - 1) == 0)
      kib = strtoull(line + sizeof key - 1, NULL, 10);
  if (status)
    (void)fclose(status);
  return kib * 1024;
}

/// Runs the program's only entry, which takes one buffer.
static jitrun_error_t *run_once(jitrun_program_t *program, void *buffer) {
  const jitrun_entry_t *entry = jitrun_program_entry_get(program, 0);
  const jitrun_type_t *type = entry->params[0].type;
  const jitrun_tensor_t arg = {.dtype = (jitrun_dtype_t)type->dtype,
                               .rank = type->rank,
                               .dims = jitrun_type_dims(type),
                               .data = buffer};
  return jitrun_program_run(program, entry, &arg, 1, NULL, 0, NULL);
}

static jitrun_error_t *open_once(const char *path,
                                 const jitrun_open_options_t *options,
                                 void *buffer, struct opening *out_opening) {
  jitrun_program_t *program;
  uint64_t start_ns = jr_bench_now_ns();
  JITRUN_TRY(jitrun_program_open_file(path, options, &program));
  uint64_t open_ns = jr_bench_now_ns();
  jitrun_error_t *error = run_once(program, buffer);
  *out_opening = (struct opening){.open_ns = open_ns - start_ns,
                                  .run_ns = jr_bench_now_ns() - open_ns,
                                  .rss_bytes = peak_rss_bytes(),
                                  .stats = {.size = sizeof(jitrun_stats_t)}};
  jitrun_program_stats(program, &out_opening->stats);
  jitrun_program_release(program);
  return error;
}

static void print_opening(const struct opening *opening) {
  const jitrun_stats_t *stats = &opening->stats;
  printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
         opening->open_ns, stats->parse_ns, stats->compile_ns, stats->load_ns,
         opening->run_ns);
}

static jitrun_error_t *open_repeatedly(const char *path,
                                       const jitrun_open_options_t *options,
                                       long times) {
  static _Alignas(64) char buffer[BUFFER_BYTES];
  struct opening first;
  struct opening later;
  JITRUN_TRY(open_once(path, options, buffer, &first));
  print_opening(&first);
  for (long i = 1; i < times; i++) {
    JITRUN_TRY(open_once(path, options, buffer, &later));
    print_opening(&later);
  }
  printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
         first.stats.call_sites, first.stats.code_bytes, first.stats.data_bytes,
         first.rss_bytes);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 4) {
    (void)fprintf(stderr, "usage: %s FILE jit|thunks TIMES\n", argv[0]);
    return 2;
  }
  const jitrun_open_options_t options = {
      .size = sizeof options,
      .executor = strcmp(argv[2], "thunks") == 0 ? JITRUN_EXECUTOR_THUNKS
                                                 : JITRUN_EXECUTOR_JIT,
      .opt_level = -1};
  jitrun_error_t *error =
      jitrun_registry_add(jitrun_registry_default(), jitrun_plugin_query);
  if (!error)
    error = open_repeatedly(argv[1], &options, strtol(argv[3], NULL, 10));
  if (!error)
    return 0;
  (void)fprintf(stderr, "%s: %s\n", argv[1], jitrun_error_message(error));
  jitrun_error_free(error);
  return 1;
}
