/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See observe.h. Of several compiles (a program that is specialised) the files
/// are those of the last: what an earlier one left is removed first.
#include "observe.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/clock.h"
#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// "DIR/03-tensors.mlir"; free it.
static char *name_file(const struct jr_observe *observe, size_t stage) {
  struct jr_bytes path = {0};
  jr_bytes_appendf(&path, "%s/%02zu-%s.%s", observe->options->dump_dir, stage,
                   jr_stage_table[stage].name, jr_stage_table[stage].suffix);
  return jr_bytes_take_text(&path);
}

static void remove_files(const struct jr_observe *observe) {
  for (size_t i = 0; i < JR_STAGE_COUNT; i++) {
    char *path = name_file(observe, i);
    if (path)
      (void)unlink(path);
    free(path);
  }
}

static jitrun_error_t *make_folder(const struct jr_observe *observe) {
  const char *path = observe->options->dump_dir;
  struct stat status;
  errno = 0;
  if (mkdir(path, 0777) != 0 && errno != EEXIST)
    return jr_error(JITRUN_PERMISSION_DENIED, "--dump-ir: cannot make '%s': %s",
                    path, strerror(errno));
  if (stat(path, &status) == 0 && !S_ISDIR(status.st_mode))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "--dump-ir: '%s' is a file; give a folder", path);
  if (access(path, W_OK | X_OK) != 0)
    return jr_error(JITRUN_PERMISSION_DENIED,
                    "--dump-ir: cannot write to '%s': %s", path,
                    strerror(errno));
  remove_files(observe);
  return NULL;
}

static void write_text(struct jr_observe *observe,
                       const jitrun_stage_t *stage) {
  if (stage->index == 0)
    remove_files(observe);
  if (observe->error)
    return;
  char *path = name_file(observe, stage->index);
  observe->error = path ? jr_file_write(path, stage->text, stage->text_bytes)
                        : jr_error_no_memory();
  free(path);
}

/// The header is a comment in each of the languages.
static void print_text(struct jr_observe *observe,
                       const jitrun_stage_t *stage) {
  jr_progress_hide(&observe->progress);
  (void)fflush(stdout);
  if (strcmp(stage->suffix, "mlir") == 0)
    (void)fprintf(stderr, "// -----// IR Dump After %s //----- //\n",
                  stage->name);
  else
    (void)fprintf(stderr, "%c *** IR Dump After %s ***\n",
                  strcmp(stage->suffix, "ll") == 0 ? ';' : '#', stage->name);
  (void)fwrite(stage->text, 1, stage->text_bytes, stderr);
}

static void begin_stage(void *context, const char *name) {
  struct jr_observe *observe = context;
  observe->since_ns = jitrun_profile_clock();
  if (!observe->progress.is_running && isatty(STDERR_FILENO)) {
    const char *slash = strrchr(observe->options->file, '/');
    char what[sizeof observe->progress.what];
    (void)snprintf(what, sizeof what, "compiling '%.30s'",
                   slash ? slash + 1 : observe->options->file);
    jr_progress_start(&observe->progress, what, STDERR_FILENO, JR_NS_PER_S,
                      &observe->watch->has_progress);
  }
  jr_progress_stage(&observe->progress, name);
}

static void end_stage(void *context, const jitrun_stage_t *stage) {
  struct jr_observe *observe = context;
  if (stage->index == 0)
    memset(observe->costs, 0, sizeof observe->costs);
  observe->has_run = true;
  jitrun_profile_span(observe->profile, "compile", stage->name,
                      observe->since_ns, jitrun_profile_clock());
  observe->costs[stage->index] = (jitrun_stage_cost_t){
      jr_stage_table[stage->index].name, stage->time_ns, stage->memory_bytes};
  if (stage->text && observe->options->dump_dir)
    write_text(observe, stage);
  if (stage->text && observe->printed & 1u << stage->index)
    print_text(observe, stage);
}

/// The names of stages were checked with the command line.
static jitrun_error_t *choose_texts(struct jr_observe *observe) {
  const struct jr_texts *names = &observe->options->print_after;
  size_t count = names->count + 1;
  observe->texts = jr_calloc(count, sizeof *observe->texts);
  if (!observe->texts)
    return jr_error_no_memory();
  for (size_t i = 0; i < names->count; i++) {
    observe->texts[i] = names->items[i];
    JITRUN_TRY(jr_stage_add(names->items[i], &observe->printed));
  }
  if (observe->options->dump_dir)
    observe->texts[names->count] = "all";
  observe->observer.texts = observe->texts;
  observe->observer.text_count =
      names->count + (observe->options->dump_dir != NULL);
  return NULL;
}

/// Where perf looks for the names of code that is in no file. An old one is of
/// a process that had this number before.
static jitrun_error_t *open_perf_map(struct jr_observe *observe) {
  char path[64];
  (void)snprintf(path, sizeof path, "/tmp/perf-%ld.map", (long)getpid());
  (void)unlink(path);
  int descriptor =
      open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
  if (descriptor >= 0)
    observe->perf_map = fdopen(descriptor, "w");
  if (observe->perf_map)
    return NULL;
  jitrun_error_t *error =
      jr_error(JITRUN_PERMISSION_DENIED, "--perf: cannot write '%s': %s", path,
               strerror(errno));
  if (descriptor >= 0)
    (void)close(descriptor);
  return error;
}

jitrun_error_t *jr_observe_open(const struct jr_options *options,
                                struct jr_watch *watch,
                                struct jr_observe *out_observe) {
  *out_observe = (struct jr_observe){.options = options, .watch = watch};
  out_observe->observer = (jitrun_observer_t){
      .size = sizeof out_observe->observer,
      .context = out_observe,
      .begin = begin_stage,
      .end = end_stage,
  };
  JITRUN_TRY(choose_texts(out_observe));
  if (options->dump_dir)
    JITRUN_TRY(make_folder(out_observe));
  return options->perf ? open_perf_map(out_observe) : NULL;
}

static void map_function(void *context, const char *name, const void *address,
                         size_t size_bytes) {
  struct jr_observe *observe = context;
  (void)fprintf(observe->perf_map, "%llx %zx %s\n",
                (unsigned long long)(uintptr_t)address, size_bytes, name);
  (void)fflush(observe->perf_map);
}

const jitrun_observer_t *jr_observe_get(const struct jr_observe *observe) {
  bool is_wanted = observe->observer.text_count > 0 ||
                   observe->options->stats || observe->options->trace ||
                   isatty(STDERR_FILENO);
  return is_wanted ? &observe->observer : NULL;
}

void jr_observe_fill(struct jr_observe *observe,
                     jitrun_open_options_t *open_options) {
  open_options->observer = jr_observe_get(observe);
  open_options->debug_info = observe->options->debug_info;
  if (observe->perf_map) {
    open_options->code = map_function;
    open_options->code_context = observe;
  }
}

/// Says which of the stages asked for the program does without.
static void note_skipped(struct jr_observe *observe) {
  size_t count = observe->has_noted ? 0 : observe->options->print_after.count;
  observe->has_noted = true;
  for (size_t i = 0; i < count; i++) {
    enum jr_stage stage;
    const char *name = observe->options->print_after.items[i];
    if (strcmp(name, "all") == 0)
      continue;
    jitrun_error_free(jr_stage_find(name, &stage));
    if (stage < JR_STAGE_COUNT && !observe->costs[stage].name)
      (void)fprintf(stderr,
                    "jitrun: note: --print-ir-after=%s: the program was "
                    "compiled without that stage\n",
                    name);
  }
}

jitrun_error_t *jr_observe_settle(struct jr_observe *observe,
                                  jitrun_error_t *error) {
  jr_progress_stop(&observe->progress);
  if (error)
    return error;
  error = observe->error;
  observe->error = NULL;
  if (error)
    return jr_error_note(error, "while writing what --dump-ir asks for");
  if (observe->observer.text_count > 0 && !observe->has_run)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "'%s' was compiled before, so it has no stages for %s; "
                    "give its MLIR",
                    observe->options->file,
                    observe->options->dump_dir ? "--dump-ir"
                                               : "--print-ir-after");
  note_skipped(observe);
  return NULL;
}

void jr_observe_close(struct jr_observe *observe) {
  jr_progress_stop(&observe->progress);
  if (observe->perf_map)
    (void)fclose(observe->perf_map);
  jitrun_error_free(observe->error);
  free(observe->texts);
  *observe = (struct jr_observe){0};
}
