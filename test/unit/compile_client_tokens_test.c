/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Profiles of calls that begin something, and of calls that run other entries.
#include "expect.h"

#include "jitrun/async.h"
#include "jitrun/profile.h"
#include "jitrun/program.h"

#include <pthread.h>
#include <time.h>

enum { LATE_NS = 300000000 };

static const char text[] =
    "func.func private @late() -> !async.token\n"
    "    attributes {rt.custom_call = \"a.late\"}\n"
    "func.func private @inner() attributes {rt.custom_call = \"a.inner\"}\n"
    "func.func private @noop() attributes {rt.custom_call = \"jitrun.noop\"}\n"
    "func.func @main() {\n"
    "  %t = call @late() : () -> !async.token\n"
    "  async.await %t : !async.token\n"
    "  return\n"
    "}\n"
    "func.func @outer() {\n"
    "  call @inner() : () -> ()\n"
    "  call @inner() : () -> ()\n"
    "  return\n"
    "}\n"
    "func.func @leaf() {\n"
    "  call @noop() : () -> ()\n"
    "  return\n"
    "}\n";

static void *set_late(void *token) {
  const struct timespec time = {.tv_nsec = LATE_NS};
  (void)nanosleep(&time, NULL);
  jitrun_error_free(jitrun_async_set_token(token));
  jitrun_async_release(token);
  return NULL;
}

/// Returns a token that is set later.
static jitrun_error_t *give_token(jitrun_call_t *call) {
  static const jitrun_type_t type = {.kind = JITRUN_KIND_TOKEN,
                                     .dtype = JITRUN_DTYPE_TOKEN};
  const jitrun_async_api_t *api = call->site->api->async;
  jitrun_async_t **result = &jitrun_call_results(call)->value.async;
  jitrun_error_t *error = api->create(&type, result);
  pthread_t thread;
  if (error)
    return error;
  api->retain(*result);
  if (pthread_create(&thread, NULL, set_late, *result) != 0)
    return call->site->api->error(call, JITRUN_INTERNAL, "no thread", SIZE_MAX);
  (void)pthread_detach(thread);
  return NULL;
}

/// Runs the last entry.
static jitrun_error_t *run_leaf(jitrun_call_t *call) {
  return call->site->api->run_entry(call, 2, NULL, 0, NULL, 0);
}

static const jitrun_customcall_t calls[] = {
    {.size = sizeof(jitrun_customcall_t),
     .name = "a.late",
     .platform = "host",
     .execute = give_token},
    {.size = sizeof(jitrun_customcall_t),
     .name = "a.inner",
     .platform = "host",
     .execute = run_leaf}};

static int open_it(void **state) {
  jitrun_registry_t *registry = NULL;
  jitrun_program_t *program = NULL;
  expect_ok(jitrun_registry_create(&registry));
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    expect_ok(jitrun_registry_register(registry, &calls[i]));
  const jitrun_open_options_t options = {
      .size = sizeof options, .registry = registry, .opt_level = -1};
  expect_ok(jitrun_program_open_memory(text, strlen(text), "some.mlir",
                                       &options, &program));
  jitrun_registry_release(registry);
  *state = program;
  return 0;
}

static int close_it(void **state) {
  jitrun_program_release(*state);
  return check_no_errors(state);
}

static jitrun_profile_t *profile_run(jitrun_program_t *program,
                                     const char *entry, bool waits) {
  const jitrun_profile_options_t asked = {
      .size = sizeof asked, .calls = true, .spans = true, .waits = waits};
  jitrun_run_options_t options = {.size = sizeof options};
  expect_ok(jitrun_profile_create(&asked, &options.profile));
  expect_ok(jitrun_program_run(program,
                               jitrun_program_entry_find(program, entry), NULL,
                               0, NULL, 0, &options));
  return options.profile;
}

/// The calls of a name.
static jitrun_call_time_t find_call(jitrun_profile_t *profile,
                                    const char *target) {
  jitrun_call_time_t call = {.size = sizeof call};
  jitrun_profile_info_t info = {.size = sizeof info};
  expect_ok(jitrun_profile_info(profile, &info));
  for (uint64_t i = 0; jitrun_profile_call_get(profile, i, &call); i++) {
    if (strcmp(call.target, target) == 0)
      return call;
  }
  fail_msg("no call of %s", target);
  return call;
}

static size_t count_in(jitrun_profile_t *profile, const char *part) {
  char *trace = NULL;
  size_t count = 0;
  expect_ok(jitrun_profile_trace(profile, &trace));
  for (const char *at = strstr(trace, part); at; at = strstr(at + 1, part))
    count++;
  jitrun_text_free(trace);
  return count;
}

/// A call is over when it returns; what it has begun is shown besides.
static void test_tokens(void **state) {
  jitrun_profile_t *profile = profile_run(*state, "main", false);
  assert_true(find_call(profile, "a.late").total_ns < LATE_NS);
  assert_int_equal(
      count_in(profile, "\"a.late\",\"cat\":\"async\",\"ph\":\"b\""), 1);
  assert_int_equal(count_in(profile, "\"unfinished\""), 0);
  jitrun_profile_release(profile);
}

/// Where that is asked for, it is over when what it has begun is.
static void test_waits(void **state) {
  jitrun_profile_t *profile = profile_run(*state, "main", true);
  assert_true(find_call(profile, "a.late").total_ns >= LATE_NS);
  assert_int_equal(count_in(profile, "\"cat\":\"async\""), 0);
  jitrun_profile_release(profile);
}

/// What runs inside of a call is part of the execution that the call is of.
static void test_inner_entries(void **state) {
  jitrun_profile_t *profile = profile_run(*state, "outer", false);
  jitrun_profile_info_t info = {.size = sizeof info};
  expect_ok(jitrun_profile_info(profile, &info));
  assert_int_equal(info.execution_count, 1);
  assert_int_equal(info.call_count, 3);
  assert_int_equal(find_call(profile, "jitrun.noop").count, 2);
  assert_int_equal(count_in(profile, "\"leaf\",\"cat\":\"entry\""), 2);
  jitrun_profile_release(profile);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tokens),
      cmocka_unit_test(test_waits),
      cmocka_unit_test(test_inner_entries),
  };
  return cmocka_run_group_tests(tests, open_it, close_it);
}
