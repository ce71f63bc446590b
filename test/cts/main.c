/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// cts PLATFORM [LIBRARY]: runs the suite with a platform's driver, which is
/// built in, found beside libjitrun, or in the library. Exit status 77, with
/// the reason, when the platform cannot be opened here.
#include "cts.h"

#include <dlfcn.h>
#include <stdlib.h>

enum { SKIPPED = 77 };

struct cts cts;

int cts_open(void **state) {
  (void)state;
  cts.table = cts.driver->table;
  expect_ok(jr_platform_open(cts.driver, cts.device_count, &cts.platform));
  expect_ok(jr_platform_info(&cts.platform, 0, &cts.info));
  for (uint32_t i = 0; i < 2; i++) {
    cts.devices[i] = NULL;
    if (i < cts.platform.device_count)
      expect_ok(cts.table->device_open(cts.platform.own, i, &cts.devices[i]));
  }
  expect_ok(cts.table->stream_create(cts.devices[0], 0, &cts.stream));
  return 0;
}

int cts_close(void **state) {
  (void)state;
  if (cts.fail_call)
    cts.fail_call(0, 0);
  cts.table->stream_destroy(cts.stream);
  for (size_t i = 0; i < 2; i++) {
    if (cts.devices[i])
      cts.table->device_close(cts.devices[i]);
  }
  jr_platform_close(&cts.platform);
  return 0;
}

jitrun_address_t cts_alloc(size_t device, uint64_t size_bytes) {
  jitrun_address_t address = 0;
  expect_ok(cts.table->alloc(cts.devices[device], size_bytes, 64, &address));
  assert_true(address != 0);
  return address;
}

void cts_free(size_t device, jitrun_address_t address) {
  cts.table->free(cts.devices[device], address);
}

void cts_fill(unsigned char *bytes, size_t count, unsigned seed) {
  for (size_t i = 0; i < count; i++) {
    seed = seed * 1664525u + 1013904223u;
    bytes[i] = (unsigned char)(seed >> 24);
  }
}

void cts_write(jitrun_address_t to, const void *from, uint64_t size_bytes) {
  expect_ok(cts.table->copy_to_device(cts.stream, to, from, size_bytes));
  expect_ok(cts.table->stream_synchronize(cts.stream));
}

void cts_expect(jitrun_address_t from, size_t count, unsigned seed) {
  unsigned char *found = malloc(count);
  unsigned char *wanted = malloc(count);
  assert_non_null(found);
  assert_non_null(wanted);
  expect_ok(cts.table->copy_to_host(cts.stream, found, from, count));
  expect_ok(cts.table->stream_synchronize(cts.stream));
  cts_fill(wanted, count, seed);
  assert_memory_equal(found, wanted, count);
  free(found);
  free(wanted);
}

/// At the end: no error is alive, and nothing was done that may not be.
static int check_end(void **state) {
  (void)check_no_errors(state);
  if (cts.count_wrong)
    assert_int_equal(cts.count_wrong(), 0);
  return 0;
}

/// What a driver made for tests exports besides.
static void find_controls(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return;
  void *symbols[] = {dlsym(library, "jitrun_test_fail_call"),
                     dlsym(library, "jitrun_test_is_pending"),
                     dlsym(library, "jitrun_test_count_wrong")};
  memcpy(&cts.fail_call, &symbols[0], sizeof symbols[0]);
  memcpy(&cts.is_pending, &symbols[1], sizeof symbols[1]);
  memcpy(&cts.count_wrong, &symbols[2], sizeof symbols[2]);
}

static int report(/*own*/ jitrun_error_t *error, int status) {
  (void)fprintf(stderr, "cts: %s: %s\n",
                status == SKIPPED ? "skipped" : "error",
                jitrun_error_message(error));
  jitrun_error_free(error);
  return status;
}

static int run_suite(void) {
#define X(name)                                                                \
  cmocka_unit_test_setup_teardown(test_##name, cts_open, cts_close),
  const struct CMUnitTest driver_tests[] = {CTS_TESTS(X)};
#undef X
#define X(name) cmocka_unit_test(test_##name),
  const struct CMUnitTest client_tests[] = {CTS_CLIENT_TESTS(X)};
#undef X
  int failed =
      cmocka_run_group_tests_name("driver", driver_tests, NULL, check_end);
  return failed +
         cmocka_run_group_tests_name("client", client_tests, NULL, check_end);
}

int main(int argc, char **argv) {
  if (argc < 2 || argc > 3) {
    (void)fprintf(stderr, "usage: cts PLATFORM [LIBRARY]\n");
    return 2;
  }
  cts.name = argv[1];
  jitrun_error_t *error = jitrun_platforms_create(&cts.platforms);
  if (!error && argc == 3)
    error = jitrun_platforms_load(cts.platforms, argv[2]);
  if (error)
    return report(error, 1);
  error = jr_platforms_driver(cts.platforms, cts.name, &cts.driver);
  if (!error)
    error = jr_platform_open(cts.driver, 0, &cts.platform);
  if (error)
    return report(error, SKIPPED);
  jr_platform_close(&cts.platform);
  error = jr_platform_open(cts.driver, 2, &cts.platform);
  cts.device_count = error ? 0 : 2;
  jitrun_error_free(error);
  jr_platform_close(&cts.platform);
  if (argc == 3)
    find_controls(argv[2]);
  int failed = run_suite();
  jr_driver_release(cts.driver);
  jitrun_platforms_release(cts.platforms);
  return failed == 0 ? 0 : 1;
}
