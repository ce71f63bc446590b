/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Handlers that return tokens and async values, at once and later, and errors
/// in their place.
#include "jitrun/async.h"
#include "jitrun/customcall.h"

#include <pthread.h>
#include <stdlib.h>

static jitrun_error_t *make_error(const jitrun_call_t *call, const char *text) {
  return call->site->api->error(call, JITRUN_ABORTED, text, SIZE_MAX);
}

/// `test.token`: a token; for 1 an error, for 2 one through the token, for 3
/// nothing.
static jitrun_error_t *give_token(jitrun_call_t *call) {
  static const jitrun_type_t type = {.kind = JITRUN_KIND_TOKEN,
                                     .dtype = JITRUN_DTYPE_TOKEN};
  const jitrun_async_api_t *api = call->site->api->async;
  int32_t what = jitrun_call_args(call)[0].value.s32;
  jitrun_async_t **result = &jitrun_call_results(call)->value.async;
  if (what == 1)
    return make_error(call, "test.token was asked to fail");
  if (what == 3)
    return NULL;
  jitrun_error_t *error = api->create(&type, result);
  if (error)
    return error;
  if (what == 0)
    return api->set_token(*result);
  api->set_error(*result, make_error(call, "test.token failed later"));
  return NULL;
}

/// What another thread will set.
struct promise {
  const jitrun_async_api_t *api;
  jitrun_async_t *async;
  int32_t value;
};

static void *keep_promise(void *context) {
  struct promise *promise = context;
  promise->api->error_free(
      promise->api->set_scalar(promise->async, &promise->value));
  promise->api->release(promise->async);
  free(promise);
  return NULL;
}

/// `test.promise`: its argument plus one, from another thread.
static jitrun_error_t *promise_value(jitrun_call_t *call) {
  static const jitrun_type_t type = {.kind = JITRUN_KIND_ASYNC_SCALAR,
                                     .dtype = JITRUN_DTYPE_S32};
  const jitrun_async_api_t *api = call->site->api->async;
  jitrun_async_t **result = &jitrun_call_results(call)->value.async;
  struct promise *promise = malloc(sizeof(*promise));
  pthread_t thread;
  if (!promise)
    return make_error(call, "out of memory");
  jitrun_error_t *error = api->create(&type, result);
  if (error) {
    free(promise);
    return error;
  }
  *promise = (struct promise){
      .api = api,
      .async = *result,
      .value = jitrun_call_args(call)[0].value.s32 + 1,
  };
  api->retain(*result);
  if (pthread_create(&thread, NULL, keep_promise, promise) != 0) {
    (void)keep_promise(promise);
    return NULL;
  }
  (void)pthread_detach(thread);
  return NULL;
}

/// `test.async_buffer`: 2x2 elements of its argument, in scratch memory.
static jitrun_error_t *give_buffer(jitrun_call_t *call) {
  static const struct {
    jitrun_type_t type;
    int64_t extents[4];
  } type = {.type = {.kind = JITRUN_KIND_ASYNC_BUFFER,
                     .dtype = JITRUN_DTYPE_F32,
                     .rank = 2},
            .extents = {2, 2, 2, 1}};
  const jitrun_async_api_t *api = call->site->api->async;
  jitrun_async_t **result = &jitrun_call_results(call)->value.async;
  float *data = call->site->api->scratch(call, 4 * sizeof(*data));
  if (!data)
    return make_error(call, "out of memory");
  jitrun_tensor_t buffer = {
      .dtype = JITRUN_DTYPE_F32, .rank = 2, .dims = type.extents, .data = data};
  for (int i = 0; i < 4; i++)
    data[i] = jitrun_call_args(call)[0].value.f32;
  jitrun_error_t *error = api->create(&type.type, result);
  return error ? error : api->set_buffer(*result, &buffer);
}

static const jitrun_param_t s32_param = {.name = "a",
                                         .kind = JITRUN_KIND_SCALAR,
                                         .dtypes =
                                             JITRUN_DTYPES(JITRUN_DTYPE_S32)};
static const jitrun_param_t f32_param = {.name = "x",
                                         .kind = JITRUN_KIND_SCALAR,
                                         .dtypes =
                                             JITRUN_DTYPES(JITRUN_DTYPE_F32)};
static const jitrun_param_t token_param = {
    .name = "token", .kind = JITRUN_KIND_TOKEN, .dtypes = JITRUN_DTYPES_ANY};
static const jitrun_param_t value_param = {.name = "value",
                                           .kind = JITRUN_KIND_ASYNC_SCALAR,
                                           .dtypes =
                                               JITRUN_DTYPES(JITRUN_DTYPE_S32)};
static const jitrun_param_t buffer_param = {
    .name = "buffer",
    .kind = JITRUN_KIND_ASYNC_BUFFER,
    .min_rank = 2,
    .max_rank = 2,
    .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_F32)};

#define SIGNATURE(arg, result)                                                 \
  {.size = sizeof(jitrun_signature_t),                                         \
   .args = &(arg),                                                             \
   .results = &(result),                                                       \
   .arg_count = 1,                                                             \
   .result_count = 1}

static const jitrun_signature_t token_signature =
    SIGNATURE(s32_param, token_param);
static const jitrun_signature_t promise_signature =
    SIGNATURE(s32_param, value_param);
static const jitrun_signature_t buffer_signature =
    SIGNATURE(f32_param, buffer_param);

#define CALL(call_name, call_signature, handler)                               \
  .size = sizeof(jitrun_customcall_t), .name = (call_name),                    \
  .platform = "host", .signature = (call_signature), .execute = (handler)

static const jitrun_customcall_t calls[] = {
    {CALL("test.token", &token_signature, give_token),
     .summary = "returns a token, or fails"},
    {CALL("test.promise", &promise_signature, promise_value),
     .summary = "a + 1, later"},
    {CALL("test.async_buffer", &buffer_signature, give_buffer),
     .summary = "a buffer of 2x2 elements x"},
};

static const jitrun_plugin_t plugin = {
    .size = sizeof(jitrun_plugin_t),
    .version = JITRUN_CUSTOMCALL_VERSION,
    .sanitizer = JITRUN_SANITIZER,
    .name = "async",
    .calls = calls,
    .call_count = sizeof(calls) / sizeof(calls[0]),
};

const jitrun_plugin_t *jitrun_plugin_query(uint32_t max_version) {
  return max_version >= JITRUN_CUSTOMCALL_VERSION ? &plugin : NULL;
}
