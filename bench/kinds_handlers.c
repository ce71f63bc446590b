/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Handlers that read one kind of value as their users would: through the
/// frame, without checks, since a signature was compared when the program was
/// loaded. Each is made for 1 and for 12 values.
#include "kinds.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE jitrun_error_t *read_i32(jitrun_call_t *call, int count) {
  const jitrun_arg_t *args = jitrun_call_args(call);
  for (int i = 0; i < count; i++)
    jr_keep(args[i].value.u32);
  return NULL;
}

ALWAYS_INLINE jitrun_error_t *read_opaque(jitrun_call_t *call, int count) {
  const jitrun_arg_t *args = jitrun_call_args(call);
  for (int i = 0; i < count; i++)
    jr_keep((uint64_t)(uintptr_t)args[i].value.opaque);
  return NULL;
}

ALWAYS_INLINE jitrun_error_t *read_memref(jitrun_call_t *call, int count) {
  const jitrun_arg_t *args = jitrun_call_args(call);
  for (int i = 0; i < count; i++) {
    jr_keep((uint64_t)(uintptr_t)args[i].value.data);
    jr_keep((uint64_t)jitrun_type_dims(args[i].type)[0]);
    jr_keep((uint64_t)jitrun_type_strides(args[i].type)[0]);
  }
  return NULL;
}

ALWAYS_INLINE jitrun_error_t *write_ret(jitrun_call_t *call, int count) {
  jitrun_arg_t *results = jitrun_call_results(call);
  for (int i = 0; i < count; i++)
    results[i].value.s32 = i;
  return NULL;
}

ALWAYS_INLINE jitrun_error_t *read_attr(jitrun_call_t *call, int count) {
  for (int i = 0; i < count; i++)
    jr_keep(call->attrs[i].value.u32);
  return NULL;
}

/// Strings, arrays and tensors: an address and a count.
ALWAYS_INLINE jitrun_error_t *read_many(jitrun_call_t *call, int count) {
  for (int i = 0; i < count; i++) {
    jr_keep((uint64_t)(uintptr_t)call->attrs[i].value.data);
    jr_keep(call->attrs[i].count);
  }
  return NULL;
}

/// Three integers of a dictionary, by their place in the order of names.
ALWAYS_INLINE jitrun_error_t *read_dict(jitrun_call_t *call, int count) {
  for (int i = 0; i < count; i++) {
    const jitrun_attr_t *items = call->attrs[i].value.items;
    for (int k = 0; k < 3; k++)
      jr_keep(items[k].value.u32);
  }
  return NULL;
}

ALWAYS_INLINE jitrun_error_t *read_user(jitrun_call_t *call, int count) {
  static const char *const names[JR_KINDS_MANY] = {
      "data0", "data1", "data2", "data3", "data4",  "data5",
      "data6", "data7", "data8", "data9", "data10", "data11"};
  for (int i = 0; i < count; i++)
    jr_keep((uint64_t)(uintptr_t)call->site->api->user_data(call, names[i]));
  return NULL;
}

/// X(name of the kind, function that reads it)
#define FOR_KINDS(X)                                                           \
  X(i32, read_i32)                                                             \
  X(opaque, read_opaque)                                                       \
  X(memref, read_memref)                                                       \
  X(strided, read_memref)                                                      \
  X(dynamic, read_memref)                                                      \
  X(ret, write_ret)                                                            \
  X(attr, read_attr)                                                           \
  X(string, read_many)                                                         \
  X(array, read_many)                                                          \
  X(tensor, read_many)                                                         \
  X(dict, read_dict)                                                           \
  X(user, read_user)

#define DEFINE(kind, function)                                                 \
  static jitrun_error_t *kind##_x1(jitrun_call_t *call) {                      \
    return function(call, 1);                                                  \
  }                                                                            \
  static jitrun_error_t *kind##_x12(jitrun_call_t *call) {                     \
    return function(call, JR_KINDS_MANY);                                      \
  }
FOR_KINDS(DEFINE)

#define ROWS(kind, function)                                                   \
  {.size = sizeof(jitrun_customcall_t),                                        \
   .name = "bench." #kind "_x1",                                               \
   .platform = "host",                                                         \
   .execute = kind##_x1},                                                      \
      {.size = sizeof(jitrun_customcall_t),                                    \
       .name = "bench." #kind "_x12",                                          \
       .platform = "host",                                                     \
       .execute = kind##_x12},
static const jitrun_customcall_t calls[] = {FOR_KINDS(ROWS)};

static const jitrun_plugin_t plugin = {
    .size = sizeof(jitrun_plugin_t),
    .version = JITRUN_CUSTOMCALL_VERSION,
    .sanitizer = JITRUN_SANITIZER,
    .name = "kinds",
    .calls = calls,
    .call_count = sizeof calls / sizeof calls[0],
};

const jitrun_plugin_t *jr_kinds_query(uint32_t max_version) {
  return max_version >= plugin.version ? &plugin : NULL;
}
