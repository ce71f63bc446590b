/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Meetings: where the members of a group bring their parts of one collective
/// call. A member's n-th call of a name meets the others' n-th call. Parts stay
/// until every member has left, so a fast one can go on to the next meeting,
/// and where a member's own memory is source and destination no longer matters.
#include "customcalls/world.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/dtype.h"
#include "base/error.h"
#include "customcalls/collective.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// GONE: needs nothing any more, or will never come.
enum presence { ABSENT, PRESENT, GONE };

struct jr_meeting {
  struct jr_meeting *next;
  uint64_t round, number;
  uint32_t space;
  int64_t id;
  uint32_t member_count, here_count, gone_count;
  uint32_t *members;
  enum presence *presence;
  void **data; ///< by rank; NULL: has not come
  bool has_quarrel;
  char *quarrel; ///< what two members do not agree in; NULL without memory
  uint32_t first_rank; ///< of the one that came first, whose offer counts
  const char *kind;
  uint32_t buffer_count;
  uint8_t *dtypes;
  uint64_t *counts;
};

static void free_meeting(struct jr_meeting *meeting) {
  for (uint32_t i = 0; meeting->data && i < meeting->member_count; i++)
    free(meeting->data[i]);
  free(meeting->members);
  free(meeting->presence);
  free(meeting->data);
  free(meeting->quarrel);
  free(meeting->dtypes);
  free(meeting->counts);
  free(meeting);
}

static void unlist_meeting(jitrun_world_t *world, struct jr_meeting *meeting) {
  struct jr_meeting **link = &world->meetings;
  while (*link != meeting)
    link = &(*link)->next;
  *link = meeting->next;
  free_meeting(meeting);
}

static void *copy_array(const void *items, size_t count, size_t item_bytes) {
  void *copy = jr_malloc(count * item_bytes);
  if (copy && count > 0)
    memcpy(copy, items, count * item_bytes);
  return copy;
}

/// A meeting where nobody is yet. NULL without memory.
static struct jr_meeting *make_meeting(const struct jr_offer *offer) {
  struct jr_meeting *meeting = jr_calloc(1, sizeof *meeting);
  if (!meeting)
    return NULL;
  size_t count = offer->member_count;
  size_t buffers = offer->buffer_count;
  meeting->space = offer->space;
  meeting->id = offer->id;
  meeting->member_count = offer->member_count;
  meeting->first_rank = offer->rank;
  meeting->kind = offer->kind;
  meeting->buffer_count = offer->buffer_count;
  meeting->members = copy_array(offer->members, count, sizeof(uint32_t));
  meeting->presence = jr_calloc(count, sizeof *meeting->presence);
  meeting->data = jr_calloc(count, sizeof(void *));
  meeting->dtypes = copy_array(offer->dtypes, buffers, 1);
  meeting->counts = copy_array(offer->counts, buffers, sizeof(uint64_t));
  if (meeting->members && meeting->presence && meeting->data &&
      meeting->dtypes && meeting->counts)
    return meeting;
  free_meeting(meeting);
  return NULL;
}

static uint64_t hash_members(const struct jr_offer *offer) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325); // FNV-1a
  for (uint32_t i = 0; i < offer->member_count; i++)
    hash = (hash ^ offer->members[i]) * UINT64_C(0x100000001b3);
  return hash;
}

static int compare_tallies(const struct jr_tally *a, const struct jr_tally *b) {
  if (a->space != b->space)
    return a->space < b->space ? -1 : 1;
  if (a->id != b->id)
    return a->id < b->id ? -1 : 1;
  if (a->group != b->group)
    return a->group < b->group ? -1 : 1;
  return 0;
}

/// The device's tally of these calls, made if it is not there; NULL without
/// memory. They are sorted.
static struct jr_tally *find_tally(struct jr_device *device,
                                   const struct jr_tally *wanted) {
  size_t first = 0;
  size_t last = device->tally_count;
  while (first < last) {
    size_t middle = first + (last - first) / 2;
    int order = compare_tallies(&device->tallies[middle], wanted);
    if (order == 0)
      return &device->tallies[middle];
    if (order < 0)
      first = middle + 1;
    else
      last = middle;
  }
  struct jr_tally *tallies = jr_grow(device->tallies, &device->tally_capacity,
                                     device->tally_count, sizeof *tallies);
  if (!tallies)
    return NULL;
  device->tallies = tallies;
  memmove(tallies + first + 1, tallies + first,
          (device->tally_count - first) * sizeof *tallies);
  device->tally_count++;
  tallies[first] = *wanted;
  return &tallies[first];
}

static bool is_meeting_of(const struct jr_meeting *meeting, uint64_t round,
                          uint64_t number, const struct jr_offer *offer) {
  return meeting->id == offer->id && meeting->number == number &&
         meeting->round == round && meeting->space == offer->space &&
         meeting->member_count == offer->member_count &&
         memcmp(meeting->members, offer->members,
                offer->member_count * sizeof(uint32_t)) == 0;
}

/// Those whose round is over already will not come.
static void begin_meeting(const jitrun_world_t *world,
                          struct jr_meeting *meeting, uint64_t round) {
  meeting->round = round;
  for (uint32_t i = 0; i < meeting->member_count; i++) {
    if (!jr_device_is_over(&world->devices[meeting->members[i]], round))
      continue;
    meeting->presence[i] = GONE;
    meeting->gone_count++;
  }
}

/// The meeting of a member's call, made if it is the first; NULL without
/// memory.
static struct jr_meeting *find_meeting(jitrun_world_t *world,
                                       const struct jr_offer *offer) {
  struct jr_device *device = &world->devices[offer->members[offer->rank]];
  struct jr_tally *tally =
      find_tally(device, &(struct jr_tally){.space = offer->space,
                                            .id = offer->id,
                                            .group = hash_members(offer)});
  if (!tally)
    return NULL;
  struct jr_meeting *meeting = world->meetings;
  while (meeting && !is_meeting_of(meeting, device->round, tally->count, offer))
    meeting = meeting->next;
  if (!meeting) {
    meeting = make_meeting(offer);
    if (!meeting)
      return NULL;
    begin_meeting(world, meeting, device->round);
    meeting->number = tally->count;
    meeting->next = world->meetings;
    world->meetings = meeting;
  }
  tally->count++;
  return meeting;
}

static bool agrees(const struct jr_meeting *meeting,
                   const struct jr_offer *offer) {
  uint32_t count = offer->buffer_count;
  return strcmp(meeting->kind, offer->kind) == 0 &&
         meeting->buffer_count == count &&
         memcmp(meeting->dtypes, offer->dtypes, count) == 0 &&
         memcmp(meeting->counts, offer->counts, count * sizeof(uint64_t)) == 0;
}

/// Appends "replica 0 calls all_reduce sum of f32[4] and i32[1]".
static void append_side(struct jr_bytes *text, const char *name,
                        const struct jr_offer *offer) {
  enum { SHOWN = 4 };
  jr_bytes_appendf(text, "%s calls %s of ", name, offer->kind);
  for (uint32_t i = 0; i < offer->buffer_count && i < SHOWN; i++)
    jr_bytes_appendf(text, "%s%s[%" PRIu64 "]", i > 0 ? ", " : "",
                     jr_dtype_name((jitrun_dtype_t)offer->dtypes[i]),
                     offer->counts[i]);
  if (offer->buffer_count > SHOWN)
    jr_bytes_appendf(text, " and %u more", offer->buffer_count - SHOWN);
  if (offer->buffer_count == 0)
    jr_bytes_append_text(text, "nothing");
}

/// Notes that two members do not agree, for all of them to say.
static void note_quarrel(const jitrun_world_t *world,
                         struct jr_meeting *meeting,
                         const struct jr_offer *offer) {
  const struct jr_offer first = {.kind = meeting->kind,
                                 .dtypes = meeting->dtypes,
                                 .counts = meeting->counts,
                                 .buffer_count = meeting->buffer_count};
  char name[JR_DEVICE_NAME_SIZE];
  struct jr_bytes text = {0};
  append_side(
      &text, jr_device_name(world, meeting->members[meeting->first_rank], name),
      &first);
  jr_bytes_append_text(&text, ", but ");
  append_side(&text, jr_device_name(world, offer->members[offer->rank], name),
              offer);
  jr_bytes_append_text(&text, "; all members of a group must call the same");
  meeting->has_quarrel = true;
  meeting->quarrel = jr_bytes_take_text(&text);
  jr_bytes_deinit(&text);
}

static jitrun_error_t *quarrel_error(const struct jr_meeting *meeting,
                                     const char *who) {
  if (!meeting->quarrel)
    return jr_error_no_memory();
  return jr_error(JITRUN_INVALID_ARGUMENT, "%s: %s", who, meeting->quarrel);
}

/// A member will never come, or needs nothing any more. The last one to go ends
/// the meeting.
static void go(jitrun_world_t *world, struct jr_meeting *meeting,
               uint32_t rank) {
  if (meeting->presence[rank] == GONE)
    return;
  meeting->presence[rank] = GONE;
  if (++meeting->gone_count == meeting->member_count)
    unlist_meeting(world, meeting);
}

/// Joins, with the lock held.
static jitrun_error_t *join(jitrun_world_t *world, const struct jr_offer *offer,
                            void *data, struct jr_meeting **out_meeting) {
  struct jr_meeting *meeting = find_meeting(world, offer);
  if (!meeting) {
    free(data);
    return jr_error_no_memory();
  }
  meeting->presence[offer->rank] = PRESENT;
  meeting->data[offer->rank] = data;
  meeting->here_count++;
  if (!meeting->has_quarrel && !agrees(meeting, offer))
    note_quarrel(world, meeting, offer);
  *out_meeting = meeting;
  if (!meeting->has_quarrel)
    return NULL;
  *out_meeting = NULL;
  jitrun_error_t *error = quarrel_error(meeting, offer->who);
  go(world, meeting, offer->rank);
  return error;
}

jitrun_error_t *jr_meeting_join(jitrun_world_t *world,
                                const struct jr_offer *offer, void *data,
                                struct jr_meeting **out_meeting) {
  *out_meeting = NULL;
  (void)pthread_mutex_lock(&world->lock);
  jitrun_error_t *error = join(world, offer, data, out_meeting);
  (void)pthread_cond_broadcast(&world->changed);
  (void)pthread_mutex_unlock(&world->lock);
  return error;
}

/// Names those that have not come: "for replica 1 and 2 others (id 7)".
void jr_meeting_describe(const jitrun_world_t *world,
                         const struct jr_meeting *meeting, char *text,
                         size_t size) {
  char name[JR_DEVICE_NAME_SIZE] = "";
  uint32_t others = 0;
  for (uint32_t i = 0; i < meeting->member_count; i++) {
    if (meeting->data[i])
      continue;
    if (!name[0])
      (void)jr_device_name(world, meeting->members[i], name);
    else
      others++;
  }
  char more[32] = "";
  if (others > 0)
    (void)snprintf(more, sizeof more, " and %u other%s", others,
                   others == 1 ? "" : "s");
  (void)snprintf(text, size, "for %s%s (id %" PRId64 ")", name, more,
                 meeting->id);
}

/// Why the meeting cannot take place any more.
static jitrun_error_t *check_meeting(const jitrun_world_t *world,
                                     const struct jr_meeting *meeting,
                                     const struct jr_wait *wait) {
  if (meeting->has_quarrel)
    return quarrel_error(meeting, wait->who);
  for (uint32_t i = 0; i < meeting->member_count; i++) {
    uint32_t member = meeting->members[i];
    if (!meeting->data[i] &&
        jr_device_is_over(&world->devices[member], meeting->round))
      return jr_device_error(world, member, meeting->round, wait);
  }
  return NULL;
}

jitrun_error_t *jr_meeting_await(jitrun_world_t *world,
                                 struct jr_meeting *meeting,
                                 const struct jr_wait *wait) {
  jitrun_error_t *error = NULL;
  struct jr_waiting waiting = {
      .device = wait->call ? jr_call_place(wait->call).device : JR_HOST,
      .meeting = meeting};
  (void)pthread_mutex_lock(&world->lock);
  jr_waiting_begin(world, &waiting);
  while (!error && (meeting->here_count < meeting->member_count ||
                    meeting->has_quarrel)) {
    error = check_meeting(world, meeting, wait);
    if (error)
      break;
    enum jr_wake wake = jr_world_wait(world, wait);
    if (wake != JR_WAKE_LOOK) {
      char what[JR_WAITING_SIZE];
      jr_meeting_describe(world, meeting, what, sizeof what);
      error = jr_wait_error(wait, wake, what);
    }
  }
  jr_waiting_end(world, &waiting);
  (void)pthread_mutex_unlock(&world->lock);
  return error;
}

void *const *jr_meeting_data(const struct jr_meeting *meeting) {
  return meeting->data;
}

void jr_meeting_leave(jitrun_world_t *world, struct jr_meeting *meeting,
                      uint32_t rank) {
  (void)pthread_mutex_lock(&world->lock);
  go(world, meeting, rank);
  (void)pthread_mutex_unlock(&world->lock);
}

void jr_meetings_end_round(jitrun_world_t *world, uint32_t device) {
  uint64_t round = world->devices[device].round;
  struct jr_meeting *next = NULL;
  for (struct jr_meeting *meeting = world->meetings; meeting; meeting = next) {
    next = meeting->next;
    for (uint32_t i = 0; meeting->round == round && i < meeting->member_count;
         i++) {
      if (meeting->members[i] != device)
        continue;
      go(world, meeting, i); // frees it, if it is the last
      break;
    }
  }
}

void jr_meetings_destroy(jitrun_world_t *world) {
  while (world->meetings) {
    struct jr_meeting *meeting = world->meetings;
    world->meetings = meeting->next;
    free_meeting(meeting);
  }
}
