/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Running an entry by its thunks, without code: runs of sites, results of
/// calls that are arguments of later ones or what the entry returns, and
/// control flow around them. A nest runs its body by calling the interpreter
/// again; how deep that goes was checked when the image was opened.
#include "runtime/thunks.h"

#include "base/dtype.h"
#include "runtime/table_query.h"
#include "runtime/thunk_ops.h"

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

static struct jr_move find_source(const struct jr_context *context,
                                  uint64_t from) {
  const struct jr_table *table = &context->program->table;
  const struct jr_site *site = &table->sites[find_site(table, from)];
  return (struct jr_move){
      .frame = context->exec.slots[site - table->sites].frame,
      .number = (uint32_t)(from - site->first_arg - site->arg_count)};
}

static uint32_t count_answering(const struct jr_table *table,
                                const struct jr_thunk *run) {
  uint32_t count = 0;
  for (uint64_t i = run->first; i < run->first + run->count; i++)
    count += table->sites[i].result_count > 0;
  return count;
}

static struct jr_move find_move(const struct jr_context *context,
                                const struct jr_thunk *thunk) {
  const struct jr_table *table = &context->program->table;
  struct jr_move move = {0};
  bool has_source = thunk->kind == JR_THUNK_PASS ||
                    thunk->kind == JR_THUNK_RETURN ||
                    thunk->kind == JR_THUNK_TAKE;
  if (has_source)
    move = find_source(context, thunk->from);
  if (thunk->kind == JR_THUNK_RUN)
    move.number = count_answering(table, thunk);
  else if (thunk->kind == JR_THUNK_PASS || thunk->kind == JR_THUNK_GIVE)
    move.to = find_arg(context, thunk->to);
  else if (thunk->kind == JR_THUNK_PARAM)
    move.words = context->scalars + table->params[thunk->from].first_word;
  else if (thunk->kind == JR_THUNK_RETURN || thunk->kind == JR_THUNK_ANSWER)
    move.words = context->results + table->params[thunk->to].first_word;
  return move;
}

static bool make_registers(struct jr_context *context) {
  const struct jr_table *table = &context->program->table;
  uint32_t count = table->register_count;
  context->registers =
      jr_arena_zalloc(&context->arena, count, sizeof *context->registers);
  context->widths =
      jr_arena_zalloc(&context->arena, count, sizeof *context->widths);
  if (!context->registers || !context->widths)
    return false;
  for (uint32_t i = 0; i < count; i++)
    context->widths[i] = (uint8_t)jr_type_word_bits(
        jr_table_type(table, table->registers[i].type));
  return true;
}

jitrun_error_t *jr_thunks_prepare(struct jr_context *context) {
  const struct jr_table *table = &context->program->table;
  if (context->program->native)
    return NULL;
  context->moves = jr_arena_zalloc(&context->arena, table->thunk_count,
                                   sizeof *context->moves);
  if (!context->moves || !make_registers(context))
    return jr_error_no_memory();
  for (uint32_t i = 0; i < table->thunk_count; i++)
    context->moves[i] = find_move(context, &table->thunks[i]);
  return NULL;
}

/// Sizes and strides go with the address where the type leaves them open: the
/// argument then has a type record of its own.
static void pass_result(const struct jr_move *move) {
  const jitrun_arg_t *from = jr_move_source(move);
  move->to->value = from->value;
  if (!jr_type_is_word(from->type) && move->to->type != from->type &&
      from->type->rank > 0)
    memcpy((void *)(uintptr_t)(move->to->type + 1), from->type + 1,
           2 * sizeof(int64_t) * from->type->rank);
}

static void return_result(const struct jr_move *move) {
  const jitrun_arg_t *from = jr_move_source(move);
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
                                   const struct jr_thunk *thunk) {
  const struct jr_move *move = jr_move_of(context, thunk);
  JITRUN_TRY(jr_move_check(context, move));
  if (move->to)
    pass_result(move);
  else
    return_result(move);
  return NULL;
}

/// What an earlier call returned is not what this one does.
static void clear_results(const struct jr_context *context,
                          const struct jr_thunk *run) {
  for (uint64_t i = run->first; i < run->first + run->count; i++) {
    jitrun_call_t *frame = context->exec.slots[i].frame;
    for (uint32_t k = 0; k < frame->site->result_count; k++)
      jitrun_call_results(frame)[k].value.u64 = 0;
  }
}

static jitrun_error_t *run_sites(struct jr_context *context,
                                 const struct jr_thunk *thunk) {
  if (jr_move_of(context, thunk)->number > 0)
    clear_results(context, thunk);
  return context->exec.functions->run(&context->exec, thunk->first,
                                      thunk->count);
}

static jitrun_error_t *run_thunks(struct jr_context *context,
                                  const struct jr_thunk *thunk, uint32_t count);

/// A round of a loop, or a computation, may be the last one.
static jitrun_error_t *check_cancel(struct jr_context *context) {
  return jr_exec_is_cancelled(&context->exec) ? jr_error_cancelled() : NULL;
}

static bool is_below(const struct jr_thunk *loop, uint32_t bits, uint64_t value,
                     uint64_t end) {
  return loop->kind == JR_THUNK_FOR
             ? jr_sign_extend(value, bits) < jr_sign_extend(end, bits)
             : value < end;
}

/// As scf.for is lowered: the next value wraps around.
static jitrun_error_t *run_for(struct jr_context *context,
                               const struct jr_thunk *thunk) {
  uint64_t *registers = context->registers;
  uint32_t bits = context->widths[thunk->target];
  uint64_t end = registers[thunk->b];
  uint64_t step = registers[thunk->c];
  for (uint64_t value = registers[thunk->a]; is_below(thunk, bits, value, end);
       value = (value + step) & jr_word_mask(bits)) {
    registers[thunk->target] = value;
    JITRUN_TRY(check_cancel(context));
    JITRUN_TRY(run_thunks(context, thunk + 1, thunk->d));
  }
  return NULL;
}

static jitrun_error_t *run_while(struct jr_context *context,
                                 const struct jr_thunk *thunk) {
  const struct jr_thunk *body = thunk + 1 + thunk->c;
  for (;;) {
    JITRUN_TRY(check_cancel(context));
    JITRUN_TRY(run_thunks(context, thunk + 1, thunk->c));
    if (!context->registers[thunk->target])
      return NULL;
    JITRUN_TRY(run_thunks(context, body, thunk->d - thunk->c));
  }
}

static jitrun_error_t *run_case(struct jr_context *context,
                                const struct jr_thunk *thunk) {
  uint64_t value = context->registers[thunk->target];
  const struct jr_thunk *branch = thunk + 1;
  for (uint32_t i = 0; i < thunk->c; i++, branch += 1 + branch->d) {
    if (branch->c == 1 || branch->bits == value)
      return run_thunks(context, branch + 1, branch->d);
  }
  return NULL;
}

static jitrun_error_t *run_computation(struct jr_context *context,
                                       const struct jr_thunk *thunk) {
  const struct jr_table *table = &context->program->table;
  const struct jr_computation *computation = &table->computations[thunk->a];
  JITRUN_TRY(check_cancel(context));
  return run_thunks(context, table->thunks + computation->first_thunk,
                    computation->thunk_count);
}

static jitrun_error_t *check_assert(struct jr_context *context,
                                    const struct jr_thunk *thunk) {
  if (context->registers[thunk->target])
    return NULL;
  return context->exec.functions->fail(&context->exec, thunk->a);
}

static jitrun_error_t *run_thunk(struct jr_context *context,
                                 const struct jr_thunk *thunk) {
  static const jr_step_t steps[JR_THUNK_ASSERT + 1] = {
      [JR_THUNK_PASS] = move_result,     [JR_THUNK_RETURN] = move_result,
      [JR_THUNK_FOR] = run_for,          [JR_THUNK_FOR_UNSIGNED] = run_for,
      [JR_THUNK_WHILE] = run_while,      [JR_THUNK_CASE] = run_case,
      [JR_THUNK_CALL] = run_computation, [JR_THUNK_ASSERT] = check_assert,
  };
  jr_step_t step = steps[thunk->kind];
  return step ? step(context, thunk)
              : jr_value_steps[thunk->kind](context, thunk);
}

static jitrun_error_t *run_thunks(struct jr_context *context,
                                  const struct jr_thunk *thunk,
                                  uint32_t count) {
  const struct jr_thunk *end = thunk + count;
  for (; thunk < end; thunk += 1 + jr_thunk_nested(thunk)) {
    if (thunk->kind == JR_THUNK_RUN)
      JITRUN_TRY(run_sites(context, thunk));
    else
      JITRUN_TRY(run_thunk(context, thunk));
  }
  return NULL;
}

jitrun_error_t *jr_thunks_run(struct jr_context *context, uint32_t entry) {
  const struct jr_table *table = &context->program->table;
  const struct jr_entry *record = &table->entries[entry];
  memset(context->registers, 0,
         table->register_count * sizeof *context->registers);
  return run_thunks(context, table->thunks + record->first_thunk,
                    record->thunk_count);
}
