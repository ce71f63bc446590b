/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Modules: what calls of a plug-in share, from loading to release and from the
/// beginning to the end of each execution; and many threads with all of that.
#include "sample_run.h"

#include <stdatomic.h>

enum { THREAD_COUNT = 8, RUN_COUNT = 100 };

/// What a module's functions have done; `fail` names one that is to fail.
struct counts {
  const char *fail;
  atomic_int created, destroyed, begun, ended;
  atomic_int wrong; ///< calls that saw something else than they should
  char log[64];     ///< a letter a call of them, while there is one thread
};

static struct counts counts;

/// The states that the modules of the tests make.
struct program_state {
  atomic_int executions;
};

static void log_letter(char letter) {
  size_t size = strlen(counts.log);
  if (size + 1 < sizeof counts.log)
    counts.log[size] = letter;
}

static jitrun_error_t *fail_in(const jitrun_call_api_t *api, const char *name) {
  if (!counts.fail || strcmp(counts.fail, name) != 0)
    return NULL;
  return api->error(NULL, JITRUN_UNAVAILABLE, "no device", SIZE_MAX);
}

static jitrun_error_t *create_module(const jitrun_call_api_t *api,
                                     void **out_state) {
  JITRUN_TRY(fail_in(api, "create"));
  *out_state = jr_calloc(1, sizeof(struct program_state));
  if (!*out_state)
    return jr_error_no_memory();
  counts.created++;
  return NULL;
}

static void destroy_module(void *state) {
  counts.destroyed++;
  free(state);
}

static jitrun_error_t *begin_module(const jitrun_call_api_t *api, void *state,
                                    void **out_state) {
  struct program_state *program = state;
  JITRUN_TRY(fail_in(api, "begin"));
  int *execution = jr_malloc(sizeof *execution);
  if (!execution)
    return jr_error_no_memory();
  counts.begun++;
  *execution = ++program->executions;
  *out_state = execution;
  return NULL;
}

static void end_module(void *state, void *execution_state) {
  counts.wrong += !state || !execution_state;
  counts.ended++;
  free(execution_state);
}

static const jitrun_module_t module = {.size = sizeof module,
                                       .name = "test.module",
                                       .create = create_module,
                                       .destroy = destroy_module,
                                       .begin = begin_module,
                                       .end = end_module};

static jitrun_error_t *log_create(const jitrun_call_api_t *api,
                                  void **out_state) {
  (void)out_state;
  log_letter('c');
  return fail_in(api, "log_create");
}

static void log_destroy(void *state) {
  (void)state;
  log_letter('d');
}

static jitrun_error_t *log_begin(const jitrun_call_api_t *api, void *state,
                                 void **out_state) {
  (void)state;
  (void)out_state;
  log_letter('b');
  return fail_in(api, "log_begin");
}

static void log_end(void *state, void *execution_state) {
  (void)state;
  (void)execution_state;
  log_letter('e');
}

/// Has no state of its own.
static const jitrun_module_t log_module = {.size = sizeof log_module,
                                           .name = "test.log",
                                           .create = log_create,
                                           .destroy = log_destroy,
                                           .begin = log_begin,
                                           .end = log_end};

/// Functions are optional.
static const jitrun_module_t empty_module = {.size = sizeof empty_module,
                                             .name = "test.empty"};

/// Opens the sample with calls of these modules.
static jitrun_error_t *open_with(struct fixture *fixture,
                                 const jitrun_module_t *of_copy,
                                 const jitrun_module_t *of_note,
                                 const jitrun_module_t *of_next) {
  jitrun_customcall_t calls[] = {sample_copy, sample_note, sample_next};
  jitrun_program_release(fixture->program);
  jitrun_registry_release(fixture->registry);
  fixture->program = NULL;
  fixture->registry = NULL;
  calls[0].module = of_copy;
  calls[1].module = of_note;
  calls[2].module = of_next;
  JITRUN_TRY(jitrun_registry_create(&fixture->registry));
  for (size_t i = 0; i < 3; i++)
    JITRUN_TRY(jitrun_registry_register(fixture->registry, &calls[i]));
  return open_sample(&fixture->sample, fixture->registry, JITRUN_EXECUTOR_AUTO,
                     &fixture->program);
}

static int begin(void **state) {
  memset(&counts, 0, sizeof counts);
  return set_up(state);
}

/// Both states are there from the initialize stage on.
static jitrun_error_t *see_states(jitrun_call_t *call, const char *stage) {
  const jitrun_call_api_t *api = call->site->api;
  const struct program_state *program =
      api->module_state(call, JITRUN_SCOPE_PROGRAM);
  const int *execution = api->module_state(call, JITRUN_SCOPE_EXECUTION);
  bool is_run =
      strcmp(stage, "instantiate") != 0 && strcmp(stage, "prepare") != 0;
  counts.wrong += !program;
  counts.wrong += (execution != NULL) != is_run;
  counts.wrong += api->module_state(call, (jitrun_scope_t)7) != NULL;
  if (program && execution)
    counts.wrong += *execution < 1 || *execution > program->executions;
  return NULL;
}

/// JitRt's module_test, ModuleState and StateRef: one state for the program,
/// one that lives as long as the execution, for all calls of the module.
static void test_module_state(void **state) {
  struct fixture *fixture = *state;
  sample_calls.hook = see_states;
  expect_ok(open_with(fixture, &module, &module, &module));
  assert_int_equal(counts.created, 1);
  assert_int_equal(counts.begun, 0);
  for (int i = 1; i <= 3; i++) {
    expect_ok(run(fixture, NULL));
    assert_int_equal(counts.begun, i);
    assert_int_equal(counts.ended, i);
  }
  sample_calls.fail_stage = "execute";
  expect_error(run(fixture, NULL), JITRUN_ABORTED, "as asked");
  assert_int_equal(counts.ended, 4);
  assert_int_equal(counts.destroyed, 0);
  jitrun_program_release(fixture->program);
  fixture->program = NULL;
  assert_int_equal(counts.created, 1);
  assert_int_equal(counts.destroyed, 1);
  assert_int_equal(counts.wrong, 0);
}

static jitrun_error_t *see_nothing(jitrun_call_t *call, const char *stage) {
  const jitrun_call_api_t *api = call->site->api;
  (void)stage;
  counts.wrong += api->module_state(call, JITRUN_SCOPE_PROGRAM) != NULL;
  counts.wrong += api->module_state(call, JITRUN_SCOPE_EXECUTION) != NULL;
  return NULL;
}

/// JitRt's module_test, NoState: modules without functions, calls without a
/// module.
static void test_no_state(void **state) {
  struct fixture *fixture = *state;
  sample_calls.hook = see_nothing;
  expect_ok(open_with(fixture, &empty_module, NULL, &log_module));
  expect_ok(run(fixture, NULL));
  assert_int_equal(counts.wrong, 0);
}

/// For every entry that may call the module.
static void test_reached(void **state) {
  struct fixture *fixture = *state;
  expect_ok(open_with(fixture, &module, NULL, &log_module));
  expect_ok(run(fixture, NULL));
  assert_int_equal(counts.begun, 1);
  // test.next has no argument of an entry: any may call it.
  assert_string_equal(counts.log, "cbe");
}

static jitrun_error_t *code_nothing(struct jr_exec *exec) {
  exec->results[0] = 3;
  return NULL;
}

/// An entry without calls of the module that main has.
static void test_not_reached(void **state) {
  struct fixture *fixture = *state;
  set_code(&fixture->sample, SAMPLE_MAIN, code_nothing);
  set_code(&fixture->sample, SAMPLE_SCALAR, code_nothing);
  expect_ok(open_with(fixture, &module, NULL, &log_module));
  int32_t value = 1;
  const jitrun_tensor_t scalar = {.dtype = JITRUN_DTYPE_S32, .data = &value};
  expect_ok(jitrun_program_run(
      fixture->program,
      jitrun_program_entry_get(fixture->program, SAMPLE_SCALAR), &scalar, 1,
      &scalar, 1, NULL));
  assert_int_equal(value, 3);
  assert_int_equal(counts.begun, 0);
  assert_string_equal(counts.log, "cbe");
}

/// What was created or begun before a failure is undone.
static void test_module_errors(void **state) {
  struct fixture *fixture = *state;
  counts.fail = "create";
  jitrun_error_t *err = open_with(fixture, &log_module, &module, NULL);
  assert_string_equal(jitrun_error_note_get(err, 0),
                      "while creating module 'test.module'");
  expect_error(err, JITRUN_UNAVAILABLE, "no device");
  assert_string_equal(counts.log, "cd");
  assert_int_equal(sample_calls.instantiated, 1); // of set_up
  memset(counts.log, 0, sizeof counts.log);
  counts.fail = "begin";
  expect_ok(open_with(fixture, &log_module, &module, NULL));
  for (int i = 0; i < 2; i++) {
    err = run(fixture, NULL);
    assert_string_equal(jitrun_error_note_get(err, 0),
                        "while beginning module 'test.module'");
    assert_string_equal(jitrun_error_note_get(err, 1),
                        "while running entry 'main'");
    expect_error(err, JITRUN_UNAVAILABLE, "no device");
  }
  assert_string_equal(counts.log, "cbebe");
  assert_int_equal(counts.ended, 0);
  assert_int_equal(sample_calls.initialized, 0);
  counts.fail = NULL;
  expect_ok(run(fixture, NULL));
  expect_results(fixture);
}

/// States of the test with threads: made once each.
static atomic_int made, unmade;

static jitrun_error_t *make_shared(const jitrun_call_t *call, void *context,
                                   void **out_state) {
  (void)context;
  *out_state = jr_malloc(8);
  if (!*out_state)
    return call->site->api->error(call, JITRUN_RESOURCE_EXHAUSTED, "no memory",
                                  SIZE_MAX);
  made++;
  return NULL;
}

static void destroy_shared(void *state) {
  unmade++;
  free(state);
}

/// Everything that can be asked for, in each stage.
static jitrun_error_t *ask_for_all(jitrun_call_t *call, const char *stage) {
  const jitrun_call_api_t *api = call->site->api;
  jitrun_state_key_t key = {.size = sizeof key,
                            .scope = JITRUN_SCOPE_PROGRAM,
                            .name = "test.shared",
                            .create = make_shared,
                            .destroy = destroy_shared};
  JITRUN_TRY(see_states(call, stage));
  for (key.id = 0; key.id < 10; key.id++) {
    void *found = NULL;
    JITRUN_TRY(api->state(call, &key, &found));
    counts.wrong += !found;
  }
  if (api->run_id(call) == 0)
    return NULL;
  void *found = NULL;
  key.scope = JITRUN_SCOPE_EXECUTION;
  JITRUN_TRY(api->state(call, &key, &found));
  api->diagnose(call, stage, SIZE_MAX);
  counts.wrong += !api->user_data(call, "test.data");
  return NULL;
}

static void *run_often(void *program) {
  struct fixture fixture = {.program = program};
  const jitrun_user_data_t data = {"test.data", &fixture};
  const jitrun_run_options_t options = {
      .size = sizeof options, .user_data = &data, .user_data_count = 1};
  for (int i = 0; i < RUN_COUNT; i++) {
    reset_values(&fixture);
    jitrun_error_t *err = run(&fixture, &options);
    jitrun_error_free(err);
    if (err || fixture.result[5] != -12)
      return program;
  }
  return NULL;
}

static void test_threads(void **state) {
  struct fixture *fixture = *state;
  pthread_t threads[THREAD_COUNT];
  made = 0;
  unmade = 0;
  sample_calls.hook = ask_for_all;
  expect_ok(open_with(fixture, &module, &module, &module));
  for (int i = 0; i < THREAD_COUNT; i++)
    assert_int_equal(
        pthread_create(&threads[i], NULL, run_often, fixture->program), 0);
  for (int i = 0; i < THREAD_COUNT; i++) {
    void *failed = NULL;
    assert_int_equal(pthread_join(threads[i], &failed), 0);
    assert_null(failed);
  }
  jitrun_program_release(fixture->program);
  fixture->program = NULL;
  enum { RUNS = THREAD_COUNT * RUN_COUNT };
  assert_int_equal(counts.wrong, 0);
  assert_int_equal(counts.begun, RUNS);
  assert_int_equal(counts.ended, RUNS);
  assert_int_equal(counts.destroyed, 1);
  assert_int_equal(made, 10 + RUNS);
  assert_int_equal(unmade, 10 + RUNS);
}

static void run_without_memory(void *context) {
  struct fixture *fixture = context;
  const jitrun_user_data_t data = {"test.data", fixture};
  const jitrun_run_options_t options = {
      .size = sizeof options, .user_data = &data, .user_data_count = 1};
  reset_values(fixture);
  jitrun_error_t *err = open_with(fixture, &log_module, &module, &module);
  if (!err)
    err = run(fixture, &options);
  if (err)
    assert_int_equal(jitrun_error_code(err), JITRUN_RESOURCE_EXHAUSTED);
  else
    expect_results(fixture);
  jitrun_error_free(err);
}

/// The calls of the module with states; test.copy has another.
static jitrun_error_t *ask_in_notes(jitrun_call_t *call, const char *stage) {
  return strcmp(call->site->target, "test.copy") == 0
             ? NULL
             : ask_for_all(call, stage);
}

static void test_no_memory(void **state) {
  struct fixture *fixture = *state;
  made = 0;
  unmade = 0;
  sample_calls.hook = ask_in_notes;
  sweep_allocations(run_without_memory, fixture);
  jitrun_program_release(fixture->program);
  fixture->program = NULL;
  assert_int_equal(counts.created, counts.destroyed);
  assert_int_equal(counts.begun, counts.ended);
  assert_int_equal(made, unmade);
}

#undef TEST
#define TEST(function)                                                         \
  cmocka_unit_test_setup_teardown(function, begin, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_module_state), TEST(test_no_state),      TEST(test_reached),
      TEST(test_not_reached),  TEST(test_module_errors), TEST(test_threads),
      TEST(test_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
