/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Calls that read one kind of argument, attribute or result, 1 or 12 times: as
/// custom calls "bench.<kind>_x<times>", and as C functions of JitRt's direct
/// ABI with the code around a call that JitRt would have generated.
#ifndef JR_BENCH_KINDS_H
#define JR_BENCH_KINDS_H

#include "jitrun/customcall.h"

enum { JR_KINDS_MANY = 12 };

/// The compiler has to have the value.
static inline void jr_keep(uint64_t value) {
  __asm__ volatile("" : : "r"(value));
}

/// The plug-in with all of the custom calls.
const jitrun_plugin_t *jr_kinds_query(uint32_t max_version);

/// One call through JitRt's ABI: encodes, calls, looks at the status.
typedef bool (*jr_jitrt_call_t)(void);

/// The call of a name as in "i32_x12"; NULL when JitRt has no such kind.
jr_jitrt_call_t jr_jitrt_find(const char *name);

#endif
