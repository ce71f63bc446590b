/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Operations on tensors that upstream takes apart by C++ functions alone: no
/// pass calls these, only scripts of the transform dialect do. They are called
/// by their mangled names (Itanium C++ ABI). An operation is passed as what its
/// class holds, its address; a rewriter by reference. Remove when there are
/// passes (none up to LLVM 22).
#include "jit/upstream.h"

#include "jit/rt.h"

#include "mlir-c/Rewrite.h"

/// What is returned through memory, never looked at.
struct returned_in_memory {
  void *words[16];
};

struct returned_in_memory lower_pack(void *rewriter, void *op, bool insert) //
    __asm__("_ZN4mlir6linalg9lowerPackERNS_12RewriterBaseENS0_6PackOpEb");
struct returned_in_memory
lower_unpack(void *rewriter, void *op, bool extract) __asm__(
    "_ZN4mlir6linalg11lowerUnPackERNS_12RewriterBaseENS0_8UnPackOpEb");

void populate_winograd(void *patterns) __asm__(
    "_ZN4mlir6linalg36populateDecomposeWinogradOpsPatternsERNS_"
    "17RewritePatternSetE");
void populate_concat(void *patterns) __asm__(
    "_ZN4mlir6tensor37populateDecomposeTensorConcatPatternsERNS_"
    "17RewritePatternSetE");

struct decomposer {
  struct jr_ops packs, unpacks;
  bool has_patterns; ///< there are operations that patterns take apart
};

static bool is_op(MlirOperation op, const char *name) {
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                            jr_ref(name));
}

static MlirWalkResult find_ops(MlirOperation op, void *context) {
  struct decomposer *found = context;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (mlirOperationGetNumResults(op) == 0)
    return MlirWalkResultAdvance;
  if (is_op(op, "linalg.pack"))
    (void)jr_ops_push(&found->packs, op);
  if (is_op(op, "linalg.unpack"))
    (void)jr_ops_push(&found->unpacks, op);
  found->has_patterns = found->has_patterns || is_op(op, "tensor.concat") ||
                        jr_ref_begins(name, "linalg.winograd_");
  return MlirWalkResultAdvance;
}

/// Whatever cannot be taken apart is left to be refused later, by name.
static void replace_all(struct decomposer *found) {
  for (size_t i = 0; i < found->packs.count; i++) {
    MlirOperation op = found->packs.items[i];
    MlirRewriterBase rewriter = mlirIRRewriterCreateFromOp(op);
    (void)lower_pack(rewriter.ptr, op.ptr, true);
    mlirIRRewriterDestroy(rewriter);
  }
  for (size_t i = 0; i < found->unpacks.count; i++) {
    MlirOperation op = found->unpacks.items[i];
    MlirRewriterBase rewriter = mlirIRRewriterCreateFromOp(op);
    (void)lower_unpack(rewriter.ptr, op.ptr, true);
    mlirIRRewriterDestroy(rewriter);
  }
}

/// Operations of these dialects are made, whatever the program uses.
static void load_dialects(MlirContext context) {
  static const char *const names[] = {"arith",  "linalg", "math",
                                      "tensor", "scf",    "affine"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    (void)mlirContextGetOrLoadDialect(context, jr_ref(names[i]));
}

static void apply_patterns(struct jr_unit *unit) {
  MlirRewritePatternSet patterns = mlirRewritePatternSetCreate(unit->context);
  populate_winograd(patterns.ptr);
  populate_concat(patterns.ptr);
  jr_apply_patterns(unit, patterns);
}

void jr_decompose(struct jr_unit *unit) {
  struct decomposer found = {0};
  mlirOperationWalk(mlirModuleGetOperation(unit->module), find_ops, &found,
                    MlirWalkPreOrder);
  if (found.packs.count + found.unpacks.count > 0 || found.has_patterns)
    load_dialects(unit->context);
  replace_all(&found);
  if (found.has_patterns)
    apply_patterns(unit);
  jr_ops_deinit(&found.packs);
  jr_ops_deinit(&found.unpacks);
}
