/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What this process has used.
#ifndef JR_BASE_USAGE_H
#define JR_BASE_USAGE_H

#include <stdint.h>
#include <sys/resource.h>

/// The most memory that was resident so far; 0 when that is not known.
static inline uint64_t jr_peak_bytes(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024
                                             : 0;
}

#endif
