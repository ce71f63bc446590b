/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What handlers say besides their errors.
#include "runtime/diagnostics.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

void jr_diagnostics_init(struct jr_diagnostics *diagnostics) {
  *diagnostics = (struct jr_diagnostics){0};
  (void)pthread_mutex_init(&diagnostics->lock, NULL);
}

/// Empties the list for its caller; usually it is empty.
static struct jr_diagnostic *take_all(struct jr_diagnostics *diagnostics,
                                      uint64_t *out_lost) {
  (void)pthread_mutex_lock(&diagnostics->lock);
  struct jr_diagnostic *first = diagnostics->first;
  *out_lost = diagnostics->count - diagnostics->kept;
  diagnostics->first = NULL;
  diagnostics->last = NULL;
  diagnostics->count = 0;
  diagnostics->kept = 0;
  (void)pthread_mutex_unlock(&diagnostics->lock);
  return first;
}

static void free_all(struct jr_diagnostic *first) {
  while (first) {
    struct jr_diagnostic *next = first->next;
    free(first);
    first = next;
  }
}

void jr_diagnostics_deinit(struct jr_diagnostics *diagnostics) {
  free_all(diagnostics->first);
  (void)pthread_mutex_destroy(&diagnostics->lock);
}

/// A copy of the text, cut where it is too long; NULL without memory.
static struct jr_diagnostic *copy_text(const char *text, size_t size) {
  static const char mark[] = {'.', '.', '.'};
  bool is_cut = size > JR_DIAGNOSTIC_BYTES;
  size_t room = is_cut ? JR_DIAGNOSTIC_BYTES : size;
  struct jr_diagnostic *copy = jr_malloc(sizeof *copy + room);
  if (!copy)
    return NULL;
  *copy = (struct jr_diagnostic){.size = room};
  memcpy(copy->text, text, room);
  if (is_cut)
    memcpy(copy->text + room - sizeof mark, mark, sizeof mark);
  return copy;
}

void jr_diagnostics_add(struct jr_diagnostics *diagnostics, const char *text,
                        size_t size) {
  (void)pthread_mutex_lock(&diagnostics->lock);
  diagnostics->count++;
  struct jr_diagnostic *copy = NULL;
  if (diagnostics->kept < JR_DIAGNOSTIC_COUNT)
    copy = copy_text(text, size);
  if (copy) {
    if (diagnostics->last)
      diagnostics->last->next = copy;
    else
      diagnostics->first = copy;
    diagnostics->last = copy;
    diagnostics->kept++;
  }
  (void)pthread_mutex_unlock(&diagnostics->lock);
}

jitrun_error_t *jr_diagnostics_join(struct jr_diagnostics *diagnostics,
                                    jitrun_error_t *error) {
  uint64_t lost = 0;
  if (!error)
    return NULL;
  struct jr_diagnostic *first = take_all(diagnostics, &lost);
  for (const struct jr_diagnostic *at = first; at; at = at->next)
    error = jr_error_note(error, "%.*s", (int)at->size, at->text);
  if (lost > 0)
    error = jr_error_note(error, "and %llu more that were not kept",
                          (unsigned long long)lost);
  free_all(first);
  return error;
}

void jr_diagnostics_send(struct jr_diagnostics *diagnostics,
                         jitrun_diagnostic_fn_t send, void *context) {
  uint64_t lost = 0;
  struct jr_diagnostic *first = take_all(diagnostics, &lost);
  for (const struct jr_diagnostic *at = first; at; at = at->next)
    send(context, at->text, at->size);
  free_all(first);
}

void jr_diagnostics_clear(struct jr_diagnostics *diagnostics) {
  uint64_t lost = 0;
  if (diagnostics->count > 0)
    free_all(take_all(diagnostics, &lost));
}
