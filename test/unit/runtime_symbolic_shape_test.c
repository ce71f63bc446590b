/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Symbolic shapes; the first eight tests are named after JitRt's.
#include "expect.h"

#include "runtime/symbolic_shape.h"

#include <stdio.h>

enum { MOST = 4 };

/// A type record with its sizes; strides do not matter here.
struct shape {
  jitrun_type_t type;
  int64_t dims[2 * MOST];
};

#define ANY JITRUN_DYNAMIC

#define SHAPE(rank_, ...)                                                      \
  (struct shape) {                                                             \
    {.kind = JITRUN_KIND_BUFFER, .dtype = JITRUN_DTYPE_F32, .rank = (rank_)},  \
    {                                                                          \
      __VA_ARGS__                                                              \
    }                                                                          \
  }
#define SCALAR(dtype_)                                                         \
  (struct shape) {                                                             \
    {.kind = JITRUN_KIND_SCALAR, .dtype = (dtype_)}, {0}                       \
  }

/// The arguments of a call, sizes in rows.
struct call {
  int64_t dims[MOST][MOST];
  uint32_t ranks[MOST];
  jitrun_tensor_t tensors[MOST];
};

static const jitrun_tensor_t *make_args(struct call *call, size_t count) {
  for (size_t i = 0; i < count; i++)
    call->tensors[i] = (jitrun_tensor_t){.dtype = JITRUN_DTYPE_F32,
                                         .rank = call->ranks[i],
                                         .dims = call->dims[i]};
  return call->tensors;
}

/// The words of a call as text, "2 -2 -3 1 4".
static const char *resolve(const struct jr_shape_resolver *resolver,
                           const jitrun_tensor_t *args) {
  static char text[512];
  int64_t words[64];
  size_t count = 0;
  size_t at = 0;
  assert_true(jr_shapes_room(resolver, args) <= 64);
  expect_ok(jr_shapes_resolve(resolver, args, words, &count));
  text[0] = '\0';
  for (size_t i = 0; i < count; i++)
    at += (size_t)snprintf(text + at, sizeof text - at, "%s%lld", i ? " " : "",
                           (long long)words[i]);
  return text;
}

static void expect_words(const struct jr_shape_resolver *resolver,
                         struct call call, const char *words) {
  assert_string_equal(
      resolve(resolver, make_args(&call, resolver->param_count)), words);
}

static void expect_failure(const struct jr_shape_resolver *resolver,
                           struct call call, const char *message) {
  int64_t words[64];
  size_t count;
  expect_error(jr_shapes_resolve(resolver,
                                 make_args(&call, resolver->param_count), words,
                                 &count),
               JITRUN_INVALID_ARGUMENT, message);
}

static void unranked(void **state) {
  (void)state;
  struct shape vector = SHAPE(1, ANY);
  struct shape matrix = SHAPE(2, ANY, 4);
  const struct jr_shape_param params[] = {
      {.type = NULL}, {.type = &vector.type}, {.type = &matrix.type}};
  struct jr_shape_resolver resolver;
  expect_ok(jr_shape_resolver_init(params, 3, &resolver));
  expect_words(&resolver,
               (struct call){{{100, 100}, {100}, {100, 4}}, {2, 1, 2}, {{0}}},
               "2 -2 -2 1 -2 2 -2 4");
  expect_words(
      &resolver,
      (struct call){{{100, 101, 102}, {103}, {104, 4}}, {3, 1, 2}, {{0}}},
      "3 -2 -3 -4 1 -5 2 -6 4");
  expect_words(&resolver,
               (struct call){{{1, 4}, {1}, {100, 4}}, {2, 1, 2}, {{0}}},
               "2 1 4 1 1 2 -2 4");
  expect_words(&resolver, (struct call){{{0}, {7}, {7, 4}}, {0, 1, 2}, {{0}}},
               "0 1 -2 2 -2 4");
  expect_failure(&resolver,
                 (struct call){{{0}, {7}, {7, 4}}, {65, 1, 2}, {{0}}},
                 "argument 0 is of rank 65, 64 is the most");
  jr_shape_resolver_deinit(&resolver);
}

static void dynamic(void **state) {
  (void)state;
  struct shape matrix = SHAPE(2, ANY, ANY);
  const struct jr_shape_param params[] = {{.type = &matrix.type},
                                          {.type = &matrix.type}};
  struct jr_shape_resolver resolver;
  expect_ok(jr_shape_resolver_init(params, 2, &resolver));
  expect_words(&resolver, (struct call){{{5, 5}, {5, 5}}, {2, 2}, {{0}}},
               "2 -2 -2 2 -2 -2");
  expect_words(&resolver, (struct call){{{5, 6}, {6, 5}}, {2, 2}, {{0}}},
               "2 -2 -3 2 -3 -2");
  expect_words(&resolver, (struct call){{{5, 6}, {7, 8}}, {2, 2}, {{0}}},
               "2 -2 -3 2 -4 -5");
  expect_words(&resolver, (struct call){{{1, 6}, {0, 1}}, {2, 2}, {{0}}},
               "2 1 -2 2 -3 1");
  jr_shape_resolver_deinit(&resolver);
}

static void partial(void **state) {
  (void)state;
  struct shape left = SHAPE(2, ANY, 4);
  struct shape right = SHAPE(2, 8, ANY);
  const struct jr_shape_param params[] = {{.type = &left.type},
                                          {.type = &right.type}};
  struct jr_shape_resolver resolver;
  expect_ok(jr_shape_resolver_init(params, 2, &resolver));
  expect_words(&resolver, (struct call){{{16, 4}, {8, 16}}, {2, 2}, {{0}}},
               "2 -2 4 2 8 -2");
  /* Sizes that the signature has anywhere are static. */
  expect_words(&resolver, (struct call){{{8, 4}, {8, 16}}, {2, 2}, {{0}}},
               "2 8 4 2 8 -2");
  expect_words(&resolver, (struct call){{{8, 4}, {8, 4}}, {2, 2}, {{0}}},
               "2 8 4 2 8 4");
  jr_shape_resolver_deinit(&resolver);
}

static void shape_constraint(void **state) {
  (void)state;
  struct shape vector = SHAPE(1, ANY);
  struct shape matrix = SHAPE(2, ANY, ANY);
  const struct jr_shape_param params[] = {
      {.type = &vector.type, .constraint = JITRUN_CONSTRAINT_SHAPE},
      {.type = &matrix.type}};
  struct jr_shape_resolver resolver;
  expect_ok(jr_shape_resolver_init(params, 2, &resolver));
  expect_words(&resolver, (struct call){{{100}, {100, 5}}, {1, 2}, {{0}}},
               "1 100 2 100 -2");
  expect_words(&resolver, (struct call){{{7}, {5, 5}}, {1, 2}, {{0}}},
               "1 7 2 -2 -2");
  jr_shape_resolver_deinit(&resolver);
}

/// Visited first, though it stands last: its sizes are static before it too.
static void shape_constraint_after_dynamic(void **state) {
  (void)state;
  struct shape matrix = SHAPE(2, ANY, ANY);
  struct shape vector = SHAPE(1, ANY);
  const struct jr_shape_param params[] = {
      {.type = &matrix.type},
      {.type = &vector.type, .constraint = JITRUN_CONSTRAINT_SHAPE}};
  struct jr_shape_resolver resolver;
  expect_ok(jr_shape_resolver_init(params, 2, &resolver));
  assert_int_equal(resolver.order[0], 1);
  expect_words(&resolver, (struct call){{{100, 5}, {100}}, {2, 1}, {{0}}},
               "1 100 2 100 -2");
  jr_shape_resolver_deinit(&resolver);
}

/// An argument of static type is no part of the key, and is not looked at.
static void static_hash(void **state) {
  (void)state;
  struct shape fixed = SHAPE(2, 2, 3);
  struct shape vector = SHAPE(1, ANY);
  const struct jr_shape_param params[] = {{.type = &fixed.type},
                                          {.type = &vector.type}};
  struct jr_shape_resolver resolver;
  expect_ok(jr_shape_resolver_init(params, 2, &resolver));
  expect_words(&resolver, (struct call){{{2, 3}, {9}}, {2, 1}, {{0}}}, "1 -2");
  expect_words(&resolver, (struct call){{{5, 6}, {3}}, {2, 1}, {{0}}}, "1 3");
  jr_shape_resolver_deinit(&resolver);
  expect_ok(jr_shape_resolver_init(params, 1, &resolver));
  assert_int_equal(resolver.order_count, 0);
  jr_shape_resolver_deinit(&resolver);
}

static void opaque_and_shaped(void **state) {
  (void)state;
  struct shape opaque = {
      {.kind = JITRUN_KIND_OPAQUE, .dtype = JITRUN_DTYPE_OPAQUE, .rank = 1},
      {0}};
  struct shape vector = SHAPE(1, ANY);
  const struct jr_shape_param params[] = {{.type = &opaque.type},
                                          {.type = &vector.type},
                                          {.type = &opaque.type},
                                          {.type = &vector.type}};
  struct jr_shape_resolver resolver;
  expect_ok(jr_shape_resolver_init(params, 4, &resolver));
  expect_words(&resolver,
               (struct call){{{0}, {9}, {0}, {9}}, {0, 1, 0, 1}, {{0}}},
               "1 -2 1 -2");
  jr_shape_resolver_deinit(&resolver);
}

static void incompatible(void **state) {
  (void)state;
  struct shape matrix = SHAPE(2, ANY, 4);
  const struct jr_shape_param params[] = {{.type = &matrix.type}};
  struct jr_shape_resolver resolver;
  expect_ok(jr_shape_resolver_init(params, 1, &resolver));
  expect_failure(&resolver, (struct call){{{9}}, {1}, {{0}}},
                 "failed to resolve symbolic shape: argument 0 is of rank 1, 2 "
                 "is needed");
  expect_failure(&resolver, (struct call){{{9, 5}}, {2}, {{0}}},
                 "failed to resolve symbolic shape: size 1 of argument 0 is 5, "
                 "4 is needed");
  expect_failure(&resolver, (struct call){{{-1, 4}}, {2}, {{0}}},
                 "size 0 of argument 0 is -1");
  int64_t words[16];
  size_t count;
  const jitrun_tensor_t no_sizes = {.dtype = JITRUN_DTYPE_F32, .rank = 2};
  expect_error(jr_shapes_resolve(&resolver, &no_sizes, words, &count),
               JITRUN_INVALID_ARGUMENT, "sizes of argument 0 are NULL");
  jr_shape_resolver_deinit(&resolver);
}

/// Values come first, whatever else is constrained, and rank before none.
static void value_constraint(void **state) {
  (void)state;
  struct shape vector = SHAPE(1, ANY);
  struct shape number = SCALAR(JITRUN_DTYPE_S16);
  const struct jr_shape_param params[] = {
      {.type = &vector.type},
      {.type = &vector.type, .constraint = JITRUN_CONSTRAINT_RANK},
      {.type = &vector.type, .constraint = JITRUN_CONSTRAINT_SHAPE},
      {.type = &number.type, .constraint = JITRUN_CONSTRAINT_VALUE}};
  struct jr_shape_resolver resolver;
  expect_ok(jr_shape_resolver_init(params, 4, &resolver));
  const uint32_t order[] = {3, 2, 1, 0};
  assert_memory_equal(resolver.order, order, sizeof order);
  struct call call = {{{5}, {6}, {7}, {0}}, {1, 1, 1, 0}, {{0}}};
  (void)make_args(&call, 4);
  int16_t value[4] = {300, -1, -1, -1}; /* only its own bytes count */
  call.tensors[3] = (jitrun_tensor_t){.dtype = JITRUN_DTYPE_S16, .data = value};
  assert_string_equal(resolve(&resolver, call.tensors), "300 1 7 1 -2 1 -3");
  call.tensors[3].dtype = JITRUN_DTYPE_S32;
  int64_t words[64];
  size_t count;
  expect_error(jr_shapes_resolve(&resolver, call.tensors, words, &count),
               JITRUN_INVALID_ARGUMENT, "argument 3 is not a value of i16");
  call.tensors[3] = (jitrun_tensor_t){.dtype = JITRUN_DTYPE_S16};
  expect_error(jr_shapes_resolve(&resolver, call.tensors, words, &count),
               JITRUN_INVALID_ARGUMENT, "argument 3 is not a value of i16");
  jr_shape_resolver_deinit(&resolver);
}

/// Strides that do not follow from the sizes make a key of their own.
static void strides(void **state) {
  (void)state;
  struct shape matrix = SHAPE(2, ANY, ANY);
  const struct jr_shape_param params[] = {{.type = &matrix.type}};
  struct jr_shape_resolver resolver;
  expect_ok(jr_shape_resolver_init(params, 1, &resolver));
  struct call call = {{{3, 4}}, {2}, {{0}}};
  int64_t values[2] = {4, 1};
  (void)make_args(&call, 1);
  call.tensors[0].strides = values;
  assert_string_equal(resolve(&resolver, call.tensors), "2 -2 -3");
  values[0] = 5;
  assert_string_equal(resolve(&resolver, call.tensors), "-3 -2 -3");
  call.dims[0][0] = 1; /* one row: no matter */
  assert_string_equal(resolve(&resolver, call.tensors), "2 1 -2");
  call.dims[0][0] = 0; /* nor without elements */
  assert_string_equal(resolve(&resolver, call.tensors), "2 -2 -3");
  call.dims[0][0] = 3;
  call.dims[0][1] = 0;
  assert_string_equal(resolve(&resolver, call.tensors), "2 -2 -3");
  jr_shape_resolver_deinit(&resolver);
}

/// Elements whose value counts are words too, packed, whatever their stride.
static void content(void **state) {
  (void)state;
  struct shape vector = SHAPE(1, ANY, ANY); /* its stride, too */
  vector.type.dtype = JITRUN_DTYPE_S32;
  const struct jr_shape_param params[] = {
      {.type = &vector.type, .constraint = JITRUN_CONSTRAINT_VALUE}};
  struct jr_shape_resolver resolver;
  expect_ok(jr_shape_resolver_init(params, 1, &resolver));
  const int32_t data[] = {1, -1, 0, -1, 3, -1};
  int64_t dims = 3;
  int64_t stride = 2;
  jitrun_tensor_t arg = {.dtype = JITRUN_DTYPE_S32,
                         .rank = 1,
                         .dims = &dims,
                         .strides = &stride,
                         .data = (void *)(uintptr_t)data};
  assert_string_equal(resolve(&resolver, &arg), "-2 3 1 3");
  dims = 0;
  assert_string_equal(resolve(&resolver, &arg), "1 0");
  dims = 5000;
  int64_t words[64];
  size_t count;
  expect_error(jr_shapes_resolve(&resolver, &arg, words, &count),
               JITRUN_INVALID_ARGUMENT,
               "argument 0 has 5000 elements, 4096 are the most");
  dims = 3;
  stride = -1;
  expect_error(jr_shapes_resolve(&resolver, &arg, words, &count),
               JITRUN_INVALID_ARGUMENT, "argument 0 has no values of i32");
  stride = 2;
  arg.data = NULL;
  expect_error(jr_shapes_resolve(&resolver, &arg, words, &count),
               JITRUN_INVALID_ARGUMENT, "argument 0 has no values of i32");
  arg.rank = 2;
  expect_error(jr_shapes_resolve(&resolver, &arg, words, &count),
               JITRUN_INVALID_ARGUMENT, "argument 0 is of rank 2");
  jr_shape_resolver_deinit(&resolver);
}

static void init_resolver(void *context) {
  struct jr_shape_resolver resolver;
  jitrun_error_t *err = jr_shape_resolver_init(context, 2, &resolver);
  if (!err)
    jr_shape_resolver_deinit(&resolver);
  jitrun_error_free(err);
}

static void no_memory(void **state) {
  (void)state;
  struct shape vector = SHAPE(1, ANY);
  struct jr_shape_param params[] = {{.type = &vector.type},
                                    {.type = &vector.type}};
  sweep_allocations(init_resolver, params);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unranked),
      cmocka_unit_test(dynamic),
      cmocka_unit_test(partial),
      cmocka_unit_test(shape_constraint),
      cmocka_unit_test(shape_constraint_after_dynamic),
      cmocka_unit_test(static_hash),
      cmocka_unit_test(opaque_and_shaped),
      cmocka_unit_test(incompatible),
      cmocka_unit_test(value_constraint),
      cmocka_unit_test(strides),
      cmocka_unit_test(content),
      cmocka_unit_test(no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
