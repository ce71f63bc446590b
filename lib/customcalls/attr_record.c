/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Checks that a record of an attribute type can be registered. As with custom
/// calls, each error names the field of the record and says what it may be; the
/// memory behind the pointers is taken on trust.
#include "customcalls/attr_types.h"

#include "base/numbers.h"

#include <stdbool.h>
#include <string.h>

/// Far above any real type; catches fields that were never set.
#define MAX_COUNT 4096u

static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ_";
static const char word_bytes[] = "abcdefghijklmnopqrstuvwxyz"
                                 "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789$";

/// True when `text` up to `end` is a word that begins with a letter.
static bool is_word(const char *text, const char *end) {
  return text < end && strchr(letters, *text) &&
         strspn(text, word_bytes) >= (size_t)(end - text);
}

/// "dialect.name", where the name may have more dots.
static bool is_type_name(const char *name) {
  const char *part = name;
  size_t parts = 1;
  for (const char *dot = strchr(part, '.'); dot; dot = strchr(part, '.')) {
    if (!is_word(part, dot))
      return false;
    part = dot + 1;
    parts++;
  }
  return parts > 1 && is_word(part, part + strlen(part));
}

static jitrun_error_t *refuse_case(const jitrun_attr_type_t *type,
                                   uint32_t index, const char *reason) {
  return jr_error(JITRUN_INVALID_ARGUMENT,
                  "attribute type '%s' is not usable: case %u %s", type->name,
                  index, reason);
}

static jitrun_error_t *refuse_field(const jitrun_attr_type_t *type,
                                    uint32_t index, const char *reason) {
  return jr_error(JITRUN_INVALID_ARGUMENT,
                  "attribute type '%s' is not usable: field %u %s", type->name,
                  index, reason);
}

static bool is_integer(uint8_t dtype) {
  return dtype >= JITRUN_DTYPE_S8 && dtype <= JITRUN_DTYPE_U64;
}

static jitrun_error_t *check_case(const jitrun_attr_type_t *type,
                                  uint32_t index) {
  const jitrun_attr_case_t *one = &type->cases[index];
  struct jr_number number = {.kind = JR_NUMBER_SIGNED, .s64 = one->value};
  uint64_t room;
  if (!one->text || one->text[0] == '\0')
    return refuse_case(type, index, "has no text");
  if (!jr_element_write((jitrun_dtype_t)type->dtype, number, &room))
    return refuse_case(type, index, "has a value that dtype does not hold");
  for (uint32_t i = 0; i < index; i++) {
    if (strcmp(type->cases[i].text, one->text) == 0)
      return refuse_case(type, index, "has the text of an earlier one");
  }
  return NULL;
}

static jitrun_error_t *check_cases(const jitrun_attr_type_t *type) {
  if (!is_integer(type->dtype))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "attribute type '%s' is not usable: its numbers are of "
                    "dtype %u; set it to an integer of 8 to 64 bits",
                    type->name, type->dtype);
  for (uint32_t i = 0; i < type->case_count; i++)
    JITRUN_TRY(check_case(type, i));
  return NULL;
}

static const char *name_field(const jitrun_attr_field_t *field) {
  return field->name ? field->name : field->text;
}

static jitrun_error_t *check_dtype(const jitrun_attr_type_t *type,
                                   uint32_t index) {
  const jitrun_attr_field_t *field = &type->fields[index];
  if (field->kind != JITRUN_FIELD_SCALAR && field->kind != JITRUN_FIELD_ARRAY)
    return NULL;
  enum jr_number_kind kind = jr_dtype_number_kind((jitrun_dtype_t)field->dtype);
  if (kind == JR_NUMBER_NONE || kind == JR_NUMBER_COMPLEX)
    return refuse_field(type, index,
                        "has a dtype that is none, or complex: set it to an "
                        "integer, a float or JITRUN_DTYPE_PRED");
  return NULL;
}

static jitrun_error_t *check_field_names(const jitrun_attr_type_t *type,
                                         uint32_t index) {
  const jitrun_attr_field_t *field = &type->fields[index];
  if (!field->text ||
      (field->text[0] && !is_word(field->text, strchr(field->text, '\0'))))
    return refuse_field(type, index,
                        "has a text that is no name: use letters, digits, '_' "
                        "and '$', or \"\" for a value without a name");
  if (name_field(field)[0] == '\0')
    return refuse_field(type, index, "has no name for handlers");
  for (uint32_t i = 0; i < index; i++) {
    const jitrun_attr_field_t *other = &type->fields[i];
    if (field->text[0] && strcmp(other->text, field->text) == 0)
      return refuse_field(type, index, "has the text of an earlier one");
    if (strcmp(name_field(other), name_field(field)) == 0)
      return refuse_field(type, index, "has the name of an earlier one");
  }
  return NULL;
}

static jitrun_error_t *check_field(const jitrun_attr_type_t *type,
                                   uint32_t index) {
  const jitrun_attr_field_t *field = &type->fields[index];
  JITRUN_TRY(check_field_names(type, index));
  if (field->kind < JITRUN_FIELD_SCALAR || field->kind > JITRUN_FIELD_TYPE)
    return refuse_field(type, index,
                        "has a kind that is none of "
                        "jitrun_field_kind_t");
  if ((field->flags & ~JITRUN_FIELD_OPTIONAL) != 0)
    return refuse_field(type, index,
                        "has flags other than JITRUN_FIELD_OPTIONAL");
  if (field->kind == JITRUN_FIELD_TYPE && !field->type_name)
    return refuse_field(type, index, "has no type_name");
  return check_dtype(type, index);
}

jitrun_error_t *jr_attr_type_check(const jitrun_attr_type_t *type) {
  if (!type)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the record of the attribute type is NULL");
  if (type->size != sizeof(*type))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the size of the attribute type's record is %zu: set it to "
                    "sizeof(jitrun_attr_type_t), %zu",
                    type->size, sizeof(*type));
  if (!type->name || !is_type_name(type->name))
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "an attribute type cannot be named '%s': its name is "
                    "\"dialect.name\", of letters, digits, '_' and '$'",
                    type->name ? type->name : "");
  bool is_enum = type->cases && type->case_count > 0;
  bool is_struct = type->fields && type->field_count > 0;
  if (is_enum == is_struct || type->case_count > MAX_COUNT ||
      type->field_count > MAX_COUNT)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "attribute type '%s' is not usable: set either cases and "
                    "case_count or fields and field_count, to at most %u",
                    type->name, MAX_COUNT);
  if (is_enum)
    return check_cases(type);
  for (uint32_t i = 0; i < type->field_count; i++)
    JITRUN_TRY(check_field(type, i));
  return NULL;
}
