/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See llvm_entries.h. The function around an llvm.func takes the same scalars
/// and pointers, calls it and returns its result; of a structure of scalars,
/// which is what MLIR lowers several results to, each. The entry has the name
/// of the llvm.func, the function itself another one.
#include "jit/llvm_entries.h"

#include "base/dtype.h"
#include "jit/build.h"
#include "jit/plan.h"
#include "jit/skipped_entries.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/LLVM.h"

#include <stdio.h>
#include <string.h>

/// An llvm.func and what is known of it.
struct candidate {
  struct jr_unit *unit;
  MlirOperation op;
  MlirType type;    ///< !llvm.func
  MlirType *inputs; ///< of the entry
  intptr_t input_count;
  MlirType *results;
  intptr_t result_count;
  MlirType result;  ///< of the llvm.func; null: void
  bool is_unpacked; ///< it is a structure of the results
};

static MlirAttribute inherent(MlirOperation op, const char *name) {
  return mlirOperationGetInherentAttributeByName(op, jr_ref(name));
}

/// True for what goes between an entry and its caller as one word.
static bool is_word(MlirType type) {
  struct jr_mlir_type unpacked;
  if (mlirTypeIsALLVMPointerType(type))
    return mlirLLVMPointerTypeGetAddressSpace(type) == 0;
  return jr_type_unpack(type, &unpacked) &&
         unpacked.kind == JITRUN_KIND_SCALAR &&
         jr_dtype_size(unpacked.dtype) <= 8;
}

static bool has_other_convention(MlirOperation op) {
  MlirAttribute convention = inherent(op, "CConv");
  return !mlirAttributeIsNull(convention) &&
         !mlirAttributeEqual(
             convention,
             mlirLLVMCConvAttrGet(mlirOperationGetContext(op), MlirLLVMCConvC));
}

static bool is_external(MlirOperation op) {
  MlirAttribute linkage = inherent(op, "linkage");
  return mlirAttributeIsNull(linkage) ||
         mlirAttributeEqual(linkage,
                            mlirLLVMLinkageAttrGet(mlirOperationGetContext(op),
                                                   MlirLLVMLinkageExternal));
}

/// The C API does not tell: "!llvm.func<i32 (ptr, ...)>".
static bool is_variadic(MlirType type) {
  struct jr_bytes text = {0};
  jr_mlir_type_print(type, &text);
  const char *printed = jr_bytes_text(&text);
  bool found = printed && strstr(printed, "...)") != NULL;
  jr_bytes_deinit(&text);
  return found;
}

static bool is_scalar_struct(MlirType type) {
  if (!mlirTypeIsALLVMStructType(type) || mlirLLVMStructTypeIsOpaque(type))
    return false;
  intptr_t count = mlirLLVMStructTypeGetNumElementTypes(type);
  for (intptr_t i = 0; i < count; i++) {
    if (!is_word(mlirLLVMStructTypeGetElementType(type, i)))
      return false;
  }
  return count > 0;
}

static void append_type(struct jr_bytes *reason, const char *what,
                        MlirType type) {
  jr_bytes_appendf(reason, "%s has type ", what);
  jr_mlir_type_print(type, reason);
  jr_bytes_append_text(reason,
                       "; entries take and return integers of 1, 4, 8, 16, 32 "
                       "and 64 bits, floats and !llvm.ptr");
}

/// Fills in what the entry returns; adds to `reason` why it cannot.
static bool read_result(struct candidate *candidate, struct jr_bytes *reason) {
  MlirType type = mlirLLVMFunctionTypeGetReturnType(candidate->type);
  MlirContext context = candidate->unit->context;
  if (mlirTypeEqual(type, mlirLLVMVoidTypeGet(context)))
    return true;
  candidate->result = type;
  candidate->is_unpacked = is_scalar_struct(type);
  if (!candidate->is_unpacked && !is_word(type)) {
    append_type(reason, "its result", type);
    return true;
  }
  candidate->result_count =
      candidate->is_unpacked ? mlirLLVMStructTypeGetNumElementTypes(type) : 1;
  candidate->results =
      jr_arena_alloc(&candidate->unit->arena,
                     (size_t)candidate->result_count * sizeof(MlirType));
  for (intptr_t i = 0; candidate->results && i < candidate->result_count; i++)
    candidate->results[i] = candidate->is_unpacked
                                ? mlirLLVMStructTypeGetElementType(type, i)
                                : type;
  return candidate->results != NULL;
}

/// The same for what it takes.
static bool read_inputs(struct candidate *candidate, struct jr_bytes *reason) {
  intptr_t count = mlirLLVMFunctionTypeGetNumInputs(candidate->type);
  candidate->input_count = count;
  candidate->inputs = jr_arena_alloc(&candidate->unit->arena,
                                     ((size_t)count + 1) * sizeof(MlirType));
  for (intptr_t i = 0; candidate->inputs && i < count; i++) {
    MlirType type = mlirLLVMFunctionTypeGetInput(candidate->type, i);
    char what[64];
    (void)snprintf(what, sizeof what, "its argument %lld", (long long)i);
    candidate->inputs[i] = type;
    if (reason->size == 0 && !is_word(type))
      append_type(reason, what, type);
  }
  return candidate->inputs != NULL;
}

/// Reads the signature; `reason` stays empty where it is that of an entry.
static jitrun_error_t *read_candidate(struct candidate *candidate,
                                      struct jr_bytes *reason) {
  candidate->type =
      mlirTypeAttrGetValue(inherent(candidate->op, "function_type"));
  if (is_variadic(candidate->type))
    jr_bytes_append_text(reason, "it takes any number of arguments");
  else if (has_other_convention(candidate->op))
    jr_bytes_append_text(reason, "its calling convention is not that of C");
  else if (!read_inputs(candidate, reason) ||
           (reason->size == 0 && !read_result(candidate, reason)))
    return jr_error_no_memory();
  return jr_bytes_check(reason);
}

static MlirOperation create_call(const struct candidate *candidate,
                                 struct jr_builder *b) {
  MlirContext context = candidate->unit->context;
  const int32_t segments[] = {(int32_t)candidate->input_count, 0};
  const MlirNamedAttribute attributes[] = {
      jr_named(
          candidate->unit->context, "callee",
          mlirFlatSymbolRefAttrGet(context, jr_symbol_name(candidate->op))),
      jr_named(candidate->unit->context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(context, 2, segments)),
      jr_named(candidate->unit->context, "op_bundle_sizes",
               mlirDenseI32ArrayGet(context, 0, NULL))};
  MlirOperationState state =
      mlirOperationStateGet(jr_ref("llvm.call"), b->location);
  mlirOperationStateAddAttributes(&state, 3, attributes);
  for (intptr_t i = 0; i < candidate->input_count; i++) {
    MlirValue argument = mlirBlockGetArgument(b->block, i);
    mlirOperationStateAddOperands(&state, 1, &argument);
  }
  if (!mlirTypeIsNull(candidate->result))
    mlirOperationStateAddResults(&state, 1, &candidate->result);
  MlirOperation call = mlirOperationCreate(&state);
  mlirBlockAppendOwnedOperation(b->block, call);
  return call;
}

/// Result `index` of the entry.
static MlirValue take_result(const struct candidate *candidate,
                             struct jr_builder *b, MlirOperation call,
                             int64_t index) {
  MlirValue value = mlirOperationGetResult(call, 0);
  if (!candidate->is_unpacked)
    return value;
  MlirNamedAttribute position =
      jr_named(candidate->unit->context, "position",
               mlirDenseI64ArrayGet(candidate->unit->context, 1, &index));
  MlirOperation op =
      jr_build(b, "llvm.extractvalue",
               &(struct jr_op_parts){.operands = &value,
                                     .operand_count = 1,
                                     .results = &candidate->results[index],
                                     .result_count = 1,
                                     .attributes = &position,
                                     .attribute_count = 1});
  return mlirOperationGetResult(op, 0);
}

static void fill_wrapper(const struct candidate *candidate, MlirBlock block) {
  struct jr_builder b;
  jr_builder_init(&b, candidate->unit->context);
  b.block = block;
  b.location = mlirOperationGetLocation(candidate->op);
  for (intptr_t i = 0; i < candidate->input_count; i++)
    (void)mlirBlockAddArgument(block, candidate->inputs[i], b.location);
  MlirOperation call = create_call(candidate, &b);
  MlirOperationState end =
      mlirOperationStateGet(jr_ref("func.return"), b.location);
  for (intptr_t i = 0; i < candidate->result_count; i++) {
    MlirValue value = take_result(candidate, &b, call, i);
    mlirOperationStateAddOperands(&end, 1, &value);
  }
  mlirBlockAppendOwnedOperation(block, mlirOperationCreate(&end));
}

static void create_wrapper(const struct candidate *candidate) {
  MlirContext context = candidate->unit->context;
  MlirType type =
      mlirFunctionTypeGet(context, candidate->input_count, candidate->inputs,
                          candidate->result_count, candidate->results);
  const MlirNamedAttribute attributes[] = {
      jr_named(candidate->unit->context, "sym_name",
               mlirStringAttrGet(context, jr_ref("jitrun.entry"))),
      jr_named(candidate->unit->context, "function_type",
               mlirTypeAttrGet(type)),
      jr_named(candidate->unit->context, JR_ATTR_ENTRY_NAME,
               mlirStringAttrGet(context, jr_symbol_name(candidate->op)))};
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, block);
  MlirOperationState state = mlirOperationStateGet(
      jr_ref("func.func"), mlirOperationGetLocation(candidate->op));
  mlirOperationStateAddAttributes(&state, 3, attributes);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  fill_wrapper(candidate, block);
  (void)mlirSymbolTableInsert(candidate->unit->symbols,
                              mlirOperationCreate(&state));
}

static jitrun_error_t *add_entry(struct jr_unit *unit, MlirOperation op) {
  struct candidate candidate = {.unit = unit, .op = op};
  struct jr_bytes reason = {0};
  jitrun_error_t *error = read_candidate(&candidate, &reason);
  if (!error && reason.size > 0)
    error = jr_skip_entry(unit, jr_symbol_name(op), &reason);
  else if (!error)
    create_wrapper(&candidate);
  jr_bytes_deinit(&reason);
  return error;
}

/// What an llvm.func cannot hold: it is not given the execution, and functions
/// and globals of other dialects are not what they were.
static bool is_refused(const struct jr_names *names, MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  return jr_is(op, names->cf_assert) || jr_is(op, names->memref_get_global) ||
         jr_ref_begins(name, "func.") || jr_ref_begins(name, "async.");
}

struct finding {
  const struct jr_unit *unit;
  jitrun_error_t *error;
};

static MlirWalkResult check_op(MlirOperation op, void *context) {
  struct finding *finding = context;
  if (!is_refused(&finding->unit->names, op))
    return MlirWalkResultAdvance;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  finding->error = jr_error_op(
      finding->unit, op, JITRUN_UNIMPLEMENTED,
      "operation '%.*s' is not supported in an llvm.func; write the function "
      "as a func.func",
      (int)name.length, name.data);
  return MlirWalkResultInterrupt;
}

/// True when some func.func is an entry: an llvm.func beside it is a helper.
static bool has_entry(const struct jr_unit *unit) {
  bool any_marked = jr_any_marked(unit);
  MlirIdentifier name = unit->names.func_func;
  for (MlirOperation op = jr_first_of(unit, name); !mlirOperationIsNull(op);
       op = jr_next_of(mlirOperationGetNextInBlock(op), name)) {
    if (jr_is_exported(op, any_marked))
      return true;
  }
  return false;
}

jitrun_error_t *jr_llvm_entries(struct jr_unit *unit) {
  struct finding finding = {.unit = unit};
  bool is_helper = has_entry(unit);
  MlirIdentifier name = unit->names.llvm_func;
  MlirOperation op = jr_first_of(unit, name);
  (void)mlirContextGetOrLoadDialect(unit->context, jr_ref("func"));
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = jr_next_of(mlirOperationGetNextInBlock(op), name);
    mlirOperationWalk(op, check_op, &finding, MlirWalkPreOrder);
    if (finding.error)
      return finding.error;
    bool is_entry =
        !is_helper && jr_has_body(op) && !jr_is_private(op) && is_external(op);
    if (is_entry)
      JITRUN_TRY(add_entry(unit, op));
    op = next;
  }
  return NULL;
}
