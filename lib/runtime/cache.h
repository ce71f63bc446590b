/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The cache of compiled programs: a folder of images, one a program and way of
/// compiling it. An image is found by its name, which is the hash of everything
/// that its bytes depend on, and opened as any other image is.
///
/// Any number of processes may share a folder: an image appears whole or not at
/// all, and stays with those that have it mapped when it is removed.
#ifndef JR_RUNTIME_CACHE_H
#define JR_RUNTIME_CACHE_H

#include "base/files.h"
#include "jitrun/registry.h"
#include "runtime/compiler.h"

enum { JR_SOURCE_HASH_BYTES = 16 };

/// Where the image of one program is kept.
struct jr_cache {
  struct jr_bytes path; ///< of the image, with a NUL behind it
  size_t folder_bytes;  ///< of the path that are its folder, with the '/'
  uint64_t limit_bytes; ///< for all images of the folder
  uint8_t source_hash[JR_SOURCE_HASH_BYTES]; ///< as in the header of an image
};

/// Makes the folder when it is not there. `limit_bytes` 0: 1 GiB. `options` are
/// what the program would be compiled with; those of `registry` are read from
/// it. Errors name the folder and the cause.
jitrun_error_t *jr_cache_open(const char *folder, uint64_t limit_bytes,
                              const struct jr_compile_input *input,
                              const struct jr_compile_options *options,
                              jitrun_registry_t *registry,
                              struct jr_cache *out_cache)
    __attribute__((warn_unused_result));
void jr_cache_close(struct jr_cache *cache);

/// Maps the image; false when there is none, or it is not to be trusted: only
/// this user and root may own it, and nobody else may write to it. Counts as a
/// use.
bool jr_cache_find(const struct jr_cache *cache, struct jr_file_map *out_map);

/// Puts a sealed image in its place, and removes those that were not used for
/// longest until the limit is kept.
jitrun_error_t *jr_cache_store(const struct jr_cache *cache, const void *data,
                               size_t size) __attribute__((warn_unused_result));

/// Bytes that are equal only where the compiler would make the same of `input`.
/// See cache_key.c for what is in them; the hash of the source is one.
jitrun_error_t *jr_cache_key(const struct jr_compile_input *input,
                             const struct jr_compile_options *options,
                             jitrun_registry_t *registry,
                             struct jr_bytes *out_key,
                             uint8_t out_source_hash[JR_SOURCE_HASH_BYTES])
    __attribute__((warn_unused_result));

#endif
