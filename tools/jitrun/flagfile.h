/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Flag files: options in a file, one on a line, put where --flagfile stands.
#ifndef JR_TOOLS_FLAGFILE_H
#define JR_TOOLS_FLAGFILE_H

#include "base/error.h"
#include "options.h"

/// Where an argument that a file gave stands.
struct jr_flag_line {
  const char *text, *path;
  unsigned number;
};

/// Arguments with flag files replaced; zero-initialised is empty.
struct jr_flags {
  struct jr_texts arguments;
  char **files; ///< what the files hold; the arguments point into it
  size_t file_count;
  struct jr_flag_line *lines;
  size_t line_count;
};

/// Replaces every --flagfile=FILE before "--" by the lines of the file: blank
/// lines and those that begin with '#' are skipped, a line is one argument in
/// which double quotes keep blanks, and files may name further ones, 8 deep.
/// INVALID_ARGUMENT with file and line for what cannot be read as that.
jitrun_error_t *jr_flags_expand(int argc, const char **argv,
                                struct jr_flags *flags)
    __attribute__((warn_unused_result));

/// Gives an error about an argument the line of the flag file that it is from.
jitrun_error_t *jr_flags_locate(const struct jr_flags *flags,
                                /*own*/ jitrun_error_t *error);

void jr_flags_deinit(struct jr_flags *flags);

#endif
