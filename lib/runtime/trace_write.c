/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The JSON of traces, in the format of Chrome's, one event a line: complete
/// events ("X") for what threads did, pairs ("b", "e") for what is
/// asynchronous, and names of processes and threads ("M").
#include "runtime/trace.h"

#include "base/bytes.h"
#include "base/json.h"

#include <inttypes.h>
#include <string.h>

/// Process of what belongs to no device; theirs are behind it.
enum { OTHER_PROCESS = 1 };

static uint32_t process_of(const struct jr_event *event) {
  return OTHER_PROCESS + (event->lane ? event->lane->number : 0);
}

static void put_text(struct jr_bytes *text, const char *value) {
  struct jr_json json = {.out = text, .after_key = true};
  jr_json_text(&json, value);
}

/// Chrome counts in microseconds.
static void put_time(struct jr_bytes *text, const char *key, uint64_t ns) {
  jr_bytes_appendf(text, ",\"%s\":%" PRIu64 ".%03u", key, ns / 1000,
                   (unsigned)(ns % 1000));
}

static void put_track(struct jr_bytes *text, const struct jr_event *event) {
  jr_bytes_appendf(text, ",\"pid\":%u,\"tid\":%u", process_of(event),
                   event->track);
}

static const char *name_event(const struct jr_event *event) {
  if (event->site)
    return event->site->target;
  bool has_category = event->kind == JR_SPAN_OTHER && !event->is_region;
  return has_category ? event->name + strlen(event->name) + 1 : event->name;
}

static const char *categorize(const struct jr_event *event) {
  if (event->is_region)
    return "region";
  switch (event->kind) {
  case JR_SPAN_EXECUTION:
    return "execution";
  case JR_SPAN_ENTRY:
    return "entry";
  case JR_SPAN_CALL:
    return "call";
  case JR_SPAN_TASK:
    return "task";
  case JR_SPAN_WAIT:
    return "wait";
  case JR_SPAN_OTHER:
    return event->name;
  default:
    return "async";
  }
}

static void put_location(struct jr_bytes *text, const jitrun_site_t *site) {
  struct jr_bytes place = {0};
  jr_bytes_append_text(&place, site->file);
  if (site->line > 0)
    jr_bytes_appendf(&place, ":%u:%u", site->line, site->column);
  const char *located = jr_bytes_text(&place);
  jr_bytes_append_text(text, "\"location\":");
  put_text(text, located ? located : "");
  text->failed |= place.failed;
  jr_bytes_deinit(&place);
}

static void put_args(struct jr_bytes *text, const struct jr_event *event) {
  const char *comma = "";
  jr_bytes_append_text(text, ",\"args\":{");
  if (event->site) {
    put_location(text, event->site);
    comma = ",";
  }
  if (event->run_id > 0) {
    jr_bytes_appendf(text, "%s\"run\":%" PRIu64, comma, event->run_id);
    comma = ",";
  }
  if (event->is_open)
    jr_bytes_appendf(text, "%s\"unfinished\":true", comma);
  jr_bytes_append_text(text, "}}");
}

/// Up to what differs between the kinds of events.
static void begin_event(struct jr_bytes *text, const struct jr_event *event,
                        const char *phase) {
  jr_bytes_append_text(text, ",\n{\"name\":");
  put_text(text, name_event(event));
  jr_bytes_append_text(text, ",\"cat\":");
  put_text(text, categorize(event));
  jr_bytes_appendf(text, ",\"ph\":\"%s\"", phase);
  put_track(text, event);
}

static uint64_t since_start(const struct jr_trace *trace, uint64_t ns) {
  uint64_t start_ns = trace->profile->start_ns;
  return ns > start_ns ? ns - start_ns : 0;
}

static void put_complete(const struct jr_trace *trace, struct jr_bytes *text,
                         const struct jr_event *event) {
  uint64_t start_ns = since_start(trace, event->start_ns);
  begin_event(text, event, "X");
  put_time(text, "ts", start_ns);
  put_time(text, "dur", since_start(trace, event->end_ns) - start_ns);
  put_args(text, event);
}

static void put_pair(const struct jr_trace *trace, struct jr_bytes *text,
                     const struct jr_event *event, size_t id) {
  begin_event(text, event, "b");
  jr_bytes_appendf(text, ",\"id\":%zu", id);
  put_time(text, "ts", since_start(trace, event->start_ns));
  put_args(text, event);
  begin_event(text, event, "e");
  jr_bytes_appendf(text, ",\"id\":%zu", id);
  put_time(text, "ts", since_start(trace, event->end_ns));
  jr_bytes_append_text(text, "}");
}

static void put_process(struct jr_bytes *text, const struct jr_lane *lane) {
  jr_bytes_appendf(text,
                   "%s{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%u,"
                   "\"tid\":0,\"args\":{\"name\":",
                   lane ? ",\n" : "",
                   OTHER_PROCESS + (lane ? lane->number : 0));
  if (!lane) {
    jr_bytes_append_text(text, "\"jitrun\"}}");
    return;
  }
  jr_bytes_append_text(text, "\"");
  if (lane->device_id >= 0)
    jr_bytes_appendf(text, "device %s:%u, ", lane->platform,
                     lane->local_ordinal);
  jr_bytes_appendf(text, "replica %u, partition %u\"}}", lane->replica_id,
                   lane->partition_id);
}

static void put_processes(struct jr_bytes *text, jitrun_profile_t *profile) {
  put_process(text, NULL);
  (void)pthread_mutex_lock(&profile->lock);
  for (const struct jr_lane *lane = profile->lanes; lane; lane = lane->next)
    put_process(text, lane);
  (void)pthread_mutex_unlock(&profile->lock);
}

static void put_thread(struct jr_bytes *text, const struct jr_event *event) {
  jr_bytes_append_text(text, ",\n{\"name\":\"thread_name\",\"ph\":\"M\"");
  put_track(text, event);
  if (event->thread == 0)
    jr_bytes_append_text(text, ",\"args\":{\"name\":\"main thread\"}}");
  else
    jr_bytes_appendf(text, ",\"args\":{\"name\":\"thread %u\"}}",
                     event->thread);
}

/// Calls that only say where a region begins and ends.
static bool is_mark(const struct jr_event *event) {
  static const char prefix[] = "xla.trace.activity_";
  return event->kind == JR_SPAN_CALL &&
         strncmp(event->site->target, prefix, sizeof prefix - 1) == 0;
}

void jr_trace_write(const struct jr_trace *trace, struct jr_bytes *text) {
  jitrun_profile_info_t info = {.size = sizeof info};
  jitrun_error_free(jitrun_profile_info(trace->profile, &info));
  jr_bytes_append_text(text, "{\"traceEvents\":[\n");
  put_processes(text, trace->profile);
  for (size_t i = 0; i < trace->count; i++) {
    const struct jr_event *event = &trace->events[i];
    if (i == 0 || event[-1].track != event->track)
      put_thread(text, event);
    if (event->is_async)
      put_pair(trace, text, event, i + 1);
    else if (!is_mark(event))
      put_complete(trace, text, event);
  }
  jr_bytes_appendf(text,
                   "\n],\"displayTimeUnit\":\"ns\",\"otherData\":{"
                   "\"dropped_spans\":%" PRIu64 "}}\n",
                   info.dropped_count);
}
