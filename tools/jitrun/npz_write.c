/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Writing .npz files: members as they are, then the directory. The same values
/// give the same bytes: the time of every member is the first that zip knows.
#include "npz.h"

#include "npy.h"

#include "base/strings.h"

#include <stdint.h>
#include <string.h>
#include <zlib.h>

enum {
  VERSION = 20, ///< of zip, that a reader needs
  FIRST_DATE = 0x21,
  NAME_LIMIT = 1000,
  COUNT_LIMIT = 65534
};

static void put_u16(struct jr_bytes *out, unsigned value) {
  const unsigned char bytes[] = {(unsigned char)(value & 0xff),
                                 (unsigned char)(value >> 8 & 0xff)};
  jr_bytes_append(out, bytes, sizeof bytes);
}

static void put_u32(struct jr_bytes *out, uint32_t value) {
  put_u16(out, value & 0xffff);
  put_u16(out, value >> 16);
}

/// What the directory and the front of a member have alike.
static void put_sizes(struct jr_bytes *out, const struct jr_bytes *file,
                      size_t name_size) {
  put_u16(out, VERSION);
  put_u16(out, 0x800); // the name is UTF-8
  put_u16(out, 0);     // stored
  put_u16(out, 0);     // time
  put_u16(out, FIRST_DATE);
  put_u32(out, (uint32_t)crc32_z(0, file->data, file->size));
  put_u32(out, (uint32_t)file->size);
  put_u32(out, (uint32_t)file->size);
  put_u16(out, (unsigned)name_size);
  put_u16(out, 0); // extra fields
}

static void put_name(struct jr_bytes *out, const char *name, size_t size) {
  jr_bytes_append(out, name, size - 4);
  jr_bytes_append_text(out, ".npy");
}

/// True when the directory has the name, ".npy" included.
static bool has_name(const struct jr_npz *npz, const char *name, size_t size) {
  const unsigned char *at = npz->directory.data;
  for (uint32_t i = 0; i < npz->count; i++) {
    size_t found = (size_t)(at[28] | at[29] << 8);
    if (found == size && memcmp(at + 46, name, size - 4) == 0)
      return true;
    at += 46 + found;
  }
  return false;
}

static void add_file(struct jr_npz *npz, const char *name, size_t name_size,
                     const struct jr_bytes *file) {
  size_t offset = npz->files.size;
  jr_bytes_append(&npz->files, "PK\3\4", 4);
  put_sizes(&npz->files, file, name_size);
  put_name(&npz->files, name, name_size);
  jr_bytes_append(&npz->files, file->data, file->size);
  jr_bytes_append(&npz->directory, "PK\1\2", 4);
  put_u16(&npz->directory, VERSION);
  put_sizes(&npz->directory, file, name_size);
  put_u16(&npz->directory, 0); // comment
  put_u16(&npz->directory, 0); // disk
  put_u16(&npz->directory, 0); // attributes inside
  put_u32(&npz->directory, 0); // and outside
  put_u32(&npz->directory, (uint32_t)offset);
  put_name(&npz->directory, name, name_size);
  npz->count++;
}

jitrun_error_t *jr_npz_add(struct jr_npz *npz, const char *name,
                           const struct jr_value *value) {
  struct jr_bytes file = {0};
  bool has_suffix = jr_text_has_suffix(name, ".npy");
  size_t stem = strlen(name) - (has_suffix ? 4 : 0);
  size_t name_size = stem + 4;
  if (name_size > NAME_LIMIT || has_name(npz, name, name_size))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    name_size > NAME_LIMIT
                        ? "the name '%.*s' is too long for a .npz file"
                        : "the .npz file is given member '%.*s' twice",
                    (int)stem, name);
  jitrun_error_t *error = jr_npy_format(&file, value);
  if (error)
    goto done;
  if (npz->count == COUNT_LIMIT || (uint64_t)npz->files.size +
                                           npz->directory.size + file.size +
                                           UINT64_C(4) * NAME_LIMIT >=
                                       UINT32_MAX) {
    error = jr_error(JITRUN_UNIMPLEMENTED,
                     ".npz files of 4 GiB are not written; write .npy files");
    goto done;
  }
  add_file(npz, name, name_size, &file);
  error = jr_bytes_check(&npz->files);
  if (!error)
    error = jr_bytes_check(&npz->directory);
done:
  jr_bytes_deinit(&file);
  return error;
}

jitrun_error_t *jr_npz_finish(struct jr_npz *npz) {
  size_t offset = npz->files.size;
  jr_bytes_append(&npz->files, npz->directory.data, npz->directory.size);
  jr_bytes_append(&npz->files, "PK\5\6\0\0\0\0", 8);
  put_u16(&npz->files, npz->count);
  put_u16(&npz->files, npz->count);
  put_u32(&npz->files, (uint32_t)npz->directory.size);
  put_u32(&npz->files, (uint32_t)offset);
  put_u16(&npz->files, 0); // comment
  return jr_bytes_check(&npz->files);
}

void jr_npz_deinit(struct jr_npz *npz) {
  jr_bytes_deinit(&npz->files);
  jr_bytes_deinit(&npz->directory);
  *npz = (struct jr_npz){0};
}
