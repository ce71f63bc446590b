/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// From when to when an entry uses each of its temporaries, and so where they
/// are in its arena. Time is counted in operations of the entry's first block,
/// which run once and in order; all that an operation holds runs at its time,
/// and all other blocks at the end. A temporary lives from the first to the
/// last operation that uses it, or something that is made of it. Where it goes
/// to something that may keep it, it lives until it is freed, or to the end.
#include "jit/plan.h"
#include "jit/temps.h"

#include "base/alloc.h"
#include "jit/async.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

/// What one function may cost before the rest of its temporaries live for all
/// of it: values that are chosen from others can be many.
enum { STEPS_EACH = 64, STEPS_ALWAYS = 1 << 20 };

/// Operations of the first block by their address: an open hash table.
struct time_of {
  const void *op;
  uint32_t time;
};

struct lives {
  struct jr_planner *planner;
  MlirBlock block; ///< the function's first
  struct time_of *times;
  size_t capacity;
  uint32_t end; ///< of time
  uint64_t steps_left;
  MlirValue *values; ///< made of the temporary, to be looked at
  size_t value_count, value_capacity;
};

/// One temporary while it is looked at.
struct life {
  MlirOperation root; ///< that allocates it
  uint32_t first, last;
  uint32_t freed; ///< when it is; UINT32_MAX: never, as far as we can tell
  bool is_kept;   ///< by something that may use it at any time
};

/// What an operation does with memory that it is given.
enum use {
  USE_NONE,   ///< it only makes a view: what is made of it counts
  USE_ACCESS, ///< it reads or writes while it runs
  USE_RESULT, ///< the same, and its results may be the memory
  USE_FREE,
  USE_KEEP ///< all that we do not know
};

static size_t find_place(const struct lives *lives, const void *op) {
  uint64_t hash = ((uint64_t)(uintptr_t)op >> 4) * UINT64_C(0x9E3779B97F4A7C15);
  size_t at = (size_t)(hash >> 20) & (lives->capacity - 1);
  while (lives->times[at].op && lives->times[at].op != op)
    at = (at + 1) & (lives->capacity - 1);
  return at;
}

static bool number_operations(struct lives *lives) {
  size_t count = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(lives->block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    count++;
  lives->capacity = 64;
  while (lives->capacity < 2 * count)
    lives->capacity *= 2;
  lives->times = jr_calloc(lives->capacity, sizeof *lives->times);
  if (!lives->times || count >= UINT32_MAX - 1)
    return false;
  for (MlirOperation op = mlirBlockGetFirstOperation(lives->block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    lives->times[find_place(lives, op.ptr)] =
        (struct time_of){op.ptr, lives->end++};
  lives->steps_left = STEPS_ALWAYS + STEPS_EACH * (uint64_t)count;
  return true;
}

/// When an operation runs; `*out_is_top` when it is itself in the first block.
static uint32_t time_of(const struct lives *lives, MlirOperation op,
                        bool *out_is_top) {
  *out_is_top = mlirBlockEqual(mlirOperationGetBlock(op), lives->block);
  MlirOperation function = lives->planner->function->op;
  while (!mlirBlockEqual(mlirOperationGetBlock(op), lives->block)) {
    op = mlirOperationGetParentOperation(op);
    if (mlirOperationIsNull(op) || mlirOperationEqual(op, function))
      return lives->end;
  }
  return lives->times[find_place(lives, op.ptr)].time;
}

static bool is_memref(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAMemRef(type) || mlirTypeIsAUnrankedMemRef(type);
}

static bool has_memref_result(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    if (is_memref(mlirOperationGetResult(op, i)))
      return true;
  }
  return false;
}

/// True where what is in some memory is memory itself: what is stored there is
/// used by whoever loads it.
static bool has_memref_element(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!is_memref(operand))
      continue;
    MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(operand));
    if (mlirTypeIsAMemRef(element) || mlirTypeIsAUnrankedMemRef(element))
      return true;
  }
  return false;
}

/// What operations of MLIR's own dialects do; most are not known to be simple.
static enum use use_of_named(MlirOperation op) {
  static const char *const views[] = {
      "arith.select", "memref.dim", "memref.extract_strided_metadata",
      "memref.memory_space_cast", "memref.rank"};
  static const char *const accesses[] = {
      "affine.load",         "affine.prefetch",
      "affine.store",        "affine.vector_load",
      "affine.vector_store", "memref.atomic_rmw",
      "memref.copy",         "memref.generic_atomic_rmw",
      "memref.load",         "memref.prefetch",
      "memref.store"};
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (jr_ref_is_one_of(name, views, sizeof views / sizeof views[0]))
    return USE_NONE;
  if (mlirStringRefEqual(name, jr_ref("memref.reshape")))
    return USE_RESULT; /* it reads the sizes, too */
  bool is_simple =
      jr_ref_is_one_of(name, accesses, sizeof accesses / sizeof accesses[0]) ||
      jr_ref_begins(name, "linalg.") || jr_ref_begins(name, "vector.");
  return is_simple && !has_memref_result(op) && !has_memref_element(op)
             ? USE_ACCESS
             : USE_KEEP;
}

static bool has_target_word(MlirStringRef target) {
  static const char *const words[] = {
      "start",      "send",       "recv",       "all_gather",
      "all_reduce", "all_to_all", "collective", "reduce_scatter"};
  if (!jr_ref_begins(target, "xla."))
    return false;
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    MlirStringRef word = jr_ref(words[i]);
    for (size_t at = 0; at + word.length <= target.length; at++) {
      if (memcmp(target.data + at, word.data, word.length) == 0)
        return true;
    }
  }
  return false;
}

/// Whether custom calls of a declaration may use their memory when they have
/// returned: XLA's that start something, all that return what stands for work
/// or for something of theirs, and those that say so.
static bool declaration_keeps(struct jr_unit *unit, MlirOperation declaration,
                              MlirStringRef target) {
  MlirType type = mlirTypeAttrGetValue(mlirOperationGetInherentAttributeByName(
      declaration, jr_ref("function_type")));
  if (jr_says(declaration, "jitrun.keeps") || has_target_word(target))
    return true;
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumResults(type); i++) {
    const struct jr_mlir_type *result =
        jr_type_find(unit, mlirFunctionTypeGetResult(type, i));
    if (!result || (result->kind != JITRUN_KIND_SCALAR &&
                    result->kind != JITRUN_KIND_BUFFER))
      return true;
  }
  return false;
}

/// An operation within a function that is called, whose arguments may be
/// temporaries of its callers.
static MlirWalkResult find_keeping(MlirOperation op, void *context) {
  struct jr_unit *unit = context;
  bool uses = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !uses; i++)
    uses = is_memref(mlirOperationGetOperand(op, i));
  if (!uses || jr_is(op, unit->names.func_call) ||
      jr_is(op, unit->names.func_return) ||
      jr_is(op, unit->names.memref_dealloc) || jr_op_is_neutral(unit, op) ||
      use_of_named(op) != USE_KEEP)
    return MlirWalkResultAdvance;
  unit->keeps = JR_KEEPS_SOME;
  return MlirWalkResultInterrupt;
}

/// Whether any function of the program, which may call any other, keeps memory.
/// Looked up once a program.
static bool program_keeps(struct jr_unit *unit) {
  if (unit->keeps != JR_KEEPS_UNKNOWN)
    return unit->keeps == JR_KEEPS_SOME;
  bool keeps = unit->has_async;
  MlirIdentifier name = unit->names.func_func;
  for (MlirOperation op = jr_first_of(unit, name);
       !keeps && !mlirOperationIsNull(op);
       op = jr_next_of(mlirOperationGetNextInBlock(op), name)) {
    if (jr_has_body(op))
      continue;
    MlirStringRef target = jr_call_target(op);
    keeps = !target.data || declaration_keeps(unit, op, target);
  }
  for (size_t i = 0; i < unit->function_count && !keeps; i++) {
    if (unit->functions[i].entry != JR_NONE)
      continue;
    mlirOperationWalk(unit->functions[i].op, find_keeping, unit,
                      MlirWalkPreOrder);
    keeps = unit->keeps == JR_KEEPS_SOME;
  }
  unit->keeps = keeps ? JR_KEEPS_SOME : JR_KEEPS_NONE;
  return keeps;
}

static enum use use_of_call(const struct lives *lives, MlirOperation op) {
  struct jr_unit *unit = lives->planner->unit;
  const struct jr_callee *callee = jr_callee_find(unit, op);
  if (unit->has_async &&
      !mlirAttributeIsNull(mlirOperationGetDiscardableAttributeByName(
          op, jr_ref(JR_ATTR_ASYNC))))
    return USE_KEEP;
  bool keeps = callee->has_body
                   ? program_keeps(unit)
                   : !callee->target.data ||
                         declaration_keeps(unit, callee->op, callee->target);
  if (keeps)
    return USE_KEEP;
  return has_memref_result(op) ? USE_RESULT : USE_ACCESS;
}

static enum use use_of(const struct lives *lives, MlirOperation op) {
  const struct jr_unit *unit = lives->planner->unit;
  if (jr_is(op, unit->names.func_call))
    return use_of_call(lives, op);
  if (jr_is(op, unit->names.memref_dealloc))
    return USE_FREE;
  if (jr_is(op, unit->names.func_return))
    return USE_ACCESS;
  return jr_op_is_neutral(unit, op) ? USE_NONE : use_of_named(op);
}

static bool push_value(struct lives *lives, MlirValue value) {
  MlirValue *values = jr_grow(lives->values, &lives->value_capacity,
                              lives->value_count, sizeof *values);
  if (!values)
    return false;
  lives->values = values;
  lives->values[lives->value_count++] = value;
  return true;
}

/// True for a deallocation of this temporary, and not of one of several.
static bool frees(const struct lives *lives, MlirOperation op,
                  const struct life *life) {
  struct jr_slice slice;
  jr_slice_resolve(lives->planner->unit, lives->planner->function,
                   mlirOperationGetOperand(op, 0), &slice);
  return slice.alloc != JR_NONE && mlirOperationEqual(slice.root, life->root);
}

/// Takes one operation that uses the temporary into account.
static bool add_use(struct lives *lives, MlirOperation op, struct life *life) {
  bool is_top = false;
  enum use use = use_of(lives, op);
  uint32_t time = use == USE_NONE ? 0 : time_of(lives, op, &is_top);
  if (use == USE_FREE && is_top && frees(lives, op, life)) {
    life->freed = time;
    return true;
  }
  if (use != USE_NONE) {
    life->first = time < life->first ? time : life->first;
    life->last = time > life->last ? time : life->last;
  }
  life->is_kept = life->is_kept || use == USE_KEEP;
  if (use != USE_NONE && use != USE_RESULT)
    return true;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    MlirValue result = mlirOperationGetResult(op, i);
    if (is_memref(result) && !push_value(lives, result))
      return false;
  }
  return true;
}

/// Follows a temporary through all that is made of it.
static bool follow(struct lives *lives, MlirOperation root, struct life *life) {
  *life = (struct life){.root = root, .first = UINT32_MAX, .freed = UINT32_MAX};
  lives->value_count = 0;
  if (!push_value(lives, mlirOperationGetResult(root, 0)))
    return false;
  while (lives->value_count > 0 && lives->steps_left > 0) {
    MlirValue value = lives->values[--lives->value_count];
    for (MlirOpOperand use = mlirValueGetFirstUse(value);
         !mlirOpOperandIsNull(use) && lives->steps_left > 0;
         use = mlirOpOperandGetNextUse(use)) {
      lives->steps_left--;
      if (!add_use(lives, mlirOpOperandGetOwner(use), life))
        return false;
    }
  }
  if (lives->steps_left == 0) {
    life->first = 0;
    life->is_kept = true;
    life->freed = UINT32_MAX;
  }
  if (life->is_kept)
    life->last = life->freed != UINT32_MAX ? life->freed : lives->end;
  return true;
}

/// The temporaries of the function that were not made results since.
static size_t read_temps(const struct jr_planner *planner,
                         struct jr_temp *temps, uint32_t *places) {
  size_t count = 0;
  for (size_t i = 0; i < planner->temp_count; i++) {
    const struct jr_alloc *alloc = jr_table_at(
        &planner->unit->table, JR_SECTION_ALLOCS, planner->temps[i].alloc);
    if (alloc->kind != JR_ALLOC_TEMP)
      continue;
    places[count] = (uint32_t)i;
    temps[count++] = (struct jr_temp){.size_bytes = alloc->size_bytes,
                                      .alignment = alloc->alignment};
  }
  return count;
}

static bool find_lives(struct lives *lives, struct jr_temp *temps,
                       const uint32_t *places, size_t count) {
  if (!number_operations(lives))
    return false;
  for (size_t i = 0; i < count; i++) {
    struct life life;
    if (!follow(lives, lives->planner->temps[places[i]].op, &life))
      return false;
    temps[i].first = life.first;
    temps[i].last = life.last;
  }
  return true;
}

/// Places the temporaries that live as long as they are used; with checks, for
/// ever, so that what uses memory too late does not harm anything else.
static bool place_temps(struct jr_planner *planner, struct jr_temp *temps,
                        const uint32_t *places, size_t count,
                        struct jr_temps_size *out_size) {
  if (planner->unit->options->check || count < 2) {
    jr_temps_stack(temps, count, out_size);
    return true;
  }
  struct lives lives = {.planner = planner,
                        .block = mlirRegionGetFirstBlock(
                            mlirOperationGetRegion(planner->function->op, 0))};
  bool is_done = find_lives(&lives, temps, places, count) &&
                 jr_temps_place(temps, count, out_size);
  free(lives.times);
  free(lives.values);
  return is_done;
}

static void raise_to(uint64_t *most, uint64_t value) {
  *most = value > *most ? value : *most;
}

/// The arena is that of the entry that needs most.
static void write_temps(struct jr_planner *planner, const struct jr_temp *temps,
                        const uint32_t *places, size_t count,
                        const struct jr_temps_size *size) {
  struct jr_table_writer *table = &planner->unit->table;
  struct jr_table_header *header = &table->header;
  for (size_t i = 0; i < count; i++) {
    struct jr_alloc *alloc =
        jr_table_at(table, JR_SECTION_ALLOCS, planner->temps[places[i]].alloc);
    alloc->offset = temps[i].offset;
    raise_to(&header->temp_alignment, alloc->alignment);
  }
  raise_to(&header->temp_bytes, size->arena_bytes);
  raise_to(&header->temp_sum_bytes, size->sum_bytes);
  raise_to(&header->temp_peak_bytes, size->peak_bytes);
}

jitrun_error_t *jr_plan_temps(struct jr_planner *planner) {
  size_t count = planner->temp_count;
  if (count == 0)
    return NULL;
  struct jr_temp *temps = jr_calloc(count, sizeof *temps);
  uint32_t *places = jr_calloc(count, sizeof *places);
  struct jr_temps_size size = {0};
  bool is_done = temps && places;
  if (is_done) {
    count = read_temps(planner, temps, places);
    is_done = place_temps(planner, temps, places, count, &size);
  }
  if (is_done)
    write_temps(planner, temps, places, count, &size);
  free(temps);
  free(places);
  return is_done ? NULL : jr_error_no_memory();
}
