/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Shared libraries: the C library's own parts serve as the subject.
#include "expect.h"

#include "base/dylib.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void test_open(void **state) {
  (void)state;
  struct jr_dylib library = {0};
  expect_ok(jr_dylib_open("libm.so.6", &library));
  assert_non_null(jr_dylib_find(&library, "cbrt"));
  assert_null(jr_dylib_find(&library, "no_such_function"));
  // in libc.so.6, on which it depends
  assert_null(jr_dylib_find(&library, "fopen"));
  jr_dylib_close(&library);
  assert_null(library.handle);
  jr_dylib_close(&library);
  assert_null(jr_dylib_find(&library, "cbrt"));
}

/// Data is no function; functions that are chosen when loaded are.
static void test_find_function(void **state) {
  (void)state;
  struct jr_dylib library = {0};
  expect_ok(jr_dylib_open("libm.so.6", &library));
  assert_non_null(jr_dylib_find_function(&library, "cbrt"));
  assert_non_null(jr_dylib_find_function(&library, "sin"));
  assert_non_null(jr_dylib_find_function(&library, "exp2f"));
  assert_non_null(jr_dylib_find(&library, "signgam"));
  assert_null(jr_dylib_find_function(&library, "signgam"));
  assert_null(jr_dylib_find_function(&library, "no_such_function"));
  jr_dylib_close(&library);
}

static void test_open_errors(void **state) {
  (void)state;
  struct jr_dylib library = {0};
  expect_error(jr_dylib_open("/no/such.so", &library), JITRUN_NOT_FOUND,
               "cannot open library '/no/such.so': ");
  assert_null(library.handle);
  expect_error(jr_dylib_open("/dev/null", &library), JITRUN_NOT_FOUND,
               "/dev/null");
  /* which is not the running program */
  expect_error(jr_dylib_open("", &library), JITRUN_NOT_FOUND,
               "cannot open library '': give the name of a file");
}

static void test_folder_of_program(void **state) {
  (void)state;
  char expected[PATH_MAX];
  ssize_t size = readlink("/proc/self/exe", expected, sizeof expected - 1);
  if (size <= 0) {
    fail();
    return;
  }
  expected[size] = '\0';
  *strrchr(expected, '/') = '\0';
  char folder[PATH_MAX];
  assert_true(jr_dylib_folder_of((const void *)(uintptr_t)&test_open, folder,
                                 sizeof folder));
  assert_string_equal(folder, expected);
  assert_false(jr_dylib_folder_of((const void *)(uintptr_t)&test_open, folder,
                                  strlen(expected)));
}

static void test_folder_of_library(void **state) {
  (void)state;
  char folder[PATH_MAX];
  struct jr_dylib library = {0};
  expect_ok(jr_dylib_open("libm.so.6", &library));
  assert_true(jr_dylib_folder_of(jr_dylib_find(&library, "cbrt"), folder,
                                 sizeof folder));
  assert_int_equal(folder[0], '/');
  jr_dylib_close(&library);
  int local = 0;
  assert_false(jr_dylib_folder_of(&local, folder, sizeof folder));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_open),
      cmocka_unit_test(test_open_errors),
      cmocka_unit_test(test_find_function),
      cmocka_unit_test(test_folder_of_program),
      cmocka_unit_test(test_folder_of_library),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
