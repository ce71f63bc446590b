/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What a world is made of: devices, meetings of collective calls, queues of
/// messages, and what one device has started and not finished. All is under the
/// world's one lock, and whoever waits is woken by its one condition; a wait
/// ends each few milliseconds to see whether its execution is to stop.
#ifndef JR_CUSTOMCALLS_WORLD_H
#define JR_CUSTOMCALLS_WORLD_H

#include "customcalls/world_queues.h"
#include "jitrun/customcall.h"
#include "jitrun/world.h"

#include <pthread.h>

/// Which calls number themselves together: an id of one space is not one of
/// another.
enum jr_space { JR_SPACE_OP, JR_SPACE_CHANNEL, JR_SPACE_JITRUN };

/// What has been started and is to be finished by another call.
enum jr_event_kind { JR_EVENT_COLLECTIVE, JR_EVENT_TRANSFER };

struct jr_event {
  struct jr_event *next;
  enum jr_event_kind kind;
  int64_t id;
  void *payload;
  void (*drop)(void *payload);
};

/// Those of one execution, which may come from several of its threads.
struct jr_events {
  pthread_mutex_t lock;
  struct jr_event *first;
};

void jr_events_init(struct jr_events *events);
void jr_events_deinit(struct jr_events *events);
void jr_events_clear(struct jr_events *events);

enum jr_added { JR_ADDED, JR_ADDED_TWICE, JR_NOT_ADDED };

/// Adds one that owns its payload, unless one of that id is there (TWICE) or
/// memory is short (NOT): then the caller keeps it. `drop` NULL: nothing to do.
enum jr_added jr_events_add(struct jr_events *events,
                            const struct jr_event *event);

/// Takes one out; false when there is none.
bool jr_events_take(struct jr_events *events, enum jr_event_kind kind,
                    int64_t id, void **out_payload);

/// How many calls of one name a group's member has made in this round.
struct jr_tally {
  uint32_t space;
  int64_t id;
  uint64_t group; ///< hash of its members
  uint64_t count;
};

enum { JR_FAILURE_SIZE = 256 };

struct jr_device {
  uint64_t round; ///< of the execution that runs or ran last; 0: none yet
  uint32_t depth; ///< executions that run: one, and those that are part of it
  uint64_t failed_rounds; ///< a bit for each of the last 64 that had an error,
                          ///< this one's the lowest
  char failure[JR_FAILURE_SIZE];    ///< what the last of these says
  const jitrun_channel_t *channels; ///< of the embedding program's functions
  size_t channel_count;
  struct jr_tally *tallies; ///< sorted
  size_t tally_count, tally_capacity;
  struct jr_events events;
};

/// One who waits now, for a queue or for a meeting.
struct jr_waiting {
  struct jr_waiting *next;
  uint32_t device;                ///< or JR_HOST
  const struct jr_queue_key *key; ///< NULL: for the meeting
  bool is_put;                    ///< for room in the queue
  const struct jr_meeting *meeting;
};

struct jitrun_world {
  /// Those of jr_world_enter() and _leave(): programs that make no worlds are
  /// linked without this code.
  jitrun_error_t *(*enter)(jitrun_world_t *world, uint32_t replica,
                           uint32_t partition);
  void (*leave)(jitrun_world_t *world, uint32_t replica, uint32_t partition,
                const jitrun_error_t *error);
  uint32_t replica_count, partition_count, device_count;
  jitrun_world_t *feeds;  ///< retained: has the feeds; NULL: this one
  uint32_t *feed_devices; ///< numbers there
  const char *platform;   ///< devices are called "device host:0"; NULL: they
                          ///< are replicas and partitions
  int64_t timeout_ns;
  size_t queue_capacity;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  uint64_t references;
  struct jr_device *devices;
  struct jr_meeting *meetings;
  struct jr_queue *queues;
  struct jr_waiting *waiting;
};

/// As the public ones, for who must not need the rest of a world.
static inline uint32_t jr_world_replicas(const jitrun_world_t *world) {
  return world->replica_count;
}

static inline uint32_t jr_world_partitions(const jitrun_world_t *world) {
  return world->partition_count;
}

/// One wait: who waits, for how long.
struct jr_wait {
  const char *who;           ///< name of the call, for messages
  const jitrun_call_t *call; ///< whose execution may be told to stop; or NULL
  uint64_t deadline_ns;      ///< UINT64_MAX: none
  int64_t timeout_ns;        ///< as it was asked for, for messages
};

/// A wait that begins now; below 0: for ever.
struct jr_wait jr_wait_begin(const char *who, const jitrun_call_t *call,
                             int64_t timeout_ns);

enum jr_wake { JR_WAKE_LOOK, JR_WAKE_CANCELLED, JR_WAKE_DEADLINE };

/// Waits for a change of the world, whose lock is held; LOOK: perhaps.
enum jr_wake jr_world_wait(jitrun_world_t *world, const struct jr_wait *wait);

/// Why a wait ended; `what` is "for room in its outfeed". LOOK: no error.
jitrun_error_t *jr_wait_error(const struct jr_wait *wait, enum jr_wake wake,
                              const char *what) JITRUN_MUST_USE;

/// Before anybody uses the world: its devices' feeds are those of other ones,
/// by number, in a world that is retained.
void jr_world_set_feeds(jitrun_world_t *world, jitrun_world_t *feeds,
                        /*own*/ uint32_t *numbers);

/// What is called when the device sends to the embedding program or receives
/// from it, by those channels; until the next call.
void jr_world_set_channels(jitrun_world_t *world, uint32_t device,
                           const jitrun_channel_t *channels, size_t count);

/// Who waits is listed meanwhile, for jr_world_describe(). Lock held.
void jr_waiting_begin(jitrun_world_t *world, struct jr_waiting *waiting);
void jr_waiting_end(jitrun_world_t *world, const struct jr_waiting *waiting);

enum { JR_WAITING_SIZE = 256 };

/// What a call of the device waits for, "for something in the infeed of replica
/// 0"; "": for nothing.
const char *jr_world_describe(jitrun_world_t *world, uint32_t device,
                              char buffer[JR_WAITING_SIZE]);

/// The same of one who is listed. Lock held.
void jr_meeting_describe(const jitrun_world_t *world,
                         const struct jr_meeting *meeting, char *text,
                         size_t size);
void jr_queue_describe(const jitrun_world_t *world,
                       const struct jr_queue_key *key, bool is_put, char *text,
                       size_t size);

enum { JR_DEVICE_NAME_SIZE = 64 };

/// "replica 1", or "replica 1, partition 0" where there are several.
const char *jr_device_name(const jitrun_world_t *world, uint32_t device,
                           char buffer[JR_DEVICE_NAME_SIZE]);

/// An execution begins on a device, and ends, with or without an error. It
/// keeps the world in between. INVALID_ARGUMENT when there is no such device.
/// Nothing for world NULL.
JITRUN_MUST_USE static inline jitrun_error_t *
jr_world_enter(jitrun_world_t *world, uint32_t replica, uint32_t partition) {
  return world ? world->enter(world, replica, partition) : NULL;
}
static inline void jr_world_leave(jitrun_world_t *world, uint32_t replica,
                                  uint32_t partition,
                                  const jitrun_error_t *error) {
  if (world)
    world->leave(world, replica, partition, error);
}

/// True when the device does not execute round `round` any more. Lock held.
bool jr_device_is_over(const struct jr_device *device, uint64_t round);

/// ABORTED: `wait` is for a device whose execution is over. Lock held.
jitrun_error_t *jr_device_error(const jitrun_world_t *world, uint32_t device,
                                uint64_t round,
                                const struct jr_wait *wait) JITRUN_MUST_USE;

/// ABORTED when another device's execution of the round that `device` is in has
/// failed: `what` is "for something in its infeed", which will hardly come.
/// NULL otherwise. Lock held.
jitrun_error_t *jr_others_error(const jitrun_world_t *world, uint32_t device,
                                const struct jr_wait *wait,
                                const char *what) JITRUN_MUST_USE;

/// What one member of a group brings to a meeting, and what all must agree in.
/// Members are device numbers in the order of their ranks.
struct jr_offer {
  const char *who; ///< name of the call
  uint32_t space;
  int64_t id;
  const uint32_t *members;
  uint32_t member_count, rank;
  const char *kind; ///< "all_reduce sum"; a constant
  const uint8_t *dtypes;
  const uint64_t *counts; ///< of elements
  uint32_t buffer_count;
};

struct jr_meeting;

/// Joins the meeting that the call belongs to, with `data` (to be freed with
/// free(), even on failure), and does not wait. INVALID_ARGUMENT when another
/// member called something else.
jitrun_error_t *
jr_meeting_join(jitrun_world_t *world, const struct jr_offer *offer,
                /*own*/ void *data,
                struct jr_meeting **out_meeting) JITRUN_MUST_USE;

/// Waits until all members are there. Then the data of all stay, and may be
/// read without the lock, until this member leaves.
jitrun_error_t *jr_meeting_await(jitrun_world_t *world,
                                 struct jr_meeting *meeting,
                                 const struct jr_wait *wait) JITRUN_MUST_USE;

/// What the members brought, in the order of the ranks.
void *const *jr_meeting_data(const struct jr_meeting *meeting);

/// The member needs it no more.
void jr_meeting_leave(jitrun_world_t *world, struct jr_meeting *meeting,
                      uint32_t rank);

/// A device's round is over, it leaves all meetings. Lock held.
void jr_meetings_end_round(jitrun_world_t *world, uint32_t device);

void jr_meetings_destroy(jitrun_world_t *world);

#endif
