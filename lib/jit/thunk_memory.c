/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Thunks of memrefs: where they are, and what is loaded, stored and copied.
/// All are of static type; a slice begins as many bytes into its source as
/// index arithmetic says. See thunker.h.
#include "jit/thunker.h"

#include "base/dtype.h"
#include "jit/checks.h"
#include "runtime/thunk_ops.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/// Memory at a place that is the same in every execution: found once.
static uint32_t use_placed(struct jr_thunker *thunker, MlirValue value,
                           const struct jr_slice *slice) {
  const struct jr_alloc *alloc =
      jr_table_at(&thunker->unit->table, JR_SECTION_ALLOCS, slice->alloc);
  const struct jr_mlir_type *type =
      jr_type_find(thunker->unit, mlirValueGetType(value));
  uint64_t size = alloc->size_bytes;
  uint64_t bytes = 0;
  if (!type || !type->is_static || !jr_mlir_type_bytes(type, &bytes) ||
      slice->offset < 0 || (uint64_t)slice->offset > size ||
      bytes > size - (uint64_t)slice->offset)
    return JR_NONE;
  uint32_t number = jr_thunk_define(thunker, value);
  struct jr_thunk thunk = {.kind = JR_THUNK_ADDRESS,
                           .target = number,
                           .first = slice->alloc,
                           .count = (uint64_t)slice->offset};
  return number != JR_NONE && jr_thunk_add_head(thunker, thunk) ? number
                                                                : JR_NONE;
}

static uint32_t add_slice(struct jr_thunker *thunker, uint32_t target,
                          uint32_t source, uint32_t offset) {
  struct jr_thunk thunk = {
      .kind = JR_THUNK_SLICE, .target = target, .a = source, .b = offset};
  if (target == JR_NONE || source == JR_NONE || offset == JR_NONE ||
      !jr_thunk_add(thunker, thunk))
    return JR_NONE;
  return target;
}

/// sum + index * step, where JR_NONE stands for 0.
static bool add_term(struct jr_thunker *thunker, MlirValue index, int64_t step,
                     uint32_t *sum) {
  uint32_t factor = jr_thunk_word(thunker, index);
  uint32_t scale = jr_thunk_constant(thunker, step);
  uint32_t term = jr_thunk_binary(thunker, JR_OP_MUL, factor, scale);
  *sum =
      *sum == JR_NONE ? term : jr_thunk_binary(thunker, JR_OP_ADD, *sum, term);
  return *sum != JR_NONE;
}

/// The constant part of an offset comes last.
static uint32_t add_constant(struct jr_thunker *thunker, uint32_t sum,
                             int64_t bytes) {
  if (sum != JR_NONE && bytes == 0)
    return sum;
  uint32_t constant = jr_thunk_constant(thunker, bytes);
  return sum == JR_NONE ? constant
                        : jr_thunk_binary(thunker, JR_OP_ADD, sum, constant);
}

/// Bytes from the source of a memref.subview to it; wraps as code does.
static uint32_t subview_offset(struct jr_thunker *thunker, MlirOperation op,
                               const struct jr_mlir_type *source) {
  MlirAttribute offsets =
      mlirOperationGetInherentAttributeByName(op, jr_ref("static_offsets"));
  uint64_t element = jr_dtype_size((jitrun_dtype_t)source->dtype);
  uint64_t fixed = 0;
  uint32_t sum = JR_NONE;
  intptr_t operand = 1;
  for (int i = 0; i < source->rank; i++) {
    int64_t offset = mlirDenseI64ArrayGetElement(offsets, i);
    uint64_t step = (uint64_t)source->extents[source->rank + i] * element;
    if (offset != JITRUN_DYNAMIC)
      fixed += (uint64_t)offset * step;
    else if (!add_term(thunker, mlirOperationGetOperand(op, operand++),
                       (int64_t)step, &sum))
      return JR_NONE;
  }
  return add_constant(thunker, sum, (int64_t)fixed);
}

/// Bytes from the source of a view to it; JR_NONE where nothing is known.
static uint32_t view_offset(struct jr_thunker *thunker, MlirOperation op,
                            const struct jr_mlir_type *source) {
  const struct jr_names *names = &thunker->unit->names;
  int64_t delta = 0;
  if (jr_slice_step(thunker->unit, op, &delta))
    return jr_thunk_constant(thunker, delta);
  if (jr_is(op, names->memref_view))
    return jr_thunk_word(thunker, mlirOperationGetOperand(op, 1));
  return jr_is(op, names->memref_subview) ? subview_offset(thunker, op, source)
                                          : JR_NONE;
}

/// A part of other memory, or the same memory seen in another way.
static uint32_t use_view(struct jr_thunker *thunker, MlirValue value) {
  MlirOperation op = mlirOpResultGetOwner(value);
  /* A cast may reach out of what it is made from, and a slice may not. */
  if (mlirOperationGetNumOperands(op) == 0 ||
      !jr_op_is_neutral(thunker->unit, op) ||
      jr_is(op, thunker->unit->names.memref_reinterpret_cast))
    return JR_NONE;
  MlirValue from = mlirOperationGetOperand(op, 0);
  if (!mlirTypeIsAMemRef(mlirValueGetType(from)))
    return JR_NONE;
  const struct jr_mlir_type *type =
      jr_type_find(thunker->unit, mlirValueGetType(from));
  uint32_t source = jr_thunk_memory(thunker, from);
  if (!type || source == JR_NONE)
    return JR_NONE;
  uint32_t offset = view_offset(thunker, op, type);
  return add_slice(thunker, jr_thunk_passing(thunker, value), source, offset);
}

uint32_t jr_thunk_memory(struct jr_thunker *thunker, MlirValue value) {
  struct jr_slice slice;
  uint32_t number = jr_number_get(&thunker->registers, value.ptr);
  if (number != JR_NONE)
    return number;
  jr_slice_resolve(thunker->unit, thunker->function, value, &slice);
  if (slice.alloc != JR_NONE)
    number = use_placed(thunker, value, &slice);
  if (number != JR_NONE || !mlirValueIsAOpResult(value))
    return number;
  uint32_t from = jr_thunk_result(value);
  if (from == JR_NONE)
    return use_view(thunker, value);
  number = jr_thunk_passing(thunker, value);
  if (number == JR_NONE ||
      !jr_thunk_add(thunker, (struct jr_thunk){.kind = JR_THUNK_TAKE,
                                               .target = number,
                                               .from = from}))
    return JR_NONE;
  return number;
}

/// Bytes from element [0, ..., 0] to that of the indices, operands from `first`
/// on; JR_NONE where there is nothing to add, which sets *out_is_first.
static uint32_t element_offset(struct jr_thunker *thunker, MlirOperation op,
                               intptr_t first, const struct jr_mlir_type *type,
                               bool *out_is_first) {
  uint64_t element = jr_dtype_size((jitrun_dtype_t)type->dtype);
  uint64_t fixed = 0;
  uint32_t sum = JR_NONE;
  for (int i = 0; i < type->rank; i++) {
    MlirValue index = mlirOperationGetOperand(op, first + i);
    uint64_t step = (uint64_t)type->extents[type->rank + i] * element;
    int64_t known = 0;
    if (jr_constant_s64(thunker->unit, index, &known))
      fixed += (uint64_t)known * step;
    else if (!add_term(thunker, index, (int64_t)step, &sum))
      return JR_NONE;
  }
  *out_is_first = sum == JR_NONE && fixed == 0;
  return *out_is_first ? JR_NONE : add_constant(thunker, sum, (int64_t)fixed);
}

/// A register for the memory of one element.
static uint32_t use_element(struct jr_thunker *thunker, MlirOperation op,
                            intptr_t number) {
  MlirValue memref = mlirOperationGetOperand(op, number);
  const struct jr_mlir_type *type =
      jr_type_find(thunker->unit, mlirValueGetType(memref));
  uint32_t source = jr_thunk_memory(thunker, memref);
  uint64_t bytes = 0;
  bool is_first = false;
  if (!type || source == JR_NONE || !jr_mlir_type_bytes(type, &bytes) ||
      bytes == 0)
    return JR_NONE;
  uint32_t offset = element_offset(thunker, op, number + 1, type, &is_first);
  if (is_first)
    return source;
  jr_type_ref_t element = jr_table_add_type(
      &thunker->unit->table, JITRUN_KIND_BUFFER, type->dtype, 0, NULL);
  return add_slice(thunker, jr_thunk_register(thunker, element), source,
                   offset);
}

static bool add_load(struct jr_thunker *thunker, MlirOperation op) {
  uint32_t memory = use_element(thunker, op, 0);
  uint32_t target =
      memory == JR_NONE
          ? JR_NONE
          : jr_thunk_define(thunker, mlirOperationGetResult(op, 0));
  if (target == JR_NONE)
    return jr_thunk_cannot(thunker, op, "needs native code");
  return jr_thunk_add(
      thunker,
      (struct jr_thunk){.kind = JR_THUNK_LOAD, .target = target, .a = memory});
}

static bool add_store(struct jr_thunker *thunker, MlirOperation op) {
  uint32_t value = jr_thunk_word(thunker, mlirOperationGetOperand(op, 0));
  uint32_t memory = value == JR_NONE ? JR_NONE : use_element(thunker, op, 1);
  if (memory == JR_NONE)
    return jr_thunk_cannot(thunker, op, "needs native code");
  return jr_thunk_add(
      thunker,
      (struct jr_thunk){.kind = JR_THUNK_STORE, .target = value, .a = memory});
}

static bool add_copy(struct jr_thunker *thunker, MlirOperation op) {
  uint32_t a = jr_thunk_memory(thunker, mlirOperationGetOperand(op, 0));
  uint32_t target = jr_thunk_memory(thunker, mlirOperationGetOperand(op, 1));
  if (a == JR_NONE || target == JR_NONE)
    return jr_thunk_cannot(thunker, op, "needs native code");
  return jr_thunk_add(
      thunker,
      (struct jr_thunk){.kind = JR_THUNK_COPY, .target = target, .a = a});
}

/// Memory that the program allocates: what was placed is there anyway.
static bool add_alloc(struct jr_thunker *thunker, MlirOperation op) {
  if (!mlirAttributeIsNull(mlirOperationGetDiscardableAttributeByName(
          op, jr_ref(JR_ATTR_ALLOC))))
    return true;
  return jr_thunk_cannot(thunker, op,
                         jr_is_explicit(op) ? "is checked to be freed"
                                            : "allocates at run time");
}

static bool add_dealloc(struct jr_thunker *thunker, MlirOperation op) {
  struct jr_slice slice;
  jr_slice_resolve(thunker->unit, thunker->function,
                   mlirOperationGetOperand(op, 0), &slice);
  const struct jr_alloc *alloc =
      slice.alloc == JR_NONE
          ? NULL
          : jr_table_at(&thunker->unit->table, JR_SECTION_ALLOCS, slice.alloc);
  return (alloc && alloc->kind != JR_ALLOC_PARAM) ||
         jr_thunk_cannot(thunker, op, "frees memory at run time");
}

bool jr_thunk_access(struct jr_thunker *thunker, MlirOperation op,
                     bool *out_known) {
  static const struct {
    const char *name;
    bool (*add)(struct jr_thunker *thunker, MlirOperation op);
  } ops[] = {
      {"memref.alloc", add_alloc},     {"memref.alloca", add_alloc},
      {"memref.dealloc", add_dealloc}, {"memref.load", add_load},
      {"memref.store", add_store},     {"memref.copy", add_copy},
  };
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  *out_known = true;
  for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
    if (mlirStringRefEqual(name, jr_ref(ops[i].name)))
      return ops[i].add(thunker, op);
  }
  *out_known = false;
  return false;
}
