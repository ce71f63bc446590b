/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// .npz files: zip archives of .npy files. Members that are stored or deflated
/// are read, with zlib; written ones are stored. An archive is not trusted: no
/// more is unpacked than the array that a member begins with has bytes.
#ifndef JR_TOOLS_NPZ_H
#define JR_TOOLS_NPZ_H

#include "base/bytes.h"
#include "base/error.h"
#include "value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Tells "x.npz" and "x.npz:member" from other names of files: true, with the
/// bytes of the path and the member, NULL where none is named.
bool jr_npz_split(const char *text, size_t *out_path_size,
                  const char **out_member);

/// Appends the .npy file that a member is. `member` may lack ".npy"; NULL: the
/// only one. NOT_FOUND lists the members; INVALID_ARGUMENT for what is no such
/// archive, DATA_LOSS for a member that is damaged.
jitrun_error_t *jr_npz_read(const void *data, size_t size, const char *member,
                            struct jr_bytes *out_file)
    __attribute__((warn_unused_result));

/// An archive that grows. Zero-initialised is empty.
struct jr_npz {
  struct jr_bytes files, directory;
  uint32_t count;
};

/// Adds a member "NAME.npy"; INVALID_ARGUMENT when it has one of that name.
jitrun_error_t *jr_npz_add(struct jr_npz *npz, const char *name,
                           const struct jr_value *value)
    __attribute__((warn_unused_result));

/// Completes the archive: `files` is then its content.
jitrun_error_t *jr_npz_finish(struct jr_npz *npz)
    __attribute__((warn_unused_result));

void jr_npz_deinit(struct jr_npz *npz);

#endif
