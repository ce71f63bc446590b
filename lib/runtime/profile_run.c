/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Executions with a profile: the functions that they call sites with. They
/// stand around those of all other executions, so there is one dispatcher only;
/// each call of it is of one site.
#include "runtime/profile.h"

#include "base/alloc.h"

#include <stdlib.h>

/// The least there is.
static uint64_t time_between(uint64_t start_ns, uint64_t end_ns) {
  return end_ns > start_ns ? end_ns - start_ns : 1;
}

static void keep_min(atomic_uint_fast64_t *min, uint64_t value) {
  uint64_t old = atomic_load_explicit(min, memory_order_relaxed);
  while ((old == 0 || value < old) &&
         !atomic_compare_exchange_weak_explicit(
             min, &old, value, memory_order_relaxed, memory_order_relaxed))
    ;
}

static void keep_max(atomic_uint_fast64_t *max, uint64_t value) {
  uint64_t old = atomic_load_explicit(max, memory_order_relaxed);
  while (value > old &&
         !atomic_compare_exchange_weak_explicit(
             max, &old, value, memory_order_relaxed, memory_order_relaxed))
    ;
}

static void add_call(struct jr_site_time *time, uint64_t ns) {
  (void)atomic_fetch_add_explicit(&time->count, 1, memory_order_relaxed);
  (void)atomic_fetch_add_explicit(&time->total_ns, ns, memory_order_relaxed);
  keep_min(&time->min_ns, ns);
  keep_max(&time->max_ns, ns);
}

static struct jr_span *open_span(struct jr_context *context,
                                 enum jr_span_kind kind,
                                 const jitrun_site_t *site, const char *name) {
  const struct jr_profiling *profiling = context->profiling;
  if (!profiling->profile->options.spans)
    return NULL;
  return jr_profile_keep(profiling->profile, kind,
                         &(struct jr_span){.lane = profiling->lane,
                                           .start_ns = jr_clock_ns(),
                                           .run_id = context->run_id,
                                           .site = site,
                                           .name = name});
}

static struct jr_span *open_named(struct jr_context *context,
                                  enum jr_span_kind kind, const char *name) {
  return open_span(context, kind, NULL, name);
}

/// What a call has begun, and a thread some time later sets.
struct later {
  jitrun_profile_t *profile; ///< retained
  jitrun_async_t *async;     ///< retained
  struct jr_span *span;
};

static void end_later(void *argument) {
  struct later *later = argument;
  jr_profile_close(later->span);
  jitrun_async_release(later->async);
  jitrun_profile_release(later->profile);
  free(later);
}

/// Records what a call has begun, until it is done. Without memory for that it
/// stays open.
static void watch_result(struct jr_context *context, jitrun_async_t *async,
                         const jitrun_site_t *site) {
  struct jr_span *span = open_span(context, JR_SPAN_ASYNC, site, NULL);
  struct later *later = span ? jr_malloc(sizeof *later) : NULL;
  if (!later)
    return;
  *later = (struct later){
      .profile = context->profiling->profile, .async = async, .span = span};
  jitrun_profile_retain(later->profile);
  jitrun_async_retain(async);
  jitrun_error_t *error = jitrun_async_then(async, end_later, later);
  if (!error)
    return;
  jitrun_error_free(error);
  jitrun_async_release(async);
  jitrun_profile_release(later->profile);
  free(later);
}

static bool is_pending(const jitrun_type_t *type, const jitrun_async_t *async) {
  return type->kind >= JITRUN_KIND_TOKEN && async &&
         jitrun_async_state(async) == JITRUN_ASYNC_PENDING;
}

/// Waits for what a call has begun, or records it.
static void follow_results(struct jr_context *context, jitrun_call_t *frame) {
  const jitrun_site_t *site = frame->site;
  bool waits = context->profiling->profile->options.waits;
  for (uint32_t i = 0; i < site->result_count; i++) {
    jitrun_async_t *async = jitrun_call_results(frame)[i].value.async;
    if (!is_pending(site->types[site->arg_count + i], async))
      continue;
    if (waits)
      jr_async_functions.await(&context->exec, async);
    else
      watch_result(context, async, site);
  }
}

static void end_call(struct jr_context *context, uint64_t site,
                     uint64_t start_ns, struct jr_span *span) {
  struct jr_site_time *times = context->profiling->times;
  uint64_t end_ns = jr_clock_ns();
  if (span)
    atomic_store_explicit(&span->end_ns, end_ns, memory_order_release);
  if (times)
    add_call(&times[site], time_between(start_ns, end_ns));
}

/// See jr_exec_functions.run.
static jitrun_error_t *run_sites(struct jr_exec *exec, uint64_t first,
                                 uint64_t count) {
  struct jr_context *context = jr_context_of(exec);
  for (uint64_t site = first; site < first + count; site++) {
    if (jr_exec_is_cancelled(exec))
      break;
    struct jr_span *span =
        open_span(context, JR_SPAN_CALL, &context->program->sites[site], NULL);
    uint64_t start_ns = jr_clock_ns();
    jitrun_error_t *error = jr_dispatch(exec, site, 1);
    end_call(context, site, start_ns, span);
    if (error)
      return error;
  }
  return jr_dispatch(exec, first, 0); // asked to stop?
}

/// See jr_exec_functions.call.
static jitrun_error_t *call_site(struct jr_exec *exec, uint64_t site,
                                 jitrun_call_t *frame) {
  struct jr_context *context = jr_context_of(exec);
  if (!frame)
    frame = exec->slots[site].frame;
  if (jr_exec_is_cancelled(exec))
    return jr_exec_functions.call(exec, site, frame);
  struct jr_span *span = open_span(context, JR_SPAN_CALL, frame->site, NULL);
  uint64_t start_ns = jr_clock_ns();
  jitrun_error_t *error = jr_exec_functions.call(exec, site, frame);
  if (!error)
    follow_results(context, frame);
  end_call(context, site, start_ns, span);
  return error;
}

static void free_profiling(/*own*/ struct jr_profiling *profiling) {
  free(profiling->own_times);
  free(profiling);
}

static jitrun_error_t *init_profiling(struct jr_context *context) {
  struct jr_profiling *profiling = context->profiling;
  if (!profiling)
    profiling = jr_calloc(1, sizeof *profiling);
  if (!profiling)
    return jr_error_no_memory();
  context->profiling = profiling;
  profiling->run = &jr_profiler;
  profiling->functions = jr_exec_functions;
  profiling->functions.run = run_sites;
  profiling->functions.call = call_site;
  return NULL;
}

/// Where the times of the execution are added up: one inside of another adds to
/// those of the outermost.
static jitrun_error_t *find_times(struct jr_context *context,
                                  const jitrun_profile_t *profile) {
  struct jr_profiling *profiling = context->profiling;
  profiling->times = NULL;
  if (!profile->options.calls)
    return NULL;
  if (context->depth > 0) {
    profiling->times = context->outermost->profiling->times;
    return NULL;
  }
  if (!profiling->own_times)
    profiling->own_times = jr_calloc(context->program->table.site_count + 1,
                                     sizeof *profiling->own_times);
  profiling->times = profiling->own_times;
  return profiling->times ? NULL : jr_error_no_memory();
}

static jitrun_error_t *begin(struct jr_context *context, uint32_t entry) {
  jitrun_profile_t *profile = context->options.profile;
  JITRUN_TRY(init_profiling(context));
  struct jr_profiling *profiling = context->profiling;
  JITRUN_TRY(find_times(context, profile));
  JITRUN_TRY(jr_profile_enter(profile, context, profiling));
  bool is_outermost = context->depth == 0;
  jitrun_profile_retain(profile);
  profiling->profile = profile;
  profiling->span =
      open_span(context, is_outermost ? JR_SPAN_EXECUTION : JR_SPAN_ENTRY, NULL,
                is_outermost ? profiling->program->annotation
                             : jr_program_entry(context->program, entry)->name);
  profiling->start_ns = jr_clock_ns();
  if (profile->options.calls || profile->options.spans ||
      profile->options.waits)
    context->exec.functions = &profiling->functions;
  return NULL;
}

static void detach(struct jr_context *context) {
  struct jr_profiling *profiling = context->profiling;
  jr_profile_close(profiling->span);
  if (profiling->span)
    profiling->span =
        jr_profile_open(context, JR_SPAN_ASYNC, profiling->program->annotation);
}

static void end(struct jr_context *context) {
  struct jr_profiling *profiling = context->profiling;
  jitrun_profile_t *profile = profiling->profile;
  if (!profile)
    return;
  uint64_t time_ns = time_between(profiling->start_ns, jr_clock_ns());
  jr_profile_close(profiling->span);
  if (context->depth == 0)
    jr_profile_merge(profile, profiling->program, profiling->times, time_ns);
  context->exec.functions = &jr_exec_functions;
  profiling->profile = NULL;
  jitrun_profile_release(profile);
}

const struct jr_profiler jr_profiler = {.begin = begin,
                                        .end = end,
                                        .detach = detach,
                                        .open = open_named,
                                        .free = free_profiling};
