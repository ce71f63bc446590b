/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Custom calls of the platform of apart.c, which includes this: each puts its
/// work into the stream that it is given.
#ifndef TEST_PLUGINS_APART_CALLS_H
#define TEST_PLUGINS_APART_CALLS_H

static int64_t count_elements(const jitrun_arg_t *arg) {
  int64_t count = 1;
  for (uint32_t i = 0; i < arg->type->rank; i++)
    count *= jitrun_type_dims(arg->type)[i];
  return count;
}

static jitrun_driver_stream_t *stream_of(const jitrun_call_t *call) {
  return call->site->api->stream(call);
}

/// Elements are read as bytes: nothing is said of how they are aligned.
static void add_scalar(unsigned char *const *buffers, int64_t count,
                       int64_t scalar) {
  for (int64_t i = 0; i < count; i++) {
    int32_t value;
    memcpy(&value, buffers[1] + 4 * i, sizeof value);
    value += (int32_t)scalar;
    memcpy(buffers[0] + 4 * i, &value, sizeof value);
  }
}

/// apart.add(to, from, i32): to = from + i32.
static jitrun_error_t *add(jitrun_call_t *call) {
  const jitrun_arg_t *args = jitrun_call_args(call);
  jitrun_driver_stream_t *stream = stream_of(call);
  struct memory *memory = &stream->device->memory;
  int64_t count = count_elements(&args[0]);
  return put(stream,
             &(struct operation){.kind = KERNEL,
                                 .memories = {memory, memory},
                                 .addresses = {(uintptr_t)args[0].value.data,
                                               (uintptr_t)args[1].value.data},
                                 .size_bytes = 4 * (uint64_t)count,
                                 .kernel = add_scalar,
                                 .count = count,
                                 .scalar = args[2].value.s32});
}

/// apart.sum(from) -> i32.
static jitrun_error_t *sum(jitrun_call_t *call) {
  const jitrun_arg_t *args = jitrun_call_args(call);
  int32_t elements[256];
  int64_t count = count_elements(&args[0]);
  int32_t result = 0;
  if (count > 256)
    return call->site->api->error(call, JITRUN_INVALID_ARGUMENT,
                                  "over 256 elements", SIZE_MAX);
  jitrun_error_t *error =
      copy_to_host(stream_of(call), elements, (uintptr_t)args[0].value.data,
                   4 * (uint64_t)count);
  if (!error)
    error = synchronize_stream(stream_of(call));
  for (int64_t i = 0; !error && i < count; i++)
    result += elements[i];
  jitrun_call_results(call)[0].value.s32 = result;
  return error;
}

/// apart.break(): something in the stream fails.
static jitrun_error_t *break_stream(jitrun_call_t *call) {
  return put(stream_of(call), &(struct operation){.kind = FAIL});
}

#define I32 .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_S32)
#define BUFFER(text)                                                           \
  {.name = (text), .kind = JITRUN_KIND_BUFFER, .max_rank = -1, I32}
#define SCALAR(text) {.name = (text), .kind = JITRUN_KIND_SCALAR, I32}

static const jitrun_param_t add_params[] = {BUFFER("to"), BUFFER("from"),
                                            SCALAR("value")};
static const jitrun_param_t sum_params[] = {BUFFER("from")};
static const jitrun_param_t sum_results[] = {SCALAR("sum")};

static const jitrun_signature_t add_signature = {
    .size = sizeof add_signature, .args = add_params, .arg_count = 3};
static const jitrun_signature_t sum_signature = {.size = sizeof sum_signature,
                                                 .args = sum_params,
                                                 .arg_count = 1,
                                                 .results = sum_results,
                                                 .result_count = 1};
static const jitrun_signature_t break_signature = {.size =
                                                       sizeof break_signature};

static const jitrun_customcall_t calls[] = {
    {.size = sizeof calls[0],
     .name = "apart.add",
     .platform = "apart",
     .summary = "adds a number to elements",
     .signature = &add_signature,
     .execute = add},
    {.size = sizeof calls[0],
     .name = "apart.sum",
     .platform = "apart",
     .summary = "sums elements",
     .signature = &sum_signature,
     .execute = sum},
    {.size = sizeof calls[0],
     .name = "apart.break",
     .platform = "apart",
     .summary = "makes the stream fail",
     .signature = &break_signature,
     .execute = break_stream},
};

static const jitrun_plugin_t plugin = {
    .size = sizeof plugin,
    .version = JITRUN_CUSTOMCALL_VERSION,
    .sanitizer = JITRUN_SANITIZER,
    .name = "apart",
    .calls = calls,
    .call_count = sizeof calls / sizeof calls[0],
};

const jitrun_plugin_t *jitrun_plugin_query(uint32_t max_version) {
  return max_version >= JITRUN_CUSTOMCALL_VERSION ? &plugin : NULL;
}

#endif
