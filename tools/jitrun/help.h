/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// How options are shown to people, by every tool.
#ifndef JR_TOOLS_HELP_H
#define JR_TOOLS_HELP_H

#include "option_table.h"

/// What stands between an option and its value: "=", " " or nothing.
const char *jr_option_separator(const struct jr_option *option);

/// Prints "  --entry=NAME   exported function", over as many lines as it takes.
void jr_option_print(const struct jr_option *option);

#endif
