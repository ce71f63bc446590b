/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The execution of one device: arguments from buffers, memory for outputs, the
/// run, and what becomes of it all. A launch has references of all that it
/// uses, so the caller may delete and release whatever it gave.
#include "client/executable.h"
#include "client/move.h"

#include "base/alloc.h"
#include "base/dtype.h"
#include "customcalls/world.h"
#include "runtime/arguments.h"

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
  size_t dims = 0;
  for (size_t i = 0; i < params; i++)
    dims += entry->params[i].type->rank;
  size_t bytes = params * (sizeof(jitrun_tensor_t) + 3 * sizeof(void *)) +
                 results * (sizeof(jitrun_tensor_t) + sizeof(void *)) +
                 executable->output_count * sizeof(void *) +
                 dims * sizeof(int64_t) + params * sizeof(bool);
  struct jr_launch *launch = jr_calloc(1, sizeof *launch + bytes);
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
  launch->dims = carve(&next, dims, sizeof(int64_t));
  launch->donated = carve(&next, params, sizeof(bool));
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

/// Gives up all memory, so that the outputs' is theirs alone.
static void release_memory(struct jr_launch *launch) {
  for (size_t i = 0; i < param_count(launch); i++) {
    jr_memory_release(launch->memories[i]);
    jr_memory_release(launch->copies[i]);
    jitrun_async_release(launch->after[i]);
    launch->memories[i] = NULL;
    launch->copies[i] = NULL;
    launch->after[i] = NULL;
  }
  for (size_t i = 0; i < result_count(launch); i++) {
    jr_memory_release(launch->result_memories[i]);
    launch->result_memories[i] = NULL;
  }
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

/// The next three refuse what a caller gave.
static jitrun_error_t *check_counts(const struct jr_launch *launch) {
  const jitrun_launch_t *given = launch->given;
  const jitrun_entry_t *entry = launch->executable->entry;
  if (given->arg_count != entry->param_count ||
      (given->arg_count > 0 && !given->args))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "entry '%s' takes %zu arguments, and %zu are given%s",
                    entry->name, entry->param_count, given->arg_count,
                    given->args ? "" : ", at NULL");
  if (given->output_count != launch->executable->output_count ||
      (given->output_count > 0 && !given->outputs))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "entry '%s' has %zu outputs, and there is room for %zu%s",
                    entry->name, launch->executable->output_count,
                    given->output_count, given->outputs ? "" : ", at NULL");
  if (given->donated_count > 0 && !given->donated)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "%zu arguments are donated, and their list is NULL",
                    given->donated_count);
  return NULL;
}

static jitrun_error_t *check_donated(const struct jr_launch *launch,
                                     uint32_t index) {
  const jitrun_launch_t *given = launch->given;
  if (index >= given->arg_count)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "argument %" PRIu32 " is donated, and there are %zu", index,
                    given->arg_count);
  for (size_t i = 0; i < given->arg_count; i++) {
    if (i != index && given->args[i] == given->args[index])
      return jr_error(JITRUN_INVALID_ARGUMENT,
                      "argument %" PRIu32
                      " is donated, and is argument %zu as well; give a copy",
                      index, i);
  }
  return NULL;
}

/// Takes a reference of an argument's memory, and what is known of it.
static jitrun_error_t *take_argument(struct jr_launch *launch, size_t index,
                                     int64_t **next_dims) {
  jitrun_buffer_t *buffer = launch->given->args[index];
  const jitrun_type_t *type = launch->executable->entry->params[index].type;
  if (!buffer)
    return jr_error(JITRUN_INVALID_ARGUMENT, "argument %zu is NULL", index);
  if (buffer->device != launch->device)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "argument %zu is on device %s, and device %s executes",
                    index, buffer->device->name, launch->device->name);
  JITRUN_TRY(jr_buffer_use(buffer, "execute with", &launch->memories[index]));
  launch->after[index] = buffer->ready;
  jitrun_async_retain(buffer->ready);
  // Sizes that do not fit are refused by the entry's own check.
  if (buffer->rank == type->rank) {
    memcpy(*next_dims, buffer->dims, buffer->rank * sizeof **next_dims);
    launch->args[index].dims = *next_dims;
    *next_dims += buffer->rank;
  } else {
    launch->args[index].dims = buffer->dims;
  }
  launch->args[index].dtype = buffer->dtype;
  launch->args[index].rank = buffer->rank;
  launch->args[index].data =
      (char *)launch->memories[index]->data + buffer->offset_bytes;
  return NULL;
}

jitrun_error_t *jr_launch_check(struct jr_launch *launch) {
  int64_t *next_dims = launch->dims;
  JITRUN_TRY(check_counts(launch));
  for (size_t i = 0; i < launch->given->arg_count; i++)
    JITRUN_TRY(jr_error_note(take_argument(launch, i, &next_dims),
                             "while looking at argument %zu", i));
  for (size_t i = 0; i < launch->given->donated_count; i++)
    JITRUN_TRY(check_donated(launch, launch->given->donated[i]));
  const struct jr_arguments given = {.args = launch->args,
                                     .arg_count = launch->given->arg_count,
                                     .is_args_only = true};
  return jr_arguments_check(launch->executable->program,
                            launch->executable->entry_index, &given);
}

jitrun_error_t *jr_launch_donate(struct jr_launch *launch) {
  const jitrun_launch_t *given = launch->given;
  for (size_t i = 0; i < given->donated_count; i++) {
    uint32_t index = given->donated[i];
    jitrun_buffer_t *buffer = given->args[index];
    struct jr_memory *memory = NULL;
    size_t hold_count = 0;
    if (launch->donated[index])
      continue; // named twice
    (void)pthread_mutex_lock(&buffer->lock);
    if (buffer->state == JR_BUFFER_LIVE && buffer->hold_count == 0) {
      memory = buffer->memory;
      buffer->memory = NULL;
      buffer->state = JR_BUFFER_DONATED;
    }
    hold_count = buffer->hold_count;
    (void)pthread_mutex_unlock(&buffer->lock);
    if (!memory)
      return jr_error(JITRUN_FAILED_PRECONDITION,
                      "argument %" PRIu32 " cannot be donated: it %s", index,
                      hold_count > 0 ? "is held" : "was deleted or donated");
    launch->donated[index] = true;
    jr_memory_release(memory); // the launch has a reference of its own
  }
  return NULL;
}

void jr_launch_undo(struct jr_launch *launch) {
  for (size_t i = 0; i < launch->given->arg_count; i++) {
    if (!launch->donated[i])
      continue;
    jitrun_buffer_t *buffer = launch->given->args[i];
    (void)pthread_mutex_lock(&buffer->lock);
    bool is_wanted = !buffer->is_dropped;
    if (is_wanted) {
      jr_memory_retain(launch->memories[i]);
      buffer->memory = launch->memories[i];
    }
    buffer->state = is_wanted ? JR_BUFFER_LIVE : JR_BUFFER_DELETED;
    (void)pthread_mutex_unlock(&buffer->lock);
    launch->donated[i] = false;
  }
}

/// The shape of an output whose sizes are known before the run.
static struct jr_shape read_shape(const jitrun_tensor_t *tensor) {
  struct jr_shape shape = {
      .dtype = tensor->dtype, .rank = tensor->rank, .dims = tensor->dims};
  (void)jr_elements_bytes(jr_dtype_size(tensor->dtype), tensor->dims,
                          tensor->rank, &shape.size_bytes);
  return shape;
}

/// An output buffer of memory that the launch keeps a reference of.
static jitrun_error_t *make_output(struct jr_launch *launch, size_t index,
                                   const struct jr_shape *shape,
                                   uint64_t offset_bytes,
                                   struct jr_memory *memory) {
  jr_memory_retain(memory);
  jitrun_async_retain(launch->done);
  return jr_buffer_create(launch->device, shape, offset_bytes, memory,
                          launch->done, &launch->outputs[index]);
}

/// A parameter that is an output: in place if it may be, else in a copy.
static jitrun_error_t *make_param_output(struct jr_launch *launch, size_t index,
                                         size_t param) {
  jitrun_tensor_t *arg = &launch->args[param];
  struct jr_memory *memory = launch->memories[param];
  struct jr_shape shape = read_shape(arg);
  bool is_ours = launch->donated[param] && jr_memory_is_alone(memory) &&
                 !memory->is_borrowed;
  if (is_ours)
    return make_output(launch, index, &shape,
                       (uint64_t)((char *)arg->data - (char *)memory->data),
                       memory);
  JITRUN_TRY(jr_memory_allocate(&launch->device->heap, shape.size_bytes,
                                &launch->copies[param]));
  return make_output(launch, index, &shape, 0, launch->copies[param]);
}

static jitrun_error_t *make_result_output(struct jr_launch *launch,
                                          size_t index, size_t result) {
  const jitrun_type_t *type = launch->executable->entry->results[result].type;
  jitrun_tensor_t *tensor = &launch->results[result];
  *tensor = (jitrun_tensor_t){.dtype = (jitrun_dtype_t)type->dtype,
                              .rank = type->rank,
                              .dims = jitrun_type_dims(type)};
  struct jr_shape shape = read_shape(tensor);
  JITRUN_TRY(jr_memory_allocate(&launch->device->heap, shape.size_bytes,
                                &launch->result_memories[result]));
  tensor->data = launch->result_memories[result]->data;
  return make_output(launch, index, &shape, 0, launch->result_memories[result]);
}

jitrun_error_t *jr_launch_allocate(struct jr_launch *launch) {
  const jitrun_executable_t *executable = launch->executable;
  JITRUN_TRY(jr_token_create(&launch->done));
  for (size_t i = 0; i < executable->output_count; i++) {
    const struct jr_output *output = &executable->outputs[i];
    if (!output->is_result)
      JITRUN_TRY(make_param_output(launch, i, output->index));
    else if (!executable->is_dynamic)
      JITRUN_TRY(make_result_output(launch, i, output->index));
  }
  return NULL;
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
  do {
    jitrun_error_free(error);
    error = jitrun_async_wait(token, POLL_NS);
  } while (jitrun_async_state(token) == JITRUN_ASYNC_PENDING &&
           !__atomic_load_n(&launch->batch->cancel, __ATOMIC_RELAXED));
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
  uint32_t partitions = launch->executable->partition_count;
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
      .world = launch->executable->world,
      .replica_id = (uint32_t)(launch->place / partitions),
      .partition_id = (uint32_t)(launch->place % partitions),
      .profile = options->profile,
      .stream = jr_device_native_stream(launch->device)};
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

/// An output of a result that the execution made.
static jitrun_error_t *take_result(struct jr_launch *launch, size_t index,
                                   struct kept_execution *kept) {
  size_t result = launch->executable->outputs[index].index;
  const jitrun_tensor_t *tensor =
      jitrun_execution_result(kept->execution, result);
  struct jr_shape shape = read_shape(tensor);
  struct jr_memory *memory;
  (void)__atomic_fetch_add(&kept->reference_count, 1, __ATOMIC_RELAXED);
  JITRUN_TRY(jr_memory_adopt(&launch->device->heap, tensor->data,
                             shape.size_bytes, release_kept, kept, &memory));
  return jr_buffer_create(launch->device, &shape, 0, memory, NULL,
                          &launch->outputs[index]);
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
    if (launch->executable->outputs[i].is_result)
      error = take_result(launch, i, kept);
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

static jitrun_error_t *run_entry(struct jr_launch *launch) {
  const jitrun_executable_t *executable = launch->executable;
  jitrun_run_options_t options = read_run_options(launch);
  if (jr_device_apart(launch->device))
    JITRUN_TRY(jr_launch_fetch(launch));
  if (!executable->is_dynamic)
    return jitrun_program_run(executable->program, executable->entry,
                              launch->args, param_count(launch),
                              launch->results, result_count(launch), &options);
  jitrun_execution_t *execution = NULL;
  JITRUN_TRY(jitrun_program_start(executable->program, executable->entry,
                                  launch->args, param_count(launch), &options,
                                  &execution));
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
  } else {
    error = jitrun_async_set_token(launch->done);
  }
  if (error) // also of one that was stopped, which has its error
    jitrun_async_set_error(launch->done, error);
}

/// One that is to stop before it begins.
static jitrun_error_t *check_stopped(const struct jr_launch *launch) {
  return __atomic_load_n(&launch->batch->cancel, __ATOMIC_RELAXED)
             ? jr_error(JITRUN_CANCELLED, "stopped before it began")
             : NULL;
}

void jr_launch_run(struct jr_launch *launch) {
  jitrun_error_t *error = check_stopped(launch);
  for (size_t i = 0; i < param_count(launch) && !error; i++)
    error = wait_argument(launch, i);
  __atomic_store_n(&launch->stage, JR_LAUNCH_RUNS, __ATOMIC_RELAXED);
  for (size_t i = 0; i < param_count(launch) && !error; i++)
    error = copy_argument(launch, i);
  if (error)
    pass_execution(launch, error);
  else
    error = run_entry(launch);
  error = end_work(launch, error);
  release_memory(launch);
  finish_launch(launch, error);
}
