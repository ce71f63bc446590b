/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Async work of several devices that meets: more of it waits at a time than
/// the pool has threads.
#include "client_programs.h"

enum { REPLICAS = 24 };

static const char async_text[] =
    "func.func private @sum1(memref<4xi32>, memref<4xi32>) attributes {\n"
    "  rt.custom_call = \"jitrun.all_reduce\", reduction = \"sum\",\n"
    "  channel = 1}\n"
    "func.func private @sum2(memref<4xi32>, memref<4xi32>) attributes {\n"
    "  rt.custom_call = \"jitrun.all_reduce\", reduction = \"sum\",\n"
    "  channel = 2}\n"
    "func.func @main(%a: memref<4xi32>, %b: memref<4xi32> {jitrun.output},\n"
    "                %c: memref<4xi32> {jitrun.output}) {\n"
    "  %s = async.execute {\n"
    "    func.call @sum1(%a, %b) : (memref<4xi32>, memref<4xi32>) -> ()\n"
    "    async.yield\n"
    "  }\n"
    "  %t = async.execute {\n"
    "    func.call @sum2(%a, %c) : (memref<4xi32>, memref<4xi32>) -> ()\n"
    "    async.yield\n"
    "  }\n"
    "  async.await %s : !async.token\n"
    "  async.await %t : !async.token\n"
    "  return\n"
    "}\n";

static jitrun_buffer_t *args[REPLICAS][3];
static jitrun_buffer_t *outputs[REPLICAS][2];

/// The sum over all replicas; gives the outputs up.
static void check_outputs(void) {
  for (size_t i = 0; i < REPLICAS; i++) {
    for (size_t j = 0; j < 2; j++) {
      expect_buffer(outputs[i][j], REPLICAS * (REPLICAS - 1) / 2, REPLICAS);
      jitrun_buffer_release(outputs[i][j]);
    }
  }
}

static void make_launches(jitrun_launch_t launches[REPLICAS]) {
  for (size_t i = 0; i < REPLICAS; i++) {
    expect_ok(jitrun_client_local_device(client, i, &devices[0]));
    for (size_t j = 0; j < 3; j++)
      args[i][j] = make_buffer(0, (int32_t)i);
    launches[i] = (jitrun_launch_t){.args = args[i],
                                    .arg_count = 3,
                                    .outputs = outputs[i],
                                    .output_count = 2};
  }
}

static void test_meetings_of_async_work(void **state) {
  (void)state;
  const jitrun_client_options_t options = {.size = sizeof options,
                                           .device_count = REPLICAS,
                                           .timeout_ns = INT64_C(60000000000)};
  expect_ok(jitrun_client_create(&options, &client));
  jitrun_executable_t *executable = load(async_text, "main", REPLICAS);
  jitrun_launch_t launches[REPLICAS];
  make_launches(launches);
  for (int round = 0; round < 10; round++) {
    expect_ok(jitrun_executable_execute(executable, launches, REPLICAS, NULL));
    check_outputs();
  }
  for (size_t i = 0; i < REPLICAS; i++) {
    for (size_t j = 0; j < 3; j++)
      jitrun_buffer_release(args[i][j]);
  }
  jitrun_executable_release(executable);
  jitrun_client_release(client);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_meetings_of_async_work),
  };
  // of those that open a client by themselves
  (void)open_client;
  (void)close_client;
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
