/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Whose memory outputs have: every combination of two parameters that are
/// outputs, by how they alias, whether they are donated, who else has their
/// memory, and in which order all outputs stand.
#include "client_programs.h"

#include <stdio.h>

enum alias { MAY, MUST, UNTOUCHED, ALIAS_COUNT };
enum owner { ALONE, HANDLE, LENDER, OWNER_COUNT };

/// Of three outputs.
static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                 {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

/// `a` and `b` grow by 1 and 10 if they are touched; `sum` is both.
static void write_program(const enum alias aliases[2], const int order[3],
                          char *text, size_t size) {
  static const char *const attrs[] = {[MAY] = "lmhlo.may_alias",
                                      [MUST] = "lmhlo.must_alias",
                                      [UNTOUCHED] = "jitrun.may_alias"};
  static const char add_a[] =
      "  %va = memref.view %a[%c0][] : memref<16xi8> to memref<4xi32>\n"
      "  func.call @add(%va, %one) : (memref<4xi32>, i32) -> ()\n"
      "  func.call @sum(%va, %vs) : (memref<4xi32>, memref<4xi32>) -> ()\n";
  static const char add_b[] =
      "  %vb = memref.view %b[%c0][] : memref<16xi8> to memref<4xi32>\n"
      "  func.call @add(%vb, %ten) : (memref<4xi32>, i32) -> ()\n"
      "  func.call @sum(%vb, %vs) : (memref<4xi32>, memref<4xi32>) -> ()\n";
  static const char helpers[] =
      "func.func private @add(%m: memref<4xi32>, %n: i32) {\n"
      "  affine.for %i = 0 to 4 {\n"
      "    %x = memref.load %m[%i] : memref<4xi32>\n"
      "    %y = arith.addi %x, %n : i32\n"
      "    memref.store %y, %m[%i] : memref<4xi32>\n"
      "  }\n"
      "  return\n"
      "}\n"
      "func.func private @sum(%m: memref<4xi32>, %s: memref<4xi32>) {\n"
      "  affine.for %i = 0 to 4 {\n"
      "    %x = memref.load %m[%i] : memref<4xi32>\n"
      "    %y = memref.load %s[%i] : memref<4xi32>\n"
      "    %z = arith.addi %x, %y : i32\n"
      "    memref.store %z, %s[%i] : memref<4xi32>\n"
      "  }\n"
      "  return\n"
      "}\n";
  int count = snprintf(
      text, size,
      "func.func @main(\n"
      "    %%a: memref<16xi8> {lmhlo.params = 0 : index, %s,\n"
      "        lmhlo.output_index = dense<%d> : tensor<1xindex>},\n"
      "    %%b: memref<16xi8> {lmhlo.params = 1 : index, %s,\n"
      "        lmhlo.output_index = dense<%d> : tensor<1xindex>},\n"
      "    %%s: memref<16xi8> {\n"
      "        lmhlo.output_index = dense<%d> : tensor<1xindex>}) attributes "
      "{\n"
      "    rt.exported, result_xla_shape = \"(s32[4], s32[4], s32[4])\"} {\n"
      "  %%c0 = arith.constant 0 : index\n"
      "  %%zero = arith.constant 0 : i32\n"
      "  %%one = arith.constant 1 : i32\n"
      "  %%ten = arith.constant 10 : i32\n"
      "  %%vs = memref.view %%s[%%c0][] : memref<16xi8> to memref<4xi32>\n"
      "  linalg.fill ins(%%zero : i32) outs(%%vs : memref<4xi32>)\n"
      "%s%s  return\n"
      "}\n%s",
      attrs[aliases[0]], order[0], attrs[aliases[1]], order[1], order[2],
      aliases[0] == UNTOUCHED ? "" : add_a,
      aliases[1] == UNTOUCHED ? "" : add_b, helpers);
  assert_true(count > 0 && (size_t)count < size);
}

/// One of the two arguments.
struct argument {
  _Alignas(64) int32_t values[4];
  jitrun_buffer_t *buffer, *other;
  const void *address;
  enum alias alias;
  enum owner owner;
  int release_count;
  bool is_donated;
};

static void note_release(void *context) {
  ++*(int *)context;
}

static void make_argument(struct argument *argument, int32_t first) {
  for (int32_t i = 0; i < 4; i++)
    argument->values[i] = first + i;
  argument->release_count = 0;
  argument->other = NULL;
  const jitrun_tensor_t tensor = {.dtype = JITRUN_DTYPE_S32,
                                  .rank = 1,
                                  .dims = dims4,
                                  .data = argument->values};
  expect_ok(jitrun_buffer_from_host(
      devices[0], &tensor,
      argument->owner == LENDER ? JITRUN_HOST_BORROW : JITRUN_HOST_COPY_NOW,
      note_release, &argument->release_count, &argument->buffer));
  argument->address = address_of(argument->buffer);
  if (argument->owner == HANDLE)
    expect_ok(
        jitrun_buffer_copy_to(argument->buffer, devices[0], &argument->other));
}

/// What was not given away, and what others have, stays as it was.
static void expect_kept(const struct argument *argument, int32_t first) {
  if (!jitrun_buffer_is_deleted(argument->buffer))
    expect_buffer(argument->buffer, first, 1);
  if (argument->other)
    expect_buffer(argument->other, first, 1);
  for (int32_t i = 0; i < 4; i++)
    assert_int_equal(argument->values[i], first + i);
}

static void free_argument(struct argument *argument) {
  jitrun_buffer_release(argument->buffer);
  jitrun_buffer_release(argument->other);
  assert_int_equal(argument->release_count, 1);
}

/// The code of the error that there has to be; OK: none.
static jitrun_code_t wanted_code(const struct argument arguments[2]) {
  for (int i = 0; i < 2; i++) {
    if (arguments[i].alias == MUST && !arguments[i].is_donated)
      return JITRUN_INVALID_ARGUMENT;
  }
  for (int i = 0; i < 2; i++) {
    if (arguments[i].alias == MUST && arguments[i].owner != ALONE)
      return JITRUN_FAILED_PRECONDITION;
  }
  return JITRUN_OK;
}

static void expect_output(jitrun_buffer_t *output,
                          const struct argument *argument, int32_t first,
                          int32_t step) {
  bool is_touched = argument->alias != UNTOUCHED;
  bool is_in_place =
      !is_touched || (argument->is_donated && argument->owner == ALONE);
  expect_buffer(output, first + (is_touched ? step : 0), 1);
  assert_int_equal(address_of(output) == argument->address, is_in_place);
  assert_int_equal(jitrun_buffer_is_deleted(argument->buffer),
                   argument->is_donated);
}

static void try_combination(jitrun_executable_t *executable,
                            struct argument arguments[2], const int order[3]) {
  uint32_t donated[2];
  jitrun_buffer_t *outputs[3] = {0};
  jitrun_launch_t launch = {
      .donated = donated, .outputs = outputs, .output_count = 3};
  make_argument(&arguments[0], 100);
  make_argument(&arguments[1], 500);
  jitrun_buffer_t *const args[] = {arguments[0].buffer, arguments[1].buffer};
  launch.args = args;
  launch.arg_count = 2;
  for (uint32_t i = 0; i < 2; i++) {
    if (arguments[i].is_donated)
      donated[launch.donated_count++] = i;
  }
  jitrun_code_t code = wanted_code(arguments);
  jitrun_error_t *error =
      jitrun_executable_execute(executable, &launch, 1, NULL);
  if (code != JITRUN_OK) {
    expect_error(error, code, "must alias an output of entry 'main', and");
    assert_false(jitrun_buffer_is_deleted(args[0]));
    assert_false(jitrun_buffer_is_deleted(args[1]));
    assert_null(outputs[0]);
  } else {
    expect_ok(error);
    int32_t sum = arguments[0].alias == UNTOUCHED ? 0 : 101;
    sum += arguments[1].alias == UNTOUCHED ? 0 : 510;
    int32_t step = (sum > 0) + (sum == 611);
    expect_output(outputs[order[0]], &arguments[0], 100, 1);
    expect_output(outputs[order[1]], &arguments[1], 500, 10);
    expect_buffer(outputs[order[2]], sum, step);
  }
  expect_kept(&arguments[0], 100);
  expect_kept(&arguments[1], 500);
  for (int i = 0; i < 3; i++)
    jitrun_buffer_release(outputs[i]);
  free_argument(&arguments[0]);
  free_argument(&arguments[1]);
  assert_int_equal(bytes_in_use(0), 0);
}

/// Every owner and donation of both arguments.
static void try_program(const enum alias aliases[2], const int order[3]) {
  char text[4096];
  write_program(aliases, order, text, sizeof text);
  jitrun_executable_t *executable = load(text, NULL, 0);
  for (int i = 0; i < 36; i++) {
    struct argument arguments[2] = {{.alias = aliases[0],
                                     .owner = (enum owner)(i % 3),
                                     .is_donated = i / 9 % 2},
                                    {.alias = aliases[1],
                                     .owner = (enum owner)(i / 3 % 3),
                                     .is_donated = i / 18 % 2}};
    try_combination(executable, arguments, order);
  }
  jitrun_executable_release(executable);
}

static void test_combinations(void **state) {
  (void)state;
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < ALIAS_COUNT * ALIAS_COUNT; k++) {
      const enum alias aliases[] = {(enum alias)(k % ALIAS_COUNT),
                                    (enum alias)(k / ALIAS_COUNT)};
      try_program(aliases, orders[i]);
    }
  }
}

/// One value under several results, an argument and a constant among them: each
/// is a buffer of its own.
static void test_returned_twice(void **state) {
  (void)state;
  static const char text[] =
      "memref.global \"private\" constant @c : memref<4xi32> = "
      "dense<[7, 8, 9, 10]>\n"
      "func.func @main(%a: memref<4xi32>) -> (memref<4xi32>, memref<4xi32>,\n"
      "    memref<4xi32>, memref<4xi32>, memref<4xi32>) {\n"
      "  %c = memref.get_global @c : memref<4xi32>\n"
      "  %r = memref.alloc() : memref<4xi32>\n"
      "  memref.copy %c, %r : memref<4xi32> to memref<4xi32>\n"
      "  return %r, %a, %r, %c, %a : memref<4xi32>, memref<4xi32>,\n"
      "    memref<4xi32>, memref<4xi32>, memref<4xi32>\n"
      "}\n";
  static const uint32_t first[] = {0};
  jitrun_executable_t *executable = load(text, NULL, 0);
  for (size_t donated = 0; donated < 2; donated++) {
    jitrun_buffer_t *arg = make_buffer(0, 1);
    jitrun_buffer_t *outputs[5] = {0};
    const jitrun_launch_t launch = {.args = &arg,
                                    .arg_count = 1,
                                    .donated = first,
                                    .donated_count = donated,
                                    .outputs = outputs,
                                    .output_count = 5};
    expect_ok(jitrun_executable_execute(executable, &launch, 1, NULL));
    assert_int_equal(jitrun_buffer_is_deleted(arg), donated);
    jitrun_buffer_release(arg);
    static const int32_t values[] = {7, 1, 7, 7, 1};
    for (int i = 0; i < 5; i++) {
      expect_buffer(outputs[i], values[i], 1);
      for (int k = 0; k < i; k++)
        assert_ptr_not_equal(address_of(outputs[i]), address_of(outputs[k]));
    }
    for (int i = 0; i < 5; i++)
      jitrun_buffer_release(outputs[i]);
  }
  jitrun_executable_release(executable);
}

/// An execution that fails gives up its outputs, and with them nothing that is
/// an argument's: what was not donated, and what others have of it, is there.
static void test_failure(void **state) {
  (void)state;
  static const char text[] =
      "func.func private @fail(memref<16xi8>) attributes {\n"
      "  rt.custom_call = \"jitrun.fail\", message = \"out of cheese\", code = "
      "13 : i32}\n"
      "func.func @main(%a: memref<16xi8> {lmhlo.params = 0,\n"
      "      lmhlo.output_index = [0]},\n"
      "    %b: memref<16xi8> {lmhlo.params = 1, lmhlo.output_index = [1]},\n"
      "    %c: memref<16xi8> {lmhlo.params = 2, lmhlo.output_index = [2],\n"
      "      lmhlo.must_alias},\n"
      "    %d: memref<16xi8> {lmhlo.output_index = [3]})\n"
      "    attributes {rt.exported} {\n"
      "  call @fail(%b) : (memref<16xi8>) -> ()\n"
      "  call @fail(%c) : (memref<16xi8>) -> ()\n"
      "  return\n"
      "}\n";
  static const uint32_t last[] = {2};
  jitrun_executable_t *executable = load(text, NULL, 0);
  jitrun_buffer_t *args[3];
  jitrun_buffer_t *outputs[4] = {0};
  for (int i = 0; i < 3; i++)
    args[i] = make_buffer(0, 100 * i);
  const jitrun_launch_t launch = {.args = args,
                                  .arg_count = 3,
                                  .donated = last,
                                  .donated_count = 1,
                                  .outputs = outputs,
                                  .output_count = 4};
  expect_error(jitrun_executable_execute(executable, &launch, 1, NULL),
               JITRUN_INTERNAL, "out of cheese");
  assert_null(outputs[0]);
  assert_int_equal(bytes_in_use(0), 32);
  expect_buffer(args[0], 0, 1);
  expect_buffer(args[1], 100, 1);
  assert_true(jitrun_buffer_is_deleted(args[2]));
  // Later, the outputs are there and have the error.
  const jitrun_execute_options_t options = {.size = sizeof options,
                                            .is_async = true};
  jitrun_buffer_release(args[2]);
  args[2] = make_buffer(0, 200);
  expect_ok(jitrun_executable_execute(executable, &launch, 1, &options));
  for (int i = 0; i < 4; i++) {
    expect_error(jitrun_buffer_wait(outputs[i], -1), JITRUN_INTERNAL,
                 "out of cheese");
    jitrun_buffer_release(outputs[i]);
  }
  expect_buffer(args[0], 0, 1);
  expect_buffer(args[1], 100, 1);
  for (int i = 0; i < 3; i++)
    jitrun_buffer_release(args[i]);
  jitrun_executable_release(executable);
}

/// An output that nobody touched is the argument's memory: deleting the
/// argument leaves it, and donating it later leaves the argument.
static void test_untouched(void **state) {
  (void)state;
  static const char text[] =
      "func.func @main(%a: memref<4xi32> {jitrun.output}) {\n"
      "  return\n"
      "}\n";
  static const uint32_t first[] = {0};
  jitrun_executable_t *untouched = load(text, NULL, 0);
  jitrun_executable_t *in_place = load(add_text, "in_place", 0);
  jitrun_buffer_t *arg = make_buffer(0, 1);
  jitrun_buffer_t *scalar = make_scalar(0, 5);
  jitrun_buffer_t *output = NULL;
  jitrun_launch_t launch = {
      .args = &arg, .arg_count = 1, .outputs = &output, .output_count = 1};
  expect_ok(jitrun_executable_execute(untouched, &launch, 1, NULL));
  assert_ptr_equal(address_of(output), address_of(arg));
  jitrun_buffer_t *const both[] = {output, scalar};
  jitrun_buffer_t *sum = NULL;
  const jitrun_launch_t next = {.args = both,
                                .arg_count = 2,
                                .donated = first,
                                .donated_count = 1,
                                .outputs = &sum,
                                .output_count = 1};
  expect_ok(jitrun_executable_execute(in_place, &next, 1, NULL));
  expect_buffer(sum, 6, 1);
  expect_buffer(arg, 1, 1);
  jitrun_buffer_release(output);
  expect_ok(jitrun_executable_execute(untouched, &launch, 1, NULL));
  jitrun_buffer_delete(arg);
  expect_buffer(output, 1, 1);
  jitrun_buffer_release(output);
  jitrun_buffer_release(sum);
  jitrun_buffer_release(arg);
  jitrun_buffer_release(scalar);
  jitrun_executable_release(untouched);
  jitrun_executable_release(in_place);
}

/// What is given away while the worker is not done with it is still written to
/// in place, by an execution that is behind it there; not by one elsewhere.
static void test_pipeline(void **state) {
  (void)state;
  static const uint32_t first[] = {0};
  const jitrun_execute_options_t later = {.size = sizeof later,
                                          .is_async = true};
  jitrun_executable_t *sleep = load(call_text, "sleep_main", 0);
  jitrun_executable_t *in_place = load(add_text, "in_place", 0);
  jitrun_buffer_t *scalar = make_scalar(0, 5);
  for (int is_inline = 0; is_inline < 2; is_inline++) {
    jitrun_buffer_t *buffers[5] = {make_buffer(0, 1)};
    const void *address = address_of(buffers[0]);
    for (int i = 0; i < 4; i++) {
      jitrun_buffer_t *const args[] = {buffers[i], scalar};
      const jitrun_launch_t launch = {.args = args,
                                      .arg_count = i ? 2 : 1,
                                      .donated = first,
                                      .donated_count = 1,
                                      .outputs = &buffers[i + 1],
                                      .output_count = 1};
      expect_ok(jitrun_executable_execute(i ? in_place : sleep, &launch, 1,
                                          is_inline && i == 3 ? NULL : &later));
      if (i < 3)
        assert_int_equal(bytes_in_use(0), 16 + 4);
    }
    expect_buffer(buffers[4], 16, 1);
    if (!is_inline)
      assert_ptr_equal(address_of(buffers[4]), address);
    for (int i = 0; i < 5; i++)
      jitrun_buffer_release(buffers[i]);
  }
  jitrun_buffer_release(scalar);
  jitrun_executable_release(sleep);
  jitrun_executable_release(in_place);
}

int main(void) {
#define TEST(name)                                                             \
  cmocka_unit_test_setup_teardown(name, open_client, close_client)
  const struct CMUnitTest tests[] = {
      TEST(test_combinations), TEST(test_returned_twice), TEST(test_failure),
      TEST(test_untouched), TEST(test_pipeline)};
#undef TEST
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
