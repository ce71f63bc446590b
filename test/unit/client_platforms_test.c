/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Platforms: which there are, drivers that are refused, and what a driver says
/// when it cannot be used.
#include "expect.h"

#include "drivers/host/host.h"
#include "jitrun/buffer.h"

/// The host's, changed by the tests.
static jitrun_driver_t table;

static const jitrun_driver_t *query_table(uint32_t max_version) {
  (void)max_version;
  return &table;
}

static const jitrun_driver_t *query_nothing(uint32_t max_version) {
  (void)max_version;
  return NULL;
}

static const jitrun_driver_host_t *given_host;

static jitrun_error_t *refuse_open(const jitrun_driver_host_t *host,
                                   const jitrun_driver_options_t *options,
                                   jitrun_driver_platform_t **out_platform) {
  (void)options;
  *out_platform = NULL;
  given_host = host;
  return host->error(JITRUN_UNAVAILABLE, "libcuda.so.1 is older than 12.0", 24);
}

static uint32_t count_none(const jitrun_driver_platform_t *platform) {
  (void)platform;
  return 0;
}

static jitrun_error_t *describe_odd(const jitrun_driver_platform_t *platform,
                                    uint32_t ordinal,
                                    jitrun_driver_info_t *out_info) {
  static const jitrun_driver_value_t attribute = {"speed", "warp 9"};
  (void)platform;
  (void)ordinal;
  out_info->attributes = &attribute;
  out_info->attribute_count = 1;
  out_info->memory_bytes = 500;
  out_info->is_host_addressable = true;
  out_info->is_synchronous = true;
  out_info->refused_dtypes =
      UINT64_C(1) << JITRUN_DTYPE_F64 | UINT64_C(1) << JITRUN_DTYPE_C128;
  return NULL;
}

static jitrun_error_t *give_nothing(jitrun_driver_device_t *device,
                                    uint64_t size_bytes, void **out_data) {
  (void)device;
  (void)size_bytes;
  *out_data = NULL;
  return NULL;
}

static int set_table(void **state) {
  (void)state;
  table = *jr_host_driver_query(JITRUN_DRIVER_VERSION);
  table.platform = "odd";
  return 0;
}

static void test_list(void **state) {
  (void)state;
  jitrun_platforms_t *platforms = NULL;
  expect_ok(jitrun_platforms_create(&platforms));
  assert_int_equal(jitrun_platforms_count(platforms), 3);
  assert_string_equal(jitrun_platforms_get(platforms, 0), "host");
  assert_string_equal(jitrun_platforms_get(platforms, 2), "hip");
  assert_null(jitrun_platforms_get(platforms, 3));
  expect_ok(jitrun_platforms_add(platforms, query_table));
  assert_string_equal(jitrun_platforms_get(platforms, 3), "odd");
  expect_error(jitrun_platforms_add(platforms, query_table),
               JITRUN_ALREADY_EXISTS,
               "there is a driver for the platform 'odd' already");
  table.platform = "host";
  expect_error(jitrun_platforms_add(platforms, query_table),
               JITRUN_ALREADY_EXISTS, "the platform 'host' already");
  // The place of a library that would be looked for is free.
  table.platform = "hip";
  expect_ok(jitrun_platforms_add(platforms, query_table));
  assert_int_equal(jitrun_platforms_count(platforms), 4);
  jitrun_client_t *client = NULL;
  jitrun_client_options_t options = {
      .size = sizeof options, .platform = "hip", .platforms = platforms};
  expect_ok(jitrun_client_create(&options, &client));
  assert_string_equal(jitrun_client_platform(client), "hip");
  jitrun_client_release(client);
  options.platform = "tpu";
  expect_error(jitrun_client_create(&options, &client), JITRUN_NOT_FOUND,
               "there are 'host', 'cuda', 'hip', 'odd'");
  jitrun_platforms_retain(platforms);
  jitrun_platforms_release(platforms);
  jitrun_platforms_release(platforms);
  jitrun_platforms_release(NULL);
  assert_int_equal(jitrun_platforms_count(NULL), 0);
  assert_null(jitrun_platforms_get(NULL, 0));
}

static void test_refused_tables(void **state) {
  (void)state;
  jitrun_platforms_t *platforms = NULL;
  expect_ok(jitrun_platforms_create(&platforms));
  expect_error(jitrun_platforms_add(platforms, query_nothing),
               JITRUN_FAILED_PRECONDITION,
               "no table for version 1 of the driver interface");
  table.size--;
  expect_error(jitrun_platforms_add(platforms, query_table),
               JITRUN_FAILED_PRECONDITION, "the driver's table has a size of");
  (void)set_table(NULL);
  table.version = 2;
  expect_error(jitrun_platforms_add(platforms, query_table),
               JITRUN_FAILED_PRECONDITION,
               "the driver of 'odd' answers with version 2");
  (void)set_table(NULL);
  table.platform = "";
  expect_error(jitrun_platforms_add(platforms, query_table),
               JITRUN_INVALID_ARGUMENT, "has no platform");
  (void)set_table(NULL);
  table.sanitizer = 9;
  expect_error(jitrun_platforms_add(platforms, query_table),
               JITRUN_FAILED_PRECONDITION, "a sanitizer unknown here");
  (void)set_table(NULL);
  table.event_record = NULL;
  expect_error(jitrun_platforms_add(platforms, query_table),
               JITRUN_INVALID_ARGUMENT,
               "the driver of 'odd' has no function event_record");
  (void)set_table(NULL);
  table.host_alloc = give_nothing;
  expect_error(jitrun_platforms_add(platforms, query_table),
               JITRUN_INVALID_ARGUMENT, "host_alloc or host_free");
  expect_error(jitrun_platforms_add(platforms, NULL), JITRUN_INVALID_ARGUMENT,
               "query");
  expect_error(jitrun_platforms_add(NULL, query_table), JITRUN_INVALID_ARGUMENT,
               "platforms");
  jitrun_platforms_release(platforms);
}

static void test_libraries(void **state) {
  (void)state;
  jitrun_platforms_t *platforms = NULL;
  expect_ok(jitrun_platforms_create(&platforms));
  expect_error(jitrun_platforms_load(platforms, "./nothing.so"),
               JITRUN_NOT_FOUND, "cannot open library './nothing.so'");
  expect_error(
      jitrun_platforms_load(platforms, JITRUN_TEST_PLUGIN_DIR "/testcalls.so"),
      JITRUN_FAILED_PRECONDITION,
      "is not a jitrun driver: it exports no function 'jitrun_driver_query'");
  jitrun_platforms_release(platforms);
}

/// A client of the changed table.
static jitrun_error_t *create_odd(jitrun_client_t **out_client) {
  jitrun_platforms_t *platforms = NULL;
  expect_ok(jitrun_platforms_create(&platforms));
  expect_ok(jitrun_platforms_add(platforms, query_table));
  const jitrun_client_options_t options = {
      .size = sizeof options, .platform = "odd", .platforms = platforms};
  jitrun_error_t *error = jitrun_client_create(&options, out_client);
  jitrun_platforms_release(platforms);
  return error;
}

static void test_unusable(void **state) {
  (void)state;
  jitrun_client_t *client = NULL;
  table.open = refuse_open;
  jitrun_error_t *error = create_odd(&client);
  assert_string_equal(jitrun_error_note_get(error, 0),
                      "while opening platform 'odd'");
  expect_error(error, JITRUN_UNAVAILABLE, "libcuda.so.1 is older th");
  assert_null(client);
  error = given_host->error(JITRUN_INTERNAL, "whole text", SIZE_MAX);
  expect_error(error, JITRUN_INTERNAL, "whole text");
  error = given_host->error(JITRUN_INTERNAL, NULL, 0);
  expect_error(error, JITRUN_INTERNAL, "the driver gives no reason");
  (void)set_table(NULL);
  table.device_count = count_none;
  expect_error(create_odd(&client), JITRUN_UNAVAILABLE, "it has no device");
}

static void test_device(void **state) {
  (void)state;
  static const int64_t dims[] = {100};
  double value = 1;
  jitrun_client_t *client = NULL;
  jitrun_device_t *device = NULL;
  jitrun_buffer_t *buffer = NULL;
  table.device_info = describe_odd;
  expect_ok(create_odd(&client));
  expect_ok(jitrun_client_device(client, 0, &device));
  jitrun_device_info_t info = {.size = sizeof info};
  expect_ok(jitrun_device_info(device, &info));
  assert_string_equal(info.kind, "odd");
  assert_string_equal(info.debug, "odd:0 id 0, process 0: odd");
  assert_string_equal(info.attributes[0].text, "warp 9");
  assert_int_equal(info.memory_bytes, 500);
  jitrun_memory_stats_t stats = {.size = sizeof stats};
  expect_ok(jitrun_device_memory_stats(device, &stats));
  assert_int_equal(stats.limit_bytes, 500);
  assert_int_equal(stats.largest_free_bytes, 500);
  expect_ok(jitrun_buffer_allocate(device, JITRUN_DTYPE_F32, dims, 1, &buffer));
  expect_ok(jitrun_device_memory_stats(device, &stats));
  assert_int_equal(stats.largest_free_bytes, 100);
  jitrun_buffer_t *view = NULL;
  static const char refusal[] =
      "platform 'odd' has no elements of type f64; its driver refuses f64, "
      "complex<f64>";
  expect_error(jitrun_buffer_view(buffer, 0, JITRUN_DTYPE_F64, dims, 0, &view),
               JITRUN_INVALID_ARGUMENT, refusal);
  jitrun_buffer_release(buffer);
  expect_error(
      jitrun_buffer_allocate(device, JITRUN_DTYPE_F64, dims, 1, &buffer),
      JITRUN_INVALID_ARGUMENT, refusal);
  const jitrun_tensor_t tensor = {.dtype = JITRUN_DTYPE_F64, .data = &value};
  expect_error(jitrun_buffer_from_host(device, &tensor, JITRUN_HOST_COPY_NOW,
                                       NULL, NULL, &buffer),
               JITRUN_INVALID_ARGUMENT, refusal);
  jitrun_client_release(client);
}

static void create_step(void *context) {
  (void)context;
  jitrun_client_t *client = NULL;
  const jitrun_client_options_t options = {.size = sizeof options,
                                           .platform = "cuda"};
  jitrun_error_free(jitrun_client_create(&options, &client));
  jitrun_client_release(client);
}

static void create_host_step(void *context) {
  (void)context;
  jitrun_client_t *client = NULL;
  jitrun_platforms_t *platforms = NULL;
  jitrun_error_t *error = jitrun_platforms_create(&platforms);
  if (!error)
    error = jitrun_platforms_add(platforms, query_table);
  const jitrun_client_options_t options = {
      .size = sizeof options, .device_count = 2, .platforms = platforms};
  if (!error)
    error = jitrun_client_create(&options, &client);
  assert_true(!error || jitrun_error_code(error) == JITRUN_RESOURCE_EXHAUSTED);
  jitrun_error_free(error);
  jitrun_client_release(client);
  jitrun_platforms_release(platforms);
}

static void test_no_memory(void **state) {
  (void)state;
  sweep_allocations(create_step, NULL);
  sweep_allocations(create_host_step, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(test_list, set_table),
      cmocka_unit_test_setup(test_refused_tables, set_table),
      cmocka_unit_test_setup(test_libraries, set_table),
      cmocka_unit_test_setup(test_unusable, set_table),
      cmocka_unit_test_setup(test_device, set_table),
      cmocka_unit_test_setup(test_no_memory, set_table),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
