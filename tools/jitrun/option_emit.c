/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See option_emit.h.
#include "option_emit.h"

#include "base/bytes.h"
#include "base/strings.h"

#include <string.h>

/// What --emit and -o may be called.
static const struct emit_name {
  const char *name, *suffix;
  jitrun_emit_t emit;
  bool is_text, is_of_all;
} emit_names[JR_EMIT_COUNT] = {
    {"object", ".o", JITRUN_EMIT_OBJECT, false, true},
    {"shared", ".so", JITRUN_EMIT_SHARED, false, true},
    {"header", ".h", JITRUN_EMIT_HEADER, true, true},
    {"llvm", ".ll", JITRUN_EMIT_LLVM, true, true},
    {"asm", ".s", JITRUN_EMIT_ASM, true, true},
    {"mlir", ".mlir", JITRUN_EMIT_MLIR, true, true},
    {"bytecode", ".mlirbc", JITRUN_EMIT_BYTECODE, false, true},
    {"image", ".image", JITRUN_EMIT_IMAGE, false, false},
};

const char *jr_emit_word(size_t index) {
  return emit_names[index].suffix + 1;
}

static const struct emit_name *find_emit(jitrun_emit_t emit) {
  for (size_t i = 0; i < JR_EMIT_COUNT; i++) {
    if (emit_names[i].emit == emit)
      return &emit_names[i];
  }
  return emit_names;
}

/// The ending that a name has: of a file that --emit may write, or "".
static const char *find_ending(const char *path) {
  const char *ending = strrchr(path, '.');
  for (size_t i = 0; ending && ending != path && i < JR_EMIT_COUNT; i++) {
    if (strcmp(ending, emit_names[i].suffix) == 0 && ending[-1] != '/')
      return ending;
  }
  return path + strlen(path);
}

jitrun_error_t *jr_emit_path(struct jr_options *options, size_t index,
                             const char **out_path) {
  *out_path = options->out_path;
  if (options->emit_count == 1)
    return NULL;
  struct jr_bytes path = {0};
  jr_bytes_append(&path, options->out_path,
                  (size_t)(find_ending(options->out_path) - options->out_path));
  jr_bytes_append_text(&path, find_emit(options->emits[index])->suffix);
  char *text = jr_bytes_take_text(&path);
  jr_bytes_deinit(&path);
  *out_path = text;
  return text ? jr_options_own(options, text) : jr_error_no_memory();
}

static void add_emit(struct jr_options *options, jitrun_emit_t emit) {
  for (size_t i = 0; i < options->emit_count; i++) {
    if (options->emits[i] == emit)
      return;
  }
  options->emits[options->emit_count++] = emit;
}

/// Adds what one word of --emit stands for; false when it is none.
static bool add_emit_word(struct jr_options *options, const char *word,
                          size_t size) {
  bool is_all = size == 3 && strncmp(word, "all", size) == 0;
  bool is_known = is_all;
  for (size_t i = 0; i < JR_EMIT_COUNT; i++) {
    const struct emit_name *name = &emit_names[i];
    bool is_asked =
        (strlen(name->name) == size && strncmp(word, name->name, size) == 0) ||
        (strlen(name->suffix) == size + 1 &&
         strncmp(word, name->suffix + 1, size) == 0);
    if (is_asked || (is_all && name->is_of_all))
      add_emit(options, name->emit);
    is_known |= is_asked;
  }
  return is_known;
}

static jitrun_error_t *refuse_emit(const char *text) {
  struct jr_near_names near_names = {.wanted = text};
  struct jr_bytes message = {0};
  for (size_t i = 0; i < JR_EMIT_COUNT; i++)
    jr_near_names_offer(&near_names, emit_names[i].name);
  jr_bytes_appendf(&message,
                   "--emit=%.40s: give o, so, h, ll, s, mlir, mlirbc, image or "
                   "all, or several with commas between",
                   text);
  jr_near_names_append(&near_names, &message);
  jitrun_error_t *error = jr_bytes_check(&message);
  if (!error)
    error = jr_error_text(JITRUN_INVALID_ARGUMENT, (const char *)message.data,
                          message.size);
  jr_bytes_deinit(&message);
  return error;
}

static jitrun_error_t *read_emit(struct jr_options *options) {
  for (const char *word = options->emit_text; word;) {
    size_t size = strcspn(word, ",");
    if (!add_emit_word(options, word, size))
      return refuse_emit(options->emit_text);
    word = word[size] == ',' ? word + size + 1 : NULL;
  }
  return NULL;
}

jitrun_error_t *jr_emit_choose(struct jr_options *options) {
  const char *path = options->out_path;
  if (!path)
    return jr_error(JITRUN_INVALID_ARGUMENT, "compile needs -o OUT");
  JITRUN_TRY(read_emit(options));
  for (size_t i = 0; !options->emit_text && i < JR_EMIT_COUNT; i++) {
    if (jr_text_has_suffix(path, emit_names[i].suffix))
      add_emit(options, emit_names[i].emit);
  }
  if (options->emit_count == 0)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "-o %s: the name does not say what to write; end it in "
                    ".o, .so, .h, .ll, .s, .mlir, .mlirbc or .image, or give "
                    "--emit",
                    path);
  if (strcmp(path, "-") != 0)
    return NULL;
  if (options->emit_count > 1 || !find_emit(options->emits[0])->is_text)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "-o -: only one of h, ll, s and mlir goes to standard "
                    "output");
  return NULL;
}
