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

/// An image at an address, with whatever keeps it there. Its code may be
/// elsewhere, in a second image that was loaded.
struct jr_image {
  const void *data;
  size_t size_bytes; ///< readable at `data`; SIZE_MAX: not known
  const void *code; ///< the image with the code offsets that hold; NULL: `data`
  /// Makes the code executable, and sets `code`; NULL: it is, or there is none.
  jitrun_error_t *(*activate)(struct jr_image *image);
  const char *path; ///< of the image's file, while a program is made of it;
                    ///< NULL: it is in none. Borrowed.
  void (*close)(void *owner); ///< NULL: nothing to close
  void *owner;
};

/// Opens the image in an object, shared library or table. `descriptor` is the
/// open file, or -1 for bytes that are in memory only (a shared library is then
/// put in a sealed memfd); of a file, large constants are mapped, not copied.
/// The hash is checked before anything else: DATA_LOSS when it differs. Nothing
/// is executable until the image is activated, as long as `data` is there; to
/// activate code for another machine is FAILED_PRECONDITION. `with_code` false
/// takes only the table (thunks), whatever the machine.
jitrun_error_t *jr_image_open(const void *data, size_t size, int descriptor,
                              bool with_code, struct jr_image *out_image)
    __attribute__((warn_unused_result));

/// Here, so that a program with a linked image takes no loader with it.
static inline void jr_image_close(struct jr_image *image) {
  if (image->close)
    image->close(image->owner);
  *image = (struct jr_image){0};
}

/// Activates an image, if it has code; for those who do not make programs.
static inline jitrun_error_t *jr_image_activate(struct jr_image *image) {
  return image->activate ? image->activate(image) : NULL;
}

/// Settles the object in the bytes of a finished file, if it is one that can be
/// (jr_object_settle()), and notes that in the image.
void jr_image_settle(void *data, size_t size);

/// Sets the hash field of the image in the bytes of a finished file.
jitrun_error_t *jr_image_seal(void *data, size_t size)
    __attribute__((warn_unused_result));

#endif
