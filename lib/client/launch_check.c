/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What a caller gave for the execution of one device: whether it fits, and
/// what is given away of it.
#include "client/executable.h"
#include "client/shared.h"

#include "base/dtype.h"
#include "runtime/arguments.h"

#include <inttypes.h>
#include <string.h>

/// That XLA's compilers count on; see check_alignment().
enum { PARAMETER_ALIGNMENT = 16 };

static jitrun_error_t *check_counts(const struct jr_launch *launch) {
  const jitrun_launch_t *given = launch->given;
  const jitrun_executable_t *executable = launch->executable;
  if (given->arg_count != executable->input_count ||
      (given->arg_count > 0 && !given->args))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "entry '%s' takes %zu arguments, and %zu are given%s",
                    executable->entry->name, executable->input_count,
                    given->arg_count, given->args ? "" : ", at NULL");
  if (given->output_count != executable->output_count ||
      (given->output_count > 0 && !given->outputs))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "entry '%s' has %zu outputs, and there is room for %zu%s",
                    executable->entry->name, executable->output_count,
                    given->output_count, given->outputs ? "" : ", at NULL");
  if (given->donated_count > 0 && !given->donated)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "%zu arguments are donated, and their list is NULL",
                    given->donated_count);
  for (size_t i = 0; i < given->output_count; i++)
    given->outputs[i] = NULL;
  return NULL;
}

static jitrun_error_t *check_donated(const struct jr_launch *launch,
                                     uint32_t index) {
  const jitrun_launch_t *given = launch->given;
  if (index >= given->arg_count)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "argument %" PRIu32 " is donated, and there are %zu", index,
                    given->arg_count);
  if (!given->args[index])
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "argument %" PRIu32 " is donated, and is NULL", index);
  for (size_t i = 0; i < given->arg_count; i++) {
    if (i != index && given->args[i] == given->args[index])
      return jr_error(JITRUN_INVALID_ARGUMENT,
                      "argument %" PRIu32
                      " is donated, and is argument %zu as well; give a copy",
                      index, i);
  }
  return NULL;
}

static const jitrun_allocation_t *allocation_of(const struct jr_launch *launch,
                                                size_t index) {
  return jitrun_entry_allocation(launch->executable->entry,
                                 jr_launch_param(launch, index));
}

/// Memory that the program sees as bytes: of any type that is as large.
static bool is_bytes(const struct jr_launch *launch, uint32_t param) {
  const jitrun_type_t *type = launch->executable->entry->params[param].type;
  return launch->executable->is_later && type->rank == 1 &&
         (type->dtype == JITRUN_DTYPE_S8 || type->dtype == JITRUN_DTYPE_U8);
}

/// Nothing is given for an argument; that is right for one without elements.
static jitrun_error_t *take_null(struct jr_launch *launch, size_t index) {
  uint32_t param = jr_launch_param(launch, index);
  const jitrun_entry_t *entry = launch->executable->entry;
  const jitrun_type_t *type = entry->params[param].type;
  const jitrun_allocation_t *allocation = allocation_of(launch, index);
  char place[JR_PLACE_BYTES];
  uint64_t size_bytes = 1; // more than nothing, if it is not known
  if (type->kind == JITRUN_KIND_BUFFER)
    (void)jr_type_size_bytes(type, &size_bytes);
  if (size_bytes == 0 && !allocation->is_output) {
    launch->args[param] =
        (jitrun_tensor_t){.dtype = (jitrun_dtype_t)type->dtype,
                          .rank = type->rank,
                          .dims = jitrun_type_dims(type)};
    return NULL;
  }
  jr_place_format(allocation, place);
  return jr_error(JITRUN_FAILED_PRECONDITION,
                  "argument %zu is NULL: entry '%s' needs the buffer at %s, of "
                  "%" PRIu64 " bytes; only one without elements may be NULL",
                  index, entry->name, place, allocation->size_bytes);
}

static jitrun_error_t *check_size(const struct jr_launch *launch, size_t index,
                                  const jitrun_buffer_t *buffer) {
  const jitrun_allocation_t *allocation = allocation_of(launch, index);
  char place[JR_PLACE_BYTES];
  if (buffer->size_bytes == allocation->size_bytes)
    return NULL;
  jr_place_format(allocation, place);
  return jr_error(JITRUN_INVALID_ARGUMENT,
                  "argument %zu has %" PRIu64 " bytes, and allocation %" PRIu32
                  " of entry '%s', %s, takes %" PRIu64,
                  index, buffer->size_bytes, jr_launch_param(launch, index),
                  launch->executable->entry->name, place,
                  allocation->size_bytes);
}

/// Of memory whose elements the program's type does not tell. All that is not
/// given is ours, and aligned better.
static jitrun_error_t *check_alignment(const struct jr_launch *launch,
                                       size_t index) {
  const jitrun_allocation_t *allocation = allocation_of(launch, index);
  uint32_t param = jr_launch_param(launch, index);
  uintptr_t address = (uintptr_t)launch->args[param].data;
  uint64_t needed = allocation->alignment > PARAMETER_ALIGNMENT
                        ? allocation->alignment
                        : PARAMETER_ALIGNMENT;
  char place[JR_PLACE_BYTES];
  if (allocation->size_bytes == 0 || address % needed == 0)
    return NULL;
  jr_place_format(allocation, place);
  return jr_error(JITRUN_INVALID_ARGUMENT,
                  "argument %zu, allocation %" PRIu32
                  " of entry '%s', %s, is aligned to %" PRIuPTR
                  " bytes; parameters need %" PRIu64,
                  index, param, launch->executable->entry->name, place,
                  address & (~address + 1), needed);
}

/// The view of a buffer as the entry's parameter, whose sizes it is given by
/// itself where they fit.
static void fill_view(struct jr_launch *launch, uint32_t param,
                      const jitrun_buffer_t *buffer, int64_t **next_dims) {
  const jitrun_type_t *type = launch->executable->entry->params[param].type;
  jitrun_tensor_t *arg = &launch->args[param];
  arg->data = (char *)launch->memories[param]->data + buffer->offset_bytes;
  arg->dtype = buffer->dtype;
  arg->rank = buffer->rank;
  arg->dims = buffer->dims;
  if (is_bytes(launch, param)) {
    arg->dtype = (jitrun_dtype_t)type->dtype;
    arg->rank = type->rank;
    arg->dims = jitrun_type_dims(type);
  } else if (buffer->rank == type->rank) {
    memcpy(*next_dims, buffer->dims, buffer->rank * sizeof **next_dims);
    arg->dims = *next_dims;
    *next_dims += buffer->rank;
  } // else the entry's own check refuses it
}

/// Takes a reference of an argument's memory, and what is known of it.
static jitrun_error_t *take_argument(struct jr_launch *launch, size_t index,
                                     int64_t **next_dims) {
  jitrun_buffer_t *buffer = launch->given->args[index];
  uint32_t param = jr_launch_param(launch, index);
  if (!buffer)
    return take_null(launch, index);
  if (buffer->device->client != launch->device->client)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "argument %zu is a buffer of another client", index);
  if (buffer->device != launch->device)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "argument %zu is on device %s, and device %s executes",
                    index, buffer->device->name, launch->device->name);
  JITRUN_TRY(jr_buffer_use(buffer, "execute with", &launch->memories[param]));
  if (buffer->ready &&
      jitrun_async_state(buffer->ready) != JITRUN_ASYNC_AVAILABLE) {
    launch->after[param] = buffer->ready;
    jitrun_async_retain(buffer->ready);
  }
  fill_view(launch, param, buffer, next_dims);
  if (!is_bytes(launch, param))
    return NULL;
  JITRUN_TRY(check_size(launch, index, buffer));
  return check_alignment(launch, index);
}

static bool is_donated(const jitrun_launch_t *given, size_t index) {
  for (size_t i = 0; i < given->donated_count; i++) {
    if (given->donated[i] == index)
      return true;
  }
  return false;
}

static jitrun_error_t *check_alias(const struct jr_launch *launch,
                                   size_t index) {
  const jitrun_allocation_t *allocation = allocation_of(launch, index);
  char place[JR_PLACE_BYTES];
  if (allocation->alias != JITRUN_ALIAS_MUST ||
      is_donated(launch->given, index))
    return NULL;
  jr_place_format(allocation, place);
  return jr_error(JITRUN_INVALID_ARGUMENT,
                  "argument %zu, %s, must alias an output of entry '%s', and "
                  "is not donated",
                  index, place, launch->executable->entry->name);
}

/// Constants are where the executable has them, on this device.
static void *find_constant(const struct jr_launch *launch, size_t param) {
  const jitrun_executable_t *executable = launch->executable;
  size_t params = executable->entry->param_count;
  const struct jr_shared *shared =
      executable->shared[launch->place * params + param];
  return shared ? shared->memory->data
                : (void *)(uintptr_t)executable->constants[param];
}

static void place_constants(struct jr_launch *launch) {
  const jitrun_entry_t *entry = launch->executable->entry;
  const bool *is_later = launch->executable->is_later;
  for (size_t i = 0; is_later && i < entry->param_count; i++) {
    const jitrun_type_t *type = entry->params[i].type;
    if (is_later[i])
      launch->args[i] = (jitrun_tensor_t){.dtype = (jitrun_dtype_t)type->dtype,
                                          .rank = type->rank,
                                          .dims = jitrun_type_dims(type),
                                          .data = find_constant(launch, i)};
  }
}

jitrun_error_t *jr_launch_check(struct jr_launch *launch) {
  int64_t *next_dims = launch->dims;
  JITRUN_TRY(check_counts(launch));
  for (size_t i = 0; i < launch->given->arg_count; i++)
    JITRUN_TRY(jr_error_note(take_argument(launch, i, &next_dims),
                             "while looking at argument %zu", i));
  for (size_t i = 0; i < launch->given->donated_count; i++)
    JITRUN_TRY(check_donated(launch, launch->given->donated[i]));
  for (size_t i = 0; i < launch->given->arg_count; i++)
    JITRUN_TRY(check_alias(launch, i));
  place_constants(launch);
  const struct jr_arguments given = {.args = launch->args,
                                     .arg_count =
                                         launch->executable->entry->param_count,
                                     .is_args_only = true,
                                     .is_later = launch->executable->is_later};
  jitrun_error_t *error = jr_arguments_check(
      launch->executable->program, launch->executable->entry_index, &given);
  return launch->executable->is_later
             ? jr_error_note(error, "arguments are counted here as the "
                                    "parameters of the entry, its allocations")
             : error;
}

jitrun_error_t *jr_launch_donate(struct jr_launch *launch) {
  const jitrun_launch_t *given = launch->given;
  for (size_t i = 0; i < given->donated_count; i++) {
    uint32_t index = given->donated[i];
    uint32_t param = jr_launch_param(launch, index);
    jitrun_buffer_t *buffer = given->args[index];
    struct jr_memory *memory = NULL;
    size_t hold_count = 0;
    if (launch->donated[param])
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
    launch->donated[param] = true;
    jr_memory_drop_handle(memory); // the launch has a reference of its own
  }
  return NULL;
}

void jr_launch_undo(struct jr_launch *launch) {
  for (size_t i = 0; i < launch->given->arg_count; i++) {
    uint32_t param = jr_launch_param(launch, i);
    if (!launch->donated[param])
      continue;
    jitrun_buffer_t *buffer = launch->given->args[i];
    (void)pthread_mutex_lock(&buffer->lock);
    bool is_wanted = !buffer->is_dropped;
    if (is_wanted) {
      jr_memory_retain(launch->memories[param]);
      jr_memory_add_handle(launch->memories[param]);
      buffer->memory = launch->memories[param];
    }
    buffer->state = is_wanted ? JR_BUFFER_LIVE : JR_BUFFER_DELETED;
    (void)pthread_mutex_unlock(&buffer->lock);
    launch->donated[param] = false;
  }
}
