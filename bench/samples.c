/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The clock of the benchmarks, and sorting what it showed.
#include "samples.h"

#include <stdlib.h>
#include <time.h>

uint64_t jr_bench_now_ns(void) {
  struct timespec now = {0};
  if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
    return 0;
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int compare_samples(const void *a, const void *b) {
  uint64_t left = *(const uint64_t *)a;
  uint64_t right = *(const uint64_t *)b;
  return (left > right) - (left < right);
}

void jr_bench_sort(uint64_t *samples, size_t count) {
  qsort(samples, count, sizeof *samples, compare_samples);
}
