/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Thunks of scalars: constants and parameters, what is computed with integers,
/// and values that go from one register to another. See thunker.h.
#include "jit/thunker.h"

#include "base/alloc.h"
#include "runtime/thunk_ops.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

static size_t hash_pointer(const void *pointer) {
  uint64_t value = (uint64_t)(uintptr_t)pointer;
  return (size_t)((value >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 20);
}

static size_t find_place(const struct jr_number_place *places, size_t capacity,
                         const void *key) {
  size_t at = hash_pointer(key) & (capacity - 1);
  while (places[at].key && places[at].key != key)
    at = (at + 1) & (capacity - 1);
  return at;
}

static bool grow_map(struct jr_number_map *map) {
  size_t capacity = map->capacity ? 2 * map->capacity : 64;
  struct jr_number_place *places = jr_calloc(capacity, sizeof *places);
  if (!places)
    return false;
  for (size_t i = 0; i < map->capacity; i++) {
    if (map->places[i].key)
      places[find_place(places, capacity, map->places[i].key)] = map->places[i];
  }
  free(map->places);
  map->places = places;
  map->capacity = capacity;
  return true;
}

bool jr_number_set(struct jr_number_map *map, const void *key,
                   uint32_t number) {
  if (2 * map->count >= map->capacity && !grow_map(map))
    return false;
  size_t at = find_place(map->places, map->capacity, key);
  map->count += !map->places[at].key;
  map->places[at] = (struct jr_number_place){key, number};
  return true;
}

uint32_t jr_number_get(const struct jr_number_map *map, const void *key) {
  if (map->capacity == 0)
    return JR_NONE;
  const struct jr_number_place *place =
      &map->places[find_place(map->places, map->capacity, key)];
  return place->key ? place->number : JR_NONE;
}

static MlirType index_type(const struct jr_thunker *thunker) {
  return mlirIndexTypeGet(thunker->unit->context);
}

/// A register of type index.
static uint32_t new_index(struct jr_thunker *thunker) {
  const struct jr_mlir_type *type =
      jr_type_find(thunker->unit, index_type(thunker));
  return type ? jr_thunk_register(thunker, type->written) : JR_NONE;
}

uint32_t jr_thunk_constant(struct jr_thunker *thunker, int64_t value) {
  uint32_t number = new_index(thunker);
  if (number == JR_NONE ||
      !jr_thunk_add_head(thunker, (struct jr_thunk){.kind = JR_THUNK_SET,
                                                    .target = number,
                                                    .bits = (uint64_t)value}))
    return JR_NONE;
  return number;
}

uint32_t jr_thunk_binary(struct jr_thunker *thunker, uint32_t op, uint32_t a,
                         uint32_t b) {
  uint32_t number = new_index(thunker);
  struct jr_thunk thunk = {
      .kind = JR_THUNK_COMPUTE, .target = number, .a = a, .b = b, .c = op};
  if (a == JR_NONE || b == JR_NONE || number == JR_NONE ||
      !jr_thunk_add(thunker, thunk))
    return JR_NONE;
  return number;
}

/// Sets the value's register once, at the start of the function.
static uint32_t use_constant(struct jr_thunker *thunker, MlirValue value,
                             uint64_t bits) {
  uint32_t number = jr_thunk_define(thunker, value);
  if (number == JR_NONE ||
      !jr_thunk_add_head(thunker, (struct jr_thunk){.kind = JR_THUNK_SET,
                                                    .target = number,
                                                    .bits = bits}))
    return JR_NONE;
  return number;
}

static uint32_t use_param(struct jr_thunker *thunker, MlirValue value,
                          uint32_t param) {
  uint32_t number = jr_thunk_define(thunker, value);
  if (number == JR_NONE ||
      !jr_thunk_add_head(thunker, (struct jr_thunk){.kind = JR_THUNK_PARAM,
                                                    .target = number,
                                                    .from = param}))
    return JR_NONE;
  return number;
}

static uint32_t use_cast(struct jr_thunker *thunker, MlirValue value,
                         MlirValue source) {
  uint32_t from = jr_thunk_word(thunker, source);
  uint32_t number = jr_thunk_passing(thunker, value);
  struct jr_thunk thunk = {.kind = JR_THUNK_COMPUTE,
                           .target = number,
                           .a = from,
                           .b = from,
                           .c = JR_OP_EXTEND_U};
  if (from == JR_NONE || number == JR_NONE || !jr_thunk_add(thunker, thunk))
    return JR_NONE;
  return number;
}

uint32_t jr_thunk_word(struct jr_thunker *thunker, MlirValue value) {
  struct jr_unit *unit = thunker->unit;
  const struct jr_mlir_type *type = jr_type_find(unit, mlirValueGetType(value));
  uint32_t number = jr_number_get(&thunker->registers, value.ptr);
  uint64_t bits = 0;
  if (number != JR_NONE || !type || type->kind != JITRUN_KIND_SCALAR)
    return number;
  if (jr_constant_bits(unit, value, (jitrun_dtype_t)type->dtype, &bits))
    return use_constant(thunker, value, bits);
  uint32_t param = jr_param_index(unit, thunker->function, value);
  if (param != JR_NONE)
    return use_param(thunker, value, param);
  MlirValue source = jr_skip_sign_casts(unit, value);
  if (!mlirValueEqual(source, value))
    return use_cast(thunker, value, source);
  uint32_t from = jr_thunk_result(value);
  number = from == JR_NONE ? JR_NONE : jr_thunk_passing(thunker, value);
  if (number == JR_NONE ||
      !jr_thunk_add(thunker, (struct jr_thunk){.kind = JR_THUNK_TAKE,
                                               .target = number,
                                               .from = from}))
    return JR_NONE;
  return number;
}

uint32_t jr_thunk_use(struct jr_thunker *thunker, MlirValue value) {
  return mlirTypeIsAMemRef(mlirValueGetType(value))
             ? jr_thunk_memory(thunker, value)
             : jr_thunk_word(thunker, value);
}

static bool is_among(uint32_t number, const uint32_t *numbers, intptr_t count) {
  for (intptr_t i = 0; i < count; i++) {
    if (numbers[i] == number)
      return true;
  }
  return false;
}

static bool add_move(struct jr_thunker *thunker, uint32_t target, uint32_t a) {
  return jr_thunk_add(
      thunker,
      (struct jr_thunk){.kind = JR_THUNK_MOVE, .target = target, .a = a});
}

/// A copy of a register.
static uint32_t save(struct jr_thunker *thunker, uint32_t number) {
  const struct jr_register *record =
      jr_table_at(&thunker->unit->table, JR_SECTION_REGISTERS, number);
  uint32_t copy = jr_thunk_register(thunker, record->type);
  return copy != JR_NONE && add_move(thunker, copy, number) ? copy : JR_NONE;
}

static bool find_sources(struct jr_thunker *thunker, MlirOperation op,
                         intptr_t first, intptr_t count, uint32_t *sources) {
  for (intptr_t i = 0; i < count; i++) {
    sources[i] = jr_thunk_use(thunker, mlirOperationGetOperand(op, first + i));
    if (sources[i] == JR_NONE)
      return jr_thunk_cannot(thunker, op,
                             "has operands known only at run time");
  }
  return true;
}

bool jr_thunk_move(struct jr_thunker *thunker, MlirOperation op, intptr_t first,
                   const uint32_t *registers, intptr_t count) {
  uint32_t *sources = jr_arena_alloc(&thunker->unit->arena,
                                     ((size_t)count + 1) * sizeof *sources);
  thunker->failed = thunker->failed || !sources;
  if (!sources || !find_sources(thunker, op, first, count, sources))
    return false;
  for (intptr_t i = 1; i < count; i++) {
    if (is_among(sources[i], registers, i))
      sources[i] = save(thunker, sources[i]);
    if (sources[i] == JR_NONE)
      return false;
  }
  for (intptr_t i = 0; i < count; i++) {
    if (sources[i] != registers[i] &&
        !add_move(thunker, registers[i], sources[i]))
      return false;
  }
  return true;
}

/// What is computed from two integers, or one.
static const struct {
  const char *name;
  uint32_t op;
} computed[] = {
    {"arith.addi", JR_OP_ADD},
    {"arith.subi", JR_OP_SUB},
    {"arith.muli", JR_OP_MUL},
    {"arith.divsi", JR_OP_DIV_S},
    {"arith.divui", JR_OP_DIV_U},
    {"arith.remsi", JR_OP_REM_S},
    {"arith.remui", JR_OP_REM_U},
    {"arith.ceildivsi", JR_OP_CEIL_DIV_S},
    {"arith.ceildivui", JR_OP_CEIL_DIV_U},
    {"arith.floordivsi", JR_OP_FLOOR_DIV_S},
    {"arith.andi", JR_OP_AND},
    {"arith.ori", JR_OP_OR},
    {"arith.xori", JR_OP_XOR},
    {"arith.shli", JR_OP_SHL},
    {"arith.shrsi", JR_OP_SHR_S},
    {"arith.shrui", JR_OP_SHR_U},
    {"arith.minsi", JR_OP_MIN_S},
    {"arith.minui", JR_OP_MIN_U},
    {"arith.maxsi", JR_OP_MAX_S},
    {"arith.maxui", JR_OP_MAX_U},
    {"arith.extsi", JR_OP_EXTEND_S},
    {"arith.extui", JR_OP_EXTEND_U},
    {"arith.trunci", JR_OP_EXTEND_U},
    {"arith.index_cast", JR_OP_EXTEND_S},
    {"arith.index_castui", JR_OP_EXTEND_U},
    {"index.add", JR_OP_ADD},
    {"index.sub", JR_OP_SUB},
    {"index.mul", JR_OP_MUL},
    {"index.divs", JR_OP_DIV_S},
    {"index.divu", JR_OP_DIV_U},
    {"index.rems", JR_OP_REM_S},
    {"index.remu", JR_OP_REM_U},
    {"index.ceildivs", JR_OP_CEIL_DIV_S},
    {"index.ceildivu", JR_OP_CEIL_DIV_U},
    {"index.floordivs", JR_OP_FLOOR_DIV_S},
    {"index.and", JR_OP_AND},
    {"index.or", JR_OP_OR},
    {"index.xor", JR_OP_XOR},
    {"index.shl", JR_OP_SHL},
    {"index.shrs", JR_OP_SHR_S},
    {"index.shru", JR_OP_SHR_U},
    {"index.mins", JR_OP_MIN_S},
    {"index.minu", JR_OP_MIN_U},
    {"index.maxs", JR_OP_MAX_S},
    {"index.maxu", JR_OP_MAX_U},
    {"index.casts", JR_OP_EXTEND_S},
    {"index.castu", JR_OP_EXTEND_U},
};

/// The operation that an MLIR operation is; 0 for others.
static uint32_t find_op(MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (mlirStringRefEqual(name, jr_ref("arith.cmpi")))
    return JR_OP_EQ + (uint32_t)mlirIntegerAttrGetValueInt(
                          mlirOperationGetInherentAttributeByName(
                              op, jr_ref("predicate")));
  for (size_t i = 0; i < sizeof computed / sizeof computed[0]; i++) {
    if (mlirStringRefEqual(name, jr_ref(computed[i].name)))
      return computed[i].op;
  }
  return 0;
}

static bool is_integer(struct jr_unit *unit, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return (mlirTypeIsAInteger(type) || mlirTypeIsAIndex(type)) &&
         jr_type_find(unit, type);
}

static bool add_computed(struct jr_thunker *thunker, MlirOperation op,
                         uint32_t code) {
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirValue first = mlirOperationGetOperand(op, 0);
  intptr_t last = mlirOperationGetNumOperands(op) - 1;
  if (!is_integer(thunker->unit, result) || !is_integer(thunker->unit, first))
    return jr_thunk_cannot(thunker, op, "needs native code");
  uint32_t a = jr_thunk_word(thunker, first);
  uint32_t b = jr_thunk_word(thunker, mlirOperationGetOperand(op, last));
  if (a == JR_NONE || b == JR_NONE)
    return jr_thunk_cannot(thunker, op, "has operands known only at run time");
  uint32_t target = jr_thunk_define(thunker, result);
  struct jr_thunk thunk = {
      .kind = JR_THUNK_COMPUTE, .target = target, .a = a, .b = b, .c = code};
  return target != JR_NONE && jr_thunk_add(thunker, thunk);
}

static bool add_select(struct jr_thunker *thunker, MlirOperation op) {
  MlirValue flag = mlirOperationGetOperand(op, 0);
  struct jr_thunk thunk = {.kind = JR_THUNK_SELECT};
  thunk.a =
      is_integer(thunker->unit, flag) ? jr_thunk_word(thunker, flag) : JR_NONE;
  thunk.b = jr_thunk_use(thunker, mlirOperationGetOperand(op, 1));
  thunk.c = jr_thunk_use(thunker, mlirOperationGetOperand(op, 2));
  if (thunk.a == JR_NONE || thunk.b == JR_NONE || thunk.c == JR_NONE)
    return jr_thunk_cannot(thunker, op, "has operands known only at run time");
  thunk.target = jr_thunk_define(thunker, mlirOperationGetResult(op, 0));
  return thunk.target != JR_NONE && jr_thunk_add(thunker, thunk);
}

bool jr_thunk_scalar(struct jr_thunker *thunker, MlirOperation op,
                     bool *out_known) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  uint32_t code = find_op(op);
  *out_known = true;
  if (code != 0)
    return add_computed(thunker, op, code);
  if (mlirStringRefEqual(name, jr_ref("arith.select")))
    return add_select(thunker, op);
  *out_known = false;
  return false;
}
