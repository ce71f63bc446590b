/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The execution of one device: what it is made of, the run, and what becomes
/// of it all. launch_check.c takes the arguments, outputs.c makes the outputs.
/// A launch has references of all that it uses, so the caller may delete and
/// release whatever it gave.
#include "client/executable.h"
#include "client/move.h"
#include "client/room.h"

#include "base/alloc.h"
#include "customcalls/world.h"
#include "runtime/execute.h"
#include "runtime/profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { POLL_NS = 20000000 };

static size_t param_count(const struct jr_launch *launch) {
  return launch->executable->entry->param_count;
}

static size_t result_count(const struct jr_launch *launch) {
  return launch->executable->entry->result_count;
}

void jr_launch_measure(jitrun_executable_t *executable) {
  const jitrun_entry_t *entry = executable->entry;
  size_t params = entry->param_count;
  size_t results = entry->result_count;
  executable->dim_count = 0;
  for (size_t i = 0; i < params; i++)
    executable->dim_count += entry->params[i].type->rank;
  executable->launch_bytes =
      sizeof(struct jr_launch) +
      params * (sizeof(jitrun_tensor_t) + 3 * sizeof(void *)) +
      results * (sizeof(jitrun_tensor_t) + sizeof(void *)) +
      executable->output_count * sizeof(void *) +
      executable->dim_count * sizeof(int64_t) + 2 * params * sizeof(bool);
  jitrun_program_info_t info = {.size = sizeof info};
  jitrun_program_info(executable->program, &info);
  executable->temp_bytes = info.temp_bytes;
  executable->temp_alignment = info.temp_alignment;
}

/// Takes `count` cleared things out of memory that is `*next`.
static void *carve(char **next, size_t count, size_t bytes) {
  void *start = *next;
  *next += count * bytes;
  return start;
}

jitrun_error_t *jr_launch_create(jitrun_executable_t *executable,
                                 struct jr_batch *batch, size_t place,
                                 const jitrun_launch_t *given,
                                 struct jr_launch **out_launch) {
  const jitrun_entry_t *entry = executable->entry;
  size_t params = entry->param_count;
  size_t results = entry->result_count;
  struct jr_launch *launch = jr_calloc(1, executable->launch_bytes);
  *out_launch = launch;
  if (!launch)
    return jr_error_no_memory();
  char *next = (char *)(launch + 1);
  launch->args = carve(&next, params, sizeof *launch->args);
  launch->results = carve(&next, results, sizeof *launch->results);
  launch->memories = carve(&next, params, sizeof(void *));
  launch->copies = carve(&next, params, sizeof(void *));
  launch->after = carve(&next, params, sizeof(void *));
  launch->result_memories = carve(&next, results, sizeof(void *));
  launch->outputs = carve(&next, executable->output_count, sizeof(void *));
  launch->dims = carve(&next, executable->dim_count, sizeof(int64_t));
  launch->donated = carve(&next, params, sizeof(bool));
  launch->in_place = carve(&next, params, sizeof(bool));
  launch->reference_count = 1;
  launch->executable = executable;
  launch->batch = batch;
  launch->place = place;
  launch->device = executable->devices[place];
  launch->given = given;
  launch->site = JITRUN_NO_SITE;
  launch->stage = JR_LAUNCH_QUEUED;
  jitrun_executable_retain(executable);
  jr_batch_retain(batch);
  return NULL;
}

void jr_launch_queue(struct jr_launch *launch) {
  launch->is_queued = true;
  for (size_t i = 0; i < param_count(launch); i++) {
    jr_memory_queue(launch->memories[i]);
    jr_memory_queue(launch->copies[i]);
  }
  for (size_t i = 0; i < result_count(launch); i++)
    jr_memory_queue(launch->result_memories[i]);
}

/// Gives up all memory, so that the outputs' is theirs alone.
static void release_memory(struct jr_launch *launch) {
  void (*release)(struct jr_memory *memory) =
      launch->is_queued ? jr_memory_unqueue : jr_memory_release;
  for (size_t i = 0; i < param_count(launch); i++) {
    release(launch->memories[i]);
    release(launch->copies[i]);
    jitrun_async_release(launch->after[i]);
    launch->memories[i] = NULL;
    launch->copies[i] = NULL;
    launch->after[i] = NULL;
  }
  for (size_t i = 0; i < result_count(launch); i++) {
    release(launch->result_memories[i]);
    launch->result_memories[i] = NULL;
  }
  jr_room_give(launch->room);
  launch->room = NULL;
}

/// Memory for temporaries, if the program has some.
static jitrun_error_t *take_room(struct jr_launch *launch) {
  const jitrun_executable_t *executable = launch->executable;
  if (executable->temp_bytes == 0 || launch->room)
    return NULL;
  return jr_error_note(jr_room_take(&launch->device->heap, executable,
                                    executable->temp_bytes,
                                    executable->temp_alignment, &launch->room),
                       "while allocating temporary memory of entry '%s'",
                       executable->entry->name);
}

void jr_launch_retain(struct jr_launch *launch) {
  (void)__atomic_fetch_add(&launch->reference_count, 1, __ATOMIC_RELAXED);
}

void jr_launch_release(struct jr_launch *launch) {
  if (!launch ||
      __atomic_sub_fetch(&launch->reference_count, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  jitrun_executable_t *executable = launch->executable;
  release_memory(launch);
  for (size_t i = 0; i < executable->output_count; i++)
    jitrun_buffer_release(launch->outputs[i]);
  jitrun_async_release(launch->done);
  jr_batch_release(launch->batch);
  free(launch->words);
  free(launch);
  jitrun_executable_release(executable);
}

jitrun_error_t *jr_launch_allocate(struct jr_launch *launch) {
  // Nobody has the outputs of one on the caller's thread before it has ended.
  if (!launch->is_inline)
    JITRUN_TRY(jr_token_create(&launch->done));
  // What waits in the device's queue needs none before it runs.
  if (!launch->batch->options.is_async)
    JITRUN_TRY(take_room(launch));
  return jr_launch_outputs(launch);
}

static jitrun_run_options_t read_run_options(struct jr_launch *launch);

/// For the execution's profile, if it has one.
static struct jr_span *begin_wait(struct jr_launch *launch,
                                  const jitrun_async_t *token) {
  jitrun_profile_t *profile = launch->batch->options.profile;
  if (!profile || jitrun_async_state(token) != JITRUN_ASYNC_PENDING)
    return NULL;
  const jitrun_run_options_t options = read_run_options(launch);
  return jr_profile_wait(profile, launch->executable->program, &options,
                         "waiting for an argument");
}

/// One that is to stop before it begins.
static jitrun_error_t *check_stopped(const struct jr_launch *launch) {
  return __atomic_load_n(&launch->batch->cancel, __ATOMIC_RELAXED)
             ? jr_error(JITRUN_CANCELLED, "stopped before it began")
             : NULL;
}

/// Waits for an argument; ends when the execution is to stop.
static jitrun_error_t *wait_argument(struct jr_launch *launch, size_t index) {
  const jitrun_async_t *token = launch->after[index];
  if (!token)
    return NULL;
  __atomic_store_n(&launch->stage, index, __ATOMIC_RELAXED);
  jitrun_error_t *error = jr_watch_refuse(launch->device->client->watch, token);
  if (error)
    return error;
  struct jr_span *span = begin_wait(launch, token);
  while (jitrun_async_state(token) == JITRUN_ASYNC_PENDING && !error) {
    jitrun_error_free(jitrun_async_wait(token, POLL_NS));
    error = check_stopped(launch);
  }
  jr_profile_close(span);
  if (!error)
    error = jitrun_async_error(token);
  return jr_error_note(error, "while waiting for argument %zu", index);
}

/// Arguments that the entry writes to, but must not change, are copied.
static jitrun_error_t *copy_argument(struct jr_launch *launch, size_t index) {
  const struct jr_memory *copy = launch->copies[index];
  jitrun_device_t *apart = jr_device_apart(launch->device);
  jitrun_tensor_t *arg = &launch->args[index];
  if (!copy)
    return NULL;
  const void *from = arg->data;
  arg->data = copy->data;
  return jr_move_bytes(copy->data, from, copy->size_bytes, apart, apart);
}

static jitrun_run_options_t read_run_options(struct jr_launch *launch) {
  const jitrun_execute_options_t *options = &launch->batch->options;
  const jitrun_executable_t *executable = launch->executable;
  uint32_t partitions = executable->partition_count;
  launch->where =
      (jitrun_place_t){.size = sizeof launch->where,
                       .device_id = launch->device->id,
                       .local_ordinal = launch->device->local_ordinal,
                       .replica_count = executable->replica_count,
                       .partition_count = partitions,
                       .device_ids = executable->device_ids};
  return (jitrun_run_options_t){
      .size = sizeof(jitrun_run_options_t),
      .print = options->print,
      .print_context = options->print_context,
      .current_site = &launch->site,
      .cancel = &launch->batch->cancel,
      .user_data = options->user_data,
      .user_data_count = options->user_data_count,
      .diagnostic = options->diagnostic,
      .diagnostic_context = options->diagnostic_context,
      .world = executable->world,
      .replica_id = (uint32_t)(launch->place / partitions),
      .partition_id = (uint32_t)(launch->place % partitions),
      .profile = options->profile,
      .stream = jr_device_native_stream(launch->device),
      .place = &launch->where};
}

/// An execution that outputs have memory of.
struct kept_execution {
  size_t reference_count; ///< atomic
  jitrun_execution_t *execution;
};

static void release_kept(void *context) {
  struct kept_execution *kept = context;
  if (__atomic_sub_fetch(&kept->reference_count, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  jitrun_execution_release(kept->execution);
  free(kept);
}

static jitrun_error_t *take_results(struct jr_launch *launch,
                                    /*own*/ jitrun_execution_t *execution) {
  struct kept_execution *kept = jr_malloc(sizeof *kept);
  if (!kept) {
    jitrun_execution_release(execution);
    return jr_error_no_memory();
  }
  *kept = (struct kept_execution){1, execution};
  jitrun_error_t *error = jitrun_execution_wait(execution, -1);
  for (size_t i = 0; i < launch->executable->output_count && !error; i++) {
    const jitrun_output_t *output =
        jitrun_entry_output(launch->executable->entry, i);
    if (!output->is_result)
      continue;
    (void)__atomic_fetch_add(&kept->reference_count, 1, __ATOMIC_RELAXED);
    error = jr_launch_take_result(
        launch, i, jitrun_execution_result(execution, output->index),
        release_kept, kept);
  }
  release_kept(kept);
  return error;
}

/// A device whose execution ends before it begins has been in it all the same:
/// the others are told, and its next execution meets their next ones.
static void pass_execution(struct jr_launch *launch,
                           const jitrun_error_t *cause) {
  const jitrun_run_options_t options = read_run_options(launch);
  jitrun_error_t *error =
      jr_world_enter(options.world, options.replica_id, options.partition_id);
  if (!error)
    jr_world_leave(options.world, options.replica_id, options.partition_id,
                   cause);
  jitrun_error_free(error);
}

static void set_channels(const struct jr_launch *launch, size_t count) {
  if (launch->executable->world)
    jr_world_set_channels(launch->executable->world, (uint32_t)launch->place,
                          launch->batch->options.channels, count);
}

static jitrun_error_t *run_entry(struct jr_launch *launch) {
  const jitrun_executable_t *executable = launch->executable;
  jitrun_run_options_t options = read_run_options(launch);
  if (jr_device_apart(launch->device))
    JITRUN_TRY(jr_launch_fetch(launch));
  struct jr_arguments given = {.args = launch->args,
                               .arg_count = param_count(launch),
                               .results = launch->results,
                               .result_count = result_count(launch),
                               .temp = launch->room ? launch->room->data : NULL,
                               .meter = &launch->device->heap.meter,
                               .is_checked = executable->is_checked_once};
  if (jr_device_apart(launch->device))
    given.meter = NULL; // what is allocated then is the host's
  if (!executable->is_dynamic)
    return jr_execute(executable->program, executable->entry, &given, &options);
  jitrun_execution_t *execution = NULL;
  JITRUN_TRY(jr_execution_start(executable->program, executable->entry, &given,
                                &options, &execution));
  return take_results(launch, execution);
}

/// Waits for what calls have put into the device's stream: it may use the
/// memory for as long.
static jitrun_error_t *end_work(struct jr_launch *launch,
                                /*own*/ jitrun_error_t *error) {
  jitrun_error_t *later = jr_device_finish(launch->device);
  if (!error)
    error = later;
  else
    jitrun_error_free(later);
  if (!error && jr_device_apart(launch->device))
    error = jr_launch_store(launch);
  return error;
}

/// Sets the token; the batch keeps a copy of the error that says most.
static void finish_launch(struct jr_launch *launch,
                          /*own*/ jitrun_error_t *error) {
  if (error) {
    jitrun_run_options_t place = read_run_options(launch);
    error = jr_error_note(
        error, "on device %s, replica %" PRIu32 ", partition %" PRIu32,
        launch->device->name, place.replica_id, place.partition_id);
    jr_batch_keep(launch->batch, jr_error_copy(error));
  } else if (launch->done) {
    error = jitrun_async_set_token(launch->done);
  }
  if (error) // also of one that was stopped, which has its error
    jitrun_async_set_error(launch->done, error);
}

void jr_launch_run(struct jr_launch *launch) {
  jitrun_error_t *error = check_stopped(launch);
  for (size_t i = 0; i < param_count(launch) && !error; i++)
    error = wait_argument(launch, i);
  __atomic_store_n(&launch->stage, JR_LAUNCH_RUNS, __ATOMIC_RELAXED);
  for (size_t i = 0; i < param_count(launch) && !error; i++)
    error = copy_argument(launch, i);
  if (!error)
    error = take_room(launch);
  if (error) {
    pass_execution(launch, error);
  } else {
    set_channels(launch, launch->batch->options.channel_count);
    error = run_entry(launch);
    set_channels(launch, 0);
  }
  error = end_work(launch, error);
  release_memory(launch);
  finish_launch(launch, error);
}
