/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Images in shared libraries. The table is mapped by itself, so that all can
/// be checked before the library is opened, and is used from there; of the
/// library come the addresses of its code. The system's loader trusts what it
/// is given, so the segments are checked before. It is given the very file that
/// was hashed, by its descriptor; the descriptor stays open as long as the
/// library, because the loader takes two libraries of one name, /proc/PID/fd/N,
/// for the same, and because debuggers open that name.
#include "runtime/image_parts.h"

#include "base/alloc.h"
#include "base/dylib.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct shared_image {
  struct jr_dylib library;
  struct jr_image table; ///< mapped
  int descriptor;
  uint64_t address; ///< of the image in the library
  char symbol[];    ///< its name
};

static void close_shared(void *owner) {
  struct shared_image *shared = owner;
  jr_dylib_close(&shared->library);
  jr_image_close(&shared->table);
  if (shared->descriptor >= 0)
    (void)close(shared->descriptor);
  free(shared);
}

/// Writes all bytes; false on failure, with errno set.
static bool write_all(int descriptor, const unsigned char *data, size_t size) {
  while (size) {
    ssize_t written = write(descriptor, data, size);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    data += written;
    size -= (size_t)written;
  }
  return true;
}

/// A file in memory that nobody can change any more.
static jitrun_error_t *open_memory(const struct jr_image_file *file,
                                   int *out_descriptor) {
  int seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
  int descriptor =
      memfd_create("jitrun-image", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor >= 0 && write_all(descriptor, file->data, file->size) &&
      fcntl(descriptor, F_ADD_SEALS, seals) == 0) {
    *out_descriptor = descriptor;
    return NULL;
  }
  int cause = errno;
  if (descriptor >= 0)
    (void)close(descriptor);
  return jr_error(JITRUN_RESOURCE_EXHAUSTED,
                  "cannot make a file in memory of %zu bytes for a shared "
                  "library: %s",
                  file->size, strerror(cause));
}

static jitrun_error_t *copy_descriptor(int descriptor, int *out_descriptor) {
  *out_descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (*out_descriptor < 0)
    return jr_error(JITRUN_RESOURCE_EXHAUSTED,
                    "cannot keep a shared library open: %s", strerror(errno));
  return NULL;
}

/// Says what is wrong with a segment that is to be mapped at `least` or above,
/// or NULL; moves `least` past it.
static const char *find_objection(const Elf64_Phdr *segment, uint64_t *least) {
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  uint64_t most = UINT64_MAX / 4;
  if ((segment->p_flags & PF_W) && (segment->p_flags & PF_X))
    return "is writable and executable";
  if (segment->p_type != PT_LOAD)
    return NULL;
  if (segment->p_memsz < segment->p_filesz || segment->p_memsz > most ||
      segment->p_vaddr > most)
    return "has impossible sizes";
  if ((segment->p_vaddr - segment->p_offset) % page != 0)
    return "is not aligned to pages";
  if (segment->p_vaddr / page * page < *least)
    return "overlaps another one";
  uint64_t end = segment->p_vaddr + segment->p_memsz;
  *least = (end + page - 1) / page * page;
  return NULL;
}

static jitrun_error_t *check_segments(const struct jr_elf *elf) {
  uint64_t least = 0;
  for (uint64_t i = 0; i < elf->header.e_phnum; ++i) {
    Elf64_Phdr segment;
    JITRUN_TRY(jr_elf_segment(elf, i, &segment));
    bool is_checked =
        segment.p_type == PT_LOAD || segment.p_type == PT_GNU_STACK;
    const char *objection =
        is_checked ? find_objection(&segment, &least) : NULL;
    if (objection)
      return jr_error(JITRUN_DATA_LOSS,
                      "segment %" PRIu64 " of the shared library %s", i,
                      objection);
  }
  return NULL;
}

static jitrun_error_t *check_shared(const struct jr_image_file *file) {
  const Elf64_Ehdr *header = &file->elf.header;
  if (header->e_type != ET_DYN)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the ELF file is of type %u, expected a shared library "
                    "(%u)",
                    header->e_type, ET_DYN);
  return check_segments(&file->elf);
}

/// Finds the image in the library and makes sure that it is the one that was
/// checked.
static jitrun_error_t *find_loaded(const struct shared_image *shared,
                                   const void **out_code) {
  struct link_map *map = NULL;
  *out_code = jr_dylib_find(&shared->library, shared->symbol);
  if (!*out_code)
    return jr_error(JITRUN_NOT_FOUND,
                    "the shared library does not export '%.200s'",
                    shared->symbol);
  uint64_t address = (uintptr_t)*out_code;
  if (dlinfo(shared->library.handle, RTLD_DI_LINKMAP, (void *)&map) != 0 ||
      address - map->l_addr != shared->address ||
      memcmp(*out_code, shared->table.data,
             offsetof(struct jr_table_header, source_hash)) != 0)
    return jr_error(JITRUN_DATA_LOSS,
                    "'%.200s' in memory is not the image in the file; was the "
                    "file replaced meanwhile?",
                    shared->symbol);
  return NULL;
}

/// The name of the open file. A debugger's /proc/self is its own; where that of
/// this process cannot be had (/proc may be of other processes), self will do.
static void name_file(int descriptor, char *path, size_t size) {
  struct stat file;
  struct stat named;
  (void)snprintf(path, size, "/proc/%ld/fd/%d", (long)getpid(), descriptor);
  if (fstat(descriptor, &file) != 0 || stat(path, &named) != 0 ||
      file.st_dev != named.st_dev || file.st_ino != named.st_ino)
    (void)snprintf(path, size, "/proc/self/fd/%d", descriptor);
}

static jitrun_error_t *activate_shared(struct jr_image *image) {
  struct shared_image *shared = image->owner;
  char path[64];
  name_file(shared->descriptor, path, sizeof path);
  JITRUN_TRY(jr_dylib_open(path, &shared->library));
  return find_loaded(shared, &image->code);
}

/// True for code that is written to once it is loaded, by itself or by whoever
/// opens it.
static bool has_own_data(const struct jr_image_file *file) {
  struct jr_table_header header;
  jitrun_error_t *err = jr_table_read_header(file->data + file->offset,
                                             file->room_bytes, &header);
  bool is_written = !err && ((header.flags & JR_TABLE_OWN_DATA) ||
                             header.sections[JR_SECTION_IMPORTS].count > 0);
  jitrun_error_free(err);
  return is_written;
}

static jitrun_error_t *open_file(const struct jr_image_file *file,
                                 int descriptor, struct shared_image *shared) {
  /* The loader takes a file that it has for the same library; what code writes
     to must be one for each program. */
  if (descriptor >= 0 && !has_own_data(file))
    JITRUN_TRY(copy_descriptor(descriptor, &shared->descriptor));
  else
    JITRUN_TRY(open_memory(file, &shared->descriptor));
  return jr_image_map(file, shared->descriptor, &shared->table);
}

jitrun_error_t *jr_image_open_shared(const struct jr_image_file *file,
                                     int descriptor,
                                     struct jr_image *out_image) {
  JITRUN_TRY(check_shared(file));
  size_t name_bytes = strlen(file->symbol.name) + 1;
  struct shared_image *shared = jr_malloc(sizeof *shared + name_bytes);
  if (!shared)
    return jr_error_no_memory();
  *shared = (struct shared_image){.descriptor = -1,
                                  .address = file->symbol.symbol.st_value};
  memcpy(shared->symbol, file->symbol.name, name_bytes);
  jitrun_error_t *error = open_file(file, descriptor, shared);
  if (error) {
    close_shared(shared);
    return error;
  }
  *out_image = (struct jr_image){.data = shared->table.data,
                                 .size_bytes = file->room_bytes,
                                 .activate = activate_shared,
                                 .close = close_shared,
                                 .owner = shared};
  return NULL;
}
