/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The sweep over a function, see native.h. Memory and calls have files of
/// their own.
#include "jit/native.h"

#include "jit/async.h"
#include "jit/plan.h"
#include "jit/reach.h"
#include "runtime/exec.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

static bool is_unused(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    if (!mlirOpOperandIsNull(
            mlirValueGetFirstUse(mlirOperationGetResult(op, i))))
      return false;
  }
  return true;
}

/// Reads an integer attribute of ours; false when it is not there.
static bool read_mark(MlirOperation op, const char *name, uint32_t *out_value) {
  MlirAttribute attribute = mlirOperationGetAttributeByName(op, jr_ref(name));
  if (mlirAttributeIsNull(attribute))
    return false;
  *out_value = (uint32_t)mlirIntegerAttrGetValueInt(attribute);
  return true;
}

static bool is_placed(const struct jr_unit *unit, MlirOperation op) {
  uint32_t index;
  return (jr_is(op, unit->names.memref_alloc) ||
          jr_is(op, unit->names.memref_alloca)) &&
         read_mark(op, JR_ATTR_ALLOC, &index);
}

/// Erases, back to front, what served only calls whose frames are complete.
static void erase_unused(struct jr_unit *unit, MlirBlock block) {
  size_t count = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    count++;
  MlirOperation *ops = jr_arena_alloc(&unit->arena, (count + 1) * sizeof *ops);
  if (!ops)
    return; /* only less is erased */
  size_t filled = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    ops[filled++] = op;
  while (filled-- > 0) {
    if ((jr_op_is_neutral(unit, ops[filled]) || is_placed(unit, ops[filled])) &&
        is_unused(ops[filled]))
      mlirOperationDestroy(ops[filled]);
  }
}

MlirValue jr_native_try(struct jr_native *native, uint64_t first,
                        uint64_t count) {
  struct jr_builder *b = &native->builder;
  MlirValue run = jr_build_load(b, b->ptr, native->functions, JR_FUNCTIONS_RUN);
  MlirValue operands[] = {native->exec, jr_build_s64(b, (int64_t)first),
                          jr_build_s64(b, (int64_t)count)};
  return jr_build_call_pointer(b, run, operands, 3, b->ptr);
}

void jr_native_run(struct jr_native *native, uint64_t first, uint64_t count) {
  jr_native_leave(native, jr_native_try(native, first, count));
}

void jr_native_leave(struct jr_native *native, MlirValue error) {
  if (!native->function->is_coroutine) {
    jr_build_check(&native->builder, error, native->null, native->error_block);
    return;
  }
  jr_native_keep(native, error);
  native->error = error;
}

/// Calls the static sites that were met since the last call.
static void flush_calls(struct jr_native *native) {
  if (native->pending_count)
    jr_native_run(native, native->pending_first, native->pending_count);
  native->pending_count = 0;
}

static void queue_call(struct jr_native *native, uint32_t site) {
  if (native->unit->has_async) {
    MlirValue frame = {0};
    if (native->function->is_shared)
      frame = jr_native_frame(native, site);
    jr_native_leave(native, jr_native_site(native, site, frame));
    return;
  }
  if (native->pending_count &&
      site == native->pending_first + native->pending_count) {
    native->pending_count++;
    return;
  }
  flush_calls(native);
  native->pending_first = site;
  native->pending_count = 1;
}

/// True for operations that neither read nor write memory: a run of calls goes
/// on behind them.
static bool is_pure(const struct jr_unit *unit, MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  return jr_op_is_neutral(unit, op) || jr_ref_begins(name, "arith.") ||
         jr_ref_begins(name, "index.");
}

/// The symbol of the function of the program that is called.
static const char *callee_symbol(const struct jr_unit *unit,
                                 MlirOperation call) {
  uint32_t index = 0;
  (void)read_mark(jr_callee_of(unit, call), JR_ATTR_FUNCTION, &index);
  return unit->functions[index].symbol;
}

/// A call to a function of the program: takes the execution, returns an error
/// before its results.
static void rewrite_inner_call(struct jr_native *native, MlirOperation call) {
  struct jr_builder *b = &native->builder;
  intptr_t args = mlirOperationGetNumOperands(call);
  intptr_t results = mlirOperationGetNumResults(call);
  MlirOperation callee = jr_callee_of(native->unit, call);
  MlirNamedAttribute symbol =
      jr_named(b->context, "callee",
               mlirFlatSymbolRefAttrGet(
                   b->context, jr_ref(callee_symbol(native->unit, call))));
  MlirOperationState state =
      mlirOperationStateGet(jr_ref("func.call"), b->location);
  mlirOperationStateAddOperands(&state, 1, &native->exec);
  mlirOperationStateAddResults(&state, 1, &b->ptr);
  mlirOperationStateAddAttributes(&state, 1, &symbol);
  for (intptr_t i = 0; i < args; i++) {
    MlirValue operand = mlirOperationGetOperand(call, i);
    mlirOperationStateAddOperands(&state, 1, &operand);
  }
  for (intptr_t i = 0; i < results; i++) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(call, i));
    mlirOperationStateAddResults(&state, 1, &type);
  }
  MlirOperation op = mlirOperationCreate(&state);
  mlirBlockAppendOwnedOperation(b->block, op);
  for (intptr_t i = 0; i < results; i++)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(call, i),
                                  mlirOperationGetResult(op, i + 1));
  mlirOperationDestroy(call);
  if (!native->function->is_coroutine || !jr_is_coroutine(callee))
    jr_native_leave(native, mlirOperationGetResult(op, 0));
}

static jitrun_error_t *rewrite_call(struct jr_native *native,
                                    MlirOperation call) {
  uint32_t site;
  if (read_mark(call, JR_ATTR_SITE, &site))
    return jr_native_call(native, call, site);
  if (!mlirAttributeIsNull(mlirOperationGetDiscardableAttributeByName(
          call, jr_ref(JR_ATTR_ASYNC))))
    return jr_native_async(native, call);
  if (!jr_has_body(jr_callee_of(native->unit, call))) {
    mlirBlockAppendOwnedOperation(native->builder.block, call);
    return NULL;
  }
  rewrite_inner_call(native, call);
  return NULL;
}

/// Stores a result of an entry that is not in its place already.
static void store_result(struct jr_native *native, MlirValue value,
                         uint32_t number) {
  struct jr_builder *b = &native->builder;
  struct jr_table_writer *table = &native->unit->table;
  const struct jr_entry *entry =
      jr_table_at(table, JR_SECTION_ENTRIES, native->function->entry);
  const struct jr_param *param =
      jr_table_at(table, JR_SECTION_PARAMS,
                  entry->first_param + entry->param_count + number);
  int64_t at = 8 * (int64_t)param->first_word;
  if (!mlirTypeIsAMemRef(mlirValueGetType(value)))
    jr_build_store(b, jr_build_to_frame(b, value), native->results, at);
  else if (param->flags & JR_RESULT_STORED)
    jr_native_store_memref(native, value,
                           &(struct jr_memref_place){.to = native->results,
                                                     .at = at,
                                                     .extents_at = at + 8,
                                                     .is_packed = true});
}

/// Results of an entry go to the execution; every function returns no error.
static void rewrite_return(struct jr_native *native, MlirOperation op) {
  struct jr_builder *b = &native->builder;
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirOperationState state =
      mlirOperationStateGet(jr_ref("func.return"), b->location);
  mlirOperationStateAddOperands(&state, 1, &native->null);
  for (intptr_t i = 0; i < count; i++) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (native->function->entry == JR_NONE)
      mlirOperationStateAddOperands(&state, 1, &value);
    else
      store_result(native, value, (uint32_t)i);
  }
  mlirBlockAppendOwnedOperation(b->block, mlirOperationCreate(&state));
  if (native->function->entry != JR_NONE)
    jr_native_drop_operands(native, op);
  mlirOperationDestroy(op);
}

/// What an assertion says when it fails.
static jr_str_t add_message(struct jr_unit *unit, MlirOperation op,
                            MlirStringRef text) {
  struct jr_bytes message = {0};
  if (mlirAttributeIsNull(mlirOperationGetDiscardableAttributeByName(
          op, jr_ref(JR_ATTR_ERROR))))
    jr_bytes_append_text(&message, "assertion failed: ");
  jr_bytes_append(&message, text.data, text.length);
  jr_str_t string = jr_table_add_string(
      &unit->table, (const char *)message.data, message.size);
  jr_bytes_deinit(&message);
  return string;
}

bool jr_assertion_add(struct jr_unit *unit, MlirOperation op,
                      const char *message, int64_t *out_index) {
  MlirAttribute known =
      mlirOperationGetDiscardableAttributeByName(op, jr_ref(JR_ATTR_ASSERTION));
  if (!mlirAttributeIsNull(known)) {
    *out_index = mlirIntegerAttrGetValueInt(known);
    return true;
  }
  struct jr_source_location at = jr_locate(unit, mlirOperationGetLocation(op));
  MlirStringRef text = mlirStringAttrGetValue(
      mlirOperationGetAttributeByName(op, jr_ref(message)));
  *out_index = jr_table_count(&unit->table, JR_SECTION_ASSERTS);
  struct jr_assert record = {
      .message = add_message(unit, op, text),
      .file = jr_table_add_string(&unit->table, at.file.data, at.file.length),
      .line = at.line,
      .column = at.column};
  struct jr_assert *slot = jr_table_add(&unit->table, JR_SECTION_ASSERTS, 1);
  if (!slot)
    return false;
  *slot = record;
  mlirOperationSetDiscardableAttributeByName(
      op, jr_ref(JR_ATTR_ASSERTION),
      mlirIntegerAttrGet(mlirIntegerTypeGet(unit->context, 64), *out_index));
  return true;
}

jitrun_error_t *jr_native_assertion(struct jr_native *native, MlirOperation op,
                                    const char *message, int64_t *out_index) {
  return jr_assertion_add(native->unit, op, message, out_index)
             ? NULL
             : jr_error_no_memory();
}

MlirBlock jr_native_unless(struct jr_native *native, MlirValue condition) {
  struct jr_builder *b = &native->builder;
  MlirBlock failed = mlirBlockCreate(0, NULL, NULL);
  MlirBlock next = mlirBlockCreate(0, NULL, NULL);
  mlirRegionInsertOwnedBlockAfter(native->body, b->block, failed);
  mlirRegionInsertOwnedBlockAfter(native->body, b->block, next);
  jr_build_branch(b, condition, next, failed);
  b->block = failed;
  return next;
}

void jr_native_fail(struct jr_native *native, MlirValue error, MlirBlock next) {
  struct jr_builder *b = &native->builder;
  jr_build(b, "cf.br",
           &(struct jr_op_parts){.operands = &error,
                                 .operand_count = 1,
                                 .successors = &native->error_block,
                                 .successor_count = 1});
  b->block = next;
}

/// cf.assert: the execution makes the error, which then leaves the function.
static jitrun_error_t *rewrite_assert(struct jr_native *native,
                                      MlirOperation op) {
  struct jr_builder *b = &native->builder;
  int64_t index;
  JITRUN_TRY(jr_native_assertion(native, op, "msg", &index));
  MlirBlock next = jr_native_unless(native, mlirOperationGetOperand(op, 0));
  MlirValue fail =
      jr_build_load(b, b->ptr, native->functions, JR_FUNCTIONS_FAIL);
  MlirValue operands[] = {native->exec, jr_build_s64(b, index)};
  MlirValue error = jr_build_call_pointer(b, fail, operands, 2, b->ptr);
  jr_native_fail(native, error, next);
  mlirOperationDestroy(op);
  return NULL;
}

static jitrun_error_t *rewrite_op(struct jr_native *native, MlirOperation op) {
  const struct jr_names *names = &native->unit->names;
  uint32_t index;
  native->builder.location = mlirOperationGetLocation(op);
  if (jr_is(op, names->site_marker) && read_mark(op, "index", &index)) {
    queue_call(native, index);
    mlirOperationDestroy(op);
    return NULL;
  }
  if (read_mark(op, JR_ATTR_ALLOC, &index)) {
    jr_native_placed(native, op, index);
    return NULL;
  }
  if (!is_pure(native->unit, op))
    flush_calls(native);
  if (jr_is(op, names->func_call))
    return rewrite_call(native, op);
  if (jr_is(op, names->memref_alloc))
    return jr_native_alloc(native, op);
  if (jr_is(op, names->cf_assert))
    return rewrite_assert(native, op);
  if (jr_is(op, names->check))
    return jr_native_check(native, op);
  if (jr_is(op, names->memref_dealloc))
    jr_native_dealloc(native, op);
  else if (jr_is(op, names->func_return))
    rewrite_return(native, op);
  else
    mlirBlockAppendOwnedOperation(native->builder.block, op);
  return NULL;
}

/// Loads what the function needs of the execution.
static void build_prologue(struct jr_native *native) {
  struct jr_builder *b = &native->builder;
  MlirValue exec = native->exec;
  native->null = jr_build_null(b);
  native->functions = jr_build_load(b, b->ptr, exec, JR_EXEC_FUNCTIONS);
  native->bases = jr_build_load(b, b->ptr, exec, JR_EXEC_BASES);
  native->slots = jr_build_load(b, b->ptr, exec, JR_EXEC_SLOTS);
  native->results = jr_build_load(b, b->ptr, exec, JR_EXEC_RESULTS);
}

/// Sweeps one block. Operations are detached first: the builder appends them,
/// or what replaces them, to the block under construction.
static jitrun_error_t *sweep_block(struct jr_native *native, MlirBlock block,
                                   bool is_first) {
  MlirBlock holder = mlirBlockCreate(0, NULL, NULL);
  MlirOperation op = mlirBlockGetFirstOperation(block);
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(holder, op);
    op = next;
  }
  native->builder.block = block;
  if (is_first) {
    build_prologue(native);
    if (native->function->entry != JR_NONE)
      jr_native_params(native, block);
  }
  jitrun_error_t *error = NULL;
  op = mlirBlockGetFirstOperation(holder);
  while (!error && !mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    mlirOperationRemoveFromParent(op);
    error = rewrite_op(native, op);
    op = next;
  }
  /* After an error the module is thrown away; operations left in the holder
     may still be used, so they go back where their users are. */
  while (error && !mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(native->builder.block, op);
    op = next;
  }
  mlirBlockDestroy(holder);
  return error;
}

/// A value that nobody looks at. Handles are pointers in the end.
static MlirValue build_poison(struct jr_builder *b, MlirType type) {
  if (jr_is_async_type(type))
    return jr_build_unary(b, "builtin.unrealized_conversion_cast",
                          jr_build_null(b), type);
  MlirNamedAttribute value =
      jr_named(b->context, "value",
               mlirAttributeParseGet(b->context, jr_ref("#ub.poison")));
  MlirOperation op = jr_build(b, "ub.poison",
                              &(struct jr_op_parts){.results = &type,
                                                    .result_count = 1,
                                                    .attributes = &value,
                                                    .attribute_count = 1});
  return mlirOperationGetResult(op, 0);
}

/// The block that every failure branches to: returns the error.
static void build_error_block(struct jr_native *native, MlirType type) {
  struct jr_builder *b = &native->builder;
  MlirLocation unknown = mlirLocationUnknownGet(b->context);
  native->error_block = mlirBlockCreate(1, &b->ptr, &unknown);
  mlirRegionAppendOwnedBlock(native->body, native->error_block);
  b->block = native->error_block;
  b->location = unknown;
  MlirOperationState state =
      mlirOperationStateGet(jr_ref("func.return"), unknown);
  MlirValue error = mlirBlockGetArgument(native->error_block, 0);
  mlirOperationStateAddOperands(&state, 1, &error);
  for (intptr_t i = 0; native->function->entry == JR_NONE &&
                       i < mlirFunctionTypeGetNumResults(type);
       i++) {
    MlirValue poison = build_poison(b, mlirFunctionTypeGetResult(type, i));
    mlirOperationStateAddOperands(&state, 1, &poison);
  }
  mlirBlockAppendOwnedOperation(native->error_block,
                                mlirOperationCreate(&state));
}

/// (exec) -> error for entries, (exec, args...) -> (error, results...) for
/// others. The name becomes the symbol, which no function of libm has.
static jitrun_error_t *set_type(struct jr_native *native, MlirType old) {
  struct jr_builder *b = &native->builder;
  bool is_entry = native->function->entry != JR_NONE;
  size_t inputs = is_entry ? 0 : (size_t)mlirFunctionTypeGetNumInputs(old);
  size_t results = is_entry ? 0 : (size_t)mlirFunctionTypeGetNumResults(old);
  MlirType *types = jr_arena_alloc(&native->unit->arena,
                                   (inputs + results + 2) * sizeof *types);
  if (!types)
    return jr_error_no_memory();
  types[0] = types[inputs + 1] = b->ptr;
  for (size_t i = 0; i < inputs; i++)
    types[1 + i] = mlirFunctionTypeGetInput(old, (intptr_t)i);
  for (size_t i = 0; i < results; i++)
    types[inputs + 2 + i] = mlirFunctionTypeGetResult(old, (intptr_t)i);
  MlirType type =
      mlirFunctionTypeGet(b->context, (intptr_t)inputs + 1, types,
                          (intptr_t)results + 1, types + inputs + 1);
  MlirOperation op = native->function->op;
  mlirOperationSetInherentAttributeByName(op, jr_ref("function_type"),
                                          mlirTypeAttrGet(type));
  mlirOperationSetInherentAttributeByName(
      op, mlirSymbolTableGetSymbolAttributeName(),
      mlirStringAttrGet(b->context, jr_ref(native->function->symbol)));
  (void)mlirOperationRemoveAttributeByName(op, jr_ref("arg_attrs"));
  (void)mlirOperationRemoveAttributeByName(op, jr_ref("res_attrs"));
  (void)mlirOperationRemoveAttributeByName(op, jr_ref("llvm.emit_c_interface"));
  return NULL;
}

/// Copies the handles of the region's blocks: the sweep adds more.
static MlirBlock *list_blocks(struct jr_native *native, size_t *out_count) {
  size_t count = 0;
  for (MlirBlock block = mlirRegionGetFirstBlock(native->body);
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    count++;
  MlirBlock *blocks =
      jr_arena_alloc(&native->unit->arena, count * sizeof *blocks);
  *out_count = 0;
  for (MlirBlock block = mlirRegionGetFirstBlock(native->body);
       blocks && !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block))
    blocks[(*out_count)++] = block;
  return blocks;
}

static jitrun_error_t *rewrite_function(struct jr_unit *unit,
                                        const struct jr_function *function) {
  struct jr_native native = {.unit = unit, .function = function};
  jr_builder_init(&native.builder, unit->context);
  native.body = mlirOperationGetRegion(function->op, 0);
  MlirType old = mlirTypeAttrGetValue(mlirOperationGetInherentAttributeByName(
      function->op, jr_ref("function_type")));
  size_t count;
  MlirBlock *blocks = list_blocks(&native, &count);
  if (!blocks)
    return jr_error_no_memory();
  if (!jr_reaches_all(unit, blocks, count))
    unit->has_dead_blocks = true;
  for (size_t i = count; i-- > 0;)
    erase_unused(unit, blocks[i]);
  JITRUN_TRY(set_type(&native, old));
  native.exec = mlirBlockInsertArgument(blocks[0], 0, native.builder.ptr,
                                        native.builder.location);
  build_error_block(&native, old);
  for (size_t i = 0; i < count; i++)
    JITRUN_TRY(sweep_block(&native, blocks[i], i == 0));
  if (mlirBlockGetNumPredecessors(native.error_block) == 0) {
    mlirBlockDetach(native.error_block);
    mlirBlockDestroy(native.error_block);
  }
  while (function->entry != JR_NONE && mlirBlockGetNumArguments(blocks[0]) > 1)
    mlirBlockEraseArgument(blocks[0], 1);
  return NULL;
}

jitrun_error_t *jr_native_rewrite(struct jr_unit *unit) {
  for (size_t i = 0; i < unit->function_count; i++) {
    if (unit->functions[i].native && unit->functions[i].is_reached)
      JITRUN_TRY(rewrite_function(unit, &unit->functions[i]));
  }
  return NULL;
}
