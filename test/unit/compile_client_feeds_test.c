/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What the embedding program and the devices of executables give each other:
/// feeds of devices, channels of executables, functions for channels.
#include "client_programs.h"

#include "jitrun/feed.h"
#include "jitrun/job.h"

static const char feed_text[] =
    "func.func private @infeed(memref<4xi32>, memref<i32>) attributes {\n"
    "  rt.custom_call = \"jitrun.infeed\"}\n"
    "func.func private @outfeed(memref<4xi32>) attributes {\n"
    "  rt.custom_call = \"jitrun.outfeed\"}\n"
    "func.func private @recv(memref<4xi32>) attributes {\n"
    "  rt.custom_call = \"jitrun.recv\", channel = 3}\n"
    "func.func private @send(memref<4xi32>) attributes {\n"
    "  rt.custom_call = \"jitrun.send\", channel = 4}\n"
    "func.func @feeds(%a: memref<4xi32>, %b: memref<i32>) {\n"
    "  call @infeed(%a, %b) : (memref<4xi32>, memref<i32>) -> ()\n"
    "  call @outfeed(%a) : (memref<4xi32>) -> ()\n"
    "  return\n"
    "}\n"
    "func.func @channels(%a: memref<4xi32>, %b: memref<i32>) {\n"
    "  call @recv(%a) : (memref<4xi32>) -> ()\n"
    "  call @send(%a) : (memref<4xi32>) -> ()\n"
    "  return\n"
    "}\n";

enum { REPLICAS = 2, SHORT_NS = 5000000 };

/// An executable, its arguments and a job of it.
struct run {
  jitrun_executable_t *executable;
  size_t count;
  jitrun_buffer_t *args[REPLICAS][2], *outputs[REPLICAS][2];
  jitrun_job_t *job;
};

static void begin(struct run *run, const char *entry,
                  const jitrun_execute_options_t *options) {
  run->executable = load(feed_text, entry, (uint32_t)run->count);
  jitrun_launch_t launches[REPLICAS];
  for (size_t i = 0; i < run->count; i++) {
    run->args[i][0] = make_buffer(i, 0);
    run->args[i][1] = make_scalar(i, 0);
    run->outputs[i][0] = run->outputs[i][1] = NULL;
    launches[i] = (jitrun_launch_t){.args = run->args[i],
                                    .arg_count = 2,
                                    .outputs = run->outputs[i],
                                    .output_count = 2};
  }
  expect_ok(jitrun_executable_start(run->executable, launches, run->count,
                                    options, &run->job));
}

static void end(struct run *run) {
  for (size_t i = 0; i < run->count; i++) {
    for (size_t j = 0; j < 2; j++) {
      jitrun_buffer_release(run->args[i][j]);
      jitrun_buffer_release(run->outputs[i][j]);
    }
  }
  jitrun_job_release(run->job);
  jitrun_executable_release(run->executable);
}

static int32_t values[4];
static int32_t one = 7;
static const jitrun_tensor_t tensors[] = {
    {.dtype = JITRUN_DTYPE_S32, .rank = 1, .dims = dims4, .data = values},
    {.dtype = JITRUN_DTYPE_S32, .data = &one}};

static void set_values(int32_t first) {
  for (int32_t i = 0; i < 4; i++)
    values[i] = first + i;
}

static void expect_values(int32_t first) {
  for (int32_t i = 0; i < 4; i++)
    assert_int_equal(values[i], first + i);
}

/// Each device has what it was given, before and after it began; then one
/// device alone, in another executable, has the same feed.
static void test_feeds(void **state) {
  (void)state;
  struct run run = {.count = REPLICAS};
  set_values(10);
  expect_ok(jitrun_device_infeed(devices[1], tensors, 2, -1));
  begin(&run, "feeds", NULL);
  set_values(20);
  expect_ok(jitrun_device_infeed(devices[0], tensors, 2, -1));
  expect_ok(jitrun_device_outfeed(devices[1], tensors, 1, -1));
  expect_values(10);
  expect_ok(jitrun_device_outfeed(devices[0], tensors, 1, -1));
  expect_values(20);
  expect_ok(jitrun_job_wait(run.job, -1));
  expect_buffer(run.outputs[1][0], 10, 1);
  assert_int_equal(read_scalar(run.outputs[1][1]), 7);
  end(&run);
  run = (struct run){.count = 1};
  set_values(30);
  expect_ok(jitrun_device_infeed(devices[0], tensors, 2, -1));
  begin(&run, "feeds", NULL);
  expect_ok(jitrun_job_wait(run.job, -1));
  expect_ok(jitrun_device_outfeed(devices[0], tensors, 1, -1));
  end(&run);
}

/// What does not fit is refused, and stays.
static void test_shapes_of_feeds(void **state) {
  (void)state;
  struct run run = {.count = 1};
  expect_ok(jitrun_device_infeed(devices[0], tensors, 1, -1));
  begin(&run, "feeds", NULL);
  expect_error(jitrun_job_wait(run.job, -1), JITRUN_INVALID_ARGUMENT,
               "the infeed of device host:0 holds 1 next (4xi32), 2 are "
               "taken (4xi32, i32)");
  end(&run);
  // Another executable's world has the same infeed.
  expect_ok(jitrun_device_infeed(devices[1], tensors, 1, -1));
  struct run other = {.count = REPLICAS};
  begin(&other, "feeds", NULL);
  expect_error(jitrun_job_wait(other.job, -1), JITRUN_INVALID_ARGUMENT,
               "holds 1 next (4xi32), 2 are taken");
  end(&other);
  const jitrun_tensor_t token = {.dtype = JITRUN_DTYPE_TOKEN};
  expect_error(jitrun_device_infeed(devices[0], &token, 1, -1),
               JITRUN_INVALID_ARGUMENT, "tensor 0 has dtype");
}

/// A replica that waits for the embedding program ends when another has failed,
/// long before its own deadline of 120 s.
static void test_failure_elsewhere(void **state) {
  (void)state;
  struct run run = {.count = REPLICAS};
  begin(&run, "feeds", NULL);
  expect_ok(jitrun_device_infeed(devices[1], tensors, 1, -1));
  expect_error(jitrun_job_wait(run.job, INT64_C(60) * 1000000000),
               JITRUN_INVALID_ARGUMENT, "holds 1 next (4xi32), 2 are taken");
  expect_error(jitrun_buffer_wait(run.outputs[0][0], -1), JITRUN_ABORTED,
               "jitrun.infeed waited for something in the infeed of replica 0, "
               "and replica 1 has failed: ");
  end(&run);
  run = (struct run){.count = REPLICAS};
  begin(&run, "channels", NULL);
  jitrun_world_t *world = jitrun_executable_world(run.executable);
  expect_ok(jitrun_world_send(world, 0, 3, &tensors[1], -1));
  expect_error(jitrun_job_wait(run.job, INT64_C(60) * 1000000000),
               JITRUN_INVALID_ARGUMENT, "Mismatch between source buffer");
  expect_error(jitrun_buffer_wait(run.outputs[1][0], -1), JITRUN_ABORTED,
               "jitrun.recv waited for something in the channel 3 from the "
               "host to replica 1, and replica 0 has failed: ");
  end(&run);
}

static void count_warning(void *context, const char *text, size_t size) {
  (void)size;
  if (strstr(text, "for something in the outfeed of device host:1"))
    ++*(int *)context;
}

static void test_deadlines_of_feeds(void **state) {
  (void)state;
  int warnings = 0;
  const jitrun_client_options_t options = {.size = sizeof options,
                                           .device_count = 2,
                                           .timeout_ns = SHORT_NS,
                                           .warning = count_warning,
                                           .warning_context = &warnings,
                                           .warn_after_ns = 1000000};
  jitrun_client_t *hasty = NULL;
  jitrun_device_t *device = NULL;
  expect_ok(jitrun_client_create(&options, &hasty));
  expect_ok(jitrun_client_local_device(hasty, 1, &device));
  expect_error(jitrun_device_outfeed(device, tensors, 1, 0),
               JITRUN_DEADLINE_EXCEEDED,
               "an outfeed waited 0.005 s for something in the outfeed of "
               "device host:1");
  expect_error(
      jitrun_device_outfeed(device, tensors, 1, INT64_C(40) * SHORT_NS),
      JITRUN_DEADLINE_EXCEEDED, "an outfeed waited 0.2 s");
  assert_true(warnings > 0);
  for (int i = 0; i < 64; i++)
    expect_ok(jitrun_device_infeed(device, tensors, 2, 0));
  expect_error(jitrun_device_infeed(device, tensors, 2, 0),
               JITRUN_DEADLINE_EXCEEDED,
               "an infeed waited 0.005 s for room in the infeed of device "
               "host:1");
  jitrun_client_release(hasty);
}

/// An executable says how long its calls wait.
static void test_deadline_of_a_call(void **state) {
  (void)state;
  static const jitrun_world_options_t world = {.size = sizeof world,
                                               .timeout_ns = SHORT_NS};
  static const jitrun_executable_options_t options = {
      .size = sizeof options, .entry = "feeds", .world = &world};
  jitrun_executable_t *executable = NULL;
  expect_ok(jitrun_executable_load_memory(client, feed_text,
                                          sizeof feed_text - 1, "test.mlir",
                                          &options, &executable));
  jitrun_buffer_t *args[] = {make_buffer(0, 0), make_scalar(0, 0)};
  jitrun_buffer_t *outputs[2] = {0};
  const jitrun_launch_t launch = {
      .args = args, .arg_count = 2, .outputs = outputs, .output_count = 2};
  expect_error(jitrun_executable_execute(executable, &launch, 1, NULL),
               JITRUN_DEADLINE_EXCEEDED,
               "jitrun.infeed waited 0.005 s for something in the infeed of "
               "device host:0");
  jitrun_buffer_release(args[0]);
  jitrun_buffer_release(args[1]);
  jitrun_executable_release(executable);
}

static void test_channels(void **state) {
  (void)state;
  struct run run = {.count = REPLICAS};
  begin(&run, "channels", NULL);
  jitrun_world_t *world = jitrun_executable_world(run.executable);
  for (uint32_t i = 0; i < REPLICAS; i++) {
    set_values((int32_t)i * 100);
    expect_ok(jitrun_world_send(world, i, 3, tensors, -1));
  }
  for (uint32_t i = 0; i < REPLICAS; i++) {
    expect_ok(jitrun_world_recv(world, i, 4, tensors, -1));
    expect_values((int32_t)i * 100);
  }
  expect_ok(jitrun_job_wait(run.job, -1));
  end(&run);
}

/// What the functions were given.
struct seen {
  int32_t received[REPLICAS]; ///< first element
  size_t counts[REPLICAS];
  jitrun_code_t code; ///< to return
};

static jitrun_code_t receive(void *context, uint32_t device,
                             const jitrun_tensor_t *given, size_t count) {
  struct seen *seen = context;
  if (count == 1 && given->rank == 1 && given->dims[0] == 4)
    seen->received[device] = *(const int32_t *)given->data;
  seen->counts[device]++;
  return seen->code;
}

static jitrun_code_t supply(void *context, uint32_t device,
                            const jitrun_tensor_t *wanted, size_t count) {
  (void)context;
  for (size_t i = 0; count == 1 && i < 4; i++)
    ((int32_t *)wanted->data)[i] = (int32_t)((size_t)device * 10 + i);
  return JITRUN_OK;
}

static void test_functions_of_channels(void **state) {
  (void)state;
  struct run run = {.count = REPLICAS};
  struct seen seen = {.code = JITRUN_OK};
  const jitrun_channel_t channels[] = {
      {.handle = 4, .receive = receive, .context = &seen},
      {.handle = 3, .supply = supply}};
  jitrun_execute_options_t options = {
      .size = sizeof options, .channels = channels, .channel_count = 2};
  begin(&run, "channels", &options);
  expect_ok(jitrun_job_wait(run.job, -1));
  for (size_t i = 0; i < REPLICAS; i++) {
    assert_int_equal(seen.counts[i], 1);
    assert_int_equal(seen.received[i], i * 10);
    expect_buffer(run.outputs[i][0], (int32_t)i * 10, 1);
  }
  end(&run);
  // One that fails is the call's error; without one there is the queue again.
  seen.code = JITRUN_DATA_LOSS;
  run = (struct run){.count = 1};
  begin(&run, "channels", &options);
  expect_error(jitrun_job_wait(run.job, -1), JITRUN_DATA_LOSS,
               "the embedding program's function that receives from channel 4 "
               "has failed: DATA_LOSS");
  end(&run);
  options.channels = &channels[1];
  options.channel_count = 1;
  begin(&run, "channels", &options);
  expect_ok(jitrun_world_recv(jitrun_executable_world(run.executable), 0, 4,
                              tensors, -1));
  expect_values(0);
  expect_ok(jitrun_job_wait(run.job, -1));
  end(&run);
  options.channels = NULL;
  jitrun_executable_t *executable = load(feed_text, "channels", 1);
  const jitrun_launch_t launch = {0};
  expect_error(jitrun_executable_execute(executable, &launch, 1, &options),
               JITRUN_INVALID_ARGUMENT, "1 channels are given");
  jitrun_executable_release(executable);
  executable = load(add_text, "all", 1); // has none
  assert_null(jitrun_executable_world(executable));
  jitrun_executable_release(executable);
}

int main(void) {
#define TEST(name)                                                             \
  cmocka_unit_test_setup_teardown(name, open_client, close_client)
  const struct CMUnitTest tests[] = {
      TEST(test_feeds),
      TEST(test_shapes_of_feeds),
      TEST(test_failure_elsewhere),
      TEST(test_deadlines_of_feeds),
      TEST(test_deadline_of_a_call),
      TEST(test_channels),
      TEST(test_functions_of_channels),
  };
#undef TEST
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
