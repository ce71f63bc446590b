/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Buffers of the host's devices: where their content comes from and goes to,
/// who shares memory, what is counted, what is refused.
#include "expect.h"

#include "client/buffer.h"

#include <pthread.h>
#include <stdlib.h>

static jitrun_client_t *client;
static jitrun_device_t *devices[2];

static int open_client(void **state) {
  (void)state;
  const jitrun_client_options_t options = {.size = sizeof options,
                                           .device_count = 2,
                                           .memory_limit_bytes = 1 << 24,
                                           .timeout_ns = 30000000};
  expect_ok(jitrun_client_create(&options, &client));
  for (size_t i = 0; i < 2; i++)
    expect_ok(jitrun_client_local_device(client, i, &devices[i]));
  return 0;
}

static jitrun_memory_stats_t read_stats(size_t device) {
  jitrun_memory_stats_t stats = {.size = sizeof stats};
  expect_ok(jitrun_device_memory_stats(devices[device], &stats));
  return stats;
}

/// Every test gives back what it took.
static int close_client(void **state) {
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    assert_int_equal(read_stats(i).in_use_bytes, 0);
    assert_int_equal(read_stats(i).allocation_count, 0);
    assert_int_equal(read_stats(i).borrowed_bytes, 0);
  }
  jitrun_client_release(client);
  return 0;
}

static const int64_t dims23[] = {2, 3};

static jitrun_tensor_t tensor23(void *data, const int64_t *strides) {
  return (jitrun_tensor_t){.dtype = JITRUN_DTYPE_S32,
                           .rank = 2,
                           .dims = dims23,
                           .strides = strides,
                           .data = data};
}

/// A 2x3 buffer of 0 to 5.
static jitrun_buffer_t *make_buffer(void) {
  int32_t values[] = {0, 1, 2, 3, 4, 5};
  const jitrun_tensor_t tensor = tensor23(values, NULL);
  jitrun_buffer_t *buffer = NULL;
  expect_ok(jitrun_buffer_from_host(devices[0], &tensor, JITRUN_HOST_COPY_NOW,
                                    NULL, NULL, &buffer));
  memset(values, 0x7f, sizeof values);
  return buffer;
}

static void expect_values(jitrun_buffer_t *buffer, const int32_t expected[6]) {
  int32_t values[6] = {-1, -1, -1, -1, -1, -1};
  const jitrun_tensor_t tensor = tensor23(values, NULL);
  expect_ok(jitrun_buffer_to_host(buffer, &tensor, 0));
  assert_memory_equal(values, expected, sizeof values);
}

static const int32_t counted[] = {0, 1, 2, 3, 4, 5};

static void test_content_comes_and_goes(void **state) {
  (void)state;
  jitrun_buffer_t *buffer = make_buffer();
  expect_values(buffer, counted);
  assert_int_equal(jitrun_buffer_dtype(buffer), JITRUN_DTYPE_S32);
  assert_int_equal(jitrun_buffer_rank(buffer), 2);
  assert_int_equal(jitrun_buffer_dims(buffer)[1], 3);
  assert_int_equal(jitrun_buffer_size_bytes(buffer), 24);
  assert_ptr_equal(jitrun_buffer_device(buffer), devices[0]);
  jitrun_tensor_t value;
  expect_ok(jitrun_buffer_host_value(buffer, 0, &value));
  assert_memory_equal(value.data, counted, sizeof counted);
  jitrun_buffer_release(buffer);
  jitrun_buffer_release(NULL);
}

/// Strides of the caller's, on both ways, negative ones too.
static void test_strides(void **state) {
  (void)state;
  int32_t columns[] = {0, 3, 1, 4, 2, 5};
  const int64_t transposed[] = {1, 2};
  const jitrun_tensor_t from = tensor23(columns, transposed);
  jitrun_buffer_t *buffer = NULL;
  for (jitrun_host_memory_t semantics = JITRUN_HOST_COPY_NOW;
       semantics <= JITRUN_HOST_BORROW; semantics++) {
    expect_ok(jitrun_buffer_from_host(devices[0], &from, semantics, NULL, NULL,
                                      &buffer));
    expect_values(buffer, counted);
    jitrun_buffer_release(buffer);
  }
  buffer = make_buffer();
  int32_t turned[6] = {0};
  const int64_t backwards[] = {-3, -1};
  const jitrun_tensor_t to = tensor23(&turned[5], backwards);
  expect_ok(jitrun_buffer_to_host(buffer, &to, 0));
  for (int i = 0; i < 6; i++)
    assert_int_equal(turned[i], 5 - i);
  jitrun_buffer_release(buffer);
}

static void count_release(void *context) {
  (void)__atomic_fetch_add((int *)context, 1, __ATOMIC_RELAXED);
}

static void test_borrowed_memory_is_used(void **state) {
  (void)state;
  _Alignas(16) int32_t values[] = {0, 1, 2, 3, 4, 5, 6};
  int released = 0;
  const jitrun_tensor_t tensor = tensor23(values, NULL);
  jitrun_buffer_t *buffer = NULL;
  jitrun_tensor_t value;
  expect_ok(jitrun_buffer_from_host(devices[0], &tensor, JITRUN_HOST_BORROW,
                                    count_release, &released, &buffer));
  expect_ok(jitrun_buffer_host_value(buffer, 0, &value));
  assert_ptr_equal(value.data, values);
  assert_int_equal(read_stats(0).in_use_bytes, 0);
  assert_int_equal(read_stats(0).borrowed_bytes, 24);
  assert_int_equal(released, 0);
  jitrun_buffer_delete(buffer);
  assert_int_equal(released, 1);
  jitrun_buffer_release(buffer);
  assert_int_equal(released, 1);
  // Memory that vector code cannot use is copied.
  const jitrun_tensor_t odd = tensor23(values + 1, NULL);
  expect_ok(jitrun_buffer_from_host(devices[0], &odd, JITRUN_HOST_BORROW,
                                    count_release, &released, &buffer));
  assert_int_equal(released, 2);
  assert_int_equal(read_stats(0).in_use_bytes, 24);
  jitrun_buffer_release(buffer);
}

/// `release` is called once, whether making the buffer works or not.
static void test_release_is_called_once(void **state) {
  (void)state;
  int32_t values[6] = {0};
  int released = 0;
  jitrun_tensor_t tensor = tensor23(values, NULL);
  jitrun_buffer_t *buffer = NULL;
  for (jitrun_host_memory_t semantics = JITRUN_HOST_COPY_NOW;
       semantics <= JITRUN_HOST_BORROW; semantics++) {
    tensor.dtype = JITRUN_DTYPE_TOKEN;
    released = 0;
    expect_error(jitrun_buffer_from_host(devices[0], &tensor, semantics,
                                         count_release, &released, &buffer),
                 JITRUN_INVALID_ARGUMENT, "buffers have numbers");
    assert_int_equal(released, 1);
    assert_null(buffer);
    tensor.dtype = JITRUN_DTYPE_S32;
    expect_ok(jitrun_buffer_from_host(devices[0], &tensor, semantics,
                                      count_release, &released, &buffer));
    expect_ok(jitrun_buffer_wait(buffer, -1));
    jitrun_buffer_release(buffer);
    assert_int_equal(__atomic_load_n(&released, __ATOMIC_ACQUIRE), 2);
  }
}

struct attempt {
  jitrun_host_memory_t semantics;
  bool copies;
};

static void try_buffer(void *context) {
  const struct attempt *attempt = context;
  int32_t values[6] = {0};
  int released = 0;
  const jitrun_tensor_t tensor = tensor23(values, NULL);
  jitrun_buffer_t *buffer = NULL;
  jitrun_buffer_t *copy = NULL;
  jitrun_error_t *error =
      jitrun_buffer_from_host(devices[0], &tensor, attempt->semantics,
                              count_release, &released, &buffer);
  if (!error && attempt->copies)
    error = jitrun_buffer_copy_to(buffer, devices[1], &copy);
  if (!error)
    error = jitrun_buffer_to_host(attempt->copies ? copy : buffer, &tensor, -1);
  jitrun_error_free(error);
  jitrun_buffer_release(copy);
  jitrun_buffer_release(buffer);
  assert_int_equal(released, 1);
}

static void test_without_memory(void **state) {
  (void)state;
  for (int i = 0; i < 6; i++) {
    struct attempt attempt = {(jitrun_host_memory_t)(i / 2), i % 2 != 0};
    sweep_allocations(try_buffer, &attempt);
  }
}

static void test_large_copies_are_tasks(void **state) {
  (void)state;
  enum { COUNT = 1 << 18 };
  const int64_t dims[] = {COUNT};
  int32_t *values = malloc(COUNT * sizeof *values);
  int released = 0;
  assert_non_null(values);
  for (int32_t i = 0; i < COUNT; i++)
    values[i] = i;
  jitrun_tensor_t tensor = {
      .dtype = JITRUN_DTYPE_S32, .rank = 1, .dims = dims, .data = values};
  jitrun_buffer_t *buffer = NULL;
  jitrun_buffer_t *copy = NULL;
  jitrun_async_t *token = NULL;
  expect_ok(jitrun_buffer_from_host(devices[0], &tensor, JITRUN_HOST_COPY_LATER,
                                    count_release, &released, &buffer));
  expect_ok(jitrun_buffer_copy_to(buffer, devices[1], &copy));
  jitrun_buffer_delete(buffer); // the copy goes on
  expect_ok(jitrun_buffer_wait(copy, -1));
  assert_int_equal(__atomic_load_n(&released, __ATOMIC_ACQUIRE), 1);
  memset(values, 0, COUNT * sizeof *values);
  expect_ok(jitrun_buffer_to_host_async(copy, &tensor, &token));
  jitrun_buffer_release(copy);
  expect_ok(jitrun_async_wait(token, -1));
  jitrun_async_release(token);
  for (int32_t i = 0; i < COUNT; i++)
    assert_int_equal(values[i], i);
  jitrun_buffer_release(buffer);
  free(values);
}

static void test_views_share(void **state) {
  (void)state;
  jitrun_buffer_t *buffer = make_buffer();
  jitrun_buffer_t *view = NULL;
  const int64_t dims[] = {3};
  expect_ok(jitrun_buffer_view(buffer, 12, JITRUN_DTYPE_S32, dims, 1, &view));
  assert_int_equal(read_stats(0).allocation_count, 1);
  jitrun_buffer_release(buffer); // its memory stays with the view
  int32_t values[3];
  const jitrun_tensor_t tensor = {
      .dtype = JITRUN_DTYPE_S32, .rank = 1, .dims = dims, .data = values};
  expect_ok(jitrun_buffer_to_host(view, &tensor, 0));
  assert_int_equal(values[0], 3);
  assert_int_equal(values[2], 5);
  jitrun_buffer_t *bytes = NULL;
  const int64_t two[] = {2};
  expect_ok(jitrun_buffer_view(view, 6, JITRUN_DTYPE_S16, two, 1, &bytes));
  assert_int_equal(jitrun_buffer_size_bytes(bytes), 4);
  jitrun_buffer_release(bytes);
  expect_error(
      jitrun_buffer_view(view, 4, JITRUN_DTYPE_S32, dims, 1, &bytes),
      JITRUN_OUT_OF_RANGE,
      "a view of 12 bytes from byte 4 does not lie within a buffer of 12");
  expect_error(jitrun_buffer_view(view, 2, JITRUN_DTYPE_S32, two, 1, &bytes),
               JITRUN_INVALID_ARGUMENT, "cannot begin at byte 2");
  expect_error(
      jitrun_buffer_view(view, UINT64_MAX, JITRUN_DTYPE_S32, two, 1, &bytes),
      JITRUN_OUT_OF_RANGE, "does not lie within");
  jitrun_buffer_release(view);
}

static void test_copies_between_devices(void **state) {
  (void)state;
  jitrun_buffer_t *buffer = make_buffer();
  jitrun_buffer_t *same = NULL;
  jitrun_buffer_t *other = NULL;
  expect_ok(jitrun_buffer_copy_to(buffer, devices[0], &same));
  assert_int_equal(read_stats(0).allocation_count, 1);
  expect_ok(jitrun_buffer_copy_to(buffer, devices[1], &other));
  assert_int_equal(read_stats(1).in_use_bytes, 24);
  jitrun_buffer_delete(buffer);
  expect_values(same, counted);
  expect_values(other, counted);
  jitrun_buffer_release(same);
  jitrun_buffer_release(other);
  jitrun_buffer_release(buffer);
}

static void test_deleted_buffers_are_refused(void **state) {
  (void)state;
  static const char text[] =
      "a buffer 2x3xi32 on device host:0: it was deleted";
  int32_t values[6];
  const jitrun_tensor_t tensor = tensor23(values, NULL);
  jitrun_buffer_t *buffer = make_buffer();
  jitrun_buffer_t *other = NULL;
  jitrun_async_t *token = NULL;
  jitrun_tensor_t value;
  void *data;
  assert_false(jitrun_buffer_is_deleted(buffer));
  jitrun_buffer_delete(buffer);
  jitrun_buffer_delete(buffer);
  jitrun_buffer_delete(NULL);
  assert_true(jitrun_buffer_is_deleted(buffer));
  assert_int_equal(jitrun_buffer_size_bytes(buffer), 24);
  expect_error(jitrun_buffer_to_host(buffer, &tensor, 0),
               JITRUN_FAILED_PRECONDITION, text);
  expect_error(jitrun_buffer_to_host_async(buffer, &tensor, &token),
               JITRUN_FAILED_PRECONDITION, text);
  expect_error(jitrun_buffer_host_value(buffer, 0, &value),
               JITRUN_FAILED_PRECONDITION, text);
  expect_error(jitrun_buffer_wait(buffer, 0), JITRUN_FAILED_PRECONDITION, text);
  expect_error(jitrun_buffer_ready(buffer, &token), JITRUN_FAILED_PRECONDITION,
               text);
  expect_error(jitrun_buffer_hold(buffer, 0, &data), JITRUN_FAILED_PRECONDITION,
               text);
  expect_error(jitrun_buffer_copy_to(buffer, devices[0], &other),
               JITRUN_FAILED_PRECONDITION, text);
  expect_error(jitrun_buffer_copy_to(buffer, devices[1], &other),
               JITRUN_FAILED_PRECONDITION, text);
  expect_error(jitrun_buffer_view(buffer, 0, JITRUN_DTYPE_S32, NULL, 0, &other),
               JITRUN_FAILED_PRECONDITION, text);
  jitrun_buffer_release(buffer);
}

static void test_held_memory_stays(void **state) {
  (void)state;
  jitrun_buffer_t *buffer = make_buffer();
  void *first;
  void *second;
  expect_ok(jitrun_buffer_hold(buffer, 0, &first));
  expect_ok(jitrun_buffer_hold(buffer, 0, &second));
  assert_ptr_equal(first, second);
  jitrun_buffer_delete(buffer);
  assert_memory_equal(first, counted, sizeof counted);
  jitrun_buffer_unhold(buffer);
  assert_int_equal(read_stats(0).in_use_bytes, 24);
  jitrun_buffer_unhold(buffer);
  assert_int_equal(read_stats(0).in_use_bytes, 0);
  jitrun_buffer_unhold(buffer); // one too many
  jitrun_buffer_release(buffer);
}

static void test_limit(void **state) {
  (void)state;
  const int64_t dims[] = {1 << 20};
  const int64_t most[] = {3 << 20};
  jitrun_buffer_t *small = make_buffer();
  jitrun_buffer_t *large = NULL;
  jitrun_buffer_t *refused = NULL;
  expect_ok(
      jitrun_buffer_allocate(devices[0], JITRUN_DTYPE_F32, dims, 1, &large));
  expect_error(
      jitrun_buffer_allocate(devices[0], JITRUN_DTYPE_F32, most, 1, &refused),
      JITRUN_RESOURCE_EXHAUSTED,
      "device host:0 has no room for 12582912 bytes: 4194328 are in use of a "
      "limit of 16777216; the largest buffers have 4194304, 24");
  assert_null(refused);
  jitrun_memory_stats_t stats = read_stats(0);
  assert_int_equal(stats.in_use_bytes, 4194328);
  assert_int_equal(stats.peak_bytes, 4194328);
  assert_int_equal(stats.largest_bytes, 4194304);
  assert_int_equal(stats.limit_bytes, 1 << 24);
  jitrun_buffer_release(large);
  expect_ok(
      jitrun_buffer_allocate(devices[0], JITRUN_DTYPE_F32, most, 1, &large));
  jitrun_buffer_release(large);
  jitrun_buffer_release(small);
}

static void test_shapes_that_cannot_be(void **state) {
  (void)state;
  const int64_t negative[] = {2, -1};
  const int64_t huge[] = {INT64_MAX, 4};
  const int64_t far[] = {INT64_MAX / 2, 1};
  int32_t values[6];
  jitrun_buffer_t *buffer = NULL;
  jitrun_tensor_t tensor = tensor23(values, far);
  expect_error(jitrun_buffer_allocate(devices[0], JITRUN_DTYPE_F32, negative, 2,
                                      &buffer),
               JITRUN_INVALID_ARGUMENT, "size -1 in dimension 1");
  expect_error(
      jitrun_buffer_allocate(devices[0], JITRUN_DTYPE_F32, huge, 2, &buffer),
      JITRUN_INVALID_ARGUMENT, "more elements than any memory");
  expect_error(
      jitrun_buffer_allocate(devices[0], JITRUN_DTYPE_F32, huge, 33, &buffer),
      JITRUN_INVALID_ARGUMENT, "33 sizes; it has at most 32");
  expect_error(
      jitrun_buffer_allocate(devices[0], JITRUN_DTYPE_F32, NULL, 1, &buffer),
      JITRUN_INVALID_ARGUMENT, "1 sizes, at NULL");
  expect_error(jitrun_buffer_from_host(devices[0], &tensor,
                                       JITRUN_HOST_COPY_NOW, NULL, NULL,
                                       &buffer),
               JITRUN_INVALID_ARGUMENT, "reach further than any memory");
  tensor = tensor23(NULL, NULL);
  expect_error(jitrun_buffer_from_host(devices[0], &tensor,
                                       JITRUN_HOST_COPY_NOW, NULL, NULL,
                                       &buffer),
               JITRUN_INVALID_ARGUMENT, "24 bytes of host memory");
  buffer = make_buffer();
  tensor = tensor23(values, NULL);
  tensor.dtype = JITRUN_DTYPE_F32;
  expect_error(jitrun_buffer_to_host(buffer, &tensor, 0),
               JITRUN_INVALID_ARGUMENT, "a buffer of i32 with 2 sizes");
  expect_error(jitrun_buffer_to_host(buffer, NULL, 0), JITRUN_INVALID_ARGUMENT,
               "host memory that is NULL");
  jitrun_buffer_release(buffer);
}

static void test_empty_and_scalar(void **state) {
  (void)state;
  const int64_t none[] = {0, 3};
  const jitrun_tensor_t empty = {
      .dtype = JITRUN_DTYPE_S32, .rank = 2, .dims = none};
  double number = 2.5;
  double read = 0;
  const jitrun_tensor_t scalar = {.dtype = JITRUN_DTYPE_F64, .data = &number};
  const jitrun_tensor_t target = {.dtype = JITRUN_DTYPE_F64, .data = &read};
  jitrun_buffer_t *buffer = NULL;
  expect_ok(jitrun_buffer_from_host(devices[0], &empty, JITRUN_HOST_COPY_LATER,
                                    NULL, NULL, &buffer));
  expect_ok(jitrun_buffer_to_host(buffer, &empty, 0));
  jitrun_buffer_release(buffer);
  expect_ok(jitrun_buffer_from_host(devices[0], &scalar, JITRUN_HOST_COPY_NOW,
                                    NULL, NULL, &buffer));
  expect_ok(jitrun_buffer_to_host(buffer, &target, 0));
  assert_true(read == 2.5);
  jitrun_buffer_release(buffer);
}

/// A buffer whose producer has not ended.
static jitrun_buffer_t *make_pending(jitrun_async_t **out_token) {
  const struct jr_shape shape = {
      .dtype = JITRUN_DTYPE_S32, .rank = 2, .dims = dims23, .size_bytes = 24};
  struct jr_memory *memory = NULL;
  jitrun_buffer_t *buffer = NULL;
  expect_ok(jr_memory_allocate(&devices[0]->heap, 24, &memory));
  memcpy(memory->data, counted, sizeof counted);
  expect_ok(jr_token_create(out_token));
  jitrun_async_retain(*out_token);
  expect_ok(
      jr_buffer_create(devices[0], &shape, 0, memory, *out_token, &buffer));
  return buffer;
}

static void test_consumers_wait(void **state) {
  (void)state;
  jitrun_async_t *producer = NULL;
  jitrun_async_t *ready = NULL;
  jitrun_async_t *read = NULL;
  int32_t values[6] = {0};
  const jitrun_tensor_t tensor = tensor23(values, NULL);
  jitrun_buffer_t *buffer = make_pending(&producer);
  jitrun_buffer_t *copy = NULL;
  void *data;
  expect_error(jitrun_buffer_wait(buffer, 0), JITRUN_DEADLINE_EXCEEDED,
               "is not ready after");
  expect_error(jitrun_buffer_to_host(buffer, &tensor, 1000000),
               JITRUN_DEADLINE_EXCEEDED, "is not ready after");
  expect_error(jitrun_buffer_hold(buffer, 1000000, &data),
               JITRUN_DEADLINE_EXCEEDED, "is not ready after");
  expect_ok(jitrun_buffer_to_host_async(buffer, &tensor, &read));
  expect_ok(jitrun_buffer_copy_to(buffer, devices[1], &copy));
  expect_ok(jitrun_buffer_ready(buffer, &ready));
  assert_int_equal(jitrun_async_state(read), JITRUN_ASYNC_PENDING);
  jitrun_buffer_delete(buffer);
  expect_ok(jitrun_async_set_token(producer));
  expect_ok(jitrun_async_wait(read, -1));
  assert_memory_equal(values, counted, sizeof counted);
  expect_values(copy, counted);
  assert_int_equal(jitrun_async_state(ready), JITRUN_ASYNC_AVAILABLE);
  jitrun_async_release(read);
  jitrun_async_release(ready);
  jitrun_async_release(producer);
  jitrun_buffer_release(copy);
  jitrun_buffer_release(buffer);
}

static void test_errors_reach_consumers(void **state) {
  (void)state;
  jitrun_async_t *producer = NULL;
  jitrun_async_t *read = NULL;
  int32_t values[6] = {0};
  const jitrun_tensor_t tensor = tensor23(values, NULL);
  jitrun_buffer_t *buffer = make_pending(&producer);
  jitrun_buffer_t *copy = NULL;
  jitrun_buffer_t *shared = NULL;
  void *data;
  expect_ok(jitrun_buffer_to_host_async(buffer, &tensor, &read));
  expect_ok(jitrun_buffer_copy_to(buffer, devices[1], &copy));
  expect_ok(jitrun_buffer_copy_to(buffer, devices[0], &shared));
  jitrun_async_set_error(producer, jr_error(JITRUN_ABORTED, "out of cheese"));
  expect_error(jitrun_async_wait(read, -1), JITRUN_ABORTED, "out of cheese");
  expect_error(jitrun_buffer_wait(buffer, 0), JITRUN_ABORTED, "out of cheese");
  expect_error(jitrun_buffer_wait(copy, 0), JITRUN_ABORTED, "out of cheese");
  expect_error(jitrun_buffer_to_host(shared, &tensor, 0), JITRUN_ABORTED,
               "out of cheese");
  expect_error(jitrun_buffer_hold(buffer, 0, &data), JITRUN_ABORTED,
               "out of cheese");
  assert_int_equal(values[5], 0);
  jitrun_async_release(read);
  jitrun_async_release(producer);
  jitrun_buffer_release(shared);
  jitrun_buffer_release(copy);
  jitrun_buffer_release(buffer);
}

/// All is given up at once: the copies go on, and then so does the client.
static void test_everything_is_released_early(void **state) {
  (void)state;
  enum { COUNT = 1 << 18 };
  const int64_t dims[] = {COUNT};
  int32_t *values = calloc(COUNT, sizeof *values);
  assert_non_null(values);
  const jitrun_tensor_t tensor = {
      .dtype = JITRUN_DTYPE_S32, .rank = 1, .dims = dims, .data = values};
  for (int i = 0; i < 20; i++) {
    jitrun_client_t *own = NULL;
    jitrun_device_t *device = NULL;
    jitrun_buffer_t *buffer = NULL;
    jitrun_async_t *token = NULL;
    expect_ok(jitrun_client_create(NULL, &own));
    expect_ok(jitrun_client_local_device(own, 0, &device));
    expect_ok(jitrun_buffer_from_host(device, &tensor, JITRUN_HOST_COPY_LATER,
                                      NULL, NULL, &buffer));
    expect_ok(jitrun_buffer_to_host_async(buffer, &tensor, &token));
    jitrun_buffer_release(buffer);
    jitrun_client_release(own);
    expect_ok(jitrun_async_wait(token, -1));
    jitrun_async_release(token);
  }
  free(values);
}

/// As many copies in a row as anybody asks for need no more of the stack.
static void test_long_chain(void **state) {
  (void)state;
  enum { LENGTH = 50000 };
  jitrun_async_t *producer = NULL;
  jitrun_buffer_t *buffer = make_pending(&producer);
  for (size_t i = 1; i <= LENGTH; i++) {
    jitrun_buffer_t *copy = NULL;
    expect_ok(jitrun_buffer_copy_to(buffer, devices[i % 2], &copy));
    jitrun_buffer_release(buffer);
    buffer = copy;
  }
  expect_ok(jitrun_async_set_token(producer));
  expect_ok(jitrun_buffer_wait(buffer, -1));
  expect_values(buffer, counted);
  jitrun_async_release(producer);
  jitrun_buffer_release(buffer);
}

static void test_null(void **state) {
  (void)state;
  jitrun_buffer_t *buffer = NULL;
  int32_t values[6] = {0};
  const jitrun_tensor_t tensor = tensor23(values, NULL);
  assert_int_equal(jitrun_buffer_dtype(NULL), JITRUN_DTYPE_INVALID);
  assert_int_equal(jitrun_buffer_rank(NULL), 0);
  assert_null(jitrun_buffer_dims(NULL));
  assert_null(jitrun_buffer_device(NULL));
  assert_int_equal(jitrun_buffer_size_bytes(NULL), 0);
  assert_true(jitrun_buffer_is_deleted(NULL));
  expect_error(jitrun_buffer_wait(NULL, 0), JITRUN_INVALID_ARGUMENT,
               "cannot wait for a buffer that is NULL");
  expect_error(jitrun_buffer_from_host(devices[0], &tensor,
                                       (jitrun_host_memory_t)77, NULL, NULL,
                                       &buffer),
               JITRUN_INVALID_ARGUMENT, "there is no way 77");
}

static void *use_many(void *context) {
  jitrun_buffer_t *buffer = context;
  size_t wrong = 0;
  for (int i = 0; i < 200; i++) {
    int32_t values[6] = {0};
    const jitrun_tensor_t tensor = tensor23(values, NULL);
    jitrun_buffer_t *copy = NULL;
    jitrun_error_t *error = jitrun_buffer_copy_to(buffer, devices[1], &copy);
    if (!error)
      error = jitrun_buffer_to_host(copy, &tensor, -1);
    // Another thread may have deleted it: then that is said.
    wrong += error ? jitrun_error_code(error) != JITRUN_FAILED_PRECONDITION
                   : memcmp(values, counted, sizeof counted) != 0;
    jitrun_error_free(error);
    jitrun_buffer_release(copy);
    if (i == 150)
      jitrun_buffer_delete(buffer);
  }
  return (void *)(uintptr_t)wrong;
}

static void test_threads(void **state) {
  (void)state;
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  jitrun_buffer_t *buffer = make_buffer();
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, use_many, buffer), 0);
  for (int i = 0; i < THREADS; i++) {
    void *wrong;
    assert_int_equal(pthread_join(threads[i], &wrong), 0);
    assert_null(wrong);
  }
  jitrun_buffer_release(buffer);
}

int main(void) {
#define TEST(name)                                                             \
  cmocka_unit_test_setup_teardown(name, open_client, close_client)
  const struct CMUnitTest tests[] = {
      TEST(test_content_comes_and_goes),
      TEST(test_strides),
      TEST(test_borrowed_memory_is_used),
      TEST(test_release_is_called_once),
      TEST(test_without_memory),
      TEST(test_large_copies_are_tasks),
      TEST(test_views_share),
      TEST(test_copies_between_devices),
      TEST(test_deleted_buffers_are_refused),
      TEST(test_held_memory_stays),
      TEST(test_limit),
      TEST(test_shapes_that_cannot_be),
      TEST(test_empty_and_scalar),
      TEST(test_consumers_wait),
      TEST(test_errors_reach_consumers),
      TEST(test_everything_is_released_early),
      TEST(test_long_chain),
      TEST(test_null),
      TEST(test_threads),
  };
#undef TEST
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
