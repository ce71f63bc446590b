/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// `xla.gpu.custom_call` and `xla.cpu.custom_call`: handlers of XLA's classic
/// API, which get bare pointers and no types. The handler is looked up when the
/// program is loaded; a call only collects the pointers. On the host there is
/// no stream, so handlers of the first kind get NULL for it.
#include "base/alloc.h"
#include "base/bytes.h"
#include "customcalls/builtins.h"
#include "customcalls/xla.h"
#include "jitrun/customcall.h"
#include "jitrun/jitrt.h"
#include "jitrun/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  ATTR_VERSION,
  ATTR_CONFIG,
  ATTR_TARGET,
  ATTR_RESULTS, ///< xla.cpu only, as what follows
  ATTR_TUPLE
};

#define CLASSIC_ATTRS                                                          \
  {.name = "api_version", JR_XLA_SCALAR(S32)},                                 \
      {.name = "backend_config", .kind = JITRUN_ATTR_STRING}, {                \
    .name = "call_target_name", .kind = JITRUN_ATTR_STRING                     \
  }

static const jitrun_attr_param_t gpu_attrs[] = {CLASSIC_ATTRS};
static const jitrun_attr_param_t cpu_attrs[] = {
    CLASSIC_ATTRS,
    {.name = "num_results", JR_XLA_SCALAR(S32)},
    {.name = "output_tuple", JR_XLA_SCALAR(PRED)}};

const jitrun_signature_t jr_xla_classic_types = {.size =
                                                     sizeof(jitrun_signature_t),
                                                 .attrs = gpu_attrs,
                                                 .attr_count = 3,
                                                 .flags = JITRUN_VARIADIC_ARGS};

const jitrun_signature_t jr_xla_cpu_custom_types = {
    .size = sizeof(jitrun_signature_t),
    .attrs = cpu_attrs,
    .attr_count = 5,
    .flags = JITRUN_VARIADIC_ARGS};

/// The versions of the API, by platform.
typedef void (*gpu_fn_t)(void *stream, void **buffers, const char *opaque,
                         size_t opaque_size);
typedef void (*gpu_status_fn_t)(void *stream, void **buffers,
                                const char *opaque, size_t opaque_size,
                                XlaCustomCallStatus *status);
typedef void (*cpu_fn_t)(void *out, const void **in);
typedef void (*cpu_status_fn_t)(void *out, const void **in,
                                XlaCustomCallStatus *status);
typedef void (*cpu_opaque_fn_t)(void *out, const void **in, const char *opaque,
                                size_t opaque_size,
                                XlaCustomCallStatus *status);
enum { WITHOUT_STATUS = 1, WITH_STATUS = 2, UNIFIED = 3 };

/// What is known of a call site.
struct site_state {
  jitrun_classic_fn_t function;
  int32_t version;
  uint32_t input_count; ///< xla.cpu: the others are results
  bool is_tuple;
  bool has_open; ///< an argument's strides are only known to the call
};

/// Pointers of a call that need no allocation.
enum { POINTER_ROOM = 32 };

/// Whether elements lie in one piece, in whatever order of the dimensions.
enum density { DENSE, SPREAD, UNKNOWN };

/// The dimension that continues a piece of `size` elements, or `rank`.
static uint32_t find_next(const jitrun_type_t *type, const bool *is_used,
                          int64_t size) {
  const int64_t *dims = jitrun_type_dims(type);
  const int64_t *strides = jitrun_type_strides(type);
  for (uint32_t i = 0; i < type->rank; i++)
    if (!is_used[i] && (dims[i] == 1 || strides[i] == size))
      return i;
  return type->rank;
}

static enum density find_density(const jitrun_type_t *type) {
  const int64_t *dims = jitrun_type_dims(type);
  bool is_used[JR_MAX_RANK] = {false};
  if (type->rank > JR_MAX_RANK)
    return SPREAD;
  for (uint32_t i = 0; i < 2u * type->rank; i++)
    if (dims[i] == JITRUN_DYNAMIC)
      return UNKNOWN;
  for (uint32_t i = 0; i < type->rank; i++)
    if (dims[i] == 0)
      return DENSE;
  int64_t size = 1;
  for (uint32_t i = 0; i < type->rank; i++) {
    uint32_t next = find_next(type, is_used, size);
    if (next == type->rank)
      return SPREAD;
    is_used[next] = true;
    size *= dims[next];
  }
  return DENSE;
}

static jitrun_error_t *refuse_strided(const jitrun_call_t *call,
                                      uint32_t index) {
  return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                       "argument #%u of classic custom call '%s' does not lie "
                       "in one piece, and the handler gets no strides: copy it "
                       "to a dense memref first",
                       index, call->attrs[ATTR_TARGET].value.string);
}

/// An argument is a buffer, or an i64 where the original call has none.
static jitrun_error_t *check_args(const jitrun_call_t *call,
                                  struct site_state *state) {
  const jitrun_site_t *site = call->site;
  for (uint32_t i = 0; i < site->arg_count; i++) {
    const jitrun_type_t *type = site->types[i];
    if (type->kind == JITRUN_KIND_SCALAR && type->dtype == JITRUN_DTYPE_S64)
      continue;
    if (type->kind != JITRUN_KIND_BUFFER)
      return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                           "Unsupported argument #%u type: a custom call takes "
                           "memrefs, and i64 for what is not there",
                           i);
    enum density density = find_density(type);
    if (density == SPREAD)
      return refuse_strided(call, i);
    state->has_open |= density == UNKNOWN;
  }
  return NULL;
}

static jitrun_error_t *find_function(const jitrun_call_t *call,
                                     struct site_state *state) {
  const char *name = call->attrs[ATTR_TARGET].value.string;
  state->version = call->attrs[ATTR_VERSION].value.s32;
  if (state->version < WITHOUT_STATUS || state->version > UNIFIED)
    return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                         "Unsupported custom call API version: %d",
                         state->version);
  JITRUN_TRY(check_args(call, state));
  const jitrun_call_api_t *api = call->site->api;
  state->function = api->classic(call, name, "host");
  if (state->function)
    return NULL;
  if (strcmp(name, "TriangularSolve") == 0)
    return jr_call_error(call, JITRUN_UNIMPLEMENTED,
                         "TriangularSolve, which XLA has built in, is not "
                         "built yet on the host; a classic custom call handler "
                         "of this name may be registered");
  return jr_call_error(call, JITRUN_NOT_FOUND,
                       "Cannot find the Xla custom call handler %s for "
                       "platform 'host': register it, or give the library that "
                       "has this function, before the program is opened",
                       name);
}

jitrun_error_t *jr_xla_classic_create(jitrun_call_t *call) {
  struct site_state state = {.input_count = call->site->arg_count};
  JITRUN_TRY(find_function(call, &state));
  return jr_call_keep(call, &state, sizeof(state));
}

jitrun_error_t *jr_xla_cpu_custom_create(jitrun_call_t *call) {
  struct site_state state = {0};
  int32_t results = call->attrs[ATTR_RESULTS].value.s32;
  state.is_tuple = call->attrs[ATTR_TUPLE].value.pred;
  if (results < 0 || (uint32_t)results > call->site->arg_count)
    return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                         "num_results is %d; the call has %u arguments, of "
                         "which the results are the last",
                         results, call->site->arg_count);
  if (!state.is_tuple && results != 1)
    return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                         "num_results is %d; without output_tuple there is one "
                         "result",
                         results);
  JITRUN_TRY(find_function(call, &state));
  state.input_count = call->site->arg_count - (uint32_t)results;
  return jr_call_keep(call, &state, sizeof(state));
}

static jitrun_error_t *collect_pointers(jitrun_call_t *call, void **pointers) {
  const struct site_state *state = call->state;
  const jitrun_arg_t *args = jitrun_call_args(call);
  for (uint32_t i = 0; i < call->site->arg_count; i++) {
    bool is_buffer = args[i].type->kind == JITRUN_KIND_BUFFER;
    pointers[i] = is_buffer ? args[i].value.data : NULL;
    if (state->has_open && is_buffer && find_density(args[i].type) == SPREAD)
      return refuse_strided(call, i);
  }
  return NULL;
}

/// What a handler says; `base` is what it knows of.
struct status {
  XlaCustomCallStatus base;
  struct jr_bytes text;
  bool has_failed;
};

static void set_status(XlaCustomCallStatus *base, const char *text,
                       size_t text_size) {
  struct status *status = (struct status *)(void *)base;
  status->has_failed = text != NULL;
  status->text.size = 0;
  if (text)
    jr_bytes_append(&status->text, text, text_size);
}

static jitrun_error_t *take_status(const jitrun_call_t *call,
                                   struct status *status) {
  jitrun_error_t *error = NULL;
  const char *text = status->has_failed ? jr_bytes_text(&status->text) : "";
  if (status->has_failed)
    error = jr_call_error(call, JITRUN_INTERNAL, "custom call '%s' failed: %s",
                          call->attrs[ATTR_TARGET].value.string,
                          text ? text : "out of memory for its message");
  jr_bytes_deinit(&status->text);
  return error;
}

/// The outermost arguments of a handler.
static void call_gpu(const jitrun_call_t *call, void **pointers,
                     XlaCustomCallStatus *status) {
  const struct site_state *state = call->state;
  const jitrun_attr_t *config = &call->attrs[ATTR_CONFIG];
  if (state->version == WITHOUT_STATUS)
    ((gpu_fn_t)state->function)(NULL, pointers, config->value.string,
                                config->count);
  else
    ((gpu_status_fn_t)state->function)(NULL, pointers, config->value.string,
                                       config->count, status);
}

static void call_cpu(const jitrun_call_t *call, void **pointers,
                     XlaCustomCallStatus *status) {
  const struct site_state *state = call->state;
  const jitrun_attr_t *config = &call->attrs[ATTR_CONFIG];
  void **results = pointers + state->input_count;
  void *out = state->is_tuple ? (void *)results : results[0];
  const void **in = (const void **)(void *)pointers;
  if (state->version == WITHOUT_STATUS)
    ((cpu_fn_t)state->function)(out, in);
  else if (state->version == WITH_STATUS)
    ((cpu_status_fn_t)state->function)(out, in, status);
  else
    ((cpu_opaque_fn_t)state->function)(out, in, config->value.string,
                                       config->count, status);
}

typedef void (*caller_t)(const jitrun_call_t *call, void **pointers,
                         XlaCustomCallStatus *status);

static jitrun_error_t *run_call(jitrun_call_t *call, caller_t caller) {
  void *room[POINTER_ROOM];
  size_t count = call->site->arg_count;
  void **pointers =
      count <= POINTER_ROOM ? room : jr_calloc(count, sizeof(*pointers));
  if (!pointers)
    return jr_call_error(call, JITRUN_RESOURCE_EXHAUSTED,
                         "no memory for the pointers of a classic call");
  struct status status = {.base = {sizeof(status.base), set_status}};
  jitrun_error_t *error = collect_pointers(call, pointers);
  if (!error) {
    caller(call, pointers, &status.base);
    error = take_status(call, &status);
  }
  if (pointers != room)
    free((void *)pointers);
  return error;
}

jitrun_error_t *jr_xla_classic(jitrun_call_t *call) {
  return run_call(call, call_gpu);
}

jitrun_error_t *jr_xla_cpu_custom(jitrun_call_t *call) {
  return run_call(call, call_cpu);
}
