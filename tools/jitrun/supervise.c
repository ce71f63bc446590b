/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Supervision. The parent holds no lock, thread or file of interest: it blocks
/// the signals it cares for before the fork and then only waits for the next
/// one, so that none is missed and nothing is polled.
#include "supervise.h"

#include "base/clock.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  ANSWER_MS = 2000, ///< how long a child may take to say where it is
  DEAF_MS = 200,    ///< the same of one that blocks the question
  TRACE_MS = 20000, ///< the same of one that writes a trace before
  CALL_SIZE = 1152
};

/// The parent's view of its child.
struct guard {
  const struct jr_options *options;
  struct jr_watch *watch;
  pid_t child;
  sigset_t signals;     ///< blocked, waited for
  sigset_t former_mask; ///< as it was before
  uint64_t deadline_ns; ///< 0: none
  int forwarded;        ///< last signal that was passed on; 0: none
};

/// Waits for the next signal until `deadline_ns` (0: for ever); 0 when the time
/// has passed.
static int next_signal(const struct guard *guard, uint64_t deadline_ns) {
  for (;;) {
    uint64_t now = deadline_ns ? jr_clock_ns() : 0;
    uint64_t left = deadline_ns > now ? deadline_ns - now : 0;
    struct timespec timeout = {.tv_sec = (time_t)(left / JR_NS_PER_S),
                               .tv_nsec = (long)(left % JR_NS_PER_S)};
    int number = deadline_ns ? sigtimedwait(&guard->signals, NULL, &timeout)
                             : sigwaitinfo(&guard->signals, NULL);
    if (number > 0)
      return number;
    if (errno == EAGAIN)
      return 0;
  }
}

/// A child that was stopped from a terminal takes this process with it and is
/// continued after it; one that stopped for no such reason is continued.
static void handle_stop(const struct guard *guard, int number) {
  bool has_terminal = isatty(STDIN_FILENO) || isatty(STDERR_FILENO);
  if (number != SIGSTOP && has_terminal)
    (void)raise(SIGSTOP);
  (void)kill(guard->child, SIGCONT);
}

/// Collects the child's news; true when it has ended.
static bool has_ended(const struct guard *guard, int *out_status) {
  for (;;) {
    pid_t pid = waitpid(guard->child, out_status, WNOHANG | WUNTRACED);
    if (pid < 0 && errno == EINTR)
      continue;
    if (pid <= 0)
      return false;
    if (!WIFSTOPPED(*out_status))
      return true;
    handle_stop(guard, WSTOPSIG(*out_status));
  }
}

/// How long to wait for an answer. On a machine with much to do a child can
/// take long to come to it, so that only one that will not is cut short.
static uint64_t answer_time(const struct guard *guard) {
  static const char blocked[] = "SigBlk:";
  char text[64];
  unsigned long long mask = 0;
  (void)snprintf(text, sizeof text, "/proc/%ld/status", (long)guard->child);
  FILE *file = fopen(text, "r");
  while (file && fgets(text, sizeof text, file))
    if (strncmp(text, blocked, sizeof blocked - 1) == 0)
      mask = strtoull(text + sizeof blocked - 1, NULL, 16);
  if (file)
    (void)fclose(file);
  bool is_deaf = mask >> (SIGUSR1 - 1) & 1;
  uint64_t answer_ms = guard->options->trace ? TRACE_MS : ANSWER_MS;
  return (is_deaf ? DEAF_MS : answer_ms) * (JR_NS_PER_S / 1000);
}

/// Ends the child, after it had the chance to say where it is.
static void end_child(const struct guard *guard) {
  int status = 0;
  bool is_over = false;
  uint64_t until = jr_clock_ns() + answer_time(guard);
  (void)kill(guard->child, SIGUSR1);
  (void)kill(guard->child, SIGCONT);
  for (;;) {
    int number = next_signal(guard, until);
    if (number == SIGCHLD)
      is_over = has_ended(guard, &status);
    if (is_over || number == 0 || number == SIGUSR1)
      break;
  }
  if (is_over)
    return;
  (void)kill(guard->child, SIGKILL);
  while (waitpid(guard->child, &status, 0) < 0 && errno == EINTR)
    ;
}

/// Waits for the child's end; false when the deadline came first, and the child
/// was ended.
static bool await_child(struct guard *guard, int *out_status) {
  for (;;) {
    int number = next_signal(guard, guard->deadline_ns);
    if (number == 0) {
      end_child(guard);
      return false;
    }
    if (number == SIGCHLD) {
      if (has_ended(guard, out_status))
        return true;
    } else if (number != SIGUSR1) {
      guard->forwarded = number;
      (void)kill(guard->child, number);
    }
  }
}

static const char *describe_signal(const struct guard *guard, int number) {
  switch (number) {
  case SIGSEGV:
    return guard->watch->is_stack_full ? "crashed: stack overflow"
                                       : "crashed: segmentation fault";
  case SIGBUS:
    return "crashed: bus error";
  case SIGFPE:
    return "crashed: arithmetic fault, such as a division by zero";
  case SIGILL:
    return "crashed: illegal instruction";
  case SIGABRT:
    return "aborted";
  case SIGTRAP:
    return "crashed: trap";
  case SIGKILL:
    return "was killed, perhaps by the system for want of memory";
  case SIGXCPU:
    return "was ended: limit of processor time";
  case SIGXFSZ:
    return "was ended: limit of the size of a file";
  default:
    return NULL;
  }
}

/// True for a file that is the program itself.
static bool is_program(const struct guard *guard, const char *path) {
  struct stat program;
  struct stat other;
  return guard->options->file && stat(guard->options->file, &program) == 0 &&
         stat(path, &other) == 0 && program.st_dev == other.st_dev &&
         program.st_ino == other.st_ino;
}

/// Says how to find out more: of a program's own code that went wrong, or whose
/// it was.
static void hint_fault(const struct guard *guard, int number) {
  static const char running[] = "running ";
  const char *library = guard->watch->library;
  bool is_fault = (number == SIGSEGV && !guard->watch->is_stack_full) ||
                  number == SIGBUS || number == SIGFPE || number == SIGILL;
  if (!is_fault ||
      strncmp(guard->watch->stage, running, sizeof running - 1) != 0)
    return;
  if (library[0] && !is_program(guard, library))
    jr_report_note("it happened in '%s', not in the program's own code",
                   library);
  else if (!guard->options->check && number != SIGILL)
    jr_report_note("if it is the program's own code that does this, --check "
                   "finds out where");
}

/// Takes away the line of progress of a child that cannot any more.
static void erase_progress(const struct guard *guard) {
  if (guard->watch->has_progress)
    (void)fputs("\r\033[K", stderr);
}

static void report_end(const struct guard *guard, const char *what) {
  char call[CALL_SIZE];
  erase_progress(guard);
  jr_report_line("%s %s%s", guard->watch->stage, what,
                 jr_watch_last_call(guard->watch, call, sizeof call));
  jr_report_limit(guard->options);
}

static enum jr_exit report_deadline(const struct guard *guard) {
  char call[CALL_SIZE];
  erase_progress(guard);
  jr_report_line("deadline of %.9g s passed while %s%s",
                 (double)guard->options->timeout_ns / 1e9, guard->watch->stage,
                 jr_watch_last_call(guard->watch, call, sizeof call));
  return JR_EXIT_DEADLINE;
}

/// Ends this process the way the child ended, without another core file.
static void end_alike(const struct guard *guard, int number) {
  const struct rlimit no_core = {0, 0};
  (void)setrlimit(RLIMIT_CORE, &no_core);
  (void)signal(number, SIG_DFL);
  (void)raise(number);
  (void)sigprocmask(SIG_SETMASK, &guard->former_mask, NULL);
}

/// Turns the end of a child that did not come to its own into the command's.
static enum jr_exit judge_end(struct guard *guard, int status) {
  char text[96];
  if (WIFEXITED(status)) {
    (void)snprintf(text, sizeof text, "ended the process with exit status %d",
                   WEXITSTATUS(status));
    report_end(guard, text);
    return JR_EXIT_FAILED;
  }
  int number = WTERMSIG(status);
  if (number == guard->forwarded || number == SIGPIPE)
    end_alike(guard, number);
  const char *what = describe_signal(guard, number);
  if (!what) {
    (void)snprintf(text, sizeof text, "was ended by signal %d (%s)", number,
                   strsignal(number));
    what = text;
  }
  report_end(guard, what);
  hint_fault(guard, number);
  return JR_EXIT_FAILED;
}

static void limit_memory(const struct jr_options *options) {
  const struct rlimit limit = {options->memory_limit, options->memory_limit};
  if (options->memory_limit > 0)
    (void)setrlimit(RLIMIT_AS, &limit);
}

static bool has_processor(const cpu_set_t *set, size_t number) {
  return CPU_ISSET(number, set);
}

/// Keeps the first processors of those that the process may use: the pool has a
/// thread for each, the calling one included.
static void limit_threads(const struct jr_options *options) {
  cpu_set_t set;
  uint64_t left = options->threads;
  if (left == 0 || sched_getaffinity(0, sizeof set, &set) != 0)
    return;
  for (size_t i = 0; i < CPU_SETSIZE; i++) {
    if (left == 0)
      CPU_CLR(i, &set);
    else
      left -= has_processor(&set, i);
  }
  (void)sched_setaffinity(0, sizeof set, &set);
}

/// Does the work and sees what is in stdout's buffer out.
static enum jr_exit finish_work(struct jr_options *options, jr_work_fn_t work,
                                struct jr_watch *watch) {
  // Line by line, so that what a program printed before it crashed is seen.
  (void)setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
  enum jr_exit status = work(options, watch);
  jr_watch_program(NULL);
  jr_watch_enter(watch, "ending");
  return jr_report_output(status);
}

/// The child's whole life.
_Noreturn static void run_child(const struct guard *guard, pid_t parent,
                                struct jr_options *options, jr_work_fn_t work) {
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(JR_EXIT_FAILED);
  (void)sigprocmask(SIG_SETMASK, &guard->former_mask, NULL);
  jr_watch_signals(guard->watch);
  limit_memory(options);
  limit_threads(options);
  enum jr_exit status = finish_work(options, work, guard->watch);
  guard->watch->has_finished = true;
  exit((int)status);
}

static void block_signals(struct guard *guard) {
  static const int numbers[] = {SIGCHLD, SIGUSR1, SIGINT,
                                SIGTERM, SIGHUP,  SIGQUIT};
  (void)sigemptyset(&guard->signals);
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    (void)sigaddset(&guard->signals, numbers[i]);
  (void)sigprocmask(SIG_BLOCK, &guard->signals, &guard->former_mask);
  // Inherited as ignored, it would keep the child's status from us.
  (void)signal(SIGCHLD, SIG_DFL);
}

enum jr_exit jr_supervise(struct jr_options *options, jr_work_fn_t work) {
  if (options->no_supervise) {
    struct jr_watch watch = {.site = JITRUN_NO_SITE};
    limit_memory(options);
    limit_threads(options);
    return finish_work(options, work, &watch);
  }
  struct guard guard = {.options = options};
  guard.watch = mmap(NULL, sizeof *guard.watch, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (guard.watch == MAP_FAILED) {
    jr_report_line("out of memory");
    return JR_EXIT_FAILED;
  }
  guard.watch->site = JITRUN_NO_SITE;
  static const char starting[] = "starting";
  memcpy(guard.watch->stage, starting, sizeof starting);
  if (options->timeout_ns > 0)
    guard.deadline_ns = jr_clock_ns() + options->timeout_ns;
  block_signals(&guard);
  pid_t parent = getpid();
  guard.child = fork();
  if (guard.child < 0) {
    jr_report_line("cannot start a process: %s", strerror(errno));
    return JR_EXIT_FAILED;
  }
  if (guard.child == 0)
    run_child(&guard, parent, options, work);
  int status = 0;
  if (!await_child(&guard, &status))
    return report_deadline(&guard);
  // This process has nothing to write: to free what it has, and to run what
  // libraries do at the end, would only be waited for.
  if (WIFEXITED(status) && guard.watch->has_finished)
    _exit(WEXITSTATUS(status));
  return judge_end(&guard, status);
}
