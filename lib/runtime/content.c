/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Telling what a file is that is not what it was taken for. Only what is known
/// for sure is refused here; all else is left to the parser.
#include "runtime/content.h"

#include "base/strings.h"
#include "jitrun/customcall.h"
#include "runtime/elf.h"
#include "runtime/foreign.h"
#include "runtime/table.h"

#include <string.h>

/// Endings of text that MLIR's parser would only call unexpected.
struct ending {
  const char *suffix, *language;
};

static const struct ending endings[] = {
    {".ll", "LLVM IR text"},
    {".s", "assembly text"},
    {".h", "a C header"},
    {".c", "C source"},
};

/// How a file is named in the folder that one is in: the loader searches for
/// names without a slash elsewhere.
static const char *path_prefix(const char *name) {
  return strchr(name, '/') ? "" : "./";
}

static bool defines(const void *data, size_t size, const char *prefix) {
  struct jr_elf elf;
  struct jr_elf_symbol symbol;
  jitrun_error_t *err = jr_elf_open(data, size, &elf);
  if (!err)
    err = jr_elf_find_prefix(&elf, prefix, &symbol);
  bool is_found = err == NULL;
  jitrun_error_free(err);
  return is_found;
}

/// True when there are functions of MLIR's C interface, one or several.
static bool has_foreign(const void *data, size_t size) {
  struct jr_elf elf;
  struct jr_elf_symbol symbol;
  jitrun_error_t *err = jr_elf_open(data, size, &elf);
  if (!err)
    err = jr_elf_find_prefix(&elf, JR_FOREIGN_PREFIX, &symbol);
  bool is_found = !err || jitrun_error_code(err) == JITRUN_INVALID_ARGUMENT;
  jitrun_error_free(err);
  return is_found;
}

static jitrun_error_t *refuse_plugin(const char *name) {
  return jr_error(JITRUN_INVALID_ARGUMENT,
                  "'%s' is a plug-in, not a program: give it with "
                  "--plugin=%s%s",
                  name, path_prefix(name), name);
}

static bool is_plugin(const void *data, size_t size) {
  return jr_content_kind(data, size) == JR_CONTENT_SHARED &&
         defines(data, size, JITRUN_PLUGIN_QUERY_NAME) &&
         !defines(data, size, JR_IMAGE_SYMBOL_PREFIX);
}

static jitrun_error_t *check_text(const void *data, size_t size,
                                  const char *name) {
  static const char npy[] = "\x93NUMPY";
  if (size >= sizeof npy - 1 && memcmp(data, npy, sizeof npy - 1) == 0)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "'%s' is a NumPy array, not a program: give it with "
                    "--input=@%s",
                    name, name);
  if (size >= 4 && memcmp(data, "PK\3\4", 4) == 0)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "'%s' is a zip archive, not a program: if it is NumPy's, "
                    "give its arrays with --input=@%s:NAME",
                    name, name);
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
    if (jr_text_has_suffix(name, endings[i].suffix))
      return jr_error(JITRUN_INVALID_ARGUMENT,
                      "'%s' is %s, not MLIR: a program is MLIR text or "
                      "bytecode, or an object or shared library made by "
                      "'jitrun compile'",
                      name, endings[i].language);
  }
  return NULL;
}

jitrun_error_t *jr_source_check(const void *data, size_t size,
                                const char *name) {
  switch (jr_content_kind(data, size)) {
  case JR_CONTENT_BYTECODE:
    return NULL;
  case JR_CONTENT_MLIR:
    return check_text(data, size, name);
  default:
    break;
  }
  if (is_plugin(data, size))
    return refuse_plugin(name);
  return jr_error(JITRUN_INVALID_ARGUMENT,
                  "'%s' is already compiled: run it, or compile the program "
                  "that it was made from",
                  name);
}

jitrun_error_t *jr_image_explain(jitrun_error_t *error, const void *data,
                                 size_t size, const char *name) {
  if (jitrun_error_code(error) != JITRUN_NOT_FOUND)
    return error;
  if (has_foreign(data, size))
    return jr_error_note(error, "its functions can be called with "
                                "--signature='NAME(TYPES) -> TYPES', which "
                                "says what a function of MLIR's C interface "
                                "takes and returns");
  if (!is_plugin(data, size))
    return error;
  jitrun_error_free(error);
  return refuse_plugin(name);
}
