/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Running programs: values in and out, what is refused before anything runs,
/// errors on the way, native code, and many threads at once.
#include "expect.h"
#include "sample_run.h"

#include <pthread.h>

static void test_run(void **state) {
  struct fixture *fixture = *state;
  expect_ok(run(fixture, NULL));
  expect_results(fixture);
  for (int i = 0; i < 8; i++)
    assert_true(fixture->b[i] == (float)i + (i < 4 ? 14.0f : 0.0f));
  assert_int_equal(sample_calls.executed, 3);
  assert_int_equal(sample_calls.prepared, 1);
  assert_int_equal(sample_calls.initialized, 1);
}

/// The same context again, with other memory and sizes.
static void test_run_again(void **state) {
  struct fixture *fixture = *state;
  expect_ok(run(fixture, NULL));
  int32_t other[6] = {10, 20, 30, 40, 50, 60};
  int64_t strides[] = {2};
  _Alignas(16) float spread[6] = {0};
  fixture->args[0].data = other;
  fixture->args[1].data = spread;
  fixture->args[1].strides = strides;
  fixture->vector[0] = 3;
  fixture->n = -1;
  expect_ok(run(fixture, NULL));
  for (int i = 0; i < 6; i++) {
    assert_int_equal(fixture->result[i], other[i] * -2);
    assert_int_equal(fixture->copied[i], other[i]);
    assert_true(spread[i] == (i % 2 ? 0.0f : -7.0f));
  }
  assert_int_equal(sample_calls.prepared, 1);
  assert_int_equal(sample_calls.initialized, 2);
}

static void test_empty_vector(void **state) {
  struct fixture *fixture = *state;
  fixture->vector[0] = 0;
  fixture->args[1].data = NULL;
  expect_ok(run(fixture, NULL));
  expect_results(fixture);
}

static void test_bad_counts(void **state) {
  struct fixture *fixture = *state;
  jitrun_program_t *program = fixture->program;
  const jitrun_entry_t *entry = jitrun_program_entry_get(program, 0);
  expect_error(jitrun_program_run(program, entry, fixture->args, 1,
                                  fixture->results, 2, NULL),
               JITRUN_INVALID_ARGUMENT,
               "entry 'main' takes 3 arguments: (2x3xi32, ?xf32, strides "
               "[?], i64) -> "
               "(2x3xi32, 2x3xi32); 1 was given");
  expect_error(
      jitrun_program_run(program, entry, fixture->args, 3, NULL, 0, NULL),
      JITRUN_INVALID_ARGUMENT, "returns 2 results");
  expect_error(jitrun_program_run(program, entry + 2, NULL, 0, NULL, 0, NULL),
               JITRUN_INVALID_ARGUMENT, "not one of this program");
  assert_int_equal(sample_calls.prepared, 0);
}

static void test_bad_types(void **state) {
  struct fixture *fixture = *state;
  int64_t many[70] = {0};
  int64_t strides[2] = {4, 1};
  fixture->args[0].dtype = JITRUN_DTYPE_F32;
  expect_error(run(fixture, NULL), JITRUN_INVALID_ARGUMENT,
               "argument 0 of entry 'main' is 2x3xf32, 2x3xi32 is needed: the "
               "element type differs");
  reset_values(fixture);
  fixture->matrix[1] = 4;
  expect_error(run(fixture, NULL), JITRUN_INVALID_ARGUMENT, "size 1 is 4");
  reset_values(fixture);
  fixture->vector[0] = -1;
  expect_error(run(fixture, NULL), JITRUN_INVALID_ARGUMENT, "size 0 is -1");
  reset_values(fixture);
  fixture->args[0].strides = strides;
  expect_error(run(fixture, NULL), JITRUN_INVALID_ARGUMENT, "stride 0 is 4");
  reset_values(fixture);
  strides[0] = -1;
  fixture->args[1].strides = strides;
  expect_error(run(fixture, NULL), JITRUN_INVALID_ARGUMENT, "stride 0 is -1");
  reset_values(fixture);
  fixture->args[0].rank = 70;
  fixture->args[0].dims = many;
  expect_error(run(fixture, NULL), JITRUN_INVALID_ARGUMENT, "is of rank 70");
  fixture->args[0].rank = 1;
  expect_error(run(fixture, NULL), JITRUN_INVALID_ARGUMENT, "rank differs");
  fixture->args[0].dims = NULL;
  expect_error(run(fixture, NULL), JITRUN_INVALID_ARGUMENT, "sizes are NULL");
  reset_values(fixture);
  fixture->results[1].dtype = JITRUN_DTYPE_INVALID;
  expect_error(run(fixture, NULL), JITRUN_INVALID_ARGUMENT,
               "result 1 of entry 'main'");
  reset_values(fixture);
  fixture->vector[0] = INT64_MAX;
  expect_error(run(fixture, NULL), JITRUN_INVALID_ARGUMENT, "2^63");
  assert_int_equal(sample_calls.executed, 0);
}

static void test_bad_memory(void **state) {
  struct fixture *fixture = *state;
  fixture->args[2].data = NULL;
  expect_error(run(fixture, NULL), JITRUN_INVALID_ARGUMENT,
               "argument 2 of entry 'main' is i64, i64 is needed: its data is "
               "NULL");
  reset_values(fixture);
  fixture->args[1].data = fixture->b + 1;
  expect_error(run(fixture, NULL), JITRUN_INVALID_ARGUMENT,
               "aligned to 4 bytes; 16 are needed");
  reset_values(fixture);
  fixture->results[0].data = fixture->a + 5;
  fixture->results[1].data = fixture->a + 5;
  expect_error(run(fixture, NULL), JITRUN_INVALID_ARGUMENT, "overlaps");
  reset_values(fixture);
  fixture->results[1].data = fixture->result;
  expect_error(run(fixture, NULL), JITRUN_INVALID_ARGUMENT, "overlaps result");
  reset_values(fixture);
  fixture->args[1].data = fixture->b;
  fixture->args[0].data = fixture->b; // arguments may
  expect_ok(run(fixture, NULL));
}

static void test_handler_error(void **state) {
  struct fixture *fixture = *state;
  static const char *const stages[] = {"prepare", "initialize", "execute"};
  static const char *const notes[] = {
      "while preparing custom call 'test.copy'",
      "while initializing custom call 'test.copy'",
      "in custom call 'test.copy'"};
  for (size_t i = 0; i < 3; i++) {
    sample_calls.fail_stage = stages[i];
    jitrun_error_t *err = run(fixture, NULL);
    assert_string_equal(jitrun_error_location(err), "sample.mlir:3:5");
    assert_string_equal(jitrun_error_note_get(err, 0), notes[i]);
    assert_string_equal(jitrun_error_note_get(err, 1),
                        "while running entry 'main'");
    expect_error(err, JITRUN_ABORTED, "as asked");
  }
  sample_calls.fail_stage = NULL;
  expect_ok(run(fixture, NULL));
  expect_results(fixture);
}

static void test_refused_thunks(void **state) {
  struct fixture *fixture = *state;
  int32_t value = 1;
  const jitrun_tensor_t scalar = {.dtype = JITRUN_DTYPE_S32, .data = &value};
  jitrun_error_t *err = jitrun_program_run(
      fixture->program, jitrun_program_entry_get(fixture->program, 1), &scalar,
      1, &scalar, 1, NULL);
  assert_string_equal(jitrun_error_location(err), "sample.mlir:8:1");
  expect_error(err, JITRUN_UNIMPLEMENTED, "it returns a scalar");
}

static void keep_text(void *context, const char *text, size_t size) {
  jr_bytes_append(context, text, size);
}

static void test_options(void **state) {
  struct fixture *fixture = *state;
  struct jr_bytes printed = {0};
  volatile uint64_t site = 5;
  volatile int32_t cancel = 0;
  jitrun_run_options_t options = {.size = sizeof options,
                                  .print = keep_text,
                                  .print_context = &printed,
                                  .current_site = &site,
                                  .cancel = &cancel};
  sample_calls.text = "hello\n";
  sample_calls.scratch_bytes = 1000;
  expect_ok(run(fixture, &options));
  assert_int_equal(site, JITRUN_NO_SITE);
  assert_string_equal(jr_bytes_text(&printed), "hello\n");
  jr_bytes_deinit(&printed);
  expect_ok(run(fixture, NULL)); // nothing of them is left
  assert_int_equal(printed.size, 0);
  cancel = 1;
  expect_error(run(fixture, &options), JITRUN_CANCELLED, "asked to stop");
  options.size = 0;
  expect_error(run(fixture, &options), JITRUN_INVALID_ARGUMENT, "size 0");
}

// Native code, as functions of this test.

static jitrun_error_t *code_main(struct jr_exec *exec) {
  assert_int_equal(exec->scalars[0], 4); // size and stride of b
  assert_int_equal(exec->scalars[1], 1);
  assert_int_equal(exec->scalars[2], 2);
  return exec->functions->run(exec, 0, 3);
}

static jitrun_error_t *code_scalar(struct jr_exec *exec) {
  struct jr_slot *slot = &exec->slots[SAMPLE_SITE_NEXT];
  jitrun_arg_t *args = jitrun_call_args(slot->frame);
  args[0].value.s32 = (int32_t)exec->scalars[0];
  *exec->current_site = SAMPLE_SITE_NEXT;
  JITRUN_TRY(slot->handler(slot->frame));
  exec->results[0] = (uint32_t)args[1].value.s32;
  return NULL;
}

static jitrun_error_t *code_fail(struct jr_exec *exec) {
  *exec->current_site = SAMPLE_SITE_NEXT;
  return (exec->functions->fail)(exec, 0); // fail() is a macro of cmocka
}

static jitrun_error_t *code_alloc(struct jr_exec *exec) {
  static const int64_t dims[] = {3, 5};
  static const int64_t huge[] = {INT64_MAX, 4};
  static const int64_t empty[] = {INT64_MAX, 4, 0};
  static const int64_t negative[] = {3, -5};
  const struct jr_exec_functions *functions = exec->functions;
  void *data[3];
  void *none;
  JITRUN_TRY(functions->alloc(exec, 4, dims, 2, 256, &data[0]));
  JITRUN_TRY(functions->alloc(exec, 4, empty, 3, 8, &data[1]));
  JITRUN_TRY(functions->alloc(exec, 4, dims, 0, 8, &data[2]));
  assert_int_equal((uintptr_t)data[0] % 256, 0);
  memset(data[0], 1, 60);
  functions->free(exec, data[1]);
  functions->free(exec, NULL);
  functions->free(exec, &none);
  expect_error(functions->alloc(exec, 4, huge, 2, 8, &none),
               JITRUN_OUT_OF_RANGE, "2^63");
  assert_null(none);
  return functions->alloc(exec, 4, negative, 2, 8, &none);
}

static jitrun_error_t *run_scalar(struct fixture *fixture, jr_entry_fn_t code,
                                  int32_t *value) {
  jitrun_program_t *program;
  set_code(&fixture->sample, SAMPLE_MAIN, code_main);
  set_code(&fixture->sample, SAMPLE_SCALAR, code);
  expect_ok(open_sample(&fixture->sample, fixture->registry,
                        JITRUN_EXECUTOR_JIT, &program));
  const jitrun_tensor_t scalar = {.dtype = JITRUN_DTYPE_S32, .data = value};
  jitrun_error_t *err =
      jitrun_program_run(program, jitrun_program_entry_get(program, 1), &scalar,
                         1, &scalar, 1, NULL);
  jitrun_program_release(program);
  return err;
}

static void test_native(void **state) {
  struct fixture *fixture = *state;
  int32_t value = -42;
  expect_ok(run_scalar(fixture, code_scalar, &value));
  assert_int_equal(value, -41);
  jitrun_error_t *err = run_scalar(fixture, code_fail, &value);
  assert_string_equal(jitrun_error_location(err), "sample.mlir:10:2");
  assert_int_equal(jitrun_error_note_count(err), 1);
  expect_error(err, JITRUN_FAILED_PRECONDITION, "assertion failed: x is small");
  expect_error(run_scalar(fixture, code_alloc, &value), JITRUN_OUT_OF_RANGE,
               "negative size");
  jitrun_program_release(fixture->program);
  expect_ok(open_sample(&fixture->sample, fixture->registry,
                        JITRUN_EXECUTOR_JIT, &fixture->program));
  expect_ok(run(fixture, NULL));
  expect_results(fixture);
}

enum { THREAD_COUNT = 8, RUN_COUNT = 200 };

/// Runs in a thread, where cmocka's checks may not be used; NULL when all went
/// well.
static void *run_often(void *program) {
  struct fixture fixture = {.program = program};
  for (int i = 0; i < RUN_COUNT; i++) {
    reset_values(&fixture);
    for (int k = 0; k < 6; k++)
      fixture.a[k] = i + k;
    jitrun_error_t *err = run(&fixture, NULL);
    if (err) {
      jitrun_error_free(err);
      return program;
    }
    for (int k = 0; k < 6; k++) {
      if (fixture.result[k] != -2 * (i + k) || fixture.copied[k] != i + k)
        return program;
    }
  }
  return NULL;
}

static void test_threads(void **state) {
  struct fixture *fixture = *state;
  pthread_t threads[THREAD_COUNT];
  sample_calls.scratch_bytes = 100;
  for (int i = 0; i < THREAD_COUNT; i++)
    assert_int_equal(
        pthread_create(&threads[i], NULL, run_often, fixture->program), 0);
  for (int i = 0; i < THREAD_COUNT; i++) {
    void *failed = NULL;
    assert_int_equal(pthread_join(threads[i], &failed), 0);
    assert_null(failed);
  }
  assert_int_equal(sample_calls.initialized, THREAD_COUNT * RUN_COUNT);
  assert_in_range(sample_calls.prepared, 1, THREAD_COUNT);
}

static void run_without_memory(void *context) {
  struct fixture *fixture = context;
  jitrun_program_t *program = NULL;
  reset_values(fixture);
  jitrun_error_t *err = open_sample(&fixture->sample, fixture->registry,
                                    JITRUN_EXECUTOR_AUTO, &program);
  if (!err)
    err = jitrun_program_run(program, jitrun_program_entry_get(program, 0),
                             fixture->args, 3, fixture->results, 2, NULL);
  if (err)
    assert_int_equal(jitrun_error_code(err), JITRUN_RESOURCE_EXHAUSTED);
  else
    expect_results(fixture);
  jitrun_error_free(err);
  jitrun_program_release(program);
}

static void test_no_memory(void **state) {
  sample_calls.scratch_bytes = 100;
  sweep_allocations(run_without_memory, *state);
}

static void test_no_pointers(void **state) {
  struct fixture *fixture = *state;
  jitrun_program_t *program;
  expect_error(jitrun_program_run(NULL, NULL, NULL, 0, NULL, 0, NULL),
               JITRUN_INVALID_ARGUMENT, "one of them is NULL");
  expect_error(
      jitrun_program_run(fixture->program, NULL, NULL, 3, NULL, 0, NULL),
      JITRUN_INVALID_ARGUMENT, "one of them is NULL");
  expect_error(jitrun_program_open_file(NULL, NULL, &program),
               JITRUN_INVALID_ARGUMENT, "path");
}

static void test_cancelled_before(void **state) {
  struct fixture *fixture = *state;
  const int32_t cancel = 1;
  const jitrun_run_options_t options = {.size = sizeof options,
                                        .cancel = &cancel};
  expect_error(jitrun_program_run(fixture->program,
                                  jitrun_program_entry_get(fixture->program, 0),
                                  fixture->args, 3, fixture->results, 2,
                                  &options),
               JITRUN_CANCELLED, "asked to stop");
  assert_int_equal(sample_calls.initialized, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_run),           TEST(test_run_again),
      TEST(test_empty_vector),  TEST(test_bad_counts),
      TEST(test_bad_types),     TEST(test_bad_memory),
      TEST(test_handler_error), TEST(test_refused_thunks),
      TEST(test_options),       TEST(test_native),
      TEST(test_threads),       TEST(test_no_memory),
      TEST(test_no_pointers),   TEST(test_cancelled_before),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
