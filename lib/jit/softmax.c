/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See softmax.h. The function is that of the operation's definition: the
/// largest element along the dimension, exp(x - max), their sum, the quotient.
/// It is written as text for the types at hand.
#include "jit/softmax.h"

#include "jit/expand.h"
#include "jit/rt.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdio.h>

static MlirWalkResult find_softmax(MlirOperation op, void *context) {
  if (mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                         jr_ref("linalg.softmax")) &&
      mlirOperationGetNumResults(op) == 1)
    (void)jr_ops_push(context, op);
  return MlirWalkResultAdvance;
}

static void append_text(MlirStringRef text, void *bytes) {
  jr_bytes_append(bytes, text.data, text.length);
}

/// The function being written.
struct writer {
  struct jr_bytes text;
  MlirType in, out, element;
  intptr_t rank, dim;
};

static void append_type(struct writer *writer, MlirType type) {
  mlirTypePrint(type, append_text, &writer->text);
}

/// The type of what is left of the operand without the dimension.
static void append_reduced(struct writer *writer) {
  jr_bytes_append_text(&writer->text, "tensor<");
  for (intptr_t i = 0; i < writer->rank; i++) {
    if (i == writer->dim)
      continue;
    if (mlirShapedTypeIsDynamicDim(writer->in, i))
      jr_bytes_append_text(&writer->text, "?x");
    else
      jr_bytes_appendf(&writer->text, "%lldx",
                       (long long)mlirShapedTypeGetDimSize(writer->in, i));
  }
  append_type(writer, writer->element);
  jr_bytes_append_text(&writer->text, ">");
}

/// (d0, d1, ...), without `skipped`.
static void append_dims(struct writer *writer, intptr_t skipped) {
  const char *comma = "";
  jr_bytes_append_text(&writer->text, "(");
  for (intptr_t i = 0; i < writer->rank; i++) {
    if (i == skipped)
      continue;
    jr_bytes_appendf(&writer->text, "%sd%lld", comma, (long long)i);
    comma = ", ";
  }
  jr_bytes_append_text(&writer->text, ")");
}

static void append_map(struct writer *writer, intptr_t skipped) {
  jr_bytes_append_text(&writer->text, "affine_map<");
  append_dims(writer, -1);
  jr_bytes_append_text(&writer->text, " -> ");
  append_dims(writer, skipped);
  jr_bytes_append_text(&writer->text, ">");
}

/// `%result = linalg.generic {...}` up to its operands. Maps are of all
/// dimensions where `maps` has a 'a', else of those that are left.
static void append_generic(struct writer *writer, const char *result,
                           const char *maps, bool reduces) {
  jr_bytes_appendf(&writer->text, "\n%s = linalg.generic {indexing_maps = [",
                   result);
  for (const char *map = maps; *map; map++) {
    jr_bytes_append_text(&writer->text, map == maps ? "" : ", ");
    append_map(writer, *map == 'a' ? -1 : writer->dim);
  }
  jr_bytes_append_text(&writer->text, "], iterator_types = [");
  for (intptr_t i = 0; i < writer->rank; i++)
    jr_bytes_appendf(&writer->text, "%s\"%s\"", i ? ", " : "",
                     reduces && i == writer->dim ? "reduction" : "parallel");
  jr_bytes_append_text(&writer->text, "]} ");
}

/// A reduction of `value` from `initial` on by an operation of arith.
static void append_reduction(struct writer *writer, const char *value,
                             const char *initial, const char *op) {
  struct jr_bytes *text = &writer->text;
  jr_bytes_appendf(text, "\n%%%s_from = linalg.fill ins(%%%s : ", op, initial);
  append_type(writer, writer->element);
  jr_bytes_append_text(text, ") outs(%empty : ");
  append_reduced(writer);
  jr_bytes_append_text(text, ") -> ");
  append_reduced(writer);
  char result[16];
  (void)snprintf(result, sizeof result, "%%%s", op);
  append_generic(writer, result, "ar", true);
  jr_bytes_appendf(text, "ins(%s : ", value);
  append_type(writer, writer->in);
  jr_bytes_appendf(text, ") outs(%%%s_from : ", op);
  append_reduced(writer);
  jr_bytes_append_text(text, ") {\n^bb0(%a: ");
  append_type(writer, writer->element);
  jr_bytes_append_text(text, ", %b: ");
  append_type(writer, writer->element);
  jr_bytes_appendf(text, "):\n%%r = arith.%s %%a, %%b : ", op);
  append_type(writer, writer->element);
  jr_bytes_append_text(text, "\nlinalg.yield %r : ");
  append_type(writer, writer->element);
  jr_bytes_append_text(text, "\n} -> ");
  append_reduced(writer);
}

/// The memory of what is left, and the numbers that reductions begin with. An
/// infinity is written as a quotient, since its bits are each type's own.
static void append_head(struct writer *writer, const char *name) {
  struct jr_bytes *text = &writer->text;
  jr_bytes_appendf(text, "func.func private @%s(%%x: ", name);
  append_type(writer, writer->in);
  jr_bytes_append_text(text, ", %out: ");
  append_type(writer, writer->out);
  jr_bytes_append_text(text, ") -> ");
  append_type(writer, writer->out);
  jr_bytes_append_text(text, " {\n%zero = arith.constant 0.0 : ");
  append_type(writer, writer->element);
  jr_bytes_append_text(text, "\n%minus = arith.constant -1.0 : ");
  append_type(writer, writer->element);
  jr_bytes_append_text(text, "\n%least = arith.divf %minus, %zero : ");
  append_type(writer, writer->element);
  for (intptr_t i = 0; i < writer->rank; i++) {
    jr_bytes_appendf(text,
                     "\n%%c%lld = arith.constant %lld : index\n%%n%lld = "
                     "tensor.dim %%x, %%c%lld : ",
                     (long long)i, (long long)i, (long long)i, (long long)i);
    append_type(writer, writer->in);
  }
  const char *comma = "";
  jr_bytes_append_text(text, "\n%empty = tensor.empty(");
  for (intptr_t i = 0; i < writer->rank; i++) {
    if (i == writer->dim || !mlirShapedTypeIsDynamicDim(writer->in, i))
      continue;
    jr_bytes_appendf(text, "%s%%n%lld", comma, (long long)i);
    comma = ", ";
  }
  jr_bytes_append_text(text, ") : ");
  append_reduced(writer);
}

/// What is done with each element: `body` has %a, %b and %c of `type`, written
/// as $, the operands' elements and the result's.
static void append_elements(struct writer *writer, const char *body) {
  for (; *body; body++) {
    if (*body == '$')
      append_type(writer, writer->element);
    else
      jr_bytes_append(&writer->text, body, 1);
  }
  jr_bytes_append_text(&writer->text, "\n} -> ");
  append_type(writer, writer->out);
}

static void append_function(struct writer *writer, const char *name) {
  struct jr_bytes *text = &writer->text;
  append_head(writer, name);
  append_reduction(writer, "%x", "least", "maxnumf");
  append_generic(writer, "%exp", "ara", false);
  jr_bytes_append_text(text, "ins(%x, %maxnumf : ");
  append_type(writer, writer->in);
  jr_bytes_append_text(text, ", ");
  append_reduced(writer);
  jr_bytes_append_text(text, ") outs(%out : ");
  append_type(writer, writer->out);
  append_elements(writer, ") {\n^bb0(%a: $, %b: $, %c: $):\n"
                          "%d = arith.subf %a, %b : $\n"
                          "%e = math.exp %d : $\nlinalg.yield %e : $");
  append_reduction(writer, "%exp", "zero", "addf");
  append_generic(writer, "%result", "ra", false);
  jr_bytes_append_text(text, "ins(%addf : ");
  append_reduced(writer);
  jr_bytes_append_text(text, ") outs(%exp : ");
  append_type(writer, writer->out);
  append_elements(writer, ") {\n^bb0(%a: $, %b: $):\n"
                          "%d = arith.divf %b, %a : $\nlinalg.yield %d : $");
  jr_bytes_append_text(text, "\nfunc.return %result : ");
  append_type(writer, writer->out);
  jr_bytes_append_text(text, "\n}\n");
}

static jitrun_error_t *replace_softmax(struct jr_unit *unit, MlirOperation op,
                                       size_t number) {
  struct writer writer = {
      .in = mlirValueGetType(mlirOperationGetOperand(op, 0)),
      .out = mlirValueGetType(mlirOperationGetOperand(op, 1)),
      .dim = mlirIntegerAttrGetValueInt(
          mlirOperationGetInherentAttributeByName(op, jr_ref("dimension")))};
  writer.rank = mlirShapedTypeGetRank(writer.in);
  writer.element = mlirShapedTypeGetElementType(writer.in);
  if (!mlirTypeEqual(writer.in, writer.out) ||
      !mlirTypeIsAFloat(writer.element))
    return NULL;
  char name[40];
  (void)snprintf(name, sizeof name, "jitrun.softmax%zu", number);
  append_function(&writer, name);
  jitrun_error_t *error = jr_add_function(unit, &writer.text);
  jr_bytes_deinit(&writer.text);
  if (!error)
    jr_replace_by_call(unit, op,
                       mlirFlatSymbolRefAttrGet(unit->context, jr_ref(name)));
  return error;
}

jitrun_error_t *jr_lower_softmax(struct jr_unit *unit) {
  struct jr_ops found = {0};
  jitrun_error_t *error = NULL;
  mlirOperationWalk(mlirModuleGetOperation(unit->module), find_softmax, &found,
                    MlirWalkPreOrder);
  static const char *const dialects[] = {"arith", "math", "tensor"};
  for (size_t i = 0; found.count && i < 3; i++)
    (void)mlirContextGetOrLoadDialect(unit->context, jr_ref(dialects[i]));
  for (size_t i = 0; i < found.count && !error; i++)
    error = replace_softmax(unit, found.items[i], i);
  jr_ops_deinit(&found);
  return error;
}
