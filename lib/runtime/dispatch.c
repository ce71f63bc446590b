/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The dispatcher: calls a run of sites, for native code and thunks alike. One
/// call instruction for all of them would have the CPU guess every target from
/// one place, and wrongly; 32 let it learn (2 to 6 ns a call instead of 7 to
/// 9). A run that is no multiple of 32 enters the first round in its middle.
#include "base/dtype.h"
#include "runtime/context.h"

#include <string.h>

enum { ROUND = 32 };

/// Expands X(n) for each of the sites of a round, n being how many are left.
// clang-format off
#define FOR_SITES_LEFT(X)                                                      \
  X(32) X(31) X(30) X(29) X(28) X(27) X(26) X(25)                              \
  X(24) X(23) X(22) X(21) X(20) X(19) X(18) X(17)                              \
  X(16) X(15) X(14) X(13) X(12) X(11) X(10) X(9)                               \
  X(8)  X(7)  X(6)  X(5)  X(4)  X(3)  X(2)  X(1)
// clang-format on

#define CALL_SITE(left)                                                        \
  case left:                                                                   \
    __atomic_store_n(current_site, end - (left), __ATOMIC_RELAXED);            \
    error = (end_slot - (left))->handler((end_slot - (left))->frame);          \
    if (error)                                                                 \
      return error;                                                            \
    __attribute__((fallthrough));

/// Calls the last `count` sites in front of `end`, at most a round.
// NOLINTNEXTLINE(readability-function-size): what is expanded counts
static jitrun_error_t *call_round(const struct jr_exec *exec, uint64_t end,
                                  uint64_t count) {
  const struct jr_slot *end_slot = exec->slots + end;
  volatile uint64_t *current_site = exec->current_site;
  jitrun_error_t *error = NULL;
  switch (count) {
    FOR_SITES_LEFT(CALL_SITE)
  default:
    return NULL;
  }
}

jitrun_error_t *jr_error_cancelled(void) {
  return jr_error(JITRUN_CANCELLED, "the execution was asked to stop");
}

jitrun_error_t *jr_dispatch(struct jr_exec *exec, uint64_t first,
                            uint64_t count) {
  uint64_t end = first + count;
  uint64_t round = count % ROUND;
  do {
    if (jr_exec_is_cancelled(exec)) {
      jr_exec_set_site(exec, JITRUN_NO_SITE);
      return jr_error_cancelled();
    }
    first += round;
    JITRUN_TRY(call_round(exec, first, round));
    round = ROUND;
  } while (first < end);
  jr_exec_set_site(exec, JITRUN_NO_SITE);
  return NULL;
}

/// True when a call already said what the program says of it.
static bool says_same(const jitrun_error_t *held, const char *message) {
  size_t size = strlen(message);
  const char *said = jitrun_error_message(held);
  return strncmp(said, message, size) == 0 &&
         (said[size] == '\0' || said[size] == ':');
}

static bool is_async(const jitrun_type_t *type) {
  return type->kind >= JITRUN_KIND_TOKEN;
}

/// A handle that a handler returned belongs to the execution.
static jitrun_error_t *take_handle(struct jr_exec *exec,
                                   const jitrun_type_t *type,
                                   jitrun_async_t *async, uint32_t number) {
  if (jr_async_fits(async, type)) {
    jr_async_own(jr_context_of(exec), async);
    return NULL;
  }
  jitrun_async_release(async);
  return jr_error(JITRUN_INTERNAL,
                  "result %u of the custom call is %s where its type asks for "
                  "%s",
                  number, async ? "a handle of another type" : "NULL",
                  type->kind == JITRUN_KIND_TOKEN ? "a token"
                                                  : "an async value");
}

/// Takes all results over, also behind one that does not fit.
static jitrun_error_t *take_results(struct jr_exec *exec,
                                    jitrun_call_t *frame) {
  const jitrun_site_t *site = frame->site;
  const jitrun_type_t *const *types = site->types + site->arg_count;
  jitrun_arg_t *results = jitrun_call_results(frame);
  jitrun_error_t *first = NULL;
  for (uint32_t i = 0; i < site->result_count; i++) {
    jitrun_error_t *error = NULL;
    if (is_async(types[i]))
      error = take_handle(exec, types[i], results[i].value.async, i);
    else if (types[i]->kind == JITRUN_KIND_BUFFER)
      error = jr_result_check(exec, frame, i);
    if (first)
      jitrun_error_free(error);
    else
      first = error;
  }
  return first;
}

static jitrun_error_t *call_site(struct jr_exec *exec, uint64_t site,
                                 jitrun_call_t *frame) {
  if (jr_exec_is_cancelled(exec))
    return jr_error_cancelled();
  const struct jr_slot *slot = &exec->slots[site];
  if (!frame)
    frame = slot->frame;
  const jitrun_site_t *record = frame->site;
  for (uint32_t i = 0; i < record->result_count; i++) {
    if (is_async(record->types[record->arg_count + i]))
      jitrun_call_results(frame)[i].value.async = NULL;
  }
  jr_exec_set_site(exec, site);
  jitrun_error_t *error = slot->handler(frame);
  jr_exec_set_site(exec, JITRUN_NO_SITE);
  if (!error)
    error = take_results(exec, frame);
  return error ? jr_error_in_site(error, record, "in") : NULL;
}

/// The error of a call, with what the program says of it in front.
static jitrun_error_t *say_more(const char *message,
                                const jitrun_error_t *kept) {
  if (says_same(kept, message))
    return jr_error_copy(kept);
  jitrun_error_t *error = jr_error(jitrun_error_code(kept), "%s: %s", message,
                                   jitrun_error_message(kept));
  error = jr_error_at(error, jitrun_error_location(kept), 0, 0);
  for (size_t i = 0; i < jitrun_error_note_count(kept); i++)
    error = jr_error_note(error, "%s", jitrun_error_note_get(kept, i));
  return error;
}

/// The error that a program makes, with what it kept of a call before.
static jitrun_error_t *join_held(struct jr_context *context,
                                 const struct jr_assert *record) {
  const struct jr_table *table = &context->program->table;
  const char *message = jr_table_string(table, record->message);
  struct jr_async_error **place = jr_async_held(context);
  struct jr_async_error *held = *place;
  if (!held)
    return jr_error(JITRUN_FAILED_PRECONDITION, "%s", message);
  jitrun_error_t *error = say_more(message, held->error);
  if (jitrun_error_location(held->error) && context->async.is_used)
    error = jr_error_note(error, "awaited at %s:%u:%u",
                          jr_table_string(table, record->file), record->line,
                          record->column);
  atomic_store(&held->is_seen, true);
  jr_async_error_release(held);
  *place = NULL;
  return error;
}

/// What a failed cf.assert becomes.
static jitrun_error_t *fail_assert(struct jr_exec *exec, uint64_t index) {
  struct jr_context *context = jr_context_of(exec);
  const struct jr_table *table = &context->program->table;
  jr_exec_set_site(exec, JITRUN_NO_SITE);
  if (index >= table->assert_count)
    return jr_error(JITRUN_INTERNAL,
                    "code failed assertion %llu, the image has %u",
                    (unsigned long long)index, table->assert_count);
  const struct jr_assert *record = &table->asserts[index];
  return jr_error_at(join_held(context, record),
                     jr_table_string(table, record->file), record->line,
                     record->column);
}

static jitrun_error_t *hold_error(struct jr_exec *exec, jitrun_error_t *error) {
  struct jr_context *context = jr_context_of(exec);
  if (!error || jr_exec_is_cancelled(exec))
    return error;
  uint64_t site = *exec->current_site;
  if (site < context->program->table.site_count)
    error = jr_error_in_site(error, &context->program->sites[site], "in");
  jr_exec_set_site(exec, JITRUN_NO_SITE);
  exec->functions->async->keep(exec, error);
  return NULL;
}

static jitrun_error_t *alloc_elements(struct jr_exec *exec,
                                      uint64_t element_bytes,
                                      const int64_t *dims, uint64_t rank,
                                      uint64_t alignment, void **out_data) {
  uint64_t size_bytes = 0;
  *out_data = NULL;
  jr_exec_set_site(exec, JITRUN_NO_SITE);
  if (!jr_elements_bytes(element_bytes, dims, rank, &size_bytes))
    return jr_error(JITRUN_OUT_OF_RANGE,
                    "an allocation of the program has a negative size, or one "
                    "over 2^63 bytes");
  jitrun_error_t *error = NULL;
  *out_data = jr_blocks_alloc(&jr_context_of(exec)->blocks, size_bytes,
                              alignment, &error);
  if (*out_data || error)
    return error;
  return jr_error(JITRUN_RESOURCE_EXHAUSTED,
                  "no memory for an allocation of %llu bytes",
                  (unsigned long long)size_bytes);
}

static void free_elements(struct jr_exec *exec, void *data) {
  jr_blocks_free(&jr_context_of(exec)->blocks, data);
}

const struct jr_exec_functions jr_exec_functions = {
    .size = sizeof(struct jr_exec_functions),
    .run = jr_dispatch,
    .alloc = alloc_elements,
    .free = free_elements,
    .fail = fail_assert,
    .hold = hold_error,
    .result = jr_result_check,
    .call = call_site,
    .async = &jr_async_functions,
    .fail_check = jr_check_fail,
    .track = jr_check_track,
};
