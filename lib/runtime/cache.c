/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The files of the cache. There is no index: the folder is one. The time of
/// change of an image is that of its last use, to the minute.
#include "runtime/cache.h"

#include "base/alloc.h"
#include "base/strings.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { NAME_DIGITS = 32, USE_SECONDS = 60, STALE_SECONDS = 3600 };

static const uint64_t DEFAULT_LIMIT = (uint64_t)1 << 30;

static const char OBJECT_SUFFIX[] = ".o";
static const char TABLE_SUFFIX[] = ".table";

static jitrun_error_t *refuse_folder(const char *folder, int cause) {
  char text[128];
  return jr_error(cause == EACCES || cause == EROFS || cause == EPERM
                      ? JITRUN_PERMISSION_DENIED
                      : JITRUN_INVALID_ARGUMENT,
                  "cannot keep compiled programs in the folder '%s': %s",
                  folder, strerror_r(cause, text, sizeof text));
}

/// Makes a folder and those above it, for this user alone; 0 or the cause.
static int make_folders(char *path) {
  for (char *at = path + 1; *at; at++) {
    if (*at != '/')
      continue;
    *at = '\0';
    bool is_made = mkdir(path, 0700) == 0 || errno == EEXIST;
    *at = '/';
    if (!is_made)
      return errno;
  }
  return 0;
}

/// The folder, with a '/' behind it, made if need be.
static jitrun_error_t *open_folder(const char *folder, struct jr_cache *cache) {
  struct stat status;
  if (!*folder)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the folder for compiled programs has an empty name");
  jr_bytes_append_text(&cache->path, folder);
  if (!jr_text_has_suffix(folder, "/"))
    jr_bytes_append_text(&cache->path, "/");
  cache->folder_bytes = cache->path.size;
  char *path = jr_bytes_text(&cache->path);
  if (!path)
    return jr_error_no_memory();
  if (stat(path, &status) == 0)
    return NULL;
  int cause = errno == ENOENT ? make_folders(path) : errno;
  return cause ? refuse_folder(folder, cause) : NULL;
}

static void append_name(const struct jr_bytes *key, enum jr_form form,
                        struct jr_bytes *path) {
  XXH128_canonical_t digest;
  XXH128_canonicalFromHash(&digest, XXH3_128bits(key->data, key->size));
  for (size_t i = 0; i < sizeof digest.digest; i++)
    jr_bytes_appendf(path, "%02x", digest.digest[i]);
  jr_bytes_append_text(path,
                       form == JR_FORM_IMAGE ? TABLE_SUFFIX : OBJECT_SUFFIX);
}

jitrun_error_t *jr_cache_open(const char *folder, uint64_t limit_bytes,
                              const struct jr_compile_input *input,
                              const struct jr_compile_options *options,
                              jitrun_registry_t *registry,
                              struct jr_cache *out_cache) {
  struct jr_bytes key = {0};
  struct jr_cache cache = {.limit_bytes =
                               limit_bytes ? limit_bytes : DEFAULT_LIMIT};
  jitrun_error_t *err = open_folder(folder, &cache);
  if (!err)
    err = jr_cache_key(input, options, registry, &key, cache.source_hash);
  if (!err) {
    append_name(&key, options->form, &cache.path);
    err = jr_bytes_text(&cache.path) ? NULL : jr_error_no_memory();
  }
  jr_bytes_deinit(&key);
  if (err)
    jr_cache_close(&cache);
  *out_cache = cache;
  return err;
}

void jr_cache_close(struct jr_cache *cache) {
  jr_bytes_deinit(&cache->path);
}

static bool is_trusted(const struct stat *status) {
  bool is_ours = status->st_uid == geteuid() || status->st_uid == 0;
  return is_ours && S_ISREG(status->st_mode) && !(status->st_mode & S_IWOTH);
}

/// Not more often than it matters: it is a write to the file system.
static void count_use(int descriptor, const struct stat *status) {
  struct timespec now;
  static const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT},
                                           {.tv_nsec = UTIME_NOW}};
  if (clock_gettime(CLOCK_REALTIME, &now) == 0 &&
      now.tv_sec - status->st_mtim.tv_sec > USE_SECONDS)
    (void)futimens(descriptor, times);
}

bool jr_cache_find(const struct jr_cache *cache, struct jr_file_map *out_map) {
  struct stat status;
  jitrun_error_t *err =
      jr_file_map_open((const char *)cache->path.data, out_map);
  if (err) {
    jitrun_error_free(err);
    return false;
  }
  if (fstat(out_map->descriptor, &status) != 0 || !is_trusted(&status)) {
    jr_file_map_close(out_map);
    return false;
  }
  count_use(out_map->descriptor, &status);
  return true;
}

/// An image of the folder.
struct item {
  time_t used_s;
  uint64_t size;
  char name[NAME_DIGITS + sizeof TABLE_SUFFIX];
};

struct items {
  struct item *data;
  size_t count, capacity;
  uint64_t total_bytes;
};

static bool is_image_name(const char *name) {
  const char *suffix = name + NAME_DIGITS;
  return strspn(name, "0123456789abcdef") == NAME_DIGITS &&
         (strcmp(suffix, OBJECT_SUFFIX) == 0 ||
          strcmp(suffix, TABLE_SUFFIX) == 0);
}

/// What a process that was killed while it wrote has left.
static bool is_stale(const char *name, const struct stat *status, time_t now) {
  return jr_text_has_prefix(name, ".jitrun-") &&
         jr_text_has_suffix(name, ".tmp") &&
         now - status->st_mtim.tv_sec > STALE_SECONDS;
}

/// Lists the images; false without memory.
static bool list_images(DIR *folder, int descriptor, struct items *out_items) {
  time_t now = time(NULL);
  for (const struct dirent *entry; (entry = readdir(folder));) {
    const char *name = entry->d_name;
    struct stat status;
    if (fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(status.st_mode))
      continue;
    if (is_stale(name, &status, now))
      (void)unlinkat(descriptor, name, 0);
    if (!is_image_name(name))
      continue;
    struct item *data = jr_grow(out_items->data, &out_items->capacity,
                                out_items->count, sizeof *data);
    if (!data)
      return false;
    out_items->data = data;
    struct item *item = &data[out_items->count++];
    *item = (struct item){.used_s = status.st_mtim.tv_sec,
                          .size = (uint64_t)status.st_size};
    memcpy(item->name, name, strlen(name) + 1);
    out_items->total_bytes += item->size;
  }
  return true;
}

static int compare_use(const void *a, const void *b) {
  const struct item *left = a;
  const struct item *right = b;
  return (left->used_s > right->used_s) - (left->used_s < right->used_s);
}

/// Removes images until the limit is kept, but never the one named `kept`.
static void remove_least_used(int folder, struct items *items, const char *kept,
                              uint64_t limit_bytes) {
  if (items->total_bytes <= limit_bytes)
    return;
  qsort(items->data, items->count, sizeof *items->data, compare_use);
  for (size_t i = 0; i < items->count && items->total_bytes > limit_bytes;
       i++) {
    const struct item *item = &items->data[i];
    if (strcmp(item->name, kept) == 0)
      continue;
    (void)unlinkat(folder, item->name, 0);
    items->total_bytes -= item->size;
  }
}

/// Opens the folder; -1 on failure.
static int open_descriptor(const struct jr_cache *cache) {
  char *path = (char *)cache->path.data;
  char first = path[cache->folder_bytes];
  path[cache->folder_bytes] = '\0';
  int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  path[cache->folder_bytes] = first;
  return descriptor;
}

static void trim_folder(const struct jr_cache *cache) {
  struct items items = {0};
  int descriptor = open_descriptor(cache);
  if (descriptor < 0)
    return;
  DIR *folder = fdopendir(descriptor);
  if (!folder) {
    (void)close(descriptor);
    return;
  }
  if (list_images(folder, descriptor, &items))
    remove_least_used(descriptor, &items,
                      (const char *)cache->path.data + cache->folder_bytes,
                      cache->limit_bytes);
  (void)closedir(folder);
  free(items.data);
}

jitrun_error_t *jr_cache_store(const struct jr_cache *cache, const void *data,
                               size_t size) {
  if (size > cache->limit_bytes)
    return jr_error(JITRUN_RESOURCE_EXHAUSTED,
                    "the compiled program has %zu bytes, more than the limit "
                    "of %llu for all that are kept",
                    size, (unsigned long long)cache->limit_bytes);
  JITRUN_TRY(jr_file_replace((const char *)cache->path.data, data, size));
  trim_folder(cache);
  return NULL;
}
