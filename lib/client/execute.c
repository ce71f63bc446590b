/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Executing on all devices of an executable together. One device alone runs on
/// the caller's thread when the caller waits for it without a deadline; all
/// others on their workers, which are given their parts in one order.
#include "client/tupled.h"

#include "base/alloc.h"
#include "base/options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/// That need no memory for the list of them.
enum { FEW_LAUNCHES = 4 };

/// One call of jitrun_executable_execute().
struct execute {
  jitrun_executable_t *executable;
  const jitrun_launch_t *given;
  struct jr_batch *batch;
  struct jr_launch **launches;
  size_t count;
  int64_t timeout_ns; ///< below 0: none
  bool is_async;
  bool is_inline; ///< on the caller's thread
};

static jitrun_error_t *check_call(const jitrun_executable_t *executable,
                                  size_t launch_count,
                                  const jitrun_execute_options_t *options) {
  if (options->user_data_count > 0 && !options->user_data)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "%zu user data are given, and their list is NULL",
                    options->user_data_count);
  if (options->channel_count > 0 && !options->channels)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "%zu channels are given, and their list is NULL",
                    options->channel_count);
  size_t wanted = jitrun_executable_device_count(executable);
  if (launch_count != wanted)
    return jr_error(
        JITRUN_INVALID_ARGUMENT,
        "entry '%s' runs on %zu devices, and %zu launches are given",
        executable->entry->name, wanted, launch_count);
  if (options->is_async && executable->is_dynamic)
    return jr_error(JITRUN_UNIMPLEMENTED,
                    "entry '%s' has results whose sizes only it knows: execute "
                    "it by jitrun_executable_execute(), without is_async",
                    executable->entry->name);
  return NULL;
}

static jitrun_error_t *note_place(/*own*/ jitrun_error_t *error,
                                  const struct execute *execute, size_t place) {
  if (!error)
    return NULL;
  uint32_t partitions = execute->executable->partition_count;
  return jr_error_note(error,
                       "while preparing replica %zu, partition %zu, on device "
                       "%s",
                       place / partitions, place % partitions,
                       execute->executable->devices[place]->name);
}

/// One step for all launches.
static jitrun_error_t *
prepare_all(const struct execute *execute,
            jitrun_error_t *(*step)(struct jr_launch *launch)) {
  for (size_t i = 0; i < execute->count; i++)
    JITRUN_TRY(note_place(step(execute->launches[i]), execute, i));
  return NULL;
}

/// A device's thread does one thing after the other.
static jitrun_error_t *check_thread(const struct execute *execute) {
  for (size_t i = 0; i < execute->count; i++) {
    const jitrun_device_t *device = execute->launches[i]->device;
    if (jr_worker_is_own(device->worker))
      return jr_error(JITRUN_FAILED_PRECONDITION,
                      "the thread of device %s would wait for itself: execute "
                      "with is_async from what it calls",
                      device->name);
  }
  return NULL;
}

/// Has the launches listed where others may wait for them.
static jitrun_error_t *list_launches(const struct execute *execute) {
  const jitrun_client_t *client = execute->executable->client;
  if (execute->is_inline && !jr_watch_warns(client->watch))
    return NULL;
  return jr_batch_list(execute->batch, execute->launches, execute->count,
                       execute->is_async ? execute->timeout_ns : -1);
}

static jitrun_error_t *create_launches(const struct execute *execute) {
  for (size_t i = 0; i < execute->count; i++) {
    struct jr_launch **launch = &execute->launches[i];
    JITRUN_TRY(jr_launch_create(execute->executable, execute->batch, i,
                                &execute->given[i], launch));
    (*launch)->is_inline = execute->is_inline;
  }
  return NULL;
}

static jitrun_error_t *prepare(struct execute *execute) {
  JITRUN_TRY(create_launches(execute));
  JITRUN_TRY(prepare_all(execute, jr_launch_check));
  if (!execute->is_inline && !execute->is_async)
    JITRUN_TRY(check_thread(execute));
  for (size_t i = 0; !execute->is_inline && i < execute->count; i++)
    JITRUN_TRY(jr_worker_start(execute->launches[i]->device->worker));
  JITRUN_TRY(list_launches(execute));
  jitrun_error_t *error = prepare_all(execute, jr_launch_donate);
  if (!error)
    error = prepare_all(execute, jr_launch_allocate);
  for (size_t i = 0; error && i < execute->count; i++)
    jr_launch_undo(execute->launches[i]);
  return error;
}

static void run_launch(/*own*/ struct jr_launch *launch) {
  jr_launch_run(launch);
  jr_batch_leave(launch);
}

/// Runs a launch on the caller's thread. Nobody is told of the end of one that
/// is not listed.
static void run_here(struct jr_launch *launch) {
  jr_launch_run(launch);
  if (!launch->batch->ended)
    return;
  jr_launch_retain(launch);
  jr_batch_leave(launch);
}

static void run_task(struct jr_task *task) {
  run_launch((struct jr_launch *)task);
}

/// Gives every worker its part, at one time for all executions of the client.
static void start_all(const struct execute *execute) {
  jitrun_client_t *client = execute->executable->client;
  (void)pthread_mutex_lock(&client->order);
  for (size_t i = 0; i < execute->count; i++) {
    struct jr_launch *launch = execute->launches[i];
    launch->task.run = run_task;
    jr_launch_retain(launch);
    jr_launch_queue(launch);
    jr_worker_put(launch->device->worker, &launch->task);
  }
  (void)pthread_mutex_unlock(&client->order);
}

/// Hands the outputs to the caller.
static void give_outputs(const struct execute *execute) {
  for (size_t i = 0; i < execute->count; i++) {
    for (size_t j = 0; j < execute->executable->output_count; j++) {
      execute->given[i].outputs[j] = execute->launches[i]->outputs[j];
      execute->launches[i]->outputs[j] = NULL;
    }
  }
}

/// Past the deadline they are asked to stop. Whoever sets `ended` is the last.
static jitrun_error_t *wait_all(const struct execute *execute) {
  struct jr_batch *batch = execute->batch;
  jitrun_error_free(jitrun_async_wait(batch->ended, execute->timeout_ns));
  if (jitrun_async_state(batch->ended) != JITRUN_ASYNC_PENDING)
    return NULL;
  jitrun_error_t *error = jr_watch_late(execute->executable->client->watch,
                                        batch, execute->timeout_ns);
  if (error)
    jr_batch_stop(batch, NULL);
  return error;
}

/// The first error of any device.
static jitrun_error_t *take_error(struct jr_batch *batch) {
  (void)pthread_mutex_lock(&batch->lock);
  jitrun_error_t *error = batch->error;
  batch->error = NULL;
  (void)pthread_mutex_unlock(&batch->lock);
  return error;
}

/// Gives up the outputs of an execution that has ended, at once: a worker may
/// still be about to let go of its launch.
static void drop_outputs(const struct execute *execute) {
  for (size_t i = 0; i < execute->count; i++) {
    for (size_t j = 0; j < execute->executable->output_count; j++) {
      jitrun_buffer_release(execute->launches[i]->outputs[j]);
      execute->launches[i]->outputs[j] = NULL;
    }
  }
}

/// Returns when all have ended, or the deadline has passed.
static jitrun_error_t *run_all(const struct execute *execute) {
  jitrun_error_t *error = NULL;
  jr_batch_begin(execute->batch);
  if (execute->is_inline) {
    run_here(execute->launches[0]);
  } else {
    start_all(execute);
    error = wait_all(execute);
  }
  if (error) // some still run, with their outputs
    return error;
  error = take_error(execute->batch);
  if (error)
    drop_outputs(execute);
  else
    give_outputs(execute);
  return error;
}

static jitrun_error_t *execute_launches(struct execute *execute) {
  jitrun_error_t *error = prepare(execute);
  if (error) {
    jr_batch_unlist(execute->batch);
    return error;
  }
  for (size_t i = 0; i < execute->count; i++)
    execute->launches[i]->given = NULL; // the caller's
  if (!execute->is_async)
    return run_all(execute);
  give_outputs(execute);
  jr_batch_begin(execute->batch);
  start_all(execute);
  return NULL;
}

/// Of launches of leaves, with options that were read.
static jitrun_error_t *execute_leaves(jitrun_executable_t *executable,
                                      const jitrun_launch_t *launches,
                                      const jitrun_execute_options_t *options,
                                      struct jr_batch **out_job) {
  struct execute execute = {
      .executable = executable,
      .given = launches,
      .count = jitrun_executable_device_count(executable),
      .is_async = options->is_async,
      .timeout_ns = jr_client_timeout(executable->client, options->timeout_ns)};
  execute.is_inline = execute.count == 1 && !executable->world &&
                      execute.timeout_ns < 0 && !options->is_async;
  JITRUN_TRY(jr_batch_create(options, &execute.batch));
  struct jr_launch *few[FEW_LAUNCHES] = {NULL};
  execute.launches = few;
  if (execute.count > FEW_LAUNCHES)
    execute.launches = jr_calloc(execute.count, sizeof *execute.launches);
  jitrun_error_t *error =
      execute.launches ? execute_launches(&execute) : jr_error_no_memory();
  for (size_t i = 0; execute.launches && i < execute.count; i++)
    jr_launch_release(execute.launches[i]);
  if (execute.launches != few)
    free(execute.launches);
  if (out_job && !error)
    *out_job = execute.batch;
  else
    jr_batch_release(execute.batch);
  return error;
}

jitrun_error_t *jr_execute_all(jitrun_executable_t *executable,
                               const jitrun_launch_t *launches,
                               size_t launch_count,
                               const jitrun_execute_options_t *options,
                               struct jr_batch **out_job) {
  jitrun_execute_options_t read = {.size = sizeof read};
  struct jr_tupled *tupled;
  JITRUN_TRY(jr_options_read(options, "for executing", &read, sizeof read));
  read.is_async = read.is_async || out_job;
  JITRUN_TRY(check_call(executable, launch_count, &read));
  JITRUN_TRY(jr_tupled_begin(executable, launches, &tupled));
  jitrun_error_t *error =
      execute_leaves(executable, tupled ? jr_tupled_launches(tupled) : launches,
                     &read, out_job);
  jr_tupled_end(tupled, error != NULL);
  return error;
}

jitrun_error_t *
jitrun_executable_execute(jitrun_executable_t *executable,
                          const jitrun_launch_t *launches, size_t launch_count,
                          const jitrun_execute_options_t *options) {
  JR_NEED(executable);
  JR_NEED(launches);
  return jr_execute_all(executable, launches, launch_count, options, NULL);
}
