/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// jitrun inspect: what is in a program.
#include "bind.h"
#include "open.h"
#include "verbs.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/dtype.h"
#include "base/numbers.h"
#include "base/strings.h"
#include "jitrun/allocation.h"
#include "jitrun/registry.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_ELEMENTS = 8, SHOWN_BYTES = 64 }; ///< of an attribute

static void append_index(struct jr_bytes *text, const int64_t *index,
                         uint32_t count) {
  jr_bytes_append_text(text, "{");
  for (uint32_t i = 0; i < count; i++)
    jr_bytes_appendf(text, i > 0 ? ",%" PRId64 : "%" PRId64, index[i]);
  jr_bytes_append_text(text, "}");
}

/// What an argument is to the program: "; parameter 1 {0}, must alias {1}".
static void append_allocation(struct jr_bytes *text,
                              const jitrun_allocation_t *allocation) {
  static const char *const aliases[] = {[JITRUN_ALIAS_NONE] = "",
                                        [JITRUN_ALIAS_MAY] = "may alias ",
                                        [JITRUN_ALIAS_MUST] = "must alias "};
  static const char *const kinds[] = {
      [JITRUN_ALLOCATION_PARAMETER] = "parameter",
      [JITRUN_ALLOCATION_CONSTANT] = "constant",
      [JITRUN_ALLOCATION_LIVE_OUT] = "live out",
      [JITRUN_ALLOCATION_TEMP] = "temporary",
      [JITRUN_ALLOCATION_TUPLE] = "table of a tuple"};
  jr_bytes_appendf(text, "; %s", kinds[allocation->kind]);
  if (allocation->kind == JITRUN_ALLOCATION_PARAMETER) {
    jr_bytes_appendf(text, " %" PRIu32 " ", allocation->number);
    append_index(text, allocation->index, allocation->index_count);
  }
  if (allocation->name)
    jr_bytes_appendf(text, " '%s'", allocation->name);
  if (allocation->is_output) {
    jr_bytes_appendf(text, ", %soutput ", aliases[allocation->alias]);
    append_index(text, allocation->output_index,
                 allocation->output_index_count);
  }
  if (allocation->is_unused)
    jr_bytes_append_text(text, ", not used");
  if (allocation->is_thread_local)
    jr_bytes_append_text(text, ", thread-local");
}

/// "  arg[0]: 2x3xi32, 24 bytes" on a line of its own for each. `entry`: these
/// are its parameters.
static void append_values(struct jr_bytes *text, const char *label,
                          const jitrun_value_info_t *values, size_t count,
                          const jitrun_entry_t *entry) {
  for (size_t i = 0; i < count; i++) {
    jr_bytes_appendf(text, "  %s[%zu]: ", label, i);
    jr_format_value(text, &values[i]);
    uint64_t bytes;
    if (values[i].type->kind == JITRUN_KIND_BUFFER &&
        jr_type_size_bytes(values[i].type, &bytes))
      jr_bytes_appendf(text, ", %" PRIu64 " bytes", bytes);
    uint64_t natural = jr_dtype_size((jitrun_dtype_t)values[i].type->dtype);
    if (values[i].type->kind == JITRUN_KIND_BUFFER &&
        values[i].alignment > natural)
      jr_bytes_appendf(text, ", aligned to %" PRIu64, values[i].alignment);
    if (jitrun_entry_is_described(entry))
      append_allocation(text, jitrun_entry_allocation(entry, i));
    jr_bytes_append_text(text, "\n");
  }
}

/// "  output 1: arg[2] as 2x3xf32": the type where it is not the argument's.
static void append_output(struct jr_bytes *text, const jitrun_entry_t *entry,
                          size_t index, const char *label) {
  const jitrun_output_t *output = jitrun_entry_output(entry, index);
  jr_bytes_appendf(text, "  output %zu: %s", index + 1, label);
  if (!output->is_result && output->type != entry->params[output->index].type) {
    jr_bytes_append_text(text, " as ");
    jr_type_format(text, output->type);
  }
  jr_bytes_append_text(text, "\n");
}

/// What --output and --expect count.
static jitrun_error_t *append_outputs(struct jr_bytes *text,
                                      const jitrun_entry_t *entry) {
  struct jr_output *outputs =
      jr_calloc(entry->result_count + entry->param_count, sizeof *outputs);
  if (!outputs)
    return jr_error_no_memory();
  size_t count = jr_outputs_list(entry, outputs);
  for (size_t i = 0; i < count; i++)
    append_output(text, entry, i, outputs[i].label);
  free(outputs);
  return NULL;
}

static jitrun_error_t *append_entry(struct jr_bytes *text,
                                    const jitrun_program_t *program,
                                    const jitrun_entry_t *entry) {
  jr_bytes_appendf(text, "entry '%s'\n", entry->name);
  append_values(text, "arg", entry->params, entry->param_count, entry);
  append_values(text, "result", entry->results, entry->result_count, NULL);
  JITRUN_TRY(append_outputs(text, entry));
  if (jitrun_entry_result_shape(entry))
    jr_bytes_appendf(text, "  result's shape: %s\n",
                     jitrun_entry_result_shape(entry));
  const char *refusal = jitrun_program_thunks_refusal(program, entry);
  jr_bytes_appendf(text, "  thunks: %s%s\n", refusal ? "no: " : "yes",
                   refusal ? refusal : "");
  return NULL;
}

/// "(2x3xf32, i32) -> (f32)".
static void append_types(struct jr_bytes *text, const jitrun_site_t *site) {
  jr_bytes_append_text(text, "(");
  for (uint32_t i = 0; i < site->arg_count + site->result_count; i++) {
    bool is_first = i == 0 || i == site->arg_count;
    if (i == site->arg_count)
      jr_bytes_append_text(text, ") -> (");
    if (!is_first)
      jr_bytes_append_text(text, ", ");
    jr_type_format(text, site->types[i]);
  }
  jr_bytes_append_text(text, site->result_count > 0 ? ")" : ") -> ()");
}

static void append_string(struct jr_bytes *text, const jitrun_attr_t *attr) {
  jr_bytes_append_text(text, "\"");
  for (uint64_t i = 0; i < attr->count && i < SHOWN_BYTES; i++) {
    char byte = attr->value.string[i];
    bool is_plain = byte >= ' ' && byte <= '~' && byte != '"' && byte != '\\';
    jr_bytes_appendf(text, is_plain ? "%c" : "\\%02X", (unsigned char)byte);
  }
  jr_bytes_append_text(text, attr->count > SHOWN_BYTES ? "...\"" : "\"");
}

/// "[1, 2, 3, ...]" of an array or a tensor.
static void append_elements(struct jr_bytes *text, const jitrun_attr_t *attr) {
  jitrun_dtype_t dtype = (jitrun_dtype_t)attr->dtype;
  size_t size = jr_dtype_size(dtype);
  const char *data = attr->value.data;
  jr_bytes_append_text(text, "[");
  for (uint64_t i = 0; i < attr->count && i < SHOWN_ELEMENTS; i++) {
    jr_bytes_append_text(text, i > 0 ? ", " : "");
    jr_element_format(text, dtype, data + i * size);
  }
  jr_bytes_append_text(text, attr->count > SHOWN_ELEMENTS ? ", ...]" : "]");
}

/// "2x3xf32" of a tensor, "f32" of anything else with elements.
static void append_attr_type(struct jr_bytes *text, const jitrun_attr_t *attr) {
  const char *name = jr_dtype_name((jitrun_dtype_t)attr->dtype);
  jr_bytes_append_text(text, " : ");
  for (uint32_t i = 0; i < attr->rank; i++)
    jr_bytes_appendf(text, "%" PRId64 "x", attr->dims[i]);
  jr_bytes_append_text(text, name ? name : "none");
}

/// "factor = 0.5 : f64"; long values are cut short.
static void append_attr(struct jr_bytes *text, const jitrun_attr_t *attr,
                        const jitrun_program_t *program) {
  jr_bytes_append_text(text, attr->name);
  if (attr->kind == JITRUN_ATTR_UNIT)
    return;
  jr_bytes_append_text(text, " = ");
  switch (attr->kind) {
  case JITRUN_ATTR_SCALAR:
    jr_element_format(text, (jitrun_dtype_t)attr->dtype, &attr->value);
    append_attr_type(text, attr);
    break;
  case JITRUN_ATTR_STRING:
    append_string(text, attr);
    break;
  case JITRUN_ATTR_ARRAY:
  case JITRUN_ATTR_TENSOR:
    append_elements(text, attr);
    append_attr_type(text, attr);
    break;
  case JITRUN_ATTR_FUNCTION:
    jr_bytes_appendf(
        text, "@%s",
        jitrun_program_entry_get(program, attr->value.entry)->name);
    break;
  default:
    jr_bytes_append_text(text, "{...}");
    break;
  }
}

static bool is_registered(const char *target) {
  jitrun_registry_t *registry = jitrun_registry_default();
  size_t count = jitrun_registry_call_count(registry);
  for (size_t i = 0; i < count; i++) {
    const jitrun_customcall_t *call = jitrun_registry_call_get(registry, i);
    if (strcmp(call->name, target) == 0 && strcmp(call->platform, "host") == 0)
      return true;
  }
  return false;
}

static void append_site(struct jr_bytes *text, const jitrun_program_t *program,
                        uint64_t index) {
  const jitrun_site_t *site = jitrun_program_site_get(program, index);
  jr_bytes_appendf(text, "call %" PRIu64 ": '%s'%s at %s", index, site->target,
                   is_registered(site->target) ? "" : " (not registered)",
                   site->file);
  if (site->line > 0)
    jr_bytes_appendf(text, ":%" PRIu32 ":%" PRIu32, site->line, site->column);
  jr_bytes_append_text(text, " ");
  append_types(text, site);
  for (uint32_t i = 0; i < site->attr_count; i++) {
    jr_bytes_append_text(text, i == 0 ? " {" : ", ");
    append_attr(text, &site->attrs[i], program);
  }
  jr_bytes_append_text(text, site->attr_count > 0 ? "}\n" : "\n");
}

/// Functions that were written to be entries and are none.
static void append_refused(struct jr_bytes *text,
                           const jitrun_program_t *program) {
  const char *name;
  for (size_t i = 0; (name = jitrun_program_refused_get(program, i)); i++)
    jr_bytes_appendf(text, "no entry '%s': %s\n", name,
                     jitrun_program_entry_refusal(program, name));
}

static void append_line(struct jr_bytes *text, const char *label,
                        const char *value) {
  if (*value)
    jr_bytes_appendf(text, "%s: %s\n", label, value);
}

/// What the program was made from, and the machine that its code is for.
static void append_origin(struct jr_bytes *text,
                          const jitrun_program_t *program,
                          const jitrun_program_info_t *info) {
  jitrun_stats_t stats = {.size = sizeof stats};
  char fingerprint[JITRUN_FINGERPRINT_BYTES];
  jitrun_program_stats(program, &stats);
  jitrun_error_free(jitrun_program_fingerprint(program, fingerprint));
  append_line(text, "source", info->source);
  append_line(text, "producer", info->producer);
  jr_bytes_appendf(text, "image: version %" PRIu32 ", %" PRIu64 " bytes",
                   info->format_version, stats.data_bytes);
  if (stats.code_bytes > 0)
    jr_bytes_appendf(text, ", and %" PRIu64 " of code", stats.code_bytes);
  jr_bytes_append_text(text, "\ntemporaries: ");
  jr_report_temps(text, info);
  jr_bytes_append_text(text, "\n");
  bool is_native = jitrun_program_is_native(program);
  jr_bytes_appendf(text, "code: %s", is_native ? "native" : "none");
  if (info->loaded_bytes > 0)
    jr_bytes_appendf(text, ", %" PRIu64 " bytes", info->loaded_bytes);
  jr_bytes_appendf(text, "%s%s\n", info->is_checked ? ", with checks" : "",
                   info->has_variables ? ", with variables" : "");
  append_line(text, "target", info->triple);
  append_line(text, "cpu", info->cpu);
  append_line(text, "cpu features", info->features);
  append_line(text, "fingerprint", fingerprint);
}

/// Memory that nobody gives: constants, variables, temporaries.
static void append_memory(struct jr_bytes *text,
                          const jitrun_program_t *program) {
  static const char *const kinds[] = {[JITRUN_MEMORY_PARAMETER] = NULL,
                                      [JITRUN_MEMORY_CONSTANT] = "constant",
                                      [JITRUN_MEMORY_TEMP] = "temporary",
                                      [JITRUN_MEMORY_RESULT] = NULL,
                                      [JITRUN_MEMORY_VARIABLE] = "variable",
                                      [JITRUN_MEMORY_CONSTANT_FILE] =
                                          "constant in the file"};
  jitrun_memory_t memory = {.size = sizeof memory};
  for (size_t i = 0; jitrun_program_memory_get(program, i, &memory); i++) {
    if (!kinds[memory.kind])
      continue;
    jr_bytes_appendf(text, "allocation %zu: %s ", i, kinds[memory.kind]);
    if (memory.name[0])
      jr_bytes_appendf(text, "'%s' ", memory.name);
    jr_type_format(text, memory.type);
    jr_bytes_appendf(
        text, ", %" PRIu64 " bytes at %" PRIu64 ", aligned to %" PRIu64 "\n",
        memory.size_bytes, memory.offset_bytes, memory.alignment);
  }
}

/// Functions that are called by name: built in, or of libraries. True when
/// there are any.
static bool append_imports(struct jr_bytes *text,
                           const jitrun_program_t *program, bool are_builtin) {
  bool has_any = false;
  const char *name;
  for (size_t i = 0; (name = jitrun_program_import_get(program, i)); i++) {
    if (jitrun_import_is_builtin(program, i) != are_builtin)
      continue;
    if (has_any)
      jr_bytes_append_text(text, ", ");
    else
      jr_bytes_append_text(text, are_builtin ? "functions built in: "
                                             : "functions of libraries: ");
    jr_bytes_append_text(text, name);
    has_any = true;
  }
  jr_bytes_append_text(text, has_any ? "\n" : "");
  return has_any;
}

/// True for a call that is of use on several devices alone, or asks which one
/// it is.
static bool needs_devices(const char *target) {
  static const char *const words[] = {
      "all_gather",   "all_reduce", "all_to_all",    "collective_permute",
      "partition_id", "replica_id", "reduce_scatter"};
  if (!jr_text_has_prefix(target, "jitrun.") &&
      !jr_text_has_prefix(target, "xla."))
    return false;
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    if (strstr(target, words[i]))
      return true;
  }
  return false;
}

static bool is_async(const jitrun_value_info_t *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint8_t kind = values[i].type->kind;
    if (kind == JITRUN_KIND_TOKEN || kind == JITRUN_KIND_ASYNC_SCALAR ||
        kind == JITRUN_KIND_ASYNC_BUFFER)
      return true;
  }
  return false;
}

/// What one has to bring to run the program.
static void append_needs(struct jr_bytes *text, const jitrun_program_t *program,
                         bool wants_libraries) {
  bool wants_plugins = false;
  bool wants_devices = false;
  bool wants_async = false;
  for (uint64_t i = 0; i < jitrun_program_site_count(program); i++) {
    const char *target = jitrun_program_site_get(program, i)->target;
    wants_plugins = wants_plugins || !is_registered(target);
    wants_devices = wants_devices || needs_devices(target);
  }
  for (size_t i = 0; i < jitrun_program_entry_count(program); i++) {
    const jitrun_entry_t *entry = jitrun_program_entry_get(program, i);
    wants_async = wants_async || is_async(entry->params, entry->param_count) ||
                  is_async(entry->results, entry->result_count);
  }
  if (wants_plugins)
    jr_bytes_append_text(text, "needs: --plugin or --shared-libs for the calls "
                               "that are not registered\n");
  if (wants_libraries)
    jr_bytes_append_text(text, "needs: --shared-libs for functions of "
                               "libraries that are not built in\n");
  if (wants_devices)
    jr_bytes_append_text(text, "needs: --replicas or --partitions to run on "
                               "more than one device\n");
  if (wants_async)
    jr_bytes_append_text(text, "needs: a caller that waits for tokens and "
                               "async values, as jitrun does\n");
}

static jitrun_error_t *append_program(struct jr_bytes *text,
                                      const jitrun_program_t *program) {
  jitrun_program_info_t info = {.size = sizeof info};
  jitrun_program_info(program, &info);
  for (size_t i = 0; i < jitrun_program_entry_count(program); i++)
    JITRUN_TRY(
        append_entry(text, program, jitrun_program_entry_get(program, i)));
  append_refused(text, program);
  append_origin(text, program, &info);
  append_memory(text, program);
  (void)append_imports(text, program, true);
  append_needs(text, program, append_imports(text, program, false));
  uint64_t sites = jitrun_program_site_count(program);
  jr_bytes_appendf(text, "calls: %" PRIu64 "\n", sites);
  for (uint64_t i = 0; i < sites; i++)
    append_site(text, program, i);
  return jr_bytes_check(text);
}

static jitrun_error_t *print_text(const jitrun_program_t *program) {
  struct jr_bytes text = {0};
  jitrun_error_t *error = append_program(&text, program);
  if (!error)
    (void)fwrite(text.data, 1, text.size, stdout);
  jr_bytes_deinit(&text);
  return error;
}

static jitrun_error_t *print_json(const jitrun_program_t *program) {
  char *text;
  JITRUN_TRY(jitrun_program_describe(program, &text));
  puts(text);
  jitrun_text_free(text);
  return NULL;
}

enum jr_exit jr_verb_inspect(struct jr_options *options,
                             struct jr_watch *watch) {
  jitrun_program_t *program = NULL;
  jitrun_error_t *error = jr_open_program(options, watch, NULL, &program);
  if (!error)
    error = options->json ? print_json(program) : print_text(program);
  jr_watch_program(NULL);
  jitrun_program_release(program);
  return jr_report(error, options);
}
