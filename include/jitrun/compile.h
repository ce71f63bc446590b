/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Compiling ahead of time: MLIR in, an image or an intermediate form out.
/// Needs libjitrun-jit; what it makes does not.
#ifndef JITRUN_COMPILE_H
#define JITRUN_COMPILE_H

#include "jitrun/error.h"
#include "jitrun/registry.h"
#include "jitrun/stages.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What to make.
typedef enum jitrun_emit {
  JITRUN_EMIT_OBJECT = 1,   ///< .o: an image that jitrun loads itself
  JITRUN_EMIT_SHARED = 2,   ///< .so: the same, linked
  JITRUN_EMIT_LLVM = 3,     ///< .ll: LLVM IR, after optimisation
  JITRUN_EMIT_ASM = 4,      ///< .s
  JITRUN_EMIT_HEADER = 5,   ///< .h: declares the image for static linking
  JITRUN_EMIT_MLIR = 6,     ///< .mlir: the program as it is after `stage`
  JITRUN_EMIT_BYTECODE = 7, ///< .mlirbc: the same, up to stage "llvm", as
                            ///< MLIR's bytecode, with its locations
  JITRUN_EMIT_IMAGE = 8     ///< .image: an image without code, in no object
} jitrun_emit_t;

/// Options; zero-initialise, then set `size`.
typedef struct jitrun_compile_options {
  size_t size; ///< sizeof(jitrun_compile_options_t)
  jitrun_emit_t emit;
  int opt_level;      ///< 0..3 for code between calls; -1: 2
  const char *cpu;    ///< NULL: x86-64-v3 (aarch64: generic); "native"
  const char *target; ///< LLVM triple; NULL: this machine's
  const char *prefix; ///< of symbols; NULL: from the input's name
  const char *stage;  ///< EMIT_MLIR, _BYTECODE: see jitrun_stage_name(); those
                      ///< from "translate" on give LLVM IR, "codegen" assembly.
                      ///< NULL: "parse", the program as it was read
  /// Its attribute types are those that the program may use. EMIT_OBJECT,
  /// _SHARED, _HEADER: what every call site must fit, as when the program is
  /// opened. Functions that the program calls by name must be ones of its
  /// libraries, or built in. NULL: types of the process-wide registry; calls
  /// named jitrun.* must fit the built-in ones, others may be anything.
  jitrun_registry_t *registry;
  bool check;                        ///< as in jitrun_open_options_t
  const jitrun_observer_t *observer; ///< NULL: none
  bool debug_info; ///< line tables, from MLIR's locations; EMIT_MLIR: these
  /// No native code, which EMIT_IMAGE never has: the program is run by thunks,
  /// on any machine. UNIMPLEMENTED when an entry needs code.
  bool no_code;
  /// EMIT_OBJECT, _SHARED: puts the contents of constant memref.globals, which
  /// constant tensors become, into a file of that name, in the folder of the
  /// output unless the name begins with '/'. The image names it. NULL: into the
  /// image. A program without such constants makes no file.
  const char *constants;
  /// What the image and messages call the input, so that they do not depend on
  /// where it is; the prefix comes from this name. NULL: `input_path`.
  const char *source_name;
} jitrun_compile_options_t;

/// Compiles `input_path` ("-" is standard input) to `output_path`, which is
/// written atomically ("-" writes text forms to standard output). NOT_FOUND or
/// INVALID_ARGUMENT for call sites that do not fit the registry.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_compile_file(const char *input_path, const char *output_path,
                    const jitrun_compile_options_t *options);

#ifdef __cplusplus
}
#endif
#endif
