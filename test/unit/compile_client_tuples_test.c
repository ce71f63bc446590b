/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Executables whose arguments or outputs are one tuple.
#include "client_programs.h"

#include "jitrun/job.h"
#include "jitrun/tuple.h"

static jitrun_executable_t *load_tupled(const char *text, const char *entry,
                                        uint32_t replicas, bool outputs) {
  const jitrun_executable_options_t options = {.size = sizeof options,
                                               .entry = entry,
                                               .replica_count = replicas,
                                               .tupled_params = true,
                                               .tupled_outputs = outputs};
  jitrun_executable_t *executable = NULL;
  expect_ok(jitrun_executable_load_memory(client, text, strlen(text),
                                          "test.mlir", &options, &executable));
  return executable;
}

/// ((vector), scalar)
static jitrun_buffer_t *make_args(size_t device, int32_t first, int32_t add) {
  jitrun_buffer_t *leaf = make_buffer(device, first);
  jitrun_buffer_t *parts[2] = {NULL, make_scalar(device, add)};
  jitrun_buffer_t *tuple = NULL;
  expect_ok(jitrun_tuple_create(devices[device], &leaf, 1, &parts[0]));
  expect_ok(jitrun_tuple_create(devices[device], parts, 2, &tuple));
  jitrun_buffer_release(leaf);
  jitrun_buffer_release(parts[0]);
  jitrun_buffer_release(parts[1]);
  return tuple;
}

static void expect_outputs(jitrun_buffer_t *tuple, int32_t first,
                           int32_t second) {
  jitrun_buffer_t *outputs[2];
  expect_ok(jitrun_tuple_elements(tuple, outputs, 2));
  expect_buffer(outputs[0], first, 1);
  assert_int_equal(read_scalar(outputs[1]), second);
  jitrun_buffer_release(outputs[0]);
  jitrun_buffer_release(outputs[1]);
}

static const uint32_t first_arg[] = {0};

static void test_tupled(void **state) {
  (void)state;
  jitrun_executable_t *executable = load_tupled(add_text, "result", 0, true);
  jitrun_buffer_t *arg = make_args(0, 1, 10);
  jitrun_buffer_t *output = NULL;
  jitrun_launch_t launch = {
      .args = &arg, .arg_count = 1, .outputs = &output, .output_count = 1};
  expect_ok(jitrun_executable_execute(executable, &launch, 1, NULL));
  assert_int_equal(jitrun_buffer_dtype(output), JITRUN_DTYPE_TUPLE);
  assert_int_equal(jitrun_buffer_size_bytes(output), 20);
  expect_outputs(output, 11, 20);
  assert_false(jitrun_buffer_is_deleted(arg));
  jitrun_buffer_release(output);
  // Later, as a job.
  jitrun_job_t *job = NULL;
  expect_ok(jitrun_executable_start(executable, &launch, 1, NULL, &job));
  expect_ok(jitrun_buffer_wait(output, -1));
  expect_outputs(output, 11, 20);
  expect_ok(jitrun_job_wait(job, -1));
  jitrun_job_release(job);
  jitrun_buffer_release(output);
  jitrun_buffer_release(arg);
  jitrun_executable_release(executable);
}

/// A donated tuple is gone with all its leaves, which are reused.
static void test_donated(void **state) {
  (void)state;
  jitrun_executable_t *executable = load_tupled(add_text, "in_place", 0, false);
  jitrun_buffer_t *arg = make_args(0, 1, 10);
  jitrun_buffer_t *output = NULL;
  jitrun_buffer_t *other = NULL;
  jitrun_launch_t launch = {.args = &arg,
                            .arg_count = 1,
                            .donated = first_arg,
                            .donated_count = 1,
                            .outputs = &output,
                            .output_count = 1};
  expect_ok(jitrun_executable_execute(executable, &launch, 1, NULL));
  expect_buffer(output, 11, 1);
  assert_int_equal(bytes_in_use(0), 16);
  assert_true(jitrun_buffer_is_deleted(arg));
  expect_error(jitrun_tuple_element(arg, 0, &other), JITRUN_FAILED_PRECONDITION,
               "it was donated");
  jitrun_buffer_release(output);
  output = NULL;
  expect_error(jitrun_executable_execute(executable, &launch, 1, NULL),
               JITRUN_FAILED_PRECONDITION,
               "cannot execute with a tuple of 2 elements on device host:0: it "
               "was donated");
  jitrun_buffer_release(arg);
  // What fails before it starts donates nothing.
  arg = make_args(0, 1, 10);
  jitrun_buffer_t *half = NULL;
  jitrun_buffer_t *kept = arg;
  expect_ok(jitrun_tuple_element(arg, 0, &half));
  arg = half;
  expect_error(jitrun_executable_execute(executable, &launch, 1, NULL),
               JITRUN_INVALID_ARGUMENT,
               "takes a tuple of 2 leaves, and the one that is given has 1");
  assert_false(jitrun_buffer_is_deleted(half));
  jitrun_buffer_release(half);
  arg = kept;
  // An execution that fails has it all the same.
  jitrun_executable_t *fails = load_tupled(call_text, "fail_main", 0, true);
  expect_ok(jitrun_tuple_element(arg, 0, &half));
  jitrun_buffer_release(arg);
  arg = half;
  expect_error(jitrun_executable_execute(fails, &launch, 1, NULL),
               JITRUN_INTERNAL, "out of cheese");
  assert_null(output);
  assert_true(jitrun_buffer_is_deleted(arg));
  jitrun_buffer_release(arg);
  jitrun_executable_release(fails);
  jitrun_executable_release(executable);
}

/// Without leaves there is nothing that says so but the tuple.
static void test_donated_empty(void **state) {
  (void)state;
  static const char text[] = "func.func @empty() {\n  return\n}\n";
  jitrun_executable_t *executable = load_tupled(text, "empty", 0, false);
  jitrun_buffer_t *tuple = NULL;
  expect_ok(jitrun_tuple_create(devices[0], NULL, 0, &tuple));
  const jitrun_launch_t launch = {
      .args = &tuple, .arg_count = 1, .donated = first_arg, .donated_count = 1};
  expect_ok(jitrun_executable_execute(executable, &launch, 1, NULL));
  assert_true(jitrun_buffer_is_deleted(tuple));
  expect_error(jitrun_executable_execute(executable, &launch, 1, NULL),
               JITRUN_FAILED_PRECONDITION, "it was donated");
  jitrun_buffer_release(tuple);
  jitrun_executable_release(executable);
}

static void test_replicas(void **state) {
  (void)state;
  enum { REPLICAS = 3 };
  jitrun_executable_t *executable =
      load_tupled(add_text, "result", REPLICAS, true);
  jitrun_buffer_t *args[REPLICAS];
  jitrun_buffer_t *outputs[REPLICAS];
  jitrun_launch_t launches[REPLICAS];
  for (size_t i = 0; i < REPLICAS; i++) {
    args[i] = make_args(i, (int32_t)i, 5);
    launches[i] = (jitrun_launch_t){.args = &args[i],
                                    .arg_count = 1,
                                    .outputs = &outputs[i],
                                    .output_count = 1};
  }
  expect_ok(jitrun_executable_execute(executable, launches, REPLICAS, NULL));
  for (size_t i = 0; i < REPLICAS; i++) {
    expect_outputs(outputs[i], (int32_t)i + 5, 10);
    jitrun_buffer_release(outputs[i]);
  }
  launches[1].args = &args[2];
  expect_error(jitrun_executable_execute(executable, launches, REPLICAS, NULL),
               JITRUN_INVALID_ARGUMENT,
               "argument 0 is on device host:2, and device host:1 executes");
  for (size_t i = 0; i < REPLICAS; i++)
    jitrun_buffer_release(args[i]);
  jitrun_executable_release(executable);
}

/// Parameters and outputs that attributes describe: p0, (p1, p2) become
/// (p1 + 1, (), (p0 + 1, token)).
static const char described_text[] =
    "func.func @main(%p0: memref<4xi32> {lmhlo.params = 0 : index,\n"
    "      lmhlo.output_index = dense<[2, 0]> : tensor<2xindex>},\n"
    "    %p1: memref<4xi32> {lmhlo.params = 1 : index,\n"
    "      lmhlo.param_shape_index = dense<0> : tensor<1xindex>},\n"
    "    %p2: memref<4xi32> {lmhlo.params = 1 : index,\n"
    "      lmhlo.param_shape_index = dense<1> : tensor<1xindex>},\n"
    "    %out: memref<16xi8> {lmhlo.output_index = dense<0> :\n"
    "      tensor<1xindex>})\n"
    "    attributes {result_xla_shape =\n"
    "        \"(s32[4]{0}, (), (s32[4]{0}, token[]))\"} {\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %c1 = arith.constant 1 : i32\n"
    "  %o = memref.view %out[%c0][] : memref<16xi8> to memref<4xi32>\n"
    "  affine.for %i = 0 to 4 {\n"
    "    %x = memref.load %p0[%i] : memref<4xi32>\n"
    "    %y = arith.addi %x, %c1 : i32\n"
    "    memref.store %y, %p0[%i] : memref<4xi32>\n"
    "    %z = memref.load %p1[%i] : memref<4xi32>\n"
    "    %w = memref.load %p2[%i] : memref<4xi32>\n"
    "    %s = arith.addi %z, %w : i32\n"
    "    memref.store %s, %o[%i] : memref<4xi32>\n"
    "  }\n"
    "  return\n"
    "}\n";

static void test_described(void **state) {
  (void)state;
  jitrun_executable_t *executable = load_tupled(described_text, NULL, 0, true);
  jitrun_buffer_t *leaves[] = {make_buffer(0, 0), make_buffer(0, 10),
                               make_buffer(0, 100)};
  jitrun_buffer_t *parts[2] = {leaves[0], NULL};
  jitrun_buffer_t *arg = NULL;
  jitrun_buffer_t *output = NULL;
  expect_ok(jitrun_tuple_create(devices[0], &leaves[1], 2, &parts[1]));
  expect_ok(jitrun_tuple_create(devices[0], parts, 2, &arg));
  jitrun_buffer_release(parts[1]);
  for (size_t i = 0; i < 3; i++)
    jitrun_buffer_release(leaves[i]);
  const jitrun_launch_t launch = {.args = &arg,
                                  .arg_count = 1,
                                  .donated = first_arg,
                                  .donated_count = 1,
                                  .outputs = &output,
                                  .output_count = 1};
  expect_ok(jitrun_executable_execute(executable, &launch, 1, NULL));
  assert_true(jitrun_buffer_is_deleted(arg));
  jitrun_buffer_release(arg);
  assert_int_equal(jitrun_buffer_size_bytes(output), 32);
  jitrun_buffer_t *outer[3];
  jitrun_buffer_t *inner[2];
  expect_ok(jitrun_tuple_elements(output, outer, 3));
  expect_buffer(outer[0], 110, 2);
  assert_int_equal(jitrun_buffer_dtype(outer[1]), JITRUN_DTYPE_TUPLE);
  assert_int_equal(jitrun_tuple_count(outer[1]), 0);
  expect_ok(jitrun_tuple_elements(outer[2], inner, 2));
  expect_buffer(inner[0], 1, 1);
  assert_int_equal(jitrun_tuple_count(inner[1]), 0);
  jitrun_buffer_release(output);
  for (size_t i = 0; i < 3; i++)
    jitrun_buffer_release(outer[i]);
  for (size_t i = 0; i < 2; i++)
    jitrun_buffer_release(inner[i]);
  jitrun_executable_release(executable);
}

/// What is no tuple is in one.
static void test_shape_of_one(void **state) {
  (void)state;
  static const char text[] =
      "func.func @main(%a: memref<4xi32> {lmhlo.params = 0 : index,\n"
      "    lmhlo.output_index = dense<> : tensor<0xindex>}) attributes {\n"
      "    result_xla_shape = \"s32[4]{0}\"} {\n"
      "  return\n"
      "}\n";
  jitrun_executable_t *executable = load_tupled(text, NULL, 0, true);
  jitrun_buffer_t *leaf = make_buffer(0, 3);
  jitrun_buffer_t *arg = NULL;
  jitrun_buffer_t *output = NULL;
  jitrun_buffer_t *one = NULL;
  expect_ok(jitrun_tuple_create(devices[0], &leaf, 1, &arg));
  const jitrun_launch_t launch = {
      .args = &arg, .arg_count = 1, .outputs = &output, .output_count = 1};
  expect_ok(jitrun_executable_execute(executable, &launch, 1, NULL));
  expect_ok(jitrun_tuple_elements(output, &one, 1));
  expect_buffer(one, 3, 1);
  jitrun_buffer_release(one);
  jitrun_buffer_release(output);
  jitrun_buffer_release(arg);
  jitrun_buffer_release(leaf);
  jitrun_executable_release(executable);
}

static void test_refused(void **state) {
  (void)state;
  jitrun_executable_t *tupled = load_tupled(add_text, "all", 0, true);
  jitrun_executable_t *plain = load(add_text, "all", 0);
  jitrun_buffer_t *args[] = {make_buffer(0, 0), make_buffer(0, 1)};
  jitrun_buffer_t *tuple = NULL;
  jitrun_buffer_t *outputs[2] = {0};
  jitrun_launch_t launch = {
      .args = args, .arg_count = 2, .outputs = outputs, .output_count = 1};
  expect_error(jitrun_executable_execute(tupled, &launch, 1, NULL),
               JITRUN_INVALID_ARGUMENT,
               "takes one tuple of its parameters; 2 arguments are given");
  launch.arg_count = 1;
  expect_error(jitrun_executable_execute(tupled, &launch, 1, NULL),
               JITRUN_INVALID_ARGUMENT,
               "1 arguments are given, and it is no "
               "tuple");
  expect_ok(jitrun_tuple_create(devices[0], args, 2, &tuple));
  launch.args = &tuple;
  launch.output_count = 2;
  expect_error(jitrun_executable_execute(tupled, &launch, 1, NULL),
               JITRUN_INVALID_ARGUMENT,
               "gives one tuple of its outputs, and there is room for 2");
  static const uint32_t second[] = {1};
  launch.output_count = 1;
  launch.donated = second;
  launch.donated_count = 1;
  expect_error(jitrun_executable_execute(tupled, &launch, 1, NULL),
               JITRUN_INVALID_ARGUMENT,
               "argument 1 is donated, and there is one, the tuple");
  jitrun_buffer_t *mixed[] = {args[0], tuple};
  launch = (jitrun_launch_t){
      .args = mixed, .arg_count = 2, .outputs = outputs, .output_count = 2};
  expect_error(jitrun_executable_execute(plain, &launch, 1, NULL),
               JITRUN_INVALID_ARGUMENT, "cannot execute with a tuple");
  jitrun_buffer_release(tuple);
  jitrun_buffer_release(args[0]);
  jitrun_buffer_release(args[1]);
  jitrun_executable_release(tupled);
  jitrun_executable_release(plain);
}

static void execute_once(void *context) {
  jitrun_executable_t *executable = context;
  jr_alloc_fail_nth(0);
  jitrun_buffer_t *arg = make_args(0, 1, 2);
  static uint32_t nth;
  jr_alloc_fail_nth(++nth);
  jitrun_buffer_t *output = NULL;
  const jitrun_launch_t launch = {.args = &arg,
                                  .arg_count = 1,
                                  .donated = first_arg,
                                  .donated_count = 1,
                                  .outputs = &output,
                                  .output_count = 1};
  jitrun_error_free(jitrun_executable_execute(executable, &launch, 1, NULL));
  jitrun_buffer_release(output);
  jitrun_buffer_release(arg);
}

static void test_without_memory(void **state) {
  (void)state;
  jitrun_executable_t *executable = load_tupled(add_text, "result", 0, true);
  for (int i = 0; i < 40; i++)
    execute_once(executable);
  jr_alloc_fail_nth(0);
  jitrun_executable_release(executable);
}

int main(void) {
#define TEST(name)                                                             \
  cmocka_unit_test_setup_teardown(name, open_client, close_client)
  const struct CMUnitTest tests[] = {
      TEST(test_tupled),   TEST(test_donated),        TEST(test_donated_empty),
      TEST(test_replicas), TEST(test_described),      TEST(test_shape_of_one),
      TEST(test_refused),  TEST(test_without_memory),
  };
#undef TEST
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
