/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See checks.h: finds the operations to check, and puts in front of each what
/// the files for its dialect make.
#include "jit/checks.h"

#include "jit/pipeline.h"

#include "mlir-c/BuiltinAttributes.h"

#include <string.h>

/// Attribute on operations in the body of one of linalg, until it is a loop's.
#define JR_ATTR_BODY "jitrun.body"

/// Operations, listed before anything is put between them.
struct listing {
  struct jr_unit *unit;
  MlirOperation *ops;
  size_t count, room;
  bool only_bodies; ///< those with JR_ATTR_BODY
};

static bool has_prefix(MlirOperation op, const char *const *prefixes,
                       size_t count) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  for (size_t i = 0; i < count; i++) {
    if (jr_ref_begins(name, prefixes[i]))
      return true;
  }
  return false;
}

/// Where an operation stands.
enum place {
  IN_FUNCTION,
  IN_COROUTINE, ///< or in what becomes one
  IN_BODY,      ///< of an operation of linalg
  ELSEWHERE     ///< where nothing can be put in front of it
};

static enum place find_place(const struct jr_unit *unit, MlirOperation op) {
  static const char *const atomic[] = {"memref.generic_atomic_rmw"};
  static const char *const linalg[] = {"linalg."};
  static const char *const async[] = {"async."};
  enum place place = IN_FUNCTION;
  for (MlirOperation parent = mlirOperationGetParentOperation(op);
       !mlirOperationIsNull(parent);
       parent = mlirOperationGetParentOperation(parent)) {
    if (jr_is(parent, unit->names.func_func))
      return place;
    if (has_prefix(parent, atomic, 1))
      return ELSEWHERE;
    if (has_prefix(parent, linalg, 1))
      place = IN_BODY;
    else if (has_prefix(parent, async, 1) && place == IN_FUNCTION)
      place = IN_COROUTINE;
    if (jr_is(parent, unit->names.async_func))
      return place;
  }
  return ELSEWHERE;
}

static bool is_candidate(MlirOperation op) {
  static const char *const dialects[] = {"memref.", "arith.", "index.",
                                         "vector."};
  return has_prefix(op, dialects, 4);
}

static MlirWalkResult list_op(MlirOperation op, void *context) {
  struct listing *listing = context;
  bool is_body = !mlirAttributeIsNull(
      mlirOperationGetDiscardableAttributeByName(op, jr_ref(JR_ATTR_BODY)));
  if (listing->only_bodies ? !is_body : !is_candidate(op))
    return MlirWalkResultAdvance;
  if (listing->ops && listing->count < listing->room)
    listing->ops[listing->count] = op;
  listing->count++;
  return MlirWalkResultAdvance;
}

/// Counts, then lists.
static jitrun_error_t *list_ops(struct jr_unit *unit, bool only_bodies,
                                struct listing *out) {
  MlirOperation module = mlirModuleGetOperation(unit->module);
  *out = (struct listing){.unit = unit, .only_bodies = only_bodies};
  mlirOperationWalk(module, list_op, out, MlirWalkPreOrder);
  out->room = out->count;
  out->count = 0;
  out->ops = jr_arena_alloc(&unit->arena, (out->room + 1) * sizeof *out->ops);
  if (!out->ops)
    return jr_error_no_memory();
  mlirOperationWalk(module, list_op, out, MlirWalkPreOrder);
  return NULL;
}

/// Moves what was built in front of the operation.
static void place_checks(struct jr_checker *checker) {
  MlirBlock holder = checker->builder.block;
  MlirOperation op = mlirBlockGetFirstOperation(holder);
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    mlirOperationMoveBefore(op, checker->op);
    op = next;
  }
}

void jr_check_place(struct jr_checker *checker, MlirOperation op,
                    void (*build)(struct jr_checker *checker)) {
  enum place place = find_place(checker->unit, op);
  checker->op = op;
  checker->builder.location = mlirOperationGetLocation(op);
  checker->is_async = place == IN_COROUTINE;
  if (place == IN_BODY)
    mlirOperationSetDiscardableAttributeByName(
        op, jr_ref(JR_ATTR_BODY), mlirUnitAttrGet(checker->builder.context));
  if (place == IN_BODY || place == ELSEWHERE)
    return;
  build(checker);
  place_checks(checker);
}

static void check_op(struct jr_checker *checker) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(checker->op));
  if (jr_ref_begins(name, "memref."))
    jr_check_memref(checker);
  else if (jr_ref_begins(name, "vector."))
    jr_check_vector(checker);
  else if (mlirOperationGetNumOperands(checker->op) == 2)
    jr_check_arith(checker);
}

static jitrun_error_t *check_ops(struct jr_unit *unit, bool only_bodies) {
  struct listing listing;
  struct jr_checker checker = {.unit = unit};
  JITRUN_TRY(list_ops(unit, only_bodies, &listing));
  jr_builder_init(&checker.builder, unit->context);
  checker.builder.block = mlirBlockCreate(0, NULL, NULL);
  if (!only_bodies)
    jr_check_adopt(&checker);
  for (size_t i = 0; i < listing.count; i++) {
    if (only_bodies)
      (void)mlirOperationRemoveDiscardableAttributeByName(listing.ops[i],
                                                          jr_ref(JR_ATTR_BODY));
    jr_check_place(&checker, listing.ops[i], check_op);
  }
  mlirBlockDestroy(checker.builder.block);
  jitrun_error_t *error = jr_bytes_check(&checker.message);
  jr_bytes_deinit(&checker.message);
  return error;
}

static MlirWalkResult mark_alloc(MlirOperation op, void *context) {
  struct jr_unit *unit = context;
  static const char text[] = "memref.alloc without memref.dealloc";
  if (jr_is(op, unit->names.memref_alloc))
    mlirOperationSetDiscardableAttributeByName(
        op, jr_ref(JR_ATTR_EXPLICIT),
        mlirStringAttrGet(unit->context, jr_ref(text)));
  return MlirWalkResultAdvance;
}

/// The dialects that checks are made of.
static void load_dialects(MlirContext context) {
  static const char *const names[] = {"arith", "cf", "llvm", "memref",
                                      "vector"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    (void)mlirContextGetOrLoadDialect(context, jr_ref(names[i]));
}

void jr_checks_begin(struct jr_unit *unit) {
  if (!unit->options->check)
    return;
  load_dialects(unit->context);
  mlirOperationWalk(mlirModuleGetOperation(unit->module), mark_alloc, unit,
                    MlirWalkPreOrder);
}

jitrun_error_t *jr_checks_insert(struct jr_unit *unit) {
  if (!unit->options->check)
    return NULL;
  JITRUN_TRY(jr_pipeline_affine(unit));
  return check_ops(unit, false);
}

jitrun_error_t *jr_checks_bodies(struct jr_unit *unit) {
  return unit->options->check ? check_ops(unit, true) : NULL;
}
