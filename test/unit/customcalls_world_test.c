/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Worlds and meetings: many threads that meet, members that do not agree, do
/// not come, fail or are told to stop.
#include "fake_call.h"

#include "customcalls/world.h"

#include <pthread.h>

enum { DEVICES = 8, ROUNDS = 20, MEETINGS = 25 };

static jitrun_world_t *make_world(uint32_t replicas, uint32_t partitions,
                                  int64_t timeout_ns) {
  jitrun_world_t *world = NULL;
  const jitrun_world_options_t options = {
      .size = sizeof options, .timeout_ns = timeout_ns, .queue_capacity = 2};
  expect_ok(jitrun_world_create(replicas, partitions, &options, &world));
  return world;
}

static void test_create(void **state) {
  (void)state;
  jitrun_world_t *world = NULL;
  expect_error(jitrun_world_create(0, 1, NULL, &world), JITRUN_INVALID_ARGUMENT,
               "a world has 1 to 65536 devices; 0 replicas of 1 partitions");
  assert_null(world);
  expect_error(jitrun_world_create(1u << 20, 1u << 20, NULL, &world),
               JITRUN_INVALID_ARGUMENT, "1 to 65536 devices");
  const jitrun_world_options_t unset = {.size = 0};
  expect_error(jitrun_world_create(1, 1, &unset, &world),
               JITRUN_INVALID_ARGUMENT, "options of a world have size 0");
  expect_ok(jitrun_world_create(3, 2, NULL, &world));
  assert_int_equal(jitrun_world_replica_count(world), 3);
  assert_int_equal(jitrun_world_partition_count(world), 2);
  char name[JR_DEVICE_NAME_SIZE];
  assert_string_equal(jr_device_name(world, 5, name), "replica 2, partition 1");
  expect_error(jr_world_enter(world, 3, 0), JITRUN_INVALID_ARGUMENT,
               "there is no replica 3, partition 0 in a world of 3 replicas of "
               "2 partitions");
  jitrun_world_retain(world);
  jitrun_world_release(world);
  jitrun_world_release(world);
  jitrun_world_release(NULL);
}

/// One member of a meeting, as a call of it would be.
struct member {
  jitrun_world_t *world;
  uint32_t device;
  uint32_t devices[DEVICES];
  uint8_t dtype;
  uint64_t count;
  struct jr_offer offer;
  uint64_t wrong;
};

static void init_member(struct member *member, jitrun_world_t *world,
                        uint32_t device, uint32_t count) {
  *member = (struct member){
      .world = world, .device = device, .dtype = JITRUN_DTYPE_S32, .count = 1};
  for (uint32_t i = 0; i < count; i++)
    member->devices[i] = i;
  member->offer = (struct jr_offer){.who = "test.meet",
                                    .id = 7,
                                    .members = member->devices,
                                    .member_count = count,
                                    .rank = device,
                                    .kind = "all_reduce sum",
                                    .dtypes = &member->dtype,
                                    .counts = &member->count,
                                    .buffer_count = 1};
}

/// Brings a number.
static jitrun_error_t *join(struct member *member, uint64_t number,
                            struct jr_meeting **out_meeting) {
  uint64_t *data = jr_malloc(sizeof *data);
  *out_meeting = NULL;
  if (!data)
    return jr_error_no_memory();
  *data = number;
  return jr_meeting_join(member->world, &member->offer, data, out_meeting);
}

/// Meets once and adds up what all brought; UINT64_MAX where that fails.
static uint64_t meet(struct member *member, uint64_t number) {
  struct jr_meeting *meeting = NULL;
  struct jr_wait wait = jr_wait_begin("test.meet", NULL, -1);
  jitrun_error_t *error = join(member, number, &meeting);
  if (!error)
    error = jr_meeting_await(member->world, meeting, &wait);
  uint64_t sum = error ? UINT64_MAX : 0;
  for (uint32_t i = 0; !error && i < member->offer.member_count; i++)
    sum += *(const uint64_t *)jr_meeting_data(meeting)[i];
  if (meeting)
    jr_meeting_leave(member->world, meeting, member->offer.rank);
  jitrun_error_free(error);
  return sum;
}

/// What a thread does: executions, with meetings in each, and sometimes one
/// that it starts and never finishes.
static void *run_member(void *argument) {
  struct member *member = argument;
  for (uint64_t round = 0; round < ROUNDS; round++) {
    jitrun_error_free(jr_world_enter(member->world, member->device, 0));
    for (uint64_t i = 0; i < MEETINGS; i++) {
      uint64_t base = round * MEETINGS + i;
      uint64_t sum = meet(member, base + member->device);
      member->wrong += sum != base * DEVICES + DEVICES * (DEVICES - 1) / 2;
    }
    struct jr_meeting *left = NULL;
    member->offer.id = 8;
    if (member->device % 2 == 0)
      jitrun_error_free(join(member, 0, &left));
    member->offer.id = 7;
    jr_world_leave(member->world, member->device, 0, NULL);
  }
  return NULL;
}

static void test_threads(void **state) {
  (void)state;
  static struct member members[DEVICES];
  pthread_t threads[DEVICES];
  jitrun_world_t *world = make_world(DEVICES, 1, -1);
  for (uint32_t i = 0; i < DEVICES; i++)
    init_member(&members[i], world, i, DEVICES);
  for (uint32_t i = 0; i < DEVICES; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, run_member, &members[i]),
                     0);
  for (uint32_t i = 0; i < DEVICES; i++)
    (void)pthread_join(threads[i], NULL);
  for (uint32_t i = 0; i < DEVICES; i++)
    assert_int_equal(members[i].wrong, 0);
  assert_null(world->meetings);
  jitrun_world_release(world);
}

/// Two members of a world, both entered.
struct pair {
  jitrun_world_t *world;
  struct member members[2];
  struct jr_meeting *meetings[2];
};

static void init_pair(struct pair *pair) {
  *pair = (struct pair){.world = make_world(2, 1, -1)};
  for (uint32_t i = 0; i < 2; i++) {
    init_member(&pair->members[i], pair->world, i, 2);
    expect_ok(jr_world_enter(pair->world, i, 0));
  }
}

static void deinit_pair(struct pair *pair, bool is_second_in) {
  jr_world_leave(pair->world, 0, 0, NULL);
  if (is_second_in)
    jr_world_leave(pair->world, 1, 0, NULL);
  assert_null(pair->world->meetings);
  jitrun_world_release(pair->world);
}

static jitrun_error_t *await(struct pair *pair, const jitrun_call_t *call,
                             int64_t timeout_ns) {
  struct jr_wait wait = jr_wait_begin("test.meet", call, timeout_ns);
  return jr_meeting_await(pair->world, pair->meetings[0], &wait);
}

static void test_quarrel(void **state) {
  (void)state;
  struct pair pair;
  init_pair(&pair);
  expect_ok(join(&pair.members[0], 1, &pair.meetings[0]));
  pair.members[1].count = 2;
  pair.members[1].offer.kind = "all_gather";
  static const char text[] =
      "test.meet: replica 0 calls all_reduce sum of i32[1], but replica 1 "
      "calls all_gather of i32[2]; all members of a group must call the same";
  expect_error(join(&pair.members[1], 1, &pair.meetings[1]),
               JITRUN_INVALID_ARGUMENT, text);
  expect_error(await(&pair, NULL, -1), JITRUN_INVALID_ARGUMENT, text);
  jr_meeting_leave(pair.world, pair.meetings[0], 0);
  deinit_pair(&pair, true);
}

static void test_deadline(void **state) {
  (void)state;
  struct pair pair;
  init_pair(&pair);
  expect_ok(join(&pair.members[0], 1, &pair.meetings[0]));
  expect_error(await(&pair, NULL, 1000000), JITRUN_DEADLINE_EXCEEDED,
               "test.meet waited 0.001 s for replica 1 (id 7)");
  // it may come later all the same
  expect_ok(join(&pair.members[1], 1, &pair.meetings[1]));
  expect_ok(await(&pair, NULL, 0));
  jr_meeting_leave(pair.world, pair.meetings[0], 0);
  deinit_pair(&pair, true);
}

static void test_cancelled(void **state) {
  (void)state;
  struct pair pair;
  struct fake_call fake;
  init_pair(&pair);
  fake_init_builtin(&fake, "jitrun.noop");
  fake.frame.call.exec = (jitrun_exec_t *)(void *)&fake;
  fake.cancel_after = 2;
  expect_ok(join(&pair.members[0], 1, &pair.meetings[0]));
  expect_error(await(&pair, &fake.frame.call, -1), JITRUN_CANCELLED,
               "test.meet was cancelled while it waited for replica 1 (id 7)");
  fake_deinit(&fake);
  deinit_pair(&pair, true);
}

static void test_failure(void **state) {
  (void)state;
  struct pair pair;
  init_pair(&pair);
  expect_ok(join(&pair.members[0], 1, &pair.meetings[0]));
  jitrun_error_t *error = jr_error(JITRUN_INTERNAL, "out of luck");
  jr_world_leave(pair.world, 1, 0, error);
  jitrun_error_free(error);
  error = await(&pair, NULL, -1);
  assert_true(jr_error_follows(error));
  expect_error(error, JITRUN_ABORTED,
               "test.meet waits for replica 1, which has failed: out of luck");
  jr_meeting_leave(pair.world, pair.meetings[0], 0);
  // its next execution does not come to this one's meetings, and does not make
  // what was wrong with this one forgotten
  expect_ok(jr_world_enter(pair.world, 1, 0));
  expect_ok(join(&pair.members[0], 1, &pair.meetings[0]));
  expect_error(await(&pair, NULL, -1), JITRUN_ABORTED,
               "test.meet waits for replica 1, which has failed: out of luck");
  jr_meeting_leave(pair.world, pair.meetings[0], 0);
  // nor do later ones, as many as there are, whether they fail or not
  for (int i = 0; i < 100; i++) {
    error = i % 3 > 0 || i > 36 ? jr_error(JITRUN_INTERNAL, "again") : NULL;
    jr_world_leave(pair.world, 1, 0, error);
    jitrun_error_free(error);
    expect_ok(jr_world_enter(pair.world, 1, 0));
    if (i >= 62 && i <= 98) // too long ago, and not all since have failed
      continue;
    expect_ok(join(&pair.members[0], 1, &pair.meetings[0]));
    expect_error(await(&pair, NULL, -1), JITRUN_ABORTED,
                 "test.meet waits for replica 1, which has failed: ");
    jr_meeting_leave(pair.world, pair.meetings[0], 0);
  }
  expect_ok(join(&pair.members[0], 1, &pair.meetings[0]));
  deinit_pair(&pair, true);
}

/// One execution ends while another on the same device goes on.
static void test_nested(void **state) {
  (void)state;
  struct pair pair;
  init_pair(&pair);
  expect_ok(jr_world_enter(pair.world, 1, 0));
  jr_world_leave(pair.world, 1, 0, NULL);
  expect_ok(join(&pair.members[0], 1, &pair.meetings[0]));
  expect_error(await(&pair, NULL, 0), JITRUN_DEADLINE_EXCEEDED, "replica 1");
  deinit_pair(&pair, true);
}

/// A meeting that a device never comes to ends with the world.
static void test_stranded(void **state) {
  (void)state;
  jitrun_world_t *world = make_world(2, 1, -1);
  struct member member;
  struct jr_meeting *meeting = NULL;
  init_member(&member, world, 0, 2);
  expect_ok(jr_world_enter(world, 0, 0));
  expect_ok(join(&member, 1, &meeting));
  jr_world_leave(world, 0, 0, NULL);
  assert_non_null(world->meetings);
  jitrun_world_release(world);
}

static void test_many_names(void **state) {
  (void)state;
  jitrun_world_t *world = make_world(1, 1, -1);
  struct member member;
  init_member(&member, world, 0, 1);
  expect_ok(jr_world_enter(world, 0, 0));
  for (int64_t i = 0; i < 300; i++) {
    member.offer.id = (i * 37) % 100;
    member.offer.space = (uint32_t)(i % 2);
    assert_int_equal(meet(&member, (uint64_t)i), i);
  }
  assert_int_equal(world->devices[0].tally_count, 100);
  jr_world_leave(world, 0, 0, NULL);
  jitrun_world_release(world);
}

static void run_sweep(void *context) {
  (void)context;
  jitrun_world_t *world = NULL;
  struct jr_meeting *meeting = NULL;
  struct member member;
  jitrun_error_t *error = jitrun_world_create(2, 1, NULL, &world);
  if (!error) {
    init_member(&member, world, 0, 2);
    error = join(&member, 1, &meeting);
  }
  if (!error) {
    struct jr_meeting *other = NULL;
    init_member(&member, world, 1, 2);
    member.count = 2; // another quarrel, whose text may want memory
    error = join(&member, 1, &other);
    assert_non_null(error);
    struct jr_wait wait = jr_wait_begin("test.meet", NULL, 0);
    jitrun_error_free(error);
    error = jr_meeting_await(world, meeting, &wait);
    assert_non_null(error);
  }
  jitrun_error_free(error);
  jitrun_world_release(world);
}

static void test_allocations(void **state) {
  (void)state;
  sweep_allocations(run_sweep, NULL);
}

static void test_events(void **state) {
  (void)state;
  struct jr_events events;
  void *payload = NULL;
  int first = 0;
  jr_events_init(&events);
  const struct jr_event event = {
      .kind = JR_EVENT_COLLECTIVE, .id = 3, .payload = &first};
  assert_int_equal(jr_events_add(&events, &event), JR_ADDED);
  assert_int_equal(jr_events_add(&events, &event), JR_ADDED_TWICE);
  jr_alloc_fail_nth(1);
  assert_int_equal(jr_events_add(&events, &event), JR_NOT_ADDED);
  assert_false(jr_events_take(&events, JR_EVENT_TRANSFER, 3, &payload));
  assert_true(jr_events_take(&events, JR_EVENT_COLLECTIVE, 3, &payload));
  assert_ptr_equal(payload, &first);
  assert_false(jr_events_take(&events, JR_EVENT_COLLECTIVE, 3, &payload));
  assert_int_equal(jr_events_add(&events, &event), JR_ADDED);
  jr_events_deinit(&events);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_create),     cmocka_unit_test(test_threads),
      cmocka_unit_test(test_quarrel),    cmocka_unit_test(test_deadline),
      cmocka_unit_test(test_cancelled),  cmocka_unit_test(test_failure),
      cmocka_unit_test(test_nested),     cmocka_unit_test(test_stranded),
      cmocka_unit_test(test_many_names), cmocka_unit_test(test_allocations),
      cmocka_unit_test(test_events)};
  return cmocka_run_group_tests_name("customcalls_world", tests, NULL,
                                     check_no_errors);
}
