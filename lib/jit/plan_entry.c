/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Signatures and memory of an entry: its parameters, its placed allocations,
/// the constants it reads, and what becomes of the values it returns.
#include "jit/plan.h"

#include "base/alloc.h"
#include "base/dtype.h"
#include "base/strings.h"
#include "jit/allocations.h"
#include "jit/checks.h"
#include "jit/dense.h"
#include "jit/specialize.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/// Placed memory is aligned to a cache line.
enum { ALLOC_ALIGNMENT = 64, MAX_ALIGNMENT = 4096 };

/// A type that no entry has, and why.
struct refusal {
  const char *what; ///< argument or result
  uint32_t number;
  MlirType type;
  const char *cause;
};

static jitrun_error_t *refuse(struct jr_unit *unit, MlirOperation function,
                              const struct refusal *refusal) {
  struct jr_bytes text = {0};
  jr_mlir_type_print(refusal->type, &text);
  jitrun_error_t *error = jr_error_op(
      unit, function, JITRUN_UNIMPLEMENTED, "%s %u of an entry has type %s%s",
      refusal->what, refusal->number,
      jr_bytes_text(&text) ? (char *)text.data : "?", refusal->cause);
  jr_bytes_deinit(&text);
  return error;
}

static jitrun_error_t *refuse_type(struct jr_unit *unit, MlirOperation function,
                                   const char *what, uint32_t number,
                                   MlirType type) {
  return refuse(unit, function,
                &(struct refusal){what, number, type,
                                  "; entries take and return scalars and "
                                  "ranked memrefs of integers, index and "
                                  "floats, and opaque and async values"});
}

static jitrun_error_t *refuse_extents(struct jr_unit *unit,
                                      MlirOperation function, const char *what,
                                      uint32_t number, MlirType type) {
  return refuse(unit, function,
                &(struct refusal){what, number, type,
                                  ", which has over 2^63 bytes or negative "
                                  "strides; make it smaller, or its sizes and "
                                  "strides dynamic"});
}

static uint32_t dynamic_count(const struct jr_mlir_type *type) {
  uint32_t count = 0;
  for (int i = 0; i < 2 * type->rank; i++)
    count += type->extents[i] == JITRUN_DYNAMIC;
  return count;
}

/// Adds the allocation behind a parameter or result; JR_NONE without memory.
static uint32_t add_value_alloc(struct jr_unit *unit, enum jr_alloc_kind kind,
                                uint32_t param, const struct jr_mlir_type *type,
                                uint64_t bytes) {
  uint32_t index = jr_table_count(&unit->table, JR_SECTION_ALLOCS);
  struct jr_alloc *alloc = jr_table_add(&unit->table, JR_SECTION_ALLOCS, 1);
  if (!alloc)
    return JR_NONE;
  *alloc = (struct jr_alloc){.kind = kind,
                             .param = param,
                             .size_bytes = bytes,
                             .alignment = jr_dtype_size(type->dtype),
                             .type = type->written};
  return index;
}

/// Fills one parameter's record; `*words` counts run-time values.
static jitrun_error_t *plan_param(struct jr_unit *unit, MlirOperation function,
                                  MlirType type, uint32_t number,
                                  uint32_t index, uint32_t *words) {
  const struct jr_mlir_type *unpacked = jr_type_find(unit, type);
  uint64_t bytes = 0;
  if (!unpacked || (unpacked->kind == JITRUN_KIND_SCALAR &&
                    jr_dtype_size(unpacked->dtype) > 8))
    return refuse_type(unit, function, "argument", number, type);
  if (unpacked->is_static && !jr_mlir_type_is_word(unpacked) &&
      !jr_mlir_type_bytes(unpacked, &bytes))
    return refuse_extents(unit, function, "argument", number, type);
  struct jr_param param = {.type = unpacked->written,
                           .alloc = JR_NONE,
                           .first_word = *words,
                           .flags = jr_constraint_flag(function, number)};
  if (unpacked->kind == JITRUN_KIND_BUFFER) {
    param.alloc = add_value_alloc(unit, JR_ALLOC_PARAM, index, unpacked, bytes);
    param.alignment = jr_dtype_size(unpacked->dtype);
    *words += dynamic_count(unpacked);
  } else {
    *words += 1;
  }
  JITRUN_TRY(jr_plan_role(unit, function, number, &param));
  struct jr_param *record = jr_table_at(&unit->table, JR_SECTION_PARAMS, index);
  if (!record)
    return jr_error_no_memory();
  *record = param;
  return NULL;
}

/// Fills one result's record; its words come once the entry was walked.
static jitrun_error_t *plan_result(struct jr_unit *unit, MlirOperation function,
                                   MlirType type, uint32_t number,
                                   uint32_t index) {
  const struct jr_mlir_type *unpacked = jr_type_find(unit, type);
  uint64_t bytes;
  if (!unpacked)
    return refuse_type(unit, function, "result", number, type);
  if (unpacked->is_static && !jr_mlir_type_is_word(unpacked) &&
      !jr_mlir_type_bytes(unpacked, &bytes))
    return refuse_extents(unit, function, "result", number, type);
  struct jr_param param = {.type = unpacked->written, .alloc = JR_NONE};
  if (!jr_mlir_type_is_word(unpacked))
    param.alignment = jr_dtype_size(unpacked->dtype);
  struct jr_param *record = jr_table_at(&unit->table, JR_SECTION_PARAMS, index);
  if (!record)
    return jr_error_no_memory();
  *record = param;
  return NULL;
}

jitrun_error_t *jr_plan_entry(struct jr_unit *unit,
                              struct jr_function *function) {
  struct jr_source_location at =
      jr_locate(unit, mlirOperationGetLocation(function->op));
  MlirType type = mlirTypeAttrGetValue(mlirOperationGetInherentAttributeByName(
      function->op, jr_ref("function_type")));
  uint32_t params = (uint32_t)mlirFunctionTypeGetNumInputs(type);
  uint32_t results = (uint32_t)mlirFunctionTypeGetNumResults(type);
  MlirStringRef name = jr_entry_name(function->op);
  struct jr_entry entry = {
      .name = jr_table_add_string(&unit->table, name.data, name.length),
      .first_param = jr_table_count(&unit->table, JR_SECTION_PARAMS),
      .param_count = params,
      .result_count = results,
      .file = jr_table_add_string(&unit->table, at.file.data, at.file.length),
      .line = at.line,
      .column = at.column};
  function->entry = jr_table_count(&unit->table, JR_SECTION_ENTRIES);
  if (params + results > 0 &&
      !jr_table_add(&unit->table, JR_SECTION_PARAMS, params + results))
    return jr_error_no_memory();
  for (uint32_t i = 0; i < params; i++)
    JITRUN_TRY(plan_param(unit, function->op, mlirFunctionTypeGetInput(type, i),
                          i, entry.first_param + i, &entry.scalar_words));
  for (uint32_t i = 0; i < results; i++)
    JITRUN_TRY(plan_result(unit, function->op,
                           mlirFunctionTypeGetResult(type, i), i,
                           entry.first_param + params + i));
  JITRUN_TRY(jr_plan_interface(unit, function->op, &entry));
  struct jr_entry *record = jr_table_add(&unit->table, JR_SECTION_ENTRIES, 1);
  if (!record)
    return jr_error_no_memory();
  *record = entry;
  return NULL;
}

static void mark_alloc(struct jr_unit *unit, MlirOperation op, uint32_t index) {
  mlirOperationSetDiscardableAttributeByName(
      op, jr_ref(JR_ATTR_ALLOC),
      mlirIntegerAttrGet(mlirIntegerTypeGet(unit->context, 64), index));
}

/// The alignment that an allocation asks for, at least `least`.
static uint64_t asked_alignment(MlirOperation op, uint64_t least) {
  MlirAttribute attribute =
      mlirOperationGetInherentAttributeByName(op, jr_ref("alignment"));
  int64_t asked = mlirAttributeIsNull(attribute)
                      ? 0
                      : mlirIntegerAttrGetValueInt(attribute);
  return asked > 0 && (uint64_t)asked > least ? (uint64_t)asked : least;
}

/// True when all temporaries of the function have places with one of `bytes`
/// more, wherever these are.
static bool count_temp(struct jr_planner *planner, uint64_t bytes,
                       uint64_t alignment) {
  uint64_t *total = &planner->temp_bytes;
  return jr_align_u64(*total, alignment, total) &&
         jr_add_u64(*total, bytes, total) &&
         jr_align_u64(*total, ALLOC_ALIGNMENT, total) && *total <= INT64_MAX;
}

static jitrun_error_t *push_temp(struct jr_planner *planner, MlirOperation op,
                                 uint32_t alloc) {
  struct jr_placed_temp *temps =
      jr_grow(planner->temps, &planner->temp_capacity, planner->temp_count,
              sizeof *temps);
  if (!temps)
    return jr_error_no_memory();
  planner->temps = temps;
  planner->temps[planner->temp_count++] = (struct jr_placed_temp){op, alloc};
  return NULL;
}

/// True for operations at whose end stack memory of their bodies is gone: those
/// with MLIR's trait AutomaticAllocationScope, which its C API does not show.
static bool is_alloca_scope(MlirOperation op) {
  static const char *const scopes[] = {"affine.for",   "affine.parallel",
                                       "scf.for",      "scf.forall",
                                       "scf.parallel", "memref.alloca_scope"};
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  for (size_t i = 0; i < sizeof scopes / sizeof scopes[0]; i++) {
    if (mlirStringRefEqual(name, jr_ref(scopes[i])))
      return true;
  }
  return false;
}

/// True for stack memory of a loop's body in an entry: all rounds can share one
/// place. What scf.while, scf.if and blocks allocate belongs to the function
/// instead and lives on from round to round.
static bool is_scoped(const struct jr_planner *planner, MlirOperation op) {
  if (planner->function->entry == JR_NONE ||
      !jr_is(op, planner->unit->names.memref_alloca))
    return false;
  for (MlirOperation parent = mlirOperationGetParentOperation(op);
       !mlirOperationEqual(parent, planner->function->op);
       parent = mlirOperationGetParentOperation(parent)) {
    if (is_alloca_scope(parent))
      return true;
  }
  return false;
}

jitrun_error_t *jr_plan_alloc(struct jr_planner *planner, MlirOperation op,
                              bool at_top) {
  struct jr_unit *unit = planner->unit;
  const struct jr_mlir_type *type =
      jr_type_find(unit, mlirValueGetType(mlirOperationGetResult(op, 0)));
  bool known = type && type->is_static;
  bool stays = at_top || is_scoped(planner, op);
  if (jr_is_explicit(op) || !known || !stays) {
    planner->function->native = true;
    return NULL;
  }
  uint64_t alignment = asked_alignment(op, ALLOC_ALIGNMENT);
  uint64_t bytes;
  if (alignment > MAX_ALIGNMENT)
    return jr_error_op(unit, op, JITRUN_UNIMPLEMENTED,
                       "alignment %llu is over the limit of %d bytes",
                       (unsigned long long)alignment, MAX_ALIGNMENT);
  if (!jr_mlir_type_bytes(type, &bytes) ||
      !count_temp(planner, bytes, alignment)) {
    return jr_error_op(unit, op, JITRUN_RESOURCE_EXHAUSTED,
                       "an allocation of this size does not fit in a 64-bit "
                       "address space");
  }
  uint32_t index = add_value_alloc(unit, JR_ALLOC_TEMP, JR_NONE, type, bytes);
  struct jr_alloc *alloc = jr_table_at(&unit->table, JR_SECTION_ALLOCS, index);
  if (!alloc)
    return jr_error_no_memory();
  alloc->alignment = alignment;
  mark_alloc(unit, op, index);
  return push_temp(planner, op, index);
}

/// Adds what a global begins with to the data; NULL, or why it cannot be.
static const char *add_contents(struct jr_unit *unit,
                                const struct jr_mlir_type *type,
                                MlirAttribute value, uint64_t *out_bytes,
                                uint64_t *out_offset) {
  jitrun_dtype_t dtype;
  uint64_t count = 0;
  if (!type || !type->is_static || !jr_mlir_type_bytes(type, out_bytes))
    return "its type is not supported";
  if (mlirAttributeIsNull(value))
    return "it is declared only; give it a value";
  if (mlirAttributeIsAUnit(value)) {
    *out_offset =
        jr_table_add_data(&unit->table, NULL, *out_bytes, ALLOC_ALIGNMENT);
    return NULL;
  }
  if (!mlirAttributeIsADenseElements(value))
    return "its elements do not stand in the program";
  const char *cause = jr_dense_add(&unit->table, value, ALLOC_ALIGNMENT, &dtype,
                                   &count, out_offset);
  if (!cause && count * jr_dtype_size(dtype) != *out_bytes)
    cause = "it is not row-major";
  return cause;
}

/// Adds the memory of a memref.global, which `op` is about; its operation
/// remembers the index.
static jitrun_error_t *place_global(struct jr_unit *unit, MlirOperation op,
                                    MlirOperation global, uint32_t *out_index) {
  const struct jr_mlir_type *type = jr_type_find(
      unit, mlirTypeAttrGetValue(mlirOperationGetInherentAttributeByName(
                global, jr_ref("type"))));
  MlirStringRef name = jr_symbol_name(global);
  MlirAttribute constant =
      mlirOperationGetInherentAttributeByName(global, jr_ref("constant"));
  MlirAttribute value =
      mlirOperationGetInherentAttributeByName(global, jr_ref("initial_value"));
  uint64_t offset = 0;
  uint64_t bytes = 0;
  const char *cause = add_contents(unit, type, value, &bytes, &offset);
  if (cause)
    return jr_error_op(unit, op, JITRUN_UNIMPLEMENTED,
                       "memref.global '%.*s' cannot be used: %s",
                       (int)name.length, name.data, cause);
  enum jr_alloc_kind kind =
      mlirAttributeIsNull(constant) ? JR_ALLOC_GLOBAL : JR_ALLOC_CONSTANT;
  if (kind == JR_ALLOC_CONSTANT && unit->options->constants && bytes > 0) {
    kind = JR_ALLOC_FILE;
    offset = jr_table_move_constant(&unit->table, offset, bytes);
  }
  *out_index = add_value_alloc(unit, kind, JR_NONE, type, bytes);
  jr_str_t string = jr_table_add_string(&unit->table, name.data, name.length);
  struct jr_alloc *alloc =
      jr_table_at(&unit->table, JR_SECTION_ALLOCS, *out_index);
  if (!alloc)
    return jr_error_no_memory();
  alloc->offset = offset;
  alloc->alignment = ALLOC_ALIGNMENT;
  alloc->name = string;
  mark_alloc(unit, global, *out_index);
  return NULL;
}

jitrun_error_t *jr_plan_global(struct jr_planner *planner, MlirOperation op) {
  struct jr_unit *unit = planner->unit;
  MlirOperation global = mlirSymbolTableLookup(
      unit->symbols,
      mlirFlatSymbolRefAttrGetValue(
          mlirOperationGetInherentAttributeByName(op, jr_ref("name"))));
  MlirAttribute placed =
      mlirOperationGetDiscardableAttributeByName(global, jr_ref(JR_ATTR_ALLOC));
  uint32_t index;
  if (mlirAttributeIsNull(placed))
    JITRUN_TRY(place_global(unit, op, global, &index));
  else
    index = (uint32_t)mlirIntegerAttrGetValueInt(placed);
  mark_alloc(unit, op, index);
  return NULL;
}

jitrun_error_t *jr_plan_named(struct jr_unit *unit, MlirOperation function,
                              MlirStringRef name) {
  MlirOperation global = mlirSymbolTableLookup(unit->symbols, name);
  uint32_t index;
  if (mlirOperationIsNull(global) ||
      !mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(global)),
                          jr_ref("memref.global")))
    return NULL; // somebody else has it
  MlirAttribute constant =
      mlirOperationGetInherentAttributeByName(global, jr_ref("constant"));
  MlirAttribute value =
      mlirOperationGetInherentAttributeByName(global, jr_ref("initial_value"));
  MlirAttribute placed =
      mlirOperationGetDiscardableAttributeByName(global, jr_ref(JR_ATTR_ALLOC));
  if (mlirAttributeIsNull(constant) || mlirAttributeIsNull(value) ||
      !mlirAttributeIsNull(placed))
    return NULL;
  return place_global(unit, function, global, &index);
}

void jr_plan_alignment(struct jr_planner *planner, MlirOperation op) {
  struct jr_unit *unit = planner->unit;
  struct jr_slice slice;
  jr_slice_resolve(unit, planner->function, mlirOperationGetResult(op, 0),
                   &slice);
  uint64_t alignment = (uint64_t)mlirIntegerAttrGetValueInt(
      mlirOperationGetInherentAttributeByName(op, jr_ref("alignment")));
  struct jr_alloc *alloc =
      jr_table_at(&unit->table, JR_SECTION_ALLOCS, slice.alloc);
  if (slice.alloc == JR_NONE || alloc->kind != JR_ALLOC_PARAM ||
      slice.offset % (int64_t)alignment != 0 || alignment <= alloc->alignment)
    return;
  struct jr_param *param =
      jr_table_at(&unit->table, JR_SECTION_PARAMS, alloc->param);
  alloc->alignment = alignment;
  param->alignment = alignment;
}

/// Makes a placed allocation the memory of a result, or has the result copied
/// from it; false when the value is none that we can follow.
static bool bind_result(struct jr_planner *planner, MlirValue value,
                        uint32_t index) {
  struct jr_unit *unit = planner->unit;
  struct jr_slice slice;
  jr_slice_resolve(unit, planner->function, value, &slice);
  if (slice.alloc == JR_NONE || slice.offset != 0 || !slice.whole)
    return false;
  struct jr_param *param = jr_table_at(&unit->table, JR_SECTION_PARAMS, index);
  struct jr_alloc *alloc =
      jr_table_at(&unit->table, JR_SECTION_ALLOCS, slice.alloc);
  const jitrun_type_t *source =
      jr_table_written_type(&unit->table, alloc->type);
  const jitrun_type_t *result =
      jr_table_written_type(&unit->table, param->type);
  if (!jr_type_size_bytes(source, &(uint64_t){0}) ||
      !jr_type_size_bytes(result, &(uint64_t){0}))
    return false; /* sizes that only the execution knows */
  param->alloc = slice.alloc;
  if (alloc->kind == JR_ALLOC_TEMP) {
    alloc->kind = JR_ALLOC_LIVE_OUT;
    alloc->param = index;
    alloc->offset = 0;
    /* The caller's memory need not be aligned as well as ours would be. */
    alloc->alignment = asked_alignment(slice.root, param->alignment);
    param->alignment = alloc->alignment;
  } else {
    param->flags |= JR_RESULT_COPY;
  }
  return true;
}

void jr_plan_return(struct jr_planner *planner, MlirOperation op) {
  struct jr_unit *unit = planner->unit;
  if (planner->function->entry == JR_NONE)
    return;
  const struct jr_entry *entry =
      jr_table_at(&unit->table, JR_SECTION_ENTRIES, planner->function->entry);
  uint32_t first = entry->first_param + entry->param_count;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue value = mlirOperationGetOperand(op, i);
    uint32_t index = first + (uint32_t)i;
    bool is_memref = mlirTypeIsAMemRef(mlirValueGetType(value));
    if (is_memref && planner->return_count == 1 &&
        bind_result(planner, value, index))
      continue;
    struct jr_param *param =
        jr_table_at(&unit->table, JR_SECTION_PARAMS, index);
    param->flags |= is_memref ? JR_RESULT_STORED : 0;
    planner->function->native = true;
  }
}
