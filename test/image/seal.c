/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Changes an image as nobody does, and gives it the hash that it then has:
///
///   seal FILE [FIELD=NUMBER | text:OLD=NEW]...
///
/// FIELD is one of the header's; OLD is found once in the file, and NEW is as
/// long.
#include "base/bytes.h"
#include "base/files.h"
#include "runtime/image.h"
#include "runtime/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELD(name)                                                            \
  {#name, offsetof(struct jr_table_header, name),                              \
   sizeof((struct jr_table_header *)NULL)->name}

static const struct {
  const char *name;
  size_t offset, size;
} fields[] = {FIELD(version),      FIELD(reader_version), FIELD(machine),
              FIELD(exec_version), FIELD(flags),          FIELD(size_bytes)};

/// The only place of `text` in the bytes; NULL: none, or several.
static unsigned char *find_once(struct jr_bytes *bytes, const char *text,
                                size_t size) {
  unsigned char *found = memmem(bytes->data, bytes->size, text, size);
  if (!found || size == 0)
    return NULL;
  size_t rest = bytes->size - (size_t)(found - bytes->data) - 1;
  return memmem(found + 1, rest, text, size) ? NULL : found;
}

static bool replace_text(struct jr_bytes *bytes, const char *change) {
  const char *equals = strchr(change, '=');
  size_t size = equals ? (size_t)(equals - change) : 0;
  unsigned char *place = find_once(bytes, change, size);
  if (!place || strlen(equals + 1) != size)
    return false;
  memcpy(place, equals + 1, size);
  return true;
}

static bool set_field(struct jr_bytes *bytes, const char *change) {
  unsigned char *image = find_once(bytes, JR_TABLE_MAGIC, 8);
  const char *equals = strchr(change, '=');
  if (!image || !equals)
    return false;
  uint64_t value = strtoull(equals + 1, NULL, 0);
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    if (strncmp(change, fields[i].name, (size_t)(equals - change)) != 0 ||
        fields[i].name[equals - change])
      continue;
    memcpy(image + fields[i].offset, &value, fields[i].size);
    return true;
  }
  return false;
}

static jitrun_error_t *change_file(const char *path, char **changes) {
  static const char text[] = "text:";
  struct jr_bytes bytes;
  jitrun_error_t *err = NULL;
  JITRUN_TRY(jr_file_read(path, &bytes));
  for (; !err && *changes; changes++) {
    bool is_text = strncmp(*changes, text, sizeof text - 1) == 0;
    if (!(is_text ? replace_text(&bytes, *changes + sizeof text - 1)
                  : set_field(&bytes, *changes)))
      err = jr_error(JITRUN_INVALID_ARGUMENT, "cannot change '%s'", *changes);
  }
  if (!err)
    err = jr_image_seal(bytes.data, bytes.size);
  if (!err)
    err = jr_file_write(path, bytes.data, bytes.size);
  jr_bytes_deinit(&bytes);
  return err;
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  jitrun_error_t *err = change_file(argv[1], argv + 2);
  if (!err)
    return 0;
  (void)fprintf(stderr, "seal: %s\n", jitrun_error_message(err));
  jitrun_error_free(err);
  return 1;
}
