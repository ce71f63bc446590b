/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// --specialize: opening a program to compile it for its arguments.
#ifndef JR_TOOLS_SPECIALIZE_H
#define JR_TOOLS_SPECIALIZE_H

#include "base/error.h"
#include "jitrun/specialize.h"
#include "observe.h"
#include "options.h"
#include "watch.h"

/// True when an entry has constraints that its signature does not meet.
bool jr_asks_for_more(const jitrun_entry_t *entry);

/// Opens the file for the entry that the options name. With --specialize=never
/// that is an error for one with such constraints.
jitrun_error_t *jr_open_specializer(const struct jr_options *options,
                                    struct jr_watch *watch,
                                    struct jr_observe *observe,
                                    jitrun_specializer_t **out_specializer)
    __attribute__((warn_unused_result));

#endif
