/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Images as a mapping of their file: pages that are only read are those of the
/// file, in all processes.
#include "runtime/image_parts.h"

#include "base/alloc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct mapped_image {
  void *start;
  size_t size;
};

static void close_mapped(void *owner) {
  struct mapped_image *mapped = owner;
  jr_unmap(mapped->start, mapped->size);
  free(mapped);
}

jitrun_error_t *jr_image_map(const struct jr_image_file *file, int descriptor,
                             struct jr_image *out_image) {
  size_t skipped = file->offset % (size_t)sysconf(_SC_PAGESIZE);
  struct mapped_image *mapped = jr_malloc(sizeof *mapped);
  if (!mapped)
    return jr_error_no_memory();
  mapped->size = file->room_bytes + skipped;
  mapped->start = mmap(NULL, mapped->size, PROT_READ | PROT_WRITE, MAP_PRIVATE,
                       descriptor, (off_t)(file->offset - skipped));
  if (mapped->start == MAP_FAILED) {
    free(mapped);
    return jr_error(JITRUN_RESOURCE_EXHAUSTED,
                    "cannot map an image of %zu bytes: %s", file->room_bytes,
                    strerror(errno));
  }
  *out_image = (struct jr_image){.data = (char *)mapped->start + skipped,
                                 .size_bytes = file->room_bytes,
                                 .close = close_mapped,
                                 .owner = mapped};
  return NULL;
}
