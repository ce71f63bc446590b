/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Parts of upstream that have no C entry point of their own.
#ifndef JR_JIT_UPSTREAM_H
#define JR_JIT_UPSTREAM_H

#include "jit/unit.h"

#include "mlir-c/Pass.h"
#include "mlir-c/Rewrite.h"

/// expand-strided-metadata: subviews and reshapes become arithmetic on offsets,
/// sizes and strides.
MlirPass jr_create_expand_strided(void);

/// Applies patterns to the module until none fits; takes them over.
void jr_apply_patterns(struct jr_unit *unit,
                       /*own*/ MlirRewritePatternSet patterns);

/// Takes apart operations on tensors that no pass lowers: linalg.pack, unpack
/// and the winograd transforms, tensor.concat.
void jr_decompose(struct jr_unit *unit);

/// Takes vector.scan apart: no pass of upstream's does.
jitrun_error_t *jr_lower_scans(struct jr_unit *unit) JITRUN_MUST_USE;

/// Makes memref.generic_atomic_rmw of floats one of integers.
jitrun_error_t *jr_lower_atomics(struct jr_unit *unit) JITRUN_MUST_USE;

/// Has scf.index_switch look at all of its operand, not at its low 32 bits.
/// UNIMPLEMENTED for cases of more.
jitrun_error_t *jr_narrow_switches(struct jr_unit *unit) JITRUN_MUST_USE;

/// Makes branches of switches that have no cases.
void jr_lower_switches(struct jr_unit *unit);

/// Teaches a context to translate the builtin and LLVM dialects to LLVM IR.
void jr_register_translations(MlirContext context);

/// Adds how operations of the dialects are bufferized, to be attached when
/// their dialects are loaded.
void jr_register_models(MlirDialectRegistry registry);

/// Adds how operations of linalg are checked at run time.
void jr_register_linalg_checks(MlirDialectRegistry registry);

/// UNIMPLEMENTED for an operation that upstream's passes would crash on.
jitrun_error_t *
jr_check_upstream_bugs(const struct jr_unit *unit) JITRUN_MUST_USE;

#endif
