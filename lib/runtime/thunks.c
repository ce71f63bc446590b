/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Running an entry by its thunks, without code: runs of sites, and results of
/// calls that are arguments of later ones or what the entry returns.
#include "base/dtype.h"
#include "runtime/context.h"

#include <string.h>

/// The site that an argument record belongs to.
static uint64_t find_site(const struct jr_table *table, uint64_t arg) {
  uint64_t low = 0;
  uint64_t high = table->site_count;
  while (high - low > 1) {
    uint64_t middle = low + (high - low) / 2;
    if (table->sites[middle].first_arg <= arg)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static jitrun_arg_t *find_arg(const struct jr_context *context, uint64_t arg) {
  const struct jr_table *table = &context->program->table;
  uint64_t site = find_site(table, arg);
  return jitrun_call_args(context->exec.slots[site].frame) +
         (arg - table->sites[site].first_arg);
}

static struct jr_move find_move(const struct jr_context *context,
                                const struct jr_thunk *thunk) {
  const struct jr_table *table = &context->program->table;
  const struct jr_site *site = &table->sites[find_site(table, thunk->from)];
  struct jr_move move = {
      .frame = context->exec.slots[site - table->sites].frame,
      .number = (uint32_t)(thunk->from - site->first_arg - site->arg_count)};
  if (thunk->kind == JR_THUNK_PASS)
    move.to = find_arg(context, thunk->to);
  else
    move.words = context->results + table->params[thunk->to].first_word;
  return move;
}

jitrun_error_t *jr_thunks_prepare(struct jr_context *context) {
  const struct jr_table *table = &context->program->table;
  if (context->program->native)
    return NULL;
  context->moves = jr_arena_zalloc(&context->arena, table->thunk_count,
                                   sizeof *context->moves);
  if (!context->moves)
    return jr_error_no_memory();
  for (uint32_t i = 0; i < table->thunk_count; i++) {
    if (table->thunks[i].kind != JR_THUNK_RUN)
      context->moves[i] = find_move(context, &table->thunks[i]);
  }
  return NULL;
}

static jitrun_arg_t *source_of(const struct jr_move *move) {
  return jitrun_call_results(move->frame) + move->number;
}

/// Sizes and strides go with the address where the type leaves them open: the
/// argument then has a type record of its own.
static void pass_result(const struct jr_move *move) {
  const jitrun_arg_t *from = source_of(move);
  move->to->value = from->value;
  if (!jr_type_is_word(from->type) && move->to->type != from->type &&
      from->type->rank > 0)
    memcpy((void *)(uintptr_t)(move->to->type + 1), from->type + 1,
           2 * sizeof(int64_t) * from->type->rank);
}

static void return_result(const struct jr_move *move) {
  const jitrun_arg_t *from = source_of(move);
  const jitrun_site_t *site = move->frame->site;
  const jitrun_type_t *declared = site->types[site->arg_count + move->number];
  const int64_t *found = jitrun_type_dims(from->type);
  uint64_t *word = move->words;
  *word++ = from->value.u64;
  if (jr_type_is_word(declared))
    return;
  for (uint32_t i = 0; i < 2u * declared->rank; i++) {
    if (jitrun_type_dims(declared)[i] == JITRUN_DYNAMIC)
      *word++ = (uint64_t)found[i];
  }
}

static jitrun_error_t *move_result(struct jr_context *context,
                                   const struct jr_move *move) {
  if (!jr_type_is_word(source_of(move)->type))
    JITRUN_TRY(jr_result_check(&context->exec, move->frame, move->number));
  if (move->to)
    pass_result(move);
  else
    return_result(move);
  return NULL;
}

jitrun_error_t *jr_thunks_run(struct jr_context *context, uint32_t entry) {
  const struct jr_table *table = &context->program->table;
  const struct jr_entry *record = &table->entries[entry];
  const struct jr_thunk *thunks = table->thunks + record->first_thunk;
  const struct jr_move *moves = context->moves + record->first_thunk;
  for (uint32_t i = 0; i < record->thunk_count; i++) {
    if (thunks[i].kind != JR_THUNK_RUN)
      source_of(&moves[i])->value.u64 = 0;
  }
  for (uint32_t i = 0; i < record->thunk_count; i++) {
    if (thunks[i].kind == JR_THUNK_RUN)
      JITRUN_TRY(context->exec.functions->run(&context->exec, thunks[i].first,
                                              thunks[i].count));
    else
      JITRUN_TRY(move_result(context, &moves[i]));
  }
  return NULL;
}
