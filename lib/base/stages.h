/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The stages of a compile: the one table of their names, which compiler and
/// tools share.
#ifndef JR_BASE_STAGES_H
#define JR_BASE_STAGES_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/// X(CONSTANT, "name", "suffix of the text after it"), in the order of running.
#define JR_STAGES(X)                                                           \
  X(PARSE, "parse", "mlir")                                                    \
  X(RT, "rt", "mlir")                                                          \
  X(SPECIALIZE, "specialize", "mlir")                                          \
  X(TENSORS, "tensors", "mlir")                                                \
  X(ASYNC, "async", "mlir")                                                    \
  X(PLAN, "plan", "mlir")                                                      \
  X(BLOCKS, "blocks", "mlir")                                                  \
  X(NATIVE, "native", "mlir")                                                  \
  X(LLVM, "llvm", "mlir")                                                      \
  X(TRANSLATE, "translate", "ll")                                              \
  X(OPTIMISE, "optimise", "ll")                                                \
  X(CODEGEN, "codegen", "s")

enum jr_stage {
#define X(constant, name, suffix) JR_STAGE_##constant,
  JR_STAGES(X)
#undef X
      JR_STAGE_COUNT
};

struct jr_stage_row {
  const char *name, *suffix;
};

/// By enum jr_stage.
extern const struct jr_stage_row jr_stage_table[JR_STAGE_COUNT];

/// INVALID_ARGUMENT for a name that is none, with the nearest and the list.
jitrun_error_t *jr_stage_find(const char *name, enum jr_stage *out_stage)
    __attribute__((warn_unused_result));

/// Adds a stage to a set of 1 << enum jr_stage; "all" stands for all of them.
jitrun_error_t *jr_stage_add(const char *name, uint32_t *set)
    __attribute__((warn_unused_result));

#endif
