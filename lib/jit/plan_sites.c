/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Call sites: each operand of a custom call becomes an argument record that
/// says where its value comes from; whatever is not known before the execution
/// starts is left to native code.
#include "jit/plan.h"

#include "base/alloc.h"
#include "base/dtype.h"
#include "base/numbers.h"
#include "jit/attrs.h"
#include "jit/rt.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

/// A site under construction.
struct site_builder {
  struct jr_planner *planner;
  MlirOperation call;
  uint32_t index;
  uint32_t first_arg;
  uint32_t next_arg; ///< the one being planned
  uint32_t frame_bytes;
  bool is_static;
};

static jitrun_error_t *refuse(const struct site_builder *site, const char *what,
                              intptr_t number, MlirType type) {
  struct jr_bytes text = {0};
  jr_mlir_type_print(type, &text);
  jitrun_error_t *error = jr_error_op(
      site->planner->unit, site->call, JITRUN_UNIMPLEMENTED,
      "%s %d of a custom call has type %s; custom calls take and return "
      "scalars and ranked memrefs of integers, index and floats, and opaque "
      "and async values",
      what, (int)number, jr_bytes_text(&text) ? (char *)text.data : "?");
  jr_bytes_deinit(&text);
  return error;
}

/// A type that leaves sizes or strides open has a record in the frame.
static void place_type(struct site_builder *site,
                       const struct jr_mlir_type *type, struct jr_arg *arg) {
  if (type->is_static)
    return;
  arg->type_offset = site->frame_bytes;
  site->frame_bytes += (uint32_t)jr_type_record_size(type->rank);
}

/// A buffer whose address, and sizes if its type is dynamic, come at run time.
static void plan_runtime_buffer(struct site_builder *site, MlirValue value,
                                struct jr_arg *arg) {
  const struct jr_mlir_type *type =
      jr_type_find(site->planner->unit, mlirValueGetType(value));
  arg->kind = JR_ARG_BUFFER;
  arg->type = type->written;
  place_type(site, type, arg);
  site->is_static = false;
}

static bool goes_back(const struct jr_mlir_type *type) {
  for (int i = 0; type->is_static && i < type->rank; i++) {
    if (type->extents[type->rank + i] < 0)
      return true;
  }
  return false;
}

/// A buffer that is part of an allocation; checks that it lies inside.
static jitrun_error_t *plan_slice(struct site_builder *site, MlirValue value,
                                  const struct jr_slice *slice,
                                  struct jr_arg *arg) {
  struct jr_unit *unit = site->planner->unit;
  const struct jr_alloc *alloc =
      jr_table_at(&unit->table, JR_SECTION_ALLOCS, slice->alloc);
  bool dynamic_alloc =
      alloc->kind == JR_ALLOC_PARAM && alloc->size_bytes == 0 &&
      !jr_type_size_bytes(jr_table_written_type(&unit->table, alloc->type),
                          &(uint64_t){0});
  arg->index = slice->alloc;
  arg->value = (uint64_t)slice->offset;
  arg->type = slice->type->written;
  if (dynamic_alloc || !slice->type->is_static) {
    arg->kind = JR_ARG_VIEW;
    if (slice->whole && slice->offset == 0 && arg->type == alloc->type)
      return NULL;
    *arg = (struct jr_arg){0};
    plan_runtime_buffer(site, value, arg);
    return NULL;
  }
  if (goes_back(slice->type)) { /* a slice begins at its lowest address */
    *arg = (struct jr_arg){0};
    plan_runtime_buffer(site, value, arg);
    return NULL;
  }
  uint64_t bytes = slice->type->bytes;
  arg->kind = JR_ARG_SLICE;
  bool fits = slice->type->has_bytes && slice->offset >= 0 &&
              (uint64_t)slice->offset <= alloc->size_bytes &&
              bytes <= alloc->size_bytes - (uint64_t)slice->offset;
  if (!fits && unit->options->specialization) {
    /* The program may be right all the same: not reached with these sizes. */
    *arg = (struct jr_arg){0};
    plan_runtime_buffer(site, value, arg);
    return NULL;
  }
  if (!fits)
    return jr_error_op(unit, site->call, JITRUN_OUT_OF_RANGE,
                       "a memref operand of a custom call begins at byte %lld "
                       "of an allocation of %llu bytes and takes %llu",
                       (long long)slice->offset,
                       (unsigned long long)alloc->size_bytes,
                       (unsigned long long)bytes);
  return NULL;
}

bool jr_constant_bits(const struct jr_unit *unit, MlirValue value,
                      jitrun_dtype_t dtype, uint64_t *out_bits) {
  int64_t number;
  size_t size = jr_dtype_size(dtype);
  if (size > 8)
    return false;
  if (jr_constant_s64(unit, jr_skip_sign_casts(unit, value), &number)) {
    *out_bits = (uint64_t)number;
    if (dtype == JITRUN_DTYPE_PRED)
      *out_bits &= 1;
    else if (dtype == JITRUN_DTYPE_U4)
      *out_bits &= 15;
    else if (size < 8)
      *out_bits &= (UINT64_C(1) << (8 * size)) - 1;
    return true;
  }
  if (!mlirValueIsAOpResult(value) ||
      !jr_is(mlirOpResultGetOwner(value), unit->names.arith_constant))
    return false;
  MlirAttribute attribute = mlirOperationGetInherentAttributeByName(
      mlirOpResultGetOwner(value), jr_ref("value"));
  if (!mlirAttributeIsAFloat(attribute))
    return false;
  *out_bits = jr_float_encode(dtype, mlirFloatAttrGetValueDouble(attribute));
  return true;
}

uint32_t jr_param_index(struct jr_unit *unit,
                        const struct jr_function *function, MlirValue value) {
  MlirRegion body = mlirOperationGetRegion(function->op, 0);
  if (function->entry == JR_NONE || !mlirValueIsABlockArgument(value) ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(value),
                      mlirRegionGetFirstBlock(body)))
    return JR_NONE;
  const struct jr_entry *entry =
      jr_table_at(&unit->table, JR_SECTION_ENTRIES, function->entry);
  return entry->first_param + (uint32_t)mlirBlockArgumentGetArgNumber(value);
}

static void plan_word(struct site_builder *site, MlirValue value,
                      const struct jr_mlir_type *type, struct jr_arg *arg) {
  struct jr_unit *unit = site->planner->unit;
  arg->type = type->written;
  if (type->kind == JITRUN_KIND_SCALAR &&
      jr_constant_bits(unit, value, type->dtype, &arg->value)) {
    arg->kind = JR_ARG_CONST;
    return;
  }
  uint32_t param = jr_param_index(unit, site->planner->function, value);
  if (param != JR_NONE) {
    arg->kind = JR_ARG_PARAM;
    arg->index = param;
    return;
  }
  arg->kind = JR_ARG_SCALAR;
  site->is_static = false;
}

static jitrun_error_t *plan_operand(struct site_builder *site, intptr_t number,
                                    struct jr_arg *arg) {
  struct jr_unit *unit = site->planner->unit;
  MlirValue value = mlirOperationGetOperand(site->call, number);
  const struct jr_mlir_type *type = jr_type_find(unit, mlirValueGetType(value));
  if (!type ||
      (type->kind == JITRUN_KIND_SCALAR && jr_dtype_size(type->dtype) > 8))
    return refuse(site, "argument", number, mlirValueGetType(value));
  if (jr_mlir_type_is_word(type)) {
    plan_word(site, value, type, arg);
    return NULL;
  }
  struct jr_slice slice;
  jr_slice_find(unit, site->planner->function, value, &slice);
  if (slice.alloc != JR_NONE)
    return plan_slice(site, value, &slice, arg);
  plan_runtime_buffer(site, value, arg);
  return NULL;
}

static jitrun_error_t *plan_call_result(struct site_builder *site,
                                        intptr_t number, struct jr_arg *arg) {
  MlirType mlir_type =
      mlirValueGetType(mlirOperationGetResult(site->call, number));
  const struct jr_mlir_type *type =
      jr_type_find(site->planner->unit, mlir_type);
  if (!type ||
      (type->kind == JITRUN_KIND_SCALAR && jr_dtype_size(type->dtype) > 8))
    return refuse(site, "result", number, mlir_type);
  arg->kind = JR_ARG_RESULT;
  arg->type = type->written;
  place_type(site, type, arg);
  site->is_static = false;
  return NULL;
}

static jitrun_error_t *plan_args(struct site_builder *site, intptr_t args,
                                 intptr_t results) {
  struct jr_table_writer *table = &site->planner->unit->table;
  for (intptr_t i = 0; i < args + results; i++) {
    struct jr_arg arg = {0};
    site->next_arg = site->first_arg + (uint32_t)i;
    JITRUN_TRY(i < args ? plan_operand(site, i, &arg)
                        : plan_call_result(site, i - args, &arg));
    struct jr_arg *record =
        jr_table_at(table, JR_SECTION_ARGS, site->first_arg + (uint32_t)i);
    if (!record)
      return jr_error_no_memory();
    *record = arg;
  }
  return NULL;
}

static bool push_call(struct jr_planner *planner, struct jr_planned_call call) {
  struct jr_planned_call *calls =
      jr_grow(planner->calls, &planner->call_capacity, planner->call_count,
              sizeof *calls);
  if (!calls)
    return false;
  planner->calls = calls;
  planner->calls[planner->call_count++] = call;
  return true;
}

static void mark_results(const struct jr_unit *unit, MlirOperation call,
                         uint32_t first) {
  mlirOperationSetDiscardableAttributeByName(
      call, jr_ref(JR_ATTR_RESULTS),
      mlirIntegerAttrGet(mlirIntegerTypeGet(unit->context, 64), first));
}

static void mark_region(struct jr_unit *unit, MlirOperation call,
                        uint32_t site) {
  if (!unit->has_marks)
    return;
  uint32_t region = jr_rt_region(unit, call);
  struct jr_site *record = jr_table_at(&unit->table, JR_SECTION_SITES, site);
  record->region = region;
}

bool jr_says(MlirOperation op, const char *name) {
  MlirAttribute attribute =
      mlirOperationGetDiscardableAttributeByName(op, jr_ref(name));
  return !mlirAttributeIsNull(attribute) &&
         !(mlirAttributeIsABool(attribute) && !mlirBoolAttrGetValue(attribute));
}

/// True for a call that may be missing as long as it is not run.
static bool is_optional(const struct site_builder *site,
                        const struct jr_callee *callee) {
  return callee->is_optional || (site->planner->unit->has_marks &&
                                 jr_says(site->call, "jitrun.optional"));
}

static uint32_t site_flags(const struct site_builder *site,
                           const struct jr_callee *callee) {
  return (site->is_static ? (uint32_t)JR_SITE_STATIC : 0) |
         (is_optional(site, callee) ? (uint32_t)JR_SITE_OPTIONAL : 0);
}

jitrun_error_t *jr_plan_site(struct jr_planner *planner, MlirOperation call,
                             const struct jr_callee *callee) {
  struct jr_table_writer *table = &planner->unit->table;
  intptr_t args = mlirOperationGetNumOperands(call);
  bool is_tested =
      planner->unit->has_marks &&
      !mlirAttributeIsNull(mlirOperationGetDiscardableAttributeByName(
          call, jr_ref(JR_ATTR_STATUS)));
  intptr_t results = mlirOperationGetNumResults(call) - is_tested;
  struct site_builder site = {
      .planner = planner,
      .call = call,
      .index = jr_table_count(table, JR_SECTION_SITES),
      .first_arg = jr_table_count(table, JR_SECTION_ARGS),
      .frame_bytes = jr_frame_header_bytes((uint32_t)args, (uint32_t)results),
      .is_static = true};
  if (!jr_table_add(table, JR_SECTION_SITES, 1) ||
      (args + results > 0 &&
       !jr_table_add(table, JR_SECTION_ARGS, (uint32_t)(args + results))))
    return jr_error_no_memory();
  JITRUN_TRY(plan_args(&site, args, results));
  JITRUN_TRY(jr_attrs_encode(planner->unit, call, callee, site.index));
  struct jr_source_location at =
      jr_locate(planner->unit, mlirOperationGetLocation(call));
  jr_str_t name = jr_name_add(planner->unit, callee->target);
  jr_str_t file = jr_name_add(planner->unit, at.file);
  struct jr_site *record = jr_table_at(table, JR_SECTION_SITES, site.index);
  record->target = name;
  record->file = file;
  record->line = at.line;
  record->column = at.column;
  record->first_arg = site.first_arg;
  record->arg_count = (uint32_t)args;
  record->result_count = (uint32_t)results;
  record->frame_bytes = (site.frame_bytes + 15) & ~UINT32_C(15);
  record->flags = site_flags(&site, callee);
  if (!site.is_static || is_tested)
    planner->function->native = true;
  mark_region(planner->unit, call, site.index);
  if (results > 0)
    mark_results(planner->unit, call, site.first_arg + (uint32_t)args);
  if (!push_call(planner, (struct jr_planned_call){
                              call, site.index, site.is_static && !is_tested}))
    return jr_error_no_memory();
  return NULL;
}
