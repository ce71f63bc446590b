/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Image files: telling what a file is, checking its hash, bringing an image
/// from an .o, .so, table or ORC to an address, and back out of memory.
#ifndef JR_RUNTIME_IMAGE_H
#define JR_RUNTIME_IMAGE_H

#include "base/files.h"

enum jr_content_kind {
  JR_CONTENT_MLIR,     ///< text, or anything that is nothing else
  JR_CONTENT_BYTECODE, ///< MLIR bytecode
  JR_CONTENT_OBJECT,   ///< ELF relocatable
  JR_CONTENT_SHARED,   ///< ELF shared library
  JR_CONTENT_TABLE     ///< a bare image without code
};

/// Tells by the first bytes.
enum jr_content_kind jr_content_kind(const void *data, size_t size);

/// An image at an address, with whatever keeps it there.
struct jr_image {
  const void *data;
  size_t size_bytes;          ///< readable at `data`; SIZE_MAX: not known
  void (*close)(void *owner); ///< NULL: nothing to close
  void *owner;
};

/// Opens the image in an object, shared library or table. `descriptor` is the
/// open file for a shared library, or -1 for bytes that are in memory only (it
/// is then put in a sealed memfd). The hash is checked before anything is
/// mapped executable: DATA_LOSS when it differs. `with_code` false takes only
/// the table (thunks), copied out of the file, whatever the machine.
jitrun_error_t *jr_image_open(const void *data, size_t size, int descriptor,
                              bool with_code, struct jr_image *out_image)
    __attribute__((warn_unused_result));

/// Here, so that a program with a linked image takes no loader with it.
static inline void jr_image_close(struct jr_image *image) {
  if (image->close)
    image->close(image->owner);
  *image = (struct jr_image){0};
}

/// Sets the hash field of the image in the bytes of a finished file.
jitrun_error_t *jr_image_seal(void *data, size_t size)
    __attribute__((warn_unused_result));

#endif
