/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Images as JSON, for people and scripts: every record under the name that its
/// field has in table.h, with references replaced by what they refer to. Long
/// arrays are cut, and say so.
#include "base/dtype.h"
#include "base/json.h"
#include "base/numbers.h"
#include "runtime/table_interface.h"
#include "runtime/thunk_ops.h"

#include <string.h>

enum { MAX_ELEMENTS = 64 };

static void print_text(struct jr_json *json, const char *key,
                       const char *text) {
  jr_json_key(json, key);
  jr_json_text(json, text);
}

static void print_string(struct jr_json *json, const char *key,
                         const struct jr_table *table, jr_str_t string) {
  if (string != 0)
    print_text(json, key, jr_table_string(table, string));
}

static void print_u64(struct jr_json *json, const char *key, uint64_t value) {
  jr_json_key(json, key);
  jr_json_u64(json, value);
}

static void print_hash(struct jr_json *json, const char *key,
                       const uint8_t hash[16]) {
  static const char digits[] = "0123456789abcdef";
  char text[33];
  for (size_t i = 0; i < 16; i++) {
    text[2 * i] = digits[hash[i] >> 4];
    text[2 * i + 1] = digits[hash[i] & 15];
  }
  text[32] = '\0';
  print_text(json, key, text);
}

static void print_type(struct jr_json *json, const jitrun_type_t *type) {
  struct jr_bytes text = {0};
  jr_type_format(&text, type);
  const char *formatted = jr_bytes_text(&text);
  if (!formatted)
    json->out->failed = true;
  print_text(json, "type", formatted ? formatted : "");
  jr_bytes_deinit(&text);
}

static void print_location(struct jr_json *json, const struct jr_table *table,
                           jr_str_t file, uint32_t line, uint32_t column) {
  if (file == 0)
    return;
  jr_json_key(json, "location");
  jr_json_open_object(json);
  print_string(json, "file", table, file);
  if (line != 0) {
    print_u64(json, "line", line);
    print_u64(json, "column", column);
  }
  jr_json_close_object(json);
}

/// One element of any dtype; complex numbers are pairs.
static void print_element(struct jr_json *json, jitrun_dtype_t dtype,
                          const void *data) {
  struct jr_number number = jr_element_read(dtype, data);
  switch (number.kind) {
  case JR_NUMBER_SIGNED:
    jr_json_s64(json, number.s64);
    break;
  case JR_NUMBER_UNSIGNED:
    if (dtype == JITRUN_DTYPE_PRED)
      jr_json_bool(json, number.u64 != 0);
    else
      jr_json_u64(json, number.u64);
    break;
  case JR_NUMBER_REAL:
    jr_json_f64(json, number.real);
    break;
  case JR_NUMBER_COMPLEX:
    jr_json_open_array(json);
    jr_json_f64(json, number.real);
    jr_json_f64(json, number.imag);
    jr_json_close_array(json);
    break;
  default:
    jr_json_null(json);
    break;
  }
}

static void print_elements(struct jr_json *json, jitrun_dtype_t dtype,
                           const unsigned char *data, uint64_t count) {
  size_t element_bytes = jr_dtype_size(dtype);
  jr_json_open_array(json);
  for (uint64_t i = 0; i < count; i++)
    print_element(json, dtype, data + i * element_bytes);
  jr_json_close_array(json);
}

static void print_dims(struct jr_json *json, const struct jr_table *table,
                       const struct jr_attr *attr) {
  jr_json_key(json, "dims");
  print_elements(json, JITRUN_DTYPE_S64, table->data + attr->dims, attr->rank);
}

/// The elements of an array or tensor, cut after the first few.
static void print_array(struct jr_json *json, const struct jr_table *table,
                        const struct jr_attr *attr) {
  print_u64(json, "count", attr->count);
  uint64_t shown = attr->count < MAX_ELEMENTS ? attr->count : MAX_ELEMENTS;
  if (shown < attr->count)
    print_u64(json, "elided", attr->count - shown);
  jr_json_key(json, "value");
  print_elements(json, (jitrun_dtype_t)attr->dtype, table->data + attr->value,
                 shown);
}

static const char *attr_kind_name(uint8_t kind) {
  static const char *const names[] = {
      [JITRUN_ATTR_SCALAR] = "scalar",     [JITRUN_ATTR_STRING] = "string",
      [JITRUN_ATTR_ARRAY] = "array",       [JITRUN_ATTR_TENSOR] = "tensor",
      [JITRUN_ATTR_DICT] = "dict",         [JITRUN_ATTR_UNIT] = "unit",
      [JITRUN_ATTR_FUNCTION] = "function",
  };
  return names[kind];
}

static void print_attrs(struct jr_json *json, const struct jr_table *table,
                        uint64_t first, uint64_t count);

/// Members after the attribute's name; dictionaries nest as deep as the check
/// allows.
static void print_attr_value(struct jr_json *json, const struct jr_table *table,
                             const struct jr_attr *attr) {
  const char *dtype = jr_dtype_name((jitrun_dtype_t)attr->dtype);
  print_text(json, "kind", attr_kind_name(attr->kind));
  print_string(json, "type", table, attr->type);
  bool has_elements = attr->kind == JITRUN_ATTR_SCALAR ||
                      attr->kind == JITRUN_ATTR_ARRAY ||
                      attr->kind == JITRUN_ATTR_TENSOR;
  if (dtype && has_elements)
    print_text(json, "dtype", dtype);
  if (attr->kind == JITRUN_ATTR_UNIT)
    return;
  if (attr->kind == JITRUN_ATTR_TENSOR)
    print_dims(json, table, attr);
  if (attr->kind == JITRUN_ATTR_ARRAY || attr->kind == JITRUN_ATTR_TENSOR) {
    print_array(json, table, attr);
    return;
  }
  jr_json_key(json, "value");
  if (attr->kind == JITRUN_ATTR_SCALAR)
    print_element(json, (jitrun_dtype_t)attr->dtype, &attr->value);
  else if (attr->kind == JITRUN_ATTR_STRING)
    jr_json_text_sized(json, (const char *)table->data + attr->value,
                       attr->count);
  else if (attr->kind == JITRUN_ATTR_FUNCTION)
    jr_json_text(json,
                 jr_table_string(table, table->entries[attr->value].name));
  else
    print_attrs(json, table, attr->value, attr->count);
}

static void print_attrs(struct jr_json *json, const struct jr_table *table,
                        uint64_t first, uint64_t count) {
  jr_json_open_array(json);
  for (uint64_t i = 0; i < count; i++) {
    const struct jr_attr *attr = &table->attrs[first + i];
    jr_json_open_object(json);
    print_text(json, "name", jr_table_string(table, attr->name));
    print_attr_value(json, table, attr);
    jr_json_close_object(json);
  }
  jr_json_close_array(json);
}

/// What is asked of an argument, where something is.
static void print_constraint(struct jr_json *json,
                             const struct jr_param *param) {
  static const char *const names[] = {NULL, "rank", "shape", "value"};
  uint32_t constraint =
      (param->flags & JR_PARAM_CONSTRAINT) >> JR_PARAM_CONSTRAINT_SHIFT;
  if (constraint == 0)
    return;
  jr_json_key(json, "constraint");
  jr_json_text(json, names[constraint]);
}

static void print_params(struct jr_json *json, const struct jr_table *table,
                         uint32_t first, uint32_t count) {
  jr_json_open_array(json);
  for (uint32_t i = first; i < first + count; i++) {
    const struct jr_param *param = &table->params[i];
    jr_json_open_object(json);
    print_string(json, "name", table, param->name);
    print_type(json, jr_table_type(table, param->type));
    if (param->alloc != JR_NONE) {
      print_u64(json, "allocation", param->alloc);
      print_u64(json, "alignment", param->alignment);
    }
    if (param->flags & JR_PARAM_OUTPUT) {
      jr_json_key(json, "output");
      jr_json_bool(json, true);
    }
    print_constraint(json, param);
    if (param->flags & (JR_RESULT_COPY | JR_RESULT_STORED)) {
      jr_json_key(json, "copied");
      jr_json_bool(json, true);
    }
    jr_json_close_object(json);
  }
  jr_json_close_array(json);
}

/// How the fields of a thunk are printed, by its kind: names of target, a, b, c
/// and d, or of the two numbers of 64 bits; NULL for what it does not have.
struct thunk_form {
  const char *kind;
  const char *target, *a, *b, *c, *d;
  const char *first, *count;
};

static const struct thunk_form thunk_forms[JR_THUNK_ASSERT + 1] = {
    [JR_THUNK_RUN] = {"run", .first = "first", .count = "count"},
    [JR_THUNK_PASS] = {"pass", .first = "from", .count = "to"},
    [JR_THUNK_RETURN] = {"return", .first = "from", .count = "to"},
    [JR_THUNK_SET] = {"set", .target = "target", .first = "value"},
    [JR_THUNK_PARAM] = {"parameter", .target = "target", .first = "from"},
    [JR_THUNK_TAKE] = {"take", .target = "target", .first = "from"},
    [JR_THUNK_GIVE] = {"give", .target = "source", .count = "to"},
    [JR_THUNK_ANSWER] = {"answer", .target = "source", .count = "to"},
    [JR_THUNK_ADDRESS] = {"address", .target = "target", .first = "allocation",
                          .count = "offset"},
    [JR_THUNK_MOVE] = {"move", .target = "target", .a = "source"},
    [JR_THUNK_SLICE] = {"slice", .target = "target", .a = "source",
                        .b = "offset"},
    [JR_THUNK_LOAD] = {"load", .target = "target", .a = "memory"},
    [JR_THUNK_STORE] = {"store", .target = "source", .a = "memory"},
    [JR_THUNK_COMPUTE] = {"compute", .target = "target", .a = "a", .b = "b"},
    [JR_THUNK_SELECT] = {"select", .target = "target", .a = "condition",
                         .b = "a", .c = "b"},
    [JR_THUNK_FOR] = {"for", .target = "counter", .a = "lower", .b = "upper",
                      .c = "step", .d = "body"},
    [JR_THUNK_FOR_UNSIGNED] = {"for unsigned", .target = "counter",
                               .a = "lower", .b = "upper", .c = "step",
                               .d = "body"},
    [JR_THUNK_WHILE] = {"while", .target = "condition", .c = "before",
                        .d = "body"},
    [JR_THUNK_CASE] = {"case", .target = "value", .c = "branches", .d = "body"},
    [JR_THUNK_BRANCH] = {"branch", .d = "body"},
    [JR_THUNK_COPY] = {"copy", .target = "target", .a = "source"},
    [JR_THUNK_FILL] = {"fill", .target = "target", .a = "source"},
    [JR_THUNK_CALL] = {"call", .a = "computation"},
    [JR_THUNK_ASSERT] = {"assert", .target = "condition", .a = "assertion"},
};

static const char *op_name(uint32_t op) {
  switch (op) {
#define X(number, name, text)                                                  \
  case number:                                                                 \
    return text;
    JR_THUNK_OPS(X)
#undef X
  default:
    return "";
  }
}

static void print_field(struct jr_json *json, const char *name,
                        uint64_t value) {
  if (name)
    print_u64(json, name, value);
}

static void print_thunk(struct jr_json *json, const struct jr_thunk *thunk) {
  const struct thunk_form *form = &thunk_forms[thunk->kind];
  jr_json_open_object(json);
  print_text(json, "kind", form->kind);
  if (thunk->kind == JR_THUNK_COMPUTE)
    print_text(json, "operation", op_name(thunk->c));
  if (thunk->kind == JR_THUNK_BRANCH && thunk->c == 0)
    print_u64(json, "value", thunk->bits);
  print_field(json, form->first, thunk->first);
  print_field(json, form->target, thunk->target);
  print_field(json, form->a, thunk->a);
  print_field(json, form->b, thunk->b);
  print_field(json, form->c, thunk->c);
  print_field(json, form->d, thunk->d);
  print_field(json, form->count, thunk->count);
  jr_json_close_object(json);
}

/// The thunks [first, first + count); bodies follow the thunk that they are of.
static void print_thunks(struct jr_json *json, const struct jr_table *table,
                         uint32_t first, uint32_t count) {
  jr_json_key(json, "thunks");
  jr_json_open_array(json);
  for (uint32_t i = 0; i < count; i++)
    print_thunk(json, &table->thunks[first + i]);
  jr_json_close_array(json);
}

static void print_computation(struct jr_json *json,
                              const struct jr_table *table,
                              const struct jr_computation *computation) {
  jr_json_open_object(json);
  print_text(json, "name", jr_table_string(table, computation->name));
  print_location(json, table, computation->file, computation->line,
                 computation->column);
  print_thunks(json, table, computation->first_thunk, computation->thunk_count);
  jr_json_close_object(json);
}

/// What only structured thunks have.
static void print_computations(struct jr_json *json,
                               const struct jr_table *table) {
  if (table->register_count > 0) {
    jr_json_key(json, "registers");
    jr_json_open_array(json);
    for (uint32_t i = 0; i < table->register_count; i++) {
      jr_json_open_object(json);
      print_type(json, jr_table_type(table, table->registers[i].type));
      jr_json_close_object(json);
    }
    jr_json_close_array(json);
  }
  if (table->computation_count == 0)
    return;
  jr_json_key(json, "computations");
  jr_json_open_array(json);
  for (uint32_t i = 0; i < table->computation_count; i++)
    print_computation(json, table, &table->computations[i]);
  jr_json_close_array(json);
}

static void print_entry(struct jr_json *json, const struct jr_table *table,
                        const struct jr_entry *entry) {
  jr_json_open_object(json);
  print_text(json, "name", jr_table_string(table, entry->name));
  print_location(json, table, entry->file, entry->line, entry->column);
  jr_json_key(json, "parameters");
  print_params(json, table, entry->first_param, entry->param_count);
  jr_json_key(json, "results");
  print_params(json, table, entry->first_param + entry->param_count,
               entry->result_count);
  jr_interface_print(table, (uint32_t)(entry - table->entries), json);
  print_string(json, "thunks_refused", table, entry->thunks_refused);
  print_thunks(json, table, entry->first_thunk, entry->thunk_count);
  jr_json_close_object(json);
}

static void print_alloc(struct jr_json *json, const struct jr_table *table,
                        const struct jr_alloc *alloc) {
  static const char *const names[] = {
      [JR_ALLOC_PARAM] = "parameter", [JR_ALLOC_CONSTANT] = "constant",
      [JR_ALLOC_TEMP] = "temporary",  [JR_ALLOC_LIVE_OUT] = "result",
      [JR_ALLOC_GLOBAL] = "global",   [JR_ALLOC_FILE] = "constant in file",
  };
  jr_json_open_object(json);
  print_text(json, "kind", names[alloc->kind]);
  print_string(json, "name", table, alloc->name);
  print_type(json, jr_table_type(table, alloc->type));
  print_u64(json, "size_bytes", alloc->size_bytes);
  print_u64(json, "alignment", alloc->alignment);
  if (alloc->param != JR_NONE)
    print_u64(json, "parameter", alloc->param);
  else
    print_u64(json, "offset", alloc->offset);
  jr_json_close_object(json);
}

/// Members that depend on the kind of an argument.
static void print_arg_source(struct jr_json *json, const struct jr_table *table,
                             const struct jr_arg *arg) {
  const jitrun_type_t *type = jr_table_type(table, arg->type);
  switch (arg->kind) {
  case JR_ARG_SLICE:
    print_u64(json, "allocation", arg->index);
    print_u64(json, "offset", arg->value);
    break;
  case JR_ARG_VIEW:
    print_u64(json, "allocation", arg->index);
    break;
  case JR_ARG_CONST:
    jr_json_key(json, "value");
    print_element(json, (jitrun_dtype_t)type->dtype, &arg->value);
    break;
  case JR_ARG_PARAM:
    print_u64(json, "parameter", arg->index);
    break;
  default:
    break;
  }
}

static void print_args(struct jr_json *json, const struct jr_table *table,
                       uint32_t first, uint32_t count) {
  static const char *const names[] = {
      [JR_ARG_SLICE] = "slice",   [JR_ARG_VIEW] = "view",
      [JR_ARG_CONST] = "const",   [JR_ARG_PARAM] = "param",
      [JR_ARG_SCALAR] = "scalar", [JR_ARG_BUFFER] = "buffer",
      [JR_ARG_RESULT] = "result",
  };
  jr_json_open_array(json);
  for (uint32_t i = first; i < first + count; i++) {
    const struct jr_arg *arg = &table->args[i];
    jr_json_open_object(json);
    print_text(json, "kind", names[arg->kind]);
    print_type(json, jr_table_type(table, arg->type));
    print_arg_source(json, table, arg);
    jr_json_close_object(json);
  }
  jr_json_close_array(json);
}

static void print_site(struct jr_json *json, const struct jr_table *table,
                       const struct jr_site *site) {
  jr_json_open_object(json);
  print_text(json, "target", jr_table_string(table, site->target));
  print_location(json, table, site->file, site->line, site->column);
  jr_json_key(json, "static");
  jr_json_bool(json, (site->flags & JR_SITE_STATIC) != 0);
  if (site->flags & JR_SITE_OPTIONAL) {
    jr_json_key(json, "optional");
    jr_json_bool(json, true);
  }
  if (site->region > 0)
    print_u64(json, "region", site->region - 1);
  jr_json_key(json, "arguments");
  print_args(json, table, site->first_arg, site->arg_count);
  jr_json_key(json, "results");
  print_args(json, table, site->first_arg + site->arg_count,
             site->result_count);
  jr_json_key(json, "attributes");
  print_attrs(json, table, site->first_attr, site->attr_count);
  jr_json_close_object(json);
}

/// What the code is for, and needs.
static void print_target(struct jr_json *json, const struct jr_table *table) {
  const struct jr_table_header *header = table->header;
  jr_json_key(json, "target");
  jr_json_open_object(json);
  print_string(json, "triple", table, header->triple);
  print_string(json, "data_layout", table, header->data_layout);
  print_string(json, "cpu", table, header->cpu);
  print_string(json, "features", table, header->features);
  print_u64(json, "machine", header->machine);
  print_u64(json, "exec_version", header->exec_version);
  jr_json_close_object(json);
}

/// The file of constants.
static void print_constants(struct jr_json *json,
                            const struct jr_table *table) {
  const struct jr_table_header *header = table->header;
  if (header->constants == 0)
    return;
  jr_json_key(json, "constants");
  jr_json_open_object(json);
  print_string(json, "file", table, header->constants);
  print_u64(json, "size_bytes", header->constants_bytes);
  print_hash(json, "hash", header->constants_hash);
  jr_json_close_object(json);
}

static void print_header(struct jr_json *json, const struct jr_table *table) {
  const struct jr_table_header *header = table->header;
  print_u64(json, "format_version", header->version);
  print_u64(json, "reader_version", header->reader_version);
  print_string(json, "producer", table, header->producer);
  print_string(json, "source", table, header->source);
  print_hash(json, "source_hash", header->source_hash);
  print_hash(json, "hash", header->hash);
  print_target(json, table);
  print_constants(json, table);
  print_u64(json, "size_bytes", header->size_bytes);
  print_u64(json, "temp_bytes", header->temp_bytes);
  print_u64(json, "temp_alignment", header->temp_alignment);
  print_u64(json, "temp_sum_bytes", header->temp_sum_bytes);
  print_u64(json, "temp_peak_bytes", header->temp_peak_bytes);
}

/// Names of functions: those taken from outside, those that are no entries.
static void print_functions(struct jr_json *json,
                            const struct jr_table *table) {
  jr_json_key(json, "imports");
  jr_json_open_array(json);
  for (uint32_t i = 0; i < table->import_count; i++)
    jr_json_text(json, jr_table_string(table, table->imports[i].name));
  jr_json_close_array(json);
  jr_json_key(json, "skipped");
  jr_json_open_array(json);
  for (uint32_t i = 0; i < table->skipped_count; i++) {
    jr_json_open_object(json);
    print_string(json, "name", table, table->skipped[i].name);
    print_string(json, "reason", table, table->skipped[i].reason);
    jr_json_close_object(json);
  }
  jr_json_close_array(json);
}

/// What the program names parts of itself.
static void print_regions(struct jr_json *json, const struct jr_table *table) {
  if (table->region_count == 0)
    return;
  jr_json_key(json, "regions");
  jr_json_open_array(json);
  for (uint32_t i = 0; i < table->region_count; i++) {
    const struct jr_region *region = &table->regions[i];
    jr_json_open_object(json);
    print_string(json, "name", table, region->name);
    if (region->parent > 0)
      print_u64(json, "parent", region->parent - 1);
    jr_json_close_object(json);
  }
  jr_json_close_array(json);
}

void jr_table_print_json(const struct jr_table *table, struct jr_json *json) {
  print_header(json, table);
  jr_json_key(json, "entries");
  jr_json_open_array(json);
  for (uint32_t i = 0; i < table->entry_count; i++)
    print_entry(json, table, &table->entries[i]);
  jr_json_close_array(json);
  jr_json_key(json, "allocations");
  jr_json_open_array(json);
  for (uint32_t i = 0; i < table->alloc_count; i++)
    print_alloc(json, table, &table->allocs[i]);
  jr_json_close_array(json);
  jr_json_key(json, "call_sites");
  jr_json_open_array(json);
  for (uint64_t i = 0; i < table->site_count; i++)
    print_site(json, table, &table->sites[i]);
  jr_json_close_array(json);
  print_regions(json, table);
  print_functions(json, table);
  print_computations(json, table);
}
