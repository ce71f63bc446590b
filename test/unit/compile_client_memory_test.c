/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Memory of executions on devices: temporaries, and what entries allocate
/// while they run. All of it counts, has a limit, and is given back.
#include "expect.h"

#include "jitrun/executable.h"

#include <pthread.h>
#include <stdio.h>

enum { LIMIT = 1 << 20, THREADS = 8, RUNS = 50, COUNT = 4096 };

/// Two temporaries of 16 KiB that live at once, then one of the same again; a
/// parameter that is written to.
static const char temps_text[] =
    "func.func @main(%a: memref<4096xi32>) -> memref<4096xi32> {\n"
    "  %r = memref.alloc() : memref<4096xi32>\n"
    "  %t = memref.alloc() : memref<4096xi32>\n"
    "  %u = memref.alloc() : memref<4096xi32>\n"
    "  %v = memref.alloc() : memref<4096xi32>\n"
    "  memref.copy %a, %t : memref<4096xi32> to memref<4096xi32>\n"
    "  memref.copy %t, %u : memref<4096xi32> to memref<4096xi32>\n"
    "  memref.copy %u, %v : memref<4096xi32> to memref<4096xi32>\n"
    "  memref.copy %v, %r : memref<4096xi32> to memref<4096xi32>\n"
    "  return %r : memref<4096xi32>\n"
    "}\n";

/// Allocates and frees `b` times 64 KiB, or keeps them all.
static const char loop_text[] =
    "func.func @freed(%a: memref<4xi32> {jitrun.output}, %b: index) {\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %c1 = arith.constant 1 : index\n"
    "  scf.for %i = %c0 to %b step %c1 {\n"
    "    %t = memref.alloc() : memref<16384xi32>\n"
    "    %x = memref.load %a[%c0] : memref<4xi32>\n"
    "    memref.store %x, %t[%i] : memref<16384xi32>\n"
    "    %y = memref.load %t[%i] : memref<16384xi32>\n"
    "    memref.store %y, %a[%c1] : memref<4xi32>\n"
    "    memref.dealloc %t : memref<16384xi32>\n"
    "  }\n"
    "  return\n"
    "}\n"
    "func.func @kept(%a: memref<4xi32> {jitrun.output}, %b: index) {\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %c1 = arith.constant 1 : index\n"
    "  scf.for %i = %c0 to %b step %c1 {\n"
    "    %t = memref.alloc() : memref<16384xi32>\n"
    "    %x = memref.load %a[%c0] : memref<4xi32>\n"
    "    memref.store %x, %t[%i] : memref<16384xi32>\n"
    "  }\n"
    "  return\n"
    "}\n";

static jitrun_client_t *client;
static jitrun_device_t *device;

static int open_client(void **state) {
  (void)state;
  const jitrun_client_options_t options = {.size = sizeof options,
                                           .memory_limit_bytes = LIMIT};
  expect_ok(jitrun_client_create(&options, &client));
  expect_ok(jitrun_client_local_device(client, 0, &device));
  return 0;
}

static jitrun_memory_stats_t get_stats(void) {
  jitrun_memory_stats_t stats = {.size = sizeof stats};
  expect_ok(jitrun_device_memory_stats(device, &stats));
  return stats;
}

static int close_client(void **state) {
  (void)state;
  assert_int_equal(get_stats().in_use_bytes, 0);
  jitrun_client_release(client);
  return 0;
}

static jitrun_executable_t *load(const char *text, const char *entry) {
  const jitrun_executable_options_t options = {.size = sizeof options,
                                               .entry = entry};
  jitrun_executable_t *executable = NULL;
  expect_ok(jitrun_executable_load_memory(client, text, strlen(text),
                                          "test.mlir", &options, &executable));
  return executable;
}

static jitrun_buffer_t *make_buffer(jitrun_dtype_t dtype, uint32_t rank,
                                    int64_t count, void *data) {
  const jitrun_tensor_t tensor = {
      .dtype = dtype, .rank = rank, .dims = &count, .data = data};
  jitrun_buffer_t *buffer = NULL;
  expect_ok(jitrun_buffer_from_host(device, &tensor, JITRUN_HOST_COPY_NOW, NULL,
                                    NULL, &buffer));
  return buffer;
}

static jitrun_error_t *execute(jitrun_executable_t *executable,
                               jitrun_buffer_t *const *args, size_t count,
                               jitrun_buffer_t **output) {
  const jitrun_launch_t launch = {
      .args = args, .arg_count = count, .outputs = output, .output_count = 1};
  return jitrun_executable_execute(executable, &launch, 1, NULL);
}

static void test_temporaries_count(void **state) {
  (void)state;
  static int32_t values[COUNT];
  jitrun_executable_t *executable = load(temps_text, NULL);
  jitrun_buffer_t *arg = make_buffer(JITRUN_DTYPE_S32, 1, COUNT, values);
  for (int i = 0; i < 3; i++) {
    jitrun_buffer_t *output = NULL;
    expect_ok(execute(executable, &arg, 1, &output));
    // Argument, output, two temporaries that are kept for the next execution.
    assert_int_equal(get_stats().in_use_bytes, 4 * sizeof values);
    assert_int_equal(get_stats().peak_bytes, 4 * sizeof values);
    assert_int_equal(get_stats().allocation_count, 3);
    jitrun_buffer_release(output);
  }
  jitrun_executable_release(executable);
  assert_int_equal(get_stats().in_use_bytes, sizeof values);
  jitrun_buffer_release(arg);
}

/// What is kept makes room; what does not fit is refused before it starts.
static void test_limit(void **state) {
  (void)state;
  static int32_t values[COUNT];
  static const int64_t most[] = {LIMIT - 2 * (int64_t)sizeof values};
  jitrun_executable_t *executable = load(temps_text, NULL);
  jitrun_buffer_t *arg = make_buffer(JITRUN_DTYPE_S32, 1, COUNT, values);
  jitrun_buffer_t *output = NULL;
  jitrun_buffer_t *large = NULL;
  expect_ok(execute(executable, &arg, 1, &output));
  jitrun_buffer_release(output);
  assert_int_equal(get_stats().in_use_bytes, 3 * sizeof values);
  expect_ok(jitrun_buffer_allocate(device, JITRUN_DTYPE_U8, most, 1, &large));
  assert_int_equal(get_stats().in_use_bytes, LIMIT - sizeof values);
  uint32_t first = 0;
  const jitrun_launch_t launch = {.args = &arg,
                                  .arg_count = 1,
                                  .donated = &first,
                                  .donated_count = 1,
                                  .outputs = &output,
                                  .output_count = 1};
  expect_error(
      jitrun_executable_execute(executable, &launch, 1, NULL),
      JITRUN_RESOURCE_EXHAUSTED,
      "device host:0 has no room for 32768 bytes: 1032192 are in use "
      "of a limit of 1048576; the largest buffers have 1015808, 16384");
  assert_false(jitrun_buffer_is_deleted(arg));
  jitrun_buffer_release(large);
  expect_ok(execute(executable, &arg, 1, &output));
  jitrun_buffer_release(output);
  jitrun_buffer_release(arg);
  jitrun_executable_release(executable);
}

static void *execute_often(void *context) {
  jitrun_executable_t *executable = context;
  static const int32_t start = 7;
  bool passed = true;
  for (int32_t run = 0; passed && run < RUNS; run++) {
    int32_t values[COUNT];
    const int64_t dims[] = {COUNT};
    for (int32_t i = 0; i < COUNT; i++)
      values[i] = start * i + run;
    jitrun_tensor_t tensor = {
        .dtype = JITRUN_DTYPE_S32, .rank = 1, .dims = dims, .data = values};
    jitrun_buffer_t *arg = NULL;
    jitrun_buffer_t *output = NULL;
    int32_t found[COUNT] = {0};
    jitrun_error_t *error = jitrun_buffer_from_host(
        device, &tensor, JITRUN_HOST_COPY_NOW, NULL, NULL, &arg);
    if (!error)
      error = execute(executable, &arg, 1, &output);
    tensor.data = found;
    if (!error)
      error = jitrun_buffer_to_host(output, &tensor, -1);
    passed = !error && memcmp(found, values, sizeof found) == 0;
    jitrun_error_free(error);
    jitrun_buffer_release(arg);
    jitrun_buffer_release(output);
  }
  return passed ? context : NULL;
}

/// Executions at once have arenas of their own.
static void test_threads(void **state) {
  (void)state;
  pthread_t threads[THREADS];
  jitrun_executable_t *executable = load(temps_text, NULL);
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(
        pthread_create(&threads[i], NULL, execute_often, executable), 0);
  for (int i = 0; i < THREADS; i++) {
    void *result = NULL;
    (void)pthread_join(threads[i], &result);
    assert_ptr_equal(result, executable);
  }
  jitrun_executable_release(executable);
}

static jitrun_error_t *run_loop(const char *entry, int64_t count) {
  int32_t values[] = {1, 2, 3, 4};
  jitrun_executable_t *executable = load(loop_text, entry);
  jitrun_buffer_t *const args[] = {make_buffer(JITRUN_DTYPE_S32, 1, 4, values),
                                   make_buffer(JITRUN_DTYPE_S64, 0, 0, &count)};
  jitrun_buffer_t *output = NULL;
  jitrun_error_t *error = execute(executable, args, 2, &output);
  jitrun_buffer_release(output);
  jitrun_buffer_release(args[0]);
  jitrun_buffer_release(args[1]);
  jitrun_executable_release(executable);
  assert_int_equal(get_stats().in_use_bytes, 0);
  return error;
}

/// What a loop allocates counts for as long as it is there, and is refused over
/// the limit.
static void test_allocations(void **state) {
  (void)state;
  expect_ok(run_loop("freed", 1000));
  assert_true(get_stats().peak_bytes < LIMIT);
  expect_ok(run_loop("kept", 10));
  expect_error(run_loop("kept", 1000), JITRUN_RESOURCE_EXHAUSTED,
               "device host:0 has no room for 65536 bytes");
}

/// Runs the program's first entry with its own arguments.
static jitrun_error_t *nested_execute(jitrun_call_t *call) {
  const jitrun_arg_t *args = jitrun_call_args(call);
  const int64_t dims[] = {COUNT};
  const jitrun_tensor_t from = {.dtype = JITRUN_DTYPE_S32,
                                .rank = 1,
                                .dims = dims,
                                .data = args[0].value.data};
  const jitrun_tensor_t to = {.dtype = JITRUN_DTYPE_S32,
                              .rank = 1,
                              .dims = dims,
                              .data = args[1].value.data};
  return call->site->api->run_entry(call, 0, &from, 1, &to, 1);
}

static const jitrun_customcall_t nested = {.size = sizeof nested,
                                           .name = "test.nested",
                                           .platform = "host",
                                           .execute = nested_execute};

/// Executions inside of others have an arena that counts as long as they run.
static void test_nested(void **state) {
  (void)state;
  static char text[2048];
  static int32_t values[COUNT];
  (void)snprintf(text, sizeof text, "%s%s", temps_text,
                 "func.func private @nested(memref<4096xi32>, "
                 "memref<4096xi32>)\n"
                 "    attributes {rt.custom_call = \"test.nested\"}\n"
                 "func.func @outer(%a: memref<4096xi32>)\n"
                 "    -> memref<4096xi32> {\n"
                 "  %r = memref.alloc() : memref<4096xi32>\n"
                 "  call @nested(%a, %r) : (memref<4096xi32>, "
                 "memref<4096xi32>) -> ()\n"
                 "  return %r : memref<4096xi32>\n"
                 "}\n");
  jitrun_registry_t *registry = NULL;
  expect_ok(jitrun_registry_create(&registry));
  expect_ok(jitrun_registry_register(registry, &nested));
  const jitrun_open_options_t open = {
      .size = sizeof open, .registry = registry, .opt_level = -1};
  const jitrun_executable_options_t options = {
      .size = sizeof options, .entry = "outer", .open = &open};
  jitrun_executable_t *executable = NULL;
  expect_ok(jitrun_executable_load_memory(client, text, strlen(text),
                                          "test.mlir", &options, &executable));
  jitrun_registry_release(registry);
  values[COUNT - 1] = 7;
  jitrun_buffer_t *arg = make_buffer(JITRUN_DTYPE_S32, 1, COUNT, values);
  jitrun_buffer_t *output = NULL;
  jitrun_tensor_t found;
  expect_ok(execute(executable, &arg, 1, &output));
  // Argument, output, and two temporaries of each of the two executions.
  assert_int_equal(get_stats().peak_bytes, 6 * sizeof values);
  assert_int_equal(get_stats().in_use_bytes, 4 * sizeof values);
  expect_ok(jitrun_buffer_host_value(output, -1, &found));
  assert_int_equal(((const int32_t *)found.data)[COUNT - 1], 7);
  jitrun_buffer_release(output);
  jitrun_buffer_release(arg);
  jitrun_executable_release(executable);
}

/// A copy of a constant that has a name, as its only output.
static const char constant_text[] =
    "func.func private @copy(memref<4096xi8>, memref<4096xi8>) attributes {\n"
    "  rt.custom_call = \"xla.gpu.memcpy.d2d\"}\n"
    "func.func @main(%o: memref<4096xi8> {lmhlo.output_index = [0]},\n"
    "    %c: memref<4096xi8> {lmhlo.constant_name = \"weights\"})\n"
    "    attributes {rt.exported} {\n"
    "  call @copy(%o, %c) : (memref<4096xi8>, memref<4096xi8>) -> ()\n"
    "  return\n}\n";

static jitrun_executable_t *load_constant(const unsigned char *content) {
  const jitrun_constant_t given = {"weights", content, 4096};
  const jitrun_executable_options_t options = {
      .size = sizeof options, .constants = &given, .constant_count = 1};
  jitrun_executable_t *executable = NULL;
  expect_ok(jitrun_executable_load_memory(client, constant_text,
                                          strlen(constant_text), "test.mlir",
                                          &options, &executable));
  return executable;
}

static void expect_constant(jitrun_executable_t *executable,
                            unsigned char value) {
  jitrun_buffer_t *output = NULL;
  jitrun_tensor_t found;
  expect_ok(execute(executable, NULL, 0, &output));
  expect_ok(jitrun_buffer_host_value(output, -1, &found));
  assert_int_equal(((const unsigned char *)found.data)[4095], value);
  jitrun_buffer_release(output);
}

/// Equal content is there once, as long as somebody has it.
static void test_constants(void **state) {
  (void)state;
  static unsigned char content[4096];
  memset(content, 1, sizeof content);
  jitrun_executable_t *first = load_constant(content);
  jitrun_executable_t *second = load_constant(content);
  assert_int_equal(get_stats().in_use_bytes, sizeof content);
  memset(content, 2, sizeof content);
  jitrun_executable_t *third = load_constant(content);
  assert_int_equal(get_stats().in_use_bytes, 2 * sizeof content);
  memset(content, 3, sizeof content);
  expect_constant(first, 1);
  expect_constant(third, 2);
  jitrun_executable_release(first);
  assert_int_equal(get_stats().in_use_bytes, 2 * sizeof content);
  expect_constant(second, 1);
  jitrun_executable_release(second);
  assert_int_equal(get_stats().in_use_bytes, sizeof content);
  jitrun_executable_release(third);
}

static void try_once(void *context) {
  static int32_t values[COUNT];
  jitrun_executable_t *executable = context;
  jitrun_buffer_t *arg = NULL;
  jitrun_buffer_t *output = NULL;
  const int64_t dims[] = {COUNT};
  const jitrun_tensor_t tensor = {
      .dtype = JITRUN_DTYPE_S32, .rank = 1, .dims = dims, .data = values};
  jitrun_error_t *error = jitrun_buffer_from_host(
      device, &tensor, JITRUN_HOST_COPY_NOW, NULL, NULL, &arg);
  if (!error)
    error = execute(executable, &arg, 1, &output);
  if (error)
    assert_int_equal(jitrun_error_code(error), JITRUN_RESOURCE_EXHAUSTED);
  jitrun_error_free(error);
  jitrun_buffer_release(arg);
  jitrun_buffer_release(output);
}

static void test_no_memory(void **state) {
  (void)state;
  jitrun_executable_t *executable = load(temps_text, NULL);
  sweep_allocations(try_once, executable);
  jitrun_executable_release(executable);
  assert_int_equal(get_stats().in_use_bytes, 0);
}

int main(void) {
#define TEST(test)                                                             \
  cmocka_unit_test_setup_teardown(test, open_client, close_client)
  const struct CMUnitTest tests[] = {
      TEST(test_temporaries_count), TEST(test_limit),     TEST(test_threads),
      TEST(test_allocations),       TEST(test_constants), TEST(test_nested),
      TEST(test_no_memory),
  };
#undef TEST
  return cmocka_run_group_tests(tests, NULL, NULL);
}
