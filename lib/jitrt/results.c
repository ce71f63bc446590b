/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Results that are memory: what a handler put into the records of its memref
/// results goes to the runtime, which keeps it for the rest of the execution.
#include "base/alloc.h"
#include "jitrt/plan.h"
#include "jitrun/customcall.h"
#include "jitrun/jitrt.h"
#include "jitrun/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool is_empty(jitrun_jitrt_memref_t *memref) {
  for (uint32_t i = 0; i < memref->rank; i++)
    if (jitrun_jitrt_dims(memref)[i] == 0)
      return true;
  return false;
}

/// Frees what a handler allocated. The state of an execution is a list.
struct result {
  struct result *next;
  void *data;
};

struct results {
  struct result *first;
};

static jitrun_error_t *create_results(const jitrun_call_t *call, void *context,
                                      void **out_state) {
  (void)context;
  *out_state = jr_calloc(1, sizeof(struct results));
  return *out_state ? NULL : jr_jitrt_no_memory(call);
}

static void destroy_results(void *state) {
  struct results *results = state;
  while (results->first) {
    struct result *result = results->first;
    results->first = result->next;
    free(result->data);
    free(result);
  }
  free(results);
}

/// Sites of an execution may run at once: each has a list of its own, pushed to
/// without a lock.
static jitrun_error_t *push_result(const jitrun_call_t *call, void *data) {
  const jitrun_state_key_t key = {.size = sizeof(key),
                                  .scope = JITRUN_SCOPE_EXECUTION,
                                  .name = "jitrun.jitrt.results",
                                  .create = create_results,
                                  .destroy = destroy_results};
  if (!JR_JITRT_HAS(call->site->api, state))
    return jr_jitrt_fail(
        call, JITRUN_UNIMPLEMENTED,
        "custom call '%s' returns memory to be freed, which this "
        "runtime cannot keep",
        call->site->target);
  struct result *result = jr_malloc(sizeof(*result));
  if (!result)
    return jr_jitrt_no_memory(call);
  void *state = NULL;
  jitrun_error_t *error = call->site->api->state(call, &key, &state);
  if (error) {
    free(result);
    return error;
  }
  struct results *results = state;
  result->data = data;
  result->next = __atomic_load_n(&results->first, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&results->first, &result->next, result,
                                      true, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED)) {
  }
  return NULL;
}

/// Memory that nobody keeps is freed.
static jitrun_error_t *own_result(const jitrun_call_t *call, void *data) {
  jitrun_error_t *error = push_result(call, data);
  if (error)
    free(data);
  return error;
}

/// Hands a memref to the runtime. Memory of jitrun_jitrt_ret_alloc() is there
/// already.
static jitrun_error_t *take_memref(jitrun_call_t *call, uint32_t index,
                                   jitrun_jitrt_memref_t *memref) {
  const struct jr_jitrt_plan *plan = call->state;
  const jitrun_arg_t *result = jitrun_call_results(call) + index;
  if (memref->data && memref->data == result->value.data)
    return NULL;
  if (!memref->data && !is_empty(memref))
    return jr_jitrt_fail(
        call, JITRUN_INTERNAL,
        "custom call '%s' failed: it set no memory for result %u",
        call->site->target, index);
  bool is_ours =
      memref->data && (plan->record->flags & JITRUN_JITRT_FREES_RESULTS) != 0;
  if (!JR_JITRT_HAS(call->site->api, result_set))
    return jr_jitrt_fail(
        call, JITRUN_UNIMPLEMENTED,
        "custom call '%s' returns a memref, which this runtime "
        "cannot take",
        call->site->target);
  jitrun_error_t *error = is_ours ? own_result(call, memref->data) : NULL;
  if (error)
    return error;
  return call->site->api->result_set(call, index, memref->data,
                                     jitrun_jitrt_dims(memref), NULL);
}

jitrun_error_t *jr_jitrt_take_results(jitrun_call_t *call, void **rets) {
  const struct jr_jitrt_side *side =
      &((const struct jr_jitrt_plan *)call->state)->rets;
  jitrun_arg_t *results = jitrun_call_results(call);
  jitrun_error_t *error = NULL;
  for (uint32_t i = 0; !error && i < side->count; i++) {
    if (!side->items[i].is_memref)
      continue;
    jitrun_jitrt_memref_t *memref = rets[2 + i];
    if (side->items[i].is_async)
      results[i].value.async = memref->data;
    else
      error = take_memref(call, i, memref);
  }
  return error;
}
