/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Traces: the spans of a profile on tracks, in an order in which each track's
/// spans nest (trace.c), and written as JSON (trace_write.c).
#ifndef JR_RUNTIME_TRACE_H
#define JR_RUNTIME_TRACE_H

#include "runtime/profile.h"

/// A span as it is shown.
struct jr_event {
  enum jr_span_kind kind;
  bool is_async;   ///< that kind, or does not nest
  bool is_region;  ///< what the program calls a run of its calls
  bool is_open;    ///< went on when it was looked at
  uint32_t thread; ///< number; 0: that created the profile
  uint32_t track;  ///< number, from 1, of a device's thread
  const struct jr_lane *lane;
  uint64_t start_ns, end_ns;
  uint64_t run_id; ///< 0: not known
  uint64_t order;  ///< where it began among those that began at once
  const jitrun_site_t *site;
  const char *name;
};

struct jr_trace {
  jitrun_profile_t *profile;
  uint64_t now_ns;
  struct jr_event *events; ///< by track, then by time
  size_t count, capacity;
  uint64_t *threads; ///< by number
  size_t thread_count, thread_capacity;
};

/// Looks at all spans that there are. RESOURCE_EXHAUSTED. Deinit in any case.
jitrun_error_t *jr_trace_init(struct jr_trace *trace,
                              jitrun_profile_t *profile) JITRUN_MUST_USE;
void jr_trace_deinit(struct jr_trace *trace);

/// Room for one event more; NULL for want of memory.
struct jr_event *jr_trace_add(struct jr_trace *trace);

/// Adds the regions that calls are in, of events in order.
jitrun_error_t *jr_trace_add_regions(struct jr_trace *trace) JITRUN_MUST_USE;

void jr_trace_write(const struct jr_trace *trace, struct jr_bytes *text);

#endif
