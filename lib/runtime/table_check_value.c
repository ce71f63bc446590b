/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Checking images: thunks that use registers. A register only ever holds what
/// its type says: that is what makes loads and stores safe. See table_check.c.
#include "runtime/table_check_thunk.h"

#include "base/dtype.h"
#include "runtime/thunk_ops.h"

#include <string.h>

/// Fields of a thunk that are registers.
enum uses { TARGET = 1, A = 2, B = 4, C = 8 };

static const uint8_t uses[JR_THUNK_ASSERT + 1] = {
    [JR_THUNK_SET] = TARGET,
    [JR_THUNK_PARAM] = TARGET,
    [JR_THUNK_TAKE] = TARGET,
    [JR_THUNK_GIVE] = TARGET,
    [JR_THUNK_ANSWER] = TARGET,
    [JR_THUNK_ADDRESS] = TARGET,
    [JR_THUNK_MOVE] = TARGET | A,
    [JR_THUNK_SLICE] = TARGET | A | B,
    [JR_THUNK_LOAD] = TARGET | A,
    [JR_THUNK_STORE] = TARGET | A,
    [JR_THUNK_COMPUTE] = TARGET | A | B,
    [JR_THUNK_SELECT] = TARGET | A | B | C,
    [JR_THUNK_FOR] = TARGET | A | B | C,
    [JR_THUNK_FOR_UNSIGNED] = TARGET | A | B | C,
    [JR_THUNK_WHILE] = TARGET,
    [JR_THUNK_CASE] = TARGET,
    [JR_THUNK_COPY] = TARGET | A,
    [JR_THUNK_FILL] = TARGET | A,
    [JR_THUNK_ASSERT] = TARGET,
};

static bool has_registers(const struct jr_table *table,
                          const struct jr_thunk *thunk) {
  uint8_t used = uses[thunk->kind];
  uint32_t count = table->register_count;
  return (!(used & TARGET) || thunk->target < count) &&
         (!(used & A) || thunk->a < count) &&
         (!(used & B) || thunk->b < count) && (!(used & C) || thunk->c < count);
}

static const jitrun_type_t *type_of(const struct jr_table *table,
                                    uint32_t number) {
  return jr_table_type(table, table->registers[number].type);
}

static bool is_same(const struct jr_table *table, uint32_t a, uint32_t b) {
  return table->registers[a].type == table->registers[b].type;
}

static bool is_scalar(const struct jr_table *table, uint32_t number) {
  return type_of(table, number)->kind == JITRUN_KIND_SCALAR;
}

static bool is_memory(const struct jr_table *table, uint32_t number) {
  return type_of(table, number)->kind == JITRUN_KIND_BUFFER;
}

static bool is_flag(const struct jr_table *table, uint32_t number) {
  return is_scalar(table, number) &&
         type_of(table, number)->dtype == JITRUN_DTYPE_PRED;
}

static bool is_integer(const struct jr_table *table, uint32_t number) {
  switch (type_of(table, number)->dtype) {
  case JITRUN_DTYPE_PRED:
  case JITRUN_DTYPE_S8:
  case JITRUN_DTYPE_U8:
  case JITRUN_DTYPE_S16:
  case JITRUN_DTYPE_U16:
  case JITRUN_DTYPE_S32:
  case JITRUN_DTYPE_U32:
  case JITRUN_DTYPE_S64:
  case JITRUN_DTYPE_U64:
    return is_scalar(table, number);
  default:
    return false;
  }
}

static uint32_t bits_of(const struct jr_table *table, uint32_t number) {
  return jr_type_word_bits(type_of(table, number));
}

static uint64_t size_of(const struct jr_table *table, uint32_t number) {
  uint64_t bytes = 0;
  (void)jr_type_size_bytes(type_of(table, number), &bytes);
  return bytes;
}

/// A scalar and the elements of memory are alike.
static bool is_element(const struct jr_table *table, uint32_t scalar,
                       uint32_t memory) {
  return is_scalar(table, scalar) && is_memory(table, memory) &&
         type_of(table, scalar)->dtype == type_of(table, memory)->dtype;
}

static bool is_set(const struct jr_table *table, const struct jr_thunk *thunk) {
  uint32_t bits = bits_of(table, thunk->target);
  return is_scalar(table, thunk->target) &&
         (bits == 64 || thunk->bits >> bits == 0);
}

static bool is_param(const struct jr_thunk_check *check,
                     const struct jr_thunk *thunk) {
  const struct jr_table *table = check->table;
  if (check->entry == JR_NONE)
    return false;
  const struct jr_entry *entry = &table->entries[check->entry];
  return thunk->from >= entry->first_param &&
         thunk->from - entry->first_param < entry->param_count &&
         is_scalar(table, thunk->target) &&
         table->params[thunk->from].type ==
             table->registers[thunk->target].type;
}

static bool is_result(const struct jr_thunk_check *check,
                      const struct jr_thunk *thunk) {
  const struct jr_table *table = check->table;
  return thunk->from < table->arg_count &&
         table->args[thunk->from].kind == JR_ARG_RESULT &&
         jr_thunk_knows(check, thunk->from) &&
         table->args[thunk->from].type == table->registers[thunk->target].type;
}

static bool gives(struct jr_thunk_check *check, const struct jr_thunk *thunk) {
  const struct jr_table *table = check->table;
  if (thunk->to >= table->arg_count || !jr_is_passed(&table->args[thunk->to]) ||
      table->args[thunk->to].type != table->registers[thunk->target].type)
    return false;
  jr_thunk_learn(check, thunk->to);
  return true;
}

bool jr_is_answer(const struct jr_thunk_check *check, uint64_t param,
                  jr_type_ref_t type) {
  const struct jr_table *table = check->table;
  if (check->entry == JR_NONE)
    return false;
  const struct jr_entry *entry = &table->entries[check->entry];
  uint64_t first = (uint64_t)entry->first_param + entry->param_count;
  return param >= first && param - first < entry->result_count &&
         table->params[param].alloc == JR_NONE &&
         table->params[param].type == type;
}

static bool answers(struct jr_thunk_check *check,
                    const struct jr_thunk *thunk) {
  const struct jr_table *table = check->table;
  if (!jr_is_answer(check, thunk->to, table->registers[thunk->target].type))
    return false;
  jr_thunk_learn(check, table->arg_count + thunk->to);
  return true;
}

/// Memory of an allocation that the owner may use.
static bool is_address(const struct jr_thunk_check *check,
                       const struct jr_thunk *thunk) {
  const struct jr_table *table = check->table;
  if (thunk->a >= table->alloc_count || thunk->b != 0 ||
      !is_memory(table, thunk->target))
    return false;
  const struct jr_alloc *alloc = &table->allocs[thunk->a];
  uint64_t bytes = size_of(table, thunk->target);
  if (alloc->param != JR_NONE &&
      jr_table_param_entry(table, alloc->param) != check->entry)
    return false;
  return thunk->count <= alloc->size_bytes &&
         bytes <= alloc->size_bytes - thunk->count;
}

static bool is_slice(const struct jr_table *table,
                     const struct jr_thunk *thunk) {
  return is_memory(table, thunk->target) && is_memory(table, thunk->a) &&
         is_integer(table, thunk->b) && bits_of(table, thunk->b) == 64;
}

/// `target` is the scalar, `a` the memory of a load or store.
static bool is_access(const struct jr_table *table,
                      const struct jr_thunk *thunk) {
  return is_element(table, thunk->target, thunk->a) &&
         size_of(table, thunk->a) > 0;
}

static bool is_computed(const struct jr_table *table,
                        const struct jr_thunk *thunk) {
  if (thunk->c < JR_OP_ADD || thunk->c > JR_OP_EXTEND_U ||
      !is_integer(table, thunk->a) || !is_same(table, thunk->a, thunk->b) ||
      !is_integer(table, thunk->target))
    return false;
  if (thunk->c >= JR_OP_EXTEND_S)
    return true;
  if (thunk->c >= JR_OP_EQ && thunk->c <= JR_OP_GE_U)
    return is_flag(table, thunk->target);
  return is_same(table, thunk->target, thunk->a);
}

static bool is_select(const struct jr_table *table,
                      const struct jr_thunk *thunk) {
  return is_flag(table, thunk->a) && is_same(table, thunk->target, thunk->b) &&
         is_same(table, thunk->b, thunk->c);
}

static bool is_copy(const struct jr_table *table,
                    const struct jr_thunk *thunk) {
  const jitrun_type_t *to = type_of(table, thunk->target);
  const jitrun_type_t *from = type_of(table, thunk->a);
  return is_memory(table, thunk->target) && is_memory(table, thunk->a) &&
         to->dtype == from->dtype && to->rank == from->rank &&
         memcmp(to + 1, from + 1, sizeof(int64_t) * to->rank) == 0;
}

static bool is_assert(const struct jr_table *table,
                      const struct jr_thunk *thunk) {
  return is_flag(table, thunk->target) && thunk->a < table->assert_count;
}

/// The rest of a thunk whose registers exist.
static bool is_value(struct jr_thunk_check *check,
                     const struct jr_thunk *thunk) {
  const struct jr_table *table = check->table;
  switch (thunk->kind) {
  case JR_THUNK_SET:
    return is_set(table, thunk);
  case JR_THUNK_PARAM:
    return is_param(check, thunk);
  case JR_THUNK_TAKE:
    return is_result(check, thunk);
  case JR_THUNK_GIVE:
    return gives(check, thunk);
  case JR_THUNK_ANSWER:
    return answers(check, thunk);
  case JR_THUNK_ADDRESS:
    return is_address(check, thunk);
  case JR_THUNK_MOVE:
    return is_same(table, thunk->target, thunk->a);
  case JR_THUNK_SLICE:
    return is_slice(table, thunk);
  case JR_THUNK_LOAD:
  case JR_THUNK_STORE:
    return is_access(table, thunk);
  case JR_THUNK_COMPUTE:
    return is_computed(table, thunk);
  case JR_THUNK_SELECT:
    return is_select(table, thunk);
  case JR_THUNK_COPY:
    return is_copy(table, thunk);
  case JR_THUNK_FILL:
    return is_element(table, thunk->a, thunk->target);
  default: // ASSERT
    return is_assert(table, thunk);
  }
}

jitrun_error_t *jr_check_value(struct jr_thunk_check *check, uint32_t index) {
  const struct jr_thunk *thunk = &check->table->thunks[index];
  if (!has_registers(check->table, thunk))
    return jr_thunk_refuse(check, index, "uses a register that is not there");
  return is_value(check, thunk)
             ? NULL
             : jr_thunk_refuse(check, index,
                               "uses what is not there, or is of a type that "
                               "it cannot use");
}

/// What controls a nest.
static bool is_control(const struct jr_table *table,
                       const struct jr_thunk *thunk) {
  switch (thunk->kind) {
  case JR_THUNK_FOR:
  case JR_THUNK_FOR_UNSIGNED:
    return is_integer(table, thunk->target) &&
           is_same(table, thunk->target, thunk->a) &&
           is_same(table, thunk->a, thunk->b) &&
           is_same(table, thunk->b, thunk->c);
  case JR_THUNK_WHILE:
    return is_flag(table, thunk->target) && thunk->c <= thunk->d;
  default: // CASE
    return is_integer(table, thunk->target) && thunk->c > 0;
  }
}

jitrun_error_t *jr_check_nest(const struct jr_thunk_check *check,
                              uint32_t index) {
  const struct jr_thunk *thunk = &check->table->thunks[index];
  if (has_registers(check->table, thunk) && is_control(check->table, thunk))
    return NULL;
  return jr_thunk_refuse(check, index,
                         "is controlled by a register that is not there, or of "
                         "a type that cannot");
}

static bool is_register(const jitrun_type_t *type) {
  uint64_t bytes = 0;
  if (type->kind == JITRUN_KIND_SCALAR)
    return jr_dtype_size((jitrun_dtype_t)type->dtype) <= sizeof(uint64_t) &&
           type->dtype != JITRUN_DTYPE_S4 && type->dtype != JITRUN_DTYPE_U4;
  return type->kind == JITRUN_KIND_BUFFER && jr_type_is_static(type) &&
         jr_type_size_bytes(type, &bytes);
}

jitrun_error_t *jr_check_registers(const struct jr_table *table) {
  for (uint32_t i = 0; i < table->register_count; i++) {
    JITRUN_TRY(jr_check_type(table, table->registers[i].type, "register", i));
    if (!is_register(jr_table_type(table, table->registers[i].type)))
      return jr_error(JITRUN_DATA_LOSS,
                      "damaged image: register %u has a type that does not fit "
                      "into one",
                      i);
  }
  return NULL;
}
