/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What the supervising process can see of the working one: a page of memory
/// that both have. The worker says where it is; its signal handlers fill in the
/// last call.
#ifndef JR_TOOLS_WATCH_H
#define JR_TOOLS_WATCH_H

#include "jitrun/program.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How far the worker has come with describing its last call.
enum jr_call_text {
  JR_CALL_UNTOLD, ///< nobody asked
  JR_CALL_BEGUN,  ///< what describes the call could not be read to its end
  JR_CALL_DESCRIBED,
  JR_CALL_LISTED ///< those of all devices
};

struct jr_watch {
  volatile uint64_t site;      ///< for jitrun_run_options_t.current_site
  volatile bool has_finished;  ///< the worker came to its own end
  volatile bool is_stack_full; ///< it crashed for want of stack
  volatile bool has_progress;  ///< its line of progress is on the terminal
  volatile int call_text;      ///< enum jr_call_text, of `call`
  char stage[512];             ///< "running 'main' of 'x.mlir'"
  char call[1024];             ///< "'vendor.op' at x.mlir:3:5"
  char library[512];           ///< that it crashed in; "": in none, or unknown
};

/// Says what the worker does from now on.
void jr_watch_enter(struct jr_watch *watch, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// What a message about the worker's end says of its last call: "; last call
/// 'vendor.op' at x.mlir:3:5", or "" outside of calls; of several devices all.
/// A worker that could not describe the call has left its number all the same.
const char *jr_watch_last_call(const struct jr_watch *watch, char *buffer,
                               size_t size);

/// Installs handlers that note the last call when this process crashes or ends
/// early, and when its parent asks with SIGUSR1, which is then answered with
/// SIGUSR1.
void jr_watch_signals(struct jr_watch *watch);

/// Has the question wait for an answer by jr_watch_answer(), of the thread that
/// jr_watch_await() blocks until there is a question: then true; false once it
/// is to wait no more. False: it cannot.
bool jr_watch_delay(bool is_delayed);
bool jr_watch_await(void);
void jr_watch_answer(void);

/// Where this thread's execution keeps its call site, for the handlers, when it
/// is not `site` of the watch; NULL: nowhere any more.
void jr_watch_thread(const volatile uint64_t *site);

/// One of several devices that run at once, each on a thread of its own.
struct jr_watch_device {
  const struct jr_watch_device *next;
  const char *name; ///< "replica 1: "
  jitrun_program_t *program;
  volatile uint64_t site; ///< for jitrun_run_options_t.current_site
  volatile bool is_running;
};

/// The devices whose last calls are told together when the parent asks; NULL:
/// none any more. They stay where they are until then.
void jr_watch_devices(const struct jr_watch_device *first);

/// The program whose call sites the handlers look up; NULL: none any more.
void jr_watch_program(const jitrun_program_t *program);

#endif
