/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See guard.h: attributes of elements in bytecode. MLIR takes the type of
/// their elements for a number's, and the sizes of their type for known,
/// without looking. Encodings are those of mlir/IR/BuiltinDialectBytecode.td.
#include "jit/guard.h"
#include "jit/guard_reader.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/// How attributes and types of the builtin dialect begin.
enum attr_code {
  DENSE_RESOURCE = 16,
  DENSE_ARRAY = 17,
  DENSE_NUMBERS = 18,
  DENSE_STRINGS = 19,
  SPARSE = 20
};

enum type_code {
  INTEGER = 0,
  INDEX = 1,
  BFLOAT16 = 3,
  FLOAT128 = 8,
  COMPLEX = 9,
  TENSOR = 13,
  ENCODED_TENSOR = 14,
  VECTOR = 19
};

static const int64_t MAX_ELEMENTS = INT64_C(1) << 56;

/// An attribute or type.
struct item {
  struct jr_guard_reader content;
  bool is_builtin;
  bool is_coded; ///< else it is text
};

/// Goes through groups of items, each of one dialect.
struct walk {
  struct jr_guard_reader offsets, contents;
  const bool *builtin; ///< of each dialect
  uint64_t dialect_count;
  uint64_t group_left; ///< items
  bool is_builtin;     ///< the group
};

struct types {
  struct item *items;
  uint64_t count;
};

static bool next_item(struct walk *walk, struct item *out_item) {
  uint64_t dialect;
  uint64_t size;
  while (walk->group_left == 0) {
    if (!jr_guard_number(&walk->offsets, &dialect) ||
        !jr_guard_count(&walk->offsets, &walk->group_left))
      return false;
    walk->is_builtin = dialect < walk->dialect_count && walk->builtin[dialect];
  }
  walk->group_left--;
  if (!jr_guard_number(&walk->offsets, &size) ||
      size >> 1 > (uint64_t)(walk->contents.end - walk->contents.at))
    return false;
  *out_item = (struct item){
      .content = {walk->contents.at, walk->contents.at + (size >> 1)},
      .is_builtin = walk->is_builtin,
      .is_coded = size & 1};
  walk->contents.at += size >> 1;
  return true;
}

/// The code of a builtin type, and what is behind it.
static bool open_type(const struct types *types, uint64_t index,
                      uint64_t *out_code, struct jr_guard_reader *out_rest) {
  if (index >= types->count)
    return false;
  const struct item *item = &types->items[index];
  *out_rest = item->content;
  return item->is_builtin && item->is_coded &&
         jr_guard_number(out_rest, out_code);
}

/// True for types of numbers that have no code, but stand there as text: f8
/// and the like.
static bool is_float_text(const struct types *types, uint64_t index) {
  if (index >= types->count)
    return false;
  const struct item *item = &types->items[index];
  const unsigned char *at = item->content.at;
  size_t size = (size_t)(item->content.end - at);
  if (!item->is_builtin || item->is_coded || size < 2)
    return false;
  return (at[0] == 'f' && at[1] >= '0' && at[1] <= '9') ||
         (size >= 4 && memcmp(at, "tf32", 4) == 0);
}

/// True for types that have a width.
static bool is_number(const struct types *types, uint64_t index) {
  uint64_t code;
  struct jr_guard_reader rest;
  if (is_float_text(types, index))
    return true;
  return open_type(types, index, &code, &rest) &&
         (code == INTEGER || (code >= BFLOAT16 && code <= FLOAT128));
}

static bool is_element(const struct types *types, uint64_t index) {
  uint64_t code;
  uint64_t part;
  struct jr_guard_reader rest;
  if (!open_type(types, index, &code, &rest))
    return is_number(types, index);
  if (code == COMPLEX)
    return jr_guard_number(&rest, &part) && is_number(types, part);
  return code == INDEX || is_number(types, index);
}

/// Sizes that are known, of no more elements than can be counted.
static bool skip_sizes(struct jr_guard_reader *reader) {
  uint64_t rank;
  int64_t elements = 1;
  if (!jr_guard_count(reader, &rank))
    return false;
  for (uint64_t i = 0; i < rank; i++) {
    uint64_t size;
    /* The last bit is the sign, and dynamic ones are negative. */
    if (!jr_guard_number(reader, &size) || size & 1 ||
        __builtin_mul_overflow(elements, (int64_t)(size >> 1), &elements) ||
        elements > MAX_ELEMENTS)
      return false;
  }
  return true;
}

/// A tensor or vector of known sizes and of numbers.
static bool is_dense_type(const struct types *types, uint64_t index) {
  uint64_t code;
  uint64_t element;
  struct jr_guard_reader rest;
  if (!open_type(types, index, &code, &rest) ||
      (code != TENSOR && code != ENCODED_TENSOR && code != VECTOR))
    return false;
  if (code == ENCODED_TENSOR && !jr_guard_number(&rest, &element))
    return false;
  return skip_sizes(&rest) && jr_guard_number(&rest, &element) &&
         is_element(types, element);
}

/// Attributes and types without a code are text, which is looked at as programs
/// that are text are.
static bool is_good_text(const struct item *item) {
  const char *text = (const char *)item->content.at;
  jitrun_error_t *error = jr_guard_text(
      text, (size_t)(item->content.end - item->content.at), "text");
  jitrun_error_free(error);
  return !error;
}

static const char *check_attr(const struct types *types, struct item attr) {
  uint64_t code;
  uint64_t type;
  if (!attr.is_coded && !is_good_text(&attr))
    return "an attribute or type is text that MLIR cannot take";
  if (!attr.is_builtin || !attr.is_coded ||
      !jr_guard_number(&attr.content, &code))
    return NULL;
  if (code == DENSE_STRINGS || code == SPARSE)
    return "it has elements that are strings, or sparse";
  if (code != DENSE_ARRAY && code != DENSE_NUMBERS && code != DENSE_RESOURCE)
    return NULL;
  bool is_taken = jr_guard_number(&attr.content, &type) &&
                  (code == DENSE_ARRAY ? is_number(types, type)
                                       : is_dense_type(types, type));
  return is_taken ? NULL : "it has elements of a type that has none";
}

/// Reads `count` items; those are kept that `out_items` has room for.
static bool read_items(struct walk *walk, uint64_t count,
                       struct item *out_items) {
  struct item ignored;
  for (uint64_t i = 0; i < count; i++) {
    if (!next_item(walk, out_items ? &out_items[i] : &ignored))
      return false;
  }
  return walk->group_left == 0;
}

static const char *check_attrs(struct walk walk, uint64_t count,
                               const struct types *types) {
  struct item attr;
  const char *wrong = NULL;
  for (uint64_t i = 0; i < types->count; i++) {
    if (!types->items[i].is_coded && !is_good_text(&types->items[i]))
      return "an attribute or type is text that MLIR cannot take";
  }
  for (uint64_t i = 0; !wrong && i < count && next_item(&walk, &attr); i++)
    wrong = check_attr(types, attr);
  return wrong;
}

/// A yes or no for each of several things.
struct flags {
  bool *set;
  uint64_t count;
};

static bool make_flags(struct flags *flags) {
  flags->set = jr_calloc(flags->count + 1, sizeof *flags->set);
  return flags->set;
}

/// Which strings are "builtin", as far as they can be read. False when memory
/// is short.
static bool find_builtin(struct jr_guard_reader strings,
                         struct flags *out_flags) {
  static const char builtin[] = "builtin";
  uint64_t size;
  if (!jr_guard_count(&strings, &out_flags->count))
    out_flags->count = 0;
  if (!make_flags(out_flags))
    return false;
  /* The last string's size comes first. The strings are taken from the end, so
   * that sizes are read only from what is in front of them. */
  for (uint64_t i = out_flags->count; i > 0; i--) {
    if (!jr_guard_number(&strings, &size) ||
        size > (uint64_t)(strings.end - strings.at))
      break;
    strings.end -= size;
    out_flags->set[i - 1] =
        size == sizeof builtin && memcmp(strings.end, builtin, size) == 0;
  }
  return true;
}

/// Which dialects have names among those flagged.
static void read_dialects(const struct jr_guard_file *file,
                          struct jr_guard_reader reader,
                          const struct flags *builtin_names,
                          struct flags *dialects) {
  struct jr_guard_reader ignored;
  bool has_version = file->version >= JR_GUARD_DIALECT_VERSIONS;
  uint64_t name;
  unsigned id;
  for (uint64_t i = 0; i < dialects->count; i++) {
    if (!jr_guard_number(&reader, &name))
      return;
    uint64_t index = has_version ? name >> 1 : name;
    dialects->set[i] =
        index < builtin_names->count && builtin_names->set[index];
    if (has_version && (name & 1) &&
        jr_guard_section(file->start, &reader, &id, &ignored))
      return;
  }
}

/// Which dialects are the builtin one; without a list, there are none. False
/// when memory is short.
static bool find_dialects(const struct jr_guard_file *file,
                          struct flags *out_dialects) {
  struct jr_guard_reader reader = file->sections[JR_GUARD_DIALECTS];
  struct flags names = {0};
  if (!jr_guard_count(&reader, &out_dialects->count))
    out_dialects->count = 0;
  bool has_memory = make_flags(out_dialects) &&
                    find_builtin(file->sections[JR_GUARD_STRINGS], &names);
  if (has_memory)
    read_dialects(file, reader, &names, out_dialects);
  free(names.set);
  return has_memory;
}

const char *jr_guard_attributes(const struct jr_guard_file *file) {
  uint64_t attr_count;
  struct types types = {0};
  struct walk walk = {.offsets = file->sections[JR_GUARD_OFFSETS],
                      .contents = file->sections[JR_GUARD_ATTRS]};
  if (!jr_guard_number(&walk.offsets, &attr_count) ||
      !jr_guard_count(&walk.offsets, &types.count))
    return NULL;
  struct flags dialects = {0};
  bool has_memory = find_dialects(file, &dialects);
  walk.builtin = dialects.set;
  walk.dialect_count = dialects.count;
  types.items = jr_calloc(types.count + 1, sizeof *types.items);
  struct walk attrs = walk;
  const char *wrong = NULL;
  if (!types.items || !has_memory)
    wrong = "there is no memory to look at it";
  else if (!read_items(&walk, attr_count, NULL) ||
           !read_items(&walk, types.count, types.items))
    wrong = "an attribute or type is cut off";
  else
    wrong = check_attrs(attrs, attr_count, &types);
  free(types.items);
  free(dialects.set);
  return wrong;
}
