/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Constants that stand beside an image, in a file that it names: mapped
/// read-only, so that all processes share them.
#ifndef JR_RUNTIME_CONSTANTS_H
#define JR_RUNTIME_CONSTANTS_H

#include "base/files.h"
#include "jitrun/program.h"
#include "runtime/table.h"

struct jr_constants {
  struct jr_file_map map; ///< zero: the image names no file
};

/// Maps the file and checks its size, and its hash unless the options say that
/// it is trusted. `image_path` is the image's file, whose folder the name
/// counts from; NULL: it is in none. NOT_FOUND and the like as for any file;
/// FAILED_PRECONDITION when it is not known where the file is; DATA_LOSS when
/// it is not the one the image was made with.
jitrun_error_t *
jr_constants_open(const struct jr_table *table,
                  const jitrun_open_options_t *options, const char *image_path,
                  struct jr_constants *out_constants) JITRUN_MUST_USE;

void jr_constants_close(struct jr_constants *constants);

#endif
