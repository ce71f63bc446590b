/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// From the bytes of a file to an image at an address. The image's symbol is
/// found first, because its header holds the hash; then the whole file is
/// hashed; only then is any of it loaded.
#include "runtime/image.h"

#include "base/alloc.h"
#include "base/cpu.h"
#include "runtime/file_hash.h"
#include "runtime/image_parts.h"
#include "runtime/object_load.h"
#include "runtime/symbols.h"

#include <stdlib.h>
#include <string.h>

enum {
  HASH_OFFSET = offsetof(struct jr_table_header, hash),
  HASH_BYTES = JR_HASH_BYTES,
  MAGIC_BYTES = sizeof((struct jr_table_header *)NULL)->magic
};

static bool begins_with(const void *data, size_t size, const void *magic,
                        size_t magic_size) {
  return size >= magic_size && memcmp(data, magic, magic_size) == 0;
}

enum jr_content_kind jr_content_kind(const void *data, size_t size) {
  static const unsigned char bytecode[] = {'M', 'L', 0xef, 'R'};
  Elf64_Half type = ET_REL;
  if (begins_with(data, size, bytecode, sizeof bytecode))
    return JR_CONTENT_BYTECODE;
  if (begins_with(data, size, JR_TABLE_MAGIC, MAGIC_BYTES) != 0)
    return JR_CONTENT_TABLE;
  if (!begins_with(data, size, ELFMAG, SELFMAG))
    return JR_CONTENT_MLIR;
  if (size >= offsetof(Elf64_Ehdr, e_type) + sizeof type)
    memcpy(&type, (const char *)data + offsetof(Elf64_Ehdr, e_type),
           sizeof type);
  return type == ET_REL ? JR_CONTENT_OBJECT : JR_CONTENT_SHARED;
}

/// Finds the image's symbol in an object or shared library.
static jitrun_error_t *find_symbol(struct jr_image_file *file) {
  JITRUN_TRY(jr_elf_open(file->data, file->size, &file->elf));
  JITRUN_TRY(
      jr_elf_find_prefix(&file->elf, JR_IMAGE_SYMBOL_PREFIX, &file->symbol));
  if (file->symbol.file_offset == UINT64_MAX)
    return jr_error(JITRUN_DATA_LOSS,
                    "the image '%.200s' is outside of the file's bytes",
                    file->symbol.name);
  file->offset = file->symbol.file_offset;
  file->room_bytes = file->symbol.symbol.st_size;
  if (file->room_bytes == 0)
    file->room_bytes = file->symbol.room_bytes;
  return NULL;
}

static jitrun_error_t *find_image(const void *data, size_t size,
                                  struct jr_image_file *out_file) {
  *out_file = (struct jr_image_file){.data = data,
                                     .size = size,
                                     .kind = jr_content_kind(data, size),
                                     .room_bytes = size};
  switch (out_file->kind) {
  case JR_CONTENT_MLIR:
  case JR_CONTENT_BYTECODE:
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "not an image: expected an object, shared library or table "
                    "made by `jitrun compile`");
  case JR_CONTENT_OBJECT:
  case JR_CONTENT_SHARED:
    JITRUN_TRY(find_symbol(out_file));
    break;
  case JR_CONTENT_TABLE:
    break;
  }
  if (out_file->room_bytes < HASH_OFFSET + HASH_BYTES ||
      memcmp(out_file->data + out_file->offset, JR_TABLE_MAGIC, MAGIC_BYTES) !=
          0)
    return jr_error(JITRUN_DATA_LOSS, "the image has no valid header");
  return NULL;
}

/// XXH3-128 of the file with the bytes of the hash itself as zero.
static void hash_file(const struct jr_image_file *file, bool is_mapped,
                      unsigned char out_hash[HASH_BYTES]) {
  const struct jr_hash_input input = {.data = file->data,
                                      .size = file->size,
                                      .hole = file->offset + HASH_OFFSET,
                                      .is_mapped = is_mapped};
  jr_hash_file_fast(&input, out_hash);
}

static jitrun_error_t *check_hash(const struct jr_image_file *file,
                                  bool is_mapped) {
  static const unsigned char zeros[HASH_BYTES] = {0};
  unsigned char hash[HASH_BYTES];
  const unsigned char *stored = file->data + file->offset + HASH_OFFSET;
  if (memcmp(stored, zeros, HASH_BYTES) == 0)
    return jr_error(JITRUN_DATA_LOSS,
                    "the image holds no hash of its file: it was not finished; "
                    "compile the program again");
  hash_file(file, is_mapped, hash);
  if (memcmp(stored, hash, HASH_BYTES) != 0)
    return jr_error(JITRUN_DATA_LOSS,
                    "the file is damaged or cut off: its hash is not the one "
                    "it was made with; compile the program again");
  return NULL;
}

jitrun_error_t *jr_image_seal(void *data, size_t size) {
  struct jr_image_file file;
  unsigned char hash[HASH_BYTES];
  JITRUN_TRY(find_image(data, size, &file));
  hash_file(&file, false, hash);
  memcpy((unsigned char *)data + file.offset + HASH_OFFSET, hash, HASH_BYTES);
  return NULL;
}

/// Flags of the image; 0 where it has no room for them.
static uint32_t read_flags(const struct jr_image_file *file) {
  const size_t offset = offsetof(struct jr_table_header, flags);
  uint32_t flags = 0;
  if (file->room_bytes >= offset + sizeof flags)
    memcpy(&flags, file->data + file->offset + offset, sizeof flags);
  return flags;
}

void jr_image_settle(void *data, size_t size) {
  struct jr_image_file file;
  jitrun_error_t *error = find_image(data, size, &file);
  bool is_settled = !error && file.kind == JR_CONTENT_OBJECT &&
                    file.room_bytes >= sizeof(struct jr_table_header) &&
                    jr_object_settle(&file.elf, data);
  jitrun_error_free(error);
  if (!is_settled)
    return;
  uint32_t flags = read_flags(&file) | JR_TABLE_SETTLED;
  memcpy((unsigned char *)data + file.offset +
             offsetof(struct jr_table_header, flags),
         &flags, sizeof flags);
}

/// What stands in a file for the addresses of native functions means nothing
/// where only the table is used. An image whose size cannot be told has a
/// header that jr_table_check() refuses.
static void clear_code_offsets(unsigned char *image, size_t size) {
  uint64_t image_bytes = jr_table_image_size(image, size);
  uint64_t table_bytes;
  memcpy(&table_bytes, image + offsetof(struct jr_table_header, size_bytes),
         sizeof table_bytes);
  if (image_bytes > 0)
    memset(image + table_bytes, 0, image_bytes - table_bytes);
}

/// Copies the image alone, aligned.
static jitrun_error_t *copy_image(const struct jr_image_file *file,
                                  struct jr_image *out_image) {
  unsigned char *copy = jr_malloc_aligned(JR_TABLE_ALIGNMENT, file->room_bytes);
  if (!copy)
    return jr_error_no_memory();
  memcpy(copy, file->data + file->offset, file->room_bytes);
  *out_image = (struct jr_image){.data = copy,
                                 .size_bytes = file->room_bytes,
                                 .close = free,
                                 .owner = copy};
  return NULL;
}

/// Only the table, without code.
static jitrun_error_t *open_table(const struct jr_image_file *file,
                                  int descriptor, struct jr_image *out_image) {
  if (descriptor < 0 || file->offset % JR_TABLE_ALIGNMENT != 0)
    JITRUN_TRY(copy_image(file, out_image));
  else
    JITRUN_TRY(jr_image_map(file, descriptor, out_image));
  clear_code_offsets((unsigned char *)(uintptr_t)out_image->data,
                     out_image->size_bytes);
  return NULL;
}

static jitrun_error_t *refuse_machine(struct jr_image *image) {
  (void)image;
  return jr_error(JITRUN_FAILED_PRECONDITION,
                  "the file has code for another machine than the image in it "
                  "says; compile the program again");
}

/// Code for another machine is not loaded; why it cannot run is found out from
/// the table.
static jitrun_error_t *open_foreign(const struct jr_image_file *file,
                                    struct jr_image *out_image) {
  JITRUN_TRY(copy_image(file, out_image));
  out_image->activate = refuse_machine;
  return NULL;
}

static void *resolve_name(void *context, const char *name) {
  (void)context;
  return jr_symbol_find(name);
}

static void close_object(void *object) {
  jr_object_unload(object);
}

static jitrun_error_t *activate_object(struct jr_image *image) {
  image->code = image->data;
  return jr_object_activate(image->owner);
}

static jitrun_error_t *open_object(const struct jr_image_file *file,
                                   int descriptor, struct jr_image *out_image) {
  const struct jr_object_options options = {
      .resolve = resolve_name,
      .is_deferred = true,
      .descriptor = descriptor,
      .is_settled = (read_flags(file) & JR_TABLE_SETTLED) != 0};
  struct jr_object *object;
  JITRUN_TRY(jr_object_load(&file->elf, &options, &object));
  void *image = jr_object_at(object, file->offset, file->room_bytes);
  if (!image)
    image = jr_object_find(object, file->symbol.name);
  *out_image = (struct jr_image){.data = image,
                                 .size_bytes = file->room_bytes,
                                 .activate = activate_object,
                                 .close = close_object,
                                 .owner = object};
  if (image)
    return NULL;
  jr_image_close(out_image);
  return jr_error(JITRUN_DATA_LOSS,
                  "the image '%.200s' is a local symbol, expected a global one",
                  file->symbol.name);
}

/// What the checks and the constants in it rely on.
static jitrun_error_t *check_alignment(struct jr_image *image) {
  if ((uintptr_t)image->data % JR_TABLE_ALIGNMENT == 0)
    return NULL;
  jitrun_error_t *error =
      jr_error(JITRUN_DATA_LOSS, "the image at %p is not aligned to %u bytes",
               image->data, JR_TABLE_ALIGNMENT);
  jr_image_close(image);
  return error;
}

jitrun_error_t *jr_image_open(const void *data, size_t size, int descriptor,
                              bool with_code, struct jr_image *out_image) {
  *out_image = (struct jr_image){0};
  struct jr_image_file file;
  JITRUN_TRY(jr_error_note(find_image(data, size, &file),
                           "while looking for the image in a file of %zu bytes",
                           size));
  JITRUN_TRY(check_hash(&file, descriptor >= 0));
  if (!with_code || file.kind == JR_CONTENT_TABLE)
    JITRUN_TRY(open_table(&file, descriptor, out_image));
  else if (file.elf.header.e_machine != jr_cpu_machine())
    JITRUN_TRY(open_foreign(&file, out_image));
  else if (file.kind == JR_CONTENT_OBJECT)
    JITRUN_TRY(open_object(&file, descriptor, out_image));
  else
    JITRUN_TRY(jr_image_open_shared(&file, descriptor, out_image));
  return check_alignment(out_image);
}
