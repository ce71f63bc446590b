/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The allocation hook: which allocation fails, and that the next ones work.
#include "expect.h"

#include "base/alloc.h"

#include <stdint.h>
#include <stdlib.h>

static void test_sizes(void **state) {
  (void)state;
  void *none = jr_malloc(0);
  void *cleared = jr_calloc(0, 8);
  assert_non_null(none);
  assert_non_null(cleared);
  none = jr_realloc(none, 100);
  assert_non_null(none);
  free(none);
  free(cleared);
  volatile size_t huge = SIZE_MAX / 2;
  assert_null(jr_calloc(huge, 4));
}

static void test_alignment(void **state) {
  (void)state;
  for (size_t alignment = 8; alignment <= 4096; alignment *= 2) {
    void *block = jr_malloc_aligned(alignment, 10);
    assert_non_null(block);
    assert_int_equal((uintptr_t)block % alignment, 0);
    free(block);
  }
}

static void test_nth_fails(void **state) {
  (void)state;
  jr_alloc_fail_nth(2);
  void *first = jr_malloc(8);
  assert_non_null(first);
  assert_true(jr_alloc_fail_pending());
  assert_null(jr_realloc(first, 16));
  assert_false(jr_alloc_fail_pending());
  void *third = jr_calloc(1, 8);
  assert_non_null(third);
  jr_alloc_fail_nth(1);
  assert_null(jr_malloc_aligned(64, 64));
  jr_alloc_fail_nth(1);
  assert_null(jr_calloc(1, 1));
  free(first);
  free(third);
}

static void test_turned_off(void **state) {
  (void)state;
  jr_alloc_fail_nth(1);
  jr_alloc_fail_nth(0);
  void *block = jr_malloc(8);
  assert_non_null(block);
  free(block);
}

static void test_grow(void **state) {
  (void)state;
  size_t capacity = 0;
  int *items = NULL;
  for (int i = 0; i < 100; i++) {
    int *grown = jr_grow(items, &capacity, (size_t)i, sizeof *items);
    assert_non_null(grown);
    items = grown;
    items[i] = i;
  }
  assert_int_equal(capacity, 128);
  for (int i = 0; i < 100; i++)
    assert_int_equal(items[i], i);
  assert_ptr_equal(jr_grow(items, &capacity, 100, sizeof *items), items);
  jr_alloc_fail_nth(1);
  assert_null(jr_grow(items, &capacity, capacity, sizeof *items));
  assert_int_equal(capacity, 128);
  assert_null(jr_grow(items, &capacity, capacity, SIZE_MAX / 4));
  free(items);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sizes),     cmocka_unit_test(test_alignment),
      cmocka_unit_test(test_nth_fails), cmocka_unit_test(test_turned_off),
      cmocka_unit_test(test_grow),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
