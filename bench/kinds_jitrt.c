/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// JitRt's direct ABI: `bool f(void *context, void **args, void **attrs, void
/// **rets)`. What generated code does before a call, storing values and
/// addresses on the stack, and what a handler does first, comparing counts,
/// type ids and names of attributes, is part of what a call costs.
#include "kinds.h"

#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define NOINLINE static __attribute__((noinline))

enum { MANY = JR_KINDS_MANY };

typedef bool (*direct_t)(void *context, void **args, void **attrs, void **rets);

/// An encoded memref of rank 1.
struct memref {
  uint8_t dtype, rank;
  void *data;
  int64_t dims[1], strides[1];
};

/// An encoded string or array.
struct span {
  int64_t count;
  void *data;
};

/// A type is known by the address of its id.
static int64_t id_i32, id_opaque, id_memref, id_string, id_array, id_dict;

static void *volatile context; ///< of an execution; nobody reads it
static volatile int32_t param_i32;
static void *volatile param_pointer;

static int64_t zero;
static void *no_values[] = {&zero};
static int64_t counts[] = {1, MANY};

ALWAYS_INLINE bool encode(void **list, void **types, void *value, size_t size,
                          int count) {
  list[0] = &counts[count == MANY];
  list[1] = types;
  for (int i = 0; i < count; i++)
    list[2 + i] = (char *)value + size * (size_t)i;
  return true;
}

ALWAYS_INLINE bool check(void **list, const int64_t *id, int count) {
  if (*(const int64_t *)list[0] != count)
    return false;
  void **types = list[1];
  for (int i = 0; i < count; i++) {
    if (types[i] != id)
      return false;
  }
  return true;
}

/// X(id) twelve times: a table of types.
#define TYPES(id)                                                              \
  {&(id), &(id), &(id), &(id), &(id), &(id),                                   \
   &(id), &(id), &(id), &(id), &(id), &(id)}

ALWAYS_INLINE bool read_i32(void **args, int count) {
  if (!check(args, &id_i32, count))
    return false;
  for (int i = 0; i < count; i++)
    jr_keep(*(const uint32_t *)args[2 + i]);
  return true;
}

ALWAYS_INLINE bool call_i32(direct_t function, int count) {
  static void *types[] = TYPES(id_i32);
  int32_t values[MANY];
  void *args[2 + MANY];
  for (int i = 0; i < count; i++)
    values[i] = param_i32;
  encode(args, types, values, sizeof values[0], count);
  return function(context, args, no_values, no_values);
}

ALWAYS_INLINE bool read_opaque(void **args, int count) {
  if (!check(args, &id_opaque, count))
    return false;
  for (int i = 0; i < count; i++)
    jr_keep(*(const uint64_t *)args[2 + i]);
  return true;
}

ALWAYS_INLINE bool call_opaque(direct_t function, int count) {
  static void *types[] = TYPES(id_opaque);
  void *values[MANY];
  void *args[2 + MANY];
  for (int i = 0; i < count; i++)
    values[i] = param_pointer;
  encode(args, types, values, sizeof values[0], count);
  return function(context, args, no_values, no_values);
}

ALWAYS_INLINE bool read_memref(void **args, int count) {
  if (!check(args, &id_memref, count))
    return false;
  for (int i = 0; i < count; i++) {
    const struct memref *memref = args[2 + i];
    jr_keep((uint64_t)(uintptr_t)memref->data);
    jr_keep((uint64_t)memref->dims[0]);
    jr_keep((uint64_t)memref->strides[0]);
  }
  return true;
}

ALWAYS_INLINE bool call_memref(direct_t function, int count) {
  static void *types[] = TYPES(id_memref);
  struct memref values[MANY];
  void *args[2 + MANY];
  for (int i = 0; i < count; i++)
    values[i] = (struct memref){.dtype = JITRUN_DTYPE_F32,
                                .rank = 1,
                                .data = param_pointer,
                                .dims = {64},
                                .strides = {1}};
  encode(args, types, values, sizeof values[0], count);
  return function(context, args, no_values, no_values);
}

ALWAYS_INLINE bool read_ret(void **rets, int count) {
  if (!check(rets, &id_i32, count))
    return false;
  for (int i = 0; i < count; i++)
    *(int32_t *)rets[2 + i] = i;
  return true;
}

ALWAYS_INLINE bool call_ret(direct_t function, int count) {
  static void *types[] = TYPES(id_i32);
  int32_t values[MANY];
  void *rets[2 + MANY];
  encode(rets, types, values, sizeof values[0], count);
  if (!function(context, no_values, no_values, rets))
    return false;
  for (int i = 0; i < count; i++)
    jr_keep((uint64_t)values[i]);
  return true;
}

/// Names of attributes, in order.
static const char *const names[MANY] = {"a", "b", "c", "d", "e", "f",
                                        "g", "h", "i", "j", "k", "l"};

/// True when the attributes are what the handler was bound with.
ALWAYS_INLINE bool check_attrs(void **attrs, const int64_t *id, int count) {
  if (*(const int64_t *)attrs[0] != count)
    return false;
  for (int i = 0; i < count; i++) {
    const struct span *name = attrs[1 + 3 * i];
    if (name->count != 1 || memcmp(name->data, names[i], 1) != 0 ||
        attrs[2 + 3 * i] != id)
      return false;
  }
  return true;
}

ALWAYS_INLINE bool read_attr(void **attrs, int count) {
  if (!check_attrs(attrs, &id_i32, count))
    return false;
  for (int i = 0; i < count; i++)
    jr_keep(*(const uint32_t *)attrs[3 + 3 * i]);
  return true;
}

ALWAYS_INLINE bool read_spans(void **attrs, const int64_t *id, int count) {
  if (!check_attrs(attrs, id, count))
    return false;
  for (int i = 0; i < count; i++) {
    const struct span *span = attrs[3 + 3 * i];
    jr_keep((uint64_t)(uintptr_t)span->data);
    jr_keep((uint64_t)span->count);
  }
  return true;
}

ALWAYS_INLINE bool read_string(void **attrs, int count) {
  return read_spans(attrs, &id_string, count);
}

/// Arrays, and tensors, which begin alike.
ALWAYS_INLINE bool read_array(void **attrs, int count) {
  return read_spans(attrs, &id_array, count);
}

ALWAYS_INLINE bool read_dict(void **attrs, int count) {
  if (!check_attrs(attrs, &id_dict, count))
    return false;
  for (int i = 0; i < count; i++) {
    if (!read_attr(attrs[3 + 3 * i], 3))
      return false;
  }
  return true;
}

/// Encoded attributes, constants in JitRt's programs: made by the first call.
struct attrs {
  void *list[1 + 3 * MANY];
  struct span names[MANY];
  int64_t count;
};

static void fill_attrs(struct attrs *attrs, int64_t *id, void *value,
                       int count) {
  attrs->count = count;
  attrs->list[0] = &attrs->count;
  for (int i = 0; i < count; i++) {
    attrs->names[i] = (struct span){1, (void *)(uintptr_t)names[i]};
    attrs->list[1 + 3 * i] = &attrs->names[i];
    attrs->list[2 + 3 * i] = id;
    attrs->list[3 + 3 * i] = value;
  }
}

static void *attr_value(const int64_t *id) {
  static int32_t number = 7;
  static int64_t elements[] = {1, 2, 3, 4};
  static struct span span = {4, elements};
  static struct attrs inner;
  if (id != &id_dict)
    return id == &id_i32 ? (void *)&number : &span;
  fill_attrs(&inner, &id_i32, &number, 3);
  return inner.list;
}

ALWAYS_INLINE bool call_attrs(direct_t function, int64_t *id, int count,
                              struct attrs *attrs) {
  if (__builtin_expect(attrs->count == 0, 0))
    fill_attrs(attrs, id, attr_value(id), count);
  return function(context, no_values, attrs->list, no_values);
}

/// A handler, called by an address that the compiler does not know, and the
/// code around it.
#define DEFINE(kind, times, reader, operand, caller)                           \
  NOINLINE bool direct_##kind##_x##times(void *exec, void **args,              \
                                         void **attrs, void **rets) {          \
    (void)exec, (void)args, (void)attrs, (void)rets;                           \
    return reader(operand, times);                                             \
  }                                                                            \
  static direct_t volatile function_##kind##_x##times =                        \
      direct_##kind##_x##times;                                                \
  static bool call_##kind##_x##times(void) {                                   \
    return caller(function_##kind##_x##times, times);                          \
  }

#define DEFINE_ATTR(kind, times, reader, id)                                   \
  NOINLINE bool direct_##kind##_x##times(void *exec, void **args,              \
                                         void **attrs, void **rets) {          \
    (void)exec, (void)args, (void)rets;                                        \
    return reader(attrs, times);                                               \
  }                                                                            \
  static direct_t volatile function_##kind##_x##times =                        \
      direct_##kind##_x##times;                                                \
  static bool call_##kind##_x##times(void) {                                   \
    static struct attrs attrs;                                                 \
    return call_attrs(function_##kind##_x##times, &(id), times, &attrs);       \
  }

#define BOTH(define, kind, ...)                                                \
  define(kind, 1, __VA_ARGS__) define(kind, 12, __VA_ARGS__)
BOTH(DEFINE, i32, read_i32, args, call_i32)
BOTH(DEFINE, opaque, read_opaque, args, call_opaque)
BOTH(DEFINE, memref, read_memref, args, call_memref)
BOTH(DEFINE, ret, read_ret, rets, call_ret)
BOTH(DEFINE_ATTR, attr, read_attr, id_i32)
BOTH(DEFINE_ATTR, string, read_string, id_string)
BOTH(DEFINE_ATTR, array, read_array, id_array)
BOTH(DEFINE_ATTR, dict, read_dict, id_dict)

jr_jitrt_call_t jr_jitrt_find(const char *name) {
  static const struct {
    const char *name;
    jr_jitrt_call_t call;
  } rows[] = {
#define ROW(name, kind)                                                        \
  {name "_x1", call_##kind##_x1}, {name "_x12", call_##kind##_x12},
      ROW("i32", i32) ROW("opaque", opaque) ROW("memref", memref)
          ROW("strided", memref) ROW("dynamic", memref) ROW("ret", ret)
              ROW("attr", attr) ROW("string", string) ROW("array", array)
                  ROW("tensor", array) ROW("dict", dict)};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if (strcmp(rows[i].name, name) == 0)
      return rows[i].call;
  }
  return NULL;
}
