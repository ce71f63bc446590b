/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What handlers ask of where they are: the place of an execution, and memory
/// to work in.
#include "sample_run.h"

#include "jitrun/world.h"

/// What the hook of a test has seen; one test at a time.
static struct seen {
  jitrun_place_t place;
  size_t size, wanted;
  void *before, *memory;
  bool is_wrong;
} seen;

static int begin(void **state) {
  seen = (struct seen){0};
  return set_up(state);
}

static bool has_execution(const char *stage) {
  return strcmp(stage, "instantiate") != 0;
}

static jitrun_error_t *ask_place(jitrun_call_t *call, const char *stage) {
  jitrun_place_t place = {.size = seen.size, .device_id = -7};
  call->site->api->place(call, &place);
  if (place.size != seen.size)
    seen.is_wrong = true;
  if (has_execution(stage))
    seen.place = place;
  else if (place.replica_count != 1 || place.device_id != 0)
    seen.is_wrong = true;
  return NULL;
}

static void test_place(void **state) {
  struct fixture *fixture = *state;
  static const int64_t ids[] = {4, 9};
  int stream = 0;
  const jitrun_place_t place = {.size = sizeof place,
                                .device_id = 9,
                                .local_ordinal = 3,
                                .replica_count = 1,
                                .partition_count = 2,
                                .device_ids = ids,
                                .comm_stream = &stream};
  jitrun_run_options_t options = {.size = sizeof options};
  seen.size = sizeof place;
  sample_calls.hook = ask_place;
  expect_ok(run(fixture, &options));
  assert_int_equal(seen.place.device_id, 0);
  assert_int_equal(seen.place.replica_count, 1);
  assert_int_equal(seen.place.partition_count, 1);
  assert_null(seen.place.device_ids);
  assert_null(seen.place.comm_stream);
  assert_true(seen.place.thread_count >= 1);
  options.place = &place;
  expect_ok(run(fixture, &options));
  assert_int_equal(seen.place.device_id, 9);
  assert_int_equal(seen.place.local_ordinal, 3);
  assert_int_equal(seen.place.partition_count, 2);
  assert_ptr_equal(seen.place.device_ids, ids);
  assert_ptr_equal(seen.place.comm_stream, &stream);
  assert_false(seen.is_wrong);
}

/// The world knows better; a place of an older version says less.
static void test_place_in_a_world(void **state) {
  struct fixture *fixture = *state;
  jitrun_world_t *world = NULL;
  expect_ok(jitrun_world_create(1, 1, NULL, &world));
  const jitrun_place_t place = {.size = offsetof(jitrun_place_t, local_ordinal),
                                .device_id = 5,
                                .local_ordinal = 3,
                                .replica_count = 8};
  const jitrun_run_options_t options = {
      .size = sizeof options, .world = world, .place = &place};
  seen.size = sizeof place;
  sample_calls.hook = ask_place;
  expect_ok(run(fixture, &options));
  assert_int_equal(seen.place.device_id, 5);
  assert_int_equal(seen.place.local_ordinal, 0);
  assert_int_equal(seen.place.replica_count, 1);
  jitrun_world_release(world);
}

/// Plug-ins of another version have a shorter structure, or a longer one.
static void test_other_sizes(void **state) {
  struct fixture *fixture = *state;
  sample_calls.hook = ask_place;
  seen.size = offsetof(jitrun_place_t, device_id);
  expect_ok(run(fixture, NULL));
  assert_int_equal(seen.place.device_id, -7);
  seen.size = sizeof(jitrun_place_t) + 8;
  expect_ok(run(fixture, NULL));
  assert_int_equal(seen.place.device_id, 0);
  assert_int_equal(seen.place.replica_count, 1);
}

static jitrun_error_t *take_workspace(jitrun_call_t *call, const char *stage) {
  const jitrun_call_api_t *api = call->site->api;
  bool is_call = strcmp(stage, "execute") == 0;
  void *memory = is_call || !has_execution(stage)
                     ? api->workspace(call, seen.wanted)
                     : NULL;
  if (!has_execution(stage))
    seen.is_wrong |= memory != NULL;
  if (!is_call)
    return NULL;
  if (!memory)
    return api->error(call, JITRUN_RESOURCE_EXHAUSTED, "no workspace",
                      SIZE_MAX);
  seen.is_wrong |= ((uintptr_t)memory & 63) != 0;
  memset(memory, 7, seen.wanted);
  seen.before = seen.memory;
  seen.memory = memory;
  return NULL;
}

static void test_workspace(void **state) {
  struct fixture *fixture = *state;
  sample_calls.hook = take_workspace;
  jitrun_program_release(fixture->program);
  expect_ok(open_sample(&fixture->sample, fixture->registry,
                        JITRUN_EXECUTOR_AUTO, &fixture->program));
  seen.wanted = 1000;
  expect_ok(run(fixture, NULL));
  expect_ok(run(fixture, NULL));
  assert_ptr_equal(seen.memory, seen.before);
  seen.wanted = 10;
  expect_ok(run(fixture, NULL));
  assert_ptr_equal(seen.memory, seen.before);
  seen.wanted = 100000;
  expect_ok(run(fixture, NULL));
  expect_ok(run(fixture, NULL));
  assert_ptr_equal(seen.memory, seen.before);
  seen.wanted = 0;
  expect_ok(run(fixture, NULL));
  assert_false(seen.is_wrong);
}

static jitrun_error_t *ask_too_much(jitrun_call_t *call, const char *stage) {
  if (strcmp(stage, "execute") == 0)
    seen.is_wrong = call->site->api->workspace(call, SIZE_MAX) != NULL;
  return NULL;
}

static void run_once(void *context) {
  jitrun_error_t *error = run(context, NULL);
  if (error)
    assert_int_equal(jitrun_error_code(error), JITRUN_RESOURCE_EXHAUSTED);
  jitrun_error_free(error);
}

static void test_no_memory(void **state) {
  struct fixture *fixture = *state;
  sample_calls.hook = ask_too_much;
  expect_ok(run(fixture, NULL));
  assert_false(seen.is_wrong);
  sample_calls.hook = take_workspace;
  seen.wanted = 64;
  sweep_allocations(run_once, fixture);
}

#undef TEST
#define TEST(function)                                                         \
  cmocka_unit_test_setup_teardown(function, begin, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_place),     TEST(test_place_in_a_world), TEST(test_other_sizes),
      TEST(test_workspace), TEST(test_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
