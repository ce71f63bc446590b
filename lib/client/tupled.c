/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See tupled.h. What the caller gets is made before anything starts.
#include "client/tupled.h"

#include "base/alloc.h"
#include "client/tuple.h"

#include <inttypes.h>
#include <stdlib.h>

struct jr_tupled {
  const jitrun_executable_t *executable;
  const jitrun_launch_t *given;
  size_t count;
  jitrun_launch_t *launches;
  jitrun_buffer_t **args, **outputs; ///< of all launches
  uint32_t *donated;
  jitrun_buffer_t **tuples; ///< for the outputs
};

const jitrun_launch_t *jr_tupled_launches(const struct jr_tupled *tupled) {
  return tupled->launches;
}

static void free_tupled(struct jr_tupled *tupled) {
  for (size_t i = 0; tupled->tuples && i < tupled->count; i++)
    jitrun_buffer_release(tupled->tuples[i]);
  free(tupled->launches);
  free(tupled->args);
  free(tupled->outputs);
  free(tupled->donated);
  free(tupled->tuples);
  free(tupled);
}

/// The one argument of a launch.
static jitrun_error_t *check_argument(const jitrun_launch_t *given) {
  if (given->arg_count != 1 || !given->args || !given->args[0] ||
      given->args[0]->dtype != JITRUN_DTYPE_TUPLE)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the executable takes one tuple of its parameters; %zu "
                    "arguments are given%s",
                    given->arg_count,
                    given->arg_count == 1 ? ", and it is no tuple" : "");
  for (size_t i = 0; i < given->donated_count; i++) {
    if (given->donated && given->donated[i] != 0)
      return jr_error(JITRUN_INVALID_ARGUMENT,
                      "argument %" PRIu32
                      " is donated, and there is one, the tuple",
                      given->donated[i]);
  }
  return jr_tuple_check(given->args[0], "execute with");
}

/// Leaves instead of the tuple.
static jitrun_error_t *open_argument(struct jr_tupled *tupled, size_t place) {
  const jitrun_launch_t *given = &tupled->given[place];
  jitrun_launch_t *launch = &tupled->launches[place];
  size_t params = tupled->executable->input_count;
  JITRUN_TRY(check_argument(given));
  launch->args = tupled->args + place * params;
  launch->arg_count =
      jr_tuple_leaves(given->args[0], tupled->args + place * params, params);
  if (launch->arg_count != params)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "entry '%s' takes a tuple of %zu leaves, and the one that "
                    "is given has %zu",
                    tupled->executable->entry->name, params, launch->arg_count);
  if (given->donated_count > 0 && given->donated) {
    launch->donated = tupled->donated;
    launch->donated_count = params;
  }
  return NULL;
}

static jitrun_error_t *open_outputs(struct jr_tupled *tupled, size_t place) {
  const jitrun_launch_t *given = &tupled->given[place];
  jitrun_launch_t *launch = &tupled->launches[place];
  size_t outputs = tupled->executable->output_count;
  if (given->output_count != 1 || !given->outputs)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the executable gives one tuple of its outputs, and there "
                    "is room for %zu",
                    given->outputs ? given->output_count : 0);
  launch->outputs = tupled->outputs + place * outputs;
  launch->output_count = outputs;
  const int32_t *next = tupled->executable->tuple_shape;
  return jr_tuple_shape_make(tupled->executable->devices[place], &next,
                             &tupled->tuples[place]);
}

static jitrun_error_t *open_launch(struct jr_tupled *tupled, size_t place) {
  const jitrun_executable_t *executable = tupled->executable;
  tupled->launches[place] = tupled->given[place];
  if (executable->has_tupled_params)
    JITRUN_TRY(open_argument(tupled, place));
  return executable->has_tupled_outputs ? open_outputs(tupled, place) : NULL;
}

static jitrun_error_t *allocate(struct jr_tupled *tupled) {
  size_t params = tupled->executable->input_count;
  size_t outputs = tupled->executable->output_count;
  size_t count = tupled->count;
  tupled->launches = jr_calloc(count, sizeof *tupled->launches);
  tupled->args = jr_calloc(count * params + 1, sizeof(void *));
  tupled->outputs = jr_calloc(count * outputs + 1, sizeof(void *));
  tupled->donated = jr_calloc(params + 1, sizeof *tupled->donated);
  tupled->tuples = jr_calloc(count, sizeof(void *));
  if (!tupled->launches || !tupled->args || !tupled->outputs ||
      !tupled->donated || !tupled->tuples)
    return jr_error_no_memory();
  for (size_t i = 0; i < params; i++)
    tupled->donated[i] = (uint32_t)i;
  return NULL;
}

jitrun_error_t *jr_tupled_begin(const jitrun_executable_t *executable,
                                const jitrun_launch_t *given,
                                struct jr_tupled **out_tupled) {
  *out_tupled = NULL;
  if (!executable->has_tupled_params && !executable->has_tupled_outputs)
    return NULL;
  struct jr_tupled *tupled = jr_calloc(1, sizeof *tupled);
  if (!tupled)
    return jr_error_no_memory();
  tupled->executable = executable;
  tupled->given = given;
  tupled->count = jitrun_executable_device_count(executable);
  jitrun_error_t *error = allocate(tupled);
  for (size_t i = 0; i < tupled->count && !error; i++)
    error = jr_error_note(open_launch(tupled, i), "at device %s",
                          executable->devices[i]->name);
  if (error)
    free_tupled(tupled);
  else
    *out_tupled = tupled;
  return error;
}

/// The outputs of a launch that went well.
static void close_outputs(struct jr_tupled *tupled, size_t place) {
  jitrun_buffer_t **next = tupled->launches[place].outputs;
  jr_tuple_shape_fill(tupled->tuples[place], &next);
  tupled->given[place].outputs[0] = tupled->tuples[place];
  tupled->tuples[place] = NULL;
}

void jr_tupled_end(struct jr_tupled *tupled, bool has_failed) {
  if (!tupled)
    return;
  const jitrun_executable_t *executable = tupled->executable;
  for (size_t i = 0; i < tupled->count; i++) {
    if (executable->has_tupled_outputs && !has_failed)
      close_outputs(tupled, i);
    bool was_donated =
        executable->has_tupled_params && tupled->given[i].donated_count > 0 &&
        (!has_failed || jr_tuple_is_deleted(tupled->given[i].args[0]));
    if (was_donated)
      jr_tuple_set_donated(tupled->given[i].args[0]);
  }
  free_tupled(tupled);
}
