/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// States that call sites share: made once, found again, destroyed in reverse;
/// failures, waiting, and keys that would wait for themselves.
#include "expect.h"

#include "runtime/states.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { THREAD_COUNT = 8, MANY = 300 };

struct fixture {
  struct jr_states states;
  struct jr_state_sync sync;
};

/// Ids in the order in which their states went.
static int64_t gone[MANY];
static size_t gone_count;

static int set_up(void **state) {
  gone_count = 0;
  static struct fixture fixture;
  fixture = (struct fixture){0};
  jr_state_sync_init(&fixture.sync);
  *state = &fixture;
  return 0;
}

static int tear_down(void **state) {
  struct fixture *fixture = *state;
  jr_states_clear(&fixture->states);
  jr_state_sync_deinit(&fixture->sync);
  return 0;
}

static jitrun_error_t *get(struct fixture *fixture,
                           const jitrun_state_key_t *key, void **out_state) {
  return jr_states_get(&fixture->states, &fixture->sync, NULL, key, out_state);
}

static void note_gone(void *state) {
  gone[gone_count++] = *(int64_t *)state;
  free(state);
}

static jitrun_error_t *make_id(const jitrun_call_t *call, void *context,
                               void **out_state) {
  (void)call;
  int64_t *id = jr_malloc(sizeof *id);
  if (!id)
    return jr_error_no_memory();
  *id = *(int64_t *)context;
  *out_state = id;
  return NULL;
}

static jitrun_state_key_t make_key(const char *name, int64_t *id) {
  return (jitrun_state_key_t){.size = sizeof(jitrun_state_key_t),
                              .scope = JITRUN_SCOPE_PROGRAM,
                              .name = name,
                              .id = *id,
                              .create = make_id,
                              .destroy = note_gone,
                              .context = id};
}

/// Fails as often as its context says.
static jitrun_error_t *fail_first(const jitrun_call_t *call, void *context,
                                  void **out_state) {
  (void)call;
  int *left = context;
  if ((*left)-- > 0)
    return jr_error(JITRUN_UNAVAILABLE, "not yet");
  *out_state = context;
  return NULL;
}

/// JitRt's state_test: failures are not cached, what was made is.
static void test_get_or_create(void **state) {
  int left = 2;
  const jitrun_state_key_t key = {.size = sizeof key,
                                  .scope = JITRUN_SCOPE_PROGRAM,
                                  .name = "test.late",
                                  .id = -7,
                                  .create = fail_first,
                                  .context = &left};
  void *found = NULL;
  jitrun_error_t *err = get(*state, &key, &found);
  assert_string_equal(jitrun_error_note_get(err, 0),
                      "while creating state 'test.late' -7");
  expect_error(err, JITRUN_UNAVAILABLE, "not yet");
  expect_error(get(*state, &key, &found), JITRUN_UNAVAILABLE, "not yet");
  assert_null(found);
  expect_ok(get(*state, &key, &found));
  assert_ptr_equal(found, &left);
  expect_ok(get(*state, &key, &found));
  assert_int_equal(left, -1);
}

/// JitRt's state_test: ids in no order; the last made goes first.
static void test_random_order(void **state) {
  struct fixture *fixture = *state;
  void *first[MANY];
  for (int64_t i = 0; i < MANY; i++) {
    int64_t id = i * 71 % MANY - 100;
    const jitrun_state_key_t key = make_key("test.id", &id);
    expect_ok(get(fixture, &key, &first[i]));
    assert_int_equal(*(int64_t *)first[i], id);
  }
  for (int64_t i = 0; i < MANY; i++) {
    int64_t id = i * 71 % MANY - 100;
    const jitrun_state_key_t key = make_key("test.id", &id);
    void *again = NULL;
    expect_ok(get(fixture, &key, &again));
    assert_ptr_equal(again, first[i]);
  }
  assert_int_equal(gone_count, 0);
  jr_states_clear(&fixture->states);
  assert_int_equal(gone_count, MANY);
  for (int64_t i = 0; i < MANY; i++)
    assert_int_equal(gone[MANY - 1 - i], i * 71 % MANY - 100);
}

/// JitRt's StateArg: two states under one id.
static void test_state_arg(void **state) {
  int64_t id = 0;
  char name[] = "test.a";
  const jitrun_state_key_t a = make_key(name, &id);
  const jitrun_state_key_t b = make_key("test.b", &id);
  void *first = NULL;
  void *second = NULL;
  expect_ok(get(*state, &a, &first));
  expect_ok(get(*state, &b, &second));
  assert_ptr_not_equal(first, second);
  name[5] = 'c'; // names are copied
  const jitrun_state_key_t same = make_key("test.a", &id);
  expect_ok(get(*state, &same, &second));
  assert_ptr_equal(first, second);
}

static void test_bad_keys(void **state) {
  (void)state;
  int64_t id = 0;
  jitrun_state_key_t key = make_key("test.a", &id);
  expect_ok(jr_state_key_check(&key));
  expect_error(jr_state_key_check(NULL), JITRUN_INVALID_ARGUMENT, "size 0");
  key.size = 8;
  expect_error(jr_state_key_check(&key), JITRUN_INVALID_ARGUMENT, "size 8");
  key = make_key("", &id);
  expect_error(jr_state_key_check(&key), JITRUN_INVALID_ARGUMENT, "no name");
  key = make_key("test.a", &id);
  key.create = NULL;
  expect_error(jr_state_key_check(&key), JITRUN_INVALID_ARGUMENT,
               "no create function");
  key = make_key("test.a", &id);
  key.scope = (jitrun_scope_t)3;
  expect_error(jr_state_key_check(&key), JITRUN_INVALID_ARGUMENT,
               "'test.a' has scope 3");
}

/// A state whose create asks for another.
struct nested {
  struct fixture *fixture;
  jitrun_state_key_t inner;
  int64_t id;
  void (*meet)(void *context); ///< called before asking, if any
  void *meet_context;
};

static jitrun_error_t *make_nested(const jitrun_call_t *call, void *context,
                                   void **out_state) {
  struct nested *nested = context;
  void *inner = NULL;
  if (nested->meet)
    nested->meet(nested->meet_context);
  JITRUN_TRY(get(nested->fixture, &nested->inner, &inner));
  return make_id(call, &nested->id, out_state);
}

static jitrun_state_key_t make_nested_key(struct nested *nested) {
  jitrun_state_key_t key = make_key("test.nested", &nested->id);
  key.create = make_nested;
  key.context = nested;
  return key;
}

/// What a state was made with goes after it.
static void test_nested(void **state) {
  int64_t id = 5;
  struct nested nested = {.fixture = *state, .id = 6};
  nested.inner = make_key("test.inner", &id);
  const jitrun_state_key_t key = make_nested_key(&nested);
  void *made = NULL;
  expect_ok(get(*state, &key, &made));
  jr_states_clear(&nested.fixture->states);
  assert_int_equal(gone_count, 2);
  assert_int_equal(gone[0], 6);
  assert_int_equal(gone[1], 5);
}

static void test_recursion(void **state) {
  struct nested nested = {.fixture = *state, .id = 6};
  const jitrun_state_key_t key = make_nested_key(&nested);
  nested.inner = key;
  void *made = NULL;
  for (int i = 0; i < 2; i++) {
    jitrun_error_t *err = get(*state, &key, &made);
    assert_string_equal(jitrun_error_note_get(err, 0),
                        "while creating state 'test.nested' 6");
    expect_error(err, JITRUN_FAILED_PRECONDITION,
                 "state 'test.nested' 6 is asked for by what creates it");
  }
}

/// A thread that gets one state.
struct getter {
  struct fixture *fixture;
  jitrun_state_key_t key;
  jitrun_error_t *err;
  void *state;
  pthread_t thread;
};

static void *run_getter(void *context) {
  struct getter *getter = context;
  getter->err = get(getter->fixture, &getter->key, &getter->state);
  return NULL;
}

static void start_getter(struct getter *getter) {
  assert_int_equal(pthread_create(&getter->thread, NULL, run_getter, getter),
                   0);
}

static void join_getter(struct getter *getter) {
  assert_int_equal(pthread_join(getter->thread, NULL), 0);
}

static void meet_barrier(void *context) {
  static _Thread_local bool has_met;
  if (!has_met)
    (void)pthread_barrier_wait(context);
  has_met = true;
}

/// Two threads, each creating what the other asks for.
static void test_cycle(void **state) {
  pthread_barrier_t barrier;
  struct nested nested[2];
  struct getter getters[2];
  (void)pthread_barrier_init(&barrier, NULL, 2);
  for (int i = 0; i < 2; i++)
    nested[i] = (struct nested){.fixture = *state,
                                .id = i,
                                .meet = meet_barrier,
                                .meet_context = &barrier};
  for (int i = 0; i < 2; i++) {
    nested[i].inner = make_nested_key(&nested[1 - i]);
    getters[i] =
        (struct getter){.fixture = *state, .key = make_nested_key(&nested[i])};
  }
  start_getter(&getters[0]);
  start_getter(&getters[1]);
  for (int i = 0; i < 2; i++) {
    join_getter(&getters[i]);
    expect_error(getters[i].err, JITRUN_FAILED_PRECONDITION,
                 "would wait for itself");
  }
  (void)pthread_barrier_destroy(&barrier);
}

/// Creation that goes on until it is let go.
struct gate {
  atomic_int entered, created;
  atomic_bool is_open;
};

static jitrun_error_t *make_behind_gate(const jitrun_call_t *call,
                                        void *context, void **out_state) {
  (void)call;
  struct gate *gate = context;
  gate->entered++;
  while (!gate->is_open)
    sched_yield();
  *out_state = gate;
  return ++gate->created == 1 ? jr_error(JITRUN_ABORTED, "the first") : NULL;
}

/// One thread creates, others wait; where it fails one of them tries again;
/// and meanwhile another key is free.
static void test_waiting(void **state) {
  struct fixture *fixture = *state;
  struct gate gate = {0};
  struct getter getters[THREAD_COUNT];
  int64_t id = 3;
  for (int i = 0; i < THREAD_COUNT; i++) {
    getters[i] = (struct getter){.fixture = fixture};
    getters[i].key = make_key("test.gate", &id);
    getters[i].key.create = make_behind_gate;
    getters[i].key.destroy = NULL;
    getters[i].key.context = &gate;
    start_getter(&getters[i]);
  }
  while (gate.entered == 0)
    sched_yield();
  const jitrun_state_key_t other = make_key("test.other", &id);
  void *made = NULL;
  expect_ok(get(fixture, &other, &made));
  assert_int_equal(gate.entered, 1);
  gate.is_open = true;
  int failed = 0;
  for (int i = 0; i < THREAD_COUNT; i++) {
    join_getter(&getters[i]);
    if (getters[i].err)
      failed++;
    else
      assert_ptr_equal(getters[i].state, &gate);
    jitrun_error_free(getters[i].err);
  }
  assert_int_equal(failed, 1);
  assert_int_equal(gate.created, 2);
}

/// Many keys from many threads, while the table grows.
static void *get_many(void *context) {
  for (int64_t i = 0; i < MANY; i++) {
    int64_t id = i;
    const jitrun_state_key_t key = make_key("test.many", &id);
    void *made = NULL;
    jitrun_error_t *err = get(context, &key, &made);
    jitrun_error_free(err);
    if (err || *(int64_t *)made != i)
      return context;
  }
  return NULL;
}

static void test_threads(void **state) {
  struct fixture *fixture = *state;
  pthread_t threads[THREAD_COUNT];
  for (int i = 0; i < THREAD_COUNT; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, get_many, *state), 0);
  for (int i = 0; i < THREAD_COUNT; i++) {
    void *failed = NULL;
    assert_int_equal(pthread_join(threads[i], &failed), 0);
    assert_null(failed);
  }
  jr_states_clear(&fixture->states);
  assert_int_equal(gone_count, MANY);
}

static void get_some(void *context) {
  struct fixture *fixture = context;
  gone_count = 0;
  for (int64_t i = 0; i < 20; i++) {
    const jitrun_state_key_t key = make_key("test.some", &i);
    void *made = NULL;
    jitrun_error_t *err = get(fixture, &key, &made);
    if (err)
      assert_int_equal(jitrun_error_code(err), JITRUN_RESOURCE_EXHAUSTED);
    else
      assert_int_equal(*(int64_t *)made, i);
    jitrun_error_free(err);
  }
  jr_states_clear(&fixture->states);
}

static void test_no_memory(void **state) {
  sweep_allocations(get_some, *state);
}

#define TEST(function)                                                         \
  cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_get_or_create), TEST(test_random_order), TEST(test_state_arg),
      TEST(test_bad_keys),      TEST(test_nested),       TEST(test_recursion),
      TEST(test_cycle),         TEST(test_waiting),      TEST(test_threads),
      TEST(test_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
