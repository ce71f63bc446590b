/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What profiles record, and how executions do it.
///
/// An execution that has a profile runs with other functions in its
/// jr_exec.functions (profile_run.c); all others run as if there were none.
/// Times are added up in the context, without locks, and go to the profile when
/// the execution ends; spans go there when they begin, so that they are there
/// when it does not end.
#ifndef JR_RUNTIME_PROFILE_H
#define JR_RUNTIME_PROFILE_H

#include "base/arena.h"
#include "base/clock.h"
#include "jitrun/profile.h"
#include "runtime/context.h"

#include <stdatomic.h>

/// Of one call site. Changed by several threads where there is async work.
struct jr_site_time {
  atomic_uint_fast64_t count, total_ns, min_ns, max_ns;
};

/// A program that was run with the profile.
struct jr_profiled {
  struct jr_profiled *next;
  jitrun_program_t *program;  ///< retained
  const char *annotation;     ///< "add: jitrun program"
  struct jr_site_time *times; ///< one a site; NULL: not asked for
};

/// A device that executions were on. Borrowed from the profile.
struct jr_lane {
  struct jr_lane *next;
  uint32_t number;                   ///< from 1
  uint32_t replica_id, partition_id; ///< 0 for one alone
  int64_t device_id;                 ///< below 0: not said
  uint32_t local_ordinal;
  const char *platform; ///< in the arena
};

enum jr_span_kind {
  JR_SPAN_NONE, ///< not there yet
  JR_SPAN_EXECUTION,
  JR_SPAN_ENTRY, ///< that a call runs
  JR_SPAN_CALL,
  JR_SPAN_TASK,  ///< a coroutine runs
  JR_SPAN_WAIT,  ///< a thread waits
  JR_SPAN_ASYNC, ///< no thread's
  JR_SPAN_OTHER  ///< the caller's
};

struct jr_span {
  atomic_uint kind;           ///< enum jr_span_kind; set last
  const struct jr_lane *lane; ///< NULL: of no execution
  uint64_t thread;
  uint64_t start_ns;
  atomic_uint_fast64_t end_ns; ///< 0: it goes on
  uint64_t run_id;
  const jitrun_site_t *site; ///< CALL, and ASYNC of one; else NULL
  const char *name;          ///< of the others; OTHER: behind the category
};

enum { JR_SPANS_CHUNK = 4096 };

/// How executions record: reached through the profile, so that programs that
/// make none do not link it.
struct jr_profiler {
  jitrun_error_t *(*begin)(struct jr_context *context, uint32_t entry);
  void (*end)(struct jr_context *context);
  void (*detach)(struct jr_context *context);
  struct jr_span *(*open)(struct jr_context *context, enum jr_span_kind kind,
                          const char *name);
  void (*free)(/*own*/ struct jr_profiling *profiling);
};
extern const struct jr_profiler jr_profiler;

struct jitrun_profile {
  const struct jr_profiler *run;
  size_t reference_count; ///< atomic
  jitrun_profile_options_t options;
  uint64_t start_ns;
  uint64_t thread;           ///< that created it
  atomic_size_t span_next;   ///< also counts what is past the limit
  atomic_size_t span_failed; ///< no memory
  struct jr_span *_Atomic *chunks;
  size_t chunk_count;
  pthread_mutex_t lock;         ///< of what follows
  struct jr_arena arena;        ///< owns it, but for the times
  struct jr_profiled *programs; ///< the newest first
  struct jr_lane *lanes;        ///< the newest first
  uint64_t execution_count, total_ns, min_ns, max_ns, last_ns;
  jitrun_call_time_t *calls; ///< as last counted, in order
  size_t call_count;
};

/// What a context has for executions with a profile. Kept for the next one.
struct jr_profiling {
  const struct jr_profiler *run;
  jitrun_profile_t *profile; ///< retained; NULL: this execution has none
  struct jr_exec_functions functions;
  struct jr_profiled *program;
  const struct jr_lane *lane;
  struct jr_site_time *times; ///< its own, or those of the outermost execution
  struct jr_site_time *own_times;
  struct jr_span *span; ///< of the execution; NULL: not recorded
  uint64_t start_ns;
};

/// Before and after an execution of a context whose options name a profile.
/// RESOURCE_EXHAUSTED.
static inline jitrun_error_t *jr_profile_begin(struct jr_context *context,
                                               uint32_t entry) {
  return context->options.profile->run->begin(context, entry);
}
static inline void jr_profile_end(struct jr_context *context) {
  if (context->profiling)
    context->profiling->run->end(context);
}

/// The entry has returned, and its async work goes on.
static inline void jr_profile_detach(struct jr_context *context) {
  context->profiling->run->detach(context);
}

static inline void jr_profiling_free(/*own*/ struct jr_profiling *profiling) {
  if (profiling)
    profiling->run->free(profiling);
}

/// Begins a span of this thread, or an ASYNC one; NULL where none is recorded,
/// and for want of memory. `name` is borrowed: a literal, or the program's.
static inline struct jr_span *jr_profile_open(struct jr_context *context,
                                              enum jr_span_kind kind,
                                              const char *name) {
  struct jr_profiling *profiling = context->profiling;
  return profiling && profiling->profile
             ? profiling->run->open(context, kind, name)
             : NULL;
}

/// The same, for those that run with a profile or without.
static inline struct jr_span *jr_profile_try(struct jr_context *context,
                                             enum jr_span_kind kind,
                                             const char *name) {
  return context->options.profile ? jr_profile_open(context, kind, name) : NULL;
}

/// Begins a wait of this thread for what an execution with these options needs
/// before it starts. NULL as above.
struct jr_span *jr_profile_wait(jitrun_profile_t *profile,
                                const jitrun_program_t *program,
                                const jitrun_run_options_t *options,
                                const char *name);

/// Ends a span; NULL is none.
static inline void jr_profile_close(struct jr_span *span) {
  if (span)
    atomic_store_explicit(&span->end_ns, jr_clock_ns(), memory_order_release);
}

/// Keeps a copy of a span, without locks; NULL past the limit, and for want of
/// memory.
struct jr_span *jr_profile_keep(jitrun_profile_t *profile,
                                enum jr_span_kind kind,
                                const struct jr_span *span);

/// The span at an index; NULL past the last, and where there is none.
const struct jr_span *jr_profile_span_at(const jitrun_profile_t *profile,
                                         size_t index);

/// How many there are room for and were asked for: the end of the indices.
size_t jr_profile_span_end(const jitrun_profile_t *profile);

/// What of the profile an execution of this program, on this device, is; made
/// if it is not there. RESOURCE_EXHAUSTED.
jitrun_error_t *jr_profile_enter(jitrun_profile_t *profile,
                                 const struct jr_context *context,
                                 struct jr_profiling *out) JITRUN_MUST_USE;

/// Adds times of an execution up, and sets them to 0.
void jr_profile_merge(jitrun_profile_t *profile, struct jr_profiled *program,
                      struct jr_site_time *times, uint64_t time_ns);

#endif
