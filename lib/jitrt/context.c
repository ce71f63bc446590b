/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What a handler can ask through its context, and what libjitrun asks of this
/// library. Everything comes from the functions in the call.
#include "base/bytes.h"
#include "jitrt/plan.h"
#include "jitrun/customcall.h"
#include "jitrun/jitrt.h"
#include "jitrun/types.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

jitrun_error_t *jr_jitrt_no_memory(const jitrun_call_t *call) {
  return call->site->api->error(call, JITRUN_RESOURCE_EXHAUSTED,
                                "out of memory in the call of a JitRt handler",
                                SIZE_MAX);
}

jitrun_error_t *jr_jitrt_fail(const jitrun_call_t *call, jitrun_code_t code,
                              const char *format, ...) {
  struct jr_bytes text = {0};
  va_list args;
  va_start(args, format);
  jr_bytes_appendv(&text, format, args);
  va_end(args);
  jitrun_error_t *error =
      text.failed ? jr_jitrt_no_memory(call)
                  : call->site->api->error(call, code, (const char *)text.data,
                                           text.size);
  jr_bytes_deinit(&text);
  return error;
}

bool jitrun_jitrt_error(void *ctx, const char *text) {
  struct jr_jitrt_context *context = ctx;
  if (context->text.size > 0)
    jr_bytes_append_text(&context->text, "; ");
  jr_bytes_append_text(&context->text, text);
  return false;
}

jitrun_call_t *jitrun_jitrt_frame(void *ctx) {
  return ((struct jr_jitrt_context *)ctx)->call;
}

void *jitrun_jitrt_user_data(void *ctx, const char *name) {
  const jitrun_call_t *call = jitrun_jitrt_frame(ctx);
  const jitrun_call_api_t *api = call->site->api;
  return JR_JITRT_HAS(api, user_data) ? api->user_data(call, name) : NULL;
}

bool jitrun_jitrt_state(void *ctx, const jitrun_state_key_t *key,
                        void **out_state) {
  struct jr_jitrt_context *context = ctx;
  const jitrun_call_api_t *api = context->call->site->api;
  *out_state = NULL;
  if (!JR_JITRT_HAS(api, state))
    return jitrun_jitrt_error(ctx, "this runtime keeps no states");
  // an error cannot be freed here, so there is at most one
  if (!context->error)
    context->error = api->state(context->call, key, out_state);
  return !context->error;
}

void *jitrun_jitrt_ret_alloc(void *ctx, void **rets, int64_t index,
                             const int64_t *dims) {
  struct jr_jitrt_context *context = ctx;
  const jitrun_call_api_t *api = context->call->site->api;
  jitrun_jitrt_memref_t *memref = jitrun_jitrt_memref(rets, index);
  if (!memref || !JR_JITRT_HAS(api, result_alloc)) {
    jitrun_jitrt_error(ctx, memref
                                ? "this runtime has no memory for results"
                                : "memory was asked for a result that is none "
                                  "of the memrefs");
    return NULL;
  }
  if (dims && dims != jitrun_jitrt_dims(memref))
    memcpy(jitrun_jitrt_dims(memref), dims, memref->rank * sizeof(*dims));
  if (!context->error)
    context->error = api->result_alloc(context->call, (uint32_t)index,
                                       jitrun_jitrt_dims(memref));
  if (context->error)
    return NULL;
  memref->data = jitrun_call_results(context->call)[index].value.data;
  return memref->data;
}

static const jitrun_jitrt_t table = {.size = sizeof(jitrun_jitrt_t),
                                     .version = JITRUN_JITRT_VERSION,
                                     .sanitizer = JITRUN_SANITIZER,
                                     .adapt = jitrun_jitrt_adapt};

const jitrun_jitrt_t *jitrun_jitrt_query(uint32_t max_version) {
  return max_version >= JITRUN_JITRT_VERSION ? &table : NULL;
}
