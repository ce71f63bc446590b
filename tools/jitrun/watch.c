/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The working process's side of supervision. The variables of this file are
/// what its signal handlers work on: a handler is given nothing else. A program
/// that went wrong may have written over what describes its calls, so a handler
/// that faults while it reads that gives up reading.
#include "watch.h"

#include "fault.h"

#include <inttypes.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <unistd.h>

static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum {
  CRASH_SIGNALS = sizeof crash_signals / sizeof crash_signals[0],
  STACK_GUARD_BYTES = 1 << 20, ///< that the system keeps free below a stack
  STACK_PAGE_BYTES = 1 << 16,  ///< no page is larger
  NEAR_BYTES = 1 << 16,        ///< from the top of a stack to what it is for
  MOST_LISTED = 4
};

static struct jr_watch *watched;
static const jitrun_program_t *volatile watched_program;
static const struct jr_watch_device *volatile watched_devices;
static struct sigaction former_actions[CRASH_SIGNALS];
static char handler_stack[1 << 16];
static uintptr_t stack_end; ///< lowest address of the main thread's stack

/// Where a fault while reading goes on; NULL: this thread does not read.
static _Thread_local sigjmp_buf *volatile escape;

/// Where this thread's call site is; NULL: in the watch.
static _Thread_local const volatile uint64_t *volatile own_site;

void jr_watch_thread(const volatile uint64_t *site) {
  own_site = site;
}

void jr_watch_enter(struct jr_watch *watch, const char *format, ...) {
  va_list args;
  va_start(args, format);
  (void)vsnprintf(watch->stage, sizeof watch->stage, format, args);
  va_end(args);
}

void jr_watch_program(const jitrun_program_t *program) {
  watched_program = program;
}

void jr_watch_devices(const struct jr_watch_device *first) {
  watched_devices = first;
}

/// A text that grows in a fixed buffer, for signal handlers.
struct line {
  char *text;
  size_t size, room;
};

static void add_text(struct line *line, const char *text) {
  for (; *text && line->size + 1 < line->room; text++)
    line->text[line->size++] = *text < ' ' && *text > 0 ? '?' : *text;
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

static void add_site(struct line *line, const jitrun_site_t *site) {
  add_text(line, "'");
  add_text(line, site->target);
  add_text(line, "' at ");
  add_text(line, site->file);
  if (site->line > 0) {
    add_text(line, ":");
    add_number(line, site->line);
    add_text(line, ":");
    add_number(line, site->column);
  }
}

/// Reads what describes the call site that runs, or ran last.
static void describe_call(const jitrun_program_t *program) {
  const jitrun_site_t *site = jitrun_program_site_get(program, watched->site);
  if (!site)
    return;
  struct line line = {.text = watched->call, .room = sizeof watched->call};
  add_site(&line, site);
  watched->call_text = JR_CALL_DESCRIBED;
}

/// The same of all devices that have not ended, if any of them has made a call.
static void describe_devices(const struct jr_watch_device *device) {
  struct line line = {.text = watched->call, .room = sizeof watched->call};
  uint32_t count = 0;
  bool has_call = false;
  for (; device; device = device->next) {
    bool is_running = __atomic_load_n(&device->is_running, __ATOMIC_RELAXED);
    const jitrun_site_t *site = jitrun_program_site_get(
        device->program, __atomic_load_n(&device->site, __ATOMIC_RELAXED));
    has_call = has_call || (site && is_running);
    if (!is_running || count++ >= MOST_LISTED)
      continue;
    add_text(&line, count == 1 ? "" : "; ");
    add_text(&line, device->name);
    if (site)
      add_site(&line, site);
    else
      add_text(&line, "none");
  }
  if (count > MOST_LISTED) {
    add_text(&line, "; and of ");
    add_number(&line, count - MOST_LISTED);
    add_text(&line, " more");
  }
  watched->call_text = has_call ? JR_CALL_LISTED : JR_CALL_UNTOLD;
}

/// Notes the last call, or those of `devices`, as far as they can be read. Safe
/// in a signal handler.
static void note_call(const struct jr_watch_device *devices) {
  const jitrun_program_t *program = watched_program;
  if (own_site && !devices)
    watched->site = *own_site;
  if (!program || escape || (!devices && watched->site == JITRUN_NO_SITE))
    return;
  sigjmp_buf fault;
  watched->call_text = JR_CALL_BEGUN;
  if (sigsetjmp(fault, 1) == 0) {
    escape = &fault;
    if (devices)
      describe_devices(devices);
    else
      describe_call(program);
  }
  escape = NULL;
}

const char *jr_watch_last_call(const struct jr_watch *watch, char *buffer,
                               size_t size) {
  buffer[0] = '\0';
  if (watch->call_text == JR_CALL_DESCRIBED)
    (void)snprintf(buffer, size, "; last call %s", watch->call);
  else if (watch->call_text == JR_CALL_LISTED)
    (void)snprintf(buffer, size, "; last calls: %s", watch->call);
  else if (watch->site != JITRUN_NO_SITE)
    (void)snprintf(
        buffer, size, "; last call: call site %" PRIu64 "%s", watch->site,
        watch->call_text == JR_CALL_BEGUN ? " (its description was overwritten)"
                                          : "");
  return buffer;
}

/// A question that a thread is to answer.
static atomic_bool is_delayed, is_asked;
static sem_t asked;

bool jr_watch_delay(bool delays) {
  if (delays && sem_init(&asked, 0, 0) != 0)
    return false;
  atomic_store(&is_delayed, delays);
  if (!delays)
    (void)sem_post(&asked);
  return true;
}

bool jr_watch_await(void) {
  while (sem_wait(&asked) != 0)
    ;
  return atomic_load(&is_asked);
}

void jr_watch_answer(void) {
  (void)kill(getppid(), SIGUSR1);
}

static void answer_parent(int number) {
  note_call(watched_devices);
  if (!atomic_load(&is_delayed)) {
    (void)kill(getppid(), number);
    return;
  }
  atomic_store(&is_asked, true);
  (void)sem_post(&asked);
}

/// True just past the end of the main thread's stack.
static bool is_past_stack(uintptr_t address) {
  return stack_end > STACK_GUARD_BYTES &&
         address >= stack_end - STACK_GUARD_BYTES &&
         address < stack_end + STACK_PAGE_BYTES;
}

/// The top of the stack that was in use.
static uintptr_t stack_pointer(const void *context) {
  const ucontext_t *interrupted = context;
#if defined(__x86_64__)
  return (uintptr_t)interrupted->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
  return (uintptr_t)interrupted->uc_mcontext.sp;
#else
  (void)interrupted;
  return 0;
#endif
}

/// Where the processor was.
static uintptr_t program_counter(const void *context) {
  const ucontext_t *interrupted = context;
#if defined(__x86_64__)
  return (uintptr_t)interrupted->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  return (uintptr_t)interrupted->uc_mcontext.pc;
#else
  (void)interrupted;
  return 0;
#endif
}

/// True near the top of the stack, which is then past the end of it: of a
/// thread whose stack this file does not know.
static bool is_near_top(uintptr_t address, const void *context) {
  uintptr_t top = stack_pointer(context);
  return top > NEAR_BYTES &&
         address - (top - NEAR_BYTES) < (uintptr_t)2 * NEAR_BYTES;
}

/// The kernel puts the command's name at the top of the main thread's stack,
/// and lets that grow to its limit. One without a limit is told by its pointer.
/// Asking the C library would mean to read the list of all mappings.
static void find_stack(void) {
  struct rlimit limit;
  uintptr_t top = getauxval(AT_EXECFN);
  if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < top)
    stack_end = top - (uintptr_t)limit.rlim_cur;
}

/// Lets the crash go on to whoever handled it before, which is the default or a
/// sanitizer. A fault comes again by itself on return; what was sent is sent
/// again.
static void handle_crash(int number, siginfo_t *info, void *context) {
  uintptr_t address = (uintptr_t)info->si_addr;
  if (escape)
    siglongjmp(*escape, 1);
  if (number == SIGSEGV && info->si_code > 0)
    watched->is_stack_full =
        is_past_stack(address) || is_near_top(address, context);
  if (info->si_code > 0 && !watched->is_stack_full)
    jr_fault_find(program_counter(context), stack_pointer(context),
                  watched->library, sizeof watched->library);
  note_call(NULL);
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
    note_call(NULL);
}

void jr_watch_signals(struct jr_watch *watch) {
  watched = watch;
  find_stack();
  (void)atexit(handle_exit);
  const stack_t stack = {.ss_sp = handler_stack,
                         .ss_size = sizeof handler_stack};
  (void)sigaltstack(&stack, NULL);
  struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  action.sa_sigaction = handle_crash;
  (void)sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < CRASH_SIGNALS; i++)
    (void)sigaction(crash_signals[i], &action, &former_actions[i]);
  struct sigaction question = {.sa_flags = SA_ONSTACK | SA_RESTART};
  question.sa_handler = answer_parent;
  (void)sigemptyset(&question.sa_mask);
  (void)sigaction(SIGUSR1, &question, NULL);
}
