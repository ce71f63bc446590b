/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Tuples of buffers: made, taken apart, copied, waited for, given up; and what
/// is refused.
#include "client_programs.h"

#include "jitrun/tuple.h"

static jitrun_buffer_t *make_tuple(jitrun_buffer_t *const *elements,
                                   size_t count) {
  jitrun_buffer_t *tuple = NULL;
  expect_ok(jitrun_tuple_create(devices[0], elements, count, &tuple));
  return tuple;
}

static void release_all(jitrun_buffer_t **buffers, size_t count) {
  for (size_t i = 0; i < count; i++)
    jitrun_buffer_release(buffers[i]);
}

/// ((a, b), (), c): its elements have the memory of what it was made from.
static void test_make_and_take_apart(void **state) {
  (void)state;
  jitrun_buffer_t *leaves[] = {make_buffer(0, 0), make_buffer(0, 10),
                               make_scalar(0, 7)};
  jitrun_buffer_t *parts[] = {make_tuple(leaves, 2), make_tuple(NULL, 0),
                              leaves[2]};
  jitrun_buffer_t *tuple = make_tuple(parts, 3);
  assert_int_equal(jitrun_buffer_dtype(tuple), JITRUN_DTYPE_TUPLE);
  assert_int_equal(jitrun_buffer_rank(tuple), 0);
  assert_int_equal(jitrun_buffer_size_bytes(tuple), 36);
  assert_ptr_equal(jitrun_buffer_device(tuple), devices[0]);
  assert_int_equal(jitrun_tuple_count(tuple), 3);
  assert_int_equal(jitrun_tuple_count(leaves[0]), 0);
  assert_int_equal(jitrun_tuple_count(NULL), 0);
  assert_int_equal(bytes_in_use(0), 36);
  const void *address = address_of(leaves[1]);
  release_all(leaves, 3);
  release_all(parts, 2);
  assert_int_equal(bytes_in_use(0), 36);
  jitrun_buffer_t *taken[3];
  jitrun_buffer_t *inner[2];
  expect_ok(jitrun_tuple_elements(tuple, taken, 3));
  expect_ok(jitrun_tuple_elements(taken[0], inner, 2));
  expect_ok(jitrun_tuple_elements(taken[1], NULL, 0));
  assert_ptr_equal(address_of(inner[1]), address);
  assert_int_equal(read_scalar(taken[2]), 7);
  jitrun_buffer_t *one = NULL;
  expect_ok(jitrun_tuple_element(taken[0], 1, &one));
  expect_buffer(one, 10, 1);
  jitrun_buffer_release(one);
  expect_error(jitrun_tuple_element(tuple, 3, &one), JITRUN_OUT_OF_RANGE,
               "element 3 of a tuple of 3");
  assert_null(one);
  jitrun_buffer_release(tuple);
  expect_buffer(inner[0], 0, 1);
  release_all(taken, 3);
  release_all(inner, 2);
  expect_ok(jitrun_tuple_create(devices[0], NULL, 0, &one));
  jitrun_buffer_release(one);
}

static void count_release(void *context) {
  (void)__atomic_fetch_add((int *)context, 1, __ATOMIC_RELAXED);
}

static int32_t numbers[] = {0, 1, 2, 3, 4, 5, 6, 7};
static const jitrun_tensor_t tensors[] = {
    {.dtype = JITRUN_DTYPE_S32, .rank = 1, .dims = dims4, .data = numbers},
    {.dtype = JITRUN_DTYPE_S32, .data = &numbers[4]},
    {.dtype = JITRUN_DTYPE_S32, .rank = 1, .dims = dims4, .data = &numbers[4]}};

/// From host memory in one call; it is given back once.
static void test_from_host(void **state) {
  (void)state;
  static const int32_t nested[] = {3,           JITRUN_LEAF, 0,          2,
                                   JITRUN_LEAF, 1,           JITRUN_LEAF};
  int released = 0;
  jitrun_leaves_t leaves = {.size = sizeof leaves,
                            .tensors = tensors,
                            .count = 3,
                            .release = count_release,
                            .release_context = &released};
  jitrun_buffer_t *tuple = NULL;
  for (jitrun_host_memory_t semantics = JITRUN_HOST_COPY_NOW;
       semantics <= JITRUN_HOST_BORROW; semantics++) {
    jitrun_buffer_t *elements[3];
    jitrun_buffer_t *inner[2];
    released = 0;
    leaves.semantics = semantics;
    leaves.shape = NULL;
    leaves.shape_count = 0;
    expect_ok(jitrun_tuple_from_host(devices[0], &leaves, &tuple));
    assert_int_equal(jitrun_tuple_count(tuple), 3);
    expect_ok(jitrun_buffer_wait(tuple, -1));
    jitrun_buffer_release(tuple);
    assert_int_equal(released, 1);
    leaves.shape = nested;
    leaves.shape_count = sizeof nested / sizeof nested[0];
    expect_ok(jitrun_tuple_from_host(devices[0], &leaves, &tuple));
    expect_ok(jitrun_tuple_elements(tuple, elements, 3));
    assert_int_equal(jitrun_tuple_count(elements[1]), 0);
    expect_ok(jitrun_tuple_elements(elements[2], inner, 2));
    assert_int_equal(read_scalar(inner[0]), 4);
    assert_int_equal(jitrun_tuple_count(inner[1]), 1);
    expect_buffer(elements[0], 0, 1);
    jitrun_buffer_release(tuple);
    release_all(elements, 3);
    release_all(inner, 2);
    assert_int_equal(released, 2);
  }
}

static void expect_shape_error(const int32_t *shape, size_t count,
                               const char *part) {
  int released = 0;
  const jitrun_leaves_t leaves = {.size = sizeof leaves,
                                  .tensors = tensors,
                                  .count = 2,
                                  .release = count_release,
                                  .release_context = &released,
                                  .shape = shape,
                                  .shape_count = count};
  jitrun_buffer_t *tuple = NULL;
  expect_error(jitrun_tuple_from_host(devices[0], &leaves, &tuple),
               JITRUN_INVALID_ARGUMENT, part);
  assert_null(tuple);
  assert_int_equal(released, 1);
}

static void test_wrong_shapes(void **state) {
  (void)state;
  static const int32_t few[] = {1, JITRUN_LEAF};
  static const int32_t many[] = {3, JITRUN_LEAF, JITRUN_LEAF, JITRUN_LEAF};
  static const int32_t open_end[] = {3, JITRUN_LEAF, JITRUN_LEAF};
  static const int32_t two[] = {1, JITRUN_LEAF, 1, JITRUN_LEAF};
  static const int32_t bare[] = {JITRUN_LEAF};
  static const int32_t large[] = {1000000, JITRUN_LEAF, JITRUN_LEAF};
  int32_t deep[80];
  for (size_t i = 0; i < 80; i++)
    deep[i] = 1;
  expect_shape_error(few, 2, "not one of 2 leaves");
  expect_shape_error(many, 4, "more leaves than the 2 tensors");
  expect_shape_error(open_end, 3, "not one of 2 leaves");
  expect_shape_error(two, 4, "not one of 2 leaves");
  expect_shape_error(bare, 1, "has -1 at 0, where 1 numbers are");
  expect_shape_error(large, 3, "has 1000000 at 0, where 3 numbers are");
  expect_shape_error(deep, 80, "in more than 63 others");
  expect_shape_error(deep, 0, "not one of 2 leaves");
  jitrun_buffer_t *tuple = NULL;
  jitrun_leaves_t leaves = {.size = 1};
  expect_error(jitrun_tuple_from_host(devices[0], &leaves, &tuple),
               JITRUN_INVALID_ARGUMENT, "options for a tuple");
  expect_error(jitrun_tuple_from_host(devices[0], NULL, &tuple),
               JITRUN_INVALID_ARGUMENT, "a tuple needs a device, leaves");
  leaves = (jitrun_leaves_t){.size = sizeof leaves, .count = 1};
  expect_error(jitrun_tuple_from_host(devices[0], &leaves, &tuple),
               JITRUN_INVALID_ARGUMENT, "a tuple needs a device, leaves");
  // A leaf that cannot be says which it is.
  const jitrun_tensor_t token = {.dtype = JITRUN_DTYPE_TUPLE};
  leaves.tensors = &token;
  jitrun_error_t *error = jitrun_tuple_from_host(devices[0], &leaves, &tuple);
  assert_non_null(error);
  assert_string_equal(jitrun_error_note_get(error, 0), "at leaf 0 of a tuple");
  expect_error(error, JITRUN_INVALID_ARGUMENT, "buffers have numbers");
}

static void test_depth(void **state) {
  (void)state;
  jitrun_buffer_t *tuple = make_tuple(NULL, 0);
  for (int i = 1; i < 64; i++) {
    jitrun_buffer_t *outer = make_tuple(&tuple, 1);
    jitrun_buffer_release(tuple);
    tuple = outer;
  }
  jitrun_buffer_t *outer = NULL;
  expect_error(jitrun_tuple_create(devices[0], &tuple, 1, &outer),
               JITRUN_INVALID_ARGUMENT, "in more than 63 others");
  jitrun_buffer_release(tuple);
}

/// What a tuple cannot do, and what its elements cannot be.
static void test_refused(void **state) {
  (void)state;
  jitrun_buffer_t *leaf = make_buffer(0, 0);
  jitrun_buffer_t *elsewhere = make_buffer(1, 0);
  jitrun_buffer_t *tuple = make_tuple(&leaf, 1);
  jitrun_buffer_t *out = NULL;
  jitrun_async_t *token = NULL;
  jitrun_tensor_t value = tensors[0];
  void *data = NULL;
  static const char reads[] = "cannot read a tuple of 1 elements";
  expect_error(jitrun_buffer_view(tuple, 0, JITRUN_DTYPE_S32, dims4, 1, &out),
               JITRUN_INVALID_ARGUMENT, "cannot make a view of a tuple");
  expect_error(jitrun_buffer_to_host(tuple, &value, -1),
               JITRUN_INVALID_ARGUMENT, reads);
  expect_error(jitrun_buffer_to_host_async(tuple, &value, &token),
               JITRUN_INVALID_ARGUMENT, reads);
  expect_error(jitrun_buffer_host_value(tuple, -1, &value),
               JITRUN_INVALID_ARGUMENT, reads);
  expect_error(jitrun_buffer_hold(tuple, -1, &data), JITRUN_INVALID_ARGUMENT,
               "cannot hold a tuple");
  expect_error(jitrun_tuple_create(devices[0], &elsewhere, 1, &out),
               JITRUN_INVALID_ARGUMENT,
               "element 0 of a tuple on device host:0 is on device host:1");
  expect_error(jitrun_tuple_create(devices[0], &out, 1, &out),
               JITRUN_INVALID_ARGUMENT, "element 0 of a tuple is NULL");
  expect_error(jitrun_tuple_create(NULL, NULL, 0, &out),
               JITRUN_INVALID_ARGUMENT, "a tuple needs a device");
  expect_error(jitrun_tuple_elements(leaf, &out, 1), JITRUN_INVALID_ARGUMENT,
               "is no tuple");
  expect_error(jitrun_tuple_elements(NULL, &out, 1), JITRUN_INVALID_ARGUMENT,
               "taking elements out needs a tuple");
  expect_error(jitrun_tuple_elements(tuple, NULL, 1), JITRUN_INVALID_ARGUMENT,
               "taking elements out needs a tuple");
  expect_error(jitrun_tuple_elements(tuple, &out, 0), JITRUN_INVALID_ARGUMENT,
               "has 1 elements, and there is room for 0");
  expect_error(jitrun_tuple_element(tuple, 0, NULL), JITRUN_INVALID_ARGUMENT,
               "taking elements out needs a tuple");
  jitrun_buffer_delete(leaf);
  jitrun_error_t *error = jitrun_tuple_create(devices[0], &leaf, 1, &out);
  assert_non_null(error);
  assert_string_equal(jitrun_error_note_get(error, 0),
                      "at element 0 of a tuple");
  expect_error(error, JITRUN_FAILED_PRECONDITION, "it was deleted");
  jitrun_buffer_release(leaf);
  jitrun_buffer_release(elsewhere);
  jitrun_buffer_release(tuple);
}

/// Deleting a tuple gives up its own handles.
static void test_delete(void **state) {
  (void)state;
  jitrun_buffer_t *leaves[] = {make_buffer(0, 0), make_buffer(0, 10)};
  jitrun_buffer_t *inner = make_tuple(leaves, 2);
  jitrun_buffer_t *tuple = make_tuple(&inner, 1);
  jitrun_buffer_t *out = NULL;
  jitrun_async_t *token = NULL;
  jitrun_buffer_release(leaves[0]);
  jitrun_buffer_release(inner);
  jitrun_buffer_delete(tuple);
  jitrun_buffer_delete(tuple);
  assert_true(jitrun_buffer_is_deleted(tuple));
  assert_false(jitrun_buffer_is_deleted(leaves[1]));
  assert_int_equal(bytes_in_use(0), 16);
  static const char deleted[] =
      "a tuple of 1 elements on device host:0: it was deleted";
  expect_error(jitrun_tuple_element(tuple, 0, &out), JITRUN_FAILED_PRECONDITION,
               deleted);
  expect_error(jitrun_buffer_copy_to(tuple, devices[1], &out),
               JITRUN_FAILED_PRECONDITION, deleted);
  expect_error(jitrun_buffer_wait(tuple, -1), JITRUN_FAILED_PRECONDITION,
               deleted);
  expect_error(jitrun_buffer_ready(tuple, &token), JITRUN_FAILED_PRECONDITION,
               deleted);
  expect_error(jitrun_tuple_create(devices[0], &tuple, 1, &out),
               JITRUN_FAILED_PRECONDITION, deleted);
  assert_int_equal(jitrun_buffer_size_bytes(tuple), 32);
  jitrun_buffer_release(tuple);
  jitrun_buffer_release(leaves[1]);
}

static void test_copy(void **state) {
  (void)state;
  jitrun_buffer_t *leaf = make_buffer(0, 3);
  jitrun_buffer_t *inner = make_tuple(&leaf, 1);
  jitrun_buffer_t *parts[] = {inner, leaf};
  jitrun_buffer_t *tuple = make_tuple(parts, 2);
  jitrun_buffer_t *copies[2];
  expect_ok(jitrun_buffer_copy_to(tuple, devices[0], &copies[0]));
  expect_ok(jitrun_buffer_copy_to(tuple, devices[1], &copies[1]));
  release_all(parts, 2);
  jitrun_buffer_release(tuple);
  assert_int_equal(bytes_in_use(0), 16);
  assert_int_equal(bytes_in_use(1), 32);
  jitrun_async_t *token = NULL;
  expect_ok(jitrun_buffer_ready(copies[1], &token));
  expect_ok(jitrun_async_wait(token, -1));
  jitrun_async_release(token);
  for (size_t i = 0; i < 2; i++) {
    jitrun_buffer_t *one = NULL;
    assert_ptr_equal(jitrun_buffer_device(copies[i]), devices[i]);
    expect_ok(jitrun_tuple_element(copies[i], 1, &one));
    expect_buffer(one, 3, 1);
    jitrun_buffer_release(one);
    jitrun_buffer_release(copies[i]);
  }
}

static jitrun_async_t *make_token(void) {
  static const jitrun_type_t type = {.kind = JITRUN_KIND_TOKEN,
                                     .dtype = JITRUN_DTYPE_TOKEN};
  jitrun_async_t *token = NULL;
  expect_ok(jitrun_async_create(&type, &token));
  return token;
}

/// A buffer that waits for others' work, and what it is part of.
static void test_after(void **state) {
  (void)state;
  jitrun_buffer_t *leaf = make_buffer(0, 0);
  jitrun_async_t *tokens[] = {make_token(), NULL, make_token()};
  jitrun_buffer_t *after = NULL;
  jitrun_async_t *ready = NULL;
  void *data = NULL;
  expect_ok(jitrun_buffer_hold(leaf, -1, &data));
  expect_ok(jitrun_buffer_after(leaf, tokens, 3, &after));
  jitrun_buffer_t *parts[] = {leaf, after};
  jitrun_buffer_t *tuple = make_tuple(parts, 2);
  expect_ok(jitrun_buffer_ready(tuple, &ready));
  expect_ok(jitrun_async_set_token(tokens[0]));
  assert_int_equal(jitrun_async_state(ready), JITRUN_ASYNC_PENDING);
  expect_error(jitrun_buffer_wait(tuple, 1000000), JITRUN_DEADLINE_EXCEEDED,
               "nothing executes; it waits for a copy, or a token that its "
               "maker has not set");
  *(int32_t *)data = 0;
  expect_ok(jitrun_async_set_token(tokens[2]));
  expect_ok(jitrun_async_wait(ready, -1));
  expect_ok(jitrun_buffer_wait(tuple, 1000000));
  expect_buffer(after, 0, 1);
  jitrun_buffer_unhold(leaf);
  jitrun_async_release(ready);
  jitrun_buffer_release(tuple);
  jitrun_buffer_release(after);
  // An error is everybody's, at once.
  jitrun_async_release(tokens[2]);
  jitrun_async_release(tokens[0]);
  tokens[0] = make_token();
  tokens[2] = make_token();
  expect_ok(jitrun_buffer_after(leaf, tokens, 3, &after));
  parts[1] = after;
  tuple = make_tuple(parts, 2);
  expect_ok(jitrun_buffer_ready(tuple, &ready));
  jitrun_async_set_error(tokens[2], jr_error(JITRUN_DATA_LOSS, "spilt milk"));
  expect_error(jitrun_async_wait(ready, -1), JITRUN_DATA_LOSS, "spilt milk");
  expect_error(jitrun_buffer_wait(tuple, -1), JITRUN_DATA_LOSS, "spilt milk");
  expect_ok(jitrun_async_set_token(tokens[0]));
  jitrun_async_release(ready);
  jitrun_buffer_release(tuple);
  jitrun_buffer_release(after);
  expect_error(jitrun_buffer_after(leaf, NULL, 1, &after),
               JITRUN_INVALID_ARGUMENT, "a buffer that waits needs");
  jitrun_buffer_delete(leaf);
  expect_error(jitrun_buffer_after(leaf, tokens, 3, &after),
               JITRUN_FAILED_PRECONDITION, "it was deleted");
  jitrun_buffer_release(leaf);
  jitrun_async_release(tokens[0]);
  jitrun_async_release(tokens[2]);
}

static void make_once(void *context) {
  (void)context;
  static const int32_t nested[] = {2, JITRUN_LEAF, 2, JITRUN_LEAF, JITRUN_LEAF};
  int released = 0;
  const jitrun_leaves_t leaves = {.size = sizeof leaves,
                                  .tensors = tensors,
                                  .count = 3,
                                  .semantics = JITRUN_HOST_COPY_LATER,
                                  .release = count_release,
                                  .release_context = &released,
                                  .shape = nested,
                                  .shape_count = 5};
  jitrun_buffer_t *tuple = NULL;
  jitrun_buffer_t *copy = NULL;
  jitrun_buffer_t *elements[2] = {NULL, NULL};
  jitrun_buffer_t *after = NULL;
  jitrun_async_t *token = NULL;
  jitrun_error_t *error = jitrun_tuple_from_host(devices[0], &leaves, &tuple);
  if (!error)
    error = jitrun_buffer_copy_to(tuple, devices[1], &copy);
  if (!error)
    error = jitrun_tuple_elements(tuple, elements, 2);
  if (!error)
    error = jitrun_buffer_ready(copy, &token);
  if (!error)
    error = jitrun_buffer_after(elements[0], &token, 1, &after);
  if (!error)
    error = jitrun_async_wait(token, -1);
  jitrun_error_free(error);
  jitrun_async_release(token);
  release_all(elements, 2);
  jitrun_buffer_release(after);
  jitrun_buffer_release(copy);
  jitrun_buffer_release(tuple);
  assert_int_equal(released, 1);
}

static void test_without_memory(void **state) {
  (void)state;
  sweep_allocations(make_once, NULL);
}

int main(void) {
#define TEST(name)                                                             \
  cmocka_unit_test_setup_teardown(name, open_client, close_client)
  const struct CMUnitTest tests[] = {
      TEST(test_make_and_take_apart),
      TEST(test_from_host),
      TEST(test_wrong_shapes),
      TEST(test_depth),
      TEST(test_refused),
      TEST(test_delete),
      TEST(test_copy),
      TEST(test_after),
      TEST(test_without_memory),
  };
#undef TEST
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
