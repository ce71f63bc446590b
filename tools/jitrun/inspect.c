/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// jitrun inspect: what is in a program.
#include "bind.h"
#include "open.h"
#include "verbs.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/dtype.h"
#include "base/numbers.h"
#include "jitrun/registry.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_ELEMENTS = 8, SHOWN_BYTES = 64 }; ///< of an attribute

/// "  arg[0]: 2x3xi32" on a line of its own for each.
static void append_values(struct jr_bytes *text, const char *label,
                          const jitrun_value_info_t *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    jr_bytes_appendf(text, "  %s[%zu]: ", label, i);
    jr_format_value(text, &values[i]);
    jr_bytes_append_text(text, "\n");
  }
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
    jr_bytes_appendf(text, "  output %zu: %s\n", i + 1, outputs[i].label);
  free(outputs);
  return NULL;
}

static jitrun_error_t *append_entry(struct jr_bytes *text,
                                    const jitrun_program_t *program,
                                    const jitrun_entry_t *entry) {
  jr_bytes_appendf(text, "entry '%s'\n", entry->name);
  append_values(text, "arg", entry->params, entry->param_count);
  append_values(text, "result", entry->results, entry->result_count);
  JITRUN_TRY(append_outputs(text, entry));
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

static jitrun_error_t *append_program(struct jr_bytes *text,
                                      const jitrun_program_t *program) {
  for (size_t i = 0; i < jitrun_program_entry_count(program); i++)
    JITRUN_TRY(
        append_entry(text, program, jitrun_program_entry_get(program, i)));
  uint64_t sites = jitrun_program_site_count(program);
  jr_bytes_appendf(text, "code: %s\ncalls: %" PRIu64 "\n",
                   jitrun_program_is_native(program) ? "native" : "none",
                   sites);
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
