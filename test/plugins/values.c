/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Custom calls that return values of every kind: memrefs of memory that the
/// handler or the execution has, opaque pointers, scalars.
#include "jitrun/customcall.h"

#include <stdio.h>

static jitrun_error_t *refuse(const jitrun_call_t *call, const char *text) {
  return call->site->api->error(call, JITRUN_INVALID_ARGUMENT, text, SIZE_MAX);
}

/// `test.iota`: a vector 0, 1, 2, ... of as many elements as the argument says.
static jitrun_error_t *iota(jitrun_call_t *call) {
  const jitrun_arg_t *result = jitrun_call_results(call);
  int64_t count = jitrun_call_args(call)->value.s64;
  jitrun_error_t *error = call->site->api->result_alloc(call, 0, &count);
  if (error)
    return error;
  int32_t *data = result->value.data;
  for (int64_t i = 0; i < count; i++)
    data[i] = (int32_t)i;
  return NULL;
}

/// `test.shared`: a 2x2 matrix that the handler has, row-major or, where the
/// type of the result allows it, by columns.
static jitrun_error_t *shared(jitrun_call_t *call) {
  static float elements[] = {1, 2, 3, 4};
  static const int64_t dims[] = {2, 2};
  static const int64_t strides[] = {1, 2};
  const jitrun_type_t *type = jitrun_call_results(call)->type;
  bool is_open = jitrun_type_strides(type)[0] != 2;
  return call->site->api->result_set(call, 0, elements, dims,
                                     is_open ? strides : NULL);
}

/// `test.square`: direct assignment is enough for a static type.
static jitrun_error_t *square(jitrun_call_t *call) {
  static int32_t elements[] = {4, 3, 2, 1};
  jitrun_call_results(call)->value.data = elements;
  return NULL;
}

/// `test.nothing`: gives its result no memory, but for the first call of the
/// process.
static jitrun_error_t *nothing(jitrun_call_t *call) {
  static int32_t elements[] = {7, 7, 7, 7};
  static int count;
  if (__atomic_fetch_add(&count, 1, __ATOMIC_RELAXED) == 0)
    jitrun_call_results(call)->value.data = elements;
  return NULL;
}

/// `test.wrong`: asks for memory of other sizes than its result has.
static jitrun_error_t *wrong(jitrun_call_t *call) {
  static const int64_t dims[] = {3, 2};
  return call->site->api->result_alloc(call, 0, dims);
}

/// `test.hide`, `test.show`: a number as an opaque pointer, and back.
static jitrun_error_t *hide(jitrun_call_t *call) {
  jitrun_call_results(call)->value.u64 = jitrun_call_args(call)->value.u64;
  return NULL;
}

static jitrun_error_t *show(jitrun_call_t *call) {
  const jitrun_arg_t *arg = jitrun_call_args(call);
  if (arg->type->kind != JITRUN_KIND_OPAQUE)
    return refuse(call, "test.show takes an opaque pointer");
  jitrun_call_results(call)->value.s64 = (int64_t)(intptr_t)arg->value.opaque;
  return NULL;
}

/// `test.type`: prints the name of an opaque type.
static jitrun_error_t *show_type(jitrun_call_t *call) {
  const char *name = jitrun_type_name(jitrun_call_args(call)->type);
  call->site->api->print(call, name, __builtin_strlen(name));
  call->site->api->print(call, "\n", 1);
  return NULL;
}

/// `test.next`: the number behind a `!testlib.value`, and 1.
static jitrun_error_t *next(jitrun_call_t *call) {
  jitrun_call_results(call)->value.u64 = jitrun_call_args(call)->value.u64 + 1;
  return NULL;
}

static const jitrun_param_t next_args[] = {{.name = "value",
                                            .kind = JITRUN_KIND_OPAQUE,
                                            .dtypes = JITRUN_DTYPES_ANY,
                                            .type_name = "!testlib.value"}};
static const jitrun_param_t next_results[] = {
    {.name = "number",
     .kind = JITRUN_KIND_SCALAR,
     .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_S64)}};
static const jitrun_signature_t next_signature = {
    .size = sizeof(jitrun_signature_t),
    .args = next_args,
    .results = next_results,
    .arg_count = 1,
    .result_count = 1};

/// `test.root`: a square root, rounded down, or an error.
static jitrun_error_t *root(jitrun_call_t *call) {
  int64_t square = jitrun_call_args(call)->value.s64;
  int64_t value = 0;
  if (square < 0)
    return refuse(call, "test.root takes no negative number");
  while ((value + 1) * (value + 1) <= square)
    value++;
  jitrun_call_results(call)->value.s64 = value;
  return NULL;
}

/// `test.divide`: quotient and remainder, or an error.
static jitrun_error_t *divide(jitrun_call_t *call) {
  const jitrun_arg_t *args = jitrun_call_args(call);
  jitrun_arg_t *results = jitrun_call_results(call);
  if (args[1].value.s64 == 0)
    return refuse(call, "test.divide has no quotient by 0");
  results[0].value.s64 = args[0].value.s64 / args[1].value.s64;
  results[1].value.s64 = args[0].value.s64 % args[1].value.s64;
  return NULL;
}

/// `test.optional`: prints two attributes, each of which may be absent.
static jitrun_error_t *show_optional(jitrun_call_t *call) {
  char text[128];
  size_t size = 0;
  for (int i = 0; i < 2; i++) {
    const jitrun_attr_t *attr = &call->attrs[i];
    const char *end = i == 0 ? ", " : "\n";
    int length =
        attr->kind == JITRUN_ATTR_ABSENT
            ? snprintf(text + size, sizeof text - size, "attr%d is absent%s",
                       i + 1, end)
            : snprintf(text + size, sizeof text - size, "attr%d = %d%s", i + 1,
                       (int)attr->value.s32, end);
    size += (size_t)length;
  }
  call->site->api->print(call, text, size);
  return NULL;
}

#define OPTIONAL_S32(attr_name)                                                \
  {.name = (attr_name),                                                        \
   .kind = JITRUN_ATTR_SCALAR,                                                 \
   .flags = JITRUN_OPTIONAL,                                                   \
   .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_S32)}
static const jitrun_attr_param_t optional_attrs[] = {OPTIONAL_S32("attr1"),
                                                     OPTIONAL_S32("attr2")};
static const jitrun_signature_t optional_signature = {
    .size = sizeof(jitrun_signature_t),
    .attrs = optional_attrs,
    .attr_count = 2};

/// `test.describe`: prints dtype and rank of its argument as numbers.
static jitrun_error_t *describe(jitrun_call_t *call) {
  char text[64];
  const jitrun_type_t *type = jitrun_call_args(call)->type;
  int length = snprintf(text, sizeof text, "dtype %d, rank %d\n", type->dtype,
                        type->rank);
  call->site->api->print(call, text, (size_t)length);
  return NULL;
}

/// `test.pair`: a number and its double.
static jitrun_error_t *pair(jitrun_call_t *call) {
  double value = jitrun_call_args(call)->value.f64;
  jitrun_call_results(call)[0].value.f64 = value;
  jitrun_call_results(call)[1].value.s32 = (int32_t)(2 * value);
  return NULL;
}

/// The sum of a buffer's elements from `at` on, each of which becomes 0.
static float take(const jitrun_arg_t *arg, float *at, uint32_t dimension) {
  if (dimension == (uint32_t)arg->type->rank) {
    float value = *at;
    *at = 0;
    return value;
  }
  float sum = 0;
  for (int64_t i = 0; i < jitrun_type_dims(arg->type)[dimension]; i++)
    sum += take(arg, at + i * jitrun_type_strides(arg->type)[dimension],
                dimension + 1);
  return sum;
}

/// `test.spoil`: the sum of all elements of all operands, which are 0
/// afterwards.
static jitrun_error_t *spoil(jitrun_call_t *call) {
  const jitrun_arg_t *args = jitrun_call_args(call);
  float sum = 0;
  for (uint32_t i = 0; i < call->site->arg_count; i++)
    sum += take(&args[i], args[i].value.data, 0);
  jitrun_call_results(call)->value.f32 = sum;
  return NULL;
}

#define DECLARED(target, function, declared)                                   \
  {.size = sizeof(jitrun_customcall_t),                                        \
   .name = (target),                                                           \
   .platform = "host",                                                         \
   .signature = (declared),                                                    \
   .execute = (function)}
#define CALL(target, function) DECLARED(target, function, NULL)

static const jitrun_customcall_t calls[] = {
    CALL("test.iota", iota),
    CALL("test.shared", shared),
    CALL("test.square", square),
    CALL("test.nothing", nothing),
    CALL("test.wrong", wrong),
    CALL("test.hide", hide),
    CALL("test.show", show),
    CALL("test.type", show_type),
    CALL("test.pair", pair),
    CALL("test.root", root),
    CALL("test.divide", divide),
    CALL("test.describe", describe),
    CALL("test.spoil", spoil),
    DECLARED("test.next", next, &next_signature),
    DECLARED("test.optional", show_optional, &optional_signature),
};

static const jitrun_plugin_t plugin = {
    .size = sizeof(jitrun_plugin_t),
    .version = JITRUN_CUSTOMCALL_VERSION,
    .sanitizer = JITRUN_SANITIZER,
    .name = "values",
    .calls = calls,
    .call_count = sizeof calls / sizeof calls[0],
};

const jitrun_plugin_t *jitrun_plugin_query(uint32_t max_version) {
  return max_version >= plugin.version ? &plugin : NULL;
}
