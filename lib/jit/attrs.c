/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Every attribute becomes one record; values that do not fit in it go to the
/// data section. Dictionaries are encoded breadth-first, so that the items of
/// each stand together behind the record that owns them. What is only text, of
/// dialects that are not there, is read by the registered attribute types.
#include "jit/attrs.h"

#include "base/dtype.h"
#include "jit/attrs_numbers.h"
#include "jit/attrs_opaque.h"
#include "jit/dense.h"
#include "jit/memo.h"
#include "jit/plan.h"
#include "jit/types.h"
#include "runtime/table_check.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Complex.h"

#include <stdlib.h>
#include <string.h>

/// An attribute under its name, before it is encoded: one of MLIR, or a field
/// of a text that was read.
struct named {
  MlirStringRef name;
  MlirAttribute value;
  const struct jr_attr_value *read; ///< NULL: `value` counts
  uint32_t depth;                   ///< of dictionaries around it
};

/// What is kept from call to call: the room of the queue, and records of
/// attributes, which MLIR keeps one of, without their names.
struct jr_attr_cache {
  struct named *queue;
  size_t capacity;
  struct {
    const void *key; ///< NULL: an empty place
    struct jr_attr attr;
  } places[JR_MEMO_PLACES];
};

/// What encoding one call's attributes carries along.
struct encoder {
  struct jr_unit *unit;
  MlirOperation call;
  struct named *queue; ///< dictionaries' items, in the order of their records
  size_t count;
};

static jitrun_error_t *refuse(struct encoder *encoder, MlirStringRef name,
                              const char *what) {
  return jr_error_op(encoder->unit, encoder->call, JITRUN_UNIMPLEMENTED,
                     "attribute '%.*s' of a custom call cannot be encoded: %s; "
                     "use integers of up to 64 bits, floats, strings, arrays "
                     "of one element type, dense tensors, exported functions "
                     "or dictionaries of these",
                     (int)name.length, name.data, what);
}

/// The beginning of a text that MLIR prints.
struct excerpt {
  char text[160];
  size_t size;
};

static void append_excerpt(MlirStringRef text, void *context) {
  struct excerpt *excerpt = context;
  size_t room = sizeof excerpt->text - 1 - excerpt->size;
  size_t size = text.length < room ? text.length : room;
  memcpy(excerpt->text + excerpt->size, text.data, size);
  excerpt->size += size;
}

/// Refuses an attribute for its value, which the message shows.
static jitrun_error_t *refuse_value(struct encoder *encoder,
                                    const struct named *named,
                                    jitrun_code_t code, const char *what) {
  struct excerpt excerpt = {.size = 0};
  mlirAttributePrint(named->value, append_excerpt, &excerpt);
  bool is_cut = excerpt.size == sizeof excerpt.text - 1;
  return jr_error_op(encoder->unit, encoder->call, code,
                     "attribute '%.*s' of a custom call cannot be encoded: %s: "
                     "%s%s",
                     (int)named->name.length, named->name.data, what,
                     excerpt.text, is_cut ? "..." : "");
}

static int compare_names(const void *a, const void *b) {
  const struct named *x = a;
  const struct named *y = b;
  size_t shorter =
      x->name.length < y->name.length ? x->name.length : y->name.length;
  int order = memcmp(x->name.data, y->name.data, shorter);
  if (order)
    return order;
  return (x->name.length > y->name.length) - (x->name.length < y->name.length);
}

static bool grow_queue(struct encoder *encoder) {
  struct jr_attr_cache *cache = encoder->unit->attrs;
  size_t capacity = cache->capacity ? 2 * cache->capacity : 16;
  struct named *queue =
      jr_arena_alloc(&encoder->unit->arena, capacity * sizeof *queue);
  if (!queue)
    return false;
  if (encoder->count > 0)
    memcpy(queue, cache->queue, encoder->count * sizeof *queue);
  cache->queue = encoder->queue = queue;
  cache->capacity = capacity;
  return true;
}

static bool push_named(struct encoder *encoder, struct named named) {
  if (encoder->count == encoder->unit->attrs->capacity && !grow_queue(encoder))
    return false;
  encoder->queue[encoder->count++] = named;
  return true;
}

/// Most attributes are in order already.
static void sort_named(struct named *items, size_t count) {
  for (size_t i = 1; i < count; i++) {
    if (compare_names(&items[i - 1], &items[i]) > 0) {
      qsort(items, count, sizeof *items, compare_names);
      return;
    }
  }
}

static jitrun_error_t *encode_tensor(struct encoder *encoder,
                                     const struct named *named,
                                     struct jr_attr *attr) {
  MlirType type = mlirAttributeGetType(named->value);
  int64_t rank = mlirShapedTypeGetRank(type);
  if (rank > JR_MAX_RANK)
    return refuse(encoder, named->name, "its rank is over 64");
  int64_t dims[JR_MAX_RANK];
  for (int64_t i = 0; i < rank; i++)
    dims[i] = mlirShapedTypeGetDimSize(type, i);
  attr->kind = JITRUN_ATTR_TENSOR;
  attr->rank = (uint16_t)rank;
  attr->dims = jr_table_add_data(&encoder->unit->table, dims,
                                 sizeof dims[0] * (size_t)rank, 8);
  uint64_t offset;
  uint64_t count;
  jitrun_dtype_t dtype;
  const char *cause = jr_dense_add(&encoder->unit->table, named->value, 8,
                                   &dtype, &count, &offset);
  if (cause)
    return refuse(encoder, named->name, cause);
  attr->dtype = (uint8_t)dtype;
  attr->count = count;
  attr->value = offset;
  return NULL;
}

static jitrun_error_t *encode_string(struct encoder *encoder, const char *text,
                                     size_t size, struct jr_attr *attr) {
  attr->kind = JITRUN_ATTR_STRING;
  attr->count = size;
  attr->value = jr_table_add_data(&encoder->unit->table, NULL, size + 1, 8);
  char *data = jr_table_data_at(&encoder->unit->table, attr->value);
  if (!data)
    return jr_error_no_memory();
  if (size)
    memcpy(data, text, size);
  return NULL;
}

/// Reserves the records of a dictionary's items, which are queued next.
static jitrun_error_t *reserve_items(struct encoder *encoder,
                                     const struct named *named, uint64_t count,
                                     struct jr_attr *attr) {
  struct jr_table_writer *table = &encoder->unit->table;
  attr->kind = JITRUN_ATTR_DICT;
  attr->count = count;
  attr->value = jr_table_count(table, JR_SECTION_ATTRS);
  if (count > 0 && named->depth + 1 == JR_TABLE_MAX_DEPTH)
    return refuse(encoder, named->name, "dictionaries are nested too deep");
  if (count > 0 && !jr_table_add(table, JR_SECTION_ATTRS, (uint32_t)count))
    return jr_error_no_memory();
  return NULL;
}

static jitrun_error_t *encode_dictionary(struct encoder *encoder,
                                         const struct named *named,
                                         struct jr_attr *attr) {
  MlirAttribute dictionary = named->value;
  intptr_t count = mlirDictionaryAttrGetNumElements(dictionary);
  size_t first = encoder->count;
  JITRUN_TRY(reserve_items(encoder, named, (uint64_t)count, attr));
  for (intptr_t i = 0; i < count; i++) {
    MlirNamedAttribute item = mlirDictionaryAttrGetElement(dictionary, i);
    if (!push_named(encoder,
                    (struct named){mlirIdentifierStr(item.name), item.attribute,
                                   NULL, named->depth + 1}))
      return jr_error_no_memory();
  }
  sort_named(encoder->queue + first, (size_t)count);
  return NULL;
}

/// The number that a function has or will have among the entries, which are
/// written in the order of their planning; JR_NONE when it is none.
static uint32_t find_entry(const struct jr_unit *unit, MlirOperation function) {
  uint32_t number = 0;
  for (size_t i = 0; i < unit->reached_count; i++) {
    const struct jr_function *reached = &unit->functions[unit->reached[i]];
    if (reached->entry == JR_NONE)
      continue;
    if (mlirOperationEqual(reached->op, function))
      return number;
    number++;
  }
  return JR_NONE;
}

static jitrun_error_t *encode_function(struct encoder *encoder,
                                       const struct named *named,
                                       struct jr_attr *attr) {
  if (!mlirAttributeIsAFlatSymbolRef(named->value))
    return refuse_value(encoder, named, JITRUN_UNIMPLEMENTED,
                        "it is a nested symbol");
  MlirOperation function = mlirSymbolTableLookup(
      encoder->unit->symbols, mlirFlatSymbolRefAttrGetValue(named->value));
  uint32_t entry = mlirOperationIsNull(function)
                       ? JR_NONE
                       : find_entry(encoder->unit, function);
  if (entry == JR_NONE)
    return refuse_value(encoder, named, JITRUN_INVALID_ARGUMENT,
                        mlirOperationIsNull(function)
                            ? "no such function is in the program"
                            : "the function is not exported");
  attr->kind = JITRUN_ATTR_FUNCTION;
  attr->value = entry;
  return NULL;
}

/// What is wrong with an attribute that no kind fits.
static const char *find_cause(MlirAttribute value) {
  if (mlirAttributeIsAInteger(value))
    return "it is an integer of more than 64 bits";
  if (mlirAttributeIsAFloat(value))
    return "it is a float of a type that is not supported";
  if (mlirAttributeIsADenseResourceElements(value))
    return "it is a resource; write its elements as dense<...>";
  if (mlirAttributeIsASparseElements(value))
    return "it is sparse; write its elements as dense<...>";
  if (mlirAttributeIsAType(value))
    return "it is a type";
  if (mlirAttributeIsAAffineMap(value))
    return "it is an affine map";
  return "its kind is not supported";
}

/// Attributes made of several values.
static jitrun_error_t *encode_aggregate(struct encoder *encoder,
                                        const struct named *named,
                                        struct jr_attr *attr) {
  MlirAttribute value = named->value;
  if (mlirAttributeIsAString(value)) {
    MlirStringRef text = mlirStringAttrGetValue(value);
    return encode_string(encoder, text.data, text.length, attr);
  }
  if (mlirAttributeIsADenseElements(value))
    return encode_tensor(encoder, named, attr);
  if (mlirAttributeIsADictionary(value))
    return encode_dictionary(encoder, named, attr);
  if (mlirAttributeIsAComplex(value))
    return refuse_value(encoder, named, JITRUN_UNIMPLEMENTED,
                        "complex numbers are only possible in dense tensors");
  const char *cause = mlirAttributeIsAArray(value) || jr_is_dense_array(value)
                          ? jr_array_add(&encoder->unit->table, value, attr)
                          : find_cause(value);
  return cause ? refuse(encoder, named->name, cause) : NULL;
}

static jitrun_error_t *encode_items(struct encoder *encoder,
                                    const struct named *named,
                                    const struct jr_attr_value *value,
                                    struct jr_attr *attr) {
  JITRUN_TRY(reserve_items(encoder, named, value->count, attr));
  for (uint64_t i = 0; i < value->count; i++) {
    const struct jr_attr_value *item = &value->items[i];
    if (!push_named(encoder, (struct named){.name = jr_ref(item->name),
                                            .read = item,
                                            .depth = named->depth + 1}))
      return jr_error_no_memory();
  }
  return NULL;
}

/// What a text was read as.
static jitrun_error_t *encode_read(struct encoder *encoder,
                                   const struct named *named,
                                   const struct jr_attr_value *value,
                                   struct jr_attr *attr) {
  struct jr_table_writer *table = &encoder->unit->table;
  attr->kind = value->kind;
  if (value->type_name)
    attr->type =
        jr_table_add_string(table, value->type_name, strlen(value->type_name));
  if (value->kind == JITRUN_ATTR_DICT)
    return encode_items(encoder, named, value, attr);
  if (value->kind == JITRUN_ATTR_STRING)
    return encode_string(encoder, value->data, value->count, attr);
  attr->dtype = value->dtype;
  attr->count = value->count;
  attr->value = value->bits;
  if (value->kind == JITRUN_ATTR_ARRAY)
    attr->value = jr_table_add_data(
        table, value->data,
        value->count * jr_dtype_size((jitrun_dtype_t)value->dtype), 8);
  return NULL;
}

static jitrun_error_t *encode_opaque(struct encoder *encoder,
                                     const struct named *named,
                                     struct jr_attr *attr) {
  struct jr_unit *unit = encoder->unit;
  MlirStringRef dialect = mlirOpaqueAttrGetDialectNamespace(named->value);
  MlirStringRef text = mlirOpaqueAttrGetData(named->value);
  const struct jr_attr_reader reader = {.types = unit->options->attr_types,
                                        .type_count =
                                            unit->options->attr_type_count,
                                        .arena = &unit->arena};
  struct jr_attr_value value;
  jitrun_error_t *cause =
      jr_opaque_read(&reader, (struct jr_span){dialect.data, dialect.length},
                     (struct jr_span){text.data, text.length}, &value);
  if (!cause)
    return encode_read(encoder, named, &value, attr);
  jitrun_error_t *error = refuse_value(encoder, named, jitrun_error_code(cause),
                                       jitrun_error_message(cause));
  jitrun_error_free(cause);
  return error;
}

static jitrun_error_t *encode_value(struct encoder *encoder,
                                    const struct named *named,
                                    struct jr_attr *attr) {
  jitrun_dtype_t dtype;
  if (named->read)
    return encode_read(encoder, named, named->read, attr);
  if (mlirAttributeIsAOpaque(named->value))
    return encode_opaque(encoder, named, attr);
  if (jr_scalar_bits(named->value, &dtype, &attr->value)) {
    attr->kind = JITRUN_ATTR_SCALAR;
    attr->dtype = (uint8_t)dtype;
    return NULL;
  }
  if (mlirAttributeIsAUnit(named->value)) {
    attr->kind = JITRUN_ATTR_UNIT;
    return NULL;
  }
  if (mlirAttributeIsASymbolRef(named->value))
    return encode_function(encoder, named, attr);
  return encode_aggregate(encoder, named, attr);
}

/// The name for handlers.
static MlirStringRef public_name(MlirStringRef name) {
  size_t size = sizeof JR_ATTR_CARRIED - 1;
  if (jr_ref_begins(name, JR_ATTR_CARRIED))
    return mlirStringRefCreate(name.data + size, name.length - size);
  return name;
}

static bool is_reserved(MlirStringRef name) {
  static const char *const prefixes[] = {"rt.", "jitrun.", "llvm."};
  for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
    if (jr_ref_begins(name, prefixes[i]))
      return true;
  }
  return false;
}

bool jr_attrs_any(MlirOperation op) {
  intptr_t count = mlirOperationGetNumDiscardableAttributes(op);
  for (intptr_t i = 0; i < count; i++) {
    MlirNamedAttribute item = mlirOperationGetDiscardableAttribute(op, i);
    if (!is_reserved(public_name(mlirIdentifierStr(item.name))))
      return true;
  }
  return false;
}

/// Adds what `op` carries, unless a name is there already.
static bool collect(struct encoder *encoder, MlirOperation op) {
  size_t known = encoder->count;
  intptr_t count = mlirOperationGetNumDiscardableAttributes(op);
  for (intptr_t i = 0; i < count; i++) {
    MlirNamedAttribute item = mlirOperationGetDiscardableAttribute(op, i);
    MlirStringRef name = public_name(mlirIdentifierStr(item.name));
    bool wanted = !is_reserved(name);
    for (size_t k = 0; wanted && k < known; k++)
      wanted = !mlirStringRefEqual(encoder->queue[k].name, name);
    struct named named = {.name = name, .value = item.attribute};
    if (wanted && !push_named(encoder, named))
      return false;
  }
  return true;
}

/// Names stand in C strings, and are compared as far as the table allows.
static jitrun_error_t *check_name(const struct encoder *encoder,
                                  MlirStringRef name) {
  if (name.length < JR_TABLE_MAX_NAME && !memchr(name.data, '\0', name.length))
    return NULL;
  return jr_error_op(encoder->unit, encoder->call, JITRUN_UNIMPLEMENTED,
                     "attribute '%.*s' of a custom call cannot be encoded: its "
                     "name holds a NUL or has more than %d bytes; give it "
                     "another",
                     (int)(name.length < 60 ? name.length : 60), name.data,
                     JR_TABLE_MAX_NAME - 1);
}

/// Encodes a value, or finds the record of one that was before: not of a
/// dictionary, whose items are its own.
static jitrun_error_t *find_value(struct encoder *encoder,
                                  const struct named *named,
                                  struct jr_attr *attr) {
  struct jr_attr_cache *cache = encoder->unit->attrs;
  const void *key = named->value.ptr;
  size_t place = jr_memo_place(key);
  if (named->read)
    return encode_value(encoder, named, attr);
  if (cache->places[place].key == key) {
    *attr = cache->places[place].attr;
    return NULL;
  }
  JITRUN_TRY(encode_value(encoder, named, attr));
  if (attr->kind == JITRUN_ATTR_DICT)
    return NULL;
  cache->places[place].key = key;
  cache->places[place].attr = *attr;
  return NULL;
}

/// Encodes the queue; each record was reserved before its value is known.
static jitrun_error_t *encode_queue(struct encoder *encoder, uint32_t first) {
  struct jr_table_writer *table = &encoder->unit->table;
  for (size_t i = 0; i < encoder->count; i++) {
    struct named named = encoder->queue[i];
    struct jr_attr attr = {0};
    JITRUN_TRY(check_name(encoder, named.name));
    JITRUN_TRY(find_value(encoder, &named, &attr));
    attr.name = named.read ? jr_table_add_string(table, named.name.data,
                                                 named.name.length)
                           : jr_name_add(encoder->unit, named.name);
    struct jr_attr *record =
        jr_table_at(table, JR_SECTION_ATTRS, first + (uint32_t)i);
    if (!record)
      return jr_error_no_memory();
    *record = attr;
  }
  return NULL;
}

jitrun_error_t *jr_attrs_encode(struct jr_unit *unit, MlirOperation call,
                                const struct jr_callee *callee, uint32_t site) {
  if (!unit->attrs)
    unit->attrs = jr_arena_zalloc(&unit->arena, 1, sizeof *unit->attrs);
  if (!unit->attrs)
    return jr_error_no_memory();
  struct encoder encoder = {
      .unit = unit, .call = call, .queue = unit->attrs->queue};
  uint32_t first = jr_table_count(&unit->table, JR_SECTION_ATTRS);
  if (!collect(&encoder, call) ||
      (callee->has_attrs && !collect(&encoder, callee->op)))
    return jr_error_no_memory();
  if (encoder.count == 0)
    return NULL;
  sort_named(encoder.queue, encoder.count);
  if (!jr_table_add(&unit->table, JR_SECTION_ATTRS, (uint32_t)encoder.count))
    return jr_error_no_memory();
  struct jr_site *record = jr_table_at(&unit->table, JR_SECTION_SITES, site);
  record->first_attr = first;
  record->attr_count = (uint32_t)encoder.count;
  return encode_queue(&encoder, first);
}
