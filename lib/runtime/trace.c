/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// From spans to events. Spans of a thread nest by how they are recorded, but
/// those of callers and of regions need not: one that does not is shown as an
/// asynchronous one.
#include "runtime/trace.h"

#include "base/alloc.h"
#include "base/bytes.h"

#include <stdlib.h>

struct jr_event *jr_trace_add(struct jr_trace *trace) {
  struct jr_event *events = jr_grow(trace->events, &trace->capacity,
                                    trace->count, sizeof *trace->events);
  if (!events)
    return NULL;
  trace->events = events;
  struct jr_event *event = &events[trace->count];
  *event = (struct jr_event){.order = trace->count++};
  return event;
}

/// The number of a thread, in the order in which they are met.
static jitrun_error_t *number_thread(struct jr_trace *trace, uint64_t thread,
                                     uint32_t *out_number) {
  for (size_t i = 0; i < trace->thread_count; i++) {
    if (trace->threads[i] == thread) {
      *out_number = (uint32_t)i;
      return NULL;
    }
  }
  uint64_t *threads = jr_grow(trace->threads, &trace->thread_capacity,
                              trace->thread_count, sizeof *threads);
  if (!threads)
    return jr_error_no_memory();
  trace->threads = threads;
  *out_number = (uint32_t)trace->thread_count;
  threads[trace->thread_count++] = thread;
  return NULL;
}

static jitrun_error_t *add_span(struct jr_trace *trace,
                                const struct jr_span *span) {
  struct jr_event *event = jr_trace_add(trace);
  if (!event)
    return jr_error_no_memory();
  uint64_t end_ns = atomic_load_explicit(&span->end_ns, memory_order_acquire);
  event->kind = (enum jr_span_kind)atomic_load_explicit(&span->kind,
                                                        memory_order_relaxed);
  event->lane = span->lane;
  event->start_ns = span->start_ns;
  event->is_open = end_ns == 0;
  event->end_ns = end_ns ? end_ns : trace->now_ns;
  if (event->end_ns < event->start_ns)
    event->end_ns = event->start_ns;
  event->run_id = span->run_id;
  event->site = span->site;
  event->name = span->name;
  return number_thread(trace, span->thread, &event->thread);
}

static uint32_t lane_number(const struct jr_event *event) {
  return event->lane ? event->lane->number : 0;
}

static int compare(uint64_t a, uint64_t b) {
  return (a > b) - (a < b);
}

/// By device, thread and time; of those that begin at once, the longest first.
static int compare_events(const void *a, const void *b) {
  const struct jr_event *left = a;
  const struct jr_event *right = b;
  int order = compare(lane_number(left), lane_number(right));
  if (order == 0)
    order = compare(left->thread, right->thread);
  if (order == 0)
    order = compare(left->start_ns, right->start_ns);
  if (order == 0)
    order = compare(right->end_ns, left->end_ns);
  if (order == 0)
    order = compare(right->is_region, left->is_region);
  return order ? order : compare(left->order, right->order);
}

static void number_tracks(struct jr_trace *trace) {
  uint32_t track = 0;
  for (size_t i = 0; i < trace->count; i++) {
    struct jr_event *event = &trace->events[i];
    const struct jr_event *before = i > 0 ? event - 1 : NULL;
    if (!before || before->lane != event->lane ||
        before->thread != event->thread)
      track++;
    event->track = track;
  }
}

/// Makes asynchronous what does not nest. `ends` has room for all events.
static void nest_events(struct jr_trace *trace, uint64_t *ends) {
  size_t depth = 0;
  for (size_t i = 0; i < trace->count; i++) {
    struct jr_event *event = &trace->events[i];
    if (i > 0 && event[-1].track != event->track)
      depth = 0;
    event->is_async = event->kind == JR_SPAN_ASYNC;
    if (event->is_async)
      continue;
    while (depth > 0 && ends[depth - 1] <= event->start_ns)
      depth--;
    if (depth > 0 && event->end_ns > ends[depth - 1])
      event->is_async = true;
    else
      ends[depth++] = event->end_ns;
  }
}

static void sort_events(struct jr_trace *trace) {
  if (trace->count > 1)
    qsort(trace->events, trace->count, sizeof *trace->events, compare_events);
}

static jitrun_error_t *collect(struct jr_trace *trace) {
  uint32_t number = 0;
  JITRUN_TRY(number_thread(trace, trace->profile->thread, &number));
  size_t end = jr_profile_span_end(trace->profile);
  for (size_t i = 0; i < end; i++) {
    const struct jr_span *span = jr_profile_span_at(trace->profile, i);
    if (span)
      JITRUN_TRY(add_span(trace, span));
  }
  return NULL;
}

jitrun_error_t *jr_trace_init(struct jr_trace *trace,
                              jitrun_profile_t *profile) {
  *trace = (struct jr_trace){.profile = profile, .now_ns = jr_clock_ns()};
  JITRUN_TRY(collect(trace));
  sort_events(trace);
  JITRUN_TRY(jr_trace_add_regions(trace));
  sort_events(trace);
  number_tracks(trace);
  uint64_t *ends = jr_calloc(trace->count + 1, sizeof *ends);
  if (!ends)
    return jr_error_no_memory();
  nest_events(trace, ends);
  free(ends);
  return NULL;
}

void jr_trace_deinit(struct jr_trace *trace) {
  free(trace->events);
  free(trace->threads);
  *trace = (struct jr_trace){0};
}

jitrun_error_t *jitrun_profile_trace(jitrun_profile_t *profile,
                                     char **out_text) {
  JR_NEED(out_text);
  *out_text = NULL;
  JR_NEED(profile);
  struct jr_trace trace;
  struct jr_bytes text = {0};
  jitrun_error_t *error = jr_trace_init(&trace, profile);
  if (!error) {
    jr_trace_write(&trace, &text);
    *out_text = jr_bytes_take_text(&text);
    if (!*out_text)
      error = jr_error_no_memory();
  }
  jr_bytes_deinit(&text);
  jr_trace_deinit(&trace);
  return error;
}
