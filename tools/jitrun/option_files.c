/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See option_files.h. Files need not be there yet: then their names are
/// compared, and the folders that they are to be in.
#include "option_files.h"

#include "npz.h"
#include "option_emit.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/files.h"
#include "base/strings.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// What an option writes.
struct target {
  const char *option; ///< "--trace"
  const char *text;   ///< its value, for messages
  const char *path;   ///< without the member of an archive; "-" is printed
  const char *member; ///< of the archive; NULL: not named
  bool is_archive;
  bool is_output; ///< many outputs may be printed
};

struct targets {
  struct jr_options *options; ///< own the texts
  struct target *items;
  size_t count;
};

static jitrun_error_t *add_target(struct targets *targets,
                                  const struct target *target) {
  struct target *items =
      jr_realloc(targets->items, (targets->count + 1) * sizeof *items);
  if (!items)
    return jr_error_no_memory();
  targets->items = items;
  items[targets->count++] = *target;
  return NULL;
}

static jitrun_error_t *add_file(struct targets *targets, const char *option,
                                const char *path) {
  if (!path || !*path)
    return NULL;
  return add_target(
      targets, &(struct target){.option = option, .text = path, .path = path});
}

static jitrun_error_t *add_output(struct targets *targets,
                                  const struct jr_spec *spec) {
  struct target target = {.option = spec->option,
                          .text = spec->text,
                          .path = "-",
                          .is_output = true};
  size_t size = 0;
  if (spec->kind == JR_SPEC_PRINTED)
    return add_target(targets, &target);
  target.path = spec->rest;
  target.is_archive = jr_npz_split(spec->rest, &size, &target.member);
  if (target.is_archive) {
    char *path = strndup(spec->rest, size);
    if (!path)
      return jr_error_no_memory();
    JITRUN_TRY(jr_options_own(targets->options, path));
    target.path = path;
  }
  return add_target(targets, &target);
}

/// The file of constants is in the folder of OUT.
static jitrun_error_t *add_constants(struct targets *targets) {
  const struct jr_options *options = targets->options;
  const char *slash = strrchr(options->out_path, '/');
  struct jr_bytes path = {0};
  if (!options->constants || !slash || options->constants[0] == '/')
    return add_file(targets, "--constants", options->constants);
  jr_bytes_append(&path, options->out_path,
                  (size_t)(slash - options->out_path) + 1);
  jr_bytes_append_text(&path, options->constants);
  char *text = jr_bytes_take_text(&path);
  jr_bytes_deinit(&path);
  if (!text)
    return jr_error_no_memory();
  JITRUN_TRY(jr_options_own(targets->options, text));
  return add_target(targets, &(struct target){.option = "--constants",
                                              .text = options->constants,
                                              .path = text});
}

static jitrun_error_t *add_compiled(struct targets *targets) {
  const char *path = NULL;
  for (size_t i = 0; i < targets->options->emit_count; i++) {
    JITRUN_TRY(jr_emit_path(targets->options, i, &path));
    JITRUN_TRY(add_file(targets, "-o", path));
  }
  JITRUN_TRY(add_constants(targets));
  return add_file(targets, "--depfile", targets->options->depfile);
}

static jitrun_error_t *add_all(struct targets *targets) {
  const struct jr_options *options = targets->options;
  for (size_t i = 0; i < options->outputs.count; i++)
    JITRUN_TRY(add_output(targets, &options->outputs.items[i]));
  JITRUN_TRY(add_file(targets, "--profile-json", options->profile_json));
  JITRUN_TRY(add_file(targets, "--trace", options->trace));
  return options->verb == JR_VERB_COMPILE ? add_compiled(targets) : NULL;
}

/// The folder of a file, without links and dots; NULL: it is not there.
static char *find_folder(const char *path, const char **out_name) {
  const char *slash = strrchr(path, '/');
  *out_name = slash ? slash + 1 : path;
  if (!slash)
    return realpath(".", NULL);
  char *folder = strndup(path, (size_t)(slash - path) + 1);
  char *found = folder ? realpath(folder, NULL) : NULL;
  free(folder);
  return found;
}

/// True for names of one file that need not be there. Devices and pipes take
/// what is written to them one after the other.
static bool is_same_name(const char *a, const char *b) {
  struct stat status;
  if (stat(a, &status) == 0 && !S_ISREG(status.st_mode))
    return false;
  if (strcmp(a, b) == 0)
    return true;
  const char *a_name;
  const char *b_name;
  char *a_folder = find_folder(a, &a_name);
  char *b_folder = find_folder(b, &b_name);
  bool is_same = a_folder && b_folder && strcmp(a_folder, b_folder) == 0 &&
                 strcmp(a_name, b_name) == 0;
  free(a_folder);
  free(b_folder);
  return is_same;
}

static bool is_stdout(const char *path) {
  static const char *const names[] = {"-", "/dev/stdout", "/dev/fd/1",
                                      "/proc/self/fd/1"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (strcmp(path, names[i]) == 0)
      return true;
  }
  return false;
}

/// True when both are parts of one archive, which is written once if it is
/// named alike.
static bool share_archive(const struct target *a, const struct target *b) {
  return a->is_archive && b->is_archive && strcmp(a->path, b->path) == 0 &&
         !(a->member && b->member && strcmp(a->member, b->member) == 0);
}

static bool do_collide(const struct target *a, const struct target *b) {
  bool are_printed = strcmp(a->path, "-") == 0 && strcmp(b->path, "-") == 0;
  if ((a->is_output && b->is_output && are_printed) || share_archive(a, b))
    return false;
  if (is_stdout(a->path) || is_stdout(b->path))
    return is_stdout(a->path) && is_stdout(b->path);
  return jr_file_is_same(a->path, b->path) || is_same_name(a->path, b->path);
}

/// "=" between an option and its value, or " ".
static const char *separate(const struct target *target) {
  return jr_text_has_prefix(target->option, "--") ? "=" : " ";
}

static jitrun_error_t *check_target(const struct targets *targets,
                                    const struct target *target) {
  const char *file = targets->options->file;
  if (file && jr_file_is_same(file, target->path))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "%s%s%s: that is the program itself, and is not written "
                    "over",
                    target->option, separate(target), target->text);
  for (const struct target *other = targets->items; other < target; other++) {
    if (do_collide(other, target))
      return jr_error(JITRUN_INVALID_ARGUMENT,
                      "%s%s%s and %s%s%s write to the same place; give each "
                      "a file of its own",
                      other->option, separate(other), other->text,
                      target->option, separate(target), target->text);
  }
  return NULL;
}

jitrun_error_t *jr_option_files_check(struct jr_options *options) {
  struct targets targets = {.options = options};
  jitrun_error_t *error = add_all(&targets);
  for (size_t i = 0; !error && i < targets.count; i++)
    error = check_target(&targets, &targets.items[i]);
  free(targets.items);
  return error;
}
