/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// JitRt's ABI: diagnostics, the levels of checking with their messages, what
/// is refused, and how XLA's status is set.
#include "jitrt_looking.h"

#include <stdio.h>

static const int32_t two[] = {1, 2};
static float numbers[24];

static bool say_two_things(void *ctx, void **args, void **attrs, void **rets) {
  (void)args, (void)attrs, (void)rets;
  jitrun_jitrt_error(ctx, "first");
  return jitrun_jitrt_error(ctx, "second");
}

static bool say_nothing(void *ctx, void **args, void **attrs, void **rets) {
  (void)ctx, (void)args, (void)attrs, (void)rets;
  return false;
}

static void joins_diagnostics(void **state) {
  (void)state;
  struct fake_call fake;
  jitrun_jitrt_call_t call = looking;
  call.function = say_two_things;
  start(&fake, &call);
  fake_fail(&fake, JITRUN_INTERNAL,
            "custom call 'test.custom_call' failed: first; second");
  call.function = say_nothing;
  start(&fake, &call);
  expect_ok(fake_load(&fake));
  jitrun_error_t *error = fake_run(&fake);
  assert_string_equal(jitrun_error_message(error),
                      "custom call 'test.custom_call' failed");
  jitrun_error_free(error);
  fake_deinit(&fake);
}

/// One call of (i32, f32) {a: i64, b: string} under a signature.
static void add_operands(struct fake_call *fake,
                         const jitrun_jitrt_call_t *call) {
  start(fake, call);
  fake_scalar(fake, JITRUN_DTYPE_S32)->value.s32 = 1;
  fake_scalar(fake, JITRUN_DTYPE_F32)->value.f32 = 2;
  fake_attr(fake, attr_s64("a", 1));
  fake_attr(fake, attr_string("b", "x"));
  look = NULL;
}

static void expect_outcome(const jitrun_jitrt_signature_t *signature,
                           jitrun_jitrt_checks_t checks, const char *failure) {
  struct fake_call fake;
  jitrun_jitrt_call_t call = looking;
  call.signature = signature;
  call.checks = checks;
  add_operands(&fake, &call);
  expect_ok(fake_load(&fake));
  jitrun_error_t *error = fake_run(&fake);
  if (failure) {
    char text[200];
    (void)snprintf(text, sizeof(text),
                   "custom call 'test.custom_call' failed: %s", failure);
    assert_non_null(error);
    assert_string_equal(jitrun_error_message(error), text);
    assert_int_equal(jitrun_error_code(error), JITRUN_INVALID_ARGUMENT);
  } else {
    expect_ok(error);
  }
  assert_int_equal(call_count, failure ? 0 : 1);
  jitrun_error_free(error);
  fake_deinit(&fake);
}

static const jitrun_jitrt_param_t fitting_args[] = {
    {.id = &__type_id_int32}, {.id = &__type_id_float}, {.id = NULL}};
static const jitrun_jitrt_param_t fitting_attrs[] = {
    {"b", &__type_id_string, 0},
    {"a", &__type_id_int64, 0},
    {"a", NULL, 0},
    {"c", &__type_id_int32, 0}};
static const jitrun_jitrt_signature_t fitting = {
    .size = sizeof(jitrun_jitrt_signature_t),
    .args = fitting_args,
    .attrs = fitting_attrs,
    .arg_count = 2,
    .attr_count = 3};

static void checks_counts(void **state) {
  (void)state;
  jitrun_jitrt_signature_t signature = fitting;
  expect_outcome(&signature, JITRUN_JITRT_CHECK_ALL, NULL);
  expect_outcome(&signature, JITRUN_JITRT_CHECK_LESS, NULL);
  signature.arg_count = 1;
  expect_outcome(&signature, JITRUN_JITRT_CHECK_ALL,
                 "Wrong number of arguments: expected 1 got 2");
  expect_outcome(&signature, JITRUN_JITRT_CHECK_LESS,
                 "Wrong number of arguments: expected 1 got 2");
  expect_outcome(&signature, JITRUN_JITRT_CHECK_NONE, NULL);
  signature.flags = JITRUN_JITRT_MORE_ARGS;
  expect_outcome(&signature, JITRUN_JITRT_CHECK_ALL, NULL);
  signature.arg_count = 3;
  expect_outcome(&signature, JITRUN_JITRT_CHECK_ALL,
                 "Wrong number of arguments: expected at least 3 got 2");
  signature = fitting;
  signature.rets = fitting_args;
  signature.ret_count = 1;
  expect_outcome(&signature, JITRUN_JITRT_CHECK_ALL,
                 "Wrong number of returns: expected 1 got 0");
  signature = fitting;
  signature.attr_count = 1;
  expect_outcome(&signature, JITRUN_JITRT_CHECK_ALL,
                 "Wrong number of attributes: expected 1 got 2");
  signature.flags = JITRUN_JITRT_MORE_ATTRS;
  expect_outcome(&signature, JITRUN_JITRT_CHECK_ALL, NULL);
  signature.attr_count = 4;
  expect_outcome(&signature, JITRUN_JITRT_CHECK_ALL,
                 "Wrong number of attributes: expected at least 3 got 2");
}

static void checks_types_and_names(void **state) {
  (void)state;
  static const jitrun_jitrt_param_t wrong_args[] = {{.id = &__type_id_int32},
                                                    {.id = &__type_id_double}};
  static const jitrun_jitrt_param_t renamed[] = {{"b", &__type_id_string, 0},
                                                 {"aa", &__type_id_int64, 0}};
  static const jitrun_jitrt_param_t retyped[] = {{"b", &__type_id_string, 0},
                                                 {"a", &__type_id_int32, 0}};
  jitrun_jitrt_signature_t signature = fitting;
  signature.args = wrong_args;
  expect_outcome(&signature, JITRUN_JITRT_CHECK_ALL, JITRUN_JITRT_UNDECODED);
  expect_outcome(&signature, JITRUN_JITRT_CHECK_LESS, JITRUN_JITRT_UNDECODED);
  expect_outcome(&signature, JITRUN_JITRT_CHECK_NONE, NULL);
  signature = fitting;
  signature.attrs = renamed;
  signature.attr_count = 2;
  expect_outcome(&signature, JITRUN_JITRT_CHECK_ALL, JITRUN_JITRT_UNDECODED);
  // by position the name does not count
  expect_outcome(&signature, JITRUN_JITRT_CHECK_LESS, NULL);
  signature.attrs = retyped;
  expect_outcome(&signature, JITRUN_JITRT_CHECK_LESS, JITRUN_JITRT_UNDECODED);
  expect_outcome(&signature, JITRUN_JITRT_CHECK_NONE, NULL);
}

/// Runs a call of one memref and one attribute that must, or must not, fit.
static void expect_fit(const int64_t *arg_id, jitrun_attr_t attr,
                       jitrun_jitrt_param_t attr_param, bool is_strided,
                       bool is_dynamic, bool fits) {
  struct fake_call fake;
  const int64_t dims[] = {2, 3};
  const int64_t strides[] = {12, 1};
  const jitrun_jitrt_param_t arg = {.id = arg_id};
  attr_param.name = attr.name;
  const jitrun_jitrt_signature_t signature = {.size = sizeof(signature),
                                              .args = &arg,
                                              .arg_count = 1,
                                              .attrs = &attr_param,
                                              .attr_count = 1};
  jitrun_jitrt_call_t call = looking;
  call.signature = &signature;
  start(&fake, &call);
  look = NULL;
  fake.is_dynamic = is_dynamic;
  fake_buffer(&fake, JITRUN_DTYPE_F32, 2, numbers, dims,
              is_strided ? strides : NULL);
  fake_attr(&fake, attr);
  if (fits)
    fake_succeed(&fake);
  else
    fake_fail(&fake, JITRUN_INVALID_ARGUMENT, JITRUN_JITRT_UNDECODED);
}

static void takes_what_stands_for_another(void **state) {
  (void)state;
  const int64_t *dense = &__type_id_memref_view;
  const int64_t *strided = &__type_id_strided_memref_view;
  const jitrun_attr_t unit = {.name = "x", .kind = JITRUN_ATTR_UNIT};
  const jitrun_attr_t empty = {.name = "x", .kind = JITRUN_ATTR_ARRAY};
  const int64_t dims[] = {2, 1};
  jitrun_attr_t tensor = {.name = "x",
                          .kind = JITRUN_ATTR_TENSOR,
                          .dtype = JITRUN_DTYPE_S32,
                          .rank = 1,
                          .count = 2,
                          .dims = dims,
                          .value.data = two};
  const jitrun_jitrt_param_t any = {.id = NULL};
  const jitrun_jitrt_param_t array = {.id = &__type_id_array_int32};
  expect_fit(dense, unit, any, false, false, true);
  expect_fit(dense, unit, any, true, false, false);
  expect_fit(strided, unit, any, false, false, true);
  expect_fit(strided, unit, any, true, false, true);
  // strides that only the call knows
  expect_fit(dense, unit, any, false, true, true);
  expect_fit(dense, unit, any, true, true, false);
  expect_fit(strided, unit, any, true, true, true);
  expect_fit(dense, unit, array, false, false, false);
  expect_fit(dense, unit,
             (jitrun_jitrt_param_t){.id = &__type_id_int32,
                                    .flags = JITRUN_JITRT_OPTIONAL},
             false, false, true);
  expect_fit(dense, empty, array, false, false, true);
  expect_fit(dense, empty, (jitrun_jitrt_param_t){.id = &__type_id_int32},
             false, false, false);
  expect_fit(dense, tensor, array, false, false, true);
  tensor.rank = 2;
  expect_fit(dense, tensor, array, false, false, false);
}

static void refuses_what_has_no_encoding(void **state) {
  (void)state;
  struct fake_call fake;
  start(&fake, &looking);
  fake_scalar(&fake, JITRUN_DTYPE_S32);
  fake_scalar(&fake, JITRUN_DTYPE_F8E5M2);
  fake_refuse(&fake, JITRUN_UNIMPLEMENTED,
              "failed to encode arguments of custom call 'test.custom_call': "
              "JitRt's handlers have no encoding of argument 1");
  start(&fake, &looking);
  fake_scalar(&fake, JITRUN_DTYPE_C64);
  fake.site.arg_count = 0;
  fake.site.result_count = 1;
  fake_refuse(&fake, JITRUN_UNIMPLEMENTED, "no encoding of result 0");
  start(&fake, &looking);
  fake_attr(&fake, (jitrun_attr_t){.name = "half",
                                   .kind = JITRUN_ATTR_TENSOR,
                                   .dtype = JITRUN_DTYPE_F16});
  fake_refuse(&fake, JITRUN_UNIMPLEMENTED,
              "failed to encode attributes of custom call 'test.custom_call': "
              "JitRt's handlers have no encoding of 'half'");
}

static void refuses_wrong_records(void **state) {
  (void)state;
  struct fake_call fake;
  jitrun_jitrt_call_t call = looking;
  call.size = 8;
  start(&fake, &call);
  fake_refuse(&fake, JITRUN_INVALID_ARGUMENT, "set the sizes in it");
  call = looking;
  call.function = NULL;
  start(&fake, &call);
  fake_refuse(&fake, JITRUN_INVALID_ARGUMENT, "has no function");
  jitrun_jitrt_signature_t signature = fitting;
  signature.flags = JITRUN_JITRT_MORE_ATTRS;
  call = looking;
  call.signature = &signature;
  call.checks = JITRUN_JITRT_CHECK_LESS;
  start(&fake, &call);
  fake_refuse(&fake, JITRUN_INVALID_ARGUMENT,
              "allows other attributes, so its own are not found by position");
}

static void step_load(void *context, jitrun_error_t **out_error) {
  struct fake_call *fake = context;
  fake->frame.call.state = NULL;
  *out_error = fake_load(fake);
  if (!*out_error)
    *out_error = fake_run(fake);
  if (fake->frame.call.state)
    fake->record->destroy_state(fake->frame.call.state);
  fake->frame.call.state = NULL;
}

/// A call whose block does not fit on the stack; each allocation fails once.
static void survives_lack_of_memory(void **state) {
  (void)state;
  struct fake_call fake;
  const int64_t dims[] = {1, 1, 1, 1, 1, 1, 1, 1};
  start(&fake, &looking);
  for (int i = 0; i < FAKE_ROOM; i++)
    fake_buffer(&fake, JITRUN_DTYPE_F32, FAKE_ROOM, numbers, dims, NULL);
  fake_attr(&fake, attr_string("text", "x"));
  look = NULL;
  jitrun_error_t *error = NULL;
  for (uint32_t nth = 1;; nth++) {
    jr_alloc_fail_nth(nth);
    step_load(&fake, &error);
    if (jr_alloc_fail_pending())
      break;
    assert_non_null(error);
    assert_int_equal(jitrun_error_code(error), JITRUN_RESOURCE_EXHAUSTED);
    jitrun_error_free(error);
  }
  jr_alloc_fail_nth(0);
  expect_ok(error);
  assert_int_equal(call_count, 1);
}

static void answers_its_version(void **state) {
  (void)state;
  assert_null(jitrun_jitrt_query(0));
  const jitrun_jitrt_t *table = jitrun_jitrt_query(JITRUN_JITRT_VERSION);
  assert_int_equal(table->size, sizeof(*table));
  assert_ptr_equal(table->adapt, jitrun_jitrt_adapt);
}

struct status {
  XlaCustomCallStatus status;
  char text[8];
  bool is_set;
};

static void set_status(XlaCustomCallStatus *status, const char *text,
                       size_t text_size) {
  struct status *own = (struct status *)(void *)status;
  own->is_set = text != NULL;
  if (text)
    memcpy(own->text, text, text_size);
}

static void sets_xla_status(void **state) {
  (void)state;
  struct status own = {.status = {sizeof(own.status), set_status}};
  XlaCustomCallStatusSetFailure(&own.status, "bad", 2);
  assert_true(own.is_set);
  assert_string_equal(own.text, "ba");
  XlaCustomCallStatusSetFailure(&own.status, NULL, 4);
  assert_true(own.is_set);
  XlaCustomCallStatusSetSuccess(&own.status);
  assert_false(own.is_set);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(joins_diagnostics),
      cmocka_unit_test(checks_counts),
      cmocka_unit_test(checks_types_and_names),
      cmocka_unit_test(takes_what_stands_for_another),
      cmocka_unit_test(refuses_what_has_no_encoding),
      cmocka_unit_test(refuses_wrong_records),
      cmocka_unit_test(survives_lack_of_memory),
      cmocka_unit_test(answers_its_version),
      cmocka_unit_test(sets_xla_status),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
