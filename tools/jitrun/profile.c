/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See profile.h. The thread waits for the question of the supervisor, see
/// watch.h, which it then answers: the child is ended after that.
#include "profile.h"

#include "report.h"
#include "watch.h"

#include "base/bytes.h"
#include "base/files.h"
#include "base/json.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SHOWN_CALLS = 40 };

static jitrun_error_t *refuse_file(const char *option, const char *path,
                                   int number) {
  return jr_error(number == ENOENT ? JITRUN_NOT_FOUND
                                   : JITRUN_PERMISSION_DENIED,
                  "%s: cannot write '%s': %s", option, path, strerror(number));
}

/// A run may take long, and its file should not fail for what is known before.
static jitrun_error_t *check_file(const char *option, const char *path) {
  struct stat status;
  struct jr_bytes folder = {0};
  if (!path || strcmp(path, "-") == 0)
    return NULL;
  if (stat(path, &status) == 0)
    return S_ISDIR(status.st_mode) ? refuse_file(option, path, EISDIR) : NULL;
  const char *slash = strrchr(path, '/');
  jr_bytes_append(&folder, slash ? path : ".",
                  slash && slash > path ? (size_t)(slash - path) : 1);
  const char *text = jr_bytes_text(&folder);
  errno = 0;
  jitrun_error_t *error = text ? NULL : jr_error_no_memory();
  if (text && access(text, W_OK | X_OK) != 0)
    error = refuse_file(option, path, errno);
  jr_bytes_deinit(&folder);
  return error;
}

static jitrun_error_t *write_trace(const struct jr_profiler *profiler) {
  char *text = NULL;
  jitrun_error_t *error = jitrun_profile_trace(profiler->profile, &text);
  if (!error)
    error = jr_file_write(profiler->options->trace, text, strlen(text));
  jitrun_text_free(text);
  return jr_error_note(error, "while writing the trace");
}

/// The thread's whole life.
static void *await_question(void *argument) {
  const struct jr_profiler *profiler = argument;
  if (!jr_watch_await())
    return NULL;
  jitrun_error_t *error = write_trace(profiler);
  if (error)
    (void)jr_report(error, profiler->options);
  jr_watch_answer();
  return NULL;
}

/// Signals are for the other threads. Without the thread a deadline loses the
/// trace.
static void start_thread(struct jr_profiler *profiler) {
  sigset_t all;
  sigset_t former;
  (void)sigfillset(&all);
  (void)pthread_sigmask(SIG_SETMASK, &all, &former);
  profiler->has_thread =
      jr_watch_delay(true) &&
      pthread_create(&profiler->thread, NULL, await_question, profiler) == 0;
  (void)pthread_sigmask(SIG_SETMASK, &former, NULL);
  if (!profiler->has_thread)
    (void)jr_watch_delay(false);
}

static void stop_thread(struct jr_profiler *profiler) {
  if (!profiler->has_thread)
    return;
  (void)jr_watch_delay(false);
  (void)pthread_join(profiler->thread, NULL);
  profiler->has_thread = false;
}

jitrun_error_t *jr_profiler_open(const struct jr_options *options,
                                 struct jr_profiler *out_profiler) {
  const jitrun_profile_options_t asked = {.size = sizeof asked,
                                          .calls = options->profile ||
                                                   options->profile_json,
                                          .spans = options->trace};
  *out_profiler = (struct jr_profiler){.options = options};
  if (!asked.calls && !asked.spans && !options->stats)
    return NULL;
  JITRUN_TRY(check_file("--trace", options->trace));
  JITRUN_TRY(check_file("--profile-json", options->profile_json));
  JITRUN_TRY(jitrun_profile_create(&asked, &out_profiler->profile));
  if (options->trace && options->timeout_ns > 0)
    start_thread(out_profiler);
  return NULL;
}

static double mean(uint64_t total, uint64_t count) {
  return count > 0 ? (double)total / (double)count : 0;
}

static double share(uint64_t part, uint64_t total) {
  return total > 0 ? (double)part / (double)total : 0;
}

static void print_executions(const jitrun_profile_info_t *info,
                             const char *purpose) {
  (void)fprintf(stderr,
                "jitrun: %s: executions %" PRIu64 ", total %.3f ms, min %.3f "
                "us, mean %.3f us, max %.3f us\n",
                purpose, info->execution_count, (double)info->total_ns / 1e6,
                (double)info->min_ns / 1e3,
                mean(info->total_ns, info->execution_count) / 1e3,
                (double)info->max_ns / 1e3);
}

static void print_call(const jitrun_call_time_t *call, uint64_t total_ns) {
  char place[32] = "";
  if (call->line > 0)
    (void)snprintf(place, sizeof place, ":%u:%u", call->line, call->column);
  (void)fprintf(stderr,
                "jitrun: profile: %12.3f %6.1f%% %10" PRIu64
                " %11.3f %11.3f %11.3f  %s at %s%s\n",
                (double)call->total_ns / 1e6,
                100 * share(call->total_ns, total_ns), call->count,
                (double)call->min_ns / 1e3,
                mean(call->total_ns, call->count) / 1e3,
                (double)call->max_ns / 1e3, call->target, call->file, place);
}

/// The calls that took most, or all of them.
static void print_table(const struct jr_profiler *profiler,
                        const jitrun_profile_info_t *info) {
  uint64_t shown = profiler->options->full ? UINT64_MAX : SHOWN_CALLS;
  jitrun_call_time_t call = {.size = sizeof call};
  print_executions(info, "profile");
  if (info->call_count > 0)
    (void)fprintf(stderr, "jitrun: profile: %12s %7s %10s %11s %11s %11s  %s\n",
                  "total ms", "share", "count", "min us", "mean us", "max us",
                  "call");
  for (uint64_t i = 0; i < info->call_count && i < shown; i++) {
    if (jitrun_profile_call_get(profiler->profile, i, &call))
      print_call(&call, info->total_ns);
  }
  if (info->call_count > shown)
    (void)fprintf(stderr,
                  "jitrun: profile: and %" PRIu64 " more; --full shows all\n",
                  info->call_count - shown);
}

static void put_u64(struct jr_json *json, const char *key, uint64_t value) {
  jr_json_key(json, key);
  jr_json_u64(json, value);
}

static void put_times(struct jr_json *json, uint64_t count, uint64_t total_ns,
                      uint64_t min_ns, uint64_t max_ns) {
  put_u64(json, "count", count);
  put_u64(json, "total_ns", total_ns);
  put_u64(json, "min_ns", min_ns);
  jr_json_key(json, "mean_ns");
  jr_json_f64(json, mean(total_ns, count));
  put_u64(json, "max_ns", max_ns);
}

static void put_call(struct jr_json *json, const jitrun_call_time_t *call,
                     uint64_t total_ns) {
  jr_json_open_object(json);
  jr_json_key(json, "target");
  jr_json_text(json, call->target);
  jr_json_key(json, "file");
  jr_json_text(json, call->file);
  put_u64(json, "line", call->line);
  put_u64(json, "column", call->column);
  put_times(json, call->count, call->total_ns, call->min_ns, call->max_ns);
  jr_json_key(json, "share");
  jr_json_f64(json, share(call->total_ns, total_ns));
  jr_json_close_object(json);
}

static jitrun_error_t *write_json(const struct jr_profiler *profiler,
                                  const jitrun_profile_info_t *info) {
  struct jr_bytes text = {0};
  struct jr_json json = {.out = &text};
  jitrun_call_time_t call = {.size = sizeof call};
  jr_json_open_object(&json);
  jr_json_key(&json, "executions");
  jr_json_open_object(&json);
  put_times(&json, info->execution_count, info->total_ns, info->min_ns,
            info->max_ns);
  jr_json_close_object(&json);
  jr_json_key(&json, "calls");
  jr_json_open_array(&json);
  for (uint64_t i = 0; jitrun_profile_call_get(profiler->profile, i, &call);
       i++)
    put_call(&json, &call, info->total_ns);
  jr_json_close_array(&json);
  jr_json_close_object(&json);
  jr_bytes_append_text(&text, "\n");
  jitrun_error_t *error = jr_bytes_check(&text);
  if (!error)
    error =
        jr_file_write(profiler->options->profile_json, text.data, text.size);
  jr_bytes_deinit(&text);
  return jr_error_note(error, "while writing the profile");
}

static jitrun_error_t *report_profile(const struct jr_profiler *profiler,
                                      bool has_failed) {
  const struct jr_options *options = profiler->options;
  jitrun_profile_info_t info = {.size = sizeof info};
  JITRUN_TRY(jitrun_profile_info(profiler->profile, &info));
  (void)fflush(stdout);
  bool has_run = info.execution_count > 0 || !has_failed;
  if (options->profile && has_run)
    print_table(profiler, &info);
  if (info.dropped_count > 0)
    jr_report_note("the trace lacks %" PRIu64 " spans, of %" PRIu64,
                   info.dropped_count, info.dropped_count + info.span_count);
  if (options->trace)
    JITRUN_TRY(write_trace(profiler));
  return options->profile_json ? write_json(profiler, &info) : NULL;
}

jitrun_error_t *jr_profiler_finish(struct jr_profiler *profiler,
                                   jitrun_error_t *error) {
  if (!profiler->profile)
    return error;
  stop_thread(profiler);
  jitrun_error_t *other = report_profile(profiler, error != NULL);
  if (!error)
    return other;
  if (other)
    (void)jr_report(other, profiler->options);
  return error;
}

void jr_profiler_stats(const struct jr_profiler *profiler) {
  jitrun_profile_info_t info = {.size = sizeof info};
  jitrun_error_t *error = jitrun_profile_info(profiler->profile, &info);
  if (!error)
    print_executions(&info, "stats");
  jitrun_error_free(error);
}

void jr_profiler_close(struct jr_profiler *profiler) {
  stop_thread(profiler);
  jitrun_profile_release(profiler->profile);
  *profiler = (struct jr_profiler){0};
}
