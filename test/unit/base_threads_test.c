/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Thread pool: each item once, nesting, several callers, tasks, no memory.
/// Bodies only count: cmocka's asserts must not be used on other threads.
#include "expect.h"

#include "base/threads.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

static struct jr_pool *create_pool(size_t thread_count) {
  struct jr_pool *pool = NULL;
  expect_ok(jr_pool_create(thread_count, &pool));
  assert_non_null(pool);
  assert_int_equal(jr_pool_thread_count(pool), thread_count);
  return pool;
}

enum { MAX_ITEMS = 5000 };

struct tally {
  unsigned char items[MAX_ITEMS]; ///< plain: each item has one writer
  size_t grain;
  size_t count;
  atomic_int bad_pieces;
};

static void tally_items(void *context, size_t first, size_t last) {
  struct tally *tally = context;
  if (last <= first || (last - first < tally->grain && last != tally->count))
    atomic_fetch_add(&tally->bad_pieces, 1);
  for (size_t i = first; i < last; i++)
    tally->items[i]++;
}

static void check_loop(struct jr_pool *pool, size_t count, size_t grain) {
  struct tally tally = {.grain = grain, .count = count};
  jr_pool_for(pool, count, grain, tally_items, &tally);
  assert_int_equal(atomic_load(&tally.bad_pieces), 0);
  for (size_t i = 0; i < MAX_ITEMS; i++)
    assert_int_equal(tally.items[i], i < count ? 1 : 0);
}

static void test_each_item_once(void **state) {
  (void)state;
  static const size_t counts[] = {0, 1, 2, 3, 17, 100, 1000, 4999};
  static const size_t grains[] = {0, 1, 7, 64, 10000, SIZE_MAX};
  for (size_t threads = 1; threads <= 5; threads += 2) {
    struct jr_pool *pool = create_pool(threads);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
      for (size_t k = 0; k < sizeof grains / sizeof grains[0]; k++)
        check_loop(pool, counts[i], grains[k]);
    }
    jr_pool_destroy(pool);
  }
}

static void sum_sizes(void *context, size_t first, size_t last) {
  atomic_size_t *sum = context;
  atomic_fetch_add(sum, last - first);
}

static void test_huge_count(void **state) {
  (void)state;
  struct jr_pool *pool = create_pool(3);
  atomic_size_t sum = 0;
  jr_pool_for(pool, SIZE_MAX, 1, sum_sizes, &sum);
  assert_true(atomic_load(&sum) == SIZE_MAX);
  jr_pool_destroy(pool);
}

struct nest {
  struct jr_pool *pool;
  int depth;
  atomic_size_t *sum;
};

static void run_nested(void *context, size_t first, size_t last) {
  const struct nest *nest = context;
  for (size_t i = first; i < last; i++) {
    struct nest inner = {nest->pool, nest->depth - 1, nest->sum};
    if (nest->depth > 0)
      jr_pool_for(nest->pool, 6, 1, run_nested, &inner);
    else
      atomic_fetch_add(nest->sum, 1);
  }
}

static void test_nested(void **state) {
  (void)state;
  struct jr_pool *pool = create_pool(4);
  atomic_size_t sum = 0;
  struct nest nest = {pool, 3, &sum};
  jr_pool_for(pool, 6, 1, run_nested, &nest);
  assert_int_equal(atomic_load(&sum), 6 * 6 * 6 * 6);
  jr_pool_destroy(pool);
}

struct caller {
  struct jr_pool *pool;
  atomic_size_t sum;
};

static void *call_often(void *context) {
  struct caller *caller = context;
  for (int i = 0; i < 200; i++)
    jr_pool_for(caller->pool, 50, 1, sum_sizes, &caller->sum);
  return NULL;
}

static void test_several_callers(void **state) {
  (void)state;
  struct caller caller = {.pool = create_pool(3)};
  pthread_t threads[4];
  for (size_t i = 0; i < 4; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, call_often, &caller), 0);
  for (size_t i = 0; i < 4; i++)
    assert_int_equal(pthread_join(threads[i], NULL), 0);
  assert_int_equal(atomic_load(&caller.sum), 4 * 200 * 50);
  jr_pool_destroy(caller.pool);
}

static void add_one(void *context) {
  atomic_size_t *sum = context;
  atomic_fetch_add(sum, 1);
}

static void test_tasks(void **state) {
  (void)state;
  for (size_t threads = 1; threads <= 3; threads++) {
    struct jr_pool *pool = create_pool(threads);
    atomic_size_t sum = 0;
    for (int i = 0; i < 500; i++)
      expect_ok(jr_pool_submit(pool, add_one, &sum));
    jr_pool_destroy(pool); // waits for them
    assert_int_equal(atomic_load(&sum), 500);
  }
}

struct order {
  int next;
  bool is_ordered;
  struct step {
    struct order *order;
    int index;
  } steps[100];
};

static void take_step(void *context) {
  const struct step *step = context;
  step->order->is_ordered &= step->order->next == step->index;
  step->order->next++;
}

static void test_tasks_in_order(void **state) {
  (void)state;
  struct jr_pool *pool = create_pool(2); // one worker
  static struct order order = {.is_ordered = true};
  for (int i = 0; i < 100; i++) {
    order.steps[i] = (struct step){&order, i};
    expect_ok(jr_pool_submit(pool, take_step, &order.steps[i]));
  }
  jr_pool_destroy(pool);
  assert_true(order.is_ordered);
  assert_int_equal(order.next, 100);
}

static void loop_in_task(void *context) {
  struct caller *caller = context;
  jr_pool_for(caller->pool, 40, 1, sum_sizes, &caller->sum);
}

static void test_loops_in_tasks(void **state) {
  (void)state;
  struct caller caller = {.pool = create_pool(3)};
  for (int i = 0; i < 50; i++)
    expect_ok(jr_pool_submit(caller.pool, loop_in_task, &caller));
  jr_pool_destroy(caller.pool);
  assert_int_equal(atomic_load(&caller.sum), 50 * 40);
}

static void test_wakes_after_sleep(void **state) {
  (void)state;
  struct jr_pool *pool = create_pool(3);
  atomic_size_t sum = 0;
  for (int i = 0; i < 5; i++) {
    jr_pool_for(pool, 30, 1, sum_sizes, &sum);
    (void)usleep(2000); // past the spin, most likely
  }
  assert_int_equal(atomic_load(&sum), 5 * 30);
  jr_pool_destroy(pool);
}

static void read_mask(void *context) {
  (void)pthread_sigmask(SIG_BLOCK, NULL, context);
}

static bool is_three(void *context) {
  return atomic_load((atomic_size_t *)context) == 3;
}

/// Adds one, and two later ones as tasks of the same pool.
struct spread {
  struct jr_pool *pool;
  atomic_size_t *sum;
};

static void add_and_spread(void *context) {
  struct spread *spread = context;
  add_one(spread->sum);
  jitrun_error_free(jr_pool_submit(spread->pool, add_one, spread->sum));
  jitrun_error_free(jr_pool_submit(spread->pool, add_one, spread->sum));
}

static void wait_in_task(void *context) {
  struct spread *spread = context;
  add_and_spread(context);
  jr_pool_wait(spread->pool, true, -1, is_three, spread->sum);
}

/// The only worker waits for tasks behind its own: it runs them itself.
static void test_wait_helps(void **state) {
  (void)state;
  for (size_t threads = 1; threads <= 3; threads++) {
    struct jr_pool *pool = create_pool(threads);
    atomic_size_t sum = 0;
    struct spread spread = {pool, &sum};
    expect_ok(jr_pool_submit(pool, wait_in_task, &spread));
    jr_pool_wait(pool, true, -1, is_three, &sum);
    assert_int_equal(atomic_load(&sum), 3);
    jr_pool_destroy(pool);
  }
}

static void *set_three(void *context) {
  struct spread *spread = context;
  atomic_store(spread->sum, 3);
  jr_pool_notify(spread->pool);
  return NULL;
}

static void test_wait_is_notified(void **state) {
  (void)state;
  struct jr_pool *pool = create_pool(2);
  atomic_size_t sum = 0;
  struct spread spread = {pool, &sum};
  jr_pool_wait(pool, false, 1000000, is_three, &sum);
  assert_int_equal(atomic_load(&sum), 0);
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, set_three, &spread), 0);
  jr_pool_wait(pool, false, -1, is_three, &sum);
  assert_int_equal(atomic_load(&sum), 3);
  (void)pthread_join(thread, NULL);
  jr_pool_destroy(pool);
}

static void test_workers_take_no_signals(void **state) {
  (void)state;
  struct jr_pool *pool = create_pool(2);
  sigset_t mask;
  sigset_t own;
  expect_ok(jr_pool_submit(pool, read_mask, &mask));
  jr_pool_destroy(pool);
  assert_int_equal(sigismember(&mask, SIGTERM), 1);
  assert_int_equal(sigismember(&mask, SIGSEGV), 0);
  read_mask(&own);
  assert_int_equal(sigismember(&own, SIGTERM), 0);
}

/// Tasks that all have to be there before any goes on.
struct meeting {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  size_t here, wanted;
};

static void meet(void *context) {
  struct meeting *meeting = context;
  (void)pthread_mutex_lock(&meeting->lock);
  meeting->here++;
  (void)pthread_cond_broadcast(&meeting->changed);
  while (meeting->here < meeting->wanted) {
    jr_pool_block();
    (void)pthread_cond_wait(&meeting->changed, &meeting->lock);
    jr_pool_unblock();
  }
  (void)pthread_mutex_unlock(&meeting->lock);
}

static void test_tasks_that_wait_for_each_other(void **state) {
  (void)state;
  enum { TASKS = 50 };
  for (size_t threads = 2; threads < 5; threads++) {
    struct meeting meeting = {.lock = PTHREAD_MUTEX_INITIALIZER,
                              .changed = PTHREAD_COND_INITIALIZER,
                              .wanted = TASKS + 1};
    struct jr_pool *pool = create_pool(threads);
    for (int i = 0; i < TASKS; i++)
      expect_ok(jr_pool_submit(pool, meet, &meeting));
    meet(&meeting); // no thread of the pool
    jr_pool_destroy(pool);
    assert_int_equal(meeting.here, TASKS + 1);
  }
}

static void test_errors(void **state) {
  (void)state;
  struct jr_pool *pool = NULL;
  expect_error(jr_pool_create(0, &pool), JITRUN_INVALID_ARGUMENT,
               "a thread pool needs 1 to");
  assert_null(pool);
  expect_error(jr_pool_create(SIZE_MAX, &pool), JITRUN_INVALID_ARGUMENT,
               "were asked for");
  jr_alloc_fail_nth(1);
  expect_error(jr_pool_create(2, &pool), JITRUN_RESOURCE_EXHAUSTED, "memory");
  jr_pool_destroy(NULL);
  pool = create_pool(2);
  atomic_size_t sum = 0;
  jr_alloc_fail_nth(1);
  expect_error(jr_pool_submit(pool, add_one, &sum), JITRUN_RESOURCE_EXHAUSTED,
               "memory");
  jr_pool_destroy(pool);
  assert_int_equal(atomic_load(&sum), 0);
}

static void test_default(void **state) {
  (void)state;
  struct jr_pool *pool = jr_pool_default();
  assert_non_null(pool);
  assert_ptr_equal(pool, jr_pool_default());
  assert_true(jr_pool_thread_count(pool) >= 1);
  check_loop(pool, 1000, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_each_item_once),
      cmocka_unit_test(test_huge_count),
      cmocka_unit_test(test_nested),
      cmocka_unit_test(test_several_callers),
      cmocka_unit_test(test_tasks),
      cmocka_unit_test(test_tasks_in_order),
      cmocka_unit_test(test_loops_in_tasks),
      cmocka_unit_test(test_wakes_after_sleep),
      cmocka_unit_test(test_wait_helps),
      cmocka_unit_test(test_wait_is_notified),
      cmocka_unit_test(test_workers_take_no_signals),
      cmocka_unit_test(test_tasks_that_wait_for_each_other),
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_default),
  };
  return cmocka_run_group_tests(tests, NULL, check_no_errors);
}
