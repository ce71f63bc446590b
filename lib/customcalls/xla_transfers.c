/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// XLA's infeed and outfeed, and its transfers to and from the host, which are
/// started by one call and finished by another.
#include "customcalls/transfers.h"
#include "customcalls/xla.h"

#include "base/alloc.h"
#include "base/dtype.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const jitrun_attr_param_t feed_attrs[] = {
    {.name = "config", .kind = JITRUN_ATTR_STRING, JR_XLA_OPTIONAL}};

const jitrun_signature_t jr_xla_infeed_types = {.size =
                                                    sizeof(jitrun_signature_t),
                                                .attrs = feed_attrs,
                                                .attr_count = 1,
                                                .flags = JITRUN_VARIADIC_ARGS};

const jitrun_signature_t jr_xla_cpu_infeed_types = {
    .size = sizeof(jitrun_signature_t), .flags = JITRUN_VARIADIC_ARGS};

static const jitrun_attr_param_t cpu_outfeed_attrs[] = {
    {.name = "result_type", .kind = 0, JR_XLA_OF(S32)}};

const jitrun_signature_t jr_xla_cpu_outfeed_types = {
    .size = sizeof(jitrun_signature_t),
    .attrs = cpu_outfeed_attrs,
    .attr_count = 1,
    .flags = JITRUN_VARIADIC_ARGS};

jitrun_error_t *jr_xla_cpu_outfeed_check(jitrun_call_t *call) {
  const jitrun_attr_t *attr = &call->attrs[0];
  bool is_list =
      attr->kind == JITRUN_ATTR_ARRAY || attr->kind == JITRUN_ATTR_TENSOR;
  if (!is_list || attr->count != call->site->arg_count)
    return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                         "%s: attribute 'result_type' must be an array of %u "
                         "numbers, one for each argument",
                         call->site->target, call->site->arg_count);
  const int32_t *numbers = attr->value.data;
  for (uint32_t i = 0; i < call->site->arg_count; i++) {
    size_t bytes =
        numbers[i] > 0 ? jr_dtype_size((jitrun_dtype_t)numbers[i]) : 0;
    uint8_t dtype = call->site->types[i]->dtype;
    if (bytes == 0 || bytes != jr_dtype_size((jitrun_dtype_t)dtype))
      return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                           "%s: result_type of argument %u is %d, which is no "
                           "type of the size of %s",
                           call->site->target, i, numbers[i],
                           jr_dtype_name((jitrun_dtype_t)dtype));
  }
  return jr_transfer_check(call);
}

jitrun_error_t *jr_xla_cpu_outfeed(jitrun_call_t *call) {
  return jr_outfeed_put(call, call->attrs[0].value.data);
}

static const jitrun_param_t transfer_args[] = {
    {.name = "buffer", JR_XLA_BUFFER}};

static const jitrun_attr_param_t transfer_attrs[] = {
    {.name = "channel_handle", .kind = JITRUN_ATTR_DICT},
    {.name = "frontend_attributes", .kind = JITRUN_ATTR_DICT, JR_XLA_OPTIONAL}};

const jitrun_signature_t jr_xla_transfer_types = {
    .size = sizeof(jitrun_signature_t),
    .args = transfer_args,
    .arg_count = 1,
    .attrs = transfer_attrs,
    .attr_count = 2};

const jitrun_signature_t jr_xla_done_host_types = {
    .size = sizeof(jitrun_signature_t),
    .attrs = transfer_attrs,
    .attr_count = 1};

/// Keeps the channel's handle as the state of the site.
jitrun_error_t *jr_xla_channel_read(jitrun_call_t *call) {
  const jitrun_attr_t *channel = &call->attrs[0];
  for (uint64_t i = 0; i < channel->count; i++) {
    const jitrun_attr_t *item = &channel->value.items[i];
    if (strcmp(item->name, "handle") == 0 && item->kind == JITRUN_ATTR_SCALAR &&
        item->dtype == JITRUN_DTYPE_S64)
      return jr_call_keep(call, &item->value.s64, sizeof item->value.s64);
  }
  return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                       "%s: attribute 'channel_handle' has no 'handle' of i64",
                       call->site->target);
}

static int64_t handle_of(const jitrun_call_t *call) {
  const int64_t *handle = call->state;
  return *handle;
}

/// A transfer that has been started: one that sends has the message until there
/// is room for it, one that receives has where it goes to.
struct transfer {
  const char *who;
  struct jr_queue_key key;
  struct jr_message *message;
  jitrun_arg_t to; ///< its type lies behind the structure
};

static void drop_transfer(void *payload) {
  struct transfer *transfer = payload;
  jr_message_destroy(transfer->message);
  free(transfer);
}

static jitrun_error_t *no_memory(const jitrun_call_t *call) {
  return jr_call_error(call, JITRUN_RESOURCE_EXHAUSTED, "%s: out of memory",
                       call->site->target);
}

/// Remembers a transfer, which is dropped when that fails.
static jitrun_error_t *remember(jitrun_call_t *call,
                                /*own*/ struct transfer *transfer) {
  int64_t handle = transfer->key.handle;
  struct jr_events *events = NULL;
  jitrun_error_t *error = jr_call_events(call, &events);
  enum jr_added added = JR_NOT_ADDED;
  if (!error)
    added = jr_events_add(events, &(struct jr_event){.kind = JR_EVENT_TRANSFER,
                                                     .id = handle,
                                                     .payload = transfer,
                                                     .drop = drop_transfer});
  if (added == JR_ADDED)
    return NULL;
  drop_transfer(transfer);
  if (error)
    return error;
  if (added == JR_NOT_ADDED)
    return no_memory(call);
  return jr_call_error(
      call, JITRUN_ALREADY_EXISTS,
      "Async send/recv event already exists (handle=%" PRId64 ")", handle);
}

static struct transfer *make_transfer(const jitrun_call_t *call,
                                      const struct jr_queue_key *key,
                                      const jitrun_arg_t *arg) {
  size_t type_bytes = jr_type_record_size(arg->type->rank);
  struct transfer *transfer = jr_malloc(sizeof *transfer + type_bytes);
  if (!transfer)
    return NULL;
  *transfer =
      (struct transfer){.who = call->site->target, .key = *key, .to = *arg};
  transfer->to.type = memcpy(transfer + 1, arg->type, type_bytes);
  return transfer;
}

/// Sends at once if there is room; else when it is done.
jitrun_error_t *jr_xla_send(jitrun_call_t *call) {
  const jitrun_arg_t *arg = jitrun_call_args(call);
  struct jr_place place;
  jitrun_error_t *error = jr_transfer_place(call, &place);
  if (error)
    return error;
  const struct jr_queue_key key = {JR_QUEUE_CHANNEL, handle_of(call),
                                   place.device, JR_HOST};
  struct transfer *transfer = make_transfer(call, &key, arg);
  if (!transfer)
    return no_memory(call);
  const jitrun_tensor_t tensor = jr_arg_tensor(arg);
  error = jr_message_create(&tensor, 1, &transfer->message);
  if (!error)
    error = jr_queue_put(place.world, &key, &transfer->message, NULL);
  if (error) {
    drop_transfer(transfer);
    return error;
  }
  return remember(call, transfer);
}

jitrun_error_t *jr_xla_recv(jitrun_call_t *call) {
  struct jr_place place;
  jitrun_error_t *error = jr_transfer_place(call, &place);
  if (error)
    return error;
  const struct jr_queue_key key = {JR_QUEUE_CHANNEL, handle_of(call), JR_HOST,
                                   place.device};
  struct transfer *transfer = make_transfer(call, &key, jitrun_call_args(call));
  return transfer ? remember(call, transfer) : no_memory(call);
}

static jitrun_error_t *finish_transfer(const jitrun_call_t *call,
                                       jitrun_world_t *world,
                                       struct transfer *transfer) {
  struct jr_wait wait = jr_wait_begin(transfer->who, call, world->timeout_ns);
  if (transfer->key.to == JR_HOST)
    return transfer->message
               ? jr_queue_put(world, &transfer->key, &transfer->message, &wait)
               : NULL;
  const jitrun_tensor_t tensor = jr_arg_tensor(&transfer->to);
  return jr_queue_take(world, &transfer->key, &tensor, 1, &wait);
}

jitrun_error_t *jr_xla_transfer_done(jitrun_call_t *call) {
  struct jr_place place;
  struct jr_events *events = NULL;
  void *transfer = NULL;
  jitrun_error_t *error = jr_transfer_place(call, &place);
  if (!error)
    error = jr_call_events(call, &events);
  if (error)
    return error;
  if (!jr_events_take(events, JR_EVENT_TRANSFER, handle_of(call), &transfer))
    return jr_call_error(call, JITRUN_NOT_FOUND,
                         "Async send/recv event was not found (handle==%" PRId64
                         ")",
                         handle_of(call));
  error = finish_transfer(call, place.world, transfer);
  drop_transfer(transfer);
  return error;
}
