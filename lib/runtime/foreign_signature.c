/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See foreign_signature.h.
#include "runtime/foreign_signature.h"

#include "base/strings.h"
#include "jitrun/types.h"

#include <string.h>

enum { MAX_TEXT = 4096, MAX_SHOWN = 100 };

#define MAX_ELEMENTS (UINT64_C(1) << 48)

struct reader {
  const char *text, *at;
};

static bool is_one_of(char c, const char *characters) {
  return c != '\0' && strchr(characters, c) != NULL;
}

static void skip_blanks(struct reader *reader) {
  while (is_one_of(*reader->at, " \t\r\n"))
    reader->at++;
}

/// What is wrong at `at`, with the text around it and a mark under the place.
static jitrun_error_t *refuse(const struct reader *reader, const char *at,
                              const char *expected) {
  size_t column = (size_t)(at - reader->text);
  size_t first = column > MAX_SHOWN / 2 ? column - MAX_SHOWN / 2 : 0;
  char line[MAX_SHOWN + 1];
  size_t size = strnlen(reader->text + first, MAX_SHOWN);
  for (size_t i = 0; i < size; i++) {
    char c = reader->text[first + i];
    line[i] = c;
    if ((unsigned char)c < ' ' || (unsigned char)c > '~')
      line[i] = ' ';
  }
  line[size] = '\0';
  return jr_error_note(
      jr_error_note(jr_error(JITRUN_INVALID_ARGUMENT,
                             "the signature is wrong at column %zu: expected "
                             "%s",
                             column + 1, expected),
                    "%s", line),
      "%*s^", (int)(column - first), "");
}

static jitrun_error_t *refuse_here(const struct reader *reader,
                                   const char *expected) {
  return refuse(reader, reader->at, expected);
}

/// True, and past it, when `token` comes next.
static bool take(struct reader *reader, const char *token) {
  skip_blanks(reader);
  if (!jr_text_has_prefix(reader->at, token))
    return false;
  reader->at += strlen(token);
  return true;
}

static jitrun_error_t *expect(struct reader *reader, const char *token,
                              const char *expected) {
  return take(reader, token) ? NULL : refuse_here(reader, expected);
}

static struct jr_foreign_text take_word(struct reader *reader) {
  skip_blanks(reader);
  struct jr_foreign_text word = {.text = reader->at};
  while (is_one_of(reader->at[0], "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789_$."))
    reader->at++;
  word.size = (size_t)(reader->at - word.text);
  return word;
}

static bool is_word(struct jr_foreign_text word, const char *text) {
  return strlen(text) == word.size && memcmp(word.text, text, word.size) == 0;
}

static jitrun_error_t *read_name(struct reader *reader,
                                 struct jr_foreign_text *out_name) {
  static const char others[] = "0123456789_$.-";
  skip_blanks(reader);
  const char *start = reader->at;
  while (is_one_of(*reader->at, others) ||
         (*reader->at >= 'a' && *reader->at <= 'z') ||
         (*reader->at >= 'A' && *reader->at <= 'Z')) {
    if (*reader->at == '-' && reader->at[1] == '>')
      break;
    reader->at++;
  }
  *out_name = (struct jr_foreign_text){start, (size_t)(reader->at - start)};
  if (out_name->size == 0 || is_one_of(*start, "0123456789.-"))
    return refuse(reader, start, "the name of a function");
  if (out_name->size > JR_FOREIGN_MAX_NAME)
    return refuse(reader, start, "a name of at most 200 characters");
  return NULL;
}

/// A number, or "?" for JITRUN_DYNAMIC.
static jitrun_error_t *read_size(struct reader *reader, int64_t *out_size) {
  if (take(reader, "?")) {
    *out_size = JITRUN_DYNAMIC;
    return NULL;
  }
  const char *start = reader->at;
  uint64_t size = 0;
  while (is_one_of(*reader->at, "0123456789") && size <= INT64_MAX / 10)
    size = size * 10 + (uint64_t)(*reader->at++ - '0');
  if (reader->at == start)
    return refuse_here(reader, "a number, or '?'");
  if (is_one_of(*reader->at, "0123456789") || size > INT64_MAX)
    return refuse(reader, start, "a number below 2^63");
  *out_size = (int64_t)size;
  return NULL;
}

static bool is_scalar(struct jr_foreign_text word) {
  static const char *const scalars[] = {"index", "i1",  "i8",   "i16", "i32",
                                        "i64",   "f16", "bf16", "f32", "f64"};
  for (size_t i = 0; i < sizeof scalars / sizeof scalars[0]; i++)
    if (is_word(word, scalars[i]))
      return true;
  return false;
}

static jitrun_error_t *read_element(struct reader *reader,
                                    struct jr_foreign_text *out_element) {
  skip_blanks(reader);
  const char *start = reader->at;
  *out_element = take_word(reader);
  if (is_scalar(*out_element))
    return NULL;
  if (!is_word(*out_element, "complex"))
    return refuse(reader, start,
                  "an element type: index, i1, i8, i16, i32, i64, f16, bf16, "
                  "f32, f64, complex<f32> or complex<f64>");
  JITRUN_TRY(expect(reader, "<", "'<'"));
  struct jr_foreign_text part = take_word(reader);
  if (!is_word(part, "f32") && !is_word(part, "f64"))
    return refuse(reader, part.text, "f32 or f64");
  JITRUN_TRY(expect(reader, ">", "'>'"));
  out_element->size = (size_t)(reader->at - start);
  return NULL;
}

static jitrun_error_t *read_strides(struct reader *reader, uint32_t rank) {
  int64_t stride;
  uint32_t count = 0;
  JITRUN_TRY(expect(reader, "[", "'['"));
  bool has_more = !take(reader, "]");
  while (has_more) {
    JITRUN_TRY(read_size(reader, &stride));
    count++;
    has_more = take(reader, ",");
    if (!has_more)
      JITRUN_TRY(expect(reader, "]", "',' or ']'"));
  }
  return count == rank ? NULL
                       : refuse(reader, reader->at - 1,
                                "as many strides as there are sizes");
}

/// "strided<[...], offset: ...>", checked and kept as text.
static jitrun_error_t *read_layout(struct reader *reader,
                                   struct jr_foreign_type *type) {
  int64_t offset;
  skip_blanks(reader);
  const char *start = reader->at;
  if (!is_word(take_word(reader), "strided"))
    return refuse(reader, start, "'strided<[...]>'");
  JITRUN_TRY(expect(reader, "<", "'<'"));
  JITRUN_TRY(read_strides(reader, type->rank));
  if (take(reader, ",")) {
    struct jr_foreign_text word = take_word(reader);
    if (!is_word(word, "offset"))
      return refuse(reader, word.text, "'offset:'");
    JITRUN_TRY(expect(reader, ":", "':'"));
    JITRUN_TRY(read_size(reader, &offset));
  }
  JITRUN_TRY(expect(reader, ">", "',' or '>'"));
  type->layout = (struct jr_foreign_text){start, (size_t)(reader->at - start)};
  return NULL;
}

/// Whether there are so few elements that MLIR can count their bytes.
static bool is_countable(const struct jr_foreign_type *type) {
  uint64_t count = 1;
  for (uint32_t i = 0; i < type->rank; i++) {
    int64_t size = type->dims[i];
    if (size == JITRUN_DYNAMIC || size == 0)
      continue;
    if ((uint64_t)size > MAX_ELEMENTS / count)
      return false;
    count *= (uint64_t)size;
  }
  return true;
}

/// The sizes in front of the element type.
static jitrun_error_t *read_dims(struct reader *reader,
                                 struct jr_foreign_type *type) {
  skip_blanks(reader);
  if (*reader->at == '*')
    return refuse_here(reader, "sizes: a memref whose rank is not known "
                               "cannot be given");
  while (is_one_of(*reader->at, "?0123456789")) {
    if (type->rank == JR_FOREIGN_MAX_RANK)
      return refuse_here(reader, "at most 32 sizes");
    JITRUN_TRY(read_size(reader, &type->dims[type->rank]));
    type->rank++;
    if (!is_countable(type))
      return refuse_here(reader, "at most 2^48 elements");
    JITRUN_TRY(expect(reader, "x",
                      "'x' and the next size or the element "
                      "type"));
    skip_blanks(reader);
  }
  return NULL;
}

static jitrun_error_t *read_type(struct reader *reader,
                                 struct jr_foreign_type *type) {
  *type = (struct jr_foreign_type){0};
  struct jr_foreign_text word = take_word(reader);
  if (is_scalar(word)) {
    type->element = word;
    return NULL;
  }
  if (!is_word(word, "memref"))
    return refuse(reader, word.text,
                  is_word(word, "tensor") || is_word(word, "vector")
                      ? "a memref: compiled functions have no tensors and "
                        "vectors"
                      : "a type: memref<...>, index, i1, i8, i16, i32, i64, "
                        "f16, bf16, f32 or f64");
  type->is_memref = true;
  JITRUN_TRY(expect(reader, "<", "'<'"));
  JITRUN_TRY(read_dims(reader, type));
  JITRUN_TRY(read_element(reader, &type->element));
  if (take(reader, ","))
    JITRUN_TRY(read_layout(reader, type));
  return expect(reader, ">", "',' or '>'");
}

/// Types up to the bracket, which has been opened.
static jitrun_error_t *read_types(struct reader *reader,
                                  struct jr_foreign_type *types,
                                  uint32_t *out_count) {
  *out_count = 0;
  if (take(reader, ")"))
    return NULL;
  do {
    if (*out_count == JR_FOREIGN_MAX_TYPES)
      return refuse_here(reader, "at most 64 types");
    JITRUN_TRY(read_type(reader, &types[*out_count]));
    ++*out_count;
  } while (take(reader, ","));
  return expect(reader, ")", "',' or ')'");
}

static jitrun_error_t *read_results(struct reader *reader,
                                    struct jr_foreign_signature *signature) {
  if (take(reader, "("))
    return read_types(reader, signature->results, &signature->result_count);
  signature->result_count = 1;
  return read_type(reader, &signature->results[0]);
}

jitrun_error_t *jr_foreign_parse(const char *text,
                                 struct jr_foreign_signature *out_signature) {
  struct reader reader = {.text = text, .at = text};
  *out_signature = (struct jr_foreign_signature){0};
  if (strlen(text) > MAX_TEXT)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the signature has over %d characters", MAX_TEXT);
  JITRUN_TRY(read_name(&reader, &out_signature->name));
  JITRUN_TRY(expect(&reader, "(", "'('"));
  JITRUN_TRY(
      read_types(&reader, out_signature->params, &out_signature->param_count));
  if (take(&reader, "->"))
    JITRUN_TRY(read_results(&reader, out_signature));
  skip_blanks(&reader);
  return *reader.at ? refuse_here(&reader, "'->', or the end") : NULL;
}
