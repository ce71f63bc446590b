/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Observers of compiles, the costs of stages, and what is told of code.
#include "expect.h"

#include "jitrun/compile.h"
#include "jitrun/program.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char add_text[] = "func.func @main(%a: i32, %b: i32) -> i32 {\n"
                               "  %c = arith.addi %a, %b : i32\n"
                               "  return %c : i32\n"
                               "}\n";

enum { MOST_STAGES = 32 };

struct seen {
  char begun[MOST_STAGES][16];
  size_t begun_count;
  char ended[MOST_STAGES][16];
  size_t ended_count;
  size_t texts;
  bool has_locations;
  size_t functions;
};

static void note_begin(void *context, const char *name) {
  struct seen *seen = context;
  (void)snprintf(seen->begun[seen->begun_count++], 16, "%s", name);
}

static void note_end(void *context, const jitrun_stage_t *stage) {
  struct seen *seen = context;
  assert_true(stage->size >= sizeof *stage);
  assert_string_equal(jitrun_stage_name(stage->index), stage->name);
  assert_true(stage->time_ns > 0);
  (void)snprintf(seen->ended[seen->ended_count++], 16, "%s", stage->name);
  if (!stage->text)
    return;
  seen->texts++;
  assert_int_equal(strlen(stage->text), stage->text_bytes);
  seen->has_locations =
      seen->has_locations || strstr(stage->text, "loc(\"add.mlir\":2:8)");
}

static void note_code(void *context, const char *name, const void *address,
                      size_t size_bytes) {
  struct seen *seen = context;
  seen->functions++;
  assert_string_equal(name, "jitrun_add_main");
  assert_non_null(address);
  assert_true(size_bytes > 0);
}

static jitrun_error_t *open_add(const jitrun_open_options_t *options,
                                jitrun_program_t **out_program) {
  return jitrun_program_open_memory(add_text, sizeof add_text - 1, "add.mlir",
                                    options, out_program);
}

static void test_observer(void **state) {
  (void)state;
  struct seen seen = {.begun_count = 0};
  const char *const texts[] = {"parse", "codegen"};
  const jitrun_observer_t observer = {.size = sizeof observer,
                                      .context = &seen,
                                      .begin = note_begin,
                                      .end = note_end,
                                      .texts = texts,
                                      .text_count = 2};
  const jitrun_open_options_t options = {.size = sizeof options,
                                         .debug_info = true,
                                         .observer = &observer,
                                         .code = note_code,
                                         .code_context = &seen};
  jitrun_program_t *program;
  expect_ok(open_add(&options, &program));
  assert_string_equal(seen.begun[0], "parse");
  assert_string_equal(seen.ended[0], "parse");
  assert_string_equal(seen.ended[seen.ended_count - 1], "codegen");
  assert_int_equal(seen.begun_count, seen.ended_count);
  assert_int_equal(seen.texts, 2);
  assert_true(seen.has_locations);
  assert_int_equal(seen.functions, 1);
  jitrun_program_release(program);
}

/// Many programs at once in a debugger's list, removed in another order.
static void test_debuggers(void **state) {
  (void)state;
  const jitrun_open_options_t options = {.size = sizeof options,
                                         .debug_info = true};
  jitrun_program_t *programs[3];
  for (int i = 0; i < 3; i++)
    expect_ok(open_add(&options, &programs[i]));
  jitrun_program_release(programs[1]);
  jitrun_program_release(programs[2]);
  expect_ok(open_add(&options, &programs[1]));
  jitrun_program_release(programs[0]);
  jitrun_program_release(programs[1]);
}

static void test_wrong_observers(void **state) {
  (void)state;
  const char *const texts[] = {"paln"};
  const jitrun_observer_t observer = {
      .size = sizeof observer, .texts = texts, .text_count = 1};
  const jitrun_open_options_t options = {.size = sizeof options,
                                         .observer = &observer};
  jitrun_program_t *program;
  expect_error(open_add(&options, &program), JITRUN_INVALID_ARGUMENT,
               "did you mean 'plan'?");
  assert_null(program);
  const jitrun_observer_t sizeless = {.texts = texts};
  const jitrun_open_options_t sizeless_options = {.size = sizeof options,
                                                  .observer = &sizeless};
  expect_error(open_add(&sizeless_options, &program), JITRUN_INVALID_ARGUMENT,
               "an observer has size 0");
  assert_null(jitrun_stage_name(100));
}

/// A stage that fails does not end.
static void test_failure(void **state) {
  (void)state;
  struct seen seen = {.begun_count = 0};
  const jitrun_observer_t observer = {.size = sizeof observer,
                                      .context = &seen,
                                      .begin = note_begin,
                                      .end = note_end};
  const jitrun_open_options_t options = {.size = sizeof options,
                                         .observer = &observer};
  jitrun_program_t *program;
  expect_error(
      jitrun_program_open_memory("func", 4, "x.mlir", &options, &program),
      JITRUN_INVALID_ARGUMENT, "unknown");
  assert_int_equal(seen.begun_count, 1);
  assert_int_equal(seen.ended_count, 0);
}

/// Costs come with the statistics; those who do not know of them get the rest.
static void test_stats(void **state) {
  (void)state;
  jitrun_program_t *program;
  jitrun_stats_t stats = {.size = sizeof stats};
  jitrun_stats_t old = {.size = offsetof(jitrun_stats_t, stages)};
  expect_ok(open_add(NULL, &program));
  jitrun_program_stats(program, &stats);
  jitrun_program_stats(program, &old);
  assert_true(stats.stage_count > 3);
  assert_string_equal(stats.stages[0].name, "parse");
  assert_string_equal(stats.stages[stats.stage_count - 1].name, "load");
  assert_int_equal(stats.stages[stats.stage_count - 1].time_ns, stats.load_ns);
  uint64_t sum_ns = 0;
  for (size_t i = 0; i < stats.stage_count; i++)
    sum_ns += stats.stages[i].time_ns;
  assert_int_equal(sum_ns, stats.parse_ns + stats.compile_ns + stats.load_ns);
  assert_int_equal(old.parse_ns, stats.parse_ns);
  assert_null(old.stages);
  jitrun_program_release(program);
}

/// Options of a caller that was built before there were observers.
static void test_old_options(void **state) {
  (void)state;
  jitrun_open_options_t options = {
      .size = offsetof(jitrun_open_options_t, observer), .opt_level = 0};
  memset((char *)&options + options.size, 0xff, sizeof options - options.size);
  jitrun_program_t *program;
  expect_ok(open_add(&options, &program));
  jitrun_program_release(program);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_observer),
      cmocka_unit_test(test_debuggers),
      cmocka_unit_test(test_wrong_observers),
      cmocka_unit_test(test_failure),
      cmocka_unit_test(test_stats),
      cmocka_unit_test(test_old_options),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
