/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The calls of the sample program, and a registry that has them. What they do
/// besides is set per test in `sample_calls`.
#ifndef JR_TEST_SAMPLE_CALLS_H
#define JR_TEST_SAMPLE_CALLS_H

#include "sample_program.h"

#include <stdatomic.h>

/// What the handlers of a test do and have seen.
struct sample_calls {
  const char *fail_stage; ///< "instantiate", "prepare", "initialize", "execute"
  atomic_int instantiated, prepared, initialized, executed, destroyed;
  jitrun_error_t *(*hook)(jitrun_call_t *call, const char *stage);
  const char *text;     ///< to print in execute
  size_t scratch_bytes; ///< to take in execute
};

static struct sample_calls sample_calls;

static inline jitrun_error_t *maybe_fail(jitrun_call_t *call,
                                         const char *stage) {
  if (sample_calls.hook)
    JITRUN_TRY(sample_calls.hook(call, stage));
  if (!sample_calls.fail_stage || strcmp(sample_calls.fail_stage, stage) != 0)
    return NULL;
  return call->site->api->error(call, JITRUN_ABORTED, "as asked", SIZE_MAX);
}

static inline jitrun_error_t *copy_instantiate(jitrun_call_t *call) {
  JITRUN_TRY(maybe_fail(call, "instantiate"));
  sample_calls.instantiated++;
  call->state = jr_malloc(8);
  return call->state ? NULL : jr_error_no_memory();
}

static inline void copy_destroy(void *state) {
  sample_calls.destroyed++;
  free(state);
}

static inline jitrun_error_t *copy_prepare(jitrun_call_t *call) {
  JITRUN_TRY(maybe_fail(call, "prepare"));
  sample_calls.prepared++;
  return NULL;
}

static inline jitrun_error_t *copy_initialize(jitrun_call_t *call) {
  JITRUN_TRY(maybe_fail(call, "initialize"));
  sample_calls.initialized++;
  return NULL;
}

/// Copies its first buffer to the second, times beta[1].
static inline jitrun_error_t *copy_execute(jitrun_call_t *call) {
  const jitrun_call_api_t *api = call->site->api;
  JITRUN_TRY(maybe_fail(call, "execute"));
  sample_calls.executed++;
  if (sample_calls.text)
    api->print(call, sample_calls.text, strlen(sample_calls.text));
  if (sample_calls.scratch_bytes) {
    void *scratch = api->scratch(call, sample_calls.scratch_bytes);
    if (!scratch)
      return jr_error_no_memory();
    memset(scratch, 1, sample_calls.scratch_bytes);
  }
  const int32_t *beta = call->attrs[0].value.data;
  const jitrun_arg_t *args = jitrun_call_args(call);
  const int32_t *from = args[0].value.data;
  int32_t *to = args[1].value.data;
  for (int i = 0; i < 6; i++)
    to[i] = (int32_t)((uint32_t)from[i] * (uint32_t)beta[1]);
  return NULL;
}

/// Adds its first two arguments, where it has them, into a buffer: b[i] += n.
static inline jitrun_error_t *note_execute(jitrun_call_t *call) {
  jitrun_arg_t *args = jitrun_call_args(call);
  JITRUN_TRY(maybe_fail(call, "note"));
  sample_calls.executed++;
  if (call->site->arg_count == 1)
    return NULL;
  float *data = args[0].value.data;
  int64_t count = jitrun_type_dims(args[0].type)[0];
  int64_t stride = jitrun_type_strides(args[0].type)[0];
  for (int64_t i = 0; i < count; i++)
    data[i * stride] += (float)(args[1].value.s64 * args[2].value.s32);
  memset(args[3].value.data, 0, 64);
  return NULL;
}

static inline jitrun_error_t *next_execute(jitrun_call_t *call) {
  JITRUN_TRY(maybe_fail(call, "next"));
  jitrun_call_results(call)->value.s32 = jitrun_call_args(call)->value.s32 + 1;
  return NULL;
}

static const jitrun_param_t copy_params[] = {
    {.name = "from",
     .kind = JITRUN_KIND_BUFFER,
     .max_rank = -1,
     .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_S32)},
    {.name = "to",
     .kind = JITRUN_KIND_BUFFER,
     .max_rank = -1,
     .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_S32)},
};
/// Not in the order of the names, so that attributes must be put in order.
static const jitrun_attr_param_t copy_attrs[] = {
    {.name = "beta", .kind = JITRUN_ATTR_ARRAY, .dtypes = JITRUN_DTYPES_ANY},
    {.name = "alpha", .kind = JITRUN_ATTR_SCALAR, .dtypes = JITRUN_DTYPES_ANY},
    {.name = "nested", .kind = JITRUN_ATTR_DICT, .dtypes = JITRUN_DTYPES_ANY},
};
static const jitrun_signature_t copy_signature = {
    .size = sizeof copy_signature,
    .args = copy_params,
    .arg_count = 2,
    .attrs = copy_attrs,
    .attr_count = 3,
};

static const jitrun_customcall_t sample_copy = {
    .size = sizeof sample_copy,
    .name = "test.copy",
    .platform = "host",
    .signature = &copy_signature,
    .execute = copy_execute,
    .instantiate = copy_instantiate,
    .prepare = copy_prepare,
    .initialize = copy_initialize,
    .destroy_state = copy_destroy,
};
static const jitrun_customcall_t sample_note = {
    .size = sizeof sample_note,
    .name = "test.note",
    .platform = "host",
    .execute = note_execute,
};
static const jitrun_customcall_t sample_next = {
    .size = sizeof sample_next,
    .name = "test.next",
    .platform = "host",
    .execute = next_execute,
};

static inline jitrun_error_t *
create_registry(jitrun_registry_t **out_registry) {
  JITRUN_TRY(jitrun_registry_create(out_registry));
  const jitrun_customcall_t *calls[] = {&sample_copy, &sample_note,
                                        &sample_next};
  jitrun_error_t *err = NULL;
  for (size_t i = 0; !err && i < 3; i++)
    err = jitrun_registry_register(*out_registry, calls[i]);
  if (err) {
    jitrun_registry_release(*out_registry);
    *out_registry = NULL;
  }
  return err;
}

/// Opens the sample, which stays the caller's.
static inline jitrun_error_t *open_sample(const struct sample *sample,
                                          jitrun_registry_t *registry,
                                          jitrun_executor_t executor,
                                          jitrun_program_t **out_program) {
  jitrun_open_options_t options = {
      .size = sizeof options, .registry = registry, .executor = executor};
  return jitrun_program_open_image(sample->image, &options, out_program);
}

#endif
