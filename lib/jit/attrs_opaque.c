/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See attrs_opaque.h. One pass over the text, guided by the type: what does
/// not fit is said where it stands, with what the type would take there.
#include "jit/attrs_opaque.h"

#include "base/dtype.h"
#include "base/numbers.h"
#include "base/strings.h"

#include <inttypes.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_DEPTH = 16, ///< of structures in structures
  MAX_NAMES = 12, ///< in one message
  MAX_SHOWN = 60  ///< bytes of the program in one message
};

/// Where reading is.
struct cursor {
  const struct jr_attr_reader *reader;
  struct jr_scanner scanner;
  unsigned depth;
};

static jitrun_error_t *read_body(struct cursor *cursor,
                                 const jitrun_attr_type_t *type,
                                 struct jr_attr_value *value);

static const char *label_of(const jitrun_attr_field_t *field) {
  return field->text[0] ? field->text : field->name;
}

static int shown_size(struct jr_span span) {
  return span.size < MAX_SHOWN ? (int)span.size : MAX_SHOWN;
}

/// The error that `text` holds.
static jitrun_error_t *finish_message(struct jr_bytes *text) {
  const char *message = jr_bytes_text(text);
  jitrun_error_t *error = message
                              ? jr_error(JITRUN_INVALID_ARGUMENT, "%s", message)
                              : jr_error_no_memory();
  jr_bytes_deinit(text);
  return error;
}

/// "'a', 'b', 'c'": the cases of an enumeration, or the fields of a structure.
static void append_names(struct jr_bytes *text,
                         const jitrun_attr_type_t *type) {
  uint32_t count = type->case_count ? type->case_count : type->field_count;
  for (uint32_t i = 0; i < count && i < MAX_NAMES; i++)
    jr_bytes_appendf(text, "%s'%s'", i ? ", " : "",
                     type->case_count ? type->cases[i].text
                                      : label_of(&type->fields[i]));
  if (count > MAX_NAMES)
    jr_bytes_appendf(text, " and %u more", count - MAX_NAMES);
}

static void append_number(struct jr_bytes *text, jitrun_dtype_t dtype) {
  const char *name = jr_dtype_name(dtype);
  bool is_signed = jr_dtype_number_kind(dtype) == JR_NUMBER_SIGNED;
  bool is_nibble = dtype == JITRUN_DTYPE_S4 || dtype == JITRUN_DTYPE_U4;
  unsigned bits = is_nibble ? 4 : 8 * (unsigned)jr_dtype_size(dtype);
  if (dtype == JITRUN_DTYPE_PRED)
    jr_bytes_append_text(text, "true or false");
  else if (jr_dtype_number_kind(dtype) == JR_NUMBER_REAL)
    jr_bytes_appendf(text, "a number (%s)", name);
  else if (is_signed)
    jr_bytes_appendf(text, "a number from %" PRId64 " to %" PRId64 " (%s)",
                     INT64_MIN >> (64 - bits), INT64_MAX >> (64 - bits), name);
  else
    jr_bytes_appendf(text, "a number from 0 to %" PRIu64 " (%s)",
                     UINT64_MAX >> (64 - bits), name);
}

/// What a field takes.
static void append_wanted(struct jr_bytes *text,
                          const jitrun_attr_field_t *field) {
  if (field->kind == JITRUN_FIELD_STRING) {
    jr_bytes_append_text(text, "a string in quotes");
  } else if (field->kind == JITRUN_FIELD_TYPE) {
    jr_bytes_appendf(text, "an attribute of type %s", field->type_name);
  } else {
    if (field->kind == JITRUN_FIELD_ARRAY)
      jr_bytes_append_text(text, "an array in brackets, each element ");
    append_number(text, (jitrun_dtype_t)field->dtype);
  }
}

/// Refuses the value of a field, which the scanner has not moved past.
static jitrun_error_t *refuse_field(struct cursor *cursor,
                                    const jitrun_attr_type_t *type,
                                    const jitrun_attr_field_t *field) {
  struct jr_bytes text = {0};
  struct jr_span found = jr_scan_peek(&cursor->scanner);
  jr_bytes_appendf(&text, "field '%s' of %s is '%.*s'; it takes ",
                   label_of(field), type->name, shown_size(found), found.data);
  append_wanted(&text, field);
  return finish_message(&text);
}

/// Refuses what stands where a separator or the end should be.
static jitrun_error_t *refuse_rest(struct cursor *cursor,
                                   const jitrun_attr_type_t *type) {
  struct jr_scanner *scanner = &cursor->scanner;
  if (jr_scan_done(scanner))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the text of %s ends early: a '>' is missing", type->name);
  struct jr_span found = {scanner->at, (size_t)(scanner->end - scanner->at)};
  return jr_error(JITRUN_INVALID_ARGUMENT,
                  "in %s, '%.*s' stands where a ',' or the end should be",
                  type->name, shown_size(found), found.data);
}

/// A number of `dtype`, with or without ": type".
static bool read_number(struct cursor *cursor, jitrun_dtype_t dtype,
                        void *out_element) {
  struct jr_span number = jr_scan_number(&cursor->scanner);
  if (jr_element_parse(dtype, number.data, number.size, out_element) !=
      JR_ELEMENT_OK)
    return false;
  if (!jr_scan_accept(&cursor->scanner, ":"))
    return true;
  struct jr_span name = jr_scan_word(&cursor->scanner);
  return jr_dtype_parse(name.data, name.size) == dtype;
}

static bool read_elements(struct cursor *cursor, jitrun_dtype_t dtype,
                          struct jr_bytes *elements) {
  struct jr_scanner *scanner = &cursor->scanner;
  if (!jr_scan_accept(scanner, "["))
    return false;
  if (jr_scan_accept(scanner, "]"))
    return true;
  do {
    uint64_t element[2] = {0};
    if (!read_number(cursor, dtype, element))
      return false;
    jr_bytes_append(elements, element, jr_dtype_size(dtype));
  } while (jr_scan_accept(scanner, ","));
  return jr_scan_accept(scanner, "]");
}

/// Reads a string or an array, whose bytes the arena keeps.
static jitrun_error_t *read_bytes(struct cursor *cursor,
                                  const jitrun_attr_type_t *type,
                                  const jitrun_attr_field_t *field,
                                  struct jr_attr_value *value) {
  struct jr_scanner start = cursor->scanner;
  struct jr_bytes bytes = {0};
  jitrun_dtype_t dtype = (jitrun_dtype_t)field->dtype;
  bool is_string = field->kind == JITRUN_FIELD_STRING;
  bool is_read = is_string ? jr_scan_string(&cursor->scanner, &bytes)
                           : read_elements(cursor, dtype, &bytes);
  jitrun_error_t *error = jr_bytes_check(&bytes);
  char *kept = jr_arena_copy_text(
      cursor->reader->arena, bytes.data ? (char *)bytes.data : "", bytes.size);
  if (!error && !kept)
    error = jr_error_no_memory();
  if (!error && !is_read) {
    cursor->scanner = start;
    error = refuse_field(cursor, type, field);
  }
  value->kind = is_string ? JITRUN_ATTR_STRING : JITRUN_ATTR_ARRAY;
  value->count = is_string ? bytes.size : bytes.size / jr_dtype_size(dtype);
  value->data = kept;
  jr_bytes_deinit(&bytes);
  return error;
}

static jitrun_error_t *read_scalar(struct cursor *cursor,
                                   const jitrun_attr_type_t *type,
                                   const jitrun_attr_field_t *field,
                                   struct jr_attr_value *value) {
  struct jr_scanner start = cursor->scanner;
  value->kind = JITRUN_ATTR_SCALAR;
  if (read_number(cursor, (jitrun_dtype_t)field->dtype, &value->bits))
    return NULL;
  cursor->scanner = start;
  return refuse_field(cursor, type, field);
}

/// The part of a type's name in front of the first dot.
static struct jr_span dialect_of(const char *name) {
  return (struct jr_span){name, (size_t)(strchr(name, '.') - name)};
}

static const jitrun_attr_type_t *find_named(const struct jr_attr_reader *reader,
                                            const char *name) {
  for (size_t i = 0; i < reader->type_count; i++) {
    if (strcmp(reader->types[i]->name, name) == 0)
      return reader->types[i];
  }
  return NULL;
}

static const jitrun_attr_type_t *find_type(const struct jr_attr_reader *reader,
                                           struct jr_span dialect,
                                           struct jr_span word) {
  for (size_t i = 0; i < reader->type_count; i++) {
    const char *name = reader->types[i]->name;
    struct jr_span first = dialect_of(name);
    if (first.size == dialect.size &&
        memcmp(first.data, dialect.data, first.size) == 0 &&
        jr_span_equals(word, name + first.size + 1))
      return reader->types[i];
  }
  return NULL;
}

/// Moves past the name of a type that stands in front of a nested value:
/// "#dialect.name", or "#dialect<name", whose '>' is then to come.
static bool accept_name(struct cursor *cursor, const jitrun_attr_type_t *type,
                        bool *out_is_open) {
  struct jr_span dialect = dialect_of(type->name);
  struct jr_span word = jr_scan_word(&cursor->scanner);
  *out_is_open = false;
  if (jr_span_equals(word, type->name))
    return true;
  *out_is_open = word.size == dialect.size &&
                 memcmp(word.data, dialect.data, word.size) == 0 &&
                 jr_scan_accept(&cursor->scanner, "<");
  return *out_is_open && jr_span_equals(jr_scan_word(&cursor->scanner),
                                        dialect.data + dialect.size + 1);
}

/// A value of another type, with its name, in brackets alone, or, of an
/// enumeration, the case alone.
static jitrun_error_t *read_nested(struct cursor *cursor,
                                   const jitrun_attr_type_t *type,
                                   const jitrun_attr_field_t *field,
                                   struct jr_attr_value *value) {
  struct jr_scanner start = cursor->scanner;
  const jitrun_attr_type_t *nested =
      find_named(cursor->reader, field->type_name);
  bool is_open = false;
  if (!nested)
    return jr_error(JITRUN_NOT_FOUND,
                    "field '%s' of %s is of type %s, which is not registered",
                    label_of(field), type->name, field->type_name);
  if ((jr_scan_accept(&cursor->scanner, "#") &&
       !accept_name(cursor, nested, &is_open)) ||
      (nested->field_count && !is_open &&
       !jr_scan_sees(&cursor->scanner, '<'))) {
    cursor->scanner = start;
    return refuse_field(cursor, type, field);
  }
  JITRUN_TRY(read_body(cursor, nested, value));
  if (is_open && !jr_scan_accept(&cursor->scanner, ">"))
    return refuse_rest(cursor, nested);
  return NULL;
}

static jitrun_error_t *read_value(struct cursor *cursor,
                                  const jitrun_attr_type_t *type,
                                  const jitrun_attr_field_t *field,
                                  struct jr_attr_value *value) {
  *value = (struct jr_attr_value){
      .dtype = field->dtype,
  };
  switch (field->kind) {
  case JITRUN_FIELD_SCALAR:
    return read_scalar(cursor, type, field, value);
  case JITRUN_FIELD_TYPE:
    return read_nested(cursor, type, field, value);
  default:
    return read_bytes(cursor, type, field, value);
  }
}

static uint32_t find_field(const jitrun_attr_type_t *type,
                           struct jr_span word) {
  uint32_t index = 0;
  while (index < type->field_count &&
         !jr_span_equals(word, type->fields[index].text))
    index++;
  return index;
}

static jitrun_error_t *refuse_name(const jitrun_attr_type_t *type,
                                   const char *what, struct jr_span found) {
  struct jr_bytes text = {0};
  jr_bytes_appendf(&text, "%s has no %s '%.*s'; it has ", type->name, what,
                   shown_size(found), found.data);
  append_names(&text, type);
  return finish_message(&text);
}

/// "name = value", or a value alone, which stands for field `*position` as long
/// as none was named.
static jitrun_error_t *read_field(struct cursor *cursor,
                                  const jitrun_attr_type_t *type,
                                  struct jr_attr_value *values,
                                  uint32_t *position) {
  struct jr_scanner start = cursor->scanner;
  struct jr_span word = jr_scan_word(&cursor->scanner);
  bool is_named = word.size > 0 && jr_scan_accept(&cursor->scanner, "=");
  uint32_t index = is_named ? find_field(type, word) : *position;
  if (is_named && index == type->field_count)
    return refuse_name(type, "field", word);
  if (!is_named)
    cursor->scanner = start;
  if (index >= type->field_count) {
    struct jr_span found = jr_scan_peek(&cursor->scanner);
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "'%.*s' is no field of %s: it has %u fields, and values "
                    "without a name come first",
                    shown_size(found), found.data, type->name,
                    type->field_count);
  }
  if (values[index].kind != JITRUN_ATTR_ABSENT)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "field '%s' of %s is there twice; write it once",
                    label_of(&type->fields[index]), type->name);
  *position = is_named ? UINT32_MAX : index + 1;
  return read_value(cursor, type, &type->fields[index], &values[index]);
}

static bool is_at_end(struct cursor *cursor) {
  return jr_scan_done(&cursor->scanner) || jr_scan_sees(&cursor->scanner, '>');
}

static jitrun_error_t *read_fields(struct cursor *cursor,
                                   const jitrun_attr_type_t *type,
                                   struct jr_attr_value *values) {
  uint32_t position = 0;
  if (is_at_end(cursor))
    return NULL;
  do {
    JITRUN_TRY(read_field(cursor, type, values, &position));
  } while (jr_scan_accept(&cursor->scanner, ","));
  return is_at_end(cursor) ? NULL : refuse_rest(cursor, type);
}

/// Gives a field that is not written its value: 0, empty, or none.
static jitrun_error_t *fill_field(const jitrun_attr_type_t *type,
                                  const jitrun_attr_field_t *field,
                                  struct jr_attr_value *value) {
  static const uint8_t kinds[] = {[JITRUN_FIELD_SCALAR] = JITRUN_ATTR_SCALAR,
                                  [JITRUN_FIELD_STRING] = JITRUN_ATTR_STRING,
                                  [JITRUN_FIELD_ARRAY] = JITRUN_ATTR_ARRAY,
                                  [JITRUN_FIELD_TYPE] = JITRUN_ATTR_ABSENT};
  if (field->flags & JITRUN_FIELD_OPTIONAL) {
    *value = (struct jr_attr_value){
        .kind = kinds[field->kind], .dtype = field->dtype, .data = ""};
    return NULL;
  }
  struct jr_bytes text = {0};
  jr_bytes_appendf(&text, "field '%s' of %s is missing; it takes ",
                   label_of(field), type->name);
  append_wanted(&text, field);
  return finish_message(&text);
}

static int compare_values(const void *a, const void *b) {
  const struct jr_attr_value *x = a;
  const struct jr_attr_value *y = b;
  return strcmp(x->name, y->name);
}

/// Completes the fields that were read, and sorts them by name.
static jitrun_error_t *close_struct(const jitrun_attr_type_t *type,
                                    struct jr_attr_value *values,
                                    struct jr_attr_value *value) {
  size_t count = 0;
  for (uint32_t i = 0; i < type->field_count; i++) {
    const jitrun_attr_field_t *field = &type->fields[i];
    if (values[i].kind == JITRUN_ATTR_ABSENT)
      JITRUN_TRY(fill_field(type, field, &values[i]));
    values[i].name = field->name ? field->name : field->text;
    if (values[i].kind != JITRUN_ATTR_ABSENT)
      values[count++] = values[i];
  }
  qsort(values, count, sizeof *values, compare_values);
  *value = (struct jr_attr_value){.type_name = type->name,
                                  .kind = JITRUN_ATTR_DICT,
                                  .count = count,
                                  .items = values};
  return NULL;
}

static jitrun_error_t *read_conv(struct cursor *cursor,
                                 const jitrun_attr_type_t *type,
                                 struct jr_attr_value *values) {
  struct jr_span found = jr_scan_peek(&cursor->scanner);
  if (jr_conv_read(&cursor->scanner, cursor->reader->arena, values))
    return NULL;
  return jr_error(JITRUN_INVALID_ARGUMENT,
                  "%s is '%.*s...'; it is written [b, 0, 1, f]x[0, 1, i, o]->"
                  "[b, 0, 1, f], each dimension once",
                  type->name, shown_size(found), found.data);
}

static jitrun_error_t *read_struct(struct cursor *cursor,
                                   const jitrun_attr_type_t *type,
                                   struct jr_attr_value *value) {
  struct jr_attr_value *values =
      jr_arena_zalloc(cursor->reader->arena, type->field_count, sizeof *values);
  if (!values)
    return jr_error_no_memory();
  bool is_conv = strcmp(type->name, "mhlo.conv") == 0 &&
                 type->field_count == 9 &&
                 !jr_scan_accept(&cursor->scanner, "raw");
  JITRUN_TRY(is_conv ? read_conv(cursor, type, values)
                     : read_fields(cursor, type, values));
  return close_struct(type, values, value);
}

static const jitrun_attr_case_t *find_case(const jitrun_attr_type_t *type,
                                           struct jr_span word) {
  for (uint32_t i = 0; i < type->case_count; i++) {
    if (jr_span_equals(word, type->cases[i].text))
      return &type->cases[i];
  }
  return NULL;
}

/// The text of a case, in quotes where it is no word.
static jitrun_error_t *read_case(struct cursor *cursor,
                                 const jitrun_attr_type_t *type,
                                 struct jr_attr_value *value) {
  struct jr_span found = jr_scan_peek(&cursor->scanner);
  struct jr_bytes text = {0};
  struct jr_span word = {0};
  if (jr_scan_string(&cursor->scanner, &text))
    word = (struct jr_span){(const char *)text.data, text.size};
  else
    word = jr_scan_word(&cursor->scanner);
  jitrun_error_t *error = jr_bytes_check(&text);
  const jitrun_attr_case_t *one =
      error || word.size == 0 ? NULL : find_case(type, word);
  jr_bytes_deinit(&text);
  if (!one)
    return error ? error : refuse_name(type, "case", found);
  struct jr_number number = {.kind = JR_NUMBER_SIGNED, .s64 = one->value};
  *value = (struct jr_attr_value){.type_name = type->name,
                                  .kind = JITRUN_ATTR_SCALAR,
                                  .dtype = type->dtype};
  (void)jr_element_write((jitrun_dtype_t)type->dtype, number, &value->bits);
  return NULL;
}

/// What stands behind the name of a type, with or without its brackets.
static jitrun_error_t *read_body(struct cursor *cursor,
                                 const jitrun_attr_type_t *type,
                                 struct jr_attr_value *value) {
  if (cursor->depth == MAX_DEPTH)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "structures stand in each other more than %d deep",
                    MAX_DEPTH);
  bool is_enclosed = jr_scan_accept(&cursor->scanner, "<");
  cursor->depth++;
  JITRUN_TRY(type->case_count ? read_case(cursor, type, value)
                              : read_struct(cursor, type, value));
  cursor->depth--;
  if (is_enclosed && !jr_scan_accept(&cursor->scanner, ">"))
    return refuse_rest(cursor, type);
  return NULL;
}

static jitrun_error_t *refuse_type(const struct jr_attr_reader *reader,
                                   struct jr_span dialect,
                                   struct jr_span word) {
  struct jr_bytes text = {0};
  struct jr_near_names near_names = {0};
  char hint[256];
  jr_bytes_appendf(&text, "%.*s.%.*s", shown_size(dialect), dialect.data,
                   shown_size(word), word.data);
  const char *name = jr_bytes_text(&text);
  if (!name)
    return jr_error_no_memory();
  near_names.wanted = name;
  for (size_t i = 0; i < reader->type_count; i++)
    jr_near_names_offer(&near_names, reader->types[i]->name);
  (void)jr_near_names_hint(&near_names, hint, sizeof hint);
  jitrun_error_t *error =
      jr_error(JITRUN_NOT_FOUND,
               "no attribute type '%s' is registered%s%s%s; register it by "
               "jitrun_registry_add_attr_type, or load the plug-in that has it",
               name, hint[0] ? " (" : "", hint, hint[0] ? ")" : "");
  jr_bytes_deinit(&text);
  return error;
}

static jitrun_error_t *read_text(const struct jr_attr_reader *reader,
                                 struct jr_span dialect, struct jr_span text,
                                 struct jr_attr_value *out_value) {
  struct cursor cursor = {.reader = reader,
                          .scanner = {text.data, text.data + text.size}};
  struct jr_span word = jr_scan_word(&cursor.scanner);
  const jitrun_attr_type_t *type = find_type(reader, dialect, word);
  if (!type)
    return refuse_type(reader, dialect, word);
  JITRUN_TRY(read_body(&cursor, type, out_value));
  return jr_scan_done(&cursor.scanner) ? NULL : refuse_rest(&cursor, type);
}

/// Numbers are written with a point, whatever the caller's locale.
jitrun_error_t *jr_opaque_read(const struct jr_attr_reader *reader,
                               struct jr_span dialect, struct jr_span text,
                               struct jr_attr_value *out_value) {
  locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
  if (!plain)
    return jr_error_no_memory();
  locale_t callers = uselocale(plain);
  jitrun_error_t *error = read_text(reader, dialect, text, out_value);
  (void)uselocale(callers);
  freelocale(plain);
  return error;
}
