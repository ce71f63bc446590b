/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// A plug-in of JitRt handlers with declared signatures, linked with
/// libjitrun-jitrt, and of one classic handler.
#include "jitrun/jitrt.h"

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
static const jitrun_jitrt_call_t handlers[] = {
    CALL("test.custom_call", add, &add_types, JITRUN_JITRT_CHECK_ALL),
    CALL("test.less", add, &add_types, JITRUN_JITRT_CHECK_LESS),
    CALL("test.none", add, &add_types, JITRUN_JITRT_CHECK_NONE),
    CALL("test.remaining", add, &any_types, JITRUN_JITRT_CHECK_ALL),
    CALL("test.sum", sum_all, &sum_types, JITRUN_JITRT_CHECK_ALL),
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
