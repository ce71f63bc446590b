/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The declared signature of a handler against a call, with JitRt's levels and
/// messages. JitRt compares on each call and fails the call; the outcome is the
/// same each time, so it is found once and kept. Only memrefs whose strides are
/// not in the program are left for the call.
#include "base/arena.h"
#include "jitrt/ids.h"
#include "jitrt/plan.h"
#include "jitrun/jitrt.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/// Keeps the first failure; false when there is no memory.
__attribute__((format(printf, 2, 3))) static bool
set_failure(struct jr_jitrt_plan *plan, const char *format, ...) {
  char text[128];
  va_list args;
  va_start(args, format);
  int size = vsnprintf(text, sizeof(text), format, args);
  va_end(args);
  plan->failure =
      jr_arena_copy_text(&plan->arena, text, size > 0 ? (size_t)size : 0);
  return plan->failure != NULL;
}

static bool check_count(struct jr_jitrt_plan *plan, const char *what,
                        uint32_t expected, int64_t got, bool may_be_more) {
  if (plan->failure || got == expected || (may_be_more && got > expected))
    return true;
  return set_failure(plan,
                     "Wrong number of %s: expected %s%" PRIu32 " got %" PRId64,
                     what, may_be_more ? "at least " : "", expected, got);
}

/// Attributes are counted by name: JitRt binds one several times.
static bool is_first(const jitrun_jitrt_param_t *params, uint32_t index) {
  for (uint32_t i = 0; i < index; i++)
    if (strcmp(params[i].name, params[index].name) == 0)
      return false;
  return true;
}

static uint32_t count_names(const jitrun_jitrt_signature_t *signature) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < signature->attr_count; i++)
    count += is_first(signature->attrs, i);
  return count;
}

/// Where an attribute is in a call that has just the declared ones.
static uint32_t find_position(const jitrun_jitrt_signature_t *signature,
                              uint32_t index) {
  uint32_t position = 0;
  for (uint32_t i = 0; i < signature->attr_count; i++)
    position +=
        is_first(signature->attrs, i) &&
        strcmp(signature->attrs[i].name, signature->attrs[index].name) < 0;
  return position;
}

/// True for a value, of whatever open layout.
static bool accepts_value(const jitrun_jitrt_param_t *param,
                          struct jr_jitrt_side *side, uint32_t index) {
  const int64_t *found = side->types[index];
  if (!param->id || param->id == found)
    side->items[index].must_be_dense = param->id != NULL;
  else if (param->id != &__type_id_strided_memref_view ||
           found != &__type_id_memref_view)
    return false;
  return true;
}

static bool accepts_values(const jitrun_jitrt_param_t *params, uint32_t count,
                           struct jr_jitrt_side *side) {
  for (uint32_t i = 0; i < count; i++)
    if (!accepts_value(&params[i], side, i))
      return false;
  return true;
}

static bool accepts_attr(const jitrun_jitrt_param_t *param, void **attr) {
  const int64_t *found = attr[1];
  if (!param->id || param->id == found)
    return true;
  if (found == &__type_id_nullopt)
    return (param->flags & JITRUN_JITRT_OPTIONAL) != 0;
  const int64_t *tensor_id = jr_jitrt_tensor_of(param->id);
  if (found == &__type_id_empty_array)
    return tensor_id != NULL;
  const jitrun_jitrt_tensor_t *tensor = attr[2];
  return tensor_id && found == tensor_id && tensor->rank == 1;
}

/// The attribute of that name, or by its place; NULL when there is none.
static void **find_attr(const struct jr_jitrt_plan *plan, uint32_t index) {
  const jitrun_jitrt_signature_t *signature = plan->record->signature;
  if (plan->record->checks == JITRUN_JITRT_CHECK_LESS)
    return plan->attrs + 1 + 3 * (size_t)find_position(signature, index);
  const char *name = signature->attrs[index].name;
  for (int64_t i = 0; i < plan->attr_count; i++) {
    void **attr = plan->attrs + 1 + 3 * i;
    const jitrun_jitrt_array_t *found = attr[0];
    if (strcmp(found->data, name) == 0)
      return attr;
  }
  return NULL;
}

static bool accepts_attrs(const struct jr_jitrt_plan *plan) {
  const jitrun_jitrt_signature_t *signature = plan->record->signature;
  for (uint32_t i = 0; i < signature->attr_count; i++) {
    void **attr = find_attr(plan, i);
    if (!attr || !accepts_attr(&signature->attrs[i], attr))
      return false;
  }
  return true;
}

bool jr_jitrt_plan_checks(struct jr_jitrt_plan *plan) {
  const jitrun_jitrt_signature_t *signature = plan->record->signature;
  if (!signature || plan->record->checks == JITRUN_JITRT_CHECK_NONE)
    return true;
  bool has_memory =
      check_count(plan, "arguments", signature->arg_count, plan->args.count,
                  (signature->flags & JITRUN_JITRT_MORE_ARGS) != 0) &&
      check_count(plan, "returns", signature->ret_count, plan->rets.count,
                  false) &&
      check_count(plan, "attributes", count_names(signature), plan->attr_count,
                  (signature->flags & JITRUN_JITRT_MORE_ATTRS) != 0);
  if (!has_memory || plan->failure)
    return has_memory;
  if (!accepts_values(signature->args, signature->arg_count, &plan->args) ||
      !accepts_values(signature->rets, signature->ret_count, &plan->rets) ||
      !accepts_attrs(plan))
    plan->failure = JITRUN_JITRT_UNDECODED;
  return true;
}
