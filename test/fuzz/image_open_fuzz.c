/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Fuzzes the opening of images: any bytes as they are, and sealed, so that the
/// hash does not keep the fuzzer out. Shared libraries are not given to the
/// system's loader, which trusts its input.
#include "runtime/image.h"

#include "fuzz.h"
#include "runtime/table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void open_image(const unsigned char *data, size_t size, int descriptor) {
  bool with_code = jr_content_kind(data, size) != JR_CONTENT_SHARED;
  struct jr_image image;
  struct jr_table table = {0};
  jitrun_error_t *error =
      jr_image_open(data, size, descriptor, with_code, &image);
  if (!error)
    error = jr_table_check(image.data, image.size_bytes, &table);
  jitrun_error_free(error);
  jr_table_close(&table);
  jr_image_close(&image);
}

/// Objects are mapped from files, where they allow it.
static void open_file(const unsigned char *data, size_t size) {
  int descriptor = memfd_create("image", MFD_CLOEXEC);
  if (descriptor >= 0 && write(descriptor, data, size) == (ssize_t)size)
    open_image(data, size, descriptor);
  if (descriptor >= 0)
    (void)close(descriptor);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  unsigned char *copy = malloc(size ? size : 1);
  if (!copy)
    return 0;
  open_image(data, size, -1);
  memcpy(copy, data, size);
  jitrun_error_free(jr_image_seal(copy, size));
  open_image(copy, size, -1);
  open_file(copy, size);
  jr_image_settle(copy, size);
  jitrun_error_free(jr_image_seal(copy, size));
  open_file(copy, size);
  free(copy);
  return 0;
}
