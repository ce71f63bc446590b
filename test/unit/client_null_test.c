/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Every function of the client that needs an object, or writes to where its
/// caller says, refuses NULL there, and says which argument it was.
#include "expect.h"

#include "jitrun/executable.h"
#include "jitrun/feed.h"
#include "jitrun/job.h"

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

static void test_clients(void **state) {
  (void)state;
  jitrun_device_t *device = some();
  jitrun_device_info_t info = {.size = sizeof info};
  jitrun_memory_stats_t stats = {.size = sizeof stats};
  int64_t id;
  expect_null(jitrun_client_create(NULL, NULL), "jitrun_client_create",
              "out_client");
  expect_null(jitrun_client_device(some(), 0, NULL), "jitrun_client_device",
              "out_device");
  expect_null(jitrun_client_device(NULL, 0, &device), "jitrun_client_device",
              "client");
  assert_null(device);
  expect_null(jitrun_client_local_device(some(), 0, NULL),
              "jitrun_client_local_device", "out_device");
  expect_null(jitrun_client_local_device(NULL, 0, &device),
              "jitrun_client_local_device", "client");
  expect_null(jitrun_device_info(NULL, &info), "jitrun_device_info", "device");
  expect_null(jitrun_device_info(some(), NULL), "jitrun_device_info",
              "out_info");
  expect_null(jitrun_device_memory_stats(NULL, &stats),
              "jitrun_device_memory_stats", "device");
  expect_null(jitrun_device_memory_stats(some(), NULL),
              "jitrun_device_memory_stats", "out_stats");
  expect_null(jitrun_client_assign_default(NULL, 1, 1, &id),
              "jitrun_client_assign_default", "client");
  expect_null(jitrun_client_assign_default(some(), 1, 1, NULL),
              "jitrun_client_assign_default", "out_ids");
  expect_null(jitrun_client_check_assignment(NULL, 1, 1, &id),
              "jitrun_client_check_assignment", "client");
  expect_null(jitrun_client_check_assignment(some(), 1, 1, NULL),
              "jitrun_client_check_assignment", "ids");
  expect_null(jitrun_device_infeed(NULL, some(), 1, -1), "jitrun_device_infeed",
              "device");
  expect_null(jitrun_device_outfeed(NULL, some(), 1, -1),
              "jitrun_device_outfeed", "device");
}

static void count_release(void *context) {
  ++*(int *)context;
}

static void test_buffers(void **state) {
  (void)state;
  jitrun_buffer_t *buffer = some();
  const jitrun_tensor_t *tensor = some();
  int count = 0;
  expect_null(jitrun_buffer_from_host(some(), tensor, JITRUN_HOST_COPY_NOW,
                                      count_release, &count, NULL),
              "jitrun_buffer_from_host", "out_buffer");
  expect_null(jitrun_buffer_from_host(NULL, tensor, JITRUN_HOST_COPY_NOW,
                                      count_release, &count, &buffer),
              "jitrun_buffer_from_host", "device");
  assert_null(buffer);
  expect_null(jitrun_buffer_from_host(some(), NULL, JITRUN_HOST_COPY_NOW,
                                      count_release, &count, &buffer),
              "jitrun_buffer_from_host", "tensor");
  assert_int_equal(count, 3);
  expect_null(jitrun_buffer_allocate(some(), JITRUN_DTYPE_F32, NULL, 0, NULL),
              "jitrun_buffer_allocate", "out_buffer");
  expect_null(jitrun_buffer_allocate(NULL, JITRUN_DTYPE_F32, NULL, 0, &buffer),
              "jitrun_buffer_allocate", "device");
  expect_null(jitrun_buffer_view(some(), 0, JITRUN_DTYPE_F32, NULL, 0, NULL),
              "jitrun_buffer_view", "out_view");
  expect_null(jitrun_buffer_view(NULL, 0, JITRUN_DTYPE_F32, NULL, 0, &buffer),
              "jitrun_buffer_view", "buffer");
  expect_null(jitrun_buffer_ready(some(), NULL), "jitrun_buffer_ready",
              "out_token");
  expect_null(jitrun_buffer_hold(some(), 0, NULL), "jitrun_buffer_hold",
              "out_data");
  expect_null(jitrun_buffer_to_host_async(some(), tensor, NULL),
              "jitrun_buffer_to_host_async", "out_token");
  expect_null(jitrun_buffer_host_value(some(), 0, NULL),
              "jitrun_buffer_host_value", "out_value");
  expect_null(jitrun_buffer_copy_to(some(), some(), NULL),
              "jitrun_buffer_copy_to", "out_buffer");
  expect_null(jitrun_buffer_copy_to(NULL, some(), &buffer),
              "jitrun_buffer_copy_to", "buffer");
  expect_null(jitrun_buffer_copy_to(some(), NULL, &buffer),
              "jitrun_buffer_copy_to", "device");
}

static void test_executables(void **state) {
  (void)state;
  jitrun_executable_t *executable = some();
  jitrun_job_t *job = some();
  expect_null(jitrun_executable_load_file(some(), "x", NULL, NULL),
              "jitrun_executable_load_file", "out_executable");
  expect_null(jitrun_executable_load_file(NULL, "x", NULL, &executable),
              "jitrun_executable_load_file", "client");
  assert_null(executable);
  expect_null(jitrun_executable_load_memory(some(), "x", 1, NULL, NULL, NULL),
              "jitrun_executable_load_memory", "out_executable");
  expect_null(
      jitrun_executable_load_memory(NULL, "x", 1, NULL, NULL, &executable),
      "jitrun_executable_load_memory", "client");
  expect_null(jitrun_executable_create(some(), some(), NULL, NULL),
              "jitrun_executable_create", "out_executable");
  expect_null(jitrun_executable_create(NULL, some(), NULL, &executable),
              "jitrun_executable_create", "client");
  expect_null(jitrun_executable_create(some(), NULL, NULL, &executable),
              "jitrun_executable_create", "program");
  expect_null(jitrun_executable_execute(NULL, some(), 1, NULL),
              "jitrun_executable_execute", "executable");
  expect_null(jitrun_executable_execute(some(), NULL, 1, NULL),
              "jitrun_executable_execute", "launches");
  expect_null(jitrun_executable_start(some(), some(), 1, NULL, NULL),
              "jitrun_executable_start", "out_job");
  expect_null(jitrun_executable_start(NULL, some(), 1, NULL, &job),
              "jitrun_executable_start", "executable");
  assert_null(job);
  expect_null(jitrun_executable_start(some(), NULL, 1, NULL, &job),
              "jitrun_executable_start", "launches");
  expect_null(jitrun_job_wait(NULL, -1), "jitrun_job_wait", "job");
}

/// Whoever only asks gets nothing.
static void test_questions(void **state) {
  (void)state;
  uint32_t number = 1;
  size_t count = 1;
  assert_null(jitrun_executable_program(NULL));
  assert_null(jitrun_executable_entry(NULL));
  assert_null(jitrun_executable_device(NULL, 0));
  assert_int_equal(jitrun_executable_device_count(NULL), 0);
  assert_int_equal(jitrun_executable_param_count(NULL), 0);
  assert_null(jitrun_executable_param(NULL, 0));
  assert_null(jitrun_executable_param_index(NULL, 0, &number, &count));
  assert_int_equal(number, 0);
  assert_int_equal(count, 0);
  assert_int_equal(jitrun_executable_output_count(NULL), 0);
  assert_null(jitrun_executable_output(NULL, 0));
  assert_null(jitrun_executable_output_index(NULL, 0, NULL));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_clients), cmocka_unit_test(test_buffers),
      cmocka_unit_test(test_executables), cmocka_unit_test(test_questions)};
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
