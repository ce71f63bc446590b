/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See remote.h.
#include "remote.h"

#include "option_platform.h"

#include "base/alloc.h"
#include "jitrun/allocation.h"

#include <inttypes.h>
#include <stdlib.h>

jitrun_error_t *jr_remote_connect(const struct jr_options *options,
                                  const char *platform,
                                  jitrun_client_t **out_client) {
  const jitrun_client_options_t client_options = {
      .size = sizeof client_options,
      .platform = platform,
      .device_count = (uint32_t)options->device_count,
      .platforms = options->platforms};
  return jitrun_client_create(&client_options, out_client);
}

jitrun_error_t *jr_remote_check(const jitrun_client_t *client,
                                const struct jr_platform_choice *choice) {
  size_t count = jitrun_client_device_count(client);
  if (!choice->is_one || choice->ordinal < count)
    return NULL;
  return jr_error(JITRUN_OUT_OF_RANGE,
                  "--device=%s:%" PRIu64
                  ": there is no such device; %s has %zu, from %s:0 to %s:%zu",
                  choice->name, choice->ordinal, choice->name, count,
                  choice->name, choice->name, count - 1);
}

jitrun_error_t *jr_remote_open(struct jr_remote *remote,
                               const struct jr_options *options,
                               jitrun_program_t *program,
                               const jitrun_entry_t *entry) {
  const struct jr_platform_choice *choice = &options->platform;
  const int64_t ids[] = {(int64_t)choice->ordinal};
  *remote = (struct jr_remote){0};
  if (jr_platform_is_host(options))
    return NULL;
  JITRUN_TRY(jr_remote_connect(options, choice->name, &remote->client));
  JITRUN_TRY(jr_remote_check(remote->client, choice));
  const jitrun_executable_options_t executable_options = {
      .size = sizeof executable_options,
      .entry = entry->name,
      .replica_count = (uint32_t)options->replicas,
      .partition_count = (uint32_t)options->partitions,
      .device_ids = choice->is_one ? ids : NULL};
  return jitrun_executable_create(remote->client, program, &executable_options,
                                  &remote->executable);
}

/// The buffers of one execution, device by device.
struct buffers {
  jitrun_launch_t *launches;
  jitrun_buffer_t **args, **outputs;
  size_t arg_count, output_count; ///< of a device
};

static jitrun_error_t *allocate(struct buffers *buffers, size_t count) {
  buffers->launches = jr_calloc(count, sizeof *buffers->launches);
  buffers->args =
      jr_calloc(count * buffers->arg_count + 1, sizeof(jitrun_buffer_t *));
  buffers->outputs =
      jr_calloc(count * buffers->output_count + 1, sizeof(jitrun_buffer_t *));
  if (!buffers->launches || !buffers->args || !buffers->outputs)
    return jr_error_no_memory();
  for (size_t i = 0; i < count; i++)
    buffers->launches[i] = (jitrun_launch_t){
        .args = buffers->args + i * buffers->arg_count,
        .arg_count = buffers->arg_count,
        .outputs = buffers->outputs + i * buffers->output_count,
        .output_count = buffers->output_count};
  return NULL;
}

static void free_buffers(struct buffers *buffers, size_t count) {
  for (size_t i = 0; buffers->args && i < count * buffers->arg_count; i++)
    jitrun_buffer_release(buffers->args[i]);
  for (size_t i = 0; buffers->outputs && i < count * buffers->output_count; i++)
    jitrun_buffer_release(buffers->outputs[i]);
  free((void *)buffers->args);
  free((void *)buffers->outputs);
  free(buffers->launches);
}

static jitrun_error_t *send_args(const struct jr_remote *remote, size_t place,
                                 const struct jr_binding *binding,
                                 jitrun_buffer_t **out_args) {
  jitrun_device_t *device = jitrun_executable_device(remote->executable, place);
  for (size_t i = 0; i < jitrun_entry_input_count(binding->entry); i++) {
    uint32_t param = jitrun_entry_input(binding->entry, i);
    JITRUN_TRY(jr_error_note(
        jitrun_buffer_from_host(device, &binding->arg_views[param],
                                JITRUN_HOST_COPY_NOW, NULL, NULL, &out_args[i]),
        "while copying arg[%" PRIu32 "] to the device", param));
  }
  return NULL;
}

/// Takes an output, which is a result or a parameter of the entry.
static jitrun_error_t *take_output(struct jr_binding *binding,
                                   const jitrun_output_t *output,
                                   jitrun_buffer_t *buffer) {
  jitrun_tensor_t tensor;
  JITRUN_TRY(jitrun_buffer_host_value(buffer, -1, &tensor));
  return jr_binding_take(binding, output->is_result, output->index, &tensor);
}

static jitrun_error_t *take_outputs(const struct jr_remote *remote,
                                    struct jr_binding *binding,
                                    jitrun_buffer_t *const *outputs) {
  size_t count = jitrun_executable_output_count(remote->executable);
  for (size_t i = 0; i < count; i++)
    JITRUN_TRY(take_output(
        binding,
        jitrun_entry_output(jitrun_executable_entry(remote->executable), i),
        outputs[i]));
  return NULL;
}

jitrun_error_t *jr_remote_run(struct jr_remote *remote,
                              struct jr_binding *const *bindings, size_t count,
                              const jitrun_execute_options_t *options) {
  struct buffers buffers = {
      .arg_count = jitrun_entry_input_count(bindings[0]->entry),
      .output_count = jitrun_executable_output_count(remote->executable)};
  jitrun_error_t *error = allocate(&buffers, count);
  for (size_t i = 0; i < count && !error; i++)
    error =
        send_args(remote, i, bindings[i], buffers.args + i * buffers.arg_count);
  if (!error)
    error = jitrun_executable_execute(remote->executable, buffers.launches,
                                      count, options);
  for (size_t i = 0; i < count && !error; i++)
    error = take_outputs(remote, bindings[i],
                         buffers.outputs + i * buffers.output_count);
  free_buffers(&buffers, count);
  return error;
}

void jr_remote_close(struct jr_remote *remote) {
  jitrun_executable_release(remote->executable);
  jitrun_client_release(remote->client);
  *remote = (struct jr_remote){0};
}
