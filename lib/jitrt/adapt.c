/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// A JitRt handler as a handler of jitrun: the record's user data says which
/// one, a plan made when the program is loaded says how to call it.
#include "base/alloc.h"
#include "base/bytes.h"
#include "jitrt/plan.h"
#include "jitrun/customcall.h"
#include "jitrun/jitrt.h"
#include "jitrun/types.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// Room for the block of a call on the stack; a larger one is allocated.
enum { BLOCK_ROOM = 1024 };

/// JitRt's words for a call that failed, and why, where that is known.
static jitrun_error_t *call_failed(const jitrun_call_t *call,
                                   jitrun_code_t code, const char *why) {
  return jr_jitrt_fail(call, code, "custom call '%s' failed%s%s",
                       call->site->target, why ? ": " : "", why ? why : "");
}

static jitrun_error_t *check_record(const jitrun_call_t *call,
                                    const jitrun_jitrt_call_t *record) {
  const jitrun_jitrt_signature_t *signature = record->signature;
  if (record->size != sizeof(*record) ||
      (signature && signature->size != sizeof(*signature)))
    return jr_jitrt_fail(
        call, JITRUN_INVALID_ARGUMENT,
        "the record of the JitRt handler of '%s' is not usable: "
        "set the sizes in it to those of jitrun/jitrt.h",
        call->site->target);
  if (!record->function)
    return jr_jitrt_fail(
        call, JITRUN_INVALID_ARGUMENT,
        "the record of the JitRt handler of '%s' has no function",
        call->site->target);
  if (signature && (signature->flags & JITRUN_JITRT_MORE_ATTRS) != 0 &&
      record->checks == JITRUN_JITRT_CHECK_LESS)
    return jr_jitrt_fail(
        call, JITRUN_INVALID_ARGUMENT,
        "the JitRt handler of '%s' allows other attributes, so "
        "its own are not found by position: check all, or take "
        "JITRUN_JITRT_MORE_ATTRS away",
        call->site->target);
  return NULL;
}

/// JitRt calls it "failed to encode arguments".
static jitrun_error_t *refuse_value(const jitrun_call_t *call, const char *what,
                                    size_t index, const jitrun_type_t *type) {
  if (index == SIZE_MAX)
    return jr_jitrt_no_memory(call);
  return jr_jitrt_fail(call, JITRUN_UNIMPLEMENTED,
                       "failed to encode %ss of custom call '%s': JitRt's "
                       "handlers have no encoding of %s %zu (kind %u, element "
                       "type %u, rank %u)",
                       what, call->site->target, what, index, type->kind,
                       type->dtype, type->rank);
}

static jitrun_error_t *plan_site(jitrun_call_t *call,
                                 struct jr_jitrt_plan *plan) {
  const jitrun_site_t *site = call->site;
  const jitrun_type_t *const *rets = site->types + site->arg_count;
  const jitrun_attr_t *attr = NULL;
  size_t refused = 0;
  if (!jr_jitrt_plan_side(plan, site->types, site->arg_count, &plan->args,
                          &refused))
    return refuse_value(call, "argument", refused,
                        refused == SIZE_MAX ? NULL : site->types[refused]);
  if (!jr_jitrt_plan_side(plan, rets, site->result_count, &plan->rets,
                          &refused))
    return refuse_value(call, "result", refused,
                        refused == SIZE_MAX ? NULL : rets[refused]);
  if (!jr_jitrt_plan_attrs(plan, site, &attr))
    return attr ? jr_jitrt_fail(
                      call, JITRUN_UNIMPLEMENTED,
                      "failed to encode attributes of custom call '%s': "
                      "JitRt's handlers have no encoding of '%s' (kind "
                      "%u, element type %u)",
                      site->target, attr->name, attr->kind, attr->dtype)
                : jr_jitrt_no_memory(call);
  return jr_jitrt_plan_checks(plan) ? NULL : jr_jitrt_no_memory(call);
}

static void destroy_plan(void *state) {
  jr_jitrt_plan_destroy(state);
}

static jitrun_error_t *instantiate(jitrun_call_t *call) {
  const jitrun_jitrt_call_t *record = call->site->user_data;
  jitrun_error_t *error = check_record(call, record);
  if (error)
    return error;
  struct jr_jitrt_plan *plan =
      jr_jitrt_plan_create(record, jr_jitrt_measure(call->site));
  if (!plan)
    return jr_jitrt_no_memory(call);
  error = plan_site(call, plan);
  if (error)
    destroy_plan(plan);
  else
    call->state = plan;
  return error;
}

static jitrun_error_t *call_function(struct jr_jitrt_context *context,
                                     unsigned char *block) {
  jitrun_call_t *call = context->call;
  const struct jr_jitrt_plan *plan = context->plan;
  jitrun_arg_t *results = jitrun_call_results(call);
  for (int64_t i = 0; i < plan->rets.count; i++)
    results[i].value.u64 = 0;
  void **args = jr_jitrt_fill(&plan->args, jitrun_call_args(call), block);
  void **rets =
      jr_jitrt_fill(&plan->rets, results, block + plan->args.block_bytes);
  if (!args || !rets)
    return call_failed(call, JITRUN_INVALID_ARGUMENT, JITRUN_JITRT_UNDECODED);
  bool is_done = plan->record->function(context, args, plan->attrs, rets);
  if (context->error)
    return context->error;
  if (is_done) // scalars, opaque pointers and tokens are in the frame already
    return plan->rets.has_memref ? jr_jitrt_take_results(call, rets) : NULL;
  return call_failed(call, JITRUN_INTERNAL,
                     context->text.size > 0 ? jr_bytes_text(&context->text)
                                            : NULL);
}

static jitrun_error_t *execute(jitrun_call_t *call) {
  struct jr_jitrt_context context = {.call = call, .plan = call->state};
  const struct jr_jitrt_plan *plan = context.plan;
  if (plan->failure)
    return call_failed(call, JITRUN_INVALID_ARGUMENT, plan->failure);
  _Alignas(16) unsigned char room[BLOCK_ROOM];
  size_t size = plan->args.block_bytes + plan->rets.block_bytes;
  unsigned char *block = size <= sizeof(room) ? room : jr_malloc(size);
  if (!block)
    return jr_jitrt_no_memory(call);
  jitrun_error_t *error = call_function(&context, block);
  if (block != room)
    free(block);
  if (context.text.data)
    jr_bytes_deinit(&context.text);
  return error;
}

jitrun_customcall_t jitrun_jitrt_adapt(const jitrun_jitrt_call_t *call) {
  return (jitrun_customcall_t){
      .size = sizeof(jitrun_customcall_t),
      .name = call->name,
      .platform = call->platform ? call->platform : "host",
      .summary = "a handler written for JitRt",
      .execute = execute,
      .instantiate = instantiate,
      .destroy_state = destroy_plan,
      .user_data = (void *)(uintptr_t)call,
  };
}
