/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Profiles by themselves: what they refuse, and spans of the caller's.
#include "expect.h"

#include "jitrun/profile.h"
#include "jitrun/program.h"

static const jitrun_profile_options_t spans = {.size = sizeof spans,
                                               .spans = true};

static void test_refusals(void **state) {
  (void)state;
  jitrun_profile_options_t options = {.size = 1};
  jitrun_profile_t *profile = NULL;
  jitrun_profile_info_t info = {.size = sizeof info};
  jitrun_call_time_t call = {.size = sizeof call};
  char *text = NULL;
  expect_error(jitrun_profile_create(&options, &profile),
               JITRUN_INVALID_ARGUMENT, "options for a profile have size 1");
  assert_null(profile);
  expect_error(jitrun_profile_create(NULL, NULL), JITRUN_INVALID_ARGUMENT,
               "out_profile");
  expect_error(jitrun_profile_info(NULL, &info), JITRUN_INVALID_ARGUMENT,
               "profile");
  expect_error(jitrun_profile_trace(NULL, &text), JITRUN_INVALID_ARGUMENT,
               "profile");
  assert_false(jitrun_profile_call_get(NULL, 0, &call));
  expect_ok(jitrun_profile_create(NULL, &profile));
  assert_false(jitrun_profile_call_get(profile, 0, &call));
  expect_error(jitrun_profile_trace(profile, NULL), JITRUN_INVALID_ARGUMENT,
               "out_text");
  expect_error(jitrun_profile_info(profile, NULL), JITRUN_INVALID_ARGUMENT,
               "out_info");
  info.size = 4;
  expect_error(jitrun_profile_info(profile, &info), JITRUN_INVALID_ARGUMENT,
               "jitrun_profile_info_t says that it has 4 bytes");
  jitrun_profile_retain(profile);
  jitrun_profile_release(profile);
  jitrun_profile_release(profile);
  jitrun_profile_release(NULL);
  jitrun_profile_retain(NULL);
}

/// Counts what one text has of another.
static size_t count_in(const char *text, const char *part) {
  size_t count = 0;
  for (text = strstr(text, part); text; text = strstr(text + 1, part))
    count++;
  return count;
}

static void test_spans_of_the_caller(void **state) {
  (void)state;
  jitrun_profile_t *profile = NULL;
  expect_ok(jitrun_profile_create(&spans, &profile));
  uint64_t start = jitrun_profile_clock();
  jitrun_profile_span(profile, "step", "outer \"one\"", start, start + 1000);
  jitrun_profile_span(profile, "step", "inner", start + 10, start + 500);
  jitrun_profile_span(profile, "step", "across", start + 400, start + 2000);
  jitrun_profile_span(profile, "step", "backwards", start + 3000, start);
  jitrun_profile_span(profile, NULL, "none", start, start);
  jitrun_profile_span(NULL, "step", "none", start, start);
  char *text = NULL;
  expect_ok(jitrun_profile_trace(profile, &text));
  assert_non_null(strstr(text, "\"outer \\\"one\\\"\",\"cat\":\"step\","
                               "\"ph\":\"X\",\"pid\":1,\"tid\":1"));
  assert_non_null(strstr(text, "\"dur\":0.490"));
  assert_non_null(strstr(text, "\"across\",\"cat\":\"step\",\"ph\":\"b\""));
  assert_non_null(strstr(text, "\"dur\":0.000"));
  assert_null(strstr(text, "\"none\""));
  assert_int_equal(count_in(text, "\"ph\":\"X\""), 3);
  assert_non_null(strstr(text, "\"main thread\""));
  assert_non_null(strstr(text, "\"dropped_spans\":0"));
  jitrun_text_free(text);
  jitrun_profile_release(profile);
}

/// A profile of no spans has none.
static void test_no_spans(void **state) {
  (void)state;
  jitrun_profile_t *profile = NULL;
  jitrun_profile_info_t info = {.size = sizeof info};
  char *text = NULL;
  expect_ok(jitrun_profile_create(NULL, &profile));
  jitrun_profile_span(profile, "step", "one", 1, 2);
  expect_ok(jitrun_profile_info(profile, &info));
  assert_int_equal(info.span_count, 0);
  assert_int_equal(info.execution_count, 0);
  expect_ok(jitrun_profile_trace(profile, &text));
  assert_int_equal(count_in(text, "\"ph\":\"X\""), 0);
  jitrun_text_free(text);
  jitrun_profile_release(profile);
}

static void test_limit(void **state) {
  (void)state;
  jitrun_profile_options_t options = spans;
  options.span_limit = 10;
  jitrun_profile_t *profile = NULL;
  jitrun_profile_info_t info = {.size = sizeof info};
  char *text = NULL;
  expect_ok(jitrun_profile_create(&options, &profile));
  for (uint64_t i = 0; i < 25; i++)
    jitrun_profile_span(profile, "step", "one", i, i + 1);
  expect_ok(jitrun_profile_info(profile, &info));
  assert_int_equal(info.span_count, 10);
  assert_int_equal(info.dropped_count, 15);
  expect_ok(jitrun_profile_trace(profile, &text));
  assert_int_equal(count_in(text, "\"ph\":\"X\""), 10);
  assert_non_null(strstr(text, "\"dropped_spans\":15"));
  jitrun_text_free(text);
  jitrun_profile_release(profile);
}

static void make_trace(void *context) {
  (void)context;
  jitrun_profile_t *profile = NULL;
  char *text = NULL;
  jitrun_error_t *error = jitrun_profile_create(&spans, &profile);
  jitrun_profile_span(profile, "step", "one", 1, 2);
  if (!error)
    error = jitrun_profile_trace(profile, &text);
  if (error)
    expect_error(error, JITRUN_RESOURCE_EXHAUSTED, "out of memory");
  jitrun_text_free(text);
  jitrun_profile_release(profile);
}

static void test_no_memory(void **state) {
  (void)state;
  sweep_allocations(make_trace, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_spans_of_the_caller),
      cmocka_unit_test(test_no_spans),
      cmocka_unit_test(test_limit),
      cmocka_unit_test(test_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
