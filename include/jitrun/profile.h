/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Profiles: what executions take, which calls take it, and when it all was.
///
/// Life: create -> named in the options of executions -> read -> release. One
/// profile may be given to any number of executions, also at once; they keep it
/// for as long as they go on, and it keeps the programs that they ran. All
/// functions may be called from any thread. An execution without a profile
/// pays nothing for there being any.
#ifndef JITRUN_PROFILE_H
#define JITRUN_PROFILE_H

#include "jitrun/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct jitrun_profile jitrun_profile_t;

/// What to record besides what executions take; zero-initialise, then set
/// `size`.
typedef struct jitrun_profile_options {
  size_t size; ///< sizeof(jitrun_profile_options_t)
  bool calls;  ///< what each call site took, for jitrun_profile_call_get()
  bool spans;  ///< when everything was, for jitrun_profile_trace()
  /// A call that returns tokens or async values takes until they are there. The
  /// execution waits for them, so that what a program would do meanwhile comes
  /// later; one that has to do more before they come waits for ever.
  bool waits;
  size_t span_limit; ///< more spans are only counted; 0: 262,144
} jitrun_profile_options_t;

/// Makes a profile. `options` may be NULL. RESOURCE_EXHAUSTED.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_profile_create(const jitrun_profile_options_t *options,
                      jitrun_profile_t **out_profile);

JITRUN_API void jitrun_profile_retain(jitrun_profile_t *profile);
JITRUN_API void jitrun_profile_release(/*own*/ jitrun_profile_t *profile);

/// All executions that have ended, their async work included; those that calls
/// run inside of others are part of these.
typedef struct jitrun_profile_info {
  size_t size; ///< sizeof(jitrun_profile_info_t), set by the caller
  uint64_t execution_count;
  uint64_t total_ns; ///< of all executions, each at least 1
  uint64_t min_ns, max_ns;
  uint64_t last_ns;       ///< of the one that ended last
  uint64_t call_count;    ///< for jitrun_profile_call_get(), at this moment
  uint64_t span_count;    ///< that are kept
  uint64_t dropped_count; ///< spans that are not: past the limit, or for want
                          ///< of memory
} jitrun_profile_info_t;

JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_profile_info(jitrun_profile_t *profile, jitrun_profile_info_t *out_info);

/// What the calls of one name and source location took, in all executions that
/// have ended. Texts are borrowed from the profile.
typedef struct jitrun_call_time {
  size_t size; ///< sizeof(jitrun_call_time_t), set by the caller
  const char *target;
  const char *file;
  uint32_t line, column; ///< 0 where unknown
  uint64_t count;
  uint64_t total_ns, min_ns, max_ns; ///< each call at least 1
} jitrun_call_time_t;

/// Fills in the `index`-th call, those that took most first; false past the
/// last. The order is that of the last jitrun_profile_info(), which also counts
/// them.
JITRUN_API bool jitrun_profile_call_get(jitrun_profile_t *profile,
                                        uint64_t index,
                                        jitrun_call_time_t *out_call);

/// Nanoseconds of the clock that profiles use.
JITRUN_API uint64_t jitrun_profile_clock(void);

/// Adds a span of the caller's to the calling thread's track: what it did from
/// `start_ns` to `end_ns`. Both texts are copied. Nothing without
/// options.spans.
JITRUN_API void jitrun_profile_span(jitrun_profile_t *profile,
                                    const char *category, const char *name,
                                    uint64_t start_ns, uint64_t end_ns);

/// Writes the spans as text in the JSON format of Chrome's traces, which
/// Perfetto and chrome://tracing open: a process for each device, in it a track
/// for each thread; executions ("PROGRAM: jitrun program"), custom calls with
/// their source locations, waits, and what is asynchronous as pairs of events.
/// What goes on meanwhile is in it as far as it has ended. Free with
/// jitrun_text_free(). RESOURCE_EXHAUSTED.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_profile_trace(jitrun_profile_t *profile, char **out_text);

#ifdef __cplusplus
}
#endif
#endif
