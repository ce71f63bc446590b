/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The interpreter of thunks: one function a kind. thunks.c has calls and
/// control, thunk_values.c what stays within registers and memory.
#ifndef JR_RUNTIME_THUNKS_H
#define JR_RUNTIME_THUNKS_H

#include "runtime/context.h"

typedef jitrun_error_t *(*jr_step_t)(struct jr_context *context,
                                     const struct jr_thunk *thunk);

/// The rest of the kinds, NULL where thunks.c has one.
extern const jr_step_t jr_value_steps[JR_THUNK_ASSERT + 1];

static inline const struct jr_move *jr_move_of(const struct jr_context *context,
                                               const struct jr_thunk *thunk) {
  return &context->moves[thunk - context->program->table.thunks];
}

/// The bits of a word of this many that count.
static inline uint64_t jr_word_mask(uint32_t bits) {
  return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static inline jitrun_arg_t *jr_move_source(const struct jr_move *move) {
  return jitrun_call_results(move->frame) + move->number;
}

/// Tells of a result that has no memory.
static inline jitrun_error_t *jr_move_check(struct jr_context *context,
                                            const struct jr_move *move) {
  return jr_move_source(move)->type->kind == JITRUN_KIND_BUFFER
             ? jr_result_check(&context->exec, move->frame, move->number)
             : NULL;
}

#endif
