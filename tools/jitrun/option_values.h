/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Storing the values of options, by their kind.
#ifndef JR_TOOLS_OPTION_VALUES_H
#define JR_TOOLS_OPTION_VALUES_H

#include "option_table.h"

enum { JR_OPTION_NAME_SIZE = 40 };

/// "--entry" or "-o".
const char *jr_option_format_name(const struct jr_option *option,
                                  char buffer[JR_OPTION_NAME_SIZE]);

/// Stores the value of one option, "" for flags, in its field.
jitrun_error_t *jr_option_store(struct jr_options *options,
                                const struct jr_option *option,
                                const char *value)
    __attribute__((warn_unused_result));

/// Adds a text, which is borrowed, to a list.
jitrun_error_t *jr_texts_add(struct jr_texts *texts, const char *text)
    __attribute__((warn_unused_result));

#endif
