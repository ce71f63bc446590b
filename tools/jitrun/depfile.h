/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What a compile read, for build systems.
#ifndef JR_TOOLS_DEPFILE_H
#define JR_TOOLS_DEPFILE_H

#include "options.h"

/// Writes the file of --depfile, if it was given: `outputs` depend on the
/// program, and the plug-ins and libraries that it was checked with. The
/// format is that of make, which Ninja and CMake read.
jitrun_error_t *jr_depfile_write(const struct jr_options *options,
                                 const char *const *outputs,
                                 size_t count) JITRUN_MUST_USE;

#endif
