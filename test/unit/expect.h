/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What unit tests share: cmocka with the headers it wants before it, checks of
/// errors, and the sweep that fails each allocation in turn.
#ifndef TEST_UNIT_EXPECT_H
#define TEST_UNIT_EXPECT_H

// cmocka's order
#include <stdarg.h>
#include <stddef.h>
// clang-format off
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "base/alloc.h"
#include "base/error.h"

#include <string.h>

/// Checks that `err` has the code and a message with `part` in it; frees it.
static inline void expect_error(/*own*/ jitrun_error_t *err, jitrun_code_t code,
                                const char *part) {
  assert_non_null(err);
  const char *message = jitrun_error_message(err);
  if (!strstr(message, part))
    fail_msg("message \"%s\" lacks \"%s\"", message, part);
  assert_string_equal(jitrun_code_name(jitrun_error_code(err)),
                      jitrun_code_name(code));
  jitrun_error_free(err);
}

/// Checks that there is no error.
static inline void expect_ok(/*own*/ jitrun_error_t *err) {
  if (err)
    fail_msg("unexpected error: %s", jitrun_error_message(err));
}

/// Runs `step` once for each allocation that it makes, with that one failing,
/// then once with none failing.
static inline void sweep_allocations(void (*step)(void *context),
                                     void *context) {
  for (uint32_t nth = 1;; nth++) {
    jr_alloc_fail_nth(nth);
    step(context);
    bool is_complete = jr_alloc_fail_pending();
    jr_alloc_fail_nth(0);
    if (is_complete)
      return;
  }
}

/// Group teardown: no error is left alive.
static inline int check_no_errors(void **state) {
  (void)state;
  jr_alloc_fail_nth(0);
  assert_int_equal(jr_error_live_count(), 0);
  return 0;
}

#endif
