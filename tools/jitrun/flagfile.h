/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Flag files: options in a file, one on a line, put where --flagfile stands.
#ifndef JR_TOOLS_FLAGFILE_H
#define JR_TOOLS_FLAGFILE_H

#include "base/error.h"
#include "options.h"

/// Arguments with flag files replaced; zero-initialised is empty.
struct jr_flags {
  struct jr_texts arguments;
  char **files; ///< what the files hold; the arguments point into it
  size_t file_count;
};

/// Replaces every --flagfile=FILE before "--" by the lines of the file: blank
/// lines and those that begin with '#' are skipped, a line is one argument,
/// and files may name further ones, 8 deep.
jitrun_error_t *jr_flags_expand(int argc, const char **argv,
                                struct jr_flags *flags)
    __attribute__((warn_unused_result));

void jr_flags_deinit(struct jr_flags *flags);

#endif
