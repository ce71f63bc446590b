/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What handlers ask of the runtime beyond their frame: user data, states,
/// diagnostics, other entries. Asked in every stage of a call of the sample.
#include "sample_run.h"

#include <stdio.h>

/// What the hook of a test has seen; one test at a time.
static struct seen {
  void *found;
  int created, destroyed;
  int64_t order[8];         ///< of destruction, one a state
  int64_t first;            ///< of the states of this execution
  uint32_t entry;           ///< for run_entry
  volatile int32_t *cancel; ///< set before it, if any
  int depth, limit;         ///< of entries that run each other
  struct jr_bytes text;
} seen;

static int begin(void **state) {
  seen = (struct seen){0};
  return set_up(state);
}

static int end(void **state) {
  jr_bytes_deinit(&seen.text);
  return tear_down(state);
}

static bool is_stage(const char *stage, const char *name) {
  return strcmp(stage, name) == 0;
}

static void keep_text(void *context, const char *text, size_t size) {
  (void)context;
  jr_bytes_append(&seen.text, text, size);
  jr_bytes_append_text(&seen.text, "|");
}

static void expect_note(const jitrun_error_t *err, size_t index,
                        const char *text) {
  const char *note = jitrun_error_note_get(err, index);
  assert_non_null(note);
  assert_string_equal(note, text);
}

// User data.

static jitrun_error_t *find_data(jitrun_call_t *call, const char *stage) {
  const jitrun_call_api_t *api = call->site->api;
  bool is_run = !is_stage(stage, "instantiate") && !is_stage(stage, "prepare");
  void *found = api->user_data(call, "test.b");
  seen.found = found;
  if ((found != NULL) != is_run || api->user_data(call, "test.none") ||
      api->user_data(call, NULL))
    return api->error(call, JITRUN_INTERNAL, stage, SIZE_MAX);
  return NULL;
}

/// JitRt's UserData: by name, while there is an execution.
static void test_user_data(void **state) {
  struct fixture *fixture = *state;
  int a = 0;
  int b = 0;
  const jitrun_user_data_t data[] = {
      {"test.a", &a}, {NULL, &a}, {"test.b", &b}};
  jitrun_run_options_t options = {
      .size = sizeof options, .user_data = data, .user_data_count = 3};
  sample_calls.hook = find_data;
  jitrun_program_release(fixture->program);
  expect_ok(open_sample(&fixture->sample, fixture->registry,
                        JITRUN_EXECUTOR_AUTO, &fixture->program));
  expect_ok(run(fixture, &options));
  assert_ptr_equal(seen.found, &b);
  options.user_data_count = 2;
  expect_error(run(fixture, &options), JITRUN_INTERNAL, "initialize");
  options.user_data = NULL;
  expect_error(run(fixture, &options), JITRUN_INVALID_ARGUMENT,
               "count 2 user data, but the array of them is NULL");
}

/// Options of callers that were built before user data was there.
static void test_older_options(void **state) {
  struct fixture *fixture = *state;
  int b = 0;
  const jitrun_user_data_t data = {"test.b", &b};
  jitrun_run_options_t options = {.size =
                                      offsetof(jitrun_run_options_t, user_data),
                                  .print = keep_text,
                                  .user_data = &data,
                                  .user_data_count = 1,
                                  .diagnostic = keep_text};
  sample_calls.text = "hello";
  sample_calls.hook = find_data;
  expect_error(run(fixture, &options), JITRUN_INTERNAL, "initialize");
  options.size = sizeof options;
  expect_ok(run(fixture, &options));
  options.size = offsetof(jitrun_run_options_t, user_data);
  sample_calls.hook = NULL;
  expect_ok(run(fixture, &options));
  assert_string_equal(jr_bytes_text(&seen.text), "hello|hello|");
}

// States.

static jitrun_error_t *make_state(const jitrun_call_t *call, void *context,
                                  void **out_state) {
  (void)call;
  (void)context;
  *out_state = &seen.order[seen.created++];
  return NULL;
}

static void destroy_state(void *state) {
  int64_t *order = state;
  *order = ++seen.destroyed;
}

static jitrun_state_key_t make_key(jitrun_scope_t scope, int64_t id) {
  return (jitrun_state_key_t){.size = sizeof(jitrun_state_key_t),
                              .scope = scope,
                              .name = "test.state",
                              .id = id,
                              .create = make_state,
                              .destroy = destroy_state};
}

static jitrun_error_t *get_program_state(jitrun_call_t *call,
                                         const char *stage) {
  (void)stage;
  const jitrun_state_key_t key = make_key(JITRUN_SCOPE_PROGRAM, 1);
  void *found = NULL;
  JITRUN_TRY(call->site->api->state(call, &key, &found));
  if (found != &seen.order[0])
    return call->site->api->error(call, JITRUN_INTERNAL, stage, SIZE_MAX);
  return NULL;
}

/// JitRt's CreateState: once per program, in whatever stage it is asked for.
static void test_program_state(void **state) {
  struct fixture *fixture = *state;
  jitrun_program_t *program = NULL;
  sample_calls.hook = get_program_state;
  expect_ok(open_sample(&fixture->sample, fixture->registry,
                        JITRUN_EXECUTOR_AUTO, &program));
  assert_int_equal(seen.created, 1);
  const jitrun_entry_t *entry = jitrun_program_entry_get(program, 0);
  for (int i = 0; i < 3; i++)
    expect_ok(jitrun_program_run(program, entry, fixture->args, 3,
                                 fixture->results, 2, NULL));
  assert_int_equal(seen.created, 1);
  assert_int_equal(seen.destroyed, 0);
  jitrun_program_release(program);
  assert_int_equal(seen.destroyed, 1);
  sample_calls.hook = NULL;
}

/// Each execution has its own; the last made goes first.
static jitrun_error_t *get_execution_states(jitrun_call_t *call,
                                            const char *stage) {
  for (int64_t id = 0; id < 3; id++) {
    const jitrun_state_key_t key = make_key(JITRUN_SCOPE_EXECUTION, id);
    void *found = NULL;
    JITRUN_TRY(call->site->api->state(call, &key, &found));
    if (found != &seen.order[seen.first + id])
      return call->site->api->error(call, JITRUN_INTERNAL, stage, SIZE_MAX);
  }
  return NULL;
}

static jitrun_error_t *get_while_running(jitrun_call_t *call,
                                         const char *stage) {
  return is_stage(stage, "prepare") ? NULL : get_execution_states(call, stage);
}

static void test_per_execution_state(void **state) {
  struct fixture *fixture = *state;
  sample_calls.hook = get_while_running;
  for (int i = 1; i <= 2; i++) {
    sample_calls.fail_stage = i == 2 ? "execute" : NULL;
    seen.first = 3 * ((int64_t)i - 1);
    jitrun_error_t *err = run(fixture, NULL);
    assert_int_equal(jitrun_error_code(err), i == 2 ? JITRUN_ABORTED : 0);
    jitrun_error_free(err);
    assert_int_equal(seen.created, 3 * i);
    assert_int_equal(seen.destroyed, 3 * i);
    for (int k = 0; k < 3; k++)
      assert_int_equal(seen.order[seen.first + k], 3 * i - k);
  }
}

static void test_no_execution(void **state) {
  struct fixture *fixture = *state;
  jitrun_program_t *program = NULL;
  sample_calls.hook = get_execution_states;
  expect_error(open_sample(&fixture->sample, fixture->registry,
                           JITRUN_EXECUTOR_AUTO, &program),
               JITRUN_FAILED_PRECONDITION,
               "state 'test.state' lives as long as an execution");
  jitrun_error_t *err = run(fixture, NULL);
  expect_note(err, 0, "while preparing custom call 'test.copy'");
  expect_error(err, JITRUN_FAILED_PRECONDITION, "before the initialize stage");
}

static jitrun_error_t *get_with_bad_key(jitrun_call_t *call,
                                        const char *stage) {
  (void)stage;
  void *found = call;
  jitrun_error_t *err = call->site->api->state(call, NULL, &found);
  if (found)
    seen.found = found;
  return err;
}

static void test_bad_key(void **state) {
  sample_calls.hook = get_with_bad_key;
  expect_error(run(*state, NULL), JITRUN_INVALID_ARGUMENT,
               "the key of a state has size 0");
  assert_null(seen.found);
}

// Diagnostics.

static jitrun_error_t *say_stage(jitrun_call_t *call, const char *stage) {
  const jitrun_call_api_t *api = call->site->api;
  api->diagnose(call, NULL, SIZE_MAX);
  api->diagnose(call, stage, SIZE_MAX);
  api->diagnose(call, "second line", 6);
  return NULL;
}

/// JitRt's diagnostics_test: in the order in which they were said.
static void test_diagnostics(void **state) {
  struct fixture *fixture = *state;
  static const char *const notes[] = {"in custom call 'test.copy'",
                                      "prepare",
                                      "second",
                                      "initialize",
                                      "second",
                                      "execute",
                                      "second",
                                      "while running entry 'main'"};
  sample_calls.hook = say_stage;
  sample_calls.fail_stage = "execute";
  jitrun_error_t *err = run(fixture, NULL);
  assert_int_equal(jitrun_error_note_count(err), 8);
  for (size_t i = 0; i < 8; i++)
    expect_note(err, i, notes[i]);
  jitrun_error_free(err);
  sample_calls.fail_stage = NULL;
  expect_ok(run(fixture, NULL)); // dropped
  sample_calls.hook = NULL;
  sample_calls.fail_stage = "execute";
  err = run(fixture, NULL);
  assert_int_equal(jitrun_error_note_count(err), 2);
  jitrun_error_free(err);
}

/// The caller's function takes them instead.
static void test_diagnostic_function(void **state) {
  struct fixture *fixture = *state;
  const jitrun_run_options_t options = {.size = sizeof options,
                                        .diagnostic = keep_text};
  sample_calls.hook = say_stage;
  sample_calls.fail_stage = "execute";
  jitrun_error_t *err = run(fixture, &options);
  assert_int_equal(jitrun_error_note_count(err), 2);
  jitrun_error_free(err);
  assert_string_equal(jr_bytes_text(&seen.text),
                      "prepare|second|initialize|second|execute|second|");
}

static void test_diagnostics_loading(void **state) {
  struct fixture *fixture = *state;
  jitrun_program_t *program = NULL;
  sample_calls.hook = say_stage;
  sample_calls.fail_stage = "instantiate";
  jitrun_error_t *err = open_sample(&fixture->sample, fixture->registry,
                                    JITRUN_EXECUTOR_AUTO, &program);
  expect_note(err, 0, "while instantiating custom call 'test.copy'");
  expect_note(err, 1, "instantiate");
  expect_note(err, 2, "second");
  jitrun_error_free(err);
  sample_calls.fail_stage = "prepare";
  err = run(fixture, NULL);
  expect_note(err, 0, "while preparing custom call 'test.copy'");
  expect_note(err, 1, "prepare");
  jitrun_error_free(err);
}

static jitrun_error_t *say_much(jitrun_call_t *call, const char *stage) {
  static char text[2 * JR_DIAGNOSTIC_BYTES];
  memset(text, 'x', sizeof text);
  for (int i = 0; is_stage(stage, "execute") && i < 1000; i++)
    call->site->api->diagnose(call, text, sizeof text);
  return NULL;
}

static void test_diagnostics_bound(void **state) {
  sample_calls.hook = say_much;
  sample_calls.fail_stage = "execute";
  jitrun_error_t *err = run(*state, NULL);
  assert_int_equal(jitrun_error_note_count(err), JR_DIAGNOSTIC_COUNT + 3);
  const char *note = jitrun_error_note_get(err, 1);
  assert_int_equal(strlen(note), JR_DIAGNOSTIC_BYTES);
  assert_string_equal(note + JR_DIAGNOSTIC_BYTES - 4, "x...");
  expect_note(err, JR_DIAGNOSTIC_COUNT + 1, "and 936 more that were not kept");
  jitrun_error_free(err);
}

// Other entries.

static jitrun_error_t *code_main(struct jr_exec *exec) {
  return exec->functions->run(exec, 0, 3);
}

static jitrun_error_t *code_scalar(struct jr_exec *exec) {
  jitrun_arg_t *args = jitrun_call_args(exec->slots[SAMPLE_SITE_NEXT].frame);
  args[0].value.s32 = (int32_t)exec->scalars[0];
  JITRUN_TRY(exec->functions->run(exec, SAMPLE_SITE_NEXT, 1));
  exec->results[0] = (uint32_t)args[1].value.s32;
  return NULL;
}

static void open_native(struct fixture *fixture) {
  jitrun_program_release(fixture->program);
  set_code(&fixture->sample, SAMPLE_MAIN, code_main);
  set_code(&fixture->sample, SAMPLE_SCALAR, code_scalar);
  expect_ok(open_sample(&fixture->sample, fixture->registry,
                        JITRUN_EXECUTOR_JIT, &fixture->program));
}

/// test.copy runs the other entry, which test.next is in.
static jitrun_error_t *run_scalar(jitrun_call_t *call, const char *stage) {
  const jitrun_call_api_t *api = call->site->api;
  int32_t value = 41;
  int32_t result = 0;
  const jitrun_tensor_t arg = {.dtype = JITRUN_DTYPE_S32, .data = &value};
  const jitrun_tensor_t out = {.dtype = JITRUN_DTYPE_S32, .data = &result};
  if (is_stage(stage, "next")) {
    api->print(call, "inside", 6);
    api->diagnose(call, "said inside", SIZE_MAX);
    seen.found = api->user_data(call, "test.b");
    return NULL;
  }
  if (!is_stage(stage, "execute"))
    return NULL;
  if (seen.cancel)
    *seen.cancel = 1;
  JITRUN_TRY(api->run_entry(call, seen.entry, &arg, 1, &out, 1));
  if (result != 42)
    return api->error(call, JITRUN_INTERNAL, "wrong result", SIZE_MAX);
  return NULL;
}

/// JitRt's FunctionOrdinalAttr: a handler calls another export.
static void test_function_ordinal(void **state) {
  struct fixture *fixture = *state;
  int b = 0;
  volatile uint64_t site = 0;
  const jitrun_user_data_t data = {"test.b", &b};
  const jitrun_run_options_t options = {.size = sizeof options,
                                        .print = keep_text,
                                        .user_data = &data,
                                        .user_data_count = 1,
                                        .current_site = &site};
  open_native(fixture);
  sample_calls.hook = run_scalar;
  seen.entry = SAMPLE_SCALAR;
  expect_ok(run(fixture, &options));
  expect_results(fixture);
  assert_ptr_equal(seen.found, &b);
  assert_string_equal(jr_bytes_text(&seen.text), "inside|");
  sample_calls.fail_stage = "next";
  jitrun_error_t *err = run(fixture, &options);
  assert_string_equal(jitrun_error_location(err), "sample.mlir:9:7");
  expect_note(err, 0, "in custom call 'test.next'");
  expect_note(err, 1, "said inside");
  expect_note(err, 2, "while running entry 'scalar'");
  expect_note(err, 3, "in custom call 'test.copy'");
  expect_note(err, 4, "while running entry 'main'");
  expect_error(err, JITRUN_ABORTED, "as asked");
}

/// Options that are not seen in the result: diagnostics go to the caller, and
/// who is asked to stop stops inside as well.
static void test_inherited_options(void **state) {
  struct fixture *fixture = *state;
  volatile int32_t cancel = 0;
  const jitrun_run_options_t options = {
      .size = sizeof options, .diagnostic = keep_text, .cancel = &cancel};
  open_native(fixture);
  sample_calls.hook = run_scalar;
  seen.entry = SAMPLE_SCALAR;
  expect_ok(run(fixture, &options));
  assert_string_equal(jr_bytes_text(&seen.text), "said inside|");
  seen.cancel = &cancel;
  jitrun_error_t *err = run(fixture, &options);
  expect_note(err, 0, "while running entry 'scalar'");
  expect_note(err, 1, "in custom call 'test.copy'");
  expect_error(err, JITRUN_CANCELLED, "asked to stop");
}

static void test_bad_entry(void **state) {
  struct fixture *fixture = *state;
  open_native(fixture);
  sample_calls.hook = run_scalar;
  seen.entry = 2;
  expect_error(run(fixture, NULL), JITRUN_INVALID_ARGUMENT,
               "custom call 'test.copy' runs entry 2, the program has 2");
  seen.entry = SAMPLE_MAIN;
  expect_error(run(fixture, NULL), JITRUN_INVALID_ARGUMENT,
               "entry 'main' takes 3 arguments");
}

static jitrun_error_t *run_at_once(jitrun_call_t *call, const char *stage) {
  (void)stage;
  return call->site->api->run_entry(call, 0, NULL, call->exec ? 0 : 1, NULL, 0);
}

static void test_entry_too_early(void **state) {
  struct fixture *fixture = *state;
  jitrun_program_t *program = NULL;
  sample_calls.hook = run_at_once;
  expect_error(open_sample(&fixture->sample, fixture->registry,
                           JITRUN_EXECUTOR_AUTO, &program),
               JITRUN_FAILED_PRECONDITION, "there is no execution");
  expect_error(run(fixture, NULL), JITRUN_FAILED_PRECONDITION,
               "custom call 'test.copy' runs entry 0 before the initialize");
}

static jitrun_error_t *count_null(jitrun_call_t *call, const char *stage) {
  if (!is_stage(stage, "execute"))
    return NULL;
  return call->site->api->run_entry(call, 0, NULL, 1, NULL, 0);
}

static void test_entry_null(void **state) {
  sample_calls.hook = count_null;
  expect_error(run(*state, NULL), JITRUN_INVALID_ARGUMENT,
               "that are counted, but NULL");
}

/// Each execution runs the entry that it is in, `limit` deep.
static jitrun_error_t *run_itself(jitrun_call_t *call, const char *stage) {
  if (!is_stage(stage, "execute") || seen.depth == seen.limit)
    return NULL;
  seen.depth++;
  struct fixture inside;
  reset_values(&inside);
  return call->site->api->run_entry(call, SAMPLE_MAIN, inside.args, 3,
                                    inside.results, 2);
}

static void test_entry_recursion(void **state) {
  struct fixture *fixture = *state;
  sample_calls.hook = run_itself;
  seen.limit = JR_MAX_DEPTH;
  expect_ok(run(fixture, NULL));
  assert_int_equal(seen.depth, JR_MAX_DEPTH);
  seen.depth = 0;
  seen.limit = INT32_MAX;
  expect_error(run(fixture, NULL), JITRUN_RESOURCE_EXHAUSTED,
               "entry 'main' is run inside of 64 executions");
  assert_int_equal(seen.depth, JR_MAX_DEPTH + 1);
}

#undef TEST
#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_user_data),           TEST(test_older_options),
      TEST(test_program_state),       TEST(test_per_execution_state),
      TEST(test_no_execution),        TEST(test_bad_key),
      TEST(test_diagnostics),         TEST(test_diagnostic_function),
      TEST(test_diagnostics_loading), TEST(test_diagnostics_bound),
      TEST(test_function_ordinal),    TEST(test_inherited_options),
      TEST(test_bad_entry),           TEST(test_entry_too_early),
      TEST(test_entry_null),          TEST(test_entry_recursion),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
