/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Supervision: the work is done in a child process, so that a crash of the
/// compiler or of the program, and a deadline, end in an error message.
#ifndef JR_TOOLS_SUPERVISE_H
#define JR_TOOLS_SUPERVISE_H

#include "options.h"
#include "report.h"
#include "watch.h"

/// What does the work of a verb.
typedef enum jr_exit (*jr_work_fn_t)(struct jr_options *options,
                                     struct jr_watch *watch);

/// Runs `work` in a child, or in this process with --no-supervise, and returns
/// the exit status of the command. Nothing may have been opened or started
/// before. A child that was interrupted, or came to its own end, takes this
/// process with it.
enum jr_exit jr_supervise(struct jr_options *options, jr_work_fn_t work);

#endif
