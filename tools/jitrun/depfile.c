/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See depfile.h.
#include "depfile.h"

#include "base/bytes.h"
#include "base/files.h"

#include <string.h>
#include <unistd.h>

/// Appends a name as make reads it.
static void append_name(struct jr_bytes *text, const char *name) {
  for (const char *c = name; *c; c++) {
    if (*c == '$')
      jr_bytes_append_text(text, "$");
    else if (strchr(" \t#\\:", *c))
      jr_bytes_append_text(text, "\\");
    jr_bytes_append(text, c, 1);
  }
}

/// Libraries that the system was asked for are in no folder that we know.
static void append_files(struct jr_bytes *text, const struct jr_texts *files) {
  for (size_t i = 0; i < files->count; i++) {
    if (access(files->items[i], F_OK) != 0)
      continue;
    jr_bytes_append_text(text, " \\\n  ");
    append_name(text, files->items[i]);
  }
}

jitrun_error_t *jr_depfile_write(const struct jr_options *options,
                                 const char *const *outputs, size_t count) {
  struct jr_bytes text = {0};
  if (!options->depfile)
    return NULL;
  for (size_t i = 0; i < count; i++) {
    append_name(&text, outputs[i]);
    jr_bytes_append_text(&text, i + 1 < count ? " " : ":");
  }
  if (strcmp(options->file, "-") != 0) {
    jr_bytes_append_text(&text, " ");
    append_name(&text, options->file);
  }
  append_files(&text, &options->plugins);
  append_files(&text, &options->shared_libs);
  jr_bytes_append_text(&text, "\n");
  jitrun_error_t *error = jr_bytes_check(&text);
  if (!error)
    error = jr_file_write(options->depfile, text.data, text.size);
  jr_bytes_deinit(&text);
  return error;
}
