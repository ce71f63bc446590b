/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Arena: alignment, block growth, large requests, no memory.
#include "expect.h"

#include "base/arena.h"

#include <stdint.h>
#include <string.h>

static void test_empty(void **state) {
  (void)state;
  struct jr_arena arena = {0};
  jr_arena_deinit(&arena);
  jr_arena_deinit(&arena);
  assert_null(arena.blocks);
}

static void test_blocks_do_not_overlap(void **state) {
  (void)state;
  struct jr_arena arena = {0};
  enum { COUNT = 2000 };
  unsigned char *parts[COUNT];
  for (size_t i = 0; i < COUNT; i++) {
    // now and then one that needs a block of its own
    size_t size = i % 500 == 7 ? 3000000 : i % 61;
    parts[i] = jr_arena_alloc(&arena, size);
    assert_non_null(parts[i]);
    assert_int_equal((uintptr_t)parts[i] % 16, 0);
    memset(parts[i], (int)(i & 0xff), size);
  }
  for (size_t i = 0; i < COUNT; i++) {
    size_t size = i % 500 == 7 ? 3000000 : i % 61;
    for (size_t k = 0; k < size; k += 997)
      assert_int_equal(parts[i][k], i & 0xff);
  }
  jr_arena_deinit(&arena);
  assert_non_null(jr_arena_alloc(&arena, 1)); // ready again
  jr_arena_deinit(&arena);
}

static void test_size_zero(void **state) {
  (void)state;
  struct jr_arena arena = {0};
  void *a = jr_arena_alloc(&arena, 0);
  void *b = jr_arena_alloc(&arena, 0);
  assert_non_null(a);
  assert_non_null(b);
  assert_ptr_not_equal(a, b);
  assert_non_null(jr_arena_zalloc(&arena, 0, 0));
  jr_arena_deinit(&arena);
}

static void test_alignment(void **state) {
  (void)state;
  struct jr_arena arena = {0};
  for (size_t alignment = 1; alignment <= 4096; alignment *= 2) {
    unsigned char *part = jr_arena_alloc_aligned(&arena, 5000, alignment);
    assert_non_null(part);
    assert_int_equal((uintptr_t)part % alignment, 0);
    memset(part, 1, 5000);
  }
  assert_null(jr_arena_alloc_aligned(&arena, 1, 8192));
  assert_null(jr_arena_alloc_aligned(&arena, 1, 48));
  jr_arena_deinit(&arena);
}

static void test_zalloc(void **state) {
  (void)state;
  struct jr_arena arena = {0};
  unsigned char *part = jr_arena_zalloc(&arena, 100, 7);
  assert_non_null(part);
  for (size_t i = 0; i < 700; i++)
    assert_int_equal(part[i], 0);
  assert_null(jr_arena_zalloc(&arena, SIZE_MAX / 2, 3));
  assert_null(jr_arena_alloc(&arena, SIZE_MAX));
  assert_null(jr_arena_alloc(&arena, SIZE_MAX - 5000));
  jr_arena_deinit(&arena);
}

static void test_copy_text(void **state) {
  (void)state;
  struct jr_arena arena = {0};
  assert_string_equal(jr_arena_copy_text(&arena, "abcdef", 3), "abc");
  assert_string_equal(jr_arena_copy_text(&arena, NULL, 0), "");
  assert_null(jr_arena_copy_text(&arena, "", SIZE_MAX));
  jr_arena_deinit(&arena);
}

static void use_arena(void *context) {
  (void)context;
  struct jr_arena arena = {0};
  static const size_t sizes[] = {10, 100000, 4000, 4000, 9000, 1};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    void *part = jr_arena_alloc(&arena, sizes[i]);
    if (part)
      memset(part, 1, sizes[i]);
  }
  jr_arena_deinit(&arena);
}

/// What was reserved is there, to the last byte.
static void test_reserve(void **state) {
  (void)state;
  struct jr_arena arena = {0};
  assert_non_null(jr_arena_alloc(&arena, 100));
  assert_true(jr_arena_reserve(&arena, 10016));
  jr_alloc_fail_nth(1);
  assert_non_null(jr_arena_alloc(&arena, 9999));
  assert_non_null(jr_arena_alloc(&arena, 16));
  assert_null(jr_arena_alloc(&arena, 1));
  jr_alloc_fail_nth(1);
  assert_false(jr_arena_reserve(&arena, 16));
  jr_arena_deinit(&arena);
}

static void test_sweep(void **state) {
  (void)state;
  sweep_allocations(use_arena, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_empty),
      cmocka_unit_test(test_blocks_do_not_overlap),
      cmocka_unit_test(test_size_zero),
      cmocka_unit_test(test_alignment),
      cmocka_unit_test(test_zalloc),
      cmocka_unit_test(test_copy_text),
      cmocka_unit_test(test_reserve),
      cmocka_unit_test(test_sweep),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
