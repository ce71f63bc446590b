/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Collects what MLIR reports while a stage runs, and turns it into the error
/// of the stage: the first error becomes message and location, all else notes.
#ifndef JR_JIT_DIAGNOSTICS_H
#define JR_JIT_DIAGNOSTICS_H

#include "base/error.h"
#include "jit/desugar.h"

#include "mlir-c/Diagnostics.h"

struct jr_diagnostics {
  const char *source_name; ///< stands for MLIR's name of a string buffer
  const struct jr_desugared *desugared; ///< what became of its columns
  MlirContext context;
  MlirDiagnosticHandlerID handler;
  jitrun_error_t *error; ///< of what was reported so far
  size_t count;
};

void jr_diagnostics_attach(struct jr_diagnostics *diagnostics,
                           MlirContext context, const char *source_name,
                           const struct jr_desugared *desugared);
void jr_diagnostics_detach(struct jr_diagnostics *diagnostics);

/// The error of a stage that failed: what was reported, or `otherwise`.
jitrun_error_t *jr_diagnostics_take(struct jr_diagnostics *diagnostics,
                                    const char *otherwise)
    __attribute__((returns_nonnull, warn_unused_result));

/// The first file location inside `location`; line 0 when there is none, then
/// `file` is the first name in it, or empty.
/// Locations in the buffer that MLIR parsed have the columns of the source.
void jr_location_read(MlirLocation location,
                      const struct jr_desugared *desugared,
                      MlirStringRef *out_file, uint32_t *out_line,
                      uint32_t *out_column);

#endif
