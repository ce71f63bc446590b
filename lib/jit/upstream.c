/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// LLVM 22's C API makes MemRef passes by name only after registering every
/// pass there is, and registers translations only all together: either links
/// all of MLIR and all targets. The C++ functions are called instead, by their
/// mangled names (Itanium C++ ABI). Remove when mlir-c has
/// mlirCreateMemRefExpandStridedMetadata and a registration of single
/// translations (both absent up to LLVM 22).
#include "jit/upstream.h"

/// A std::unique_ptr is returned through memory that the caller gives; so is a
/// C structure that is too large for registers.
struct returned_in_memory {
  void *pass;
  void *unused[3];
};

struct returned_in_memory create_expand_strided(void) __asm__(
    "_ZN4mlir6memref31createExpandStridedMetadataPassEv");

MlirPass jr_create_expand_strided(void) {
  return (MlirPass){create_expand_strided().pass};
}

void jr_apply_patterns(struct jr_unit *unit, MlirRewritePatternSet patterns) {
  MlirFrozenRewritePatternSet frozen = mlirFreezeRewritePattern(patterns);
  mlirRewritePatternSetDestroy(patterns); // what it held has been moved
  MlirGreedyRewriteDriverConfig config = mlirGreedyRewriteDriverConfigCreate();
  (void)mlirApplyPatternsAndFoldGreedily(unit->module, frozen, config);
  mlirGreedyRewriteDriverConfigDestroy(config);
  mlirFrozenRewritePatternSetDestroy(frozen);
}

/// Takes a RewritePatternSet by reference, and a PatternBenefit, which holds an
/// unsigned short.
void populate_scan_patterns(void *patterns, unsigned short benefit) __asm__(
    "_ZN4mlir6vector34populateVectorScanLoweringPatternsERNS_17"
    "RewritePatternSetENS_14PatternBenefitE");

jitrun_error_t *jr_lower_scans(struct jr_unit *unit) {
  MlirRewritePatternSet patterns = mlirRewritePatternSetCreate(unit->context);
  populate_scan_patterns(patterns.ptr, 1);
  jr_apply_patterns(unit, patterns);
  return NULL;
}

/// Both take an MLIRContext by reference, which is passed as its address.
void register_builtin_translation(void *context) __asm__(
    "_ZN4mlir33registerBuiltinDialectTranslationERNS_11MLIRContextE");
void register_llvm_translation(void *context) __asm__(
    "_ZN4mlir30registerLLVMDialectTranslationERNS_11MLIRContextE");

void jr_register_translations(MlirContext context) {
  register_builtin_translation(context.ptr);
  register_llvm_translation(context.ptr);
}
