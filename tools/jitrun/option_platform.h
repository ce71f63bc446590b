/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// --device and --devices: the platform, which of its devices, and how many of
/// them there are to be.
#ifndef JR_TOOLS_OPTION_PLATFORM_H
#define JR_TOOLS_OPTION_PLATFORM_H

#include "options.h"

/// Reads "cuda:0", "host"; INVALID_ARGUMENT for anything else.
jitrun_error_t *jr_platform_parse(const char *text,
                                  struct jr_platform_choice *out_choice)
    __attribute__((warn_unused_result));

/// Compares them with the other options: everything that is known before a
/// driver is opened.
jitrun_error_t *jr_platform_check(const struct jr_options *options)
    __attribute__((warn_unused_result));

/// True when programs run in this process's own memory.
bool jr_platform_is_host(const struct jr_options *options);

#endif
