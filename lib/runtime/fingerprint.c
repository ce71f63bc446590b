/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What a program is known by: the same for the same source, compiler and
/// options, and for the same image. Nothing large is read for it.
#include "base/bytes.h"
#include "runtime/program.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/// What follows from source and options, and is cheap to have.
struct identity {
  unsigned char source_hash[16], constants_hash[16], image_hash[16];
  uint64_t version, flags, level, temp_bytes, sites, data_bytes;
};

void jr_fingerprint_text(const void *data, size_t size, char *out_text) {
  static const char digits[] = "0123456789abcdef";
  XXH128_canonical_t hash;
  XXH128_canonicalFromHash(&hash, XXH3_128bits(data, size));
  for (size_t i = 0; i < sizeof hash.digest; i++) {
    out_text[2 * i] = digits[hash.digest[i] >> 4];
    out_text[2 * i + 1] = digits[hash.digest[i] & 15];
  }
  out_text[2 * sizeof hash.digest] = '\0';
}

void jr_program_identity(const jitrun_program_t *program,
                         struct jr_bytes *text) {
  const struct jr_table *table = &program->table;
  const struct jr_table_header *header = table->header;
  // Only what is stored is settled, and what runs is the same.
  struct identity identity = {.version = header->version,
                              .flags =
                                  header->flags & ~(uint64_t)JR_TABLE_SETTLED,
                              .level = (uint64_t)program->compiled_level,
                              .temp_bytes = header->temp_bytes,
                              .sites = table->site_count,
                              .data_bytes = table->data_size};
  memcpy(identity.source_hash, header->source_hash, 16);
  memcpy(identity.constants_hash, header->constants_hash, 16);
  // That of a file, which tells what options made it; a program that was
  // compiled here may come from a file of the cache or not.
  if (program->compiled_level == 0)
    memcpy(identity.image_hash, header->hash, 16);
  jr_bytes_append(text, &identity, sizeof identity);
  const jr_str_t strings[] = {header->producer, header->triple, header->cpu,
                              header->features};
  for (size_t i = 0; i < sizeof strings / sizeof strings[0]; i++)
    jr_bytes_appendf(text, "%s\n", jr_table_string(table, strings[i]));
}

jitrun_error_t *
jitrun_program_fingerprint(const jitrun_program_t *program,
                           char out_text[JITRUN_FINGERPRINT_BYTES]) {
  struct jr_bytes text = {0};
  JR_NEED(out_text);
  out_text[0] = '\0';
  JR_NEED(program);
  jr_program_identity(program, &text);
  jitrun_error_t *error = jr_bytes_check(&text);
  if (!error)
    jr_fingerprint_text(text.data, text.size, out_text);
  jr_bytes_deinit(&text);
  return error;
}
