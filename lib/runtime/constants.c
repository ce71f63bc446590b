/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See constants.h.
#include "runtime/constants.h"

#include "base/bytes.h"
#include "runtime/file_hash.h"

#include <stdint.h>
#include <string.h>

/// Where the file is, as text.
static jitrun_error_t *find_file(const char *name,
                                 const jitrun_open_options_t *options,
                                 const char *image_path,
                                 struct jr_bytes *out_path) {
  const char *slash = image_path ? strrchr(image_path, '/') : NULL;
  if (options->constants) {
    jr_bytes_append_text(out_path, options->constants);
    return NULL;
  }
  if (!image_path && name[0] != '/')
    return jr_error(JITRUN_FAILED_PRECONDITION,
                    "the program's constants are in the file '%s' beside its "
                    "image, and this image is in memory; say where that file "
                    "is with --constants=FILE, or the options' constants",
                    name);
  if (slash && name[0] != '/')
    jr_bytes_append(out_path, image_path, (size_t)(slash - image_path) + 1);
  jr_bytes_append_text(out_path, name);
  return NULL;
}

static jitrun_error_t *check_file(const struct jr_table_header *header,
                                  const struct jr_file_map *map,
                                  const char *path, bool is_trusted) {
  unsigned char hash[JR_HASH_BYTES];
  struct jr_hash_input input = {.data = map->data,
                                .size = map->size,
                                .hole = SIZE_MAX,
                                .is_mapped = true};
  if (map->size != header->constants_bytes)
    return jr_error(JITRUN_DATA_LOSS,
                    "the file of constants '%s' has %zu bytes, the program "
                    "needs %llu: it is cut off or of another program; compile "
                    "the program again",
                    path, map->size,
                    (unsigned long long)header->constants_bytes);
  if (is_trusted)
    return NULL;
  jr_hash_file(&input, hash);
  if (memcmp(hash, header->constants_hash, sizeof hash) == 0)
    return NULL;
  return jr_error(JITRUN_DATA_LOSS,
                  "the file of constants '%s' is damaged or of another "
                  "program: its hash is not the one that the image names; "
                  "compile the program again",
                  path);
}

static jitrun_error_t *map_file(const struct jr_table *table,
                                const jitrun_open_options_t *options,
                                const char *path,
                                struct jr_constants *constants) {
  JITRUN_TRY(jr_error_note(jr_file_map_open(path, &constants->map),
                           "while opening the program's file of constants"));
  jitrun_error_t *err = check_file(table->header, &constants->map, path,
                                   options->trust_constants);
  if (err)
    jr_constants_close(constants);
  return err;
}

jitrun_error_t *jr_constants_open(const struct jr_table *table,
                                  const jitrun_open_options_t *options,
                                  const char *image_path,
                                  struct jr_constants *out_constants) {
  *out_constants = (struct jr_constants){0};
  if (table->header->constants == 0)
    return NULL;
  struct jr_bytes path = {0};
  const char *name = jr_table_string(table, table->header->constants);
  jitrun_error_t *err = find_file(name, options, image_path, &path);
  const char *text = jr_bytes_text(&path);
  if (!err)
    err = text ? map_file(table, options, text, out_constants)
               : jr_error_no_memory();
  jr_bytes_deinit(&path);
  return err;
}

void jr_constants_close(struct jr_constants *constants) {
  jr_file_map_close(&constants->map);
}
