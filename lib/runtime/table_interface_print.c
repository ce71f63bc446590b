/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Allocations and outputs of an entry as JSON; see table_print.c.
#include "base/bytes.h"
#include "base/dtype.h"
#include "base/json.h"
#include "runtime/table_interface.h"

static void print_text(struct jr_json *json, const char *key,
                       const char *text) {
  jr_json_key(json, key);
  jr_json_text(json, text);
}

static void print_u64(struct jr_json *json, const char *key, uint64_t value) {
  jr_json_key(json, key);
  jr_json_u64(json, value);
}

static void print_true(struct jr_json *json, const char *key, bool value) {
  if (!value)
    return;
  jr_json_key(json, key);
  jr_json_bool(json, true);
}

static void print_index(struct jr_json *json, const char *key,
                        const int64_t *index, uint32_t count) {
  jr_json_key(json, key);
  jr_json_open_array(json);
  for (uint32_t i = 0; i < count; i++)
    jr_json_s64(json, index[i]);
  jr_json_close_array(json);
}

static void print_allocation(struct jr_json *json, uint32_t argument,
                             const jitrun_allocation_t *allocation) {
  static const char *const kinds[] = {[JITRUN_ALLOCATION_PARAMETER] =
                                          "parameter",
                                      [JITRUN_ALLOCATION_CONSTANT] = "constant",
                                      [JITRUN_ALLOCATION_LIVE_OUT] = "output",
                                      [JITRUN_ALLOCATION_TEMP] = "temporary",
                                      [JITRUN_ALLOCATION_TUPLE] = "tuple"};
  jr_json_open_object(json);
  print_u64(json, "argument", argument);
  print_text(json, "kind", kinds[allocation->kind]);
  if (allocation->kind == JITRUN_ALLOCATION_PARAMETER) {
    print_u64(json, "parameter", allocation->number);
    print_index(json, "index", allocation->index, allocation->index_count);
  }
  if (allocation->name)
    print_text(json, "name", allocation->name);
  print_u64(json, "size_bytes", allocation->size_bytes);
  print_u64(json, "alignment", allocation->alignment);
  if (allocation->is_output)
    print_index(json, "output_index", allocation->output_index,
                allocation->output_index_count);
  if (allocation->alias != JITRUN_ALIAS_NONE)
    print_text(json, "alias",
               allocation->alias == JITRUN_ALIAS_MUST ? "must" : "may");
  print_true(json, "unused", allocation->is_unused);
  print_true(json, "thread_local", allocation->is_thread_local);
  jr_json_close_object(json);
}

static void print_output(struct jr_json *json, const jitrun_output_t *output) {
  struct jr_bytes text = {0};
  jr_type_format(&text, output->type);
  const char *type = jr_bytes_text(&text);
  if (!type)
    json->out->failed = true;
  jr_json_open_object(json);
  print_u64(json, output->is_result ? "result" : "argument", output->index);
  print_index(json, "index", output->shape_index, output->shape_index_count);
  print_text(json, "type", type ? type : "");
  jr_json_close_object(json);
  jr_bytes_deinit(&text);
}

static void print_interface(struct jr_json *json,
                            const struct jr_interface *interface) {
  if (interface->result_shape)
    print_text(json, "result_shape", interface->result_shape);
  jr_json_key(json, "outputs");
  jr_json_open_array(json);
  for (uint32_t i = 0; i < interface->output_count; i++)
    print_output(json, &interface->outputs[i]);
  jr_json_close_array(json);
  if (!interface->is_described)
    return;
  jr_json_key(json, "allocations");
  jr_json_open_array(json);
  for (uint32_t i = 0; i < interface->allocation_count; i++)
    print_allocation(json, i, &interface->allocations[i]);
  jr_json_close_array(json);
}

void jr_interface_print(const struct jr_table *table, uint32_t entry,
                        struct jr_json *json) {
  struct jr_arena arena = {0};
  struct jr_interface interface;
  jitrun_error_t *error = jr_interface_read(table, entry, &arena, &interface);
  if (error) // there is no memory: all else was checked
    json->out->failed = true;
  else
    print_interface(json, &interface);
  jitrun_error_free(error);
  jr_arena_deinit(&arena);
}
