/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Thunks that move values between registers, frames and memory. What an image
/// says was checked when it was opened; only what depends on values is tested
/// here: that memory was set, that slices stay inside, that constants stay.
#include "base/dtype.h"
#include "runtime/thunk_ops.h"
#include "runtime/thunks.h"

#include <string.h>

static const jitrun_type_t *type_of(const struct jr_context *context,
                                    uint32_t number) {
  const struct jr_table *table = &context->program->table;
  return jr_table_type(table, table->registers[number].type);
}

static uint64_t size_of(const struct jr_context *context, uint32_t number) {
  uint64_t bytes = 0;
  (void)jr_type_size_bytes(type_of(context, number), &bytes);
  return bytes;
}

static void *memory_of(const struct jr_context *context, uint32_t number) {
  return (void *)(uintptr_t)context->registers[number];
}

/// Memory that nothing has set: only a damaged image has it.
static jitrun_error_t *check_memory(const struct jr_context *context,
                                    uint32_t number) {
  if (context->registers[number] != 0 ||
      type_of(context, number)->kind != JITRUN_KIND_BUFFER ||
      size_of(context, number) == 0)
    return NULL;
  return jr_error(JITRUN_DATA_LOSS,
                  "damaged image: thunks use memory in register %u before it "
                  "is set",
                  number);
}

static bool is_inside(const void *address, const void *start, uint64_t size) {
  return (uintptr_t)address - (uintptr_t)start < size;
}

/// Memory that may be written to.
static jitrun_error_t *check_target(const struct jr_context *context,
                                    uint32_t number) {
  const jitrun_program_t *program = context->program;
  const void *address = memory_of(context, number);
  JITRUN_TRY(check_memory(context, number));
  if (!is_inside(address, program->table.data, program->table.data_size) &&
      !is_inside(address, program->constants.map.data,
                 program->constants.map.size))
    return NULL;
  return jr_error(JITRUN_FAILED_PRECONDITION,
                  "the program writes to a constant of its own");
}

static jitrun_error_t *set_value(struct jr_context *context,
                                 const struct jr_thunk *thunk) {
  context->registers[thunk->target] = thunk->bits;
  return NULL;
}

static jitrun_error_t *take_param(struct jr_context *context,
                                  const struct jr_thunk *thunk) {
  context->registers[thunk->target] =
      *jr_move_of(context, thunk)->words &
      jr_word_mask(context->widths[thunk->target]);
  return NULL;
}

static jitrun_error_t *take_result(struct jr_context *context,
                                   const struct jr_thunk *thunk) {
  const struct jr_move *move = jr_move_of(context, thunk);
  JITRUN_TRY(jr_move_check(context, move));
  context->registers[thunk->target] =
      jr_move_source(move)->value.u64 &
      jr_word_mask(context->widths[thunk->target]);
  return NULL;
}

static jitrun_error_t *give_value(struct jr_context *context,
                                  const struct jr_thunk *thunk) {
  JITRUN_TRY(check_memory(context, thunk->target));
  jr_move_of(context, thunk)->to->value.u64 = context->registers[thunk->target];
  return NULL;
}

static jitrun_error_t *answer_value(struct jr_context *context,
                                    const struct jr_thunk *thunk) {
  JITRUN_TRY(check_memory(context, thunk->target));
  *jr_move_of(context, thunk)->words = context->registers[thunk->target];
  return NULL;
}

static jitrun_error_t *find_address(struct jr_context *context,
                                    const struct jr_thunk *thunk) {
  context->registers[thunk->target] =
      (uintptr_t)context->exec.bases[thunk->a] + thunk->count;
  return NULL;
}

static jitrun_error_t *move_value(struct jr_context *context,
                                  const struct jr_thunk *thunk) {
  context->registers[thunk->target] = context->registers[thunk->a];
  return NULL;
}

static jitrun_error_t *find_slice(struct jr_context *context,
                                  const struct jr_thunk *thunk) {
  uint64_t at = context->registers[thunk->b];
  uint64_t whole = size_of(context, thunk->a);
  uint64_t part = size_of(context, thunk->target);
  JITRUN_TRY(check_memory(context, thunk->a));
  if (part > 0 && (at > whole || part > whole - at))
    return jr_error(JITRUN_OUT_OF_RANGE,
                    "the program uses %llu bytes at byte %lld of memory of "
                    "%llu",
                    (unsigned long long)part, (long long)at,
                    (unsigned long long)whole);
  context->registers[thunk->target] = context->registers[thunk->a] + at;
  return NULL;
}

static size_t element_bytes(const struct jr_context *context, uint32_t number) {
  return jr_dtype_size((jitrun_dtype_t)type_of(context, number)->dtype);
}

static jitrun_error_t *load_element(struct jr_context *context,
                                    const struct jr_thunk *thunk) {
  uint64_t word = 0;
  JITRUN_TRY(check_memory(context, thunk->a));
  memcpy(&word, memory_of(context, thunk->a), element_bytes(context, thunk->a));
  context->registers[thunk->target] =
      word & jr_word_mask(context->widths[thunk->target]);
  return NULL;
}

static jitrun_error_t *store_element(struct jr_context *context,
                                     const struct jr_thunk *thunk) {
  JITRUN_TRY(check_target(context, thunk->a));
  memcpy(memory_of(context, thunk->a), &context->registers[thunk->target],
         element_bytes(context, thunk->a));
  return NULL;
}

static jitrun_error_t *compute(struct jr_context *context,
                               const struct jr_thunk *thunk) {
  const uint64_t operands[] = {context->registers[thunk->a],
                               context->registers[thunk->b]};
  uint64_t value = 0;
  if (!jr_thunk_compute(thunk->c, context->widths[thunk->a], operands, &value))
    return jr_error(JITRUN_INVALID_ARGUMENT, "the program divides by 0");
  context->registers[thunk->target] =
      value & jr_word_mask(context->widths[thunk->target]);
  return NULL;
}

static jitrun_error_t *select_value(struct jr_context *context,
                                    const struct jr_thunk *thunk) {
  const uint64_t *registers = context->registers;
  context->registers[thunk->target] =
      registers[registers[thunk->a] ? thunk->b : thunk->c];
  return NULL;
}

/// Elements to copy. Part of libjitrun.a may be all that a program has, so this
/// is no custom call's.
struct copy {
  const int64_t *dims, *to_strides, *from_strides; ///< strides: NULL: all 0
  uint32_t rank;
  size_t bytes; ///< of an element
};

/// Copies what lies in dimensions from `axis` on.
static void copy_elements(const struct copy *copy, uint32_t axis, char *to,
                          const char *from) {
  if (axis == copy->rank) {
    memcpy(to, from, copy->bytes);
    return;
  }
  int64_t bytes = (int64_t)copy->bytes;
  int64_t to_step = copy->to_strides[axis] * bytes;
  int64_t from_step = copy->from_strides ? copy->from_strides[axis] * bytes : 0;
  for (int64_t i = 0; i < copy->dims[axis]; i++)
    copy_elements(copy, axis + 1, to + i * to_step, from + i * from_step);
}

static jitrun_error_t *copy_memory(struct jr_context *context,
                                   const struct jr_thunk *thunk) {
  const jitrun_type_t *to = type_of(context, thunk->target);
  const jitrun_type_t *from = type_of(context, thunk->a);
  const struct copy copy = {.dims = jitrun_type_dims(to),
                            .to_strides = jitrun_type_dims(to) + to->rank,
                            .from_strides = jitrun_type_dims(from) + from->rank,
                            .rank = to->rank,
                            .bytes = element_bytes(context, thunk->a)};
  void *data = memory_of(context, thunk->target);
  uint64_t size = size_of(context, thunk->a);
  JITRUN_TRY(check_target(context, thunk->target));
  JITRUN_TRY(check_memory(context, thunk->a));
  if (size > 0 && jr_type_is_dense(to) && jr_type_is_dense(from))
    memmove(data, memory_of(context, thunk->a), size);
  else if (size > 0)
    copy_elements(&copy, 0, data, memory_of(context, thunk->a));
  return NULL;
}

static jitrun_error_t *fill_memory(struct jr_context *context,
                                   const struct jr_thunk *thunk) {
  const jitrun_type_t *type = type_of(context, thunk->target);
  const struct copy fill = {.dims = jitrun_type_dims(type),
                            .to_strides = jitrun_type_dims(type) + type->rank,
                            .rank = type->rank,
                            .bytes = element_bytes(context, thunk->target)};
  JITRUN_TRY(check_target(context, thunk->target));
  if (size_of(context, thunk->target) > 0)
    copy_elements(&fill, 0, memory_of(context, thunk->target),
                  (const char *)&context->registers[thunk->a]);
  return NULL;
}

const jr_step_t jr_value_steps[JR_THUNK_ASSERT + 1] = {
    [JR_THUNK_SET] = set_value,       [JR_THUNK_PARAM] = take_param,
    [JR_THUNK_TAKE] = take_result,    [JR_THUNK_GIVE] = give_value,
    [JR_THUNK_ANSWER] = answer_value, [JR_THUNK_ADDRESS] = find_address,
    [JR_THUNK_MOVE] = move_value,     [JR_THUNK_SLICE] = find_slice,
    [JR_THUNK_LOAD] = load_element,   [JR_THUNK_STORE] = store_element,
    [JR_THUNK_COMPUTE] = compute,     [JR_THUNK_SELECT] = select_value,
    [JR_THUNK_COPY] = copy_memory,    [JR_THUNK_FILL] = fill_memory,

};
