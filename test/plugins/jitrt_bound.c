/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// A plug-in of JitRt handlers with declared signatures, linked with
/// libjitrun-jitrt, and of one classic handler.
#include "jitrun/jitrt.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/// What it finds at the types that it declares.
static bool add(void *ctx, void **args, void **attrs, void **rets) {
  (void)attrs;
  const int32_t *a = jitrun_jitrt_value(args, 0, &__type_id_int32);
  int32_t *sum = jitrun_jitrt_value(rets, 0, &__type_id_int32);
  if (!a || !sum)
    return jitrun_jitrt_error(ctx, JITRUN_JITRT_UNDECODED);
  *sum = *a + (int32_t)jitrun_jitrt_count(args);
  return true;
}

/// Sums up an array attribute and the elements of a dense memref.
static bool sum_all(void *ctx, void **args, void **attrs, void **rets) {
  jitrun_jitrt_memref_t *x = jitrun_jitrt_memref(args, 0);
  const jitrun_jitrt_array_t *more =
      jitrun_jitrt_attr_array(attrs, "more", &__type_id_array_int64);
  double *sum = jitrun_jitrt_value(rets, 0, &__type_id_double);
  if (!x || !more || !sum || x->rank != 1)
    return jitrun_jitrt_error(ctx, JITRUN_JITRT_UNDECODED);
  *sum = 0;
  for (int64_t i = 0; i < jitrun_jitrt_dims(x)[0]; i++)
    *sum += ((const float *)x->data)[i * jitrun_jitrt_strides(x)[0]];
  for (int64_t i = 0; i < more->size; i++)
    *sum += (double)((const int64_t *)more->data)[i];
  return true;
}

/// A type of its own, which programs write as an opaque value.
static int64_t value_id;
static const jitrun_jitrt_type_t value_type[] = {
    {"!testlib.value", &value_id, NULL, 0}};

static bool make_value(void *ctx, void **args, void **attrs, void **rets) {
  (void)args, (void)attrs;
  static int32_t value = 42;
  void **made = jitrun_jitrt_value(rets, 0, &value_id);
  if (!made)
    return jitrun_jitrt_error(ctx, JITRUN_JITRT_UNDECODED);
  *made = &value;
  return true;
}

static bool read_value(void *ctx, void **args, void **attrs, void **rets) {
  (void)attrs;
  void **value = jitrun_jitrt_value(args, 0, &value_id);
  int32_t *result = jitrun_jitrt_value(rets, 0, &__type_id_int32);
  if (!value || !result)
    return jitrun_jitrt_error(ctx, JITRUN_JITRT_UNDECODED);
  *result = *(const int32_t *)*value;
  return true;
}

static bool pass_opaque(void *ctx, void **args, void **attrs, void **rets) {
  (void)attrs;
  void **value = jitrun_jitrt_value(args, 0, &__type_id_opaque);
  void **result = jitrun_jitrt_value(rets, 0, &__type_id_opaque);
  if (!value || !result)
    return jitrun_jitrt_error(ctx, JITRUN_JITRT_UNDECODED);
  *result = *value;
  return true;
}

/// A memref of 1, 2, 3, ... in memory of the kind that the attribute names: the
/// runtime's, malloc's, or static.
static bool make_memref(void *ctx, void **args, void **attrs, void **rets) {
  (void)args;
  static int32_t fixed[16];
  const char *kind = ((const jitrun_jitrt_array_t *)jitrun_jitrt_attr(
                          attrs, "kind", &__type_id_string))
                         ->data;
  jitrun_jitrt_memref_t *memref = jitrun_jitrt_memref(rets, 0);
  int64_t count = jitrun_jitrt_dims(memref)[0] * jitrun_jitrt_dims(memref)[1];
  if (strcmp(kind, "none") == 0)
    return true;
  if (strcmp(kind, "runtime") == 0) {
    const int64_t dims[] = {2, 3}; // those of the program, or not
    if (!jitrun_jitrt_ret_alloc(ctx, rets, 0, dims))
      return false;
  } else {
    memref->data = strcmp(kind, "malloc") == 0
                       ? malloc((size_t)count * sizeof(int32_t))
                       : fixed;
  }
  for (int32_t i = 0; i < count; i++)
    ((int32_t *)memref->data)[i] = i + 1;
  return true;
}

static jitrun_error_t *make_counter(const jitrun_call_t *call, void *context,
                                    void **out_state) {
  (void)context;
  *out_state = calloc(1, sizeof(int32_t));
  return *out_state ? NULL
                    : call->site->api->error(call, JITRUN_RESOURCE_EXHAUSTED,
                                             "no counter", SIZE_MAX);
}

/// How often calls of this uid came in the execution.
static bool count_calls(void *ctx, void **args, void **attrs, void **rets) {
  (void)args;
  const int64_t *uid = jitrun_jitrt_attr(attrs, "uid", &__type_id_int64);
  int32_t *result = jitrun_jitrt_value(rets, 0, &__type_id_int32);
  if (!uid || !result)
    return jitrun_jitrt_error(ctx, JITRUN_JITRT_UNDECODED);
  const jitrun_state_key_t key = {.size = sizeof(key),
                                  .scope = JITRUN_SCOPE_EXECUTION,
                                  .name = "test.counter",
                                  .id = *uid,
                                  .create = make_counter,
                                  .destroy = free};
  void *counter = NULL;
  if (!jitrun_jitrt_state(ctx, &key, &counter))
    return false;
  *result = ++*(int32_t *)counter;
  return true;
}

/// Needs something of the caller's, which the tool never has.
static bool need_data(void *ctx, void **args, void **attrs, void **rets) {
  (void)args, (void)attrs, (void)rets;
  return jitrun_jitrt_user_data(ctx, "test.data") ||
         jitrun_jitrt_error(ctx, JITRUN_JITRT_UNDECODED);
}

/// Runs the entry that an attribute names, of (i32) -> i32.
static bool run_function(void *ctx, void **args, void **attrs, void **rets) {
  const int32_t *ordinal =
      jitrun_jitrt_attr(attrs, "func", &__type_id_function_ordinal);
  jitrun_call_t *call = jitrun_jitrt_frame(ctx);
  const jitrun_tensor_t arg = {.dtype = JITRUN_DTYPE_S32, .data = args[2]};
  const jitrun_tensor_t result = {.dtype = JITRUN_DTYPE_S32, .data = rets[2]};
  return ordinal && !call->site->api->run_entry(call, (uint32_t)*ordinal, &arg,
                                                1, &result, 1);
}

static const jitrun_jitrt_param_t one_int[] = {{.id = &__type_id_int32}};
static const jitrun_jitrt_param_t one_double[] = {{.id = &__type_id_double}};
static const jitrun_jitrt_param_t one_dense[] = {
    {.id = &__type_id_memref_view}};
static const jitrun_jitrt_param_t more[] = {
    {"more", &__type_id_array_int64, 0}};

static const jitrun_jitrt_signature_t add_types = {.size = sizeof(add_types),
                                                   .args = one_int,
                                                   .arg_count = 1,
                                                   .rets = one_int,
                                                   .ret_count = 1};
static const jitrun_jitrt_signature_t any_types = {
    .size = sizeof(any_types),
    .args = one_int,
    .arg_count = 1,
    .rets = one_int,
    .ret_count = 1,
    .flags = JITRUN_JITRT_MORE_ARGS | JITRUN_JITRT_MORE_ATTRS};
static const jitrun_jitrt_signature_t sum_types = {.size = sizeof(sum_types),
                                                   .args = one_dense,
                                                   .arg_count = 1,
                                                   .attrs = more,
                                                   .attr_count = 1,
                                                   .rets = one_double,
                                                   .ret_count = 1};

#define CALL(call_name, call_function, types, level)                           \
  {.size = sizeof(jitrun_jitrt_call_t),                                        \
   .name = (call_name),                                                        \
   .function = (call_function),                                                \
   .signature = (types),                                                       \
   .checks = (level)}
#define VALUE                                                                  \
  .size = sizeof(jitrun_jitrt_call_t), .types = value_type, .type_count = 1
static const jitrun_jitrt_call_t handlers[] = {
    CALL("test.custom_call", add, &add_types, JITRUN_JITRT_CHECK_ALL),
    CALL("test.less", add, &add_types, JITRUN_JITRT_CHECK_LESS),
    CALL("test.none", add, &add_types, JITRUN_JITRT_CHECK_NONE),
    CALL("test.remaining", add, &any_types, JITRUN_JITRT_CHECK_ALL),
    CALL("test.sum", sum_all, &sum_types, JITRUN_JITRT_CHECK_ALL),
    {VALUE, .name = "test.make_value", .function = make_value},
    {VALUE, .name = "test.read_value", .function = read_value},
    CALL("test.pass_opaque", pass_opaque, NULL, JITRUN_JITRT_CHECK_ALL),
    CALL("test.make_memref", make_memref, NULL, JITRUN_JITRT_CHECK_ALL),
    {.size = sizeof(jitrun_jitrt_call_t),
     .name = "test.make_owned",
     .function = make_memref,
     .flags = JITRUN_JITRT_FREES_RESULTS},
    CALL("test.count_calls", count_calls, NULL, JITRUN_JITRT_CHECK_ALL),
    CALL("test.need_data", need_data, NULL, JITRUN_JITRT_CHECK_ALL),
    CALL("test.run", run_function, NULL, JITRUN_JITRT_CHECK_ALL),
};

static void count_up(void *stream, void **buffers, const char *opaque,
                     size_t opaque_size) {
  (void)stream, (void)opaque, (void)opaque_size;
  (*(int32_t *)buffers[0])++;
}

static const jitrun_classic_t classic[] = {
    {"CountUp", "host", (jitrun_classic_fn_t)count_up}};

const jitrun_plugin_t *jitrun_plugin_query(uint32_t max_version) {
  static jitrun_customcall_t calls[COUNT(handlers)];
  static const jitrun_plugin_t plugin = {.size = sizeof(plugin),
                                         .version = JITRUN_CUSTOMCALL_VERSION,
                                         .sanitizer = JITRUN_SANITIZER,
                                         .name = "jitrt_bound",
                                         .calls = calls,
                                         .call_count = COUNT(calls),
                                         .classic = classic,
                                         .classic_count = COUNT(classic)};
  for (size_t i = 0; i < COUNT(handlers); i++)
    calls[i] = jitrun_jitrt_adapt(&handlers[i]);
  return max_version >= plugin.version ? &plugin : NULL;
}
