/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Queues of messages: infeeds, outfeeds, channels. A queue is there as long as
/// it holds something. What goes from device to device belongs to the round of
/// executions in which it was sent; what the embedding program sends and
/// receives does not.
#include "customcalls/world_queues.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/dtype.h"
#include "base/error.h"
#include "base/strings.h"
#include "customcalls/builtins.h"
#include "customcalls/world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct part {
  jitrun_dtype_t dtype;
  uint64_t count;      ///< of elements
  jitrun_type_t *type; ///< its sizes, for messages
  void *data;          ///< dense, row-major
};

struct jr_message {
  struct jr_message *next;
  size_t count;
  struct part parts[];
};

struct jr_queue {
  struct jr_queue *next;
  struct jr_queue_key key;
  uint64_t round; ///< between devices; else 0
  struct jr_message *first, *last;
  size_t size;
};

void jr_message_destroy(struct jr_message *message) {
  if (!message)
    return;
  for (size_t i = 0; i < message->count; i++) {
    free(message->parts[i].type);
    free(message->parts[i].data);
  }
  free(message);
}

/// False when elements are further apart than memory is large.
static bool reach_fits(const jitrun_tensor_t *tensor, size_t bytes) {
  uint64_t reach = bytes;
  for (uint32_t i = 0; tensor->strides && i < tensor->rank; i++) {
    int64_t stride = tensor->strides[i];
    uint64_t step =
        stride < 0 ? (uint64_t)0 - (uint64_t)stride : (uint64_t)stride;
    uint64_t part;
    if (!jr_mul_u64(step, (uint64_t)tensor->dims[i] - 1, &part) ||
        !jr_mul_u64(part, bytes, &part) || part > INT64_MAX - reach)
      return false;
    reach += part;
  }
  return true;
}

static jitrun_error_t *check_tensor(const jitrun_tensor_t *tensor, size_t index,
                                    uint64_t *out_count) {
  uint64_t count = 1;
  size_t bytes = jr_dtype_size(tensor->dtype);
  if (bytes == 0 || tensor->dtype == JITRUN_DTYPE_OPAQUE ||
      tensor->dtype == JITRUN_DTYPE_TOKEN || tensor->rank > JR_MAX_RANK ||
      (tensor->rank > 0 && !tensor->dims))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "tensor %zu has dtype %d and rank %u; give a type of "
                    "numbers, at most %d dimensions, and their sizes",
                    index, (int)tensor->dtype, tensor->rank, JR_MAX_RANK);
  bool fits = true;
  for (uint32_t i = 0; i < tensor->rank; i++) {
    fits = fits && tensor->dims[i] >= 0 &&
           jr_mul_u64(count, (uint64_t)tensor->dims[i], &count);
  }
  if (!fits || count > INT64_MAX / bytes)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "tensor %zu has a negative size, or 2^63 bytes or more",
                    index);
  if (count > 0 && !reach_fits(tensor, bytes))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the strides of tensor %zu reach 2^63 bytes or more",
                    index);
  if (count > 0 && !tensor->data)
    return jr_error(JITRUN_INVALID_ARGUMENT, "tensor %zu has no data", index);
  *out_count = count;
  return NULL;
}

/// The record of a dense type of the tensor's sizes; NULL without memory.
static jitrun_type_t *make_type(const jitrun_tensor_t *tensor) {
  jitrun_type_t *type = jr_malloc(jr_type_record_size(tensor->rank));
  if (!type)
    return NULL;
  *type = (jitrun_type_t){.kind = JITRUN_KIND_BUFFER,
                          .dtype = (uint8_t)tensor->dtype,
                          .rank = (uint16_t)tensor->rank};
  int64_t *extents = (int64_t *)(void *)(type + 1);
  int64_t stride = 1;
  for (uint32_t i = tensor->rank; i-- > 0;) {
    extents[i] = tensor->dims[i];
    extents[tensor->rank + i] = stride;
    // nothing is read through the strides of what has no elements
    (void)__builtin_mul_overflow(stride, tensor->dims[i], &stride);
  }
  return type;
}

/// Copies between a tensor and dense elements of the type's sizes.
static void copy_tensor(const jitrun_tensor_t *tensor,
                        const jitrun_type_t *dense, void *data, bool is_out) {
  const int64_t *dense_strides = jitrun_type_strides(dense);
  const int64_t *strides = tensor->strides ? tensor->strides : dense_strides;
  jr_copy_elements(
      &(struct jr_copy){.to = is_out ? tensor->data : data,
                        .from = is_out ? data : tensor->data,
                        .dims = tensor->dims,
                        .to_strides = is_out ? strides : dense_strides,
                        .from_strides = is_out ? dense_strides : strides,
                        .rank = tensor->rank,
                        .element_bytes = jr_dtype_size(tensor->dtype)});
}

static jitrun_error_t *fill_part(struct part *part,
                                 const jitrun_tensor_t *tensor, size_t index) {
  uint64_t count = 0;
  jitrun_error_t *error = check_tensor(tensor, index, &count);
  if (error)
    return error;
  part->dtype = tensor->dtype;
  part->count = count;
  part->type = make_type(tensor);
  part->data = jr_malloc(count * jr_dtype_size(tensor->dtype));
  if (!part->type || !part->data)
    return jr_error_no_memory();
  copy_tensor(tensor, part->type, part->data, false);
  return NULL;
}

/// A message with room for so many parts, and none yet.
static jitrun_error_t *alloc_message(const jitrun_tensor_t *tensors,
                                     size_t count,
                                     struct jr_message **out_message) {
  *out_message = NULL;
  if (count > UINT16_MAX || (count > 0 && !tensors))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "a message of %zu tensors was asked for; give an array of "
                    "at most %d",
                    count, UINT16_MAX);
  struct jr_message *message =
      jr_calloc(1, sizeof *message + count * sizeof message->parts[0]);
  if (!message)
    return jr_error_no_memory();
  *out_message = message;
  return NULL;
}

jitrun_error_t *jr_message_create(const jitrun_tensor_t *tensors, size_t count,
                                  struct jr_message **out_message) {
  struct jr_message *message = NULL;
  *out_message = NULL;
  JITRUN_TRY(alloc_message(tensors, count, &message));
  jitrun_error_t *error = NULL;
  for (size_t i = 0; !error && i < count; i++) {
    message->count = i + 1;
    error = fill_part(&message->parts[i], &tensors[i], i);
  }
  if (error) {
    jr_message_destroy(message);
    return error;
  }
  *out_message = message;
  return NULL;
}

/// Appends "4xf32, 2xi32".
static const char *describe_parts(struct jr_bytes *text,
                                  const struct part *parts, size_t count) {
  enum { SHOWN = 4 };
  for (size_t i = 0; i < count && i < SHOWN; i++) {
    jr_bytes_append_text(text, i > 0 ? ", " : "");
    jr_type_format(text, parts[i].type);
  }
  if (count > SHOWN)
    jr_bytes_appendf(text, " and %zu more", count - SHOWN);
  const char *result = jr_bytes_text(text);
  return result ? result : "?";
}

/// "infeed of replica 0", "channel 3 from replica 0 to the host".
static const char *describe_queue(const jitrun_world_t *world,
                                  const struct jr_queue_key *key, char *text,
                                  size_t size) {
  char from[JR_DEVICE_NAME_SIZE] = "the host";
  char to[JR_DEVICE_NAME_SIZE] = "the host";
  if (key->from != JR_HOST)
    (void)jr_device_name(world, key->from, from);
  if (key->to != JR_HOST)
    (void)jr_device_name(world, key->to, to);
  bool is_infeed = key->from == JR_HOST;
  if (key->kind == JR_QUEUE_FEED)
    (void)snprintf(text, size, "%s of %s", is_infeed ? "infeed" : "outfeed",
                   is_infeed ? to : from);
  else
    (void)snprintf(text, size, "channel %" PRId64 " from %s to %s", key->handle,
                   from, to);
  return text;
}

enum { QUEUE_NAME_SIZE = 192 };

static bool same_key(const struct jr_queue_key *a,
                     const struct jr_queue_key *b) {
  return a->kind == b->kind && a->handle == b->handle && a->from == b->from &&
         a->to == b->to;
}

/// The round of a queue that `actor` uses now.
static uint64_t round_of(const jitrun_world_t *world,
                         const struct jr_queue_key *key, uint32_t actor) {
  bool is_between = key->from != JR_HOST && key->to != JR_HOST;
  return is_between ? world->devices[actor].round : 0;
}

static struct jr_queue *find_queue(const jitrun_world_t *world,
                                   const struct jr_queue_key *key,
                                   uint64_t round) {
  struct jr_queue *queue = world->queues;
  while (queue && (queue->round != round || !same_key(&queue->key, key)))
    queue = queue->next;
  return queue;
}

static void unlist_queue(jitrun_world_t *world, struct jr_queue *queue) {
  struct jr_queue **link = &world->queues;
  while (*link != queue)
    link = &(*link)->next;
  *link = queue->next;
  while (queue->first) {
    struct jr_message *message = queue->first;
    queue->first = message->next;
    jr_message_destroy(message);
  }
  free(queue);
}

static jitrun_error_t *check_key(const jitrun_world_t *world,
                                 const struct jr_queue_key *key,
                                 const char *who) {
  uint32_t count = world->device_count;
  bool is_to_wrong = key->to != JR_HOST && key->to >= count;
  bool is_from_wrong = key->from != JR_HOST && key->from >= count;
  bool is_wrong = is_to_wrong || is_from_wrong ||
                  (key->to == JR_HOST && key->from == JR_HOST);
  uint32_t wrong = is_from_wrong ? key->from : key->to;
  if (!is_wrong)
    return NULL;
  return jr_error(JITRUN_INVALID_ARGUMENT,
                  "%s: there is no device %u, the world has %u", who, wrong,
                  count);
}

/// The other end will not come any more.
static jitrun_error_t *check_end(const jitrun_world_t *world, uint32_t device,
                                 uint64_t round, const struct jr_wait *wait) {
  if (round == 0 || !jr_device_is_over(&world->devices[device], round))
    return NULL;
  return jr_device_error(world, device, round, wait);
}

void jr_queue_describe(const jitrun_world_t *world,
                       const struct jr_queue_key *key, bool is_put, char *text,
                       size_t size) {
  char name[QUEUE_NAME_SIZE];
  (void)snprintf(text, size, "%s %s",
                 is_put ? "for room in the" : "for something in the",
                 describe_queue(world, key, name, sizeof name));
}

/// True when there is room, or a message. Lock held.
static bool can_go_on(const jitrun_world_t *world,
                      const struct jr_queue_key *key, uint64_t round,
                      bool is_put) {
  const struct jr_queue *queue = find_queue(world, key, round);
  return is_put ? !queue || queue->size < world->queue_capacity : queue != NULL;
}

/// Sleeps until there may be; lock held.
static jitrun_error_t *sleep_for_queue(jitrun_world_t *world,
                                       const struct jr_queue_key *key,
                                       const struct jr_wait *wait,
                                       bool is_put) {
  struct jr_waiting waiting = {
      .device = is_put ? key->from : key->to, .key = key, .is_put = is_put};
  jr_waiting_begin(world, &waiting);
  enum jr_wake wake = jr_world_wait(world, wait);
  jr_waiting_end(world, &waiting);
  if (wake == JR_WAKE_LOOK)
    return NULL;
  char what[JR_WAITING_SIZE];
  jr_queue_describe(world, key, is_put, what, sizeof what);
  return jr_wait_error(wait, wake, what);
}

/// The end of a queue that a device has. Its own world is another than the
/// queue's where that has the feeds; their locks are taken in the order of
/// queue, own.
struct end {
  jitrun_world_t *own;
  struct jr_queue_key key; ///< by numbers of the own world
  bool is_put;
};

/// The embedding program gives and takes for all devices of a round, and will
/// hardly go on once one of them has failed. Queue's lock held.
static jitrun_error_t *check_others(const jitrun_world_t *world,
                                    const struct end *end,
                                    const struct jr_wait *wait) {
  uint32_t device = end->is_put ? end->key.from : end->key.to;
  bool is_outside = end->key.from == JR_HOST || end->key.to == JR_HOST;
  char what[JR_WAITING_SIZE];
  if (!wait->call || !is_outside || device == JR_HOST)
    return NULL;
  jr_queue_describe(end->own, &end->key, end->is_put, what, sizeof what);
  if (end->own != world)
    (void)pthread_mutex_lock(&end->own->lock);
  jitrun_error_t *error = jr_others_error(end->own, device, wait, what);
  if (end->own != world)
    (void)pthread_mutex_unlock(&end->own->lock);
  return error;
}

/// Waits for room, or for a message; lock held. OK with `wait` NULL too.
static jitrun_error_t *await_queue(jitrun_world_t *world,
                                   const struct jr_queue_key *key,
                                   const struct end *end,
                                   const struct jr_wait *wait) {
  bool is_put = end->is_put;
  uint64_t round = round_of(world, key, is_put ? key->from : key->to);
  while (wait) {
    if (is_put)
      JITRUN_TRY(check_end(world, key->to, round, wait));
    if (can_go_on(world, key, round, is_put))
      break;
    if (!is_put)
      JITRUN_TRY(check_end(world, key->from, round, wait));
    JITRUN_TRY(check_others(world, end, wait));
    JITRUN_TRY(sleep_for_queue(world, key, wait, is_put));
  }
  return NULL;
}

/// The queue, made if it is not there; NULL without memory.
static struct jr_queue *open_queue(jitrun_world_t *world,
                                   const struct jr_queue_key *key) {
  uint64_t round = round_of(world, key, key->from);
  struct jr_queue *queue = find_queue(world, key, round);
  if (queue)
    return queue;
  queue = jr_calloc(1, sizeof *queue);
  if (!queue)
    return NULL;
  queue->key = *key;
  queue->round = round;
  queue->next = world->queues;
  world->queues = queue;
  return queue;
}

/// Puts a message in if there is room; lock held.
static jitrun_error_t *put_message(jitrun_world_t *world,
                                   const struct jr_queue_key *key,
                                   struct jr_message **message) {
  uint64_t round = round_of(world, key, key->from);
  if (round > 0 && jr_device_is_over(&world->devices[key->to], round))
    return NULL; // nobody is left to take it
  struct jr_queue *queue = open_queue(world, key);
  if (!queue)
    return jr_error_no_memory();
  if (queue->size == world->queue_capacity)
    return NULL;
  if (queue->last)
    queue->last->next = *message;
  else
    queue->first = *message;
  queue->last = *message;
  queue->size++;
  *message = NULL;
  (void)pthread_cond_broadcast(&world->changed);
  return NULL;
}

/// Feeds may be another world's.
static jitrun_world_t *find_world(jitrun_world_t *world,
                                  struct jr_queue_key *key) {
  if (!world->feeds || key->kind != JR_QUEUE_FEED)
    return world;
  uint32_t *device = key->from == JR_HOST ? &key->to : &key->from;
  *device = world->feed_devices[*device];
  return world->feeds;
}

/// What the embedding program does for a channel of a device.
static jitrun_channel_t find_channel(jitrun_world_t *world,
                                     const struct jr_queue_key *key) {
  jitrun_channel_t channel = {0};
  uint32_t number = key->from == JR_HOST ? key->to : key->from;
  const struct jr_device *device = &world->devices[number];
  (void)pthread_mutex_lock(&world->lock);
  for (size_t i = 0; i < device->channel_count; i++) {
    if (device->channels[i].handle == key->handle)
      channel = device->channels[i];
  }
  (void)pthread_mutex_unlock(&world->lock);
  return channel;
}

/// NULL: nothing is to be called. A wait of the embedding program's own is none
/// of a device.
static jitrun_channel_fn_t find_function(jitrun_world_t *world,
                                         const struct jr_queue_key *key,
                                         const struct jr_wait *wait,
                                         jitrun_channel_t *out_channel) {
  bool is_outside = key->from == JR_HOST || key->to == JR_HOST;
  if (key->kind != JR_QUEUE_CHANNEL || !is_outside || (wait && !wait->call))
    return NULL;
  *out_channel = find_channel(world, key);
  return key->to == JR_HOST ? out_channel->receive : out_channel->supply;
}

static jitrun_error_t *check_channel(jitrun_code_t code,
                                     const struct jr_queue_key *key,
                                     const char *verb) {
  return code == JITRUN_OK
             ? NULL
             : jr_error(code,
                        "the embedding program's function that %s channel "
                        "%" PRId64 " has failed: %s",
                        verb, key->handle, jitrun_code_name(code));
}

static jitrun_error_t *give_message(const jitrun_channel_t *channel,
                                    const struct jr_queue_key *key,
                                    const struct jr_message *message) {
  jitrun_tensor_t *tensors = jr_calloc(message->count, sizeof *tensors);
  if (!tensors)
    return jr_error_no_memory();
  for (size_t i = 0; i < message->count; i++)
    tensors[i] =
        (jitrun_tensor_t){.dtype = message->parts[i].dtype,
                          .rank = message->parts[i].type->rank,
                          .dims = jitrun_type_dims(message->parts[i].type),
                          .data = message->parts[i].data};
  jitrun_code_t code =
      channel->receive(channel->context, key->from, tensors, message->count);
  free(tensors);
  return check_channel(code, key, "receives from");
}

jitrun_error_t *jr_queue_put(jitrun_world_t *world,
                             const struct jr_queue_key *given,
                             struct jr_message **message,
                             const struct jr_wait *wait) {
  struct jr_queue_key own_key = *given;
  const struct jr_queue_key *key = &own_key;
  const struct end end = {.own = world, .key = *given, .is_put = true};
  jitrun_channel_t channel;
  jitrun_error_t *error = check_key(world, key, wait ? wait->who : "send");
  if (error)
    return error;
  world = find_world(world, &own_key);
  if (find_function(world, key, wait, &channel)) {
    error = give_message(&channel, key, *message);
    jr_message_destroy(*message);
    *message = NULL;
    return error;
  }
  (void)pthread_mutex_lock(&world->lock);
  error = await_queue(world, key, &end, wait);
  if (!error)
    error = put_message(world, key, message);
  (void)pthread_mutex_unlock(&world->lock);
  return error;
}

static bool is_integer(jitrun_dtype_t dtype) {
  return dtype <= JITRUN_DTYPE_U64 || dtype == JITRUN_DTYPE_S4 ||
         dtype == JITRUN_DTYPE_U4;
}

/// Memrefs do not say whether integers have a sign.
static bool fits_part(const struct part *have, const struct part *wanted) {
  bool is_alike = have->dtype == wanted->dtype ||
                  (is_integer(have->dtype) && is_integer(wanted->dtype) &&
                   jr_dtype_size(have->dtype) == jr_dtype_size(wanted->dtype));
  return is_alike && have->count == wanted->count;
}

static jitrun_error_t *refuse_message(const jitrun_world_t *world,
                                      const struct jr_queue *queue,
                                      const struct jr_message *wanted,
                                      const char *who) {
  const struct jr_message *have = queue->first;
  char name[QUEUE_NAME_SIZE];
  struct jr_bytes have_text = {0};
  struct jr_bytes wanted_text = {0};
  jitrun_error_t *error = jr_error(
      JITRUN_INVALID_ARGUMENT,
      "%s: Mismatch between source buffer shape and dest buffer shape: the "
      "%s holds %zu next (%s), %zu are taken (%s)",
      who, describe_queue(world, &queue->key, name, sizeof name), have->count,
      describe_parts(&have_text, have->parts, have->count), wanted->count,
      describe_parts(&wanted_text, wanted->parts, wanted->count));
  jr_bytes_deinit(&have_text);
  jr_bytes_deinit(&wanted_text);
  return error;
}

/// Takes the first message out of a queue, if it is what is wanted; lock held.
static jitrun_error_t *pop_message(jitrun_world_t *world,
                                   struct jr_queue *queue,
                                   const struct jr_message *wanted,
                                   const char *who,
                                   struct jr_message **out_message) {
  struct jr_message *have = queue->first;
  bool fits = have->count == wanted->count;
  for (size_t i = 0; fits && i < have->count; i++)
    fits = fits_part(&have->parts[i], &wanted->parts[i]);
  if (!fits)
    return refuse_message(world, queue, wanted, who);
  *out_message = have;
  queue->first = have->next;
  have->next = NULL;
  if (--queue->size == 0)
    unlist_queue(world, queue);
  (void)pthread_cond_broadcast(&world->changed);
  return NULL;
}

/// What tensors are, without their elements.
static jitrun_error_t *describe_wanted(const jitrun_tensor_t *tensors,
                                       size_t count,
                                       struct jr_message **out_wanted) {
  struct jr_message *wanted = NULL;
  JITRUN_TRY(alloc_message(tensors, count, &wanted));
  jitrun_error_t *error = NULL;
  for (size_t i = 0; !error && i < count; i++) {
    struct part *part = &wanted->parts[i];
    part->dtype = tensors[i].dtype;
    wanted->count = i + 1;
    error = check_tensor(&tensors[i], i, &part->count);
    if (error)
      break;
    part->type = make_type(&tensors[i]);
    error = part->type ? NULL : jr_error_no_memory();
  }
  if (error) {
    jr_message_destroy(wanted);
    return error;
  }
  *out_wanted = wanted;
  return NULL;
}

jitrun_error_t *jr_queue_take(jitrun_world_t *world,
                              const struct jr_queue_key *given,
                              const jitrun_tensor_t *tensors, size_t count,
                              const struct jr_wait *wait) {
  struct jr_message *wanted = NULL;
  struct jr_message *message = NULL;
  struct jr_queue_key own_key = *given;
  const struct jr_queue_key *key = &own_key;
  const struct end end = {.own = world, .key = *given};
  jitrun_channel_t channel;
  JITRUN_TRY(check_key(world, key, wait->who));
  world = find_world(world, &own_key);
  if (find_function(world, key, wait, &channel))
    return check_channel(
        channel.supply(channel.context, key->to, tensors, count), key,
        "supplies");
  JITRUN_TRY(describe_wanted(tensors, count, &wanted));
  (void)pthread_mutex_lock(&world->lock);
  jitrun_error_t *error = await_queue(world, key, &end, wait);
  if (!error) {
    struct jr_queue *queue =
        find_queue(world, key, round_of(world, key, key->to));
    error = pop_message(world, queue, wanted, wait->who, &message);
  }
  (void)pthread_mutex_unlock(&world->lock);
  for (size_t i = 0; message && i < count; i++)
    copy_tensor(&tensors[i], wanted->parts[i].type, message->parts[i].data,
                true);
  jr_message_destroy(message);
  jr_message_destroy(wanted);
  return error;
}

void jr_queues_end_round(jitrun_world_t *world, uint32_t device) {
  uint64_t round = world->devices[device].round;
  struct jr_queue *next = NULL;
  for (struct jr_queue *queue = world->queues; queue; queue = next) {
    next = queue->next;
    if (queue->round == round && queue->key.to == device)
      unlist_queue(world, queue);
  }
}

void jr_queues_destroy(jitrun_world_t *world) {
  while (world->queues)
    unlist_queue(world, world->queues);
}

/// The embedding program's ends of the queues.
static jitrun_error_t *put_from_host(jitrun_world_t *world,
                                     const struct jr_queue_key *key,
                                     const jitrun_tensor_t *tensors,
                                     size_t count, const struct jr_wait *wait) {
  struct jr_message *message = NULL;
  JITRUN_TRY(check_key(world, key, wait->who));
  JITRUN_TRY(jr_message_create(tensors, count, &message));
  jitrun_error_t *error = jr_queue_put(world, key, &message, wait);
  jr_message_destroy(message);
  return error;
}

jitrun_error_t *jitrun_world_feed_push(jitrun_world_t *world, uint32_t device,
                                       const jitrun_tensor_t *tensors,
                                       size_t count, int64_t timeout_ns) {
  struct jr_wait wait = jr_wait_begin("a push", NULL, timeout_ns);
  return put_from_host(
      world, &(struct jr_queue_key){JR_QUEUE_FEED, 0, JR_HOST, device}, tensors,
      count, &wait);
}

jitrun_error_t *jitrun_world_feed_pop(jitrun_world_t *world, uint32_t device,
                                      const jitrun_tensor_t *tensors,
                                      size_t count, int64_t timeout_ns) {
  struct jr_wait wait = jr_wait_begin("a pop", NULL, timeout_ns);
  return jr_queue_take(
      world, &(struct jr_queue_key){JR_QUEUE_FEED, 0, device, JR_HOST}, tensors,
      count, &wait);
}

jitrun_error_t *jitrun_world_send(jitrun_world_t *world, uint32_t device,
                                  int64_t handle, const jitrun_tensor_t *tensor,
                                  int64_t timeout_ns) {
  struct jr_wait wait = jr_wait_begin("a send", NULL, timeout_ns);
  return put_from_host(
      world, &(struct jr_queue_key){JR_QUEUE_CHANNEL, handle, JR_HOST, device},
      tensor, 1, &wait);
}

jitrun_error_t *jitrun_world_recv(jitrun_world_t *world, uint32_t device,
                                  int64_t handle, const jitrun_tensor_t *tensor,
                                  int64_t timeout_ns) {
  struct jr_wait wait = jr_wait_begin("a recv", NULL, timeout_ns);
  return jr_queue_take(
      world, &(struct jr_queue_key){JR_QUEUE_CHANNEL, handle, device, JR_HOST},
      tensor, 1, &wait);
}
