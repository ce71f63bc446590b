/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Files that the command writes.
#ifndef JR_TOOLS_OPTION_FILES_H
#define JR_TOOLS_OPTION_FILES_H

#include "options.h"

/// INVALID_ARGUMENT when two options would write the same file, or one would
/// write over the program.
jitrun_error_t *jr_option_files_check(struct jr_options *options)
    __attribute__((warn_unused_result));

#endif
