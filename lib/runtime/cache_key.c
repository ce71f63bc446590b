/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What the bytes of an image depend on: the program, what it is compiled for
/// and how, and who compiles it. Every field is written with its size, so that
/// no two keys run into each other.
///
/// The compiler is told by its file (path, size, time of change), which costs
/// less than asking it. Where it is not linked with LLVM but uses the system's,
/// a change of that alone is not seen: images made before stay right.
#include "runtime/cache.h"

#include "base/cpu.h"
#include "customcalls/registry.h"
#include "runtime/exec.h"
#include "runtime/table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static void add_bytes(struct jr_bytes *key, const void *data, size_t size) {
  uint64_t count = size;
  jr_bytes_append(key, &count, sizeof count);
  jr_bytes_append(key, data, size);
}

static void add_number(struct jr_bytes *key, uint64_t number) {
  jr_bytes_append(key, &number, sizeof number);
}

/// NULL differs from "".
static void add_text(struct jr_bytes *key, const char *text) {
  add_number(key, text != NULL);
  add_bytes(key, text ? text : "", text ? strlen(text) : 0);
}

/// A file, as far as it can be told without reading it.
static void add_file(struct jr_bytes *key, const char *path) {
  struct stat status;
  add_text(key, path);
  if (stat(path, &status) != 0)
    return;
  add_number(key, (uint64_t)status.st_size);
  add_number(key, (uint64_t)status.st_mtim.tv_sec);
  add_number(key, (uint64_t)status.st_mtim.tv_nsec);
}

static jitrun_error_t *add_compiler(struct jr_bytes *key) {
  char path[4096];
  static const uint32_t versions[] = {JR_COMPILER_VERSION, JR_TABLE_VERSION,
                                      JR_EXEC_VERSION, JITRUN_SANITIZER};
  add_text(key, JITRUN_VERSION);
  add_bytes(key, versions, sizeof versions);
  if (jr_compiler_path(path, sizeof path)) {
    add_file(key, path);
    return NULL;
  }
  const struct jr_compiler *compiler = NULL;
  JITRUN_TRY(jr_compiler_open(&compiler));
  add_text(key, compiler->producer);
  return NULL;
}

static void add_attr_type(struct jr_bytes *key,
                          const jitrun_attr_type_t *type) {
  add_text(key, type->name);
  add_number(key, type->dtype);
  add_number(key, type->case_count);
  add_number(key, type->field_count);
  for (uint32_t i = 0; i < type->case_count; i++) {
    add_text(key, type->cases[i].text);
    add_number(key, (uint64_t)type->cases[i].value);
  }
  for (uint32_t i = 0; i < type->field_count; i++) {
    const jitrun_attr_field_t *field = &type->fields[i];
    add_text(key, field->text);
    add_text(key, field->name);
    add_text(key, field->type_name);
    add_number(key, field->kind);
    add_number(key, field->dtype);
    add_number(key, field->flags);
  }
}

/// What is in a program decides what the compiler asks of the registry: the
/// attribute types, and which functions its libraries have.
static jitrun_error_t *add_registry(struct jr_bytes *key,
                                    const struct jr_compile_options *options,
                                    jitrun_registry_t *registry) {
  struct jr_bytes paths = {0};
  add_number(key, options->attr_type_count);
  for (size_t i = 0; i < options->attr_type_count; i++)
    add_attr_type(key, options->attr_types[i]);
  jr_registry_library_list(registry, &paths);
  jitrun_error_t *err = jr_bytes_check(&paths);
  const char *path = (const char *)paths.data;
  for (size_t at = 0; !err && at < paths.size; at += strlen(path + at) + 1)
    add_file(key, path + at);
  jr_bytes_deinit(&paths);
  return err;
}

/// The names of the machine's own CPU are many and say little: its features are
/// what code for it depends on.
static void add_target(struct jr_bytes *key,
                       const struct jr_compile_options *options) {
  struct jr_bytes cpu = {0};
  add_number(key, jr_cpu_machine());
  add_text(key, options->target);
  add_text(key, options->cpu);
  if (!options->cpu)
    jr_cpu_identify(&cpu);
  add_bytes(key, cpu.data, cpu.size);
  jr_bytes_deinit(&cpu);
}

static void add_options(struct jr_bytes *key,
                        const struct jr_compile_options *options) {
  const struct jr_specialization *known = options->specialization;
  add_number(key, options->form);
  add_number(key, (uint64_t)options->opt_level);
  add_text(key, options->prefix);
  add_number(key, options->check);
  add_number(key, options->debug_info);
  add_text(key, known ? known->entry : NULL);
  add_bytes(key, known ? known->key : NULL, known ? known->key_bytes : 0);
}

jitrun_error_t *jr_cache_key(const struct jr_compile_input *input,
                             const struct jr_compile_options *options,
                             jitrun_registry_t *registry,
                             struct jr_bytes *out_key,
                             uint8_t out_source_hash[JR_SOURCE_HASH_BYTES]) {
  XXH128_canonical_t digest;
  struct jr_bytes key = {0};
  jitrun_error_t *err = add_compiler(&key);
  add_target(&key, options);
  add_options(&key, options);
  if (!err)
    err = add_registry(&key, options, registry);
  add_text(&key, input->name);
  XXH128_canonicalFromHash(&digest, XXH3_128bits(input->data, input->size));
  add_number(&key, input->size);
  add_bytes(&key, &digest, sizeof digest);
  memcpy(out_source_hash, digest.digest, sizeof digest.digest);
  if (!err)
    err = jr_bytes_check(&key);
  if (err)
    jr_bytes_deinit(&key);
  *out_key = key;
  return err;
}
