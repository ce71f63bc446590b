/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// `jitrun.infeed`, `.outfeed`, `.send` and `.recv`, and what XLA's calls of
/// this kind share with them.
#include "customcalls/transfers.h"

#include "base/alloc.h"
#include "customcalls/parts.h"

#include <inttypes.h>
#include <stdlib.h>

jitrun_error_t *jr_transfer_place(const jitrun_call_t *call,
                                  struct jr_place *out_place) {
  *out_place = jr_call_place(call);
  if (out_place->world)
    return NULL;
  return jr_call_error(call, JITRUN_FAILED_PRECONDITION,
                       "%s: this execution is alone, and has no feeds and "
                       "channels; run it in a world (jitrun/world.h), given as "
                       "jitrun_run_options_t.world",
                       call->site->target);
}

jitrun_error_t *jr_transfer_check(jitrun_call_t *call) {
  for (uint32_t i = 0; i < call->site->arg_count; i++) {
    const jitrun_type_t *type = call->site->types[i];
    if (type->kind != JITRUN_KIND_BUFFER || type->rank > JR_MAX_RANK)
      return jr_call_error(
          call, JITRUN_INVALID_ARGUMENT,
          "%s: Unsupported argument #%u type: it takes memrefs "
          "of at most %d dimensions",
          call->site->target, i, JR_MAX_RANK);
  }
  return NULL;
}

jitrun_tensor_t jr_arg_tensor(const jitrun_arg_t *arg) {
  return (jitrun_tensor_t){.dtype = (jitrun_dtype_t)arg->type->dtype,
                           .rank = arg->type->rank,
                           .dims = jitrun_type_dims(arg->type),
                           .strides = jitrun_type_strides(arg->type),
                           .data = arg->value.data};
}

/// Views of all arguments; NULL without memory.
static jitrun_tensor_t *make_tensors(jitrun_call_t *call,
                                     const int32_t *dtypes) {
  uint32_t count = call->site->arg_count;
  jitrun_tensor_t *tensors = jr_calloc(count, sizeof *tensors);
  for (uint32_t i = 0; tensors && i < count; i++) {
    tensors[i] = jr_arg_tensor(&jitrun_call_args(call)[i]);
    if (dtypes)
      tensors[i].dtype = (jitrun_dtype_t)dtypes[i];
  }
  return tensors;
}

static jitrun_error_t *no_memory(const jitrun_call_t *call) {
  return jr_call_error(call, JITRUN_RESOURCE_EXHAUSTED, "%s: out of memory",
                       call->site->target);
}

jitrun_error_t *jr_transfer_put(jitrun_call_t *call,
                                const struct jr_queue_key *key,
                                const int32_t *dtypes) {
  jitrun_world_t *world = jr_call_place(call).world;
  jitrun_tensor_t *tensors = make_tensors(call, dtypes);
  struct jr_message *message = NULL;
  if (!tensors)
    return no_memory(call);
  struct jr_wait wait =
      jr_wait_begin(call->site->target, call, world->timeout_ns);
  jitrun_error_t *error =
      jr_message_create(tensors, call->site->arg_count, &message);
  if (!error)
    error = jr_queue_put(world, key, &message, &wait);
  jr_message_destroy(message);
  free(tensors);
  return error;
}

jitrun_error_t *jr_transfer_take(jitrun_call_t *call,
                                 const struct jr_queue_key *key) {
  jitrun_world_t *world = jr_call_place(call).world;
  jitrun_tensor_t *tensors = make_tensors(call, NULL);
  if (!tensors)
    return no_memory(call);
  struct jr_wait wait =
      jr_wait_begin(call->site->target, call, world->timeout_ns);
  jitrun_error_t *error =
      jr_queue_take(world, key, tensors, call->site->arg_count, &wait);
  free(tensors);
  return error;
}

const jitrun_signature_t jr_feed_signature = {
    .size = sizeof(jitrun_signature_t), .flags = JITRUN_VARIADIC_ARGS};

jitrun_error_t *jr_feed_check(jitrun_call_t *call) {
  return jr_transfer_check(call);
}

jitrun_error_t *jr_infeed_execute(jitrun_call_t *call) {
  struct jr_place place;
  jitrun_error_t *error = jr_transfer_place(call, &place);
  if (error)
    return error;
  return jr_transfer_take(
      call, &(struct jr_queue_key){JR_QUEUE_FEED, 0, JR_HOST, place.device});
}

jitrun_error_t *jr_outfeed_put(jitrun_call_t *call, const int32_t *dtypes) {
  struct jr_place place;
  jitrun_error_t *error = jr_transfer_place(call, &place);
  if (error)
    return error;
  return jr_transfer_put(
      call, &(struct jr_queue_key){JR_QUEUE_FEED, 0, place.device, JR_HOST},
      dtypes);
}

jitrun_error_t *jr_outfeed_execute(jitrun_call_t *call) {
  return jr_outfeed_put(call, NULL);
}

enum { CHANNEL, END };

static const jitrun_attr_param_t send_attrs[] = {
    {.name = "channel",
     .kind = JITRUN_ATTR_SCALAR,
     .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_S64)},
    {.name = "to",
     .kind = JITRUN_ATTR_SCALAR,
     .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_S64),
     .flags = JITRUN_OPTIONAL}};
static const jitrun_attr_param_t recv_attrs[] = {
    {.name = "channel",
     .kind = JITRUN_ATTR_SCALAR,
     .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_S64)},
    {.name = "from",
     .kind = JITRUN_ATTR_SCALAR,
     .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_S64),
     .flags = JITRUN_OPTIONAL}};

const jitrun_signature_t jr_send_signature = {.size =
                                                  sizeof(jitrun_signature_t),
                                              .attrs = send_attrs,
                                              .attr_count = 2,
                                              .flags = JITRUN_VARIADIC_ARGS};
const jitrun_signature_t jr_recv_signature = {.size =
                                                  sizeof(jitrun_signature_t),
                                              .attrs = recv_attrs,
                                              .attr_count = 2,
                                              .flags = JITRUN_VARIADIC_ARGS};

jitrun_error_t *jr_channel_check(jitrun_call_t *call) {
  const jitrun_attr_t *end = &call->attrs[END];
  if (end->kind != JITRUN_ATTR_ABSENT &&
      (end->value.s64 < 0 || end->value.s64 >= JR_HOST))
    return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                         "%s: attribute '%s' is %" PRId64
                         "; give the number of a device",
                         call->site->target, end->name, end->value.s64);
  return jr_transfer_check(call);
}

/// The other end of the channel; without one it is the embedding program.
static uint32_t other_end(const jitrun_call_t *call) {
  const jitrun_attr_t *end = &call->attrs[END];
  return end->kind == JITRUN_ATTR_ABSENT ? JR_HOST : (uint32_t)end->value.s64;
}

jitrun_error_t *jr_send_execute(jitrun_call_t *call) {
  struct jr_place place;
  jitrun_error_t *error = jr_transfer_place(call, &place);
  if (error)
    return error;
  const struct jr_queue_key key = {JR_QUEUE_CHANNEL,
                                   call->attrs[CHANNEL].value.s64, place.device,
                                   other_end(call)};
  return jr_transfer_put(call, &key, NULL);
}

jitrun_error_t *jr_recv_execute(jitrun_call_t *call) {
  struct jr_place place;
  jitrun_error_t *error = jr_transfer_place(call, &place);
  if (error)
    return error;
  const struct jr_queue_key key = {JR_QUEUE_CHANNEL,
                                   call->attrs[CHANNEL].value.s64,
                                   other_end(call), place.device};
  return jr_transfer_take(call, &key);
}

static const jitrun_customcall_t calls[] = {
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.infeed",
     .platform = "host",
     .summary = "takes the next of the infeed",
     .signature = &jr_feed_signature,
     .execute = jr_infeed_execute,
     .instantiate = jr_feed_check},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.outfeed",
     .platform = "host",
     .summary = "puts the buffers into the outfeed",
     .signature = &jr_feed_signature,
     .execute = jr_outfeed_execute,
     .instantiate = jr_feed_check},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.recv",
     .platform = "host",
     .summary = "takes the next of a channel",
     .signature = &jr_recv_signature,
     .execute = jr_recv_execute,
     .instantiate = jr_channel_check},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.send",
     .platform = "host",
     .summary = "puts the buffers into a channel",
     .signature = &jr_send_signature,
     .execute = jr_send_execute,
     .instantiate = jr_channel_check},
};

JR_PART(transfer, calls, false);
