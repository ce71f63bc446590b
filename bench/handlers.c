/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Sixteen custom calls that differ in one constant, so that a dispatcher has
/// sixteen targets of one cost. Also built as a plug-in by itself.
#include "handlers.h"

/* clang-format off */
#define FOR_HANDLERS(X)                                                        \
  X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13)    \
  X(14) X(15)
/* clang-format on */

#define DEFINE_HANDLER(number)                                                 \
  static jitrun_error_t *scale_##number(jitrun_call_t *call) {                 \
    const jitrun_arg_t *args = jitrun_call_args(call);                         \
    const float *from = args[0].value.data;                                    \
    float *to = args[1].value.data;                                            \
    int32_t k = call->attrs[0].value.s32;                                      \
    float s = call->attrs[1].value.f32;                                        \
    to[0] = from[0] * s + (float)(k + (number));                               \
    return NULL;                                                               \
  }
FOR_HANDLERS(DEFINE_HANDLER)

#define F32 JITRUN_DTYPES(JITRUN_DTYPE_F32)

static const jitrun_param_t args[] = {
    {.name = "from",
     .kind = JITRUN_KIND_BUFFER,
     .min_rank = 1,
     .max_rank = 1,
     .dtypes = F32},
    {.name = "to",
     .kind = JITRUN_KIND_BUFFER,
     .min_rank = 1,
     .max_rank = 1,
     .dtypes = F32},
};

static const jitrun_attr_param_t attrs[] = {
    {.name = "k",
     .kind = JITRUN_ATTR_SCALAR,
     .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_S32)},
    {.name = "s", .kind = JITRUN_ATTR_SCALAR, .dtypes = F32},
};

static const jitrun_signature_t signature = {
    .size = sizeof(jitrun_signature_t),
    .args = args,
    .arg_count = 2,
    .attrs = attrs,
    .attr_count = 2,
};

#define CALL_ROW(number)                                                       \
  {.size = sizeof(jitrun_customcall_t),                                        \
   .name = "bench.h" #number,                                                  \
   .platform = "host",                                                         \
   .summary = "to[0] = from[0] * s + k + " #number,                            \
   .signature = &signature,                                                    \
   .execute = scale_##number},
static const jitrun_customcall_t calls[] = {FOR_HANDLERS(CALL_ROW)};

static const jitrun_plugin_t plugin = {
    .size = sizeof(jitrun_plugin_t),
    .version = JITRUN_CUSTOMCALL_VERSION,
    .sanitizer = JITRUN_SANITIZER,
    .name = "bench",
    .calls = calls,
    .call_count = JR_BENCH_HANDLERS,
};

const jitrun_plugin_t *jitrun_plugin_query(uint32_t max_version) {
  return max_version >= plugin.version ? &plugin : NULL;
}

const jitrun_customcall_t *jr_bench_handler(size_t index) {
  return &calls[index];
}
