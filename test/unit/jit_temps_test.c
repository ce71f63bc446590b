/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Places of temporaries: whoever is in use at the same time shares no byte,
/// checked pair by pair; how near the arena is to what is in use at once.
#include "expect.h"

#include "jit/temps.h"

#include <stdlib.h>

enum { MANY = 100000, FEW = 200 };

static uint64_t seed;

static uint32_t next_random(uint32_t below) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(seed >> 33) % below;
}

static bool meet(const struct jr_temp *a, const struct jr_temp *b) {
  return jr_temp_is_used(a) && jr_temp_is_used(b) && a->first <= b->last &&
         b->first <= a->last;
}

/// The most that is in use at any step, the slow way.
static uint64_t slow_peak(const struct jr_temp *temps, size_t count) {
  uint64_t peak = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t bytes = 0;
    for (size_t j = 0; j < count; j++) {
      if (jr_temp_is_used(&temps[j]) && temps[j].first <= temps[i].first &&
          temps[i].first <= temps[j].last)
        bytes += temps[j].size_bytes;
    }
    peak = bytes > peak ? bytes : peak;
  }
  return peak;
}

/// Of temporary `i` and those before it.
static void check_others(const struct jr_temp *temps, size_t i) {
  for (size_t j = 0; j < i; j++) {
    bool is_apart = temps[j].offset >= temps[i].offset + temps[i].size_bytes ||
                    temps[j].offset + temps[j].size_bytes <= temps[i].offset;
    if (!is_apart && meet(&temps[i], &temps[j]))
      fail_msg("temporaries %zu and %zu share bytes", j, i);
  }
}

static void check_places(const struct jr_temp *temps, size_t count,
                         const struct jr_temps_size *size) {
  uint64_t end = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t last = temps[i].offset + temps[i].size_bytes;
    end = last > end ? last : end;
    assert_int_equal(temps[i].offset % temps[i].alignment, 0);
    assert_int_equal(temps[i].offset % JR_TEMP_ALIGNMENT, 0);
    check_others(temps, i);
  }
  assert_int_equal(size->arena_bytes, end);
  assert_true(size->peak_bytes <= size->arena_bytes);
  assert_true(size->arena_bytes <= size->sum_bytes);
}

static struct jr_temps_size place(struct jr_temp *temps, size_t count) {
  struct jr_temps_size size;
  assert_true(jr_temps_place(temps, count, &size));
  check_places(temps, count, &size);
  if (count > 1)
    assert_int_equal(size.peak_bytes, slow_peak(temps, count));
  return size;
}

static struct jr_temp random_temp(uint32_t steps, uint32_t longest) {
  uint32_t first = next_random(steps);
  return (struct jr_temp){.size_bytes = 64 * (1 + (uint64_t)next_random(100)),
                          .alignment = 64,
                          .first = first,
                          .last = first + next_random(longest)};
}

/// Near the bound, whatever lives how long; no worse than a tenth on average.
static void test_random(void **state) {
  (void)state;
  double sum = 0;
  for (uint32_t round = 0; round < 300; round++) {
    struct jr_temp temps[FEW];
    seed = round + 1;
    size_t count = 2 + next_random(FEW - 2);
    uint32_t longest = 1 + next_random(60);
    for (size_t i = 0; i < count; i++)
      temps[i] = random_temp(100, longest);
    struct jr_temps_size size = place(temps, count);
    double ratio = (double)size.arena_bytes / (double)size.peak_bytes;
    assert_true(ratio < 1.3);
    sum += ratio / 300;
  }
  assert_true(sum < 1.1);
}

/// Odd sizes, none at all, alignments, temporaries that nobody uses.
static void test_odd(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 300; round++) {
    struct jr_temp temps[FEW];
    seed = 1000 + round;
    size_t count = next_random(FEW);
    for (size_t i = 0; i < count; i++) {
      temps[i] = random_temp(50, 20);
      temps[i].size_bytes = next_random(1000);
      temps[i].alignment = UINT64_C(1) << next_random(13);
      if (next_random(10) == 0)
        temps[i].first = UINT32_MAX, temps[i].last = 0;
    }
    (void)place(temps, count);
  }
}

/// Each meets the one before and the one behind it.
static void test_chains(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 200; round++) {
    struct jr_temp temps[FEW];
    seed = 2000 + round;
    for (uint32_t i = 0; i < FEW; i++)
      temps[i] =
          (struct jr_temp){.size_bytes = 64 * (1 + (uint64_t)next_random(100)),
                           .alignment = 64,
                           .first = i,
                           .last = i + 1};
    struct jr_temps_size size = place(temps, FEW);
    assert_int_equal(size.arena_bytes, size.peak_bytes);
  }
}

static void test_easy(void **state) {
  (void)state;
  struct jr_temp nested[FEW];
  struct jr_temp alike[FEW];
  struct jr_temp together[FEW];
  seed = 3;
  for (uint32_t i = 0; i < FEW; i++) {
    nested[i] = random_temp(1, 1);
    nested[i].first = i;
    nested[i].last = 2 * FEW - i;
    alike[i] = random_temp(100, 30);
    alike[i].size_bytes = 640;
    together[i] = random_temp(1, 1);
  }
  struct jr_temp *const all[] = {nested, alike, together};
  for (size_t i = 0; i < 3; i++) {
    struct jr_temps_size size = place(all[i], FEW);
    assert_int_equal(size.arena_bytes, size.peak_bytes);
  }
}

static void test_one_and_none(void **state) {
  (void)state;
  struct jr_temp one = {.size_bytes = 24, .alignment = 64};
  struct jr_temps_size size = place(&one, 1);
  assert_int_equal(size.arena_bytes, 24);
  assert_int_equal(size.peak_bytes, 24);
  size = place(NULL, 0);
  assert_int_equal(size.arena_bytes, 0);
}

static void test_stack(void **state) {
  (void)state;
  struct jr_temp temps[FEW];
  struct jr_temps_size size;
  seed = 4;
  for (size_t i = 0; i < FEW; i++)
    temps[i] = random_temp(FEW, 1);
  jr_temps_stack(temps, FEW, &size);
  for (size_t i = 0; i + 1 < FEW; i++)
    assert_true(temps[i].offset + temps[i].size_bytes <= temps[i + 1].offset);
  assert_int_equal(size.sum_bytes, size.arena_bytes);
}

/// As many as a program may have: short lives, long ones, all at once. What is
/// in use at once tells whether the places can be right.
static void test_many(void **state) {
  (void)state;
  static const uint32_t longest[] = {10, 2000, 2 * MANY};
  struct jr_temp *temps = calloc(MANY, sizeof *temps);
  assert_non_null(temps);
  for (size_t round = 0; round < 3; round++) {
    struct jr_temps_size size;
    seed = round;
    for (uint32_t i = 0; i < MANY; i++) {
      temps[i] = random_temp(MANY, longest[round]);
      temps[i].first = i;
      temps[i].last = i + next_random(longest[round]);
    }
    assert_true(jr_temps_place(temps, MANY, &size));
    double ratio = (double)size.arena_bytes / (double)size.peak_bytes;
    assert_true(ratio < 1.25);
  }
  free(temps);
}

static void try_to_place(void *context) {
  struct jr_temp temps[FEW];
  struct jr_temps_size size;
  size_t *done = context;
  seed = 5;
  for (size_t i = 0; i < FEW; i++)
    temps[i] = random_temp(100, 20);
  if (jr_temps_place(temps, FEW, &size)) {
    check_places(temps, FEW, &size);
    ++*done;
  }
}

/// Without memory for one way, another one is taken, or none.
static void test_no_memory(void **state) {
  (void)state;
  size_t done = 0;
  sweep_allocations(try_to_place, &done);
  assert_true(done > 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),       cmocka_unit_test(test_odd),
      cmocka_unit_test(test_chains),       cmocka_unit_test(test_easy),
      cmocka_unit_test(test_one_and_none), cmocka_unit_test(test_stack),
      cmocka_unit_test(test_many),         cmocka_unit_test(test_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
