/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The line of progress: when it appears, moves, and is gone.
#include "expect.h"
#include "progress.h"

#include "base/clock.h"

#include <string.h>
#include <unistd.h>

/// Reads from the pipe until `wanted` was in what came.
static void read_until(int descriptor, const char *wanted, char *text,
                       size_t size) {
  size_t used = 0;
  do {
    ssize_t got = read(descriptor, text + used, size - used - 1);
    assert_true(got > 0);
    used += (size_t)got;
    text[used] = '\0';
  } while (!strstr(text, wanted));
}

static void test_line(void **state) {
  (void)state;
  struct jr_progress progress;
  volatile bool is_visible = false;
  char text[4096];
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  jr_progress_start(&progress, "compiling 'x.mlir'", ends[1], 0, &is_visible);
  assert_true(progress.is_running);
  read_until(ends[0], "jitrun: compiling 'x.mlir': starting (0 s)", text,
             sizeof text);
  assert_true(is_visible);
  jr_progress_stage(&progress, "plan");
  read_until(ends[0], "\r\033[Kjitrun: compiling 'x.mlir': plan (", text,
             sizeof text);
  jr_progress_hide(&progress);
  read_until(ends[0], "\r\033[K", text, sizeof text);
  read_until(ends[0], "plan", text, sizeof text); // it comes back
  jr_progress_stop(&progress);
  assert_false(is_visible);
  (void)close(ends[1]);
  ssize_t got = read(ends[0], text, sizeof text);
  assert_true(got >= 4);
  assert_memory_equal(text + got - 4, "\r\033[K", 4); // nothing after that
  (void)close(ends[0]);
}

/// What ends in time says nothing.
static void test_short(void **state) {
  (void)state;
  struct jr_progress progress;
  char text[16];
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  jr_progress_start(&progress, "compiling", ends[1], 3600 * JR_NS_PER_S, NULL);
  jr_progress_stage(&progress, "parse");
  jr_progress_hide(&progress);
  jr_progress_stop(&progress);
  (void)close(ends[1]);
  assert_int_equal(read(ends[0], text, sizeof text), 0);
  (void)close(ends[0]);
}

/// One that was never started does nothing; a long text is cut.
static void test_edges(void **state) {
  (void)state;
  struct jr_progress none = {0};
  struct jr_progress progress;
  char text[4096];
  char name[200];
  int ends[2];
  jr_progress_stage(&none, "parse");
  jr_progress_hide(&none);
  jr_progress_stop(&none);
  memset(name, 'x', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  assert_int_equal(pipe(ends), 0);
  jr_progress_start(&progress, name, ends[1], 0, NULL);
  read_until(ends[0], "starting", text, sizeof text);
  assert_true(strlen(text) < JR_PROGRESS_BYTES + 4);
  jr_progress_stop(&progress);
  (void)close(ends[0]);
  (void)close(ends[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_line),
      cmocka_unit_test(test_short),
      cmocka_unit_test(test_edges),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
