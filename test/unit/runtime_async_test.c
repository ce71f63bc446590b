/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Tokens, values and groups by themselves: states, errors, waiting, what is
/// called then, and what does not fit.
#include "expect.h"

#include "runtime/async.h"

#include <pthread.h>

static const jitrun_type_t token_type = {.kind = JITRUN_KIND_TOKEN,
                                         .dtype = JITRUN_DTYPE_TOKEN};
static const jitrun_type_t f32_type = {.kind = JITRUN_KIND_ASYNC_SCALAR,
                                       .dtype = JITRUN_DTYPE_F32};

/// memref<2x?xi32>
static const struct {
  jitrun_type_t type;
  int64_t extents[4];
} buffer_type = {
    {.kind = JITRUN_KIND_ASYNC_BUFFER, .dtype = JITRUN_DTYPE_S32, .rank = 2},
    {2, JITRUN_DYNAMIC, JITRUN_DYNAMIC, 1}};

static jitrun_async_t *create(const jitrun_type_t *type) {
  jitrun_async_t *async = NULL;
  expect_ok(jitrun_async_create(type, &async));
  assert_int_equal(jitrun_async_state(async), JITRUN_ASYNC_PENDING);
  return async;
}

static jitrun_error_t *out_of_ink(void) {
  return jr_error(JITRUN_DATA_LOSS, "out of ink");
}

static void test_token(void **state) {
  (void)state;
  jitrun_async_t *token = create(&token_type);
  jitrun_tensor_t value;
  expect_error(jitrun_async_wait(token, 1000), JITRUN_DEADLINE_EXCEEDED,
               "not available after 1000 ns");
  expect_error(jitrun_async_read(token, &value), JITRUN_FAILED_PRECONDITION,
               "not available yet");
  expect_ok(jitrun_async_set_token(token));
  assert_int_equal(jitrun_async_state(token), JITRUN_ASYNC_AVAILABLE);
  expect_ok(jitrun_async_wait(token, -1));
  expect_ok(jitrun_async_read(token, &value));
  assert_int_equal(value.dtype, JITRUN_DTYPE_TOKEN);
  expect_error(jitrun_async_set_token(token), JITRUN_FAILED_PRECONDITION,
               "set already");
  jitrun_async_retain(token);
  jitrun_async_release(token);
  jitrun_async_release(token);
  jitrun_async_release(NULL);
}

static void test_scalar(void **state) {
  (void)state;
  jitrun_async_t *async = create(&f32_type);
  float number = 2.5F;
  jitrun_tensor_t value;
  expect_error(jitrun_async_set_token(async), JITRUN_INVALID_ARGUMENT,
               "is for a scalar and is set as a token");
  expect_ok(jitrun_async_set_scalar(async, &number));
  expect_ok(jitrun_async_read(async, &value));
  assert_int_equal(value.dtype, JITRUN_DTYPE_F32);
  assert_int_equal(value.rank, 0);
  assert_true(*(float *)value.data == 2.5F);
  jitrun_async_release(async);
}

static void test_buffer(void **state) {
  (void)state;
  int32_t data[6] = {1, 2, 3, 4, 5, 6};
  int64_t dims[2] = {2, 3};
  jitrun_tensor_t given = {
      .dtype = JITRUN_DTYPE_S32, .rank = 2, .dims = dims, .data = data};
  jitrun_async_t *async = create(&buffer_type.type);
  dims[0] = 3;
  expect_error(
      jitrun_async_set_buffer(async, &given), JITRUN_INVALID_ARGUMENT,
      "is of type !async.value<2x?xi32>, and size 0 of the buffer is 3");
  dims[0] = 2;
  const int64_t strides[] = {6, 2};
  given.strides = strides;
  expect_error(jitrun_async_set_buffer(async, &given), JITRUN_INVALID_ARGUMENT,
               "stride 1 of the buffer is 2");
  given.strides = NULL;
  given.data = NULL;
  expect_error(jitrun_async_set_buffer(async, &given), JITRUN_INVALID_ARGUMENT,
               "data of the async buffer is NULL");
  given.data = data;
  given.dims = NULL;
  expect_error(jitrun_async_set_buffer(async, &given), JITRUN_INVALID_ARGUMENT,
               "sizes of the async buffer are NULL");
  given.dims = dims;
  given.dtype = JITRUN_DTYPE_F32;
  expect_error(jitrun_async_set_buffer(async, &given), JITRUN_INVALID_ARGUMENT,
               "is set to one of type f32 and rank 2");
  given.dtype = JITRUN_DTYPE_S32;
  expect_ok(jitrun_async_set_buffer(async, &given));
  jitrun_tensor_t value;
  expect_ok(jitrun_async_read(async, &value));
  assert_int_equal(value.rank, 2);
  assert_int_equal(value.dims[1], 3);
  assert_int_equal(value.strides[0], 3);
  assert_int_equal(value.strides[1], 1);
  assert_ptr_equal(value.data, data);
  jitrun_async_release(async);
}

static void test_error(void **state) {
  (void)state;
  jitrun_async_t *async = create(&f32_type);
  jitrun_tensor_t value;
  expect_ok(jitrun_async_error(async));
  jitrun_async_set_error(async, out_of_ink());
  jitrun_async_set_error(async, out_of_ink());
  assert_int_equal(jitrun_async_state(async), JITRUN_ASYNC_ERROR);
  expect_error(jitrun_async_wait(async, -1), JITRUN_DATA_LOSS, "out of ink");
  expect_error(jitrun_async_read(async, &value), JITRUN_DATA_LOSS, "ink");
  expect_error(jitrun_async_error(async), JITRUN_DATA_LOSS, "out of ink");
  jitrun_async_release(async);
  async = create(&token_type);
  jitrun_async_set_error(async, NULL);
  expect_error(jitrun_async_error(async), JITRUN_UNKNOWN, "without an error");
  jitrun_async_release(async);
  jitrun_async_set_error(NULL, out_of_ink());
}

static void test_refused_types(void **state) {
  (void)state;
  jitrun_async_t *async = NULL;
  jitrun_type_t type = {.kind = JITRUN_KIND_SCALAR, .dtype = JITRUN_DTYPE_F32};
  expect_error(jitrun_async_create(&type, &async), JITRUN_INVALID_ARGUMENT,
               "an async handle is made of the type of a token");
  type = (jitrun_type_t){.kind = JITRUN_KIND_ASYNC_SCALAR};
  expect_error(jitrun_async_create(&type, &async), JITRUN_INVALID_ARGUMENT,
               "an async handle");
  expect_error(jitrun_async_create(NULL, &async), JITRUN_INVALID_ARGUMENT,
               "an async handle");
  assert_null(async);
  expect_error(jitrun_async_set_token(NULL), JITRUN_INVALID_ARGUMENT, "NULL");
  expect_error(jitrun_async_wait(NULL, -1), JITRUN_INVALID_ARGUMENT, "NULL");
  expect_error(jitrun_async_then(NULL, NULL, NULL), JITRUN_INVALID_ARGUMENT,
               "one of them is NULL");
  async = create(&f32_type);
  expect_error(jitrun_async_set_scalar(async, NULL), JITRUN_INVALID_ARGUMENT,
               "is NULL");
  jitrun_async_release(async);
}

/// Only the program sets what it makes, also once its type is known.
static void test_handle_of_a_program(void **state) {
  (void)state;
  jitrun_async_t *token = jr_async_create(JR_ASYNC_TOKEN, 0);
  assert_non_null(token);
  assert_true(jr_async_set_type(token, &token_type));
  expect_error(jitrun_async_set_token(token), JITRUN_INVALID_ARGUMENT,
               "one that a program sets");
  jitrun_async_set_error(token, out_of_ink());
  assert_int_equal(jitrun_async_state(token), JITRUN_ASYNC_PENDING);
  jitrun_async_release(token);
}

static void count(void *context) {
  (*(int *)context)++;
}

static void test_then(void **state) {
  (void)state;
  int calls = 0;
  jitrun_async_t *token = create(&token_type);
  expect_ok(jitrun_async_then(token, count, &calls));
  expect_ok(jitrun_async_then(token, count, &calls));
  assert_int_equal(calls, 0);
  expect_ok(jitrun_async_set_token(token));
  assert_int_equal(calls, 2);
  expect_ok(jitrun_async_then(token, count, &calls));
  assert_int_equal(calls, 3);
  jitrun_async_release(token);
}

static void test_group(void **state) {
  (void)state;
  jitrun_async_t *tokens[3];
  jitrun_async_t *group = jr_async_create(JR_ASYNC_GROUP, 0);
  assert_non_null(group);
  group->wanted = 3;
  for (int i = 0; i < 3; i++) {
    assert_int_equal(jitrun_async_state(group), JITRUN_ASYNC_PENDING);
    tokens[i] = create(&token_type);
    if (i == 1)
      expect_ok(jitrun_async_set_token(tokens[i]));
    int64_t rank = -1;
    assert_true(jr_async_add(group, tokens[i], &rank));
    assert_int_equal(rank, i);
  }
  jitrun_async_set_error(tokens[2], out_of_ink());
  assert_int_equal(jitrun_async_state(group), JITRUN_ASYNC_PENDING);
  expect_ok(jitrun_async_set_token(tokens[0]));
  assert_int_equal(jitrun_async_state(group), JITRUN_ASYNC_ERROR);
  expect_error(jitrun_async_error(group), JITRUN_DATA_LOSS, "out of ink");
  for (int i = 0; i < 3; i++)
    jitrun_async_release(tokens[i]);
  jitrun_async_release(group);
}

enum { ADDERS = 4, TOKENS_EACH = 200 };

/// One of the threads that add to a group; its part of the sum of all ranks.
struct adder {
  jitrun_async_t *group;
  pthread_t thread;
  int64_t sum;
};

static void *add_tokens(void *context) {
  struct adder *adder = context;
  for (int i = 0; i < TOKENS_EACH; i++) {
    int64_t rank = 0;
    jitrun_async_t *token = NULL;
    jitrun_error_free(jitrun_async_create(&token_type, &token));
    jitrun_error_free(jitrun_async_set_token(token));
    (void)jr_async_add(adder->group, token, &rank);
    jitrun_async_release(token);
    adder->sum += rank;
  }
  return NULL;
}

/// Each token has a rank of its own, whoever adds it.
static void test_group_of_threads(void **state) {
  (void)state;
  enum { COUNT = ADDERS * TOKENS_EACH };
  struct adder adders[ADDERS];
  int64_t sum = 0;
  jitrun_async_t *group = jr_async_create(JR_ASYNC_GROUP, 0);
  assert_non_null(group);
  group->wanted = COUNT;
  for (int i = 0; i < ADDERS; i++) {
    adders[i] = (struct adder){.group = group};
    assert_int_equal(
        pthread_create(&adders[i].thread, NULL, add_tokens, &adders[i]), 0);
  }
  for (int i = 0; i < ADDERS; i++) {
    (void)pthread_join(adders[i].thread, NULL);
    sum += adders[i].sum;
  }
  assert_int_equal(sum, COUNT * (COUNT - 1) / 2);
  assert_int_equal(jitrun_async_state(group), JITRUN_ASYNC_AVAILABLE);
  jitrun_async_release(group);
}

static void *set_number(void *context) {
  float number = 7;
  jitrun_error_free(jitrun_async_set_scalar(context, &number));
  jitrun_async_release(context);
  return NULL;
}

/// What one thread sets, others read; whoever is last frees it.
static void test_threads(void **state) {
  (void)state;
  for (int round = 0; round < 100; round++) {
    jitrun_async_t *async = create(&f32_type);
    jitrun_async_retain(async);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, set_number, async), 0);
    jitrun_tensor_t value;
    expect_ok(jitrun_async_wait(async, -1));
    expect_ok(jitrun_async_read(async, &value));
    assert_true(*(float *)value.data == 7);
    jitrun_async_release(async);
    (void)pthread_join(thread, NULL);
  }
}

static void allocate(void *context) {
  (void)context;
  jitrun_async_t *async = NULL;
  jitrun_error_t *error = jitrun_async_create(&f32_type, &async);
  int calls = 0;
  if (!error)
    error = jitrun_async_then(async, count, &calls);
  bool is_waiting = !error;
  if (error)
    expect_error(error, JITRUN_RESOURCE_EXHAUSTED, "memory");
  if (async)
    jitrun_async_set_error(async, out_of_ink());
  assert_int_equal(calls, is_waiting);
  jitrun_error_free(async ? jitrun_async_error(async) : NULL);
  jitrun_async_release(async);
}

static void test_allocations(void **state) {
  (void)state;
  sweep_allocations(allocate, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_token),
      cmocka_unit_test(test_scalar),
      cmocka_unit_test(test_buffer),
      cmocka_unit_test(test_error),
      cmocka_unit_test(test_refused_types),
      cmocka_unit_test(test_handle_of_a_program),
      cmocka_unit_test(test_then),
      cmocka_unit_test(test_group),
      cmocka_unit_test(test_group_of_threads),
      cmocka_unit_test(test_threads),
      cmocka_unit_test(test_allocations),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
