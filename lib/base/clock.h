/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The clock of all times that are measured.
#ifndef JR_BASE_CLOCK_H
#define JR_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define JR_NS_PER_S UINT64_C(1000000000)

/// Nanoseconds that only go forward.
static inline uint64_t jr_clock_ns(void) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * JR_NS_PER_S + (uint64_t)now.tv_nsec;
}

#endif
