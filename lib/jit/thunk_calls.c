/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Thunks of calls: a custom call's arguments are passed and its site is run;
/// of the program's own functions, registers are set. See thunker.h.
#include "jit/thunker.h"

#include "jit/async.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

static bool has_mark(MlirOperation op, const char *name) {
  return !mlirAttributeIsNull(
      mlirOperationGetDiscardableAttributeByName(op, jr_ref(name)));
}

uint32_t jr_thunk_result(MlirValue value) {
  if (!mlirValueIsAOpResult(value))
    return JR_NONE;
  MlirAttribute first = mlirOperationGetDiscardableAttributeByName(
      mlirOpResultGetOwner(value), jr_ref(JR_ATTR_RESULTS));
  if (mlirAttributeIsNull(first))
    return JR_NONE;
  return (uint32_t)mlirIntegerAttrGetValueInt(first) +
         (uint32_t)mlirOpResultGetResultNumber(value);
}

static bool is_passed(const struct jr_arg *arg) {
  return arg->kind == JR_ARG_SCALAR || arg->kind == JR_ARG_BUFFER;
}

/// A result of another call goes there at once, with sizes and strides that its
/// type leaves open; all else by way of a register.
static bool pass_argument(struct jr_thunker *thunker, MlirOperation call,
                          intptr_t number, uint32_t to) {
  MlirValue value = mlirOperationGetOperand(call, number);
  const struct jr_arg *arg =
      jr_table_at(&thunker->unit->table, JR_SECTION_ARGS, to);
  if (!is_passed(arg))
    return true;
  uint32_t from = jr_thunk_result(value);
  jr_type_ref_t type = arg->type;
  if (from != JR_NONE)
    return jr_thunk_add(
        thunker,
        (struct jr_thunk){.kind = JR_THUNK_PASS, .from = from, .to = to});
  uint32_t source = jr_thunk_use(thunker, value);
  const struct jr_register *record =
      source == JR_NONE
          ? NULL
          : jr_table_at(&thunker->unit->table, JR_SECTION_REGISTERS, source);
  if (!record || record->type != type)
    return jr_thunk_cannot(thunker, call,
                           "has operands known only at run time");
  return jr_thunk_add(
      thunker,
      (struct jr_thunk){.kind = JR_THUNK_GIVE, .target = source, .to = to});
}

static bool is_looked_at(MlirOperation call) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(call); i++) {
    if (!mlirOpOperandIsNull(
            mlirValueGetFirstUse(mlirOperationGetResult(call, i))))
      return true;
  }
  return false;
}

/// Runs follow each other in one thunk. A call whose results are used has one
/// of its own: they are cleared before it.
static bool run_site(struct jr_thunker *thunker, MlirOperation call,
                     uint32_t site) {
  struct jr_thunk_list *list = &thunker->body->list;
  bool is_alone = is_looked_at(call);
  if (!is_alone && thunker->run != SIZE_MAX) {
    struct jr_thunk *run = &list->items[thunker->run];
    if (run->first + run->count == site) {
      run->count++;
      return true;
    }
  }
  struct jr_thunk run = {.kind = JR_THUNK_RUN, .first = site, .count = 1};
  size_t place = list->count;
  if (!jr_thunk_add(thunker, run))
    return false;
  thunker->run = is_alone ? SIZE_MAX : place;
  return true;
}

static bool returns_handle(struct jr_unit *unit, MlirOperation call,
                           const struct jr_site *site) {
  (void)call;
  for (uint32_t i = 0; i < site->result_count; i++) {
    const struct jr_arg *arg = jr_table_at(
        &unit->table, JR_SECTION_ARGS, site->first_arg + site->arg_count + i);
    if (jr_table_written_type(&unit->table, arg->type)->kind >=
        JITRUN_KIND_TOKEN)
      return true;
  }
  return false;
}

static bool call_site(struct jr_thunker *thunker, MlirOperation call,
                      uint32_t number) {
  struct jr_unit *unit = thunker->unit;
  struct jr_site site = *(const struct jr_site *)jr_table_at(
      &unit->table, JR_SECTION_SITES, number);
  if (returns_handle(unit, call, &site))
    return jr_thunk_cannot(thunker, call, "returns a token or an async value");
  if (unit->has_marks && has_mark(call, JR_ATTR_STATUS))
    return jr_thunk_cannot(thunker, call,
                           "is a call whose status is looked at");
  for (uint32_t i = 0; i < site.arg_count; i++) {
    if (!pass_argument(thunker, call, i, site.first_arg + i))
      return false;
  }
  return run_site(thunker, call, number);
}

/// What the function returned is kept: another call of it returns other values.
static bool take_results(struct jr_thunker *thunker, MlirOperation call,
                         const struct jr_body *callee) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(call); i++) {
    uint32_t result = jr_thunk_define(thunker, mlirOperationGetResult(call, i));
    if (result == JR_NONE)
      return jr_thunk_cannot(thunker, call,
                             "returns what thunks have no register for");
    if (!jr_thunk_add(thunker, (struct jr_thunk){.kind = JR_THUNK_MOVE,
                                                 .target = result,
                                                 .a = callee->results[i]}))
      return false;
  }
  return true;
}

static bool call_function(struct jr_thunker *thunker, MlirOperation call,
                          MlirOperation callee) {
  size_t index = (size_t)mlirIntegerAttrGetValueInt(
      mlirOperationGetDiscardableAttributeByName(callee,
                                                 jr_ref(JR_ATTR_FUNCTION)));
  const struct jr_body *body = jr_thunk_function(thunker, index);
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(callee, 0));
  intptr_t count = mlirOperationGetNumOperands(call);
  if (body->state == JR_BODY_OPEN)
    return jr_thunk_cannot(thunker, call,
                           "calls a function that it is in itself");
  if (body->state == JR_BODY_REFUSED) {
    if (thunker->body->refused == 0)
      thunker->body->refused = body->refused;
    return false;
  }
  if (!jr_thunk_deepen(thunker, call, thunker->body->nests + 1 + body->deepest))
    return false;
  uint32_t *params = jr_arena_alloc(&thunker->unit->arena,
                                    ((size_t)count + 1) * sizeof *params);
  thunker->failed = thunker->failed || !params;
  if (!params)
    return false;
  for (intptr_t i = 0; i < count; i++)
    params[i] =
        jr_number_get(&thunker->registers, mlirBlockGetArgument(block, i).ptr);
  return jr_thunk_move(thunker, call, 0, params, count) &&
         jr_thunk_add(thunker, (struct jr_thunk){.kind = JR_THUNK_CALL,
                                                 .a = (uint32_t)index}) &&
         take_results(thunker, call, body);
}

bool jr_thunk_call(struct jr_thunker *thunker, MlirOperation op) {
  const struct jr_callee *callee = jr_callee_find(thunker->unit, op);
  uint32_t site = jr_number_get(&thunker->sites, op.ptr);
  if (thunker->unit->has_async && has_mark(op, JR_ATTR_ASYNC))
    return jr_thunk_cannot(thunker, op, "is async");
  if (callee->has_body)
    return call_function(thunker, op, callee->op);
  return site == JR_NONE
             ? jr_thunk_cannot(thunker, op, "calls a function by its name")
             : call_site(thunker, op, site);
}

/// A result of an entry that has no memory of the caller's.
static bool answer(struct jr_thunker *thunker, MlirOperation op,
                   intptr_t number, uint32_t param) {
  MlirValue value = mlirOperationGetOperand(op, number);
  uint32_t from = jr_thunk_result(value);
  if (from != JR_NONE)
    return jr_thunk_add(
        thunker,
        (struct jr_thunk){.kind = JR_THUNK_RETURN, .from = from, .to = param});
  uint32_t source = jr_thunk_use(thunker, value);
  if (source == JR_NONE)
    return jr_thunk_cannot(thunker, op,
                           mlirTypeIsAMemRef(mlirValueGetType(value))
                               ? "returns a memref known only at run time"
                               : "returns a scalar known only at run time");
  return jr_thunk_add(thunker, (struct jr_thunk){.kind = JR_THUNK_ANSWER,
                                                 .target = source,
                                                 .to = param});
}

static bool return_from_entry(struct jr_thunker *thunker, MlirOperation op) {
  struct jr_table_writer *table = &thunker->unit->table;
  const struct jr_entry *entry =
      jr_table_at(table, JR_SECTION_ENTRIES, thunker->function->entry);
  uint32_t first = entry->first_param + entry->param_count;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    uint32_t index = first + (uint32_t)i;
    const struct jr_param *param = jr_table_at(table, JR_SECTION_PARAMS, index);
    if (param->alloc == JR_NONE && !answer(thunker, op, i, index))
      return false;
  }
  return true;
}

bool jr_thunk_return(struct jr_thunker *thunker, MlirOperation op) {
  struct jr_body *body = thunker->body;
  intptr_t count = mlirOperationGetNumOperands(op);
  if (thunker->function->entry != JR_NONE)
    return return_from_entry(thunker, op);
  body->results = jr_arena_alloc(&thunker->unit->arena,
                                 ((size_t)count + 1) * sizeof *body->results);
  thunker->failed = thunker->failed || !body->results;
  if (!body->results)
    return false;
  for (intptr_t i = 0; i < count; i++) {
    const struct jr_mlir_type *type = jr_type_find(
        thunker->unit, mlirValueGetType(mlirOperationGetOperand(op, i)));
    body->results[i] =
        type ? jr_thunk_register(thunker, type->written) : JR_NONE;
    if (body->results[i] == JR_NONE)
      return jr_thunk_cannot(thunker, op,
                             "returns what thunks have no register for");
  }
  return jr_thunk_move(thunker, op, 0, body->results, count);
}
