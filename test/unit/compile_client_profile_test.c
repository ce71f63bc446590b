/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What executions put into a profile, with native code and thunks, from async
/// work, from calls that fail, from several devices and threads at once.
#include "client_programs.h"

#include <pthread.h>
#include <stdlib.h>

static const char text[] =
    "func.func private @noop() attributes {rt.custom_call = \"jitrun.noop\"}\n"
    "func.func private @sleep() attributes {\n"
    "  rt.custom_call = \"jitrun.sleep\", ms = 2 : i32}\n"
    "func.func private @fail() attributes {rt.custom_call = \"jitrun.fail\"}\n"
    "func.func @main() {\n"
    "  call @noop() : () -> ()\n"
    "  call @noop() : () -> ()\n"
    "  call @sleep() : () -> ()\n"
    "  return\n"
    "}\n"
    "func.func @fails() {\n"
    "  call @noop() : () -> ()\n"
    "  call @fail() : () -> ()\n"
    "  call @noop() : () -> ()\n"
    "  return\n"
    "}\n"
    "func.func @empty() { return }\n"
    "func.func private @nap() attributes {\n"
    "  rt.custom_call = \"jitrun.sleep\", ms = 300 : i32}\n"
    "func.func @naps(%a: memref<4xi32> {jitrun.output}) {\n"
    "  call @nap() : () -> ()\n"
    "  return\n"
    "}\n";

static const char native_text[] =
    "func.func private @noop(i32) attributes {\n"
    "  rt.custom_call = \"jitrun.noop\"}\n"
    "func.func private @sleep() attributes {\n"
    "  rt.custom_call = \"jitrun.sleep\", ms = 2 : i32}\n"
    "func.func @loop(%n: i32) {\n"
    "  %c0 = arith.constant 0 : i32\n"
    "  %c1 = arith.constant 1 : i32\n"
    "  scf.for %i = %c0 to %n step %c1 : i32 {\n"
    "    func.call @noop(%i) : (i32) -> ()\n"
    "  }\n"
    "  return\n"
    "}\n"
    "func.func @tasks() {\n"
    "  %t = async.execute {\n"
    "    func.call @sleep() : () -> ()\n"
    "    async.yield\n"
    "  }\n"
    "  %u = async.execute [%t] {\n"
    "    func.call @sleep() : () -> ()\n"
    "    async.yield\n"
    "  }\n"
    "  async.await %u : !async.token\n"
    "  return\n"
    "}\n"
    "func.func @goes_on() {\n"
    "  %t = async.execute {\n"
    "    func.call @sleep() : () -> ()\n"
    "    async.yield\n"
    "  }\n"
    "  return\n"
    "}\n";

static jitrun_program_t *open_text(const char *source,
                                   jitrun_executor_t executor) {
  const jitrun_open_options_t options = {
      .size = sizeof options, .executor = executor, .opt_level = -1};
  jitrun_program_t *program = NULL;
  expect_ok(jitrun_program_open_memory(source, strlen(source), "dir/some.mlir",
                                       &options, &program));
  return program;
}

static jitrun_profile_t *make_profile(bool calls, bool spans) {
  const jitrun_profile_options_t options = {
      .size = sizeof options, .calls = calls, .spans = spans};
  jitrun_profile_t *profile = NULL;
  expect_ok(jitrun_profile_create(&options, &profile));
  return profile;
}

static jitrun_error_t *run(jitrun_program_t *program, const char *entry,
                           jitrun_profile_t *profile) {
  const jitrun_run_options_t options = {.size = sizeof options,
                                        .profile = profile};
  return jitrun_program_run(program, jitrun_program_entry_find(program, entry),
                            NULL, 0, NULL, 0, &options);
}

static jitrun_profile_info_t info_of(jitrun_profile_t *profile) {
  jitrun_profile_info_t info = {.size = sizeof info};
  expect_ok(jitrun_profile_info(profile, &info));
  return info;
}

/// The call of a line; fails when there is none.
static jitrun_call_time_t call_at(jitrun_profile_t *profile, uint32_t line) {
  jitrun_call_time_t call = {.size = sizeof call};
  for (uint64_t i = 0; jitrun_profile_call_get(profile, i, &call); i++) {
    if (call.line == line)
      return call;
  }
  fail_msg("no call in line %u", line);
  return call;
}

static size_t count_in(jitrun_profile_t *profile, const char *part) {
  char *trace = NULL;
  size_t count = 0;
  expect_ok(jitrun_profile_trace(profile, &trace));
  for (const char *at = strstr(trace, part); at; at = strstr(at + 1, part))
    count++;
  jitrun_text_free(trace);
  return count;
}

static void check_main(jitrun_executor_t executor) {
  jitrun_program_t *program = open_text(text, executor);
  jitrun_profile_t *profile = make_profile(true, true);
  for (int i = 0; i < 3; i++)
    expect_ok(run(program, "main", profile));
  expect_ok(run(program, "main", NULL)); // is not in it
  jitrun_program_release(program);       // the profile has it
  jitrun_profile_info_t info = info_of(profile);
  assert_int_equal(info.execution_count, 3);
  assert_int_equal(info.call_count, 3);
  assert_true(info.min_ns >= 2000000 && info.min_ns <= info.max_ns);
  assert_true(info.total_ns >= 3 * info.min_ns);
  assert_true(info.last_ns >= info.min_ns && info.last_ns <= info.max_ns);
  jitrun_call_time_t first = {.size = sizeof first};
  assert_true(jitrun_profile_call_get(profile, 0, &first));
  assert_string_equal(first.target, "jitrun.sleep");
  assert_string_equal(first.file, "dir/some.mlir");
  assert_int_equal(first.column, 3);
  assert_int_equal(first.count, 3);
  assert_true(first.min_ns >= 2000000 && first.max_ns >= first.min_ns);
  assert_true(first.total_ns >= 6000000 && first.total_ns <= info.total_ns);
  jitrun_call_time_t noop = call_at(profile, 7);
  assert_int_equal(noop.count, 3);
  assert_true(noop.min_ns >= 1 && noop.total_ns >= 3);
  assert_false(jitrun_profile_call_get(profile, 3, &noop));
  assert_int_equal(count_in(profile, "\"some: jitrun program\""), 3);
  assert_int_equal(count_in(profile, "\"location\":\"dir/some.mlir:8:3\""), 3);
  assert_int_equal(count_in(profile, "\"unfinished\""), 0);
  jitrun_profile_release(profile);
}

static void test_both_executors(void **state) {
  (void)state;
  check_main(JITRUN_EXECUTOR_JIT);
  check_main(JITRUN_EXECUTOR_THUNKS);
}

/// Time is what all profiles have; it is never 0.
static void test_times_alone(void **state) {
  (void)state;
  jitrun_program_t *program = open_text(text, JITRUN_EXECUTOR_AUTO);
  jitrun_profile_t *profile = make_profile(false, false);
  expect_ok(run(program, "empty", profile));
  expect_ok(run(program, "main", profile));
  jitrun_profile_info_t info = info_of(profile);
  assert_int_equal(info.execution_count, 2);
  assert_true(info.min_ns > 0);
  assert_int_equal(info.call_count, 0);
  assert_int_equal(info.span_count + info.dropped_count, 0);
  jitrun_profile_release(profile);
  jitrun_program_release(program);
}

static void test_failures(void **state) {
  (void)state;
  for (int executor = JITRUN_EXECUTOR_JIT; executor <= JITRUN_EXECUTOR_THUNKS;
       executor++) {
    jitrun_program_t *program = open_text(text, (jitrun_executor_t)executor);
    jitrun_profile_t *profile = make_profile(true, true);
    jitrun_error_t *error = run(program, "fails", profile);
    assert_string_equal(jitrun_error_location(error), "dir/some.mlir:13:3");
    jitrun_error_free(error);
    jitrun_profile_info_t info = info_of(profile);
    assert_int_equal(info.execution_count, 1);
    assert_int_equal(info.call_count, 2);
    assert_int_equal(call_at(profile, 13).count, 1);
    assert_int_equal(count_in(profile, "\"jitrun.fail\""), 1);
    jitrun_profile_release(profile);
    jitrun_program_release(program);
  }
}

static void test_calls_of_native_code(void **state) {
  (void)state;
  jitrun_program_t *program = open_text(native_text, JITRUN_EXECUTOR_JIT);
  jitrun_profile_t *profile = make_profile(true, true);
  int32_t count = 50;
  const jitrun_tensor_t arg = {.dtype = JITRUN_DTYPE_S32, .data = &count};
  const jitrun_run_options_t options = {.size = sizeof options,
                                        .profile = profile};
  expect_ok(jitrun_program_run(program,
                               jitrun_program_entry_find(program, "loop"), &arg,
                               1, NULL, 0, &options));
  (void)info_of(profile);
  assert_int_equal(call_at(profile, 9).count, 50);
  assert_int_equal(count_in(profile, "\"jitrun.noop\""), 50);
  jitrun_profile_release(profile);
  jitrun_program_release(program);
}

static void test_async_work(void **state) {
  (void)state;
  jitrun_program_t *program = open_text(native_text, JITRUN_EXECUTOR_JIT);
  jitrun_profile_t *profile = make_profile(true, true);
  expect_ok(run(program, "tasks", profile));
  jitrun_profile_info_t info = info_of(profile);
  assert_true(info.min_ns >= 4000000);
  assert_int_equal(info.call_count, 2);
  assert_int_equal(call_at(profile, 15).count, 1);
  assert_int_equal(count_in(profile, "\"async.execute\",\"cat\":\"async\","
                                     "\"ph\":\"b\""),
                   2);
  assert_int_equal(
      count_in(profile, "\"async.await\",\"cat\":\"wait\",\"ph\":\"X\""), 1);
  assert_int_equal(count_in(profile, "\"unfinished\""), 0);
  jitrun_profile_release(profile);
  jitrun_program_release(program);
}

/// An execution takes until its async work is done.
static void test_work_that_goes_on(void **state) {
  (void)state;
  jitrun_program_t *program = open_text(native_text, JITRUN_EXECUTOR_JIT);
  jitrun_profile_t *profile = make_profile(true, true);
  const jitrun_run_options_t options = {.size = sizeof options,
                                        .profile = profile};
  jitrun_execution_t *execution = NULL;
  expect_ok(jitrun_program_start(program,
                                 jitrun_program_entry_find(program, "goes_on"),
                                 NULL, 0, &options, &execution));
  expect_ok(jitrun_execution_wait(execution, -1));
  jitrun_execution_release(execution);
  assert_int_equal(info_of(profile).execution_count, 1);
  assert_true(info_of(profile).min_ns >= 2000000);
  assert_int_equal(count_in(profile, "\"unfinished\""), 0);
  jitrun_profile_release(profile);
  jitrun_program_release(program);
}

enum { REPLICAS = 4, RUNS = 20 };

/// Replicas, and executions on several threads, share a profile.
static void test_replicas(void **state) {
  (void)state;
  jitrun_executable_t *executable = load(call_text, "sum_main", REPLICAS);
  jitrun_profile_t *profile = make_profile(true, true);
  const jitrun_execute_options_t options = {.size = sizeof options,
                                            .profile = profile};
  for (int round = 0; round < RUNS; round++) {
    jitrun_launch_t launches[REPLICAS];
    jitrun_buffer_t *args[REPLICAS][2];
    jitrun_buffer_t *outputs[REPLICAS][2] = {0};
    for (size_t i = 0; i < REPLICAS; i++) {
      args[i][0] = make_buffer(i, 1);
      args[i][1] = make_buffer(i, 0);
      launches[i] = (jitrun_launch_t){.args = args[i],
                                      .arg_count = 2,
                                      .outputs = outputs[i],
                                      .output_count = 2};
    }
    expect_ok(
        jitrun_executable_execute(executable, launches, REPLICAS, &options));
    for (size_t i = 0; i < (size_t)2 * REPLICAS; i++) {
      jitrun_buffer_release(args[i / 2][i % 2]);
      jitrun_buffer_release(outputs[i / 2][i % 2]);
    }
  }
  jitrun_profile_info_t info = info_of(profile);
  assert_int_equal(info.execution_count, REPLICAS * RUNS);
  assert_int_equal(call_at(profile, 21).count, REPLICAS * RUNS);
  assert_int_equal(
      count_in(profile, "\"device host:3, replica 3, partition 0\""), 1);
  assert_int_equal(count_in(profile, "\"process_name\""), 1 + REPLICAS);
  jitrun_profile_release(profile);
  jitrun_executable_release(executable);
}

/// A device waits for what another one makes.
static void test_waiting_device(void **state) {
  (void)state;
  const int64_t ids[] = {1};
  const jitrun_executable_options_t second = {
      .size = sizeof second, .entry = "naps", .device_ids = ids};
  jitrun_executable_t *one = load(text, "naps", 0);
  jitrun_executable_t *other = NULL;
  jitrun_execute_options_t options = {.size = sizeof options,
                                      .is_async = true,
                                      .profile = make_profile(false, true)};
  jitrun_buffer_t *buffers[4] = {make_buffer(0, 1)};
  expect_ok(jitrun_executable_create(client, jitrun_executable_program(one),
                                     &second, &other));
  jitrun_launch_t launch = {.args = &buffers[0],
                            .arg_count = 1,
                            .outputs = &buffers[1],
                            .output_count = 1};
  expect_ok(jitrun_executable_execute(one, &launch, 1, &options));
  expect_ok(jitrun_buffer_copy_to(buffers[1], devices[1], &buffers[2]));
  launch.args = &buffers[2];
  launch.outputs = &buffers[3];
  options.is_async = false;
  expect_ok(jitrun_executable_execute(other, &launch, 1, &options));
  assert_int_equal(count_in(options.profile, "\"waiting for an argument\""), 1);
  assert_int_equal(
      count_in(options.profile, "\"device host:1, replica 0, partition 0\""),
      1);
  for (size_t i = 0; i < 4; i++)
    jitrun_buffer_release(buffers[i]);
  jitrun_profile_release(options.profile);
  jitrun_executable_release(one);
  jitrun_executable_release(other);
}

static void run_profiled(void *context) {
  jitrun_program_t *program = context;
  jitrun_profile_t *profile = NULL;
  const jitrun_profile_options_t options = {
      .size = sizeof options, .calls = true, .spans = true};
  jitrun_error_t *error = jitrun_profile_create(&options, &profile);
  if (!error)
    error = run(program, "main", profile);
  if (error)
    expect_error(error, JITRUN_RESOURCE_EXHAUSTED, "out of memory");
  jitrun_profile_release(profile);
}

static void test_no_memory(void **state) {
  (void)state;
  jitrun_program_t *program = open_text(text, JITRUN_EXECUTOR_AUTO);
  sweep_allocations(run_profiled, program);
  jitrun_program_release(program);
}

static void *run_often(void *context) {
  void **both = context;
  for (int i = 0; i < RUNS; i++)
    jitrun_error_free(run(both[0], "main", both[1]));
  return NULL;
}

/// Reading goes on while others write.
static void test_threads(void **state) {
  (void)state;
  void *both[2] = {open_text(text, JITRUN_EXECUTOR_AUTO),
                   make_profile(true, true)};
  pthread_t threads[REPLICAS];
  for (size_t i = 0; i < REPLICAS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, run_often, both), 0);
  for (int i = 0; i < RUNS; i++)
    (void)count_in(both[1], "jitrun.noop");
  for (size_t i = 0; i < REPLICAS; i++)
    (void)pthread_join(threads[i], NULL);
  assert_int_equal(info_of(both[1]).execution_count, REPLICAS * RUNS);
  assert_int_equal(call_at(both[1], 6).count, REPLICAS * RUNS);
  jitrun_profile_release(both[1]);
  jitrun_program_release(both[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_both_executors),
      cmocka_unit_test(test_times_alone),
      cmocka_unit_test(test_failures),
      cmocka_unit_test(test_calls_of_native_code),
      cmocka_unit_test(test_async_work),
      cmocka_unit_test(test_work_that_goes_on),
      cmocka_unit_test_setup_teardown(test_replicas, open_client, close_client),
      cmocka_unit_test_setup_teardown(test_waiting_device, open_client,
                                      close_client),
      cmocka_unit_test(test_no_memory),
      cmocka_unit_test(test_threads),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
