/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Clients, their devices, and who runs on which.
#include "expect.h"

#include "jitrun/client.h"

#include <pthread.h>

static jitrun_client_t *make_client(uint32_t device_count) {
  const jitrun_client_options_t options = {.size = sizeof options,
                                           .device_count = device_count,
                                           .memory_limit_bytes = 1000};
  jitrun_client_t *client = NULL;
  expect_ok(jitrun_client_create(&options, &client));
  return client;
}

static void test_platforms(void **state) {
  (void)state;
  jitrun_client_options_t options = {.size = sizeof options,
                                     .platform = "host"};
  jitrun_client_t *client = NULL;
  expect_ok(jitrun_client_create(&options, &client));
  assert_string_equal(jitrun_client_platform(client), "host");
  assert_int_equal(jitrun_client_device_count(client), 1);
  jitrun_client_retain(client);
  jitrun_client_release(client);
  jitrun_client_release(client);
  expect_ok(jitrun_client_create(NULL, &client));
  jitrun_client_release(client);
  options.platform = "cuda";
  expect_error(
      jitrun_client_create(&options, &client), JITRUN_UNIMPLEMENTED,
      "the platform 'cuda' needs its driver, libjitrun-driver-cuda.so: "
      "there is no file '/");
  assert_null(client);
  options.platform = "tpu";
  expect_error(jitrun_client_create(&options, &client), JITRUN_NOT_FOUND,
               "there is no platform 'tpu'; there are 'host', 'cuda', 'hip'");
  options =
      (jitrun_client_options_t){.size = sizeof options, .device_count = 4097};
  expect_error(jitrun_client_create(&options, &client), JITRUN_INVALID_ARGUMENT,
               "4097 devices; it has at most 4096");
  options.size = 1;
  expect_error(jitrun_client_create(&options, &client), JITRUN_INVALID_ARGUMENT,
               "options for a client");
  jitrun_client_release(NULL);
}

static void test_devices(void **state) {
  (void)state;
  jitrun_client_t *client = make_client(3);
  jitrun_device_t *device = NULL;
  jitrun_device_info_t info = {.size = sizeof info};
  expect_ok(jitrun_client_device(client, 2, &device));
  expect_ok(jitrun_device_info(device, &info));
  assert_int_equal(info.id, 2);
  assert_int_equal(info.local_ordinal, 2);
  assert_int_equal(info.process_index, 0);
  assert_string_equal(info.platform, "host");
  assert_string_equal(info.name, "host:2");
  assert_true(info.core_count >= 1);
  assert_true(info.is_host_addressable);
  assert_non_null(strstr(info.description, info.kind));
  assert_non_null(strstr(info.debug, "host:2 id 2, process 0: "));
  assert_int_equal(info.attribute_count, 2);
  assert_string_equal(info.attributes[0].name, "architecture");
  assert_string_equal(info.attributes[0].text, info.kind);
  assert_int_equal(info.memory_bytes, 0);
  jitrun_device_t *same = NULL;
  expect_ok(jitrun_client_local_device(client, 2, &same));
  assert_ptr_equal(device, same);
  expect_error(jitrun_client_device(client, 3, &device), JITRUN_NOT_FOUND,
               "no device with id 3; the ids are 0 to 2");
  expect_error(jitrun_client_device(client, -1, &device), JITRUN_NOT_FOUND,
               "no device with id -1");
  expect_error(jitrun_client_local_device(client, 3, &device),
               JITRUN_OUT_OF_RANGE, "device 3 of this process");
  info.size = 4;
  expect_error(jitrun_device_info(same, &info), JITRUN_INVALID_ARGUMENT,
               "jitrun_device_info_t says that it has 4 bytes");
  jitrun_client_release(client);
}

/// A caller of an older version has a shorter structure.
static void test_older_structures(void **state) {
  (void)state;
  jitrun_client_t *client = make_client(2);
  jitrun_device_t *device = NULL;
  jitrun_device_info_t info = {.size = offsetof(jitrun_device_info_t, platform),
                               .name = "kept"};
  expect_ok(jitrun_client_device(client, 1, &device));
  expect_ok(jitrun_device_info(device, &info));
  assert_int_equal(info.id, 1);
  assert_string_equal(info.name, "kept");
  jitrun_client_release(client);
}

static void test_assignment(void **state) {
  (void)state;
  jitrun_client_t *client = make_client(4);
  int64_t ids[4] = {9, 9, 9, 9};
  expect_ok(jitrun_client_assign_default(client, 2, 2, ids));
  for (int64_t i = 0; i < 4; i++)
    assert_int_equal(ids[i], i);
  expect_ok(jitrun_client_check_assignment(client, 2, 2, ids));
  expect_error(jitrun_client_assign_default(client, 5, 1, ids),
               JITRUN_INVALID_ARGUMENT, "need 5 devices; the client has 4");
  expect_error(jitrun_client_assign_default(client, 0, 1, ids),
               JITRUN_INVALID_ARGUMENT, "need 0 devices; the client has 4");
  expect_error(
      jitrun_client_assign_default(client, UINT32_MAX, UINT32_MAX, ids),
      JITRUN_INVALID_ARGUMENT, "18446744065119617025 devices");
  ids[3] = 1;
  expect_error(jitrun_client_check_assignment(client, 2, 2, ids),
               JITRUN_INVALID_ARGUMENT,
               "device 1 is assigned to replica 0, partition 1 and to replica "
               "1, partition 1");
  ids[3] = 7;
  jitrun_error_t *error = jitrun_client_check_assignment(client, 2, 2, ids);
  assert_string_equal(jitrun_error_note_get(error, 0),
                      "while assigning replica 1, partition 1");
  expect_error(error, JITRUN_NOT_FOUND, "no device with id 7");
  jitrun_client_release(client);
}

static void create_once(void *context) {
  (void)context;
  jitrun_client_t *client = NULL;
  jitrun_error_free(jitrun_client_create(NULL, &client));
  jitrun_client_release(client);
}

static void test_without_memory(void **state) {
  (void)state;
  sweep_allocations(create_once, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_platforms),
      cmocka_unit_test(test_devices),
      cmocka_unit_test(test_older_structures),
      cmocka_unit_test(test_assignment),
      cmocka_unit_test(test_without_memory),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
