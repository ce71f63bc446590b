/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// `jitrun.noop`, `jitrun.fail`, `jitrun.sleep` and `jitrun.assert`: calls that
/// only matter for whether and when the program goes on.
#include "customcalls/builtins.h"
#include "customcalls/parts.h"
#include "jitrun/customcall.h"
#include "jitrun/types.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define SIGNED_DTYPES                                                          \
  (JITRUN_DTYPES(JITRUN_DTYPE_S8) | JITRUN_DTYPES(JITRUN_DTYPE_S16) |          \
   JITRUN_DTYPES(JITRUN_DTYPE_S32) | JITRUN_DTYPES(JITRUN_DTYPE_S64))

/// How long `jitrun.sleep` may take to notice that it is cancelled.
#define POLL_NS INT64_C(5000000)
#define NS_PER_MS INT64_C(1000000)
#define NS_PER_S INT64_C(1000000000)

/// The integer in a value of a dtype of SIGNED_DTYPES. The value is one of
/// jitrun_arg_t or jitrun_attr_t: little-endian, at the same address for all.
static int64_t read_integer(uint8_t dtype, const void *value) {
  switch (dtype) {
  case JITRUN_DTYPE_S8:
    return *(const int8_t *)value;
  case JITRUN_DTYPE_S16:
    return *(const int16_t *)value;
  case JITRUN_DTYPE_S32:
    return *(const int32_t *)value;
  default:
    return *(const int64_t *)value;
  }
}

const jitrun_signature_t jr_noop_signature = {
    .size = sizeof(jitrun_signature_t),
    .flags = JITRUN_VARIADIC_ARGS | JITRUN_VARIADIC_ATTRS};

jitrun_error_t *jr_noop_execute(jitrun_call_t *call) {
  (void)call;
  return NULL;
}

enum { FAIL_CODE, FAIL_MESSAGE };

static const jitrun_attr_param_t fail_attrs[] = {
    [FAIL_CODE] = {.name = "code",
                   .kind = JITRUN_ATTR_SCALAR,
                   .flags = JITRUN_OPTIONAL,
                   .dtypes = SIGNED_DTYPES},
    [FAIL_MESSAGE] = {.name = "message",
                      .kind = JITRUN_ATTR_STRING,
                      .flags = JITRUN_OPTIONAL}};

const jitrun_signature_t jr_fail_signature = {.size =
                                                  sizeof(jitrun_signature_t),
                                              .attrs = fail_attrs,
                                              .attr_count = 2,
                                              .flags = JITRUN_VARIADIC_ARGS};

/// A code that is none, or success, is UNKNOWN: the call fails all the same.
jitrun_error_t *jr_fail_execute(jitrun_call_t *call) {
  const jitrun_attr_t *code = &call->attrs[FAIL_CODE];
  const jitrun_attr_t *message = &call->attrs[FAIL_MESSAGE];
  int64_t number = JITRUN_ABORTED;
  if (code->kind != JITRUN_ATTR_ABSENT)
    number = read_integer(code->dtype, &code->value);
  if (number <= JITRUN_OK || number > JITRUN_UNAUTHENTICATED)
    number = JITRUN_UNKNOWN;
  if (message->kind == JITRUN_ATTR_ABSENT)
    return jr_call_error(call, (jitrun_code_t)number, "%s was called",
                         call->site->target);
  return call->site->api->error(call, (jitrun_code_t)number,
                                message->value.string, message->count);
}

static const jitrun_attr_param_t sleep_attrs[] = {{.name = "ms",
                                                   .kind = JITRUN_ATTR_SCALAR,
                                                   .flags = JITRUN_OPTIONAL,
                                                   .dtypes = SIGNED_DTYPES}};

/// The time is an attribute or one argument, which a signature cannot say.
const jitrun_signature_t jr_sleep_signature = {.size =
                                                   sizeof(jitrun_signature_t),
                                               .attrs = sleep_attrs,
                                               .attr_count = 1,
                                               .flags = JITRUN_VARIADIC_ARGS};

jitrun_error_t *jr_sleep_instantiate(jitrun_call_t *call) {
  const jitrun_site_t *site = call->site;
  bool has_attr = call->attrs[0].kind != JITRUN_ATTR_ABSENT;
  if (has_attr && site->arg_count == 0)
    return NULL;
  if (!has_attr && site->arg_count == 1) {
    const jitrun_type_t *type = site->types[0];
    if (type->kind == JITRUN_KIND_SCALAR && type->dtype < 64 &&
        (JITRUN_DTYPES(type->dtype) & SIGNED_DTYPES) != 0)
      return NULL;
  }
  return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                       "%s takes its milliseconds either as attribute 'ms' or "
                       "as one scalar integer argument; found %s attribute "
                       "and %u arguments",
                       site->target, has_attr ? "the" : "no", site->arg_count);
}

static int64_t read_clock(void) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

jitrun_error_t *jr_sleep_execute(jitrun_call_t *call) {
  const jitrun_attr_t *attr = &call->attrs[0];
  const jitrun_arg_t *args = jitrun_call_args(call);
  int64_t ms = attr->kind != JITRUN_ATTR_ABSENT
                   ? read_integer(attr->dtype, &attr->value)
                   : read_integer(args->type->dtype, &args->value);
  if (ms < 0)
    return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                         "%s: cannot wait %" PRId64 " ms", call->site->target,
                         ms);
  int64_t now = read_clock();
  // Past the end of the clock means for ever.
  int64_t end =
      ms < (INT64_MAX - now) / NS_PER_MS ? now + ms * NS_PER_MS : INT64_MAX;
  for (; now < end; now = read_clock()) {
    if (call->site->api->cancelled(call))
      return jr_call_error(call, JITRUN_CANCELLED,
                           "%s was cancelled before its %" PRId64
                           " ms were over",
                           call->site->target, ms);
    int64_t pause = end - now < POLL_NS ? end - now : POLL_NS;
    struct timespec request = {.tv_nsec = (long)pause};
    (void)clock_nanosleep(CLOCK_MONOTONIC, 0, &request, NULL);
  }
  return NULL;
}

static const jitrun_param_t assert_args[] = {
    {.name = "condition",
     .max_rank = JR_MAX_RANK,
     .dtypes = JITRUN_DTYPES(JITRUN_DTYPE_PRED)}};

static const jitrun_attr_param_t assert_attrs[] = {
    {.name = "message", .kind = JITRUN_ATTR_STRING, .flags = JITRUN_OPTIONAL}};

const jitrun_signature_t jr_assert_signature = {.size =
                                                    sizeof(jitrun_signature_t),
                                                .args = assert_args,
                                                .arg_count = 1,
                                                .attrs = assert_attrs,
                                                .attr_count = 1};

/// Sizes that are not known yet are taken to be 1.
static jitrun_error_t *check_one_element(const jitrun_call_t *call,
                                         const jitrun_type_t *type) {
  const int64_t *dims = jitrun_type_dims(type);
  for (uint32_t i = 0; i < type->rank; i++)
    if (dims[i] != 1 && dims[i] != JITRUN_DYNAMIC)
      return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                           "%s: 'condition' must be one element, but its "
                           "dimension %u is %" PRId64,
                           call->site->target, i, dims[i]);
  return NULL;
}

jitrun_error_t *jr_assert_instantiate(jitrun_call_t *call) {
  return check_one_element(call, call->site->types[0]);
}

jitrun_error_t *jr_assert_execute(jitrun_call_t *call) {
  const jitrun_arg_t *condition = jitrun_call_args(call);
  jitrun_error_t *error = check_one_element(call, condition->type);
  if (error)
    return error;
  uint8_t value = condition->type->kind == JITRUN_KIND_SCALAR
                      ? condition->value.u8
                      : *(const uint8_t *)condition->value.data;
  if (value != 0)
    return NULL;
  const jitrun_attr_t *message = &call->attrs[0];
  if (message->kind == JITRUN_ATTR_ABSENT)
    return jr_call_error(call, JITRUN_FAILED_PRECONDITION, "assertion failed");
  return jr_call_error(call, JITRUN_FAILED_PRECONDITION, "assertion failed: %s",
                       message->value.string);
}

static const jitrun_customcall_t calls[] = {
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.assert",
     .platform = "host",
     .summary = "fails with the message unless the condition is true",
     .signature = &jr_assert_signature,
     .execute = jr_assert_execute,
     .instantiate = jr_assert_instantiate},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.fail",
     .platform = "host",
     .summary = "fails with the message and the code",
     .signature = &jr_fail_signature,
     .execute = jr_fail_execute},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.noop",
     .platform = "host",
     .summary = "does nothing with any arguments and attributes",
     .signature = &jr_noop_signature,
     .execute = jr_noop_execute},
    {.size = sizeof(jitrun_customcall_t),
     .name = "jitrun.sleep",
     .platform = "host",
     .summary =
         "waits: ms milliseconds, or as many as its one argument says, an "
         "integer; ends early when the execution is cancelled",
     .signature = &jr_sleep_signature,
     .execute = jr_sleep_execute,
     .instantiate = jr_sleep_instantiate},
};

JR_PART(control, calls, false);
