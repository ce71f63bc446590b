/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What the command says on standard error. Standard output is flushed first,
/// so that the two stand in order where they are one.
#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum jr_exit jr_report(jitrun_error_t *error,
                       const struct jr_options *options) {
  if (!error)
    return JR_EXIT_DONE;
  jitrun_code_t code = jitrun_error_code(error);
  const char *location = jitrun_error_location(error);
  bool verbose = options->verbose;
  (void)fflush(stdout);
  (void)fprintf(stderr, "jitrun: error: %s%s%s%s%s\n", location ? location : "",
                location ? ": " : "", verbose ? jitrun_code_name(code) : "",
                verbose ? ": " : "", jitrun_error_message(error));
  for (size_t i = 0; i < jitrun_error_note_count(error); i++)
    (void)fprintf(stderr, "jitrun: note: %s\n",
                  jitrun_error_note_get(error, i));
  jitrun_error_free(error);
  if (code == JITRUN_RESOURCE_EXHAUSTED)
    jr_report_limit(options);
  return code == JITRUN_DEADLINE_EXCEEDED ? JR_EXIT_DEADLINE : JR_EXIT_FAILED;
}

enum jr_exit jr_report_output(enum jr_exit status) {
  errno = 0;
  if (fflush(stdout) == 0 && !ferror(stdout))
    return status;
  jr_report_line("cannot write to standard output%s%s", errno ? ": " : "",
                 errno ? strerror(errno) : "");
  return status == JR_EXIT_DONE ? JR_EXIT_FAILED : status;
}

void jr_report_limit(const struct jr_options *options) {
  if (options->memory_limit > 0)
    (void)fprintf(stderr, "jitrun: note: --memory-limit allows %.6g MiB\n",
                  (double)options->memory_limit / (1 << 20));
}

/// Threads of several devices may write at once: none gets in between.
__attribute__((format(printf, 2, 0))) static void
write_line(const char *kind, const char *format, va_list args) {
  (void)fflush(stdout);
  flockfile(stderr);
  (void)fprintf(stderr, "jitrun: %s: ", kind);
  (void)vfprintf(stderr, format, args);
  (void)fputc('\n', stderr);
  funlockfile(stderr);
}

void jr_report_note(const char *format, ...) {
  va_list args;
  va_start(args, format);
  write_line("note", format, args);
  va_end(args);
}

void jr_report_time(const char *name, uint64_t ns) {
  (void)fprintf(stderr, "jitrun: stats: %s %.3f ms\n", name, (double)ns / 1e6);
}

void jr_report_stage(const jitrun_stage_cost_t *cost) {
  (void)fprintf(stderr, "jitrun: stats: stage %s %.3f ms, memory +%.1f MiB\n",
                cost->name, (double)cost->time_ns / 1e6,
                (double)cost->memory_bytes / (1 << 20));
}

void jr_report_temps(struct jr_bytes *text, const jitrun_program_info_t *info) {
  jr_bytes_appendf(text, "%" PRIu64 " bytes", info->temp_bytes);
  if (info->temp_sum_bytes == 0)
    return;
  double peak = info->temp_peak_bytes ? (double)info->temp_peak_bytes : 1;
  double more = (double)(info->temp_bytes - info->temp_peak_bytes);
  jr_bytes_appendf(
      text,
      " for %" PRIu64 ", %" PRIu64 " in use at once, fragmentation %.1f %%",
      info->temp_sum_bytes, info->temp_peak_bytes, 100 * more / peak);
}

void jr_report_line(const char *format, ...) {
  va_list args;
  va_start(args, format);
  write_line("error", format, args);
  va_end(args);
}
