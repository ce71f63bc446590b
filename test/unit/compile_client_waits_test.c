/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Waiting for executions that do not end: warnings, deadlines, cancellation,
/// and threads that would wait for themselves. Programs wait for what the test
/// sends them, so that nothing depends on how long anything takes.
#include "client_programs.h"

#include "jitrun/job.h"

#include <pthread.h>

static const char wait_text[] =
    "func.func private @recv(memref<4xi32>) attributes {\n"
    "  rt.custom_call = \"jitrun.recv\", channel = 3}\n"
    "func.func private @sum(memref<4xi32>, memref<4xi32>) attributes {\n"
    "  rt.custom_call = \"jitrun.all_reduce\", reduction = \"sum\"}\n"
    "func.func private @id() -> i32 attributes {\n"
    "  rt.custom_call = \"xla.cpu.replica_id\"}\n"
    "func.func @wait_main(%a: memref<4xi32> {jitrun.output}) {\n"
    "  call @recv(%a) : (memref<4xi32>) -> ()\n"
    "  return\n"
    "}\n"
    "func.func @meet_main(%a: memref<4xi32> {jitrun.output}) {\n"
    "  %i = call @id() : () -> i32\n"
    "  %c0 = arith.constant 0 : i32\n"
    "  %is = arith.cmpi eq, %i, %c0 : i32\n"
    "  scf.if %is {\n"
    "    func.call @recv(%a) : (memref<4xi32>) -> ()\n"
    "  }\n"
    "  call @sum(%a, %a) : (memref<4xi32>, memref<4xi32>) -> ()\n"
    "  return\n"
    "}\n";

enum {
  TEXTS = 64,
  TEXT_SIZE = 1024,
  SHORT_NS = 5000000,
  LATE_NS = 15000000,
  HASTY_NS = 200000000
};

/// Warnings that came.
static struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  size_t count;
  char texts[TEXTS][TEXT_SIZE];
} warnings = {.lock = PTHREAD_MUTEX_INITIALIZER,
              .changed = PTHREAD_COND_INITIALIZER};

static void keep_warning(void *context, const char *text, size_t size) {
  (void)pthread_mutex_lock(&warnings.lock);
  if (context == &warnings && warnings.count < TEXTS && size < TEXT_SIZE)
    memcpy(warnings.texts[warnings.count++], text, size + 1);
  (void)pthread_cond_broadcast(&warnings.changed);
  (void)pthread_mutex_unlock(&warnings.lock);
}

static bool was_warned(const char *part) {
  bool found = false;
  (void)pthread_mutex_lock(&warnings.lock);
  for (size_t i = 0; i < warnings.count && !found; i++)
    found = strstr(warnings.texts[i], part) != NULL;
  (void)pthread_mutex_unlock(&warnings.lock);
  return found;
}

/// Waits until some warning has `part` in it; returns its number.
static size_t await_warning(const char *part, size_t from) {
  size_t at = from;
  (void)pthread_mutex_lock(&warnings.lock);
  while (at < TEXTS) {
    if (at < warnings.count && strstr(warnings.texts[at], part))
      break;
    if (at < warnings.count)
      at++;
    else
      (void)pthread_cond_wait(&warnings.changed, &warnings.lock);
  }
  (void)pthread_mutex_unlock(&warnings.lock);
  assert_true(at < TEXTS);
  return at;
}

static int open_with(int64_t warn_after_ns, int64_t timeout_ns) {
  const jitrun_client_options_t options = {.size = sizeof options,
                                           .device_count = 4,
                                           .memory_limit_bytes = 1 << 20,
                                           .timeout_ns = timeout_ns,
                                           .warning = keep_warning,
                                           .warning_context = &warnings,
                                           .warn_after_ns = warn_after_ns};
  warnings.count = 0;
  expect_ok(jitrun_client_create(&options, &client));
  for (size_t i = 0; i < 4; i++)
    expect_ok(jitrun_client_local_device(client, i, &devices[i]));
  return 0;
}

static int open_warning(void **state) {
  (void)state;
  return open_with(SHORT_NS, 0);
}

static int open_hasty(void **state) {
  (void)state;
  return open_with(-1, HASTY_NS);
}

/// An execution of two replicas, each with an argument and an output.
struct pair {
  jitrun_executable_t *executable;
  jitrun_buffer_t *args[2], *outputs[2];
  jitrun_launch_t launches[2];
};

static const uint32_t first_arg[] = {0};

static struct pair *make_pair(struct pair *pair, const char *entry) {
  pair->executable = load(wait_text, entry, 2);
  for (size_t i = 0; i < 2; i++) {
    pair->args[i] = make_buffer(i, (int32_t)i);
    pair->outputs[i] = NULL;
    pair->launches[i] = (jitrun_launch_t){.args = &pair->args[i],
                                          .arg_count = 1,
                                          .donated = first_arg,
                                          .donated_count = 1,
                                          .outputs = &pair->outputs[i],
                                          .output_count = 1};
  }
  return pair;
}

static void free_pair(struct pair *pair) {
  for (size_t i = 0; i < 2; i++) {
    jitrun_buffer_release(pair->args[i]);
    jitrun_buffer_release(pair->outputs[i]);
  }
  jitrun_executable_release(pair->executable);
}

/// Gives a replica what it waits for.
static void feed(const struct pair *pair, uint32_t place, int32_t first) {
  int32_t values[] = {first, first + 1, first + 2, first + 3};
  const jitrun_tensor_t tensor = {
      .dtype = JITRUN_DTYPE_S32, .rank = 1, .dims = dims4, .data = values};
  expect_ok(jitrun_world_send(jitrun_executable_world(pair->executable), place,
                              3, &tensor, -1));
}

static jitrun_job_t *start(struct pair *pair, int64_t timeout_ns) {
  const jitrun_execute_options_t options = {.size = sizeof options,
                                            .timeout_ns = timeout_ns};
  jitrun_job_t *job = NULL;
  expect_ok(jitrun_executable_start(pair->executable, pair->launches, 2,
                                    &options, &job));
  return job;
}

/// One that others wait behind does not hold up other devices.
static void execute_elsewhere(void) {
  jitrun_executable_t *executable = NULL;
  static const int64_t device[] = {2};
  static const jitrun_executable_options_t options = {
      .size = sizeof options, .entry = "all", .device_ids = device};
  expect_ok(jitrun_executable_load_memory(client, add_text, sizeof add_text - 1,
                                          "test.mlir", &options, &executable));
  jitrun_buffer_t *args[] = {make_buffer(2, 3), make_buffer(2, 4)};
  jitrun_buffer_t *outputs[2];
  const jitrun_launch_t launch = {
      .args = args, .arg_count = 2, .outputs = outputs, .output_count = 2};
  const jitrun_execute_options_t patient = {.size = sizeof patient,
                                            .timeout_ns = -1};
  expect_ok(jitrun_executable_execute(executable, &launch, 1, &patient));
  for (int i = 0; i < 2; i++) {
    expect_buffer(outputs[i], 3, 1);
    jitrun_buffer_release(args[i]);
    jitrun_buffer_release(outputs[i]);
  }
  jitrun_executable_release(executable);
}

/// What is outstanding: a channel, a meeting, an argument.
static void test_warnings(void **state) {
  (void)state;
  struct pair pair;
  struct pair behind;
  jitrun_job_t *job = start(make_pair(&pair, "meet_main"), -1);
  make_pair(&behind, "wait_main");
  jitrun_buffer_release(behind.args[0]);
  behind.args[0] = pair.outputs[0];
  jitrun_buffer_retain(behind.args[0]);
  jitrun_job_t *next = start(&behind, -1);
  size_t at = await_warning(
      "entry 'meet_main' on device host:0 (replica 0, partition 0), in custom "
      "call 'jitrun.recv' at test.mlir:16:5 waiting for something in the "
      "channel 3 from the host to replica 0; on device host:1 (replica 1, "
      "partition 0), in custom call 'jitrun.all_reduce' at test.mlir:18:3 "
      "waiting for replica 0",
      0);
  (void)await_warning("still executing after ", 0);
  (void)await_warning("entry 'wait_main' on device host:0 (replica 0, "
                      "partition 0), behind other work of the device",
                      0);
  (void)await_warning("'meet_main'", at + 1); // and again
  execute_elsewhere();
  feed(&pair, 0, 5);
  expect_ok(jitrun_job_wait(job, 0));
  feed(&behind, 0, 7);
  feed(&behind, 1, 9);
  expect_ok(jitrun_job_wait(next, 0));
  expect_buffer(behind.outputs[0], 7, 1);
  expect_buffer(behind.outputs[1], 9, 1);
  expect_buffer(pair.outputs[1], 6, 2);
  assert_int_equal(jitrun_async_state(jitrun_job_ended(job)),
                   JITRUN_ASYNC_AVAILABLE);
  jitrun_job_release(job);
  jitrun_job_release(next);
  free_pair(&pair);
  free_pair(&behind);
}

/// A wait for what no execution makes is told of as well.
static void test_warning_of_a_wait(void **state) {
  (void)state;
  struct pair pair;
  jitrun_job_t *job = start(make_pair(&pair, "wait_main"), -1);
  (void)await_warning("on device host:1 (replica 1, partition 0), in custom "
                      "call 'jitrun.recv' at test.mlir:8:3 waiting",
                      0);
  expect_error(jitrun_buffer_wait(pair.outputs[1], LATE_NS),
               JITRUN_DEADLINE_EXCEEDED,
               "a buffer on device host:1 is not ready after ");
  jitrun_error_t *error = jitrun_buffer_wait(pair.outputs[1], LATE_NS);
  assert_non_null(error);
  assert_non_null(strstr(jitrun_error_message(error),
                         "on device host:1 (replica 1, partition 0), in "
                         "custom call 'jitrun.recv' at test.mlir:8:3 waiting "
                         "for something in the channel 3 from the host to "
                         "replica 1"));
  jitrun_error_free(error);
  jitrun_buffer_t *copy = NULL;
  expect_ok(jitrun_buffer_copy_to(pair.outputs[1], devices[3], &copy));
  // A machine that is busy may be late with its warning.
  do {
    expect_error(jitrun_buffer_wait(copy, LATE_NS), JITRUN_DEADLINE_EXCEEDED,
                 "a buffer on device host:3 is not ready after ");
  } while (!was_warned("for a buffer on device host:3"));
  (void)await_warning("still waiting after ", 0);
  (void)await_warning("for a buffer on device host:3: entry 'wait_main'", 0);
  feed(&pair, 0, 1);
  feed(&pair, 1, 2);
  expect_buffer(copy, 2, 1);
  expect_ok(jitrun_job_wait(job, -1));
  jitrun_buffer_release(copy);
  jitrun_job_release(job);
  free_pair(&pair);
}

/// Both kinds of executions on the caller's thread are warned of.
static void test_warning_of_one_alone(void **state) {
  (void)state;
  static const char text[] =
      "func.func private @sleep() attributes {\n"
      "  rt.custom_call = \"jitrun.sleep\", ms = 1000 : i32}\n"
      "func.func @main(%a: memref<4xi32> {jitrun.output}) {\n"
      "  call @sleep() : () -> ()\n"
      "  return\n"
      "}\n";
  jitrun_executable_t *executable = load(text, NULL, 0);
  jitrun_buffer_t *arg = make_buffer(0, 0);
  jitrun_buffer_t *output = NULL;
  const jitrun_launch_t launch = {
      .args = &arg, .arg_count = 1, .outputs = &output, .output_count = 1};
  expect_ok(jitrun_executable_execute(executable, &launch, 1, NULL));
  (void)await_warning("entry 'main' on device host:0 (replica 0, partition 0), "
                      "in custom call 'jitrun.sleep' at test.mlir:4:3",
                      0);
  jitrun_buffer_release(arg);
  jitrun_buffer_release(output);
  jitrun_executable_release(executable);
}

/// Deadlines of the client, of a call, and of what nobody waits for.
static void test_deadlines(void **state) {
  (void)state;
  struct pair pair;
  jitrun_error_t *error = jitrun_executable_execute(
      make_pair(&pair, "wait_main")->executable, pair.launches, 2, NULL);
  assert_non_null(error);
  assert_string_equal(jitrun_error_location(error), "test.mlir:8:3");
  expect_error(error, JITRUN_DEADLINE_EXCEEDED,
               "not done after 0.2 s: entry 'wait_main' on device host:0 "
               "(replica 0, partition 0), in custom call 'jitrun.recv' at "
               "test.mlir:8:3 waiting for something in the channel 3 from the "
               "host to replica 0; on device host:1");
  assert_null(pair.outputs[0]);
  assert_true(jitrun_buffer_is_deleted(pair.args[0]));
  // The devices stop, and do what is next.
  free_pair(&pair);
  jitrun_job_t *job = start(make_pair(&pair, "wait_main"), -1);
  expect_error(jitrun_job_wait(job, SHORT_NS), JITRUN_DEADLINE_EXCEEDED,
               "not done after 0.005 s: entry 'wait_main'");
  feed(&pair, 0, 1);
  feed(&pair, 1, 2);
  expect_ok(jitrun_job_wait(job, -1));
  jitrun_job_release(job);
  free_pair(&pair);
  job = start(make_pair(&pair, "wait_main"), 0);
  expect_error(jitrun_job_wait(job, -1), JITRUN_DEADLINE_EXCEEDED,
               "not done after 0.2 s: entry 'wait_main'");
  for (size_t i = 0; i < 2; i++)
    expect_error(jitrun_buffer_wait(pair.outputs[i], -1),
                 JITRUN_DEADLINE_EXCEEDED, "not done after 0.2 s");
  assert_int_equal(warnings.count, 0);
  jitrun_job_release(job);
  free_pair(&pair);
}

static void test_cancel(void **state) {
  (void)state;
  struct pair pair;
  struct pair queued;
  jitrun_job_t *job = start(make_pair(&pair, "wait_main"), -1);
  jitrun_job_t *later = start(make_pair(&queued, "wait_main"), -1);
  jitrun_job_retain(job);
  jitrun_job_cancel(later); // before it begins
  jitrun_job_cancel(job);
  jitrun_job_cancel(job);
  jitrun_job_release(job);
  for (size_t i = 0; i < 2; i++) {
    expect_error(jitrun_buffer_wait(pair.outputs[i], -1), JITRUN_CANCELLED,
                 "the job was cancelled");
    expect_error(jitrun_buffer_wait(queued.outputs[i], -1), JITRUN_CANCELLED,
                 "the job was cancelled");
    assert_true(jitrun_buffer_is_deleted(pair.args[i]));
  }
  expect_error(jitrun_job_wait(job, -1), JITRUN_CANCELLED, "was cancelled");
  expect_error(jitrun_job_wait(later, -1), JITRUN_CANCELLED, "was cancelled");
  jitrun_job_cancel(job);
  jitrun_job_release(job);
  jitrun_job_release(later);
  free_pair(&pair);
  free_pair(&queued);
  // Of one that has ended: nothing.
  job = start(make_pair(&pair, "wait_main"), -1);
  feed(&pair, 0, 1);
  feed(&pair, 1, 2);
  expect_ok(jitrun_job_wait(job, -1));
  jitrun_job_cancel(job);
  expect_ok(jitrun_job_wait(job, -1));
  expect_buffer(pair.outputs[1], 2, 1);
  jitrun_job_release(job);
  free_pair(&pair);
  jitrun_job_cancel(NULL);
  jitrun_job_release(NULL);
  assert_null(jitrun_job_ended(NULL));
}

/// Either all that was ready when the job was cancelled, or CANCELLED.
static void test_cancel_meets_the_end(void **state) {
  (void)state;
  for (int round = 0; round < 50; round++) {
    struct pair pair;
    jitrun_job_t *job = start(make_pair(&pair, "wait_main"), -1);
    feed(&pair, 0, 1);
    feed(&pair, 1, 1);
    if (round % 2)
      jitrun_error_free(jitrun_buffer_wait(pair.outputs[0], -1));
    jitrun_job_cancel(job);
    size_t cancelled = 0;
    for (size_t i = 0; i < 2; i++) {
      jitrun_async_t *ready = NULL;
      expect_ok(jitrun_buffer_ready(pair.outputs[i], &ready));
      assert_int_not_equal(jitrun_async_state(ready), JITRUN_ASYNC_PENDING);
      cancelled += jitrun_async_state(ready) == JITRUN_ASYNC_ERROR;
      jitrun_async_release(ready);
    }
    jitrun_error_t *error = jitrun_job_wait(job, -1);
    assert_int_equal(jitrun_error_code(error),
                     cancelled > 0 ? JITRUN_CANCELLED : JITRUN_OK);
    jitrun_error_free(error);
    jitrun_job_release(job);
    free_pair(&pair);
  }
}

/// What is called on the thread of device 0.
struct callback {
  struct pair *pair;
  jitrun_job_t *job;
  jitrun_buffer_t *pending;
  jitrun_error_t *errors[4];
  jitrun_async_t *done;
};

static void call_back(void *context) {
  struct callback *callback = context;
  struct pair next = *callback->pair;
  jitrun_buffer_t *args[2] = {NULL, NULL};
  const jitrun_execute_options_t later = {.size = sizeof later,
                                          .is_async = true};
  callback->errors[0] =
      jitrun_executable_execute(next.executable, next.launches, 2, NULL);
  callback->errors[1] = jitrun_job_wait(callback->job, -1);
  callback->errors[2] = jitrun_buffer_wait(callback->pending, -1);
  for (size_t i = 0; i < 2; i++) {
    next.launches[i].args = &args[i];
    jitrun_error_free(
        jitrun_buffer_copy_to(callback->pending, devices[i], &args[i]));
  }
  callback->errors[3] =
      jitrun_executable_execute(next.executable, next.launches, 2, &later);
  jitrun_error_free(jitrun_async_set_token(callback->done));
  for (size_t i = 0; i < 2; i++)
    jitrun_buffer_release(args[i]);
}

static void test_own_thread(void **state) {
  (void)state;
  struct pair pair;
  struct pair behind;
  static const jitrun_type_t token = {.kind = JITRUN_KIND_TOKEN,
                                      .dtype = JITRUN_DTYPE_TOKEN};
  jitrun_async_t *ready = NULL;
  jitrun_job_t *job = start(make_pair(&pair, "wait_main"), -1);
  jitrun_job_t *later = start(make_pair(&behind, "wait_main"), -1);
  struct pair given;
  struct callback callback = {.pair = make_pair(&given, "wait_main"),
                              .job = job,
                              .pending = behind.outputs[0]};
  expect_ok(jitrun_async_create(&token, &callback.done));
  expect_ok(jitrun_buffer_ready(pair.outputs[0], &ready));
  expect_ok(jitrun_async_then(ready, call_back, &callback));
  feed(&pair, 1, 2);
  feed(&pair, 0, 1);
  expect_ok(jitrun_async_wait(callback.done, -1));
  expect_error(callback.errors[0], JITRUN_FAILED_PRECONDITION,
               "the thread of device host:0 would wait for itself: execute "
               "with is_async");
  expect_error(callback.errors[1], JITRUN_FAILED_PRECONDITION,
               "it has its own part of the job to end");
  expect_error(callback.errors[2], JITRUN_FAILED_PRECONDITION,
               "it makes that buffer after what it does now");
  expect_ok(callback.errors[3]);
  feed(&behind, 0, 3);
  feed(&behind, 1, 4);
  expect_ok(jitrun_job_wait(job, -1));
  expect_ok(jitrun_job_wait(later, -1));
  feed(&given, 0, 5);
  feed(&given, 1, 6);
  expect_buffer(given.outputs[1], 6, 1);
  expect_ok(jitrun_buffer_wait(given.outputs[0], -1));
  jitrun_async_release(ready);
  jitrun_async_release(callback.done);
  jitrun_job_release(job);
  jitrun_job_release(later);
  free_pair(&pair);
  free_pair(&behind);
  free_pair(&given);
}

static void start_once(void *context) {
  struct pair *pair = context;
  jitrun_job_t *job = NULL;
  jitrun_error_t *error =
      jitrun_executable_start(pair->executable, pair->launches, 2, NULL, &job);
  bool is_out = error != NULL;
  assert_true(is_out == (job == NULL));
  jitrun_error_free(error);
  jitrun_job_cancel(job);
  if (job)
    jitrun_error_free(jitrun_async_wait(jitrun_job_ended(job), -1));
  jitrun_job_release(job);
  for (size_t i = 0; i < 2; i++) {
    assert_true(jitrun_buffer_is_deleted(pair->args[i]) == !is_out);
    if (is_out)
      continue;
    jitrun_buffer_release(pair->outputs[i]);
    jitrun_buffer_release(pair->args[i]);
    jr_alloc_fail_nth(0);
    pair->args[i] = make_buffer(i, 0);
    pair->outputs[i] = NULL;
  }
}

static void test_without_memory(void **state) {
  (void)state;
  struct pair pair;
  make_pair(&pair, "wait_main");
  start_once(&pair);
  for (uint32_t nth = 1; nth < 40; nth++) {
    jr_alloc_fail_nth(nth);
    start_once(&pair);
    jr_alloc_fail_nth(0);
  }
  free_pair(&pair);
}

int main(void) {
#define TEST(name, open)                                                       \
  cmocka_unit_test_setup_teardown(name, open, close_client)
  const struct CMUnitTest tests[] = {
      TEST(test_warnings, open_warning),
      TEST(test_warning_of_a_wait, open_warning),
      TEST(test_warning_of_one_alone, open_warning),
      TEST(test_deadlines, open_hasty),
      TEST(test_cancel, open_client),
      TEST(test_cancel_meets_the_end, open_client),
      TEST(test_own_thread, open_client),
      TEST(test_without_memory, open_client),
  };
#undef TEST
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
