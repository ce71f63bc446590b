/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Unwind tables: one as LLVM emits it is taken, and one that an unwinder would
/// fall over is not. Every byte of the table is damaged; what is still taken
/// must not end the process.
#include "runtime/unwind.h"

#include "expect.h"

#include <unwind.h>

enum { CODE_BYTES = 64, HEADER_BYTES = 24, FUNCTION_BYTES = 20 };

/// A header, and functions at 0 and 32 of `code`.
struct fixture {
  unsigned char table[HEADER_BYTES + 2 * FUNCTION_BYTES + JR_UNWIND_END_BYTES];
  unsigned char code[CODE_BYTES];
};

static void put_word(unsigned char *place, uint32_t word) {
  memcpy(place, &word, sizeof word);
}

static void fill(struct fixture *fixture) {
  static const unsigned char rest[] = {1, 'z',  'R',  0, 1, 0x78, 16,
                                       1, 0x1b, 0x0c, 7, 8, 0x90, 1};
  memset(fixture, 0, sizeof *fixture);
  put_word(fixture->table, HEADER_BYTES - 4);
  memcpy(fixture->table + 8, rest, sizeof rest);
  for (size_t i = 0; i < 2; i++) {
    unsigned char *record = fixture->table + HEADER_BYTES + i * FUNCTION_BYTES;
    put_word(record, FUNCTION_BYTES - 4);
    put_word(record + 4, (uint32_t)(record + 4 - fixture->table));
    put_word(record + 8, (uint32_t)((uintptr_t)(fixture->code + 32 * i) -
                                    (uintptr_t)(record + 8)));
    put_word(record + 12, 32);
  }
}

static bool is_taken(struct fixture *fixture, size_t size) {
  const struct jr_unwind_table table = {.data = fixture->table,
                                        .size = size,
                                        .code_start = (uintptr_t)fixture->code,
                                        .code_end = (uintptr_t)fixture->code +
                                                    CODE_BYTES};
  bool taken = jr_unwind_register(&table);
  if (taken)
    jr_unwind_withdraw(&table);
  return taken;
}

static _Unwind_Reason_Code do_nothing(struct _Unwind_Context *context,
                                      void *unused) {
  (void)context;
  (void)unused;
  return _URC_NO_REASON;
}

static const size_t table_bytes = HEADER_BYTES + 2 * FUNCTION_BYTES;

static void test_taken(void **state) {
  (void)state;
  struct fixture fixture;
  (void)_Unwind_Backtrace(do_nothing, NULL); // so that there is an unwinder
  fill(&fixture);
  assert_true(is_taken(&fixture, table_bytes));
  assert_true(is_taken(&fixture, HEADER_BYTES + FUNCTION_BYTES));
  assert_false(is_taken(&fixture, 0));
  for (size_t size = 1; size < table_bytes; size++)
    assert_true(
        is_taken(&fixture, size) ==
        (size == HEADER_BYTES || size == HEADER_BYTES + FUNCTION_BYTES));
}

static void test_damaged(void **state) {
  (void)state;
  static const size_t refused[] = {0,  4,  8,  9,  10, 11, 16, 24,
                                   28, 34, 35, 38, 39, 44, 48};
  struct fixture fixture;
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    fill(&fixture);
    fixture.table[refused[i]] ^= 0x60;
    assert_false(is_taken(&fixture, table_bytes));
  }
  for (size_t i = 0; i < table_bytes; i++) {
    for (unsigned flip = 1; flip < 256; flip *= 2) {
      fill(&fixture);
      fixture.table[i] ^= (unsigned char)flip;
      (void)is_taken(&fixture, table_bytes);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_taken),
      cmocka_unit_test(test_damaged),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
