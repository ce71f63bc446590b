/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What the supervising process can see of the working one: a page of memory
/// that both have. The worker says where it is; its signal handlers fill in the
/// last call.
#ifndef JR_TOOLS_WATCH_H
#define JR_TOOLS_WATCH_H

#include "jitrun/program.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct jr_watch {
  volatile uint64_t site;     ///< for jitrun_run_options_t.current_site
  volatile bool has_finished; ///< the worker came to its own end
  char stage[512];            ///< "running 'main' of 'x.mlir'"
  char call[512];             ///< "'vendor.op' at x.mlir:3:5", or empty
};

/// Says what the worker does from now on.
void jr_watch_enter(struct jr_watch *watch, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// Installs handlers that note the last call when this process crashes or ends
/// early, and when its parent asks with SIGUSR1, which is then answered with
/// SIGUSR1.
void jr_watch_signals(struct jr_watch *watch);

/// The program whose call sites the handlers look up; NULL: none any more.
void jr_watch_program(const jitrun_program_t *program);

#endif
