/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Async programs with callers and handlers: tokens and values as arguments
/// and results, runners of the caller's, errors, and what ends a wait.
#include "async_program.h"
#include "expect.h"
#include "jit_program.h"

#include "jitrun/async.h"
#include "jitrun/customcall.h"
#include "jitrun/program.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>

static const jitrun_type_t token_type = {.kind = JITRUN_KIND_TOKEN,
                                         .dtype = JITRUN_DTYPE_TOKEN};
static const jitrun_type_t i32_type = {.kind = JITRUN_KIND_ASYNC_SCALAR,
                                       .dtype = JITRUN_DTYPE_S32};
static const struct {
  jitrun_type_t type;
  int64_t extents[2];
} buffer_type = {
    {.kind = JITRUN_KIND_ASYNC_BUFFER, .dtype = JITRUN_DTYPE_F32, .rank = 1},
    {4, 1}};

/// Returns a token that is available.
static jitrun_error_t *give_token(jitrun_call_t *call) {
  const jitrun_async_api_t *api = call->site->api->async;
  jitrun_async_t **result = &jitrun_call_results(call)->value.async;
  jitrun_error_t *error = api->create(&token_type, result);
  return error ? error : api->set_token(*result);
}

/// Returns a value of its argument, later, from another thread.
struct promise {
  jitrun_async_t *async;
  int32_t value;
};

static void *keep_promise(void *context) {
  struct promise *promise = context;
  jitrun_error_free(jitrun_async_set_scalar(promise->async, &promise->value));
  jitrun_async_release(promise->async);
  free(promise);
  return NULL;
}

static jitrun_error_t *promise_value(jitrun_call_t *call) {
  const jitrun_async_api_t *api = call->site->api->async;
  jitrun_async_t **result = &jitrun_call_results(call)->value.async;
  jitrun_error_t *error = api->create(&i32_type, result);
  if (error)
    return error;
  struct promise *promise = malloc(sizeof *promise);
  pthread_t thread;
  *promise = (struct promise){*result, jitrun_call_args(call)[0].value.s32 + 1};
  api->retain(*result);
  if (pthread_create(&thread, NULL, keep_promise, promise) != 0)
    return call->site->api->error(call, JITRUN_RESOURCE_EXHAUSTED, "no thread",
                                  SIZE_MAX);
  (void)pthread_detach(thread);
  return NULL;
}

/// Returns a buffer of scratch memory, all 4 elements of its argument.
static jitrun_error_t *give_buffer(jitrun_call_t *call) {
  const jitrun_async_api_t *api = call->site->api->async;
  jitrun_async_t **result = &jitrun_call_results(call)->value.async;
  const int64_t dims[] = {4};
  float *data = call->site->api->scratch(call, 4 * sizeof *data);
  jitrun_tensor_t buffer = {
      .dtype = JITRUN_DTYPE_F32, .rank = 1, .dims = dims, .data = data};
  for (int i = 0; i < 4; i++)
    data[i] = jitrun_call_args(call)[0].value.f32;
  jitrun_error_t *error = api->create(&buffer_type.type, result);
  return error ? error : api->set_buffer(*result, &buffer);
}

/// Reads an available value.
static jitrun_error_t *read_value(jitrun_call_t *call) {
  const jitrun_async_api_t *api = call->site->api->async;
  jitrun_tensor_t value;
  jitrun_async_t *async = jitrun_call_args(call)[0].value.async;
  jitrun_error_t *error = api->wait(async, -1);
  if (!error)
    error = api->read(async, &value);
  if (!error)
    jitrun_call_results(call)[0].value.s32 = *(int32_t *)value.data;
  return error;
}

static jitrun_error_t *forget_result(jitrun_call_t *call) {
  (void)call;
  return NULL;
}

static jitrun_error_t *give_wrong(jitrun_call_t *call) {
  const jitrun_async_api_t *api = call->site->api->async;
  return api->create(&i32_type, &jitrun_call_results(call)->value.async);
}

static jitrun_error_t *run_dry(jitrun_call_t *call) {
  return call->site->api->error(call, JITRUN_DATA_LOSS, "out of ink", SIZE_MAX);
}

#define CALL(call_name, handler)                                               \
  {.size = sizeof(jitrun_customcall_t),                                        \
   .name = (call_name),                                                        \
   .platform = "host",                                                         \
   .execute = (handler)}

static const jitrun_customcall_t calls[] = {
    CALL("a.token", give_token),     CALL("a.promise", promise_value),
    CALL("a.buffer", give_buffer),   CALL("a.read", read_value),
    CALL("a.forget", forget_result), CALL("a.wrong", give_wrong),
    CALL("a.fail", run_dry),
};

struct fixture {
  jitrun_registry_t *registry;
  jitrun_program_t *program;
};

static int set_up(void **state) {
  static struct fixture fixture;
  expect_ok(jitrun_registry_create(&fixture.registry));
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    expect_ok(jitrun_registry_register(fixture.registry, &calls[i]));
  char text[sizeof first_text + sizeof more_text];
  (void)snprintf(text, sizeof text, "%s%s", first_text, more_text);
  expect_ok(open_program(text, fixture.registry, &fixture.program));
  *state = &fixture;
  return 0;
}

static int tear_down(void **state) {
  struct fixture *fixture = *state;
  jitrun_program_release(fixture->program);
  jitrun_registry_release(fixture->registry);
  return check_no_errors(state);
}

/// A view of a handle, or of a number.
static jitrun_tensor_t handle_view(jitrun_async_t **async) {
  return (jitrun_tensor_t){.dtype = JITRUN_DTYPE_TOKEN, .data = async};
}

static jitrun_tensor_t s32_view(int32_t *value) {
  return (jitrun_tensor_t){.dtype = JITRUN_DTYPE_S32, .data = value};
}

static jitrun_tensor_t f32_view(float *value) {
  return (jitrun_tensor_t){.dtype = JITRUN_DTYPE_F32, .data = value};
}

/// Starts an entry; its execution.
static jitrun_error_t *start(const struct fixture *fixture, const char *entry,
                             const jitrun_tensor_t *args, size_t count,
                             const jitrun_run_options_t *options,
                             jitrun_execution_t **out_execution) {
  return jitrun_program_start(
      fixture->program, jitrun_program_entry_find(fixture->program, entry),
      args, count, options, out_execution);
}

static jitrun_async_t *result_handle(const jitrun_execution_t *execution,
                                     size_t index) {
  return *(jitrun_async_t **)jitrun_execution_result(execution, index)->data;
}

static void test_token_ret(void **state) {
  jitrun_execution_t *execution = NULL;
  expect_ok(start(*state, "token_ret", NULL, 0, NULL, &execution));
  expect_ok(jitrun_async_wait(result_handle(execution, 0), -1));
  expect_ok(jitrun_execution_wait(execution, -1));
  jitrun_execution_release(execution);
}

static void test_scalar_ret(void **state) {
  jitrun_execution_t *execution = NULL;
  int32_t a = 21;
  jitrun_tensor_t args[] = {s32_view(&a)};
  jitrun_tensor_t value;
  expect_ok(start(*state, "scalar_ret", args, 1, NULL, &execution));
  jitrun_async_t *async = result_handle(execution, 0);
  expect_ok(jitrun_async_wait(async, -1));
  expect_ok(jitrun_async_read(async, &value));
  assert_int_equal(value.dtype, JITRUN_DTYPE_S32);
  assert_int_equal(*(int32_t *)value.data, 42);
  jitrun_async_retain(async);
  jitrun_execution_release(execution);
  assert_int_equal(*(int32_t *)value.data, 42);
  jitrun_async_release(async);
}

/// The memory of the value outlives the execution, and later ones.
static void expect_buffer(jitrun_async_t *async, int64_t size, int at,
                          float expected) {
  jitrun_tensor_t value;
  expect_ok(jitrun_async_read(async, &value));
  assert_int_equal(value.rank, 1);
  assert_int_equal(value.dims[0], size);
  assert_true(((float *)value.data)[at] == expected);
}

static void run_for_handles(struct fixture *fixture, const char *entry, float x,
                            size_t count, jitrun_async_t **handles) {
  jitrun_tensor_t args[] = {f32_view(&x)};
  jitrun_tensor_t results[2];
  for (size_t i = 0; i < count; i++)
    results[i] = handle_view(&handles[i]);
  expect_ok(jitrun_program_run(
      fixture->program, jitrun_program_entry_find(fixture->program, entry),
      args, 1, results, count, NULL));
}

static void test_memref_ret(void **state) {
  jitrun_async_t *first = NULL;
  jitrun_async_t *second = NULL;
  run_for_handles(*state, "memref_ret", 2.5F, 1, &first);
  run_for_handles(*state, "memref_ret", 3.5F, 1, &second);
  expect_buffer(first, 4, 3, 2.5F);
  expect_buffer(second, 4, 0, 3.5F);
  jitrun_async_release(first);
  jitrun_async_release(second);
}

static void test_placed_ret(void **state) {
  jitrun_async_t *first[2];
  jitrun_async_t *second[2];
  run_for_handles(*state, "placed_ret", 2.5F, 2, first);
  run_for_handles(*state, "placed_ret", 3.5F, 2, second);
  expect_buffer(first[0], 4, 1, 2.5F);
  jitrun_async_release(first[0]);
  expect_buffer(first[1], 2, 1, 2.5F);
  expect_buffer(second[0], 4, 1, 3.5F);
  jitrun_async_release(first[1]);
  jitrun_async_release(second[0]);
  jitrun_async_release(second[1]);
}

static void test_token_arg(void **state) {
  jitrun_async_t *token = NULL;
  jitrun_execution_t *execution = NULL;
  int32_t a = 5;
  jitrun_tensor_t value;
  jitrun_tensor_t args[] = {handle_view(&token), s32_view(&a)};
  expect_ok(jitrun_async_create(&token_type, &token));
  expect_ok(start(*state, "token_arg", args, 2, NULL, &execution));
  jitrun_async_t *result = result_handle(execution, 0);
  assert_int_equal(jitrun_async_state(result), JITRUN_ASYNC_PENDING);
  expect_error(jitrun_execution_wait(execution, 1000000),
               JITRUN_DEADLINE_EXCEEDED, "is not done after 1000000 ns");
  expect_ok(jitrun_async_set_token(token));
  expect_ok(jitrun_async_wait(result, -1));
  expect_ok(jitrun_async_read(result, &value));
  assert_int_equal(*(int32_t *)value.data, 5);
  expect_ok(jitrun_execution_wait(execution, -1));
  jitrun_execution_release(execution);
  jitrun_async_release(token);
}

/// Arguments that are errors, or become one.
static void test_error_args(void **state) {
  struct fixture *fixture = *state;
  jitrun_async_t *value = NULL;
  int32_t number = 0;
  jitrun_tensor_t args[] = {handle_view(&value)};
  jitrun_tensor_t results[] = {s32_view(&number)};
  const jitrun_entry_t *entry =
      jitrun_program_entry_find(fixture->program, "scalar_arg");
  expect_error(
      jitrun_program_run(fixture->program, entry, args, 1, results, 1, NULL),
      JITRUN_INVALID_ARGUMENT, "the async handle is NULL");
  expect_ok(jitrun_async_create(&token_type, &value));
  expect_error(
      jitrun_program_run(fixture->program, entry, args, 1, results, 1, NULL),
      JITRUN_INVALID_ARGUMENT, "the async handle is of another type");
  jitrun_async_release(value);
  expect_ok(jitrun_async_create(&i32_type, &value));
  jitrun_async_set_error(value, jr_error(JITRUN_ABORTED, "went away"));
  expect_error(
      jitrun_program_run(fixture->program, entry, args, 1, results, 1, NULL),
      JITRUN_ABORTED, "Awaited async operand is in error state: went away");
  jitrun_async_release(value);
}

/// Native code relies on the sizes and strides that its types have.
static void test_memref_args_that_do_not_fit(void **state) {
  struct fixture *fixture = *state;
  struct {
    jitrun_type_t type;
    int64_t extents[2];
  } type = {.type = {.kind = JITRUN_KIND_ASYNC_BUFFER,
                     .dtype = JITRUN_DTYPE_F32,
                     .rank = 1}};
  static const int64_t extents[][2] = {
      {2, 1}, {4, 2}, {JITRUN_DYNAMIC, 1}, {4, JITRUN_DYNAMIC}};
  float x = 0;
  jitrun_tensor_t result = {.dtype = JITRUN_DTYPE_F32, .data = &x};
  for (size_t i = 0; i < sizeof extents / sizeof extents[0]; i++) {
    jitrun_async_t *value = NULL;
    memcpy(type.extents, extents[i], sizeof type.extents);
    expect_ok(jitrun_async_create(&type.type, &value));
    jitrun_tensor_t arg = handle_view(&value);
    expect_error(jitrun_program_run(
                     fixture->program,
                     jitrun_program_entry_find(fixture->program, "memref_arg"),
                     &arg, 1, &result, 1, NULL),
                 JITRUN_INVALID_ARGUMENT,
                 "the async handle is of another type");
    jitrun_async_release(value);
  }
}

static void test_scalar_and_memref_args(void **state) {
  struct fixture *fixture = *state;
  jitrun_async_t *value = NULL;
  int32_t number = 11;
  int32_t result = 0;
  float x = 0;
  jitrun_tensor_t args[] = {handle_view(&value)};
  jitrun_tensor_t results[] = {s32_view(&result)};
  expect_ok(jitrun_async_create(&i32_type, &value));
  expect_ok(jitrun_async_set_scalar(value, &number));
  expect_ok(jitrun_program_run(
      fixture->program,
      jitrun_program_entry_find(fixture->program, "scalar_arg"), args, 1,
      results, 1, NULL));
  assert_int_equal(result, 11);
  jitrun_async_release(value);
  float data[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  const int64_t dims[] = {4};
  jitrun_tensor_t buffer = {
      .dtype = JITRUN_DTYPE_F32, .rank = 1, .dims = dims, .data = data};
  results[0] = f32_view(&x);
  expect_ok(jitrun_async_create(&buffer_type.type, &value));
  expect_ok(jitrun_async_set_buffer(value, &buffer));
  expect_ok(jitrun_program_run(
      fixture->program,
      jitrun_program_entry_find(fixture->program, "memref_arg"), args, 1,
      results, 1, NULL));
  assert_true(x == 2);
  jitrun_async_release(value);
}

/// A runner that only queues, until the test lets it.
struct lazy {
  void (*tasks[64])(void *);
  void *contexts[64];
  size_t count, run;
};

static void queue_task(void *context, void (*task)(void *), void *argument) {
  struct lazy *lazy = context;
  lazy->tasks[lazy->count] = task;
  lazy->contexts[lazy->count++] = argument;
}

static void run_queued(struct lazy *lazy) {
  while (lazy->run < lazy->count) {
    size_t next = lazy->run++;
    lazy->tasks[next](lazy->contexts[next]);
  }
}

/// Each execution takes what the one before has not made yet.
static void test_chained_runs(void **state) {
  enum { RUNS = 5 };
  struct lazy lazy = {.count = 0};
  jitrun_run_options_t options = {
      .size = sizeof options, .runner = queue_task, .runner_context = &lazy};
  float data[4] = {0, 10, 20, 30};
  const int64_t dims[] = {4};
  jitrun_tensor_t buffer = {
      .dtype = JITRUN_DTYPE_F32, .rank = 1, .dims = dims, .data = data};
  jitrun_async_t *value = NULL;
  jitrun_async_t *token = NULL;
  jitrun_execution_t *runs[RUNS];
  expect_ok(jitrun_async_create(&buffer_type.type, &value));
  expect_ok(jitrun_async_create(&token_type, &token));
  jitrun_async_t *handles[RUNS + 1][2] = {{value, token}};
  for (int i = 0; i < RUNS; i++) {
    jitrun_tensor_t args[] = {handle_view(&handles[i][0]),
                              handle_view(&handles[i][1])};
    expect_ok(start(*state, "add_one", args, 2, &options, &runs[i]));
    handles[i + 1][1] = result_handle(runs[i], 0);
    handles[i + 1][0] = result_handle(runs[i], 1);
  }
  run_queued(&lazy);
  assert_int_equal(jitrun_async_state(handles[RUNS][1]), JITRUN_ASYNC_PENDING);
  expect_ok(jitrun_async_set_buffer(value, &buffer));
  expect_ok(jitrun_async_set_token(token));
  run_queued(&lazy);
  expect_ok(jitrun_async_wait(handles[RUNS][1], -1));
  expect_buffer(handles[RUNS][0], 4, 3, 30 + RUNS);
  assert_true(data[0] == (float)RUNS);
  for (int i = 0; i < RUNS; i++) {
    expect_ok(jitrun_execution_wait(runs[i], -1));
    jitrun_execution_release(runs[i]);
  }
  jitrun_async_release(value);
  jitrun_async_release(token);
}

static void test_handlers(void **state) {
  struct fixture *fixture = *state;
  int32_t a = 1;
  int32_t b = 0;
  int32_t c = 0;
  float x = 1.5F;
  float y = 0;
  jitrun_async_t *value = NULL;
  jitrun_tensor_t args[] = {s32_view(&a), f32_view(&x)};
  jitrun_tensor_t results[] = {s32_view(&b), s32_view(&c), f32_view(&y),
                               handle_view(&value)};
  expect_ok(jitrun_program_run(
      fixture->program, jitrun_program_entry_find(fixture->program, "handlers"),
      args, 2, results, 4, NULL));
  assert_int_equal(b, 2);
  assert_int_equal(c, 3);
  assert_true(y == 1.5F);
  expect_buffer(value, 4, 2, 1.5F);
  jitrun_async_release(value);
}

static jitrun_error_t *run_alone(struct fixture *fixture, const char *entry,
                                 const jitrun_run_options_t *options) {
  return jitrun_program_run(fixture->program,
                            jitrun_program_entry_find(fixture->program, entry),
                            NULL, 0, NULL, 0, options);
}

static void test_bad_results(void **state) {
  expect_error(run_alone(*state, "forgotten", NULL), JITRUN_INTERNAL,
               "result 0 of the custom call is NULL where its type asks for a "
               "token");
  expect_error(run_alone(*state, "mistaken", NULL), JITRUN_INTERNAL,
               "result 0 of the custom call is a handle of another type");
}

/// An error is told with its own code, place and message, once.
static void test_errors(void **state) {
  jitrun_error_t *error = run_alone(*state, "dropped", NULL);
  assert_non_null(error);
  assert_non_null(strstr(jitrun_error_location(error), "test.mlir:"));
  assert_string_equal(jitrun_error_note_get(error, 0),
                      "in custom call 'a.fail'");
  assert_string_equal(jitrun_error_note_get(error, 1),
                      "in async work that nothing waited for");
  expect_error(error, JITRUN_DATA_LOSS, "out of ink");
  for (int32_t a = 0; a < 2; a++) {
    jitrun_async_t *value = NULL;
    jitrun_execution_t *execution = NULL;
    jitrun_tensor_t args[] = {handle_view(&value)};
    expect_ok(jitrun_async_create(&i32_type, &value));
    expect_ok(start(*state, "failing", args, 1, NULL, &execution));
    expect_ok(jitrun_async_set_scalar(value, &a));
    jitrun_async_t *result = result_handle(execution, 0);
    if (a == 0)
      expect_error(jitrun_async_wait(result, -1), JITRUN_FAILED_PRECONDITION,
                   "assertion failed: a must be positive");
    else
      expect_error(jitrun_async_wait(result, -1), JITRUN_DATA_LOSS,
                   "out of ink");
    expect_ok(jitrun_execution_wait(execution, -1));
    jitrun_execution_release(execution);
    jitrun_async_release(value);
  }
}

/// Error of work that goes on after the entry.
static void test_started_error(void **state) {
  jitrun_execution_t *execution = NULL;
  expect_ok(start(*state, "dropped", NULL, 0, NULL, &execution));
  expect_error(jitrun_execution_wait(execution, -1), JITRUN_DATA_LOSS, "ink");
  expect_ok(jitrun_execution_wait(execution, -1));
  jitrun_execution_release(execution);
}

static void *set_flag(void *context) {
  struct timespec pause = {.tv_nsec = 20000000};
  (void)nanosleep(&pause, NULL);
  __atomic_store_n((volatile int32_t *)context, 1, __ATOMIC_RELAXED);
  return NULL;
}

/// What nobody will ever set ends with the execution.
static void test_cancel(void **state) {
  struct fixture *fixture = *state;
  for (int started = 0; started < 2; started++) {
    volatile int32_t cancel = 0;
    jitrun_run_options_t options = {.size = sizeof options, .cancel = &cancel};
    jitrun_async_t *token = NULL;
    jitrun_execution_t *execution = NULL;
    int32_t a = 1;
    jitrun_tensor_t args[] = {handle_view(&token), s32_view(&a)};
    pthread_t thread;
    expect_ok(jitrun_async_create(&token_type, &token));
    /* One that is cancelled before it starts is another case. */
    if (started)
      expect_ok(start(fixture, "token_arg", args, 2, &options, &execution));
    assert_int_equal(
        pthread_create(&thread, NULL, set_flag, (void *)(uintptr_t)&cancel), 0);
    if (started) {
      expect_ok(jitrun_execution_wait(execution, -1));
      expect_error(jitrun_async_error(result_handle(execution, 0)),
                   JITRUN_CANCELLED, "asked to stop");
      jitrun_execution_release(execution);
    } else {
      expect_error(jitrun_program_run(
                       fixture->program,
                       jitrun_program_entry_find(fixture->program, "waits"),
                       args, 1, NULL, 0, &options),
                   JITRUN_CANCELLED, "asked to stop");
    }
    (void)pthread_join(thread, NULL);
    jitrun_async_release(token);
  }
}

/// Released while its work goes on, which then ends by itself.
static void test_release_early(void **state) {
  struct fixture *fixture = *state;
  int32_t number = 0;
  jitrun_execution_t *execution = NULL;
  jitrun_tensor_t args[] = {s32_view(&number)};
  expect_ok(start(fixture, "late", args, 1, NULL, &execution));
  jitrun_execution_release(execution);
  while (__atomic_load_n(&number, __ATOMIC_ACQUIRE) != 7)
    (void)sched_yield();
}

struct worker {
  struct fixture *fixture;
  int32_t number;
  size_t passed;
};

static void *run_many(void *context) {
  struct worker *worker = context;
  for (int i = 0; i < 50; i++) {
    int32_t a = worker->number + i;
    int32_t results[2] = {0};
    float x = (float)a;
    float y = 0;
    jitrun_async_t *value = NULL;
    jitrun_tensor_t args[] = {s32_view(&a), f32_view(&x)};
    jitrun_tensor_t views[] = {s32_view(&results[0]), s32_view(&results[1]),
                               f32_view(&y), handle_view(&value)};
    jitrun_error_t *error = jitrun_program_run(
        worker->fixture->program,
        jitrun_program_entry_find(worker->fixture->program, "handlers"), args,
        2, views, 4, NULL);
    worker->passed +=
        !error && results[0] == a + 1 && results[1] == a + 2 && y == x;
    jitrun_error_free(error);
    jitrun_async_release(value);
  }
  return NULL;
}

static void test_threads(void **state) {
  enum { THREADS = 8 };
  pthread_t threads[THREADS];
  struct worker workers[THREADS];
  for (int i = 0; i < THREADS; i++) {
    workers[i] = (struct worker){*state, 1000 * i, 0};
    assert_int_equal(pthread_create(&threads[i], NULL, run_many, &workers[i]),
                     0);
  }
  for (int i = 0; i < THREADS; i++) {
    (void)pthread_join(threads[i], NULL);
    assert_int_equal(workers[i].passed, 50);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_token_ret),
      cmocka_unit_test(test_scalar_ret),
      cmocka_unit_test(test_memref_ret),
      cmocka_unit_test(test_placed_ret),
      cmocka_unit_test(test_token_arg),
      cmocka_unit_test(test_error_args),
      cmocka_unit_test(test_memref_args_that_do_not_fit),
      cmocka_unit_test(test_scalar_and_memref_args),
      cmocka_unit_test(test_chained_runs),
      cmocka_unit_test(test_handlers),
      cmocka_unit_test(test_bad_results),
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_started_error),
      cmocka_unit_test(test_cancel),
      cmocka_unit_test(test_release_early),
      cmocka_unit_test(test_threads),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
