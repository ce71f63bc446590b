/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Locations for who reads them outside of the compiler: in printed programs
/// and in debug information.
#ifndef JR_JIT_LOCATIONS_H
#define JR_JIT_LOCATIONS_H

#include "jit/unit.h"

#include "llvm-c/Types.h"

/// MLIR calls the text that it parsed "-"; gives its locations the file's name,
/// and the columns of the source where old spellings were rewritten.
void jr_locations_name(struct jr_unit *unit);

/// In the LLVM dialect: gives each function that has none a scope of debug
/// information, and each operation a line.
jitrun_error_t *jr_locations_scope(struct jr_unit *unit) JITRUN_MUST_USE;

/// The same for functions that are emitted without MLIR; see emit.c.
struct jr_debug {
  const struct jr_unit *unit; ///< set by the caller; all else is zero
  LLVMDIBuilderRef builder;
  LLVMMetadataRef type;
};

/// Gives an emitted function a scope, and all of its instructions one line, if
/// the options ask for debug information.
void jr_debug_function(struct jr_debug *debug,
                       const struct jr_function *function, LLVMValueRef value);

void jr_debug_close(struct jr_debug *debug);

#endif
