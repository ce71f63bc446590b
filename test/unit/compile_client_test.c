/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What outputs of executables are and whose memory they have, donation, and
/// what is refused before anything starts.
#include "client_programs.h"

static void test_results(void **state) {
  (void)state;
  jitrun_executable_t *executable = load(add_text, "result", 0);
  assert_int_equal(jitrun_executable_output_count(executable), 2);
  assert_int_equal(jitrun_executable_output(executable, 0)->type->rank, 1);
  assert_null(jitrun_executable_output(executable, 2));
  assert_ptr_equal(jitrun_executable_device(executable, 0), devices[0]);
  assert_null(jitrun_executable_device(executable, 1));
  jitrun_buffer_t *args[] = {make_buffer(0, 10), make_scalar(0, 5)};
  jitrun_buffer_t *outputs[2] = {0};
  const jitrun_launch_t launch = {
      .args = args, .arg_count = 2, .outputs = outputs, .output_count = 2};
  for (int i = 0; i < 3; i++) {
    expect_ok(jitrun_executable_execute(executable, &launch, 1, NULL));
    expect_buffer(outputs[0], 15, 1);
    assert_int_equal(read_scalar(outputs[1]), 10);
    jitrun_buffer_release(outputs[0]);
    jitrun_buffer_release(outputs[1]);
  }
  expect_buffer(args[0], 10, 1);
  jitrun_buffer_release(args[0]);
  jitrun_buffer_release(args[1]);
  jitrun_executable_release(executable);
}

/// An argument that is an output: kept when it is given away and nobody else
/// has it, else copied.
static void test_outputs_in_place(void **state) {
  (void)state;
  static const uint32_t first[] = {0};
  jitrun_executable_t *executable = load(add_text, "in_place", 0);
  jitrun_buffer_t *args[] = {make_buffer(0, 10), make_scalar(0, 5)};
  jitrun_buffer_t *output = NULL;
  jitrun_launch_t launch = {
      .args = args, .arg_count = 2, .outputs = &output, .output_count = 1};
  const void *address = address_of(args[0]);
  expect_ok(jitrun_executable_execute(executable, &launch, 1, NULL));
  expect_buffer(args[0], 10, 1);
  expect_buffer(output, 15, 1);
  jitrun_buffer_release(output);
  launch.donated = first;
  launch.donated_count = 1;
  // Another handle of the memory: it must not see the change.
  jitrun_buffer_t *shared = NULL;
  expect_ok(jitrun_buffer_copy_to(args[0], devices[0], &shared));
  expect_ok(jitrun_executable_execute(executable, &launch, 1, NULL));
  expect_buffer(shared, 10, 1);
  expect_buffer(output, 15, 1);
  assert_true(jitrun_buffer_is_deleted(args[0]));
  jitrun_buffer_release(args[0]);
  jitrun_buffer_release(output);
  // Alone: in place.
  args[0] = shared;
  expect_ok(jitrun_executable_execute(executable, &launch, 1, NULL));
  expect_buffer(output, 15, 1);
  assert_ptr_equal(address_of(output), address);
  jitrun_buffer_release(output);
  expect_error(jitrun_executable_execute(executable, &launch, 1, NULL),
               JITRUN_FAILED_PRECONDITION,
               "cannot execute with a buffer 4xi32 on device host:0: it was "
               "donated");
  assert_null(output);
  jitrun_buffer_release(shared);
  jitrun_buffer_release(args[1]);
  jitrun_executable_release(executable);
}

static void test_every_memref_is_an_output(void **state) {
  (void)state;
  jitrun_executable_t *executable = load(add_text, "all", 0);
  jitrun_buffer_t *args[] = {make_buffer(0, 1), make_buffer(0, 7)};
  jitrun_buffer_t *outputs[2] = {0};
  const jitrun_launch_t launch = {
      .args = args, .arg_count = 2, .outputs = outputs, .output_count = 2};
  expect_ok(jitrun_executable_execute(executable, &launch, 1, NULL));
  expect_buffer(outputs[0], 1, 1);
  expect_buffer(outputs[1], 1, 1);
  expect_buffer(args[1], 7, 1);
  for (int i = 0; i < 2; i++) {
    jitrun_buffer_release(args[i]);
    jitrun_buffer_release(outputs[i]);
  }
  jitrun_executable_release(executable);
}

static void test_sizes_that_only_the_entry_knows(void **state) {
  (void)state;
  jitrun_executable_t *executable = load(add_text, "dynamic", 0);
  jitrun_buffer_t *arg = make_buffer(0, 1);
  jitrun_buffer_t *output = NULL;
  const jitrun_launch_t launch = {
      .args = &arg, .arg_count = 1, .outputs = &output, .output_count = 1};
  const jitrun_execute_options_t options = {.size = sizeof options,
                                            .is_async = true};
  expect_ok(jitrun_executable_execute(executable, &launch, 1, NULL));
  assert_int_equal(jitrun_buffer_dims(output)[0], 8);
  assert_int_equal(bytes_in_use(0), 16 + 32);
  jitrun_executable_release(executable); // the output outlives it
  assert_int_equal(((const int32_t *)address_of(output))[7], 4);
  jitrun_buffer_release(output);
  executable = load(add_text, "dynamic", 0);
  expect_error(jitrun_executable_execute(executable, &launch, 1, &options),
               JITRUN_UNIMPLEMENTED,
               "execute it by jitrun_executable_execute(), without is_async");
  jitrun_buffer_release(arg);
  jitrun_executable_release(executable);
}

/// An execution of `in_place` whose first argument is donated.
struct attempt {
  jitrun_executable_t *executable;
  jitrun_buffer_t *here, *there, *scalar;
  jitrun_buffer_t *args[2];
  jitrun_buffer_t *output;
  jitrun_launch_t launch;
};

static const uint32_t donated_indices[] = {0, 7};

static void init_attempt(struct attempt *attempt) {
  *attempt = (struct attempt){.executable = load(add_text, "in_place", 0),
                              .here = make_buffer(0, 1),
                              .there = make_buffer(1, 1),
                              .scalar = make_scalar(0, 1)};
  attempt->args[0] = attempt->here;
  attempt->args[1] = attempt->scalar;
  attempt->launch = (jitrun_launch_t){.args = attempt->args,
                                      .arg_count = 2,
                                      .donated = donated_indices,
                                      .donated_count = 1,
                                      .outputs = &attempt->output,
                                      .output_count = 1};
}

static void deinit_attempt(struct attempt *attempt) {
  jitrun_buffer_release(attempt->here);
  jitrun_buffer_release(attempt->there);
  jitrun_buffer_release(attempt->scalar);
  jitrun_executable_release(attempt->executable);
}

/// It is refused before anything is donated or made.
static void expect_refused(struct attempt *attempt, jitrun_code_t code,
                           const char *part) {
  uint64_t used = bytes_in_use(0);
  expect_error(
      jitrun_executable_execute(attempt->executable, &attempt->launch, 1, NULL),
      code, part);
  assert_false(jitrun_buffer_is_deleted(attempt->here));
  assert_null(attempt->output);
  assert_int_equal(bytes_in_use(0), used);
}

static void test_refused_counts(void **state) {
  (void)state;
  struct attempt attempt;
  init_attempt(&attempt);
  jitrun_launch_t *launch = &attempt.launch;
  launch->arg_count = 1;
  expect_refused(&attempt, JITRUN_INVALID_ARGUMENT,
                 "takes 2 arguments, and 1 are given");
  launch->arg_count = 2;
  launch->output_count = 2;
  expect_refused(&attempt, JITRUN_INVALID_ARGUMENT,
                 "has 1 outputs, and there is room for 2");
  launch->output_count = 1;
  launch->donated_count = 2;
  expect_refused(&attempt, JITRUN_INVALID_ARGUMENT,
                 "argument 7 is donated, and there are 2");
  launch->donated = NULL;
  expect_refused(&attempt, JITRUN_INVALID_ARGUMENT, "their list is NULL");
  launch->args = NULL;
  expect_refused(&attempt, JITRUN_INVALID_ARGUMENT, "are given, at NULL");
  expect_error(jitrun_executable_execute(attempt.executable, launch, 2, NULL),
               JITRUN_INVALID_ARGUMENT, "runs on 1 devices, and 2 launches");
  expect_error(jitrun_executable_execute(NULL, launch, 1, NULL),
               JITRUN_INVALID_ARGUMENT, "needs an address for 'executable'");
  deinit_attempt(&attempt);
}

static void test_refused_arguments(void **state) {
  (void)state;
  struct attempt attempt;
  void *data;
  jitrun_buffer_t *wrong = NULL;
  const int64_t three[] = {3};
  init_attempt(&attempt);
  attempt.args[0] = attempt.there;
  expect_refused(&attempt, JITRUN_INVALID_ARGUMENT,
                 "argument 0 is on device host:1, and device host:0 executes");
  jitrun_client_t *other = NULL;
  jitrun_device_t *others = NULL;
  expect_ok(jitrun_client_create(NULL, &other));
  expect_ok(jitrun_client_local_device(other, 0, &others));
  expect_ok(jitrun_buffer_allocate(others, JITRUN_DTYPE_S32, dims4, 1,
                                   &attempt.args[0]));
  expect_refused(&attempt, JITRUN_INVALID_ARGUMENT,
                 "argument 0 is a buffer of another client");
  jitrun_buffer_release(attempt.args[0]);
  jitrun_client_release(other);
  attempt.args[0] = NULL;
  expect_refused(
      &attempt, JITRUN_FAILED_PRECONDITION,
      "argument 0 is NULL: entry 'in_place' needs the buffer at index {} "
      "of parameter 0, of 16 bytes");
  attempt.args[0] = attempt.here;
  attempt.args[1] = attempt.here;
  expect_refused(&attempt, JITRUN_INVALID_ARGUMENT,
                 "argument 0 is donated, and is argument 1 as well");
  attempt.args[1] = attempt.scalar;
  expect_ok(jitrun_buffer_hold(attempt.here, -1, &data));
  expect_refused(&attempt, JITRUN_FAILED_PRECONDITION,
                 "argument 0 cannot be donated: it is held");
  jitrun_buffer_unhold(attempt.here);
  expect_ok(
      jitrun_buffer_view(attempt.here, 4, JITRUN_DTYPE_S32, three, 1, &wrong));
  attempt.args[0] = wrong;
  expect_refused(&attempt, JITRUN_INVALID_ARGUMENT,
                 "argument 0 of entry 'in_place' is 3xi32");
  assert_false(jitrun_buffer_is_deleted(wrong));
  jitrun_buffer_release(wrong);
  deinit_attempt(&attempt);
}

static void test_refused_executables(void **state) {
  (void)state;
  jitrun_executable_t *executable = NULL;
  jitrun_executable_options_t options = {.size = sizeof options,
                                         .entry = "nobody"};
  expect_error(jitrun_executable_load_memory(client, add_text,
                                             sizeof add_text - 1, "test.mlir",
                                             &options, &executable),
               JITRUN_NOT_FOUND, "there is no entry 'nobody'");
  options.entry = "result";
  options.replica_count = 5;
  expect_error(jitrun_executable_load_memory(client, add_text,
                                             sizeof add_text - 1, "test.mlir",
                                             &options, &executable),
               JITRUN_INVALID_ARGUMENT, "need 5 devices; the client has 4");
  static const char token_text[] =
      "func.func @main(%t: !async.token) {\n  return\n}\n";
  expect_error(
      jitrun_executable_load_memory(client, token_text, sizeof token_text - 1,
                                    "test.mlir", NULL, &executable),
      JITRUN_UNIMPLEMENTED, "parameter 0 of entry 'main' is no number");
  expect_error(jitrun_executable_create(client, NULL, NULL, &executable),
               JITRUN_INVALID_ARGUMENT, "needs an address for 'program'");
  expect_error(jitrun_executable_load_file(NULL, "x", NULL, &executable),
               JITRUN_INVALID_ARGUMENT, "needs an address for 'client'");
  assert_null(executable);
}

int main(void) {
#define TEST(name)                                                             \
  cmocka_unit_test_setup_teardown(name, open_client, close_client)
  const struct CMUnitTest tests[] = {
      TEST(test_results),
      TEST(test_outputs_in_place),
      TEST(test_every_memref_is_an_output),
      TEST(test_sizes_that_only_the_entry_knows),
      TEST(test_refused_counts),
      TEST(test_refused_arguments),
      TEST(test_refused_executables),
  };
#undef TEST
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
