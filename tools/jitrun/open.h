/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What most verbs begin with: plug-ins, the program, its entry.
#ifndef JR_TOOLS_OPEN_H
#define JR_TOOLS_OPEN_H

#include "base/bytes.h"
#include "base/error.h"
#include "jitrun/program.h"
#include "observe.h"
#include "options.h"
#include "watch.h"

/// Adds the plug-ins and libraries to the default registry.
jitrun_error_t *jr_load_plugins(const struct jr_options *options,
                                struct jr_watch *watch)
    __attribute__((warn_unused_result));

/// The options that programs are opened with, without an observer.
jitrun_open_options_t jr_open_options(const struct jr_options *options);

/// Loads the plug-ins and opens the program, to be released; for inspect only
/// to look at. `observe` may be NULL.
jitrun_error_t *
jr_open_program(const struct jr_options *options, struct jr_watch *watch,
                struct jr_observe *observe, jitrun_program_t **out_program)
    __attribute__((warn_unused_result));

/// Adds to an error about a custom call that is not registered what to do about
/// it.
jitrun_error_t *jr_note_plugin(/*own*/ jitrun_error_t *error)
    __attribute__((warn_unused_result));

/// Finds the entry that the options ask for. NOT_FOUND lists those there are.
jitrun_error_t *jr_find_entry(const struct jr_options *options,
                              const jitrun_program_t *program,
                              const jitrun_entry_t **out_entry)
    __attribute__((warn_unused_result));

/// Appends "arg[0]: 2x3xi32, arg[1]: i32", or "nothing".
void jr_format_params(struct jr_bytes *text, const jitrun_entry_t *entry);

/// Appends "2x3xi32 (output)".
void jr_format_value(struct jr_bytes *text, const jitrun_value_info_t *value);

#endif
