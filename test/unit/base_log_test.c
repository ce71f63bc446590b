/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Log: levels, cutting, sinks that log themselves.
#include "expect.h"

#include "base/log.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct record {
  int count;
  enum jr_log_level level;
  char line[2048];
};

static void keep_line(void *context, enum jr_log_level level,
                      const char *line) {
  struct record *record = context;
  record->count++;
  record->level = level;
  (void)snprintf(record->line, sizeof record->line, "%s", line);
}

static void test_levels(void **state) {
  (void)state;
  struct record record = {0};
  jr_log(JR_LOG_ERROR, "dropped");
  jr_log_set_sink(keep_line, &record, JR_LOG_WARNING);
  jr_log(JR_LOG_INFO, "not wanted");
  assert_int_equal(record.count, 0);
  jr_log(JR_LOG_WARNING, "n = %d", 5);
  assert_int_equal(record.count, 1);
  assert_int_equal(record.level, JR_LOG_WARNING);
  assert_string_equal(record.line, "n = 5");
  jr_log(JR_LOG_ERROR, "worse");
  assert_int_equal(record.count, 2);
  jr_log_set_sink(NULL, NULL, JR_LOG_DEBUG);
  jr_log(JR_LOG_ERROR, "dropped");
  assert_int_equal(record.count, 2);
}

static void test_cut(void **state) {
  (void)state;
  struct record record = {0};
  jr_log_set_sink(keep_line, &record, JR_LOG_DEBUG);
  jr_log(JR_LOG_DEBUG, "%05000d", 1);
  assert_int_equal(strlen(record.line), 1023);
  jr_log_set_sink(NULL, NULL, JR_LOG_ERROR);
}

static void log_once_more(void *context, enum jr_log_level level,
                          const char *line) {
  (void)line;
  int *count = context;
  if ((*count)++ == 0)
    jr_log(level, "again");
}

static void test_sink_may_log(void **state) {
  (void)state;
  int count = 0;
  jr_log_set_sink(log_once_more, &count, JR_LOG_INFO);
  jr_log(JR_LOG_INFO, "once");
  jr_log_set_sink(NULL, NULL, JR_LOG_ERROR);
  assert_int_equal(count, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_levels),
      cmocka_unit_test(test_cut),
      cmocka_unit_test(test_sink_may_log),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
