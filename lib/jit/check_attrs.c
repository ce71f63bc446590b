/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Attributes under our own prefixes are a closed list: a misspelt one would be
/// ignored in silence, and those that the compiler itself puts on operations
/// mean memory, so that none may come from outside. So are XLA's that say what
/// arguments are; on other operations its dialects may have what they like.
#include "jit/check.h"

#include "base/strings.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdio.h>
#include <string.h>

static const char *const prefixes[] = {"jitrun.", "rt.", "jitrt."};

/// All that a program may carry.
static const char *const known[] = {
    "jitrun.alignment",
    "jitrun.constant",
    "jitrun.keeps",
    "jitrun.may_alias",
    "jitrun.must_alias",
    "jitrun.output_index",
    "jitrun.parameter",
    "jitrun.parameter_index",
    "jitrun.result_shape",
    "jitrun.thread_local",
    "jitrun.optional",
    "jitrun.output",
    "jitrt.entrypoint",
    "rt.constraint",
    "rt.custom_call",
    "rt.direct_custom_call",
    "rt.dynamic",
    "rt.entrypoint",
    "rt.exported",
    "rt.symbolic_shape",
    "rt.trace",
    "lmhlo.alloc", // on globals, and says nothing that is needed
    "lmhlo.constant_name",
    "lmhlo.may_alias",
    "lmhlo.must_alias",
    "lmhlo.output_index",
    "lmhlo.param_shape_index",
    "lmhlo.params",
};

static const char argument_prefix[] = "lmhlo.";

/// What has an attribute.
struct place {
  const struct jr_unit *unit;
  MlirOperation op;
  const char *what; ///< "argument"; NULL: the operation itself
  intptr_t number;
};

static bool is_listed(const struct place *place, MlirStringRef name) {
  const struct jr_names *names = &place->unit->names;
  if (jr_ref_begins(name, argument_prefix) &&
      (jr_is(place->op, names->func_func) ||
       jr_is(place->op, names->memref_global)))
    return true;
  for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
    if (jr_ref_begins(name, prefixes[i]) && name.length > strlen(prefixes[i]))
      return true;
  }
  return false;
}

static jitrun_error_t *refuse_name(const struct place *place, const char *name,
                                   const struct jr_near_names *near_names) {
  char hint[256];
  char where[48] = "";
  (void)jr_near_names_hint(near_names, hint, sizeof hint);
  if (place->what)
    (void)snprintf(where, sizeof where, "%s %lld: ", place->what,
                   (long long)place->number);
  return jr_error_op(place->unit, place->op, JITRUN_INVALID_ARGUMENT,
                     "%sattribute '%s' is none that jitrun knows%s%s", where,
                     name, hint[0] ? "; " : "", hint);
}

static jitrun_error_t *check_name(const struct place *place,
                                  MlirStringRef name) {
  if (name.length == 0 || memchr(name.data, 0, name.length))
    return jr_error_op(place->unit, place->op, JITRUN_INVALID_ARGUMENT,
                       "an attribute's name is empty or holds a NUL byte");
  if (!is_listed(place, name))
    return NULL;
  char text[128];
  (void)snprintf(text, sizeof text, "%.*s", (int)name.length, name.data);
  struct jr_near_names near_names = {.wanted = text};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (strcmp(known[i], text) == 0)
      return NULL;
    jr_near_names_offer(&near_names, known[i]);
  }
  return refuse_name(place, text, &near_names);
}

/// Names in the dictionaries of a function's arguments or results.
static jitrun_error_t *check_dictionaries(struct place place,
                                          const char *which) {
  MlirAttribute all =
      mlirOperationGetInherentAttributeByName(place.op, jr_ref(which));
  if (mlirAttributeIsNull(all) || !mlirAttributeIsAArray(all))
    return NULL;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(all); i++) {
    MlirAttribute one = mlirArrayAttrGetElement(all, i);
    place.number = i;
    for (intptr_t k = 0; k < mlirDictionaryAttrGetNumElements(one); k++)
      JITRUN_TRY(check_name(
          &place,
          mlirIdentifierStr(mlirDictionaryAttrGetElement(one, k).name)));
  }
  return NULL;
}

/// What is behind a NUL would be lost, and names that differ become one.
static jitrun_error_t *check_symbol(const struct jr_unit *unit,
                                    MlirOperation op) {
  MlirAttribute value =
      mlirOperationGetInherentAttributeByName(op, jr_ref("sym_name"));
  if (mlirAttributeIsNull(value) || !mlirAttributeIsAString(value))
    return NULL;
  MlirStringRef name = mlirStringAttrGetValue(value);
  if (name.length > 0 && !memchr(name.data, 0, name.length))
    return NULL;
  return jr_error_op(unit, op, JITRUN_INVALID_ARGUMENT,
                     "the name of a function or global is empty or holds a NUL "
                     "byte");
}

bool jr_has_symbol(const struct jr_names *names, MlirOperation op) {
  return jr_is(op, names->func_func) || jr_is(op, names->llvm_func) ||
         jr_is(op, names->memref_global) || jr_is(op, names->llvm_mlir_global);
}

jitrun_error_t *jr_check_attr_name(const struct jr_unit *unit, MlirOperation op,
                                   MlirStringRef name) {
  return check_name(&(struct place){.unit = unit, .op = op}, name);
}

jitrun_error_t *jr_check_symbol(const struct jr_unit *unit, MlirOperation op) {
  JITRUN_TRY(check_symbol(unit, op));
  if (!jr_is(op, unit->names.func_func))
    return NULL;
  JITRUN_TRY(check_dictionaries(
      (struct place){.unit = unit, .op = op, .what = "argument"}, "arg_attrs"));
  return check_dictionaries(
      (struct place){.unit = unit, .op = op, .what = "result"}, "res_attrs");
}
