/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Binding values to an entry.
#include "bind.h"

#include "assign.h"
#include "open.h"
#include "option_devices.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/dtype.h"
#include "jitrun/allocation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Adds what the entry takes to an error about its arguments.
static jitrun_error_t *note_signature(jitrun_error_t *error,
                                      const jitrun_entry_t *entry) {
  struct jr_bytes text = {0};
  jr_format_params(&text, entry);
  const char *signature = jr_bytes_text(&text);
  error = jr_error_note(error, "entry '%s' takes: %s", entry->name,
                        signature ? signature : "?");
  jr_bytes_deinit(&text);
  return error;
}

static const char *plural(size_t count) {
  return count == 1 ? "" : "s";
}

static jitrun_error_t *check_count(const jitrun_entry_t *entry, size_t given) {
  if (given == entry->param_count)
    return NULL;
  return jr_error(JITRUN_INVALID_ARGUMENT,
                  "entry '%s' takes %zu argument%s, --input is given %zu "
                  "time%s",
                  entry->name, entry->param_count, plural(entry->param_count),
                  given, plural(given));
}

/// True when sizes given fit the declared ones.
static bool dims_fit(const struct jr_spec *spec, const jitrun_type_t *type) {
  const int64_t *dims = jitrun_type_dims(type);
  for (size_t i = 0; i < spec->rank; i++) {
    if (dims[i] != JITRUN_DYNAMIC && dims[i] != spec->dims[i])
      return false;
  }
  return true;
}

static jitrun_error_t *check_type(const struct jr_spec *spec,
                                  const jitrun_type_t *type, size_t index) {
  bool is_opaque = type->kind == JITRUN_KIND_OPAQUE;
  if (spec->dtype == (jitrun_dtype_t)type->dtype &&
      (is_opaque ? spec->rank == 0
                 : spec->rank == type->rank && dims_fit(spec, type)))
    return NULL;
  struct jr_bytes text = {0};
  jr_bytes_appendf(&text, "%s=%.80s%s (arg[%zu]): is ", spec->option,
                   spec->text, strlen(spec->text) > 80 ? "..." : "", index);
  jr_spec_format_type(spec, &text);
  jr_bytes_append_text(&text, ", ");
  jr_type_format(&text, type);
  jr_bytes_append_text(&text, " is needed");
  const char *message = jr_bytes_text(&text);
  jitrun_error_t *error = message
                              ? jr_error(JITRUN_INVALID_ARGUMENT, "%s", message)
                              : jr_error_no_memory();
  jr_bytes_deinit(&text);
  return error;
}

static bool is_async(const jitrun_type_t *type) {
  return type->kind == JITRUN_KIND_TOKEN ||
         type->kind == JITRUN_KIND_ASYNC_SCALAR ||
         type->kind == JITRUN_KIND_ASYNC_BUFFER;
}

/// The value of an async argument or result is one of its own here; that of a
/// token is 0.
static jitrun_error_t *init_value(const jitrun_value_info_t *info,
                                  const int64_t *dims,
                                  struct jr_value *out_value) {
  if (info->type->kind == JITRUN_KIND_OPAQUE)
    return jr_value_init(JITRUN_DTYPE_OPAQUE, 0, NULL, out_value);
  if (is_async(info->type))
    return jr_value_init((jitrun_dtype_t)info->type->dtype, info->type->rank,
                         dims, out_value);
  return jr_value_init_as(info->type, dims, info->alignment, out_value);
}

/// Makes a handle that has the value from the beginning.
static jitrun_error_t *make_handle(const jitrun_type_t *type,
                                   const struct jr_value *value,
                                   jitrun_async_t **out_handle) {
  JITRUN_TRY(jitrun_async_create(type, out_handle));
  if (type->kind == JITRUN_KIND_TOKEN)
    return jitrun_async_set_token(*out_handle);
  if (type->kind == JITRUN_KIND_ASYNC_SCALAR)
    return jitrun_async_set_scalar(*out_handle, value->data);
  jitrun_tensor_t view = jr_value_view(value);
  return jitrun_async_set_buffer(*out_handle, &view);
}

static jitrun_error_t *bind_arg(struct jr_binding *binding, size_t index) {
  const jitrun_value_info_t *info = &binding->entry->params[index];
  struct jr_spec *spec = binding->inputs[index];
  JITRUN_TRY(jr_spec_open(spec));
  JITRUN_TRY(check_type(spec, info->type, index));
  struct jr_value *value = &binding->args[index];
  jitrun_error_t *error = init_value(info, spec->dims, value);
  if (error)
    return jr_error_note(error, "while binding arg[%zu]", index);
  jr_spec_fill(spec, value);
  binding->arg_views[index] = jr_value_view(value);
  if (!is_async(info->type))
    return NULL;
  binding->arg_views[index] = (jitrun_tensor_t){
      .dtype = JITRUN_DTYPE_TOKEN, .data = &binding->handles[index]};
  return make_handle(info->type, value, &binding->handles[index]);
}

/// A type with the strides that a view has.
static jitrun_error_t *copy_type(const jitrun_tensor_t *tensor,
                                 jitrun_type_t **out_type) {
  JITRUN_TRY(jr_type_make(tensor->dtype, tensor->rank, tensor->dims, out_type));
  if (tensor->rank > 0)
    memcpy((int64_t *)(void *)(*out_type + 1) + tensor->rank, tensor->strides,
           tensor->rank * sizeof(int64_t));
  return NULL;
}

/// Reads what an async result has become; the work is done.
static jitrun_error_t *read_handle(const jitrun_tensor_t *tensor, size_t index,
                                   jitrun_tensor_t *out_value) {
  static uint64_t none;
  const jitrun_async_t *async = *(jitrun_async_t **)tensor->data;
  jitrun_error_t *error = jitrun_async_read(async, out_value);
  if (!error && !out_value->data)
    out_value->data = &none; /* of a token */
  return jr_error_note(error, "as result[%zu]", index);
}

/// Takes a result of an execution over.
static jitrun_error_t *take_result(struct jr_binding *binding, size_t index,
                                   const jitrun_tensor_t *tensor) {
  const jitrun_value_info_t *info = &binding->entry->results[index];
  jitrun_tensor_t read;
  if (is_async(info->type)) {
    JITRUN_TRY(read_handle(tensor, index, &read));
    tensor = &read;
  }
  struct jr_value *value = &binding->results[index];
  jr_value_deinit(value);
  jitrun_error_t *error = init_value(info, tensor->dims, value);
  if (error)
    return jr_error_note(error, "while binding result[%zu]", index);
  struct jr_value view = {.type = value->type, .data = tensor->data};
  if (info->type->kind == JITRUN_KIND_BUFFER)
    JITRUN_TRY(
        jr_type_make(tensor->dtype, tensor->rank, tensor->dims, &view.type));
  if (info->type->kind == JITRUN_KIND_ASYNC_BUFFER)
    JITRUN_TRY(copy_type(tensor, &view.type));
  jr_value_copy(&view, value);
  if (view.type != value->type)
    free(view.type);
  return NULL;
}

static jitrun_error_t *allocate_arrays(struct jr_binding *binding) {
  size_t args = binding->entry->param_count;
  size_t results = binding->entry->result_count;
  binding->args = jr_calloc(args, sizeof *binding->args);
  binding->results = jr_calloc(results, sizeof *binding->results);
  binding->handles = jr_calloc(args, sizeof(jitrun_async_t *));
  binding->handle_count = binding->handles ? args : 0;
  binding->arg_views = jr_calloc(args, sizeof *binding->arg_views);
  binding->outputs = jr_calloc(args + results, sizeof *binding->outputs);
  if (!binding->args || !binding->results || !binding->arg_views ||
      !binding->outputs || !binding->handles)
    return jr_error_no_memory();
  return NULL;
}

static void set_output(struct jr_output *output, bool is_result, size_t index) {
  *output = (struct jr_output){.is_result = is_result, .index = index};
  (void)snprintf(output->label, sizeof output->label, "%s[%zu]",
                 is_result ? "result" : "arg", index);
}

size_t jr_outputs_list(const jitrun_entry_t *entry, struct jr_output *outputs) {
  size_t count = jitrun_entry_output_count(entry);
  for (size_t i = 0; i < count; i++) {
    const jitrun_output_t *output = jitrun_entry_output(entry, i);
    set_output(&outputs[i], output->is_result, output->index);
  }
  return count;
}

static bool has_output(const struct jr_binding *binding,
                       const struct jr_spec *spec) {
  for (size_t i = 0; i < binding->output_count; i++) {
    const struct jr_output *output = &binding->outputs[i];
    if (output->is_result == spec->slot_is_result &&
        output->index == spec->slot_index)
      return true;
  }
  return false;
}

/// Adds the argument that an option names, if it is no output anyway.
static void add_named(struct jr_binding *binding, const struct jr_spec *spec) {
  if (!spec->has_slot || spec->slot_is_result ||
      spec->slot_index >= binding->entry->param_count ||
      has_output(binding, spec))
    return;
  struct jr_output *output = &binding->outputs[binding->output_count++];
  set_output(output, false, spec->slot_index);
  output->is_extra = true;
}

/// The specs that are for a device, and those that each slot gets.
struct assignment {
  struct jr_spec **chosen, **found;
  size_t count, left;
};

static void free_assignment(struct assignment *assignment) {
  free((void *)assignment->chosen);
  free((void *)assignment->found);
}

static jitrun_error_t *assign_specs(const struct jr_specs *specs,
                                    uint64_t device,
                                    const struct jr_slots *slots,
                                    struct assignment *out) {
  JITRUN_TRY(jr_devices_choose(specs, device, &out->chosen, &out->count));
  out->found = jr_calloc(slots->count, sizeof(struct jr_spec *));
  if (!out->found)
    return jr_error_no_memory();
  return jr_specs_assign(out->chosen, out->count, slots, out->found,
                         &out->left);
}

/// Finds what is to become of each output: its --output, or its --expect.
static jitrun_error_t *assign_outputs(struct jr_binding *binding,
                                      const struct jr_specs *specs,
                                      uint64_t device,
                                      const struct jr_slots *slots) {
  bool are_sinks = specs == &binding->options->outputs;
  struct assignment assignment = {0};
  jitrun_error_t *error = assign_specs(specs, device, slots, &assignment);
  if (!error && assignment.left > 0)
    error = jr_error(JITRUN_INVALID_ARGUMENT,
                     "%s is given %zu time%s, entry '%s' has %zu output%s",
                     are_sinks ? "--output" : "--expect", assignment.count,
                     plural(assignment.count), binding->entry->name,
                     slots->open_count, plural(slots->open_count));
  for (size_t i = 0; !error && i < slots->count; i++) {
    struct jr_output *output = &binding->outputs[i];
    *(are_sinks ? &output->sink : &output->expected) = assignment.found[i];
  }
  free_assignment(&assignment);
  return error;
}

static void choose_values(struct jr_binding *binding) {
  for (size_t i = 0; i < binding->output_count; i++) {
    struct jr_output *output = &binding->outputs[i];
    const struct jr_value *values =
        output->is_result ? binding->results : binding->args;
    output->value = &values[output->index];
  }
}

static jitrun_error_t *choose_outputs(struct jr_binding *binding,
                                      uint64_t device) {
  const struct jr_specs *sinks = &binding->options->outputs;
  const struct jr_specs *expects = &binding->options->expects;
  struct jr_slots slots = {0};
  binding->output_count = jr_outputs_list(binding->entry, binding->outputs);
  slots.open_count = binding->output_count;
  for (size_t i = 0; i < sinks->count + expects->count; i++)
    add_named(binding, i < sinks->count ? &sinks->items[i]
                                        : &expects->items[i - sinks->count]);
  slots.count = binding->output_count;
  slots.items = jr_calloc(slots.count, sizeof *slots.items);
  if (!slots.items)
    return jr_error_no_memory();
  for (size_t i = 0; i < slots.count; i++)
    slots.items[i] = (struct jr_slot){binding->outputs[i].is_result,
                                      binding->outputs[i].index};
  jitrun_error_t *error = assign_outputs(binding, sinks, device, &slots);
  if (!error)
    error = assign_outputs(binding, expects, device, &slots);
  free(slots.items);
  choose_values(binding);
  return error;
}

/// Finds the --input of each argument.
static jitrun_error_t *choose_inputs(struct jr_binding *binding,
                                     uint64_t device) {
  size_t count = binding->entry->param_count;
  struct jr_slots slots = {.count = count, .open_count = count};
  struct assignment assignment = {0};
  slots.items = jr_calloc(count, sizeof *slots.items);
  if (!slots.items)
    return jr_error_no_memory();
  for (size_t i = 0; i < count; i++)
    slots.items[i].index = i;
  jitrun_error_t *error =
      assign_specs(&binding->options->inputs, device, &slots, &assignment);
  if (!error)
    error = check_count(binding->entry, assignment.count);
  if (!error) {
    binding->inputs = assignment.found;
    assignment.found = NULL;
  }
  free(slots.items);
  free_assignment(&assignment);
  return error;
}

static jitrun_error_t *bind_args(struct jr_binding *binding) {
  for (size_t i = 0; i < binding->entry->param_count; i++)
    JITRUN_TRY(bind_arg(binding, i));
  return NULL;
}

jitrun_error_t *jr_binding_init(struct jr_binding *binding,
                                const jitrun_entry_t *entry,
                                struct jr_options *options, uint64_t device) {
  *binding = (struct jr_binding){.entry = entry, .options = options};
  JITRUN_TRY(allocate_arrays(binding));
  jitrun_error_t *error = choose_inputs(binding, device);
  if (!error)
    error = bind_args(binding);
  if (!error)
    error = choose_outputs(binding, device);
  return error ? note_signature(error, entry) : NULL;
}

void jr_binding_reset(struct jr_binding *binding) {
  for (size_t i = 0; i < binding->entry->param_count; i++) {
    jr_value_clear(&binding->args[i]);
    jr_spec_fill(binding->inputs[i], &binding->args[i]);
  }
}

jitrun_error_t *jr_binding_run(struct jr_binding *binding,
                               jitrun_program_t *program,
                               const jitrun_run_options_t *options) {
  jitrun_execution_t *execution = NULL;
  JITRUN_TRY(jitrun_program_start(program, binding->entry, binding->arg_views,
                                  binding->entry->param_count, options,
                                  &execution));
  jitrun_error_t *error = jitrun_execution_wait(execution, -1);
  for (size_t i = 0; !error && i < binding->entry->result_count; i++)
    error = take_result(binding, i, jitrun_execution_result(execution, i));
  jitrun_execution_release(execution);
  return error;
}

jitrun_error_t *jr_binding_take(struct jr_binding *binding, bool is_result,
                                size_t index, const jitrun_tensor_t *tensor) {
  struct jr_value view = {.data = tensor->data};
  if (is_result)
    return take_result(binding, index, tensor);
  // The same bytes, which an output may have another shape for.
  const jitrun_type_t *type = binding->args[index].type;
  JITRUN_TRY(jr_type_make((jitrun_dtype_t)type->dtype, type->rank,
                          jitrun_type_dims(type), &view.type));
  jr_value_copy(&view, &binding->args[index]);
  free(view.type);
  return NULL;
}

static void free_values(struct jr_value *values, size_t count) {
  for (size_t i = 0; values && i < count; i++)
    jr_value_deinit(&values[i]);
  free(values);
}

void jr_binding_deinit(struct jr_binding *binding) {
  if (binding->entry) {
    free_values(binding->args, binding->entry->param_count);
    free_values(binding->results, binding->entry->result_count);
  }
  for (size_t i = 0; i < binding->handle_count; i++) /* entry may be gone */
    jitrun_async_release(binding->handles[i]);
  free(binding->handles);
  free(binding->arg_views);
  free(binding->outputs);
  free((void *)binding->inputs);
  *binding = (struct jr_binding){0};
}
