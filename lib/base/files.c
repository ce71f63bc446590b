/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Files. Every failure becomes one sentence that names the path and the
/// system's own cause; file_error() picks the code.
#include "base/files.h"

#include "base/alloc.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READ_PIECE_BYTES = 1 << 16, TEMP_NAME_TRIES = 100 };

/// Reading ends here with EFBIG: some devices never end. Large files are
/// mapped.
static const size_t MOST_READ_BYTES = (size_t)1 << 31;

static jitrun_code_t code_of_errno(int cause) {
  switch (cause) {
  case ENOENT:
  case ENOTDIR:
  case ENODEV:
  case ENXIO:
    return JITRUN_NOT_FOUND;
  case EACCES:
  case EPERM:
  case EROFS:
    return JITRUN_PERMISSION_DENIED;
  case EISDIR:
  case EINVAL:
  case ELOOP:
  case ENAMETOOLONG:
    return JITRUN_INVALID_ARGUMENT;
  case ENOMEM:
  case ENOSPC:
  case EDQUOT:
  case EFBIG:
  case EMFILE:
  case ENFILE:
    return JITRUN_RESOURCE_EXHAUSTED;
  default:
    return JITRUN_UNKNOWN;
  }
}

/// "cannot <verb> '<path>': <cause>".
static jitrun_error_t *file_error(const char *verb, const char *path,
                                  int cause) {
  char buffer[128];
  return jr_error(code_of_errno(cause), "cannot %s '%s': %s", verb, path,
                  strerror_r(cause, buffer, sizeof buffer));
}

static bool is_stream_name(const char *path) {
  return strcmp(path, "-") == 0;
}

/// open() that is not interrupted; -1 and errno on failure.
static int open_file(const char *path, int flags, mode_t mode) {
  int descriptor = -1;
  do
    descriptor = open(path, flags | O_CLOEXEC, mode);
  while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

/// Reads until the end; 0 or the cause of failure. Running out of memory is
/// left in `bytes`.
static int read_all(int descriptor, struct jr_bytes *bytes) {
  for (;;) {
    // Room is taken in pieces and given back, since the size of a file may
    // change, and a pipe has none.
    size_t start = bytes->size;
    unsigned char *piece = jr_bytes_extend(bytes, READ_PIECE_BYTES);
    if (!piece)
      return 0;
    ssize_t got = read(descriptor, piece, READ_PIECE_BYTES);
    bytes->size = start + (got > 0 ? (size_t)got : 0);
    if (got == 0)
      return 0;
    if (bytes->size > MOST_READ_BYTES)
      return EFBIG;
    if (got < 0 && errno != EINTR)
      return errno;
  }
}

jitrun_error_t *jr_file_read(const char *path, struct jr_bytes *out_bytes) {
  *out_bytes = (struct jr_bytes){0};
  bool is_stream = is_stream_name(path);
  int descriptor = is_stream ? STDIN_FILENO : open_file(path, O_RDONLY, 0);
  if (descriptor < 0)
    return file_error("read", path, errno);
  int cause = read_all(descriptor, out_bytes);
  if (!is_stream)
    (void)close(descriptor);
  jitrun_error_t *err = jr_bytes_check(out_bytes);
  if (err)
    err = jr_error_note(err, "while reading '%s'", path);
  else if (cause != 0)
    err = file_error("read", is_stream ? "standard input" : path, cause);
  if (err)
    jr_bytes_deinit(out_bytes);
  return err;
}

/// Writes everything; 0 or the cause of failure.
static int write_all(int descriptor, const unsigned char *data, size_t size) {
  while (size > 0) {
    ssize_t done = write(descriptor, data, size);
    if (done < 0 && errno != EINTR)
      return errno;
    if (done > 0) {
      data += done;
      size -= (size_t)done;
    }
  }
  return 0;
}

/// Writes and closes; 0 or the cause of failure. Close reports what some file
/// systems only find out at the end.
static int write_and_close(int descriptor, const void *data, size_t size) {
  int cause = write_all(descriptor, data, size);
  if (close(descriptor) != 0 && cause == 0 && errno != EINTR)
    cause = errno;
  return cause;
}

/// Creates a file of a new name in the folder of `path`, whose name is put in
/// `out_name`; -1 and errno on failure. mkstemp() would ignore the umask.
static int create_temp(const char *path, struct jr_bytes *out_name) {
  const char *slash = strrchr(path, '/');
  size_t folder_size = slash ? (size_t)(slash - path) + 1 : 0;
  for (int i = 0; i < TEMP_NAME_TRIES; i++) {
    out_name->size = 0;
    jr_bytes_append(out_name, path, folder_size);
    jr_bytes_appendf(out_name, ".jitrun-%ld-%d.tmp", (long)getpid(), i);
    const char *name = jr_bytes_text(out_name);
    if (!name) {
      errno = ENOMEM;
      return -1;
    }
    int descriptor = open_file(name, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (descriptor >= 0 || errno != EEXIST)
      return descriptor;
  }
  return -1;
}

/// Replaces a regular file, or makes one; 0 or the cause of failure.
static int replace_file(const char *path, const void *data, size_t size) {
  struct jr_bytes name = {0};
  int cause = 0;
  int descriptor = create_temp(path, &name);
  if (descriptor < 0) {
    cause = errno;
    goto done;
  }
  const char *temp_path = (const char *)name.data;
  cause = write_and_close(descriptor, data, size);
  if (cause == 0 && rename(temp_path, path) != 0)
    cause = errno;
  if (cause != 0)
    (void)unlink(temp_path);
done:
  jr_bytes_deinit(&name);
  return cause;
}

/// Writes into a device or a pipe, which a rename would replace; 0 or the cause
/// of failure.
static int write_in_place(const char *path, const void *data, size_t size) {
  int descriptor = open_file(path, O_WRONLY, 0);
  if (descriptor < 0)
    return errno;
  return write_and_close(descriptor, data, size);
}

jitrun_error_t *jr_file_write(const char *path, const void *data, size_t size) {
  struct stat status;
  int cause = 0;
  if (is_stream_name(path)) {
    path = "standard output";
    cause = write_all(STDOUT_FILENO, data, size);
  } else if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
    cause = write_in_place(path, data, size);
  } else {
    cause = replace_file(path, data, size);
  }
  return cause ? file_error("write", path, cause) : NULL;
}

jitrun_error_t *jr_file_replace(const char *path, const void *data,
                                size_t size) {
  int cause = replace_file(path, data, size);
  return cause ? file_error("write", path, cause) : NULL;
}

bool jr_file_is_same(const char *a, const char *b) {
  struct stat left;
  struct stat right;
  return !is_stream_name(a) && !is_stream_name(b) && stat(a, &left) == 0 &&
         stat(b, &right) == 0 && S_ISREG(left.st_mode) &&
         left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

/// Maps what map->descriptor has open.
static jitrun_error_t *map_descriptor(const char *path,
                                      struct jr_file_map *map) {
  struct stat status;
  if (fstat(map->descriptor, &status) != 0)
    return file_error("map", path, errno);
  if (!S_ISREG(status.st_mode))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "cannot map '%s': it is not a regular file", path);
  map->size = (size_t)status.st_size;
  if (map->size == 0) { // mmap refuses an empty range
    map->data = (const unsigned char *)"";
    return NULL;
  }
  void *data =
      mmap(NULL, map->size, PROT_READ, MAP_PRIVATE, map->descriptor, 0);
  if (data == MAP_FAILED)
    return file_error("map", path, errno);
  map->data = data;
  return NULL;
}

jitrun_error_t *jr_file_map_open(const char *path,
                                 struct jr_file_map *out_map) {
  *out_map = (struct jr_file_map){0};
  // Non-blocking, so that a pipe is refused instead of waited for.
  int descriptor = open_file(path, O_RDONLY | O_NONBLOCK, 0);
  if (descriptor < 0)
    return file_error("read", path, errno);
  struct jr_file_map map = {.descriptor = descriptor};
  jitrun_error_t *err = map_descriptor(path, &map);
  if (err)
    (void)close(descriptor);
  else
    *out_map = map;
  return err;
}

void jr_file_map_close(struct jr_file_map *map) {
  if (!map->data)
    return;
  if (map->size > 0)
    jr_unmap((void *)(uintptr_t)map->data, map->size);
  (void)close(map->descriptor);
  *map = (struct jr_file_map){0};
}

static bool is_digit(char character) {
  return character >= '0' && character <= '9';
}

/// ASCII only: isalnum() depends on the locale.
static bool is_symbol_character(char character) {
  return is_digit(character) || character == '_' ||
         (character >= 'a' && character <= 'z') ||
         (character >= 'A' && character <= 'Z');
}

/// True for "image" and what goes on with a separator: functions with such a
/// prefix would have the names of images, jitrun_image_<prefix>.
static bool is_image_name(const char *name, size_t size) {
  return size >= 5 && memcmp(name, "image", 5) == 0 &&
         (size == 5 || !isalnum((unsigned char)name[5]));
}

const char *jr_file_symbol_prefix(const char *path, char *buffer, size_t size) {
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  const char *dot = strrchr(name, '.');
  size_t name_size = dot ? (size_t)(dot - name) : strlen(name);
  if (is_stream_name(path) || name_size == 0) {
    (void)snprintf(buffer, size, "program");
    return buffer;
  }
  size_t used = 0;
  if ((is_digit(name[0]) || is_image_name(name, name_size)) && used + 1 < size)
    buffer[used++] = '_';
  for (size_t i = 0; i < name_size && used + 1 < size; i++)
    buffer[used++] = is_symbol_character(name[i]) ? name[i] : '_';
  if (size > 0)
    buffer[used] = '\0';
  return buffer;
}
