/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The rules of the rt dialect, in the words of its own verifier, since MLIR
/// does not know it.
#include "jit/rt.h"

#include "jit/plan.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

jitrun_error_t *jr_rt_error(const struct jr_unit *unit, MlirOperation op,
                            const char *format, ...) {
  struct jr_bytes text = {0};
  va_list arguments;
  va_start(arguments, format);
  jr_bytes_appendv(&text, format, arguments);
  va_end(arguments);
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  const char *message = jr_bytes_text(&text);
  jitrun_error_t *error =
      message ? jr_error_op(unit, op, JITRUN_INVALID_ARGUMENT, "'%.*s' op %s",
                            (int)name.length, name.data, message)
              : jr_error_no_memory();
  jr_bytes_deinit(&text);
  return error;
}

static bool has_attr(MlirOperation op, const char *name) {
  return !mlirAttributeIsNull(
      mlirOperationGetDiscardableAttributeByName(op, jr_ref(name)));
}

/// True for #rt.hlo_trace<...>, the one kind of annotation there is.
static bool is_annotation(MlirAttribute attribute) {
  static const char kind[] = "hlo_trace";
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAOpaque(attribute) ||
      !mlirStringRefEqual(mlirOpaqueAttrGetDialectNamespace(attribute),
                          jr_ref("rt")))
    return false;
  MlirStringRef data = mlirOpaqueAttrGetData(attribute);
  return data.length >= strlen(kind) &&
         memcmp(data.data, kind, strlen(kind)) == 0;
}

/// Any of the marks of an exported function; a unit in programs of 2022.
static jitrun_error_t *verify_exported(const struct jr_unit *unit,
                                       MlirOperation op, const char *name,
                                       MlirAttribute value) {
  bool number = strcmp(name, "rt.exported") == 0;
  if (!mlirAttributeIsAUnit(value) &&
      !(number && mlirAttributeIsAInteger(value)))
    return jr_rt_error(unit, op, "requires \"%s\" to be %s attribute", name,
                       number ? "an integer" : "a unit");
  if (!jr_is(op, unit->names.func_func))
    return jr_rt_error(unit, op, "\"%s\" can only be applied to a function",
                       name);
  if (!jr_has_body(op))
    return jr_rt_error(unit, op,
                       "requires non-empty body for function with attribute "
                       "\"%s\"",
                       name);
  return NULL;
}

static jitrun_error_t *verify_custom_call(const struct jr_unit *unit,
                                          MlirOperation op, const char *name,
                                          MlirAttribute value) {
  if (!mlirAttributeIsAString(value))
    return jr_rt_error(unit, op, "requires \"%s\" to only accept string value",
                       name);
  MlirStringRef target = mlirStringAttrGetValue(value);
  if (target.length == 0 || memchr(target.data, 0, target.length))
    return jr_rt_error(unit, op,
                       "requires \"%s\" to be the name of a custom call, not "
                       "empty and without NUL bytes",
                       name);
  if (!jr_is(op, unit->names.func_func))
    return jr_rt_error(unit, op, "\"%s\" can only be applied to a function",
                       name);
  if (jr_has_body(op))
    return jr_rt_error(unit, op,
                       "requires \"%s\" to only apply to a function "
                       "declaration",
                       name);
  return NULL;
}

static jitrun_error_t *verify_dynamic(const struct jr_unit *unit,
                                      MlirOperation op, const char *name,
                                      MlirAttribute value) {
  (void)value;
  if (has_attr(op, "rt.custom_call"))
    return NULL;
  return jr_rt_error(unit, op,
                     "\"%s\" can only be applied to a custom call declaration",
                     name);
}

static jitrun_error_t *verify_trace_attr(const struct jr_unit *unit,
                                         MlirOperation op, const char *name,
                                         MlirAttribute value) {
  if (is_annotation(value))
    return NULL;
  return jr_rt_error(
      unit, op, "requires \"%s\" to be a trace annotation attribute", name);
}

struct attr_rule {
  const char *name;
  jitrun_error_t *(*verify)(const struct jr_unit *unit, MlirOperation op,
                            const char *name, MlirAttribute value);
};

static const struct attr_rule attr_rules[] = {
    {"rt.exported", verify_exported},
    {"rt.entrypoint", verify_exported},
    {"jitrt.entrypoint", verify_exported},
    {"rt.custom_call", verify_custom_call},
    {"rt.direct_custom_call", verify_custom_call},
    {"rt.dynamic", verify_dynamic},
    {"rt.trace", verify_trace_attr},
};

/// The rule of an attribute; NULL when there is none.
static const struct attr_rule *find_rule(MlirStringRef name) {
  if (!memchr(name.data, '.', name.length))
    return NULL;
  for (size_t i = 0; i < sizeof attr_rules / sizeof attr_rules[0]; i++) {
    if (mlirStringRefEqual(name, jr_ref(attr_rules[i].name)))
      return &attr_rules[i];
  }
  return NULL;
}

jitrun_error_t *jr_rt_verify_attr(const struct jr_unit *unit, MlirOperation op,
                                  MlirNamedAttribute one) {
  const struct attr_rule *rule = find_rule(mlirIdentifierStr(one.name));
  return rule ? rule->verify(unit, op, rule->name, one.attribute) : NULL;
}

static bool is_constraint(MlirAttribute attribute) {
  if (!mlirAttributeIsAString(attribute))
    return false;
  MlirStringRef text = mlirStringAttrGetValue(attribute);
  return mlirStringRefEqual(text, jr_ref("rank")) ||
         mlirStringRefEqual(text, jr_ref("shape")) ||
         mlirStringRefEqual(text, jr_ref("value"));
}

static jitrun_error_t *verify_constraints(const struct jr_unit *unit,
                                          MlirOperation function) {
  MlirAttribute all =
      mlirOperationGetInherentAttributeByName(function, jr_ref("arg_attrs"));
  if (mlirAttributeIsNull(all) || !mlirAttributeIsAArray(all))
    return NULL;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(all); i++) {
    MlirAttribute value = mlirDictionaryAttrGetElementByName(
        mlirArrayAttrGetElement(all, i), jr_ref("rt.constraint"));
    if (!mlirAttributeIsNull(value) && !is_constraint(value))
      return jr_rt_error(unit, function,
                         "has illegal attribute value of rt.constraint for "
                         "argument %d; use \"rank\", \"shape\" or \"value\"",
                         (int)i);
  }
  return NULL;
}

/// What an operation is made of: counts are lower bounds for `is_open`.
static jitrun_error_t *verify_counts(const struct jr_unit *unit,
                                     MlirOperation op, intptr_t operands,
                                     intptr_t results, bool is_open) {
  intptr_t found_operands = mlirOperationGetNumOperands(op);
  intptr_t found_results = mlirOperationGetNumResults(op);
  bool fits = is_open ? found_operands >= operands && found_results >= results
                      : found_operands == operands && found_results == results;
  if (fits)
    return NULL;
  return jr_rt_error(unit, op,
                     "expected %s%d operands and %d results, found %d and %d",
                     is_open ? "at least " : "", (int)operands, (int)results,
                     (int)found_operands, (int)found_results);
}

static jitrun_error_t *verify_context(const struct jr_unit *unit,
                                      MlirOperation op) {
  if (jr_rt_is_context(mlirValueGetType(mlirOperationGetOperand(op, 0))))
    return NULL;
  return jr_rt_error(unit, op,
                     "operand #0 must be an execution context, of type "
                     "!rt.execution_context");
}

static MlirAttribute find_attr(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op, jr_ref(name));
}

static jitrun_error_t *verify_string(const struct jr_unit *unit,
                                     MlirOperation op, const char *name) {
  MlirAttribute value = find_attr(op, name);
  if (!mlirAttributeIsNull(value) && mlirAttributeIsAString(value))
    return NULL;
  return jr_rt_error(unit, op, "requires the string attribute '%s'", name);
}

static jitrun_error_t *verify_export(const struct jr_unit *unit,
                                     MlirOperation op) {
  if (!mlirOperationEqual(mlirOperationGetParentOperation(op),
                          mlirModuleGetOperation(unit->module)))
    return jr_rt_error(unit, op, "expects parent op 'builtin.module'");
  MlirAttribute function = find_attr(op, "function_ref");
  if (mlirAttributeIsNull(function) || !mlirAttributeIsAFlatSymbolRef(function))
    return jr_rt_error(unit, op,
                       "requires the attribute 'function_ref', a symbol of a "
                       "function");
  MlirAttribute ordinal = find_attr(op, "ordinal");
  if (!mlirAttributeIsNull(ordinal) &&
      (!mlirAttributeIsAInteger(ordinal) ||
       !mlirTypeIsAInteger(mlirAttributeGetType(ordinal)) ||
       mlirIntegerTypeGetWidth(mlirAttributeGetType(ordinal)) != 32))
    return jr_rt_error(unit, op, "requires 'ordinal' to be an i32");
  return NULL;
}

static jitrun_error_t *verify_set_output(const struct jr_unit *unit,
                                         MlirOperation op) {
  JITRUN_TRY(verify_counts(unit, op, 2, 0, false));
  JITRUN_TRY(verify_context(unit, op));
  MlirAttribute index = find_attr(op, "index");
  if (mlirAttributeIsNull(index) || !mlirAttributeIsAInteger(index) ||
      !mlirTypeIsAInteger(mlirAttributeGetType(index)) ||
      mlirIntegerTypeGetWidth(mlirAttributeGetType(index)) != 64 ||
      !mlirIntegerTypeIsSignless(mlirAttributeGetType(index)) ||
      mlirIntegerAttrGetValueInt(index) < 0)
    return jr_rt_error(unit, op,
                       "attribute 'index' failed to satisfy constraint: 64-bit "
                       "signless integer attribute whose value is "
                       "non-negative");
  return NULL;
}

static jitrun_error_t *verify_set_error(const struct jr_unit *unit,
                                        MlirOperation op) {
  JITRUN_TRY(verify_counts(unit, op, 1, 0, false));
  JITRUN_TRY(verify_context(unit, op));
  return verify_string(unit, op, "error");
}

static jitrun_error_t *verify_is_ok(const struct jr_unit *unit,
                                    MlirOperation op) {
  JITRUN_TRY(verify_counts(unit, op, 1, 1, false));
  MlirType result = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (!jr_rt_is_status(mlirValueGetType(mlirOperationGetOperand(op, 0))))
    return jr_rt_error(unit, op,
                       "operand #0 must be a status, of type "
                       "!rt.status");
  if (!mlirTypeIsAInteger(result) || mlirIntegerTypeGetWidth(result) != 1)
    return jr_rt_error(unit, op, "result #0 must be an i1");
  return NULL;
}

static jitrun_error_t *verify_call(const struct jr_unit *unit,
                                   MlirOperation op) {
  JITRUN_TRY(verify_counts(unit, op, 1, 1, true));
  JITRUN_TRY(verify_context(unit, op));
  if (!jr_rt_is_status(mlirValueGetType(mlirOperationGetResult(op, 0))))
    return jr_rt_error(unit, op,
                       "result #0 must be a status, of type "
                       "!rt.status");
  return verify_string(unit, op, "callee");
}

static MlirBlock first_block(MlirOperation op, intptr_t region) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region));
}

static jitrun_error_t *verify_trace(const struct jr_unit *unit,
                                    MlirOperation op) {
  JITRUN_TRY(verify_counts(unit, op, 1, 0, true));
  JITRUN_TRY(verify_context(unit, op));
  if (!is_annotation(find_attr(op, "annotation")))
    return jr_rt_error(unit, op, "invalid kind of attribute specified");
  intptr_t regions = mlirOperationGetNumRegions(op);
  if (regions < 1 || regions > 2 ||
      (regions == 2 && !mlirBlockIsNull(first_block(op, 1))))
    return jr_rt_error(unit, op, "requires one region");
  MlirBlock body = first_block(op, 0);
  if (mlirBlockIsNull(body))
    return NULL;
  if (!mlirBlockIsNull(mlirBlockGetNextInRegion(body)))
    return jr_rt_error(unit, op, "region #0 must have one block");
  if (mlirBlockGetNumArguments(body) > 0)
    return jr_rt_error(unit, op, "region cannot have any arguments");
  return NULL;
}

static jitrun_error_t *verify_yield(const struct jr_unit *unit,
                                    MlirOperation op) {
  if (jr_rt_kind_of(unit, mlirOperationGetParentOperation(op)) != JR_RT_TRACE)
    return jr_rt_error(unit, op, "expects parent op 'rt.trace'");
  if (!mlirOperationIsNull(mlirOperationGetNextInBlock(op)))
    return jr_rt_error(unit, op, "must be the last operation of its block");
  return NULL;
}

static jitrun_error_t *verify_cast(const struct jr_unit *unit,
                                   MlirOperation op) {
  JITRUN_TRY(verify_counts(unit, op, 1, 1, false));
  MlirType from = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirType to = mlirValueGetType(mlirOperationGetResult(op, 0));
  bool numbers = mlirTypeIsAInteger(from) && mlirTypeIsAInteger(to);
  if (!numbers ||
      mlirIntegerTypeGetWidth(from) != mlirIntegerTypeGetWidth(to) ||
      !mlirIntegerTypeIsSignless(from))
    return jr_rt_error(unit, op,
                       "takes a signless integer to one of the same width");
  return NULL;
}

jitrun_error_t *jr_rt_verify(const struct jr_unit *unit, MlirOperation op) {
  static jitrun_error_t *(*const rules[])(const struct jr_unit *,
                                          MlirOperation) = {
      [JR_RT_EXPORT] = verify_export,
      [JR_RT_TRACE] = verify_trace,
      [JR_RT_CALL] = verify_call,
      [JR_RT_IS_OK] = verify_is_ok,
      [JR_RT_SET_OUTPUT] = verify_set_output,
      [JR_RT_SET_ERROR] = verify_set_error,
      [JR_RT_CAST] = verify_cast,
  };
  if (jr_is(op, unit->names.func_func))
    return verify_constraints(unit, op);
  if (jr_is(op, unit->names.rt_yield))
    return verify_yield(unit, op);
  enum jr_rt_kind kind = jr_rt_kind_of(unit, op);
  return kind == JR_RT_KINDS ? NULL : rules[kind](unit, op);
}
