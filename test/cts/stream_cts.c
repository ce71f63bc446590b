/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Streams and events: order, waiting, threads, failures.
#include "cts.h"

#include <pthread.h>
#include <stdlib.h>

enum { BYTES = 256 };

/// Each operation sees what those before it did, and host memory is written to
/// in that order too.
void test_stream_order(void **state) {
  (void)state;
  enum { ROUNDS = 50 };
  static unsigned char results[ROUNDS][BYTES];
  jitrun_address_t first = cts_alloc(0, BYTES);
  jitrun_address_t second = cts_alloc(0, BYTES);
  for (uint32_t i = 0; i < ROUNDS; i++) {
    expect_ok(cts.table->fill(cts.stream, first, BYTES, i, 1));
    expect_ok(cts.table->copy_on_device(cts.stream, second, first, BYTES));
    expect_ok(cts.table->fill(cts.stream, first, BYTES, 255, 1));
    expect_ok(cts.table->copy_to_host(cts.stream, results[i], second, BYTES));
  }
  expect_ok(cts.table->stream_synchronize(cts.stream));
  assert_true(cts.table->stream_query(cts.stream));
  for (uint32_t i = 0; i < ROUNDS; i++) {
    for (size_t j = 0; j < BYTES; j++)
      assert_int_equal(results[i][j], i);
  }
  cts_free(0, first);
  cts_free(0, second);
}

/// What is in a stream is done when it has been destroyed.
void test_stream_destroyed(void **state) {
  (void)state;
  unsigned char result[BYTES] = {0};
  jitrun_driver_stream_t *stream = NULL;
  jitrun_address_t address = cts_alloc(0, BYTES);
  expect_ok(cts.table->stream_create(cts.devices[0],
                                     JITRUN_STREAM_HIGH_PRIORITY, &stream));
  for (uint32_t i = 0; i < 10; i++)
    expect_ok(cts.table->fill(stream, address, BYTES, i, 1));
  expect_ok(cts.table->copy_to_host(stream, result, address, BYTES));
  cts.table->stream_destroy(stream);
  for (size_t i = 0; i < BYTES; i++)
    assert_int_equal(result[i], 9);
  cts_free(0, address);
}

struct worker {
  jitrun_driver_stream_t *stream; ///< its own
  jitrun_address_t own;
  unsigned seed;
  bool is_right;
};

/// Copies to and fro in its own stream, and puts work into the shared one.
static void *copy_much(void *context) {
  struct worker *worker = context;
  unsigned char bytes[BYTES];
  unsigned char back[BYTES];
  bool is_right = true;
  for (unsigned i = 0; i < 20 && is_right; i++) {
    cts_fill(bytes, BYTES, worker->seed + i);
    jitrun_error_t *errors[] = {
        cts.table->copy_to_device(worker->stream, worker->own, bytes, BYTES),
        cts.table->copy_to_host(worker->stream, back, worker->own, BYTES),
        cts.table->stream_synchronize(worker->stream),
        cts.table->copy_on_device(cts.stream, worker->own + BYTES, worker->own,
                                  BYTES),
        cts.table->stream_synchronize(cts.stream)};
    is_right = memcmp(bytes, back, BYTES) == 0;
    for (size_t j = 0; j < sizeof errors / sizeof errors[0]; j++) {
      is_right = is_right && !errors[j];
      jitrun_error_free(errors[j]);
    }
  }
  worker->is_right = is_right;
  return NULL;
}

void test_stream_threads(void **state) {
  (void)state;
  enum { COUNT = 4 };
  struct worker workers[COUNT];
  pthread_t threads[COUNT];
  for (unsigned i = 0; i < COUNT; i++) {
    workers[i] = (struct worker){.seed = 1000 * i,
                                 .own = cts_alloc(0, 2 * (uint64_t)BYTES)};
    expect_ok(cts.table->stream_create(cts.devices[0], 0, &workers[i].stream));
  }
  for (unsigned i = 0; i < COUNT; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, copy_much, &workers[i]),
                     0);
  for (unsigned i = 0; i < COUNT; i++) {
    (void)pthread_join(threads[i], NULL);
    assert_true(workers[i].is_right);
    cts_expect(workers[i].own + BYTES, BYTES, workers[i].seed + 19);
    cts.table->stream_destroy(workers[i].stream);
    cts_free(0, workers[i].own);
  }
}

/// A stream that waits for another's event sees what was done before it, and
/// the other way round, over and over with two events.
void test_events_of_streams(void **state) {
  (void)state;
  enum { ROUNDS = 30 };
  static unsigned char results[ROUNDS][BYTES];
  jitrun_driver_stream_t *other = NULL;
  jitrun_driver_event_t *written = NULL;
  jitrun_driver_event_t *read = NULL;
  jitrun_address_t address = cts_alloc(0, BYTES);
  expect_ok(cts.table->stream_create(cts.devices[0], 0, &other));
  expect_ok(cts.table->event_create(cts.devices[0], 0, &written));
  expect_ok(cts.table->event_create(cts.devices[0], 0, &read));
  for (uint32_t i = 0; i < ROUNDS; i++) {
    expect_ok(cts.table->event_wait(cts.stream, read));
    expect_ok(cts.table->fill(cts.stream, address, BYTES, i, 1));
    expect_ok(cts.table->event_record(cts.stream, written));
    expect_ok(cts.table->event_wait(other, written));
    expect_ok(cts.table->copy_to_host(other, results[i], address, BYTES));
    expect_ok(cts.table->event_record(other, read));
  }
  expect_ok(cts.table->event_synchronize(read));
  assert_true(cts.table->event_query(read));
  assert_true(cts.table->event_query(written));
  for (uint32_t i = 0; i < ROUNDS; i++) {
    for (size_t j = 0; j < BYTES; j++)
      assert_int_equal(results[i][j], i);
  }
  expect_ok(cts.table->stream_synchronize(cts.stream));
  expect_ok(cts.table->stream_synchronize(other));
  cts.table->event_destroy(read);
  cts.table->event_destroy(written);
  cts.table->stream_destroy(other);
  cts_free(0, address);
}

void test_events_unrecorded(void **state) {
  (void)state;
  jitrun_driver_event_t *event = NULL;
  expect_ok(cts.table->event_create(cts.devices[0], 0, &event));
  assert_true(cts.table->event_query(event));
  expect_ok(cts.table->event_synchronize(event));
  expect_ok(cts.table->event_wait(cts.stream, event));
  expect_ok(cts.table->stream_synchronize(cts.stream));
  cts.table->event_destroy(event);
}

void test_events_timed(void **state) {
  (void)state;
  jitrun_driver_event_t *events[2] = {0};
  uint64_t time_ns = UINT64_MAX;
  if (!cts.table->event_elapsed)
    CTS_SKIP("the driver measures no time");
  jitrun_address_t address = cts_alloc(0, BYTES);
  for (size_t i = 0; i < 2; i++) {
    expect_ok(cts.table->event_create(cts.devices[0], JITRUN_EVENT_TIMED,
                                      &events[i]));
    expect_ok(cts.table->event_record(cts.stream, events[i]));
    expect_ok(cts.table->fill(cts.stream, address, BYTES, 0, 1));
  }
  expect_ok(cts.table->stream_synchronize(cts.stream));
  expect_ok(cts.table->event_elapsed(events[0], events[1], &time_ns));
  assert_true(time_ns < UINT64_C(60000000000));
  cts.table->event_destroy(events[0]);
  cts.table->event_destroy(events[1]);
  cts_free(0, address);
}

/// An operation that fails when it runs: what is behind it is not done, the
/// error comes once, and the stream is as new.
void test_failed_operation(void **state) {
  (void)state;
  if (!cts.fail_call)
    CTS_SKIP("the driver cannot be told to fail");
  jitrun_driver_event_t *event = NULL;
  jitrun_address_t address = cts_alloc(0, BYTES);
  expect_ok(cts.table->event_create(cts.devices[0], 0, &event));
  cts.fail_call(0, 2);
  expect_ok(cts.table->fill(cts.stream, address, BYTES, 1, 1));
  expect_ok(cts.table->fill(cts.stream, address, BYTES, 2, 1));
  expect_ok(cts.table->fill(cts.stream, address, BYTES, 3, 1));
  expect_ok(cts.table->event_record(cts.stream, event));
  jitrun_error_t *error = cts.table->event_synchronize(event);
  assert_non_null(error);
  jitrun_error_free(error);
  error = cts.table->stream_synchronize(cts.stream);
  assert_non_null(error);
  jitrun_error_free(error);
  expect_ok(cts.table->stream_synchronize(cts.stream));
  unsigned char found[BYTES];
  expect_ok(cts.table->copy_to_host(cts.stream, found, address, BYTES));
  expect_ok(cts.table->stream_synchronize(cts.stream));
  for (size_t i = 0; i < BYTES; i++)
    assert_int_equal(found[i], 1);
  cts.table->event_destroy(event);
  cts_free(0, address);
}

/// A stream that waits for one that fails, fails.
void test_failed_wait(void **state) {
  (void)state;
  if (!cts.fail_call)
    CTS_SKIP("the driver cannot be told to fail");
  jitrun_driver_event_t *event = NULL;
  jitrun_driver_stream_t *other = NULL;
  jitrun_address_t address = cts_alloc(0, BYTES);
  expect_ok(cts.table->event_create(cts.devices[0], 0, &event));
  expect_ok(cts.table->stream_create(cts.devices[0], 0, &other));
  cts.fail_call(0, 1);
  expect_ok(cts.table->fill(cts.stream, address, BYTES, 1, 1));
  expect_ok(cts.table->event_record(cts.stream, event));
  expect_ok(cts.table->event_wait(other, event));
  jitrun_error_t *error = cts.table->stream_synchronize(other);
  assert_non_null(error);
  jitrun_error_free(error);
  error = cts.table->stream_synchronize(cts.stream);
  assert_non_null(error);
  jitrun_error_free(error);
  cts.table->stream_destroy(other);
  cts.table->event_destroy(event);
  cts_free(0, address);
}
