/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Between image.c, image_map.c and image_shared.c.
#ifndef JR_RUNTIME_IMAGE_PARTS_H
#define JR_RUNTIME_IMAGE_PARTS_H

#include "runtime/elf.h"
#include "runtime/image.h"
#include "runtime/table.h"

/// A file and where in it the image stands. Borrowed.
struct jr_image_file {
  const unsigned char *data;
  size_t size;
  enum jr_content_kind kind;
  struct jr_elf elf;           ///< not of a table
  struct jr_elf_symbol symbol; ///< the image's; not of a table
  size_t offset;               ///< of the image
  size_t room_bytes;           ///< of the symbol: at least a header
};

/// Maps the image from the open file: written to, it is a copy of this process.
/// It stands at a multiple of JR_TABLE_ALIGNMENT in the file.
jitrun_error_t *jr_image_map(const struct jr_image_file *file, int descriptor,
                             struct jr_image *out_image)
    __attribute__((warn_unused_result));

/// Opens a shared library whose hash has been checked; `descriptor` as for
/// jr_image_open().
jitrun_error_t *jr_image_open_shared(const struct jr_image_file *file,
                                     int descriptor, struct jr_image *out_image)
    __attribute__((warn_unused_result));

#endif
