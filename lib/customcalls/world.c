/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Worlds: their devices, the rounds of executions on them, and waiting. A
/// device that ends its round says so at once, so that nobody waits out the
/// time for one that will not come.
#include "customcalls/world.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/options.h"
#include "base/threads.h"

#include <stdio.h>
#include <stdlib.h>

enum {
  MAX_DEVICES = 1 << 16,
  DEFAULT_TIMEOUT_S = 120,
  DEFAULT_CAPACITY = 64,
  POLL_NS = 5000000 ///< how long it may take to see that one is to stop
};

void jr_events_init(struct jr_events *events) {
  (void)pthread_mutex_init(&events->lock, NULL);
  events->first = NULL;
}

void jr_events_clear(struct jr_events *events) {
  (void)pthread_mutex_lock(&events->lock);
  struct jr_event *event = events->first;
  events->first = NULL;
  (void)pthread_mutex_unlock(&events->lock);
  while (event) {
    struct jr_event *next = event->next;
    if (event->drop)
      event->drop(event->payload);
    free(event);
    event = next;
  }
}

void jr_events_deinit(struct jr_events *events) {
  jr_events_clear(events);
  (void)pthread_mutex_destroy(&events->lock);
}

/// The link to an event, or to where one is added. Lock held.
static struct jr_event **find_event(struct jr_events *events,
                                    enum jr_event_kind kind, int64_t id) {
  struct jr_event **link = &events->first;
  while (*link && ((*link)->kind != kind || (*link)->id != id))
    link = &(*link)->next;
  return link;
}

enum jr_added jr_events_add(struct jr_events *events,
                            const struct jr_event *event) {
  struct jr_event *copy = jr_malloc(sizeof *copy);
  if (!copy)
    return JR_NOT_ADDED;
  *copy = *event;
  copy->next = NULL;
  (void)pthread_mutex_lock(&events->lock);
  struct jr_event **link = find_event(events, event->kind, event->id);
  bool is_new = !*link;
  if (is_new)
    *link = copy;
  (void)pthread_mutex_unlock(&events->lock);
  if (is_new)
    return JR_ADDED;
  free(copy);
  return JR_ADDED_TWICE;
}

bool jr_events_take(struct jr_events *events, enum jr_event_kind kind,
                    int64_t id, void **out_payload) {
  (void)pthread_mutex_lock(&events->lock);
  struct jr_event **link = find_event(events, kind, id);
  struct jr_event *event = *link;
  if (event)
    *link = event->next;
  (void)pthread_mutex_unlock(&events->lock);
  *out_payload = event ? event->payload : NULL;
  free(event);
  return event != NULL;
}

struct jr_wait jr_wait_begin(const char *who, const jitrun_call_t *call,
                             int64_t timeout_ns) {
  uint64_t now = jr_clock_ns();
  bool is_limited =
      timeout_ns >= 0 && (uint64_t)timeout_ns < UINT64_MAX - 1 - now;
  return (struct jr_wait){.who = who,
                          .call = call,
                          .deadline_ns = is_limited ? now + (uint64_t)timeout_ns
                                                    : UINT64_MAX,
                          .timeout_ns = timeout_ns};
}

/// Sleeps. The call may be on a thread that others' work needs.
static void sleep_until(jitrun_world_t *world, uint64_t until_ns) {
  jr_pool_block();
  if (until_ns == UINT64_MAX) {
    (void)pthread_cond_wait(&world->changed, &world->lock);
  } else {
    const struct timespec time = {.tv_sec = (time_t)(until_ns / JR_NS_PER_S),
                                  .tv_nsec = (long)(until_ns % JR_NS_PER_S)};
    (void)pthread_cond_timedwait(&world->changed, &world->lock, &time);
  }
  jr_pool_unblock();
}

enum jr_wake jr_world_wait(jitrun_world_t *world, const struct jr_wait *wait) {
  if (wait->call && wait->call->site->api->cancelled(wait->call))
    return JR_WAKE_CANCELLED;
  uint64_t now = jr_clock_ns();
  if (now >= wait->deadline_ns)
    return JR_WAKE_DEADLINE;
  uint64_t until = wait->deadline_ns;
  if (wait->call && until - now > POLL_NS)
    until = now + POLL_NS;
  sleep_until(world, until);
  return JR_WAKE_LOOK;
}

jitrun_error_t *jr_wait_error(const struct jr_wait *wait, enum jr_wake wake,
                              const char *what) {
  if (wake == JR_WAKE_CANCELLED)
    return jr_error(JITRUN_CANCELLED, "%s was cancelled while it waited %s",
                    wait->who, what);
  if (wake == JR_WAKE_DEADLINE)
    return jr_error(JITRUN_DEADLINE_EXCEEDED, "%s waited %.9g s %s", wait->who,
                    (double)wait->timeout_ns / (double)JR_NS_PER_S, what);
  return NULL;
}

void jr_world_set_feeds(jitrun_world_t *world, jitrun_world_t *feeds,
                        uint32_t *numbers) {
  jitrun_world_retain(feeds);
  world->feeds = feeds;
  world->feed_devices = numbers;
}

void jr_world_set_channels(jitrun_world_t *world, uint32_t device,
                           const jitrun_channel_t *channels, size_t count) {
  (void)pthread_mutex_lock(&world->lock);
  world->devices[device].channels = channels;
  world->devices[device].channel_count = count;
  (void)pthread_mutex_unlock(&world->lock);
}

void jr_waiting_begin(jitrun_world_t *world, struct jr_waiting *waiting) {
  waiting->next = world->waiting;
  world->waiting = waiting;
}

void jr_waiting_end(jitrun_world_t *world, const struct jr_waiting *waiting) {
  struct jr_waiting **link = &world->waiting;
  while (*link != waiting)
    link = &(*link)->next;
  *link = waiting->next;
}

const char *jr_world_describe(jitrun_world_t *world, uint32_t device,
                              char buffer[JR_WAITING_SIZE]) {
  buffer[0] = '\0';
  (void)pthread_mutex_lock(&world->lock);
  const struct jr_waiting *waiting = world->waiting;
  while (waiting && waiting->device != device)
    waiting = waiting->next;
  if (waiting && waiting->key)
    jr_queue_describe(world, waiting->key, waiting->is_put, buffer,
                      JR_WAITING_SIZE);
  else if (waiting)
    jr_meeting_describe(world, waiting->meeting, buffer, JR_WAITING_SIZE);
  (void)pthread_mutex_unlock(&world->lock);
  if (!buffer[0] && world->feeds)
    return jr_world_describe(world->feeds, world->feed_devices[device], buffer);
  return buffer;
}

const char *jr_device_name(const jitrun_world_t *world, uint32_t device,
                           char buffer[JR_DEVICE_NAME_SIZE]) {
  uint32_t replica = device / world->partition_count;
  uint32_t partition = device % world->partition_count;
  if (world->platform)
    (void)snprintf(buffer, JR_DEVICE_NAME_SIZE, "device %s:%u", world->platform,
                   device);
  else if (world->partition_count == 1)
    (void)snprintf(buffer, JR_DEVICE_NAME_SIZE, "replica %u", replica);
  else
    (void)snprintf(buffer, JR_DEVICE_NAME_SIZE, "replica %u, partition %u",
                   replica, partition);
  return buffer;
}

static jitrun_error_t *read_options(const jitrun_world_options_t *options,
                                    jitrun_world_t *world) {
  jitrun_world_options_t given = {0};
  JITRUN_TRY(jr_options_read(options, "of a world", &given, sizeof given));
  world->timeout_ns = given.timeout_ns;
  if (given.timeout_ns == 0)
    world->timeout_ns = DEFAULT_TIMEOUT_S * (int64_t)JR_NS_PER_S;
  world->queue_capacity = given.queue_capacity;
  if (given.queue_capacity == 0)
    world->queue_capacity = DEFAULT_CAPACITY;
  return NULL;
}

static void init_sync(jitrun_world_t *world) {
  pthread_condattr_t attributes;
  (void)pthread_condattr_init(&attributes);
  (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  (void)pthread_cond_init(&world->changed, &attributes);
  (void)pthread_condattr_destroy(&attributes);
  (void)pthread_mutex_init(&world->lock, NULL);
  for (uint32_t i = 0; i < world->device_count; i++)
    jr_events_init(&world->devices[i].events);
}

static jitrun_error_t *enter_device(jitrun_world_t *world, uint32_t replica,
                                    uint32_t partition) {
  if (replica >= world->replica_count || partition >= world->partition_count)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "there is no replica %u, partition %u in a world of %u "
                    "replicas of %u partitions; they count from 0",
                    replica, partition, world->replica_count,
                    world->partition_count);
  struct jr_device *device =
      &world->devices[replica * world->partition_count + partition];
  (void)pthread_mutex_lock(&world->lock);
  world->references++;
  if (device->depth++ == 0) {
    device->round++;
    device->failed_rounds <<= 1;
    device->tally_count = 0;
  }
  (void)pthread_mutex_unlock(&world->lock);
  return NULL;
}

static void leave_device(jitrun_world_t *world, uint32_t replica,
                         uint32_t partition, const jitrun_error_t *error) {
  uint32_t number = replica * world->partition_count + partition;
  struct jr_device *device = &world->devices[number];
  (void)pthread_mutex_lock(&world->lock);
  bool is_last = device->depth == 1;
  (void)pthread_mutex_unlock(&world->lock);
  if (is_last) // what was started and not finished leaves its meeting
    jr_events_clear(&device->events);
  (void)pthread_mutex_lock(&world->lock);
  if (error) {
    device->failed_rounds |= 1;
    (void)snprintf(device->failure, sizeof device->failure, "%s",
                   jitrun_error_message(error));
  }
  if (--device->depth == 0) {
    jr_meetings_end_round(world, number);
    jr_queues_end_round(world, number);
  }
  (void)pthread_cond_broadcast(&world->changed);
  (void)pthread_mutex_unlock(&world->lock);
  jitrun_world_release(world);
}

jitrun_error_t *jitrun_world_create(uint32_t replica_count,
                                    uint32_t partition_count,
                                    const jitrun_world_options_t *options,
                                    jitrun_world_t **out_world) {
  JR_NEED(out_world);
  *out_world = NULL;
  uint64_t count = (uint64_t)replica_count * partition_count;
  if (count == 0 || count > MAX_DEVICES)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "a world has 1 to %d devices; %u replicas of %u partitions "
                    "were asked for",
                    MAX_DEVICES, replica_count, partition_count);
  jitrun_world_t *world = jr_calloc(1, sizeof *world);
  if (!world)
    return jr_error_no_memory();
  jitrun_error_t *error = read_options(options, world);
  if (!error) {
    world->devices = jr_calloc(count, sizeof *world->devices);
    error = world->devices ? NULL : jr_error_no_memory();
  }
  if (error) {
    free(world);
    return error;
  }
  world->replica_count = replica_count;
  world->partition_count = partition_count;
  world->device_count = (uint32_t)count;
  world->references = 1;
  world->enter = enter_device;
  world->leave = leave_device;
  init_sync(world);
  *out_world = world;
  return NULL;
}

void jitrun_world_retain(jitrun_world_t *world) {
  (void)pthread_mutex_lock(&world->lock);
  world->references++;
  (void)pthread_mutex_unlock(&world->lock);
}

void jitrun_world_release(jitrun_world_t *world) {
  if (!world)
    return;
  (void)pthread_mutex_lock(&world->lock);
  bool is_last = --world->references == 0;
  (void)pthread_mutex_unlock(&world->lock);
  if (!is_last)
    return;
  jr_meetings_destroy(world);
  jr_queues_destroy(world);
  for (uint32_t i = 0; i < world->device_count; i++) {
    jr_events_deinit(&world->devices[i].events);
    free(world->devices[i].tallies);
  }
  (void)pthread_cond_destroy(&world->changed);
  (void)pthread_mutex_destroy(&world->lock);
  jitrun_world_release(world->feeds);
  free(world->feed_devices);
  free(world->devices);
  free(world);
}

uint32_t jitrun_world_replica_count(const jitrun_world_t *world) {
  return world->replica_count;
}

uint32_t jitrun_world_partition_count(const jitrun_world_t *world) {
  return world->partition_count;
}

bool jr_device_is_over(const struct jr_device *device, uint64_t round) {
  return device->round > round ||
         (device->round == round && device->depth == 0 && round > 0);
}

/// Whether a device's execution of a round had an error. Of rounds that are too
/// long ago: whether all that ended since had one.
static bool has_failed(const struct jr_device *device, uint64_t round) {
  uint64_t age = device->round - round;
  if (round == 0 || device->round < round)
    return false;
  return age < 64 ? device->failed_rounds >> age & 1
                  : (device->failed_rounds | 1) == UINT64_MAX;
}

jitrun_error_t *jr_device_error(const jitrun_world_t *world, uint32_t device,
                                uint64_t round, const struct jr_wait *wait) {
  char name[JR_DEVICE_NAME_SIZE];
  const struct jr_device *other = &world->devices[device];
  (void)jr_device_name(world, device, name);
  if (has_failed(other, round))
    return jr_error_follow(jr_error(JITRUN_ABORTED,
                                    "%s waits for %s, which has failed: %s",
                                    wait->who, name, other->failure));
  return jr_error_follow(
      jr_error(JITRUN_ABORTED,
               "%s waits for %s, whose execution has ended without this call",
               wait->who, name));
}

jitrun_error_t *jr_others_error(const jitrun_world_t *world, uint32_t device,
                                const struct jr_wait *wait, const char *what) {
  uint64_t round = world->devices[device].round;
  char name[JR_DEVICE_NAME_SIZE];
  for (uint32_t i = 0; i < world->device_count; i++) {
    const struct jr_device *other = &world->devices[i];
    if (i != device && has_failed(other, round) &&
        jr_device_is_over(other, round))
      return jr_error_follow(jr_error(
          JITRUN_ABORTED, "%s waited %s, and %s has failed: %s", wait->who,
          what, jr_device_name(world, i, name), other->failure));
  }
  return NULL;
}
