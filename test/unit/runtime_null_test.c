/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Every public function that writes to where its caller says refuses NULL
/// there, and says which argument it was.
#include "expect.h"

#include "jitrun/async.h"
#include "jitrun/program.h"
#include "jitrun/registry.h"
#include "jitrun/specialize.h"
#include "jitrun/world.h"

#include <stdio.h>

static void expect_null(jitrun_error_t *error, const char *function,
                        const char *argument) {
  char message[160];
  (void)snprintf(message, sizeof message,
                 "%s() needs an address for '%s', and it is NULL", function,
                 argument);
  expect_error(error, JITRUN_INVALID_ARGUMENT, message);
}

/// An object of ours that is not looked into.
static void *some(void) {
  static char object[4096];
  return object;
}

static void test_opening(void **state) {
  (void)state;
  expect_null(jitrun_program_open_file("x", NULL, NULL),
              "jitrun_program_open_file", "out_program");
  expect_null(jitrun_program_open_memory("x", 1, NULL, NULL, NULL),
              "jitrun_program_open_memory", "out_program");
  expect_null(jitrun_program_open_image(some(), NULL, NULL),
              "jitrun_program_open_image", "out_program");
  expect_null(jitrun_specializer_open_file("x", NULL, NULL, NULL),
              "jitrun_specializer_open_file", "out_specializer");
  expect_null(jitrun_specializer_open_memory("x", 1, NULL, NULL, NULL, NULL),
              "jitrun_specializer_open_memory", "out_specializer");
  expect_null(jitrun_registry_create(NULL), "jitrun_registry_create",
              "out_registry");
  expect_null(jitrun_world_create(1, 1, NULL, NULL), "jitrun_world_create",
              "out_world");
  const jitrun_type_t token = {.kind = JITRUN_KIND_TOKEN};
  expect_null(jitrun_async_create(&token, NULL), "jitrun_async_create",
              "out_async");
}

static void test_using(void **state) {
  (void)state;
  jitrun_program_t *program = some();
  const jitrun_entry_t *entry = NULL;
  jitrun_execution_t *execution = some();
  expect_null(jitrun_program_start(some(), NULL, NULL, 0, NULL, NULL),
              "jitrun_program_start", "out_execution");
  expect_null(jitrun_program_start(NULL, NULL, NULL, 0, NULL, &execution),
              "jitrun_program_start", "program");
  assert_null(execution);
  expect_null(jitrun_program_start(some(), NULL, NULL, 1, NULL, &execution),
              "jitrun_program_start", "args");
  expect_null(jitrun_specializer_get(some(), NULL, 0, NULL, &entry),
              "jitrun_specializer_get", "out_program");
  expect_null(jitrun_specializer_get(some(), NULL, 0, &program, NULL),
              "jitrun_specializer_get", "out_entry");
  assert_null(program);
  expect_null(jitrun_specializer_get(NULL, NULL, 0, &program, &entry),
              "jitrun_specializer_get", "specializer");
  expect_null(jitrun_specializer_default(some(), NULL),
              "jitrun_specializer_default", "out_program");
  expect_null(jitrun_specializer_default(NULL, &program),
              "jitrun_specializer_default", "specializer");
  expect_null(jitrun_async_read(some(), NULL), "jitrun_async_read",
              "out_value");
  jitrun_tensor_t value = {.rank = 7};
  expect_null(jitrun_async_read(NULL, &value), "jitrun_async_read", "async");
  assert_int_equal(value.rank, 0);
}

static void test_describing(void **state) {
  (void)state;
  char *text = some();
  expect_null(jitrun_program_describe(some(), NULL), "jitrun_program_describe",
              "out_text");
  expect_null(jitrun_program_describe(NULL, &text), "jitrun_program_describe",
              "program");
  expect_null(jitrun_entry_describe(some(), NULL), "jitrun_entry_describe",
              "out_text");
  expect_null(jitrun_entry_describe(NULL, &text), "jitrun_entry_describe",
              "entry");
  expect_null(jitrun_customcall_describe(some(), NULL),
              "jitrun_customcall_describe", "out_text");
  expect_null(jitrun_customcall_describe(NULL, &text),
              "jitrun_customcall_describe", "call");
  assert_null(text);
  /* These two cannot fail. */
  jitrun_program_stats(some(), NULL);
  jitrun_specializer_stats(some(), NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_opening),
      cmocka_unit_test(test_using),
      cmocka_unit_test(test_describing),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
