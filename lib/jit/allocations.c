/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See allocations.h. XLA's names and neutral ones mean the same.
#include "jit/allocations.h"

#include "jit/plan.h"
#include "runtime/table_interface.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <inttypes.h>

/// An attribute by its two names.
struct spelling {
  const char *xla, *neutral;
};

static const struct spelling parameter_name = {"lmhlo.params",
                                               "jitrun.parameter"};
static const struct spelling part_name = {"lmhlo.param_shape_index",
                                          "jitrun.parameter_index"};
static const struct spelling constant_name = {"lmhlo.constant_name",
                                              "jitrun.constant"};
static const struct spelling output_name = {"lmhlo.output_index",
                                            "jitrun.output_index"};
static const struct spelling must_name = {"lmhlo.must_alias",
                                          "jitrun.must_alias"};
static const struct spelling may_name = {"lmhlo.may_alias", "jitrun.may_alias"};
static const struct spelling shape_name = {"result_xla_shape",
                                           "jitrun.result_shape"};
static const struct spelling unit_output_name = {"jitrun.output", NULL};
static const struct spelling local_name = {"jitrun.thread_local", NULL};
static const struct spelling alignment_name = {"jitrun.alignment", NULL};

/// An argument of a function.
struct argument {
  struct jr_unit *unit;
  MlirOperation function;
  uint32_t number;
  MlirAttribute attrs; ///< null: it has none
};

/// The attribute under either name; null when there is none.
static MlirAttribute find_attr(const struct argument *argument,
                               const struct spelling *spelling) {
  MlirAttribute found = mlirAttributeGetNull();
  if (mlirAttributeIsNull(argument->attrs))
    return found;
  found = mlirDictionaryAttrGetElementByName(argument->attrs,
                                             jr_ref(spelling->xla));
  if (mlirAttributeIsNull(found) && spelling->neutral)
    found = mlirDictionaryAttrGetElementByName(argument->attrs,
                                               jr_ref(spelling->neutral));
  return found;
}

static bool has_attr(const struct argument *argument,
                     const struct spelling *spelling) {
  return !mlirAttributeIsNull(find_attr(argument, spelling));
}

/// Names the attribute as it is written there.
static jitrun_error_t *refuse(const struct argument *argument,
                              const struct spelling *spelling,
                              const char *cause) {
  const struct spelling xla = {spelling->xla, NULL};
  bool is_neutral = spelling->neutral && has_attr(argument, spelling) &&
                    !has_attr(argument, &xla);
  return jr_error_op(argument->unit, argument->function,
                     JITRUN_INVALID_ARGUMENT, "argument %" PRIu32 ": '%s' %s",
                     argument->number,
                     is_neutral ? spelling->neutral : spelling->xla, cause);
}

/// Whether a mark is set: it is a unit, or says true or false.
static jitrun_error_t *read_mark(const struct argument *argument,
                                 const struct spelling *spelling,
                                 bool *out_is_set) {
  MlirAttribute value = find_attr(argument, spelling);
  *out_is_set = !mlirAttributeIsNull(value);
  if (!*out_is_set || mlirAttributeIsAUnit(value))
    return NULL;
  if (!mlirAttributeIsABool(value))
    return refuse(argument, spelling, "is no unit, nor true or false");
  *out_is_set = mlirBoolAttrGetValue(value);
  return NULL;
}

/// How many numbers a list has, in any of MLIR's forms; -1: it is none.
static intptr_t count_numbers(MlirAttribute list) {
  if (mlirAttributeIsAArray(list))
    return mlirArrayAttrGetNumElements(list);
  if (mlirAttributeIsADenseI64Array(list))
    return mlirDenseArrayGetNumElements(list);
  if (!mlirAttributeIsADenseIntElements(list) ||
      mlirShapedTypeGetRank(mlirAttributeGetType(list)) != 1)
    return -1;
  return (intptr_t)mlirElementsAttrGetNumElements(list);
}

static bool read_number(MlirAttribute list, intptr_t at, int64_t *out_number) {
  if (mlirAttributeIsAArray(list)) {
    MlirAttribute one = mlirArrayAttrGetElement(list, at);
    if (!mlirAttributeIsAInteger(one))
      return false;
    *out_number = mlirIntegerAttrGetValueInt(one);
    return true;
  }
  if (mlirAttributeIsADenseI64Array(list)) {
    *out_number = mlirDenseI64ArrayGetElement(list, at);
    return true;
  }
  MlirType type = mlirShapedTypeGetElementType(mlirAttributeGetType(list));
  bool is_index = mlirTypeIsAIndex(type);
  unsigned width = is_index ? 64 : mlirIntegerTypeGetWidth(type);
  if (!is_index && !mlirIntegerTypeIsSignless(type))
    return false;
  if (width == 64)
    *out_number = mlirDenseElementsAttrGetInt64Value(list, at);
  else if (width == 32)
    *out_number = mlirDenseElementsAttrGetInt32Value(list, at);
  return width == 64 || width == 32;
}

/// Writes an index to the data.
static jitrun_error_t *add_index(const struct argument *argument,
                                 const struct spelling *spelling,
                                 uint32_t *out_count, uint64_t *out_offset) {
  MlirAttribute list = find_attr(argument, spelling);
  int64_t numbers[JR_INDEX_MAX_COUNT];
  *out_count = 0;
  if (mlirAttributeIsNull(list))
    return NULL;
  intptr_t count = count_numbers(list);
  if (count < 0)
    return refuse(argument, spelling, "is no list of integers");
  if (count > JR_INDEX_MAX_COUNT)
    return refuse(argument, spelling, "has over 32 numbers");
  for (intptr_t i = 0; i < count; i++) {
    if (!read_number(list, i, &numbers[i]))
      return refuse(argument, spelling, "is no list of integers");
  }
  *out_count = (uint32_t)count;
  if (count > 0)
    *out_offset =
        jr_table_add_data(&argument->unit->table, numbers,
                          (size_t)count * sizeof *numbers, sizeof *numbers);
  return NULL;
}

/// An integer that is at least `least`; 0 where there is none.
static jitrun_error_t *read_integer(const struct argument *argument,
                                    const struct spelling *spelling,
                                    int64_t least, int64_t most,
                                    int64_t *out_value) {
  MlirAttribute value = find_attr(argument, spelling);
  if (mlirAttributeIsNull(value))
    return NULL;
  MlirType type = mlirAttributeGetType(value);
  if (!mlirAttributeIsAInteger(value) ||
      !(mlirTypeIsAIndex(type) ||
        (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) <= 64)))
    return refuse(argument, spelling, "is no integer");
  *out_value = mlirTypeIsAInteger(type) && mlirIntegerTypeIsUnsigned(type)
                   ? (int64_t)mlirIntegerAttrGetValueUInt(value)
               : mlirTypeIsAInteger(type) && mlirIntegerTypeIsSigned(type)
                   ? mlirIntegerAttrGetValueSInt(value)
                   : mlirIntegerAttrGetValueInt(value);
  if (*out_value < least || *out_value > most)
    return refuse(argument, spelling, "is out of range");
  return NULL;
}

static jitrun_error_t *plan_parameter(const struct argument *argument,
                                      struct jr_param *param) {
  int64_t number = -1;
  JITRUN_TRY(
      read_integer(argument, &parameter_name, 0, INT32_MAX - 1, &number));
  param->number = (uint32_t)(number + 1);
  if (has_attr(argument, &part_name) && number < 0)
    return refuse(argument, &part_name, "is there without 'lmhlo.params'");
  return add_index(argument, &part_name, &param->index_count, &param->index);
}

static jitrun_error_t *plan_alias(const struct argument *argument,
                                  struct jr_param *param) {
  bool is_must;
  bool is_may;
  JITRUN_TRY(read_mark(argument, &must_name, &is_must));
  JITRUN_TRY(read_mark(argument, &may_name, &is_may));
  if (is_must && is_may)
    return refuse(argument, &must_name, "and 'lmhlo.may_alias' are both there");
  if (is_may && !(param->flags & JR_PARAM_OUTPUT))
    return refuse(argument, &may_name, "is on an argument that is no output");
  if (is_may && param->number == 0)
    return refuse(argument, &may_name,
                  "is on an argument that is no parameter");
  if (is_must)
    param->flags |= JR_PARAM_MUST_ALIAS;
  return NULL;
}

static jitrun_error_t *plan_output(const struct argument *argument,
                                   struct jr_param *param) {
  bool is_output;
  JITRUN_TRY(read_mark(argument, &unit_output_name, &is_output));
  if (has_attr(argument, &output_name))
    param->flags |= JR_PARAM_OUTPUT | JR_PARAM_PLACED;
  if (is_output)
    param->flags |= JR_PARAM_OUTPUT;
  JITRUN_TRY(plan_alias(argument, param));
  return add_index(argument, &output_name, &param->output_index_count,
                   &param->output_index);
}

static jitrun_error_t *plan_constant(const struct argument *argument,
                                     struct jr_param *param) {
  MlirAttribute name = find_attr(argument, &constant_name);
  if (mlirAttributeIsNull(name))
    return NULL;
  if (!mlirAttributeIsAString(name) || mlirStringAttrGetValue(name).length == 0)
    return refuse(argument, &constant_name, "is no name");
  MlirStringRef text = mlirStringAttrGetValue(name);
  param->flags |= JR_PARAM_CONSTANT;
  param->name =
      jr_table_add_string(&argument->unit->table, text.data, text.length);
  return jr_plan_named(argument->unit, argument->function, text);
}

static jitrun_error_t *plan_alignment(const struct argument *argument,
                                      struct jr_param *param) {
  struct jr_table_writer *table = &argument->unit->table;
  int64_t alignment = 0;
  JITRUN_TRY(read_integer(argument, &alignment_name, 1, 4096, &alignment));
  if (alignment & (alignment - 1))
    return refuse(argument, &alignment_name, "is no power of two");
  if (alignment > 0 && param->alloc == JR_NONE)
    return refuse(argument, &alignment_name, "is on what is no memref");
  if ((uint64_t)alignment <= param->alignment)
    return NULL;
  struct jr_alloc *alloc = jr_table_at(table, JR_SECTION_ALLOCS, param->alloc);
  alloc->alignment = (uint64_t)alignment;
  param->alignment = (uint64_t)alignment;
  return NULL;
}

jitrun_error_t *jr_plan_role(struct jr_unit *unit, MlirOperation function,
                             uint32_t number, struct jr_param *param) {
  const struct argument argument = {.unit = unit,
                                    .function = function,
                                    .number = number,
                                    .attrs =
                                        jr_argument_attrs(function, number)};
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  MlirValue value = mlirBlockGetArgument(body, number);
  if (mlirOpOperandIsNull(mlirValueGetFirstUse(value)))
    param->flags |= JR_PARAM_UNUSED;
  bool is_local;
  JITRUN_TRY(read_mark(&argument, &local_name, &is_local));
  if (is_local)
    param->flags |= JR_PARAM_LOCAL;
  JITRUN_TRY(plan_parameter(&argument, param));
  JITRUN_TRY(plan_output(&argument, param));
  JITRUN_TRY(plan_alignment(&argument, param));
  return plan_constant(&argument, param);
}

/// The function's own attribute: the result's shape.
static jitrun_error_t *plan_shape(struct jr_unit *unit, MlirOperation function,
                                  struct jr_entry *entry) {
  MlirAttribute shape = mlirOperationGetDiscardableAttributeByName(
      function, jr_ref(shape_name.xla));
  if (mlirAttributeIsNull(shape))
    shape = mlirOperationGetDiscardableAttributeByName(
        function, jr_ref(shape_name.neutral));
  if (mlirAttributeIsNull(shape))
    return NULL;
  if (!mlirAttributeIsAString(shape))
    return jr_error_op(unit, function, JITRUN_INVALID_ARGUMENT,
                       "'%s' is no text", shape_name.xla);
  MlirStringRef text = mlirStringAttrGetValue(shape);
  entry->result_shape =
      jr_table_add_string(&unit->table, text.data, text.length);
  return NULL;
}

jitrun_error_t *jr_plan_interface(struct jr_unit *unit, MlirOperation function,
                                  struct jr_entry *entry) {
  JITRUN_TRY(plan_shape(unit, function, entry));
  if (jr_table_lacks_memory(&unit->table))
    return jr_error_no_memory();
  const struct jr_bytes *sections = unit->table.sections;
  // The same check as for an image, of what is written so far.
  const struct jr_table table = {
      .strings = (const char *)sections[JR_SECTION_STRINGS].data,
      .types = (const int64_t *)(const void *)sections[JR_SECTION_TYPES].data,
      .entries = entry,
      .params = (const void *)sections[JR_SECTION_PARAMS].data,
      .data = sections[JR_SECTION_DATA].data,
      .data_size = sections[JR_SECTION_DATA].size};
  struct jr_arena arena = {0};
  struct jr_interface interface;
  jitrun_error_t *error = jr_interface_read(&table, 0, &arena, &interface);
  jr_arena_deinit(&arena);
  if (!error || jitrun_error_code(error) == JITRUN_RESOURCE_EXHAUSTED)
    return error;
  jitrun_error_t *placed = jr_error_op(unit, function, JITRUN_INVALID_ARGUMENT,
                                       "%s", jitrun_error_message(error));
  jitrun_error_free(error);
  return placed;
}
