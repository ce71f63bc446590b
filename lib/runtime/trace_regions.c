/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Regions: what programs name with rt.trace, or with the calls
/// `xla.trace.activity_start` and `xla.trace.activity_end`. Nothing is recorded
/// of them while a program runs but its calls; a region is from the beginning
/// of its first call to the end of its last.
#include "runtime/trace.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_OPEN = 64 };

/// A region that has begun.
struct begun {
  size_t event; ///< of its first call
  size_t last;  ///< of its last one so far
  uint32_t region;
};

/// Events of calls of one execution on one thread, in order.
struct activities {
  struct jr_trace *trace;
  size_t starts[MOST_OPEN]; ///< indices of events, of activity_start
  size_t depth;
  struct begun begun[MOST_OPEN]; ///< outermost first
  size_t begun_count;
};

static const char *find_annotation(const jitrun_site_t *site) {
  for (uint32_t i = 0; i < site->attr_count; i++) {
    const jitrun_attr_t *attr = &site->attrs[i];
    if (strcmp(attr->name, "annotation") != 0 || attr->kind != JITRUN_ATTR_DICT)
      continue;
    for (uint64_t j = 0; j < attr->count; j++) {
      if (attr->value.items[j].kind == JITRUN_ATTR_STRING)
        return attr->value.items[j].value.string;
    }
  }
  return "activity";
}

static jitrun_error_t *add_region(struct jr_trace *trace, size_t first,
                                  size_t last, const char *name) {
  struct jr_event *region = jr_trace_add(trace);
  if (!region)
    return jr_error_no_memory();
  uint64_t order = region->order;
  *region = trace->events[first];
  region->kind = JR_SPAN_OTHER;
  region->is_region = true;
  region->order = order;
  region->site = NULL;
  region->name = name;
  region->end_ns = trace->events[last].end_ns;
  region->is_open = trace->events[last].is_open;
  return NULL;
}

static jitrun_error_t *end_activity(struct activities *activities,
                                    size_t last) {
  if (activities->depth == 0)
    return NULL;
  size_t first = activities->starts[--activities->depth];
  return add_region(activities->trace, first, last,
                    find_annotation(activities->trace->events[first].site));
}

static const char *region_name(const struct activities *activities,
                               const struct begun *begun) {
  const struct jr_event *first = &activities->trace->events[begun->event];
  const struct jr_table *table = &first->site->program->table;
  return jr_table_string(table, table->regions[begun->region - 1].name);
}

/// Ends the innermost regions until `count` are left.
static jitrun_error_t *end_regions(struct activities *activities,
                                   size_t count) {
  while (activities->begun_count > count) {
    const struct begun *begun = &activities->begun[--activities->begun_count];
    JITRUN_TRY(add_region(activities->trace, begun->event, begun->last,
                          region_name(activities, begun)));
  }
  return NULL;
}

/// The regions of a call, innermost first; how many, or as many as there is
/// room for.
static size_t list_regions(const jitrun_site_t *site,
                           uint32_t regions[MOST_OPEN]) {
  const struct jr_table *table = &site->program->table;
  size_t count = 0;
  for (uint32_t region = table->sites[site->index].region;
       region > 0 && count < MOST_OPEN;
       region = table->regions[region - 1].parent)
    regions[count++] = region;
  return count;
}

/// True when the call goes on with a region: one in whose loop it is may have
/// begun with an earlier call, but not with this one or a later one.
static bool goes_on(const struct activities *activities,
                    const struct begun *begun, uint32_t region, size_t call) {
  const struct jr_event *events = activities->trace->events;
  return begun->region == region &&
         events[begun->event].site->index < events[call].site->index;
}

static jitrun_error_t *follow_regions(struct activities *activities,
                                      size_t call) {
  uint32_t regions[MOST_OPEN];
  size_t count = list_regions(activities->trace->events[call].site, regions);
  size_t common = 0;
  while (common < count && common < activities->begun_count &&
         goes_on(activities, &activities->begun[common],
                 regions[count - 1 - common], call))
    activities->begun[common++].last = call;
  JITRUN_TRY(end_regions(activities, common));
  for (; common < count; common++)
    activities->begun[activities->begun_count++] = (struct begun){
        .event = call, .last = call, .region = regions[count - 1 - common]};
  return NULL;
}

static jitrun_error_t *look_at_call(struct activities *activities,
                                    size_t index) {
  const char *target = activities->trace->events[index].site->target;
  JITRUN_TRY(follow_regions(activities, index));
  if (strcmp(target, "xla.trace.activity_end") == 0)
    return end_activity(activities, index);
  if (strcmp(target, "xla.trace.activity_start") == 0 &&
      activities->depth < MOST_OPEN)
    activities->starts[activities->depth++] = index;
  return NULL;
}

/// Where an event is among the calls of one execution on one thread.
struct place {
  size_t index;
  uint64_t run_id;
  uint32_t thread;
};

static int compare_places(const void *a, const void *b) {
  const struct place *left = a;
  const struct place *right = b;
  int order = (left->run_id > right->run_id) - (left->run_id < right->run_id);
  if (order == 0)
    order = (left->thread > right->thread) - (left->thread < right->thread);
  return order ? order
               : (left->index > right->index) - (left->index < right->index);
}

static bool is_same_run(const struct place *a, const struct place *b) {
  return a->run_id == b->run_id && a->thread == b->thread;
}

static size_t list_calls(const struct jr_trace *trace, struct place *places) {
  size_t count = 0;
  for (size_t i = 0; i < trace->count; i++) {
    const struct jr_event *event = &trace->events[i];
    if (event->kind == JR_SPAN_CALL)
      places[count++] = (struct place){
          .index = i, .run_id = event->run_id, .thread = event->thread};
  }
  return count;
}

static jitrun_error_t *end_run(struct activities *activities) {
  activities->depth = 0;
  return end_regions(activities, 0);
}

static jitrun_error_t *find_regions(struct jr_trace *trace,
                                    struct place *places) {
  struct activities activities = {.trace = trace};
  size_t count = list_calls(trace, places);
  if (count > 1)
    qsort(places, count, sizeof *places, compare_places);
  for (size_t i = 0; i < count; i++) {
    if (i > 0 && !is_same_run(&places[i - 1], &places[i]))
      JITRUN_TRY(end_run(&activities));
    JITRUN_TRY(look_at_call(&activities, places[i].index));
  }
  return end_run(&activities);
}

jitrun_error_t *jr_trace_add_regions(struct jr_trace *trace) {
  struct place *places = jr_calloc(trace->count + 1, sizeof *places);
  if (!places)
    return jr_error_no_memory();
  jitrun_error_t *error = find_regions(trace, places);
  free(places);
  return error;
}
