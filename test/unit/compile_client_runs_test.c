/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Executions that others wait for: asynchronous chains, errors and deadlines,
/// several devices, several threads, no memory.
#include "client_programs.h"

#include <pthread.h>

enum { REPLICAS = 4, BAD = 2 };

/// Ten executions, each on the output of the last, none waited for.
static void test_asynchronous_chain(void **state) {
  (void)state;
  static const uint32_t first[] = {0};
  const jitrun_execute_options_t options = {.size = sizeof options,
                                            .is_async = true};
  jitrun_executable_t *executable = load(add_text, "in_place", 0);
  jitrun_buffer_t *value = make_buffer(0, 0);
  jitrun_buffer_t *one = make_scalar(0, 1);
  for (size_t i = 0; i < 10; i++) {
    jitrun_buffer_t *args[] = {value, one};
    jitrun_buffer_t *output = NULL;
    const jitrun_launch_t launch = {.args = args,
                                    .arg_count = 2,
                                    .donated = first,
                                    .donated_count = i % 2,
                                    .outputs = &output,
                                    .output_count = 1};
    expect_ok(jitrun_executable_execute(executable, &launch, 1, &options));
    jitrun_buffer_release(value);
    value = output;
  }
  jitrun_executable_release(executable);
  expect_buffer(value, 10, 1);
  jitrun_buffer_release(value);
  jitrun_buffer_release(one);
}

static void test_errors(void **state) {
  (void)state;
  const jitrun_execute_options_t options = {.size = sizeof options,
                                            .is_async = true};
  jitrun_executable_t *fails = load(call_text, "fail_main", 0);
  jitrun_executable_t *adds = load(add_text, "in_place", 0);
  jitrun_buffer_t *args[] = {make_buffer(0, 0), make_scalar(0, 1)};
  jitrun_buffer_t *output = NULL;
  jitrun_buffer_t *next = NULL;
  jitrun_launch_t launch = {
      .args = args, .arg_count = 1, .outputs = &output, .output_count = 1};
  jitrun_error_t *error = jitrun_executable_execute(fails, &launch, 1, NULL);
  assert_non_null(error);
  assert_string_equal(jitrun_error_location(error), "test.mlir:11:3");
  assert_string_equal(
      jitrun_error_note_get(error, jitrun_error_note_count(error) - 1),
      "on device host:0, replica 0, partition 0");
  expect_error(error, JITRUN_INTERNAL, "out of cheese");
  assert_null(output);
  // The next execution has the error of the first.
  expect_ok(jitrun_executable_execute(fails, &launch, 1, &options));
  jitrun_buffer_t *next_args[] = {output, args[1]};
  launch = (jitrun_launch_t){
      .args = next_args, .arg_count = 2, .outputs = &next, .output_count = 1};
  expect_ok(jitrun_executable_execute(adds, &launch, 1, &options));
  expect_error(jitrun_buffer_wait(next, -1), JITRUN_INTERNAL, "out of cheese");
  jitrun_buffer_release(next);
  next = NULL;
  expect_error(jitrun_executable_execute(adds, &launch, 1, NULL),
               JITRUN_INTERNAL, "out of cheese");
  assert_null(next);
  jitrun_buffer_release(output);
  jitrun_buffer_release(args[0]);
  jitrun_buffer_release(args[1]);
  jitrun_executable_release(fails);
  jitrun_executable_release(adds);
}

/// Past a deadline the caller goes on; the execution ends when it ends, and
/// gives back what it had.
static void test_deadline(void **state) {
  (void)state;
  const jitrun_execute_options_t options = {.size = sizeof options,
                                            .timeout_ns = 20000000};
  jitrun_executable_t *executable = load(call_text, "sleep_main", 0);
  jitrun_buffer_t *arg = make_buffer(0, 0);
  jitrun_buffer_t *output = NULL;
  const jitrun_launch_t launch = {
      .args = &arg, .arg_count = 1, .outputs = &output, .output_count = 1};
  jitrun_error_t *error =
      jitrun_executable_execute(executable, &launch, 1, &options);
  assert_non_null(error);
  assert_string_equal(jitrun_error_location(error), "test.mlir:15:3");
  expect_error(error, JITRUN_DEADLINE_EXCEEDED,
               "not done after 0.02 s: entry 'sleep_main' on device host:0 "
               "(replica 0, partition 0), in custom call 'jitrun.sleep' at "
               "test.mlir:15:3");
  assert_null(output);
  jitrun_executable_release(executable);
  jitrun_buffer_release(arg);
  // The device's next one is behind it, and runs.
  const jitrun_execute_options_t later = {.size = sizeof later,
                                          .is_async = true};
  executable = load(add_text, "all", 0);
  jitrun_buffer_t *args[] = {make_buffer(0, 3), make_buffer(0, 4)};
  jitrun_buffer_t *outputs[2];
  const jitrun_launch_t next = {
      .args = args, .arg_count = 2, .outputs = outputs, .output_count = 2};
  expect_ok(jitrun_executable_execute(executable, &next, 1, &later));
  expect_buffer(outputs[1], 3, 1);
  for (int i = 0; i < 2; i++) {
    jitrun_buffer_release(args[i]);
    jitrun_buffer_release(outputs[i]);
  }
  jitrun_executable_release(executable);
}

static void test_replicas(void **state) {
  (void)state;
  jitrun_executable_t *executable = load(call_text, "sum_main", REPLICAS);
  jitrun_buffer_t *args[REPLICAS][2];
  jitrun_buffer_t *outputs[REPLICAS][2];
  jitrun_launch_t launches[REPLICAS];
  for (size_t i = 0; i < REPLICAS; i++) {
    args[i][0] = make_buffer(i, (int32_t)i);
    args[i][1] = make_buffer(i, 0);
    launches[i] = (jitrun_launch_t){.args = args[i],
                                    .arg_count = 2,
                                    .outputs = outputs[i],
                                    .output_count = 2};
  }
  for (int round = 0; round < 3; round++) {
    expect_ok(jitrun_executable_execute(executable, launches, REPLICAS, NULL));
    for (size_t i = 0; i < REPLICAS; i++) {
      assert_int_equal(read_scalar(outputs[i][0]), i);
      expect_buffer(outputs[i][1], 6, 4);
      jitrun_buffer_release(outputs[i][0]);
      jitrun_buffer_release(outputs[i][1]);
    }
  }
  // Nothing starts, and nothing is donated, when one of them is refused.
  static const uint32_t first[] = {0};
  launches[0].donated = first;
  launches[0].donated_count = 1;
  jitrun_buffer_t *kept = args[3][0];
  args[3][0] = args[0][0];
  jitrun_error_t *error =
      jitrun_executable_execute(executable, launches, REPLICAS, NULL);
  assert_non_null(error);
  assert_string_equal(
      jitrun_error_note_get(error, jitrun_error_note_count(error) - 1),
      "while preparing replica 3, partition 0, on device host:3");
  expect_error(error, JITRUN_INVALID_ARGUMENT, "is on device host:0");
  assert_false(jitrun_buffer_is_deleted(args[0][0]));
  args[3][0] = kept;
  for (size_t i = 0; i < REPLICAS; i++) {
    jitrun_buffer_release(args[i][0]);
    jitrun_buffer_release(args[i][1]);
  }
  jitrun_executable_release(executable);
}

/// The one that fails is named, not those that it left waiting.
static void test_one_replica_fails(void **state) {
  (void)state;
  jitrun_executable_t *executable = load(call_text, "one_fails", REPLICAS);
  jitrun_buffer_t *args[REPLICAS];
  jitrun_buffer_t *outputs[REPLICAS] = {0};
  jitrun_launch_t launches[REPLICAS];
  for (size_t i = 0; i < REPLICAS; i++) {
    args[i] = make_buffer(i, 0);
    launches[i] = (jitrun_launch_t){.args = &args[i],
                                    .arg_count = 1,
                                    .outputs = &outputs[i],
                                    .output_count = 1};
  }
  jitrun_error_t *error =
      jitrun_executable_execute(executable, launches, REPLICAS, NULL);
  assert_non_null(error);
  assert_string_equal(
      jitrun_error_note_get(error, jitrun_error_note_count(error) - 1),
      "on device host:2, replica 2, partition 0");
  expect_error(error, JITRUN_INTERNAL, "out of cheese");
  for (size_t i = 0; i < REPLICAS; i++) {
    assert_null(outputs[i]);
    jitrun_buffer_release(args[i]);
  }
  jitrun_executable_release(executable);
}

/// A buffer on device BAD with the error of what was to make it.
static jitrun_buffer_t *make_failed(void) {
  static const int64_t device[] = {BAD};
  static const jitrun_executable_options_t options = {
      .size = sizeof options, .entry = "fail_main", .device_ids = device};
  const jitrun_execute_options_t later = {.size = sizeof later,
                                          .is_async = true};
  jitrun_executable_t *fails = NULL;
  expect_ok(jitrun_executable_load_memory(
      client, call_text, sizeof call_text - 1, "test.mlir", &options, &fails));
  jitrun_buffer_t *input = make_buffer(BAD, 0);
  jitrun_buffer_t *output = NULL;
  const jitrun_launch_t launch = {
      .args = &input, .arg_count = 1, .outputs = &output, .output_count = 1};
  expect_ok(jitrun_executable_execute(fails, &launch, 1, &later));
  jitrun_buffer_release(input);
  jitrun_executable_release(fails);
  return output;
}

/// Sums over all replicas; `bad` (NULL: none) stands for an argument of BAD.
static void sum_once(jitrun_executable_t *sums,
                     /*own*/ jitrun_buffer_t *bad) {
  jitrun_buffer_t *args[REPLICAS][2];
  jitrun_buffer_t *outputs[REPLICAS][2] = {{0}};
  jitrun_launch_t launches[REPLICAS];
  for (size_t i = 0; i < REPLICAS; i++) {
    args[i][0] = bad && i == BAD ? bad : make_buffer(i, (int32_t)i);
    args[i][1] = make_buffer(i, 0);
    launches[i] = (jitrun_launch_t){.args = args[i],
                                    .arg_count = 2,
                                    .outputs = outputs[i],
                                    .output_count = 2};
  }
  jitrun_error_t *error =
      jitrun_executable_execute(sums, launches, REPLICAS, NULL);
  if (bad)
    expect_error(error, JITRUN_INTERNAL, "out of cheese");
  else
    expect_ok(error);
  for (size_t i = 0; i < REPLICAS; i++) {
    if (!bad)
      expect_buffer(outputs[i][1], 6, 4);
    for (size_t j = 0; j < 2; j++) {
      jitrun_buffer_release(outputs[i][j]);
      jitrun_buffer_release(args[i][j]);
    }
  }
}

/// A replica whose argument never becomes ready has no part in its execution;
/// the next one is complete.
static void test_replicas_after_a_failed_argument(void **state) {
  (void)state;
  jitrun_executable_t *sums = load(call_text, "sum_main", REPLICAS);
  sum_once(sums, make_failed());
  sum_once(sums, NULL);
  jitrun_executable_release(sums);
}

/// Devices cannot share what a program changes.
static void test_globals_are_of_one_device(void **state) {
  (void)state;
  static const char text[] =
      "memref.global \"private\" @g : memref<1xi32> = dense<0>\n"
      "func.func @main(%a: memref<4xi32>) -> i32 {\n"
      "  %c0 = arith.constant 0 : index\n"
      "  %g = memref.get_global @g : memref<1xi32>\n"
      "  %x = memref.load %g[%c0] : memref<1xi32>\n"
      "  memref.store %x, %g[%c0] : memref<1xi32>\n"
      "  return %x : i32\n"
      "}\n";
  jitrun_executable_t *executable = load(text, "main", 2);
  jitrun_buffer_t *args[] = {make_buffer(0, 0), make_buffer(1, 0)};
  jitrun_buffer_t *outputs[2] = {0};
  jitrun_launch_t launches[2];
  for (size_t i = 0; i < 2; i++)
    launches[i] = (jitrun_launch_t){.args = &args[i],
                                    .arg_count = 1,
                                    .outputs = &outputs[i],
                                    .output_count = 1};
  expect_error(jitrun_executable_execute(executable, launches, 2, NULL),
               JITRUN_UNIMPLEMENTED,
               "changes its globals, which several devices cannot share");
  for (size_t i = 0; i < 2; i++)
    jitrun_buffer_release(args[i]);
  jitrun_executable_release(executable);
}

static void execute_once(void *context) {
  jitrun_program_t *program = context;
  static const uint32_t first[] = {0};
  static const jitrun_executable_options_t options = {.size = sizeof options,
                                                      .entry = "in_place"};
  jitrun_buffer_t *args[2] = {0};
  jitrun_buffer_t *output = NULL;
  jitrun_executable_t *executable = NULL;
  int32_t values[] = {0, 1, 2, 3};
  const jitrun_tensor_t tensors[] = {
      {.dtype = JITRUN_DTYPE_S32, .rank = 1, .dims = dims4, .data = values},
      {.dtype = JITRUN_DTYPE_S32, .data = &values[1]}};
  jitrun_error_t *error =
      jitrun_executable_create(client, program, &options, &executable);
  for (int i = 0; i < 2 && !error; i++)
    error = jitrun_buffer_from_host(devices[0], &tensors[i],
                                    JITRUN_HOST_COPY_NOW, NULL, NULL, &args[i]);
  const jitrun_launch_t launch = {.args = args,
                                  .arg_count = 2,
                                  .donated = first,
                                  .donated_count = 1,
                                  .outputs = &output,
                                  .output_count = 1};
  if (!error)
    error = jitrun_executable_execute(executable, &launch, 1, NULL);
  if (!error)
    assert_int_equal(((const int32_t *)address_of(output))[3], 4);
  else
    assert_null(output);
  jitrun_error_free(error);
  jitrun_buffer_release(output);
  jitrun_buffer_release(args[0]);
  jitrun_buffer_release(args[1]);
  jitrun_executable_release(executable);
}

static void test_without_memory(void **state) {
  (void)state;
  jitrun_program_t *program = NULL;
  expect_ok(jitrun_program_open_memory(add_text, sizeof add_text - 1,
                                       "test.mlir", NULL, &program));
  sweep_allocations(execute_once, program);
  jitrun_program_release(program);
}

struct many {
  jitrun_executable_t *executable;
  bool is_async;
  size_t wrong;
};

static void *execute_many(void *context) {
  struct many *many = context;
  const jitrun_execute_options_t options = {.size = sizeof options,
                                            .is_async = many->is_async};
  for (int32_t i = 0; i < 500; i++) {
    jitrun_buffer_t *args[] = {make_buffer(0, i), make_scalar(0, 2)};
    jitrun_buffer_t *output = NULL;
    const jitrun_launch_t launch = {
        .args = args, .arg_count = 2, .outputs = &output, .output_count = 1};
    jitrun_error_t *error =
        jitrun_executable_execute(many->executable, &launch, 1, &options);
    if (!error)
      error = jitrun_buffer_wait(output, -1);
    many->wrong += error != NULL;
    if (!error)
      many->wrong += ((const int32_t *)address_of(output))[3] != i + 5;
    jitrun_error_free(error);
    jitrun_buffer_release(output);
    jitrun_buffer_release(args[0]);
    jitrun_buffer_release(args[1]);
  }
  return NULL;
}

static void test_threads(void **state) {
  (void)state;
  enum { THREADS = 8 };
  pthread_t threads[THREADS];
  struct many many[THREADS];
  jitrun_executable_t *executable = load(add_text, "in_place", 0);
  for (int i = 0; i < THREADS; i++) {
    many[i] = (struct many){.executable = executable, .is_async = i % 2};
    assert_int_equal(pthread_create(&threads[i], NULL, execute_many, &many[i]),
                     0);
  }
  for (int i = 0; i < THREADS; i++) {
    assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(many[i].wrong, 0);
  }
  jitrun_executable_release(executable);
}

int main(void) {
#define TEST(name)                                                             \
  cmocka_unit_test_setup_teardown(name, open_client, close_client)
  const struct CMUnitTest tests[] = {
      TEST(test_asynchronous_chain),
      TEST(test_errors),
      TEST(test_deadline),
      TEST(test_replicas),
      TEST(test_one_replica_fails),
      TEST(test_replicas_after_a_failed_argument),
      TEST(test_globals_are_of_one_device),
      TEST(test_without_memory),
      TEST(test_threads),
  };
#undef TEST
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
