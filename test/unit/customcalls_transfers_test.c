/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Infeeds, outfeeds and channels between handlers and the embedding program:
/// values, order, limits, shapes that differ, waits that end.
#include "fake_call.h"

#include "customcalls/world.h"

#include <pthread.h>

static const int64_t two[] = {2};
static const int64_t three[] = {3};

static jitrun_world_t *make_world(uint32_t replicas, int64_t timeout_ns) {
  jitrun_world_t *world = NULL;
  const jitrun_world_options_t options = {
      .size = sizeof options, .timeout_ns = timeout_ns, .queue_capacity = 2};
  expect_ok(jitrun_world_create(replicas, 1, &options, &world));
  return world;
}

static jitrun_tensor_t make_tensor(jitrun_dtype_t dtype, const int64_t *dims,
                                   void *data) {
  return (jitrun_tensor_t){
      .dtype = dtype, .rank = 1, .dims = dims, .data = data};
}

/// A call of device 1 of the world with one buffer.
static void init_call(struct fake_call *fake, const char *name,
                      jitrun_world_t *world, int32_t *data,
                      const int64_t *strides) {
  fake_init_builtin(fake, name);
  fake->world = world;
  fake->replica = 1;
  if (data)
    fake_buffer(fake, JITRUN_DTYPE_S32, 1, data, two, strides);
}

static void add_channel(struct fake_call *fake, const jitrun_attr_t *handle) {
  fake_attr(fake, (jitrun_attr_t){.name = "channel_handle",
                                  .kind = JITRUN_ATTR_DICT,
                                  .count = 1,
                                  .value = {.items = handle}});
}

static void test_infeed(void **state) {
  (void)state;
  static const char *const names[] = {"jitrun.infeed", "xla.gpu.infeed",
                                      "xla.cpu.infeed"};
  static const int64_t apart[] = {2};
  jitrun_world_t *world = make_world(2, 0);
  for (size_t i = 0; i < 3; i++) {
    struct fake_call fake;
    uint32_t in[] = {5, (uint32_t)i};
    int32_t out[] = {0, -1, 0};
    jitrun_tensor_t tensor = make_tensor(JITRUN_DTYPE_U32, two, in);
    expect_ok(jitrun_world_feed_push(world, 1, &tensor, 1, -1));
    init_call(&fake, names[i], world, out, apart);
    fake_succeed(&fake);
    assert_int_equal(out[0], 5);
    assert_int_equal(out[1], -1);
    assert_int_equal(out[2], i);
  }
  jitrun_world_release(world);
}

static void test_outfeed(void **state) {
  (void)state;
  jitrun_world_t *world = make_world(2, 0);
  struct fake_call fake;
  int32_t in[] = {7, 0, 8};
  static const int64_t apart[] = {2};
  uint32_t out[2] = {0};
  jitrun_tensor_t tensor = make_tensor(JITRUN_DTYPE_U32, two, out);
  init_call(&fake, "xla.gpu.outfeed", world, in, apart);
  fake_succeed(&fake);
  in[0] = 0; // what was put in is a copy
  expect_error(jitrun_world_feed_pop(world, 0, &tensor, 1, 0),
               JITRUN_DEADLINE_EXCEEDED,
               "a pop waited 0 s for something in the outfeed of replica 0");
  expect_ok(jitrun_world_feed_pop(world, 1, &tensor, 1, 0));
  assert_int_equal(out[0], 7);
  assert_int_equal(out[1], 8);
  // xla.cpu says what the elements are
  static const int32_t types[] = {JITRUN_DTYPE_F32};
  init_call(&fake, "xla.cpu.outfeed", world, in, apart);
  fake_attr(&fake, (jitrun_attr_t){.name = "result_type",
                                   .kind = JITRUN_ATTR_ARRAY,
                                   .dtype = JITRUN_DTYPE_S32,
                                   .count = 1,
                                   .value = {.data = types}});
  fake_succeed(&fake);
  expect_error(jitrun_world_feed_pop(world, 1, &tensor, 1, 0),
               JITRUN_INVALID_ARGUMENT,
               "the outfeed of replica 1 holds 1 next (2xf32), 1 are taken "
               "(2xui32)");
  tensor.dtype = JITRUN_DTYPE_F32;
  expect_ok(jitrun_world_feed_pop(world, 1, &tensor, 1, 0));
  jitrun_world_release(world);
}

static void test_refused(void **state) {
  (void)state;
  jitrun_world_t *world = make_world(2, 1000000);
  struct fake_call fake;
  int32_t data[3] = {1, 2, 3};
  jitrun_tensor_t tensors[2] = {make_tensor(JITRUN_DTYPE_S32, three, data),
                                make_tensor(JITRUN_DTYPE_S32, two, data)};
  init_call(&fake, "xla.gpu.infeed", world, data, NULL);
  fake_fail(&fake, JITRUN_DEADLINE_EXCEEDED,
            "xla.gpu.infeed waited 0.001 s for something in the infeed of "
            "replica 1");
  expect_ok(jitrun_world_feed_push(world, 1, &tensors[0], 1, 0));
  init_call(&fake, "xla.gpu.infeed", world, data, NULL);
  fake_fail(&fake, JITRUN_INVALID_ARGUMENT,
            "xla.gpu.infeed: Mismatch between source buffer shape and dest "
            "buffer shape: the infeed of replica 1 holds 1 next (3xi32), 1 are "
            "taken (2xi32)");
  expect_ok(jitrun_world_feed_push(world, 1, tensors, 2, 0));
  expect_error(jitrun_world_feed_push(world, 1, tensors, 2, 1000),
               JITRUN_DEADLINE_EXCEEDED,
               "a push waited 1e-06 s for room in the infeed of replica 1");
  expect_error(jitrun_world_feed_push(world, 2, tensors, 2, 0),
               JITRUN_INVALID_ARGUMENT, "there is no device 2");
  expect_error(jitrun_world_feed_push(world, UINT32_MAX, tensors, 2, 0),
               JITRUN_INVALID_ARGUMENT, "there is no device");
  tensors[1].dtype = JITRUN_DTYPE_OPAQUE;
  expect_error(jitrun_world_feed_push(world, 0, tensors, 2, 0),
               JITRUN_INVALID_ARGUMENT, "tensor 1 has dtype 14 and rank 1");
  static const int64_t below[] = {-1};
  tensors[1] = make_tensor(JITRUN_DTYPE_S32, below, data);
  expect_error(jitrun_world_feed_push(world, 0, tensors, 2, 0),
               JITRUN_INVALID_ARGUMENT, "tensor 1 has a negative size");
  tensors[1] = make_tensor(JITRUN_DTYPE_S32, two, NULL);
  expect_error(jitrun_world_feed_push(world, 0, tensors, 2, 0),
               JITRUN_INVALID_ARGUMENT, "tensor 1 has no data");
  static const int64_t far[] = {INT64_MAX};
  static const int64_t far_below[] = {INT64_MIN};
  tensors[1] = make_tensor(JITRUN_DTYPE_S32, two, data);
  tensors[1].strides = far;
  expect_error(jitrun_world_feed_push(world, 0, tensors, 2, 0),
               JITRUN_INVALID_ARGUMENT,
               "the strides of tensor 1 reach 2^63 bytes or more");
  tensors[1].strides = far_below;
  expect_error(jitrun_world_feed_push(world, 0, tensors, 2, 0),
               JITRUN_INVALID_ARGUMENT, "the strides of tensor 1 reach");
  /* A stride along a single element is not looked at. */
  static const int64_t one[] = {1};
  tensors[1].dims = one;
  expect_ok(jitrun_world_feed_push(world, 0, &tensors[1], 1, 0));
  expect_error(jitrun_world_feed_push(world, 0, NULL, 2, 0),
               JITRUN_INVALID_ARGUMENT, "a message of 2 tensors");
  jitrun_world_release(world);
}

/// Starts a transfer with one call and finishes it with another, as XLA does.
static void transfer(jitrun_world_t *world, const char *start, const char *done,
                     int32_t *data) {
  struct fake_call fake;
  jitrun_attr_t handle = attr_s64("handle", 4);
  init_call(&fake, start, world, data, NULL);
  add_channel(&fake, &handle);
  fake_succeed(&fake);
  init_call(&fake, done, world, NULL, NULL);
  add_channel(&fake, &handle);
  fake_succeed(&fake);
}

static void test_host_transfers(void **state) {
  (void)state;
  jitrun_world_t *world = make_world(2, 0);
  int32_t data[] = {1, 2};
  int32_t other[] = {3, 4};
  jitrun_tensor_t tensor = make_tensor(JITRUN_DTYPE_S32, two, other);
  expect_ok(jitrun_world_send(world, 1, 4, &tensor, 0));
  transfer(world, "xla.gpu.recv_host", "xla.gpu.recv_done_host", data);
  assert_int_equal(data[0], 3);
  assert_int_equal(data[1], 4);
  data[0] = 9;
  transfer(world, "xla.gpu.send_host", "xla.gpu.send_done_host", data);
  expect_error(jitrun_world_recv(world, 1, 5, &tensor, 0),
               JITRUN_DEADLINE_EXCEEDED,
               "a recv waited 0 s for something in the channel 5 from replica "
               "1 to the host");
  expect_ok(jitrun_world_recv(world, 1, 4, &tensor, 0));
  assert_int_equal(other[0], 9);
  jitrun_world_release(world);
}

/// A full channel is waited for when the transfer is done, not when it starts.
static void test_full_channel(void **state) {
  (void)state;
  jitrun_world_t *world = make_world(2, 1000000);
  int32_t data[] = {1, 2};
  jitrun_attr_t handle = attr_s64("handle", 4);
  transfer(world, "xla.gpu.send_host", "xla.gpu.send_done_host", data);
  transfer(world, "xla.gpu.send_host", "xla.gpu.send_done_host", data);
  struct fake_call fake;
  init_call(&fake, "xla.gpu.send_host", world, data, NULL);
  add_channel(&fake, &handle);
  fake_succeed(&fake);
  init_call(&fake, "xla.gpu.send_done_host", world, NULL, NULL);
  add_channel(&fake, &handle);
  fake_fail(&fake, JITRUN_DEADLINE_EXCEEDED,
            "xla.gpu.send_host waited 0.001 s for room in the channel 4 from "
            "replica 1 to the host");
  jitrun_world_release(world);
}

/// A program that takes each number of its infeed and gives it to its outfeed.
enum { PASSED = 2000 };

static void *pass_on(void *argument) {
  jitrun_world_t *world = argument;
  uint64_t wrong = 0;
  for (int32_t i = 0; i < PASSED; i++) {
    struct jr_wait wait = jr_wait_begin("test.pass", NULL, -1);
    int32_t data[2] = {0};
    jitrun_tensor_t tensor = make_tensor(JITRUN_DTYPE_S32, two, data);
    const struct jr_queue_key in = {JR_QUEUE_FEED, 0, JR_HOST, 0};
    const struct jr_queue_key out = {JR_QUEUE_FEED, 0, 0, JR_HOST};
    struct jr_message *message = NULL;
    jitrun_error_t *error = jr_queue_take(world, &in, &tensor, 1, &wait);
    if (!error)
      error = jr_message_create(&tensor, 1, &message);
    if (!error)
      error = jr_queue_put(world, &out, &message, &wait);
    wrong += error != NULL || data[0] != i;
    jitrun_error_free(error);
    jr_message_destroy(message);
  }
  return wrong == 0 ? NULL : argument;
}

static void *push_all(void *argument) {
  for (int32_t i = 0; i < PASSED; i++) {
    int32_t data[] = {i, -i};
    jitrun_tensor_t tensor = make_tensor(JITRUN_DTYPE_S32, two, data);
    jitrun_error_free(jitrun_world_feed_push(argument, 0, &tensor, 1, -1));
  }
  return NULL;
}

static void test_threads(void **state) {
  (void)state;
  jitrun_world_t *world = make_world(1, -1);
  pthread_t threads[2];
  void *wrong = NULL;
  assert_int_equal(pthread_create(&threads[0], NULL, pass_on, world), 0);
  assert_int_equal(pthread_create(&threads[1], NULL, push_all, world), 0);
  for (int32_t i = 0; i < PASSED; i++) {
    int32_t data[2] = {0};
    jitrun_tensor_t tensor = make_tensor(JITRUN_DTYPE_S32, two, data);
    expect_ok(jitrun_world_feed_pop(world, 0, &tensor, 1, -1));
    assert_int_equal(data[0], i);
    assert_int_equal(data[1], -i);
  }
  (void)pthread_join(threads[0], &wrong);
  (void)pthread_join(threads[1], NULL);
  assert_null(wrong);
  assert_null(world->queues);
  jitrun_world_release(world);
}

/// What goes between devices ends with the receiver's execution.
static void test_rounds(void **state) {
  (void)state;
  jitrun_world_t *world = make_world(2, -1);
  const struct jr_queue_key key = {JR_QUEUE_CHANNEL, 1, 0, 1};
  int32_t data[2] = {1, 2};
  jitrun_tensor_t tensor = make_tensor(JITRUN_DTYPE_S32, two, data);
  struct jr_message *message = NULL;
  struct jr_wait wait = jr_wait_begin("test.send", NULL, -1);
  expect_ok(jr_world_enter(world, 0, 0));
  expect_ok(jr_world_enter(world, 1, 0));
  expect_ok(jr_message_create(&tensor, 1, &message));
  expect_ok(jr_queue_put(world, &key, &message, &wait));
  assert_null(message);
  jr_world_leave(world, 1, 0, NULL);
  assert_null(world->queues);
  expect_ok(jr_message_create(&tensor, 1, &message));
  expect_error(jr_queue_put(world, &key, &message, &wait), JITRUN_ABORTED,
               "test.send waits for replica 1, whose execution has ended");
  expect_ok(jr_queue_put(world, &key, &message, NULL));
  assert_non_null(message);
  jr_message_destroy(message);
  // the receiver's second execution waits for the sender's second
  expect_ok(jr_world_enter(world, 1, 0));
  wait = jr_wait_begin("test.recv", NULL, 0);
  expect_error(jr_queue_take(world, &key, &tensor, 1, &wait),
               JITRUN_DEADLINE_EXCEEDED, "channel 1 from replica 0");
  jr_world_leave(world, 0, 0, NULL);
  expect_ok(jr_world_enter(world, 0, 0));
  jr_world_leave(world, 0, 0, NULL);
  wait = jr_wait_begin("test.recv", NULL, -1);
  expect_error(jr_queue_take(world, &key, &tensor, 1, &wait), JITRUN_ABORTED,
               "test.recv waits for replica 0, whose execution has ended");
  jr_world_leave(world, 1, 0, NULL);
  jitrun_world_release(world);
}

static void run_sweep(void *context) {
  jitrun_world_t *world = context;
  int32_t data[2] = {1, 2};
  jitrun_tensor_t tensor = make_tensor(JITRUN_DTYPE_S32, two, data);
  jitrun_error_t *error = jitrun_world_send(world, 0, 1, &tensor, 0);
  if (error) {
    assert_int_equal(jitrun_error_code(error), JITRUN_RESOURCE_EXHAUSTED);
    jitrun_error_free(error);
    return;
  }
  const struct jr_queue_key key = {JR_QUEUE_CHANNEL, 1, JR_HOST, 0};
  struct jr_wait wait = jr_wait_begin("test.recv", NULL, 0);
  error = jr_queue_take(world, &key, &tensor, 1, &wait);
  jitrun_error_free(error);
  if (error)
    expect_ok(jr_queue_take(world, &key, &tensor, 1, &wait));
}

static void test_allocations(void **state) {
  (void)state;
  jitrun_world_t *world = make_world(1, 0);
  sweep_allocations(run_sweep, world);
  jitrun_world_release(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_infeed),
                                     cmocka_unit_test(test_outfeed),
                                     cmocka_unit_test(test_refused),
                                     cmocka_unit_test(test_host_transfers),
                                     cmocka_unit_test(test_full_channel),
                                     cmocka_unit_test(test_threads),
                                     cmocka_unit_test(test_rounds),
                                     cmocka_unit_test(test_allocations)};
  return cmocka_run_group_tests_name("customcalls_transfers", tests, NULL,
                                     check_no_errors);
}
