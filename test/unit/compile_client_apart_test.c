/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Executing on devices whose memory the host cannot use, with custom calls of
/// their platform; see test/plugins/apart.c.
#include "expect.h"

#include "jitrun/executable.h"

#include <dlfcn.h>

#define APART JITRUN_TEST_PLUGIN_DIR "/apart.so"

/// See apart.c.
static void (*fail_call)(int nth_call, int nth_operation);
static bool (*is_pending)(void);

static jitrun_client_t *client;
static jitrun_device_t *devices[2];

static int open_client(void **state) {
  (void)state;
  jitrun_platforms_t *platforms = NULL;
  void *library = dlopen(APART, RTLD_NOW | RTLD_LOCAL);
  void *symbols[] = {dlsym(library, "jitrun_test_fail_call"),
                     dlsym(library, "jitrun_test_is_pending")};
  memcpy(&fail_call, &symbols[0], sizeof symbols[0]);
  memcpy(&is_pending, &symbols[1], sizeof symbols[1]);
  expect_ok(jitrun_registry_load_plugin(jitrun_registry_default(), APART));
  expect_ok(jitrun_platforms_create(&platforms));
  expect_ok(jitrun_platforms_load(platforms, APART));
  const jitrun_client_options_t options = {
      .size = sizeof options, .platform = "apart", .platforms = platforms};
  expect_ok(jitrun_client_create(&options, &client));
  jitrun_platforms_release(platforms);
  for (size_t i = 0; i < 2; i++)
    expect_ok(jitrun_client_local_device(client, i, &devices[i]));
  return 0;
}

static int close_client(void **state) {
  for (size_t i = 0; i < 2; i++) {
    jitrun_memory_stats_t stats = {.size = sizeof stats};
    expect_ok(jitrun_device_memory_stats(devices[i], &stats));
    assert_int_equal(stats.in_use_bytes, 0);
  }
  jitrun_client_release(client);
  return check_no_errors(state);
}

static const char text[] =
    "func.func private @add(memref<4xi32>, memref<4xi32>, i32) attributes {\n"
    "  rt.custom_call = \"apart.add\"}\n"
    "func.func private @sum(memref<4xi32>) -> i32 attributes {\n"
    "  rt.custom_call = \"apart.sum\"}\n"
    "func.func private @break() attributes {\n"
    "  rt.custom_call = \"apart.break\"}\n"
    "func.func private @noop() attributes {\n"
    "  rt.custom_call = \"jitrun.noop\"}\n"
    "func.func @chain(%a: memref<4xi32>, %b: i32)\n"
    "    -> (memref<4xi32>, i32) {\n"
    "  %r = memref.alloc() : memref<4xi32>\n"
    "  call @add(%r, %a, %b) : (memref<4xi32>, memref<4xi32>, i32) -> ()\n"
    "  call @noop() : () -> ()\n"
    "  call @add(%r, %r, %b) : (memref<4xi32>, memref<4xi32>, i32) -> ()\n"
    "  %s = call @sum(%r) : (memref<4xi32>) -> i32\n"
    "  return %r, %s : memref<4xi32>, i32\n"
    "}\n"
    "func.func @in_place(%a: memref<4xi32> {jitrun.output}, %b: i32) {\n"
    "  call @add(%a, %a, %b) : (memref<4xi32>, memref<4xi32>, i32) -> ()\n"
    "  return\n"
    "}\n"
    "func.func @broken(%a: memref<4xi32> {jitrun.output}, %b: i32) {\n"
    "  call @break() : () -> ()\n"
    "  return\n"
    "}\n"
    "func.func @of_host(%a: memref<4xi32> {jitrun.output}) {\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %x = memref.load %a[%c0] : memref<4xi32>\n"
    "  memref.store %x, %a[%c0] : memref<4xi32>\n"
    "  return\n"
    "}\n"
    "func.func @returned(%a: memref<4xi32>) -> memref<4xi32> {\n"
    "  return %a : memref<4xi32>\n"
    "}\n"
    "func.func @wide(%a: memref<4xf64> {jitrun.output}) {\n"
    "  return\n"
    "}\n"
    "func.func @constant(%a: memref<4xi32> {jitrun.output}, %b: i32) {\n"
    "  %k = memref.get_global @k : memref<4xi32>\n"
    "  call @add(%a, %k, %b) : (memref<4xi32>, memref<4xi32>, i32) -> ()\n"
    "  return\n"
    "}\n"
    "memref.global \"private\" constant @k : memref<4xi32> =\n"
    "    dense<[1, 2, 3, 4]>\n"
    "func.func @loop(%a: memref<4xi32> {jitrun.output}, %b: i32) {\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %c1 = arith.constant 1 : index\n"
    "  %c3 = arith.constant 3 : index\n"
    "  scf.for %i = %c0 to %c3 step %c1 {\n"
    "    %k = arith.index_cast %i : index to i32\n"
    "    %s = arith.addi %k, %b : i32\n"
    "    func.call @add(%a, %a, %s) : (memref<4xi32>, memref<4xi32>, i32)\n"
    "        -> ()\n"
    "  }\n"
    "  return\n"
    "}\n"
    "func.func @copied(%a: memref<4xi32>, %b: memref<4xi32>) {\n"
    "  memref.copy %a, %b : memref<4xi32> to memref<4xi32>\n"
    "  return\n"
    "}\n"
    "func.func @temporary(%a: memref<4xi32> {jitrun.output}, %b: i32) {\n"
    "  %t = memref.alloca() : memref<4xi32>\n"
    "  call @add(%t, %a, %b) : (memref<4xi32>, memref<4xi32>, i32) -> ()\n"
    "  call @add(%a, %t, %b) : (memref<4xi32>, memref<4xi32>, i32) -> ()\n"
    "  return\n"
    "}\n";

static jitrun_executor_t executor;

static jitrun_error_t *load(const char *entry, uint32_t replicas,
                            jitrun_executable_t **out_executable) {
  const jitrun_open_options_t open = {
      .size = sizeof open, .executor = executor, .opt_level = -1};
  const jitrun_executable_options_t options = {.size = sizeof options,
                                               .entry = entry,
                                               .replica_count = replicas,
                                               .open = &open};
  return jitrun_executable_load_memory(client, text, sizeof text - 1,
                                       "test.mlir", &options, out_executable);
}

static const int64_t dims4[] = {4};

static jitrun_buffer_t *make_buffer(size_t device, int32_t first,
                                    uint32_t rank) {
  int32_t values[] = {first, first + 1, first + 2, first + 3};
  const jitrun_tensor_t tensor = {
      .dtype = JITRUN_DTYPE_S32, .rank = rank, .dims = dims4, .data = values};
  jitrun_buffer_t *buffer = NULL;
  expect_ok(jitrun_buffer_from_host(devices[device], &tensor,
                                    JITRUN_HOST_COPY_NOW, NULL, NULL, &buffer));
  return buffer;
}

/// Checks a buffer and gives it up.
static void expect_buffer(/*own*/ jitrun_buffer_t *buffer, int32_t first,
                          uint32_t rank) {
  int32_t values[4] = {0};
  const jitrun_tensor_t tensor = {
      .dtype = JITRUN_DTYPE_S32, .rank = rank, .dims = dims4, .data = values};
  expect_ok(jitrun_buffer_to_host(buffer, &tensor, -1));
  for (int32_t i = 0; i < (rank ? 4 : 1); i++)
    assert_int_equal(values[i], first + i);
  jitrun_buffer_release(buffer);
}

static void test_chain(void **state) {
  (void)state;
  jitrun_executable_t *executable = NULL;
  expect_ok(load("chain", 0, &executable));
  jitrun_buffer_t *args[] = {make_buffer(0, 10, 1), make_buffer(0, 5, 0)};
  jitrun_buffer_t *outputs[2] = {0};
  const jitrun_launch_t launch = {
      .args = args, .arg_count = 2, .outputs = outputs, .output_count = 2};
  for (int i = 0; i < 4; i++) {
    const jitrun_execute_options_t options = {
        .size = sizeof options,
        .is_async = i == 2,
        .timeout_ns = i == 3 ? INT64_C(60000000000) : 0};
    expect_ok(jitrun_executable_execute(executable, &launch, 1, &options));
    expect_buffer(outputs[0], 20, 1);
    expect_buffer(outputs[1], 20 + 21 + 22 + 23, 0);
  }
  jitrun_buffer_release(args[0]);
  jitrun_buffer_release(args[1]);
  jitrun_executable_release(executable);
}

static void test_in_place(void **state) {
  (void)state;
  static const uint32_t first[] = {0};
  jitrun_executable_t *executable = NULL;
  expect_ok(load("in_place", 0, &executable));
  jitrun_buffer_t *args[] = {make_buffer(0, 10, 1), make_buffer(0, 5, 0)};
  jitrun_buffer_t *output = NULL;
  jitrun_launch_t launch = {
      .args = args, .arg_count = 2, .outputs = &output, .output_count = 1};
  expect_ok(jitrun_executable_execute(executable, &launch, 1, NULL));
  expect_buffer(output, 15, 1);
  void *before = NULL;
  void *after = NULL;
  expect_ok(jitrun_buffer_hold(args[0], -1, &before));
  jitrun_buffer_unhold(args[0]);
  launch.donated = first;
  launch.donated_count = 1;
  expect_ok(jitrun_executable_execute(executable, &launch, 1, NULL));
  expect_ok(jitrun_buffer_hold(output, -1, &after));
  jitrun_buffer_unhold(output);
  assert_ptr_equal(before, after);
  expect_buffer(output, 15, 1);
  jitrun_buffer_release(args[0]);
  jitrun_buffer_release(args[1]);
  jitrun_executable_release(executable);
}

/// Memory for temporaries is the device's, and so is what loops hand to calls.
static void test_temporaries_and_loops(void **state) {
  (void)state;
  static const struct {
    const char *entry;
    int32_t first;
  } cases[] = {{"temporary", 10 + 5 + 5}, {"loop", 10 + 5 + 6 + 7}};
  for (size_t i = 0; i < 2; i++) {
    jitrun_executable_t *executable = NULL;
    expect_ok(load(cases[i].entry, 0, &executable));
    jitrun_buffer_t *args[] = {make_buffer(0, 10, 1), make_buffer(0, 5, 0)};
    for (int is_async = 0; is_async < 2; is_async++) {
      jitrun_buffer_t *output = NULL;
      const jitrun_launch_t launch = {
          .args = args, .arg_count = 2, .outputs = &output, .output_count = 1};
      const jitrun_execute_options_t options = {.size = sizeof options,
                                                .is_async = is_async};
      expect_ok(jitrun_executable_execute(executable, &launch, 1, &options));
      expect_buffer(output, cases[i].first, 1);
    }
    jitrun_buffer_release(args[0]);
    jitrun_buffer_release(args[1]);
    jitrun_executable_release(executable);
  }
}

/// The same without code.
static void test_thunks(void **state) {
  executor = JITRUN_EXECUTOR_THUNKS;
  test_chain(state);
  test_in_place(state);
  test_temporaries_and_loops(state);
  executor = JITRUN_EXECUTOR_AUTO;
}

static void test_replicas(void **state) {
  (void)state;
  jitrun_executable_t *executable = NULL;
  expect_ok(load("chain", 2, &executable));
  jitrun_buffer_t *args[2][2];
  jitrun_buffer_t *outputs[2][2];
  jitrun_launch_t launches[2];
  for (size_t i = 0; i < 2; i++) {
    args[i][0] = make_buffer(i, (int32_t)(100 * i), 1);
    args[i][1] = make_buffer(i, 1, 0);
    launches[i] = (jitrun_launch_t){.args = args[i],
                                    .arg_count = 2,
                                    .outputs = outputs[i],
                                    .output_count = 2};
  }
  expect_ok(jitrun_executable_execute(executable, launches, 2, NULL));
  for (size_t i = 0; i < 2; i++) {
    expect_buffer(outputs[i][0], (int32_t)(100 * i + 2), 1);
    expect_buffer(outputs[i][1], (int32_t)(400 * i + 14), 0);
    jitrun_buffer_release(args[i][0]);
    jitrun_buffer_release(args[i][1]);
  }
  jitrun_executable_release(executable);
}

/// What fails in the stream, after the entry has returned, fails the execution.
static void test_broken_stream(void **state) {
  (void)state;
  jitrun_executable_t *executable = NULL;
  expect_ok(load("broken", 0, &executable));
  jitrun_buffer_t *args[] = {make_buffer(0, 10, 1), make_buffer(0, 5, 0)};
  jitrun_buffer_t *output = NULL;
  const jitrun_launch_t launch = {
      .args = args, .arg_count = 2, .outputs = &output, .output_count = 1};
  jitrun_error_t *error =
      jitrun_executable_execute(executable, &launch, 1, NULL);
  assert_string_equal(jitrun_error_note_get(error, 0),
                      "while waiting for the stream of device apart:0");
  expect_error(error, JITRUN_INTERNAL, "an operation of the stream failed");
  assert_null(output);
  jitrun_buffer_release(args[0]);
  jitrun_buffer_release(args[1]);
  jitrun_executable_release(executable);
}

static uint64_t bytes_in_use(void) {
  jitrun_memory_stats_t stats = {.size = sizeof stats};
  expect_ok(jitrun_device_memory_stats(devices[0], &stats));
  return stats.in_use_bytes;
}

/// Executes once, where anything may fail; what was made is given back.
static void execute_once(jitrun_executable_t *executable,
                         jitrun_buffer_t *const *args, bool is_async) {
  jitrun_buffer_t *outputs[2] = {0};
  const jitrun_launch_t launch = {
      .args = args, .arg_count = 2, .outputs = outputs, .output_count = 2};
  const jitrun_execute_options_t options = {.size = sizeof options,
                                            .is_async = is_async};
  jitrun_error_t *error =
      jitrun_executable_execute(executable, &launch, 1, &options);
  for (size_t i = 0; i < 2; i++) {
    if (!error)
      error = jitrun_buffer_wait(outputs[i], -1);
    jitrun_buffer_release(outputs[i]);
  }
  jitrun_error_free(error);
}

/// Each call of the driver fails in turn, and each operation of its streams:
/// whatever that does to an execution, the next one is as good as ever.
static void test_failing_driver(void **state) {
  (void)state;
  jitrun_executable_t *executable = NULL;
  expect_ok(load("chain", 0, &executable));
  jitrun_buffer_t *args[] = {make_buffer(0, 10, 1), make_buffer(0, 5, 0)};
  for (int kind = 0; kind < 4; kind++) {
    bool is_over = false;
    for (int nth = 1; !is_over; nth++) {
      fail_call(kind < 2 ? nth : 0, kind < 2 ? 0 : nth);
      execute_once(executable, args, kind % 2 == 1);
      is_over = is_pending();
      fail_call(0, 0);
    }
  }
  jitrun_buffer_t *outputs[2] = {0};
  const jitrun_launch_t launch = {
      .args = args, .arg_count = 2, .outputs = outputs, .output_count = 2};
  expect_ok(jitrun_executable_execute(executable, &launch, 1, NULL));
  expect_buffer(outputs[0], 20, 1);
  expect_buffer(outputs[1], 20 + 21 + 22 + 23, 0);
  jitrun_buffer_release(args[0]);
  jitrun_buffer_release(args[1]);
  jitrun_executable_release(executable);
}

struct sweep {
  jitrun_executable_t *executable;
  jitrun_buffer_t *args[2];
};

static void execute_step(void *context) {
  const struct sweep *sweep = context;
  execute_once(sweep->executable, sweep->args, false);
}

static void test_no_memory(void **state) {
  (void)state;
  struct sweep sweep = {.args = {make_buffer(0, 10, 1), make_buffer(0, 5, 0)}};
  expect_ok(load("chain", 0, &sweep.executable));
  execute_step(&sweep);
  uint64_t before = bytes_in_use();
  sweep_allocations(execute_step, &sweep);
  assert_int_equal(bytes_in_use(), before);
  jitrun_buffer_release(sweep.args[0]);
  jitrun_buffer_release(sweep.args[1]);
  jitrun_executable_release(sweep.executable);
}

/// What the host would have to do itself.
static void test_refused(void **state) {
  (void)state;
  static const struct {
    const char *entry, *message;
    jitrun_code_t code;
  } cases[] = {
      {"of_host",
       "entry 'of_host' cannot run on platform 'apart', whose memory the host "
       "cannot use, since part of it is work of the host: ",
       JITRUN_UNIMPLEMENTED},
      {"returned", "it returns what it was given", JITRUN_UNIMPLEMENTED},
      {"wide", "platform 'apart' has no elements of type f64",
       JITRUN_INVALID_ARGUMENT},
      {"constant", "custom call 'apart.add' uses a constant",
       JITRUN_UNIMPLEMENTED},
      {"copied", "it copies or fills memory", JITRUN_UNIMPLEMENTED},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    jitrun_executable_t *executable = NULL;
    expect_error(load(cases[i].entry, 0, &executable), cases[i].code,
                 cases[i].message);
    assert_null(executable);
  }
}

/// Custom calls are those of the platform.
static void test_platforms_of_programs(void **state) {
  (void)state;
  jitrun_program_t *program = NULL;
  jitrun_executable_t *executable = NULL;
  static const char copy[] =
      "func.func private @copy(memref<4xi32>, memref<4xi32>) attributes {\n"
      "  rt.custom_call = \"jitrun.memcpy\"}\n"
      "func.func @main(%a: memref<4xi32>, %b: memref<4xi32>) {\n"
      "  call @copy(%a, %b) : (memref<4xi32>, memref<4xi32>) -> ()\n"
      "  return\n"
      "}\n";
  expect_error(jitrun_executable_load_memory(client, copy, sizeof copy - 1,
                                             "copy.mlir", NULL, &executable),
               JITRUN_NOT_FOUND,
               "custom call 'jitrun.memcpy' is not registered for platform "
               "'apart'; it is for 'host'");
  expect_error(jitrun_program_open_memory(text, sizeof text - 1, "test.mlir",
                                          NULL, &program),
               JITRUN_NOT_FOUND,
               "custom call 'apart.add' is not registered for platform 'host'");
  expect_ok(jitrun_program_open_memory(copy, sizeof copy - 1, "copy.mlir", NULL,
                                       &program));
  assert_string_equal(jitrun_program_platform(program), "host");
  expect_error(jitrun_executable_create(client, program, NULL, &executable),
               JITRUN_FAILED_PRECONDITION,
               "the program was opened for platform 'host', and the client has "
               "'apart'");
  jitrun_program_release(program);
}

/// Arguments that are allocations: a part of one is given to a call, constants
/// are copied to each device once.
static void test_described(void **state) {
  (void)state;
  static const char described[] =
      "func.func private @add(memref<4xi32>, memref<4xi32>, i32) attributes {\n"
      "  rt.custom_call = \"apart.add\"}\n"
      "func.func @main(%t: memref<32xi8>,\n"
      "    %out: memref<16xi8> {lmhlo.output_index = dense<> : "
      "tensor<0xindex>},\n"
      "    %c: memref<16xi8> {lmhlo.constant_name = \"weights\"},\n"
      "    %p: memref<4xi32> {lmhlo.params = 0 : index})\n"
      "    attributes {rt.exported, result_xla_shape = \"s32[4]{0}\"} {\n"
      "  %c1 = arith.constant 1 : i32\n"
      "  %c0 = arith.constant 0 : index\n"
      "  %c16 = arith.constant 16 : index\n"
      "  %vt = memref.view %t[%c16][] : memref<32xi8> to memref<4xi32>\n"
      "  %vo = memref.view %out[%c0][] : memref<16xi8> to memref<4xi32>\n"
      "  %vc = memref.view %c[%c0][] : memref<16xi8> to memref<4xi32>\n"
      "  call @add(%vt, %p, %c1) : (memref<4xi32>, memref<4xi32>, i32) -> ()\n"
      "  call @add(%vo, %vt, %c1) : (memref<4xi32>, memref<4xi32>, i32) -> ()\n"
      "  call @add(%vo, %vc, %c1) : (memref<4xi32>, memref<4xi32>, i32) -> ()\n"
      "  return\n"
      "}\n";
  static const int32_t weights[] = {100, 101, 102, 103};
  static const jitrun_constant_t constant = {"weights", weights,
                                             sizeof weights};
  const jitrun_executable_options_t options = {.size = sizeof options,
                                               .replica_count = 2,
                                               .constants = &constant,
                                               .constant_count = 1};
  jitrun_executable_t *executable = NULL;
  expect_ok(jitrun_executable_load_memory(client, described,
                                          sizeof described - 1, "test.mlir",
                                          &options, &executable));
  jitrun_buffer_t *args[2];
  jitrun_buffer_t *outputs[2];
  jitrun_launch_t launches[2];
  for (size_t i = 0; i < 2; i++) {
    args[i] = make_buffer(i, 1, 1);
    launches[i] = (jitrun_launch_t){.args = &args[i],
                                    .arg_count = 1,
                                    .outputs = &outputs[i],
                                    .output_count = 1};
  }
  expect_ok(jitrun_executable_execute(executable, launches, 2, NULL));
  for (size_t i = 0; i < 2; i++) {
    expect_buffer(outputs[i], 101, 1);
    jitrun_buffer_release(args[i]);
  }
  jitrun_executable_release(executable);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_chain),
      cmocka_unit_test(test_in_place),
      cmocka_unit_test(test_temporaries_and_loops),
      cmocka_unit_test(test_thunks),
      cmocka_unit_test(test_replicas),
      cmocka_unit_test(test_broken_stream),
      cmocka_unit_test(test_failing_driver),
      cmocka_unit_test(test_no_memory),
      cmocka_unit_test(test_described),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_platforms_of_programs),
  };
  return cmocka_run_group_tests(tests, open_client, close_client);
}
