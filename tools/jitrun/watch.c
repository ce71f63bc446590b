/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The working process's side of supervision. The variables of this file are
/// what its signal handlers work on: a handler is given nothing else.
#include "watch.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { CRASH_SIGNALS = sizeof crash_signals / sizeof crash_signals[0] };

static struct jr_watch *watched;
static const jitrun_program_t *volatile watched_program;
static struct sigaction former_actions[CRASH_SIGNALS];
static char handler_stack[1 << 16];

void jr_watch_enter(struct jr_watch *watch, const char *format, ...) {
  va_list args;
  va_start(args, format);
  (void)vsnprintf(watch->stage, sizeof watch->stage, format, args);
  va_end(args);
}

void jr_watch_program(const jitrun_program_t *program) {
  watched_program = program;
}

/// A text that grows in a fixed buffer, for signal handlers.
struct line {
  char *text;
  size_t size, room;
};

static void add_text(struct line *line, const char *text) {
  for (; *text && line->size + 1 < line->room; text++)
    line->text[line->size++] = *text;
  line->text[line->size] = '\0';
}

static void add_number(struct line *line, uint32_t number) {
  char digits[12];
  size_t at = sizeof digits - 1;
  digits[at] = '\0';
  do {
    digits[--at] = (char)('0' + number % 10);
    number /= 10;
  } while (number > 0);
  add_text(line, &digits[at]);
}

/// Notes the call site that runs, or ran last. Safe in a signal handler.
static void note_call(void) {
  const jitrun_program_t *program = watched_program;
  if (!program || watched->site == JITRUN_NO_SITE)
    return;
  const jitrun_site_t *site = jitrun_program_site_get(program, watched->site);
  if (!site)
    return;
  struct line line = {.text = watched->call, .room = sizeof watched->call};
  add_text(&line, "'");
  add_text(&line, site->target);
  add_text(&line, "' at ");
  add_text(&line, site->file);
  if (site->line == 0)
    return;
  add_text(&line, ":");
  add_number(&line, site->line);
  add_text(&line, ":");
  add_number(&line, site->column);
}

static void answer_parent(int number) {
  note_call();
  (void)kill(getppid(), number);
}

/// Lets the crash go on to whoever handled it before, which is the default or a
/// sanitizer. A fault comes again by itself on return; what was sent is sent
/// again.
static void handle_crash(int number, siginfo_t *info, void *context) {
  (void)context;
  note_call();
  for (size_t i = 0; i < CRASH_SIGNALS; i++) {
    if (crash_signals[i] == number)
      (void)sigaction(number, &former_actions[i], NULL);
  }
  if (info->si_code <= 0)
    (void)raise(number);
}

/// A program may end the process by itself.
static void handle_exit(void) {
  if (!watched->has_finished)
    note_call();
}

void jr_watch_signals(struct jr_watch *watch) {
  watched = watch;
  (void)atexit(handle_exit);
  const stack_t stack = {.ss_sp = handler_stack,
                         .ss_size = sizeof handler_stack};
  (void)sigaltstack(&stack, NULL);
  struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
  action.sa_sigaction = handle_crash;
  (void)sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < CRASH_SIGNALS; i++)
    (void)sigaction(crash_signals[i], &action, &former_actions[i]);
  struct sigaction question = {.sa_flags = SA_ONSTACK | SA_RESTART};
  question.sa_handler = answer_parent;
  (void)sigemptyset(&question.sa_mask);
  (void)sigaction(SIGUSR1, &question, NULL);
}
