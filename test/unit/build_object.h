/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Makes ELF files while a test runs: source text through clang and ld.lld, in
/// a folder of its own. Where a tool is missing the test is skipped.
#ifndef TEST_UNIT_BUILD_OBJECT_H
#define TEST_UNIT_BUILD_OBJECT_H

#include "expect.h"

#include "base/bytes.h"
#include "base/files.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MOST_WORDS = 64 };

/// A folder that goes away with its files.
struct build_folder {
  char path[64];
};

static inline void open_folder(struct build_folder *folder) {
  (void)snprintf(folder->path, sizeof folder->path, "/tmp/jitrun-test-XXXXXX");
  assert_non_null(mkdtemp(folder->path));
}

static inline void close_folder(struct build_folder *folder) {
  static const char *const names[] = {"in.c", "in.s", "in.o", "out"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", folder->path, names[i]);
    (void)unlink(path);
  }
  assert_int_equal(rmdir(folder->path), 0);
}

/// Runs a command of words separated by blanks, in the folder; false when the
/// program is not there.
static inline bool run_command(const struct build_folder *folder,
                               const char *command) {
  char text[4096];
  char *words[MOST_WORDS + 1] = {0};
  char *rest = NULL;
  size_t count = 0;
  pid_t child = 0;
  int status = 0;
  posix_spawn_file_actions_t actions;
  assert_true(strlen(command) < sizeof text);
  (void)strcpy(text, command);
  for (char *word = strtok_r(text, " ", &rest); word && count < MOST_WORDS;
       word = strtok_r(NULL, " ", &rest))
    words[count++] = word;
  assert_int_equal(posix_spawn_file_actions_init(&actions), 0);
  assert_int_equal(posix_spawn_file_actions_addchdir_np(&actions, folder->path),
                   0);
  if (!words[0])
    return false;
  int failure = posix_spawnp(&child, words[0], &actions, NULL, words, environ);
  assert_int_equal(posix_spawn_file_actions_destroy(&actions), 0);
  if (failure)
    return false;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  if (WEXITSTATUS(status) != 0)
    fail_msg("command failed: %s", command);
  return true;
}

static inline void write_source(const struct build_folder *folder,
                                const char *name, const char *text) {
  char path[128];
  (void)snprintf(path, sizeof path, "%s/%s", folder->path, name);
  expect_ok(jr_file_write(path, text, strlen(text)));
}

static inline struct jr_bytes read_output(const struct build_folder *folder,
                                          const char *name) {
  struct jr_bytes bytes = {0};
  char path[128];
  (void)snprintf(path, sizeof path, "%s/%s", folder->path, name);
  expect_ok(jr_file_read(path, &bytes));
  return bytes;
}

/// Compiles `source` ("in.c" or "in.s" by its kind) with clang and `flags`, and
/// links it with ld.lld and `link_flags` unless they are NULL. The file's
/// bytes; the test is skipped without the tools.
static inline struct jr_bytes build_file(const char *name, const char *source,
                                         const char *flags,
                                         const char *link_flags) {
  struct build_folder folder;
  struct jr_bytes bytes = {0};
  char command[2048];
  open_folder(&folder);
  write_source(&folder, name, source);
  (void)snprintf(command, sizeof command, "clang-22 %s -c %s -o in.o", flags,
                 name);
  bool is_built = run_command(&folder, command);
  if (is_built && link_flags) {
    (void)snprintf(command, sizeof command, "ld.lld-22 %s in.o -o out",
                   link_flags);
    is_built = run_command(&folder, command);
  }
  if (is_built)
    bytes = read_output(&folder, link_flags ? "out" : "in.o");
  close_folder(&folder);
  if (!is_built) {
    print_message("skipped: clang-22 and ld.lld-22 are needed\n");
    skip();
    abort(); // not reached, which only cmocka knows
  }
  return bytes;
}

#define X86_64 "--target=x86_64-linux-gnu "
#define AARCH64 "--target=aarch64-linux-gnu "

#endif
