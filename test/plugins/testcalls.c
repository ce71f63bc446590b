/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Custom calls for tests: each shows one thing of the contract from the
/// handler's side, in a form that a test can compare as text or numbers.
#include "jitrun/customcall.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define F32_F64                                                                \
  (JITRUN_DTYPES(JITRUN_DTYPE_F32) | JITRUN_DTYPES(JITRUN_DTYPE_F64))

static jitrun_error_t *refuse(const jitrun_call_t *call, const char *text) {
  return call->site->api->error(call, JITRUN_INVALID_ARGUMENT, text, SIZE_MAX);
}

/// Text that ends up in one print.
struct text {
  char data[8192];
  size_t size;
};

__attribute__((format(printf, 2, 3))) static void
append(struct text *text, const char *format, ...) {
  size_t room = sizeof(text->data) - text->size;
  va_list args;
  va_start(args, format);
  int length = vsnprintf(text->data + text->size, room, format, args);
  va_end(args);
  if (length > 0)
    text->size += (size_t)length < room ? (size_t)length : room - 1;
}

static void print_text(const jitrun_call_t *call, const struct text *text) {
  call->site->api->print(call, text->data, text->size);
}

/// `test.fail`: fails, naming the value of its attribute `value`.
static jitrun_error_t *fail(jitrun_call_t *call) {
  struct text text = {.size = 0};
  append(&text, "test.fail was called with value = %" PRId64,
         call->attrs[0].value.s64);
  return call->site->api->error(call, JITRUN_DATA_LOSS, text.data, text.size);
}

static const jitrun_attr_param_t fail_attrs[] = {
    {.name = "value",
     .kind = JITRUN_ATTR_SCALAR,
     .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_S64)}};
static const jitrun_signature_t fail_signature = {
    .size = sizeof(jitrun_signature_t), .attrs = fail_attrs, .attr_count = 1};

/// Prints the file of one line of /proc/self/maps, unless it was the last one.
static void print_map(const jitrun_call_t *call, char *line, char *last,
                      size_t last_size) {
  char *path = strchr(line, '/');
  if (!path)
    return;
  char *end = strchr(path, '\n');
  if (end)
    *end = '\0';
  if (strcmp(path, last) == 0)
    return;
  (void)snprintf(last, last_size, "%s", path);
  call->site->api->print(call, path, strlen(path));
  call->site->api->print(call, "\n", 1);
}

/// `test.maps`: prints the files that the process has mapped, one a line.
static jitrun_error_t *print_maps(jitrun_call_t *call) {
  FILE *file = fopen("/proc/self/maps", "r");
  if (!file)
    return refuse(call, "cannot open /proc/self/maps");
  char line[4096];
  char last[4096] = "";
  while (fgets(line, sizeof(line), file))
    print_map(call, line, last, sizeof(last));
  (void)fclose(file);
  return NULL;
}

static const jitrun_signature_t empty_signature = {
    .size = sizeof(jitrun_signature_t)};

/// Calls `visit` with every element of a buffer.
typedef void (*visit_fn_t)(void *context, uint8_t dtype, char *element);

static size_t size_of(uint8_t dtype) {
  return dtype == JITRUN_DTYPE_F32 ? sizeof(float) : sizeof(double);
}

static void visit_dims(const jitrun_type_t *type, uint32_t depth, char *data,
                       visit_fn_t visit, void *context) {
  if (depth == type->rank) {
    visit(context, type->dtype, data);
    return;
  }
  int64_t stride =
      jitrun_type_strides(type)[depth] * (int64_t)size_of(type->dtype);
  for (int64_t i = 0; i < jitrun_type_dims(type)[depth]; i++)
    visit_dims(type, depth + 1, data + i * stride, visit, context);
}

static void visit_elements(const jitrun_arg_t *buffer, visit_fn_t visit,
                           void *context) {
  visit_dims(buffer->type, 0, buffer->value.data, visit, context);
}

static double load(uint8_t dtype, const void *element) {
  return dtype == JITRUN_DTYPE_F32 ? (double)*(const float *)element
                                   : *(const double *)element;
}

static void store(uint8_t dtype, void *element, double value) {
  if (dtype == JITRUN_DTYPE_F32)
    *(float *)element = (float)value;
  else
    *(double *)element = value;
}

static void scale_element(void *context, uint8_t dtype, char *element) {
  store(dtype, element, load(dtype, element) * *(const double *)context);
}

/// `test.scale`: x *= factor, in place.
static jitrun_error_t *scale(jitrun_call_t *call) {
  jitrun_arg_t *args = jitrun_call_args(call);
  double factor = args[1].value.f64;
  visit_elements(&args[0], scale_element, &factor);
  return NULL;
}

static const jitrun_param_t scale_args[] = {
    {.name = "x",
     .kind = JITRUN_KIND_BUFFER,
     .max_rank = -1,
     .dtypes = F32_F64},
    {.name = "factor",
     .kind = JITRUN_KIND_SCALAR,
     .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_F64)}};
static const jitrun_signature_t scale_signature = {
    .size = sizeof(jitrun_signature_t), .args = scale_args, .arg_count = 2};

/// `test.axpy`: y += a * x, of sizes known only now.
static jitrun_error_t *axpy(jitrun_call_t *call) {
  const jitrun_arg_t *args = jitrun_call_args(call);
  const jitrun_type_t *x = args[1].type;
  const jitrun_type_t *y = args[2].type;
  int64_t count = jitrun_type_dims(y)[0];
  if (jitrun_type_dims(x)[0] != count || x->dtype != y->dtype)
    return refuse(call, "test.axpy: x and y must have one type and size");
  int64_t x_step = jitrun_type_strides(x)[0] * (int64_t)size_of(x->dtype);
  int64_t y_step = jitrun_type_strides(y)[0] * (int64_t)size_of(y->dtype);
  const char *from = args[1].value.data;
  char *to = args[2].value.data;
  for (int64_t i = 0; i < count; i++)
    store(y->dtype, to + i * y_step,
          load(y->dtype, to + i * y_step) +
              args[0].value.f64 * load(x->dtype, from + i * x_step));
  return NULL;
}

#define VECTOR                                                                 \
  .kind = JITRUN_KIND_BUFFER, .min_rank = 1, .max_rank = 1, .dtypes = F32_F64

static const jitrun_param_t axpy_args[] = {
    {.name = "a",
     .kind = JITRUN_KIND_SCALAR,
     .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_F64)},
    {.name = "x", VECTOR},
    {.name = "y", VECTOR}};
static const jitrun_signature_t axpy_signature = {
    .size = sizeof(jitrun_signature_t), .args = axpy_args, .arg_count = 3};

static void add_element(void *context, uint8_t dtype, char *element) {
  *(double *)context += load(dtype, element);
}

/// `test.sum`: the sum of x, as a scalar result.
static jitrun_error_t *sum(jitrun_call_t *call) {
  double total = 0;
  visit_elements(jitrun_call_args(call), add_element, &total);
  jitrun_call_results(call)->value.f64 = total;
  return NULL;
}

static const jitrun_param_t sum_results[] = {
    {.name = "sum",
     .kind = JITRUN_KIND_SCALAR,
     .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_F64)}};
static const jitrun_signature_t sum_signature = {.size =
                                                     sizeof(jitrun_signature_t),
                                                 .args = scale_args,
                                                 .arg_count = 1,
                                                 .results = sum_results,
                                                 .result_count = 1};

/// `test.add1`: its argument and 1, wrapping around.
static jitrun_error_t *add1(jitrun_call_t *call) {
  uint32_t value = jitrun_call_args(call)->value.u32;
  jitrun_call_results(call)->value.u32 = value + 1;
  return NULL;
}

static const jitrun_param_t add1_values[] = {
    {.name = "value",
     .kind = JITRUN_KIND_SCALAR,
     .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_S32)}};
static const jitrun_signature_t add1_signature = {
    .size = sizeof(jitrun_signature_t),
    .args = add1_values,
    .arg_count = 1,
    .results = add1_values,
    .result_count = 1};

static const char *name_dtype(uint8_t dtype) {
  static const char *const names[] = {
      "none",       "pred",      "s8",       "s16", "s32",  "s64",
      "u8",         "u16",       "u32",      "u64", "f16",  "f32",
      "f64",        "13",        "14",       "c64", "bf16", "17",
      "c128",       "f8E5M2",    "f8E4M3FN", "s4",  "u4",   "f8E4M3B11FNUZ",
      "f8E5M2FNUZ", "f8E4M3FNUZ"};
  return dtype < sizeof(names) / sizeof(names[0]) ? names[dtype] : "other";
}

static size_t bytes_of(uint8_t dtype) {
  static const uint8_t sizes[] = {0, 1, 1, 2, 4, 8, 1, 2, 4, 8,
                                  2, 4, 8, 0, 0, 8, 2, 0, 16};
  return dtype < sizeof(sizes) ? sizes[dtype] : 1;
}

#define PART_OF(dtype)                                                         \
  ((uint8_t)((dtype) == JITRUN_DTYPE_C64 ? JITRUN_DTYPE_F32 : JITRUN_DTYPE_F64))

/// Numbers in decimal, anything else as the hexadecimal of its bits.
static void append_element(struct text *text, uint8_t dtype,
                           const void *element) {
  uint64_t bits = 0;
  size_t bytes = bytes_of(dtype);
  memcpy(&bits, element, bytes < sizeof(bits) ? bytes : sizeof(bits));
  float f32;
  memcpy(&f32, &bits, sizeof(f32));
  double f64;
  memcpy(&f64, &bits, sizeof(f64));
  unsigned unused_bits = 64 - 8 * (unsigned)bytes;
  switch (dtype) {
  case JITRUN_DTYPE_PRED:
    append(text, "%s", bits ? "true" : "false");
    return;
  case JITRUN_DTYPE_S8:
  case JITRUN_DTYPE_S16:
  case JITRUN_DTYPE_S32:
  case JITRUN_DTYPE_S64:
    append(text, "%" PRId64, (int64_t)(bits << unused_bits) >> unused_bits);
    return;
  case JITRUN_DTYPE_C64:
  case JITRUN_DTYPE_C128:
    append(text, "(");
    append_element(text, PART_OF(dtype), element);
    append(text, ",");
    append_element(text, PART_OF(dtype), (const char *)element + bytes / 2);
    append(text, ")");
    return;
  case JITRUN_DTYPE_F32:
    append(text, "%.9g", (double)f32);
    return;
  case JITRUN_DTYPE_F64:
    append(text, "%.17g", f64);
    return;
  case JITRUN_DTYPE_U8:
  case JITRUN_DTYPE_U16:
  case JITRUN_DTYPE_U32:
  case JITRUN_DTYPE_U64:
    append(text, "%" PRIu64, bits);
    return;
  default:
    append(text, "0x%" PRIx64, bits);
  }
}

static void append_elements(struct text *text, const jitrun_attr_t *attr) {
  const char *data = attr->value.data;
  append(text, "%s[", name_dtype(attr->dtype));
  for (uint64_t i = 0; i < attr->count; i++) {
    append(text, "%s", i > 0 ? " " : "");
    append_element(text, attr->dtype, data + i * bytes_of(attr->dtype));
  }
  append(text, "]");
}

static void append_string(struct text *text, const jitrun_attr_t *attr) {
  append(text, "\"");
  for (uint64_t i = 0; i < attr->count; i++) {
    unsigned char byte = (unsigned char)attr->value.string[i];
    if (byte < 0x20 || byte >= 0x7f || byte == '"' || byte == '\\')
      append(text, "\\%02x", byte);
    else
      append(text, "%c", byte);
  }
  append(text, "\"");
}

static void append_attrs(struct text *text, const jitrun_attr_t *attrs,
                         uint64_t count);

static void append_attr(struct text *text, const jitrun_attr_t *attr) {
  if (attr->type_name)
    append(text, "#%s ", attr->type_name);
  switch (attr->kind) {
  case JITRUN_ATTR_SCALAR:
    append(text, "%s ", name_dtype(attr->dtype));
    append_element(text, attr->dtype, &attr->value);
    return;
  case JITRUN_ATTR_STRING:
    append_string(text, attr);
    return;
  case JITRUN_ATTR_ARRAY:
    append(text, "array ");
    append_elements(text, attr);
    return;
  case JITRUN_ATTR_TENSOR:
    append(text, "tensor ");
    for (uint32_t i = 0; i < attr->rank; i++)
      append(text, "%" PRId64 "x", attr->dims[i]);
    append_elements(text, attr);
    return;
  case JITRUN_ATTR_DICT:
    append_attrs(text, attr->value.items, attr->count);
    return;
  case JITRUN_ATTR_UNIT:
    append(text, "unit");
    return;
  case JITRUN_ATTR_FUNCTION:
    append(text, "entry %" PRIu32, attr->value.entry);
    return;
  default:
    append(text, "absent");
  }
}

/// "{a = s32 1, b = "text", c = {...}}".
static void append_attrs(struct text *text, const jitrun_attr_t *attrs,
                         uint64_t count) {
  append(text, "{");
  for (uint64_t i = 0; i < count; i++) {
    append(text, "%s%s = ", i > 0 ? ", " : "", attrs[i].name);
    append_attr(text, &attrs[i]);
  }
  append(text, "}");
}

/// `test.read_attrs`: prints all of its attributes.
static jitrun_error_t *read_attrs(jitrun_call_t *call) {
  struct text text = {.size = 0};
  append_attrs(&text, call->site->attrs, call->site->attr_count);
  append(&text, "\n");
  print_text(call, &text);
  return NULL;
}

static const jitrun_signature_t any_signature = {
    .size = sizeof(jitrun_signature_t),
    .flags = JITRUN_VARIADIC_ARGS | JITRUN_VARIADIC_ATTRS};

/// `test.counter`: writes how often this call site was executed since the
/// program was loaded into its argument.
static jitrun_error_t *create_counter(jitrun_call_t *call) {
  atomic_llong *counter = malloc(sizeof(*counter));
  if (!counter)
    return call->site->api->error(call, JITRUN_RESOURCE_EXHAUSTED,
                                  "out of memory", SIZE_MAX);
  atomic_init(counter, 0);
  call->state = counter;
  return NULL;
}

static jitrun_error_t *count(jitrun_call_t *call) {
  atomic_llong *counter = call->state;
  *(int64_t *)jitrun_call_args(call)->value.data =
      atomic_fetch_add(counter, 1) + 1;
  return NULL;
}

static const jitrun_param_t counter_args[] = {
    {.name = "count",
     .kind = JITRUN_KIND_BUFFER,
     .max_rank = 1,
     .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_S64)}};
static const jitrun_signature_t counter_signature = {
    .size = sizeof(jitrun_signature_t), .args = counter_args, .arg_count = 1};

/// `test.stages`: how often each stage has run for this site; printed in the
/// execute stage, since there is no output before.
struct stages {
  atomic_int instantiated, prepared, initialized, executed;
};

static jitrun_error_t *stages_instantiate(jitrun_call_t *call) {
  struct stages *stages = calloc(1, sizeof(*stages));
  if (!stages)
    return call->site->api->error(call, JITRUN_RESOURCE_EXHAUSTED,
                                  "out of memory", SIZE_MAX);
  stages->instantiated = 1;
  call->state = stages;
  return NULL;
}

static jitrun_error_t *stages_prepare(jitrun_call_t *call) {
  struct stages *stages = call->state;
  stages->prepared++;
  return NULL;
}

static jitrun_error_t *stages_initialize(jitrun_call_t *call) {
  struct stages *stages = call->state;
  stages->initialized++;
  return NULL;
}

static jitrun_error_t *stages_execute(jitrun_call_t *call) {
  struct stages *stages = call->state;
  int executed = ++stages->executed;
  struct text text = {.size = 0};
  append(&text, "instantiate %d, prepare %d, initialize %d, execute %d\n",
         stages->instantiated, stages->prepared, stages->initialized, executed);
  print_text(call, &text);
  return NULL;
}

#define CALL(call_name, call_signature, handler)                               \
  .size = sizeof(jitrun_customcall_t), .name = (call_name),                    \
  .platform = "host", .signature = (call_signature), .execute = (handler)

static const jitrun_customcall_t calls[] = {
    {CALL("test.fail", &fail_signature, fail),
     .summary = "fails with a text that names its attribute"},
    {CALL("test.maps", &empty_signature, print_maps),
     .summary = "prints the files that the process has mapped"},
    {CALL("test.scale", &scale_signature, scale), .summary = "x *= factor"},
    {CALL("test.axpy", &axpy_signature, axpy), .summary = "y += a * x"},
    {CALL("test.read_attrs", &any_signature, read_attrs),
     .summary = "prints its attributes"},
    {CALL("test.counter", &counter_signature, count),
     .summary = "writes how often it was executed",
     .instantiate = create_counter, .destroy_state = free},
    {CALL("test.add1", &add1_signature, add1), .summary = "value + 1"},
    {CALL("test.sum", &sum_signature, sum), .summary = "the sum of x"},
    {CALL("test.stages", &empty_signature, stages_execute),
     .summary = "prints how often its stages ran",
     .instantiate = stages_instantiate, .prepare = stages_prepare,
     .initialize = stages_initialize, .destroy_state = free},
};

static const jitrun_plugin_t plugin = {
    .size = sizeof(jitrun_plugin_t),
    .version = JITRUN_CUSTOMCALL_VERSION,
    .sanitizer = JITRUN_SANITIZER,
    .name = "testcalls",
    .calls = calls,
    .call_count = sizeof(calls) / sizeof(calls[0]),
};

const jitrun_plugin_t *jitrun_plugin_query(uint32_t max_version) {
  return max_version >= plugin.version ? &plugin : NULL;
}
