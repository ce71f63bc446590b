/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The memory of what an execution gives, and of what its entry needs besides.
/// Whose memory an output has depends on its own argument alone, so it makes no
/// difference in which order outputs stand.
#include "client/executable.h"

#include "base/dtype.h"

/// The shape of an output whose sizes are known before the run.
static struct jr_shape read_shape(const jitrun_tensor_t *tensor) {
  struct jr_shape shape = {
      .dtype = tensor->dtype, .rank = tensor->rank, .dims = tensor->dims};
  (void)jr_elements_bytes(jr_dtype_size(tensor->dtype), tensor->dims,
                          tensor->rank, &shape.size_bytes);
  return shape;
}

/// The same of a type.
static struct jr_shape read_type(const jitrun_type_t *type) {
  const jitrun_tensor_t tensor = {.dtype = (jitrun_dtype_t)type->dtype,
                                  .rank = type->rank,
                                  .dims = jitrun_type_dims(type)};
  return read_shape(&tensor);
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

static jitrun_error_t *refuse_shared(const jitrun_entry_t *entry,
                                     const jitrun_allocation_t *allocation) {
  char place[JR_PLACE_BYTES];
  jr_place_format(allocation, place);
  return jr_error(JITRUN_FAILED_PRECONDITION,
                  "%s must alias an output of entry '%s', and others have its "
                  "memory: views, copies on the device, or whoever lent it",
                  place, entry->name);
}

/// Decides whether a parameter that is an output is written to where it is: if
/// it is given away and nobody sees it then. One that must be is refused while
/// others have it; who is about to be done with it only has it copied.
static jitrun_error_t *place_output(struct jr_launch *launch, size_t index) {
  const jitrun_entry_t *entry = launch->executable->entry;
  const jitrun_output_t *output = jitrun_entry_output(entry, index);
  if (output->is_result || !launch->donated[output->index])
    return NULL;
  const struct jr_memory *memory = launch->memories[output->index];
  const jitrun_allocation_t *allocation =
      jitrun_entry_allocation(entry, output->index);
  if (allocation->alias == JITRUN_ALIAS_MUST && !allocation->is_unused &&
      (memory->is_borrowed || jr_memory_has_handle(memory)))
    return refuse_shared(entry, allocation);
  launch->in_place[output->index] =
      jr_memory_is_free(memory, !launch->is_inline);
  return NULL;
}

/// A parameter that is an output: in place if it may be, or if the entry does
/// not touch it; else in a copy, which the entry gets.
static jitrun_error_t *make_argument(struct jr_launch *launch, size_t index,
                                     const struct jr_shape *shape,
                                     size_t param) {
  const jitrun_entry_t *entry = launch->executable->entry;
  const jitrun_allocation_t *allocation = jitrun_entry_allocation(entry, param);
  struct jr_memory *memory = launch->memories[param];
  if (allocation->is_unused || launch->in_place[param])
    return make_output(
        launch, index, shape,
        (uint64_t)((char *)launch->args[param].data - (char *)memory->data),
        memory);
  JITRUN_TRY(jr_memory_allocate(&launch->device->heap, shape->size_bytes,
                                &launch->copies[param]));
  return make_output(launch, index, shape, 0, launch->copies[param]);
}

static jitrun_error_t *make_result(struct jr_launch *launch, size_t index,
                                   size_t result) {
  const jitrun_type_t *type = launch->executable->entry->results[result].type;
  const struct jr_shape shape = read_type(type);
  jitrun_tensor_t *tensor = &launch->results[result];
  JITRUN_TRY(jr_memory_allocate(&launch->device->heap, shape.size_bytes,
                                &launch->result_memories[result]));
  *tensor = (jitrun_tensor_t){.dtype = shape.dtype,
                              .rank = shape.rank,
                              .dims = shape.dims,
                              .data = launch->result_memories[result]->data};
  return make_output(launch, index, &shape, 0, launch->result_memories[result]);
}

/// What the entry's arguments need that are neither given nor constants.
static jitrun_error_t *allocate_param(struct jr_launch *launch, size_t param) {
  const jitrun_entry_t *entry = launch->executable->entry;
  const jitrun_allocation_t *allocation = jitrun_entry_allocation(entry, param);
  char place[JR_PLACE_BYTES];
  if (allocation->kind == JITRUN_ALLOCATION_PARAMETER ||
      allocation->kind == JITRUN_ALLOCATION_CONSTANT)
    return NULL;
  jitrun_error_t *error = jr_memory_allocate(
      &launch->device->heap, allocation->size_bytes, &launch->memories[param]);
  if (!error) {
    launch->args[param].data = launch->memories[param]->data;
    return NULL;
  }
  jr_place_format(allocation, place);
  return jr_error_note(error, "while allocating argument %zu of entry '%s', %s",
                       param, entry->name, place);
}

static jitrun_error_t *make_one(struct jr_launch *launch, size_t index) {
  const jitrun_executable_t *executable = launch->executable;
  const jitrun_output_t *output = jitrun_entry_output(executable->entry, index);
  if (output->is_result)
    return executable->is_dynamic ? NULL
                                  : make_result(launch, index, output->index);
  const jitrun_allocation_t *allocation =
      jitrun_entry_allocation(executable->entry, output->index);
  // The sizes of an argument may be dynamic; those of the shape are not.
  const struct jr_shape shape = executable->is_later
                                    ? read_type(output->type)
                                    : read_shape(&launch->args[output->index]);
  return allocation->kind == JITRUN_ALLOCATION_LIVE_OUT
             ? make_output(launch, index, &shape, 0,
                           launch->memories[output->index])
             : make_argument(launch, index, &shape, output->index);
}

jitrun_error_t *jr_launch_outputs(struct jr_launch *launch) {
  const jitrun_executable_t *executable = launch->executable;
  for (size_t i = 0; executable->is_later && i < executable->entry->param_count;
       i++)
    JITRUN_TRY(allocate_param(launch, i));
  // Before any output has memory of an argument, whatever their order.
  for (size_t i = 0; i < executable->output_count; i++)
    JITRUN_TRY(place_output(launch, i));
  for (size_t i = 0; i < executable->output_count; i++)
    JITRUN_TRY(make_one(launch, i));
  return NULL;
}

jitrun_error_t *jr_launch_take_result(struct jr_launch *launch, size_t index,
                                      const jitrun_tensor_t *tensor,
                                      jitrun_release_fn_t release,
                                      void *release_context) {
  const struct jr_shape shape = read_shape(tensor);
  struct jr_memory *memory;
  JITRUN_TRY(jr_memory_adopt(&launch->device->heap, tensor->data,
                             shape.size_bytes, release, release_context,
                             &memory));
  return jr_buffer_create(launch->device, &shape, 0, memory, NULL,
                          &launch->outputs[index]);
}
