/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The closed list: in order, each name once, each found at its own address.
#include "runtime/symbols.h"

#include "expect.h"
#include "helpers/helpers.h"

#include <math.h>

static void test_sorted(void **state) {
  (void)state;
  size_t count;
  const struct jr_symbol *symbols = jr_symbols(&count);
  assert_true(count > 100);
  for (size_t i = 1; i < count; i++) {
    if (strcmp(symbols[i - 1].name, symbols[i].name) >= 0)
      fail_msg("'%s' before '%s'", symbols[i - 1].name, symbols[i].name);
  }
}

static void test_all_found(void **state) {
  (void)state;
  size_t count;
  const struct jr_symbol *symbols = jr_symbols(&count);
  for (size_t i = 0; i < count; i++) {
    assert_non_null(symbols[i].address);
    assert_ptr_equal(jr_symbol_find(symbols[i].name), symbols[i].address);
  }
}

/// Every helper there is, by the helpers' own list.
static void test_helpers(void **state) {
  (void)state;
#define CHECK_HELPER(name) assert_non_null(jr_symbol_find(#name));
  JR_HELPER_SYMBOLS(CHECK_HELPER)
#undef CHECK_HELPER
  assert_non_null(jr_symbol_find("memrefCopy"));
}

static void test_addresses(void **state) {
  (void)state;
  double (*tangent)(double);
  float (*root)(float);
  void *address = jr_symbol_find("tan");
  memcpy(&tangent, &address, sizeof address);
  address = jr_symbol_find("sqrtf");
  memcpy(&root, &address, sizeof address);
  assert_true(tangent(0.5) == tan(0.5));
  assert_true(root(9.0F) == 3.0F);
}

static void test_refused(void **state) {
  (void)state;
  static const char *const names[] = {"",        "abort", "exit", "printf",
                                      "system",  "dlsym", "sinl", "mem",
                                      "memset_", "A",     "zzz",  "__divti3x"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    assert_null(jr_symbol_find(names[i]));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sorted),  cmocka_unit_test(test_all_found),
      cmocka_unit_test(test_helpers), cmocka_unit_test(test_addresses),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
