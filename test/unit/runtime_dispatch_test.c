/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The dispatcher: every site of a run, in order, once; the first error ends
/// it; the current site is known meanwhile.
#include "expect.h"

#include "runtime/context.h"

enum { SITE_COUNT = 200 };

/// What the handler has seen.
struct seen {
  volatile uint64_t current_site;
  uint64_t next; ///< the site that must come next
  uint64_t fail_at;
};

static struct seen seen;
static jitrun_call_t frames[SITE_COUNT];
static struct jr_slot slots[SITE_COUNT];
static volatile int32_t cancel;

static jitrun_error_t *handle(jitrun_call_t *call) {
  uint64_t site = (uint64_t)(call - frames);
  assert_int_equal(site, seen.next);
  assert_int_equal(seen.current_site, site);
  seen.next++;
  if (site == seen.fail_at)
    return jr_error(JITRUN_ABORTED, "as asked");
  return NULL;
}

static struct jr_exec make_exec(void) {
  for (size_t i = 0; i < SITE_COUNT; i++)
    slots[i] = (struct jr_slot){.handler = handle, .frame = &frames[i]};
  cancel = 0;
  return (struct jr_exec){
      .slots = slots, .cancel = &cancel, .current_site = &seen.current_site};
}

static void test_runs(void **state) {
  (void)state;
  struct jr_exec exec = make_exec();
  for (uint64_t first = 0; first < 3; first++) {
    for (uint64_t count = 0; count + first <= SITE_COUNT; count++) {
      seen = (struct seen){.next = first, .fail_at = JITRUN_NO_SITE};
      expect_ok(jr_dispatch(&exec, first, count));
      assert_int_equal(seen.next, first + count);
      assert_int_equal(seen.current_site, JITRUN_NO_SITE);
    }
  }
}

static void test_errors(void **state) {
  (void)state;
  struct jr_exec exec = make_exec();
  for (uint64_t fail_at = 0; fail_at < SITE_COUNT; fail_at++) {
    seen = (struct seen){.fail_at = fail_at};
    expect_error(jr_dispatch(&exec, 0, SITE_COUNT), JITRUN_ABORTED, "as asked");
    assert_int_equal(seen.next, fail_at + 1);
    assert_int_equal(seen.current_site, fail_at);
  }
}

static void test_cancel(void **state) {
  (void)state;
  struct jr_exec exec = make_exec();
  cancel = 1;
  for (uint64_t count = 0; count < SITE_COUNT; count += 31) {
    seen = (struct seen){.fail_at = JITRUN_NO_SITE};
    expect_error(jr_dispatch(&exec, 0, count), JITRUN_CANCELLED, "stop");
    assert_int_equal(seen.next, 0);
  }
}

static jitrun_error_t *cancel_at_once(jitrun_call_t *call) {
  (void)call;
  seen.next++;
  cancel = 1;
  return NULL;
}

static void test_cancel_between_rounds(void **state) {
  (void)state;
  struct jr_exec exec = make_exec();
  slots[40].handler = cancel_at_once;
  seen = (struct seen){.fail_at = JITRUN_NO_SITE};
  expect_error(jr_dispatch(&exec, 0, SITE_COUNT), JITRUN_CANCELLED, "stop");
  assert_in_range(seen.next, 41, 41 + 32);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_runs),
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_cancel),
      cmocka_unit_test(test_cancel_between_rounds),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
