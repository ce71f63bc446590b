/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Executables: loading, and what can be asked of them.
#include "client/room.h"
#include "client/tupled.h"

#include "base/alloc.h"
#include "base/options.h"
#include "customcalls/world.h"
#include "runtime/apart.h"
#include "runtime/execute.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void free_executable(jitrun_executable_t *executable) {
  jitrun_client_t *client = executable->client;
  for (size_t i = 0; executable->devices && i < client->device_count; i++) {
    if (executable->devices[i])
      jr_room_drop(&executable->devices[i]->heap, executable);
  }
  jr_executable_forget(executable);
  jitrun_world_release(executable->world);
  jitrun_program_release(executable->program);
  free(executable->devices);
  free(executable->device_ids);
  free(executable->outputs);
  free(executable->tuple_shape);
  free(executable);
  jitrun_client_release(client);
}

void jitrun_executable_retain(jitrun_executable_t *executable) {
  if (executable)
    (void)__atomic_fetch_add(&executable->reference_count, 1, __ATOMIC_RELAXED);
}

void jitrun_executable_release(jitrun_executable_t *executable) {
  if (executable && __atomic_sub_fetch(&executable->reference_count, 1,
                                       __ATOMIC_ACQ_REL) == 0)
    free_executable(executable);
}

static bool is_number(const jitrun_value_info_t *value) {
  return value->type->kind == JITRUN_KIND_SCALAR ||
         value->type->kind == JITRUN_KIND_BUFFER;
}

/// Whether a type has sizes that its record does not say.
static bool has_dynamic_size(const jitrun_type_t *type) {
  for (uint32_t i = 0; i < type->rank; i++) {
    if (jitrun_type_dims(type)[i] == JITRUN_DYNAMIC)
      return true;
  }
  return false;
}

static jitrun_error_t *check_values(const jitrun_entry_t *entry,
                                    const jitrun_value_info_t *values,
                                    size_t count, const char *role) {
  for (size_t i = 0; i < count; i++) {
    if (!is_number(&values[i]))
      return jr_error(
          JITRUN_UNIMPLEMENTED,
          "%s %zu of entry '%s' is no number or memref, and buffers "
          "hold nothing else; run it with jitrun_program_run()",
          role, i, entry->name);
    if (values[i].type->rank > JR_BUFFER_MAX_RANK)
      return jr_error(JITRUN_UNIMPLEMENTED,
                      "%s %zu of entry '%s' has rank %d, and buffers at most "
                      "%d",
                      role, i, entry->name, values[i].type->rank,
                      JR_BUFFER_MAX_RANK);
  }
  return NULL;
}

static jitrun_error_t *find_entry(jitrun_executable_t *executable,
                                  const char *name) {
  jitrun_program_t *program = executable->program;
  const jitrun_entry_t *entry = jitrun_program_entry_find(program, name);
  const char *wanted = name ? name : "main";
  executable->entry = entry;
  if (!entry) {
    const char *reason = jitrun_program_entry_refusal(program, wanted);
    return jr_error(JITRUN_NOT_FOUND, "there is no entry '%s'%s%s", wanted,
                    reason ? ": " : "", reason ? reason : "");
  }
  JITRUN_TRY(
      check_values(entry, entry->params, entry->param_count, "parameter"));
  JITRUN_TRY(
      check_values(entry, entry->results, entry->result_count, "result"));
  for (size_t i = 0; i < entry->result_count; i++)
    executable->is_dynamic |= has_dynamic_size(entry->results[i].type);
  return jr_entry_index(program, entry, &executable->entry_index);
}

/// Whether the client's devices can run the entry.
static jitrun_error_t *check_platform(const jitrun_executable_t *executable) {
  const jitrun_program_t *program = executable->program;
  const jitrun_entry_t *entry = executable->entry;
  const jitrun_device_t *device = executable->devices[0];
  const char *platform = jitrun_client_platform(executable->client);
  if (strcmp(jitrun_program_platform(program), platform) != 0)
    return jr_error(JITRUN_FAILED_PRECONDITION,
                    "the program was opened for platform '%s', and the client "
                    "has '%s': set it in the options for opening",
                    jitrun_program_platform(program), platform);
  for (size_t i = 0; i < entry->param_count + entry->result_count; i++) {
    bool is_param = i < entry->param_count;
    size_t index = is_param ? i : i - entry->param_count;
    const jitrun_value_info_t *value =
        is_param ? &entry->params[index] : &entry->results[index];
    JITRUN_TRY(jr_error_note(
        jr_device_accept(device, (jitrun_dtype_t)value->type->dtype),
        "while looking at %s %zu of entry '%s'",
        is_param ? "parameter" : "result", index, entry->name));
  }
  if (device->info.is_host_addressable)
    return NULL;
  return jr_entry_check_apart(program, executable->entry_index);
}

/// The outputs' types, where the result's shape tells others than the entry.
static jitrun_error_t *list_outputs(jitrun_executable_t *executable) {
  const jitrun_entry_t *entry = executable->entry;
  executable->input_count = jitrun_entry_input_count(entry);
  executable->output_count = jitrun_entry_output_count(entry);
  executable->outputs =
      jr_calloc(executable->output_count + 1, sizeof *executable->outputs);
  if (!executable->outputs)
    return jr_error_no_memory();
  for (size_t i = 0; i < executable->output_count; i++) {
    const jitrun_output_t *output = jitrun_entry_output(entry, i);
    executable->outputs[i] = output->is_result ? entry->results[output->index]
                                               : entry->params[output->index];
    executable->outputs[i].type = output->type;
  }
  return executable->has_tupled_outputs ? jr_tuple_shape_read(executable)
                                        : NULL;
}

static jitrun_error_t *assign_devices(jitrun_executable_t *executable,
                                      const int64_t *given_ids) {
  uint32_t replicas = executable->replica_count;
  uint32_t partitions = executable->partition_count;
  jitrun_client_t *client = executable->client;
  size_t most = client->device_count;
  int64_t *ids = jr_calloc(most, sizeof *ids);
  executable->devices = jr_calloc(most, sizeof *executable->devices);
  if (!ids || !executable->devices) {
    free(ids);
    return jr_error_no_memory();
  }
  jitrun_error_t *error =
      given_ids
          ? jitrun_client_check_assignment(client, replicas, partitions,
                                           given_ids)
          : jitrun_client_assign_default(client, replicas, partitions, ids);
  size_t count = jitrun_executable_device_count(executable);
  for (size_t i = 0; i < count && !error; i++)
    error = jitrun_client_device(client, given_ids ? given_ids[i] : ids[i],
                                 &executable->devices[i]);
  if (given_ids && !error)
    memcpy(ids, given_ids, count * sizeof *ids);
  executable->device_ids = ids;
  return error;
}

/// Whether a program has calls that only a world has answers to.
static bool has_transfers(const jitrun_program_t *program) {
  static const char *const names[] = {"infeed", "outfeed", "send", "recv"};
  for (uint64_t i = 0; i < jitrun_program_site_count(program); i++) {
    const char *target = jitrun_program_site_get(program, i)->target;
    for (size_t j = 0; j < sizeof names / sizeof names[0]; j++) {
      if (strstr(target, names[j]))
        return true;
    }
  }
  return false;
}

/// A world, whose feeds are the devices'.
static jitrun_error_t *create_world(jitrun_executable_t *executable,
                                    const jitrun_world_options_t *options) {
  size_t count = jitrun_executable_device_count(executable);
  jitrun_world_t *feeds;
  if (count == 1 && !has_transfers(executable->program))
    return NULL;
  JITRUN_TRY(jr_client_feeds(executable->client, &feeds));
  JITRUN_TRY(jitrun_world_create(executable->replica_count,
                                 executable->partition_count, options,
                                 &executable->world));
  uint32_t *numbers = jr_calloc(count, sizeof *numbers);
  if (!numbers)
    return jr_error_no_memory();
  for (size_t i = 0; i < count; i++)
    numbers[i] = executable->devices[i]->local_ordinal;
  jr_world_set_feeds(executable->world, feeds, numbers);
  return NULL;
}

/// What cannot run is refused before anything is given to it.
static jitrun_error_t *check_executor(const jitrun_executable_t *executable) {
  const jitrun_program_t *program = executable->program;
  uint32_t index;
  if (program->inspect_only)
    return NULL;
  JITRUN_TRY(jr_entry_index(program, executable->entry, &index));
  return jr_executor_check(program, index);
}

static jitrun_error_t *
init_executable(jitrun_executable_t *executable,
                const jitrun_executable_options_t *options) {
  uint32_t replicas = options->replica_count ? options->replica_count : 1;
  uint32_t partitions = options->partition_count ? options->partition_count : 1;
  executable->replica_count = replicas;
  executable->partition_count = partitions;
  executable->has_tupled_params = options->tupled_params;
  executable->has_tupled_outputs = options->tupled_outputs;
  JITRUN_TRY(assign_devices(executable, options->device_ids));
  JITRUN_TRY(find_entry(executable, options->entry));
  JITRUN_TRY(check_platform(executable));
  JITRUN_TRY(check_executor(executable));
  JITRUN_TRY(list_outputs(executable));
  jr_launch_measure(executable);
  JITRUN_TRY(jr_executable_describe(executable, options));
  return create_world(executable, options->world);
}

static jitrun_error_t *read_options(const jitrun_executable_options_t *options,
                                    jitrun_executable_options_t *out_options) {
  *out_options = (jitrun_executable_options_t){.size = sizeof *out_options};
  return jr_options_read(options, "for an executable", out_options,
                         sizeof *out_options);
}

/// How a program is opened for the client: as the caller says, with the custom
/// calls of its platform unless that is said, too.
static jitrun_error_t *
read_open_options(const jitrun_client_t *client,
                  const jitrun_executable_options_t *options,
                  jitrun_open_options_t *out_options) {
  JITRUN_TRY(jr_open_options_read(options->open, out_options));
  out_options->size = sizeof *out_options;
  bool is_said =
      options->open &&
      options->open->size >= offsetof(jitrun_open_options_t, platform) +
                                 sizeof options->open->platform &&
      options->open->platform;
  if (!is_said)
    out_options->platform = jitrun_client_platform(client);
  return NULL;
}

/// `options` were read; the program is retained.
static jitrun_error_t *
create_executable(jitrun_client_t *client, jitrun_program_t *program,
                  const jitrun_executable_options_t *options,
                  jitrun_executable_t **out_executable) {
  jitrun_executable_t *executable = jr_calloc(1, sizeof *executable);
  if (!executable)
    return jr_error_no_memory();
  executable->reference_count = 1;
  executable->client = client;
  executable->program = program;
  jitrun_client_retain(client);
  jitrun_program_retain(program);
  jitrun_error_t *error = init_executable(executable, options);
  if (error)
    free_executable(executable);
  else
    *out_executable = executable;
  return error;
}

jitrun_error_t *
jitrun_executable_create(jitrun_client_t *client, jitrun_program_t *program,
                         const jitrun_executable_options_t *options,
                         jitrun_executable_t **out_executable) {
  jitrun_executable_options_t read;
  JR_NEED(out_executable);
  *out_executable = NULL;
  JR_NEED(client);
  JITRUN_TRY(read_options(options, &read));
  JR_NEED(program);
  return create_executable(client, program, &read, out_executable);
}

jitrun_error_t *
jitrun_executable_load_file(jitrun_client_t *client, const char *path,
                            const jitrun_executable_options_t *options,
                            jitrun_executable_t **out_executable) {
  jitrun_executable_options_t read;
  jitrun_program_t *program = NULL;
  jitrun_open_options_t open;
  JR_NEED(out_executable);
  *out_executable = NULL;
  JR_NEED(client);
  JITRUN_TRY(read_options(options, &read));
  JITRUN_TRY(read_open_options(client, &read, &open));
  JITRUN_TRY(jitrun_program_open_file(path, &open, &program));
  jitrun_error_t *error =
      create_executable(client, program, &read, out_executable);
  jitrun_program_release(program);
  return error;
}

jitrun_error_t *
jitrun_executable_load_memory(jitrun_client_t *client, const void *data,
                              size_t size_bytes, const char *name,
                              const jitrun_executable_options_t *options,
                              jitrun_executable_t **out_executable) {
  jitrun_executable_options_t read;
  jitrun_program_t *program = NULL;
  jitrun_open_options_t open;
  JR_NEED(out_executable);
  *out_executable = NULL;
  JR_NEED(client);
  JITRUN_TRY(read_options(options, &read));
  JITRUN_TRY(read_open_options(client, &read, &open));
  JITRUN_TRY(
      jitrun_program_open_memory(data, size_bytes, name, &open, &program));
  jitrun_error_t *error =
      create_executable(client, program, &read, out_executable);
  jitrun_program_release(program);
  return error;
}

jitrun_program_t *
jitrun_executable_program(const jitrun_executable_t *executable) {
  return executable ? executable->program : NULL;
}

const jitrun_entry_t *
jitrun_executable_entry(const jitrun_executable_t *executable) {
  return executable ? executable->entry : NULL;
}

size_t jitrun_executable_device_count(const jitrun_executable_t *executable) {
  return executable
             ? (size_t)executable->replica_count * executable->partition_count
             : 0;
}

jitrun_device_t *jitrun_executable_device(const jitrun_executable_t *executable,
                                          size_t index) {
  return index < jitrun_executable_device_count(executable)
             ? executable->devices[index]
             : NULL;
}

jitrun_world_t *jitrun_executable_world(const jitrun_executable_t *executable) {
  return executable ? executable->world : NULL;
}

size_t jitrun_executable_output_count(const jitrun_executable_t *executable) {
  return executable ? executable->output_count : 0;
}

const jitrun_value_info_t *
jitrun_executable_output(const jitrun_executable_t *executable, size_t index) {
  return index < jitrun_executable_output_count(executable)
             ? &executable->outputs[index]
             : NULL;
}

size_t jitrun_executable_param_count(const jitrun_executable_t *executable) {
  return executable ? executable->input_count : 0;
}

const jitrun_value_info_t *
jitrun_executable_param(const jitrun_executable_t *executable, size_t index) {
  if (index >= jitrun_executable_param_count(executable))
    return NULL;
  const jitrun_entry_t *entry = executable->entry;
  return &entry->params[jitrun_entry_input(entry, index)];
}

const int64_t *
jitrun_executable_param_index(const jitrun_executable_t *executable,
                              size_t index, uint32_t *out_number,
                              size_t *out_count) {
  static const jitrun_allocation_t none;
  const jitrun_allocation_t *found = &none;
  if (index < jitrun_executable_param_count(executable))
    found = jitrun_entry_allocation(
        executable->entry, jitrun_entry_input(executable->entry, index));
  if (out_number)
    *out_number = found->number;
  if (out_count)
    *out_count = found->index_count;
  return found->index;
}

const int64_t *
jitrun_executable_output_index(const jitrun_executable_t *executable,
                               size_t index, size_t *out_count) {
  static const jitrun_output_t none;
  const jitrun_output_t *found = &none;
  if (index < jitrun_executable_output_count(executable))
    found = jitrun_entry_output(executable->entry, index);
  if (out_count)
    *out_count = found->shape_index_count;
  return found->shape_index;
}
