/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Collecting outputs in .npz files.
#include "archives.h"

#include "base/alloc.h"
#include "base/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The archive of that path, a new one if there is none; NULL without memory.
static struct jr_archive *get_archive(struct jr_archives *archives,
                                      const char *path, size_t size) {
  for (size_t i = 0; i < archives->count; i++) {
    struct jr_archive *archive = &archives->items[i];
    if (strlen(archive->path) == size && memcmp(archive->path, path, size) == 0)
      return archive;
  }
  struct jr_archive *items =
      jr_realloc(archives->items, (archives->count + 1) * sizeof *items);
  if (!items)
    return NULL;
  archives->items = items;
  struct jr_archive *archive = &items[archives->count];
  *archive = (struct jr_archive){.path = strndup(path, size)};
  archives->count += archive->path != NULL;
  return archive->path ? archive : NULL;
}

bool jr_archives_take(struct jr_archives *archives, const char *name,
                      const struct jr_value *value,
                      jitrun_error_t **out_error) {
  size_t size;
  const char *member;
  char number[32];
  *out_error = NULL;
  if (!jr_npz_split(name, &size, &member))
    return false;
  struct jr_archive *archive = get_archive(archives, name, size);
  if (!archive) {
    *out_error = jr_error_no_memory();
    return true;
  }
  if (!member) {
    (void)snprintf(number, sizeof number, "arr_%zu", archive->unnamed++);
    member = number;
  }
  *out_error = jr_npz_add(&archive->npz, member, value);
  return true;
}

jitrun_error_t *jr_archives_write(struct jr_archives *archives) {
  for (size_t i = 0; i < archives->count; i++) {
    struct jr_archive *archive = &archives->items[i];
    JITRUN_TRY(jr_npz_finish(&archive->npz));
    JITRUN_TRY(jr_file_write(archive->path, archive->npz.files.data,
                             archive->npz.files.size));
  }
  return NULL;
}

void jr_archives_deinit(struct jr_archives *archives) {
  for (size_t i = 0; i < archives->count; i++) {
    free(archives->items[i].path);
    jr_npz_deinit(&archives->items[i].npz);
  }
  free(archives->items);
  *archives = (struct jr_archives){0};
}
