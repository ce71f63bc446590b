/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Thunks of structured control flow. What a loop carries, and what a branch
/// yields, stands in registers of its own. See thunker.h.
#include "jit/thunker.h"

#include "runtime/thunk_ops.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/// New registers for values: of a block from argument `first` on, or results of
/// an operation. NULL, and a refusal, when there can be none.
static uint32_t *define_all(struct jr_thunker *thunker, MlirOperation op,
                            MlirBlock block, intptr_t first, intptr_t count) {
  uint32_t *numbers = jr_arena_alloc(&thunker->unit->arena,
                                     ((size_t)count + 1) * sizeof *numbers);
  thunker->failed = thunker->failed || !numbers;
  for (intptr_t i = 0; numbers && i < count; i++) {
    MlirValue value = mlirBlockIsNull(block)
                          ? mlirOperationGetResult(op, i)
                          : mlirBlockGetArgument(block, first + i);
    numbers[i] = jr_thunk_define(thunker, value);
    if (numbers[i] == JR_NONE) {
      (void)jr_thunk_cannot(thunker, op,
                            "carries what thunks have no register for");
      return NULL;
    }
  }
  return numbers;
}

/// The registers of other values stand for the results, too.
static bool share_results(struct jr_thunker *thunker, MlirOperation op,
                          const uint32_t *numbers) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    if (!jr_number_set(&thunker->registers, mlirOperationGetResult(op, i).ptr,
                       numbers[i])) {
      thunker->failed = true;
      return false;
    }
  }
  return true;
}

static MlirBlock only_block(MlirOperation op, intptr_t region) {
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region));
  bool is_only = !mlirBlockIsNull(block) &&
                 mlirBlockIsNull(mlirBlockGetNextInRegion(block));
  return is_only ? block : (MlirBlock){0};
}

/// Walks a block, whose terminator yields into registers.
static bool walk_body(struct jr_thunker *thunker, MlirBlock block,
                      const uint32_t *numbers, intptr_t count) {
  MlirOperation end = mlirBlockGetTerminator(block);
  return jr_thunk_block(thunker, block) &&
         jr_thunk_move(thunker, end, mlirOperationGetNumOperands(end) - count,
                       numbers, count);
}

static bool is_unsigned(MlirOperation op) {
  return !mlirAttributeIsNull(
      mlirOperationGetInherentAttributeByName(op, jr_ref("unsignedCmp")));
}

/// The bounds and the step of one loop: operands `at`, `at + stride`, and so
/// on.
static bool open_for(struct jr_thunker *thunker, MlirOperation op,
                     MlirValue counter, const intptr_t at[3],
                     size_t *out_place) {
  struct jr_thunk thunk = {.kind = is_unsigned(op) ? JR_THUNK_FOR_UNSIGNED
                                                   : JR_THUNK_FOR};
  thunk.a = jr_thunk_word(thunker, mlirOperationGetOperand(op, at[0]));
  thunk.b = jr_thunk_word(thunker, mlirOperationGetOperand(op, at[1]));
  thunk.c = jr_thunk_word(thunker, mlirOperationGetOperand(op, at[2]));
  if (thunk.a == JR_NONE || thunk.b == JR_NONE || thunk.c == JR_NONE)
    return jr_thunk_cannot(thunker, op, "has operands known only at run time");
  thunk.target = jr_thunk_define(thunker, counter);
  if (thunk.target == JR_NONE)
    return jr_thunk_cannot(thunker, op, "needs native code");
  return jr_thunk_open(thunker, thunk, out_place);
}

/// A loop from 0 to `*out_end` by 1 that carries nothing.
static bool is_plain_loop(const struct jr_unit *unit, MlirOperation op,
                          int64_t *out_end) {
  int64_t lower = 0;
  int64_t step = 0;
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                            jr_ref("scf.for")) &&
         mlirOperationGetNumResults(op) == 0 &&
         jr_constant_s64(unit, mlirOperationGetOperand(op, 0), &lower) &&
         jr_constant_s64(unit, mlirOperationGetOperand(op, 1), out_end) &&
         jr_constant_s64(unit, mlirOperationGetOperand(op, 2), &step) &&
         lower == 0 && step == 1;
}

/// Finds the store in loops that do nothing but store one value in all elements
/// of a memref, which is what linalg.fill becomes; else a null operation.
static MlirOperation find_fill(const struct jr_unit *unit, MlirOperation op) {
  enum { MAX_LOOPS = 8 };
  MlirValue counters[MAX_LOOPS];
  int64_t ends[MAX_LOOPS];
  int count = 0;
  MlirOperation none = {0};
  for (; count < MAX_LOOPS && is_plain_loop(unit, op, &ends[count]); count++) {
    MlirBlock block = only_block(op, 0);
    counters[count] = mlirBlockGetArgument(block, 0);
    op = mlirBlockGetFirstOperation(block);
    if (!mlirOperationEqual(mlirOperationGetNextInBlock(op),
                            mlirBlockGetTerminator(block)))
      return none;
  }
  if (count == 0 ||
      !mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                          jr_ref("memref.store")) ||
      mlirOperationGetNumOperands(op) != count + 2)
    return none;
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 1));
  for (int i = 0; i < count; i++) {
    if (mlirShapedTypeGetDimSize(type, i) != ends[i] ||
        !mlirValueEqual(mlirOperationGetOperand(op, i + 2), counters[i]) ||
        mlirValueEqual(mlirOperationGetOperand(op, 0), counters[i]))
      return none;
  }
  return op;
}

/// One thunk for all of it.
static bool add_fill(struct jr_thunker *thunker, MlirOperation store) {
  uint32_t value = jr_thunk_word(thunker, mlirOperationGetOperand(store, 0));
  uint32_t memory =
      value == JR_NONE
          ? JR_NONE
          : jr_thunk_memory(thunker, mlirOperationGetOperand(store, 1));
  if (memory == JR_NONE)
    return jr_thunk_cannot(thunker, store, "needs native code");
  return jr_thunk_add(
      thunker,
      (struct jr_thunk){.kind = JR_THUNK_FILL, .target = memory, .a = value});
}

static bool add_for(struct jr_thunker *thunker, MlirOperation op) {
  MlirOperation fill = find_fill(thunker->unit, op);
  if (!mlirOperationIsNull(fill))
    return add_fill(thunker, fill);
  MlirBlock block = only_block(op, 0);
  intptr_t count = mlirOperationGetNumResults(op);
  uint32_t *carried = define_all(thunker, op, block, 1, count);
  size_t place = 0;
  if (!carried || !jr_thunk_move(thunker, op, 3, carried, count) ||
      !open_for(thunker, op, mlirBlockGetArgument(block, 0),
                (const intptr_t[]){0, 1, 2}, &place) ||
      !walk_body(thunker, block, carried, count))
    return false;
  jr_thunk_close(thunker, place);
  return share_results(thunker, op, carried);
}

/// Loops inside of each other, in the order in which code runs them.
static bool add_parallel(struct jr_thunker *thunker, MlirOperation op) {
  enum { MAX_LOOPS = 16 };
  MlirBlock block = only_block(op, 0);
  intptr_t count = mlirBlockGetNumArguments(block);
  size_t places[MAX_LOOPS] = {0};
  if (mlirOperationGetNumResults(op) > 0 || count > MAX_LOOPS)
    return jr_thunk_cannot(thunker, op, "needs native code");
  for (intptr_t i = 0; i < count; i++) {
    if (!open_for(thunker, op, mlirBlockGetArgument(block, i),
                  (const intptr_t[]){i, count + i, 2 * count + i}, &places[i]))
      return false;
  }
  if (!jr_thunk_block(thunker, block))
    return false;
  for (intptr_t i = count; i-- > 0;)
    jr_thunk_close(thunker, places[i]);
  return true;
}

/// The part of a scf.while up to its scf.condition, which sets the flag and
/// hands values to the body and behind the loop.
static bool walk_condition(struct jr_thunker *thunker, MlirBlock before,
                           uint32_t flag, const uint32_t *results) {
  MlirOperation end = mlirBlockGetTerminator(before);
  if (!jr_thunk_block(thunker, before))
    return false;
  uint32_t condition = jr_thunk_word(thunker, mlirOperationGetOperand(end, 0));
  if (condition == JR_NONE)
    return jr_thunk_cannot(thunker, end, "has operands known only at run time");
  return jr_thunk_add(thunker, (struct jr_thunk){.kind = JR_THUNK_MOVE,
                                                 .target = flag,
                                                 .a = condition}) &&
         jr_thunk_move(thunker, end, 1, results,
                       mlirOperationGetNumOperands(end) - 1);
}

static uint32_t new_flag(struct jr_thunker *thunker) {
  const struct jr_mlir_type *type = jr_type_find(
      thunker->unit, mlirIntegerTypeGet(thunker->unit->context, 1));
  return type ? jr_thunk_register(thunker, type->written) : JR_NONE;
}

static bool add_while(struct jr_thunker *thunker, MlirOperation op) {
  MlirBlock before = only_block(op, 0);
  MlirBlock after = only_block(op, 1);
  if (mlirBlockIsNull(before) || mlirBlockIsNull(after))
    return jr_thunk_cannot(thunker, op, "needs native code");
  intptr_t count = mlirOperationGetNumOperands(op);
  uint32_t *carried = define_all(thunker, op, before, 0, count);
  uint32_t *results =
      define_all(thunker, op, after, 0, mlirOperationGetNumResults(op));
  uint32_t flag = new_flag(thunker);
  size_t place = 0;
  if (!carried || !results || flag == JR_NONE ||
      !jr_thunk_move(thunker, op, 0, carried, count) ||
      !jr_thunk_open(thunker,
                     (struct jr_thunk){.kind = JR_THUNK_WHILE, .target = flag},
                     &place) ||
      !walk_condition(thunker, before, flag, results))
    return false;
  struct jr_thunk_list *list = &thunker->body->list;
  list->items[place].c = (uint32_t)(list->count - place - 1);
  thunker->run = SIZE_MAX;
  if (!walk_body(thunker, after, carried, count))
    return false;
  jr_thunk_close(thunker, place);
  return share_results(thunker, op, results);
}

/// One branch of a case, for a value or for all others.
static bool add_branch(struct jr_thunker *thunker, MlirOperation op,
                       intptr_t region, struct jr_thunk branch,
                       const uint32_t *results) {
  MlirRegion body = mlirOperationGetRegion(op, region);
  MlirBlock block = only_block(op, region);
  bool is_empty = mlirBlockIsNull(mlirRegionGetFirstBlock(body));
  size_t place = 0;
  branch.kind = JR_THUNK_BRANCH;
  if (!is_empty && mlirBlockIsNull(block))
    return jr_thunk_cannot(thunker, op, "needs native code");
  if (!jr_thunk_open(thunker, branch, &place) ||
      (!is_empty &&
       !walk_body(thunker, block, results, mlirOperationGetNumResults(op))))
    return false;
  jr_thunk_close(thunker, place);
  return true;
}

static bool open_case(struct jr_thunker *thunker, uint32_t value,
                      uint32_t branches, size_t *out_place) {
  return jr_thunk_open(
      thunker,
      (struct jr_thunk){.kind = JR_THUNK_CASE, .target = value, .c = branches},
      out_place);
}

static bool add_if(struct jr_thunker *thunker, MlirOperation op) {
  uint32_t *results = define_all(thunker, op, (MlirBlock){0}, 0,
                                 mlirOperationGetNumResults(op));
  uint32_t value = jr_thunk_word(thunker, mlirOperationGetOperand(op, 0));
  size_t place = 0;
  if (value == JR_NONE)
    return jr_thunk_cannot(thunker, op, "has operands known only at run time");
  if (!results || !open_case(thunker, value, 2, &place) ||
      !add_branch(thunker, op, 0, (struct jr_thunk){.bits = 1}, results) ||
      !add_branch(thunker, op, 1, (struct jr_thunk){.c = 1}, results))
    return false;
  jr_thunk_close(thunker, place);
  return true;
}

/// The low 32 bits of an index: upstream lowers scf.index_switch to a cf.switch
/// of i32, and both executors do the same.
static uint32_t cut_index(struct jr_thunker *thunker, MlirValue value) {
  const struct jr_mlir_type *type = jr_type_find(
      thunker->unit, mlirIntegerTypeGet(thunker->unit->context, 32));
  uint32_t from = jr_thunk_word(thunker, value);
  uint32_t to = type ? jr_thunk_register(thunker, type->written) : JR_NONE;
  struct jr_thunk thunk = {.kind = JR_THUNK_COMPUTE,
                           .target = to,
                           .a = from,
                           .b = from,
                           .c = JR_OP_EXTEND_U};
  return from != JR_NONE && to != JR_NONE && jr_thunk_add(thunker, thunk)
             ? to
             : JR_NONE;
}

/// The branches of a scf.index_switch: its first region is for what no other is
/// for.
static bool add_branches(struct jr_thunker *thunker, MlirOperation op,
                         const uint32_t *results) {
  MlirAttribute values =
      mlirOperationGetInherentAttributeByName(op, jr_ref("cases"));
  intptr_t count = mlirOperationGetNumRegions(op) - 1;
  for (intptr_t i = 0; i < count; i++) {
    struct jr_thunk branch = {
        .bits = (uint32_t)mlirDenseI64ArrayGetElement(values, i)};
    if (!add_branch(thunker, op, i + 1, branch, results))
      return false;
  }
  return add_branch(thunker, op, 0, (struct jr_thunk){.c = 1}, results);
}

static bool add_switch(struct jr_thunker *thunker, MlirOperation op) {
  uint32_t count = (uint32_t)mlirOperationGetNumRegions(op);
  uint32_t *results = define_all(thunker, op, (MlirBlock){0}, 0,
                                 mlirOperationGetNumResults(op));
  uint32_t value = cut_index(thunker, mlirOperationGetOperand(op, 0));
  size_t place = 0;
  if (value == JR_NONE)
    return jr_thunk_cannot(thunker, op, "has operands known only at run time");
  if (!results || !open_case(thunker, value, count, &place) ||
      !add_branches(thunker, op, results))
    return false;
  jr_thunk_close(thunker, place);
  return true;
}

/// A body that runs once where it stands.
static bool add_inline(struct jr_thunker *thunker, MlirOperation op) {
  MlirBlock block = only_block(op, 0);
  if (mlirBlockIsNull(block))
    return jr_thunk_cannot(thunker, op, "needs native code");
  uint32_t *results = define_all(thunker, op, (MlirBlock){0}, 0,
                                 mlirOperationGetNumResults(op));
  return results &&
         walk_body(thunker, block, results, mlirOperationGetNumResults(op));
}

static bool add_assert(struct jr_thunker *thunker, MlirOperation op) {
  uint32_t flag = jr_thunk_word(thunker, mlirOperationGetOperand(op, 0));
  int64_t index = 0;
  if (flag == JR_NONE)
    return jr_thunk_cannot(thunker, op, "has operands known only at run time");
  if (!jr_assertion_add(thunker->unit, op, "msg", &index)) {
    thunker->failed = true;
    return false;
  }
  return jr_thunk_add(thunker, (struct jr_thunk){.kind = JR_THUNK_ASSERT,
                                                 .target = flag,
                                                 .a = (uint32_t)index});
}

bool jr_thunk_nest(struct jr_thunker *thunker, MlirOperation op,
                   bool *out_known) {
  static const struct {
    const char *name;
    bool (*add)(struct jr_thunker *thunker, MlirOperation op);
  } nests[] = {
      {"scf.for", add_for},
      {"scf.while", add_while},
      {"scf.if", add_if},
      {"scf.index_switch", add_switch},
      {"scf.parallel", add_parallel},
      {"scf.execute_region", add_inline},
      {"memref.alloca_scope", add_inline},
      {"cf.assert", add_assert},
  };
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  *out_known = true;
  for (size_t i = 0; i < sizeof nests / sizeof nests[0]; i++) {
    if (mlirStringRefEqual(name, jr_ref(nests[i].name)))
      return nests[i].add(thunker, op) &&
             jr_thunk_deepen(thunker, op, thunker->body->deepest);
  }
  *out_known = false;
  return false;
}
