/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// SPEC. The values are walked twice by the same code: once without memory, to
/// find every mistake before anything is allocated or opened, once to store
/// them.
#include "spec.h"

#include "assign.h"
#include "npy.h"
#include "npz.h"

#include "base/bytes.h"
#include "base/dtype.h"
#include "base/files.h"
#include "base/numbers.h"
#include "base/strings.h"
#include "base/values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\r\n"

/// A walk over VALUES.
struct walk {
  const struct jr_spec *spec;
  const char *at;
  struct jr_value *value;    ///< NULL: only checks
  uint64_t count;            ///< elements that the type has
  uint64_t index;            ///< elements met
  uint64_t row[JR_MAX_RANK]; ///< `index` where each open bracket began
  size_t depth;
  bool has_brackets;
  bool after_comma, after_item;
  char first[16]; ///< the first element, for a splat
};

static bool is_blank(char byte) {
  return byte && strchr(BLANKS, byte);
}

/// The error for what stands at `at`.
static jitrun_error_t *refuse_at(const struct jr_spec *spec, const char *at,
                                 const char *problem) {
  return jr_error(JITRUN_INVALID_ARGUMENT, "%s=%s: character %zu: %s",
                  spec->option, spec->text, (size_t)(at - spec->text) + 1,
                  problem);
}

static jitrun_error_t *refuse(const struct jr_spec *spec, const char *problem) {
  return jr_error(JITRUN_INVALID_ARGUMENT, "%s=%s: %s", spec->option,
                  spec->text, problem);
}

void jr_spec_format_type(const struct jr_spec *spec, struct jr_bytes *text) {
  for (size_t i = 0; i < spec->rank; i++)
    jr_bytes_appendf(text, "%" PRId64 "x", spec->dims[i]);
  jr_bytes_append_text(text, jr_dtype_name(spec->dtype));
}

/// Elements in one step of dimension `first` - 1: the product of those behind.
static uint64_t count_from(const struct jr_spec *spec, size_t first) {
  uint64_t count = 1;
  for (size_t i = first; i < spec->rank; i++)
    count *= (uint64_t)spec->dims[i];
  return count;
}

/// An error for values without a type in front of them; NULL for anything that
/// is more than numbers.
static jitrun_error_t *check_typed(const struct jr_spec *spec) {
  const char *text = spec->text;
  if (!*text || text[strspn(text, "0123456789.,+-eE[]" BLANKS)])
    return NULL;
  return refuse(spec, "the type is missing: write it in front, such as f32=2.5 "
                      "or 3xi32=1,2,3");
}

/// Reads one "2x"; false when the text goes on with something else.
static jitrun_error_t *parse_dim(struct jr_spec *spec, const char **at,
                                 bool *out_found) {
  size_t digits = strspn(*at, "0123456789");
  *out_found = digits > 0 && (*at)[digits] == 'x';
  if (**at == '?')
    return refuse_at(spec, *at, "give a number, the size at run time");
  if (digits > 0 && !*out_found)
    return refuse_at(spec, *at + digits,
                     "'x' and an element type expected after a size, as in "
                     "2x3xf32");
  if (!*out_found)
    return NULL;
  if (spec->rank == JR_MAX_RANK)
    return refuse_at(spec, *at, "more than 64 dimensions");
  int64_t dim = 0;
  for (size_t i = 0; i < digits; i++) {
    if (__builtin_mul_overflow(dim, 10, &dim) ||
        __builtin_add_overflow(dim, (*at)[i] - '0', &dim))
      return refuse_at(spec, *at, "the size is out of range");
  }
  spec->dims[spec->rank++] = dim;
  *at += digits + 1;
  return NULL;
}

/// In the order of a list for people; INVALID stands for index.
static const jitrun_dtype_t order[] = {
    JITRUN_DTYPE_PRED,
    JITRUN_DTYPE_S4,
    JITRUN_DTYPE_S8,
    JITRUN_DTYPE_S16,
    JITRUN_DTYPE_S32,
    JITRUN_DTYPE_S64,
    JITRUN_DTYPE_INVALID,
    JITRUN_DTYPE_U4,
    JITRUN_DTYPE_U8,
    JITRUN_DTYPE_U16,
    JITRUN_DTYPE_U32,
    JITRUN_DTYPE_U64,
    JITRUN_DTYPE_F16,
    JITRUN_DTYPE_BF16,
    JITRUN_DTYPE_F32,
    JITRUN_DTYPE_F64,
    JITRUN_DTYPE_F8E5M2,
    JITRUN_DTYPE_F8E4M3FN,
    JITRUN_DTYPE_F8E4M3B11FNUZ,
    JITRUN_DTYPE_F8E5M2FNUZ,
    JITRUN_DTYPE_F8E4M3FNUZ,
    JITRUN_DTYPE_C64,
    JITRUN_DTYPE_C128,
};

const char *jr_spec_dtype_name(size_t index) {
  if (index >= sizeof order / sizeof order[0])
    return NULL;
  const char *name = jr_dtype_name(order[index]);
  return name ? name : "index";
}

/// Offers what others call the element types.
static void offer_alias(struct jr_near_names *near_names) {
  static const struct {
    const char *alias, *name;
  } rows[] = {
      {"bool", "i1"},
      {"int8", "i8"},
      {"int16", "i16"},
      {"int32", "i32"},
      {"int64", "i64"},
      {"int", "i32"},
      {"long", "i64"},
      {"uint8", "ui8"},
      {"uint16", "ui16"},
      {"uint32", "ui32"},
      {"uint64", "ui64"},
      {"byte", "ui8"},
      {"half", "f16"},
      {"float16", "f16"},
      {"float32", "f32"},
      {"float", "f32"},
      {"float64", "f64"},
      {"double", "f64"},
      {"fp16", "f16"},
      {"bfloat16", "bf16"},
      {"complex64", "complex<f32>"},
      {"complex128", "complex<f64>"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if (strcmp(rows[i].alias, near_names->wanted) == 0) {
      near_names->names[0] = rows[i].name;
      near_names->count = 1;
    }
  }
}

static jitrun_error_t *refuse_dtype(const struct jr_spec *spec, const char *at,
                                    size_t size) {
  if (jr_text_has_suffix(spec->text, ".npy"))
    return jr_error(JITRUN_INVALID_ARGUMENT, "%s=%s: a file is given as %s=@%s",
                    spec->option, spec->text, spec->option, spec->text);
  if (size == 0)
    return refuse_at(spec, at, "element type expected, such as f32 or i64");
  if (memchr(at, '[', size) || memchr(at, '<', size))
    return refuse_at(spec, at,
                     "a type is written as 2x3xf32: the sizes, then the "
                     "element type");
  struct jr_bytes text = {0};
  char wanted[32];
  (void)snprintf(wanted, sizeof wanted, "%.*s", size < 31 ? (int)size : 31, at);
  struct jr_near_names near_names = {.wanted = wanted};
  jr_bytes_append_text(&text, "unknown element type '");
  jr_bytes_append(&text, at, size);
  jr_bytes_append_text(&text, "'; known are");
  for (size_t i = 0; jr_spec_dtype_name(i); i++) {
    jr_bytes_appendf(&text, " %s", jr_spec_dtype_name(i));
    jr_near_names_offer(&near_names, jr_spec_dtype_name(i));
  }
  offer_alias(&near_names);
  jr_near_names_append(&near_names, &text);
  const char *problem = jr_bytes_text(&text);
  jitrun_error_t *error =
      refuse_at(spec, at, problem ? problem : "unknown element type");
  jr_bytes_deinit(&text);
  return error;
}

/// Reads "2x3xf32" and sees that such a value could exist.
static jitrun_error_t *parse_type(struct jr_spec *spec, const char **at) {
  bool found = true;
  JITRUN_TRY(check_typed(spec));
  while (found)
    JITRUN_TRY(parse_dim(spec, at, &found));
  size_t size = strcspn(*at, "=@" BLANKS);
  spec->dtype = jr_dtype_parse(*at, size);
  if (spec->dtype == JITRUN_DTYPE_INVALID)
    return refuse_dtype(spec, *at, size);
  *at += size;
  *at += strspn(*at, BLANKS);
  jitrun_type_t *type;
  jitrun_error_t *error =
      jr_type_make(spec->dtype, spec->rank, spec->dims, &type);
  free(type);
  if (error)
    return jr_error_note(error, "in %s=%s", spec->option, spec->text);
  return NULL;
}

/// Opens a row: it must begin where a row of its dimension does.
static jitrun_error_t *open_row(struct walk *walk) {
  const struct jr_spec *spec = walk->spec;
  if (spec->rank == 0)
    return refuse_at(spec, walk->at, "one value takes no brackets");
  if (walk->depth == spec->rank)
    return refuse_at(spec, walk->at, "more brackets than dimensions");
  bool is_first = walk->index == 0 && !walk->has_brackets;
  if (walk->depth == 0 && !is_first)
    return refuse_at(spec, walk->at, "'[' after the values");
  walk->row[walk->depth++] = walk->index;
  walk->has_brackets = true;
  walk->after_item = walk->after_comma = false;
  return NULL;
}

static jitrun_error_t *close_row(struct walk *walk) {
  const struct jr_spec *spec = walk->spec;
  if (walk->depth == 0)
    return refuse_at(spec, walk->at, "']' without '['");
  if (walk->after_comma)
    return refuse_at(spec, walk->at, "a value is missing after ','");
  walk->depth--;
  uint64_t expected = count_from(spec, walk->depth);
  uint64_t found = walk->index - walk->row[walk->depth];
  if (found != expected) {
    char problem[96];
    (void)snprintf(problem, sizeof problem,
                   "this row has %" PRIu64
                   " values, the type asks for %" PRIu64,
                   found, expected);
    return refuse_at(spec, walk->at, problem);
  }
  walk->after_item = true;
  return NULL;
}

static jitrun_error_t *take_comma(struct walk *walk) {
  if (!walk->after_item)
    return refuse_at(walk->spec, walk->at, "a value is missing before ','");
  walk->after_item = false;
  walk->after_comma = true;
  return NULL;
}

static jitrun_error_t *refuse_number(const struct walk *walk, size_t size,
                                     enum jr_element_text result) {
  const char *name = jr_dtype_name(walk->spec->dtype);
  int shown = size < 40 ? (int)size : 40;
  char problem[128];
  if (size >= 3 && memcmp(walk->at, "...", 3) == 0)
    return refuse_at(walk->spec, walk->at,
                     "'...' stands for values that are not given");
  (void)snprintf(problem, sizeof problem,
                 result == JR_ELEMENT_RANGE ? "'%.*s' is out of the range of %s"
                                            : "'%.*s' is no value of type %s",
                 shown, walk->at, name);
  return refuse_at(walk->spec, walk->at, problem);
}

/// Bytes of the value at the front of `text`; "(1, 2)" is one.
static size_t measure_value(const char *text) {
  if (*text == '(') {
    size_t size = strcspn(text, ")");
    return text[size] ? size + 1 : size;
  }
  return strcspn(text, ",[]" BLANKS);
}

static jitrun_error_t *take_value(struct walk *walk) {
  const struct jr_spec *spec = walk->spec;
  if (walk->index > 0 && walk->at[-1] == ')')
    return refuse_at(spec, walk->at, "a blank or ',' expected");
  size_t size = measure_value(walk->at);
  char element[16];
  enum jr_element_text result =
      jr_element_parse(spec->dtype, walk->at, size, element);
  if (result != JR_ELEMENT_OK)
    return refuse_number(walk, size, result);
  if (walk->has_brackets && walk->depth != spec->rank)
    return refuse_at(spec, walk->at,
                     walk->depth == 0 ? "a value after the last ']'"
                                      : "'[' expected: too few brackets");
  if (walk->index == walk->count && walk->index > 0)
    return refuse_at(spec, walk->at, "more values than the type has");
  size_t element_size = jr_dtype_size(spec->dtype);
  if (walk->index == 0)
    memcpy(walk->first, element, element_size);
  const struct jr_value *value = walk->value;
  if (value && walk->index < walk->count)
    memcpy((void *)(uintptr_t)jr_value_element(value->type, value->data,
                                               walk->index),
           element, element_size);
  walk->index++;
  walk->at += size;
  walk->after_item = true;
  walk->after_comma = false;
  return NULL;
}

static jitrun_error_t *take_token(struct walk *walk) {
  jitrun_error_t *(*take)(struct walk *) = NULL;
  if (*walk->at == '[')
    take = open_row;
  else if (*walk->at == ']')
    take = close_row;
  else if (*walk->at == ',')
    take = take_comma;
  if (!take)
    return take_value(walk);
  JITRUN_TRY(take(walk));
  walk->at++;
  return NULL;
}

/// Sees that there are as many values as elements, or one for all.
static jitrun_error_t *finish_walk(struct walk *walk) {
  const struct jr_spec *spec = walk->spec;
  if (walk->after_comma)
    return refuse_at(spec, walk->at, "a value is missing after ','");
  if (walk->depth > 0)
    return refuse_at(spec, walk->at, "']' is missing");
  bool is_splat = walk->index == 1 && !walk->has_brackets;
  if (walk->index == walk->count || is_splat)
    return NULL;
  char problem[128];
  (void)snprintf(problem, sizeof problem,
                 "%" PRIu64 " values are given, the type has %" PRIu64,
                 walk->index, walk->count);
  return refuse(spec, problem);
}

/// Checks the values, and stores them in `value` unless that is NULL.
static jitrun_error_t *walk_values(const struct jr_spec *spec,
                                   struct jr_value *value) {
  struct walk walk = {.spec = spec,
                      .at = spec->rest,
                      .value = value,
                      .count = count_from(spec, 0)};
  while (*walk.at) {
    if (is_blank(*walk.at))
      walk.at++;
    else
      JITRUN_TRY(take_token(&walk));
  }
  JITRUN_TRY(finish_walk(&walk));
  size_t size = jr_dtype_size(spec->dtype);
  bool is_splat = walk.index == 1 && walk.count > 1;
  for (uint64_t i = 0; value && is_splat && i < walk.count; i++)
    memcpy((void *)(uintptr_t)jr_value_element(value->type, value->data, i),
           walk.first, size);
  return NULL;
}

/// Reads what the spec is for; returns what follows.
static const char *begin_spec(const char *option, const char *text,
                              struct jr_spec *out_spec) {
  struct jr_slot slot;
  *out_spec = (struct jr_spec){.option = option, .text = text, .device = -1};
  out_spec->has_slot = jr_slot_parse(&text, &slot);
  if (out_spec->has_slot) {
    out_spec->slot_is_result = slot.is_result;
    out_spec->slot_index = slot.index;
  }
  return text;
}

jitrun_error_t *jr_spec_parse_output(const char *option, const char *text,
                                     struct jr_spec *out_spec) {
  const char *at = begin_spec(option, text, out_spec);
  out_spec->kind = *at == '@' ? JR_SPEC_NPY : JR_SPEC_PRINTED;
  out_spec->rest = at + 1;
  bool is_file = *at == '@' && at[1] && strcmp(at, "@-") != 0;
  if (is_file || strcmp(at, "-") == 0)
    return NULL;
  return refuse(out_spec, "give @FILE, or - to print it");
}

jitrun_error_t *jr_spec_parse(const char *option, const char *text,
                              struct jr_spec *out_spec) {
  const char *at = begin_spec(option, text, out_spec);
  at += strspn(at, BLANKS);
  if (strcmp(at, "(ignored)") == 0) {
    out_spec->kind = JR_SPEC_IGNORED;
    return NULL;
  }
  if (*at == '@') {
    out_spec->kind = JR_SPEC_NPY;
    out_spec->rest = at + 1;
  } else {
    JITRUN_TRY(parse_type(out_spec, &at));
    out_spec->rest = at + 1;
    if (*at == '@')
      out_spec->kind = JR_SPEC_RAW;
    else if (*at == '=')
      out_spec->kind = JR_SPEC_VALUES;
    else if (*at)
      return refuse_at(out_spec, at, "'=' or '@' expected after the type");
  }
  if (out_spec->kind == JR_SPEC_VALUES)
    return walk_values(out_spec, NULL);
  if (out_spec->kind != JR_SPEC_ZEROS && !*out_spec->rest)
    return refuse(out_spec, "the name of a file is missing after '@'");
  return NULL;
}

/// Makes raw bytes a dense value of the type that was given.
static jitrun_error_t *load_raw(struct jr_spec *spec, struct jr_bytes *bytes) {
  struct jr_value *file = &spec->file;
  JITRUN_TRY(jr_type_make(spec->dtype, spec->rank, spec->dims, &file->type));
  uint64_t size = 0;
  if (!jr_type_size_bytes(file->type, &size) || size != bytes->size)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "'%s' has %zu bytes, %s needs %" PRIu64, spec->rest,
                    bytes->size, spec->text, size);
  file->block = bytes->data;
  file->data = bytes->data;
  *bytes = (struct jr_bytes){0};
  return NULL;
}

/// Takes type and sizes of a .npy file, or compares them with those given.
static jitrun_error_t *take_shape(struct jr_spec *spec) {
  const jitrun_type_t *type = spec->file.type;
  if (spec->kind == JR_SPEC_NPY) {
    spec->dtype = (jitrun_dtype_t)type->dtype;
    spec->rank = type->rank;
    memcpy(spec->dims, jitrun_type_dims(type), type->rank * sizeof(int64_t));
    return NULL;
  }
  if (type->dtype == spec->dtype && type->rank == spec->rank &&
      memcmp(spec->dims, jitrun_type_dims(type),
             type->rank * sizeof(int64_t)) == 0)
    return NULL;
  struct jr_bytes text = {0};
  jr_type_format(&text, type);
  const char *found = jr_bytes_text(&text);
  jitrun_error_t *error = jr_error(
      JITRUN_INVALID_ARGUMENT, "'%s' holds %s, %s=%s says otherwise",
      spec->rest, found ? found : "another type", spec->option, spec->text);
  jr_bytes_deinit(&text);
  return error;
}

/// Every byte but 0 in a file of PRED counts as true.
static void normalize_bools(struct jr_value *value) {
  uint64_t count = jr_value_count(value);
  unsigned char *bytes = value->data;
  for (uint64_t i = 0; i < count; i++)
    bytes[i] = bytes[i] != 0;
}

/// Reads a file, or a member of an archive.
static jitrun_error_t *read_file(const struct jr_spec *spec,
                                 struct jr_bytes *out_bytes) {
  size_t path_size;
  const char *member;
  if (!jr_npz_split(spec->rest, &path_size, &member))
    return jr_file_read(spec->rest, out_bytes);
  char *path = strndup(spec->rest, path_size);
  if (!path)
    return jr_error_no_memory();
  struct jr_file_map map = {0};
  jitrun_error_t *error = jr_file_map_open(path, &map);
  if (!error) {
    error = jr_npz_read(map.data, map.size, member, out_bytes);
    jr_file_map_close(&map);
    if (error)
      error = jr_error_at(error, path, 0, 0);
  }
  free(path);
  return error;
}

jitrun_error_t *jr_spec_open(struct jr_spec *spec) {
  bool is_file = spec->kind == JR_SPEC_RAW || spec->kind == JR_SPEC_NPY;
  if (!is_file || spec->file.type)
    return NULL;
  struct jr_bytes bytes = {0};
  jitrun_dtype_t wanted =
      spec->kind == JR_SPEC_RAW ? spec->dtype : JITRUN_DTYPE_INVALID;
  jitrun_error_t *error = read_file(spec, &bytes);
  if (error)
    goto done;
  // A .npy file after a type is still one.
  if (spec->kind == JR_SPEC_NPY || jr_npy_matches(bytes.data, bytes.size)) {
    error = jr_npy_load(&bytes, wanted, &spec->file);
    if (error)
      error = jr_error_at(error, spec->rest, 0, 0);
    else
      error = take_shape(spec);
  } else {
    error = load_raw(spec, &bytes);
  }
  if (!error && spec->dtype == JITRUN_DTYPE_PRED)
    normalize_bools(&spec->file);
done:
  jr_bytes_deinit(&bytes);
  if (error)
    jr_spec_close(spec);
  return error;
}

void jr_spec_fill(const struct jr_spec *spec, struct jr_value *value) {
  if (spec->file.type)
    jr_value_copy(&spec->file, value);
  else if (spec->kind == JR_SPEC_VALUES) // was checked by parse
    jitrun_error_free(walk_values(spec, value));
}

void jr_spec_close(struct jr_spec *spec) {
  jr_value_deinit(&spec->file);
}
