/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// vector.extract and vector.insert at positions that are values, in vectors of
/// several dimensions: LLVM has these as arrays, whose positions are constants,
/// and upstream refuses the one and crashes on the other (LLVM 22). Each
/// becomes a call of a function that goes through memory. Remove when mlir-opt
/// lowers `vector.insert %x, %v[%i, 0] : vector<2xf32> into vector<4x4x2xf32>`.
#include "jit/vectors.h"

#include "jit/expand.h"
#include "jit/rt.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdio.h>

/// One such operation. Its operands are what is put in, if any, the vector, and
/// the positions that are values.
struct access {
  bool inserts;
  MlirType vector, part;
  intptr_t rank;
  MlirAttribute positions;
  intptr_t count; ///< of positions
  intptr_t outer; ///< of those in front of the last dimension
};

static bool is_op(MlirOperation op, const char *name) {
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                            jr_ref(name));
}

static struct access read_access(MlirOperation op) {
  struct access access = {.inserts = is_op(op, "vector.insert")};
  access.vector =
      mlirValueGetType(mlirOperationGetOperand(op, access.inserts ? 1 : 0));
  access.part =
      mlirValueGetType(access.inserts ? mlirOperationGetOperand(op, 0)
                                      : mlirOperationGetResult(op, 0));
  access.rank = mlirShapedTypeGetRank(access.vector);
  access.positions =
      mlirOperationGetInherentAttributeByName(op, jr_ref("static_position"));
  access.count = mlirDenseArrayGetNumElements(access.positions);
  access.outer = access.count < access.rank ? access.count : access.rank - 1;
  return access;
}

static MlirWalkResult find_accesses(MlirOperation op, void *context) {
  bool inserts = is_op(op, "vector.insert");
  if (!inserts && !is_op(op, "vector.extract"))
    return MlirWalkResultAdvance;
  bool is_known = mlirOperationGetNumOperands(op) == (inserts ? 2 : 1);
  if (!is_known && read_access(op).rank > 1)
    (void)jr_ops_push(context, op);
  return MlirWalkResultAdvance;
}

static void append_text(MlirStringRef text, void *bytes) {
  jr_bytes_append(bytes, text.data, text.length);
}

static void append_type(struct jr_bytes *text, MlirType type) {
  mlirTypePrint(type, append_text, text);
}

/// The memory that a vector lies in: as one, or cut into vectors behind the
/// outer positions.
static void append_memory(struct jr_bytes *text, const struct access *access,
                          bool is_cut) {
  intptr_t i = 0;
  jr_bytes_append_text(text, "memref<");
  for (; is_cut && i < access->outer; i++)
    jr_bytes_appendf(text, "%lldx",
                     (long long)mlirShapedTypeGetDimSize(access->vector, i));
  jr_bytes_append_text(text, "vector<");
  for (; i < access->rank; i++)
    jr_bytes_appendf(text, "%lldx",
                     (long long)mlirShapedTypeGetDimSize(access->vector, i));
  append_type(text, mlirShapedTypeGetElementType(access->vector));
  jr_bytes_append_text(text, ">>");
}

/// The vector that the outer positions lead to.
static void append_row(struct jr_bytes *text, const struct access *access) {
  jr_bytes_append_text(text, "vector<");
  for (intptr_t i = access->outer; i < access->rank; i++)
    jr_bytes_appendf(text, "%lldx",
                     (long long)mlirShapedTypeGetDimSize(access->vector, i));
  append_type(text, mlirShapedTypeGetElementType(access->vector));
  jr_bytes_append_text(text, ">");
}

static bool is_value(const struct access *access, intptr_t position) {
  return mlirDenseI64ArrayGetElement(access->positions, position) == INT64_MIN;
}

static void append_head(struct jr_bytes *text, const struct access *access,
                        const char *name) {
  jr_bytes_appendf(text, "func.func private @%s(", name);
  if (access->inserts) {
    jr_bytes_append_text(text, "%x: ");
    append_type(text, access->part);
    jr_bytes_append_text(text, ", ");
  }
  jr_bytes_append_text(text, "%v: ");
  append_type(text, access->vector);
  for (intptr_t i = 0; i < access->count; i++) {
    if (is_value(access, i))
      jr_bytes_appendf(text, ", %%p%lld: index", (long long)i);
  }
  jr_bytes_append_text(text, ") -> ");
  append_type(text, access->inserts ? access->vector : access->part);
  jr_bytes_append_text(
      text, " attributes {llvm.linkage = #llvm.linkage<internal>} {\n");
  for (intptr_t i = 0; i < access->count; i++) {
    if (!is_value(access, i))
      jr_bytes_appendf(
          text, "%%p%lld = arith.constant %lld : index\n", (long long)i,
          (long long)mlirDenseI64ArrayGetElement(access->positions, i));
  }
}

/// %c is the memory of %v, cut.
static void append_store(struct jr_bytes *text, const struct access *access) {
  jr_bytes_append_text(text, "%m = memref.alloca() : ");
  append_memory(text, access, false);
  jr_bytes_append_text(text, "\nmemref.store %v, %m[] : ");
  append_memory(text, access, false);
  jr_bytes_append_text(text, "\n%c = vector.type_cast %m : ");
  append_memory(text, access, false);
  jr_bytes_append_text(text, " to ");
  append_memory(text, access, true);
  jr_bytes_append_text(text, "\n");
}

/// "[%p0, %p1] : memref<...>\n"
static void append_place(struct jr_bytes *text, const struct access *access) {
  for (intptr_t i = 0; i < access->outer; i++)
    jr_bytes_appendf(text, "%s%%p%lld", i ? ", " : "[", (long long)i);
  jr_bytes_append_text(text, "] : ");
  append_memory(text, access, true);
  jr_bytes_append_text(text, "\n");
}

static void append_extract(struct jr_bytes *text, const struct access *access) {
  bool is_row = access->count == access->outer;
  jr_bytes_appendf(text, "%s = memref.load %%c", is_row ? "%r" : "%row");
  append_place(text, access);
  if (!is_row) {
    jr_bytes_appendf(text, "%%r = vector.extract %%row[%%p%lld] : ",
                     (long long)access->outer);
    append_type(text, access->part);
    jr_bytes_append_text(text, " from ");
    append_row(text, access);
  }
}

static void append_insert(struct jr_bytes *text, const struct access *access) {
  bool is_row = access->count == access->outer;
  if (!is_row) {
    jr_bytes_append_text(text, "%row = memref.load %c");
    append_place(text, access);
    jr_bytes_appendf(text, "%%y = vector.insert %%x, %%row[%%p%lld] : ",
                     (long long)access->outer);
    append_type(text, access->part);
    jr_bytes_append_text(text, " into ");
    append_row(text, access);
    jr_bytes_append_text(text, "\n");
  }
  jr_bytes_appendf(text, "memref.store %s, %%c", is_row ? "%x" : "%y");
  append_place(text, access);
  jr_bytes_append_text(text, "%r = memref.load %m[] : ");
  append_memory(text, access, false);
}

static void append_function(struct jr_bytes *text, const struct access *access,
                            const char *name) {
  append_head(text, access, name);
  append_store(text, access);
  if (access->inserts)
    append_insert(text, access);
  else
    append_extract(text, access);
  jr_bytes_append_text(text, "\nfunc.return %r : ");
  append_type(text, access->inserts ? access->vector : access->part);
  jr_bytes_append_text(text, "\n}\n");
}

static jitrun_error_t *replace_op(struct jr_unit *unit, MlirOperation op,
                                  const char *name) {
  struct access access = read_access(op);
  struct jr_bytes text = {0};
  append_function(&text, &access, name);
  jitrun_error_t *error = jr_add_function(unit, &text);
  jr_bytes_deinit(&text);
  if (!error)
    jr_replace_by_call(unit, op,
                       mlirFlatSymbolRefAttrGet(unit->context, jr_ref(name)));
  return error;
}

jitrun_error_t *jr_vector_positions(struct jr_unit *unit) {
  struct jr_ops found = {0};
  jitrun_error_t *error = NULL;
  mlirOperationWalk(mlirModuleGetOperation(unit->module), find_accesses, &found,
                    MlirWalkPreOrder);
  for (size_t i = 0; i < found.count && !error; i++) {
    char name[40];
    (void)snprintf(name, sizeof name, "jitrun.position%zu", i);
    error = replace_op(unit, found.items[i], name);
  }
  jr_ops_deinit(&found);
  return error;
}
