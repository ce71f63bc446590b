/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Custom calls for tests: what calls share with each other, what they say
/// besides errors, and the entries that they run.
#include "jitrun/customcall.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jitrun_error_t *refuse(const jitrun_call_t *call, const char *text) {
  return call->site->api->error(call, JITRUN_INVALID_ARGUMENT, text, SIZE_MAX);
}

static void print_line(const jitrun_call_t *call, const char *what,
                       int64_t value) {
  char line[128];
  int size = snprintf(line, sizeof(line), "%s %" PRId64 "\n", what, value);
  if (size > 0)
    call->site->api->print(call, line, (size_t)size);
}

static jitrun_error_t *create_counter(const jitrun_call_t *call, void *context,
                                      void **out_state) {
  (void)context;
  *out_state = calloc(1, sizeof(int64_t));
  return *out_state ? NULL : refuse(call, "no memory");
}

/// Adds 1 to the counter of the call's `uid` in a scope, and prints it.
static jitrun_error_t *count_in(jitrun_call_t *call, jitrun_scope_t scope,
                                const char *what) {
  const jitrun_state_key_t key = {.size = sizeof(key),
                                  .scope = scope,
                                  .name = "shared.counter",
                                  .id = call->attrs[0].value.s64,
                                  .create = create_counter,
                                  .destroy = free};
  void *state = NULL;
  jitrun_error_t *error = call->site->api->state(call, &key, &state);
  if (!error)
    print_line(call, what,
               __atomic_add_fetch((int64_t *)state, 1, __ATOMIC_RELAXED));
  return error;
}

static jitrun_error_t *count_program(jitrun_call_t *call) {
  return count_in(call, JITRUN_SCOPE_PROGRAM, "in the program");
}

static jitrun_error_t *count_execution(jitrun_call_t *call) {
  return count_in(call, JITRUN_SCOPE_EXECUTION, "in the execution");
}

/// `shared.two`: adds 1 to one state and 10 to another with the same id, and
/// prints them.
static jitrun_error_t *count_two(jitrun_call_t *call) {
  jitrun_state_key_t key = {.size = sizeof(key),
                            .scope = JITRUN_SCOPE_PROGRAM,
                            .name = "shared.ones",
                            .id = call->attrs[0].value.s64,
                            .create = create_counter,
                            .destroy = free};
  void *ones = NULL;
  void *tens = NULL;
  jitrun_error_t *error = call->site->api->state(call, &key, &ones);
  if (error)
    return error;
  key.name = "shared.tens";
  error = call->site->api->state(call, &key, &tens);
  if (error)
    return error;
  print_line(call, "ones", *(int64_t *)ones += 1);
  print_line(call, "tens", *(int64_t *)tens += 10);
  return NULL;
}

static jitrun_error_t *fail_create(const jitrun_call_t *call, void *context,
                                   void **out_state) {
  (void)context;
  (void)out_state;
  return refuse(call, "nothing to make it of");
}

/// `shared.bad_state`: asks for a state that cannot be made.
static jitrun_error_t *get_bad_state(jitrun_call_t *call) {
  const jitrun_state_key_t key = {.size = sizeof(key),
                                  .scope = JITRUN_SCOPE_PROGRAM,
                                  .name = "shared.bad",
                                  .id = 7,
                                  .create = fail_create};
  void *state = NULL;
  return call->site->api->state(call, &key, &state);
}

/// `shared.say`: says its text.
static jitrun_error_t *say(jitrun_call_t *call) {
  const jitrun_attr_t *text = &call->attrs[0];
  call->site->api->diagnose(call, text->value.string, text->count);
  return NULL;
}

static jitrun_error_t *fail(jitrun_call_t *call) {
  return refuse(call, "failed as asked");
}

/// `shared.run`: runs an entry from i32 to i32, and prints the result.
static jitrun_error_t *run(jitrun_call_t *call) {
  int32_t value = jitrun_call_args(call)[0].value.s32;
  int32_t result = 0;
  const jitrun_tensor_t arg = {.dtype = JITRUN_DTYPE_S32, .data = &value};
  const jitrun_tensor_t out = {.dtype = JITRUN_DTYPE_S32, .data = &result};
  jitrun_error_t *error = call->site->api->run_entry(
      call, call->attrs[0].value.entry, &arg, 1, &out, 1);
  if (!error)
    print_line(call, "the entry returned", result);
  return error;
}

// A module that counts its executions, and two that fail.

static jitrun_error_t *create_module(const jitrun_call_api_t *api,
                                     void **out_state) {
  *out_state = calloc(1, sizeof(int64_t));
  return *out_state ? NULL
                    : api->error(NULL, JITRUN_RESOURCE_EXHAUSTED, "no memory",
                                 SIZE_MAX);
}

static jitrun_error_t *begin_module(const jitrun_call_api_t *api, void *state,
                                    void **out_execution_state) {
  (void)api;
  ++*(int64_t *)state;
  *out_execution_state = state;
  return NULL;
}

static const jitrun_module_t counting = {.size = sizeof(jitrun_module_t),
                                         .name = "counting",
                                         .create = create_module,
                                         .destroy = free,
                                         .begin = begin_module};

static jitrun_error_t *print_module(jitrun_call_t *call) {
  const int64_t *count =
      call->site->api->module_state(call, JITRUN_SCOPE_EXECUTION);
  print_line(call, "execution of the module", *count);
  return NULL;
}

static jitrun_error_t *fail_module(const jitrun_call_api_t *api,
                                   void **out_state) {
  (void)out_state;
  return api->error(NULL, JITRUN_UNAVAILABLE, "no such device", SIZE_MAX);
}

static const jitrun_module_t broken = {
    .size = sizeof(jitrun_module_t), .name = "broken", .create = fail_module};

static jitrun_error_t *fail_begin(const jitrun_call_api_t *api, void *state,
                                  void **out_execution_state) {
  (void)state;
  (void)out_execution_state;
  return api->error(NULL, JITRUN_UNAVAILABLE, "the device is busy", SIZE_MAX);
}

static const jitrun_module_t busy = {
    .size = sizeof(jitrun_module_t), .name = "busy", .begin = fail_begin};

static const jitrun_attr_param_t uid[] = {
    {.name = "uid",
     .kind = JITRUN_ATTR_SCALAR,
     .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_S64)}};
static const jitrun_signature_t uid_signature = {
    .size = sizeof(jitrun_signature_t), .attrs = uid, .attr_count = 1};

static const jitrun_attr_param_t text[] = {
    {.name = "text", .kind = JITRUN_ATTR_STRING}};
static const jitrun_signature_t text_signature = {
    .size = sizeof(jitrun_signature_t), .attrs = text, .attr_count = 1};

static const jitrun_param_t value[] = {
    {.name = "value",
     .kind = JITRUN_KIND_SCALAR,
     .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_S32)}};
static const jitrun_attr_param_t entry[] = {
    {.name = "entry", .kind = JITRUN_ATTR_FUNCTION}};
static const jitrun_signature_t run_signature = {.size =
                                                     sizeof(jitrun_signature_t),
                                                 .args = value,
                                                 .arg_count = 1,
                                                 .attrs = entry,
                                                 .attr_count = 1};

static const jitrun_signature_t empty_signature = {
    .size = sizeof(jitrun_signature_t)};

/// Kinds of operands that only show in a declared signature.
static const jitrun_param_t handles[] = {
    {.name = "any", .kind = JITRUN_KIND_OPAQUE},
    {.name = "one", .kind = JITRUN_KIND_OPAQUE, .type_name = "!shared.handle"},
    {.name = "done", .kind = JITRUN_KIND_TOKEN},
    {.name = "later",
     .kind = JITRUN_KIND_ASYNC_SCALAR,
     .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_F32)},
    {.name = "rows",
     .kind = JITRUN_KIND_ASYNC_BUFFER,
     .min_rank = 2,
     .max_rank = 2,
     .dtypes = JITRUN_DTYPES_ANY}};
static const jitrun_signature_t handles_signature = {
    .size = sizeof(jitrun_signature_t), .args = handles, .arg_count = 5};

#define CALL(call_name, call_signature, handler)                               \
  .size = sizeof(jitrun_customcall_t), .name = (call_name),                    \
  .platform = "host", .signature = (call_signature), .execute = (handler)

static const jitrun_customcall_t calls[] = {
    {CALL("shared.program", &uid_signature, count_program)},
    {CALL("shared.execution", &uid_signature, count_execution)},
    {CALL("shared.two", &uid_signature, count_two)},
    {CALL("shared.bad_state", &empty_signature, get_bad_state)},
    {CALL("shared.say", &text_signature, say)},
    {CALL("shared.fail", &empty_signature, fail)},
    {CALL("shared.run", &run_signature, run)},
    {CALL("shared.handles", &handles_signature, fail)},
    {CALL("shared.module", &empty_signature, print_module),
     .module = &counting},
    {CALL("shared.broken", &empty_signature, fail), .module = &broken},
    {CALL("shared.busy", &empty_signature, fail), .module = &busy},
};

static const jitrun_plugin_t plugin = {
    .size = sizeof(jitrun_plugin_t),
    .version = JITRUN_CUSTOMCALL_VERSION,
    .sanitizer = JITRUN_SANITIZER,
    .name = "shared",
    .calls = calls,
    .call_count = sizeof(calls) / sizeof(calls[0]),
};

const jitrun_plugin_t *jitrun_plugin_query(uint32_t max_version) {
  return max_version >= plugin.version ? &plugin : NULL;
}
