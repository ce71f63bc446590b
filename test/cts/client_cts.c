/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Clients on a driver: devices, types, buffers, copies, limits, and what
/// becomes of them when a call of the driver fails.
#include "cts.h"

#include "base/dtype.h"

#include <pthread.h>
#include <stdlib.h>

static jitrun_client_t *client;
static jitrun_device_t *device;

static jitrun_error_t *create(uint64_t limit_bytes) {
  const jitrun_client_options_t options = {.size = sizeof options,
                                           .platform = cts.name,
                                           .device_count = cts.device_count,
                                           .memory_limit_bytes = limit_bytes,
                                           .platforms = cts.platforms};
  jitrun_error_t *error = jitrun_client_create(&options, &client);
  return error ? error : jitrun_client_local_device(client, 0, &device);
}

static jitrun_memory_stats_t read_stats(void) {
  jitrun_memory_stats_t stats = {.size = sizeof stats};
  expect_ok(jitrun_device_memory_stats(device, &stats));
  return stats;
}

/// Nothing may be in use any more.
static void finish(void) {
  const jitrun_memory_stats_t stats = read_stats();
  assert_int_equal(stats.in_use_bytes, 0);
  assert_int_equal(stats.borrowed_bytes, 0);
  jitrun_client_release(client);
}

static void count_release(void *context) {
  (void)__atomic_add_fetch((int *)context, 1, __ATOMIC_SEQ_CST);
}

enum { ROWS = 20, COLUMNS = 30, COUNT = ROWS * COLUMNS };
static const int64_t dims[] = {ROWS, COLUMNS};
/// A host array that is transposed and has gaps.
static const int64_t wide[] = {2, INT64_C(2) * ROWS};

static int32_t numbers[COUNT];
static int32_t sparse[2 * COUNT];

static void fill_numbers(int32_t first) {
  for (int32_t i = 0; i < COUNT; i++) {
    numbers[i] = first + i;
    sparse[i % COLUMNS * 2 * ROWS + i / COLUMNS * 2] = first + i;
  }
}

static jitrun_tensor_t dense_tensor(void *data) {
  return (jitrun_tensor_t){
      .dtype = JITRUN_DTYPE_S32, .rank = 2, .dims = dims, .data = data};
}

static jitrun_tensor_t sparse_tensor(void *data) {
  jitrun_tensor_t tensor = dense_tensor(data);
  tensor.strides = wide;
  return tensor;
}

static void expect_numbers(jitrun_buffer_t *buffer, int32_t first) {
  static int32_t found[COUNT];
  jitrun_tensor_t tensor = dense_tensor(found);
  memset(found, 0, sizeof found);
  expect_ok(jitrun_buffer_to_host(buffer, &tensor, -1));
  for (int32_t i = 0; i < COUNT; i++)
    assert_int_equal(found[i], first + i);
}

static jitrun_buffer_t *make_numbers(jitrun_device_t *where, int32_t first) {
  jitrun_buffer_t *buffer = NULL;
  fill_numbers(first);
  jitrun_tensor_t tensor = dense_tensor(numbers);
  expect_ok(jitrun_buffer_from_host(where, &tensor, JITRUN_HOST_COPY_NOW, NULL,
                                    NULL, &buffer));
  return buffer;
}

void test_client_devices(void **state) {
  (void)state;
  expect_ok(create(0));
  assert_string_equal(jitrun_client_platform(client), cts.name);
  size_t count = jitrun_client_device_count(client);
  for (size_t i = 0; i < count; i++) {
    jitrun_device_t *one = NULL;
    jitrun_device_t *same = NULL;
    jitrun_device_info_t info = {.size = sizeof info};
    char name[64];
    expect_ok(jitrun_client_local_device(client, i, &one));
    expect_ok(jitrun_device_info(one, &info));
    expect_ok(jitrun_client_device(client, info.id, &same));
    assert_ptr_equal(one, same);
    assert_int_equal(info.local_ordinal, i);
    (void)snprintf(name, sizeof name, "%s:%zu", cts.name, i);
    assert_string_equal(info.name, name);
    assert_non_null(strstr(info.debug, info.description));
  }
  expect_error(jitrun_client_local_device(client, count, &device),
               JITRUN_OUT_OF_RANGE, "they are 0 to ");
  expect_error(jitrun_client_device(client, -1, &device), JITRUN_NOT_FOUND,
               "the ids are 0 to ");
  jitrun_client_release(client);
}

void test_client_types(void **state) {
  (void)state;
  static const int64_t four[] = {4};
  expect_ok(create(0));
  jitrun_driver_info_t info;
  struct jr_platform platform;
  expect_ok(jr_platform_open(cts.driver, 1, &platform));
  expect_ok(jr_platform_info(&platform, 0, &info));
  for (unsigned i = 0; i < 64; i++) {
    jitrun_dtype_t dtype = (jitrun_dtype_t)i;
    const char *name = jr_dtype_name(dtype);
    jitrun_buffer_t *buffer = NULL;
    if (!name || dtype == JITRUN_DTYPE_OPAQUE || dtype == JITRUN_DTYPE_TOKEN)
      continue;
    jitrun_error_t *error =
        jitrun_buffer_allocate(device, dtype, four, 1, &buffer);
    if (info.refused_dtypes >> i & 1) {
      expect_error(error, JITRUN_INVALID_ARGUMENT, name);
      assert_null(buffer);
      continue;
    }
    expect_ok(error);
    assert_int_equal(jitrun_buffer_size_bytes(buffer),
                     4 * jr_dtype_size(dtype));
    jitrun_buffer_release(buffer);
  }
  jr_platform_close(&platform);
  finish();
}

/// Copied at once and later, dense and with strides; the memory is the caller's
/// again when it is said to be.
void test_client_from_host(void **state) {
  (void)state;
  expect_ok(create(0));
  for (int i = 0; i < 4; i++) {
    int releases = 0;
    bool is_later = i % 2 == 1;
    jitrun_buffer_t *buffer = NULL;
    fill_numbers(i);
    const jitrun_tensor_t tensor =
        i < 2 ? dense_tensor(numbers) : sparse_tensor(sparse);
    expect_ok(jitrun_buffer_from_host(device, &tensor,
                                      is_later ? JITRUN_HOST_COPY_LATER
                                               : JITRUN_HOST_COPY_NOW,
                                      count_release, &releases, &buffer));
    if (is_later)
      expect_ok(jitrun_buffer_wait(buffer, -1));
    assert_int_equal(__atomic_load_n(&releases, __ATOMIC_SEQ_CST), 1);
    fill_numbers(-1000);
    expect_numbers(buffer, i);
    jitrun_buffer_release(buffer);
  }
  finish();
}

/// Memory that cannot be used as it is, is copied.
void test_client_borrow(void **state) {
  (void)state;
  int releases = 0;
  jitrun_buffer_t *buffer = NULL;
  jitrun_device_info_t info = {.size = sizeof info};
  expect_ok(create(0));
  expect_ok(jitrun_device_info(device, &info));
  fill_numbers(5);
  void *aligned = aligned_alloc(64, sizeof numbers + 64 - sizeof numbers % 64);
  assert_non_null(aligned);
  memcpy(aligned, numbers, sizeof numbers);
  const jitrun_tensor_t tensor = dense_tensor(aligned);
  expect_ok(jitrun_buffer_from_host(device, &tensor, JITRUN_HOST_BORROW,
                                    count_release, &releases, &buffer));
  expect_ok(jitrun_buffer_wait(buffer, -1));
  const jitrun_memory_stats_t stats = read_stats();
  assert_int_equal(stats.borrowed_bytes,
                   info.is_host_addressable ? sizeof numbers : 0);
  expect_numbers(buffer, 5);
  jitrun_buffer_release(buffer);
  assert_int_equal(__atomic_load_n(&releases, __ATOMIC_SEQ_CST), 1);
  free(aligned);
  finish();
}

void test_client_to_host(void **state) {
  (void)state;
  expect_ok(create(0));
  jitrun_buffer_t *buffer = make_numbers(device, 77);
  memset(sparse, 0, sizeof sparse);
  jitrun_tensor_t tensor = sparse_tensor(sparse);
  jitrun_async_t *token = NULL;
  expect_ok(jitrun_buffer_to_host_async(buffer, &tensor, &token));
  // The memory stays for the copy, whatever becomes of the handle.
  jitrun_buffer_delete(buffer);
  expect_ok(jitrun_async_wait(token, -1));
  jitrun_async_release(token);
  for (int32_t i = 0; i < 2 * COUNT; i++) {
    int32_t row = i % (2 * ROWS) / 2;
    int32_t column = i / (2 * ROWS);
    assert_int_equal(sparse[i], i % 2 == 0 ? 77 + row * COLUMNS + column : 0);
  }
  expect_error(jitrun_buffer_to_host(buffer, &tensor, -1),
               JITRUN_FAILED_PRECONDITION, "it was deleted");
  jitrun_buffer_release(buffer);
  finish();
}

void test_client_host_value(void **state) {
  (void)state;
  jitrun_tensor_t first;
  jitrun_tensor_t second;
  expect_ok(create(0));
  jitrun_buffer_t *buffer = make_numbers(device, 9);
  jitrun_buffer_t *view = NULL;
  static const int64_t one[] = {COLUMNS};
  expect_ok(jitrun_buffer_view(buffer, COLUMNS * sizeof(int32_t),
                               JITRUN_DTYPE_S32, one, 1, &view));
  expect_ok(jitrun_buffer_host_value(buffer, -1, &first));
  expect_ok(jitrun_buffer_host_value(buffer, -1, &second));
  assert_ptr_equal(first.data, second.data);
  for (int32_t i = 0; i < COUNT; i++)
    assert_int_equal(((int32_t *)first.data)[i], 9 + i);
  expect_ok(jitrun_buffer_host_value(view, -1, &second));
  for (int32_t i = 0; i < COLUMNS; i++)
    assert_int_equal(((int32_t *)second.data)[i], 9 + COLUMNS + i);
  void *address = NULL;
  expect_ok(jitrun_buffer_hold(buffer, -1, &address));
  assert_non_null(address);
  jitrun_buffer_unhold(buffer);
  jitrun_buffer_release(view);
  jitrun_buffer_release(buffer);
  finish();
}

void test_client_fetch(void **state) {
  (void)state;
  jitrun_tensor_t value;
  jitrun_async_t *tokens[3];
  expect_ok(create(0));
  jitrun_buffer_t *buffer = make_numbers(device, 9);
  for (size_t i = 0; i < 3; i++) // two at once, and one that finds it
    expect_ok(jitrun_buffer_fetch(buffer, &tokens[i]));
  for (size_t i = 0; i < 3; i++) {
    expect_ok(jitrun_async_wait(tokens[i], -1));
    jitrun_async_release(tokens[i]);
  }
  expect_ok(jitrun_buffer_host_value(buffer, -1, &value));
  for (int32_t i = 0; i < COUNT; i++)
    assert_int_equal(((int32_t *)value.data)[i], 9 + i);
  expect_ok(jitrun_buffer_fetch(buffer, &tokens[0]));
  assert_int_equal(jitrun_async_state(tokens[0]), JITRUN_ASYNC_AVAILABLE);
  jitrun_async_release(tokens[0]);
  // One that is deleted meanwhile has no use for it.
  jitrun_buffer_t *other = make_numbers(device, 5);
  expect_ok(jitrun_buffer_fetch(other, &tokens[0]));
  jitrun_buffer_delete(other);
  expect_ok(jitrun_async_wait(tokens[0], -1));
  jitrun_async_release(tokens[0]);
  expect_error(jitrun_buffer_fetch(other, &tokens[0]),
               JITRUN_FAILED_PRECONDITION, "it was deleted");
  expect_error(jitrun_buffer_fetch(NULL, &tokens[0]), JITRUN_INVALID_ARGUMENT,
               "fetching needs a buffer");
  jitrun_buffer_release(other);
  jitrun_buffer_release(buffer);
  finish();
}

void test_client_copies(void **state) {
  (void)state;
  expect_ok(create(0));
  jitrun_buffer_t *buffer = make_numbers(device, 100);
  jitrun_buffer_t *same = NULL;
  uint64_t before = read_stats().in_use_bytes;
  expect_ok(jitrun_buffer_copy_to(buffer, device, &same));
  assert_int_equal(read_stats().in_use_bytes, before);
  for (size_t i = 1; i < jitrun_client_device_count(client) && i < 3; i++) {
    // There and back: each direction may go another way.
    jitrun_device_t *other = NULL;
    jitrun_buffer_t *there = NULL;
    jitrun_buffer_t *back = NULL;
    expect_ok(jitrun_client_local_device(client, i, &other));
    expect_ok(jitrun_buffer_copy_to(buffer, other, &there));
    expect_ok(jitrun_buffer_copy_to(there, device, &back));
    jitrun_buffer_release(there);
    expect_numbers(back, 100);
    jitrun_buffer_release(back);
  }
  jitrun_buffer_release(buffer);
  expect_numbers(same, 100);
  jitrun_buffer_release(same);
  finish();
}

/// To another client's device and back; the clients may go first.
void test_client_other_platform(void **state) {
  (void)state;
  jitrun_client_t *host = NULL;
  jitrun_device_t *host_device = NULL;
  jitrun_buffer_t *there = NULL;
  jitrun_buffer_t *back = NULL;
  expect_ok(create(0));
  expect_ok(jitrun_client_create(NULL, &host));
  expect_ok(jitrun_client_local_device(host, 0, &host_device));
  jitrun_buffer_t *buffer = make_numbers(device, 55);
  expect_ok(jitrun_buffer_copy_to(buffer, host_device, &there));
  jitrun_buffer_release(buffer);
  expect_ok(jitrun_buffer_copy_to(there, device, &back));
  jitrun_buffer_release(there);
  jitrun_client_release(host);
  jitrun_client_release(client);
  expect_numbers(back, 55);
  jitrun_buffer_release(back);
}

void test_client_memory_limit(void **state) {
  (void)state;
  static const int64_t much[] = {1000};
  jitrun_buffer_t *buffer = NULL;
  jitrun_buffer_t *more = NULL;
  expect_ok(create(1500));
  assert_int_equal(read_stats().limit_bytes, 1500);
  expect_ok(jitrun_buffer_allocate(device, JITRUN_DTYPE_U8, much, 1, &buffer));
  assert_int_equal(read_stats().largest_free_bytes, 500);
  expect_error(jitrun_buffer_allocate(device, JITRUN_DTYPE_U8, much, 1, &more),
               JITRUN_RESOURCE_EXHAUSTED,
               "has no room for 1000 bytes: 1000 are in use of a limit of "
               "1500; the largest buffers have 1000");
  jitrun_buffer_release(buffer);
  assert_int_equal(read_stats().peak_bytes, 1000);
  assert_int_equal(read_stats().largest_free_bytes, 1500);
  finish();
}

/// Two clients of one platform share nothing.
void test_client_many(void **state) {
  (void)state;
  expect_ok(create(0));
  jitrun_client_t *first = client;
  jitrun_buffer_t *buffer = make_numbers(device, 1);
  jitrun_device_t *first_device = device;
  expect_ok(create(0));
  assert_ptr_not_equal(first_device, device);
  assert_int_equal(read_stats().in_use_bytes, 0);
  jitrun_buffer_t *other = NULL;
  expect_ok(jitrun_buffer_copy_to(buffer, device, &other));
  jitrun_buffer_release(buffer);
  jitrun_client_release(first);
  expect_numbers(other, 1);
  jitrun_buffer_release(other);
  finish();
}

static void *copy_much(void *context) {
  bool *is_right = context;
  int32_t bytes[100];
  int32_t back[100];
  static const int64_t hundred[] = {100};
  *is_right = true;
  for (int32_t i = 0; i < 20 && *is_right; i++) {
    jitrun_tensor_t tensor = {
        .dtype = JITRUN_DTYPE_S32, .rank = 1, .dims = hundred, .data = bytes};
    jitrun_buffer_t *buffer = NULL;
    for (int32_t j = 0; j < 100; j++)
      bytes[j] = i * j;
    jitrun_error_t *error = jitrun_buffer_from_host(
        device, &tensor, i % 2 ? JITRUN_HOST_COPY_NOW : JITRUN_HOST_COPY_LATER,
        NULL, NULL, &buffer);
    tensor.data = back;
    if (!error)
      error = jitrun_buffer_to_host(buffer, &tensor, -1);
    *is_right = !error && memcmp(bytes, back, sizeof bytes) == 0;
    jitrun_error_free(error);
    jitrun_buffer_release(buffer);
  }
  return NULL;
}

void test_client_threads(void **state) {
  (void)state;
  enum { THREADS = 4 };
  bool is_right[THREADS];
  pthread_t threads[THREADS];
  expect_ok(create(0));
  for (size_t i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, copy_much, &is_right[i]),
                     0);
  for (size_t i = 0; i < THREADS; i++) {
    (void)pthread_join(threads[i], NULL);
    assert_true(is_right[i]);
  }
  finish();
}

/// A copy that fails later is an error of the buffer, and of all that are made
/// of it.
void test_client_failed_copy(void **state) {
  (void)state;
  int releases = 0;
  jitrun_buffer_t *buffer = NULL;
  jitrun_buffer_t *copy = NULL;
  if (!cts.fail_call)
    CTS_SKIP("the driver cannot be told to fail");
  expect_ok(create(0));
  jitrun_client_t *host = NULL;
  jitrun_device_t *host_device = NULL;
  expect_ok(jitrun_client_create(NULL, &host));
  expect_ok(jitrun_client_local_device(host, 0, &host_device));
  fill_numbers(5);
  jitrun_tensor_t tensor = dense_tensor(numbers);
  cts.fail_call(0, 1);
  expect_ok(jitrun_buffer_from_host(device, &tensor, JITRUN_HOST_COPY_LATER,
                                    count_release, &releases, &buffer));
  expect_ok(jitrun_buffer_copy_to(buffer, host_device, &copy));
  expect_error(jitrun_buffer_wait(buffer, -1), JITRUN_INTERNAL,
               "an operation of the stream failed");
  assert_int_equal(__atomic_load_n(&releases, __ATOMIC_SEQ_CST), 1);
  static int32_t found[COUNT];
  tensor.data = found;
  expect_error(jitrun_buffer_to_host(copy, &tensor, -1), JITRUN_INTERNAL,
               "an operation of the stream failed");
  jitrun_buffer_release(copy);
  jitrun_buffer_release(buffer);
  jitrun_client_release(host);
  // The device is as good as before.
  buffer = make_numbers(device, 6);
  expect_numbers(buffer, 6);
  jitrun_buffer_release(buffer);
  finish();
}

/// One of each; every error is passed on, and what was made is given back.
static void use_client(int *releases) {
  jitrun_buffer_t *buffers[4] = {0};
  jitrun_device_t *other = NULL;
  static int32_t found[COUNT];
  jitrun_tensor_t tensor = dense_tensor(numbers);
  const jitrun_tensor_t strided = sparse_tensor(sparse);
  jitrun_tensor_t value;
  jitrun_async_t *token = NULL;
  client = NULL;
  jitrun_error_t *error = create(0);
  if (!error)
    error = jitrun_buffer_from_host(device, &tensor, JITRUN_HOST_COPY_NOW,
                                    count_release, releases, &buffers[0]);
  else
    count_release(releases);
  if (!error)
    error = jitrun_buffer_from_host(device, &strided, JITRUN_HOST_COPY_LATER,
                                    count_release, releases, &buffers[1]);
  else
    count_release(releases);
  if (!error)
    error = jitrun_client_local_device(
        client, jitrun_client_device_count(client) - 1, &other);
  if (!error)
    error = jitrun_buffer_copy_to(buffers[1], other, &buffers[2]);
  if (!error)
    error = jitrun_buffer_copy_to(buffers[2], device, &buffers[3]);
  tensor.data = found;
  if (!error)
    error = jitrun_buffer_to_host(buffers[3], &tensor, -1);
  if (!error)
    error = jitrun_buffer_host_value(buffers[0], -1, &value);
  if (!error)
    error = jitrun_buffer_fetch(buffers[3], &token);
  if (!error)
    error = jitrun_async_wait(token, -1);
  jitrun_async_release(token);
  jitrun_error_free(error);
  if (buffers[1]) // the copy may not have been done
    jitrun_error_free(jitrun_buffer_wait(buffers[1], -1));
  for (size_t i = 0; i < 4; i++)
    jitrun_buffer_release(buffers[i]);
  jitrun_client_release(client);
}

void test_client_failed_calls(void **state) {
  (void)state;
  if (!cts.fail_call)
    CTS_SKIP("the driver cannot be told to fail");
  fill_numbers(5);
  for (int kind = 0; kind < 2; kind++) {
    bool is_over = false;
    for (int nth = 1; !is_over; nth++) {
      int releases = 0;
      cts.fail_call(kind == 0 ? nth : 0, kind == 1 ? nth : 0);
      use_client(&releases);
      is_over = cts.is_pending();
      cts.fail_call(0, 0);
      assert_int_equal(__atomic_load_n(&releases, __ATOMIC_SEQ_CST), 2);
      assert_int_equal(cts.count_wrong(), 0);
    }
  }
}
