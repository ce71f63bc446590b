/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Files that are something else than what they were given as: errors that say
/// what they are, and where they belong.
#ifndef JR_RUNTIME_CONTENT_H
#define JR_RUNTIME_CONTENT_H

#include "runtime/image.h"

/// INVALID_ARGUMENT for bytes that are to be compiled and are known not to be
/// MLIR: arrays, compiled programs, plug-ins, and, by the ending of `name`,
/// text in other languages.
jitrun_error_t *jr_source_check(const void *data, size_t size, const char *name)
    __attribute__((warn_unused_result));

/// Replaces the error of an ELF file in which no image was found by one that
/// says that the file is a plug-in, if it is.
jitrun_error_t *jr_image_explain(/*own*/ jitrun_error_t *error,
                                 const void *data, size_t size,
                                 const char *name)
    __attribute__((warn_unused_result));

#endif
