/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The closed list as the shared library has it: functions of libm are found
/// when one is asked for, and are those that a program is linked with.
#define JR_MATH_AT_NEED
#include "runtime/symbols.c" // NOLINT(bugprone-suspicious-include)

#include "expect.h"

#include <math.h>

static void test_names(void **state) {
  (void)state;
  size_t count;
  size_t missing = 0;
  const struct jr_symbol *names = jr_symbol_names(&count);
  for (size_t i = 0; i < count; i++) {
    missing += !names[i].address;
    if (i > 0 && strcmp(names[i - 1].name, names[i].name) >= 0)
      fail_msg("'%s' before '%s'", names[i - 1].name, names[i].name);
  }
  assert_true(missing > 80);
}

static void test_all_found(void **state) {
  (void)state;
  size_t count;
  size_t name_count;
  const struct jr_symbol *names = jr_symbol_names(&name_count);
  const struct jr_symbol *all = jr_symbols(&count);
  assert_int_equal(count, name_count);
  for (size_t i = 0; i < count; i++) {
    assert_string_equal(all[i].name, names[i].name);
    assert_non_null(all[i].address);
    assert_ptr_equal(jr_symbol_find(all[i].name), all[i].address);
  }
}

static void test_addresses(void **state) {
  (void)state;
  double (*tangent)(double);
  void *address = jr_symbol_find("tan");
  memcpy(&tangent, &address, sizeof address);
  assert_true(tangent(0.5) == tan(0.5));
  assert_ptr_equal(jr_symbol_find("malloc"), __extension__(void *) malloc);
}

static void test_refused(void **state) {
  (void)state;
  assert_null(jr_symbol_find("sinl"));
  assert_null(jr_symbol_find("exit"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names), cmocka_unit_test(test_all_found),
      cmocka_unit_test(test_addresses), cmocka_unit_test(test_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
