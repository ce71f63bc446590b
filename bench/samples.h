/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What the benchmarks' programs share: a clock, and the two figures that are
/// kept of many samples.
#ifndef JR_BENCH_SAMPLES_H
#define JR_BENCH_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

/// Nanoseconds of a clock that only goes forward.
uint64_t jr_bench_now_ns(void);

/// Sorts samples, so that the first is the least and [count / 2] the median.
void jr_bench_sort(uint64_t *samples, size_t count);

#endif
