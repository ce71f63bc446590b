/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What programs do at run time that were compiled with checks: an assertion
/// that fails tells the values that it is about, and memory that a program
/// allocates is missed when the program does not free it.
#include "base/bytes.h"
#include "runtime/context.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/// Appends a message; the number N in braces stands for values[N].
static void expand_message(struct jr_bytes *text, const char *message,
                           const int64_t *values, uint64_t count) {
  while (*message) {
    size_t size = strcspn(message, "{");
    jr_bytes_append(text, message, size);
    message += size;
    bool is_value = message[0] == '{' && message[1] >= '0' &&
                    (uint64_t)(message[1] - '0') < count && message[2] == '}';
    if (is_value) {
      jr_bytes_appendf(text, "%" PRId64, values[message[1] - '0']);
      message += 3;
    } else if (*message) {
      jr_bytes_append(text, message++, 1);
    }
  }
}

jitrun_error_t *jr_check_fail(struct jr_exec *exec, uint64_t index,
                              const int64_t *values, uint64_t count) {
  const struct jr_table *table = &jr_context_of(exec)->program->table;
  if (index >= table->assert_count)
    return exec->functions->fail(exec, index);
  jr_exec_set_site(exec, JITRUN_NO_SITE);
  const struct jr_assert *record = &table->asserts[index];
  struct jr_bytes text = {0};
  expand_message(&text, jr_table_string(table, record->message), values, count);
  const char *message = jr_bytes_text(&text);
  jitrun_error_t *error =
      message ? jr_error(JITRUN_FAILED_PRECONDITION, "%s", message)
              : jr_error_no_memory();
  jr_bytes_deinit(&text);
  return jr_error_at(error, jr_table_string(table, record->file), record->line,
                     record->column);
}

void jr_check_track(struct jr_exec *exec, const void *data, uint64_t index) {
  jr_blocks_track(&jr_context_of(exec)->blocks, data, (uint32_t)index);
}

/// True for memory that the entry returns: a result is in it.
static bool is_returned(const struct jr_context *context, uint32_t entry,
                        const struct jr_block *block) {
  const struct jr_table *table = &context->program->table;
  const struct jr_entry *record = &table->entries[entry];
  const struct jr_param *results =
      table->params + record->first_param + record->param_count;
  for (uint32_t i = 0; i < record->result_count; i++) {
    if (!(results[i].flags & JR_RESULT_STORED))
      continue;
    uint64_t address = context->results[results[i].first_word];
    if (address - (uintptr_t)block->data <= block->size_bytes)
      return true;
  }
  return false;
}

/// Memory that was not freed.
struct leaks {
  const struct jr_block *first;
  size_t count;
  uint64_t size_bytes;
};

static struct leaks find_leaks(const struct jr_context *context,
                               uint32_t entry) {
  struct leaks leaks = {0};
  for (size_t i = 0; i < JR_BLOCK_CHAINS; i++) {
    for (const struct jr_block *block = context->blocks.chains[i]; block;
         block = block->next) {
      if (block->serial == 0 || is_returned(context, entry, block))
        continue;
      leaks.count++;
      leaks.size_bytes += block->size_bytes;
      if (!leaks.first || block->serial < leaks.first->serial)
        leaks.first = block;
    }
  }
  return leaks;
}

void jr_check_leaks(struct jr_context *context, uint32_t entry) {
  const jitrun_run_options_t *options = &context->options;
  if (context->blocks.serial == 0 || !options->diagnostic)
    return;
  struct leaks leaks = find_leaks(context, entry);
  const struct jr_table *table = &context->program->table;
  if (leaks.count == 0 || leaks.first->place >= table->assert_count)
    return;
  const struct jr_assert *place = &table->asserts[leaks.first->place];
  struct jr_bytes text = {0};
  jr_bytes_appendf(&text,
                   "'%s' did not free %zu of its allocations, %" PRIu64
                   " bytes; the first is at %s:%u:%u",
                   jr_table_string(table, table->entries[entry].name),
                   leaks.count, leaks.size_bytes,
                   jr_table_string(table, place->file), place->line,
                   place->column);
  const char *message = jr_bytes_text(&text);
  (void)pthread_mutex_lock(&context->outermost->output_lock);
  if (message)
    options->diagnostic(options->diagnostic_context, message, text.size);
  (void)pthread_mutex_unlock(&context->outermost->output_lock);
  jr_bytes_deinit(&text);
}
