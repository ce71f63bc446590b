/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Programs of one function in an object or shared library that jitrun did not
/// make. What it takes and returns is told by a signature, from which a program
/// is made that calls it as functions of libraries are called. Objects are
/// loaded by libjitrun itself, shared libraries by the system; both go with the
/// program.
#ifndef JR_RUNTIME_FOREIGN_H
#define JR_RUNTIME_FOREIGN_H

#include "jitrun/program.h"

/// How MLIR's C interface names a function.
#define JR_FOREIGN_PREFIX "_mlir_ciface_"

struct jr_foreign_file {
  const void *data;
  size_t size;
  const char *name;
  bool is_file; ///< `name` can be opened
};

/// Opens the function that options->signature tells. INVALID_ARGUMENT for a
/// signature that cannot be read, and for files that are no such library;
/// NOT_FOUND where it has no function of that name, or needs functions that
/// nobody has.
jitrun_error_t *jr_foreign_open(const struct jr_foreign_file *file,
                                const jitrun_open_options_t *options,
                                jitrun_program_t **out_program) JITRUN_MUST_USE;

#endif
