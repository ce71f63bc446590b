/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Checks that a record of a custom call, with its declared signature, can be
/// registered. Whoever wrote it is a person with a compiler: each error names
/// the field and says what it may be. The memory behind the pointers is taken
/// on trust, as all of a plug-in is.
#include "base/error.h"
#include "customcalls/registry.h"
#include "jitrun/customcall.h"
#include "jitrun/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// Far above any real signature; catches fields that were never set.
#define MAX_COUNT 4096u

/// What a message is about: "custom call 'x': argument 1: ...".
struct place {
  const char *target;
  const char *what; ///< "argument", "result", "attribute"
  uint32_t index;
};

static jitrun_error_t *refuse(const struct place *place, const char *reason) {
  return jr_error(JITRUN_INVALID_ARGUMENT,
                  "the signature of custom call '%s' is not usable: %s %u %s",
                  place->target, place->what, place->index, reason);
}

static jitrun_error_t *check_param(const jitrun_param_t *param,
                                   const struct place *place) {
  bool is_handle =
      param->kind == JITRUN_KIND_OPAQUE || param->kind == JITRUN_KIND_TOKEN;
  if (!param->name || param->name[0] == '\0')
    return refuse(place, "has no name");
  if (param->kind > JITRUN_KIND_ASYNC_BUFFER)
    return refuse(place, "has a kind that is none of jitrun_kind_t");
  if (param->type_name && param->kind != JITRUN_KIND_OPAQUE)
    return refuse(place, "has a type name, which only JITRUN_KIND_OPAQUE "
                         "takes");
  if (param->dtypes == 0 && !is_handle)
    return refuse(place, "allows no element type: set dtypes, to "
                         "JITRUN_DTYPES_ANY for all");
  if (param->flags != 0)
    return refuse(place, "has flags, which only attributes take");
  if (param->min_rank < 0 || param->max_rank < -1 ||
      (param->max_rank != -1 && param->max_rank < param->min_rank))
    return refuse(place, "has a range of ranks that holds none: set min_rank "
                         "from 0 up and max_rank to no less, or to -1");
  return NULL;
}

static jitrun_error_t *check_params(const jitrun_param_t *params,
                                    uint32_t count, const char *target,
                                    const char *what) {
  for (uint32_t i = 0; i < count; i++) {
    struct place place = {target, what, i};
    JITRUN_TRY(check_param(&params[i], &place));
  }
  return NULL;
}

/// Kinds whose values are not of some element type.
static bool lacks_elements(uint8_t kind) {
  return kind == JITRUN_ATTR_STRING || kind == JITRUN_ATTR_DICT ||
         kind == JITRUN_ATTR_UNIT || kind == JITRUN_ATTR_FUNCTION;
}

static jitrun_error_t *check_attr(const jitrun_attr_param_t *attr,
                                  const struct place *place) {
  if (!attr->name || attr->name[0] == '\0')
    return refuse(place, "has no name");
  if (attr->kind > JITRUN_ATTR_FUNCTION)
    return refuse(place, "has a kind that is none of jitrun_attr_kind_t");
  if ((attr->flags & ~JITRUN_OPTIONAL) != 0)
    return refuse(place, "has flags other than JITRUN_OPTIONAL");
  if (attr->type_name && attr->kind != 0 && attr->kind != JITRUN_ATTR_SCALAR &&
      attr->kind != JITRUN_ATTR_DICT)
    return refuse(place, "has a type_name, which only scalars and "
                         "dictionaries take");
  if (attr->dtypes == 0 && !lacks_elements(attr->kind))
    return refuse(place, "allows no element type: set dtypes, to "
                         "JITRUN_DTYPES_ANY for all");
  return NULL;
}

static jitrun_error_t *check_attrs(const jitrun_signature_t *signature,
                                   const char *target) {
  for (uint32_t i = 0; i < signature->attr_count; i++) {
    struct place place = {target, "attribute", i};
    JITRUN_TRY(check_attr(&signature->attrs[i], &place));
    for (uint32_t j = 0; j < i; j++)
      if (strcmp(signature->attrs[i].name, signature->attrs[j].name) == 0)
        return refuse(&place, "has the name of an earlier one");
  }
  return NULL;
}

static jitrun_error_t *check_array(const void *array, uint32_t count,
                                   const char *target, const char *what) {
  if (count > MAX_COUNT)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the signature of custom call '%s' is not usable: it "
                    "declares %u %ss; at most %u are possible",
                    target, count, what, MAX_COUNT);
  if (count > 0 && !array)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the signature of custom call '%s' is not usable: it "
                    "declares %u %ss, but the array of them is NULL",
                    target, count, what);
  return NULL;
}

static jitrun_error_t *check_module(const jitrun_module_t *module,
                                    const char *target) {
  if (module->size != sizeof(*module))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the module of custom call '%s' is not usable: its size is "
                    "%zu; set it to sizeof(jitrun_module_t), %zu",
                    target, module->size, sizeof(*module));
  if (!module->name || module->name[0] == '\0')
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the module of custom call '%s' is not usable: it has no "
                    "name",
                    target);
  return NULL;
}

static jitrun_error_t *check_signature(const jitrun_signature_t *signature,
                                       const char *target) {
  if (signature->size != sizeof(*signature))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the signature of custom call '%s' is not usable: its size "
                    "is %zu; set it to sizeof(jitrun_signature_t), %zu",
                    target, signature->size, sizeof(*signature));
  uint32_t known = JITRUN_VARIADIC_ARGS | JITRUN_VARIADIC_ATTRS;
  if ((signature->flags & ~known) != 0)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the signature of custom call '%s' is not usable: it has "
                    "flags other than JITRUN_VARIADIC_ARGS and "
                    "JITRUN_VARIADIC_ATTRS",
                    target);
  JITRUN_TRY(
      check_array(signature->args, signature->arg_count, target, "argument"));
  JITRUN_TRY(check_array(signature->results, signature->result_count, target,
                         "result"));
  JITRUN_TRY(check_array(signature->attrs, signature->attr_count, target,
                         "attribute"));
  JITRUN_TRY(
      check_params(signature->args, signature->arg_count, target, "argument"));
  JITRUN_TRY(check_params(signature->results, signature->result_count, target,
                          "result"));
  return check_attrs(signature, target);
}

jitrun_error_t *jr_record_check(const jitrun_customcall_t *call) {
  if (!call)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the record of the custom call is NULL");
  if (call->size != sizeof(*call))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the size of the custom call's record is %zu: set it to "
                    "sizeof(jitrun_customcall_t), %zu, and build it with the "
                    "jitrun/customcall.h of this jitrun",
                    call->size, sizeof(*call));
  if (!call->name || call->name[0] == '\0')
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the custom call has no name: set it to the target name "
                    "that programs use");
  if (!call->platform || call->platform[0] == '\0')
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "custom call '%s' has no platform: set it to \"host\", "
                    "\"cuda\" or \"hip\"",
                    call->name);
  if (!call->execute)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "custom call '%s' has no execute handler: it is required",
                    call->name);
  if (call->module)
    JITRUN_TRY(check_module(call->module, call->name));
  return call->signature ? check_signature(call->signature, call->name) : NULL;
}

jitrun_error_t *jr_classic_check(const jitrun_classic_t *classic) {
  if (!classic || !classic->name || classic->name[0] == '\0' ||
      !classic->platform || classic->platform[0] == '\0' || !classic->function)
    return jr_error(
        JITRUN_INVALID_ARGUMENT,
        "the record of the classic custom call handler is not "
        "usable: it needs a name, a platform (\"host\", \"cuda\" or "
        "\"hip\") and a function");
  return NULL;
}
