/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Entries whose arguments are allocations: what a caller gives of them, where
/// the rest comes from, and what is refused.
#include "client_programs.h"

#include "jitrun/allocation.h"
#include "jitrun/compile.h"

#include <stdio.h>
#include <stdlib.h>

/// out = p1{0} + weights, p0 is used by nobody; a table and temporary memory
/// that only has to be there.
static const char text[] =
    "memref.global \"private\" constant @own : memref<4xi32> =\n"
    "    dense<[1, 2, 3, 4]>\n"
    "func.func private @copy(memref<16xi8>, memref<16xi8>) attributes {\n"
    "  rt.custom_call = \"jitrun.memcpy\"}\n"
    "func.func @main(%t: memref<32xi8>,\n"
    "    %out: memref<16xi8> {lmhlo.output_index = dense<[1, 0]> : "
    "tensor<2xindex>},\n"
    "    %p1: memref<16xi8> {lmhlo.params = 1 : index,\n"
    "        lmhlo.param_shape_index = dense<0> : tensor<1xindex>},\n"
    "    %c: memref<16xi8> {lmhlo.constant_name = \"weights\"},\n"
    "    %d: memref<16xi8> {lmhlo.constant_name = \"own\"},\n"
    "    %p0: memref<4xf32> {lmhlo.params = 0 : index,\n"
    "        lmhlo.output_index = dense<0> : tensor<1xindex>},\n"
    "    %none: memref<0xi8> {lmhlo.params = 1 : index,\n"
    "        lmhlo.param_shape_index = dense<1> : tensor<1xindex>},\n"
    "    %table: memref<16xi8> {lmhlo.output_index = dense<> : "
    "tensor<0xindex>})\n"
    "    attributes {rt.exported, result_xla_shape =\n"
    "        \"(f32[4]{0}, (s32[4]{0}, ()), token[])\"} {\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %vt = memref.view %t[%c0][] : memref<32xi8> to memref<4xi32>\n"
    "  %vo = memref.view %out[%c0][] : memref<16xi8> to memref<4xi32>\n"
    "  %vp = memref.view %p1[%c0][] : memref<16xi8> to memref<4xi32>\n"
    "  %vc = memref.view %c[%c0][] : memref<16xi8> to memref<4xi32>\n"
    "  %vd = memref.view %d[%c0][] : memref<16xi8> to memref<4xi32>\n"
    "  affine.for %i = 0 to 4 {\n"
    "    %x = memref.load %vp[%i] : memref<4xi32>\n"
    "    %y = memref.load %vc[%i] : memref<4xi32>\n"
    "    %z = arith.addi %x, %y : i32\n"
    "    memref.store %z, %vt[%i] : memref<4xi32>\n"
    "  }\n"
    "  affine.for %i = 0 to 4 {\n"
    "    %x = memref.load %vt[%i] : memref<4xi32>\n"
    "    %y = memref.load %vd[%i] : memref<4xi32>\n"
    "    %z = arith.addi %x, %y : i32\n"
    "    memref.store %z, %vo[%i] : memref<4xi32>\n"
    "  }\n"
    "  return\n"
    "}\n";

static const int32_t weights[] = {1000, 1000, 1000, 1000};
static const jitrun_constant_t constants[] = {
    {"weights", weights, sizeof weights}, {"own", weights, sizeof weights}};

static jitrun_error_t *load_text(const char *program,
                                 const jitrun_constant_t *given, size_t count,
                                 jitrun_executable_t **out_executable) {
  const jitrun_executable_options_t options = {
      .size = sizeof options, .constants = given, .constant_count = count};
  return jitrun_executable_load_memory(client, program, strlen(program),
                                       "test.mlir", &options, out_executable);
}

static jitrun_executable_t *load_main(size_t constant_count) {
  jitrun_executable_t *executable = NULL;
  expect_ok(load_text(text, constants, constant_count, &executable));
  return executable;
}

static jitrun_buffer_t *make_floats(void) {
  static const float values[] = {0.5f, 1.5f, 2.5f, 3.5f};
  const jitrun_tensor_t tensor = {.dtype = JITRUN_DTYPE_F32,
                                  .rank = 1,
                                  .dims = dims4,
                                  .data = (void *)(uintptr_t)values};
  jitrun_buffer_t *buffer = NULL;
  expect_ok(jitrun_buffer_from_host(devices[0], &tensor, JITRUN_HOST_COPY_NOW,
                                    NULL, NULL, &buffer));
  return buffer;
}

/// An execution of the program above.
struct attempt {
  jitrun_executable_t *executable;
  jitrun_buffer_t *floats, *ints;
  jitrun_buffer_t *args[3];
  jitrun_buffer_t *outputs[2];
  jitrun_launch_t launch;
};

static void init_attempt(struct attempt *attempt) {
  *attempt = (struct attempt){.executable = load_main(1),
                              .floats = make_floats(),
                              .ints = make_buffer(0, 10)};
  attempt->args[0] = attempt->floats;
  attempt->args[1] = attempt->ints;
  attempt->launch = (jitrun_launch_t){.args = attempt->args,
                                      .arg_count = 3,
                                      .outputs = attempt->outputs,
                                      .output_count = 2};
}

static void deinit_attempt(struct attempt *attempt) {
  jitrun_buffer_release(attempt->floats);
  jitrun_buffer_release(attempt->ints);
  jitrun_executable_release(attempt->executable);
}

static void test_what_is_asked(void **state) {
  (void)state;
  jitrun_executable_t *executable = load_main(1);
  uint32_t number = 7;
  size_t count = 7;
  assert_int_equal(jitrun_executable_param_count(executable), 3);
  assert_int_equal(jitrun_executable_param(executable, 0)->type->dtype,
                   JITRUN_DTYPE_F32);
  assert_null(jitrun_executable_param(executable, 3));
  assert_null(jitrun_executable_param_index(executable, 0, &number, &count));
  assert_int_equal(number, 0);
  assert_int_equal(count, 0);
  assert_int_equal(
      *jitrun_executable_param_index(executable, 2, &number, &count), 1);
  assert_int_equal(number, 1);
  assert_int_equal(count, 1);
  assert_null(jitrun_executable_param_index(executable, 3, NULL, NULL));
  assert_int_equal(jitrun_executable_param_count(NULL), 0);
  assert_int_equal(jitrun_executable_output_count(executable), 2);
  const jitrun_type_t *type = jitrun_executable_output(executable, 1)->type;
  assert_int_equal(type->dtype, JITRUN_DTYPE_S32);
  const int64_t *index = jitrun_executable_output_index(executable, 1, &count);
  assert_int_equal(count, 2);
  assert_int_equal(index[0], 1);
  assert_int_equal(index[1], 0);
  assert_null(jitrun_executable_output_index(executable, 2, &count));
  assert_int_equal(count, 0);
  assert_string_equal(
      jitrun_entry_result_shape(jitrun_executable_entry(executable)),
      "(f32[4]{0}, (s32[4]{0}, ()), token[])");
  jitrun_executable_release(executable);
}

/// Whatever type the bytes have that are given; constants of the program's own,
/// or of the caller's instead.
static void test_executions(void **state) {
  (void)state;
  struct attempt attempt;
  for (size_t own = 0; own < 2; own++) {
    init_attempt(&attempt);
    jitrun_executable_release(attempt.executable);
    attempt.executable = load_main(1 + own);
    for (int i = 0; i < 3; i++) {
      expect_ok(jitrun_executable_execute(attempt.executable, &attempt.launch,
                                          1, NULL));
      assert_ptr_equal(address_of(attempt.outputs[0]),
                       address_of(attempt.floats));
      assert_int_equal(jitrun_buffer_dtype(attempt.outputs[0]),
                       JITRUN_DTYPE_F32);
      expect_buffer(attempt.outputs[1], own ? 2010 : 1011, own ? 1 : 2);
      assert_int_equal(bytes_in_use(0), 64);
      jitrun_buffer_release(attempt.outputs[0]);
      jitrun_buffer_release(attempt.outputs[1]);
    }
    deinit_attempt(&attempt);
  }
}

/// Images say the same, also with the constants in a file of their own.
static void test_images(void **state) {
  (void)state;
  char folder[] = "/tmp/jitrun-described-XXXXXX";
  char source[64];
  char image[64];
  char data[64];
  struct attempt attempt;
  assert_non_null(mkdtemp(folder));
  (void)snprintf(source, sizeof source, "%s/main.mlir", folder);
  (void)snprintf(image, sizeof image, "%s/main.o", folder);
  (void)snprintf(data, sizeof data, "%s/main.data", folder);
  FILE *file = fopen(source, "w");
  bool is_written = file && fputs(text, file) >= 0;
  assert_true(file && fclose(file) == 0 && is_written);
  for (int i = 0; i < 2; i++) {
    const jitrun_compile_options_t options = {.size = sizeof options,
                                              .emit = JITRUN_EMIT_OBJECT,
                                              .opt_level = -1,
                                              .constants =
                                                  i ? "main.data" : NULL};
    const jitrun_executable_options_t load_options = {.size =
                                                          sizeof load_options,
                                                      .constants = constants,
                                                      .constant_count = 1};
    expect_ok(jitrun_compile_file(source, image, &options));
    init_attempt(&attempt);
    jitrun_executable_release(attempt.executable);
    expect_ok(jitrun_executable_load_file(client, image, &load_options,
                                          &attempt.executable));
    expect_ok(jitrun_executable_execute(attempt.executable, &attempt.launch, 1,
                                        NULL));
    expect_buffer(attempt.outputs[1], 1011, 2);
    jitrun_buffer_release(attempt.outputs[0]);
    jitrun_buffer_release(attempt.outputs[1]);
    deinit_attempt(&attempt);
  }
  (void)remove(source);
  (void)remove(image);
  (void)remove(data);
  (void)remove(folder);
}

static void expect_refused(struct attempt *attempt, jitrun_code_t code,
                           const char *part) {
  uint64_t used = bytes_in_use(0);
  expect_error(
      jitrun_executable_execute(attempt->executable, &attempt->launch, 1, NULL),
      code, part);
  assert_null(attempt->outputs[0]);
  assert_null(attempt->outputs[1]);
  assert_int_equal(bytes_in_use(0), used);
}

static void test_refused_arguments(void **state) {
  (void)state;
  static const uint32_t last[] = {2};
  struct attempt attempt;
  jitrun_buffer_t *view = NULL;
  jitrun_buffer_t *large = NULL;
  const int64_t sizes[] = {3, 8};
  init_attempt(&attempt);
  attempt.launch.arg_count = 8;
  expect_refused(&attempt, JITRUN_INVALID_ARGUMENT,
                 "takes 3 arguments, and 8 are given");
  attempt.launch.arg_count = 3;
  attempt.launch.donated = last;
  attempt.launch.donated_count = 1;
  expect_refused(&attempt, JITRUN_INVALID_ARGUMENT,
                 "argument 2 is donated, and is NULL");
  attempt.launch.donated_count = 0;
  attempt.args[1] = NULL;
  expect_refused(&attempt, JITRUN_FAILED_PRECONDITION,
                 "argument 1 is NULL: entry 'main' needs the buffer at index "
                 "{0} of parameter 1, of 16 bytes; only one without elements");
  attempt.args[1] = attempt.floats; // of another type, which is not told
  attempt.args[0] = attempt.ints;
  expect_refused(&attempt, JITRUN_INVALID_ARGUMENT,
                 "argument 5 of entry 'main' is 4xi32, 4xf32 is needed");
  attempt.args[0] = attempt.floats;
  expect_ok(
      jitrun_buffer_view(attempt.ints, 0, JITRUN_DTYPE_S32, sizes, 1, &view));
  attempt.args[1] = view;
  expect_refused(&attempt, JITRUN_INVALID_ARGUMENT,
                 "argument 1 has 12 bytes, and allocation 2 of entry 'main', "
                 "index {0} of parameter 1, takes 16");
  jitrun_buffer_release(view);
  expect_ok(jitrun_buffer_allocate(devices[0], JITRUN_DTYPE_S32, sizes + 1, 1,
                                   &large));
  expect_ok(jitrun_buffer_view(large, 8, JITRUN_DTYPE_S32, dims4, 1, &view));
  attempt.args[1] = view;
  expect_refused(&attempt, JITRUN_INVALID_ARGUMENT,
                 "argument 1, allocation 2 of entry 'main', index {0} of "
                 "parameter 1, is aligned to 8 bytes; parameters need 16");
  jitrun_buffer_release(view);
  jitrun_buffer_release(large);
  deinit_attempt(&attempt);
}

static void expect_no_executable(const char *program,
                                 const jitrun_constant_t *given, size_t count,
                                 jitrun_code_t code, const char *part) {
  jitrun_executable_t *executable = NULL;
  expect_error(load_text(program, given, count, &executable), code, part);
  assert_null(executable);
}

static void test_refused_constants(void **state) {
  (void)state;
  static const jitrun_constant_t bad[] = {{"weights", weights, 12},
                                          {"wights", weights, 16},
                                          {NULL, weights, 16},
                                          {"weights", NULL, 16}};
  expect_no_executable(text, NULL, 0, JITRUN_NOT_FOUND,
                       "nobody has constant 'weights', argument 3 of entry "
                       "'main': neither the program nor the options");
  expect_no_executable(text, bad, 1, JITRUN_INVALID_ARGUMENT,
                       "constant 'weights' has 12 bytes, and argument 3 of "
                       "entry 'main' takes 16");
  expect_no_executable(text, bad + 1, 1, JITRUN_INVALID_ARGUMENT,
                       "constant 'wights' is given, and no argument of entry "
                       "'main' has that name");
  expect_no_executable(text, bad + 2, 1, JITRUN_INVALID_ARGUMENT,
                       "constant 0 has no name, or no data");
  expect_no_executable(text, bad + 3, 1, JITRUN_INVALID_ARGUMENT,
                       "constant 0 has no name, or no data");
  expect_no_executable(text, NULL, 2, JITRUN_INVALID_ARGUMENT,
                       "2 constants are given, and their list is NULL");
  static const jitrun_constant_t twice[] = {{"weights", weights, 16},
                                            {"weights", weights, 16}};
  expect_no_executable(text, twice, 2, JITRUN_INVALID_ARGUMENT,
                       "constant 'weights' is given more than once");
}

static void test_refused_memory(void **state) {
  (void)state;
  static const struct {
    const char *program, *part;
  } cases[] = {
      {"func.func @main(%a: memref<8xi8> {jitrun.thread_local}) {\n"
       "  return\n}\n",
       "argument 0 of entry 'main' is memory of one thread alone"},
      {"func.func @main(%a: memref<24xi8> {lmhlo.output_index = []})\n"
       "    attributes {result_xla_shape = \"f32[2,3]{0,1}\"} {\n  return\n}\n",
       "output 0 of entry 'main' has a layout that is not row-major, and "
       "buffers have no other: f32[2,3]{0,1}"},
      {"func.func @main(%a: memref<24xi8> {lmhlo.output_index = []})\n"
       "    attributes {result_xla_shape = \"f32[<=6]\"} {\n  return\n}\n",
       "output 0 of entry 'main' has sizes that only the run tells: f32[<=6]"},
      {"func.func @main(%a: memref<4xi8> {lmhlo.output_index = []})\n"
       "    attributes {result_xla_shape =\n"
       "    \"f32[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
       "1,1,1]\"} {\n  return\n}\n",
       "output 0 of entry 'main' has rank 33, and buffers at most 32"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    expect_no_executable(cases[i].program, NULL, 0, JITRUN_UNIMPLEMENTED,
                         cases[i].part);
}

/// The device has 1 MiB.
static void test_no_room(void **state) {
  (void)state;
  static const char large[] =
      "func.func @main(%a: memref<16xi8> {lmhlo.params = 0,\n"
      "      lmhlo.output_index = [0], lmhlo.must_alias},\n"
      "    %o: memref<4xi8> {lmhlo.output_index = [1]},\n"
      "    %t: memref<2000000xi8>) {\n"
      "  return\n}\n";
  static const uint32_t first[] = {0};
  jitrun_executable_t *executable = NULL;
  expect_ok(load_text(large, NULL, 0, &executable));
  jitrun_buffer_t *arg = make_buffer(0, 1);
  jitrun_buffer_t *outputs[2] = {0};
  const jitrun_launch_t launch = {.args = &arg,
                                  .arg_count = 1,
                                  .donated = first,
                                  .donated_count = 1,
                                  .outputs = outputs,
                                  .output_count = 2};
  jitrun_error_t *error =
      jitrun_executable_execute(executable, &launch, 1, NULL);
  assert_non_null(error);
  assert_string_equal(jitrun_error_note_get(error, 0),
                      "while allocating argument 2 of entry 'main', temporary "
                      "memory");
  expect_error(error, JITRUN_RESOURCE_EXHAUSTED,
               "device host:0 has no room for 2000000 bytes: 20 are in use of "
               "a limit of 1048576; the largest buffers have 16, 4");
  expect_buffer(arg, 1, 1); // it is not donated
  assert_int_equal(bytes_in_use(0), 16);
  jitrun_buffer_release(arg);
  jitrun_executable_release(executable);
}

/// No outputs, those of an empty tuple, and a whole result that is an array.
static void test_shapes(void **state) {
  (void)state;
  static const struct {
    const char *program;
    size_t output_count;
  } cases[] = {
      {"func.func @main(%a: memref<4xi32> {lmhlo.params = 0}) {\n"
       "  return\n}\n",
       0},
      {"func.func @main(%a: memref<16xi8> {lmhlo.params = 0})\n"
       "    attributes {result_xla_shape = \"((), ((), ()))\"} {\n"
       "  return\n}\n",
       0},
      {"func.func @main(%a: memref<16xi8> {lmhlo.params = 0,\n"
       "    lmhlo.output_index = []})\n"
       "    attributes {result_xla_shape = \"s32[4]\"} {\n"
       "  return\n}\n",
       1},
      {"func.func @main(%a: memref<16xi8> {lmhlo.params = 0,\n"
       "    lmhlo.output_index = [0, 1, 0]})\n"
       "    attributes {result_xla_shape = \"(((), (s32[4], ())), ())\"} {\n"
       "  return\n}\n",
       1}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    jitrun_executable_t *executable = load(cases[i].program, NULL, 0);
    size_t count = cases[i].output_count;
    assert_int_equal(jitrun_executable_output_count(executable), count);
    jitrun_buffer_t *arg = make_buffer(0, 1);
    jitrun_buffer_t *output = NULL;
    const jitrun_launch_t launch = {.args = &arg,
                                    .arg_count = 1,
                                    .outputs = &output,
                                    .output_count = count};
    expect_ok(jitrun_executable_execute(executable, &launch, 1, NULL));
    if (count > 0)
      expect_buffer(output, 1, 1);
    jitrun_buffer_release(output);
    jitrun_buffer_release(arg);
    jitrun_executable_release(executable);
  }
}

/// The same memory, whoever runs the entry.
static void test_executors(void **state) {
  (void)state;
  static const char calls[] =
      "func.func private @copy(memref<16xi8>, memref<16xi8>) attributes {\n"
      "  rt.custom_call = \"xla.gpu.memcpy.d2d\"}\n"
      "func.func @main(%t: memref<16xi8>,\n"
      "    %o: memref<16xi8> {lmhlo.output_index = [0]},\n"
      "    %p: memref<16xi8> {lmhlo.output_index = [1], lmhlo.params = 0},\n"
      "    %c: memref<16xi8> {lmhlo.constant_name = \"weights\"})\n"
      "    attributes {rt.exported} {\n"
      "  call @copy(%t, %p) : (memref<16xi8>, memref<16xi8>) -> ()\n"
      "  call @copy(%p, %c) : (memref<16xi8>, memref<16xi8>) -> ()\n"
      "  call @copy(%o, %t) : (memref<16xi8>, memref<16xi8>) -> ()\n"
      "  return\n}\n";
  for (int i = JITRUN_EXECUTOR_JIT; i <= JITRUN_EXECUTOR_THUNKS; i++) {
    const jitrun_open_options_t open = {
        .size = sizeof open, .opt_level = -1, .executor = (jitrun_executor_t)i};
    const jitrun_executable_options_t options = {.size = sizeof options,
                                                 .open = &open,
                                                 .constants = constants,
                                                 .constant_count = 1};
    jitrun_executable_t *executable = NULL;
    expect_ok(jitrun_executable_load_memory(
        client, calls, strlen(calls), "test.mlir", &options, &executable));
    jitrun_buffer_t *arg = make_buffer(0, 1);
    jitrun_buffer_t *outputs[2] = {0};
    const jitrun_launch_t launch = {
        .args = &arg, .arg_count = 1, .outputs = outputs, .output_count = 2};
    expect_ok(jitrun_executable_execute(executable, &launch, 1, NULL));
    assert_int_equal(*(const int32_t *)address_of(outputs[0]), 1);
    assert_int_equal(*(const int32_t *)address_of(outputs[1]), 1000);
    expect_buffer(arg, 1, 1);
    jitrun_buffer_release(outputs[0]);
    jitrun_buffer_release(outputs[1]);
    jitrun_buffer_release(arg);
    jitrun_executable_release(executable);
  }
}

/// Makes an executable of an open program, and executes.
static void try_all(void *context) {
  struct attempt *attempt = context;
  const jitrun_executable_options_t options = {
      .size = sizeof options, .constants = constants, .constant_count = 2};
  jitrun_executable_t *executable = NULL;
  jitrun_error_t *error = jitrun_executable_create(
      client, jitrun_executable_program(attempt->executable), &options,
      &executable);
  if (!error)
    error = jitrun_executable_execute(executable, &attempt->launch, 1, NULL);
  if (error)
    assert_int_equal(jitrun_error_code(error), JITRUN_RESOURCE_EXHAUSTED);
  jitrun_error_free(error);
  for (int i = 0; i < 2; i++) {
    jitrun_buffer_release(attempt->outputs[i]);
    attempt->outputs[i] = NULL;
  }
  jitrun_executable_release(executable);
}

static void test_no_memory(void **state) {
  (void)state;
  struct attempt attempt;
  init_attempt(&attempt);
  sweep_allocations(try_all, &attempt);
  deinit_attempt(&attempt);
}

int main(void) {
#define TEST(name)                                                             \
  cmocka_unit_test_setup_teardown(name, open_client, close_client)
  const struct CMUnitTest tests[] = {TEST(test_what_is_asked),
                                     TEST(test_executions),
                                     TEST(test_images),
                                     TEST(test_refused_arguments),
                                     TEST(test_refused_constants),
                                     TEST(test_refused_memory),
                                     TEST(test_no_room),
                                     TEST(test_shapes),
                                     TEST(test_executors),
                                     TEST(test_no_memory)};
#undef TEST
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
