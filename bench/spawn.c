/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Times whole processes: spawns each of several commands in turn, many times
/// over, so that a disturbance meets all of them. Prints one line a command:
/// least and median nanoseconds from spawn to exit, the largest resident set in
/// bytes of its processes, and least and median nanoseconds of processor, which
/// other processes disturb less.
///
///   spawn ROUNDS -- COMMAND... -- COMMAND...
#include "samples.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h> // IWYU pragma: keep
#include <sys/wait.h>

extern char **environ;

enum { MAX_WARM_UP_ROUNDS = 2, MAX_COMMANDS = 64 };

struct command {
  char **argv;
  uint64_t *samples_ns;
  uint64_t *cpu_ns;
  uint64_t rss_bytes;
};

/// Ends each command with NULL where the next "--" stood.
static size_t split_commands(char **argv, struct command *commands) {
  size_t count = 0;
  while (*argv && count < MAX_COMMANDS) {
    *argv++ = NULL;
    commands[count++].argv = argv;
    while (*argv && strcmp(*argv, "--") != 0)
      argv++;
  }
  return count;
}

static uint64_t to_ns(struct timeval time) {
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_usec * 1000;
}

/// Runs a command once, its output thrown away. False when it failed.
static int run_command(struct command *command,
                       const posix_spawn_file_actions_t *actions,
                       uint64_t *out_ns, uint64_t *out_cpu_ns) {
  pid_t child;
  int status;
  struct rusage usage;
  uint64_t start_ns = jr_bench_now_ns();
  int error = posix_spawnp(&child, command->argv[0], actions, NULL,
                           command->argv, environ);
  if (error) {
    (void)fprintf(stderr, "spawn: %s: %s\n", command->argv[0], strerror(error));
    return 0;
  }
  while (wait4(child, &status, 0, &usage) < 0) {
    if (errno != EINTR)
      return 0;
  }
  *out_ns = jr_bench_now_ns() - start_ns;
  *out_cpu_ns = to_ns(usage.ru_utime) + to_ns(usage.ru_stime);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    (void)fprintf(stderr, "spawn: %s ended with status %d\n", command->argv[0],
                  status);
    return 0;
  }
  uint64_t rss_bytes = (uint64_t)usage.ru_maxrss * 1024;
  if (rss_bytes > command->rss_bytes)
    command->rss_bytes = rss_bytes;
  return 1;
}

/// One round over all commands; the sample is kept at `round` unless it is
/// negative.
static int run_round(struct command *commands, size_t count,
                     const posix_spawn_file_actions_t *actions, long round) {
  for (size_t i = 0; i < count; i++) {
    uint64_t ns;
    uint64_t cpu_ns;
    if (!run_command(&commands[i], actions, &ns, &cpu_ns))
      return 0;
    if (round < 0)
      continue;
    commands[i].samples_ns[round] = ns;
    commands[i].cpu_ns[round] = cpu_ns;
  }
  return 1;
}

static int run_rounds(struct command *commands, size_t count, long rounds) {
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0)
    return 0;
  int ok = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY,
                                            0) == 0;
  long warm_up = rounds / 10;
  if (warm_up > MAX_WARM_UP_ROUNDS)
    warm_up = MAX_WARM_UP_ROUNDS;
  for (long round = -warm_up; ok && round < rounds; round++)
    ok = run_round(commands, count, &actions, round);
  posix_spawn_file_actions_destroy(&actions);
  return ok;
}

static void print_command(struct command *command, size_t rounds) {
  jr_bench_sort(command->samples_ns, rounds);
  jr_bench_sort(command->cpu_ns, rounds);
  printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
         command->samples_ns[0], command->samples_ns[rounds / 2],
         command->rss_bytes, command->cpu_ns[0], command->cpu_ns[rounds / 2]);
}

int main(int argc, char **argv) {
  struct command commands[MAX_COMMANDS] = {0};
  long rounds = argc > 3 ? strtol(argv[1], NULL, 10) : 0;
  if (rounds <= 0 || rounds > 100000 || strcmp(argv[2], "--") != 0) {
    (void)fprintf(stderr, "usage: %s ROUNDS -- COMMAND... [-- COMMAND...]\n",
                  argv[0]);
    return 2;
  }
  size_t count = split_commands(argv + 2, commands);
  int ok = 1;
  for (size_t i = 0; i < count; i++) {
    commands[i].samples_ns = calloc((size_t)rounds, sizeof(uint64_t));
    commands[i].cpu_ns = calloc((size_t)rounds, sizeof(uint64_t));
    ok = ok && commands[i].samples_ns && commands[i].cpu_ns;
  }
  ok = ok && run_rounds(commands, count, rounds);
  for (size_t i = 0; i < count; i++) {
    if (ok)
      print_command(&commands[i], (size_t)rounds);
    free(commands[i].samples_ns);
    free(commands[i].cpu_ns);
  }
  return ok ? 0 : 1;
}
