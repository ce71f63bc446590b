/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Loading, starting and finishing collective calls.
#include "customcalls/collective.h"
#include "customcalls/collective_views.h"

#include "base/alloc.h"
#include "base/dtype.h"
#include "base/strings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

/// A call that has been started. One block: destinations of an asynchronous
/// call are copied behind it.
struct started {
  const struct jr_collective *collective;
  const char *who;
  jitrun_world_t *world;      ///< NULL: alone
  struct jr_meeting *meeting; ///< NULL: alone
  uint32_t rank, member_count;
  void *own;                   ///< alone: what was packed
  const jitrun_arg_t *sources; ///< as `to`: types alone count
  const jitrun_arg_t *to;
  uint32_t buffer_count;
};

static bool is_split(enum jr_collective_kind kind) {
  return kind == JR_REDUCE_SCATTER || kind == JR_ALL_TO_ALL;
}

static const char *kind_name(const struct jr_collective *collective) {
  static const char *const reduce[2][JR_REDUCTION_COUNT] = {
      {"all_reduce sum", "all_reduce product", "all_reduce min",
       "all_reduce max"},
      {"reduce_scatter sum", "reduce_scatter product", "reduce_scatter min",
       "reduce_scatter max"}};
  switch (collective->kind) {
  case JR_ALL_REDUCE:
    return reduce[0][collective->reduction];
  case JR_REDUCE_SCATTER:
    return reduce[1][collective->reduction];
  case JR_ALL_GATHER:
    return "all_gather";
  case JR_ALL_TO_ALL:
  case JR_TUPLE_ALL_TO_ALL:
    return "all_to_all";
  case JR_PERMUTE:
    break;
  }
  return "collective_permute";
}

static jitrun_error_t *no_memory(const jitrun_call_t *call) {
  return jr_call_error(call, JITRUN_RESOURCE_EXHAUSTED, "%s: out of memory",
                       call->site->target);
}

static jitrun_error_t *check_pair(const jitrun_call_t *call,
                                  const struct jr_collective *collective,
                                  uint32_t index) {
  uint32_t half = call->site->arg_count / 2;
  const jitrun_type_t *from = call->site->types[index];
  const jitrun_type_t *to = call->site->types[half + index];
  bool is_reduced = collective->kind == JR_ALL_REDUCE ||
                    collective->kind == JR_REDUCE_SCATTER;
  const char *from_name = jr_dtype_name((jitrun_dtype_t)from->dtype);
  const char *to_name = jr_dtype_name((jitrun_dtype_t)to->dtype);
  if (from->dtype != to->dtype)
    return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                         "%s: source %u has elements of %s, its destination "
                         "of %s; both must be of one type",
                         call->site->target, index, from_name ? from_name : "?",
                         to_name ? to_name : "?");
  if (is_reduced &&
      !jr_can_reduce((jitrun_dtype_t)from->dtype, collective->reduction))
    return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                         "%s: there is no %s of %s", call->site->target,
                         jr_reduction_name(collective->reduction), from_name);
  return NULL;
}

static jitrun_error_t *check_operands(const jitrun_call_t *call,
                                      const struct jr_collective *collective) {
  const jitrun_site_t *site = call->site;
  for (uint32_t i = 0; i < site->arg_count; i++) {
    const jitrun_type_t *type = site->types[i];
    if (type->kind != JITRUN_KIND_BUFFER || type->rank > JR_MAX_RANK)
      return jr_call_error(
          call, JITRUN_INVALID_ARGUMENT,
          "%s: Unsupported argument #%u type: it takes memrefs "
          "of at most %d dimensions",
          site->target, i, JR_MAX_RANK);
  }
  if (collective->kind == JR_PERMUTE && site->arg_count != 2)
    return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                         "%s: Expected device buffer size: 1, got %u",
                         site->target, site->arg_count / 2);
  if (site->arg_count % 2 != 0)
    return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                         "%s takes its sources, then as many destinations; "
                         "found %u arguments",
                         site->target, site->arg_count);
  jitrun_error_t *error = NULL;
  for (uint32_t i = 0; !error && i < site->arg_count / 2; i++)
    error = check_pair(call, collective, i);
  return error;
}

jitrun_error_t *jr_collective_keep(jitrun_call_t *call,
                                   const struct jr_collective *collective) {
  jitrun_error_t *error = check_operands(call, collective);
  if (error)
    return error;
  struct jr_collective *copy = jr_calloc(1, sizeof *copy);
  if (!copy)
    return no_memory(call);
  *copy = *collective;
  copy->ids = NULL;
  copy->ends = NULL;
  copy->sorted = NULL;
  error = jr_groups_copy(call, copy, collective);
  if (error)
    jr_collective_free(copy);
  else
    call->state = copy;
  return error;
}

void jr_collective_free(void *state) {
  struct jr_collective *collective = state;
  if (!collective)
    return;
  free(collective->ids);
  free(collective->ends);
  free(collective->sorted);
  free(collective);
}

/// What the members must agree in, and how long the packed sources are.
struct inventory {
  uint8_t *dtypes;
  uint64_t *counts;
  uint64_t size_bytes;
};

static uint64_t source_bytes(const jitrun_type_t *type) {
  uint64_t bytes =
      jr_elements_count(type) * jr_dtype_size((jitrun_dtype_t)type->dtype);
  return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static jitrun_error_t *take_inventory(const jitrun_call_t *call,
                                      const jitrun_arg_t *sources,
                                      uint32_t count, struct inventory *out) {
  *out = (struct inventory){.dtypes = jr_calloc(count, 1),
                            .counts = jr_calloc(count, sizeof(uint64_t))};
  if (!out->dtypes || !out->counts)
    return no_memory(call);
  for (uint32_t i = 0; i < count; i++) {
    out->dtypes[i] = sources[i].type->dtype;
    out->counts[i] = jr_elements_count(sources[i].type);
    if (out->counts[i] > (UINT64_C(1) << 56) ||
        !jr_add_u64(out->size_bytes, source_bytes(sources[i].type),
                    &out->size_bytes))
      return jr_call_error(call, JITRUN_OUT_OF_RANGE,
                           "%s: source %u has more elements than any memory",
                           call->site->target, i);
  }
  return NULL;
}

static void *pack_sources(const struct jr_collective *collective,
                          const jitrun_arg_t *args, uint32_t count,
                          uint32_t factor, uint64_t size_bytes) {
  char *packed = jr_malloc_aligned(ALIGNMENT, size_bytes + ALIGNMENT);
  uint32_t blocks = is_split(collective->kind) ? factor : 1;
  uint64_t offset = 0;
  for (uint32_t i = 0; packed && i < count; i++) {
    int64_t dim = jr_collective_dim(collective, args[i].type,
                                    args[count + i].type, factor);
    struct jr_view view = jr_view_make(&args[i], dim);
    jr_view_copy(&view, blocks, packed + offset, true);
    offset += source_bytes(args[i].type);
  }
  return packed;
}

/// Brings the packed sources to the meeting, or keeps them when alone.
static jitrun_error_t *bring(jitrun_call_t *call, const struct jr_group *group,
                             struct started *started) {
  const struct jr_collective *collective = started->collective;
  struct inventory inventory;
  jitrun_error_t *error =
      take_inventory(call, started->sources, started->buffer_count, &inventory);
  void *packed = NULL;
  if (!error) {
    packed = pack_sources(collective, started->sources, started->buffer_count,
                          group->count, inventory.size_bytes);
    error = packed ? NULL : no_memory(call);
  }
  if (!error && started->world) {
    const struct jr_offer offer = {.who = started->who,
                                   .space = collective->space,
                                   .id = collective->id,
                                   .members = group->members,
                                   .member_count = group->count,
                                   .rank = group->rank,
                                   .kind = kind_name(collective),
                                   .dtypes = inventory.dtypes,
                                   .counts = inventory.counts,
                                   .buffer_count = started->buffer_count};
    error = jr_meeting_join(started->world, &offer, packed, &started->meeting);
  } else {
    started->own = packed;
  }
  free(inventory.dtypes);
  free(inventory.counts);
  return error;
}

static jitrun_error_t *start(jitrun_call_t *call, struct started *started) {
  const struct jr_collective *collective = call->state;
  uint32_t half = call->site->arg_count / 2;
  const jitrun_arg_t *args = jitrun_call_args(call);
  struct jr_group group = {0};
  jitrun_error_t *error = jr_group_find(call, collective, &group);
  if (error)
    return error;
  *started = (struct started){.collective = collective,
                              .who = call->site->target,
                              .world = jr_call_place(call).world,
                              .rank = group.rank,
                              .member_count = group.count,
                              .sources = args,
                              .to = args + half,
                              .buffer_count = half};
  error = jr_collective_sizes(call, collective, group.count);
  if (!error)
    error = bring(call, &group, started);
  free(group.members);
  return error;
}

/// Where the parts of one buffer are.
struct parts {
  void *const *data;
  uint32_t count;
  uint64_t offset; ///< in each
};

/// What a member brought. Ranks have been checked, alone there is one.
static char *part_of(const struct parts *parts, uint32_t rank) {
  return (char *)parts->data[rank < parts->count ? rank : 0] + parts->offset;
}

/// Reduces the block of this member into dense memory, then lays it out.
static jitrun_error_t *finish_reduce(const jitrun_call_t *call,
                                     const struct started *started,
                                     const struct parts *parts,
                                     const jitrun_arg_t *to) {
  bool is_scatter = started->collective->kind == JR_REDUCE_SCATTER;
  const jitrun_type_t *type = to->type;
  size_t bytes = jr_dtype_size((jitrun_dtype_t)type->dtype);
  uint64_t count = jr_elements_count(type);
  const struct jr_reduce reduce = {
      .dtype = (jitrun_dtype_t)type->dtype,
      .reduction = started->collective->reduction,
      .parts = parts->data,
      .part_count = started->member_count,
      .offset_bytes =
          parts->offset + (is_scatter ? started->rank * count * bytes : 0),
      .count = count};
  if (jr_type_is_dense(type)) {
    jr_reduce(&reduce, to->value.data);
    return NULL;
  }
  void *packed = jr_malloc(count * bytes);
  if (!packed)
    return no_memory(call);
  jr_reduce(&reduce, packed);
  struct jr_view view = jr_view_make(to, 0);
  jr_view_copy(&view, 1, packed, false);
  free(packed);
  return NULL;
}

/// Takes one block from every member.
static void finish_exchange(const struct started *started,
                            const struct parts *parts, uint32_t index) {
  const struct jr_collective *collective = started->collective;
  const jitrun_arg_t *to = &started->to[index];
  uint32_t count = started->member_count;
  int64_t dim = jr_collective_dim(collective, started->sources[index].type,
                                  to->type, count);
  struct jr_view view =
      jr_view_make(to, jr_collective_to_dim(collective, to->type, dim));
  uint64_t step = view.count / count * view.element_bytes;
  uint64_t offset =
      collective->kind == JR_ALL_TO_ALL ? started->rank * step : 0;
  for (uint32_t i = 0; view.count > 0 && i < count; i++)
    jr_view_copy_block(&view, count, i, part_of(parts, i) + offset, false);
}

/// Takes what the source of this member brought; zeros without one.
static void finish_permute(const struct started *started,
                           const struct parts *parts, const jitrun_arg_t *to) {
  static const int64_t no_strides[JR_MAX_RANK];
  static const char zeros[16];
  uint32_t source = jr_permute_source(started->collective, started->rank);
  struct jr_view view = jr_view_make(to, 0);
  if (source != UINT32_MAX) {
    jr_view_copy(&view, 1, part_of(parts, source), false);
    return;
  }
  jr_copy_elements(&(struct jr_copy){.to = view.data,
                                     .from = zeros,
                                     .dims = view.dims,
                                     .to_strides = view.strides,
                                     .from_strides = no_strides,
                                     .rank = view.rank,
                                     .element_bytes = view.element_bytes});
}

/// Works out destination `index`; of an all_to_all of whole buffers, from
/// member `index`'s buffer for this one.
static jitrun_error_t *finish_buffer(const jitrun_call_t *call,
                                     const struct started *started,
                                     const struct parts *parts,
                                     uint32_t index) {
  const jitrun_arg_t *to = &started->to[index];
  struct jr_view view;
  struct parts whole = *parts; // all are of one size
  switch (started->collective->kind) {
  case JR_ALL_REDUCE:
  case JR_REDUCE_SCATTER:
    return finish_reduce(call, started, parts, to);
  case JR_ALL_GATHER:
  case JR_ALL_TO_ALL:
    finish_exchange(started, parts, index);
    return NULL;
  case JR_TUPLE_ALL_TO_ALL:
    view = jr_view_make(to, 0);
    whole.offset = started->rank * source_bytes(started->sources[0].type);
    jr_view_copy(&view, 1, part_of(&whole, index), false);
    return NULL;
  case JR_PERMUTE:
    finish_permute(started, parts, to);
    return NULL;
  }
  return NULL;
}

static jitrun_error_t *await_members(const jitrun_call_t *call,
                                     const struct started *started) {
  if (!started->world)
    return NULL;
  struct jr_wait wait =
      jr_wait_begin(started->who, call, started->world->timeout_ns);
  return jr_meeting_await(started->world, started->meeting, &wait);
}

static void leave(struct started *started) {
  if (started->meeting)
    jr_meeting_leave(started->world, started->meeting, started->rank);
  started->meeting = NULL;
  free(started->own);
  started->own = NULL;
}

static jitrun_error_t *finish(const jitrun_call_t *call,
                              struct started *started) {
  void *const own[] = {started->own};
  struct parts parts = {.data = own, .count = 1};
  jitrun_error_t *error = await_members(call, started);
  if (!error && started->meeting) {
    parts.data = jr_meeting_data(started->meeting);
    parts.count = started->member_count;
  }
  for (uint32_t i = 0; !error && i < started->buffer_count; i++) {
    error = finish_buffer(call, started, &parts, i);
    parts.offset += source_bytes(started->sources[i].type);
  }
  leave(started);
  return error;
}

static void drop_started(void *payload) {
  leave(payload);
  free(payload);
}

/// A copy with the call's arguments and their types behind it: frames and types
/// are of this call alone. NULL without memory.
static struct started *keep_started(const struct started *started) {
  uint32_t count = 2 * started->buffer_count;
  size_t size = sizeof *started + count * sizeof(jitrun_arg_t);
  size_t at = size;
  for (uint32_t i = 0; i < count; i++)
    size += jr_type_record_size(started->sources[i].type->rank);
  struct started *copy = jr_malloc(size);
  if (!copy)
    return NULL;
  *copy = *started;
  jitrun_arg_t *args = (jitrun_arg_t *)(void *)(copy + 1);
  for (uint32_t i = 0; i < count; i++) {
    size_t bytes = jr_type_record_size(started->sources[i].type->rank);
    args[i] = started->sources[i];
    args[i].type = memcpy((char *)copy + at, started->sources[i].type, bytes);
    at += bytes;
  }
  copy->sources = args;
  copy->to = args + started->buffer_count;
  return copy;
}

static jitrun_error_t *start_async(jitrun_call_t *call,
                                   struct started *started) {
  int64_t uid = started->collective->uid;
  struct jr_events *events = NULL;
  jitrun_error_t *error = jr_call_events(call, &events);
  struct started *copy = error ? NULL : keep_started(started);
  if (!copy) {
    leave(started);
    return error ? error : no_memory(call);
  }
  enum jr_added added =
      jr_events_add(events, &(struct jr_event){.kind = JR_EVENT_COLLECTIVE,
                                               .id = uid,
                                               .payload = copy,
                                               .drop = drop_started});
  if (added == JR_ADDED)
    return NULL;
  drop_started(copy);
  if (added == JR_NOT_ADDED)
    return no_memory(call);
  return jr_call_error(call, JITRUN_ALREADY_EXISTS,
                       "Async done event has not been consumed (uid=%" PRId64
                       ", device_ordinal=%u)",
                       uid, jr_call_place(call).device);
}

jitrun_error_t *jr_collective_execute(jitrun_call_t *call) {
  const struct jr_collective *collective = call->state;
  struct started started = {0};
  jitrun_error_t *error = start(call, &started);
  if (error)
    return error;
  return collective->is_async ? start_async(call, &started)
                              : finish(call, &started);
}

jitrun_error_t *jr_collective_done(jitrun_call_t *call, int64_t uid) {
  struct jr_events *events = NULL;
  void *payload = NULL;
  jitrun_error_t *error = jr_call_events(call, &events);
  if (error)
    return error;
  if (!jr_events_take(events, JR_EVENT_COLLECTIVE, uid, &payload))
    return jr_call_error(call, JITRUN_NOT_FOUND,
                         "Async done event was not found (uid=%" PRId64
                         ", device_ordinal=%u)",
                         uid, jr_call_place(call).device);
  error = finish(call, payload);
  free(payload);
  return error;
}

/// Of an execution alone, these are a state of it.
static jitrun_error_t *create_events(const jitrun_call_t *call, void *context,
                                     void **out_state) {
  (void)context;
  struct jr_events *events = jr_calloc(1, sizeof *events);
  if (!events)
    return no_memory(call);
  jr_events_init(events);
  *out_state = events;
  return NULL;
}

static void destroy_events(void *state) {
  jr_events_deinit(state);
  free(state);
}

jitrun_error_t *jr_call_events(const jitrun_call_t *call,
                               struct jr_events **out_events) {
  static const jitrun_state_key_t key = {.size = sizeof key,
                                         .scope = JITRUN_SCOPE_EXECUTION,
                                         .name = "jitrun.events",
                                         .create = create_events,
                                         .destroy = destroy_events};
  struct jr_place place = jr_call_place(call);
  *out_events = NULL;
  if (place.world) {
    *out_events = &place.world->devices[place.device].events;
    return NULL;
  }
  void *state = NULL;
  jitrun_error_t *error = call->site->api->state(call, &key, &state);
  *out_events = state;
  return error;
}
